"""A canary in everything that somebody may not see is never seen by them: in no answer, event, error or header."""

import itertools
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from graphql import DocumentNode, OperationDefinitionNode, OperationType, SelectionSetNode, parse, print_ast

from tests.e2e.documents import MUTATIONS, PAGE, QUERIES, ROLL, SUBSCRIPTIONS
from tests.e2e.product import TRANSPORTS, Person, Product, Transport, listening
from tests.e2e.table import (
    BATCH_SEED,
    BEHIND,
    DIE,
    HIDDEN,
    KEPT,
    PAST,
    UNSEEN,
    World,
    build_world,
    create_hero,
    edit,
    found_campaign,
    join,
    look_at,
    move,
    note,
    roll,
    seat,
    secret_roll,
)
from tests.matrix.requests import EXPORTS, graph_requests, rest_requests

CANARY = "Canary7f3a9c"
EVENTS = 10
CROWD = 2
STRANGERS = ("outsider", "other_gm", "anonymous")


@pytest.fixture(scope="module")
def world(sqlite: Product) -> World:
    """Set a table where everything that is written holds the canary."""
    return build_world(sqlite, lambda what: f"{CANARY} {what}"[:40])


def secrets_of(world: World) -> list[str]:
    """Give what strangers may never be shown: what was written, the code, and the keys of the others."""
    keys = [person.key or "" for person in (world.gm, world.player, world.spectator)]
    return [CANARY, world.code, *(key.rpartition("_")[2] for key in keys)]


def unseen_words(world: World) -> list[str]:
    """Give all that is written or was made where only GMs see it, and no request names."""
    words = [world.words[what] for what in (*UNSEEN, *HIDDEN, *BEHIND)]
    return [*words, *world.whispers, *world.seeds]


def crowd(world: World, who: str) -> list[Person]:
    """Give some of the same standing, who ask in turn."""
    first: Person = getattr(world, who)
    if who == "anonymous":
        return [first, *(world.product.anonymous() for _ in range(CROWD - 1))]
    others = [world.product.sign_up(first.name) for _ in range(CROWD - 1)]
    for one in others:
        match who:
            case "other_gm":
                seat(one, found_campaign(one, "Another table"), create_hero(one, name="Orrin's own"))
            case "player" | "spectator":
                join(one, world.gm, world.campaign, who.upper())
    return [first, *others]


Probe = tuple[str, str, str | None]


def looking(probe: Probe) -> bool:
    """Tell whether a request changes nothing."""
    method, _, content = probe
    return method == "GET" or (content or "").startswith(
        ('{"query": "{', '{"query": "query', '{"query": "\\nquery')
    )


def together(*documents: str) -> str:
    """Write queries as one, that asks for every field of each: of a variable that several have, once.

    What is answered to each field is the same as if it were asked for alone.
    """
    asked = [one for document in documents for one in parse(document, no_location=True).definitions]
    queries = [one for one in asked if isinstance(one, OperationDefinitionNode)]
    variables = {
        one.variable.name.value: one for query in queries for one in query.variable_definitions or ()
    }
    fields = [field for query in queries for field in query.selection_set.selections]
    whole = OperationDefinitionNode(
        operation=OperationType.QUERY,
        variable_definitions=tuple(variables.values()),
        selection_set=SelectionSetNode(selections=tuple(fields)),
    )
    return print_ast(DocumentNode(definitions=(whole,)))


