"""The book's rules for what a table makes itself (Custom Content), as far as they can be broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from services.rules.engine.content import content_id
from services.rules.engine.problem import Finding, KeyPath, RuleProblem
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.packs.arms_design import equipment_problems
from services.rules.systems.forge_engine.packs.entries import (
    AdversaryEntry,
    ContentPack,
    MartialEntry,
    Recovery,
    SkillEntry,
    SpellEntry,
    TraitEntry,
)
from services.rules.systems.forge_engine.packs.shelves import priced, settings_under, spell_parts
from services.rules.systems.forge_engine.skills import Against, AreaShape, MartialKind
from services.rules.systems.forge_engine.traits import Species, Trait, TraitCategory

PREREQUISITES = "Custom Content / No Prerequisites"
RATINGS = "Custom Content / Meaningful Skill Ratings"
SACROSANCT = "Custom Content / Expended Energy is Sacrosanct"
TRAITS, SPECIES = "Custom Content / Custom Traits", "Custom Content / Example Custom Species Traits"
SPELLS = "Custom Content / Custom Magic Spell Skills"

EVERY_RATING = 5
"""Up to this rating at least a skill must be of use, and higher ones too."""

MOST_CONDITIONS = 2
"""One for 1 or 2 successes, one for 3 or more."""

_PAYLOADS = {
    TraitCategory.SPECIES: "species",
    TraitCategory.SIZE: "size",
    TraitCategory.ATTRIBUTE: "trend",
    TraitCategory.DAMAGE: "damage",
    TraitCategory.MAGIC: "school",
}
"""What traits of a category are about; they must have it, and only they do."""


class _Recovering(Protocol):
    @property
    def recovers(self) -> tuple[Recovery, ...]: ...


def design_problems(pack: ContentPack, extended: Catalog) -> Iterator[RuleProblem]:
    """What in a pack the book's design rules forbid, in its order but for the cycles among species."""
    yield from rules_problems(pack, extended)
    for place, trait in enumerate(pack.traits):
        yield from _trait(trait, ("traits", place), extended)
    for place, skill in enumerate(pack.skills):
        path: KeyPath = ("skills", place)
        yield from _requires(skill.requires, path)
        yield from _ratings(skill.most_rating, path)
        yield from _recovers(skill, path)
        yield from _skill(skill, path)
    for place, martial in enumerate(pack.martial):
        path = ("martial", place)
        yield from _requires(martial.requires, path)
        yield from _ratings(martial.most_rating, path)
        yield from _recovers(martial, path)
        yield from _martial(martial, path)
    for place, spell in enumerate(pack.spells):
        path = ("spells", place)
        yield from _ratings(spell.most_rating, path)
        yield from _recovers(spell, path)
        yield from _spell(spell, path)
    for place, weapon in enumerate(pack.weapons):
        yield from _recovers(weapon, ("weapons", place))
    for place, magic in enumerate(pack.magic_weapons):
        yield from _recovers(magic, ("magic_weapons", place))
    yield from equipment_problems(pack, extended)
    for place, adversary in enumerate(pack.adversaries):
        yield from _adversary(adversary, ("adversaries", place), extended)
    yield from _cycles(pack, extended)


def rules_problems(pack: ContentPack, extended: Catalog) -> Iterator[RuleProblem]:
    """House rules that cannot hold together."""
    if pack.rules is None:
        return
    settings = settings_under(pack, extended)
    if settings.general_cp > settings.skill_cp:
        yield RuleProblem(
            "general_above_all",
            "No more CP must go to general skills than there are for skills.",
            "Character Creation [R1]",
            ("rules", "general_cp"),
            settings.general_cp,
            settings.skill_cp,
        )
    if settings.encounter_easy > settings.encounter_hard:
        yield RuleProblem(
            "encounter_bands_crossed",
            "An encounter is easy below a lower share than it is hard above.",
            "Combat Encounter Design [R-99]",
            ("rules", "encounter_easy"),
            settings.encounter_easy,
            settings.encounter_hard,
        )
    if not settings.eras:
        yield RuleProblem(
            "no_era", "Some equipment is in play.", "Equipment Compatibility", ("rules", "eras"), (), None
        )


def _trait(entry: TraitEntry, path: KeyPath, extended: Catalog) -> Iterator[RuleProblem]:
    yield from _requires(entry.requires, path)
    yield from _recovers(entry, path)
    for category, field in _PAYLOADS.items():
        there = getattr(entry, field) is not None
        if there != (entry.category is category):
            words = f"needs its {field}" if not there else f"is no place for a {field}"
            yield RuleProblem(
                "trait_category",
                f"A trait of the category {entry.category.value} {words}.",
                TRAITS,
                (*path, field),
                entry.category.value,
                category.value,
            )
    if entry.trend is not None and entry.trend.step_cp == 0:
        yield _zero((*path, "trend", "step_cp"), "An attribute trait changes the price of a step.")
    if entry.species is not None:
        yield from _species(entry.species, (*path, "species"), extended)
    for place, other in enumerate(entry.against):
        if other.partition("/")[2] == entry.key:
            yield RuleProblem(
                "against_itself", "No trait bars itself.", TRAITS, (*path, "against", place), other
            )


