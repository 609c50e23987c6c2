"""The area about pins: the free blow, the grab, what a held foe can do, escaping and squeezing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.play.facts import Rolled
from services.rules.systems.dungeonteller.play.moves import Go, Squeeze, Struggle
from services.rules.systems.dungeonteller.play.pools import ActionRoll, pool
from services.rules.systems.dungeonteller.play.state import Arm, Being, Effect, EffectKind, Scene, Side
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    Answer,
    Given,
    action_called,
    own_power,
    pool_answer,
    refused,
)
from tests.conformance.dungeonteller.stage import (
    FOE,
    LUCK,
    MIDDLE,
    USER,
    WIN,
    Stage,
    being_in,
    cast,
    legal,
    luck_in,
    move,
    person,
    scene_of,
    turn_of,
)

NEAR = Square(MIDDLE.x + 1, MIDDLE.y)
ACTIONS = {action.label: action for action in Action}
CLUB = Arm(id="club", name="Club", dice=0, hands=1, use=(Action.BATTLE,), held=True)
FULL_HANDS = ("armed", "holding", "hands", "weapon", "held", "in_hand", "shield", "hands_full", "holds")
"""Keys under which a case says what a being has in their hands."""


def pin(given: Given) -> Answer:
    """A step of a pin, by the name a case gives it."""
    step = STEPS.get(str(given.get("step")))
    if step is None:
        raise UnsupportedCaseError(f"no step of a pin is called {given.get('step')!r}")
    return step(given)


def _person(name: str, given: Mapping[str, Any], at: Square, side: Side) -> Being:
    """A being of a case, with the dice it gives; Luck caps dice only where it is given (ruling P23)."""
    ratings = Ratings(**{key.lower(): value for key, value in given.items() if key in ACTIONS})
    luck = given.get("luck")
    return person(
        name,
        at,
        side,
        ratings=ratings,
        luck=luck,
        max_luck=LUCK if luck is None else max(luck, LUCK),
        armor=given.get("armor", 0),
        arms=(CLUB,) if _holds(given) else (),
        powers=(own_power("pin").id,),
    )


def _holds(given: Mapping[str, Any]) -> bool:
    """Whether a case says that a being has something in their hands."""
    if any(given.get(key) is False for key in ("hands_empty", "empty_hands", "hands_free")):
        return True
    full = [given[key] for key in FULL_HANDS if key in given]
    return any(value and value not in ("empty", "none", "nothing") for value in full)


def _people(given: Given) -> tuple[Being, Being]:
    holder = {**given, **given.get("holder", {})}
    holder = {key: value for key, value in holder.items() if key != "armed"}
    foe = dict(given.get("foe", {}))
    return _person(USER, holder, MIDDLE, Side.HEROES), _person(FOE, foe, NEAR, Side.FOES)


def _dice(desk: Stage) -> dict[str, int]:
    return {event.roll: event.dice.value for event in desk.events if isinstance(event, Rolled)}


def _faces(given: Given, who: str) -> tuple[int, ...]:
    """The faces a case gives for one side, or as many successes as it says."""
    return tuple(given.get(f"{who}_dice", (WIN,) * given.get(f"{who}_successes", 0)))


def _lunge(given: Given) -> Answer:
    """The free blow: only of a foe that holds a weapon, less the holder's Armor."""
    holder, foe = _people(given)
    if holder.luck is None:
        holder = replace(holder, luck=LUCK)
    desk = cast(scene_of(holder, foe), "pin", given, {"lunge": _faces(given, "foe")}, targets=(FOE,))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    struck = "lunge" in _dice(desk)
    return legal(
        bonus_attack=struck,
        bonus_dice=_dice(desk).get("lunge", 0),
        holder_luck=luck_in(desk.scene),
        holder_out=being_in(desk.scene, USER).out,
        knocked_out=being_in(desk.scene, USER).out,
    )


def _grab(given: Given) -> Answer:
    """The grab itself, after any free blow: more successes hold."""
    holder, foe = _people(given)
    bare = replace(foe, arms=())
    faces = {"power": _faces(given, "holder"), "against": _faces(given, "foe")}
    desk = cast(scene_of(holder, bare), "pin", given, faces, targets=(FOE,))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    dice = _dice(desk)
    held = desk.scene.has(FOE, EffectKind.PINNED)
    return legal(holder_pool=dice["power"], foe_pool=dice["against"], pinned=held, escaped=not held)


def _held(given: Given) -> Scene:
    """A foe held by the user, in the foe's turn."""
    holder, foe = _people(given)
    muscle = given.get("holder_muscle", holder.ratings.muscle)
    holder = replace(holder, ratings=replace(holder.ratings, muscle=muscle))
    hold = Effect(id="pinned-1", kind=EffectKind.PINNED, bearer=FOE, source=USER)
    return turn_of(replace(scene_of(holder, foe), effects=(hold,)), FOE)


def _held_action(given: Given) -> Answer:
    """What a held foe still does: no step, and fewer dice but for Resist and Talk (ruling P32)."""
    scene = _held(given)
    name = str(given.get("action", "move"))
    if name.capitalize() not in ACTIONS:
        step = move(scene, Go(actor=FOE, to=Square(NEAR.x + 1, NEAR.y)))
        return (
            {"allowed": False, "can_move": False, **refused(step)}
            if isinstance(step, RuleProblem)
            else legal()
        )
    action = action_called(name)
    foe = being_in(scene, FOE)
    rating = given.get("rating", foe.ratings.of(action))
    foe = replace(foe, ratings=replace(foe.ratings, **{action.value: rating}), luck=given.get("luck"))
    return {"allowed": True} | pool_answer(pool(scene, CATALOG, foe, ActionRoll((action,))))


def _held_move(given: Given) -> Answer:
    return _held_action({**given, "action": "move"})


def _escape(given: Given) -> Answer:
    """Breaking free: more successes than the holder; a tie holds (ruling P22)."""
    faces = {"escape": _faces(given, "foe"), "hold": _faces(given, "holder")}
    desk = move(_held(given), Struggle(actor=FOE), faces)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    held = desk.scene.has(FOE, EffectKind.PINNED)
    dice = _dice(desk)
    return legal(escaped=not held, pinned=held, foe_pool=dice["escape"], holder_pool=dice["hold"])


def _squeeze(given: Given) -> Answer:
    """Squeezing: Muscle against Muscle, a Luck for each success left (ruling P12)."""
    luck = given.get("foe_luck", LUCK)
    scene = _held({**given, "foe": {**given.get("foe", {}), "luck": luck}})
    faces = {"squeeze": _faces(given, "holder"), "against": _faces(given, "foe")}
    desk = move(turn_of(scene, USER), Squeeze(actor=USER), faces)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    foe = being_in(desk.scene, FOE)
    return legal(foe_luck=foe.luck, luck_lost=luck - (foe.luck or 0), knocked_out=foe.out)


STEPS: Mapping[str, Callable[[Given], Answer]] = {
    "lunge": _lunge,
    "start": _lunge,
    "try": _lunge,
    "hands": _lunge,
    "grab": _grab,
    "held_action": _held_action,
    "held_move": _held_move,
    "move": _held_move,
    "escape": _escape,
    "squeeze": _squeeze,
}
"""The steps of a pin, by the names cases give them."""
