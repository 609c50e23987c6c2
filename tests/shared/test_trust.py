"""Signed tokens, ids, cursors, settings, stored files: the small things that everything else trusts."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.shared.auth import ANONYMOUS, Signer, TokenRefused, Viewer
from services.shared.graphql.errors import PublicError
from services.shared.ids import is_id, new_id
from services.shared.pagination import (
    cursor_of_number,
    decode_cursor,
    encode_cursor,
    number_of_cursor,
    page_size,
)
from services.shared.settings import Settings, table

SECRET = "s" * 40
ADA = Viewer("acc_ada", frozenset({"read", "write"}), key="key_1")


def claims(**changes: object) -> dict[str, object]:
    now = int(time.time())
    known: dict[str, object] = {
        "iss": "gateway",
        "aud": "dice",
        "sub": "acc_ada",
        "scopes": ["read"],
        "iat": now,
        "exp": now + 30,
    }
    return {name: value for name, value in {**known, **changes}.items() if value is not None}


def test_a_token_names_its_viewer_to_its_audience() -> None:
    token = Signer(SECRET, "gateway").sign("dice", ADA)
    assert Signer(SECRET, "dice").read(token) == ADA


def test_a_token_tells_which_network_pays_for_heavy_work() -> None:
    token = Signer(SECRET, "gateway").sign("dice", replace(ADA, network="2001:db8:0:7::/64"))
    assert Signer(SECRET, "dice").read(token).network == "2001:db8:0:7::/64"
    assert Signer(SECRET, "dice").read(Signer(SECRET, "gateway").sign("dice", ADA)).network is None


def test_only_calls_between_services_carry_that_mark() -> None:
    gateway, dice = Signer(SECRET, "gateway"), Signer(SECRET, "dice")
    assert not dice.read(gateway.sign("dice", ADA)).service
    assert dice.read(gateway.sign("dice", ADA, service=True)).service


@pytest.mark.parametrize(
    ("secret", "algorithm", "found"),
    [
        ("another" * 8, "HS256", claims()),
        (SECRET, "HS512", claims()),
        (SECRET, "HS256", claims(aud="map")),
        (SECRET, "HS256", claims(aud=None)),
        (SECRET, "HS256", claims(exp=None)),
        (SECRET, "HS256", claims(exp=int(time.time()) - 60)),
        (SECRET, "HS256", claims(exp=int(time.time()) + 3600)),
        (SECRET, "HS256", claims(sub=None)),
        (SECRET, "HS256", claims(scopes="read")),
        (SECRET, "HS256", claims(scopes=[1])),
        (SECRET, "HS256", claims(net=7)),
    ],
    ids=[
        "forged",
        "algorithm",
        "audience",
        "no-audience",
        "no-end",
        "expired",
        "too-long",
        "no-subject",
        "scopes-text",
        "scopes-numbers",
        "network-number",
    ],
)
def test_a_token_that_is_not_right_in_every_way_is_refused(
    secret: str, algorithm: str, found: dict[str, object]
) -> None:
    with pytest.raises(TokenRefused):
        Signer(SECRET, "dice").read(jwt.encode(found, secret, algorithm=algorithm))


@pytest.mark.parametrize("token", [None, "", "x", "a.b.c", jwt.encode(claims(), "", algorithm="none")])
def test_no_token_and_unsigned_tokens_are_refused(token: str | None) -> None:
    with pytest.raises(TokenRefused):
        Signer(SECRET, "dice").read(token)


def test_nobody_may_do_anything() -> None:
    nobody = Viewer(ANONYMOUS, frozenset({"read", "write", "admin"}))
    assert not any(nobody.may(scope) for scope in ("read", "write", "admin"))


def test_ids_sort_by_the_moment_they_were_made() -> None:
    made = [new_id("rol", milliseconds=moment) for moment in (1, 999, 1_000, 1_700_000_000_000)]
    assert made == sorted(made)
    assert all(is_id(found, "rol") for found in made)


@given(st.text(max_size=40))
def test_text_that_is_no_id_is_told_from_one(text: str) -> None:
    assert not is_id(text, "rol")
    assert not is_id(f"rol_{text}\n", "rol")


def test_an_id_of_one_kind_is_none_of_another() -> None:
    assert not is_id(new_id("chr"), "rol")


def test_cursors_come_back() -> None:
    row = new_id("rol")
    assert decode_cursor(encode_cursor(row), "rol") == row
    assert number_of_cursor(cursor_of_number(42)) == 42


@given(st.text(max_size=60))
def test_foreign_cursors_are_refused_with_a_code(cursor: str) -> None:
    for read in (lambda: decode_cursor(cursor, "rol"), lambda: number_of_cursor(cursor)):
        with pytest.raises(PublicError) as caught:
            read()
        assert caught.value.extensions == {"code": "BAD_CURSOR"}


@pytest.mark.parametrize("first", [0, -1, 101, 2**31 - 1])
def test_pages_have_one_to_a_hundred_rows(first: int) -> None:
    with pytest.raises(PublicError):
        page_size(first)
    assert page_size(1) == 1
    assert page_size(100) == 100


def settings_with(**changes: object) -> Settings:
    url = "sqlite+aiosqlite:///x"
    known = {
        "data_dir": Path(),
        "internal_secret": SECRET,
        "key_pepper": SECRET,
        "dice_secret": SECRET,
        "redis_url": "redis://r:6379/2",
        **{f"database_url_{name}": url for name in ("account", "dice", "character", "campaign", "map")},
        **{f"{name}_url": "http://h/" for name in ("account", "dice", "character", "campaign", "map")},
    }
    return Settings(**{**known, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_url", "used"),
    [
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("postgresql+asyncpg://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("sqlite:////a/b.db", "sqlite+aiosqlite:////a/b.db"),
    ],
)
def test_database_addresses_are_taken_as_hosting_providers_write_them(given_url: str, used: str) -> None:
    assert settings_with(database_url_dice=given_url).database_url("dice") == used


def test_celery_gets_the_address_in_its_own_spelling() -> None:
    assert settings_with().broker_url == "redis://r:6379/2"
    found = settings_with(redis_url="unix:///tmp/v.sock?db=3").broker_url
    assert found == "redis+socket:///tmp/v.sock?virtual_host=3"


def test_short_secrets_are_refused() -> None:
    with pytest.raises(ValueError, match="32"):
        settings_with(internal_secret="short")


def test_every_variable_is_documented() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
    assert table() in readme


def test_the_clock_of_ids_is_unix_time() -> None:
    before = new_id("rol", milliseconds=int(datetime.now(UTC).timestamp() * 1000) - 10)
    assert before < new_id("rol")