def _species(species: Species, path: KeyPath, extended: Catalog) -> Iterator[RuleProblem]:
    sizes = [trait for trait in _traits(species.includes, extended) if trait.size is not None]
    if len(sizes) != 1:
        yield RuleProblem(
            "species_one_size",
            "A species bundles exactly one size.",
            "Species Traits [R-106]",
            (*path, "includes"),
            tuple(trait.id for trait in sizes),
            1,
        )
    for place, times in _doubled(species.includes):
        yield _double((*path, "includes", place), times)
    bundled = set(species.includes)
    for index, choice in enumerate(species.choices):
        where: KeyPath = (*path, "choices", index)
        for place, times in _doubled(choice.of):
            yield _double((*where, "of", place), times)
        if len(set(choice.of)) < choice.take:
            yield RuleProblem(
                "choice_too_small",
                "There is less to choose from than must be taken.",
                "Species Traits [R4]",
                (*where, "of"),
                len(set(choice.of)),
                choice.take,
            )
        for place, trait_id in enumerate(choice.of):
            if trait_id in bundled:
                yield _double((*where, "of", place), trait_id)
        for trait in _traits(choice.of, extended):
            if trait.size is not None:
                yield RuleProblem(
                    "size_chosen", "The size of a species is no choice.", SPECIES, (*where, "of"), trait.id
                )


def _skill(entry: SkillEntry, path: KeyPath) -> Iterator[RuleProblem]:
    if not entry.attributes:
        yield RuleProblem(
            "skill_unlinked",
            "A general skill goes with an attribute.",
            "Custom Content / Custom General Skills",
            (*path, "attributes"),
            (),
            tuple(attribute.value for attribute in Attribute),
        )
    if entry.fields and not entry.by_field:
        yield RuleProblem(
            "skill_field",
            "Only a skill that is learned by field has fields.",
            "General Skills",
            (*path, "fields"),
            entry.fields,
            (),
        )


def _martial(entry: MartialEntry, path: KeyPath) -> Iterator[RuleProblem]:
    if entry.benefit is None:
        yield RuleProblem(
            "rating_meaningless",
            "Say what each rating of the skill is good for.",
            RATINGS,
            (*path, "benefit"),
            None,
            "die-per-energy, uses-per-round, targets ...",
        )
    basic = entry.kind is MartialKind.BASIC
    if basic != (entry.attribute is not None):
        words = (
            "A basic martial skill goes by an attribute."
            if basic
            else "A specialized martial skill goes by no attribute of its own."
        )
        found = None if entry.attribute is None else entry.attribute.value
        yield RuleProblem("martial_attribute", words, "Skills [R3]", (*path, "attribute"), found)


def _spell(entry: SpellEntry, path: KeyPath) -> Iterator[RuleProblem]:
    if (entry.damage is None) != (entry.damage_type is None):
        field = "damage" if entry.damage is None else "damage_type"
        yield RuleProblem(
            "spell_damage", "Damage has a type and a measure.", SPELLS, (*path, field), None, "both or none"
        )
    if entry.difficulty is not None and entry.against is not Against.DIFFICULTY:
        yield RuleProblem(
            "spell_difficulty",
            "Only a spell that is rolled against a difficulty has one.",
            SPELLS,
            (*path, "difficulty"),
            entry.difficulty,
            None,
        )
    if len(entry.conditions) > MOST_CONDITIONS:
        yield RuleProblem(
            "spell_conditions",
            "A spell has one condition for 1 or 2 successes, and one for 3 or more.",
            SPELLS,
            (*path, "conditions"),
            len(entry.conditions),
            MOST_CONDITIONS,
        )
    if entry.area is not None and (entry.area.shape is AreaShape.ARC) != (entry.area.degrees is not None):
        yield RuleProblem(
            "area_degrees",
            "An arc, and only an arc, has a width in degrees.",
            SPELLS,
            (*path, "area", "degrees"),
            entry.area.degrees,
        )
    if entry.expend is None and not priced(spell_parts(entry)):
        yield RuleProblem(
            "expend_unstated",
            "The costing table ends at 100 feet of range and 25 of area; say what the spell costs.",
            "Costing Spells [R-20]",
            (*path, "expend"),
            None,
            "a number",
        )


