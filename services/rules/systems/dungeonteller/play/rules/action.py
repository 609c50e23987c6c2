"""Trying anything with one of the ten actions: jobs, talk, sneaking, looking round (Actions)."""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.identity import remembered
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience, Roll
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import foes_of, in_sight, knows_of
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import Happened, Hid, JobAdvanced, ThingFound
from services.rules.systems.dungeonteller.play.moves import Try
from services.rules.systems.dungeonteller.play.pools import ActionRoll, as_roll, moment_of, pool, reaction
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.battle import come_into_view, show_oneself, use_lent
from services.rules.systems.dungeonteller.play.rules.doors import open_door
from services.rules.systems.dungeonteller.play.rules.feat import feat_parts, feat_problem, pay_feat
from services.rules.systems.dungeonteller.play.rules.gear import gear_problem, use_up
from services.rules.systems.dungeonteller.play.rules.tricks import see_through
from services.rules.systems.dungeonteller.play.secrecy import audience_of
from services.rules.systems.dungeonteller.play.state import Being, EffectKind, Job, Scene
from services.rules.systems.dungeonteller.play.targeting import (
    inspired_problem,
    target_problem,
    touch_problem,
)
from services.rules.systems.dungeonteller.tasks import Task

LOOK = "Actions / Notice"

UNDER_A_CLOAK = (Action.SNEAK, Action.RESIST)
"""What a cloak outlasts: sneaking, which it lends dice to, and resisting (Elf / Cloak)."""

UNSEEN = (*UNDER_A_CLOAK, Action.NOTICE)
"""What is tried without being seen or heard at it."""


def attempt(desk: Desk, move: Try) -> Steps:
    """Roll an action for a job, against a being, or for whatever the words say."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    if move.action is Action.MAGIC:
        text = "Magic is cast with a power."
        raise refused(
            RuleProblem("magic_needs_power", text, "Actions / Magic", ("action",), move.action.value)
        )
    job = job_of(scene, being, move)
    if isinstance(job, RuleProblem):
        raise refused(job)
    situations = () if job is None else job.situations
    moment = moment_of(scene, being, move.action, situations=situations)
    refuse_if(
        gear_problem(scene, catalog, being, move.gear, move.action, moment)
        or inspired_problem(scene, being, move.inspired)
        or feat_problem(catalog, being, move.feat, _muscles(move))
    )
    against = _against(scene, being, move)
    if isinstance(against, RuleProblem):
        raise refused(against)
    rolls = [_own_roll(scene, catalog, being, move, job)]
    if move.far:
        lifted = () if move.action is Action.MUSCLE else feat_parts(catalog, move.feat)
        far = pool(scene, catalog, being, ActionRoll((Action.MUSCLE,), extra=lifted))
        if isinstance(far, RuleProblem):
            raise refused(far)
        rolls.insert(0, as_roll(scene, "far", being, "Muscle for the distance", far))
    rolls += _opposing(scene, catalog, move, against)
    yield from desk.roll(*rolls)
    pay_feat(desk, being.id, move.feat)
    desk.spend_action(still=move.action is Action.MAKE, cloaked=move.action in UNDER_A_CLOAK)
    use_lent(desk, being, move.inspired)
    use_up(desk, being.id, move.gear, move.action, moment)
    _settle(desk, being, move, job, against)


@remembered(16)
def _own_roll(scene: Scene, catalog: Catalog, being: Being, move: Try, job: Job | None) -> Roll:
    """The dice of a try.

    Who looks round knows that they do, and not what fell (Actions / Notice); who hides tells friends.
    """
    own = ActionRoll(
        (move.action,),
        situations=() if job is None else job.situations,
        extra=feat_parts(catalog, move.feat) if move.action is Action.MUSCLE else (),
        gear=move.gear,
        inspired=move.inspired,
    )
    dice = pool(scene, catalog, being, own)
    if isinstance(dice, RuleProblem):
        raise refused(dice)
    audience = EVERYONE
    if move.action is Action.NOTICE and being.hero:
        audience = GM_ONLY
    elif move.action is Action.SNEAK:
        audience = friends_of(scene, being)
    label = move.words or move.action.label
    return as_roll(scene, "try", being, label, dice, audience=audience, needed=_needed(job))


def _muscles(move: Try) -> tuple[Action, ...]:
    """The action of a try's Muscle roll: its own, or that of the distance of a throw; none without one."""
    return (Action.MUSCLE,) if move.far else (move.action,)


def job_of(scene: Scene, being: Being, move: Try) -> Job | RuleProblem | None:
    """The job a try is for, or why it cannot be worked on."""
    if not move.job:
        return None
    found = next((job for job in scene.jobs if job.id == move.job and job.audience.everyone), None)
    if found is None:
        known = tuple(job.id for job in scene.jobs if job.audience.everyone)
        return RuleProblem("job_unknown", "There is no such job.", "Actions", ("job",), move.job, known)
    if found.action is not move.action:
        return RuleProblem(
            "wrong_action",
            f"{found.name} needs {found.action.label}.",
            "Actions",
            ("action",),
            move.action.value,
            found.action.value,
        )
    if found.total >= found.needed > 0:
        return RuleProblem("job_done", f"{found.name} is done.", "Actions", ("job",), move.job)
    if found.at is not None:
        return touch_problem(being, found.at, found.name, ("job",)) or found
    return found


