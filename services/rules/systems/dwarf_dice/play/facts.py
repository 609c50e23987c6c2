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
    """What hurt a fighter.

    Attributes:
        CRIT: Damage that no die blocks.
        HIT: An unblocked die of the attack.
        COUNTER: Alchemy of the defence.
        REBUKE: Fiery Rebuke.
    """

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
        fighter: Id of the one whose turn it is now.
        round: The round it belongs to.
    """

    fighter: ActorId
    round: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A fighter left their turn unused.

    Attributes:
        fighter: Id of the one whose turn it was.
    """

    fighter: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hoarded:
    """A Hoard was rolled.

    Attributes:
        fighter: Id of the one who rolled.
        rolled: What the dice show.
    """

    fighter: ActorId
    rolled: tuple[Resource, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class PactMade:
    """Dark Pact turned all Nulls into a resource.

    Attributes:
        fighter: Id of the one who made it.
        resource: What the Nulls became.
        nulls: How many there were.
    """

    fighter: ActorId
    resource: Resource
    nulls: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NullSetAside:
    """Mark of Quality took a Null away.

    Attributes:
        fighter: Id of the forger.
    """

    fighter: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NullsPlaced:
    """The left neighbour placed the Nulls.

    Attributes:
        fighter: Id of the one on whose Forge they lie.
        squares: Where they lie on the Forge.
    """

    fighter: ActorId
    squares: tuple[Square, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """An item lies on the Forge.

    Attributes:
        fighter: Id of the forger.
        work: The item, and where it lies.
    """

    fighter: ActorId
    work: Work
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """An item was taken off the Forge.

    Attributes:
        fighter: Id of the forger.
        work: The item, and where it lay.
    """

    fighter: ActorId
    work: Work
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Forged:
    """Items were forged: their cards went to the hand, and the dice left the Forge.

    Attributes:
        fighter: Id of the forger.
        items: Content ids of the items.
    """

    fighter: ActorId
    items: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgraded:
    """Upgrade! exchanged two cards.

    Attributes:
        fighter: Id of the one who exchanged.
        forger: Id of the other one.
        give: Content id of the card that was handed over.
        take: Content id of the card that was taken.
    """

    fighter: ActorId
    forger: ActorId
    give: str
    take: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """A fighter was called out to combat.

    Attributes:
        attacker: Id of the one who called.
        defender: Id of the one who was called out.
    """

    attacker: ActorId
    defender: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """Both sides revealed their cards.

    Attributes:
        attacker: Id of the one who called.
        defender: Id of the one who was called out.
        attack: Content ids of the attacker's cards.
        defence: Content ids of the defender's cards.
    """

    attacker: ActorId
    defender: ActorId
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Assaulted:
    """Furious Assault takes dice from the defender.

    Attributes:
        fighter: Id of the attacker.
        cards: Cards of the attack, one die each.
    """

    fighter: ActorId
    cards: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRolled:
    """The dice of both sides fell.

    Attributes:
        attacker: Id of the one who called.
        defender: Id of the one who was called out.
        attack: What the attacker's dice show, in the order in which they fell.
        defence: What the defender's dice show, in the order in which they fell.
    """

    attacker: ActorId
    defender: ActorId
    attack: tuple[Resource, ...]
    defence: tuple[Resource, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class FuryUsed:
    """Forge's Fury set the opponent's Alchemy aside.

    Attributes:
        fighter: Id of the one who used it.
        dice: How many dice.
    """

    fighter: ActorId
    dice: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """The defender assigned dice.

    Attributes:
        fighter: Id of the defender.
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
        fighter: Id of the one who is hurt.
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
        fighter: Id of the defender, whose power it is.
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
        fighter: Id of the one who was asked.
        power: Content id.
    """

    fighter: ActorId
    power: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerUsed:
    """A fighter used a power that no other fact tells of; an active one is used up.

    Attributes:
        fighter: Id of the one who used it.
        power: Content id.
    """

    fighter: ActorId
    power: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan:
    """Something that lasts was laid on a fighter.

    Attributes:
        fighter: Id of the one it lies on.
        effect: What lies on them, and how long.
    """

    fighter: ActorId
    effect: Effect
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReturned:
    """The cards of a combat went back to the Armory.

    Attributes:
        attacker: Id of the one who called.
        defender: Id of the one who was called out.
        attack: Content ids of the attacker's cards.
        defence: Content ids of the defender's cards.
    """

    attacker: ActorId
    defender: ActorId
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell:
    """A fighter was defeated.

    Attributes:
        fighter: Id of the one who is out.
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
    """The game master said how long questions wait.

    Attributes:
        seconds: How long; null for as long as it takes.
    """

    seconds: int | None
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The game master said something.

    Attributes:
        text: The words.
    """

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
