"""The pools of an attack and of the defence against it, built in the four steps of the book (S.A.G.E.; R-53).

Spend, Add, Gain, Externalities: the cost is paid and the rating gained, energy is added up to an attribute,
each skill gives dice up to its rating and the energy added, and last what helps and what hinders. What
hinders never takes the last die, and gives none to a pool without any (R-52).

`attack_pools` makes both pools of what `attack_given` asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.engine.frozen import replace
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.conditions import CONDITIONS, action_energy, barring, borne
from services.rules.systems.forge_engine.derived import shield_energy
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentKind
from services.rules.systems.forge_engine.pools.attack_given import (
    AttackGiven,
    AttackKind,
    Cover,
    DefenseGiven,
    DefenseKind,
    DefenseReaction,
    PoolSkill,
)
from services.rules.systems.forge_engine.skills import Against, Spell
from services.rules.systems.forge_engine.stat_block import body, reach_of, size_of
from services.rules.systems.forge_engine.wares import (
    STEADYING,
    Shot,
    fire_options,
    rating_of,
    shot,
    supports,
    table_of,
    weapon_use,
)
from services.rules.systems.forge_engine.world import Condition

SAGE = "Action Pools / S.A.G.E. [R-53]"
EXTERNALITIES = "Externalities [R-27]"
ADJACENT = 5
"""Feet within which a creature is adjacent."""

HIGH_GROUND, OBSTRUCTED, UNSTABLE, OFF_HAND, INTO_MELEE = 2, -2, -2, -2, 1

BY_STRENGTH = frozenset(
    (EquipmentKind.MELEE, EquipmentKind.REACH, EquipmentKind.THROWN, EquipmentKind.EXPLOSIVE)
)
"""Weapons that one attacks with by Strength; with bare hands by Strength or Agility, else by Agility (B3)."""

FROM_AFAR = frozenset(
    (EquipmentKind.PROJECTILE, EquipmentKind.THROWN, EquipmentKind.EXPLOSIVE, EquipmentKind.FIREARM)
)
"""Weapons that strike from afar and have a range."""


COVER_DICE = {Cover.NONE: 0, Cover.PARTIAL: 1, Cover.HALF: 2, Cover.THREE_QUARTERS: 3, Cover.TOTAL: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPools:
    """Both pools of an attack.

    Attributes:
        action: Dice of the attack.
        energy: Energy it takes in all, what is expended among it.
        expended: What of that is expended.
        defense: Dice it meets.
        defense_energy: Energy that the defence takes.
    """

    action: Explained
    energy: Explained
    expended: int
    defense: Explained
    defense_energy: Explained


def with_externalities(pool: Explained, helps: Iterable[Part]) -> Explained:
    """A pool with what helps, then what hinders: never below one die, and none for a pool of none."""
    parts = tuple(helps)
    for part in parts:
        if part.value > 0:
            pool = pool.plus(part.value, part.source, part.rule)
    if pool.value <= 0:
        return pool
    for part in parts:
        if part.value < 0:
            pool = pool.plus(part.value, part.source, part.rule)
    return pool.at_least(1, "one die stays", "Externalities [R-117]")


def action_pool(
    start: Explained,
    attribute: int,
    added: int,
    skills: Iterable[PoolSkill],
    externalities: Iterable[Part] = (),
    *,
    words: str = "energy added",
) -> Explained:
    """Dice of an action.

    Args:
        start: The dice of the weapon or spell.
        attribute: Rating of the attribute; more energy is not added.
        added: Energy.
        skills: Each gives as many dice as energy is added, up to its rating (B4).
        externalities: What helps and what hinders.
        words: What the energy is called among the parts.
    """
    counted = min(added, attribute)
    pool = start.plus(counted, words, SAGE) if counted else start
    for skill in skills:
        gained = min(skill.rating, counted)
        if gained:
            pool = pool.plus(gained, skill.name, SAGE)
    return with_externalities(pool, externalities)


def attack_pools(
    attack: AttackGiven,
    defense: DefenseGiven,
    catalog: Catalog,
    *,
    attack_parts: Iterable[Part] = (),
    defense_parts: Iterable[Part] = (),
) -> AttackPools:
    """Both pools. What they name must be there, and fit; `attack_problems` says whether it does.

    A target that can do nothing but end a condition has no reactions: they bring no dice and take no energy.

    Args:
        attack: The attack.
        defense: What it meets.
        catalog: The content.
        attack_parts: What a fight adds to the action pool beside that, or takes from it.
        defense_parts: The same of the defense pool.
    """
    energy, expended = attack_energy(attack, catalog)
    return AttackPools(
        action=attackers_pool(attack, catalog, attack_parts),
        energy=energy,
        expended=expended,
        defense=defenders_pool(attack, defense, catalog, defense_parts),
        defense_energy=_defense_energy(_as_able(defense, catalog), catalog),
    )


def attackers_pool(attack: AttackGiven, catalog: Catalog, further: Iterable[Part] = ()) -> Explained:
    """Dice of an attack, with what a fight adds to them or takes from them."""
    weapon = catalog.equipment.get(attack.weapon or "")
    _, start, _ = _start(attack, weapon, catalog)
    _, _, melee = _manner(attack, weapon, catalog.spells.get(attack.spell or ""), catalog)
    externalities = (*_attack_externalities(attack, weapon, melee, catalog), *further)
    return action_pool(start, attack.attribute, attack.added, attack.skills, externalities)


def defenders_pool(
    attack: AttackGiven, defense: DefenseGiven, catalog: Catalog, further: Iterable[Part] = ()
) -> Explained:
    """Dice that an attack meets, whatever energy is added to it, with what a fight adds or takes."""
    defense = _as_able(defense, catalog)
    weapon = catalog.equipment.get(attack.weapon or "")
    kind, area, melee = _manner(attack, weapon, catalog.spells.get(attack.spell or ""), catalog)
    reach = None
    if weapon is not None and defense.distance is not None:
        arm = reach_of(attack.traits, catalog)
        found = shot(catalog, weapon, defense.distance, equipped=defense.equipped, arm=arm)
        reach = found if isinstance(found, Shot) else None
    base = Explained.of(Part(defense.dice, defense.kind.value.upper(), "Defenses"))
    parts = _defense_parts(defense, kind, area, melee, reach, catalog)
    return with_externalities(base, (*parts, *further))


def _as_able(defense: DefenseGiven, catalog: Catalog) -> DefenseGiven:
    """What an attack meets, without the reactions of who can do nothing but end a condition."""
    if barring(borne(defense.conditions, catalog)) is None:
        return defense
    return replace(defense, reactions=(), shield=None, parry_weapon=None)


def attack_energy(attack: AttackGiven, catalog: Catalog) -> tuple[Explained, int]:
    """Energy of an attack in all, whomever it is aimed at, and what of it is expended."""
    cost, _, expended = _start(attack, catalog.equipment.get(attack.weapon or ""), catalog)
    return _energy(attack, cost, catalog), expended


def _energy(attack: AttackGiven, cost: Explained, catalog: Catalog) -> Explained:
    """Energy of an attack in all: its cost, what is added, what every action costs more."""
    counted = min(attack.added, attack.attribute)
    energy = cost.plus(counted, "energy added", SAGE) if counted else cost
    for part in action_energy(borne(attack.conditions, catalog)):
        energy = energy.plus(part.value, part.source, part.rule)
    return energy.plus(attack.extra_energy, "other", "R-121") if attack.extra_energy else energy


def is_area(attack: AttackGiven, catalog: Catalog) -> bool:
    """Whether an attack falls on all in an area, as those of explosives always do."""
    spell = catalog.spells.get(attack.spell or "")
    weapon = catalog.equipment.get(attack.weapon or "")
    if weapon is not None:
        return attack.area or table_of(catalog, weapon).blast_feet is not None
    return attack.area if spell is None else spell.area is not None


def is_touch(spell: Spell) -> bool:
    """Whether a spell is a melee attack: it strikes the body of an adjacent target, and no other."""
    return spell.against is Against.PD and spell.area is None and spell.range <= ADJACENT


def _manner(
    attack: AttackGiven, weapon: Equipment | None, spell: Spell | None, catalog: Catalog
) -> tuple[AttackKind, bool, bool]:
    """How an attack comes, whether it is an area attack, and whether it is made in melee."""
    area = is_area(attack, catalog)
    if weapon is not None:
        afar = table_of(catalog, weapon).kind in FROM_AFAR
        return AttackKind.RANGED if afar else AttackKind.MELEE, area, not afar
    if spell is not None:
        return AttackKind.SPELL, area, is_touch(spell)
    return attack.kind, area, attack.kind is AttackKind.MELEE


def _start(
    attack: AttackGiven, weapon: Equipment | None, catalog: Catalog
) -> tuple[Explained, Explained, int]:
    """Energy that the attack costs, dice that it starts with, and what is expended."""
    if weapon is not None:
        options = fire_options(catalog, weapon) if attack.fire else ()
        option = next((one for one in options if one.name == attack.fire), None)
        steady = attack.steady or not STEADYING.isdisjoint(attack.supports)
        use = weapon_use(catalog, catalog.settings, weapon, option, steady=steady)
        return use.energy, use.dice, 0
    spell = catalog.spells.get(attack.spell or "")
    if spell is not None:
        expend = Explained.of(Part(spell.expend, f"{spell.name}, expended", spell.name))
        return expend, Explained(0, ()), spell.expend
    return (
        Explained.of(Part(attack.cost, "cost", SAGE)),
        Explained.of(Part(attack.rating, "rating", SAGE)),
        0,
    )


def _attack_externalities(
    attack: AttackGiven, weapon: Equipment | None, melee: bool, catalog: Catalog
) -> Iterator[Part]:
    by_strength = attack.by_strength
    if weapon is not None:
        by_strength = by_strength or table_of(catalog, weapon).kind in BY_STRENGTH
        for support in supports(catalog, weapon) if attack.supports else ():
            if support.name in attack.supports:
                yield Part(support.dice, support.name, "Equipment [R-26]")
    strength_dice = size_of(body(attack.traits, catalog), catalog).strength_dice if by_strength else 0
    if strength_dice:
        yield Part(strength_dice, "size", "Size Traits [R-16]")
    for holds, dice, source in (
        (attack.high_ground and melee, HIGH_GROUND, "high ground"),
        (attack.obstructed and melee, OBSTRUCTED, "obstructed"),
        (attack.unstable, UNSTABLE, "unstable"),
        (attack.off_hand, OFF_HAND, "off hand"),
    ):
        if holds:
            yield Part(dice, source, EXTERNALITIES)
    for condition in borne(attack.conditions, catalog):
        dice = condition.attack + condition.sight_tests + (condition.attack_melee if melee else 0)
        if dice:
            yield Part(dice, condition.name, CONDITIONS)
    if attack.extra_dice:
        yield Part(attack.extra_dice, "other", EXTERNALITIES)


def _defense_parts(
    defense: DefenseGiven, kind: AttackKind, area: bool, melee: bool, reach: Shot | None, catalog: Catalog
) -> Iterator[Part]:
    physical = defense.kind is DefenseKind.PD
    for reaction in defense.reactions:
        if (counted := reaction_dice(reaction, perceives=defense.perceives)) > 0:
            yield Part(counted, reaction.name, "Reactions [R-113]")
    yield from _held_up(defense, catalog)
    if physical and not area:
        for trait in body(defense.traits, catalog):
            evasion = trait.size.evasion if trait.size is not None else 0
            if kind is not AttackKind.SPELL:
                evasion += trait.evasion
            if evasion:
                yield Part(evasion, trait.name, "Traits [R-16]")
    if physical and COVER_DICE[defense.cover]:
        # Cover helps against area attacks too; only total cover keeps any other attack out.
        yield Part(COVER_DICE[defense.cover], f"{defense.cover.value} cover", EXTERNALITIES)
    if physical and defense.into_melee and not melee:
        yield Part(INTO_MELEE, "shot into melee", EXTERNALITIES)
    if physical and reach is not None and reach.pd_dice:
        yield Part(reach.pd_dice, "inside its range" if reach.inside else "beyond its range", "R-27, R-88")
    for condition in borne(defense.conditions, catalog):
        dice = condition_dice(condition, defense.kind, kind, area, defense.distance, melee=melee)
        if dice:
            yield Part(dice, condition.name, CONDITIONS)
    if defense.extra_dice:
        yield Part(defense.extra_dice, "other", EXTERNALITIES)


def reaction_dice(reaction: DefenseReaction, *, perceives: bool) -> int:
    """Dice that energy added to a defence gives: no more than attribute and skill (R-112, R-113)."""
    if reaction.needs_sight and not perceives:
        return 0
    most = reaction.attribute if reaction.rating is None else min(reaction.attribute, reaction.rating)
    return min(reaction.energy, most)


def condition_dice(
    condition: Condition,
    defense: DefenseKind,
    kind: AttackKind,
    area: bool,
    distance: int | None,
    *,
    melee: bool | None = None,
) -> int:
    """Dice that a condition gives to a defence, or takes from it.

    Whether an attack is made in `melee`, as spells of touch are, its kind says unless it is given.
    """
    dice = condition.defense + (0 if area else condition.defense_non_area)
    if defense is DefenseKind.MD:
        return dice
    dice += condition.pd
    if melee is None:
        melee = kind is AttackKind.MELEE
    if melee:
        dice += condition.pd_melee
    elif distance is None or distance > ADJACENT:
        dice += condition.pd_ranged
    return dice + (condition.pd_martial if kind is not AttackKind.SPELL else 0)


def _held_up(defense: DefenseGiven, catalog: Catalog) -> Iterator[Part]:
    """Shield and parrying weapon; both turn what is aimed at the body."""
    if defense.kind is not DefenseKind.PD:
        return
    shield = catalog.equipment.get(defense.shield or "")
    if shield is not None:
        yield Part(shield.rating, shield.name, "Shield Training [R-73]")
    weapon = catalog.equipment.get(defense.parry_weapon or "")
    if weapon is not None and defense.perceives and defense.parry:
        yield Part(min(rating_of(catalog.settings, weapon), defense.parry), f"Parry, {weapon.name}", "Parry")


def _defense_energy(defense: DefenseGiven, catalog: Catalog) -> Explained:
    energy, uses = Explained(0, ()), 0
    for reaction in defense.reactions:
        if counted := reaction_dice(reaction, perceives=defense.perceives):
            energy, uses = energy.plus(counted, reaction.name, "Reactions"), uses + 1
    physical, shield = defense.kind is DefenseKind.PD, catalog.equipment.get(defense.shield or "")
    if shield is not None and physical and not defense.shield_up:
        cost = shield_energy(shield.name, shield.cost or 0, trained=defense.shield_trained)
        energy, uses = energy + cost, uses + 1
    weapon = catalog.equipment.get(defense.parry_weapon or "")
    if weapon is not None and physical and defense.perceives and defense.parry:
        energy, uses = energy.plus(weapon.cost or 0, f"Parry, {weapon.name}", "Parry"), uses + 1
    for part in action_energy(borne(defense.conditions, catalog)) if uses else ():
        times = part.source if uses == 1 else f"{part.source}, {uses} times"
        energy = energy.plus(part.value * uses, times, part.rule)
    return energy
