"""Everything that can be done in a game, answers to questions included.

Each move says who makes it; a game master's has the actor `gm`.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.steps import ActorId, ItemId
from services.rules.systems.dwarf_dice.resources import Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Deal the champions by chance (Setup); the first player does."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Craft:
    """Craft in one's turn: roll the Hoard (Hoarding)."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Call a champion out to combat in one's turn (Choosing Equipment).

    Attributes:
        target: Who is called out.
    """

    actor: str
    target: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """Leave one's turn unused, where the table allows it (P17)."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DarkPact:
    """Turn all Nulls of one's Hoard into Metal, or all into Wood.

    Attributes:
        resource: Metal or Wood.
    """

    actor: str
    resource: Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkOfQuality:
    """Set one Null of one's Hoard aside."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceNulls:
    """Place all Nulls of the neighbour's Hoard on the Forge (Resource Dice).

    Attributes:
        squares: One for each Null.
    """

    actor: str
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lay:
    """Lay dice on the Forge that show an item (Forging).

    Attributes:
        item: Content id.
        at: The Forge as nine signs, row by row: M or W where the item needs them, `.` elsewhere.
    """

    actor: str
    item: ItemId
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """Take an item off the Forge again; of several the one laid last.

    Attributes:
        item: Content id.
    """

    actor: str
    item: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishForging:
    """Take the cards of what lies on the Forge; with nothing on it, nothing is forged."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forge:
    """Forge these items at once, wherever they fit, and finish.

    Attributes:
        items: Content ids.
    """

    actor: str
    items: tuple[ItemId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgrade:
    """Exchange a card of one's hand for one that an opponent has just forged.

    Attributes:
        give: Content id of the card given.
        take: Content id of the card taken.
    """

    actor: str
    give: ItemId
    take: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseCards:
    """Choose in secret what to fight with (Choosing Equipment).

    Attributes:
        cards: Content ids; a card that is held twice may be named twice.
    """

    actor: str
    cards: tuple[ItemId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FuriousAssault:
    """Have the defender roll one die less for each card of the attack."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgesFury:
    """Set the opponent's Alchemy aside for this combat."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Assign defending dice to attacking ones, one each (ATTACK!).

    Attributes:
        dice: Which dice block, by their place in the roll: `die-1` and up.
    """

    actor: str
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieryRebuke:
    """Roll one die against the attacker."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsePower:
    """Use the power one is asked about, where nothing is to be chosen and the power has no answer of its own.

    Attributes:
        power: Content id.
    """

    actor: str
    power: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Do not use the power one is asked about."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTimeLimit:
    """The game master says how long questions wait.

    Attributes:
        seconds: How long; None for as long as it takes.
    """

    actor: str
    seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """The game master says something to the table.

    Attributes:
        text: What.
    """

    actor: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOff:
    """The game master calls the game off; nobody wins."""

    actor: str


MasterMove = SetTimeLimit | Say | CallOff
Answer = (
    DarkPact
    | MarkOfQuality
    | PlaceNulls
    | Upgrade
    | ChooseCards
    | FuriousAssault
    | ForgesFury
    | Block
    | FieryRebuke
    | UsePower
    | Decline
)
"""What answers a question in the middle of a move, and is nobody's own move."""

Move = (
    Deal
    | Craft
    | Challenge
    | Pass
    | DarkPact
    | MarkOfQuality
    | PlaceNulls
    | Lay
    | Lift
    | FinishForging
    | Forge
    | Upgrade
    | ChooseCards
    | FuriousAssault
    | ForgesFury
    | Block
    | FieryRebuke
    | UsePower
    | Decline
    | SetTimeLimit
    | Say
    | CallOff
)
