"""Traits that answer to damage: those on the shelves, and those that the book only means (R-104)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.content import content_id, slug_of
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.traits import DamageResponse, Response, Trait, TraitCategory

_DAMAGE_TRAITS = {
    "resistant": (Response.RESISTANT, "Resistant", 4, "Damage from {} is halved, rounded up."),
    "proof": (Response.IMMUNE, "Proof", 10, "Damage from {} does not hurt you at all."),
    "vulnerable": (Response.VULNERABLE, "Vulnerable", -1, "Damage from {} is doubled."),
}


def trait_of(trait_id: str, catalog: Catalog) -> Trait | None:
    """The trait of this id: one of the book or a pack, or the like for another type of damage (R-104)."""
    return catalog.traits.get(trait_id) or _damage_trait(trait_id, catalog)


def damage_traits(catalog: Catalog) -> Iterator[Trait]:
    """The damage traits that the book only means: resistant, proof and vulnerable to every type (R-104)."""
    answered = _answered(catalog)
    for damage in catalog.damage:
        for ending in _DAMAGE_TRAITS:
            trait_id = content_id(SLUG, "trait", f"{slug_of(damage.id)}-{ending}")
            trait = _damage_trait(trait_id, catalog, answered)
            if trait is not None:
                yield trait


def _answered(catalog: Catalog) -> frozenset[DamageResponse]:
    """What the traits of the content answer to damage."""
    return frozenset(trait.damage for trait in catalog.traits if trait.damage is not None)


def _damage_trait(
    trait_id: str, catalog: Catalog, answered: frozenset[DamageResponse] | None = None
) -> Trait | None:
    stem, _, ending = slug_of(trait_id).rpartition("-")
    damage = catalog.damage.get(content_id(SLUG, "damage", stem)) if stem else None
    if damage is None or ending not in _DAMAGE_TRAITS or trait_id in catalog.traits:
        return None
    if trait_id != content_id(SLUG, "trait", slug_of(trait_id)):
        return None
    response, word, cp, summary = _DAMAGE_TRAITS[ending]
    answer = DamageResponse(damage=damage.id, response=response)
    if answer in (_answered(catalog) if answered is None else answered):
        # The book has it under a name of its own: "Shock Resistant" against electricity.
        return None
    return Trait(
        id=trait_id,
        name=f"{damage.name} {word}",
        category=TraitCategory.DAMAGE,
        cp=cp,
        summary=summary.format(damage.name.lower()),
        optional=response is Response.VULNERABLE,
        damage=answer,
    )
