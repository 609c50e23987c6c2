"""Characters in the making: steps, points, broken rules and the sheet; nothing is kept."""

import pytest

from services.character.building.builds import MAX_CHOICES_BYTES, Build
from services.character.building.drafts import Draft, draft
from services.rules.engine.registry import systems
from services.shared.problems import InvalidInput
from tests.character.desk import somebody
from tests.character.operations import ROLE
from tests.character.toy_graph import DUEL, FOUND, ToyGraph

DRAFT = """
query ($build: CharacterBuild!, $step: String) {
  draftCharacter(build: $build, step: $step) {
    __typename
    ... on CharacterDraft {
      system builds sheetDocument
      issues { code path }
      steps { key name text budgets { key remaining } issues { code path } offers { key cost } }
      sheet { name ... on DungeonTellerSheet { role } }
    }
    ... on InvalidInput { issues { code path allowed } }
  }
}
"""


def duellist(step: str | None = None, **chosen: object) -> Draft:
    return draft(FOUND, Build("duel", DUEL.choices_codec.read(chosen)), step)


def test_each_step_names_its_own_broken_rules_and_all_of_them_are_those_of_the_whole() -> None:
    found = duellist(name=" ", scars=-1)
    assert [(step.id, [issue.path for issue in step.issues]) for step in found.steps] == [
        ("name", [["build", "duel", "name"]]),
        ("style", [["build", "duel", "scars"]]),
    ]
    assert [issue.path for step in found.steps for issue in step.issues] == [
        issue.path for issue in found.issues
    ]
    assert found.document is None
    (budget,), (offer,) = found.steps[1].budgets, found.steps[1].offers
    assert (budget.remaining, offer.id) == (0, "careful")


def test_one_step_can_be_asked_for_and_the_sheet_comes_as_soon_as_it_can() -> None:
    found = duellist(step="style", name="Anna", style="careful")
    assert [step.id for step in found.steps] == ["style"]
    assert found.document is not None
    assert DUEL.sheet_codec.load(found.document).name == "Anna"
    with pytest.raises(InvalidInput) as refused:
        duellist(step="spells", name="Anna")
    unknown = refused.value
    assert (unknown.issues[0].code, unknown.path, unknown.issues[0].allowed) == (
        "STEP_UNKNOWN",
        ["step"],
        "name, style",
    )


@pytest.mark.parametrize(
    ("name", "code"), [("a\u0007", "BAD_CHARACTER"), ("a" * (MAX_CHOICES_BYTES + 1), "TOO_LARGE")]
)
def test_choices_that_cannot_be_read_go_no_further(name: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        duellist(name=name)
    assert refused.value.issues[0].code == code


@pytest.mark.parametrize("slug", list(systems()))
def test_every_example_of_every_game_builds_as_a_draft(slug: str) -> None:
    system = systems()[slug]
    for choices in system.examples.values():
        found = draft(systems(), Build(slug, choices))
        assert found.issues == [] and found.document is not None
        assert all(not step.issues for step in found.steps)
        assert bool(found.steps) is (system.guide is not None)


async def test_the_graph_tells_what_is_wrong_and_what_there_is(graph: ToyGraph) -> None:
    reader = somebody("read")
    sent = {"dungeonteller": {"name": "Odo", "role": f"{ROLE}rogue"}}
    found = (await graph.ask(reader, DRAFT, build=sent))["draftCharacter"]
    assert (found["system"], found["builds"], found["issues"], found["steps"]) == (
        "dungeonteller",
        True,
        [],
        [],
    )
    assert found["sheet"] == {"name": "Odo", "role": f"{ROLE}rogue"}
    assert found["sheetDocument"]["data"]["name"] == "Odo"
    sent = {"dungeonteller": {"name": " ", "role": f"{ROLE}cook"}}
    found = (await graph.ask(reader, DRAFT, build=sent))["draftCharacter"]
    assert (found["builds"], found["sheet"], found["sheetDocument"]) == (False, None, None)
    assert ["build", "dungeonteller", "role"] in [issue["path"] for issue in found["issues"]]
    malformed = {"dungeonteller": {"name": 7, "buys": [{"item": "x", "count": "y"}], "kit": 3}}
    answer = await graph.graphql(reader, DRAFT, {"build": malformed})
    told = " ".join(error["message"] for error in answer["errors"])
    for place in ("name", "buys[0].count", "kit", "role"):
        assert place in told
    assert (await graph.ask(reader, "{ characters { nodes { id } } }"))["characters"]["nodes"] == []
