"""What talents add, in the engine's parts: asked by the sheet, and by rolls, Saves and costs in play.

A talent is data (`catalog.Talent`): quantities, tags, the rolls it fits. Which of a hero's talents count for
something is asked here; what a tag means is a rule of the play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.rules.engine.content import Shelf
from services.rules.engine.explain import Part
from services.rules.systems.fortunate_blades.catalog import Talent
from services.rules.systems.fortunate_blades.sheet import TalentLine
from services.rules.systems.fortunate_blades.terms import Attribute, Quantity, TalentUse


def fits(talent: Talent, attribute: Attribute | None) -> bool:
    """Whether a talent fits a roll with an attribute; without one, whatever is not a roll: a Save, a cost."""
    return attribute is None or not talent.on or attribute in talent.on


def counted(
    lines: Iterable[TalentLine],
    shelf: Shelf[Talent],
    attribute: Attribute | None = None,
    chosen: Iterable[str] = (),
) -> Iterator[Talent]:
    """The talents of a hero that count: those that always do where they fit, and those that are named.

    Args:
        lines: The talents of the sheet.
        shelf: The content.
        attribute: The attribute of the roll; None for what is not a roll.
        chosen: Content ids of the talents that the player names.
    """
    named = frozenset(chosen)
    for line in lines:
        talent = shelf[line.id]
        always = talent.use is TalentUse.ALWAYS
        if line.active and fits(talent, attribute) and (always or line.id in named):
            yield talent


def talent_parts(talents: Iterable[Talent], quantity: Quantity) -> tuple[Part, ...]:
    """What talents that count add to a quantity, one part for each that adds something."""
    return tuple(
        Part(talent.adds[quantity], talent.name, talent.rule)
        for talent in talents
        if talent.adds.get(quantity, 0)
    )
