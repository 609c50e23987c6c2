"""What a body adds to attribute tests (Attribute Tests; C1 to C5): for the sheet, and in a fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.rules.engine.content import content_id
from services.rules.engine.explain import Part
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.derived import SIZES
from services.rules.systems.forge_engine.traits import Size, Trait

STEALTH = content_id(SLUG, "skill", "stealth")


def body_parts(
    size: Size,
    size_name: str,
    traits: Iterable[Trait],
    attribute: Attribute,
    skill: str,
    helping: tuple[str, ...] = (),
) -> Iterator[Part]:
    """Dice that size and traits add to a test, or take from it.

    Args:
        size: How big the body is.
        size_name: What that is called among the parts.
        traits: All of its traits.
        attribute: What is tested.
        skill: Content id of the skill; empty for none.
        helping: Content ids of traits that help under some circumstance which holds.
    """
    if attribute is Attribute.STRENGTH and size.strength_dice:
        yield Part(size.strength_dice, size_name, f"{SIZES} [R-16]")
    if skill == STEALTH and size.stealth:
        yield Part(size.stealth, size_name, f"{SIZES} [R-16]")
    for trait in traits:
        for bonus in trait.tests:
            holds = not bonus.when or trait.id in helping
            if holds and bonus.attribute is attribute and (not bonus.skills or skill in bonus.skills):
                yield Part(bonus.dice, trait.name, f"Traits / {trait.name}")
