"""Answers cases of what heroes do together: clocks, Group Actions, Aid, rounds with enemies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from services.rules.engine.play import GM
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.impact import LEVELS
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.facts import (
    ActionGiven,
    ConsequenceCame,
    EffectHad,
    EnemiesActed,
    FortuneSpent,
    Harmed,
    Resolved,
)
from services.rules.systems.fortunate_blades.play.moves import (
    Aid,
    Benefit,
    Call,
    CallGroup,
    CauseHarm,
    Commit,
    Decline,
    EnemyTurn,
    Lift,
    Move,
    MoveClock,
    ReduceEffect,
    Wait,
)
from services.rules.systems.fortunate_blades.play.state import Encounter
from services.rules.systems.fortunate_blades.terms import Attribute, EffectLevel, Group, HarmLevel
from tests.conformance.fortunate_blades.actions import ACT
from tests.conformance.fortunate_blades.reading import Answer, Given, only
from tests.conformance.fortunate_blades.stage import (
    NAMES,
    PLAINLY,
    Played,
    clock,
    hero,
    opened,
    played,
    refused,
    stage,
)

CLOSE, CLEAR = 10, 14
MOST = len(LEVELS) - 1
"""Ticks that a single action is worth without Fortune."""
NATURAL = {"miss": 5, "close": 11, "clear": 16}
"""Faces that come to each result against those numbers."""
SERIOUS = CauseHarm(actor=GM, target="A", group=Group.PHYSICAL, level=HarmLevel.SERIOUS, close=30)


def clocks(given: Given) -> Answer:
    """Ticks on a clock, or a round with enemies."""
    only(
        given,
        "size",
        "ticks",
        "kind",
        "gm_ticks",
        "player_ticks",
        "roll_result",
        "base_ticks",
        "gm_choice",
        "players",
        "enemy_clocks",
        "filled",
    )
    if "players" in given or "enemy_clocks" in given:
        return _round(given)
    looming = given.get("kind") == "reversed"
    own = clock(size=given["size"], kind=ClockKind.LOOMING if looming else ClockKind.CHALLENGE)
    state = stage(hero(fortune=60), clocks=(own, clock(2)))
    if "roll_result" in given:
        return _rolled(state, given)
    for ticks in (*given.get("ticks", ()), *given.get("gm_ticks", ())):
        state = _moved(state, ticks)
    for ticks in given.get("player_ticks", ()):
        for part in (*[MOST] * (ticks // MOST), ticks % MOST):
            state = _worked(state, part) if part else state
    found = state.clock("clock-1")
    if found is None:
        raise AssertionError("the clock is gone")
    return {
        "filled": found.filled,
        "done": found.full,
        "disaster": looming and found.full and bool(state.ended),
    }


def _moved(state: Encounter, ticks: int) -> Encounter:
    """The encounter after ticks by the game master's decision; a clock that cannot move stays."""
    return played(state, MoveClock(actor=GM, clock="clock-1", ticks=ticks)).state


def _worked(state: Encounter, ticks: int) -> Encounter:
    """The encounter after a hero's clear roll that is worth so many ticks."""
    call = Call(actor=GM, close=CLOSE, spread=CLEAR - CLOSE, level=LEVELS[ticks])
    made = played(state, ACT, {"roll": [NATURAL["clear"]]}, {"call": call})
    ready = tuple(replace(each, acted=False) for each in made.state.heroes)
    return replace(made.state, heroes=ready)


def _rolled(state: Encounter, given: Given) -> Answer:
    """An action with a result, and the consequence that the game master chooses."""
    choices: dict[str | None, Move] = {"harm": SERIOUS, "reduce_effect": ReduceEffect(actor=GM)}
    call = Call(actor=GM, close=CLOSE, spread=CLEAR - CLOSE, level=LEVELS[given.get("base_ticks", 2)])
    choice = choices.get(given.get("gm_choice"), PLAINLY)
    replies: dict[str, Any] = {"call": call, "consequence": lambda ask: _once(ask, choice)}
    made = played(state, ACT, {"roll": [NATURAL[given["roll_result"]]]}, replies)
    found, came = made.state.clock("clock-1"), made.last(ConsequenceCame)
    return {
        "filled": found.filled if found else None,
        "done": found.full if found else None,
        "consequence": came.consequence.value if came else None,
    }


def _once(ask: Ask, choice: Move) -> Move:
    """A consequence, and no further one."""
    return PLAINLY if any(offer.id == "enough" for offer in ask.offers) else choice


