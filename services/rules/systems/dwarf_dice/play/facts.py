"""What happens in a game, as facts. Each is folded in by `evolve` without looking at any rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.effects import Effect
from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.dwarf_dice.play.state import Work
from services.rules.systems.dwarf_dice.resources import Resource


class Wound(Enum):
    """What hurt a fighter."""

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
class TurnBegan:
    """A fighter's turn began.

    Attributes:
        round: The round it belongs to.
    """

    fighter: ActorId
    round: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A fighter left their turn unused."""

    fighter: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hoarded:
    """A Hoard was rolled."""

    fighter: ActorId
    rolled: tuple[Resource, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class PactMade:
    """Dark Pact turned all Nulls into a resource."""

    fighter: ActorId
    resource: Resource
    nulls: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NullSetAside:
    """Mark of Quality took a Null away."""

    fighter: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NullsPlaced:
    """The left neighbour placed the Nulls."""

    fighter: ActorId
    squares: tuple[Square, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """An item lies on the Forge."""

    fighter: ActorId
    work: Work
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """An item was taken off the Forge."""

    fighter: ActorId
    work: Work
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Forged:
    """Items were forged: their cards went to the hand, and the dice left the Forge."""

    fighter: ActorId
    items: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgraded:
    """Upgrade! exchanged two cards."""

    fighter: ActorId
    forger: ActorId
    give: str
    take: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """A fighter was called out to combat."""

    attacker: ActorId
    defender: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """Both sides revealed their cards."""

    attacker: ActorId
    defender: ActorId
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Assaulted:
    """Furious Assault takes dice from the defender.

    Attributes:
        cards: Cards of the attack, one die each.
    """

    fighter: ActorId
    cards: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRolled:
    """The dice of both sides fell."""

    attacker: ActorId
    defender: ActorId
    attack: tuple[Resource, ...]
    defence: tuple[Resource, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class FuryUsed:
    """Forge's Fury set the opponent's Alchemy aside.

    Attributes:
        dice: How many dice.
    """

    fighter: ActorId
    dice: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """The defender assigned dice.

    Attributes:
        dice: Places of the dice in the defence roll, from 0.
        countering: How many of them are Alchemy.
    """

    fighter: ActorId
    dice: tuple[int, ...]
    countering: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hurt:
    """A fighter lost Endurance.

    Attributes:
        damage: How much; what is left may be below 0.
        wound: What from.
    """

    fighter: ActorId
    damage: int
    wound: Wound
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuked:
    """Fiery Rebuke was rolled.

    Attributes:
        shown: What the die shows.
        hit: Whether it hurts the attacker.
    """

    fighter: ActorId
    shown: Resource
    hit: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """A fighter did not use a power they were asked about.

    Attributes:
        power: Content id.
    """

    fighter: ActorId
    power: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerUsed:
    """A fighter used a power that no other fact tells of; an active one is used up.

    Attributes:
        power: Content id.
    """

    fighter: ActorId
    power: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan:
    """Something that lasts was laid on a fighter."""

    fighter: ActorId
    effect: Effect
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReturned:
    """The cards of a combat went back to the Armory."""

    attacker: ActorId
    defender: ActorId
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell:
    """A fighter was defeated.

    Attributes:
        by: Who fought them.
        cards: The rest of their hand.
        returned: Whether those cards went back to the Armory.
    """

    fighter: ActorId
    by: ActorId
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
    """The game is over.

    Attributes:
        winner: Who won; empty where the game master called it off.
    """

    winner: ActorId = ""
    audience: Audience = EVERYONE


Fact = (
    Dealt
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
    | Revealed
    | Assaulted
    | DiceRolled
    | FuryUsed
    | Blocked
    | Hurt
    | Rebuked
    | Declined
    | PowerUsed
    | EffectBegan
    | CardsReturned
    | Fell
    | TimeLimitSet
    | Said
    | Ended
)
