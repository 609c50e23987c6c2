"""Signing up through the public port: accounts are bounded where they come from, and are no budget each."""

import itertools
import os
import uuid
from collections.abc import Iterator

import httpx
import pytest
import redis

from services.gateway.accounts.sign_up import COST, NETWORK
from tests.e2e.documents import MUTATIONS
from tests.e2e.product import Product

AT_ONCE = NETWORK.capacity // COST
_networks = itertools.count(1)


@pytest.fixture
def place(sqlite: Product) -> Iterator[str]:
    """Give the first half of an IPv6 address: a network that no other test has; all buckets are full after."""
    yield f"2001:db8:{os.getpid() & 0xFFFF:x}:{0xF000 + next(_networks):x}"
    sqlite.fill_buckets()


def sign_up(product: Product, address: str, **wish: str) -> httpx.Response:
    return product.http.post(
        f"{product.url}/v1/accounts", json={"name": "Mara", **wish}, headers={"x-forwarded-for": address}
    )


def empty(product: Product, owner: str) -> None:
    """Empty a bucket for good: its time lies ahead of every caller's."""
    with redis.Redis.from_url(product.environment["REDIS_URL"]) as client:
        client.hset(f"hf:bucket:{owner}", mapping={"points": "0", "at": "9999999999999"})
        client.persist(f"hf:bucket:{owner}")


def test_the_addresses_of_one_network_open_thirty_accounts_together(sqlite: Product, place: str) -> None:
    sqlite.fill_buckets()
    answers = [sign_up(sqlite, f"{place}::{number:x}") for number in range(AT_ONCE + 3)]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [201] * AT_ONCE + [429] * 3
    last = answers[-1]
    assert last.json()["code"] == "RATE_LIMITED" and 1 <= int(last.headers["retry-after"]) <= 60
    assert sign_up(sqlite, f"{place[:-4]}eeee::1").status_code == 201
    # Whoever claims another network without being a trusted proxy is still where the last hop says.
    assert sign_up(sqlite, f"192.0.2.77, {place}::1").status_code == 429


def test_accounts_of_one_network_share_its_budget(sqlite: Product, place: str) -> None:
    keys = [sign_up(sqlite, f"{place}::{number}").json()["key"] for number in range(2)]
    empty(sqlite, f"network:{place}::/64")
    for number, key in enumerate(keys):
        headers = {"authorization": f"Bearer {key}", "x-forwarded-for": f"{place}::{number}"}
        answer = sqlite.http.get(f"{sqlite.url}/v1/me", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (429, "RATE_LIMITED")
        headers["x-forwarded-for"] = f"{place[:-4]}eeee::1"
        assert sqlite.http.get(f"{sqlite.url}/v1/me", headers=headers).status_code == 200


def test_a_client_cannot_name_its_own_network(sqlite: Product, place: str) -> None:
    empty(sqlite, f"sign-up:{place}::/64")
    forged = {"x-forwarded-for": f"{place}::1", "x-hearthforge-network": "192.0.2.1"}
    answer = sqlite.http.post(f"{sqlite.url}/v1/accounts", json={"name": "Mara"}, headers=forged)
    assert answer.status_code == 429


def test_an_unknown_invitation_opens_nothing(sqlite: Product, place: str) -> None:
    answer = sign_up(sqlite, f"{place}::1", invitation="hf_invite_" + "0" * 26)
    assert (answer.status_code, answer.json()["code"]) == (403, "INVITATION_UNKNOWN")


def test_a_repeated_sign_up_shows_no_key_and_tells_when_the_account_is_gone(
    sqlite: Product, place: str
) -> None:
    wish, key = {"name": "Mara"}, {"idempotency-key": str(uuid.uuid4())}

    def ask(address: str) -> httpx.Response:
        headers = {**key, "x-forwarded-for": address}
        return sqlite.http.post(f"{sqlite.url}/v1/accounts", json=wish, headers=headers)

    opened = ask(f"{place}::1")
    assert opened.status_code == 201
    secret = opened.json()["key"].rsplit("_", 1)[1]
    for address in (f"{place}::1", f"{place[:-4]}eeee::1"):
        repeated = ask(address)
        assert (repeated.status_code, repeated.json()["code"]) == (409, "ALREADY_SIGNED_UP")
        assert secret not in repeated.text and opened.json()["account"]["id"] not in repeated.text
    holder = sqlite.holder(opened.json()["key"])
    assert holder.send("DELETE", f"/v1/account?confirm={holder.id}").status_code == 200
    late = ask(f"{place}::1")
    assert (late.status_code, late.json()["code"]) == (409, "ACCOUNT_DELETED")


def test_a_key_is_shown_again_in_the_graph_to_the_key_that_asked_alone(sqlite: Product) -> None:
    first = sqlite.sign_up()
    wish = {"name": "Phone", "scopes": ["READ"], "idempotencyKey": "phone"}
    full = {"name": "Tablet", "scopes": ["READ", "WRITE", "ADMIN"]}
    second = sqlite.holder(first.ask(MUTATIONS["createApiKey"], input=full)["createApiKey"]["key"])
    made = first.ask(MUTATIONS["createApiKey"], input=wish)["createApiKey"]
    assert first.ask(MUTATIONS["createApiKey"], input=wish)["createApiKey"] == made
    other = second.ask(MUTATIONS["createApiKey"], input=wish)["createApiKey"]
    assert other["code"] == "IDEMPOTENCY_CONFLICT" and made["key"] not in str(other)


def test_a_key_that_only_administers_is_refused_an_export_before_it_begins(sqlite: Product) -> None:
    wish = {"name": "Caretaker", "scopes": ["ADMIN"]}
    made = sqlite.sign_up().ask(MUTATIONS["createApiKey"], input=wish)["createApiKey"]
    caretaker = {"authorization": f"Bearer {made['key']}"}
    refused = sqlite.http.get(f"{sqlite.url}/v1/account/export", headers=caretaker)
    assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
