"""What each power asks its user to decide, so that a client can offer it with nothing but legal choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any

from services.rules.engine.content import slug_of
from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square
from services.rules.engine.play import Chance, Choice, ChoiceKind, FieldKind, LegalMove, MoveField, Roll
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.play.conditions import knows_of
from services.rules.systems.dungeonteller.play.effects import name_of
from services.rules.systems.dungeonteller.play.legal import chances
from services.rules.systems.dungeonteller.play.legal.offer import Offering
from services.rules.systems.dungeonteller.play.moves import UsePower
from services.rules.systems.dungeonteller.play.rules.battle import ATTACKS, whole_pool
from services.rules.systems.dungeonteller.play.rules.feat import FEAT, feat_field
from services.rules.systems.dungeonteller.play.state import Area, Being, Effect
from services.rules.systems.dungeonteller.play.targeting import best_arm
from services.rules.systems.dungeonteller.powers import Power, Target

MOST_SQUARES = 6
"""Squares asked for at most where a power takes several; more are as legal."""


class Aim(Enum):
    """What a power is aimed at."""

    NOTHING = "nothing"
    BEING = "being"
    TWO_BEINGS = "two_beings"
    BEINGS = "beings"
    THING = "thing"
    LASTING = "lasting"
    SQUARE = "square"
    SQUARES = "squares"


class Room(Enum):
    """Which squares in sight a power takes.

    Attributes:
        FREE: Any that has nothing solid on it, so that one of them is tried for all.
        ANY: Any at all, so that one is tried for all.
        LINE: Some of those in a straight line: each is tried.
        SOME: Some of them, by a rule of its own: each is tried.
    """

    FREE = "free"
    ANY = "any"
    LINE = "line"
    SOME = "some"


@dataclass(frozen=True, slots=True)
class Asks:
    """What a power asks.

    Attributes:
        room: Which squares it takes, where it is aimed at squares.
        kinds: Sorts to choose from.
        words: Whether something is said, asked or shown.
        luck: Whether Luck to spend is chosen.
    """

    aim: Aim = Aim.NOTHING
    kinds: tuple[str, ...] = ()
    words: bool = False
    luck: bool = False
    room: Room = Room.SOME


HELPED = (Target.FRIEND, Target.POISONED, Target.PETRIFIED)
"""Targets of powers that do good."""

AIMS: Mapping[Target, Aim] = MappingProxyType(
    {
        Target.SELF: Aim.NOTHING,
        Target.FRIEND: Aim.BEING,
        Target.FOE: Aim.BEING,
        Target.SMALLER_THAN_GIANT: Aim.BEING,
        Target.UNDEAD: Aim.BEINGS,
        Target.ANIMAL: Aim.BEING,
        Target.TALKER: Aim.BEING,
        Target.POISONED: Aim.BEING,
        Target.PETRIFIED: Aim.BEING,
        Target.OBJECT: Aim.THING,
        Target.STONE_SURFACE: Aim.SQUARE,
        Target.PLACE: Aim.SQUARE,
    }
)
ASKS: Mapping[str, Asks] = MappingProxyType(
    {
        "briar-patch": Asks(Aim.SQUARES, room=Room.FREE),
        "chilling-mist": Asks(Aim.SQUARES, room=Room.FREE),
        "poison-cloud": Asks(Aim.SQUARES, room=Room.FREE),
        "fireball": Asks(Aim.SQUARE, room=Room.FREE),
        "darkness": Asks(Aim.SQUARE, room=Room.FREE),
        "knockback": Asks(Aim.BEING, kinds=("", "follow")),
        "call-vermin": Asks(Aim.SQUARE, kinds=("locusts", "scarabs", "scorpions"), room=Room.FREE),
        "charge": Asks(Aim.BEING),
        "create-hippogriff": Asks(kinds=("seen", "map", "never_seen"), words=True),
        "disguise": Asks(words=True),
        "duress": Asks(Aim.BEING, words=True),
        "deceive": Asks(Aim.BEING, words=True),
        "feat-of-strength": Asks(luck=True),
        "fire-patch": Asks(Aim.SQUARES, room=Room.FREE),
        "fog-cloud": Asks(),
        "ice-sheet": Asks(Aim.SQUARES, room=Room.FREE),
        "inspire": Asks(),
        "jump": Asks(Aim.SQUARE, kinds=("", "shaky"), room=Room.LINE),
        "phantom": Asks(Aim.SQUARE),
        "rapid-fire": Asks(Aim.TWO_BEINGS),
        "secret-message": Asks(Aim.BEING, words=True),
        "sense-malice": Asks(),
        "stardust": Asks(),
        "summon-familiar": Asks(kinds=("cat", "bat", "owl", "snake")),
        "summon-greater-familiar": Asks(kinds=("feydragon", "imp", "salamander", "raven")),
        "summon-orc": Asks(),
        "sweep": Asks(Aim.TWO_BEINGS),
        "teleport": Asks(Aim.SQUARE, room=Room.ANY),
        "tongues": Asks(),
        "undo-magic": Asks(Aim.LASTING),
        "voice-trick": Asks(words=True),
        "will-o-the-wisp": Asks(Aim.SQUARE, kinds=("dim", "bright"), room=Room.FREE),
    }
)
"""What is asked beyond what a power's target says."""


