"""A champion drawn by chance; the same stream of faces draws the same one."""

from __future__ import annotations

from services.rules.dice.stream import FaceStream
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dwarf_dice.build import CHAMPION_RULE
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.choices import ChampionChoices


def drawn_champion(
    stream: FaceStream, catalog: Catalog, name: str | None, concept: str | None
) -> ChampionChoices | Problems:
    """A champion drawn by chance, as the book deals its sheets; the concept is a champion's id.

    Raises:
        StreamError: The stream has no face to give.
    """
    champions = catalog.champions.ids
    if concept is not None and concept not in champions:
        text = "No clan has such a champion."
        return Problems(
            (RuleProblem("champion_unknown", text, CHAMPION_RULE, ("concept",), concept, champions),)
        )
    words = catalog.names
    drawn = concept or champions[stream.draw(len(champions)) - 1]
    if name is None:
        first = words.first[stream.draw(len(words.first)) - 1]
        name = f"{first} {words.nicknames[stream.draw(len(words.nicknames)) - 1]}"
    return ChampionChoices(name=name, champion=drawn)
