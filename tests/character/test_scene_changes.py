"""What the character service makes of what it is told of scenes: in whatever order, and however often."""

import asyncio
import json
from collections.abc import Sequence
from itertools import count
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.character.building.builds import Build
from services.character.building.requests import CreateCharacter, DeleteCharacter
from services.character.history.lines import HistoryKind
from services.character.history.scene_events import SceneEvents
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.outbox import Event
from tests.character.desk import somebody
from tests.character.toy_graph import DUEL, ToyGraph

TABLE = "cmp_01jd8x6m3v5q7r9t0w2y4z6a8c"
PRESENT = """
query ($id: ID!) {
  character(id: $id) {
    version sheetVersion name
    sheet {
      json summary { figures { key text } } sections { groups { entries { key text } } }
      ... on DuelSheet { scars }
    }
    choices { json }
    sceneChanges { scene { id } text }
    history { nodes { what } }
  }
}
"""


class Reader:
    """A character service that is told of scenes.

    Args:
        graph: the service.
    """

    def __init__(self, graph: ToyGraph, database: Database) -> None:
        self.graph, self.database = graph, database
        self.player = somebody()

    async def duellist(self, **choices: Any) -> str:
        """Make a duellist."""
        wanted = CreateCharacter(Build("duel", DUEL.choices(name="Anna", **choices)))
        return (await self.graph.characters.create(self.player, wanted, None)).id

    async def hear(self, *told: dict[str, Any]) -> None:
        """Handle what is told, in one unit of work."""
        scenes = SceneEvents(system_clock, self.graph.use_cases.editions)
        async with self.database.write() as session:
            for payload in told:
                await scenes(session, Event(payload["kind"], "scene", payload))

    async def present(self, character: str, viewer: Any = None) -> dict[str, Any]:
        """Read a duellist as it is just now."""
        found = await self.graph.ask(viewer or self.player, PRESENT, id=character)
        shown: dict[str, Any] = found["character"]
        return shown


def changed(character: str, number: int, scars: int, scene: str = "scn_a", **more: Any) -> dict[str, Any]:
    """What is told behind a move after which a duellist has so many new scars."""
    own = {"data": {"scars": scars}, "text": f"{scars} scars."} if scars else None
    change = {"character": character, "own": own, "open": own, **more}
    head = {"scene": scene, "campaign": TABLE, "system": "duel"}
    return {"kind": "scene.changed", **head, "number": number, "changes": [change]}


def ended(character: str, scars: int, scene: str = "scn_a", system: str = "duel") -> dict[str, Any]:
    """What is told at the end of a scene from which a duellist has so many new scars."""
    changes = [{"character": character, "data": {"scars": scars}, "text": ""}] if scars else []
    told = {"scene": scene, "campaign": TABLE, "system": system, "characters": [character]}
    return {"kind": "scene.ended", **told, "changes": changes}


async def test_the_graph_shows_what_scenes_have_changed_and_what_is_chosen_stays(graph: ToyGraph) -> None:
    reader = Reader(graph, graph.database)
    anna = await reader.duellist(scars=1)
    before = await reader.present(anna)
    assert (before["sheetVersion"], before["sceneChanges"]) == ("1", [])
    await reader.hear(changed(anna, 4, 2, "scn_b"), changed(anna, 7, 1, "scn_a"))
    now = await reader.present(anna)
    assert now["sheet"]["scars"] == 4
    assert now["choices"] == before["choices"]
    assert [(each["scene"]["id"], each["text"]) for each in now["sceneChanges"]] == [
        ("scn_a", "1 scars."),
        ("scn_b", "2 scars."),
    ]
    assert now["version"] == 1 and now["sheetVersion"].startswith("1.")
    await reader.hear(changed(anna, 8, 0, "scn_a"), changed(anna, 9, 0, "scn_b"))
    assert await reader.present(anna) == before


async def test_whoever_sits_at_the_table_is_shown_what_all_may_know_there(graph: ToyGraph) -> None:
    reader, gm, ben = Reader(graph, graph.database), somebody(), somebody()
    anna = await reader.duellist()
    await reader.hear(changed(anna, 1, 2, open={"data": {"scars": 1}, "text": "One scar."}))
    graph.tables.seat(anna, player=ben)
    graph.tables.seat(anna, gm=gm)
    shown = [await reader.present(anna, who) for who in (reader.player, gm, ben)]
    assert [each["sheet"]["scars"] for each in shown] == [2, 2, 1]
    for form in ("sections", "summary", "json"):
        told = [json.dumps(each["sheet"][form]) for each in shown]
        assert told[0] == told[1] == told[2].replace('"1"', '"2"').replace('"scars": 1', '"scars": 2')
        assert told[0] != told[2]
    versions = [each["sheetVersion"] for each in shown]
    assert versions[0] == versions[1] != versions[2]
    # A change that only the player may know of leaves what others see untouched, its version too.
    await reader.hear(changed(anna, 2, 3, open={"data": {"scars": 1}, "text": "One scar."}))
    assert await reader.present(anna, ben) == shown[2]