def asks_of(power: Power) -> Asks:
    """What a power asks its user to decide."""
    return ASKS.get(slug_of(power.id), Asks(AIMS[power.target]))


def power_offer(make: Offering, power: Power, scroll: str = "") -> LegalMove | None:
    """A power as a move, with every choice that is legal now; None when there is none.

    Each choice was tried against the rules: what is offered is not refused.
    """
    being = make.being
    asks = asks_of(power)
    bare = UsePower(actor=being.id, power=power.id, sort=asks.kinds[0] if asks.kinds else "", scroll=scroll)
    bare = replace(bare, luck=power.luck_cost if asks.luck else 0, words="..." if asks.words else "")
    bare = replace(bare, arm=_arm_for(being, power))
    legal = _legal_aims(make, bare, asks)
    if legal is None:
        return None
    example, aims = legal
    made = make.rolls(example)
    if made is None:
        return None
    own = next((roll for roll in made if roll.actor == being.id), None)
    fields = (*aims, *_further_fields(power, asks, being))
    if FEAT in being.powers and make.fits(replace(example, feat=1)):
        fields = (*fields, feat_field(being, power.luck_cost))
    move: dict[str, Any] = {"kind": "UsePower", "actor": being.id, "power": power.id}
    if scroll:
        move["scroll"] = scroll
    if example.arm:
        move["arm"] = example.arm
    offer = LegalMove(
        id=f"power:{slug_of(power.id)}" + (f":{scroll}" if scroll else ""),
        actor=being.id,
        label=power.name,
        text=power.summary,
        rule=power.source,
        move=move,
        fields=fields,
        cost=power.cost_text,
        dice=own.dice if own is not None else None if made else _pool_of_blow(make, power),
        odds="" if own is None else own.odds,
    )
    return chances.told(offer, _chances, make, power, example, aims, made)


def _arm_for(being: Being, power: Power) -> str:
    """Id of the weapon in hand that a power strikes with; empty for bare fists and what needs no weapon."""
    attack = power.attack
    arm = best_arm(being, attack.action) if attack is not None and attack.action in ATTACKS else None
    return "" if arm is None else arm.id


def _chances(
    make: Offering, power: Power, example: UsePower, aims: tuple[MoveField, ...], made: tuple[Roll, ...]
) -> tuple[Chance, ...]:
    """How likely a power works on each of its targets; without any that resist, that it works at all."""
    targets = (choice.value for field in aims if field.name == "targets" for choice in field.choices)
    against = chances.of_power(make, power, example, targets)
    return against or chances.of_rolls(make, made, chances.before_of(make, power, example))


def _pool_of_blow(make: Offering, power: Power) -> Explained | None:
    """Dice of a power's blow before Armor or Dodge: whoever may dodge is asked before it falls."""
    attack, being = power.attack, make.being
    if attack is None:
        return None
    arm = best_arm(being, attack.action) if attack.action in ATTACKS else None
    whole = whole_pool(make.scene, make.catalog, being, attack, arm)
    return None if isinstance(whole, RuleProblem) else whole


