"""Bonus dice as they are just now: of one's own, of what is worn, and of what is in hand (Bonus Dice; Stuff).

What a thing lends goes and comes with the thing. What stays is kept with its owner (`Being.bonuses`): the
dice of a role and of rewards, of a robe or a ring, and of a familiar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bonuses import Bonus
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.checks import bonuses_of_gear
from services.rules.systems.dungeonteller.hazards import Climate, cold_loss
from services.rules.systems.dungeonteller.play.state import Being, Creature, EffectKind, Scene, Thing
from services.rules.systems.dungeonteller.sheet import HeroSheet
from services.rules.systems.dungeonteller.things import Gear, TreasureKind


def bonus_dice(scene: Scene, catalog: Catalog, being: Being) -> tuple[Bonus, ...]:
    """Bonus dice a being has just now, but for those whose magic sleeps (More Wizard Powers / Undo Magic).

    A scene of earlier days has the dice of the things a hero came with among their own: they count once.
    """
    owner = scene.being(being.leader) if being.creature is Creature.EYE else None
    if owner is not None:
        # An eye sees with its owner's Notice (More Wizard Powers / Eye).
        return tuple(bonus for bonus in bonus_dice(scene, catalog, owner) if bonus.action is Action.NOTICE)
    sleeping = frozenset(effect.about for effect in scene.effects_on(being.id, EffectKind.SUPPRESSED))
    own = being.bonuses
    if sleeping:
        own = tuple(bonus for bonus in own if bonus.rule not in sleeping)
    lent = dict.fromkeys(_of_things(scene, catalog, being, sleeping))
    return (*own, *(bonus for bonus in lent if bonus not in own)) if lent else own


def lasting_bonuses(sheet: HeroSheet, catalog: Catalog) -> tuple[Bonus, ...]:
    """The bonus dice of a hero's card that stay whatever they hold."""
    lent = {
        bonus
        for line in sheet.treasures
        if line.kind is not TreasureKind.WORN
        for worn_or_held in (True, False)
        for bonus in catalog.treasures[line.id].bonuses_in_use(worn_or_held=worn_or_held)
    }
    return tuple(bonus for bonus in sheet.bonuses if bonus not in lent)


def warmest(catalog: Catalog, climate: Climate, items: Iterable[str]) -> Gear | None:
    """What a being with these things wears against the cold; nothing where it is not cold.

    Args:
        catalog: The content.
        climate: How cold it is.
        items: Content ids of what they carry.
    """
    if climate is Climate.MILD:
        return None
    owned = (catalog.gear[item] for item in items if item in catalog.gear)
    warm = (gear for gear in owned if gear.cold_loss is not None)
    return min(warm, key=lambda gear: cold_loss(climate, 1, gear), default=None)


def _of_things(scene: Scene, catalog: Catalog, being: Being, sleeping: frozenset[str]) -> Iterator[Bonus]:
    """Dice of magic in hand, of the armour worn, and of warm clothes, which take dice."""
    for arm in being.arms:
        treasure = None if arm.natural or arm.id in sleeping else catalog.treasures.get(arm.item)
        if treasure is not None:
            yield from treasure.bonuses_in_use(worn_or_held=arm.held)
    armor = None if being.worn in sleeping else catalog.treasures.get(being.worn)
    if armor is not None:
        yield from armor.bonuses_in_use(worn_or_held=True)
    if being.hero and scene.field.climate is not Climate.MILD:
        carried = (thing.item for thing in scene.things if thing.holder == being.id)
        warm = warmest(catalog, scene.field.climate, carried)
        yield from bonuses_of_gear(catalog, () if warm is None else (warm.id,))


def carried_items(being: Being, things: tuple[Thing, ...]) -> Counter[str]:
    """What a being carries: how many of each content id."""
    found: Counter[str] = Counter(arm.item for arm in being.arms if not arm.natural)
    for thing in things:
        if thing.holder == being.id and thing.item:
            found[thing.item] += thing.count
    return found
