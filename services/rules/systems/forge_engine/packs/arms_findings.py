"""Where a pack's weapons, armour, shields and adversaries differ from what the book's rules make of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.rules.engine.content import content_id
from services.rules.engine.packs import PackFinding
from services.rules.engine.problem import KeyPath
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.costing import WEAPONS, weapon_cost
from services.rules.systems.forge_engine.derived import UNARMORED_CAP, armor_cap
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentKind
from services.rules.systems.forge_engine.packs.entries import AdversaryEntry, ContentPack, WeaponEntry
from services.rules.systems.forge_engine.packs.kinds import advice, difference
from services.rules.systems.forge_engine.pools.greatest import greatest_attack
from services.rules.systems.forge_engine.stat_block import (
    attack_attribute,
    body,
    figures,
    size_of,
)

POWER_CREEP = "Custom Content / Avoiding Power Creep"
MAGIC = "Custom Content / Magic Weapons"
HEAVIEST_ARMOR = 5


def equipment_findings(pack: ContentPack, catalog: Catalog, extended: Catalog) -> Iterator[PackFinding]:
    """Differences and advice about a pack's equipment."""
    for place, weapon in enumerate(pack.weapons):
        path: KeyPath = ("weapons", place)
        yield from _costing(weapon, path)
        yield from _creep(_made(weapon.key, extended), path, catalog, extended)
        yield from _always(weapon.triggered, path)
    for place, magic in enumerate(pack.magic_weapons):
        path = ("magic_weapons", place)
        base = extended.equipment[magic.base]
        if magic.rating is not None and magic.rating > base.rating:
            yield difference(
                "magic_rating",
                "A higher rating is power creep; dice that it gives only at times are better.",
                MAGIC,
                (*path, "rating"),
                magic.rating,
                base.rating,
                f"{base.name} has rating {base.rating}",
            )
        yield from _always(magic.triggered, path)
    for place, armor in enumerate(pack.armor):
        path = ("armor", place)
        cap = armor_cap(armor.rating)
        if armor.agility_cap is not None and armor.agility_cap != cap:
            yield difference(
                "armor_agility_cap",
                "Armor of this rating has another cap of Agility.",
                "Armor [R-72]",
                (*path, "agility_cap"),
                armor.agility_cap,
                cap,
                f"{UNARMORED_CAP} less its rating",
            )
        if armor.rating > HEAVIEST_ARMOR:
            yield advice(
                "power_creep",
                f"No armor of the book is rated above {HEAVIEST_ARMOR}.",
                POWER_CREEP,
                (*path, "rating"),
                armor.rating,
            )
    for place, shield in enumerate(pack.shields):
        yield from _creep(_made(shield.key, extended), ("shields", place), catalog, extended)


def adversary_findings(pack: ContentPack, extended: Catalog) -> Iterator[PackFinding]:
    """Figures of a pack's adversaries that the rules would give otherwise; they hold as stated."""
    for place, entry in enumerate(pack.adversaries):
        yield from _adversary(entry, ("adversaries", place), extended)


def _made(key: str, extended: Catalog) -> Equipment:
    return extended.equipment[content_id(SLUG, "equipment", key)]


def _costing(entry: WeaponEntry, path: KeyPath) -> Iterator[PackFinding]:
    if entry.parts is None:
        yield advice(
            "weapon_unweighed",
            "Without its parts nobody can tell whether its cost and rating are fair.",
            WEAPONS,
            (*path, "parts"),
        )
        return
    found = weapon_cost(entry.parts)
    for field, stated, computed in (
        ("cost", entry.cost, found.cost),
        ("rating", entry.rating, found.rating),
    ):
        if stated is not None and stated != computed.value:
            yield difference(
                f"weapon_{field}_differs",
                f"The parts of the weapon come to another {field}.",
                WEAPONS,
                (*path, field),
                stated,
                computed.value,
                computed.text(),
            )


def _creep(made: Equipment, path: KeyPath, catalog: Catalog, extended: Catalog) -> Iterator[PackFinding]:
    """Whether a weapon gives more dice than anything of its kind that costs no more."""
    kind = extended.tables[made.table].kind
    cost = made.cost or 0
    rivals = [item for item in _of_kind(kind, catalog) if (item.cost or 0) <= cost]
    best = max(rivals, key=lambda item: item.rating, default=None)
    if best is not None and made.rating > best.rating:
        yield difference(
            "power_creep",
            "It gives more dice than anything of its kind that costs no more.",
            POWER_CREEP,
            (*path, "rating"),
            made.rating,
            best.rating,
            f"{best.name}: cost {best.cost}, rating {best.rating}",
        )


def _of_kind(kind: EquipmentKind, catalog: Catalog) -> Iterable[Equipment]:
    return (item for item in catalog.equipment if catalog.tables[item.table].kind is kind)


def _always(triggered: tuple[object, ...], path: KeyPath) -> Iterator[PackFinding]:
    for place, trigger in enumerate(triggered):
        limits = ("smallest", "biggest", "species", "when")
        if not any(getattr(trigger, field) for field in limits):
            yield advice(
                "trigger_always",
                "Nothing says when these dice are given, so they are a higher rating.",
                MAGIC,
                (*path, "triggered", place),
            )


def _adversary(entry: AdversaryEntry, path: KeyPath, extended: Catalog) -> Iterator[PackFinding]:
    whole = body(entry.traits, extended)
    found = figures(entry.attributes, whole, entry.armor, extended)
    for field, stated, computed in (
        ("energy", entry.energy, found.energy),
        ("health", entry.health, found.health),
        ("pd", entry.pd, found.pd),
        ("md", entry.md, found.md),
    ):
        if stated != computed.value:
            yield difference(
                "adversary_figure_differs",
                "The rules make something else of its attributes, traits and armor.",
                "Custom Content / Custom Adversaries",
                (*path, field),
                stated,
                computed.value,
                computed.text(),
            )
    for place, attack in enumerate(entry.attacks):
        attribute = attack_attribute(attack.skill, extended)
        trained = max((skill.rating for skill in entry.skills if skill.skill == attack.skill), default=0)
        greatest = greatest_attack(
            attack.cost, attack.rating, attribute, found, trained, size_of(whole, extended)
        )
        for field, stated, computed in (
            ("max_cost", attack.max_cost, greatest.cost),
            ("max_dice", attack.max_dice, greatest.dice),
        ):
            if stated != computed.value:
                yield difference(
                    "adversary_attack_differs",
                    "The greatest attack comes to something else.",
                    "Attacks / S.A.G.E. Steps",
                    (*path, "attacks", place, field),
                    stated,
                    computed.value,
                    computed.text(),
                )
