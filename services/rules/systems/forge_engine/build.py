"""Choices to a sheet, or every rule they break with its path."""

from __future__ import annotations

from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.creation import problems_by_step, read
from services.rules.systems.forge_engine.characters.hero import assemble
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.sheet import CharacterSheet


def build(choices: CharacterChoices, catalog: Catalog) -> CharacterSheet | Problems:
    """Builds a character, or names every rule the choices break, in the order of the book's steps."""
    draft = read(choices, catalog)
    problems = tuple(problem for found in problems_by_step(draft).values() for problem in found)
    return Problems(problems) if problems else assemble(draft)
