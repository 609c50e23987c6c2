"""Whatever is sent, the answer is a typed problem or a 4xx with a stable code, and nothing is half-written.

Each input of each operation is spoiled in turn and sent to the services, on SQLite and on PostgreSQL: texts and
numbers that one of the two could not keep must be refused for both. Some of it goes through the public
port as well, in ``tests/platform/test_malformed_requests.py``. The suite spoils each input in one way, the next
input in the next way; the gate ``proofs`` spoils each in every way.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.at_length import AT_LENGTH, in_turn
from tests.databases import ON_BOTH
from tests.e2e.documents import GROUND, MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import ROOT, Person, listening
from tests.e2e.table import (
    BEHIND,
    DUNGEON_SEED,
    World,
    create_hero,
    edit,
    found_campaign,
    hero,
    holding,
    join,
    keep_pack,
    look_at,
    make_dungeon,
    make_map,
    make_story,
    move,
    note,
    roll,
    seat,
    seq_of,
    smith,
    start_scene,
)
from tests.matrix.in_process import InProcess
from tests.matrix.map_requests import (
    EDITS,
    OF_THINGS,
    STORY_GROWTH,
    edit_variables,
    ground_variables,
    story_variables,
    story_words,
)
from tests.matrix.requests import (
    CELLAR,
    GraphRequest,
    Path,
    RestRequest,
    branches,
    graph_requests,
    leaves,
    map_requests,
    rest_requests,
    spoiled,
    typed_requests,
)

# Every code that a client may be told for a mistake of its own; none of them stands for a fault of ours.
CODES = frozenset(
    [
        "UNAUTHENTICATED",
        "TOO_MANY_VALUES",
        "FORBIDDEN",
        "NOT_FOUND",
        "INVALID_INPUT",
        "VERSION_CONFLICT",
        "IDEMPOTENCY_CONFLICT",
        "ODDS_TOO_LARGE",
        "MOVE_REJECTED",
        "MAP_CHANGED",
        "BAD_CURSOR",
        "BAD_PAGE_SIZE",
        "BAD_IDEMPOTENCY_KEY",
        "BAD_USER_INPUT",
        "BAD_REQUEST",
        "MALFORMED_JSON",
        "OPERATION_RESOLUTION_FAILURE",
        "GRAPHQL_PARSE_FAILED",
        "GRAPHQL_VALIDATION_FAILED",
        "QUERY_TOO_LARGE",
        "QUERY_TOO_EXPENSIVE",
        "FRAGMENT_CYCLE",
        "BODY_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "METHOD_NOT_ALLOWED",
        "NOT_ACCEPTABLE",
    ]
)
JSON = {"content-type": "application/json"}
NUL, SURROGATE, LONG = "a\0b", "a\ud800b", "x" * 10_000
TEXTS: dict[str, Any] = {
    "NUL": NUL,
    "half a surrogate pair": SURROGATE,
    "10,000 characters": LONG,
    "an object": {"a": 1},
    "a truth value": True,
}
NUMBERS: dict[str, Any] = {
    "2^31": 2**31,
    "2^63": 2**63,
    "30 digits": 10**30,
    "a fraction": 1.5,
    "a text": "7",
    "a list": [1, 2],
}
# What has not even the form asked for is refused by that form, nearly always by the graph's own types and else by a
# service's or a game's: it is sent once, to the product on SQLite. So is what is only too long: both databases
# could look for it, and SQLite would even keep it. What one of the two could not keep is sent to both.
FORMLESS = frozenset(
    [
        *("an object", "a truth value", "a fraction", "a text", "a list", "a number", "unknown members"),
        "10,000 characters",
    ]
)
# Free text within a hero's choices, a move or a setup, which have a limit together (16 or 64 KiB) and none each.
# A revision that nobody was ever shown is an old one, however long.
ROOMY = {"look", "when", "text", "notes", "revision"}
# JSON of an app's own, whose members nobody else knows.
FREE = {"data"}


def is_roomy(path: Path) -> bool:
    """Tell whether 10,000 characters fit there."""
    return path[-1] in ROOMY or "setup" in path


MakeGm = Callable[[], Person]

pytestmark = ON_BOTH

# For what is refused before any database is asked.
ON_SQLITE = pytest.mark.backends("sqlite")


@pytest.fixture(scope="module")
def new_gm(house: InProcess, world: World) -> MakeGm:
    """Give a function that makes one more GM of the table, with a full bucket of points."""

    def make() -> Person:
        return join(house.sign_up("One of many"), world.gm, world.campaign, "GM")

    return make


FOOTPRINT = """
query ($campaign: ID!, $scene: ID!) {
  me { name version keys(first: 2) { nodes { id revokedAt } } }
  characters(first: 2) { nodes { id version } }
  contentPacks(first: 50) { nodes { id version } }
  campaigns(first: 2) { nodes { id version name description } }
  mine: rolls(first: 2) { nodes { id } }
  macros(first: 50) { nodes { id version } }
  tableDice { id version }
  diceSettings { version }
  ownChain: rollEpoch { id used }
  openChain: rollEpoch(campaignId: $campaign) { id used }
  secretChain: rollEpoch(campaignId: $campaign, secret: true) { id used }
  tableMacros: macros(campaignId: $campaign, first: 2) { nodes { id version } }
  ourDice: tableDice(campaignId: $campaign) { id version }
  ourSettings: diceSettings(campaignId: $campaign) { version }
  ourPacks: contentPacks(campaignId: $campaign, first: 5) { nodes { id version } }
  maps(first: 2) { nodes { id } }
  scene(id: $scene) { seq cursor }
  campaign(id: $campaign) {
    version myRole
    members { role account { id } characters { id version } }
    invitations { id usesLeft }
    rolls(first: 1) { nodes { id } }
    maps(first: 5) { nodes { id revision edits(first: 1) { nodes { number } } } }
    scenes(first: 1) { nodes { id } }
    log(first: 1, newestFirst: true) { nodes { seq } }
  }
}
"""


def footprint(world: World, person: Person) -> Any:
    """Read the newest and the counts of all that a request could have written."""
    return person.ask(FOOTPRINT, campaign=world.campaign, scene=world.scene)


# The graph


def judge(request: GraphRequest, response: httpx.Response) -> str | None:
    """Say what is wrong with the answer to a spoiled request; None when all is well."""
    if response.status_code >= 500:
        return f"status {response.status_code}: {response.text[:300]}"
    return judge_answer(request, response.json())


def judge_answer(request: GraphRequest, answer: dict[str, Any]) -> str | None:
    """Judge the content alone."""
    codes = {error.get("extensions", {}).get("code") for error in answer.get("errors", ())}
    if strange := codes - CODES:
        return f"codes {strange}: {answer['errors'][:1]}"
    (outcome,) = (answer.get("data") or {"": None}).values()
    match outcome:
        case None if codes or request.kind != "mutation":
            return None
        case {"code": str(code)} if code in CODES:
            return None
        case {"nodes": []} | {"dice": {"kinds": []}} | [] | {"journey": None}:
            return None
        # A draft is looked at whatever is wrong with it, and tells what is.
        case {"builds": False, "issues": [_, *_]}:
            return None
        case {"reload": {"code": str(code)}} if code in CODES:
            return None
    return f"it was accepted: {answer}"[:400]


def ask(person: Person, request: GraphRequest, variables: Any) -> str | None:
    """Send a spoiled request by the transport that it needs, and judge the answer."""
    if request.kind != "subscription":
        return judge(request, person.graph(request.document, variables))
    try:
        json.dumps(variables, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return None  # this client cannot say it; the raw requests below do
    person.product.fill_buckets()
    with listening(person, "sse", request.document, **variables) as listener:
        return judge_answer(request, listener.answer() or {"errors": [{"extensions": {"code": "it ended"}}]})


def variables_of(request: GraphRequest) -> Iterator[tuple[str, str, Any]]:
    """Give all the ways to spoil one input: its name, what is put there, the variables."""
    for path, value in leaves(request.variables):
        poisons = NUMBERS if isinstance(value, int | float) and not isinstance(value, bool) else TEXTS
        for name, poison in poisons.items():
            fits = isinstance(value, bool) and isinstance(poison, bool)
            fits |= isinstance(value, float) and isinstance(poison, float)
            if not fits and not (poison is LONG and is_roomy(path)):
                yield ".".join(map(str, path)), name, spoiled(request.variables, path, poison)
    for path, value in branches(request.variables):
        for name, poison in {"a text": "x", "a number": 5, "unknown members": {"unknown": 1}}.items():
            if path[-1] in FREE and isinstance(poison, dict):
                continue
            # A single value stands for a list of one.
            if (
                not isinstance(value, list)
                or name != "a text"
                or path[-1] in ("buys", "rewards", "names", "dice")
            ):
                yield ".".join(map(str, path)), name, spoiled(request.variables, path, poison)


Spoil = tuple[str, str, Any]


def some_variables(request: GraphRequest, place: int, kinds: Iterable[str] | None = None) -> Iterator[Spoil]:
    """Return for each input the kind of spoiling whose turn it is, or all of them at length.

    Args:
        request: a sound one.
        place: of the request among others, which begin with other kinds.
        kinds: those that may be put there; all of them without it.
    """
    ways = [way for way in variables_of(request) if kinds is None or way[1] in kinds]
    for turn, (_, of_one) in enumerate(groupby(ways, key=lambda way: way[0]), start=place):
        yield from in_turn(list(of_one), turn)


# Those of the queries that ask for nothing have nothing to spoil.
WITHOUT_INPUT = {"me", "systems", "diceKeys", "mapKinds"}
GRAPH_NAMES = [
    *(f"query {name}" for name in QUERIES if name not in WITHOUT_INPUT),
    *(f"mutation {name}" for name in MUTATIONS),
    "mutation roll of a macro",
    "mutation generateMap of dropped dice",
    "mutation startScene of a setup by name",
    *(f"subscription {name}" for name in SUBSCRIPTIONS),
]


A_GROUP = 16 if AT_LENGTH else 48


def in_groups(all_names: list[str]) -> list[list[str]]:
    """Part names into groups: what a group needs, and its footprints, take longer than many spoiled requests."""
    return [all_names[start : start + A_GROUP] for start in range(0, len(all_names), A_GROUP)]


@pytest.mark.parametrize("group", in_groups(GRAPH_NAMES), ids=lambda group: f"{group[0]} to {group[-1]}")
def test_each_spoiled_input_of_the_graph_is_refused(world: World, new_gm: MakeGm, group: list[str]) -> None:
    person = new_gm()
    requests = graph_requests(world, person)
    before = footprint(world, person)
    faults = []
    kinds = {*TEXTS, *NUMBERS} - FORMLESS if world.product.postgres else None
    for name in group:
        for path, poison, variables in some_variables(requests[name], GRAPH_NAMES.index(name), kinds):
            if fault := ask(person, requests[name], variables):
                faults.append(f"{name}, {path} = {poison}: {fault}")
    assert faults == []
    assert footprint(world, person) == before


# What the graph itself cannot tell to be wrong.
SUBTLE = {"NUL", "half a surrogate pair", "2^31"}


@ON_SQLITE
def test_each_spoiled_input_of_what_the_games_declare_is_refused(world: World, new_gm: MakeGm) -> None:
    """On SQLite, which would keep whatever got through; the same kinds of inputs are sent to both above."""
    person = new_gm()
    spoils = [
        (request, path, poison, variables)
        for place, request in enumerate(typed_requests(world, person).values())
        for path, poison, variables in some_variables(request, place, SUBTLE)
        if not path.startswith(("input.sceneId", "input.campaignId", "input.system"))
    ]
    before = footprint(world, person)
    faults = [
        f"{request.name}, {path} = {poison}: {fault}"
        for request, path, poison, variables in spoils
        if (fault := ask(person, request, variables))
    ]
    assert faults == []
    assert footprint(world, person) == before


SUBTLE_ON_MAPS = {*SUBTLE, "10,000 characters", "30 digits"}


def test_each_spoiled_input_of_each_kind_of_map_and_each_edit_is_refused(
    world: World, new_gm: MakeGm
) -> None:
    person, kinds = new_gm(), SUBTLE if world.product.postgres else SUBTLE_ON_MAPS
    spoils = [
        (request, path, poison, variables)
        for place, request in enumerate(map_requests(world, person).values())
        for path, poison, variables in some_variables(request, place, kinds)
        if path not in ("id", "input.mapId", "input.campaignId")
    ]
    before = footprint(world, person)
    faults = [
        f"{request.name}, {path} = {poison}: {fault}"
        for request, path, poison, variables in spoils
        if (fault := ask(person, request, variables))
    ]
    assert faults == []
    assert footprint(world, person) == before


# Page sizes and cursors

PAGED = {
    "rolls": "query ($first: Int!, $after: String) { rolls(first: $first, after: $after) { nodes { id } } }",
    "characters": "query ($first: Int!, $after: String) { characters(first: $first, after: $after) { nodes { id } } }",
    "party": """query ($first: Int!, $after: String, $id: ID!) {
      party(campaignId: $id, first: $first, after: $after) { nodes { id } } }""",
    "campaigns": "query ($first: Int!, $after: String) { campaigns(first: $first, after: $after) { nodes { id } } }",
    "maps": "query ($first: Int!, $after: String) { maps(first: $first, after: $after) { nodes { id } } }",
    "keys": "query ($first: Int!, $after: String) { me { keys(first: $first, after: $after) { nodes { id } } } }",
    "log": """query ($first: Int!, $after: String, $id: ID!) {
      campaign(id: $id) { log(first: $first, after: $after) { nodes { seq } } }
    }""",
    "epochs": """query ($first: Int!, $after: String) {
      rollEpochs(first: $first, after: $after) { nodes { id } }
    }""",
    "receipts": """query ($first: Int!, $after: String, $id: ID!) {
      rollReceipts(campaignId: $id, first: $first, after: $after) { nodes { number } }
    }""",
    "macros": "query ($first: Int!, $after: String) { macros(first: $first, after: $after) { nodes { id } } }",
    "scenes": """query ($first: Int!, $after: String, $id: ID!) {
      campaign(id: $id) { scenes(first: $first, after: $after) { nodes { id } } }
    }""",
    "moves": """query ($first: Int!, $after: String, $scene: ID!) {
      scene(id: $scene) { moves(first: $first, after: $after) { nodes { cursor } } }
    }""",
    "batch": """query ($first: Int!, $after: String, $batch: ID!) {
      mapBatch(id: $batch) { maps(first: $first, after: $after) { nodes { number } } }
    }""",
    "edits": """query ($first: Int!, $after: String, $dungeon: ID!) {
      map(id: $dungeon) { edits(first: $first, after: $after) { nodes { number } } }
    }""",
    "packs": """query ($first: Int!, $after: String, $id: ID!) {
      contentPacks(campaignId: $id, first: $first, after: $after) { nodes { id } }
    }""",
    "content": """query ($first: Int!, $after: String) {
      content(system: "forge_engine", first: $first, after: $after) {
        ... on ContentConnection { nodes { id } }
      }
    }""",
    "history": """query ($first: Int!, $after: String, $smith: ID!) {
      character(id: $smith) { history(first: $first, after: $after) { nodes { number: version } } }
    }""",
}


NUMBERED = ("log", "epochs", "receipts")
# Lists in which number 0 is a place like any other: what comes behind it.
FROM_NOUGHT = {"batch": [1, 2], "edits": [], "history": []}


def paged(person: Person, world: World, listed: str, first: int, after: str | None) -> httpx.Response:
    """Ask for a page."""
    named = {"id": world.campaign, "scene": world.scene, "batch": world.batch, "dungeon": world.dungeon}
    named["smith"] = world.smith
    more = {name: value for name, value in named.items() if f"${name}:" in PAGED[listed]}
    return person.graph(PAGED[listed], {"first": first, "after": after, **more})


@ON_SQLITE
@pytest.mark.parametrize("listed", PAGED)
def test_page_sizes_outside_1_to_100_are_refused(world: World, listed: str) -> None:
    for first in (-(2**31), -1, 0, 101, 2**31 - 1):
        answer = paged(world.gm, world, listed, first, None)
        assert answer.status_code < 500, first
        (error,) = answer.json()["errors"]
        assert error["extensions"]["code"] in {"BAD_PAGE_SIZE", "QUERY_TOO_EXPENSIVE"}, first
        assert error["extensions"]["code"] == "BAD_PAGE_SIZE" or first > 101, first


NOUGHT, BEYOND = "IzA=", "IzEyMzQ1Njc4OTAxMjM0NTY3ODkw"
NO_CURSORS = ("", "x", "*" * 40, NOUGHT, "I" * 3000, BEYOND, NUL, "äöü", "cm9sXw")


@pytest.mark.parametrize("listed", PAGED)
def test_cursors_that_are_none_are_refused(world: World, listed: str) -> None:
    """Those that name a number go to both databases, which know different ones."""
    for after in (NOUGHT, BEYOND) if world.product.postgres else NO_CURSORS:
        answer = paged(world.gm, world, listed, 5, after)
        if listed in NUMBERED and after == NOUGHT:  # number 0 is where every log begins
            assert "errors" not in answer.json()
            assert answer.json()["data"] == paged(world.gm, world, listed, 5, None).json()["data"]
        elif listed in FROM_NOUGHT and after == NOUGHT:
            ((found,),) = (list(one.values()) for one in answer.json()["data"].values())
            assert [one["number"] for one in found["nodes"]] == FROM_NOUGHT[listed]
        else:
            assert answer.status_code < 500, after
            (error,) = answer.json()["errors"]
            # NUL is no text at all, before anybody asks whether it is a cursor.
            assert error["extensions"]["code"] == ("BAD_USER_INPUT" if after is NUL else "BAD_CURSOR"), after


def test_log_cursor_beyond_every_number_ends_the_list(world: World) -> None:
    import base64

    for number in (2**31 - 1, 2**31, 10**14):
        after = base64.urlsafe_b64encode(f"#{number}".encode()).decode().rstrip("=")
        answer = paged(world.gm, world, "log", 5, after)
        codes = {error["extensions"]["code"] for error in answer.json().get("errors", ())}
        assert codes <= {"BAD_CURSOR"}, answer.text
        assert codes or answer.json()["data"]["campaign"]["log"]["nodes"] == []


def test_cursor_of_another_list_is_refused_and_of_anothers_rows_shows_nothing_of_theirs(world: World) -> None:
    cursors = {
        "rolls": world.gm.ask(QUERIES["rolls"], campaignId=world.campaign)["rolls"]["pageInfo"][
            "startCursor"
        ],
        "characters": world.player.ask(QUERIES["characters"])["characters"]["edges"][0]["cursor"],
        "campaigns": world.gm.ask(QUERIES["campaigns"])["campaigns"]["edges"][0]["cursor"],
        "maps": world.gm.ask(QUERIES["maps"], campaignId=world.campaign)["maps"]["edges"][0]["cursor"],
    }
    stranger = world.outsider
    for listed in cursors:
        for kind, cursor in cursors.items():
            answer = paged(stranger, world, listed, 5, cursor).json()
            if kind == listed:
                assert answer["data"] == {listed: {"nodes": []}}
            else:
                assert [error["extensions"]["code"] for error in answer["errors"]] == ["BAD_CURSOR"]


# Ids of another campaign


def test_ids_of_another_campaign_are_not_found(world: World, new_gm: MakeGm) -> None:
    """A GM of one campaign names things of another, where they have no place."""
    person = new_gm()
    own = found_campaign(person, "Own")
    mine = create_hero(person, name="Mine")
    seat(person, own, mine)
    pack = keep_pack(person)["id"]
    before = footprint(world, person), footprint(world, world.other_gm)
    there = world.other_campaign
    attempts: dict[str, tuple[str, dict[str, Any]]] = {
        "roll at their table": (MUTATIONS["roll"], {"input": {"expression": "1d6", "campaignId": there}}),
        "roll for their hero": (
            MUTATIONS["roll"],
            {"input": {"expression": "1d6", "characterId": world.other_hero}},
        ),
        "seat my hero there": (
            MUTATIONS["seatCharacter"],
            {"input": {"campaignId": there, "characterId": mine}},
        ),
        "seat their hero here": (
            MUTATIONS["seatCharacter"],
            {"input": {"campaignId": own, "characterId": world.other_hero}},
        ),
        "unseat their hero": (
            MUTATIONS["unseatCharacter"],
            {"input": {"campaignId": there, "characterId": world.other_hero}},
        ),
        "unseat their hero here": (
            MUTATIONS["unseatCharacter"],
            {"input": {"campaignId": own, "characterId": world.other_hero}},
        ),
        "withdraw a foreign invitation here": (
            MUTATIONS["withdrawInvitation"],
            {"input": {"campaignId": own, "invitationId": world.invitation}},
        ),
        "promote a stranger": (
            MUTATIONS["changeRole"],
            {"input": {"campaignId": own, "accountId": world.other_gm.id, "role": "GM"}},
        ),
        "send a stranger away": (
            MUTATIONS["removeMember"],
            {"input": {"campaignId": own, "accountId": world.other_gm.id}},
        ),
        "note there": (MUTATIONS["writeNote"], {"input": {"campaignId": there, "text": "I was here"}}),
        "metadata there": (
            MUTATIONS["setCampaignMetadata"],
            {"input": {"id": there, "namespace": "com.example.tracker", "data": {}}},
        ),
        "secret roll there": (
            MUTATIONS["roll"],
            {"input": {"expression": "1d6", "campaignId": there, "secret": True}},
        ),
        "saved roll there": (
            MUTATIONS["createMacro"],
            {"input": {"name": "Mine", "expression": "d6", "campaignId": there}},
        ),
        "die there": (
            MUTATIONS["defineDie"],
            {"input": {"name": "coin", "faces": [{"label": "Heads", "value": 1}], "campaignId": there}},
        ),
        "dialect there": (
            MUTATIONS["setDiceDialect"],
            {"input": {"campaignId": there, "dialect": "D20", "version": 1}},
        ),
        "new epoch there": (MUTATIONS["rotateRollEpoch"], {"input": {"campaignId": there}}),
        "roll a saved roll of the player": (MUTATIONS["roll"], {"input": {"macroId": world.own_macro}}),
        "map there": (
            MUTATIONS["generateMap"],
            {"input": {"map": {"forgebornRealm": {"seed": "1"}}, "campaignId": there}},
        ),
        "maps there": (
            MUTATIONS["generateMaps"],
            {"input": {"map": {"dungeon": {}}, "count": 1, "campaignId": there}},
        ),
        "edit their hero": (
            MUTATIONS["updateCharacter"],
            {"input": {"id": world.other_hero, "version": 1, "build": hero()}},
        ),
        "edit theirs": (
            MUTATIONS["updateCampaign"],
            {"input": {"id": there, "version": 1, "name": "Mine now"}},
        ),
        "invite there": (MUTATIONS["createInvitation"], {"input": {"campaignId": there}}),
        "scene there": (
            MUTATIONS["startScene"],
            {"input": {"campaignId": there, "system": "dungeonteller", "setup": {"named": "crypt"}}},
        ),
        "pack there": (
            MUTATIONS["createContentPack"],
            {"input": {"name": "Mine", "pack": holding(), "campaignId": there}},
        ),
        "move my pack there": (
            MUTATIONS["updateContentPack"],
            {"input": {"id": pack, "version": 1, "campaignId": there}},
        ),
        "edit the player's pack": (
            MUTATIONS["updateContentPack"],
            {"input": {"id": world.own_pack, "version": 1, "name": "Mine now"}},
        ),
        "delete the player's pack": (
            MUTATIONS["deleteContentPack"],
            {"input": {"id": world.own_pack, "version": 1}},
        ),
        "undo an edit of their hero": (
            MUTATIONS["undoCharacterEdit"],
            {"input": {"characterId": world.other_hero, "version": 1}},
        ),
        "revoke their key": (MUTATIONS["revokeApiKey"], {"input": {"id": world.other_gm.key_id}}),
    }
    outcomes = {
        name: next(iter(person.ask(query, **given).values()))["code"]
        for name, (query, given) in attempts.items()
    }
    assert outcomes == dict.fromkeys(attempts, "NOT_FOUND")
    # A hero that plays here is none of another table's, even for who sits at both.
    elsewhere = {"expression": "1d6", "characterId": mine, "campaignId": world.campaign}
    assert person.ask(MUTATIONS["roll"], input=elsewhere)["roll"]["code"] == "INVALID_INPUT"
    twice = {"campaignId": world.campaign, "characterId": mine}
    again = person.ask(MUTATIONS["seatCharacter"], input=twice)["seatCharacter"]
    assert again["issues"][0]["code"] == "SEATED_ELSEWHERE"
    assert (footprint(world, person), footprint(world, world.other_gm)) == before


# Dice


def refused(person: Person, name: str, /, **asked: Any) -> set[str]:
    """Ask for dice that cannot be; give the codes of the issues."""
    outcome = person.ask(MUTATIONS[name], input=asked)[name]
    assert outcome["code"] == "INVALID_INPUT", outcome
    assert all(issue["message"] for issue in outcome["issues"])
    return {issue["code"] for issue in outcome["issues"]}


ROLLS: dict[str, tuple[dict[str, Any], str]] = {
    "no entropy at all": ({"entropy": ""}, "ENTROPY"),
    "15 bytes of entropy": ({"entropy": "ab" * 15}, "ENTROPY"),
    "65 bytes of entropy": ({"entropy": "ab" * 65}, "ENTROPY"),
    "half a byte of entropy": ({"entropy": "ab" * 16 + "a"}, "ENTROPY"),
    "entropy in words": ({"entropy": "as good as random, it is not"}, "ENTROPY"),
    "another epoch": ({"epoch": "00" * 16}, "EPOCH_MOVED"),
    "no epoch": ({"epoch": ""}, "EPOCH_MOVED"),
    "51 variables": ({"variables": [{"name": f"v{n}", "value": 1} for n in range(51)]}, "COUNT"),
    "a large variable": ({"variables": [{"name": "a", "value": 1_000_001}]}, "OUT_OF_RANGE"),
    "an unknown variable": ({"expression": "@nobody d6"}, "UNKNOWN_VARIABLE"),
    "a variable number of dice": (
        {"expression": "@a d6", "variables": [{"name": "a", "value": 1_000_000}]},
        "NOTATION_LIMIT",
    ),
    "expression and saved roll": ({"macroId": "mac_00000000000000000000000000"}, "ONE_OF"),
    "neither": ({"expression": None}, "ONE_OF"),
    "no label": ({"label": ""}, "LENGTH"),
    "121 characters of label": ({"label": "x" * 121}, "LENGTH"),
    "nobody elsewhere": ({"external": {"author": "", "messageId": "1"}}, "LENGTH"),
    "121 characters of a message's id": ({"external": {"author": "Sela", "messageId": "x" * 121}}, "LENGTH"),
    "secret from oneself": ({"secret": True}, "NO_TABLE"),
}


@pytest.mark.parametrize(("asked", "code"), ROLLS.values(), ids=ROLLS)
def test_roll_that_cannot_be_is_refused_alone_and_in_a_batch(
    world: World, asked: dict[str, Any], code: str
) -> None:
    person = world.outsider
    before = footprint_of_dice(person)
    given = {"expression": "1d6", **asked}
    assert refused(person, "roll", **given) == {code}
    assert refused(person, "rollMany", rolls=[{"expression": "1d6"}, given]) == {code}
    assert footprint_of_dice(person) == before


def footprint_of_dice(person: Person) -> Any:
    """Read the newest of somebody's own rolls, receipts and words."""
    return person.ask(
        "{ rolls(first: 1) { nodes { id } } rollEpoch { id used } macros(first: 2) { nodes { id version } } "
        "tableDice { id version } }"
    )


