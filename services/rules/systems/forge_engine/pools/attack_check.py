"""What is wrong with a question about an attack: ids, figures, and what does not fit together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from services.rules.engine.content import Shelf
from services.rules.engine.problem import Finding, KeyPath, RuleProblem
from services.rules.systems.forge_engine.bounds import out_of_bounds
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.conditions import barred_problems
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentKind
from services.rules.systems.forge_engine.pools.attack_given import (
    AttackGiven,
    Cover,
    DefenseGiven,
    DefenseKind,
    PoolSkill,
)
from services.rules.systems.forge_engine.pools.attack_pool import EXTERNALITIES, FROM_AFAR, SAGE, is_area
from services.rules.systems.forge_engine.skills import Against
from services.rules.systems.forge_engine.stat_block import reach_of
from services.rules.systems.forge_engine.suggestions import near_ids
from services.rules.systems.forge_engine.wares import (
    FARTHEST,
    Shot,
    fire_options,
    fired_with,
    shot,
    supports,
    table_of,
)

MOST_RATING, MOST_LISTED, LONGEST_NAME = 30, 20, 80


def attack_problems(attack: AttackGiven, defense: DefenseGiven, catalog: Catalog) -> Iterator[RuleProblem]:
    """Everything that is wrong with a question about an attack."""
    yield from _attack(attack, ("attack",), catalog)
    yield from _defense(defense, ("defense",), catalog)
    yield from _together(attack, defense, catalog)


def unknown(shelf: Shelf[Any], entry_id: str, path: KeyPath, rule: str) -> RuleProblem:
    """An id that is not on a shelf, with what is near."""
    return RuleProblem(
        "id_unknown", "There is nothing of this id.", rule, path, entry_id[:200], near_ids(entry_id, shelf)
    )


def too_many(count: int, path: KeyPath, rule: str, most: int = MOST_LISTED) -> Iterator[RuleProblem]:
    """A list that is too long for a question."""
    if count > most:
        yield RuleProblem("too_many", f"There are at most {most}.", rule, path, count, most)


def _attack(attack: AttackGiven, path: KeyPath, catalog: Catalog) -> Iterator[RuleProblem]:
    numbers = {
        "attribute": (attack.attribute, 1, MOST_RATING),
        "added": (attack.added, 0, MOST_RATING),
        "cost": (attack.cost, 0, MOST_RATING),
        "rating": (attack.rating, 0, MOST_RATING),
        "extra_dice": (attack.extra_dice, -MOST_RATING, MOST_RATING),
        "extra_energy": (attack.extra_energy, 0, MOST_RATING),
    }
    yield from out_of_bounds(numbers, SAGE, path)
    if attack.attribute >= 1 and attack.added > attack.attribute:
        yield _problem(
            "added_above_attribute",
            "No more energy is added than the attribute's rating.",
            SAGE,
            (*path, "added"),
            attack.added,
            attack.attribute,
        )
    yield from _skills(attack.skills, (*path, "skills"))
    yield from listed_problems(attack.traits, catalog.traits, (*path, "traits"))
    yield from listed_problems(attack.conditions, catalog.conditions, (*path, "conditions"))
    yield from barred_problems(attack.conditions, (*path, "conditions"), catalog)
    weapon = None if attack.weapon is None else catalog.equipment.get(attack.weapon)
    if attack.weapon is not None:
        yield from _weapon(attack.weapon, (*path, "weapon"), catalog)
    yield from _spell(attack, path, catalog)
    if attack.weapon is not None and attack.spell is not None:
        yield _problem(
            "weapon_and_spell", "An attack is made with one of them.", SAGE, (*path, "spell"), attack.spell
        )
    if (attack.weapon is not None or attack.spell is not None) and (attack.cost or attack.rating):
        yield _problem(
            "figures_doubled",
            "The weapon or spell has its own cost and rating.",
            SAGE,
            (*path, "cost" if attack.cost else "rating"),
            attack.cost or attack.rating,
            0,
        )
    yield from _options(attack, weapon, path, catalog)


def _spell(attack: AttackGiven, path: KeyPath, catalog: Catalog) -> Iterator[RuleProblem]:
    if attack.spell is not None:
        spell = catalog.spells.get(attack.spell)
        if spell is None:
            yield unknown(catalog.spells, attack.spell, (*path, "spell"), "Magic Skills")
        elif spell.against not in (Against.PD, Against.MD):
            yield _problem(
                "spell_no_attack",
                f"{spell.name} is not rolled against a defense.",
                "Magic Skills",
                (*path, "spell"),
                attack.spell,
                None,
            )


def _options(
    attack: AttackGiven, weapon: Equipment | None, path: KeyPath, catalog: Catalog
) -> Iterator[RuleProblem]:
    fires = () if weapon is None else tuple(option.name for option in fire_options(catalog, weapon))
    if attack.fire and attack.fire not in fires:
        yield _problem(
            "fire_unknown",
            "The weapon has no such way of firing.",
            "Equipment [R-26]",
            (*path, "fire"),
            attack.fire[:LONGEST_NAME],
            fires,
        )
    yield from too_many(len(attack.supports), (*path, "supports"), "Equipment [R-26]")
    option = None
    if weapon is not None:
        named = next((one for one in fire_options(catalog, weapon) if one.name == attack.fire), None)
        option = fired_with(catalog, weapon, named)
    mode = None if option is None else option.mode
    known = () if weapon is None else tuple(item.name for item in supports(catalog, weapon, mode))
    for place, name in enumerate(attack.supports[:MOST_LISTED]):
        if name not in known:
            yield _problem(
                "support_unknown",
                "This steadies or sights no such shot.",
                "Equipment [R-26]",
                (*path, "supports", place),
                name[:LONGEST_NAME],
                known,
            )


def _defense(defense: DefenseGiven, path: KeyPath, catalog: Catalog) -> Iterator[RuleProblem]:
    numbers = {
        "dice": (defense.dice, 1, MOST_RATING),
        "parry": (defense.parry, 0, MOST_RATING),
        "extra_dice": (defense.extra_dice, -MOST_RATING, MOST_RATING),
        "distance": (defense.distance or 0, 0, FARTHEST),
    }
    yield from out_of_bounds(numbers, "Defenses", path)
    yield from too_many(len(defense.reactions), (*path, "reactions"), "Reactions")
    for place, reaction in enumerate(defense.reactions[:MOST_LISTED]):
        yield from out_of_bounds(
            {
                "energy": (reaction.energy, 0, MOST_RATING),
                "attribute": (reaction.attribute, 1, MOST_RATING),
                "rating": (1 if reaction.rating is None else reaction.rating, 0, MOST_RATING),
            },
            "Reactions [R-113]",
            (*path, "reactions", place),
        )
        yield from _name(reaction.name, (*path, "reactions", place, "name"))
    yield from listed_problems(defense.traits, catalog.traits, (*path, "traits"))
    yield from listed_problems(defense.conditions, catalog.conditions, (*path, "conditions"))
    if defense.shield is not None:
        shield = catalog.equipment.get(defense.shield)
        if shield is None:
            yield unknown(catalog.equipment, defense.shield, (*path, "shield"), "Shields")
        elif table_of(catalog, shield).kind is not EquipmentKind.SHIELD:
            yield _problem(
                "no_shield", f"{shield.name} is no shield.", "Shields", (*path, "shield"), defense.shield
            )
    if defense.parry_weapon is not None:
        where: KeyPath = (*path, "parry_weapon")
        yield from _weapon(defense.parry_weapon, where, catalog)
        weapon = catalog.equipment.get(defense.parry_weapon)
        if weapon is not None and table_of(catalog, weapon).kind in FROM_AFAR:
            yield _problem(
                "no_melee_weapon",
                f"One parries with a melee weapon; {weapon.name} strikes from afar.",
                "Parry",
                where,
                defense.parry_weapon,
            )


def _together(attack: AttackGiven, defense: DefenseGiven, catalog: Catalog) -> Iterator[RuleProblem]:
    spell = catalog.spells.get(attack.spell or "")
    if defense.cover is Cover.TOTAL and not is_area(attack, catalog):
        yield _problem(
            "covered",
            "Behind total cover only an area attack finds its target.",
            EXTERNALITIES,
            ("defense", "cover"),
            defense.cover.value,
            Cover.THREE_QUARTERS.value,
        )
    expected = DefenseKind.MD if spell is not None and spell.against is Against.MD else DefenseKind.PD
    if spell is not None and spell.against in (Against.PD, Against.MD) and defense.kind is not expected:
        yield _problem(
            "wrong_defense",
            f"{spell.name} is rolled against {expected.value.upper()}.",
            "Magic Skills",
            ("defense", "kind"),
            defense.kind.value,
            expected.value,
        )
    weapon = catalog.equipment.get(attack.weapon or "")
    distance = defense.distance
    if distance is None or not 0 <= distance <= FARTHEST:
        return
    if spell is not None and not spell.area and distance > max(spell.range, 5):
        yield _problem(
            "out_of_range",
            f"{spell.name} does not reach so far.",
            "Magic Skills",
            ("defense", "distance"),
            distance,
            max(spell.range, 5),
        )
    if weapon is not None:
        arm = reach_of(attack.traits, catalog)
        found = shot(catalog, weapon, distance, equipped=defense.equipped, arm=arm)
        if isinstance(found, Shot) and not found.in_range:
            yield _problem(
                "out_of_range",
                f"{weapon.name} does not reach so far.",
                "Equipment / Ranges",
                ("defense", "distance"),
                distance,
                found.farthest,
            )


def _weapon(weapon_id: str, path: KeyPath, catalog: Catalog) -> Iterator[RuleProblem]:
    weapon = catalog.equipment.get(weapon_id)
    if weapon is None:
        yield unknown(catalog.equipment, weapon_id, path, "Equipment")
    elif table_of(catalog, weapon).kind in (EquipmentKind.ARMOR, EquipmentKind.SHIELD):
        yield _problem("no_weapon", f"{weapon.name} is no weapon.", "Equipment", path, weapon_id)


def _skills(skills: tuple[PoolSkill, ...], path: KeyPath) -> Iterator[RuleProblem]:
    yield from too_many(len(skills), path, SAGE)
    for place, skill in enumerate(skills[:MOST_LISTED]):
        yield from out_of_bounds({"rating": (skill.rating, 0, MOST_RATING)}, SAGE, (*path, place))
        yield from _name(skill.name, (*path, place, "name"))


def _name(name: str, path: KeyPath) -> Iterator[RuleProblem]:
    if len(name) > LONGEST_NAME:
        yield _problem(
            "text_too_long",
            f"A name has at most {LONGEST_NAME} characters.",
            SAGE,
            path,
            len(name),
            LONGEST_NAME,
        )


def listed_problems(ids: Iterable[str], shelf: Shelf[Any], path: KeyPath) -> Iterator[RuleProblem]:
    """Ids of a list that are too many, unknown or named twice."""
    listed = tuple(ids)
    yield from too_many(len(listed), path, shelf.kind)
    for place, entry_id in enumerate(listed[:MOST_LISTED]):
        if entry_id not in shelf:
            yield unknown(shelf, entry_id, (*path, place), shelf.kind)
        elif entry_id in listed[:place]:
            yield _problem("named_twice", "This is named already.", shelf.kind, (*path, place), entry_id)


def _problem(
    code: str, message: str, rule: str, path: KeyPath, found: Finding, allowed: Finding = None
) -> RuleProblem:
    return RuleProblem(code, message, rule, path, found, allowed)
