"""Puts a pack beside the book: its entries as entries of the catalogue, on the catalogue's shelves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar, cast

from services.rules.engine.content import Shelf, content_id
from services.rules.engine.problem import KeyPath
from services.rules.systems.forge_engine.attributes import MENTAL
from services.rules.systems.forge_engine.bestiary import Adversary, Confidence
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.costing import (
    AREA_STEPS,
    RANGE_STEPS,
    components_of,
    spell_cost,
    weapon_cost,
)
from services.rules.systems.forge_engine.derived import armor_cap
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentTable, WeaponGrip
from services.rules.systems.forge_engine.packs.entries import (
    AdversaryEntry,
    ArmorEntry,
    ContentPack,
    DamageEntry,
    MagicWeaponEntry,
    SchoolEntry,
    ShieldEntry,
    SpellEntry,
    WeaponEntry,
)
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.skills import (
    Benefit,
    GeneralSkill,
    MartialSkill,
    School,
    Spell,
    SpellComponents,
)
from services.rules.systems.forge_engine.traits import DamageResponse, Response, Trait, TraitCategory
from services.rules.systems.forge_engine.world import Condition, DamageType

RESISTANT_CP, PROOF_CP, VULNERABLE_CP = 4, 10, -1
"""What damage traits cost (Damage Traits; Custom Content / Damage Traits)."""

CASTER_CP = 2
"""What a trait that opens a school costs (Custom Magic Traits)."""

EntryT = TypeVar("EntryT")


@dataclass(frozen=True, slots=True)
class Added:
    """One thing that a pack adds.

    Attributes:
        kind: Kind of its content id.
        id: Content id.
        path: Where in the pack it comes from; for what comes along with an entry, its field or the entry.
        entry: As the catalogue has it.
    """

    kind: str
    id: str
    path: KeyPath
    entry: Any


def added(pack: ContentPack, catalog: Catalog) -> tuple[Added, ...]:
    """Everything a pack adds to some content, in the order of the pack. Any pack has such a form."""
    settings = settings_under(pack, catalog)
    schools = {_id("school", entry.key): entry.attribute for entry in pack.schools}
    weapons = {
        _id("equipment", entry.key): _weapon(entry, _id("equipment", entry.key), catalog, pack)
        for entry in pack.weapons
    }
    found: list[Added] = []

    def put(kind: str, key: str, path: KeyPath, entry: Any) -> None:
        found.append(Added(kind, _id(kind, key), path, entry))

    for place, damage in enumerate(pack.damage):
        path: KeyPath = ("damage", place)
        put("damage", damage.key, path, _as(DamageType, damage))
        if damage.traits:
            found += [Added("trait", trait.id, (*path, "traits"), trait) for trait in damage_traits(damage)]
    found += _conditions(pack)
    for place, entry in enumerate(pack.traits):
        put("trait", entry.key, ("traits", place), _as(Trait, entry))
    for place, skill in enumerate(pack.skills):
        put("skill", skill.key, ("skills", place), _as(GeneralSkill, skill))
    for place, martial in enumerate(pack.martial):
        benefit = martial.benefit or Benefit.DIE_PER_ENERGY
        put("martial", martial.key, ("martial", place), _as(MartialSkill, martial, benefit=benefit))
    for place, school in enumerate(pack.schools):
        path = ("schools", place)
        trait = caster_trait(school)
        put("school", school.key, path, _as(School, school, trait=trait.id))
        found.append(Added("trait", trait.id, (*path, "trait_key"), trait))
    for place, spell in enumerate(pack.spells):
        book = catalog.schools.get(spell.school or "")
        attribute = schools.get(spell.school or "") or (None if book is None else book.attribute)
        made = _spell(spell, settings, MENTAL if attribute is None else (attribute,))
        put("spell", spell.key, ("spells", place), made)
    for place, table in enumerate(pack.tables):
        put("equipment_table", table.key, ("tables", place), _as(EquipmentTable, table))
    for place, weapon in enumerate(pack.weapons):
        put("equipment", weapon.key, ("weapons", place), weapons[_id("equipment", weapon.key)])
    for place, magic in enumerate(pack.magic_weapons):
        # Without one the reference is broken: the check names it, and nobody sees what is made here.
        base = weapons.get(magic.base) or catalog.equipment.get(magic.base) or next(iter(catalog.equipment))
        put("equipment", magic.key, ("magic_weapons", place), _magic_weapon(magic, base))
    for place, armor in enumerate(pack.armor):
        put("equipment", armor.key, ("armor", place), _armor(armor, catalog, pack))
    for place, shield in enumerate(pack.shields):
        put("equipment", shield.key, ("shields", place), _shield(shield, catalog, pack))
    return (*found, *_adversaries(pack))


def _conditions(pack: ContentPack) -> Iterator[Added]:
    for place, entry in enumerate(pack.conditions):
        made = _as(Condition, entry)
        yield Added("condition", made.id, ("conditions", place), made)


def _adversaries(pack: ContentPack) -> Iterator[Added]:
    for place, entry in enumerate(pack.adversaries):
        made = _adversary(entry)
        yield Added("adversary", made.id, ("adversaries", place), made)


def _adversary(entry: AdversaryEntry) -> Adversary:
    title = entry.title or entry.name
    attacks = tuple(replace(attack, assumed=False) for attack in entry.attacks)
    return _as(Adversary, entry, title=title, attacks=attacks, confidence=Confidence.CERTAIN)


def extend(catalog: Catalog, pack: ContentPack) -> Catalog:
    """The content with a pack in it: its entries on the shelves, its genre's and its own rules in force."""
    return put_in(catalog, pack, added(pack, catalog))