@pytest.mark.parametrize("count", [0, 101])
def test_batch_of_none_or_of_more_than_100_is_refused(world: World, count: int) -> None:
    before = footprint_of_dice(world.outsider)
    rolls = [{"expression": "1d6"}] * count
    assert refused(world.outsider, "rollMany", rolls=rolls) == {"COUNT"}
    rest = world.outsider.post("/v1/rolls/batch", {"rolls": rolls})
    assert (rest.status_code, rest.json()["code"]) == (422, "INVALID_INPUT")
    assert footprint_of_dice(world.outsider) == before


COIN = [{"label": "Heads", "value": 1}, {"label": "Tails", "value": 0}]
DICE: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": ""}, "NAME"),
    "a short name": ({"name": "ab"}, "NAME"),
    "a long name": ({"name": "x" * 41}, "NAME"),
    "capitals": ({"name": "Coin"}, "NAME"),
    "digits": ({"name": "coin6"}, "NAME"),
    "letters that only look so": ({"name": "c\u043ein"}, "NAME"),
    "a word of the notation": ({"name": "lucky"}, "NAME_RESERVED"),
    "a game's own die": ({"name": "resource"}, "NAME_RESERVED"),
    "no face": ({"faces": []}, "COUNT"),
    "1,001 faces": ({"faces": COIN[:1] * 1001}, "COUNT"),
    "a face without a label": ({"faces": [{"label": "", "value": 1}]}, "LABEL"),
    "a label of 21 characters": ({"faces": [{"label": "x" * 21, "value": 1}]}, "LABEL"),
    "a line break in a label": ({"faces": [{"label": "a\nb", "value": 1}]}, "LABEL"),
    "a turn of the writing in a label": ({"faces": [{"label": "a\u202eb", "value": 1}]}, "LABEL"),
    "a value beyond a million": ({"faces": [{"label": "x", "value": 1_000_001}]}, "OUT_OF_RANGE"),
}


