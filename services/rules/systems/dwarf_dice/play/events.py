"""What happens in a game, as facts. Each is folded in by `evolve` without looking at any rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.dwarf_dice.play.state import Ending, Stage, Work
from services.rules.systems.dwarf_dice.resources import Resource


class Wound(Enum):
    """What hurt somebody."""

    CRIT = "crit"
    HIT = "hit"
    COUNTER = "counter"
    REBUKE = "rebuke"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The champions were dealt.

    Attributes:
        champions: Content ids, one a seat.
    """

    champions: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Play waits for somebody's answer, or for their dice.

    Attributes:
        stage: For what.
    """

    stage: Stage
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """Somebody's turn began.

    Attributes:
        round: The round it belongs to.
    """

    fighter: str
    round: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """Somebody left their turn unused."""

    fighter: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hoarded:
    """A Hoard was rolled."""

    fighter: str
    rolled: tuple[Resource, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class PactMade:
    """Dark Pact turned all Nulls into a resource."""

    fighter: str
    resource: Resource
    nulls: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NullSetAside:
    """Mark of Quality took a Null away."""

    fighter: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NullsPlaced:
    """The left neighbour placed the Nulls."""

    fighter: str
    squares: tuple[Square, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """An item lies on the Forge."""

    fighter: str
    work: Work
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """An item was taken off the Forge."""

    fighter: str
    work: Work
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Forged:
    """Items were forged: their cards went to the hand, and the dice left the Forge."""

    fighter: str
    items: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgraded:
    """Upgrade! exchanged two cards."""

    fighter: str
    forger: str
    give: str
    take: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """Somebody was called out to combat."""

    attacker: str
    defender: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Somebody chose what to fight with; which cards, only they know until both have chosen.

    Attributes:
        cards: Content ids; none where they are hidden.
        hidden: Whether this telling leaves the cards out.
    """

    fighter: str
    cards: tuple[str, ...]
    hidden: bool = False
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """Both sides revealed their cards."""

    attack: tuple[str, ...]
    defence: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Assaulted:
    """Furious Assault takes dice from the defender.

    Attributes:
        cards: Cards of the attack, one die each.
    """

    fighter: str
    cards: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRolled:
    """The dice of both sides fell."""

    attack: tuple[Resource, ...]
    defence: tuple[Resource, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class FuryUsed:
    """Forge's Fury set the opponent's Alchemy aside.

    Attributes:
        dice: How many dice.
    """

    fighter: str
    dice: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """The defender assigned dice.

    Attributes:
        dice: Places of the dice in the defence roll, from 0.
        countering: How many of them are Alchemy.
    """

    fighter: str
    dice: tuple[int, ...]
    countering: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hurt:
    """Somebody lost Endurance.

    Attributes:
        damage: How much.
        endurance: What is left; may be below 0.
        wound: What from.
    """

    fighter: str
    damage: int
    endurance: int
    wound: Wound
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuked:
    """Fiery Rebuke was rolled.

    Attributes:
        shown: What the die shows.
        hit: Whether it hurts the attacker.
    """

    fighter: str
    shown: Resource
    hit: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """Somebody did not use a power they were asked about.

    Attributes:
        stage: Which.
    """

    fighter: str
    stage: Stage
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReturned:
    """The cards of a combat went back to the Armory."""

    attack: tuple[str, ...]
    defence: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell:
    """Somebody was defeated.

    Attributes:
        by: Who fought them.
        cards: The rest of their hand.
        returned: Whether those cards went back to the Armory.
    """

    fighter: str
    by: str
    cards: tuple[str, ...]
    returned: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimitSet:
    """The game master said how long questions wait."""

    seconds: int | None
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The game master said something."""

    text: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The game is over."""

    ending: Ending
    audience: Audience = EVERYONE


Event = (
    Dealt
    | Waiting
    | TurnBegan
    | Passed
    | Hoarded
    | PactMade
    | NullSetAside
    | NullsPlaced
    | Laid
    | Lifted
    | Forged
    | Upgraded
    | Challenged
    | Chosen
    | Revealed
    | Assaulted
    | DiceRolled
    | FuryUsed
    | Blocked
    | Hurt
    | Rebuked
    | Declined
    | CardsReturned
    | Fell
    | TimeLimitSet
    | Said
    | Ended
)
