"""The facts of a fight. A field of type `ActorId` names a combatant: who may know of it is told."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.effects import Duration, Effect
from services.rules.engine.ground.squares import Square
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.forge_engine.play.moves import MinorUse, RestKind
from services.rules.systems.forge_engine.play.state import Gone

# Rounds and turns


@dataclass(frozen=True, slots=True, kw_only=True)
class FightBegan(Fact):
    """A fight breaks out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Fact):
    """A combatant noticed the other side in time, or was surprised."""

    who: ActorId
    surprised: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeRolled(Fact):
    """A combatant rolled for initiative; `energy` and `bonus` are what it starts with."""

    who: ActorId
    faces: tuple[int, ...]
    energy: int
    bonus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSet(Fact):
    """The order of initiative; the game master's, since it names all."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordered(Fact):
    """A combatant rolled anew for initiative, and takes a better place in the order."""

    who: ActorId
    faces: tuple[int, ...]
    order: tuple[ActorId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Fact):
    """A combatant's turn begins, and its last one ends; `round` is the one it belongs to."""

    who: ActorId
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyRegained(Fact):
    """Energy came back at the start of a turn; `pool` is what is in the pool then, `lost` did not fit."""

    who: ActorId
    pool: int
    gained: int
    bonus: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Fact):
    """A combatant passed priority; `rest` for the rest of its turn."""

    who: ActorId
    rest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(Fact):
    """A combatant's action is resolved: who stands higher in the order may act first again."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneEnded(Fact):
    """The game master ended the scene."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Fact):
    """A hidden combatant stepped out."""

    who: ActorId
    name: str


# Energy


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyUsed(Fact):
    """A combatant used energy for `what`: spent, added to a pool, expended."""

    who: ActorId
    what: str
    spent: int = 0
    added: int = 0
    expended: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyLost(Fact):
    """Poison or the like expended energy, that of the pool or spent energy (R-110)."""

    who: ActorId
    expended: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusGained(Fact):
    """A combatant gained bonus energy."""

    who: ActorId
    amount: int
    lasts: Duration
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillUsed(Fact):
    """A combatant used a skill that is counted: each turn, or `once` in a fight."""

    who: ActorId
    skill: str
    once: bool = False


# Actions


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Fact):
    """A combatant moved; `feet` of its speed are used, `ran` feet added to it."""

    who: ActorId
    feet: int
    to: Square | None = None
    run: bool = False
    ran: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Neared(Fact):
    """Two combatants are so many feet apart now, where distances are stated."""

    one: ActorId
    other: ActorId
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Displaced(Fact):
    """A combatant was pushed, pulled, dragged or put somewhere."""

    who: ActorId
    to: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Rose(Fact):
    """A flyer gained so many feet of altitude, or hovered."""

    who: ActorId
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sank(Fact):
    """A flyer who kept itself up by nothing lost so many feet of altitude."""

    who: ActorId
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood(Fact):
    """A combatant got up."""

    who: ActorId
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MinorDone(Fact):
    """A minor action; `item` is what it was done with, `name` what that is called."""

    who: ActorId
    use: MinorUse
    item: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reloaded(Fact):
    """A weapon is ready again with so many shots."""

    who: ActorId
    weapon: str
    name: str
    shots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Armed(Fact):
    """An explosive is lit, or its pin is out."""

    who: ActorId
    weapon: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested(Fact):
    """An attribute test; `successes` as conditions leave them."""

    who: ActorId
    what: str
    successes: int
    passed: bool
    critical: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contested(Fact):
    """An opposed test."""

    who: ActorId
    against: ActorId
    what: str
    successes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvised(Fact):
    """An improvised action."""

    who: ActorId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Fact):
    """A combatant left the fight."""

    who: ActorId
    how: Gone


# Attacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked(Fact):
    """An attack was declared; `shots` of the weapon are used, or it was `thrown`."""

    who: ActorId
    targets: tuple[ActorId, ...]
    weapon: str
    name: str
    shots: int = 0
    thrown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst(Fact):
    """An explosive burst in a square, or where no grid is, around its target."""

    name: str
    at: Square | None = None
    feet: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellCast(Fact):
    """A spell was cast."""

    who: ActorId
    targets: tuple[ActorId, ...]
    spell: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summoned(Fact):
    """A creature of an adversary's kind appeared beside its summoner."""

    who: ActorId
    creature: str
    name: str
    adversary: str
    at: Square | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reacted(Fact):
    """A combatant reacted to an attack with so many dice."""

    who: ActorId
    how: str
    dice: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldRaised(Fact):
    """A combatant paid for its shield until its next turn."""

    who: ActorId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck(Fact):
    """An attack came to so many successes; none is a miss."""

    who: ActorId
    target: ActorId
    successes: int
    critical: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Faltered(Fact):
    """An attack came to nothing, because the attacker can no longer act."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockedAway(Fact):
    """A weapon or shield flew out of a combatant's hands, so many feet; `name` is what it is called."""

    who: ActorId
    item: str
    name: str
    feet: int


# Health


@dataclass(frozen=True, slots=True, kw_only=True)
class Hurt(Fact):
    """A combatant took damage."""

    who: ActorId
    damage: int
    type: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bled(Fact):
    """A dying combatant lost health at the start of its turn."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Collapsed(Fact):
    """A combatant's body gave out: it is dying at -1 health, unless it was worse."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Fainted(Fact):
    """A combatant with all its energy expended fell unconscious."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Stabilized(Fact):
    """A dying combatant is stable."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed(Fact):
    """A combatant recovered health; `physical` where that can be done once between encounters."""

    who: ActorId
    amount: int
    physical: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Revived(Fact):
    """A dead combatant is dying again."""

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested(Fact):
    """A combatant rested, and recovered health and expended energy."""

    who: ActorId
    length: RestKind
    health: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePassed(Fact):
    """Time passed out of a fight."""

    minutes: int


# What lasts


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan(Fact):
    """Something that lasts began."""

    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded(Fact):
    """Something that lasts ended."""

    effect: str
    bearer: ActorId
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectChanged(Fact):
    """What an effect counts is another number now."""

    effect: str
    bearer: ActorId
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed(Fact):
    """A combatant climbed, jumped or fell so many feet."""

    who: ActorId
    what: str
    feet: int


FightFact = (
    FightBegan
    | Noticed
    | InitiativeRolled
    | OrderSet
    | Reordered
    | TurnBegan
    | EnergyRegained
    | Passed
    | Acted
    | SceneEnded
    | Revealed
    | EnergyUsed
    | EnergyLost
    | BonusGained
    | SkillUsed
    | Moved
    | Neared
    | Displaced
    | Rose
    | Sank
    | Stood
    | MinorDone
    | Reloaded
    | Armed
    | Tested
    | Contested
    | Improvised
    | Left
    | Attacked
    | Burst
    | SpellCast
    | Summoned
    | Reacted
    | ShieldRaised
    | Struck
    | Faltered
    | KnockedAway
    | Hurt
    | Bled
    | Collapsed
    | Fainted
    | Stabilized
    | Healed
    | Revived
    | Rested
    | TimePassed
    | EffectBegan
    | EffectEnded
    | EffectChanged
    | Climbed
)
"""Everything that can happen."""
