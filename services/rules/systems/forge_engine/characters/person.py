"""What a character is made of, at some moment of its life: attributes, traits and skills.

Nothing here says whether it got there by the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.traits import Size, Trait

SkillKey = tuple[str, str]
"""Content id of a skill, and its field in lower case; empty for skills that are not learned by field."""


def skill_key(skill: str, field: str = "") -> SkillKey:
    """How a skill is told from all others, however its field is written."""
    return skill, " ".join(field.split()).casefold()


class TraitSource(Enum):
    """Where a character has a trait from.

    Attributes:
        SPECIES: Bundled with the species.
        CHOSEN: Taken from a list of the species.
        BOUGHT: Paid for with CP.
        FREE: The table gives it to everybody.
        DEVELOPED: Taken up in play.
    """

    SPECIES = "species"
    CHOSEN = "chosen"
    BOUGHT = "bought"
    FREE = "free"
    DEVELOPED = "developed"


@dataclass(frozen=True, slots=True)
class OwnedTrait:
    """A trait that a character has.

    Attributes:
        cp: What was paid for it.
    """

    trait: Trait
    source: TraitSource
    cp: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A skill that a character has.

    Attributes:
        skill: Content id.
        field: As it was written; empty for skills that are not learned by field.
    """

    skill: str
    rating: int
    field: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A character as far as it is bought: what everything else is counted from.

    Attributes:
        traits: In the order they were acquired, without the species itself.
        skills: Bought ones, without those that everybody has for nothing.
    """

    attributes: Attributes
    traits: tuple[OwnedTrait, ...]
    skills: Mapping[SkillKey, Learned]

    def has(self, trait_id: str) -> bool:
        """Whether the character has a trait."""
        return any(owned.trait.id == trait_id for owned in self.traits)

    def rating(self, skill: str, field: str = "") -> int:
        """The rating of a skill; 0 for one that was never bought."""
        learned = self.skills.get(skill_key(skill, field))
        return 0 if learned is None else learned.rating

    @property
    def schools(self) -> frozenset[str]:
        """Content ids of the schools of magic that are open."""
        return frozenset(owned.trait.school for owned in self.traits if owned.trait.school is not None)

    @property
    def size_trait(self) -> Trait | None:
        """The trait that says how big the character is: the last one acquired."""
        sizes = [owned.trait for owned in self.traits if owned.trait.size is not None]
        return sizes[-1] if sizes else None

    @property
    def size(self) -> Size | None:
        """How big the character is; None without a species."""
        found = self.size_trait
        return None if found is None else found.size

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return TWO_HANDS + sum(owned.trait.hands for owned in self.traits)


TWO_HANDS = 2


def best_of(attributes: Iterable[Attribute], ratings: Attributes) -> Attribute | None:
    """The attribute with the highest rating, the first where several are equal; None of none."""
    return max(attributes, key=ratings.of, default=None)
