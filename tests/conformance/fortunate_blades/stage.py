"""Encounters that cases speak of, and moves made in them with given faces and answers.

Heroes are `A`, `B`, `C` ..., with no ranks and 9 Fortune each; the clock `clock-1` is in their way, and
`clock-2` keeps the encounter going when that is full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from services.rules.engine.explain import Explained
from services.rules.engine.play import GM, Roll
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.catalog import Catalog, Talent
from services.rules.systems.fortunate_blades.clocks import Clock, ClockKind
from services.rules.systems.fortunate_blades.harm import BORNE
from services.rules.systems.fortunate_blades.play import effects
from services.rules.systems.fortunate_blades.play.moves import (
    Call,
    Enough,
    Move,
    Reward,
    StateOutcomes,
    Twist,
)
from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.sheet import TalentLine
from services.rules.systems.fortunate_blades.terms import Attribute, Consequence, Group, HarmLevel, TalentUse

NAMES = "ABCDEFGH"
HUGE = 24
CONTENT = SYSTEM.content
EXAMPLE = SYSTEM.examples["witch"]
ANSWERED = 60
"""Questions within which a case's move is over."""


def hero(name: str = "A", **changes: Any) -> Hero:
    """A hero without ranks; `changes` are fields of `Hero`."""
    rules = CONTENT.rules
    own: dict[str, Any] = {
        "id": name,
        "name": name,
        "attributes": dict.fromkeys(Attribute, 0),
        "saves": dict.fromkeys(Group, Explained.of()),
        "armor": dict.fromkeys(Group, 0),
        "slots": {
            HarmLevel.MINOR: rules.harm.minor,
            HarmLevel.SERIOUS: rules.harm.serious,
            HarmLevel.HEROIC: rules.harm.heroic,
        },
        "full_fortune": rules.fortune,
        "fortune": rules.fortune,
    }
    return Hero(**{**own, **changes})


def clock(number: int = 1, **changes: Any) -> Clock:
    """A challenge that 24 ticks overcome; `changes` are fields of `Clock`."""
    own: dict[str, Any] = {
        "id": f"clock-{number}",
        "name": f"Clock {number}",
        "kind": ClockKind.CHALLENGE,
        "size": HUGE,
    }
    return Clock(**{**own, **changes})


def stage(*heroes: Hero, clocks: Iterable[Clock] = (), **changes: Any) -> Encounter:
    """An encounter that is engaged; `changes` are fields of `Encounter`."""
    return Encounter(
        title="A case",
        place="",
        heroes=heroes or (hero(),),
        clocks=tuple(clocks) or (clock(1), clock(2)),
        engaged=True,
        **changes,
    )


def with_harms(state: Encounter, who: str, harms: Iterable[tuple[HarmLevel, Group]]) -> Encounter:
    """The encounter with Harm that a hero bears already."""
    levels = CONTENT.rules.effect.minor_harm_levels
    found = tuple(
        effects.harm(place, who, level, group, "", levels if level is HarmLevel.MINOR else 1)
        for place, (level, group) in enumerate(harms, start=state.begun + 1)
    )
    return replace(state, effects=(*state.effects, *found), begun=state.begun + len(found))


def with_talent(one: Hero, adds: Mapping[str, int]) -> tuple[Hero, Catalog]:
    """A hero with a talent that always adds something, and the content that knows it."""
    talent = Talent(
        id="fortunate_blades:talent/of-the-case",
        name="Of the case",
        text="It is what the case says.",
        use=TalentUse.ALWAYS,
        adds=adds,
    )
    line = TalentLine(
        id=talent.id,
        name=talent.name,
        text=talent.text,
        source="the case",
        use=talent.use,
        on=(),
        cost=0,
        active=True,
    )
    shelf = replace(CONTENT.talents, entries={**CONTENT.talents.entries, talent.id: talent})
    return replace(one, talents=(line,)), replace(CONTENT, talents=shelf)


Reply = Move | Callable[[Ask], "Move | None"]
"""What answers a question; a function may return None to leave it open."""