def _against(scene: Scene, being: Being, move: Try) -> tuple[Being, ...] | RuleProblem:
    """Who rolls against a try: those named, and all watchers of a being who sneaks."""
    found = []
    for index, target in enumerate(move.targets):
        problem = target_problem(scene, being, target, ("targets", index))
        if problem is not None:
            return problem
        other = scene.being(target)
        assert other is not None
        found.append(other)
    if move.action is Action.SNEAK and not found:
        return watchers(scene, being)
    return tuple(found)


def watchers(scene: Scene, being: Being) -> tuple[Being, ...]:
    """Foes that could see a being: awake and with nothing solid between."""
    return tuple(
        foe
        for foe in foes_of(scene, being)
        if in_sight(scene, foe.at, being.at)
        and not scene.has(foe.id, EffectKind.ASLEEP, EffectKind.STATUE, EffectKind.PETRIFIED)
    )


def _opposing(scene: Scene, catalog: Catalog, move: Try, against: tuple[Being, ...]) -> list[Roll]:
    if move.action is Action.SNEAK:
        action, audience = Action.NOTICE, GM_ONLY
    elif move.action is Action.TALK and move.lie:
        action, audience = Action.RESIST, EVERYONE
    else:
        return []
    return [
        as_roll(
            scene,
            f"against:{other.id}",
            other,
            f"{action.label} of {other.name}",
            reaction(scene, catalog, other, (action,)),
            audience=audience,
        )
        for other in against
    ]


def _needed(job: Job | None) -> int:
    return max(1, job.needed - job.total) if job is not None and job.shown else 1


def _settle(desk: Desk, being: Being, move: Try, job: Job | None, against: tuple[Being, ...]) -> None:
    successes = desk.successes("try")
    if job is not None:
        work_on(desk, being, job, successes)
    elif move.action is Action.SNEAK:
        _sneak(desk, being, successes, against)
    elif move.action is Action.NOTICE:
        desk.say("looked", by=being.id)
        finds(desk, being.id, successes, move.targets)
    else:
        _tell(desk, being, move, successes, against)
    if move.action not in UNSEEN:
        show_oneself(desk, being.id)


def work_on(desk: Desk, being: Being, job: Job, successes: int) -> None:
    """Successes go into a job; a Stunt is done in one roll or not at all."""
    before = next(one for one in desk.scene.jobs if one.id == job.id)
    after = Task(job.action, job.needed, before.total).rolled(successes)
    desk.do(JobAdvanced(job=job.id, total=after.total))
    if after.done:
        open_door(desk, before)
    code = "job.done" if after.done else "job.worked" if successes else "job.failed"
    if code == "job.worked" and job.action is Action.STUNT:
        code = "job.worked.stunt"
    desk.say(code, by=being.id, targets=(job.id,), successes=successes)


def _sneak(desk: Desk, being: Being, successes: int, against: tuple[Being, ...]) -> None:
    """Hide from every watcher whose Notice is less; without a success all see it (Actions / Sneak)."""
    if successes == 0:
        come_into_view(desk, being.id)
        desk.say("sneak.failed", by=being.id)
        return
    saw = tuple(other.id for other in against if desk.successes(f"against:{other.id}") >= successes)
    now = replace(desk.being(being.id), hidden=successes, found_by=saw)
    known = audience_of(desk.scene, now)
    desk.do(Hid(being=being.id, needed=successes, found_by=saw, audience=known))
    desk.join_order(being.id)
    desk.say("sneaked")


def friends_of(scene: Scene, being: Being) -> Audience:
    """Those who play a being's side."""
    friends = tuple(one.id for one in scene.beings if one.hero and one.side is being.side)
    return Audience(everyone=False, actors=friends)


def finds(desk: Desk, being_id: str, successes: int, named: tuple[str, ...] = ()) -> None:
    """Whoever looks finds what is hidden in sight and not too hard; others learn nothing of it."""
    being = desk.being(being_id)
    told = Audience(everyone=False, actors=(being_id,))
    for other in desk.scene.beings:
        hard = other.hidden
        if hard is None or knows_of(being, other) or not in_sight(desk.scene, being.at, other.at):
            continue
        if successes >= max(hard, 1):
            desk.notice(other.id, being_id)
    for thing in desk.scene.things:
        if thing.hidden is None or being_id in thing.found_by or thing.at is None:
            continue
        if successes >= max(thing.hidden, 1) and in_sight(desk.scene, being.at, thing.at):
            desk.do(ThingFound(thing=thing.id, by=being_id, audience=told))
    for effect in desk.scene.effects:
        if effect.bearer in named:
            see_through(desk, being_id, effect.id, successes)


def _tell(desk: Desk, being: Being, move: Try, successes: int, against: tuple[Being, ...]) -> None:
    """Whatever else is tried: how well it went, for each who rolled against it."""
    if move.far:
        desk.say("throw", by=being.id, successes=successes, number=desk.successes("far"))
        return
    if move.lie and move.action is Action.TALK:
        for other in against:
            left = max(0, successes - desk.successes(f"against:{other.id}"))
            code = "talk.believed" if left else "talk.doubted"
            desk.say(code, by=being.id, targets=(other.id,), successes=left)
        return
    desk.do(
        Happened(
            code="tried" if successes else "tried.failed",
            by=being.id,
            targets=tuple(other.id for other in against),
            successes=successes,
            words=move.words or move.action.label,
            rule=f"Actions / {move.action.label}",
        )
    )
