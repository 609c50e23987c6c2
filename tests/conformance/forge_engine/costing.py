"""Answers cases of what spells and weapons cost, and of pools that are built for attacks and defences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.rules.engine.conformance import Area
from services.rules.engine.explain import Explained, Part
from services.rules.systems.forge_engine.costing import spell_cost, weapon_cost
from services.rules.systems.forge_engine.equipment import (
    WeaponEdge,
    WeaponGrip,
    WeaponParts,
    WeaponWeight,
)
from services.rules.systems.forge_engine.pools.attack_given import (
    AttackKind,
    DefenseKind,
    DefenseReaction,
    PoolSkill,
)
from services.rules.systems.forge_engine.pools.attack_pool import (
    COVER_DICE,
    EXTERNALITIES,
    INTO_MELEE,
    SAGE,
    action_pool,
    condition_dice,
    reaction_dice,
    with_externalities,
)
from services.rules.systems.forge_engine.skills import (
    SpellComponents,
    SpellDamage,
    SpellHealing,
    SpellScope,
)
from services.rules.systems.forge_engine.stat_block import body
from services.rules.systems.forge_engine.wares import INCREMENT_DICE, INSIDE_DICE, range_increments
from tests.conformance.forge_engine.reading import (
    CATALOG,
    SETTINGS,
    Answer,
    Given,
    find,
    first_of,
    squeezed,
)

_REACTIONS = {
    "dodge": ("AGI", False),
    "brace": ("STR", True),
    "suck_it_up": ("STA", True),
    "deft_movement": ("AGI", True),
    "iron_will": ("INT", True),
    "coherent_mind": ("INF", True),
    "empty_vessel": ("ACU", True),
}
"""What adds energy to a defence: the attribute it goes by, and whether a skill's rating caps it."""


def _spell_cost(given: Given) -> Answer:
    spell = find(CATALOG.spells, given["spell"])
    return {"expend": "variable" if spell.expend_more else spell.expend, "variable": spell.expend_more}


def _spell_costing(given: Given) -> Answer:
    found = spell_cost(
        SpellComponents(
            range=first_of(given, "range_ft", "range", default=0) or 0,
            area=first_of(given, "area_ft", "radius_ft", "area_radius_ft", "area", default=0) or 0,
            damage=_damage(given.get("damage")),
            healing=_healing(given.get("healing")),
            targets=_scope(given.get("targets")),
        ),
        SETTINGS,
    )
    return {"sum": float(found.sum), "expend": found.expend}


def _damage(word: str | None) -> SpellDamage | None:
    text = squeezed(word or "")
    if not text or text == "none":
        return None
    if "half" in text or "12" in text:
        return SpellDamage.HALF
    return SpellDamage.PER_DIE if "die" in text else SpellDamage.PER_SUCCESS


def _healing(word: str | None) -> SpellHealing | None:
    text = squeezed(word or "")
    if not text or text == "none":
        return None
    return SpellHealing.SINGLE if "single" in text or "one" in text else SpellHealing.MULTIPLE


def _scope(word: str | None) -> SpellScope:
    text = squeezed(word or "")
    if "select" in text or "divided" in text or "chosen" in text:
        return SpellScope.SELECTED
    return SpellScope.SIDE if any(side in text for side in ("allies", "enem", "side")) else SpellScope.ALL


def _weapon_costing(given: Given) -> Answer:
    weight = squeezed(given["weight"])
    very = weight.startswith("v")
    grip = WeaponGrip.ONE_HAND
    if first_of(given, "one_or_two_used_two", "used_two_handed", "both_hands", default=False):
        grip = WeaponGrip.BOTH_HANDS
    if first_of(given, "two_handed_only", "two_handed", default=False):
        grip = WeaponGrip.TWO_HANDED
    found = weapon_cost(
        WeaponParts(
            weight=WeaponWeight.VERY_HEAVY if very else WeaponWeight(weight),
            edge=WeaponEdge(squeezed(given.get("edge", WeaponEdge.SHARP.value))),
            grip=grip,
            thrown=bool(given.get("thrown") or given.get("drawn") or given.get("thrown_or_drawn")),
            triggered=bool(given.get("triggered")),
            ranged=bool(given.get("ranged")),
            reach=bool(given.get("reach")),
            held_energy=int(first_of(given, "held_energy", "held", default=0)),
        )
    )
    return {"cost": found.cost.value, "rating": found.rating.value}


def _sage_pool(given: Given) -> Answer:
    cost, rating = _weapon(given.get("weapon"))
    added = min(given.get("add", 0), given.get("attribute_rating", given.get("add", 0)))
    penalty, bonus = given.get("penalty_dice", 0), given.get("bonus_dice", 0)
    pool = action_pool(
        Explained.of(Part(rating, "weapon", SAGE)),
        given.get("attribute_rating", added),
        added,
        (PoolSkill(name=name, rating=value) for name, value in given.get("skills", {}).items()),
        (Part(bonus, "bonuses", EXTERNALITIES), Part(-penalty, "penalties", EXTERNALITIES)),
    )
    energy = cost + given.get("expend", 0) + added + given.get("extra_energy", 0)
    return {"pool": pool.value, "energy_used": energy, "rolled": pool.value > 0}


