"""Powers that hit: a ray, a fist of light, a rush, two foes at once, an ambush, a knock on the head."""

from __future__ import annotations

from services.rules.engine.explain import Explained
from services.rules.engine.frozen import replace
from services.rules.engine.grid import Square
from services.rules.engine.play import GM_ONLY, Choice, FieldKind, MoveField
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Ask, Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.conditions import knows_of
from services.rules.systems.dungeonteller.play.desk import CAST, Desk
from services.rules.systems.dungeonteller.play.facts import Alerted
from services.rules.systems.dungeonteller.play.moves import Go
from services.rules.systems.dungeonteller.play.pools import as_roll, reaction
from services.rules.systems.dungeonteller.play.question import yes_or_no
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.battle import (
    ATTACKS,
    Assault,
    Blow,
    land_blows,
    show_oneself,
    whole_pool,
)
from services.rules.systems.dungeonteller.play.rules.falls import falls
from services.rules.systems.dungeonteller.play.rules.harm import lose_turns
from services.rules.systems.dungeonteller.play.rules.moving import go, walk
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    handles,
    only_target,
    take_worked_up,
    tell,
    use_up_scroll,
)
from services.rules.systems.dungeonteller.play.state import (
    Arm,
    Being,
)
from services.rules.systems.dungeonteller.play.targeting import arm_of, foe_problem
from services.rules.systems.dungeonteller.powers import Attack

PATH = ("targets", 0)
STRIKE = "strike"
"""Id of the question whether the blow of an ambush is struck."""


@handles("zap", "fist-of-justice", "smite")
def hit_one(desk: Desk, use: Use) -> Steps:
    """Zap, Fist of Justice and Smite: an attack with dice and defences of its own (rulings P4, P27)."""
    yield from land_blows(desk, _blow_at(desk, use, only_target(use)))


@handles("charge")
def charge(desk: Desk, use: Use) -> Steps:
    """Charge: a double-move up to a foe, then Battle and Stunt dice without the loss of three (Warrior).

    What was walked before in this turn counts. Whatever stops the warrior on the way stops the blow as well.
    """
    target = only_target(use)
    start, squares = use.being, use.move.squares
    here, paces = start.at, use.scene.turn.paces
    going = None
    if squares and squares[-1] != here:
        going = Go(actor=start.id, to=squares[-1], way=squares if len(squares) > 1 else ())
        here = going.to
        paces += len(walk(replace(use.scene, areas=()), use.catalog, start, going).way)
        walk(use.scene, use.catalog, start, going)
    if not start.move < paces <= 2 * start.move:
        text = f"A charge is a double-move, and that is {paces} paces."
        allowed = (start.move + 1, 2 * start.move)
        raise use.refused("charge_needs_double_move", text, ("squares",), paces, allowed)
    _check_blow(desk, use, target, here, paces)
    if going is not None:
        yield from go(desk, going)
        now = desk.being(start.id)
        if now.at != here or desk.scene.turn.acted or not desk.able(start.id):
            desk.spend_action()
            tell(desk, use, 0, targets=(target,))
            return
        use = replace(use, scene=desk.scene, being=now)
    blow = _blow_at(desk, use, target)
    if not desk.allows(lambda trial: land_blows(trial, blow)):
        desk.spend_action()
        desk.say("given_up.impossible", by=start.id)
        return
    yield from land_blows(desk, blow)


def _check_blow(desk: Desk, use: Use, target: str, here: Square, paces: int) -> None:
    """Refuses a charge whose blow could not be struck from where it ends."""
    being = replace(use.being, at=here)
    beings = tuple(being if one.id == being.id else one for one in use.scene.beings)
    there = replace(use.scene, beings=beings, turn=replace(use.scene.turn, paces=paces))
    ready = replace(use, scene=there, being=being)
    desk.check(lambda trial: land_blows(trial, _blow_at(trial, ready, target)), there)


@handles("sweep", "rapid-fire")
def hit_two(desk: Desk, use: Use) -> Steps:
    """Sweep and Rapid Fire: the whole pool in two groups at two foes, each less by its foe's Armor (P21).

    Without a split the groups are as even as they can be, the first foe getting the odd die.
    """
    attack, targets = _attack(use), use.move.targets
    wanted = use.power.figures.targets or 2
    if len(targets) != wanted or len(set(targets)) != wanted:
        raise use.refused(
            "needs_two_targets", f"Choose {wanted} different foes.", ("targets",), targets, wanted
        )
    for index, target in enumerate(targets):
        refuse_if(foe_problem(use.scene, use.being, target, ("targets", index), attack.action))
    arm = arm_of(use.being, attack.action, use.move.arm)
    if isinstance(arm, RuleProblem):
        raise refused(arm)
    whole = whole_pool(use.scene, use.catalog, use.being, attack, arm, use.move.inspired)
    if isinstance(whole, RuleProblem):
        raise refused(whole)
    groups = _groups(use, whole, wanted)
    blows = tuple(
        Blow(target, roll=f"attack:{target}", path=("targets", index), dice=dice)
        for index, (target, dice) in enumerate(zip(targets, groups, strict=True))
    )
    yield from land_blows(desk, _assault(desk, use, blows, arm))


