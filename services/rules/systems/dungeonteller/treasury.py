"""How treasures stand on a hero card (Stuff; Actions / Magic)."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.content import slug_of
from services.rules.systems.dungeonteller.catalog import Bonus, Casting, Catalog, Treasure
from services.rules.systems.dungeonteller.sheet import BonusLine, TreasureLine


def bonus_line(bonus: Bonus) -> BonusLine:
    """Bonus dice as the card says them."""
    return BonusLine(dice=bonus.dice, when=bonus.when, once=bonus.once, rule=bonus.rule)


def treasure_line(
    treasure: Treasure, owned: Mapping[str, int], in_use: frozenset[str], casting: Casting, catalog: Catalog
) -> TreasureLine:
    """A treasure as the card says it.

    Whoever has Magic 1 or more reads scrolls and uses wands, whatever the role: rogues too (Actions / Magic).

    Args:
        treasure: The treasure.
        owned: How many of each thing the hero has.
        in_use: Content ids of what is worn or in hand.
        casting: What the hero's Magic dice are good for.
        catalog: The content.
    """
    power = None if treasure.spell is None else catalog.powers[treasure.spell]
    usable = power is None or casting is not Casting.NOTHING
    cost = None
    if power is not None:
        cost = power.luck_cost if treasure.luck_cost is None else treasure.luck_cost
    rolled = power is not None and usable and bool(power.roll)
    return TreasureLine(
        id=treasure.id,
        name=treasure.name,
        kind=treasure.kind,
        count=owned[treasure.id],
        in_use=treasure.id in in_use,
        usable=usable,
        bonuses=tuple(bonus_line(bonus) for bonus in treasure.bonuses_in_use(worn_or_held=True)),
        spell=treasure.spell,
        spell_name="" if power is None else power.name,
        castings=treasure.castings,
        luck_cost=cost,
        check=f"cast-{slug_of(treasure.id)}" if rolled else None,
        text=treasure.summary,
    )
