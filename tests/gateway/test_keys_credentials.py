"""What an API key looks like, and what is kept of it."""

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.accounts.credentials import (
    Credential,
    derived_secret,
    digest_of,
    new_secret,
    read_authorization,
)
from services.shared.ids import new_id

PEPPER = "pepper-" * 10


def test_a_key_is_read_back_from_its_header() -> None:
    credential = Credential(new_id("key"), new_secret())
    for header in (f"Bearer {credential.text}", f"bearer   {credential.text}", f"BEARER {credential.text} "):
        assert read_authorization(header) == credential


def test_a_key_starts_with_its_kind_and_its_id() -> None:
    credential = Credential("key_01jd8x6m3v5q7r9t0w2y4z6a8c", "s" * 40)
    assert credential.text == "hf_live_01jd8x6m3v5q7r9t0w2y4z6a8c_" + "s" * 40


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic aGY6bGl2ZQ==",
        "hf_live_01jd8x6m3v5q7r9t0w2y4z6a8c_" + "s" * 40,
        "Bearer hf_live_01jd8x6m3v5q7r9t0w2y4z6a8c",
        "Bearer hf_live_01jd8x6m3v5q7r9t0w2y4z6a8c_" + "s" * 39,
        "Bearer hf_live_01jd8x6m3v5q7r9t0w2y4z6a8c_" + "s" * 41,
        "Bearer hf_live_01JD8X6M3V5Q7R9T0W2Y4Z6A8C_" + "s" * 40,
        "Bearer hf_test_01jd8x6m3v5q7r9t0w2y4z6a8c_" + "s" * 40,
        "Bearer hf_live_01jd8x6m3v5q7r9t0w2y4z6a8c_" + "s" * 40 + "\n",
        "Bearer hf_live_01jd8x6m3v5q7r9t0w2y4z6a8c_" + "\u0660" * 40,
    ],
)
def test_a_header_of_another_shape_is_no_key(header: str) -> None:
    assert read_authorization(header) is None


@given(st.text(max_size=200))
def test_no_header_breaks_the_reader(header: str) -> None:
    read_authorization(header)
    read_authorization(f"Bearer {header}")


def test_the_digest_is_a_keyed_hash_and_not_the_secret() -> None:
    secret = new_secret()
    digest = digest_of(PEPPER, secret)
    assert digest == hmac.new(PEPPER.encode(), secret.encode(), "sha256").hexdigest()
    assert secret not in digest
    assert digest != digest_of(PEPPER + "x", secret)


def test_a_derived_secret_is_a_secret_of_its_key_its_seed_and_the_pepper() -> None:
    key = new_id("key")
    secret = derived_secret(PEPPER, key, "seed")
    assert secret == derived_secret(PEPPER, key, "seed")
    others = {
        derived_secret(PEPPER, new_id("key"), "seed"),
        derived_secret(PEPPER, key, "seed2"),
        derived_secret(PEPPER + "x", key, "seed"),
        derived_secret(PEPPER, key, "\ud800"),
    }
    assert len({secret, *others}) == 5
    assert read_authorization(f"Bearer {Credential(key, secret).text}") == Credential(key, secret)


def test_secrets_do_not_show_in_logs() -> None:
    credential = Credential(new_id("key"), new_secret())
    assert credential.secret not in repr(credential)
