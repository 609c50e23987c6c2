"""Powers of bare strength against a foe: pushing it back (Warrior), holding it fast (everyone)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.grid import Square, distance, is_way
from services.rules.engine.play import Roll
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.checks import BATTLE
from services.rules.systems.dungeonteller.play.aiming import TOUCH, best_arm, foe_problem, one
from services.rules.systems.dungeonteller.play.conditions import (
    areas_at,
    fills_its_square,
    idle_problem,
    move_problem,
    solid_grid,
)
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.discretion import both
from services.rules.systems.dungeonteller.play.fighting import Blow, plan_blows, show_oneself
from services.rules.systems.dungeonteller.play.going import Leg, get_along
from services.rules.systems.dungeonteller.play.harm import BRIAR_LOSS, harms, save_rolls
from services.rules.systems.dungeonteller.play.moves import Answer, UsePower
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    EffectKind,
    Ending,
    Lasting,
    Prompt,
    PromptKind,
    Scene,
)
from services.rules.systems.dungeonteller.play.use import (
    FOLLOW_UPS,
    Use,
    cast,
    failed,
    handles,
    lasting,
    only_target,
    tell,
)

PATH = ("targets", 0)
FOLLOW = "follow"


@handles("knockback")
def knock_back(use: Use) -> Plan | Problems:
    """Knockback: straight away from its user, a pace for each success left, until something is in the way.

    With the kind "follow" the warrior steps to where the foe stood. What is met on the way does its harm.
    """
    foe = foe_at_hand(use)
    if isinstance(foe, Problems):
        return foe
    if use.move.sort not in ("", FOLLOW):
        return use.problem("kind_unknown", "You follow, or you stay.", ("sort",), use.move.sort, ("", FOLLOW))
    follows = use.move.sort == FOLLOW and move_problem(use.scene, use.being) is None

    def after(desk: Desk, successes: int) -> None:
        show_oneself(desk, use.being.id)
        leg = _as_far_as(desk.scene, desk.being(foe.id), use.being.at, successes)
        paces = len(leg.way)
        if not paces:
            tell(desk, use, f"{foe.name} does not budge.", 0, targets=(foe.id,))
            return
        far = "1 pace" if paces == 1 else f"{paces} paces"
        text = f"{use.being.name} pushes {foe.name} back {far}."
        tell(desk, use, text, successes, targets=(foe.id,))
        for thorns in desk.scene.effects_on(foe.id, EffectKind.CAUGHT):
            desk.lift(thorns)
            desk.lose(foe.id, BRIAR_LOSS, "the thorns")
        get_along(desk, foe.id, leg, desk.being(foe.id).height)
        if follows:
            desk.let_go(use.being.id)
            step = Leg((foe.at,), met_at(desk.scene, desk.being(use.being.id), foe.at))
            get_along(desk, use.being.id, step)
        _let_go_apart(desk)

    plan = cast(use, after, versus=foe)
    if isinstance(plan, Problems):
        return plan
    most = _as_far_as(use.scene, foe, use.being.at, plan.rolls[0].dice.value)
    saves = saves_on(use, foe, most.way)
    if follows and most.way:
        saves += saves_on(use, use.being, (foe.at,))
    return Plan((*plan.rolls, *saves), plan.resolve)


def foe_at_hand(use: Use) -> Being | Problems:
    """The one foe within reach that a power is aimed at, or why it cannot be."""
    target = only_target(use)
    if isinstance(target, Problems):
        return target
    problem = foe_problem(use.scene, use.being, target, PATH, Action.BATTLE)
    if problem is not None:
        return one(problem)
    foe = use.scene.being(target)
    assert foe is not None
    return foe


def met_at(scene: Scene, being: Being, square: Square) -> tuple[Area, ...]:
    """What does harm to somebody who gets to a square, but for what they are in already."""
    spared = {area.id for area in areas_at(scene, being.at)}
    if scene.turn.whose == being.id:
        spared |= {*scene.turn.suffered}
    return harms(scene, being, square, spared=spared)


def saves_on(use: Use, being: Being, squares: tuple[Square, ...]) -> tuple[Roll, ...]:
    """Dice against all that somebody may meet on squares they get to; secret where that is hidden."""
    met = {area.id: area for square in squares for area in met_at(use.scene, being, square)}
    return tuple(
        replace(roll, audience=both(roll.audience, area.audience))
        for area in met.values()
        for roll in save_rolls(use.scene, use.catalog, being, (area,))
    )


def _as_far_as(scene: Scene, foe: Being, pusher: Square, paces: int) -> Leg:
    """The way of a push: until something solid, somebody else or a trap rune is in the way."""
    if scene.has(foe.id, EffectKind.TRAPPED):
        return Leg(())
    grid = solid_grid(scene)
    taken = {one.at for one in scene.beings if one.id != foe.id and fills_its_square(one)}
    dx, dy = _sign(foe.at.x - pusher.x), _sign(foe.at.y - pusher.y)
    here, way = foe.at, list[Square]()
    met: dict[str, Area] = {}
    for _ in range(paces):
        to = Square(here.x + dx, here.y + dy)
        if not is_way(grid, here, (to,), taken):
            break
        here = to
        way.append(to)
        met |= {area.id: area for area in met_at(scene, foe, to)}
        if any(area.kind is AreaKind.TRAP_RUNE for area in met.values()):
            break
    return Leg(tuple(way), tuple(met.values()))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _let_go_apart(desk: Desk) -> None:
    """Whoever is out of their holder's reach is free."""
    for effect in desk.scene.effects:
        if effect.kind is EffectKind.PINNED:
            holder, held = desk.scene.being(effect.by), desk.scene.being(effect.on)
            if holder is None or held is None or distance(holder.at, held.at) > TOUCH:
                desk.lift(effect)


