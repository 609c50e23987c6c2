"""Species and traits: which a character has from the start, and what is wrong with them (Traits; Step 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.engine.wording import counted
from services.rules.systems.forge_engine.attributes import LOWEST, Attributes
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.characters.budgets import trait_cp
from services.rules.systems.forge_engine.characters.permission import absence_problems
from services.rules.systems.forge_engine.characters.person import OwnedTrait, TraitSource
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.damage_traits import trait_of
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.traits import (
    Trait,
    TraitCategory,
    TraitChoice,
)

STEP = "Character Creation / Step 2"
ATTRIBUTES_STEP = "Character Creation / Step 3"
ONE_OF_EACH = "R-106"

HIVE_MIND = f"{SLUG}:trait/hive-mind"

HIGHEST = 25
"""The highest rating that can be written down. The book knows no end; rolls do."""


def countable(attributes: Attributes) -> Attributes:
    """Ratings that can be counted with: those beyond every bound, which are refused, stop next to it."""
    for attribute, rating in attributes.ratings():
        if not LOWEST <= rating <= HIGHEST:
            attributes = attributes.rated(attribute, max(LOWEST - 1, min(rating, HIGHEST + 1)))
    return attributes


def species_of(choices: CharacterChoices, catalog: Catalog) -> Trait | None:
    """The species trait; None when there is none, or it is not a species."""
    trait = catalog.traits.get(choices.species)
    return None if trait is None or trait.species is None else trait


def traits_at_creation(choices: CharacterChoices, catalog: Catalog) -> tuple[OwnedTrait, ...]:
    """Every trait that a character begins with, each once; what is unknown is left out."""
    owned: dict[str, OwnedTrait] = {}

    def take(trait: Trait | None, source: TraitSource, cp: int = 0) -> None:
        if trait is not None and trait.category is not TraitCategory.SPECIES:
            owned.setdefault(trait.id, OwnedTrait(trait, source, cp))

    species = species_of(choices, catalog)
    if species is not None:
        for inborn in bundled(species, catalog):
            take(inborn, TraitSource.SPECIES)
        for trait_id in choices.species_choices:
            take(trait_of(trait_id, catalog), TraitSource.CHOSEN)
    for trait_id in choices.traits:
        trait = trait_of(trait_id, catalog)
        if trait is not None:
            take(trait, TraitSource.BOUGHT, trait_cp(trait, catalog.settings))
    for trait_id in catalog.settings.free:
        take(trait_of(trait_id, catalog), TraitSource.FREE)
    return tuple(owned.values())


def bundled(species: Trait, catalog: Catalog) -> tuple[Trait, ...]:
    """The traits that come with a species, those of a species within it too."""
    found: dict[str, Trait] = {}
    waiting, seen = [species], {species.id}
    while waiting:
        holder = waiting.pop(0)
        for trait_id in () if holder.species is None else holder.species.includes:
            trait = trait_of(trait_id, catalog)
            if trait is None or trait.id in seen:
                continue
            seen.add(trait.id)
            if trait.species is not None:
                waiting.append(trait)
            else:
                found[trait.id] = trait
    return tuple(found.values())


def trait_problems(choices: CharacterChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that species, choices and bought traits break, but for their cost."""
    yield from _species_problems(choices, catalog)
    species = species_of(choices, catalog)
    if species is not None:
        yield from _choice_problems(choices, species, list(bundled(species, catalog)), catalog)
    held = _given(choices, species, catalog)
    for index, trait_id in enumerate(choices.traits):
        path: KeyPath = ("traits", index)
        trait = trait_of(trait_id, catalog)
        if trait is None:
            yield _unknown_trait(path, trait_id)
            continue
        yield from new_trait_problems(trait, held, catalog, path)
        if trait not in held and trait.category is not TraitCategory.SPECIES:
            held.append(trait)


def held_at_creation(choices: CharacterChoices, catalog: Catalog) -> tuple[Trait, ...]:
    """The traits that one more would have to stand beside."""
    held = _given(choices, species_of(choices, catalog), catalog)
    for trait_id in choices.traits:
        trait = trait_of(trait_id, catalog)
        if trait is not None and trait not in held and trait.category is not TraitCategory.SPECIES:
            held.append(trait)
    return tuple(held)


