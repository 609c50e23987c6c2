"""Scenes through the graph, with a game that is no part of the house: typed or as JSON, for all eyes."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import jsonschema
import pytest

from services.campaign.context import CampaignUseCases
from services.campaign.schema import SCHEMA
from services.rules.engine.play import GM
from services.shared.auth import Viewer
from services.shared.context import Context
from services.shared.database import Database
from services.shared.settings import Settings
from services.shared.stream import Wakes
from tests.campaign.scene_desk import SYSTEMS, Desk, graph_of, somebody

pytestmark = pytest.mark.databases("campaign")

TOY_SCHEMA = graph_of(SYSTEMS)

START = """
mutation ($input: StartSceneInput!) {
  startScene(input: $input) {
    __typename
    ... on SceneStarted { scene { id seq title system } }
    ... on Problem { code path }
    ... on InvalidInput { issues { code path rule found allowed } }
  }
}
"""
MOVE = """
mutation ($input: PerformMoveInput!) { performMove(input: $input) { ...Made } }
"""
MADE = """
fragment Made on PerformMoveResult {
  __typename
  ... on MovePerformed { scene { id seq } move { ...Move scene { seq } } }
  ... on Problem { code message path }
  ... on MoveRejected { issues { code path rule found allowed } legal { key move } }
  ... on InvalidInput { issues { code path found allowed } }
  ... on VersionConflict { expectedVersion currentVersion }
}
fragment Move on SceneMove {
  cursor seq kind actor byGm lapsed undone text sentences move account { id }
  rolls { label actor notation faces secret odds dice { value parts { value source rule } } roll { id } }
  events { __typename kind json ... on DuelStruckEvent { hit ahead target } }
}
"""
SCENE = """
query ($id: ID!, $actor: String) {
  scene(id: $id) {
    id system title seq cursor endedAt myActors
    campaign { id scenes(first: 1, running: true) { nodes { id } } }
    characters { id }
    state { system json ... on DuelState { turn heard duellists { key name nerve style hidden } } }
    card {
      title round turn waitingFor prompts { actor question }
      actors { key name side conditions tracks { current } }
    }
    outcome { ended winners text }
    legalMoves(actor: $actor) {
      key actor label text move cost odds dice { value } fields { name kind choices { value label } required }
      chances { key label chance value }
    }
    boardUrl map { id } deadlines { prompt at } bots { key version text }
    moves(first: 10) { nodes { seq kind text rolls { faces } events { json } } pageInfo { hasNextPage } }
    at(seq: 0) { seq faithful stateHash state { json } card { round } }
  }
}
"""


class Graph:
    """The campaign service's subgraph with the toy."""

    def __init__(self, desk: Desk) -> None:
        wakes = Wakes()
        desk.database.after_commit.append(wakes.wake_topics)
        self.desk = desk
        self.service = desk.use_cases(wakes)

    def context(self, who: Viewer) -> Context[CampaignUseCases]:
        return Context(who, self.service, "")

    async def ask(self, who: Viewer, query: str, **variables: Any) -> Any:
        result = await TOY_SCHEMA.execute(query, variables, context_value=self.context(who))
        assert result.errors is None, result.errors
        assert result.data is not None
        return result.data

    async def move(self, who: Viewer, move: dict[str, Any], **more: Any) -> Any:
        seq = (await self.desk.row()).seq
        sent = {"sceneId": self.desk.scene, "expectedSeq": seq, "move": move, **more}
        return (await self.ask(who, MOVE + MADE, input=sent))["performMove"]

    async def scene(self, who: Viewer, actor: str | None = None) -> Any:
        return (await self.ask(who, SCENE, id=self.desk.scene, actor=actor))["scene"]


@pytest.fixture
async def graph(settings: Settings) -> AsyncIterator[Graph]:
    database = Database(settings.database_url("campaign"))
    desk = Desk(database)
    await desk.open()
    made = Graph(desk)
    setup = {"title": "The Bridge", "rivals": ["Sour Tam"], "hiddenRival": True}
    started = (await made.ask(desk.gm, START, input=start(desk, setup=setup)))["startScene"]
    assert started["__typename"] == "SceneStarted"
    desk.scene = started["scene"]["id"]
    yield made
    await database.close()


def start(desk: Desk, **changes: Any) -> dict[str, Any]:
    characters = [desk.hero, desk.other]
    return {"campaignId": desk.campaign, "system": "duel", "characters": characters, **changes}


