"""An attack on its way through its windows (Resolving Attacks), and its pools as a fight has them.

    Declared    the attack is declared, its energy paid: attacker, bystanders, defenders react
    Rolled      the dice lie on the table
    Hits        the successes are known
    Harmed      damage is known, and about to be dealt to one target

A skill or spell is a function for one of them, an effect or both (`rules.skills`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from services.rules.engine.effects import on
from services.rules.engine.explain import Explained, Part
from services.rules.engine.frozen import replace
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.play.arms import mounted_well
from services.rules.systems.forge_engine.play.effects import (
    added,
    condition_ids,
    effect_id,
    traits_of,
)
from services.rules.systems.forge_engine.play.ground import apart, covered, gloom, higher, threatened
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.pools.attack_given import (
    AttackGiven,
    AttackKind,
    DefenseGiven,
    DefenseKind,
    PoolSkill,
)
from services.rules.systems.forge_engine.pools.attack_pool import (
    ADJACENT,
    EXTERNALITIES,
    HIGH_GROUND,
    SAGE,
    attack_energy,
    attackers_pool,
    defenders_pool,
    with_externalities,
)
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.skills import Against, Spell
from services.rules.systems.forge_engine.wares import (
    INCREMENT_DICE,
    INSIDE_DICE,
    STEADYING,
    range_increments,
)

RANGES = "Externalities / Ranged Attacks [R-88]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """An attack.

    Attributes:
        id: Its name within the move, for its dice.
        attacker: Who attacks.
        weapon: Id of the weapon in the attacker's profile; empty for a spell.
        spell: Content id of the spell; empty for a weapon.
        targets: Whom it attacks; several for one on an area.
        added: Energy added.
        fire: Name of the fire option.
        supports: Names of what steadies or sights the weapon.
        area: Whether it falls on all in an area.
        thrown: Feet to where a bomb bursts, which count for all whom it catches; None for any other attack.
        cheaper: Energy that a skill takes off its cost (R-79).
        reaction: Whether it is made as a reaction.
        skill: Content id of the martial skill that the attack is by itself, without a weapon.
        by: Content id of the martial skill that allows it beside an action; empty for none.
        manner: Content id of the martial skill that says what its successes do in place of harm.
        shares: Dice of each target's own pool, where the action pool is split; empty where it is not.
        dice: Dice of the action pool, where energy does not say: a share, what was stored.
        free: Whether it costs nothing.
        least: Energy that a skill leaves of its cost at least.
        paired: Whether the off hand has no penalty.
        standing: Faces of the defense pool that lies on the table already; empty where it is rolled.
        words: The command that a spell gives.
        attack_parts: Dice that skills and effects add to the action pool.
        defense_parts: Dice that they add to defense pools, by target.
    """

    id: str
    attacker: str
    weapon: str = ""
    spell: str = ""
    targets: tuple[str, ...]
    added: int = 0
    fire: str = ""
    supports: tuple[str, ...] = ()
    area: bool = False
    thrown: int | None = None
    cheaper: int = 0
    reaction: bool = False
    skill: str = ""
    by: str = ""
    manner: str = ""
    shares: tuple[int, ...] = ()
    dice: int | None = None
    free: bool = False
    least: int = 0
    paired: bool = False
    standing: tuple[int, ...] = ()
    words: str = ""
    attack_parts: tuple[Part, ...] = ()
    defense_parts: tuple[tuple[str, Part], ...] = ()

    def attacking(self, *parts: Part) -> Strike:
        """The attack with further dice."""
        return replace(self, attack_parts=(*self.attack_parts, *parts)) if parts else self

    def defending(self, target: str, *parts: Part) -> Strike:
        """The attack with further dice of a defense."""
        return replace(self, defense_parts=(*self.defense_parts, *((target, part) for part in parts)))


@dataclass(frozen=True, slots=True)
class Declared:
    """An attack was declared.

    Attributes:
        strike: The attack.
        failed: Whether it comes to nothing.
        done: Who reacted to it by what that is done once: `foe-1:` and a content id.
    """

    strike: Strike
    failed: bool = False
    done: tuple[str, ...] = ()

    def with_strike(self, strike: Strike) -> Declared:
        """The window with the attack as it is now."""
        return replace(self, strike=strike)


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice of an attack lie on the table.

    Attributes:
        strike: The attack.
        action: The faces of the action pool.
        defenses: The faces of each target's defense pool.
        done: Who added dice to it by what skill: `foe-1:` and a content id.
    """

    strike: Strike
    action: tuple[int, ...]
    defenses: tuple[tuple[str, tuple[int, ...]], ...]
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hits:
    """The successes of an attack on one target are known.

    Attributes:
        strike: The attack.
        target: The target.
        successes: Successes, before conditions take any.
    """

    strike: Strike
    target: str
    successes: int


