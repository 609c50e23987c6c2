"""`checkMove`: what a move would come to first, told without a die, a fact or a secret."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.settings import Settings
from tests.campaign.scene_desk import Desk, somebody
from tests.campaign.test_scenes_graph import START, Graph, start

pytestmark = pytest.mark.databases("campaign")

CHECK = """
query ($scene: ID!, $move: JSON!) {
  checkMove(sceneId: $scene, move: $move) {
    __typename
    ... on MoveChecked {
      seq sentences questions { actor question }
      rolls { label actor notation secret odds dice { value parts { source } } }
    }
    ... on Problem { code path }
    ... on MoveRejected { issues { code path rule } legal { key } }
    ... on InvalidInput { issues { code path } }
  }
}
"""


@pytest.fixture
async def graph(settings: Settings) -> AsyncIterator[Graph]:
    database = Database(settings.database_url("campaign"))
    desk = Desk(database)
    await desk.open()
    made = Graph(desk)
    desk.scene = await begun(made, hiddenRival=True)
    yield made
    await database.close()


async def begun(graph: Graph, **setup: Any) -> str:
    form = {"title": "The Bridge", "rivals": ["Sour Tam"], **setup}
    started = (await graph.ask(graph.desk.gm, START, input=start(graph.desk, setup=form)))["startScene"]
    return str(started["scene"]["id"])


async def check(graph: Graph, who: Viewer, kind: str, actor: str, /, **fields: Any) -> Any:
    move = {"kind": kind, "actor": actor, **fields}
    return (await graph.ask(who, CHECK, scene=graph.desk.scene, move=move))["checkMove"]


async def test_a_check_tells_what_is_asked_and_leaves_everything_as_it_was(graph: Graph) -> None:
    desk = graph.desk
    before, published = (await desk.row()).model_dump(), await desk.events()
    told = await check(graph, desk.anna, "Strike", desk.hero, target="rival-1")
    assert told == {
        "__typename": "MoveChecked",
        "seq": 0,
        "sentences": ["Anna lunges at Sour Tam."],
        "questions": [{"actor": "rival-1", "question": "Stand, or flinch?"}],
        "rolls": [],
    }
    assert (await desk.row()).model_dump() == before
    assert (desk.dice.asked, await desk.moves(desk.gm), await desk.events()) == ([], [], published)


async def test_a_check_tells_the_dice_that_then_fall(graph: Graph) -> None:
    desk = graph.desk
    told = await check(graph, desk.gm, "Listen", "gm", who=desk.hero)
    (roll,) = told["rolls"]
    assert (roll["label"], roll["notation"], roll["secret"], roll["odds"]) == ("Listen", "2d6", True, None)
    assert roll["dice"] == {"value": 2, "parts": [{"source": "Listen"}]}
    assert desk.dice.asked == []
    made = await graph.move(desk.gm, {"kind": "Listen", "actor": "gm", "who": desk.hero})
    assert [each["notation"] for each in made["move"]["rolls"]] == [roll["notation"]]


async def test_a_check_names_every_rule_as_the_move_would(graph: Graph) -> None:
    desk = graph.desk
    for who, kind, actor, fields in (
        (desk.anna, "Strike", desk.hero, {"target": "nobody"}),
        (desk.anna, "Strike", desk.hero, {}),
        (desk.anna, "Answer", desk.hero, {"flinch": True}),
        (desk.ben, "Brace", desk.other, {}),
        (desk.ben, "Brace", desk.hero, {}),
        (desk.watcher, "Brace", desk.hero, {}),
        (somebody(), "Brace", desk.hero, {}),
        (desk.anna, "Jump", desk.hero, {}),
    ):
        told = await check(graph, who, kind, actor, **fields)
        made = await graph.move(who, {"kind": kind, "actor": actor, **fields})
        assert told["__typename"] == made["__typename"] != "MoveChecked"
        assert (told["code"], told["path"]) == (made["code"], made["path"])
        named = [[(one["code"], one["path"]) for one in each.get("issues", [])] for each in (told, made)]
        assert named[0] == named[1]
        assert [one["key"] for one in told.get("legal", [])] == [one["key"] for one in made.get("legal", [])]


async def test_what_is_hidden_changes_nothing_of_a_check(graph: Graph) -> None:
    desk = graph.desk
    answers = []
    for scene in (desk.scene, await begun(graph)):
        desk.scene = scene
        answers.append(
            [
                await check(graph, desk.anna, kind, desk.hero, **fields)
                for kind, fields in (
                    ("Strike", {"target": "rival-1"}),
                    ("Strike", {"target": "rival-2"}),
                    ("Strike", {"target": "cloak"}),
                    ("Brace", {}),
                )
            ]
        )
    assert answers[0] == answers[1]
    assert [each["__typename"] for each in answers[0]] == [
        "MoveChecked",
        "MoveRejected",
        "MoveRejected",
        "MoveChecked",
    ]
    assert "Cloak" not in str(answers)


async def test_an_answer_is_checked_against_its_question_and_the_move_goes_on_waiting(graph: Graph) -> None:
    desk = graph.desk
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    waits = await check(graph, desk.anna, "Brace", desk.hero)
    assert [issue["code"] for issue in waits["issues"]] == ["MOVE_WAITS"]
    told = await check(graph, desk.gm, "Answer", "rival-1", flinch=False)
    assert (told["__typename"], told["rolls"], told["questions"]) == ("MoveChecked", [], [])
    wrong = await check(graph, desk.gm, "Brace", "rival-1")
    assert wrong["__typename"] == "MoveRejected"
    assert (await desk.row()).waiting is not None and desk.dice.asked == []
    desk.dice.loaded += [[6, 6, 6], [1, 1, 1]]
    made = await desk.made(desk.gm, "Answer", "rival-1", flinch=False)
    assert made.move.rolls