def _weapon(weapon: Any) -> tuple[int, int]:
    """Cost and rating of a weapon, given outright or by its name."""
    if isinstance(weapon, str):
        item = find(CATALOG.equipment, weapon)
        return item.cost or 0, item.rating
    return (weapon["cost"], weapon["rating"]) if weapon else (0, 0)


def _defense_pool(given: Given) -> Answer:
    defense = DefenseKind.MD if "MD" in given and "PD" not in given else DefenseKind.PD
    base = given[defense.value.upper()]
    pool = Explained.of(Part(base, defense.value.upper(), "Defenses"))
    pool = with_externalities(pool, _defense_parts(given, defense))
    targetable = "total" not in squeezed(str(given.get("cover", ""))) or _attack(given)[1]
    return {"pool": pool.value, "targetable": targetable}


def _defense_parts(given: Given, defense: DefenseKind) -> Iterator[Part]:
    kind, area = _attack(given)
    unaware = given.get("unaware_of_attacker", False) or not given.get("aware", True)
    for name, (attribute, trained) in _REACTIONS.items():
        energy = given.get(f"{name}_energy", given.get("energy", 0) if name in given else 0)
        rating = first_of(given, name, f"{name}_rating") if trained else None
        reaction = DefenseReaction(
            name=name, energy=energy, attribute=given.get(attribute, energy), rating=rating
        )
        dice = reaction_dice(reaction, perceives=not unaware)
        yield Part(dice, name, "Reactions")
        if name == "dodge" and dice and _base(given) <= _NIMBLE:
            yield Part(min(dice, given.get("nimble_defense", 0)), "Nimble Defense", "Nimble Defense")
    yield from _held_up(given, unaware=unaware)
    physical = defense is DefenseKind.PD
    if physical and not area:
        for trait in body(
            (find(CATALOG.traits, name).id for name in _listed(given, "size", "traits")), CATALOG
        ):
            evasion = trait.evasion if kind is not AttackKind.SPELL else 0
            yield Part(evasion + (trait.size.evasion if trait.size else 0), trait.name, "Traits")
    if physical:
        yield Part(_cover(given.get("cover")), "cover", EXTERNALITIES)
    if physical and given.get("into_melee"):
        yield Part(INTO_MELEE, "into melee", EXTERNALITIES)
    if physical and "weapon_range" in given and given.get("distance") is not None:
        least, most = given["weapon_range"]
        inside = given["distance"] < least
        yield Part(INSIDE_DICE if inside else 0, "inside its range", EXTERNALITIES)
        yield Part(INCREMENT_DICE * range_increments(most, given["distance"]), "beyond it", EXTERNALITIES)
    distance = given.get("distance", 0 if given.get("adjacent") else None)
    for name in _listed(given, "condition", "conditions", "visibility"):
        condition = find(CATALOG.conditions, name)
        dice = condition_dice(condition, defense, kind, area, distance)
        yield Part(dice, condition.name, "Conditions")
    yield Part(given.get("bonus_dice", 0), "bonuses", EXTERNALITIES)
    yield Part(-given.get("penalty_dice", 0), "penalties", EXTERNALITIES)


_NIMBLE = 2
"""Highest PD at which Nimble Defense helps."""


def _base(given: Given) -> int:
    """PD as a case gives it."""
    return int(given.get("PD", 1))


def _held_up(given: Given, *, unaware: bool) -> Iterator[Part]:
    shield = given.get("shield")
    if shield and given.get("shield_energy", shield["cost"]) >= shield["cost"]:
        yield Part(shield["rating"], "shield", "R-73")
    weapon = given.get("parry_weapon", given.get("weapon"))
    if "parry" in given and weapon and not unaware:
        cost, rating = _weapon(weapon)
        if given.get("parry_energy", cost) >= cost:
            yield Part(min(rating, given["parry"]), "Parry", "Parry")


def _attack(given: Given) -> tuple[AttackKind, bool]:
    """How the attack of a case comes, and whether it is an area attack."""
    word = squeezed(str(given.get("attack", "")))
    area = word.startswith("area") or bool(given.get("area"))
    if any(magic in word for magic in ("spell", "magic", "mental")):
        return AttackKind.SPELL, area
    ranged = "ranged" in word or "weapon_range" in given or bool(given.get("into_melee"))
    return AttackKind.RANGED if ranged or area else AttackKind.MELEE, area


def _cover(word: Any) -> int:
    text = squeezed(str(word or "none"))
    return next((dice for cover, dice in COVER_DICE.items() if squeezed(cover.value) in text), 0)


def _listed(given: Given, *keys: str) -> Iterator[str]:
    """The names that a case gives under some keys, one or several of them each."""
    for key in keys:
        found = given.get(key)
        yield from [found] if isinstance(found, str) else found or ()


AREAS: Mapping[str, Area] = {
    "spell_cost": _spell_cost,
    "spell_costing": _spell_costing,
    "weapon_costing": _weapon_costing,
    "sage_pool": _sage_pool,
    "defense_pool": _defense_pool,
}
"""Cases of costs and pools."""
