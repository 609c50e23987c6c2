"""Small scenes for cases about powers: a being with just the dice a case rolls, and moves with its faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.grid import Grid, Square
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Ask, Needs, Refused, Results, Turn
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.catalog import Casting
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import Event, Rolled
from services.rules.systems.dungeonteller.play.moves import Answer as Reply
from services.rules.systems.dungeonteller.play.moves import EndTurn, Move, UsePower
from services.rules.systems.dungeonteller.play.state import Being, Field, Reflex, Scene, Side
from services.rules.systems.dungeonteller.play.state import Turn as SceneTurn
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    SETTINGS,
    Answer,
    Given,
    own_power,
)

assert SYSTEM.play is not None
PLAY = SYSTEM.play
USER = "user"
FOE = "foe"
LUCK = 10
WIN = 6
SIDE = 40
MIDDLE = Square(20, 20)


def person(name: str, at: Square, side: Side = Side.HEROES, **changes: Any) -> Being:
    """A being who does nothing by themselves: no dice, Luck 10, on a square."""
    being = Being(
        id=name,
        name=name,
        side=side,
        ratings=Ratings(),
        at=at,
        sight=SETTINGS.sight,
        luck=LUCK,
        max_luck=LUCK,
        tags=("living", "talker"),
        casting=Casting.SPELLS,
        reflex=Reflex.NEVER,
    )
    return replace(being, **changes)


def user_of(slug: str, given: Given, at: Square = MIDDLE, **changes: Any) -> Being:
    """Whoever uses a power in a case: with the power, the Luck given, and as many dice as the case rolls."""
    power = own_power(slug)
    dice = len(given.get("dice", ())) or LUCK
    ratings = Ratings(magic=1) if power.spell else Ratings()
    for action in power.roll[:1]:
        ratings = replace(ratings, **{action.value: dice})
    luck = given.get("luck", max(LUCK, power.luck_cost))
    made = person(
        USER,
        at,
        ratings=ratings,
        luck=luck,
        max_luck=given.get("max", max(luck, LUCK)),
        powers=(power.id,),
        tags=("living", "talker", "malicious"),
    )
    return replace(made, **changes)


def scene_of(*beings: Being, **field: Any) -> Scene:
    """A wide open stone hall with these people, the first of whom has the turn."""
    made = Field(grid=Grid(SIDE, SIDE), light=Light.DARK)
    return Scene(
        title="case",
        field=replace(made, **field),
        beings=beings,
        turn=SceneTurn(order=tuple(being.id for being in beings)),
    )


def turn_of(scene: Scene, being_id: str) -> Scene:
    """The same scene in a being's turn."""
    order = scene.turn.order
    return replace(scene, turn=SceneTurn(order=order, place=order.index(being_id)))


class Stage:
    """A move as it is made: what has happened so far, and who is asked.

    The faces of a case are taken as they are, however many dice a roll has: a case tells what fell.
    """

    def __init__(self, turn: Turn[Scene, Event], made: Move, faces: Mapping[str, tuple[int, ...]]) -> None:
        self._turn = turn
        self._steps = PLAY.rule(turn, made)
        self._needs: Needs = ()
        self._go_on(None, faces)

    @property
    def scene(self) -> Scene:
        """The scene after everything that has happened so far."""
        return self._turn.state

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened so far."""
        return tuple(each.event for each in self._turn.happened)

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that are open."""
        return tuple(need for need in self._needs if isinstance(need, Ask))

    @property
    def desk(self) -> Desk:
        """A desk at which anything more may be done to the scene."""
        return Desk(self._turn, CATALOG)

    def successes(self, roll: str) -> int:
        """Successes of a roll that was made; none of any other."""
        return sum(one.successes for one in self.events if isinstance(one, Rolled) and one.roll == roll)

    def yes(self, faces: Mapping[str, tuple[int, ...]] | None = None) -> Stage:
        """Everybody who is asked says yes, and the move goes on."""
        told = len(self._turn.happened)
        self._go_on(tuple(Reply(actor=ask.actor) for ask in self.asks), faces or {})
        del self._turn.happened[:told]
        return self

    def _go_on(self, results: Results | None, faces: Mapping[str, tuple[int, ...]]) -> None:
        try:
            self._needs = next(self._steps) if results is None else self._steps.send(results)
            while self._needs and not self.asks:
                fell = tuple(faces.get(need.id, ()) for need in self._needs)
                self._needs = self._steps.send(fell)
        except StopIteration:
            self._needs = ()


def move(scene: Scene, made: Move, faces: Mapping[str, tuple[int, ...]] | None = None) -> Stage | RuleProblem:
    """Make a move; rolls whose faces are not given have no success.

    Returns:
        The move as far as it comes, or the first rule it breaks.
    """
    try:
        return Stage(Turn(PLAY, scene), made, faces or {})
    except Refused as refused_move:
        return refused_move.problems.items[0]


def desk_of(scene: Scene) -> Desk:
    """A desk at which anything may be done to a scene."""
    return Desk(Turn(PLAY, scene), CATALOG)


def cast(
    scene: Scene, slug: str, given: Given, faces: Mapping[str, tuple[int, ...]] | None = None, **how: Any
) -> Stage | RuleProblem:
    """Let the user use a power; without faces in the case, its roll has one success."""
    rolled = tuple(given.get("dice", (WIN,)))
    made = UsePower(actor=USER, power=own_power(slug).id, **how)
    return move(scene, made, {"power": rolled, **(faces or {})})


def pass_turns(scene: Scene, turns: int) -> Scene:
    """The scene after this many ends of turns, with no success against what is met."""
    for _ in range(turns):
        ended = move(scene, EndTurn(actor=scene.turn.whose))
        assert isinstance(ended, Stage)
        scene = ended.scene
    return scene


def being_in(scene: Scene, being_id: str) -> Being:
    """A being who is in the scene."""
    found = scene.being(being_id)
    assert found is not None
    return found


def luck_in(scene: Scene, being_id: str = USER) -> int:
    """A being's Luck now."""
    return being_in(scene, being_id).luck or 0


def rolled(desk: Stage, roll: str = "power") -> int:
    """Successes of a roll that was made."""
    return desk.successes(roll)


def legal(**answer: Any) -> Answer:
    """The answer about a move that could be made."""
    return {"legal": True, **answer}
