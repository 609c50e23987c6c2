"""The twelve attributes in their three groups (The Attributes; checklist I)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

LEAST, MOST = -3, 3


class Group(Enum):
    """A group of attributes, and the kind of Harm that weighs on it.

    The book calls the same groups Prowess, Insight and Spirit where it speaks of Saves (P22).
    """

    PHYSICAL = "physical"
    MENTAL = "mental"
    SPIRITUAL = "spiritual"

    @property
    def label(self) -> str:
        """What people call it: "Physical"."""
        return self.value.capitalize()


class Attribute(Enum):
    """What a character is good or bad at, from -3 to +3."""

    FIGHT = "fight"
    FINESSE = "finesse"
    WRECK = "wreck"
    SNEAK = "sneak"
    NOTICE = "notice"
    STUDY = "study"
    CRAFT = "craft"
    LORE = "lore"
    ATTUNE = "attune"
    ENDURE = "endure"
    CONVINCE = "convince"
    CAROUSE = "carouse"

    @property
    def label(self) -> str:
        """What people call it: "Fight"."""
        return self.value.capitalize()

    @property
    def group(self) -> Group:
        """The group it belongs to, by its place in the book's order."""
        return tuple(Group)[tuple(Attribute).index(self) // 4]


def group_total(attributes: Mapping[Attribute, int], group: Group) -> int:
    """How many attributes of a group are at +1 or more: what a Save against its Harm adds (G2)."""
    return sum(value >= 1 for attribute, value in attributes.items() if attribute.group is group)