@dataclass(frozen=True, slots=True)
class Harming:
    """An attack is about to deal damage to one target.

    Attributes:
        strike: The attack.
        target: The target.
        damage: The damage, before it is hastened, halved, and resisted.
        type: Content id of the damage type.
        halvings: How often it is halved once it is hastened (R-54).
        softer: What Hard To Kill takes off in the end.
    """

    strike: Strike
    target: str
    damage: int
    type: str
    halvings: int = 0
    softer: int = 0


@dataclass(frozen=True, slots=True)
class Harmed:
    """An attack has dealt damage to one target.

    Attributes:
        strike: The attack.
        target: The target.
        damage: The damage that was taken.
        done: Who turned energy into something else by what skill: `foe-1:` and a content id.
    """

    strike: Strike
    target: str
    damage: int
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """An attack is over.

    Attributes:
        strike: The attack.
        defenses: The faces of each target's defense pool.
        done: Content ids of the skills that were used to follow it up.
    """

    strike: Strike
    defenses: tuple[tuple[str, tuple[int, ...]], ...]
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entering:
    """A combatant has stepped into the reach of others, or nearer within it.

    Attributes:
        mover: Who moves.
        foes: Whom it came nearer to.
    """

    mover: str
    foes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Leaving:
    """A combatant is about to step out of the reach of others.

    Attributes:
        mover: Who moves.
        foes: Whose reach it leaves.
        done: Who struck at it by what skill: `foe-1:` and a content id.
    """

    mover: str
    foes: tuple[str, ...] = field(default=())
    done: tuple[str, ...] = ()


def weapon_of(fight: Fight, strike: Strike) -> Weapon | None:
    """The weapon of an attack; None for a spell."""
    return fight.find(strike.attacker).weapon(strike.weapon)


def spell_of(fight: Fight, strike: Strike) -> Spell | None:
    """The spell of an attack; None for a weapon."""
    return fight.catalog.spells.get(strike.spell) if strike.spell else None


def is_melee(fight: Fight, strike: Strike) -> bool:
    """Whether an attack is made in melee."""
    if strike.skill:
        return fight.catalog.martial[strike.skill].range <= ADJACENT
    weapon = weapon_of(fight, strike)
    return weapon is not None and not weapon.from_afar


def is_martial(strike: Strike) -> bool:
    """Whether an attack is a martial one."""
    return not strike.spell


def defense_of(fight: Fight, strike: Strike) -> DefenseKind:
    """What an attack is met with."""
    if strike.skill and fight.catalog.martial[strike.skill].conditions:
        return DefenseKind.MD
    spell = spell_of(fight, strike)
    return DefenseKind.MD if spell is not None and spell.against is Against.MD else DefenseKind.PD


def attribute_of(fight: Fight, strike: Strike) -> int:
    """The rating that energy is added up to."""
    one, weapon, spell = fight.find(strike.attacker), weapon_of(fight, strike), spell_of(fight, strike)
    if weapon is not None:
        return one.profile.attributes.of(weapon.attribute)
    if strike.skill:
        return skill_energy(fight, one, strike.skill)
    assert spell is not None
    return spell_attribute(one, spell)


def skill_energy(fight: Fight, one: Combatant, skill: str) -> int:
    """The most energy that a skill which is an attack takes: the attribute's rating, or its own."""
    attribute = fight.catalog.martial[skill].energy_by
    return one.profile.rating(skill) if attribute is None else one.profile.attributes.of(attribute)


def spell_attribute(one: Combatant, spell: Spell) -> int:
    """The rating that a spell goes by."""
    return max(one.profile.attributes.of(attribute) for attribute in spell.attributes)


