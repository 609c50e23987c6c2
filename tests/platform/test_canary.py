"""A canary in everything that somebody may not see is never seen by them: in no answer, event, error or header."""

import itertools
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import TRANSPORTS, Person, Product, Transport, listening
from tests.e2e.table import World, build_world, note, roll
from tests.platform.requests import graph_requests, rest_requests

CANARY = "Canary7f3a9c"
EVENTS = 10


@pytest.fixture(scope="module")
def world(sqlite: Product) -> World:
    """Set a table where everything that is written holds the canary."""
    return build_world(sqlite, lambda what: f"{CANARY} {what}"[:40])


def secrets_of(world: World) -> list[str]:
    """Give what strangers may never be shown: what was written, the code, and the keys of the others."""
    keys = [person.key or "" for person in (world.gm, world.player, world.spectator)]
    return [CANARY, world.code, *(key.rpartition("_")[2] for key in keys)]


def probes(world: World, stranger: Person) -> Iterator[tuple[str, str, str | None]]:
    """Give requests of a stranger: method, path, content."""
    ids = [world.campaign, world.hero, world.roll, world.own_roll, world.map, world.job, world.invitation]
    ids += [
        world.gm.id,
        world.player.id,
        world.other_campaign,
        "cmp_00000000000000000000000000",
        "' OR 1=1 --",
    ]
    for request in graph_requests(world, world.gm).values():
        if request.kind != "subscription":
            yield "POST", "/graphql", json.dumps({"query": request.document, "variables": request.variables})
    by_id = [name for name, document in QUERIES.items() if "$id: ID!" in document]
    for name, one in itertools.product(by_id, ids):
        yield "POST", "/graphql", json.dumps({"query": QUERIES[name], "variables": {"id": one}})
    for one in ids:
        for variables in ({"campaignId": one}, {"characterId": one}, {"accountId": one}):
            yield "POST", "/graphql", json.dumps({"query": QUERIES["rolls"], "variables": variables})
        yield "POST", "/graphql", json.dumps({"query": QUERIES["maps"], "variables": {"campaignId": one}})
        for fields in (
            "campaign(id: $id) { nothing }",
            "campaign(id: $id) { members { account { keys { nodes { id } } } } }",
        ):
            yield (
                "POST",
                "/graphql",
                json.dumps({"query": f"query ($id: ID!) {{ {fields} }}", "variables": {"id": one}}),
            )
        for path in (
            "campaigns/%s",
            "campaigns/%s/log",
            "characters/%s",
            "characters/%s/sheet",
            "rolls/%s",
            "jobs/%s",
        ):
            yield "GET", f"/v1/{path % one}", None
        for path in (
            "maps/%s",
            "maps/%s/map.svg",
            "maps/%s/map.json",
            "rolls?campaign=%s",
            "maps?campaign=%s",
        ):
            yield "GET", f"/v1/{path % one}", None
    for request in rest_requests(world, world.gm).values():
        path = request.path
        for name, value in request.parameters.items():
            path = path.replace(f"{{{name}}}", value)
        if request.name != "signUp":
            yield request.method, path, None if request.body is None else json.dumps(request.body)
    # A used idempotency key of somebody else opens nothing of theirs.
    again = {"campaignId": world.campaign, "text": "Give it to me", "idempotencyKey": "same again"}
    yield "POST", "/graphql", json.dumps({"query": MUTATIONS["writeNote"], "variables": again})
    for path in (
        "/",
        "/docs",
        "/openapi.json",
        "/readyz",
        "/healthz",
        "/metrics",
        "/internal/principal",
        "/v1/nothing",
    ):
        yield "GET", path, None


@pytest.mark.parametrize("who", ["outsider", "other_gm", "anonymous"])
def test_no_answer_to_a_stranger_holds_the_canary(world: World, who: str) -> None:
    stranger: Person = getattr(world, who)
    secrets = secrets_of(world)
    sent = list(probes(world, stranger))

    def ask(probe: tuple[str, str, str | None]) -> tuple[int, str]:
        method, path, content = probe
        headers = {"content-type": "application/json"} if content else {}
        answer = stranger.send(method, path, content=content, headers=headers)
        return answer.status_code, f"{answer.headers}\n{answer.text}"

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, sent))
    assert len(answers) > 250
    assert {status for status, _ in answers} <= {200, 201, 202, 400, 401, 403, 404, 405, 409, 415, 422, 429}
    refused = sum(status == 429 for status, _ in answers)
    assert refused < len(answers) / 3, f"{refused} of {len(answers)} were not looked at"
    seen = [
        (probe, secret)
        for probe, (_, text) in zip(sent, answers, strict=True)
        for secret in secrets
        if secret in text
    ]
    assert seen == []


def test_canary_is_seen_by_those_who_may(world: World) -> None:
    """Else the tests above would prove nothing."""
    for person in (world.gm, world.player, world.spectator):
        shown = person.graph(QUERIES["campaign"], {"id": world.campaign}).text
        for what in ("campaign", "description", "note", "hero", "label", "realm"):
            assert f"{CANARY} {what}" in shown, what
    assert world.code in world.gm.graph(QUERIES["campaign"], {"id": world.campaign}).text


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("who", ["outsider", "other_gm", "anonymous"])
def test_no_event_for_a_stranger_holds_the_canary(world: World, who: str, transport: Transport) -> None:
    stranger: Person = getattr(world, who)
    subscriptions = {
        "campaignLog": {"campaignId": world.campaign},
        "rollRecorded": {"campaignId": world.campaign},
        "jobProgress": {"id": world.job},
    }
    for name, variables in subscriptions.items():
        with listening(stranger, transport, SUBSCRIPTIONS[name], **variables) as listener:
            note(world.gm, world.campaign, f"{CANARY} again")
            heard = [listener.answer(), listener.answer()]
        assert heard[0] is not None
        assert heard[0]["errors"]
        assert heard[1] is None
        assert not [secret for secret in secrets_of(world) if secret in json.dumps(heard)]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_own_events_do_not_mix_with_those_of_others(world: World, transport: Transport) -> None:
    """Two tables busy at the same time: each hears its own."""
    own = world.other_gm
    document = SUBSCRIPTIONS["rollRecorded"]
    last = roll(own, "1d6", campaignId=world.other_campaign)["seq"]
    with listening(own, transport, document, campaignId=world.other_campaign, after=last) as listener:
        for number in range(EVENTS):
            roll(world.player, "1d6", campaignId=world.campaign, label=f"{CANARY} {number}")
            roll(own, "1d6", campaignId=world.other_campaign, label=f"own {number}")
        heard = listener.take(EVENTS)
    assert [one["label"] for one in heard] == [f"own {number}" for number in range(EVENTS)]
    assert CANARY not in json.dumps(heard)


def test_no_key_and_no_secret_is_written_to_the_logs(world: World) -> None:
    environment = world.product.environment
    secrets = [environment["HEARTHFORGE_INTERNAL_SECRET"], environment["HEARTHFORGE_KEY_PEPPER"]]
    secrets += secrets_of(world)[2:]
    logs = {path.name: path.read_text(errors="replace") for path in (world.product.data / "logs").iterdir()}
    assert {"gateway.log", "account.log", "campaign.log"} <= logs.keys()
    assert "request" in logs["gateway.log"]
    assert [(name, secret) for name, text in logs.items() for secret in secrets if secret in text] == []
