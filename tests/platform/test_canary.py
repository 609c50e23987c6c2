"""A canary in everything that somebody may not see goes through the public port in no answer, event, error or header.

What the services answer to every request is shown in ``tests/matrix/test_canary.py``. Here every query is asked
for each role, since the gateway puts answers of several services together, and of the other requests every
eleventh; whatever only the gateway answers; events by each transport; and what is written to the logs.
"""

import itertools
import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import TRANSPORTS, Person, Product, Transport, listening
from tests.e2e.table import BEHIND, HIDDEN, World, build_world, edit, look_at, move, note, roll, secret_roll
from tests.matrix.canary import (
    CANARY,
    MEMBERS,
    STRANGERS,
    Probe,
    answers_to,
    assert_seen_by_those_who_may,
    crowd,
    fields_in,
    looking,
    marked,
    probes,
    probes_of_the_gateway,
    secrets_of,
    seen_in,
    unseen_words,
)

EVENTS = 10
# It divides none of the numbers of requests that ask for each id, so that every kind of them has its turn.
EVERY = 11


@pytest.fixture(scope="module")
def world(sqlite: Product) -> World:
    """Set a table where everything that is written holds the canary."""
    return build_world(sqlite, marked)


@pytest.fixture(scope="module")
def asked(world: World) -> list[Probe]:
    """Choose the requests, for all roles."""
    return list(chosen(world))


def chosen(world: World) -> Iterator[Probe]:
    """Yield what is asked through the gateway."""
    everything = list(probes(world))
    whole = {json.dumps(document) for document in QUERIES.values()}
    sound = [probe for probe in everything if any(document in (probe[2] or "") for document in whole)]
    yield from sound
    yield from itertools.islice((probe for probe in everything if probe not in sound), 0, None, EVERY)
    yield from probes_of_the_gateway(world)


@pytest.mark.parametrize("who", STRANGERS)
def test_no_answer_to_a_stranger_holds_the_canary(world: World, asked: list[Probe], who: str) -> None:
    answers = answers_to(crowd(world, who), asked)
    assert fields_in(answers, asked) > 200
    assert seen_in(answers, asked, secrets_of(world)) == []


@pytest.mark.parametrize("who", MEMBERS)
def test_no_answer_to_a_member_holds_what_only_gms_may_see(
    world: World, asked: list[Probe], who: str
) -> None:
    sent = [probe for probe in asked if looking(probe)]
    answers = answers_to(crowd(world, who), sent)
    assert fields_in(answers, sent) > 200
    assert seen_in(answers, sent, unseen_words(world)) == []
    assert seen_in(answers, sent, [CANARY]), "they see the rest of the table"


def test_canary_is_seen_by_those_who_may(world: World) -> None:
    def table(person: Person) -> str:
        return person.graph(QUERIES["campaign"], {"id": world.campaign}).text

    assert_seen_by_those_who_may(world, table)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("who", STRANGERS)
def test_no_event_for_a_stranger_holds_the_canary(world: World, who: str, transport: Transport) -> None:
    stranger: Person = getattr(world, who)
    subscriptions: list[tuple[str, dict[str, Any]]] = [
        ("campaignLog", {"campaignId": world.campaign}),
        ("rollRecorded", {"campaignId": world.campaign}),
        ("rollRecorded", {"campaignId": world.campaign, "secret": True}),
        ("sceneMoves", {"sceneId": world.scene}),
        ("mapChanges", {"id": world.dungeon}),
        ("jobProgress", {"id": world.job}),
    ]
    with ExitStack() as stack:
        listeners = [
            stack.enter_context(listening(stranger, transport, SUBSCRIPTIONS[name], **variables))
            for name, variables in subscriptions
        ]
        note(world.gm, world.campaign, f"{CANARY} again")
        secret_roll(world.gm, world.campaign, label=f"{CANARY} again")
        move(world.gm, world.scene, "Tell", "gm", text=f"{CANARY} again")
        edit(world.gm, world.dungeon, putMarker={"label": f"{CANARY} again", "at": {"x": 9, "y": 10}})
        heard = [[listener.answer(), listener.answer()] for listener in listeners]
    for first, second in heard:
        assert first is not None
        assert first["errors"]
        assert second is None
    assert not [secret for secret in secrets_of(world) if secret in json.dumps(heard)]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("who", MEMBERS)
