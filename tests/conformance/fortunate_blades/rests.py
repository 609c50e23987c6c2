"""Answers cases of rests between encounters, and of what a story told there brings."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.play import GM
from services.rules.engine.position import Position
from services.rules.systems.fortunate_blades.choices import Condition, TrackBoxes
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.effects import harms_of
from services.rules.systems.fortunate_blades.play.moves import (
    Loot,
    Move,
    Prepare,
    Recover,
    Reward,
    TellStory,
    Train,
    WorkOn,
)
from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay
from services.rules.systems.fortunate_blades.play.state import Encounter, Prepared, Safety
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel, TrainingTrack
from tests.conformance.fortunate_blades.reading import Answer, Given, only
from tests.conformance.fortunate_blades.stage import (
    CONTENT,
    EXAMPLE,
    Played,
    clock,
    hero,
    played,
    refused,
    stage,
    with_harms,
)

EVENT = "the ambush"
FULL = {HarmLevel.HEROIC: [HarmLevel.SERIOUS] * 2, HarmLevel.SERIOUS: [HarmLevel.MINOR] * 2}
"""What fills the row below a Harm."""


def rest(given: Given) -> Answer:
    """The actions of one hero at rest, and what they come to."""
    only(
        given,
        "safety",
        "actions",
        "harm",
        "lower_row_free",
        "track",
        "filled",
        "prepared",
        "fortune",
        "d4",
        "clock",
    )
    state = _camp(given)
    asked = False
    made = Played(Position(FortunateBladesPlay(CONTENT), state))
    for action in given["actions"]:
        made = played(made.state, _move(made.state, action, given), {"story": [given.get("d4", 1)]})
        if made.problems is not None:
            return refused(made.error)
        asked = asked or made.asks("call") is not None
    after = made.state.hero("A")
    left = harms_of(made.state.effects, "A")
    worked, filled = made.state.clock("clock-1"), _boxes(made, given)
    return {
        "legal": True,
        "may_roll": asked,
        "harm": left[0][1].value if left else "none",
        "filled": worked.filled if worked is not None and "clock" in given else filled,
        "prepared": after.laid_by(EVENT),
        "fortune": after.fortune,
    }


def story(given: Given) -> int:
    """The Fortune of a hero who has told a story at a safe place."""
    state = stage(hero(fortune=given["fortune"]), hero("B"), rest=Safety.SAFE)
    reward = Reward(actor=GM, points=given.get("gm_bonus", 0))
    made = played(state, TellStory(actor="A"), {"story": [given.get("d4", 1)]}, {"reward": reward})
    return made.state.hero("A").fortune


def _camp(given: Given) -> Encounter:
    """A rest of two heroes; the first bears the Harm of the case."""
    prepared = given.get("prepared", 0)
    one = hero(
        fortune=given.get("fortune", hero().fortune),
        prepared=(Prepared(event=EVENT, points=prepared),) if prepared else (),
    )
    found = given.get("clock", {})
    project = clock(kind=ClockKind.PROJECT, size=found.get("size", 8), filled=found.get("filled", 0))
    state = stage(one, hero("B"), clocks=(project,), rest=Safety(given.get("safety", "safe")))
    if "harm" in given or "recover" in given["actions"]:
        level = HarmLevel(given.get("harm", "minor"))
        full = [] if given.get("lower_row_free", True) else FULL.get(level, [])
        state = with_harms(state, "A", [(each, Group.PHYSICAL) for each in (level, *full)])
    return state


def _move(state: Encounter, action: str, given: Given) -> Move:
    """An action by the word of the cases."""
    borne = harms_of(state.effects, "A")
    moves: dict[str, Move] = {
        "loot": Loot(actor="A"),
        "story": TellStory(actor="A"),
        "recover": Recover(actor="A", target="A", harm=borne[0][0].id if borne else ""),
        "train": Train(actor="A", track=TrainingTrack(given.get("track", "talent"))),
        "prepare": Prepare(actor="A", event=EVENT),
        "project": WorkOn(actor="A", clock="clock-1"),
    }
    if action not in moves:
        raise UnsupportedCaseError(f"nothing is known of {action!r}")
    return moves[action]


def _boxes(made: Played, given: Given) -> int:
    """The boxes of the track that is trained, on the hero's choices when the rest is over."""
    track, play = given.get("track", "talent"), FortunateBladesPlay(CONTENT)
    before = replace(EXAMPLE, condition=Condition(boxes=TrackBoxes(**{track: given.get("filled", 0)})))
    change = next(each for each in play.changes(made.state) if each.character == "A")
    found: int = getattr(play.absorb(before, change.data).condition.boxes, track)
    return found
