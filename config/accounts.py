"""How people sign in: which passwords are good enough, and how their sessions are kept."""

from __future__ import annotations

from typing import Any

PASSWORD_LENGTH = 12
_VALIDATION = "django.contrib.auth.password_validation."


def configured(*, https: bool) -> dict[str, Any]:
    """Django's settings of accounts and sessions. What needs https waits for it."""
    return {
        "AUTH_PASSWORD_VALIDATORS": [
            {"NAME": f"{_VALIDATION}UserAttributeSimilarityValidator"},
            {"NAME": f"{_VALIDATION}MinimumLengthValidator", "OPTIONS": {"min_length": PASSWORD_LENGTH}},
            {"NAME": f"{_VALIDATION}CommonPasswordValidator"},
            {"NAME": f"{_VALIDATION}NumericPasswordValidator"},
        ],
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "CSRF_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": https,
        "CSRF_COOKIE_SECURE": https,
        "LOGIN_URL": "login",
        "LOGIN_REDIRECT_URL": "/",
        "LOGOUT_REDIRECT_URL": "/",
    }