def test_no_event_of_a_scene_tells_members_what_only_gms_may_know(
    world: World, who: str, transport: Transport
) -> None:
    """What is hidden is brought in, looked for and whispered of while they listen."""
    listener: Person = getattr(world, who)
    before = listener.ask("query ($id: ID!) { scene(id: $id) { cursor } }", id=world.scene)["scene"]["cursor"]
    document = SUBSCRIPTIONS["sceneMoves"]
    with listening(listener, transport, document, sceneId=world.scene, after=before) as heard:
        hidden = {"name": world.words["hidden creature"], "hidden": 40}
        move(world.gm, world.scene, "AddCreature", "gm", monster="dungeonteller:monster/wolf", **hidden)
        move(world.gm, world.scene, "AddThing", "gm", **hidden, at={"x": 6, "y": 5})
        move(world.gm, world.scene, "LookOut", "gm", being=world.hero)
        move(world.gm, world.scene, "Tell", "gm", text=world.words["secret note"], secret=True)
        open_move = move(world.gm, world.scene, "Tell", "gm", text="The fire crackles.")
        told = heard.next()
    assert (told["seq"], told["text"]) == (open_move["seq"], open_move["text"])
    assert [what for what in HIDDEN if world.words[what] in json.dumps(told)] == []


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("who", MEMBERS)
def test_no_event_of_a_map_tells_members_what_only_gms_may_know(
    world: World, who: str, transport: Transport
) -> None:
    """Things are put, moved, written and taken back behind the screen while they listen."""
    listener: Person = getattr(world, who)
    at, layer = {"x": 9, "y": 10}, {"layer": "GM"}
    before = look_at(listener, world.dungeon)
    seen, after = before["revision"], before["cursor"]
    with listening(listener, transport, SUBSCRIPTIONS["mapChanges"], id=world.dungeon, after=after) as heard:
        names = {what: world.words[what] for what in BEHIND}
        token = edit(world.gm, world.dungeon, putToken={"name": names["hidden token"], "at": at, **layer})
        edit(world.gm, world.dungeon, moveToken={"id": token["thing"], "to": {"x": 9, "y": 11}})
        edit(world.gm, world.dungeon, putNote={"title": names["hidden map note"], "at": at, **layer})
        world.gm.do(MUTATIONS["undoMapEdit"], input={"mapId": world.dungeon})
        assert look_at(listener, world.dungeon)["revision"] == seen
        edit(world.gm, world.dungeon, putMarker={"label": f"for {who} {transport}", "at": at})
        told = heard.next()
    assert f"for {who} {transport}" in [marker["label"] for marker in told["play"]["markers"]]
    assert told["revision"] != seen
    assert [what for what in unseen_words(world) if what in json.dumps(told)] == []
    assert token["thing"] not in json.dumps(told)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_own_events_do_not_mix_with_those_of_others(world: World, transport: Transport) -> None:
    """Two tables busy at the same time: each hears its own."""
    own = world.other_gm
    document = SUBSCRIPTIONS["rollRecorded"]
    last = roll(own, "1d6", campaignId=world.other_campaign)["cursor"]
    with listening(own, transport, document, campaignId=world.other_campaign, after=last) as listener:
        for number in range(EVENTS):
            roll(world.player, "1d6", campaignId=world.campaign, label=f"{CANARY} {number}")
            roll(own, "1d6", campaignId=world.other_campaign, label=f"own {number}")
        heard = listener.take(EVENTS)
    assert [one["label"] for one in heard] == [f"own {number}" for number in range(EVENTS)]
    assert CANARY not in json.dumps(heard)


def test_no_key_and_no_secret_is_written_to_the_logs(world: World) -> None:
    environment = world.product.environment
    secrets = [environment[name] for name in ("HEARTHFORGE_KEY_PEPPER", "HEARTHFORGE_DICE_SECRET")]
    secrets += world.product.private_keys.values()
    secrets += secrets_of(world)[2:]
    secrets += unseen_words(world)
    assert isinstance(world.product, Product)
    logs = {path.name: path.read_text(errors="replace") for path in (world.product.data / "logs").iterdir()}
    assert {"gateway.log", "account.log", "campaign.log", "dice.log"} <= logs.keys()
    assert "request" in logs["gateway.log"]
    assert [(name, secret) for name, text in logs.items() for secret in secrets if secret in text] == []
