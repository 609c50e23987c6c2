"""A Smith drawn by chance; the same stream of faces draws the same one."""

from __future__ import annotations

from services.rules.dice.stream import FaceStream
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.choices import SmithChoices
from services.rules.systems.forgeborn.pools import ASCENDING, SIDES, DiceCount, DieSize

TEMPERS = (
    "A patient hand, and few words",
    "Laughs louder than the hammer",
    "Trusts the fire more than people",
    "Hums while the iron cools",
    "Counts every spark",
    "Never makes the same thing twice",
    "Swears by an old anvil",
    "Sleeps beside the forge",
)
FAVOURED = 3
"""Of so many draws of a die all but one give the size that a Smith favours."""


def drawn_smith(
    stream: FaceStream, catalog: Catalog, name: str | None, concept: str | None
) -> SmithChoices | Problems:
    """A Smith of the book's names, who spends her faces as far as they go.

    Args:
        stream: Where chance comes from.
        catalog: The content.
        name: What she is called; drawn when None.
        concept: The size of dice she favours, `d4` to `d12`; drawn when None.
    """
    sizes = tuple(size.value for size in ASCENDING)
    if concept is not None and concept not in sizes:
        text = "A Smith favours one size of dice."
        rule = "Creating Master Smiths of the Forge"
        return Problems((RuleProblem("concept_unknown", text, rule, ("concept",), concept, sizes),))
    drawn = catalog.words.names[stream.draw(len(catalog.words.names)) - 1]
    favoured = ASCENDING[stream.draw(len(ASCENDING)) - 1] if concept is None else DieSize(concept)
    left = catalog.settings.budget
    dice: list[DieSize] = []
    while affordable := [size for size in ASCENDING if SIDES[size] <= left]:
        size = favoured
        if favoured not in affordable or stream.draw(FAVOURED) == 1:
            size = affordable[stream.draw(len(affordable)) - 1]
        dice.append(size)
        left -= SIDES[size]
    return SmithChoices(
        name=drawn if name is None else name,
        description=TEMPERS[stream.draw(len(TEMPERS)) - 1],
        dice=DiceCount.of(dice),
    )