@dataclass
class Played:
    """A move, as far as it came.

    Attributes:
        at: Where the encounter stands.
        events: What happened.
        rolls: The dice that fell.
        asked: The questions that were asked, those that are still open included.
        problems: What was refused, the move or an answer; None for nothing.
    """

    at: Position
    events: list[Any] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    asked: list[Ask] = field(default_factory=list)
    problems: Problems | None = None

    @property
    def state(self) -> Encounter:
        """The encounter as it is then."""
        found: Encounter = self.at.state
        return found

    def of(self, kind: type) -> list[Any]:
        """The events of a kind."""
        return [each for each in self.events if isinstance(each, kind)]

    def last(self, kind: type) -> Any:
        """The last event of a kind; None where there is none."""
        return next((each for each in reversed(self.events) if isinstance(each, kind)), None)

    def asks(self, name: str) -> Ask | None:
        """The first question of a name: `save`, or `boost:B`."""
        return next((each for each in self.asked if named(each, name)), None)

    def roll(self, name: str) -> Roll | None:
        """The dice of a name."""
        return next((each for each in self.rolls if each.id == name), None)

    @property
    def error(self) -> str | None:
        """The code of what was refused."""
        return None if self.problems is None else self.problems.items[0].code


def named(ask: Ask, name: str) -> bool:
    """Whether a question is of a name, or of what stands before its colon."""
    return name in (ask.id, ask.id.partition(":")[0])


def played(
    state: Encounter | Position,
    move: Move,
    faces: Mapping[str, Sequence[int]] | None = None,
    replies: Mapping[str, Reply] | None = None,
    catalog: Catalog = CONTENT,
) -> Played:
    """Makes a move and answers what is asked: as `replies` say by the question's name, else plainly.

    Args:
        state: Where it is made.
        move: The move.
        faces: Faces by the name of the roll; ten, or the highest there is, where nothing is given.
        replies: Answers; None as one leaves its question open.
        catalog: The content.
    """
    at = state if isinstance(state, Position) else Position(FortunateBladesPlay(catalog), state)
    found = Played(at)
    _take(found, move, faces or {})
    for _ in range(ANSWERED):
        if found.problems is not None or not found.at.asks:
            break
        ask = found.at.asks[0]
        found.asked.append(ask)
        answer = _reply(ask, replies or {})
        if answer is None:
            break
        _take(found, answer, faces or {})
    return found


def _take(found: Played, move: Move, faces: Mapping[str, Sequence[int]]) -> None:
    taken = found.at.take(move, 1, lambda roll: _faces(roll, faces))
    if isinstance(taken, Problems):
        found.problems = taken
        return
    found.at = taken.position
    found.events += taken.events
    found.rolls += taken.rolls


def _faces(roll: Roll, faces: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    given = tuple(faces.get(roll.id, faces.get(roll.id.partition(":")[0], ())))
    usual = (min(10, roll.sides),) * roll.dice.value
    return (given + usual)[: roll.dice.value] if given else usual


def _reply(ask: Ask, replies: Mapping[str, Reply]) -> Move | None:
    name, _, _ = ask.id.partition(":")
    reply = replies.get(ask.id, replies.get(name, _plain))
    answer = reply(ask) if callable(reply) else reply
    return _plain(ask) if answer is PLAINLY else answer


def _plain(ask: Ask) -> Move | None:
    """A roll against 10 and 14, consequences that are told, and silence for all else."""
    if ask.id == "call":
        return Call(actor=GM, close=10, spread=4)
    if ask.id == "outcomes":
        return StateOutcomes(actor=GM)
    if ask.id == "reward":
        return Reward(actor=GM)
    if ask.id == "consequence":
        if any(offer.id == "enough" for offer in ask.offers):
            return Enough(actor=GM)
        return Twist(actor=GM, consequence=Consequence.UNWELCOME_TRUTH)
    silence: Move | None = ask.silence
    return silence


PLAINLY = Enough(actor="plainly")
"""The answer of a reply that leaves it to the plain one."""


def opened(_ask: Ask) -> None:
    """The reply that leaves a question open."""


def filled(state: Encounter, who: str) -> dict[str, int]:
    """Filled Harm slots as cases write them."""
    slots = state.slots(who)
    return {level.value: slots[level] for level in BORNE}


def refused(code: str | None) -> dict[str, Any]:
    """A refusal as cases write it."""
    return {"legal": False, "error": code}