def _given(choices: CharacterChoices, species: Trait | None, catalog: Catalog) -> list[Trait]:
    """The traits that are not bought: of the species, out of its lists, and free ones."""
    held = [] if species is None else list(bundled(species, catalog))
    chosen = () if species is None else tuple(dict.fromkeys(choices.species_choices))
    for trait_id in (*chosen, *catalog.settings.free):
        trait = trait_of(trait_id, catalog)
        if trait is not None and trait not in held:
            held.append(trait)
    return held


def _species_problems(choices: CharacterChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    path: KeyPath = ("species",)
    known = tuple(trait.id for trait in catalog.traits if trait.species is not None)
    species = species_of(choices, catalog)
    if not choices.species:
        yield RuleProblem(
            "missing_species", "Every character has a species.", STEP, path, choices.species, known
        )
    elif species is None:
        yield RuleProblem("unknown_species", "There is no such species.", STEP, path, choices.species, known)
    else:
        allowed = catalog.settings.species
        if allowed and species.id not in allowed:
            yield RuleProblem(
                "species_not_allowed",
                f"{species.name} is no species of this table.",
                STEP,
                path,
                species.id,
                allowed,
            )
        yield from absence_problems(species.id, species.name, catalog, path, optional=species.optional)


def _choice_problems(
    choices: CharacterChoices, species: Trait, held: list[Trait], catalog: Catalog
) -> Iterator[RuleProblem]:
    lists = () if species.species is None else species.species.choices
    placed = _placed(choices.species_choices, lists)
    rule = f"{STEP}; Species Traits / {species.name}"
    for index, trait_id in enumerate(choices.species_choices):
        path: KeyPath = ("species_choices", index)
        trait = trait_of(trait_id, catalog)
        if trait is None:
            yield _unknown_trait(path, trait_id)
        elif trait_id in choices.species_choices[:index] or any(trait.id == own.id for own in held):
            yield _duplicate(trait, path)
        elif index not in placed:
            offered = tuple(dict.fromkeys(offer for choice in lists for offer in choice.of))
            yield RuleProblem(
                "invalid_species_choice",
                f"{species.name} does not offer {trait.name}, or not one more of the kind.",
                rule,
                path,
                trait_id,
                offered,
            )
        else:
            yield from absence_problems(trait.id, trait.name, catalog, path, optional=trait.optional)
    # A choice that is none is told as such; it is not missing on top of that.
    asked, given = sum(choice.take for choice in lists), len(choices.species_choices)
    if given < asked:
        open_lists = tuple(
            offer
            for place, choice in enumerate(lists)
            if sum(taken == place for taken in placed.values()) < choice.take
            for offer in choice.of
        )
        yield RuleProblem(
            "missing_species_choice",
            f"{species.name} takes {counted(asked, 'trait')} from its lists.",
            rule,
            ("species_choices",),
            given,
            tuple(dict.fromkeys(open_lists)),
        )


def _placed(chosen: tuple[str, ...], lists: tuple[TraitChoice, ...]) -> dict[int, int]:
    """Which list each choice is taken from, by place, so that as many as possible find one."""
    taken: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for number, choice in enumerate(lists):
            if number in tried or chosen[index] not in choice.of:
                continue
            tried.add(number)
            holders = [holder for holder, where in taken.items() if where == number]
            if len(holders) < choice.take:
                taken[index] = number
                return True
            for holder in holders:
                if place(holder, tried):
                    taken[index] = number
                    return True
        return False

    for index, trait_id in enumerate(chosen):
        if trait_id not in chosen[:index]:
            place(index, set())
    return taken


def new_trait_problems(
    trait: Trait, held: Iterable[Trait], catalog: Catalog, path: KeyPath
) -> Iterator[RuleProblem]:
    """Why a trait cannot stand beside those there are."""
    others = tuple(held)
    yield from absence_problems(trait.id, trait.name, catalog, path, optional=trait.optional)
    if trait.category is TraitCategory.SPECIES:
        yield RuleProblem(
            "multiple_species", "A character has exactly one species.", ONE_OF_EACH, path, trait.id, 1
        )
        return
    if any(trait.id == other.id for other in others):
        yield _duplicate(trait, path)
        return
    for other in others:
        if trait.id in other.against or other.id in trait.against or _contrary(trait, other):
            yield RuleProblem(
                "opposite_traits",
                f"{trait.name} and {other.name} cannot go together.",
                ONE_OF_EACH,
                path,
                trait.id,
                other.id,
            )
    if trait.size is not None and any(other.size is not None for other in others):
        yield RuleProblem(
            "multiple_sizes",
            "The species sets the size; another one asks for the game master's leave.",
            ONE_OF_EACH,
            path,
            trait.id,
        )


def _contrary(one: Trait, other: Trait) -> bool:
    if one.trend is not None and other.trend is not None:
        same = one.trend.attribute is other.trend.attribute
        return same and one.trend.step_cp * other.trend.step_cp < 0
    return one.damage is not None and other.damage is not None and one.damage.damage == other.damage.damage


def rating_problems(
    attributes: Attributes, traits: tuple[OwnedTrait, ...], settings: TableSettings
) -> Iterator[RuleProblem]:
    """Every rule that the ratings of attributes break, but for their cost."""
    for attribute, rating in attributes.ratings():
        path: KeyPath = ("attributes", attribute.value)
        if rating < LOWEST:
            yield RuleProblem(
                "attribute_below_1",
                f"{attribute.label} starts at 1 and is never lower.",
                "Attributes",
                path,
                rating,
                LOWEST,
            )
        if rating > HIGHEST:
            yield RuleProblem(
                "rating_too_high", f"Ratings end at {HIGHEST} here.", "Attributes", path, rating, HIGHEST
            )
        if settings.attribute_most is not None and rating > settings.attribute_most:
            yield RuleProblem(
                "attribute_above_limit",
                f"At this table no attribute is higher than {settings.attribute_most}.",
                ATTRIBUTES_STEP,
                path,
                rating,
                settings.attribute_most,
            )
    yield from cap_problems(attributes, (owned.trait for owned in traits))


def cap_problems(attributes: Attributes, traits: Iterable[Trait]) -> Iterator[RuleProblem]:
    """Attributes that are higher than the traits allow."""
    held = tuple(traits)
    sizes = [trait for trait in held if trait.size is not None]
    # Of several sizes, which only the game master's leave brings about, the last is the one that counts.
    for trait in sizes[-1:]:
        most = None if trait.size is None else trait.size.attribute_cap
        for attribute, rating in (
            (name, attributes.of(name)) for name, _ in attributes.ratings() if name.value in _BY_SIZE
        ):
            if most is not None and rating > most:
                yield RuleProblem(
                    "size_attribute_cap",
                    f"Somebody {trait.name.lower()} has {attribute.label} {most} at most.",
                    "Size Traits [R-16]",
                    ("attributes", attribute.value),
                    rating,
                    most,
                )
    for trait in held:
        if trait.cap is not None and attributes.of(trait.cap.attribute) > trait.cap.most:
            is_hive = trait.id == HIVE_MIND
            yield RuleProblem(
                "hive_mind_intelligence_cap" if is_hive else "trait_attribute_cap",
                f"With {trait.name}, {trait.cap.attribute.label} is {trait.cap.most} at most.",
                "Mental Traits / Hive-Mind [R-14]" if is_hive else f"Traits / {trait.name}",
                ("attributes", trait.cap.attribute.value),
                attributes.of(trait.cap.attribute),
                trait.cap.most,
            )


_BY_SIZE = ("strength", "stamina")


def _unknown_trait(path: KeyPath, found: str) -> RuleProblem:
    return RuleProblem("unknown_trait", "There is no such trait.", "Traits", path, found)


def _duplicate(trait: Trait, path: KeyPath) -> RuleProblem:
    return RuleProblem(
        "duplicate_trait",
        f"The character has {trait.name} already; each trait counts once.",
        ONE_OF_EACH,
        path,
        trait.id,
        1,
    )