@pytest.mark.parametrize(("asked", "code"), DICE.values(), ids=DICE)
def test_die_that_cannot_be_is_refused(world: World, asked: dict[str, Any], code: str) -> None:
    before = footprint_of_dice(world.outsider)
    assert refused(world.outsider, "defineDie", **{"name": "coin", "faces": COIN, **asked}) == {code}
    assert footprint_of_dice(world.outsider) == before


MACROS: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": ""}, "LENGTH"),
    "81 characters of name": ({"name": "x" * 81}, "LENGTH"),
    "no expression": ({"expression": ""}, "NOTATION"),
    "no dice notation": ({"expression": "roll for me"}, "NOTATION"),
    "too much": ({"expression": "2000d6"}, "NOTATION_LIMIT"),
    "a variable twice": (
        {"variables": [{"name": "a", "value": 1}, {"name": "@a", "value": 2}]},
        "TWICE",
    ),
    "a large variable": ({"variables": [{"name": "a", "value": -1_000_001}]}, "OUT_OF_RANGE"),
}


@pytest.mark.parametrize(("asked", "code"), MACROS.values(), ids=MACROS)
def test_saved_roll_that_cannot_be_is_refused(world: World, asked: dict[str, Any], code: str) -> None:
    before = footprint_of_dice(world.outsider)
    given = {"name": "Blow", "expression": "@a d6", **asked}
    assert refused(world.outsider, "createMacro", **given) == {code}
    assert footprint_of_dice(world.outsider) == before


