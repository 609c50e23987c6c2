"""Powers that hit: a ray, a fist of light, a rush, two foes at once, an ambush, a knock on the head."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square
from services.rules.engine.play import GM_ONLY
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.aiming import arm_of, foe_problem, one
from services.rules.systems.dungeonteller.play.conditions import knows_of
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.falls import fall_rolls, falls
from services.rules.systems.dungeonteller.play.fighting import (
    ATTACKS,
    After,
    Blow,
    plan_blows,
    show_oneself,
    whole_pool,
)
from services.rules.systems.dungeonteller.play.going import plan_go
from services.rules.systems.dungeonteller.play.harm import lose_turns
from services.rules.systems.dungeonteller.play.moves import Answer, Go, UsePower
from services.rules.systems.dungeonteller.play.pools import as_roll, reaction
from services.rules.systems.dungeonteller.play.state import (
    Arm,
    Being,
    EffectKind,
    Prompt,
    PromptKind,
    Scene,
)
from services.rules.systems.dungeonteller.play.use import (
    FOLLOW_UPS,
    Use,
    cast,
    handles,
    only_target,
    take_worked_up,
    tell,
    use_up_scroll,
)
from services.rules.systems.dungeonteller.powers import Attack

PATH = ("targets", 0)


@handles("zap", "fist-of-justice", "smite")
def hit_one(use: Use) -> Plan | Problems:
    """Zap, Fist of Justice and Smite: an attack with dice and defences of its own (rulings P4, P27)."""
    target = only_target(use)
    return target if isinstance(target, Problems) else _blow_at(use, target)


@handles("charge")
def charge(use: Use) -> Plan | Problems:
    """Charge: a double-move up to a foe, then Battle and Stunt dice without the loss of three (Warrior).

    What was walked before in this turn counts. Whatever stops the warrior on the way stops the blow as well.
    """
    target = only_target(use)
    if isinstance(target, Problems):
        return target
    squares = use.move.squares
    going: Plan | None = None
    here, paces = use.being.at, use.scene.turn.paces
    arrives = True
    if squares and squares[-1] != here:
        go = Go(actor=use.being.id, to=squares[-1], way=squares if len(squares) > 1 else ())
        meant = plan_go(replace(use.scene, areas=()), use.catalog, go)
        really = plan_go(use.scene, use.catalog, go)
        if isinstance(meant, Problems) or isinstance(really, Problems):
            return really if isinstance(really, Problems) else use.problem("no_way", "There is no way there.")
        here, paces = _end_of(replace(use.scene, areas=()), use.catalog, meant, use.being.id)
        arrives = _end_of(use.scene, use.catalog, really, use.being.id)[0] == here
        going = really
    if not use.being.move < paces <= 2 * use.being.move:
        text = f"A charge is a double-move, and that is {paces} paces."
        allowed = (use.being.move + 1, 2 * use.being.move)
        return use.problem("charge_needs_double_move", text, ("squares",), paces, allowed)
    there = Desk(use.scene, use.catalog)
    there.place(use.being.id, here)
    there.turn(replace(use.scene.turn, paces=paces))
    ready = replace(use, scene=there.scene, being=there.being(use.being.id))
    blow = _blow_at(ready, target)
    if isinstance(blow, Problems) or going is None or not blow.rolls:
        return blow
    walk = going

    def resolve(desk: Desk) -> None:
        walk.resolve(desk)
        if not arrives or desk.scene.turn.acted or not desk.able(use.being.id):
            desk.spend_action()
            tell(desk, use, f"{use.being.name} is stopped on the way.", 0, targets=(target,))
            return
        blow.resolve(desk)

    return Plan((*walk.rolls, *(blow.rolls if arrives else ())), resolve)


def _end_of(scene: Scene, catalog: Catalog, going: Plan, being_id: str) -> tuple[Square, int]:
    """Where a way ends, and the paces of the turn by then."""
    ahead = Desk(scene, catalog)
    going.resolve(ahead)
    return ahead.being(being_id).at, ahead.scene.turn.paces


@handles("sweep", "rapid-fire")
def hit_two(use: Use) -> Plan | Problems:
    """Sweep and Rapid Fire: the whole pool in two groups at two foes, each less by its foe's Armor (P21).

    Without a split the groups are as even as they can be, the first foe getting the odd die.
    """
    attack, targets = _attack(use), use.move.targets
    wanted = use.power.figures.targets or 2
    if len(targets) != wanted or len(set(targets)) != wanted:
        return use.problem(
            "needs_two_targets", f"Choose {wanted} different foes.", ("targets",), targets, wanted
        )
    for index, target in enumerate(targets):
        problem = foe_problem(use.scene, use.being, target, ("targets", index), attack.action)
        if problem is not None:
            return one(problem)
    arm = arm_of(use.being, attack.action, use.move.arm)
    if isinstance(arm, RuleProblem):
        return one(arm)
    whole = whole_pool(use.scene, use.catalog, use.being, attack, arm, use.move.inspired)
    if isinstance(whole, RuleProblem):
        return one(whole)
    groups = _groups(use, whole, wanted)
    if isinstance(groups, Problems):
        return groups
    blows = tuple(
        Blow(target, roll=f"attack:{target}", path=("targets", index), dice=dice)
        for index, (target, dice) in enumerate(zip(targets, groups, strict=True))
    )
    return _blows(use, blows, arm)


def _groups(use: Use, whole: Explained, wanted: int) -> tuple[int, ...] | Problems:
    """The groups of a shared pool: one die at least in each, all of them the whole (ruling P21)."""
    split = use.move.split or tuple((whole.value + wanted - 1 - index) // wanted for index in range(wanted))
    if any(dice < 1 for dice in split):
        return use.problem("split_empty_group", "Each group needs at least one die.", ("split",), split, 1)
    if len(split) != wanted or sum(split) != whole.value:
        text = f"Share all {whole.value} dice between {wanted} foes."
        return use.problem("split_wrong", text, ("split",), split, whole.value)
    return split


@handles("ambush")
def ambush(use: Use) -> Plan | Problems:
    """Ambush: Sneak against the Notice of a foe that has not seen its user; more wins, and a blow follows.

    The blow is asked for, so that its player may choose what to strike with, and takes no further action.
    """
    if use.prompt is not None and use.prompt.kind is PromptKind.DODGE:
        return _strike(use)
    target = only_target(use)
    if isinstance(target, Problems):
        return target
    problem = foe_problem(use.scene, use.being, target, PATH, Action.BATTLE)
    if problem is not None:
        return one(problem)
    foe = use.scene.being(target)
    assert foe is not None
    if not foe.surprised and knows_of(foe, use.being):
        return use.problem("target_has_seen_you", f"{foe.name} has seen {use.being.name}.", PATH, target)

    def after(desk: Desk, successes: int) -> None:
        if successes:
            text = f"{use.being.name} sneaks up on {foe.name}."
            tell(desk, use, text, successes, targets=(target,))
            desk.ask(Prompt(id=desk.number("ask"), kind=PromptKind.STRIKE, actor=use.being.id, move=use.move))
            return
        show_oneself(desk, use.being.id)
        _noticed(desk, target)
        tell(desk, use, f"{foe.name} notices {use.being.name} just in time.", 0, targets=(target,))

    return cast(use, after, versus=foe, opposing=GM_ONLY)


def plan_strike(scene: Scene, catalog: Catalog, prompt: Prompt, answer: Answer) -> Plan | Problems:
    """The blow of an ambush that worked, with what its player chose; no action is used again."""
    assert isinstance(prompt.move, UsePower)
    being = scene.being(prompt.actor)
    assert being is not None
    move = replace(prompt.move, arm=answer.arm or prompt.move.arm, inspired=0)
    return _strike(Use(scene, catalog, being, catalog.powers[move.power], move, prompt))


FOLLOW_UPS[PromptKind.STRIKE] = plan_strike


def _strike(use: Use) -> Plan | Problems:
    target = use.move.targets[0]
    blow = _blow_at(replace(use, move=replace(use.move, inspired=0)), target, free=True)
    if isinstance(blow, Problems) or not blow.rolls:
        return blow

    def resolve(desk: Desk) -> None:
        _noticed(desk, target)
        blow.resolve(desk)

    return Plan(blow.rolls, resolve)


def _noticed(desk: Desk, being_id: str) -> None:
    """Somebody is surprised no longer."""
    being = desk.being(being_id)
    if being.surprised:
        desk.set(replace(being, surprised=False))


@handles("knockout")
def knock_out(use: Use) -> Plan | Problems:
    """Knockout: a Battle roll that takes turns in place of Luck, less the foe's Muscle (ruling P28)."""
    target = only_target(use)
    if isinstance(target, Problems):
        return target
    foe = use.scene.being(target)

    def after(desk: Desk, being: Being, target_id: str, successes: int) -> None:
        landed = desk.stopped(target_id, being.id, successes, Action.BATTLE)
        left = max(0, landed - desk.successes("against"))
        name = desk.being(target_id).name
        if not left:
            tell(desk, use, f"{name} stays standing.", 0, targets=(target_id,))
            return
        turns = "1 turn" if left == 1 else f"{left} turns"
        tell(desk, use, f"{name} falls down and loses {turns}.", left, targets=(target_id,))
        desk.let_go(target_id)
        if foe is not None and foe.height:
            falls(desk, target_id)
        lose_turns(desk, target_id, left)

    blow = _blow_at(use, target, after=after)
    if isinstance(blow, Problems) or not blow.rolls or foe is None:
        return blow
    dice = reaction(use.scene, use.catalog, foe, use.power.opposed_by)
    against = as_roll(use.scene, "against", foe, f"Against {use.power.name}", dice)
    drop = fall_rolls(use.scene, use.catalog, foe, foe.height)
    return Plan((*blow.rolls, against, *drop), blow.resolve)