# What can be asked about by an id; a map is asked for alone, since a query holds no more fields.
BY_ID = [name for name, document in QUERIES.items() if "$id: ID!" in document]
ABOUT_ONE = (
    QUERIES["map"],
    together(*(QUERIES[name] for name in BY_ID if name != "map")),
    "query ($id: ID!) { campaign(id: $id) { members { account { keys { nodes { id } } } } } }",
    "query ($id: ID!) { campaign(id: $id) { nothing } }",
)
OF_A_PLACE = together(
    *(
        f"query ($one: ID!) {{ {name}: rolls({name}: $one, first: 5) {{ nodes {{ {ROLL} }} {PAGE} }} }}"
        for name in ("campaignId", "characterId", "accountId")
    ),
    *(QUERIES[name] for name in ("maps", "macros", "tableDice", "diceSettings", "rollStatistics")),
    QUERIES["contentPacks"],
)
CHAINS = together(*(QUERIES[name] for name in ("rollEpoch", "rollReceipts")))
BESIDE = """query ($packs: [ID!]) {
  content(system: "forge_engine", kind: "damage", first: 50, packs: $packs) {
    ... on ContentConnection { nodes { id name data } } ... on InvalidInput { issues { found message } }
  }
  contentEntry(id: "forge_engine:damage/temporal", packs: $packs) { id name data }
  contentKinds(system: "forge_engine", packs: $packs) { kinds { fields { values } } }
}"""
PATHS = (
    *("campaigns/%s", "campaigns/%s/log", "campaigns/%s/scenes", "scenes/%s", "scenes/%s/moves"),
    *("characters/%s", "characters/%s/sheet", "rolls/%s", "jobs/%s", "macros/%s"),
    *("campaigns/%s/receipts", "campaigns/%s/receipts?secret=true"),
    *("campaigns/%s/dice-statistics", "campaigns/%s/dice-statistics.svg", "maps/%s", "maps/%s/play"),
    *("maps/%s/map.json", "batches/%s", "batches/%s/maps.ndjson", "rolls?campaign=%s", "maps?campaign=%s"),
    *("macros?campaign=%s", "dice?campaign=%s", "dice/settings?campaign=%s", "rolls/receipts?epoch=%s"),
    f"odds?expression=d{DIE}&campaign=%s",
)
# What there is to ask of characters and of packs.
PATHS_OF_CHARACTERS = (
    *("characters/%s", "characters/%s/sheet", "characters/%s/card", "characters/%s/choices"),
    *("characters/%s/history", "characters/%s/rewards", "content-packs/%s", "content-packs?campaign=%s"),
    "systems/forge_engine/content/damage?first=50&pack=%s",
)


def asking(document: str, **variables: Any) -> Probe:
    """Give a request to the graph."""
    return "POST", "/graphql", json.dumps({"query": document, "variables": variables})


def probes(world: World) -> Iterator[Probe]:
    """Give requests of a stranger: method, path, content."""
    ids = [world.campaign, world.hero, world.roll, world.own_roll, world.map, world.job, world.invitation]
    ids += [world.epoch, world.secret_epoch, world.own_epoch, world.secret_roll]
    ids += [world.macro, world.own_macro, world.die, world.scene, world.scene_roll]
    ids += [world.dungeon, world.prepared, world.batch, world.story]
    ids += [
        world.gm.id,
        world.player.id,
        world.other_campaign,
        "cmp_00000000000000000000000000",
        "' OR 1=1 --",
    ]
    built = [world.smith, world.pack, world.own_pack]
    for request in graph_requests(world, world.gm).values():
        if request.kind != "subscription":
            yield asking(request.document, **request.variables)
    for one in (*ids, *built):
        for document in ABOUT_ONE:
            yield asking(document, id=one)
        yield asking(OF_A_PLACE, one=one, campaignId=one)
        for secret in (False, True):
            yield asking(together(CHAINS, QUERIES["rollEpochs"]), campaignId=one, secret=secret)
            yield asking(CHAINS, campaignId=world.campaign, secret=secret, id=one, epoch=one)
        yield asking(BESIDE, packs=[one])
    for one, path in itertools.chain(
        itertools.product(ids, PATHS),
        itertools.product((world.hero, world.campaign, *built), PATHS_OF_CHARACTERS),
    ):
        yield "GET", f"/v1/{path % one}", None
    for one in (world.dungeon, world.prepared, world.story):
        for file in (*EXPORTS.values(), "map.svg"):
            yield "GET", f"/v1/maps/{one}/{file}?view=gm", None
    for sound in rest_requests(world, world.gm).values():
        path = sound.path
        for name, value in sound.parameters.items():
            path = path.replace(f"{{{name}}}", value)
        if sound.name != "signUp":
            raw = sound.body.decode() if isinstance(sound.body, bytes) else json.dumps(sound.body)
            yield sound.method, path, None if sound.body is None else raw
    # A used idempotency key of somebody else opens nothing of theirs.
    again = {"campaignId": world.campaign, "text": "Give it to me", "idempotencyKey": "same again"}
    yield asking(MUTATIONS["writeNote"], input=again)
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