def _adversary(entry: AdversaryEntry, path: KeyPath, extended: Catalog) -> Iterator[RuleProblem]:
    for place, trait_id in _doubled(entry.traits):
        yield _double((*path, "traits", place), trait_id)
    species = [trait.id for trait in _traits(entry.traits, extended) if trait.species is not None]
    if len(species) > 1:
        yield RuleProblem(
            "second_species",
            "An adversary is of one species.",
            "Species Traits [R-106]",
            (*path, "traits"),
            tuple(species),
            1,
        )
    sizes = [trait.id for trait in _traits(entry.traits, extended) if trait.size is not None]
    if len(sizes) > 1:
        yield RuleProblem(
            "multiple_sizes",
            "An adversary is of one size; a size among its traits stands for that of its species.",
            "Size Traits [R-106]",
            (*path, "traits"),
            tuple(sizes),
            1,
        )
    for place, known in enumerate(entry.skills):
        skill = extended.skills.get(known.skill)
        if skill is not None and skill.by_field != bool(known.field.strip()):
            needs = "is learned for one field at a time" if skill.by_field else "has no fields"
            yield RuleProblem(
                "skill_field",
                f"{skill.name} {needs}.",
                "General Skills",
                (*path, "skills", place, "field"),
                known.field,
            )
    for place, skill_id in _doubled(tuple(f"{known.skill} {known.field}" for known in entry.skills)):
        yield _double((*path, "skills", place), skill_id)
    for place, attack in enumerate(entry.attacks):
        if attack.min_range is not None and attack.min_range > (attack.max_range or 0):
            yield RuleProblem(
                "ranges_crossed",
                "The nearest good range is within the range.",
                "Weapons",
                (*path, "attacks", place, "min_range"),
                attack.min_range,
                attack.max_range,
            )


def _cycles(pack: ContentPack, extended: Catalog) -> Iterator[RuleProblem]:
    """Species of the pack that bundle themselves, through others or at once."""
    for place, entry in enumerate(pack.traits):
        if entry.species is None:
            continue
        chain = _way_back(content_id(SLUG, "trait", entry.key), extended)
        if chain:
            yield RuleProblem(
                "species_cycle",
                "A species bundles itself.",
                SPECIES,
                ("traits", place, "species"),
                chain,
                "a size and traits that are no species",
            )


def _way_back(start: str, extended: Catalog) -> tuple[str, ...]:
    """How a trait comes back to itself through bundles; empty where it does not."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for bundled in _bundle(way[-1], extended):
            if bundled == start:
                return (*way, start)
            if bundled not in seen:
                seen.add(bundled)
                ways.append((*way, bundled))
    return ()


def _bundle(trait_id: str, extended: Catalog) -> tuple[str, ...]:
    trait = trait_of(trait_id, extended)
    if trait is None or trait.species is None:
        return ()
    return (*trait.species.includes, *(item for choice in trait.species.choices for item in choice.of))


def _requires(requires: tuple[str, ...], path: KeyPath) -> Iterator[RuleProblem]:
    if requires:
        yield RuleProblem(
            "prerequisite",
            "Nothing depends on another trait or skill but magic, whose school asks for its own trait.",
            PREREQUISITES,
            (*path, "requires"),
            requires,
            (),
        )


def _ratings(most: int | None, path: KeyPath) -> Iterator[RuleProblem]:
    if most is not None and most < EVERY_RATING:
        yield RuleProblem(
            "ratings_stop",
            f"Every rating up to {EVERY_RATING} and higher is of use.",
            RATINGS,
            (*path, "most_rating"),
            most,
            None,
        )


def _recovers(entry: _Recovering, path: KeyPath) -> Iterator[RuleProblem]:
    if Recovery.EXPENDED_ENERGY in entry.recovers:
        yield RuleProblem(
            "expended_energy_recovered",
            "Nothing but rest gives expended energy back.",
            f"{SACROSANCT} [D7]",
            (*path, "recovers"),
            Recovery.EXPENDED_ENERGY.value,
            tuple(item.value for item in Recovery if item is not Recovery.EXPENDED_ENERGY),
        )


def _traits(ids: tuple[str, ...], extended: Catalog) -> tuple[Trait, ...]:
    found = (trait_of(trait_id, extended) for trait_id in ids)
    return tuple(trait for trait in found if trait is not None)


def _doubled(ids: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    seen: Counter[str] = Counter()
    for place, entry_id in enumerate(ids):
        if seen[entry_id]:
            yield place, entry_id
        seen[entry_id] += 1


def _double(path: KeyPath, found: Finding) -> RuleProblem:
    return RuleProblem("named_twice", "This is named already.", TRAITS, path, found)


def _zero(path: KeyPath, message: str) -> RuleProblem:
    return RuleProblem("figure_zero", message, TRAITS, path, 0, "any other")
