"""Signed tokens between the parts of the house: a process signs as itself, for whom it may call."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace

import jwt
import pytest

from services.shared.auth import KEPT_TOKENS, TOKEN_SECONDS, Signer, TokenRefused, Viewer
from services.shared.callers import INTERNALLY, ON_BEHALF, SIGNING
from services.shared.process_keys import new_private_key, public_keys_of, read_private_key
from services.shared.settings import SERVICES, variables

ADA = Viewer("acc_ada", frozenset({"read", "write"}), key="key_1")
PRIVATE = {name: new_private_key() for name in (*SIGNING, "worker")}
PUBLIC = public_keys_of(PRIVATE)


def process(name: str, public: Mapping[str, list[str]] = PUBLIC) -> Signer:
    """A process with a key of its own."""
    return Signer(name, PRIVATE[name], public)


def written(key: str = "gateway", **changes: object) -> str:
    """A token of the gateway for the dice service, with some claims changed or (None) left out."""
    now = int(time.time())
    known: dict[str, object] = {
        "iss": "gateway",
        "aud": "dice",
        "sub": "acc_ada",
        "scopes": ["read"],
        "iat": now,
        "exp": now + 30,
    }
    claims = {name: value for name, value in {**known, **changes}.items() if value is not None}
    # The plain signature: the other way of signing would not write claims of a wrong shape.
    return jwt.PyJWS().encode(json.dumps(claims).encode(), read_private_key(PRIVATE[key]), "EdDSA")


# What holds


def test_a_token_names_its_viewer_to_its_audience() -> None:
    assert process("dice").read(process("gateway").sign("dice", ADA)) == ADA


def test_a_token_tells_which_network_pays_for_heavy_work() -> None:
    gateway, dice = process("gateway"), process("dice")
    networks = ("2001:db8:0:7::/64", None, "192.0.2.7")
    tokens = [gateway.sign("dice", replace(ADA, network=network)) for network in networks]
    assert tuple(dice.read(token).network for token in tokens) == networks


def test_calls_between_services_carry_that_mark_and_open_nothing_else() -> None:
    campaign, dice, gateway = process("campaign"), process("dice"), process("gateway")
    call = campaign.sign("dice", ADA, service=True)
    assert dice.read(call, service=True) == replace(ADA, service=True)
    with pytest.raises(TokenRefused):
        dice.read(call)
    with pytest.raises(TokenRefused):
        dice.read(gateway.sign("dice", ADA), service=True)


@pytest.mark.parametrize("service", [False, True], ids=["on behalf", "between services"])
@pytest.mark.parametrize("audience", SIGNING)
@pytest.mark.parametrize("issuer", PRIVATE)
def test_a_process_opens_what_it_may_call_and_nothing_else(issuer: str, audience: str, service: bool) -> None:
    table = INTERNALLY if service else ON_BEHALF
    token = process(issuer).sign(audience, ADA, service=service)
    if audience in table.get(issuer, ()):
        assert process(audience).read(token, service=service).account == ADA.account
    else:
        with pytest.raises(TokenRefused):
            process(audience).read(token, service=service)


@pytest.mark.parametrize("name", SIGNING)
def test_whose_address_a_process_reads_it_may_call(name: str) -> None:
    addresses = {service for service in SERVICES if f"HEARTHFORGE_{service.upper()}_URL" in variables(name)}
    assert addresses == INTERNALLY[name] | ON_BEHALF.get(name, frozenset())


def test_only_the_doors_ask_on_behalf_of_viewers_and_workers_call_nobody() -> None:
    assert set(ON_BEHALF) == {"gateway", "account"}
    assert "worker" not in {*ON_BEHALF, *INTERNALLY}


# What does not


@pytest.mark.parametrize("name", sorted(set(SIGNING) - {"gateway"}))
def test_no_key_signs_in_the_name_of_another_process(name: str) -> None:
    forger = Signer("gateway", PRIVATE[name], PUBLIC)
    for audience, service in (("dice", False), ("account", True)):
        with pytest.raises(TokenRefused):
            process(audience).read(forger.sign(audience, ADA, service=service), service=service)


@pytest.mark.parametrize(
    "token",
    [
        written("map"),
        written(iss="campaign"),
        written(iss="stranger"),
        written(iss=None),
        written(iss=["gateway"]),
        written(aud="map"),
        written(aud=None),
        written(exp=None),
        written(exp=int(time.time()) - 60),
        written(exp=int(time.time()) + 3600),
        written(iat=int(time.time()) + 3600, exp=int(time.time()) + 3630),
        written(sub=None),
        written(scopes="read"),
        written(scopes=[1]),
        written(net=7),
        jwt.encode({"iss": "gateway", "aud": "dice"}, "", algorithm="none"),
        # A public key is no secret: a signature made with it as one is worth nothing.
        jwt.encode({"iss": "gateway", "aud": "dice"}, PUBLIC["gateway"][0], algorithm="HS256"),
        None,
        "",
        "x",
        "a.b.c",
    ],
    ids=[
        *("another's key", "another's name", "unknown issuer", "no issuer", "issuers", "audience"),
        *("no audience", "no end", "expired", "too long", "not yet", "no subject", "scopes text"),
        *("scopes numbers", "network number", "unsigned", "algorithm", "none", "empty", "x", "dots"),
    ],
)
def test_a_token_that_is_not_right_in_every_way_is_refused(token: str | None) -> None:
    with pytest.raises(TokenRefused):
        process("dice").read(token)


def test_a_token_that_was_read_before_is_refused_once_it_has_expired(monkeypatch: pytest.MonkeyPatch) -> None:
    dice, token = process("dice"), process("gateway").sign("dice", ADA)
    assert dice.read(token) == ADA == dice.read(token)
    later = time.time() + TOKEN_SECONDS + 10
    monkeypatch.setattr(time, "time", lambda: later)
    with pytest.raises(TokenRefused, match="expired"):
        dice.read(token)


def test_a_token_is_signed_anew_before_it_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    gateway, now = process("gateway"), time.time()
    tokens = set()
    for seconds in range(0, 3 * TOKEN_SECONDS, 5):
        moment = now + seconds
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        token = gateway.sign("dice", ADA)
        expires = jwt.decode(token, options={"verify_signature": False})["exp"]
        assert moment + TOKEN_SECONDS / 2 < expires <= moment + TOKEN_SECONDS
        tokens.add(token)
    assert 9 <= len(tokens) <= 10


def test_what_is_remembered_of_tokens_is_bounded() -> None:
    gateway, dice = process("gateway"), process("dice")
    for number in range(KEPT_TOKENS + 10):
        gateway.sign("dice", replace(ADA, account=f"acc_{number}"))
    dice.read(gateway.sign("dice", ADA))
    assert gateway._signed.cache_info().currsize == KEPT_TOKENS
    assert dice._verified.cache_info().maxsize == KEPT_TOKENS


# Rotation


def test_while_a_key_is_rotated_both_hold_and_afterwards_the_new_one_alone() -> None:
    fresh = new_private_key()
    old, new = process("gateway"), Signer("gateway", fresh, PUBLIC)
    both = {**PUBLIC, "gateway": [*public_keys_of({"gateway": fresh})["gateway"], *PUBLIC["gateway"]]}
    during = process("dice", both)
    assert [during.read(signer.sign("dice", ADA)) for signer in (old, new)] == [ADA, ADA]
    after = process("dice", {**PUBLIC, **public_keys_of({"gateway": fresh})})
    assert after.read(new.sign("dice", ADA)) == ADA
    with pytest.raises(TokenRefused):
        after.read(old.sign("dice", ADA))
