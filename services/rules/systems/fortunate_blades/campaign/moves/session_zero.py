"""The moves of session zero."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine import plain
from services.rules.systems.fortunate_blades.choices import QuestChoice, Ranks


class Matter(Enum):
    """What the whole group decides by a vote, or by dice (The Party; K3, K4).

    Attributes:
        ORIGIN: How the party came together.
        PARTY_QUEST: What it is after in all its adventures.
    """

    ORIGIN = "origin"
    PARTY_QUEST = "party_quest"


@dataclass(frozen=True, slots=True, kw_only=True)
class WishTone(plain.Move):
    """Say what the story is to be like, or is not to be like.

    Attributes:
        tone: The tone, in a word of the story map; empty to roll a d20 for one.
        unwanted: Whether the story is not to have it.
    """

    tone: str = ""
    unwanted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkPlace(plain.Move):
    """Bring a place of one's own hero into the story.

    Attributes:
        name: What it is called; empty to draw a place.
        detail: What it is like, in a word of the story map; empty to roll a d10 for it.
        text: What is told of it.
    """

    name: str = ""
    detail: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameParty(plain.Move):
    """Write down what the group calls its party.

    Attributes:
        name: What it is called.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameStart(plain.Move):
    """Draw the place in the centre of the map, where the story begins.

    Attributes:
        name: What it is called.
        detail: What it is like, in a word of the story map; empty to roll a d10 for it.
        text: What is told of it.
    """

    name: str
    detail: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallChoice(plain.Move):
    """Let the group choose an origin or a Party Quest; dice are one of the choices.

    Attributes:
        matter: What is chosen.
    """

    matter: Matter


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawForce(plain.Move):
    """Draw a force from the list.

    Attributes:
        secret: Whether only the game master knows of it.
        goal: What it really wants; the game master's alone.
    """

    secret: bool = False
    goal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginStory(plain.Move):
    """End session zero: the story begins."""


# Those of players, who need no hero for them


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftHero(plain.Move):
    """Show the table a hero in the making, with all that is chosen so far; it takes the place of what was
    shown before.

    Attributes:
        name: What the hero is called so far.
        look: How the hero looks so far.
        backgrounds: Content ids of backgrounds.
        trades: Content ids of trades.
        blade: Content id of the item that the Fortunate Blade is; empty for none so far.
        talents: Content ids of talents, of the backgrounds, trades and blade.
        ranks: Ranks of the attributes so far.
        quest: The personal quest so far.
    """

    name: str = ""
    look: str = ""
    backgrounds: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    blade: str = ""
    talents: tuple[str, ...] = ()
    ranks: Ranks = Ranks()  # noqa: RUF009
    quest: QuestChoice = QuestChoice()  # noqa: RUF009


@dataclass(frozen=True, slots=True, kw_only=True)
class DropDraft(plain.Move):
    """Take a hero in the making off the table."""


ZeroMasterMove = WishTone | NameParty | NameStart | CallChoice | DrawForce | BeginStory
ZeroHeroMove = WishTone | MarkPlace
ZeroPlayerMove = DraftHero | DropDraft
