"""Turns: whose it is, what ends with one, what begins with the next (Actions; rulings P15, P30)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from services.rules.engine.grid import distance
from services.rules.engine.play import Roll
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.hazards import warmed
from services.rules.systems.dungeonteller.luck import rest_turn
from services.rules.systems.dungeonteller.movement import Flight
from services.rules.systems.dungeonteller.play.conditions import can_take_turn, circle_at, idle_problem
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.events import AreaSet, EffectSet, Gone
from services.rules.systems.dungeonteller.play.falls import fall_rolls, falls
from services.rules.systems.dungeonteller.play.harm import harms_at_start, save_rolls, suffer
from services.rules.systems.dungeonteller.play.moves import EndTurn, Rest
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Effect,
    EffectKind,
    Ending,
    Lasting,
    Scene,
    Turn,
)
from services.rules.systems.dungeonteller.play.trying import finds

MOST_SKIPPED = 200
"""Turns that may pass without anybody who can take one; then nobody ever will."""


SEES_ALL = 99
"""Notice successes that find everything, for eyes that nothing hides from (feysight; ruling P14)."""


def plan_end(scene: Scene, catalog: Catalog, move: EndTurn) -> Plan | Problems:
    """A turn ends and the next one begins; whoever begins it in harm's way rolls against it.

    Turns that pass without anything bring their harm too, once for each being. Should somebody be knocked out
    by it as their turn begins, the one after them begins unharmed: nobody has rolled for that.
    """
    ahead = Desk(scene, catalog)
    drop = _drop(scene, move.actor)
    rolls: list[Roll] = []
    if drop:
        rolls += fall_rolls(scene, catalog, ahead.being(move.actor), drop)
    waiting: dict[str, tuple[Area, ...]] = {}

    def look_ahead(being_id: str) -> None:
        if being_id not in waiting:
            being = ahead.being(being_id)
            waiting[being_id] = harms_at_start(ahead.scene, being, passing=_passes(ahead.scene, being))
            rolls.extend(save_rolls(ahead.scene, catalog, being, waiting[being_id]))

    _finish(ahead, move.actor, drop=0)
    _advance(ahead, look_ahead)

    def resolve(desk: Desk) -> None:
        met: set[str] = set()

        def meet(being_id: str) -> None:
            for area in () if being_id in met else waiting.get(being_id, ()):
                suffer(desk, being_id, area, desk.successes(f"save:{being_id}:{area.id}"))
            met.add(being_id)

        _finish(desk, move.actor, drop=drop)
        _advance(desk, meet)

    return Plan(tuple(rolls), resolve)


def plan_rest(scene: Scene, catalog: Catalog, move: Rest) -> Plan | Problems:
    """Rest a whole turn: nothing else may be done in it (Basics / Luck)."""
    being = scene.being(move.actor)
    assert being is not None
    problem = idle_problem(scene, being)
    turn = scene.turn
    if problem is None and (turn.acted or turn.paces):
        problem = RuleProblem(
            "rest_takes_the_turn", "Resting takes the whole turn.", "Basics / Luck", ("actor",), turn.paces, 0
        )
    if problem is not None:
        return Problems((problem,))
    ending = plan_end(scene, catalog, EndTurn(actor=move.actor))
    if isinstance(ending, Problems):
        return ending

    def resolve(desk: Desk) -> None:
        desk.say("rest", f"{being.name} rests.", by=being.id, rule="Basics / Luck")
        desk.lift_all(being.id, EffectKind.RESTING)
        desk.put(EffectKind.RESTING, being.id, lasts=Lasting(Ending.NEXT_TURN, being.id))
        ending.resolve(desk)

    return Plan(ending.rolls, resolve)


def _drop(scene: Scene, being_id: str) -> int:
    """Paces somebody falls because they flew too slowly this turn (Moving / Fly)."""
    being = scene.being(being_id)
    if being is None or being.height == 0 or being.fly is None or scene.has(being_id, EffectKind.FLOATING):
        return 0
    return being.height if Flight(*being.fly).falls(scene.turn.paces) else 0


def _finish(desk: Desk, being_id: str, *, drop: int) -> None:
    """What the end of somebody's turn brings."""
    scene = desk.scene
    being = scene.being(being_id)
    if being is None:
        return
    if drop:
        desk.say("fall", f"{being.name} flies too slowly and drops to the ground.", targets=(being_id,))
        falls(desk, being_id)
    for effect in scene.effects_on(being_id, EffectKind.WORKING_UP):
        if not scene.turn.worked_up:
            desk.say(
                "spell.lost", f"{being.name}'s spell is lost.", by=being_id, rule="Actions / Magic [P26]"
            )
            desk.lift(effect)
    healing = circle_at(desk.scene, being, AreaKind.HEALING_CIRCLE)
    if healing is not None and not being.out:
        given = desk.catalog.powers[healing.power].figures.luck_per_turn or 0
        desk.gain(being_id, given, "the healing circle")
    _warm_up(desk, being_id)
    tick(desk, being_id)


