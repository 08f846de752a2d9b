"""Every page carries the content security policy, in both worlds."""

from __future__ import annotations

from django.http import HttpResponse

from config.middleware.csp import POLICY, content_security_policy


def test_a_response_gets_the_policy(rf):
    response = content_security_policy(lambda request: HttpResponse())(rf.get("/"))
    assert response.headers["Content-Security-Policy"] == POLICY


async def test_an_asynchronous_response_gets_it_too(rf):
    async def view(request):
        return HttpResponse()

    response = await content_security_policy(view)(rf.get("/"))
    assert response.headers["Content-Security-Policy"] == POLICY


def test_a_view_that_set_a_policy_of_its_own_keeps_it(rf):
    own = HttpResponse(headers={"Content-Security-Policy": "default-src 'none'"})
    assert content_security_policy(lambda request: own)(rf.get("/")).headers["Content-Security-Policy"] == (
        "default-src 'none'"
    )


def test_nothing_inline_and_nothing_foreign_is_allowed():
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
