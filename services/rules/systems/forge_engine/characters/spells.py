"""Spells on the sheet: what they go by, what they take, and the greatest casting (Magic Skills; P0, R-33)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.content import slug_of
from services.rules.engine.explain import Explained, Part
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.characters.person import best_of
from services.rules.systems.forge_engine.characters.standing import Standing
from services.rules.systems.forge_engine.pools.attack_given import PoolSkill
from services.rules.systems.forge_engine.pools.greatest import greatest_action
from services.rules.systems.forge_engine.sheet_lines import SpellLine
from services.rules.systems.forge_engine.skills import Spell

MAGIC = "Magic Skills"
DICE_PER_EXPENDED = 2


def spell_lines(standing: Standing) -> Iterator[SpellLine]:
    """Every spell that was learned, in the order of the book."""
    for spell in standing.catalog.spells:
        rating = standing.person.rating(spell.id)
        if rating:
            yield _line(standing, spell, rating)


def _line(standing: Standing, spell: Spell, rating: int) -> SpellLine:
    attribute = best_of(spell.attributes, standing.attributes) or Attribute.ACUITY
    school = None if spell.school is None else standing.catalog.schools.get(spell.school)
    cost, dice = _greatest(standing, spell, attribute, rating)
    return SpellLine(
        id=spell.id,
        name=spell.name,
        school=spell.school,
        school_name="Cantrip" if school is None else school.name,
        attribute=attribute,
        rating=rating,
        most=standing.person.attributes.of(attribute),
        developed=rating - standing.draft.created.rating(spell.id),
        use=spell.use,
        against=spell.against,
        expend=spell.expend,
        expend_more=spell.expend_more,
        range=spell.range,
        duration=spell.duration,
        max_cost=cost,
        max_dice=dice,
        castable=standing.free_hands > 0,
        check=f"spell-{slug_of(spell.id)}" if dice is not None and dice.value > 0 else None,
        text=spell.summary,
    )


def _greatest(
    standing: Standing, spell: Spell, attribute: Attribute, rating: int
) -> tuple[Explained | None, Explained | None]:
    """Energy and dice of the greatest casting with full energy; None where that does not pay for it."""
    cost = Explained.of(Part(spell.expend, "expended", MAGIC)) + standing.action_energy
    energy, most = standing.energy.value, standing.attributes.of(attribute)
    if spell.expend_more:
        if cost.value > energy:
            return None, None
        # The energy is expended, and each gives two dice, at most two for each rating.
        added = min(most, energy - cost.value, rating)
        dice = Explained.of(Part(DICE_PER_EXPENDED * added, "two dice for each energy expended", "R-33"))
        return cost.plus(added, f"expended, up to {attribute.label} and rating", "R-33"), dice
    skill = PoolSkill(name=spell.name, rating=rating)
    found = greatest_action(cost, Explained(0, ()), energy, attribute, most, (skill,))
    return (None, None) if found is None else (found.cost, found.dice)
