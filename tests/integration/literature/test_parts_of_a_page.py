"""Pieces of a set's page are for its script; a browser that goes to their address arrives at the whole page."""

import pytest

#: What Chromium and Firefox ask with when a person follows a link.
NAVIGATION = {"HTTP_ACCEPT": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize("part", ["status", "papers", "table"])
def test_a_piece_that_is_opened_as_a_page_leads_to_the_page_with_the_same_choice(ana, draft, part):
    answer = ana.get(f"/sets/{draft.pk}/{part}/?sort=-year", **NAVIGATION)
    assert (answer.status_code, answer.url) == (302, f"/sets/{draft.pk}/?sort=-year")
    assert ana.get(f"/sets/{draft.pk}/{part}/", **NAVIGATION).url == f"/sets/{draft.pk}/"
    fragment = ana.get(f"/sets/{draft.pk}/{part}/", HTTP_ACCEPT="text/html")
    assert fragment.status_code == 200 and b"<html" not in fragment.content


def test_browsers_that_ask_for_an_icon_by_themselves_get_it(client):
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302 and answer.url.startswith("/static/web/favicon") and answer.url.endswith(".svg")