@pytest.fixture(scope="module")
def somebody(house: InProcess) -> Person:
    """Sign somebody up who has nothing to do with the table."""
    return house.sign_up("Malice")


# The REST face

REST_NAMES = [
    operation["operationId"]
    for methods in json.loads((ROOT / "schema" / "openapi.json").read_text())["paths"].values()
    for operation in methods.values()
]


# What has no form at all is refused at the door, before anybody knows which operation was meant: in all its forms
# it is sent to one operation of each method, and in one form to every operation, which shows that the door is
# before that one too.
AT_THE_DOOR = ("writeNote", "updateCharacter", "updateMacro")


def spoil_rest(request: RestRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give all the ways to spoil a request: what is spoiled, and how to send it."""

    def sent(**changes: Any) -> dict[str, Any]:
        given = {
            "parameters": request.parameters,
            "query": request.query,
            "body": request.body,
            "headers": request.headers,
            **changes,
        }
        path = request.path
        for name, value in given["parameters"].items():
            path = path.replace(f"{{{name}}}", quote(value, safe="%"))
        options: dict[str, Any] = {"headers": dict(given["headers"])}
        if given["body"] is not None:
            raw = given["body"] if isinstance(given["body"], bytes) else json.dumps(given["body"]).encode()
            options |= {"content": raw}
            options["headers"].setdefault("content-type", "application/json")
        shown = "&".join(
            f"{name}={quote(str(value), safe='%')}"
            for name, value in given["query"].items()
            if value is not None
        )
        return {"path": f"{path}?{shown}" if shown else path, **options}

    for name in request.parameters:
        for poison in ("%00", "a%00b", "%ED%A0%80", "x" * 10_000, "%2e%2e%2f", "{}", "%ff", "' OR 1=1 --"):
            if poison.startswith("'"):
                poison = quote(poison)
            yield f"{name} = {poison[:20]}", sent(parameters={**request.parameters, name: poison})
    for name, value in request.query.items():
        if name in WORDS:
            continue
        poisons = [
            "%00",
            "%ED%A0%80",
            "x" * 10_000,
            "-1",
            "99999999999999999999",
            "1.5",
            "NaN",
            "Infinity",
            "",
        ]
        if isinstance(value, int):
            poisons += ["101", "0"] if name == "first" else []
        for poison in poisons:
            yield f"?{name}={poison[:20]}", sent(query={**request.query, name: poison})
    for name in request.headers:
        for poison in ("x" * 10_000, ""):
            yield f"{name}: {poison[:20]}", sent(headers={name: poison})
    if request.body is None or isinstance(request.body, bytes):
        return  # files are spoiled by a test of their own
    for path, value in leaves(request.body):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        for name, poison in (NUMBERS if number else TEXTS).items():
            fits = (isinstance(value, bool) and isinstance(poison, bool)) or (
                isinstance(value, float) and isinstance(poison, float)
            )
            if not fits and not (poison is LONG and is_roomy(path)):
                yield f"{'.'.join(map(str, path))} = {name}", sent(body=spoiled(request.body, path, poison))
    whole = json.dumps(request.body).encode()
    first = next(iter(request.body))
    raws = {
        "nothing": b"",
        "half": whole[:-1],
        "a list": b"[]",
        "a text": b'"x"',
        "null": b"null",
        "unknown members": whole[:-1] + b', "unknown": 1}',
        "a NUL in a name": whole[:-1] + b', "a\\u0000b": 1}',
    }
    if request.name in AT_THE_DOOR:
        raws |= {
            "no UTF-8": b'{"%s": "\xff"}' % first.encode(),
            "NaN": b'{"%s": NaN}' % first.encode(),
            "5,000 digits": b'{"%s": %s}' % (first.encode(), b"9" * 5000),
            "deep": b'{"%s": %s%s}' % (first.encode(), b"[" * 100_000, b"]" * 100_000),
            "257 KiB": b'{"%s": "%s"}' % (first.encode(), b"x" * 257 * 1024),
        }
    for name, raw in raws.items():
        yield f"body: {name}", sent(body=raw)
    for media_type in MEDIA_TYPES if request.name in AT_THE_DOOR else MEDIA_TYPES[1:2]:
        yield media_type, sent(headers={"content-type": media_type})


def some_of_rest(request: RestRequest, *, formless: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return for each input the kind of spoiling whose turn it is; all of them at length, and of bodies at the door.

    Args:
        request: a sound one.
        formless: whether those are among them that are refused by their form alone.
    """
    ways = [way for way in spoil_rest(request) if formless or not is_formless(way[0])]
    place = REST_NAMES.index(request.name)
    for turn, (part, of_one) in enumerate(groupby(ways, key=lambda way: part_of(way[0])), start=place):
        whole = part == "body" and request.name in AT_THE_DOOR
        yield from of_one if whole else in_turn(list(of_one), turn)


def part_of(spoil: str) -> str:
    """Tell which part of a request is spoiled."""
    return spoil.partition("=")[0] if spoil.startswith("?") else re.split(" = |: ", spoil)[0]


MEDIA_TYPES = (
    *("", "text/plain", "image/png", "application/x-www-form-urlencoded"),
    "multipart/form-data; boundary=x",
)


def is_formless(spoil: str) -> bool:
    """Tell whether a request is refused by its form alone."""
    return spoil.startswith("body: ") or spoil in MEDIA_TYPES or spoil.rpartition(" = ")[2] in FORMLESS


# Free text: hardly any words are not good enough for a title.
WORDS = ("title",)

# A page parameter left empty, or a filter that matches nothing, is a question with a plain answer.
LENIENT = (
    *("?after=", "?campaign=", "?character=", "?account=", "?scene=", "?system=", "?actor=", "?search="),
    *("?order=", "?externalMessage=", "?namespace="),
)

# A number is dice notation as well.
NUMBERS_TOO = {f"?expression={value}" for value in ("-1", "1.5")}


@pytest.mark.parametrize("group", in_groups(REST_NAMES), ids=lambda group: f"{group[0]} to {group[-1]}")
def test_each_spoiled_input_of_the_rest_face_is_refused(
    world: World, new_gm: MakeGm, group: list[str]
) -> None:
    person = new_gm()
    requests = rest_requests(world, person)
    before = footprint(world, person)
    faults = []
    for name in group:
        for spoil, options in some_of_rest(requests[name], formless=not world.product.postgres):
            if fault := sent_to_rest(person, requests[name], spoil, options):
                faults.append(f"{name}, {spoil}: {fault}")
    assert faults == []
    assert footprint(world, person) == before


def sent_to_rest(person: Person, request: RestRequest, spoil: str, options: dict[str, Any]) -> str | None:
    """Send a spoiled request, and judge the answer."""
    path = options.pop("path")
    if request.name == "signUp":
        options["headers"] |= person.product.anonymous().headers
    return judge_rest(spoil, person.send(request.method, path, **options))


def judge_rest(spoil: str, answer: httpx.Response) -> str | None:
    """Say what is wrong with the answer to a spoiled request; None when all is well."""
    if answer.status_code == 200 and spoil in NUMBERS_TOO:
        return None
    if answer.status_code == 200 and spoil.startswith(LENIENT):
        found = answer.json()
        if [] in (found.get("items"), found.get("legalMoves")) or found.get("dice", {}).get("kinds") == []:
            return None
    # A draft is looked at whatever is wrong with it, and tells what is.
    if answer.status_code == 200 and (told := answer.json()).get("builds") is False and told["issues"]:
        return None
    if not 400 <= answer.status_code < 500:
        return f"status {answer.status_code}: {answer.text[:300]}"
    if answer.headers["content-type"] != "application/problem+json":
        return f"{answer.headers['content-type']}: {answer.text[:200]}"
    problem = answer.json()
    if problem["status"] != answer.status_code or problem["code"] not in CODES or not problem["detail"]:
        return f"{problem}"
    return None


# Scenes

LEGAL = {
    *("id", "actor", "label", "text", "rule", "move", "fields", "cost", "dice", "odds", "chances"),
    *("group", "weight", "disposition"),
}


@pytest.fixture(scope="module")
def fight(world: World) -> str:
    """Start a scene in which the hero may make a move, beside foes, and has little Luck."""
    foes = [
        {"monster": "dungeonteller:monster/orc", "count": 2, "at": [{"x": 1, "y": 3}, {"x": 1, "y": 5}]},
        {"monster": "dungeonteller:monster/orc", "name": "Lurker", "hidden": 40},
    ]
    setup = {"title": "At arm's length", "place": {"width": 9, "height": 9}, "creatures": foes}
    scene = str(start_scene(world.gm, world.campaign, setup, world.hero)["id"])
    move(world.gm, scene, "Overrule", "gm", being=world.hero, luck=3, why="A hard day.")
    return scene


SWEEP, FEAT = "dungeonteller:power/sweep", "dungeonteller:power/feat-of-strength"
BOTH = ["orc-1", "orc-2"]
FORBIDDEN_MOVES = {
    "unknown target": (
        {"kind": "Attack", "action": "BATTLE", "target": "nobody"},
        "target",
        "UNKNOWN_TARGET",
    ),
    "hidden target": (
        {"kind": "Attack", "action": "BATTLE", "target": "hidden-1"},
        "target",
        "UNKNOWN_TARGET",
    ),
    "too little Luck": ({"kind": "UsePower", "power": FEAT, "luck": 9}, "luck", ""),
    "split of too many dice": (
        {"kind": "UsePower", "power": SWEEP, "targets": BOTH, "split": [9, 9]},
        "split",
        "",
    ),
    "split in three": (
        {"kind": "UsePower", "power": SWEEP, "targets": BOTH, "split": [2, 2, 1]},
        "split",
        "",
    ),
    "unknown power": ({"kind": "UsePower", "power": "dungeonteller:power/x"}, "power", "POWER_UNKNOWN"),
    "square out of the place": ({"kind": "Go", "to": {"x": 99, "y": 4}}, "to", ""),
}


@pytest.mark.parametrize(("form", "where", "code"), FORBIDDEN_MOVES.values(), ids=FORBIDDEN_MOVES)
def test_move_against_the_rules_names_the_rule_and_what_is_allowed(
    world: World, fight: str, form: dict[str, Any], where: str, code: str
) -> None:
    player, address = world.player, f"/v1/scenes/{fight}"
    before = [player.get(address).text, player.get(f"{address}/moves").text]
    asked = {"expectedSeq": seq_of(player, fight), "move": {"actor": world.hero, **form}}
    answer = player.post(f"{address}/moves", asked)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "MOVE_REJECTED"), problem
    (issue, *_) = problem["issues"]
    assert issue["path"][:2] == ["move", where] == problem["path"][:2]
    assert issue["rule"] and issue["message"] == problem["detail"]
    assert code in ("", issue["code"])
    assert problem["legal"] and all(one.keys() == LEGAL for one in problem["legal"])
    assert {one["actor"] for one in problem["legal"]} == {world.hero}
    assert "Lurker" not in answer.text
    graph = {"sceneId": fight, "expectedSeq": asked["expectedSeq"], "move": asked["move"]}
    told = player.ask(MUTATIONS["performMove"], input=graph)["performMove"]
    assert [one["code"] for one in told["issues"]] == [one["code"] for one in problem["issues"]]
    assert [one["key"] for one in told["legal"]] == [one["id"] for one in problem["legal"]]
    assert [player.get(address).text, player.get(f"{address}/moves").text] == before