def action_dice(fight: Fight, strike: Strike, target: str, given: AttackGiven | None = None) -> Explained:
    """The pool of an attack on one target: `pools.attack_pool` with what the fight knows.

    `given` is the attack as pools take it, where that is put together already.
    """
    if strike.dice is not None:
        return with_externalities(
            Explained.of(Part(strike.dice, "dice of its own", SAGE)), strike.attack_parts
        )
    one, other = fight.find(strike.attacker), fight.find(target)
    weapon = weapon_of(fight, strike)
    melee = is_melee(fight, strike)
    kinds: tuple[str, ...] = ("attack", "attack_melee") if melee else ("attack", "attack_ranged")
    if weapon is not None:
        kinds = (*kinds, f"attack_{weapon.attribute.value}")
    lasting = (part for part in added(fight, one.id, *kinds) if not mounted_well(fight, one, weapon, part))
    parts = (*lasting, *strike.attack_parts)
    if melee and not strike.area and higher(fight, one, other):
        parts = (*parts, Part(HIGH_GROUND, "high ground", EXTERNALITIES))
    return attackers_pool(given or attack_given(fight, strike), fight.catalog, parts)


def defense_dice(fight: Fight, strike: Strike, target: str, given: AttackGiven | None = None) -> Explained:
    """The pool that a target meets an attack with, the same for any energy that is added to it.

    `given` is the attack as pools take it, where that is put together already.
    """
    one, other = fight.find(strike.attacker), fight.find(target)
    attack = given or attack_given(fight, strike)
    parts = (
        *_defense_parts(fight, strike, one, other),
        *(p for t, p in strike.defense_parts if t == target),
    )
    return defenders_pool(attack, _defense_given(fight, strike, one, other), fight.catalog, parts)


def energy_of(fight: Fight, strike: Strike) -> tuple[Explained, int]:
    """Energy of an attack in all, whomever it is aimed at, and what of it is expended."""
    return _priced(fight, strike, *attack_energy(attack_given(fight, strike), fight.catalog))


def _priced(fight: Fight, strike: Strike, energy: Explained, expended: int) -> tuple[Explained, int]:
    """Energy of an attack with what skills and effects add to it and take off, and what is expended."""
    if strike.free:
        return Explained(0, ()), 0
    for part in _dearer(fight, strike):
        energy = energy.plus(part.value, part.source, part.rule)
    if not strike.cheaper:
        return energy, expended
    # The skill takes off the attack's own cost, never the energy added.
    own = energy.value - expended - min(strike.added, attribute_of(fight, strike))
    saved = max(0, min(strike.cheaper, own - strike.least))
    return energy.plus(-saved, "a skill", "R-79"), expended


BANEFUL, SHROUDING = effect_id("baneful-word"), effect_id("shrouding-strike")


def _dearer(fight: Fight, strike: Strike) -> Iterator[Part]:
    """Further energy of an attack that takes in whoever spoke a Baneful Word."""
    for effect in on(fight.effects, strike.attacker, BANEFUL):
        if effect.source in strike.targets:
            yield Part(effect.amount, "Baneful Word", "Mystical Magic / Baneful Word")


def attack_given(fight: Fight, strike: Strike) -> AttackGiven:
    """An attack as its pools take it, whomever it is aimed at."""
    one, spell = fight.find(strike.attacker), spell_of(fight, strike)
    profile, weapon = one.profile, one.weapon(strike.weapon)
    if strike.skill:
        return _skill_given(fight, strike, one)
    if weapon is None:
        rating = profile.rating(strike.spell)
        name = "" if spell is None else spell.name
        return AttackGiven(
            attribute=attribute_of(fight, strike),
            added=strike.added,
            skills=(PoolSkill(name=name, rating=rating),) if rating else (),
            spell=strike.spell,
            traits=profile.traits,
            conditions=condition_ids(fight, one.id),
            extra_energy=profile.action_energy,
        )
    conditions, rating = condition_ids(fight, one.id), profile.rating(weapon.skill)
    skill = fight.catalog.martial.get(weapon.skill)
    skills = (PoolSkill(name=weapon.skill if skill is None else skill.name, rating=rating),) if rating else ()
    return AttackGiven(
        attribute=profile.attributes.of(weapon.attribute),
        added=strike.added,
        skills=skills,
        weapon=weapon.item or None,
        fire=strike.fire,
        supports=strike.supports,
        steady=not STEADYING.isdisjoint(strike.supports) or _lies(conditions),
        cost=0 if weapon.item else weapon.cost,
        rating=0 if weapon.item else weapon.rating,
        kind=AttackKind.RANGED if weapon.from_afar else AttackKind.MELEE,
        area=strike.area,
        traits=profile.traits,
        by_strength=weapon.attribute is Attribute.STRENGTH,
        conditions=conditions,
        off_hand=not strike.paired and _in_off_hand(fight, one, weapon),
        extra_energy=profile.action_energy,
    )