async def test_a_setup_comes_as_json_or_by_name(graph: Graph) -> None:
    desk = graph.desk
    mill = {"title": "The Mill", "rivals": ["Nell"]}
    for setup, title in (({"setupName": "yard"}, "The Yard at Dawn"), ({"setup": mill}, "The Mill")):
        answer = await graph.ask(desk.gm, START, input=start(desk, **setup))
        assert answer["startScene"]["scene"]["title"] == title
    broken: list[tuple[dict[str, Any], list[str]]] = [
        ({"setup": {"title": "x", "rivals": []}}, ["setup", "rivals"]),
        ({"setup": {"title": "x", "rivals": [1]}}, ["setup", "rivals", "0"]),
        ({"setupName": "nowhere"}, ["setupName"]),
        ({}, ["setup"]),
        ({"setup": mill, "setupName": "yard"}, ["setup"]),
    ]
    for wrong, path in broken:
        answer = (await graph.ask(desk.gm, START, input=start(desk, **wrong)))["startScene"]
        assert (answer["__typename"], answer["issues"][0]["path"]) == ("InvalidInput", path)


async def test_the_rules_of_a_game_say_what_can_be_sent(graph: Graph) -> None:
    query = """
    query ($system: String!) {
      sceneRules(system: $system) { system setups mapKinds leadsMaps moveSchema setupSchema }
    }
    """
    rules = (await graph.ask(graph.desk.watcher, query, system="duel"))["sceneRules"]
    assert (rules["system"], "yard" in rules["setups"]) == ("duel", True)
    button = (await graph.scene(graph.desk.anna))["legalMoves"][0]["move"]
    jsonschema.validate(button, rules["moveSchema"])
    jsonschema.validate({"title": "The Mill", "rivals": ["Nell"]}, rules["setupSchema"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"title": "The Mill"}, rules["setupSchema"])
    assert (rules["mapKinds"], rules["leadsMaps"]) == ([], False)
    assert (await graph.ask(graph.desk.watcher, query, system="chess"))["sceneRules"] is None


async def test_the_rules_of_a_game_say_who_plays_it_what_is_measured_and_how_to_rest(graph: Graph) -> None:
    query = """
    query { sceneRules(system: "forge_engine") { namedSetups { key title party { fewest most different } }
      bots { key version text } figures { key unit ofScene } rests { key name text source most } } }
    """
    rules = (await graph.ask(graph.desk.watcher, query))["sceneRules"]
    assert ("steady", 1) in [(bot["key"], bot["version"]) for bot in rules["bots"]]
    assert {"key": "rounds", "unit": "rounds", "ofScene": True} in rules["figures"]
    ford = {"key": "skirmish", "title": "The Ford", "party": {"fewest": 1, "most": 50, "different": []}}
    assert ford in rules["namedSetups"]
    assert [(rest["key"], rest["most"]) for rest in rules["rests"]] == [("short", None), ("long", 1)]


async def test_legal_moves_say_under_which_heading_they_stand_and_how_far_ahead(graph: Graph) -> None:
    query = """
    query ($id: ID!) {
      sceneRules(system: "duel") { moveGroups { key title } }
      scene(id: $id) { legalMoves { key actor group weight disposition fields { choices { value kind } } } }
    }
    """
    seen = await graph.ask(graph.desk.anna, query, id=graph.desk.scene)
    assert seen["sceneRules"]["moveGroups"] == [
        {"key": "answer", "title": "Answers"},
        {"key": "attack", "title": "Attacks"},
        {"key": "turn", "title": "Your turn"},
        {"key": "game_master", "title": "Game master"},
    ]
    assert [(move["group"], move["weight"], move["disposition"]) for move in seen["scene"]["legalMoves"]] == [
        ("attack", 80, "FOE"),
        ("turn", 50, None),
    ]
    master = (await graph.ask(graph.desk.gm, query, id=graph.desk.scene))["scene"]["legalMoves"]
    [listen] = [move for move in master if move["key"] == "listen"]
    assert (listen["group"], listen["disposition"]) == ("game_master", None)
    assert {choice["kind"] for choice in listen["fields"][0]["choices"]} == {"ACTOR"}