def test_move_out_of_turn_or_of_another_moment_changes_nothing(world: World, fight: str) -> None:
    player, address = world.player, f"/v1/scenes/{fight}"
    before = player.get(address).text
    seq = seq_of(player, fight)
    strike = {"kind": "Attack", "action": "BATTLE", "actor": "orc-1", "target": world.hero}
    early = world.gm.post(f"{address}/moves", {"expectedSeq": seq, "move": strike}).json()
    assert early["code"] == "MOVE_REJECTED"
    assert [one["code"] for one in early["issues"]] == ["NOT_YOUR_TURN"]
    assert early["issues"][0]["allowed"] == world.hero
    # Moving a foe is the GM's; the player is told so, and of no rule.
    foreign = player.post(f"{address}/moves", {"expectedSeq": seq, "move": strike}).json()
    assert (foreign["code"], foreign["path"]) == ("FORBIDDEN", ["move", "actor"])
    stance = {"kind": "Stance", "actor": world.hero, "reflex": "BETTER"}
    for other in (seq - 1, seq + 1, -1, 2**31 - 1):
        stale = player.post(f"{address}/moves", {"expectedSeq": other, "move": stance})
        told = stale.json()
        assert (stale.status_code, told["code"]) == (409, "VERSION_CONFLICT")
        assert (told["expectedVersion"], told["currentVersion"]) == (other, seq)
    for odd in ({}, {"kind": "Fly"}, {"kind": "Go"}, {"kind": "Stance", "actor": 7}, {**stance, "more": 1}):
        malformed = player.post(f"{address}/moves", {"expectedSeq": seq, "move": odd})
        assert (malformed.status_code, malformed.json()["code"]) == (422, "INVALID_INPUT"), malformed.text
        assert malformed.json()["path"][0] == "move"
    assert player.get(address).text == before