def _skill_given(fight: Fight, strike: Strike, one: Combatant) -> AttackGiven:
    """An attack that a martial skill is by itself: a taunt, or a blow with the shield (R-34)."""
    skill, rating = fight.catalog.martial[strike.skill], one.profile.rating(strike.skill)
    taunt = skill.energy_by is not None
    return AttackGiven(
        attribute=attribute_of(fight, strike),
        added=strike.added,
        skills=(PoolSkill(name=skill.name, rating=rating),) if taunt else (),
        cost=0 if taunt else 1,
        kind=AttackKind.RANGED if taunt else AttackKind.MELEE,
        traits=one.profile.traits,
        by_strength=not taunt,
        conditions=condition_ids(fight, one.id),
        extra_energy=one.profile.action_energy,
    )


def _lies(conditions: tuple[str, ...]) -> bool:
    return any(condition.endswith("/prone") for condition in conditions)


def _in_off_hand(fight: Fight, one: Combatant, weapon: Weapon) -> bool:
    """Whether a weapon is in the off-hand of one who is not good with both."""
    if weapon.natural or weapon.place is not Place.OFF_HAND:
        return False
    return not any(trait.ignores_off_hand for trait in traits_of(fight, one))


def _defense_given(fight: Fight, strike: Strike, one: Combatant, other: Combatant) -> DefenseGiven:
    kind, profile = defense_of(fight, strike), other.profile
    return DefenseGiven(
        dice=profile.pd if kind is DefenseKind.PD else profile.md,
        kind=kind,
        traits=profile.traits,
        conditions=condition_ids(fight, other.id),
        cover=covered(fight, one, other),
        into_melee=_into_melee(fight, strike, one, other),
        distance=apart(fight, one, other) if strike.thrown is None else strike.thrown,
        equipped=bool(strike.supports),
        perceives=not one.hidden,
    )


def _into_melee(fight: Fight, strike: Strike, one: Combatant, other: Combatant) -> bool:
    """Whether an attack from afar goes into a melee: allies of the attacker fight the target hand to hand."""
    weapon = weapon_of(fight, strike)
    if weapon is None or not weapon.from_afar or strike.area:
        return False
    allies = tuple(each for each in fight.allies(one) if not each.hidden)
    return other.life is Life.UP and threatened(fight, other, allies)


def _defense_parts(fight: Fight, strike: Strike, one: Combatant, other: Combatant) -> Iterator[Part]:
    if defense_of(fight, strike) is DefenseKind.MD:
        yield from added(fight, other.id, "md")
        return
    yield from added(fight, other.id, "pd", "pd_melee" if is_melee(fight, strike) else "pd_ranged")
    for effect in on(fight.effects, other.id, SHROUDING):
        if effect.about == one.id:
            yield Part(effect.amount, "Shrouding Strike", "Specialized Martial Skills")
    dark = 0 if strike.area else gloom(fight, one, other)
    if dark:
        yield Part(dark, "poor light", "Externalities / Visibility [R-27]")
    weapon = weapon_of(fight, strike)
    if weapon is None or weapon.item or weapon.max_range is None:
        return
    feet = apart(fight, one, other)
    if weapon.min_range is not None and feet < weapon.min_range:
        yield Part(INSIDE_DICE, "inside its range", RANGES)
    beyond = range_increments(weapon.max_range, feet)
    if beyond:
        yield Part(INCREMENT_DICE * beyond, "beyond its range", RANGES)
