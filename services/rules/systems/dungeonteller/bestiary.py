"""Monsters, beasts and other creatures as data (Moving / monsters; Powers; More Wizard Powers).

The book has no bestiary: what stands in `content/monsters.toml` is original, around the few figures of
the book. A creature's printed Battle and Shoot already hold its usual weapon, as the book's bogle shows:
its club adds nothing to its Battle 8; an attack adds dice only where it is something special.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.bonuses import Sight

SIDES = 6


class Size(Enum):
    """How big a creature is: powers such as an ice sheet only work on those smaller than a giant.

    Attributes:
        SMALL: Smaller than a human.
        HUMAN: As big as a human.
        GIANT: Bigger than a human.
    """

    SMALL = "small"
    HUMAN = "human"
    GIANT = "giant"


class Tag(StrEnum):
    """What kind of creature it is, as powers and rules ask.

    Attributes:
        UNDEAD: Can be driven away by a paladin.
        CONSTRUCT: Made, not born: neither alive nor undead.
        ANIMAL: Can be tamed, when it has Talk 0, and elves can talk with it.
        HUMANLIKE: Has the shape of a human, so that a being can be disguised as it.
        MALICIOUS: Means harm; a guard circle helps against it.
        NO_DOUBLE_MOVE: Too slow or stiff for a double-move.
        NO_RUN: Cannot run.
        GIANT: Follows from the size; never written down.
        LIVING: Follows from being neither undead nor made; never written down.
        TALKER: Follows from Talk 1 or more; never written down.
        CAN_FLY: Follows from the flying speed; never written down.
    """

    UNDEAD = "undead"
    CONSTRUCT = "construct"
    ANIMAL = "animal"
    HUMANLIKE = "humanlike"
    MALICIOUS = "malicious"
    NO_DOUBLE_MOVE = "no_double_move"
    NO_RUN = "no_run"
    GIANT = "giant"
    LIVING = "living"
    TALKER = "talker"
    CAN_FLY = "can_fly"


FOLLOWING = frozenset({Tag.GIANT, Tag.LIVING, Tag.TALKER, Tag.CAN_FLY})
"""Tags that follow from other figures and are never written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonsterAttack:
    """A way in which a creature attacks.

    Attributes:
        name: What hits: "Bite".
        action: Battle or Shoot.
        dice: Bonus dice on top of the rating; 0 for its usual weapon.
        weapon: Whether it is something in its hands, so that it strikes first at whoever tries to pin it.
    """

    name: str
    action: Action
    dice: int = 0
    weapon: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Monster:
    """A creature that the game master plays, or a being's pet, minion, familiar or steed.

    Attributes:
        id: Content id.
        name: The word for people.
        summary: What it is like, in plain words of our own.
        ratings: Its dice for each action.
        luck: Luck at full strength; None for a thing without Luck, whose dice are not capped and which
            falls at the first success (ruling P23).
        armor: Dice it takes from a Battle or Shoot roll against it.
        wears: Content id of the armour that gives it these; None for a hide of its own.
        move: Paces of a plain move.
        fly: Slowest and fastest flight in paces a turn, as in "6 to 18"; None when it cannot fly.
        climb: Paces it climbs without rolling; None when it climbs like anybody.
        tags: What is written down of it; see `traits` for those that follow as well.
        powers: Content ids of the powers it can use, beside those for everyone.
        attacks: How it hits.
        sight: How it sees without light; None for the table's general rule.
        size: How big it is.
        treasure: Content ids of what it guards or carries.
        gold: Gold it guards or carries.
        dislikes: What it shrinks from, in plain words: a heroes' way out when they find it out.

    Raises:
        ValueError: A tag is written that follows from other figures, or an attack is not Battle or Shoot.
    """

    id: str
    name: str
    summary: str
    ratings: Ratings
    luck: int | None = None
    armor: int = 0
    wears: str | None = None
    move: int = 5
    fly: tuple[int, int] | None = None
    climb: int | None = None
    tags: tuple[Tag, ...] = ()
    powers: tuple[str, ...] = ()
    attacks: tuple[MonsterAttack, ...] = ()
    sight: Sight | None = None
    size: Size = Size.HUMAN
    treasure: tuple[str, ...] = ()
    gold: int = 0
    dislikes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for tag in self.tags:
            if tag in FOLLOWING:
                raise ValueError(f"the tag {tag.value} follows from other figures and is not written")
        for attack in self.attacks:
            if attack.action not in (Action.BATTLE, Action.SHOOT):
                raise ValueError(f"an attack is Battle or Shoot, not {attack.action.label}")

    @property
    def traits(self) -> tuple[Tag, ...]:
        """Every tag that holds of it, written or following."""
        follows = {
            Tag.GIANT: self.size is Size.GIANT,
            Tag.LIVING: Tag.UNDEAD not in self.tags and Tag.CONSTRUCT not in self.tags,
            Tag.TALKER: self.ratings.talk >= 1,
            Tag.CAN_FLY: self.fly is not None,
        }
        return tuple(tag for tag in Tag if tag in self.tags or follows.get(tag, False))

    @property
    def casting(self) -> bool:
        """Whether it can cast spells: with Magic 1 or more (ruling P5)."""
        return self.ratings.magic >= 1

    def has(self, tag: Tag) -> bool:
        """Whether a tag holds of it, written or following."""
        return tag in self.traits
