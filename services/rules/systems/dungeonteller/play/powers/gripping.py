"""Powers of bare strength against a foe: pushing it back (Warrior), holding it fast (everyone)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.grid import Square, distance, is_way
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.checks import BATTLE
from services.rules.systems.dungeonteller.play.aiming import TOUCH, best_arm, foe_problem
from services.rules.systems.dungeonteller.play.conditions import (
    areas_at,
    fills_its_square,
    idle_problem,
    move_problem,
    solid_grid,
)
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.fighting import Assault, Blow, land_blows, show_oneself
from services.rules.systems.dungeonteller.play.going import Leg, get_along
from services.rules.systems.dungeonteller.play.harm import BRIAR_LOSS, harms
from services.rules.systems.dungeonteller.play.question import yes_or_no
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Duration,
    EffectKind,
    Scene,
    Until,
)
from services.rules.systems.dungeonteller.play.use import (
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
GRAB = "grab"
"""Id of the question whether a pin goes on behind the foe's free blow."""


@handles("knockback")
def knock_back(desk: Desk, use: Use) -> Steps:
    """Knockback: straight away from its user, a pace for each success left, until something is in the way.

    With the kind "follow" the warrior steps to where the foe stood. What is met on the way does its harm.
    """
    foe = foe_at_hand(use)
    if use.move.sort not in ("", FOLLOW):
        text = "You follow, or you stay."
        raise use.refused("kind_unknown", text, ("sort",), use.move.sort, ("", FOLLOW))
    follows = use.move.sort == FOLLOW and move_problem(use.scene, use.being) is None
    successes = yield from cast(desk, use, versus=foe)
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
    yield from get_along(desk, foe.id, leg, desk.being(foe.id).height)
    if follows:
        desk.let_go(use.being.id)
        step = Leg((foe.at,), met_at(desk.scene, desk.being(use.being.id), foe.at))
        yield from get_along(desk, use.being.id, step)
    _let_go_apart(desk)


def foe_at_hand(use: Use) -> Being:
    """The one foe within reach that a power is aimed at, or why it cannot be."""
    target = only_target(use)
    refuse_if(foe_problem(use.scene, use.being, target, PATH, Action.BATTLE))
    foe = use.scene.being(target)
    assert foe is not None
    return foe


def met_at(scene: Scene, being: Being, square: Square) -> tuple[Area, ...]:
    """What does harm to somebody who gets to a square, but for what they are in already."""
    spared = {area.id for area in areas_at(scene, being.at)}
    if scene.turn.whose == being.id:
        spared |= {*scene.turn.suffered}
    return harms(scene, being, square, spared=spared)


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
        if effect.kind == EffectKind.PINNED:
            holder, held = desk.scene.being(effect.source), desk.scene.being(effect.bearer)
            if holder is None or held is None or distance(holder.at, held.at) > TOUCH:
                desk.lift(effect)


@handles("pin")
def pin(desk: Desk, use: Use) -> Steps:
    """Pin: with empty hands; an armed foe strikes first; then Muscle and Stunt against the same, more wins.

    After the foe's free blow its holder is asked whether they go on (ruling P22 for ties).
    """
    if not hands_empty(use.scene, use.being):
        raise use.refused(
            "hands_not_empty", f"{use.being.name} needs both hands free to grab somebody.", ("actor",)
        )
    foe = foe_at_hand(use)
    if use.scene.has(foe.id, EffectKind.PINNED):
        raise use.refused("already_pinned", f"Somebody holds {foe.name} already.", PATH, foe.id)
    lunge = _lunge(desk, use, foe)
    if not desk.allows(lambda trial: land_blows(trial, lunge)) or not _may_lunge(use.scene, foe):
        yield from _grab(desk, use, foe)
        return
    yield from land_blows(desk, lunge)
    if not desk.able(use.being.id):
        failed(desk, use, (foe.id,))
        return
    now = _after_the_lunge(desk, use)
    if not desk.allows(lambda trial: _grab(trial, now, foe_at_hand(now))):
        desk.say("given_up", "It comes to nothing.", by=use.being.id)
        return
    (answer,) = yield from desk.ask(
        yes_or_no(desk.scene, GRAB, now.being, "Go on and grab?", rule=use.power.source, about=(foe.id,))
    )
    if not answer.yes:
        desk.say("given_up", "Nothing more is done.", by=use.being.id)
        return
    yield from _grab(desk, now, foe_at_hand(now))


def hands_empty(scene: Scene, being: Being) -> bool:
    """Whether somebody holds nothing: no weapon, no shield, and nobody else."""
    holds = any(effect.kind == EffectKind.PINNED and effect.source == being.id for effect in scene.effects)
    return not (holds or being.shield or any(arm.held and arm.hands > 0 for arm in being.arms))


def armed(being: Being) -> bool:
    """Whether somebody holds a weapon; claws and teeth are none."""
    return any(arm.held for arm in being.arms)


def _may_lunge(scene: Scene, foe: Being) -> bool:
    """Whether a foe has a free blow at whoever grabs it: armed, and able to strike."""
    return armed(foe) and idle_problem(scene, foe) is None


def _lunge(desk: Desk, use: Use, foe: Being) -> Assault:
    """The free blow of an armed foe."""

    def opening() -> int:
        desk.spend_action()
        show_oneself(desk, use.being.id)
        return 0

    return Assault(
        being=foe,
        attack=BATTLE,
        blows=(Blow(use.being.id, roll="lunge", path=("actor",)),),
        arm=best_arm(foe, Action.BATTLE),
        what="a free blow",
        power=use.power.id,
        free=True,
        opening=opening,
    )


def _after_the_lunge(desk: Desk, use: Use) -> Use:
    """The use as it goes on: a Feat of Strength takes no more Luck than the blow has left."""
    being = desk.being(use.being.id)
    feat = use.move.feat if being.luck is None else min(use.move.feat, being.luck)
    return replace(use, scene=desk.scene, being=being, move=replace(use.move, feat=feat))


def _grab(desk: Desk, use: Use, foe: Being) -> Steps:

    successes = yield from cast(desk, use, versus=foe)
    show_oneself(desk, use.being.id)
    if not successes:
        tell(desk, use, f"{foe.name} slips out of {use.being.name}'s grasp.", 0, targets=(foe.id,))
        return
    desk.let_go(foe.id)
    lasting(desk, use, EffectKind.PINNED, foe.id, 0, Duration(Until.KEPT), words="held tight")
    tell(desk, use, f"{use.being.name} holds {foe.name} tight.", successes, targets=(foe.id,))
