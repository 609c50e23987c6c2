"""Areas about what happens in a turn: Luck, jobs, the cold, climbing and moving."""

from __future__ import annotations

from dataclasses import asdict, replace

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings, count_successes
from services.rules.systems.dungeonteller.checks import pace_problem, power_pool
from services.rules.systems.dungeonteller.hazards import (
    Climate,
    climb,
    cold_loss,
    fall_dice,
    fall_loss,
    jump,
    warmed,
)
from services.rules.systems.dungeonteller.hazards import Climb as Wall
from services.rules.systems.dungeonteller.luck import (
    LuckLoss,
    can_pay,
    lose_luck,
    rest_turn,
)
from services.rules.systems.dungeonteller.movement import (
    MOVE,
    Flight,
    Mover,
    pace_for,
    run_pool,
)
from services.rules.systems.dungeonteller.play.facts import Rolled
from services.rules.systems.dungeonteller.play.moves import Go, UsePower
from services.rules.systems.dungeonteller.play.rules.powers.companions import lower_maximum
from services.rules.systems.dungeonteller.play.state import Climb, EffectKind
from services.rules.systems.dungeonteller.tasks import Task
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    SETTINGS,
    Answer,
    Given,
    action_called,
    actor_of,
    find,
    moment_of,
    own_power,
    refused,
    successes_in,
)
from tests.conformance.dungeonteller.stage import (
    LUCK,
    MIDDLE,
    SIDE,
    USER,
    Stage,
    being_in,
    desk_of,
    luck_in,
    move,
    pass_turns,
    person,
    scene_of,
)


def luck(given: Given) -> Answer:
    """Losing, paying and regaining Luck."""
    left: int = given["luck"]
    if "pay" in given:
        cost = given["pay"] * given.get("times", 1)
        if not can_pay(left, cost):
            return {"allowed": False, "luck": left, "knocked_out": False, "error": "not_enough_luck"}
        return {"allowed": True, "luck": left - cost, "knocked_out": False}
    match given.get("action"):
        case "rest_turn":
            loss = LuckLoss(left, knocked_out=False)
            if given.get("attacked"):
                loss = lose_luck(left, given.get("attack_successes", 0))
            rested = rest_turn(loss.luck, given["max"], attacked=bool(given.get("attacked")))
            return {"luck": rested, "knocked_out": loss.knocked_out}
        case "rest_between_scenes":
            lowered = given.get("minions", 0) * -(own_power("raise-skeleton").figures.max_luck or 0)
            cold = given.get("cold_loss", 0) if given.get("still_cold") else 0
            return {"luck": _rested(given["max"], lowered, cold)}
        case None if "enemy_successes" in given:
            return asdict(lose_luck(left, given["enemy_successes"]))
        case _:
            raise UnsupportedCaseError("neither a loss, a payment nor a rest")


def _rested(maximum: int, lowered: int, cold: int) -> int:
    """Luck of a being who has rested as long as it takes, with companions and the cold still upon them."""
    desk = desk_of(scene_of(person(USER, MIDDLE, luck=0, max_luck=maximum, cold=cold)))
    lower_maximum(desk, USER, lowered)
    desk.gain(USER, maximum, "rest")
    return luck_in(desk.scene)


def _worked_up(cost: int, given: Given) -> Answer:
    """A spell of this cost worked up turn by turn."""
    power = next(
        each
        for each in CATALOG.powers
        if each.spell and each.roll and each.luck_cost == cost and not each.attack
    )
    user = person(USER, MIDDLE, luck=given["luck"], powers=(power.id,), ratings=Ratings(magic=LUCK))
    user = replace(user, tags=(*user.tags, "malicious"))
    scene = scene_of(user)
    total = 0
    for faces in given["rolls"]:
        worked = move(scene, UsePower(actor=USER, power=power.id, work_up=True), {"power": tuple(faces)})
        if isinstance(worked, RuleProblem):
            return {**refused(worked), "total": total, "luck": luck_in(scene)}
        (kept,) = worked.scene.effects_on(USER, EffectKind.WORKING_UP)
        total = kept.amount
        scene = pass_turns(worked.scene, 1)
    return {"total": total, "luck": luck_in(scene), "done": total >= given.get("needed", 1)}


