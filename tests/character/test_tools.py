"""A game's tools in the graph: typed, and as JSON read in the same way; each answer fits its schema."""

from typing import Any

import jsonschema

from services.character.packs.requests import CreateContentPack, PackContent
from services.character.packs.schemas import answer_schema, given_schema, pack_schemas
from services.character.packs.tools import MAX_BYTES
from services.shared.wording import camel
from tests.character.desk import somebody
from tests.character.toy_graph import DUEL, FOUND, ToyGraph, toy_schema

TYPED = """
query ($given: DuelMatchupInput!, $packs: [ID!]) {
  duel(packs: $packs) {
    strikeChances(given: $given) {
      __typename
      ... on DuelStrikeChances { strikes { dice chance likely rival { style bonusDice } } }
      ... on InvalidInput { issues { code path found allowed } }
    }
  }
}
"""
JSON = """
query ($given: JSON!, $name: String! = "strike_chances") {
  tool(system: "duel", name: $name, given: $given) {
    __typename
    ... on ToolAnswer { tool { name rule } answer }
    ... on Problem { code path }
    ... on InvalidInput { issues { code message path found allowed } }
  }
}
"""
GIVEN = {"striker": "BOLD", "rivals": [{"style": "CAREFUL", "bonusDice": 1}, {}]}


async def test_typed_and_as_json_a_question_has_one_answer(graph: ToyGraph) -> None:
    viewer = somebody("read")
    typed = (await graph.ask(viewer, TYPED, given=GIVEN))["duel"]["strikeChances"]
    sent = (await graph.ask(viewer, JSON, given=GIVEN))["tool"]
    assert typed.pop("__typename") == "DuelStrikeChances"
    assert sent["answer"] == typed and sent["tool"] == {"name": "strike_chances", "rule": "Striking"}
    assert typed["strikes"][0] == {
        "dice": 3,
        "chance": "559/2916",
        "likely": False,
        "rival": {"style": "CAREFUL", "bonusDice": 1},
    }
    (tool,) = DUEL.tools
    jsonschema.Draft202012Validator(answer_schema(tool)).validate(sent["answer"])
    asking = jsonschema.Draft202012Validator(given_schema(tool))
    asking.validate(GIVEN)
    assert not asking.is_valid({**GIVEN, "striker": "bold"})


async def test_broken_rules_have_the_path_of_what_was_given(graph: ToyGraph) -> None:
    viewer = somebody("read")
    given = {"striker": "BOLD", "rivals": [{}, {"bonusDice": 4}]}
    expected = [
        {
            "code": "GUARD_UNKNOWN",
            "path": ["given", "rivals", "1", "bonusDice"],
            "found": "4",
            "allowed": "0, 1",
        }
    ]
    typed = (await graph.ask(viewer, TYPED, given=given))["duel"]["strikeChances"]
    assert typed["issues"] == expected
    sent = (await graph.ask(viewer, JSON, given=given))["tool"]
    assert [{name: issue[name] for name in expected[0]} for issue in sent["issues"]] == expected


async def test_json_that_does_not_fit_is_told_all_at_once(graph: ToyGraph) -> None:
    given: Any = {"rivals": [{"style": "SHY", "bonusDice": "1"}, 7, {"hat": None}], "hat": [1]}
    told = (await graph.ask(somebody("read"), JSON, given=given))["tool"]["issues"]
    assert {(".".join(issue["path"]), issue["found"], issue["allowed"]) for issue in told} == {
        ("given.striker", None, None),
        ("given.rivals.0.style", "SHY", "BOLD, CAREFUL"),
        ("given.rivals.0.bonusDice", "1", None),
        ("given.rivals.1", "7", "style, bonusDice"),
        ("given.rivals.2.hat", None, "style, bonusDice"),
        ("given.hat", None, "striker, rivals"),
    }
    others: list[Any] = [[], "x", 3]
    for other in others:
        (issue,) = (await graph.ask(somebody("read"), JSON, given=other))["tool"]["issues"]
        assert (issue["code"], issue["path"]) == ("BAD_USER_INPUT", ["given"])
    unknown = (await graph.ask(somebody("read"), JSON, given={}, name="oracle"))["tool"]
    assert (unknown["__typename"], unknown["path"]) == ("NotFound", ["name"])


async def test_a_slip_of_the_pen_is_told_with_what_was_meant(graph: ToyGraph) -> None:
    given: Any = {"striker": "BLOD", "rivals": [{"stile": "BOLD"}]}
    told = (await graph.ask(somebody("read"), JSON, given=given))["tool"]["issues"]
    assert {(issue["path"][-1], issue["allowed"]) for issue in told} == {
        ("striker", "BOLD"),
        ("stile", "style"),
    }
    assert all(f"is `{issue['allowed']}` meant?" in issue["message"] for issue in told)


async def test_a_tool_is_asked_beside_a_tables_own_content(graph: ToyGraph) -> None:
    assert DUEL.packs is not None
    pack = DUEL.packs.codec.read({"oaths": [{"key": "honour", "name": "Honour", "nerve": 1}]})
    owner = somebody()
    asked = CreateContentPack(PackContent("duel", pack), "Oaths")
    packs = [(await graph.use_cases.packs.create(owner, asked, None)).id]
    for viewer, answered in ((owner, "DuelStrikeChances"), (somebody(), "InvalidInput")):
        found = await graph.ask(viewer, TYPED, given=GIVEN, packs=packs)
        assert found["duel"]["strikeChances"]["__typename"] == answered


async def test_a_question_of_any_size_is_none(graph: ToyGraph) -> None:
    given = {"striker": "BOLD", "rivals": [{}] * (MAX_BYTES // 30)}
    found = (await graph.ask(somebody("read"), JSON, given=given))["tool"]
    assert (found["issues"][0]["code"], found["path"]) == ("COUNT", ["given", "rivals"])


def test_every_tool_of_every_game_has_schemas_and_types() -> None:
    sdl = toy_schema().as_str()
    for system in FOUND.values():
        for tool in system.tools:
            for schema in (given_schema(tool), answer_schema(tool)):
                jsonschema.Draft202012Validator.check_schema(schema)
            assert f"  {camel(tool.name)}(\n" in sdl


def test_a_pack_fits_the_schema_of_its_game() -> None:
    (schema,) = pack_schemas({"duel": DUEL}).values()
    assert schema["title"] == "content-pack-duel" and schema["additionalProperties"] is False
    fits = jsonschema.Draft202012Validator(schema)
    pack = {"oaths": [{"key": "honour", "name": "Honour", "nerve": 1}]}
    assert fits.is_valid(pack) and not fits.is_valid({"oaths": [{"key": "honour"}]})
    for system in FOUND.values():
        for found in pack_schemas({system.slug: system}).values():
            jsonschema.Draft202012Validator.check_schema(found)