@handles("pin")
def pin(use: Use) -> Plan | Problems:
    """Pin: with empty hands; an armed foe strikes first; then Muscle and Stunt against the same, more wins.

    After the foe's free blow its holder is asked whether they go on (ruling P22 for ties).
    """
    if not hands_empty(use.scene, use.being):
        return use.problem(
            "hands_not_empty", f"{use.being.name} needs both hands free to grab somebody.", ("actor",)
        )
    foe = foe_at_hand(use)
    if isinstance(foe, Problems):
        return foe
    if use.scene.has(foe.id, EffectKind.PINNED):
        return use.problem("already_pinned", f"Somebody holds {foe.name} already.", PATH, foe.id)
    lunge = _lunge(use, foe)
    if lunge is None:
        return _grab(use, foe)
    if not lunge.rolls:
        return lunge

    def resolve(desk: Desk) -> None:
        desk.spend_action()
        show_oneself(desk, use.being.id)
        lunge.resolve(desk)
        if not desk.able(use.being.id):
            failed(desk, use, (foe.id,))
            return
        desk.ask(Prompt(id=desk.number("ask"), kind=PromptKind.GRAB, actor=use.being.id, move=use.move))

    return Plan(lunge.rolls, resolve)


def hands_empty(scene: Scene, being: Being) -> bool:
    """Whether somebody holds nothing: no weapon, no shield, and nobody else."""
    holds = any(effect.kind is EffectKind.PINNED and effect.by == being.id for effect in scene.effects)
    return not (holds or being.shield or any(arm.held and arm.hands > 0 for arm in being.arms))


def armed(being: Being) -> bool:
    """Whether somebody holds a weapon; claws and teeth are none."""
    return any(arm.held for arm in being.arms)


def _lunge(use: Use, foe: Being) -> Plan | None:
    """The free blow of an armed foe; None where it has none, or cannot strike."""
    helpless = idle_problem(use.scene, foe) is not None
    if helpless or not armed(foe):
        return None
    blow = Blow(use.being.id, roll="lunge", path=("actor",))
    found = plan_blows(
        use.scene,
        use.catalog,
        foe,
        use.move,
        BATTLE,
        (blow,),
        arm=best_arm(foe, Action.BATTLE),
        prompt=use.prompt,
        what="a free blow",
        free=True,
    )
    return None if isinstance(found, Problems) else found


def plan_grab(scene: Scene, catalog: Catalog, prompt: Prompt, _answer: Answer) -> Plan | Problems:
    """The grab after the foe's free blow; a Feat of Strength takes no more Luck than the blow has left."""
    assert isinstance(prompt.move, UsePower)
    being = scene.being(prompt.actor)
    assert being is not None
    move = prompt.move if being.luck is None else replace(prompt.move, feat=min(prompt.move.feat, being.luck))
    use = Use(scene, catalog, being, catalog.powers[move.power], move, prompt)
    foe = foe_at_hand(use)
    return foe if isinstance(foe, Problems) else _grab(use, foe)


FOLLOW_UPS[PromptKind.GRAB] = plan_grab


def _grab(use: Use, foe: Being) -> Plan | Problems:
    def after(desk: Desk, successes: int) -> None:
        show_oneself(desk, use.being.id)
        if not successes:
            tell(desk, use, f"{foe.name} slips out of {use.being.name}'s grasp.", 0, targets=(foe.id,))
            return
        desk.let_go(foe.id)
        lasting(desk, use, EffectKind.PINNED, foe.id, 0, Lasting(Ending.DISMISSED), words="held tight")
        tell(desk, use, f"{use.being.name} holds {foe.name} tight.", successes, targets=(foe.id,))

    return cast(use, after, versus=foe)