def _warm_up(desk: Desk, being_id: str) -> None:
    """Near a hearth rune the cold ends, and rest brings its Luck back (Dwarf / Hearth Rune)."""
    being = desk.being(being_id)
    if not being.cold:
        return
    for area in desk.scene.areas:
        if area.kind is AreaKind.HEARTH_RUNE:
            rune = desk.catalog.powers[area.power]
            if any(warmed(rune, distance(square, being.at)) for square in area.squares):
                desk.set(replace(being, cold=0))
                desk.say(
                    "warmed", f"{being.name} warms up.", targets=(being_id,), power=rune.id, rule=rune.source
                )
                return


def tick(desk: Desk, being_id: str) -> None:
    """What counts somebody's turns is one turn shorter, but for what began in this one (ruling P30)."""
    for effect in desk.scene.effects:
        if effect.lasts.ending is Ending.TURNS and effect.lasts.of == being_id:
            shorter = _shorter(effect.lasts)
            if shorter is None:
                _over(desk, effect)
            else:
                desk.do(EffectSet(effect=replace(effect, lasts=shorter), audience=effect.audience))
    for area in desk.scene.areas:
        if area.lasts.ending is Ending.TURNS and area.lasts.of == being_id:
            shorter = _shorter(area.lasts)
            if shorter is None:
                desk.do(Gone(id=area.id, audience=area.audience))
            else:
                desk.do(AreaSet(area=replace(area, lasts=shorter), audience=area.audience))


def _shorter(lasts: Lasting) -> Lasting | None:
    if lasts.fresh:
        return replace(lasts, fresh=False)
    return replace(lasts, turns=lasts.turns - 1) if lasts.turns > 1 else None


def _over(desk: Desk, effect: Effect) -> None:
    """An effect has run out; an eye goes with it."""
    desk.lift(effect)
    made = desk.scene.being(effect.other) if effect.kind is EffectKind.NOTE else None
    if made is not None:
        desk.vanish(made.id)


def _advance(desk: Desk, begins: Callable[[str], None]) -> None:
    """Go on to the next turn that somebody can take.

    Args:
        desk: The move it happens in.
        begins: What else the beginning of each turn brings, those that pass without anything too: whoever
            lies asleep in bad air breathes it all the same.
    """
    for _ in range(MOST_SKIPPED):
        turn = desk.scene.turn
        if not turn.order:
            return
        place = (turn.place + 1) % len(turn.order)
        desk.turn(Turn(round=turn.round + (place == 0), order=turn.order, place=place))
        whose = desk.scene.turn.whose
        _begin(desk, whose)
        begins(whose)
        if not _skipped(desk, whose):
            _announce(desk, whose)
            return
        _finish(desk, whose, drop=0)


def _announce(desk: Desk, being_id: str) -> None:
    being = desk.being(being_id)
    if being.hidden is not None:
        desk.say("turn.unseen", "Somebody moves unseen.")
    desk.say("turn", f"It is {being.name}'s turn.", targets=(being_id,), rule="Actions [P15]")


def _begin(desk: Desk, being_id: str) -> None:
    """The beginning of a turn: what lasted until it ends, a rest has done its good, feysight looks round."""
    if desk.scene.has(being_id, EffectKind.DARKSIGHT):
        finds(desk, being_id, SEES_ALL)
    for effect in desk.scene.effects:
        if effect.lasts.ending is Ending.NEXT_TURN and effect.lasts.of == being_id:
            if effect.kind is EffectKind.RESTING:
                being = desk.being(being_id)
                ceiling = being.max_luck - being.cold
                rested = rest_turn(being.luck or 0, ceiling, attacked=effect.amount > 0)
                desk.gain(being_id, rested - (being.luck or 0), "rest")
            desk.lift(effect)
    for area in desk.scene.areas:
        if area.lasts.ending is Ending.NEXT_TURN and area.lasts.of == being_id:
            desk.do(Gone(id=area.id, audience=area.audience))


def _passes(scene: Scene, being: Being) -> bool:
    """Whether somebody's turn will pass without anything."""
    return not can_take_turn(scene, being) or scene.has(being.id, EffectKind.LOSES_TURNS)


def _skipped(desk: Desk, being_id: str) -> bool:
    """Whether somebody's turn passes without anything: they cannot take it, or lost it."""
    being = desk.being(being_id)
    if not can_take_turn(desk.scene, being):
        return True
    lost = desk.scene.effects_on(being_id, EffectKind.LOSES_TURNS)
    if not lost:
        return False
    desk.say("turn_lost", f"{being.name} loses a turn.", targets=(being_id,))
    if lost[0].amount > 1:
        desk.change(lost[0], lost[0].amount - 1)
    else:
        desk.lift(lost[0])
    return True
