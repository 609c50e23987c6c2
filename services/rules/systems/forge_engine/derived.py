"""Figures that follow from attributes, traits and armour, each with its reasons (Steps 5 to 8; I, H, Q4, Q5).

Plain arithmetic over ratings: who has them, and how they were paid for, is said elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.systems.forge_engine.attributes import LOWEST, Attribute, Attributes
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.traits import NaturalArmor, Size, Trait

UNARMORED_CAP = 7
"""Each rating of armour caps Agility one lower than this: 6 in armour 1, 2 in armour 5."""

ONE_DIE = 1
UNTRAINED_ENERGY = 1
UNTRAINED_AGILITY = 1
REGAINED = 3

ARMOR = "Equipment / Armor"
ENERGY = "Energy / Energy Pool"
PD = "Defenses / Physical Defense"
MD = "Defenses / Mental Defense"
HEALTH = "Health / Maximum Health"
SIZES = "Size Traits"
TESTS = "Attribute Tests / Resolving Attribute Tests"


@dataclass(frozen=True, slots=True, kw_only=True)
class WornArmor:
    """Armour that is worn.

    Attributes:
        cap: Highest Agility in it.
        trained: Whether Strength and Armor Training both reach its rating.
    """

    name: str
    rating: int
    cap: int
    trained: bool


@dataclass(frozen=True, slots=True)
class Hardened:
    """A trait that hardens the body."""

    name: str
    armor: NaturalArmor


def armor_cap(rating: int) -> int:
    """The highest Agility in armour of a rating."""
    return max(LOWEST, UNARMORED_CAP - rating)


def is_trained(rating: int, strength: int, training: int) -> bool:
    """Whether armour or a shield is borne easily: Strength and the training skill both reach its rating."""
    return strength >= rating and training >= rating


def agility(rating: int, armor: WornArmor | None, settings: TableSettings) -> Explained:
    """Agility as it counts in armour: capped, and one lower without training; never below 1."""
    found = Explained.of(Part(rating, "Agility", "Attributes"))
    if armor is None:
        return found

    def capped(before: Explained) -> Explained:
        return before.at_most(armor.cap, f"{armor.name} caps it at {armor.cap}", ARMOR)

    def burdened(before: Explained) -> Explained:
        if armor.trained:
            return before
        return before.plus(-UNTRAINED_AGILITY, f"{armor.name} without training", ARMOR)

    found = burdened(capped(found)) if settings.armor_penalty_after_cap else capped(burdened(found))
    return found.at_least(LOWEST, "never below 1", "Attributes")


def action_energy(armor: WornArmor | None) -> Explained:
    """Further energy for every action and reaction."""
    if armor is None or armor.trained:
        return Explained(0, ())
    return Explained.of(Part(UNTRAINED_ENERGY, f"{armor.name} without training", ARMOR))


def shield_energy(name: str, cost: int, *, trained: bool) -> Explained:
    """What using a shield costs."""
    energy = Explained.of(Part(cost, name, "Equipment / Shields"))
    return energy if trained else energy.plus(UNTRAINED_ENERGY, "without training", "Equipment / Shields")


def energy(attributes: Attributes) -> Explained:
    """Maximum energy: the three highest attributes, Agility as armour leaves it (D1, R-72)."""
    best = attributes.highest(REGAINED)
    return Explained.of(*(Part(attributes.of(one), one.label, f"{ENERGY} [R-72]") for one in best))


def mental_defense(attributes: Attributes) -> Explained:
    """The middle one of the mental attributes (B5, R-32)."""
    middle = attributes.middle_mental()
    return Explained.of(Part(attributes.of(middle), f"{middle.label}, the middle one", f"{MD} [R-32]"))


def physical_defense(
    hardened: Iterable[Hardened], armor: tuple[str, int] | None, size: Size | None
) -> Explained:
    """PD: one die, a hardened body, and what armour adds over it and at this size (R-15, R-16).

    Args:
        hardened: Traits that harden the body.
        armor: Name and rating of worn armour; None without any.
        size: How big the body is; None for one without limits.
    """
    bodies = tuple(hardened)
    found = Explained.of(Part(ONE_DIE, "everybody", PD))
    for body in bodies:
        found = found.plus(body.armor.pd, body.name, "Physical Traits [R-15]")
    if armor is None or armor[1] == 0:
        return found
    name, rating = armor
    added = Explained.of(Part(rating, name, ARMOR))
    for body in bodies:
        if rating > body.armor.pd:
            if body.armor.heavy_armor:
                added = added.plus(-body.armor.heavy_armor, f"over {body.name}", "Physical Traits [R-15]")
        elif body.armor.light_armor is not None:
            most = body.armor.light_armor
            added = added.at_most(most, f"no more than {most} over {body.name}", "Physical Traits [R-15]")
    added = added.at_least(0, "armor takes nothing away", "R-15")
    if size is not None and size.armor_most is not None:
        most = size.armor_most
        added = added.at_most(most, f"no more than {most} at this size", f"{SIZES} [R-16]")
    return found + added


def maximum_health(size_name: str, size: Size, stamina: int, traits: Iterable[Trait]) -> Explained:
    """Maximum health: by size and Stamina, which some traits raise or lower for it (H1, R-71)."""
    each = size.health_per_stamina
    times = "Stamina" if each == 1 else f"{each} times Stamina"
    found = Explained.of(
        Part(size.health, size_name, f"{SIZES}; {HEALTH}"), Part(each * stamina, times, f"{SIZES}; {HEALTH}")
    )
    for trait in traits:
        if trait.health_stamina:
            found = found.plus(each * trait.health_stamina, trait.name, f"{HEALTH} [R-71]")
    return found.at_least(1, "at least 1", HEALTH)


def attribute_test(attribute: str, rating: int, skill: str, skill_rating: int) -> Explained:
    """Dice of an attribute test out of combat: the attribute, and a skill up to its rating (C1).

    Args:
        attribute: The attribute's name.
        rating: Its rating.
        skill: The skill's name; empty for none.
        skill_rating: Its rating.
    """
    parts = [Part(rating, attribute, TESTS)]
    if skill_rating:
        parts.append(Part(skill_rating, skill or "skill", TESTS))
    if skill_rating > rating:
        parts.append(Part(rating - skill_rating, f"no more than {attribute}", TESTS))
    return Explained.of(*parts)


def combat_test(attribute: str, rating: int, skill: str, skill_rating: int, energy: int) -> Explained:
    """Dice of an attribute test in combat: energy added, up to the attribute, and a skill up to that (C2)."""
    added = min(max(energy, 0), rating)
    return Explained.of(
        Part(added, f"energy added, up to {attribute}", TESTS),
        Part(min(skill_rating, added), skill or "skill", TESTS),
    )


def walking_speed(stamina: int, armor: WornArmor | None) -> Explained:
    """Miles an hour on foot (I3, R-97)."""
    found = Explained.of(
        Part(1, "everybody", "Travel / On Foot"), Part(stamina, "Stamina", "Traveling / On Foot")
    )
    if armor is not None:
        found = found.plus(-armor.rating, armor.name, "Travel / On Foot [R-97]")
    return found.at_least(1, "at least 1", "Travel / On Foot [R-97]")


def short_rest_health(size_name: str, size: Size, stamina: int) -> Explained:
    """Health restored by a short rest (H9, R-70)."""
    found = Explained.of(Part(size.rest_per_stamina * stamina, "Stamina", "Health / Short Rest"))
    return found.plus(size.rest, size_name, f"{SIZES} [R-70]") if size.rest else found


def initiative(agility: int, rating: int) -> Explained:
    """Dice of the initiative test (E3, R-46)."""
    rule = "Combat Encounters / Initiative [R-46]"
    found = Explained.of(Part(agility, Attribute.AGILITY.label, rule))
    return found.plus(min(rating, agility), "Initiative", rule) if rating else found