def put_in(catalog: Catalog, pack: ContentPack, things: Sequence[Added]) -> Catalog:
    """The same, where what the pack adds is known already (`added`)."""
    return replace(
        catalog,
        settings=settings_under(pack, catalog),
        damage=_with(catalog.damage, things),
        conditions=_with(catalog.conditions, things),
        traits=_with(catalog.traits, things),
        skills=_with(catalog.skills, things),
        martial=_with(catalog.martial, things),
        schools=_with(catalog.schools, things),
        spells=_with(catalog.spells, things),
        tables=_with(catalog.tables, things),
        equipment=_with(catalog.equipment, things),
        adversaries=_with(catalog.adversaries, things),
    )


def settings_under(pack: ContentPack, catalog: Catalog) -> TableSettings:
    """The settings under the genre's rules, then the pack's; what the genre adds is in play either way."""
    settings = catalog.settings
    genre = catalog.genres.get(pack.genre) if pack.genre is not None else None
    if genre is not None and genre.rules is not None:
        settings = settings.under(genre.rules)
    if pack.rules is not None:
        settings = settings.under(pack.rules)
    if genre is not None and genre.adds:
        options = (*settings.options, *(item for item in genre.adds if item not in settings.options))
        settings = replace(settings, options=options)
    return settings


def damage_traits(entry: DamageEntry) -> tuple[Trait, Trait]:
    """The resistance and the immunity that come along with a damage type."""
    damage = _id("damage", entry.key)
    resistant, proof = _id("trait", f"{entry.key}-resistant"), _id("trait", f"{entry.key}-proof")
    return (
        Trait(
            id=resistant,
            name=f"{entry.name} Resistant",
            category=TraitCategory.DAMAGE,
            cp=RESISTANT_CP,
            summary=f"You take half damage from {entry.name.lower()}, rounded up.",
            against=(proof,),
            damage=DamageResponse(damage=damage, response=Response.RESISTANT),
        ),
        Trait(
            id=proof,
            name=f"{entry.name} Proof",
            category=TraitCategory.DAMAGE,
            cp=PROOF_CP,
            summary=f"You take no damage from {entry.name.lower()}.",
            against=(resistant,),
            damage=DamageResponse(damage=damage, response=Response.IMMUNE),
        ),
    )


def caster_trait(entry: SchoolEntry) -> Trait:
    """The trait that comes along with a school."""
    return Trait(
        id=_id("trait", entry.trait_key or f"{entry.key}-caster"),
        name=entry.trait_name or f"{entry.name} Caster",
        category=TraitCategory.MAGIC,
        cp=entry.trait_cp,
        summary=entry.trait_summary or f"You can train {entry.name} spells and cantrips.",
        later=True,
        school=_id("school", entry.key),
    )


