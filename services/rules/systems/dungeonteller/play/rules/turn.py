"""Turns: whose it is, what ends with one, what begins with the next (Actions; rulings P15, P30)."""

from __future__ import annotations

from services.rules.engine.effects import TurnBegan as Began
from services.rules.engine.effects import TurnEnded, counted_down, over
from services.rules.engine.grid import distance
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.hazards import warmed
from services.rules.systems.dungeonteller.luck import rest_turn
from services.rules.systems.dungeonteller.movement import Flight
from services.rules.systems.dungeonteller.play.conditions import can_take_turn, circle_at, idle_problem
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import (
    AreaEnded,
    AreaShortened,
    EffectShortened,
    TurnBegan,
    Warmed,
)
from services.rules.systems.dungeonteller.play.moves import EndTurn, Rest
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.action import finds
from services.rules.systems.dungeonteller.play.rules.falls import falls
from services.rules.systems.dungeonteller.play.rules.harm import harms_at_start, meet
from services.rules.systems.dungeonteller.play.state import (
    AreaKind,
    Being,
    Duration,
    Effect,
    EffectKind,
    Scene,
    Until,
)

MOST_SKIPPED = 200
"""Turns that may pass without anybody who can take one; then nobody ever will."""


SEES_ALL = 99
"""Notice successes that find everything, for eyes that nothing hides from (feysight; ruling P14)."""


def end_turn(desk: Desk, being_id: str) -> Steps:
    """A turn ends and the next one begins; whoever begins it in harm's way rolls against it.

    Turns that pass without anything bring their harm too, once for each being.
    """
    yield from _finish(desk, being_id, drop=_drop(desk.scene, desk.being(being_id)))
    met: set[str] = set()
    for _ in range(MOST_SKIPPED):
        turn = desk.scene.turn
        if not turn.order:
            return
        following = turn.following(lambda _: True)
        whose = following.whose
        desk.do(TurnBegan(being=whose, round=following.round))
        _begin(desk, whose)
        if whose not in met:
            met.add(whose)
            being = desk.being(whose)
            passing = _passes(desk.scene, being)
            yield from meet(desk, whose, harms_at_start(desk.scene, desk.catalog, being, passing=passing))
        if not _skipped(desk, whose):
            _announce(desk, whose)
            return
        yield from _finish(desk, whose, drop=0)


def end(desk: Desk, move: EndTurn) -> Steps:
    """Say that one's turn is over."""
    yield from end_turn(desk, move.actor)


def rest(desk: Desk, move: Rest) -> Steps:
    """Rest a whole turn: nothing else may be done in it (Basics / Luck)."""
    being, turn = desk.being(move.actor), desk.scene.turn
    refuse_if(idle_problem(desk.scene, being))
    if turn.acted or turn.paces:
        text = "Resting takes the whole turn."
        raise refused(RuleProblem("rest_takes_the_turn", text, "Basics / Luck", ("actor",), turn.paces, 0))
    desk.say("rest", by=being.id)
    desk.lift_all(being.id, EffectKind.RESTING)
    desk.put(
        Effect(
            id="",
            kind=EffectKind.RESTING,
            bearer=being.id,
            amount=0,
            lasts=Duration(Until.NEXT_TURN, being.id),
        )
    )
    yield from end_turn(desk, being.id)


def _drop(scene: Scene, being: Being) -> int:
    """Paces a being falls because they flew too slowly this turn (Moving / Fly)."""
    if being.height == 0 or being.fly is None or scene.has(being.id, EffectKind.FLOATING):
        return 0
    return being.height if Flight(*being.fly).falls(scene.turn.paces) else 0


