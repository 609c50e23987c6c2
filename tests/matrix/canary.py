"""What strangers and members ask for that is not theirs, and what of a canary their answers hold.

``probes`` has the requests, ``answers_to`` sends them, ``seen_in`` reads the answers. They are asked of the
services in ``test_canary``, and some of them through the public port in ``tests/platform/test_canary.py``.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from graphql import DocumentNode, OperationDefinitionNode, OperationType, SelectionSetNode, parse, print_ast

from tests.e2e.documents import MUTATIONS, PAGE, QUERIES, ROLL
from tests.e2e.product import Person
from tests.e2e.table import (
    BATCH_SEED,
    BEHIND,
    DIE,
    HIDDEN,
    KEPT,
    UNSEEN,
    World,
    create_hero,
    found_campaign,
    join,
    seat,
)
from tests.matrix.requests import EXPORTS, graph_requests, rest_requests

CANARY = "Canary7f3a9c"
CROWD = 2
STRANGERS = ("outsider", "other_gm", "anonymous")
MEMBERS = ("player", "spectator")


def marked(what: str) -> str:
    """Write the canary into a text of the table."""
    return f"{CANARY} {what}"[:40]


def secrets_of(world: World) -> list[str]:
    """Return what strangers may never be shown: what was written, the code, the keys of members."""
    keys = [person.key or "" for person in (world.gm, world.player, world.spectator)]
    return [CANARY, world.code, *(key.rpartition("_")[2] for key in keys)]


def unseen_words(world: World) -> list[str]:
    """Return what only GMs see, as far as no request names it."""
    words = [world.words[what] for what in (*UNSEEN, *HIDDEN, *BEHIND)]
    return [*words, *world.whispers, *world.seeds]


def crowd(world: World, who: str) -> list[Person]:
    """Return people of the same role, who ask in turn."""
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


# What can be asked about by an id, in a few requests: all of it is more than a query may hold, and so is
# anything beside a map.
BY_ID = [document for name, document in QUERIES.items() if "$id: ID!" in document and name != "map"]
ABOUT_ONE = (QUERIES["map"], together(*BY_ID[::2]), together(*BY_ID[1::2]))
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
    *("campaigns/%s/chronicle?system=duel", "campaigns/%s/chronicle.md?system=duel"),
    *(
        "simulations/%s",
        "simulations/%s/report.csv",
        "simulations/%s/report.svg",
        "simulations/%s/runs/0",
        "simulations?campaign=%s",
    ),
    *("characters/%s", "characters/%s/sheet", "rolls/%s", "jobs/%s", "macros/%s"),
    *("characters/%s/sheet/sections", "characters/%s/summary"),
    *("campaigns/%s/receipts", "campaigns/%s/receipts?secret=true"),
    *("campaigns/%s/dice-statistics", "campaigns/%s/dice-statistics.svg", "maps/%s", "maps/%s/play"),
    *("maps/%s/map.json", "batches/%s", "batches/%s/maps.ndjson", "rolls?campaign=%s", "maps?campaign=%s"),
    *("macros?campaign=%s", "dice?campaign=%s", "dice/settings?campaign=%s", "rolls/receipts?epoch=%s"),
    f"odds?expression=d{DIE}&campaign=%s",
)
# What there is to ask of characters and of packs.
PATHS_OF_CHARACTERS = (
    *("characters/%s", "characters/%s/sheet", "characters/%s/card", "characters/%s/choices"),
    *("characters/%s/sheet/sections", "characters/%s/summary"),
    *("characters/%s/history", "characters/%s/rewards", "content-packs/%s", "content-packs?campaign=%s"),
    "systems/forge_engine/content/damage?first=50&pack=%s",
)


def asking(document: str, **variables: Any) -> Probe:
    """Return a request to the graph."""
    return "POST", "/graphql", json.dumps({"query": document, "variables": variables})


# What the services by themselves cannot be asked: it goes through several of them, or to none.
OF_THE_GATEWAY = (
    "query ($id: ID!) { campaign(id: $id) { members { account { keys { nodes { id } } } } } }",
    "query ($id: ID!) { campaign(id: $id) { nothing } }",
)
OWN_PATHS = (
    *("/", "/docs", "/openapi.json", "/readyz", "/healthz", "/metrics", "/internal/principal"),
    "/v1/nothing",
)


def ids_of(world: World) -> list[str]:
    """Return the ids of things that others may not see, of their owners, and texts that are no ids."""
    ids = [world.campaign, world.hero, world.roll, world.own_roll, world.map, world.job, world.invitation]
    ids += [world.epoch, world.secret_epoch, world.own_epoch, world.secret_roll]
    ids += [world.macro, world.own_macro, world.die, world.scene, world.scene_roll, world.simulation]
    ids += [world.dungeon, world.prepared, world.batch, world.story]
    ids += [
        world.gm.id,
        world.player.id,
        world.other_campaign,
        "cmp_00000000000000000000000000",
        "' OR 1=1 --",
    ]
    return ids


def probes(world: World) -> Iterator[Probe]:
    """Yield requests of a stranger: method, path, content."""
    yield from probes_of_operations(world)
    yield from probes_of_ids(world)


def probes_of_operations(world: World) -> Iterator[Probe]:
    """Yield a request of each operation, as those send it who may."""
    for request in graph_requests(world, world.gm).values():
        if request.kind != "subscription":
            yield asking(request.document, **request.variables)
    for sound in rest_requests(world, world.gm).values():
        path = sound.path
        for name, value in sound.parameters.items():
            path = path.replace(f"{{{name}}}", value)
        if sound.name != "signUp":
            raw = (
                sound.body.decode(errors="replace")
                if isinstance(sound.body, bytes)
                else json.dumps(sound.body)
            )
            yield sound.method, path, None if sound.body is None else raw
    # A used idempotency key of somebody else opens nothing of theirs.
    again = {"campaignId": world.campaign, "text": "Give it to me", "idempotencyKey": "same again"}
    yield asking(MUTATIONS["writeNote"], input=again)


def probes_of_ids(world: World) -> Iterator[Probe]:
    """Yield all that can be asked about by an id, with the id of each thing."""
    ids, built = ids_of(world), [world.smith, world.pack, world.own_pack]
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


def probes_of_the_gateway(world: World) -> Iterator[Probe]:
    """Yield requests of a stranger that only the gateway can answer."""
    for one in (*ids_of(world), world.smith, world.pack, world.own_pack):
        for document in OF_THE_GATEWAY:
            yield asking(document, id=one)
    for path in OWN_PATHS:
        yield "GET", path, None


TIMES = 3
"""How often something is asked for of which a busy machine says that it is to be asked for again."""


def answers_to(people: list[Person], sent: list[Probe]) -> list[tuple[int, str]]:
    """Send requests, the people in turn; give status and all that was said."""

    def ask(one: tuple[Person, Probe]) -> tuple[int, str]:
        person, (method, path, content) = one
        headers = {"content-type": "application/json"} if content else {}
        for _ in range(TIMES):
            answer = person.send(method, path, content=content, headers=headers)
            if answer.status_code != 503 or "retry-after" not in answer.headers:
                break
        return answer.status_code, f"{answer.headers}\n{answer.text}"

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, zip(itertools.cycle(people), sent)))
    # Nothing is answered to a query that is too large: such a one would prove nothing.
    # The description of the REST face is the one answer that may speak of it.
    told_of = {"/openapi.json"}
    too_large = [probe for probe, (_, text) in zip(sent, answers, strict=True) if "QUERY_TOO_" in text]
    unread = [probe for probe in too_large if probe[1] not in told_of]
    assert unread == [], unread
    usual = {200, 201, 202, 400, 401, 403, 404, 405, 409, 415, 422}
    told = zip(sent, answers, strict=True)
    strange = [(probe, answer) for probe, answer in told if answer[0] not in usual]
    assert strange == [], strange
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
    """Return each request whose answer holds a secret, with that secret."""
    return [
        (probe, secret)
        for probe, (_, text) in zip(sent, answers, strict=True)
        for secret in secrets
        if secret in text
    ]


def assert_seen_by_those_who_may(world: World, table: Callable[[Person], str]) -> None:
    """Fail unless members are shown the canary: else it would prove nothing that strangers are not.

    Args:
        world: a table on which everything holds the canary.
        table: reads what there is of the campaign itself, its hero, its rolls and its maps.
    """
    for person in (world.gm, world.player, world.spectator):
        shown = table(person)
        for what in ("campaign", "description", "note", "hero", "label", "realm", "metadata"):
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
        own += person.graph(QUERIES["campaign"], {"id": world.campaign}).text
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
