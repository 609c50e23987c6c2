"""What lasts on fighters: the powers of their champions, and whatever powers lay on them."""

from __future__ import annotations

from services.rules.engine.content import slug_of
from services.rules.engine.effects import Duration, Effect, Until, parts, tagged
from services.rules.engine.explain import Part
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerKind
from services.rules.systems.dwarf_dice.play.state import Fighter, Table


def powers_of(who: str, champion: str, catalog: Catalog) -> tuple[Effect, ...]:
    """The powers that a fighter has by a champion; the active one until it is used (Champions and Powers).

    Args:
        who: The fighter's id.
        champion: Content id of the champion; empty where none is dealt yet.
        catalog: The content.
    """
    found = catalog.champions.get(champion)
    powers = () if found is None else (catalog.powers[found.passive], catalog.powers[found.active])
    return tuple(
        Effect(
            id=f"{who}:{slug_of(power.id)}",
            kind=power.id,
            bearer=who,
            source=who,
            lasts=Duration(Until.USED if power.kind is PowerKind.ACTIVE else Until.SCENE),
            cause=champion,
        )
        for power in powers
    )


def has(fighter: Fighter, power: str) -> bool:
    """Whether a fighter has a power now; an active one that is used is gone."""
    return any(effect.kind == power for effect in fighter.effects)


def counts_as(fighter: Fighter, tag: str, catalog: Catalog) -> bool:
    """Whether something that lasts on a fighter makes them count as something."""
    return tagged(fighter.effects, catalog.powers.entries, fighter.id, tag)


def more(fighter: Fighter, quantity: str, catalog: Catalog) -> tuple[Part, ...]:
    """What lasts on a fighter adds to one of their quantities."""
    return parts(fighter.effects, catalog.powers.entries, fighter.id, quantity)


def dice_with(fighter: Fighter, quantity: str, dice: int, catalog: Catalog) -> int:
    """So many dice with what lasts on a fighter added, and no fewer than none."""
    added = more(fighter, quantity, catalog)
    return max(0, dice + sum(part.value for part in added)) if added else dice


def lasting(state: Table) -> tuple[Effect, ...]:
    """Everything that lasts on those who still stand, clockwise by its bearers."""
    return tuple(effect for one in state.living() for effect in one.effects)
