"""Secrets at rest: unreadable without the key, readable through a change of key, and never half-opened."""

import pytest

from tasks.kinds.notify.sealing import SealBroken, seal, unseal


def test_a_sealed_secret_opens_and_shows_nothing_of_itself():
    sealed = seal("whsec_abc")
    assert unseal(sealed) == "whsec_abc" and "abc" not in sealed
    assert seal("whsec_abc") != sealed  # nobody sees that two are the same


def test_a_new_key_opens_what_the_old_one_sealed_as_long_as_that_is_named(settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "old", []
    sealed = seal("x")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", ["older", "old"]
    assert unseal(sealed) == "x"
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(SealBroken):
        unseal(sealed)


@pytest.mark.parametrize("changed", ["", "nonsense", "whsec_abc", "ä"])
def test_what_was_never_sealed_does_not_open(changed):
    with pytest.raises(SealBroken):
        unseal(changed)