async def test_a_scene_looks_as_each_may_know_it(graph: Graph) -> None:
    desk = graph.desk
    for who, names in (
        (desk.anna, ["Anna", "Ben", "Sour Tam"]),
        (desk.watcher, ["Anna", "Ben", "Sour Tam"]),
        (desk.gm, ["Anna", "Ben", "Sour Tam", "The Grey Cloak"]),
    ):
        scene = await graph.scene(who)
        assert [each["name"] for each in scene["state"]["duellists"]] == names
        assert [each["name"] for each in scene["card"]["actors"]] == names
        assert [each["name"] for each in scene["state"]["json"]["duellists"]] == names
        assert (scene["seq"], scene["outcome"]["ended"], scene["campaign"]["scenes"]["nodes"]) == (
            0,
            False,
            [{"id": desk.scene}],
        )
        assert scene["characters"] == [{"id": desk.hero}, {"id": desk.other}]
        assert (scene["at"]["stateHash"] is not None, scene["at"]["faithful"]) == (who is desk.gm, True)
    assert await graph.scene(somebody()) is None
    assert [move["key"] for move in (await graph.scene(desk.anna))["legalMoves"]] == [
        "strike:rival-1",
        "brace",
    ]
    assert (await graph.scene(desk.ben, actor=desk.hero))["legalMoves"] == []
    listen = (await graph.scene(desk.gm, actor=GM))["legalMoves"][0]
    assert listen["fields"] == [
        {
            "name": "who",
            "kind": "CHOICE",
            "choices": [{"value": desk.hero, "label": "Anna"}, {"value": desk.other, "label": "Ben"}],
            "required": True,
        }
    ]


async def test_a_move_comes_as_the_button_handed_it_out(graph: Graph) -> None:
    desk = graph.desk
    button = (await graph.scene(desk.anna))["legalMoves"][0]["move"]
    made = await graph.move(desk.anna, button, idempotencyKey="k")
    assert (made["__typename"], made["scene"]["seq"], made["move"]["seq"]) == ("MovePerformed", 1, 1)
    assert made["move"]["move"] == button
    desk.dice.loaded += [[6, 6, 6], [1, 1, 1]]
    answer = {"kind": "Answer", "actor": "rival-1", "flinch": False}
    made = (await graph.move(desk.gm, answer))["move"]
    assert (made["kind"], made["actor"], made["byGm"], made["text"]) == (
        "MOVE",
        "rival-1",
        True,
        "Anna hits Sour Tam.",
    )
    assert made["events"] == [
        {
            "__typename": "DuelStruckEvent",
            "kind": "Struck",
            "hit": True,
            "ahead": 15,
            "target": "rival-1",
            "json": {"kind": "Struck", "striker": desk.hero, "target": "rival-1", "ahead": 15, "hit": True},
        },
        {"__typename": "DuelTurnEndedEvent", "kind": "TurnEnded", "json": {"kind": "TurnEnded"}},
    ]
    strike = made["rolls"][0]
    assert (strike["label"], strike["notation"], strike["faces"], strike["secret"]) == (
        "Strike",
        "3d6",
        [6, 6, 6],
        False,
    )
    assert strike["dice"]["parts"][1] == {"value": 1, "source": "Bold", "rule": "Styles"}
    assert strike["roll"]["id"].startswith("rol_")


async def test_what_goes_wrong_is_typed(graph: Graph) -> None:
    desk = graph.desk
    wrong = await graph.move(desk.anna, {"kind": "Strike", "actor": desk.hero, "target": "x"})
    assert (wrong["__typename"], wrong["code"]) == ("MoveRejected", "MOVE_REJECTED")
    issue = wrong["issues"][0]
    assert (issue["code"], issue["path"]) == ("UNKNOWN_TARGET", ["move", "target"])
    assert [move["key"] for move in wrong["legal"]] == ["strike:rival-1", "brace"]
    malformed = await graph.move(desk.anna, {"kind": "Strike", "actor": desk.hero})
    assert malformed["issues"][0]["path"] == ["move", "target"]
    brace = {"kind": "Brace", "actor": desk.hero}
    assert (await graph.move(desk.ben, brace))["__typename"] == "Forbidden"
    assert (await graph.move(desk.anna, brace, expectedSeq=5))["currentVersion"] == 0
    assert (await graph.move(somebody(), brace))["__typename"] == "NotFound"
    for nothing in ([], "Brace", 7, {}):
        refused = await graph.move(desk.anna, nothing)
        assert (refused["__typename"], refused["issues"][0]["path"][0]) == ("InvalidInput", "move")


