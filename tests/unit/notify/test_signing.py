"""The signature of a webhook, against the published example of the Standard Webhooks specification."""

import base64

from tasks.kinds.notify import signing


def test_the_signature_is_that_of_the_specifications_example():
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    found = signing.signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_secrets_are_long_enough_and_never_the_same():
    secrets = {signing.new_secret() for _ in range(50)}
    assert len(secrets) == 50
    assert all(len(base64.b64decode(one.removeprefix("whsec_"))) >= 24 for one in secrets)


def test_another_body_another_time_or_another_id_has_another_signature():
    secret = signing.new_secret()
    signed = {
        signing.signature(secret, *rest)
        for rest in (("a", 1, b"x"), ("a", 1, b"y"), ("a", 2, b"x"), ("b", 1, b"x"), ("a.1", 1, b"x"))
    }
    assert len(signed) == 5
