"""What the rules make of a stat block's attributes, traits and armour, every figure explained.

Printed blocks keep their printed figures (R-64). This says what follows from a trait that is added to one,
and where a block of a table's own differs from the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from services.rules.engine.explain import Explained
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.traits import Size, Trait

MEDIUM = f"{SLUG}:trait/medium"
BRAWLING = f"{SLUG}:martial/brawling"
MARTIAL_ARTS = f"{SLUG}:martial/martial-arts"
FINESSE = f"{SLUG}:martial/finesse-weapons"
CLAWS = f"{SLUG}:trait/claws"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFigures:
    """What follows from attributes, traits and armour.

    Attributes:
        attributes: Ratings under every cap.
        speed: Feet a round.
        reach: In feet.
    """

    attributes: Attributes
    energy: Explained
    health: Explained
    pd: Explained
    md: Explained
    speed: int
    reach: int


def body(traits: Iterable[str], catalog: Catalog) -> tuple[Trait, ...]:
    """Every trait that these bring with them, species first opened; unknown ids are left out."""
    return _body(tuple(traits), catalog)


@lru_cache(maxsize=1024)
def _body(traits: tuple[str, ...], catalog: Catalog) -> tuple[Trait, ...]:
    found: dict[str, Trait] = {}
    for trait_id in traits:
        trait = trait_of(trait_id, catalog)
        if trait is None:
            continue
        found[trait.id] = trait
        for bundled in trait.species.includes if trait.species is not None else ():
            if (inner := trait_of(bundled, catalog)) is not None:
                found[inner.id] = inner
    return tuple(found.values())


def size_of(traits: Iterable[Trait], catalog: Catalog) -> Size:
    """The size among some traits, the last where there are several; Medium without any."""
    sizes = [trait.size for trait in traits if trait.size is not None]
    if sizes:
        return sizes[-1]
    medium = catalog.traits[MEDIUM].size
    if medium is None:  # pragma: no cover - content
        raise ValueError(f"{MEDIUM} is no size")
    return medium


def reach_of(traits: Iterable[str], catalog: Catalog) -> int:
    """Feet that a body of these traits reaches; as far as a person's where none says its size."""
    return size_of(body(traits, catalog), catalog).reach


def figures(attributes: Attributes, traits: Sequence[Trait], armor: int, catalog: Catalog) -> BlockFigures:
    """What follows from attributes, traits and worn armour of a rating."""
    size = size_of(traits, catalog)
    size_name = next((trait.name for trait in reversed(traits) if trait.size is not None), "Medium")
    capped = under_caps(attributes, traits, size, armor)
    hardened = tuple(derived.Hardened(trait.name, trait.armor) for trait in traits if trait.armor is not None)
    return BlockFigures(
        attributes=capped,
        energy=derived.energy(capped),
        health=derived.maximum_health(size_name, size, capped.stamina, traits),
        pd=derived.physical_defense(hardened, (f"armor {armor}", armor) if armor else None, size),
        md=derived.mental_defense(capped),
        speed=size.speed,
        reach=size.reach,
    )


def under_caps(attributes: Attributes, traits: Iterable[Trait], size: Size, armor: int) -> Attributes:
    """Ratings under the caps of traits, size and worn armour."""
    caps = [(trait.cap.attribute, trait.cap.most) for trait in traits if trait.cap is not None]
    if size.attribute_cap is not None:
        caps += [(Attribute.STRENGTH, size.attribute_cap), (Attribute.STAMINA, size.attribute_cap)]
    if armor:
        caps.append((Attribute.AGILITY, derived.armor_cap(armor)))
    for attribute, most in caps:
        attributes = attributes.rated(attribute, min(attributes.of(attribute), most))
    return attributes


def unarmed_skills(trait: Trait, catalog: Catalog) -> Iterator[str]:
    """Martial skills that help with the weapon of a body (R-77)."""
    yield BRAWLING
    yield MARTIAL_ARTS
    if trait.id == CLAWS and catalog.settings.claws_with_finesse:
        yield FINESSE


def attack_attribute(skill: str, catalog: Catalog) -> Attribute:
    """The attribute that attacks with a martial skill go by; Strength where the skill says none."""
    martial = catalog.martial.get(skill)
    return martial.attribute if martial is not None and martial.attribute is not None else Attribute.STRENGTH