async def test_a_scene_shows_chances_bots_deadlines_and_its_picture(graph: Graph) -> None:
    desk = graph.desk
    setup = {"title": "The Mill", "rivals": ["Nell"], "patience": 600}
    started = await graph.ask(desk.gm, START, input=start(desk, setup=setup))
    desk.scene = started["startScene"]["scene"]["id"]
    scene = await graph.scene(desk.anna)
    strike, brace = scene["legalMoves"]
    (hit,) = strike["chances"]
    # Three dice against three: half of what is no tie, and 4,332 of 46,656 falls are ties.
    assert (hit["key"], hit["label"], hit["chance"]) == ("hit", "hit Nell, if they stand", "3527/7776")
    assert hit["value"] == pytest.approx(3527 / 7776) and brace["chances"] == []
    assert [(bot["key"], bot["version"]) for bot in scene["bots"]] == [
        ("random", 1),
        ("steady", 1),
        ("fierce", 1),
    ]
    assert scene["boardUrl"] == f"https://table.example/v1/scenes/{desk.scene}/board.svg"
    assert (scene["map"], scene["deadlines"]) == (None, [])
    made = await graph.move(desk.anna, strike["move"])
    assert made["move"]["lapsed"] is False
    (deadline,) = (await graph.scene(desk.watcher))["deadlines"]
    assert deadline["prompt"] == "1.0.flinch" and datetime.fromisoformat(deadline["at"]) > desk.clock()
    desk.clock.ahead += timedelta(seconds=601)
    late = await graph.move(desk.gm, {"kind": "Brace", "actor": desk.hero})
    assert late["__typename"] == "VersionConflict"
    (_, lapsed) = await desk.moves(desk.watcher)
    assert lapsed.lapsed


async def test_bots_and_undo_by_the_graph(graph: Graph) -> None:
    desk = graph.desk
    query = """
      mutation ($input: PlayBotInput!) { playBot(input: $input) { ...Made } }
      fragment Made on PlayBotResult""" + MADE.partition("fragment Made on PerformMoveResult")[2]
    own: dict[str, Any] = {"sceneId": desk.scene, "expectedSeq": 0, "actor": desk.hero}
    unknown = (await graph.ask(desk.anna, query, input={**own, "bot": "genius"}))["playBot"]
    assert unknown["issues"] == [
        {"code": "BOT_UNKNOWN", "path": ["bot"], "found": "genius", "allowed": "random, steady, fierce"}
    ]
    made = (await graph.ask(desk.anna, query, input={**own, "bot": "fierce"}))["playBot"]
    assert made["move"]["sentences"] == ["Anna lunges at Sour Tam."]
    query = """
      mutation ($input: UndoMoveInput!) {
        undoMove(input: $input) { __typename ... on MovePerformed { move { kind seq } } }
      }"""
    last = {"sceneId": desk.scene, "expectedSeq": 1}
    assert (await graph.ask(desk.anna, query, input=last))["undoMove"]["__typename"] == "Forbidden"
    undone = (await graph.ask(desk.gm, query, input=last))["undoMove"]
    assert (undone["move"]["kind"], undone["move"]["seq"]) == ("UNDO", 2)
    nodes = (await graph.scene(desk.watcher))["moves"]["nodes"]
    assert [(node["seq"], node["kind"]) for node in nodes] == [(1, "MOVE"), (2, "UNDO")]


async def test_a_subscription_resumes_behind_a_cursor(graph: Graph) -> None:
    desk = graph.desk
    await desk.made(desk.anna, "Brace", desk.hero)
    cursor = (await graph.scene(desk.anna))["cursor"]
    await desk.made(desk.ben, "Brace", desk.other)
    query = "subscription ($id: ID!, $after: String) { sceneMoves(sceneId: $id, after: $after) { seq text } }"

    async def first(who: Viewer, after: str | None) -> Any:
        variables = {"id": desk.scene, "after": after}
        source: Any = await TOY_SCHEMA.subscribe(query, variables, context_value=graph.context(who))
        result = await anext(source)
        await source.aclose()
        return result.errors[0].extensions["code"] if result.errors else result.data["sceneMoves"]

    assert await first(desk.watcher, None) == {"seq": 1, "text": "Anna braces."}
    assert await first(desk.watcher, cursor) == {"seq": 2, "text": "Ben braces."}
    assert await first(desk.watcher, "nonsense") == "BAD_CURSOR"
    assert await first(somebody(), None) == "NOT_FOUND"


async def test_scenes_are_entities_that_only_members_find(graph: Graph) -> None:
    query = "query ($r: [_Any!]!) { _entities(representations: $r) { ... on Scene { id title } } }"
    wanted = [{"__typename": "Scene", "id": graph.desk.scene}, {"__typename": "Scene", "id": "scn_x"}]
    found = (await graph.ask(graph.desk.watcher, query, r=wanted))["_entities"]
    assert found == [{"id": graph.desk.scene, "title": "The Bridge"}, None]
    assert (await graph.ask(somebody(), query, r=wanted))["_entities"] == [None, None]


def test_the_subgraph_stands_whatever_games_there_are() -> None:
    for schema in (graph_of({}), SCHEMA, TOY_SCHEMA):
        sdl = schema.as_str()
        assert "move: JSON!" in sdl and 'type Scene @key(fields: "id")' in sdl
    assert "type DuelState implements SceneState" in TOY_SCHEMA.as_str()
    assert "Duel" not in graph_of({}).as_str()
