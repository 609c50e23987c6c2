"""Small scenes for cases about powers: somebody with just the dice a case rolls, and moves with its faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.grid import Grid, Square
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.catalog import Casting
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.moves import EndTurn, Move, UsePower
from services.rules.systems.dungeonteller.play.rules import plan
from services.rules.systems.dungeonteller.play.state import Being, Field, Reflex, Scene, Side, Turn
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    SETTINGS,
    Answer,
    Given,
    own_power,
)

USER = "user"
FOE = "foe"
LUCK = 10
WIN = 6
SIDE = 40
MIDDLE = Square(20, 20)


def person(name: str, at: Square, side: Side = Side.HEROES, **changes: Any) -> Being:
    """Somebody who does nothing by themselves: no dice, Luck 10, on a square."""
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
        turn=Turn(order=tuple(being.id for being in beings)),
    )


def turn_of(scene: Scene, being_id: str) -> Scene:
    """The same scene in somebody's turn."""
    order = scene.turn.order
    return replace(scene, turn=Turn(order=order, place=order.index(being_id)))


def move(scene: Scene, made: Move, faces: Mapping[str, tuple[int, ...]] | None = None) -> Desk | RuleProblem:
    """Make a move; rolls whose faces are not given have no success.

    Returns:
        The desk, or the first rule the move breaks.
    """
    found = plan(scene, CATALOG, made)
    if isinstance(found, Problems):
        return found.items[0]
    fell = {roll.id: (faces or {}).get(roll.id, ()) for roll in found.rolls}
    desk = Desk(scene, CATALOG, found.rolls, fell)
    found.resolve(desk)
    return desk


def cast(
    scene: Scene, slug: str, given: Given, faces: Mapping[str, tuple[int, ...]] | None = None, **how: Any
) -> Desk | RuleProblem:
    """Let the user use a power; without faces in the case, its roll has one success."""
    rolled = tuple(given.get("dice", (WIN,)))
    made = UsePower(actor=USER, power=own_power(slug).id, **how)
    return move(scene, made, {"power": rolled, **(faces or {})})


def pass_turns(scene: Scene, turns: int) -> Scene:
    """The scene after this many ends of turns, with no success against what is met."""
    for _ in range(turns):
        ended = move(scene, EndTurn(actor=scene.turn.whose))
        assert isinstance(ended, Desk)
        scene = ended.scene
    return scene


def being_in(scene: Scene, being_id: str) -> Being:
    """Somebody who is in the scene."""
    found = scene.being(being_id)
    assert found is not None
    return found


def luck_in(scene: Scene, being_id: str = USER) -> int:
    """Somebody's Luck now."""
    return being_in(scene, being_id).luck or 0


def rolled(desk: Desk, roll: str = "power") -> int:
    """Successes of a roll that was made."""
    return desk.successes(roll)


def legal(**answer: Any) -> Answer:
    """The answer about a move that could be made."""
    return {"legal": True, **answer}