def _further_fields(power: Power, asks: Asks, being: Being) -> Iterator[MoveField]:
    """What is asked beside the aim: a sort, words, Luck."""
    if asks.kinds:
        choices = tuple(Choice(kind, kind.replace("_", " ").capitalize() or "Plain") for kind in asks.kinds)
        yield MoveField(name="sort", label="Which sort?", kind=FieldKind.CHOICE, choices=choices)
    if asks.words:
        yield MoveField(name="words", label="What do you say?", kind=FieldKind.TEXT)
    if asks.luck:
        least, most = power.luck_cost, max(power.luck_cost, being.luck or 0)
        yield MoveField(name="luck", label="How much Luck?", kind=FieldKind.NUMBER, least=least, most=most)


def _legal_aims(make: Offering, bare: UsePower, asks: Asks) -> tuple[UsePower, tuple[MoveField, ...]] | None:
    """One legal use, and the field with every legal aim."""
    match asks.aim:
        case Aim.NOTHING:
            return bare, ()
        case Aim.BEING | Aim.THING | Aim.LASTING | Aim.BEINGS:
            found = _targets(make, bare, asks.aim)
            if not found:
                return None
            return replace(bare, targets=(found[0].value,)), (_field("targets", "Whom?", found, 1, 1),)
        case Aim.TWO_BEINGS:
            return _pairs(make, bare)
        case Aim.SQUARE | Aim.SQUARES:
            squares = _squares(make, bare, asks.room)
            if not squares:
                return None
            field = MoveField(
                name="squares",
                label="Where?",
                kind=FieldKind.SQUARES,
                squares=squares,
                least=1,
                most=MOST_SQUARES if asks.aim is Aim.SQUARES else 1,
            )
            return replace(bare, squares=squares[:1]), (field,)


def _squares(make: Offering, bare: UsePower, room: Room) -> tuple[Square, ...]:
    """The squares near by that a power may be put on."""
    if room in (Room.SOME, Room.LINE):
        at = make.being.at
        return tuple(
            square
            for square in make.squares_in_sight
            if (room is Room.SOME or _in_line(at, square)) and make.fits(replace(bare, squares=(square,)))
        )
    squares = make.squares_in_sight if room is Room.ANY else make.free_squares_in_sight
    return squares if squares and make.fits(replace(bare, squares=squares[:1])) else ()


def _in_line(one: Square, other: Square) -> bool:
    """Whether a straight line leads from one square to another, slanting ones too."""
    dx, dy = abs(other.x - one.x), abs(other.y - one.y)
    return dx == 0 or dy == 0 or dx == dy


def _targets(make: Offering, bare: UsePower, aim: Aim) -> tuple[Choice, ...]:
    scene, being = make.scene, make.being
    known = (other for other in scene.beings if other.id == being.id or knows_of(being, other))
    beings = make.marked(known, friends_first=make.catalog.powers[bare.power].target in HELPED)
    things = tuple(
        Choice(thing.id, thing.name, kind=ChoiceKind.ITEM)
        for thing in scene.things
        if thing.hidden is None or being.id in thing.found_by
    )
    spells: tuple[Effect | Area, ...] = (*scene.effects, *scene.areas)
    lasting = tuple(
        Choice(spell.id, name_of(spell)) for spell in spells if spell.strength and spell.audience.everyone
    )
    candidates = {Aim.THING: [*things, *beings], Aim.LASTING: [*lasting, *things]}.get(aim, beings)
    return tuple(choice for choice in candidates if make.fits(replace(bare, targets=(choice.value,))))


def _pairs(make: Offering, bare: UsePower) -> tuple[UsePower, tuple[MoveField, ...]] | None:
    """Two different foes that can both be struck: any two of those that can be struck beside another."""
    being = make.being
    known = (other for other in make.scene.beings if other.id != being.id and knows_of(being, other))
    others = make.marked(known)
    for first in others:
        fitting = tuple(
            other
            for other in others
            if other is not first and make.fits(replace(bare, targets=(first.value, other.value)))
        )
        if fitting:
            move = replace(bare, targets=(first.value, fitting[0].value))
            return move, (_field("targets", "Which two?", (first, *fitting), 2, 2),)
    return None


def _field(name: str, label: str, choices: tuple[Choice, ...], least: int, most: int) -> MoveField:
    return MoveField(name=name, label=label, kind=FieldKind.CHOICES, choices=choices, least=least, most=most)