SCENES: list[tuple[dict[str, Any], str]] = [
    ({"system": "whist"}, "SYSTEM_UNKNOWN"),
    ({"setup": "no such evening"}, "SETUP_UNKNOWN"),
    ({"setup": {"title": "x", "more": 1}}, "VALUE_MALFORMED"),
    ({"setup": {"title": "x", "creatures": [{"monster": "dungeonteller:monster/x"}]}}, ""),
    ({"characters": ["chr_00000000000000000000000000"]}, "NOT_AT_THIS_TABLE"),
    ({"characters": ["x"]}, "BAD_CAST"),
    ({"title": " "}, "LENGTH"),
    ({"characters": "HERO TWICE"}, "BAD_CAST"),
]


def test_scene_that_cannot_be_is_not_started(world: World) -> None:
    sound = {"system": "dungeonteller", "setup": "orc-ambush", "characters": [world.hero]}
    before = footprint(world, world.gm)
    for changed, code in SCENES:
        asked = {**sound, **changed}
        if asked["characters"] == "HERO TWICE":
            asked["characters"] = [world.hero] * 2
        answer = world.gm.post(f"/v1/campaigns/{world.campaign}/scenes", asked)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, "INVALID_INPUT"), (changed, problem)
        assert code in ("", *(one["code"] for one in problem["issues"])), (changed, problem)
        assert problem["path"][0] in asked and "json" not in problem["path"][:2], (changed, problem)
    assert footprint(world, world.gm) == before


# Characters and packs of Forge Engine

FOLK = {"category": "SPECIES", "cp": 1, "summary": "Round and round."}
ROUND = [
    {
        **FOLK,
        "key": f"{one}-folk",
        "name": one,
        "species": {
            "setting": "FANTASY",
            "includes": ["forge_engine:trait/medium", f"forge_engine:trait/{other}-folk"],
        },
    }
    for one, other in (("sun", "moon"), ("moon", "sun"))
]
STEADY = {"key": "steady", "name": "Steady", "category": "PHYSICAL", "cp": 2, "summary": "Nothing shakes it."}
# A pack with much wrong in it, and where each of that is.
BROKEN_PACK: dict[str, Any] = {
    "genre": "forge_engine:genre/opera",
    "rules": {"species": ["forge_engine:trait/elf", "forge_engine:trait/unicorn"], "skillMost": -1},
    "damage": [
        {"key": "Grav", "name": "Gravitic", "group": "ELEMENTAL", "traits": False},
        {"key": "fire", "name": "", "group": "ELEMENTAL", "traits": False},
    ],
    "traits": [
        {
            **STEADY,
            "against": ["forge_engine:trait/nope"],
            "requires": ["forge_engine:trait/muscular"],
            "recovers": ["EXPENDED_ENERGY"],
        },
        *ROUND,
    ],
    "magicWeapons": [
        {"key": key, "name": key, "base": f"forge_engine:equipment/{base}", "summary": "One of the other."}
        for key, base in (("this", "that"), ("that", "this"))
    ],
}
WRONG_IN_THE_PACK = {
    ("genre", "REFERENCE_UNKNOWN"),
    ("rules.skillMost", "NUMBER_OUT_OF_RANGE"),
    ("rules.species.1", "REFERENCE_UNKNOWN"),
    ("damage.0.key", "KEY_NO_SLUG"),
    ("damage.1.name", "TEXT_EMPTY"),
    ("damage.1.key", "ID_TAKEN"),
    ("traits.0.against.0", "REFERENCE_UNKNOWN"),
    ("traits.0.requires", "PREREQUISITE"),
    ("traits.0.recovers", "EXPENDED_ENERGY_RECOVERED"),
    ("traits.1.species.includes.1", "REFERENCE_WRONG_KIND"),
    ("traits.1.species", "SPECIES_CYCLE"),
    ("traits.2.species.includes.1", "REFERENCE_WRONG_KIND"),
    ("traits.2.species", "SPECIES_CYCLE"),
    ("magicWeapons.0.base", "NO_BASE"),
    ("magicWeapons.1.base", "NO_BASE"),
}
BROKEN_SMITH = smith(
    species="forge_engine:trait/unicorn",
    traits=["forge_engine:trait/nope"],
    skills=[
        {"skill": "forge_engine:skill/flying", "rating": 3},
        {"skill": "forge_engine:skill/athletics", "rating": 0},
        {"skill": "forge_engine:skill/stealth", "rating": 2**31 - 1},
    ],
    equipment=[{"item": "forge_engine:equipment/laser", "count": 1}],
)
WRONG_WITH_THE_SMITH = {
    ("species", "UNKNOWN_SPECIES"),
    ("traits.0", "UNKNOWN_TRAIT"),
    ("skills.0.skill", "UNKNOWN_SKILL"),
    ("skills.1.rating", "SKILL_RATING_BELOW_1"),
    ("skills.2.rating", "RATING_TOO_HIGH"),
    ("skills.2.rating", "SKILL_ABOVE_ATTRIBUTE"),
    ("equipment.0.item", "UNKNOWN_EQUIPMENT"),
}


def wrong(issues: list[dict[str, Any]], within: str) -> set[tuple[str, str]]:
    """Give where in the content of a request something is wrong, and its code."""
    assert all(issue["message"][-1] in ".!?" for issue in issues)
    assert {tuple(issue["path"][:2]) for issue in issues} == {(within, "forgeEngine")}
    # The graph writes codes of rules in small letters, REST all codes in capitals.
    return {(".".join(issue["path"][2:]), issue["code"]) for issue in issues}


def test_all_that_is_wrong_with_a_pack_is_told_with_its_place_and_nothing_is_kept(
    world: World, new_gm: MakeGm
) -> None:
    person = new_gm()
    own = keep_pack(person)["id"]
    before = footprint(world, person)
    pack = {"forgeEngine": BROKEN_PACK}
    asked = {"name": "Stars", "pack": pack, "campaignId": world.campaign}
    edit_of = {"id": own, "version": 1, "pack": pack, "name": "Moons"}
    told = [
        person.ask(QUERIES["checkContentPack"], pack=pack),
        person.ask(MUTATIONS["createContentPack"], input=asked),
        person.ask(MUTATIONS["updateContentPack"], input=edit_of),
    ]
    answers = [next(iter(one.values())) for one in told]
    body = {name: value for name, value in edit_of.items() if name != "id"}
    for rest in (
        person.post("/v1/content-packs/check", {"pack": pack}),
        person.post("/v1/content-packs", asked),
        person.send("PATCH", f"/v1/content-packs/{own}", json=body),
    ):
        assert rest.status_code == 422
        answers.append(rest.json())
    for answer in answers:
        assert answer["code"] == "INVALID_INPUT" and answer["path"] == answer["issues"][0]["path"]
        assert wrong(answer["issues"], "pack") == WRONG_IN_THE_PACK
    # What stands beside the pack is told along with what stands in it.
    nameless = person.post("/v1/content-packs", {**asked, "name": " ", "description": "x" * 2_001}).json()
    assert [issue["path"] for issue in nameless["issues"][:2]] == [["name"], ["description"]]
    assert wrong(nameless["issues"][2:], "pack") == WRONG_IN_THE_PACK
    assert footprint(world, person) == before


def test_all_that_is_wrong_with_a_character_is_told_with_its_place_and_nothing_is_kept(
    world: World, new_gm: MakeGm
) -> None:
    person = new_gm()
    own = person.do(MUTATIONS["createCharacter"], input={"build": smith()})["character"]["id"]
    before = footprint(world, person)
    edit_of = {"id": own, "version": 1, "build": BROKEN_SMITH}
    graph = [
        person.ask(MUTATIONS["createCharacter"], input={"build": BROKEN_SMITH})["createCharacter"],
        person.ask(MUTATIONS["updateCharacter"], input=edit_of)["updateCharacter"],
        person.ask(QUERIES["draftCharacter"], build=BROKEN_SMITH)["draftCharacter"],
    ]
    rest = [
        person.post("/v1/characters", {"build": BROKEN_SMITH}),
        person.send("PUT", f"/v1/characters/{own}", json={"version": 1, "build": BROKEN_SMITH}),
        person.post("/v1/characters/draft", {"build": BROKEN_SMITH}),
    ]
    assert [answer.status_code for answer in rest] == [422, 422, 200]
    for answer in [*graph[:2], *(one.json() for one in rest)]:
        assert wrong(answer["issues"], "build") == WRONG_WITH_THE_SMITH
    assert {(".".join(one["path"][2:]), one["code"]) for one in graph[2]["issues"]} == WRONG_WITH_THE_SMITH
    assert footprint(world, person) == before


