"""A browser sends cookies with any page's websocket: only our own pages are let in."""

import pytest

from streaming import access


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("https://sheaf.example", "sheaf.example", True),
        ("https://SHEAF.example", "sheaf.example", True),
        ("http://sheaf.example:8000", "sheaf.example:8000", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://sheaf.example:8001", "sheaf.example:8000", False),
        ("https://evil.example", "sheaf.example", False),
        ("https://evil.example", "evil.example", False),
        ("https://sheaf.example.evil.example", "sheaf.example", False),
        ("null", "sheaf.example", False),
        ("", "sheaf.example", False),
        ("file://", "", False),
        ("chrome-extension://sheaf.example", "sheaf.example", False),
        ("https://front.example", "sheaf.example", True),
    ],
)
def test_origin(settings, origin, host, allowed):
    settings.ALLOWED_HOSTS = ["sheaf.example", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://front.example"]
    assert access.same_origin({"origin": origin, "host": host}) is allowed