def answers_to(people: list[Person], sent: list[Probe]) -> list[tuple[int, str]]:
    """Send requests, the people in turn; give status and all that was said."""

    def ask(one: tuple[Person, Probe]) -> tuple[int, str]:
        person, (method, path, content) = one
        headers = {"content-type": "application/json"} if content else {}
        answer = person.send(method, path, content=content, headers=headers)
        return answer.status_code, f"{answer.headers}\n{answer.text}"

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, zip(itertools.cycle(people), sent)))
    # Nothing is answered to a query that is too large: such a one would prove nothing.
    # The description of the REST face is the one answer that may speak of it.
    told_of = {"/openapi.json"}
    too_large = [probe for probe, (_, text) in zip(sent, answers, strict=True) if "QUERY_TOO_" in text]
    assert [probe for probe in too_large if probe[1] not in told_of] == []
    usual = {200, 201, 202, 400, 401, 403, 404, 405, 409, 415, 422}
    told = zip(sent, answers, strict=True)
    assert [(probe, answer) for probe, answer in told if answer[0] not in usual] == []
    return answers


def fields_in(answers: Sequence[tuple[int, str]], sent: Sequence[Probe]) -> int:
    """Count what was asked for and answered: each field of the graph that was, and each other request."""
    graphs = [
        json.loads(text.partition("\n")[2]).get("data") or {"nothing": None}
        for (_, path, _), (_, text) in zip(sent, answers, strict=True)
        if path == "/graphql"
    ]
    return len(sent) - len(graphs) + sum(map(len, graphs))


def seen_in(
    answers: Sequence[tuple[int, str]], sent: Sequence[Probe], secrets: Sequence[str]
) -> list[tuple[Probe, str]]:
    """Give which requests were told which secrets."""
    return [
        (probe, secret)
        for probe, (_, text) in zip(sent, answers, strict=True)
        for secret in secrets
        if secret in text
    ]


@pytest.mark.parametrize("who", STRANGERS)
def test_no_answer_to_a_stranger_holds_the_canary(world: World, who: str) -> None:
    sent = list(probes(world))
    answers = answers_to(crowd(world, who), sent)
    assert fields_in(answers, sent) > (1_500 if who != "anonymous" else 700)
    assert seen_in(answers, sent, secrets_of(world)) == []


@pytest.mark.parametrize("who", ["player", "spectator"])
def test_no_answer_to_a_member_holds_what_only_gms_may_see(world: World, who: str) -> None:
    sent, people = [probe for probe in probes(world) if looking(probe)], crowd(world, who)
    answers = answers_to(people, sent)
    assert fields_in(answers, sent) > 1_500
    assert seen_in(answers, sent, unseen_words(world)) == []
    assert seen_in(answers, sent, [CANARY]), "they see the rest of the table"
    # Of a pack under which a character is built they see the name, and nothing of what became of the character;
    # the first of the players is the one whose both are.
    kept = [world.words[what] for what in (*KEPT, *PAST)]
    about = [probe for probe in sent if world.smith in str(probe) or world.own_pack in str(probe)]
    assert len(about) > 30
    assert seen_in(answers_to(people[1:], about), about, kept) == []
    assert (seen_in(answers_to(people[:1], about), about, kept) != []) is (who == "player")