@ON_SQLITE
@pytest.mark.parametrize("rating", [1.5, "2", True, None, [1], 2**31])
def test_rating_that_is_no_whole_number_is_refused_at_each_of_its_places(
    somebody: Person, rating: Any
) -> None:
    build = smith(skills=[{"skill": "forge_engine:skill/stealth", "rating": rating}])
    build["forgeEngine"]["attributes"]["strength"] = rating
    pack = {"forgeEngine": {"traits": [{**STEADY, "cp": rating}], "damage": [{"key": rating}]}}
    for name, content, path, places in (
        ("createCharacter", {"input": {"build": build}}, "characters", ["attributes", "skills"]),
        (
            "createContentPack",
            {"input": {"name": "Stars", "pack": pack}},
            "content-packs",
            ["damage", "traits"],
        ),
    ):
        told = somebody.graph(MUTATIONS[name], content).json()
        assert {error["extensions"]["code"] for error in told["errors"]} == {"BAD_USER_INPUT"}
        assert len(told["errors"]) >= 2 and not told.get("data")
        rest = somebody.post(f"/v1/{path}", content["input"])
        assert (rest.status_code, rest.json()["code"]) == (422, "INVALID_INPUT")
        assert sorted({issue["path"][2] for issue in rest.json()["issues"]}) == places
    for path in ("characters", "content-packs"):
        assert somebody.get(f"/v1/{path}").json()["items"] == []


def test_pack_that_is_not_to_be_seen_or_of_no_use_is_refused_with_its_place(world: World) -> None:
    """A table's pack is not its players' to edit, and nobody's own pack is theirs to name."""
    gm, build = world.gm, smith()
    before = footprint(world, gm)
    for packs, place, code in (
        ([world.pack, world.own_pack], "1", "PACK_UNKNOWN"),
        (["pck_00000000000000000000000000"], "0", "PACK_UNKNOWN"),
        (["x"], "0", "PACK_UNKNOWN"),
        ([world.pack, world.pack], "1", "PACK_TWICE"),
    ):
        told = gm.ask(MUTATIONS["createCharacter"], input={"build": build, "packs": packs})["createCharacter"]
        rest = gm.post("/v1/characters", {"build": build, "packs": packs}).json()
        found = gm.ask(QUERIES["content"], system="forge_engine", packs=packs)["content"]
        for answer in (told, rest, found):
            assert [(one["path"], one["code"]) for one in answer["issues"]] == [(["packs", place], code)]
    other = gm.post("/v1/characters", {"build": hero(), "packs": [world.pack]}).json()
    assert [(one["path"], one["code"]) for one in other["issues"]] == [(["packs", "0"], "SYSTEM_FIXED")]
    many = gm.post("/v1/characters", {"build": build, "packs": [world.pack] * 9}).json()
    assert [(one["path"], one["code"]) for one in many["issues"]] == [(["packs"], "TOO_MANY")]
    assert footprint(world, gm) == before


# Maps


def test_sound_edits_are_done(world: World, new_gm: MakeGm) -> None:
    """Else spoiling one of their inputs would prove nothing."""
    person = new_gm()
    dungeon = make_dungeon(person, seed=DUNGEON_SEED)
    secret = next(one["key"] for one in look_at(person, dungeon)["grid"]["doors"] if one["kind"] == "SECRET")
    things = {}
    for name in EDITS.keys() - OF_THINGS - {"findDoor"}:
        things[name] = person.do(MUTATIONS["editMap"], **edit_variables(dungeon, name))["thing"]
    person.do(MUTATIONS["editMap"], input={"mapId": dungeon, "edit": {"findDoor": {"id": secret}}})
    for name in sorted(OF_THINGS):
        put = things["draw" if name == "erase" else f"put{name.removeprefix('remove').removeprefix('move')}"]
        wanted = {name: {**EDITS[name], "id": put, **({"way": []} if name == "moveToken" else {})}}
        person.do(MUTATIONS["editMap"], input={"mapId": dungeon, "edit": wanted})
    mine = make_story(person, None, {name: name for name in ("story", *BEHIND)})
    for name in STORY_GROWTH:
        words = story_words(person, mine)
        person.do(MUTATIONS["editMap"], **story_variables(mine, name, words))
    left = look_at(person, dungeon)["play"]
    assert [left[section] for section in ("tokens", "markers", "notes", "drawings", "areas")] == [[]] * 5


CORNER = {"x": 1, "y": 1}
LINE = {"shape": "FREEHAND", "points": [CORNER] * 5_001}
TOKEN = {"name": "Gub", "at": {"x": 3, "y": 4}}
# What is to be done on the dungeon, what of it is wrong, and by which rule.
IMPOSSIBLE: dict[str, tuple[dict[str, Any], list[str], str]] = {
    "501 corners": ({"reveal": {"area": {"polygon": [CORNER] * 501}}}, ["area", "polygon"], ""),
    "2,001 rows": (
        {"conceal": {"area": {"spans": [{"row": 1, "first": 1, "after": 2}] * 2_001}}},
        ["area", "spans"],
        "",
    ),
    "no cells at all": ({"reveal": {"area": {}}}, ["area"], ""),
    "5,001 points": ({"draw": LINE}, ["points"], ""),
    "21 owners": ({"putToken": {**TOKEN, "owners": ["acc"] * 21}}, ["owners"], ""),
    "21 conditions": ({"putToken": {**TOKEN, "conditions": ["prone"] * 21}}, ["conditions"], ""),
    "501 steps": ({"moveToken": {"id": "TOKEN", "to": CORNER, "way": [CORNER] * 501}}, ["way"], ""),
    "half a cell": ({"putToken": {**TOKEN, "at": {"x": 3.5, "y": 4}}}, ["at"], ""),
    "out of the map": ({"putToken": {**TOKEN, "at": {"x": 21, "y": 4}}}, ["at"], ""),
    "10^15": ({"putMarker": {"at": {"x": 1e15, "y": -1e15}}}, ["at"], ""),
    "a light that is dimmer than bright": ({"putLight": {"at": CORNER, "bright": 5, "dim": 4}}, [], ""),
    "no color": ({"putMarker": {"at": CORNER, "color": "red"}}, ["color"], ""),
    "a cone at nothing": ({"putArea": {"shape": "CONE", "at": CORNER, "length": 3}}, ["toward"], ""),
    "an arc of 120 degrees": (
        {"putArea": {"shape": "ARC", "at": CORNER, "toward": TOKEN["at"], "length": 3, "degrees": 120}},
        ["degrees"],
        "",
    ),
    "one thing as another": ({"putMarker": {"id": "TOKEN", "at": CORNER}}, ["id"], "MAP_UNKNOWN"),
    "a door that is none": ({"setDoor": {"id": "door-99", "state": "OPEN"}}, ["id"], "MAP_UNKNOWN"),
    "a realm's Ruin": ({"dropRuin": {}}, [], "MAP_CANNOT_GROW_SO"),
}


def test_edit_that_cannot_be_is_refused_with_its_path_in_both_faces(world: World, new_gm: MakeGm) -> None:
    person = new_gm()
    before = footprint(world, person)
    for case, (wanted, path, code) in IMPOSSIBLE.items():
        ((name, given),) = wanted.items()
        if given.get("id") == "TOKEN":
            given = {**given, "id": world.token}
        asked = {"mapId": world.dungeon, "edit": {name: given}}
        told = person.ask(MUTATIONS["editMap"], input=asked)["editMap"]
        rest = person.post(f"/v1/maps/{world.dungeon}/edits", {"edit": {name: given}})
        assert (told["code"], rest.status_code) == ("INVALID_INPUT", 422), case
        codes = [issue["code"] for issue in told["issues"]]
        assert [each.upper() for each in codes] == [issue["code"] for issue in rest.json()["issues"]], case
        assert told["issues"][0]["path"][: len(path) + 2] == ["edit", name, *path], case
        assert code in ("", codes[0]) and told["issues"][0]["message"], case
    assert footprint(world, person) == before


def test_edit_of_a_map_that_has_changed_is_a_conflict_that_tells_both_revisions(world: World) -> None:
    pin = edit(world.gm, world.prepared, putMarker={"at": CORNER})["thing"]
    seen = look_at(world.gm, world.prepared)["revision"]
    edit(world.gm, world.prepared, putMarker={"id": pin, "at": CORNER, "label": "Here"})
    now = look_at(world.gm, world.prepared)["revision"]
    asked = {"edit": {"putMarker": {"id": pin, "at": CORNER, "label": "There"}}, "revision": seen}
    differs = {"path": ["markers", pin, "label"], "yours": "There", "theirs": "Here", "base": ""}
    stale = world.gm.post(f"/v1/maps/{world.prepared}/edits", asked)
    assert (stale.status_code, stale.json()["code"]) == (409, "MAP_CHANGED")
    assert (stale.json()["expectedRevision"], stale.json()["currentRevision"]) == (seen, now)
    assert stale.json()["differing"] == [differs]
    told = world.gm.ask(MUTATIONS["editMap"], input={"mapId": world.prepared, **asked})["editMap"]
    assert (told["code"], told["expectedRevision"], told["currentRevision"]) == ("MAP_CHANGED", seen, now)
    assert told["differing"] == [differs]
    assert look_at(world.gm, world.prepared)["revision"] == now
    again = world.gm.post(f"/v1/maps/{world.prepared}/edits", {**asked, "revision": now})
    assert again.status_code == 201 and again.json()["map"]["revision"] != now


