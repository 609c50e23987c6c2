"""The six attributes, and what follows from several of them (Fundamentals / Attributes; Energy; Defenses)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum


class Attribute(Enum):
    """What every character is rated in.

    Attributes:
        STRENGTH: Bodily force: melee damage, lifting, carrying.
        AGILITY: Quickness and balance: ranged attacks, dodging.
        STAMINA: Endurance: health, and withstanding what hurts the body.
        INFLUENCE: Presence: persuading, deceiving, commanding.
        INTELLIGENCE: Knowledge and reasoning.
        ACUITY: Keen senses and a steady mind.
    """

    STRENGTH = "strength"
    AGILITY = "agility"
    STAMINA = "stamina"
    INFLUENCE = "influence"
    INTELLIGENCE = "intelligence"
    ACUITY = "acuity"

    @property
    def label(self) -> str:
        """The word for people: "Strength"."""
        return self.value.capitalize()

    @property
    def short(self) -> str:
        """The three letters of stat blocks: "STR"."""
        return self.value[:3].upper()


MENTAL = (Attribute.INFLUENCE, Attribute.INTELLIGENCE, Attribute.ACUITY)
"""The attributes that Mental Defense and cantrips go by."""

LOWEST = 1
"""Every attribute starts there and never falls below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """A rating for each attribute, from 1; there is no upper end.

    Attributes:
        strength: Rating of Strength.
        agility: Rating of Agility.
        stamina: Rating of Stamina.
        influence: Rating of Influence.
        intelligence: Rating of Intelligence.
        acuity: Rating of Acuity.
    """

    strength: int = LOWEST
    agility: int = LOWEST
    stamina: int = LOWEST
    influence: int = LOWEST
    intelligence: int = LOWEST
    acuity: int = LOWEST

    def of(self, attribute: Attribute) -> int:
        """The rating of an attribute."""
        rating: int = getattr(self, attribute.value)
        return rating

    def rated(self, attribute: Attribute, rating: int) -> Attributes:
        """The same with another rating of one attribute."""
        return replace(self, **{attribute.value: rating})

    def ratings(self) -> Iterator[tuple[Attribute, int]]:
        """Each attribute with its rating, in the order of the book."""
        for attribute in Attribute:
            yield attribute, self.of(attribute)

    def highest(self, count: int) -> tuple[Attribute, ...]:
        """The attributes with the highest ratings, the first of the book where several are equal."""
        return tuple(sorted(Attribute, key=lambda attribute: -self.of(attribute))[:count])

    def middle_mental(self) -> Attribute:
        """The mental attribute whose rating is the middle one of the three (Defenses / Mental Defense)."""
        return sorted(MENTAL, key=self.of)[1]
