"""What is worth knowing about a pack that breaks no rule: figures off the formulas, warnings of the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.rules.engine.content import content_id
from services.rules.engine.packs import PackFinding
from services.rules.engine.problem import KeyPath
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.costing import SPELLS as COSTING_SPELLS
from services.rules.systems.forge_engine.costing import spell_cost
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.packs.arms_findings import adversary_findings, equipment_findings
from services.rules.systems.forge_engine.packs.design import EVERY_RATING, RATINGS, SACROSANCT
from services.rules.systems.forge_engine.packs.entries import (
    ContentPack,
    DamageEntry,
    MartialEntry,
    Recovery,
    SkillEntry,
    SpellEntry,
    TraitEntry,
)
from services.rules.systems.forge_engine.packs.kinds import advice, difference
from services.rules.systems.forge_engine.packs.shelves import (
    CASTER_CP,
    PROOF_CP,
    RESISTANT_CP,
    VULNERABLE_CP,
    priced,
    settings_under,
    spell_parts,
)
from services.rules.systems.forge_engine.skills import SpellComponents, SpellScope
from services.rules.systems.forge_engine.traits import Response, Species, Trait

ABOUT_SPECIES = 3
"""CP that the traits of a free species come to, more or less (R-103)."""

ABOUT = 1
"""How far from that is still about that."""

CHEAPER_STEP_CP, DEARER_STEP_CP = 3, -1
"""What attribute traits cost that make a step 1 CP cheaper, or dearer."""

DAMAGE_CP = {
    Response.RESISTANT: RESISTANT_CP,
    Response.IMMUNE: PROOF_CP,
    Response.VULNERABLE: VULNERABLE_CP,
}

_GIVES_BACK = re.compile(
    r"\b(recover|regain|restor|refresh|reclaim|replenish|refill|renew|heal|undo|return|unexpend|reset|"
    r"(giv|get|win|com)\w* back)",
    re.IGNORECASE,
)
_EXPENDED = re.compile(
    r"\bexpended\b|\bmaximum energy\b|\bexpends? (is|are|comes?|returns?|goes)\b", re.IGNORECASE
)
_EXPENDING = re.compile(r"\bexpend", re.IGNORECASE)


def findings(pack: ContentPack, catalog: Catalog, extended: Catalog) -> Iterator[PackFinding]:
    """Differences and advice about a pack without problems, in its order.

    Args:
        pack: The pack.
        catalog: The content it is added to.
        extended: The content with it.
    """
    for place, damage in enumerate(pack.damage):
        yield from _damage(damage, ("damage", place), extended)
    for place, trait in enumerate(pack.traits):
        path: KeyPath = ("traits", place)
        yield from _trait(trait, path, extended)
        yield from _words(trait.summary, (*path, "summary"))
        yield from _recovery(trait.recovers, trait.summary, (*path, "recovers"))
    for place, skill in enumerate(pack.skills):
        yield from _skill(skill, ("skills", place))
    for place, martial in enumerate(pack.martial):
        yield from _skill(martial, ("martial", place))
    for place, school in enumerate(pack.schools):
        if school.trait_cp != CASTER_CP:
            yield difference(
                "casting_trait_price",
                "A trait that opens a school costs 2 CP in the book.",
                "Custom Content / Custom Magic Traits",
                ("schools", place, "trait_cp"),
                school.trait_cp,
                CASTER_CP,
                "every casting trait costs 2 CP",
            )
    for place, spell in enumerate(pack.spells):
        yield from _skill(spell, ("spells", place))
        yield from _spell(spell, ("spells", place), pack, catalog)
    for place, weapon in enumerate(pack.weapons):
        yield from _words(weapon.summary, ("weapons", place, "summary"))
    for place, magic in enumerate(pack.magic_weapons):
        yield from _words(magic.summary, ("magic_weapons", place, "summary"))
    yield from equipment_findings(pack, catalog, extended)
    yield from adversary_findings(pack, extended)


def _damage(entry: DamageEntry, path: KeyPath, extended: Catalog) -> Iterator[PackFinding]:
    damage_id = content_id(SLUG, "damage", entry.key)
    responses = {
        trait.damage.response
        for trait in extended.traits
        if trait.damage is not None and trait.damage.damage == damage_id
    }
    if not {Response.RESISTANT, Response.IMMUNE} <= responses:
        yield advice(
            "damage_without_traits",
            "Each damage type needs traits for resistance and immunity.",
            "Custom Content / Damage Traits",
            (*path, "traits"),
            entry.traits,
        )


def _trait(entry: TraitEntry, path: KeyPath, extended: Catalog) -> Iterator[PackFinding]:
    if entry.cp < 0:
        yield advice(
            "liability",
            "It gives CP back: make sure that it hinders more than they are worth, and not only in words.",
            "Custom Content / Hindrances",
            (*path, "cp"),
            entry.cp,
        )
    formula, working = _trait_price(entry)
    if formula is not None and formula != entry.cp:
        yield difference(
            "trait_price",
            "Traits of this kind have another price in the book.",
            "Custom Content / Example Custom Traits",
            (*path, "cp"),
            entry.cp,
            formula,
            working,
        )
    if entry.species is not None:
        yield from _species(entry, entry.species, path, extended)


def _trait_price(entry: TraitEntry) -> tuple[int | None, str]:
    if entry.damage is not None:
        response = entry.damage.response
        return DAMAGE_CP[response], f"{response.value}: {DAMAGE_CP[response]} CP"
    if entry.school is not None:
        return CASTER_CP, "every casting trait costs 2 CP"
    if entry.trend is not None and entry.trend.step_cp in (-1, 1):
        cheaper = entry.trend.step_cp < 0
        price = CHEAPER_STEP_CP if cheaper else DEARER_STEP_CP
        return price, f"each step 1 CP {'cheaper' if cheaper else 'dearer'}: {price} CP"
    return None, ""


def _species(entry: TraitEntry, species: Species, path: KeyPath, extended: Catalog) -> Iterator[PackFinding]:
    least, most, working = species_worth(species, extended)
    if not (least - entry.cp <= ABOUT_SPECIES + ABOUT and most - entry.cp >= ABOUT_SPECIES - ABOUT):
        computed = most - ABOUT_SPECIES
        yield difference(
            "species_price",
            "The traits of a species come to about 3 CP more than it costs.",
            "Custom Content / Example Custom Species Traits [R-103]",
            (*path, "cp"),
            entry.cp,
            computed,
            f"{working}; about {ABOUT_SPECIES} are free, which leaves {computed}",
        )
    for place, choice in enumerate(species.choices):
        if len(choice.of) == choice.take:
            yield advice(
                "choice_of_all",
                "All that is offered is taken; bundle it instead.",
                "Species Traits [R4]",
                (*path, "species", "choices", place),
                choice.take,
            )


def species_worth(species: Species, extended: Catalog) -> tuple[int, int, str]:
    """What the traits of a species come to with the cheapest and the dearest choices, and the working."""
    bundled = [trait for trait in (trait_of(item, extended) for item in species.includes) if trait]
    least = most = sum(trait.cp for trait in bundled)
    steps = [f"{trait.name} {trait.cp}" for trait in bundled]
    for choice in species.choices:
        offered: list[Trait] = [
            trait for trait in (trait_of(item, extended) for item in choice.of) if trait is not None
        ]
        prices = sorted(trait.cp for trait in offered)
        low, high = sum(prices[: choice.take]), sum(prices[-choice.take :])
        least, most = least + low, most + high
        steps.append(f"{choice.take} chosen {low}" + (f" to {high}" if high != low else ""))
    total = str(least) if least == most else f"{least} to {most}"
    return least, most, f"{' + '.join(steps) or 'nothing'} = {total}"


def _skill(entry: SkillEntry | MartialEntry | SpellEntry, path: KeyPath) -> Iterator[PackFinding]:
    if entry.most_rating is not None and entry.most_rating >= EVERY_RATING:
        yield advice(
            "ratings_end",
            "Ratings have no upper end; let higher ones be of use too.",
            RATINGS,
            (*path, "most_rating"),
            entry.most_rating,
        )
    yield from _words(entry.summary, (*path, "summary"))
    yield from _recovery(entry.recovers, entry.summary, (*path, "recovers"))


def _recovery(recovers: Sequence[Recovery], summary: str, path: KeyPath) -> Iterator[PackFinding]:
    if recovers and not _EXPENDING.search(summary):
        yield advice(
            "free_recovery",
            "It gives something back and expends nothing: see that it cannot go round without end.",
            SACROSANCT,
            path,
            tuple(item.value for item in recovers),
        )


def _words(summary: str, path: KeyPath) -> Iterator[PackFinding]:
    """Words that sound as if something gave expended energy back."""
    for sentence in re.split(r"[.!?;]", summary):
        if _EXPENDED.search(sentence) and _GIVES_BACK.search(sentence):
            yield advice(
                "expended_energy_words",
                "This reads as if expended energy came back; nothing but rest may do that.",
                f"{SACROSANCT} [D7]",
                path,
                sentence.strip(),
            )
            return


def _spell(entry: SpellEntry, path: KeyPath, pack: ContentPack, catalog: Catalog) -> Iterator[PackFinding]:
    parts = spell_parts(entry)
    seen = spell_parts(_without_parts(entry))
    if entry.components is not None and not _same_parts(parts, seen):
        yield difference(
            "components_differ",
            "The parts it is costed by are not those that its other fields show.",
            COSTING_SPELLS,
            (*path, "components"),
            _parts_text(parts),
            _parts_text(seen),
            "range, area, damage and healing of the spell itself",
        )
    if parts.damage is None and parts.healing is None:
        yield advice(
            "spell_effect_uncosted",
            "The costing table has no word for what the spell does; only its range, area and targets count.",
            COSTING_SPELLS,
            (*path, "components"),
            entry.expend,
        )
    if entry.healing is not None and entry.expend == 0 and not entry.expend_more:
        yield advice(
            "free_healing",
            "It heals and expends nothing: nothing sets an end to it.",
            SACROSANCT,
            (*path, "expend"),
            0,
        )
    if not priced(parts):
        yield advice(
            "beyond_costing",
            "The costing table ends at 100 feet of range and 25 of area.",
            COSTING_SPELLS,
            (*path, "range"),
            entry.range,
        )
        return
    found = spell_cost(parts, settings_under(pack, catalog))
    if entry.expend is not None and entry.expend != found.expend:
        yield difference(
            "spell_expend_differs",
            "The parts of the spell come to another cost.",
            COSTING_SPELLS,
            (*path, "expend"),
            entry.expend,
            found.expend,
            found.working,
        )


def _without_parts(entry: SpellEntry) -> SpellEntry:
    return replace(entry, components=None)


def _same_parts(stated: SpellComponents, seen: SpellComponents) -> bool:
    """Whether stated parts are those a spell shows; whether it picks a side cannot be seen from that."""
    side = stated.targets is SpellScope.SIDE
    return (
        (stated.range, stated.area, stated.healing) == (seen.range, seen.area, seen.healing)
        and (stated.damage is None) == (seen.damage is None)
        and (side or stated.targets is seen.targets)
    )


def _parts_text(parts: SpellComponents) -> str:
    words = [f"range {parts.range}", f"area {parts.area}"]
    words += [f"damage {parts.damage.value}"] if parts.damage is not None else []
    words += [f"healing {parts.healing.value}"] if parts.healing is not None else []
    return ", ".join([*words, f"targets {parts.targets.value}"])
