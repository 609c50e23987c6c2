"""Characters built from the book's content, or what is wrong with them."""

from __future__ import annotations

from services.rules.engine.problem import Problems, path_text
from services.rules.systems.forge_engine.build import build
from services.rules.systems.forge_engine.catalog import Catalog, own_catalog
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.sheet import CharacterSheet

CATALOG = own_catalog()


def built(choices: CharacterChoices, catalog: Catalog = CATALOG) -> CharacterSheet:
    """Build a character that breaks no rule."""
    sheet = build(choices, catalog)
    assert isinstance(sheet, CharacterSheet), str(sheet)
    return sheet


def broken(choices: CharacterChoices, catalog: Catalog = CATALOG) -> list[str]:
    """The rules that a character breaks, each with its path; none when it breaks none."""
    outcome = build(choices, catalog)
    if not isinstance(outcome, Problems):
        return []
    return [f"{problem.code} at {path_text(problem.path)}" for problem in outcome]