def _finish(desk: Desk, being_id: str, *, drop: int) -> Steps:
    """What the end of a being's turn brings."""
    scene = desk.scene
    being = scene.being(being_id)
    if being is None:
        return
    if drop:
        desk.say("fall", targets=(being_id,))
        yield from falls(desk, being_id, drop)
    for effect in scene.effects_on(being_id, EffectKind.WORKING_UP):
        if not scene.turn.worked_up:
            desk.say("spell.lost", by=being_id)
            desk.lift(effect)
    healing = circle_at(desk.scene, being, AreaKind.HEALING_CIRCLE)
    if healing is not None and not being.out:
        given = desk.catalog.powers[healing.cause].figures.luck_per_turn or 0
        desk.gain(being_id, given, healing.cause)
    _warm_up(desk, being_id)
    tick(desk, being_id)


def _warm_up(desk: Desk, being_id: str) -> None:
    """Near a hearth rune the cold ends, and rest brings its Luck back (Dwarf / Hearth Rune)."""
    being = desk.being(being_id)
    if not being.cold:
        return
    for area in desk.scene.areas:
        if area.kind == AreaKind.HEARTH_RUNE:
            rune = desk.catalog.powers[area.cause]
            if any(warmed(rune, distance(square, being.at)) for square in area.squares):
                desk.do(Warmed(being=being_id))
                return


def tick(desk: Desk, being_id: str) -> None:
    """What counts a being's turns is one turn shorter, but for what began in this one (ruling P30)."""
    moment = TurnEnded(being_id)
    for effect in desk.scene.effects:
        shorter = counted_down(effect.lasts, moment)
        if over(effect.lasts, moment):
            _over(desk, effect)
        elif shorter != effect.lasts:
            desk.do(EffectShortened(effect=effect.id, lasts=shorter))
    for area in desk.scene.areas:
        shorter = counted_down(area.lasts, moment)
        if over(area.lasts, moment):
            desk.do(AreaEnded(area=area.id))
        elif shorter != area.lasts:
            desk.do(AreaShortened(area=area.id, lasts=shorter))


def _over(desk: Desk, effect: Effect) -> None:
    """An effect has run out; an eye goes with it."""
    desk.lift(effect)
    made = desk.scene.being(effect.about) if effect.kind == EffectKind.NOTE else None
    if made is not None:
        desk.vanish(made.id)


def _announce(desk: Desk, being_id: str) -> None:
    if desk.being(being_id).hidden is not None:
        desk.say("turn.unseen")
    desk.say("turn", targets=(being_id,))


def _begin(desk: Desk, being_id: str) -> None:
    """The beginning of a turn: what lasted until it ends, a rest has done its good, feysight looks round."""
    if desk.scene.has(being_id, EffectKind.DARKSIGHT):
        finds(desk, being_id, SEES_ALL)
    for effect in desk.scene.effects:
        if over(effect.lasts, Began(being_id)):
            if effect.kind == EffectKind.RESTING:
                being = desk.being(being_id)
                ceiling = being.max_luck - being.cold
                rested = rest_turn(being.luck or 0, ceiling, attacked=effect.amount > 0)
                desk.gain(being_id, rested - (being.luck or 0), "rest")
            desk.lift(effect)
    for area in desk.scene.areas:
        if over(area.lasts, Began(being_id)):
            desk.do(AreaEnded(area=area.id))


def _passes(scene: Scene, being: Being) -> bool:
    """Whether a being's turn will pass without anything."""
    return not can_take_turn(scene, being) or scene.has(being.id, EffectKind.LOSES_TURNS)


def _skipped(desk: Desk, being_id: str) -> bool:
    """Whether a being's turn passes without anything: they cannot take it, or lost it."""
    being = desk.being(being_id)
    if not can_take_turn(desk.scene, being):
        return True
    lost = desk.scene.effects_on(being_id, EffectKind.LOSES_TURNS)
    if not lost:
        return False
    desk.say("turn_lost", targets=(being_id,))
    if lost[0].amount > 1:
        desk.change(lost[0], lost[0].amount - 1)
    else:
        desk.lift(lost[0])
    return True