def _round(given: Given) -> Answer:
    """A round in which every hero waits, and every enemy clock has its turn."""
    filled: Sequence[int] = given.get("filled", (0,) * len(given.get("enemy_clocks", ())))
    enemies = tuple(
        clock(place, kind=ClockKind.ENEMY, size=size, filled=done)
        for place, (size, done) in enumerate(zip(given.get("enemy_clocks", ()), filled, strict=True), start=1)
    )
    heroes = [hero(name) for name in NAMES[: given.get("players", 1)]]
    state = stage(*heroes, clocks=(*enemies, clock(90)))
    for one in heroes:
        state = played(state, Wait(actor=one.id)).state
    turns = 0
    while state.round == 1 and state.enemies():
        made = played(state, EnemyTurn(actor=GM, clock=state.enemies()[0].id))
        turns += len(made.of(EnemiesActed))
        state = made.state
    return {"enemy_turns": turns}


def group_action(given: Given) -> Answer:
    """A roll of everybody with given results, and lifts."""
    only(given, "results", "lifts", "fortune")
    results, lifts = given["results"], list(given.get("lifts", ()))
    fortune = given.get("fortune", [hero().fortune] * len(results))
    ids = NAMES[: len(results)]
    heroes = [hero(name, fortune=points) for name, points in zip(ids, fortune, strict=True)]

    def lift(ask: Ask) -> Move:
        mine = next((each for each in lifts if ids[each["by"]] == ask.actor), None)
        if mine is None:
            return Decline(actor=ask.actor)
        lifts.remove(mine)
        return Lift(actor=ask.actor, target=ids[mine["target"]])

    made = played(
        stage(*heroes),
        CallGroup(actor=GM, close=CLOSE, spread=CLEAR - CLOSE),
        {f"roll:{who}": [NATURAL[result]] for who, result in zip(ids, results, strict=True)},
        {"lift": lift, "join": lambda ask: Commit(actor=ask.actor, attribute=Attribute.FIGHT)},
    )
    if made.problems is None and lifts:
        late = lifts[0]
        made = played(made.at, Lift(actor=ids[late["by"]], target=ids[late["target"]]))
    if made.problems is not None:
        return refused(made.error)
    ended = {each.hero: each.result.value for each in made.of(Resolved)}
    spent = [
        sum(each.points for each in made.of(FortuneSpent) if each.hero == who and each.why is Why.LIFT)
        for who in ids
    ]
    return {
        "legal": True,
        "results": [ended[who] for who in ids],
        "fortune_spent": spent,
        "everyone_at_least_close": "miss" not in ended.values(),
    }


def aid(given: Given) -> Answer:
    """Help of B's with a roll of A's."""
    only(given, "benefit", "pay_fortune", "target_result", "harm", "after_roll")
    move = Aid(
        actor="B",
        benefit=Benefit(given["benefit"]),
        pay=bool(given.get("pay_fortune")),
        attribute=Attribute.NOTICE,
    )
    state = stage(hero(), hero("B"))
    result = given.get("target_result", "clear")
    faces = {"roll:A": [NATURAL[result]] * 2, "roll:B": [NATURAL["clear"]]}
    if given.get("after_roll"):
        faces = {"roll:A": [NATURAL["miss"]]}
        waiting = played(state, ACT, faces, {"boost:B": opened})
        return refused(played(waiting.at, move).error)
    threat = replace(SERIOUS, level=HarmLevel(given.get("harm", "serious")))
    made = played(state, ACT, faces, {"aid": move, "consequence": lambda ask: _once(ask, threat)})
    if made.problems is not None:
        return refused(made.error)
    return {"legal": True, **_helped(made)}


def _helped(made: Played) -> Answer:
    """What Aid brought, and what it cost."""
    dice, had, harmed = made.roll("roll:A"), made.last(EffectHad), made.last(Harmed)
    spent = sum(each.points for each in made.of(FortuneSpent) if each.hero == "B")
    level = LEVELS.index(had.level) if had else LEVELS.index(EffectLevel.STANDARD)
    return {
        "target_mode": dice.dice.parts[-1].source.lower() if dice and dice.dice.value > 1 else "normal",
        "helper_loses_next_action": bool(made.of(ActionGiven)),
        "helper_fortune_spent": spent,
        "helper_may_roll": len([ask for ask in made.asked if ask.id == "call"]) > 1,
        "effect_levels": level - LEVELS.index(EffectLevel.STANDARD),
        "harm": harmed.level.value if harmed else "none",
    }