def test_canary_is_seen_by_those_who_may(world: World) -> None:
    """Else the tests above would prove nothing."""
    for person in (world.gm, world.player, world.spectator):
        shown = person.graph(QUERIES["campaign"], {"id": world.campaign}).text
        for what in ("campaign", "description", "note", "hero", "label", "realm"):
            assert f"{CANARY} {what}" in shown, what
        at_table = {"campaignId": world.campaign}
        words = (
            person.graph(QUERIES["macros"], at_table).text + person.graph(QUERIES["tableDice"], at_table).text
        )
        for what in ("macro", "macro label", "macro word", "face"):
            assert world.words[what] in words, what
        packs = person.graph(QUERIES["contentPacks"], at_table).text
        for what in ("pack", "pack description", "pack summary", "pack damage"):
            assert world.words[what] in packs, what
        smith = person.graph(QUERIES["character"], {"id": world.smith}).text
        assert world.words["smith"] in smith and world.words["own pack"] in smith
        assert (world.words["past"] in smith) is (person is not world.spectator)
        own = person.graph(QUERIES["contentPack"], {"id": world.own_pack}).text
        assert {world.words[what] in own for what in KEPT} == {person is world.player}
    assert world.code in world.gm.graph(QUERIES["campaign"], {"id": world.campaign}).text
    secret = world.gm.graph(QUERIES["roll"], {"id": world.secret_roll}).text
    assert [what for what in UNSEEN if world.words[what] not in secret] == []
    scene = world.gm.graph(QUERIES["scene"], {"id": world.scene}).text
    assert [what for what in ("scene", *HIDDEN) if world.words[what] not in scene] == []
    whole = (world.dungeon, world.prepared, world.story)
    maps = [world.gm.graph(QUERIES["map"], {"id": one}).text for one in whole]
    maps.append(world.gm.graph(QUERIES["mapBatch"], {"id": world.batch}).text)
    # The seed that a batch's seeds are drawn from is told nobody.
    told = [*(world.words[what] for what in BEHIND), *world.whispers, *set(world.seeds) - {BATCH_SEED}]
    assert [what for what in told if what not in "".join(maps)] == []
    for person in (world.player, world.spectator):
        assert world.words["token"] in person.graph(QUERIES["map"], {"id": world.dungeon}).text


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
@pytest.mark.parametrize("who", ["player", "spectator"])
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
@pytest.mark.parametrize("who", ["player", "spectator"])
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


@pytest.mark.parametrize("who", ["player", "spectator"])
def test_no_file_of_an_open_map_tells_members_its_secrets(world: World, who: str) -> None:
    """What is open is the map, not what only its GM reads of it: traps, notes, doors that nobody has found."""
    member: Person = getattr(world, who)
    key = {"idempotencyKey": "opened for all to see"}
    kept = world.gm.do(
        MUTATIONS["keepMap"],
        input={
            "batchId": world.batch,
            "number": 1,
            "campaignId": world.campaign,
            "sharing": "OPEN",
            **key,
        },
    )
    opened = kept["map"]["id"]
    whole, shown = look_at(world.gm, opened)["grid"], look_at(member, opened)["grid"]
    secret = {door["id"] for door in whole["doors"] if door["kind"] == "SECRET"}
    assert secret and whole["traps"] and not secret & {door["id"] for door in shown["doors"]}
    assert (shown["traps"], shown["notes"], shown["goal"]) == ([], [], None)
    assert {room["name"] for room in shown["rooms"]} < {room["name"] for room in whole["rooms"]}
    whispers = [note for one in (*whole["rooms"], *shown["rooms"]) for note in one["notes"]]
    whispers += [one["note"] for one in (*whole["traps"], *whole["doors"]) if one["note"]]
    # The journal is made of what only the GM reads; the tiles are the same for every dungeon.
    journal, tiles = EXPORTS["exportMapFoundryJournal"], EXPORTS["exportMapTiledTerrain"]
    assert member.get(f"/v1/maps/{opened}/{journal}").status_code == 422
    telling = set(EXPORTS.values()) - {journal, tiles}
    files = {file: member.get(f"/v1/maps/{opened}/{file}?px=20") for file in telling}
    assert {answer.status_code for answer in files.values()} == {200}
    for file, answer in files.items():
        assert [what for what in (*whispers, *world.seeds) if what in answer.text] == [], file
        assert answer.content == world.gm.get(f"/v1/maps/{opened}/{file}?px=20&view=players").content, file
        assert answer.content != world.gm.get(f"/v1/maps/{opened}/{file}?px=20").content, file
    doors = len([door for door in shown["doors"] if door["kind"] != "ARCH"])
    assert len(files["map.lines.uvtt"].json()["portals"]) == doors
    assert {wall["door"] for wall in files["map.foundry-v13.json"].json()["walls"]} <= {0, 1}


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
