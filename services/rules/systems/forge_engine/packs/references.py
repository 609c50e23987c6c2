"""What a pack names: keys of its own, and content ids of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.rules.engine.content import Shelf
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.packs.bounds import RULE
from services.rules.systems.forge_engine.packs.entries import ContentPack, TraitEntry, WeaponEntry
from services.rules.systems.forge_engine.packs.shelves import Added
from services.rules.systems.forge_engine.skills import SkillPair
from services.rules.systems.forge_engine.suggestions import near
from services.rules.systems.forge_engine.traits import Trait, TraitCategory

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ANY_SKILL = ("skill", "martial", "spell")
_MOST_LOOKED_UP = 60
"""Unknown ids for which near ones are looked up; who has more has other worries."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in a pack that names an entry.

    Attributes:
        path: Where.
        id: What it says.
        kinds: Kinds of content ids that may stand there.
        category: The category that a trait must have there; None for any.
        barred: The category that it must not have.
    """

    path: KeyPath
    id: str
    kinds: tuple[str, ...]
    category: TraitCategory | None = None
    barred: TraitCategory | None = None


def key_problems(things: Sequence[Added], catalog: Catalog) -> Iterator[RuleProblem]:
    """Keys that are no slugs, are there twice, or make an id that the content has already."""
    shelves: Mapping[str, Shelf[Any]] = {shelf.kind: shelf for shelf in catalog.shelves()}
    first: dict[str, KeyPath] = {}
    for thing in things:
        key = thing.id.partition("/")[2]
        path = thing.path if len(thing.path) > 2 else (*thing.path, "key")
        if not _SLUG.fullmatch(key):
            yield RuleProblem(
                "key_no_slug",
                "A key is lower-case words and digits joined by hyphens.",
                RULE,
                path,
                key[:80],
                "true-sight",
            )
            continue
        if thing.id in first:
            yield RuleProblem(
                "key_doubled", f"Another entry of this pack is {thing.id} too.", RULE, path, key, None
            )
        elif thing.id in shelves[thing.kind]:
            yield RuleProblem("id_taken", f"{thing.id} is taken; choose another key.", RULE, path, key, None)
        first.setdefault(thing.id, path)


def reference_problems(pack: ContentPack, extended: Catalog) -> Iterator[RuleProblem]:
    """References to what is neither in the content nor in the pack, or is of the wrong kind."""
    shelves: Mapping[str, Shelf[Any]] = {shelf.kind: shelf for shelf in extended.shelves()}
    looked_up = 0
    for reference in references(pack):
        kind = reference.id.partition("/")[0].removeprefix(f"{SLUG}:")
        entry = shelves[kind].get(reference.id) if kind in shelves else None
        if entry is None and kind == "trait":
            # Traits that stand on no shelf, as resistance to any type of damage.
            entry = trait_of(reference.id, extended)
        if entry is None:
            looked_up += 1
            known = (entry_id for name in reference.kinds for entry_id in shelves[name].entries)
            allowed = near(reference.id, known) if looked_up <= _MOST_LOOKED_UP else ()
            yield RuleProblem(
                "reference_unknown",
                "There is nothing of this id, neither in the content nor in this pack.",
                RULE,
                reference.path,
                reference.id[:200],
                allowed or _pattern(reference),
            )
        elif kind not in reference.kinds or _wrong_category(entry, reference):
            yield RuleProblem(
                "reference_wrong_kind",
                f"{entry.name} is not what belongs here.",
                RULE,
                reference.path,
                reference.id,
                _pattern(reference),
            )


def references(pack: ContentPack) -> Iterator[Reference]:
    """Every place of a pack that names an entry, in its order."""
    if pack.genre is not None:
        yield Reference(("genre",), pack.genre, ("genre",))
    if pack.rules is not None:
        for field, kinds, category in (
            ("species", ("trait",), TraitCategory.SPECIES),
            ("barred", ("trait", "school", *_ANY_SKILL, "equipment", "equipment_table"), None),
            ("free", ("trait",), None),
            ("options", ("trait", "skill", "martial"), None),
        ):
            ids = getattr(pack.rules, field) or ()
            yield from _each(("rules", field), ids, kinds, category)
    for place, trait in enumerate(pack.traits):
        yield from _of_trait(trait, ("traits", place))
    for place, skill in enumerate(pack.skills):
        yield from _pairs(("skills", place, "opposed_by"), skill.opposed_by)
        yield from _pairs(("skills", place, "subverted_by"), skill.subverted_by)
    for place, martial in enumerate(pack.martial):
        yield from _each(("martial", place, "conditions"), martial.conditions, ("condition",))
    for place, spell in enumerate(pack.spells):
        path: KeyPath = ("spells", place)
        yield from _maybe((*path, "school"), spell.school, "school")
        yield from _maybe((*path, "damage_type"), spell.damage_type, "damage")
        yield from _each((*path, "conditions"), spell.conditions, ("condition",))
    for place, table in enumerate(pack.tables):
        yield from _each(("tables", place, "skills"), table.skills, ("martial",))
    for place, weapon in enumerate(pack.weapons):
        yield from _of_weapon(weapon, ("weapons", place))
    for place, magic in enumerate(pack.magic_weapons):
        yield Reference(("magic_weapons", place, "base"), magic.base, ("equipment",))
        yield from _triggers(("magic_weapons", place, "triggered"), magic.triggered)
    for place, armor in enumerate(pack.armor):
        yield Reference(("armor", place, "table"), armor.table, ("equipment_table",))
    for place, shield in enumerate(pack.shields):
        yield Reference(("shields", place, "table"), shield.table, ("equipment_table",))
    for place, adversary in enumerate(pack.adversaries):
        path = ("adversaries", place)
        yield from _each((*path, "traits"), adversary.traits, ("trait",))
        for index, known in enumerate(adversary.skills):
            yield Reference((*path, "skills", index, "skill"), known.skill, _ANY_SKILL)
        for index, attack in enumerate(adversary.attacks):
            yield Reference((*path, "attacks", index, "skill"), attack.skill, ("martial",))
            yield Reference((*path, "attacks", index, "damage"), attack.damage, ("damage",))


def _of_trait(entry: TraitEntry, path: KeyPath) -> Iterator[Reference]:
    yield from _each((*path, "against"), entry.against, ("trait",))
    if entry.species is not None:
        inner: KeyPath = (*path, "species")
        yield from _bundled((*inner, "includes"), entry.species.includes)
        for place, choice in enumerate(entry.species.choices):
            yield from _bundled((*inner, "choices", place, "of"), choice.of)
    if entry.damage is not None:
        yield Reference((*path, "damage", "damage"), entry.damage.damage, ("damage",))
    yield from _maybe((*path, "school"), entry.school, "school")
    if entry.attack is not None:
        yield Reference((*path, "attack", "damage"), entry.attack.damage, ("damage",))
    for place, bonus in enumerate(entry.tests):
        yield from _each((*path, "tests", place, "skills"), bonus.skills, ("skill", "martial"))


def _of_weapon(entry: WeaponEntry, path: KeyPath) -> Iterator[Reference]:
    yield Reference((*path, "table"), entry.table, ("equipment_table",))
    yield from _each((*path, "damage"), entry.damage, ("damage",))
    yield from _each((*path, "conditions"), entry.conditions, ("condition",))
    yield from _triggers((*path, "triggered"), entry.triggered)


def _triggers(path: KeyPath, triggered: Sequence[Any]) -> Iterator[Reference]:
    for place, trigger in enumerate(triggered):
        for field in ("smallest", "biggest"):
            if (size := getattr(trigger, field)) is not None:
                yield Reference((*path, place, field), size, ("trait",), TraitCategory.SIZE)
        species = trigger.species
        yield from _each((*path, place, "species"), species, ("trait",), TraitCategory.SPECIES)


def _pairs(path: KeyPath, pairs: Sequence[SkillPair]) -> Iterator[Reference]:
    for place, pair in enumerate(pairs):
        yield Reference((*path, place, "skill"), pair.skill, ("skill",))


def _bundled(path: KeyPath, ids: Sequence[str]) -> Iterator[Reference]:
    for place, entry_id in enumerate(ids):
        yield Reference((*path, place), entry_id, ("trait",), barred=TraitCategory.SPECIES)


def _each(
    path: KeyPath, ids: Sequence[str], kinds: tuple[str, ...], category: TraitCategory | None = None
) -> Iterator[Reference]:
    for place, entry_id in enumerate(ids):
        yield Reference((*path, place), entry_id, kinds, category)


def _maybe(path: KeyPath, entry_id: str | None, kind: str) -> Iterator[Reference]:
    if entry_id is not None:
        yield Reference(path, entry_id, (kind,))


def _wrong_category(entry: object, reference: Reference) -> bool:
    if not isinstance(entry, Trait):
        return False
    if reference.category is not None and entry.category is not reference.category:
        return True
    return entry.category is reference.barred


def _pattern(reference: Reference) -> str:
    """What may stand there, in words: "forge_engine:trait/..., a size"."""
    ids = " or ".join(f"{SLUG}:{kind}/..." for kind in reference.kinds)
    if reference.category is not None:
        return f"{ids} of a {reference.category.value}"
    if reference.barred is not None:
        return f"{ids}, no {reference.barred.value}"
    return ids