def _groups(use: Use, whole: Explained, wanted: int) -> tuple[int, ...]:
    """The groups of a shared pool: one die at least in each, all of them the whole (ruling P21)."""
    split = use.move.split or tuple((whole.value + wanted - 1 - index) // wanted for index in range(wanted))
    if any(dice < 1 for dice in split):
        raise use.refused("split_empty_group", "Each group needs at least one die.", ("split",), split, 1)
    if len(split) != wanted or sum(split) != whole.value:
        text = f"Share all {whole.value} dice between {wanted} foes."
        raise use.refused("split_wrong", text, ("split",), split, whole.value)
    return split


@handles("ambush")
def ambush(desk: Desk, use: Use) -> Steps:
    """Ambush: Sneak against the Notice of a foe that has not seen its user; more wins, and a blow follows.

    The blow is asked for, so that its player may choose what to strike with, and takes no further action.
    """
    target = only_target(use)
    refuse_if(foe_problem(use.scene, use.being, target, PATH, Action.BATTLE))
    foe = desk.being(target)
    if not foe.surprised and knows_of(foe, use.being):
        raise use.refused("target_has_seen_you", f"{foe.name} has seen {use.being.name}.", PATH, target)
    successes = yield from cast(desk, use, versus=foe, versus_for=GM_ONLY)
    if not successes:
        show_oneself(desk, use.being.id)
        _noticed(desk, target)
        tell(desk, use, 0, targets=(target,))
        return
    tell(desk, use, successes, targets=(target,))
    move = replace(use.move, inspired=0)
    now = replace(use, scene=desk.scene, being=desk.being(use.being.id), move=move)
    arms = _arms_to_strike_with(desk, now)
    if not arms:
        desk.say("given_up.impossible", by=use.being.id)
        return
    (answer,) = yield from desk.ask(_strike_now(now, arms))
    if not answer.yes:
        desk.say("given_up", by=use.being.id)
        return
    chosen = replace(now, move=replace(move, arm=answer.arm or move.arm))
    yield from land_blows(desk, _strike(desk, chosen))


def _arms_to_strike_with(desk: Desk, use: Use) -> tuple[Choice, ...]:
    """What the blow of an ambush may be struck with; without an id, what was named with the ambush."""
    arms = [Choice("", "As planned")]
    arms += [Choice(arm.id, arm.name) for arm in use.being.arms if Action.BATTLE in arm.use]
    return tuple(
        arm
        for arm in arms
        if desk.allows(
            lambda trial, arm=arm: land_blows(  # type: ignore[misc]
                trial, _strike(trial, replace(use, move=replace(use.move, arm=arm.value or use.move.arm)))
            )
        )
    )


def _strike_now(use: Use, arms: tuple[Choice, ...]) -> Ask:
    field = MoveField(name="arm", label="With what?", kind=FieldKind.CHOICE, choices=arms, required=False)
    return yes_or_no(
        use.scene,
        STRIKE,
        use.being,
        "Strike now?",
        rule=use.power.source,
        about=use.move.targets,
        fields=(field,),
    )


def _strike(desk: Desk, use: Use) -> Assault:
    """The blow of an ambush that worked, with what its player chose; no action is used again."""
    target = use.move.targets[0]
    blow = _blow_at(desk, use, target, free=True)

    def opening() -> int:
        _noticed(desk, target)
        return 0 if blow.opening is None else blow.opening()

    return replace(blow, opening=opening)


def _noticed(desk: Desk, being_id: str) -> None:
    """A being is surprised no longer."""
    if desk.being(being_id).surprised:
        desk.do(Alerted(being=being_id))


@handles("knockout")
def knock_out(desk: Desk, use: Use) -> Steps:
    """Knockout: a Battle roll that takes turns in place of Luck, less the foe's Muscle (ruling P28)."""
    target = only_target(use)

    def after(desk: Desk, being: Being, target_id: str, successes: int) -> Steps:
        landed = desk.stopped(target_id, being.id, successes, Action.BATTLE)
        left = max(0, landed - desk.successes("against"))
        struck = desk.being(target_id)
        if not left:
            tell(desk, use, 0, targets=(target_id,))
            return
        tell(desk, use, left, targets=(target_id,))
        desk.let_go(target_id)
        if struck.height:
            yield from falls(desk, target_id, struck.height)
        lose_turns(desk, target_id, left)

    refuse_if(foe_problem(use.scene, use.being, target, PATH, Action.BATTLE))
    foe = desk.being(target)
    dice = reaction(use.scene, use.catalog, foe, use.power.opposed_by)
    against = as_roll(use.scene, "against", foe, f"Against {use.power.name}", dice)
    blow = _blow_at(desk, use, target)
    yield from land_blows(desk, replace(blow, after=after, beside=(against,)))


def _attack(use: Use) -> Attack:
    attack = use.power.attack
    assert attack is not None
    return attack


def _blow_at(desk: Desk, use: Use, target: str, *, free: bool = False) -> Assault:
    """One blow with the whole pool, and the weapon named where the power is a Battle or Shoot roll."""
    attack = _attack(use)
    arm = arm_of(use.being, attack.action, use.move.arm) if attack.action in ATTACKS else None
    if isinstance(arm, RuleProblem):
        raise refused(arm)
    return _assault(desk, use, (Blow(target, path=PATH),), arm, free=free)


def _assault(
    desk: Desk, use: Use, blows: tuple[Blow, ...], arm: Arm | None, *, free: bool = False
) -> Assault:
    def opening() -> int:
        if use.power.spell:
            desk.trigger(use.being.id, CAST)
        use_up_scroll(desk, use)
        return take_worked_up(desk, use)

    return Assault(
        being=use.being,
        attack=_attack(use),
        blows=blows,
        arm=arm,
        inspired=use.move.inspired,
        cost=0 if free else use.cost,
        power=use.power.id,
        free=free,
        opening=opening,
    )
