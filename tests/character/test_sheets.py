"""Sheets of every game by one document: as sections, in short and as JSON."""

import re
from pathlib import Path
from typing import Any

import pytest

from services.character.building.random_characters import draw
from services.character.building.requests import CreateRandomCharacter
from services.character.packs.library import form
from services.rules.engine.registry import systems
from services.shared.auth import Viewer
from tests.character.desk import Desk, somebody

SYSTEMS = systems()
OPERATIONS = Path(__file__).resolve().parents[2] / "schema" / "operations"
SEED = "sheets"
MAKE = """
mutation ($system: String!, $seed: String!) {
  createRandomCharacter(input: { system: $system, seed: $seed }) {
    ... on CharacterSaved { character { id } }
  }
}
"""
WHOLE = """
query ($id: ID!) {
  character(id: $id) {
    sheet { json summary { name system line tracks { key name current maximum } figures { key label text } } }
  }
}
"""


def stored(name: str) -> str:
    """The text of a stored operation, without what it says of REST."""
    text = (OPERATIONS / f"{name}.graphql").read_text("utf-8")
    return re.sub(r"@rest\(.*?\n\)|@needed", "", text, flags=re.DOTALL)


async def made(desk: Desk, player: Viewer, slug: str) -> str:
    """Draw a character of a game by chance and return its id."""
    answer = await desk.ask(player, MAKE, system=slug, seed=SEED)
    return str(answer["createRandomCharacter"]["character"]["id"])


def by_the_rules(slug: str) -> Any:
    """The sheet of that character, by the rules alone."""
    choices = draw(SYSTEMS, CreateRandomCharacter(slug, seed=SEED), "").wanted.choices
    return SYSTEMS[slug].build(choices, SYSTEMS[slug].content)


def keyed(value: Any) -> Any:
    """A form in which each `key` is called `id`, as REST has it."""
    if isinstance(value, list):
        return [keyed(one) for one in value]
    if isinstance(value, dict):
        return {"id" if name in ("key", "id") else name: keyed(one) for name, one in value.items()}
    return value


@pytest.mark.parametrize("slug", SYSTEMS)
async def test_one_document_reads_the_sheet_of_any_game(desk: Desk, slug: str) -> None:
    player, layout = somebody(), SYSTEMS[slug].layout
    assert layout is not None
    character = await made(desk, player, slug)
    sections = [form(one) for one in layout.sections(by_the_rules(slug))]
    found = (await desk.ask(player, stored("character.sheetSections"), id=character))["result"]
    assert found["system"] == slug
    assert found["sheet"]["sections"] == keyed(sections)
    assert len(sections) >= 4


@pytest.mark.parametrize("slug", SYSTEMS)
async def test_a_sheet_comes_in_short_and_as_published_json(desk: Desk, slug: str) -> None:
    player, layout = somebody(), SYSTEMS[slug].layout
    assert layout is not None
    character = await made(desk, player, slug)
    sheet = (await desk.ask(player, WHOLE, id=character))["character"]["sheet"]
    assert keyed(sheet["summary"]) == keyed(form(layout.summary(by_the_rules(slug))))
    published = (await desk.internal(player, f"characters/{character}/sheet/published")).json()
    assert sheet["json"] == published["data"]


async def test_who_may_not_see_a_character_sees_no_sheet_of_it(desk: Desk) -> None:
    character = await made(desk, somebody(), "forgeborn")
    stranger = somebody()
    assert (await desk.ask(stranger, stored("character.sheetSections"), id=character))["result"] is None
    assert (await desk.ask(stranger, WHOLE, id=character))["character"] is None