def _climbs_by_rolling(speed: int | None) -> bool:
    """Whether a being of this climb speed rolls when they climb."""
    wall = Climb(being=USER, track=(Action.MUSCLE,))
    scene = replace(scene_of(person(USER, MIDDLE, climb=speed)), climbs=(wall,))
    climbed = move(scene, UsePower(actor=USER, power=own_power("climb").id))
    assert isinstance(climbed, Stage)
    return any(isinstance(event, Rolled) for event in climbed.events)


def _ran(given: Given) -> Answer:
    """A turn of running along a way that is longer than anybody runs."""
    start, far = Square(0, 0), Square(SIDE - 1, 0)
    runner = person(USER, start, luck=given["luck"])
    ran = move(scene_of(runner), Go(actor=USER, to=far, run=True), {"run": tuple(given.get("dice", ()))})
    assert isinstance(ran, Stage)
    after = being_in(ran.scene, USER)
    return {
        "pool": run_pool(actor_of(given)).value,
        "paces": ran.scene.turn.paces,
        "luck": after.luck,
        "knocked_out": after.out,
    }


def tasks(given: Given) -> Answer:
    """A job over several rolls; one that costs Luck is a spell worked up."""
    rolls = [count_successes(faces) for faces in given["rolls"]]
    if "luck" in given:
        cost = given["luck_cost"] if "luck_cost" in given else find(CATALOG.powers, given["power"]).luck_cost
        return _worked_up(cost, given)
    job = Task(action_called(given["action"]), given["needed"])
    for rolled in rolls:
        job = job.rolled(rolled)
    return {"total": job.total, "done": job.done}


def cold(given: Given) -> Answer:
    """Luck lost to a cold place."""
    near = given.get("hearth_rune_paces")
    if near is not None and warmed(own_power("hearth-rune"), near):
        return {"luck_lost": 0}
    gear = given.get("gear")
    worn = None if gear is None else find(CATALOG.gear, gear)
    return {"luck_lost": cold_loss(Climate(given["place"]), given["days"], worn)}


def climb_fall_jump(given: Given) -> Answer:
    """A turn of climbing, a fall, or a jump."""
    if "track" in given:
        wall = Wall(tuple(action_called(name) for name in given["track"]), given["at"])
        turn = climb(wall, action_called(given["roll"]), successes_in(given))
        if isinstance(turn, RuleProblem):
            return refused(turn)
        return {
            "at": turn.climb.at,
            "fell": turn.fell,
            "luck_lost": turn.luck_lost,
            "done": turn.climb.done,
        }
    if "fall_feet" in given:
        landing = successes_in(given, "soft_landing_dice")
        return {
            "dice_count": fall_dice(given["fall_feet"]),
            "luck_lost": fall_loss(successes_in(given), landing),
        }
    if "jump" in given:
        leap = jump(successes_in(given), successes_in(given, "stunt_dice") if given.get("unstable") else None)
        return {"paces": leap.paces, "on_feet": leap.on_feet}
    raise UnsupportedCaseError("neither a climb, a fall nor a jump")


def movement(given: Given) -> Answer:
    """Walking, double-moving, running, flying and climbing speeds."""
    if "fly" in given:
        wings = Flight(*given["fly"])
        there = Square(given["paces"], 0)
        flown = move(
            scene_of(person(USER, Square(0, 0), fly=(wings.slowest, wings.fastest))),
            Go(actor=USER, to=there, fly=True),
        )
        return {"legal": isinstance(flown, Stage), "falls": wings.falls(given["paces"])}
    if "monster_climb" in given:
        return {"needs_roll": _climbs_by_rolling(given["monster_climb"])}
    if given.get("run"):
        return _ran(given)
    tags = given.get("monster_tags", ())
    mover = Mover(
        move=given.get("move", MOVE),
        can_double_move="no_double_move" not in tags,
        can_run="no_run" not in tags,
    )
    pace = pace_for(given["paces"], mover)
    if isinstance(pace, RuleProblem):
        return refused(pace)
    answer: Answer = {"mode": pace.value, "legal": True}
    if given.get("action") is None:
        return answer
    action = action_called(given["action"])
    problem: Explained | RuleProblem | None = pace_problem(pace, action)
    if problem is None and ("role" in given or "ratings" in given):
        problem = power_pool(actor_of(given), (action,), moment_of(given, pace), SETTINGS)
    return answer | refused(problem) if isinstance(problem, RuleProblem) else answer