def test_question_to_the_ground_that_cannot_be_is_refused(world: World) -> None:
    sound = ground_variables(world.dungeon)
    area = sound["area"]
    for changed in (
        {"taken": [CORNER] * 501},
        {"start": {"x": 21, "y": 0}},
        {"end": {"x": -1, "y": 0}},
        {"paces": -1},
        {"darkvision": -1},
        {"size": 0},
        {"other": 11},
        {"size": 2, "start": {"x": 20, "y": 10}},
        {"area": {**area, "paces": 121}},
        {"area": {**area, "toward": None}},
        {"area": {**area, "degrees": 91}},
        {"area": {**area, "shape": "LINE", "width": 2}},
    ):
        answer = world.gm.answer(GROUND, **{**sound, **changed})
        codes = {error["extensions"]["code"] for error in answer.get("errors", ())}
        assert codes == {"BAD_USER_INPUT"}, changed
    assert "errors" not in world.gm.answer(GROUND, **sound)


def deep(levels: int) -> Any:
    """Give lists within lists."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


SOUND: dict[str, Any] = {"kind": "DUNGEON", "parameters": {"width": 21, "height": 21}}
ORDERS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "no kind": ("maps", {"seed": "5"}, ["kind"]),
    "two kinds": ("maps", {**SOUND, "forgebornRealm": {}}, ["kind"]),
    "an unknown kind": ("maps", {"kind": "castle"}, ["kind"]),
    "an unknown parameter": ("maps", {**SOUND, "parameters": {"moat": 1}}, ["parameters"]),
    "a parameter out of range": ("maps", {**SOUND, "parameters": {"width": 5}}, ["parameters", "width"]),
    "an impossible combination": (
        "maps",
        {**SOUND, "parameters": {"width": 21, "height": 21, "rooms": 600}},
        ["parameters", "rooms"],
    ),
    "a huge number": ("maps", {**SOUND, "parameters": {"loops": 1e15}}, ["parameters", "loops"]),
    "a deep parameter": ("maps", {**SOUND, "parameters": {"width": deep(20)}}, ["parameters", "width"]),
    "fog over a realm": ("maps", {"forgebornRealm": {}, "sharing": "FOGGED"}, ["sharing"]),
    "a seed below 0": ("maps", {**SOUND, "seed": "-1"}, ["seed"]),
    "a seed beyond 2^63 - 1": ("maps", {**SOUND, "seed": str(2**63)}, ["seed"]),
    "no count": ("batches", SOUND, ["count"]),
    "none": ("batches", {**SOUND, "count": 0}, ["count"]),
    "10,001": ("batches", {**SOUND, "count": 10_001}, ["count"]),
    "10,001 seeds": ("batches", {**SOUND, "seeds": ["7"] * 10_001}, ["seeds"]),
    "seeds and another count": ("batches", {**SOUND, "count": 3, "seeds": ["7"]}, ["seeds"]),
    "a seed that is none": ("batches", {**SOUND, "seeds": ["7", "x"]}, ["seeds", "1"]),
    "a format that realms have not": (
        "batches",
        {"forgebornRealm": {}, "count": 1, "formats": ["SVG", "UVTT"]},
        ["formats", "1"],
    ),
}


def test_map_that_cannot_be_is_refused_before_any_work(world: World, new_gm: MakeGm) -> None:
    person = new_gm()
    before = footprint(world, person)
    for case, (where, asked, path) in ORDERS.items():
        answer = person.post(f"/v1/{where}", {**asked, "campaignId": world.campaign})
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, "INVALID_INPUT"), (case, problem)
        assert path in [issue["path"][: len(path)] for issue in problem["issues"]], (case, problem)
    assert footprint(world, person) == before


# What is asked for below ``/v1/maps``, and what of it is wrong; nothing where there is no such thing.
PICTURES_THAT_ARE_NONE: dict[str, list[str]] = {
    "{dungeon}/map.png?px=200": ["px"],
    "{dungeon}/map.png?px=7": ["px"],
    "{dungeon}/map.svg?style=crayon": ["style"],
    "{dungeon}/map.uvtt?view=all": ["view"],
    "{dungeon}/thumbnail.webp?size=63": ["size"],
    "{dungeon}/tiles/0/1/0.png": ["tile"],
    "{dungeon}/tiles/31/0/0.png": ["z"],
    "{dungeon}/tiles/1.5/0/0.png": ["z"],
    "{map}/map.uvtt": ["format"],
    "{map}/map.tmj": ["format"],
    "map_00000000000000000000000000/map.png": [],
    "{job}/map.json": [],
    "{dungeon}/map.gif": [],
    "{dungeon}/tiles/0/0/0.webp": [],
}


@ON_SQLITE
def test_picture_that_cannot_be_is_a_problem(world: World, new_gm: MakeGm) -> None:
    person = new_gm()
    for path, found in PICTURES_THAT_ARE_NONE.items():
        answer = person.get(f"/v1/maps/{path.format(**vars(world))}")
        problem = answer.json()
        assert answer.headers["content-type"] == "application/problem+json", path
        told = (answer.status_code, problem["code"])
        assert told == ((422, "INVALID_INPUT") if found else (404, "NOT_FOUND")), path
        assert not found or found[0] in problem["path"], problem


BROKEN_FILES: dict[str, bytes] = {
    "nothing": b"",
    "half": CELLAR[:-1],
    "no UTF-8": b'{"format": "\xff"}',
    "NaN": CELLAR.replace(b"0.3", b"NaN"),
    "5,000 digits": CELLAR.replace(b"0.3", b"9" * 5_000),
    "100,000 levels": b"[" * 100_000 + b"]" * 100_000,
    "a list": b"[]",
    "a text": b'"x"',
    "null": b"null",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(64),
    "a ZIP": b"PK\x03\x04" + bytes(64),
    "a huge map": CELLAR.replace(b'{"x": 6, "y": 6}', b'{"x": 1e9, "y": 1e9}'),
    "a map without cells": CELLAR.replace(b'{"x": 6, "y": 6}', b'{"x": 0, "y": 6}'),
    "walls at the end of the world": CELLAR.replace(b'"x": 5', b'"x": 1e308'),
    "walls of texts": CELLAR.replace(b'"x": 5', b'"x": "5"'),
    "walls that are no lists": CELLAR.replace(b'"portals": []', b'"portals": {"a": 1}'),
    "a picture that is none": CELLAR.replace(b'"portals"', b'"image": "QUJD", "portals"'),
    "a file of ours that is none": b'{"format": "hearthforge-map", "format_version": 1}',
    "a file of ours of tomorrow": b'{"format": "hearthforge-map", "format_version": 99}',
}


@ON_SQLITE
def test_file_that_holds_no_map_is_refused_with_the_place(world: World, new_gm: MakeGm) -> None:
    person = new_gm()
    before = footprint(world, person)
    path = f"/v1/maps/import?campaign={world.campaign}"
    for case, content in BROKEN_FILES.items():
        answer = person.send("POST", path, content=content, headers=JSON)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, "INVALID_INPUT"), (case, problem)
        assert problem["issues"] and {issue["path"][0] for issue in problem["issues"]} == {"content"}, case
    for media_type in MEDIA_TYPES:
        answer = person.send("POST", path, content=CELLAR, headers={"content-type": media_type})
        assert (answer.status_code, answer.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE"), media_type
    assert footprint(world, person) == before


@ON_SQLITE
def test_file_beyond_64_mib_is_refused_and_one_below_is_read(world: World) -> None:
    before = footprint(world, world.gm)
    path = f"/v1/maps/import?campaign={world.campaign}"

    def sent(size: int) -> httpx.Response:
        return world.gm.send("POST", path, content=b"[" + b" " * (size - 2) + b"]", headers=JSON)

    large, fitting = sent(65 * 1024 * 1024), sent(63 * 1024 * 1024)
    assert (large.status_code, large.json()["code"]) == (413, "BODY_TOO_LARGE")
    assert (fitting.status_code, fitting.json()["code"]) == (422, "INVALID_INPUT")
    assert footprint(world, world.gm) == before


# At the very end: nothing was left behind that comes to light later


def test_no_refused_map_was_made_in_secret(world: World) -> None:
    """Jobs are done in turn: when a new one has ended, so has whatever was queued before it."""
    known = world.gm.ask(QUERIES["maps"], campaignId=world.campaign, first=20)["maps"]["nodes"]
    job = make_map(world.gm, world.campaign, seed=77)
    found = world.gm.ask(QUERIES["maps"], campaignId=world.campaign, first=20)["maps"]["nodes"]
    assert [one["id"] for one in found] == [job["map"]["id"], *(one["id"] for one in known)]
    assert [one["id"] for one in known] == [world.story, world.prepared, world.dungeon, world.map]


def test_the_table_still_works_after_all_of_this(world: World) -> None:
    assert roll(world.player, "1d6", campaignId=world.campaign)["campaign"] == {"id": world.campaign}
    assert note(world.gm, world.campaign, "Still here") > 1