async def test_tags_of_sheets_hold_for_what_their_viewers_may_know(graph: ToyGraph) -> None:
    reader, gm, ben = Reader(graph, graph.database), somebody(), somebody()
    sheets, anna = graph.use_cases.sheets, await reader.duellist()
    await reader.hear(changed(anna, 1, 2, open={"data": {"scars": 1}, "text": "One scar."}))
    graph.tables.seat(anna, player=ben)
    graph.tables.seat(anna, gm=gm)

    async def tag(viewer: Viewer, held: str | None = None) -> str | None:
        found = await sheets.document_of(viewer, anna, held)
        return None if found is None else f"{found.etag}{'' if found.document else ' held'}"

    own, known = await tag(reader.player), await tag(ben)
    assert own is not None and known is not None and own != known
    assert await tag(gm, own) == f"{own} held"
    # Another viewer's tag is not that of what this one may know.
    assert await tag(ben, own) == known
    assert await tag(reader.player, known) == own
    assert await tag(ben, known) == f"{known} held"
    # What is hidden from a viewer leaves their tag as it is; what is not, does not.
    await reader.hear(changed(anna, 2, 3, open={"data": {"scars": 1}, "text": "One scar."}))
    assert await tag(ben, known) == f"{known} held"
    assert await tag(gm, own) not in (own, f"{own} held")
    await reader.hear(changed(anna, 3, 3))
    assert await tag(ben, known) not in (known, f"{known} held")
    # Who leaves the table has lost the sheet, whatever they hold.
    newest = await tag(ben)
    graph.tables.leave(ben)
    assert newest is not None and await tag(ben, newest) is None


async def test_a_change_that_cannot_be_built_is_left_out_and_the_others_stand(graph: ToyGraph) -> None:
    reader = Reader(graph, graph.database)
    anna = await reader.duellist(scars=1)
    await reader.hear(changed(anna, 1, -5, "scn_a"), changed(anna, 1, 2, "scn_b"))
    assert (await reader.present(anna))["sheet"]["scars"] == 3
    gone, unknown = await reader.duellist(), "chr_01jd8x6m3v5q7r9t0w2y4z6a8c"
    await graph.characters.delete(reader.player, DeleteCharacter(gone, 1), None)
    other = {**changed(anna, 9, 4, "scn_c"), "system": "another"}
    await reader.hear(changed(gone, 1, 1), changed(unknown, 1, 1), other)
    assert (await reader.present(anna))["sheet"]["scars"] == 3


async def test_a_change_that_builds_upon_a_running_scene_waits_for_it(graph: ToyGraph) -> None:
    reader = Reader(graph, graph.database)
    anna = await reader.duellist()
    # What the second scene heals was struck in the first, which still runs.
    await reader.hear(changed(anna, 1, 3, "scn_a"), ended(anna, -2, "scn_b"), ended(anna, 4, "scn_c"))
    now = await reader.present(anna)
    assert (now["sheet"]["scars"], now["choices"]["json"]["scars"]) == (5, 4)
    assert [each["scene"]["id"] for each in now["sceneChanges"]] == ["scn_a", "scn_b"]
    await reader.hear(ended(anna, 3, "scn_a"))
    now = await reader.present(anna)
    assert (now["sheet"]["scars"], now["choices"]["json"]["scars"], now["version"]) == (5, 5, 4)
    assert now["sceneChanges"] == []


async def test_what_it_built_upon_may_be_taken_back(graph: ToyGraph) -> None:
    reader = Reader(graph, graph.database)
    anna = await reader.duellist()
    await reader.hear(changed(anna, 1, 3, "scn_a"), ended(anna, -2, "scn_b"), changed(anna, 2, 0, "scn_a"))
    now = await reader.present(anna)
    assert (now["sheet"]["scars"], now["version"], now["sceneChanges"]) == (0, 1, [])


async def test_what_a_game_keeps_of_a_campaign_changes_characters_as_its_scenes_do(graph: ToyGraph) -> None:
    reader = Reader(graph, graph.database)
    anna = await reader.duellist()
    # The toy's campaigns change nothing, and take nothing in.
    await reader.hear({**changed(anna, 1, 2), "system": "duel_campaign"})
    assert (await reader.present(anna))["sheet"]["scars"] == 0
    await reader.hear(ended(anna, 2, system="duel_campaign"))
    now = await reader.present(anna)
    assert (now["sheet"]["scars"], now["sceneChanges"]) == (0, [])
    assert [line["what"] for line in now["history"]["nodes"]] == ["SCENE", "CREATED"]