def _attack(use: Use) -> Attack:
    attack = use.power.attack
    assert attack is not None
    return attack


def _blow_at(use: Use, target: str, *, free: bool = False, after: After | None = None) -> Plan | Problems:
    """One blow with the whole pool, and the weapon named where the power is a Battle or Shoot roll."""
    attack = _attack(use)
    arm = arm_of(use.being, attack.action, use.move.arm) if attack.action in ATTACKS else None
    if isinstance(arm, RuleProblem):
        return one(arm)
    return _blows(use, (Blow(target, path=PATH),), arm, free=free, after=after)


def _blows(
    use: Use, blows: tuple[Blow, ...], arm: Arm | None, *, free: bool = False, after: After | None = None
) -> Plan | Problems:
    def opening(desk: Desk) -> int:
        if use.power.spell:
            desk.lift_all(use.being.id, EffectKind.COUNTERED)
        use_up_scroll(desk, use)
        return take_worked_up(desk, use)

    return plan_blows(
        use.scene,
        use.catalog,
        use.being,
        use.move,
        _attack(use),
        blows,
        arm=arm,
        prompt=use.prompt,
        inspired=use.move.inspired,
        cost=0 if free else use.cost,
        what=use.power.name,
        free=free,
        after=after,
        opening=opening,
    )