def spell_parts(entry: SpellEntry) -> SpellComponents:
    """The parts that a spell's cost is counted from."""
    return entry.components or components_of(
        entry.range, entry.area, entry.damage, entry.healing, entry.targets
    )


def priced(parts: SpellComponents) -> bool:
    """Whether the costing table has columns for a spell's range and area."""
    return parts.range <= RANGE_STEPS[-1][0] and parts.area <= AREA_STEPS[-1][0]


def _spell(entry: SpellEntry, settings: TableSettings, attributes: tuple[Any, ...]) -> Spell:
    parts = spell_parts(entry)
    computed = spell_cost(parts, settings).expend if priced(parts) else 0
    expend = computed if entry.expend is None else entry.expend
    return _as(Spell, entry, attributes=attributes, expend=expend, components=parts)


def _weapon(entry: WeaponEntry, equipment_id: str, catalog: Catalog, pack: ContentPack) -> Equipment:
    cost, rating, hands = entry.cost, entry.rating, entry.hands
    if entry.parts is not None:
        computed = weapon_cost(entry.parts)
        cost = computed.cost.value if cost is None else cost
        rating = computed.rating.value if rating is None else rating
        if hands is None:
            hands = 1 if entry.parts.grip is WeaponGrip.ONE_HAND else 2
    return _as(
        Equipment,
        entry,
        id=equipment_id,
        printed=entry.name,
        era=_table(entry.table, catalog, pack).era,
        cost=cost or 0,
        rating=rating or 0,
        hands=1 if hands is None else hands,
    )


def _magic_weapon(entry: MagicWeaponEntry, base: Equipment) -> Equipment:
    return replace(
        base,
        id=_id("equipment", entry.key),
        name=entry.name,
        printed=entry.name,
        summary=entry.summary,
        rating=base.rating if entry.rating is None else entry.rating,
        triggered=(*base.triggered, *entry.triggered),
        parts=None,
    )


def _armor(entry: ArmorEntry, catalog: Catalog, pack: ContentPack) -> Equipment:
    cap = armor_cap(entry.rating) if entry.agility_cap is None else entry.agility_cap
    era = _table(entry.table, catalog, pack).era
    return _as(Equipment, entry, printed=entry.name, era=era, agility_cap=cap, hands=0)


def _shield(entry: ShieldEntry, catalog: Catalog, pack: ContentPack) -> Equipment:
    return _as(Equipment, entry, printed=entry.name, era=_table(entry.table, catalog, pack).era)


def _table(table: str, catalog: Catalog, pack: ContentPack) -> EquipmentTable:
    found = catalog.tables.get(table)
    own = (entry for entry in pack.tables if _id("equipment_table", entry.key) == table)
    if found is None and (entry := next(own, None)) is not None:
        found = _as(EquipmentTable, entry)
    # As for a magic weapon without the weapon it is.
    return found or next(iter(catalog.tables))


_KINDS: dict[type[Any], str] = {
    Adversary: "adversary",
    Condition: "condition",
    DamageType: "damage",
    Equipment: "equipment",
    EquipmentTable: "equipment_table",
    GeneralSkill: "skill",
    MartialSkill: "martial",
    School: "school",
    Spell: "spell",
    Trait: "trait",
}


def _as(made: type[EntryT], entry: Any, **given: Any) -> EntryT:
    """An entry of the catalogue out of one of a pack: equal fields are taken over, others are given."""
    there = {item.name for item in fields(entry)}
    values = {item.name: getattr(entry, item.name) for item in fields(cast(Any, made)) if item.name in there}
    return made(**{"id": _id(_KINDS[made], entry.key), **values, **given})


def _with(shelf: Shelf[EntryT], things: Iterable[Added]) -> Shelf[EntryT]:
    more = dict(_of_kind(shelf.kind, things))
    if not more:
        return shelf
    return replace(shelf, entries=MappingProxyType({**shelf.entries, **more}))


def _of_kind(kind: str, things: Iterable[Added]) -> Iterator[tuple[str, Any]]:
    return ((thing.id, thing.entry) for thing in things if thing.kind == kind)


def _id(kind: str, key: str) -> str:
    return content_id(SLUG, kind, key)