async def test_what_was_told_before_scenes_told_who_took_part_is_taken_in(graph: ToyGraph) -> None:
    reader = Reader(graph, graph.database)
    anna = await reader.duellist()
    old = {name: value for name, value in ended(anna, 2).items() if name != "characters"}
    await reader.hear(old, old, changed(anna, 1, 1))
    assert (await reader.present(anna))["sheet"]["scars"] == 2


SCENES = ("scn_a", "scn_b")
STORY = st.lists(st.integers(0, 3), min_size=1, max_size=5)
"""The new scars behind each move of a scene that changed them."""


@st.composite
def stories(draw: st.DrawFn) -> tuple[dict[str, list[int]], list[tuple[str, int]]]:
    """What happened in scenes, and what of it is told in which order: ``(scene, move)``, the end is -1."""
    scenes = {scene: draw(STORY) for scene in SCENES}
    events = [(scene, move) for scene, moves in scenes.items() for move in range(len(moves))]
    events += [(scene, -1) for scene in SCENES if draw(st.booleans())]
    twice = draw(st.lists(st.sampled_from(events), max_size=len(events)))
    return scenes, draw(st.permutations([*events, *twice]))


def expected(scenes: dict[str, list[int]], told: Sequence[tuple[str, int]]) -> tuple[int, int]:
    """The scars on the sheet, and how many of them are the character's own."""
    running = own = 0
    for scene, moves in scenes.items():
        known = [move for name, move in told if name == scene]
        if -1 in known:
            own += moves[-1]
        elif known:
            running += moves[max(known)]
    return running + own, own


@st.composite
def endings(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """New scars of scenes in the order in which they began, none of which heals more than there is, and the
    order in which they end.
    """
    scars: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        scars.append(draw(st.integers(-sum(scars), 3)))
    return scars, draw(st.permutations(range(len(scars))))


def test_in_whatever_order_scenes_end_their_changes_add_up(toy_database: str) -> None:
    with asyncio.Runner() as runner:
        database = Database(toy_database)
        reader = Reader(ToyGraph(database), database)

        @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
        @given(endings())
        def check(story: tuple[list[int], list[int]]) -> None:
            runner.run(hold(*story))

        async def hold(scars: list[int], ends: list[int]) -> None:
            anna = await reader.duellist()
            names = [f"scn_{anna[-20:]}_{place}" for place in range(len(scars))]
            for place, name in enumerate(names):
                await reader.hear(changed(anna, 1, scars[place], name))
            for place in ends:
                assert (await reader.present(anna))["sheet"]["scars"] == sum(scars)
                await reader.hear(ended(anna, scars[place], names[place]))
            now = await reader.present(anna)
            assert (now["choices"]["json"]["scars"], now["sceneChanges"]) == (sum(scars), [])

        check()
        runner.run(database.close())


def test_whatever_is_told_twice_late_or_out_of_order_the_latest_holds_and_the_end_once(
    toy_database: str,
) -> None:
    numbers = count(1)
    with asyncio.Runner() as runner:
        database = Database(toy_database)
        reader = Reader(ToyGraph(database), database)

        @settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
        @given(stories(), st.integers(1, 4))
        def check(story: tuple[dict[str, list[int]], list[tuple[str, int]]], at_once: int) -> None:
            scenes, told = story
            runner.run(hold(scenes, told, at_once))

        async def hold(scenes: dict[str, list[int]], told: Sequence[tuple[str, int]], at_once: int) -> None:
            anna, example = await reader.duellist(), next(numbers)
            payloads = [
                ended(anna, scenes[scene][-1], f"{scene}{example}")
                if move < 0
                else changed(anna, move + 1, scenes[scene][move], f"{scene}{example}")
                for scene, move in told
            ]
            for start in range(0, len(payloads), at_once):
                await reader.hear(*payloads[start : start + at_once])
            now = await reader.present(anna)
            ends = {scene for scene, move in told if move < 0 and scenes[scene][-1]}
            scars, own = expected(scenes, told)
            assert (now["sheet"]["scars"], now["choices"]["json"]["scars"]) == (scars, own)
            assert now["version"] == 1 + len(ends)
            lines = [line["what"] for line in now["history"]["nodes"]]
            assert lines.count(HistoryKind.SCENE.name) == len(ends)

        check()
        runner.run(database.close())
