"""A power of bare strength against a foe: Knockback pushes it away (Warrior)."""

from __future__ import annotations

from services.rules.engine.grid import Square, distance, is_way
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import (
    areas_at,
    move_problem,
    solid_grid,
)
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.knowledge import in_the_way
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.battle import show_oneself
from services.rules.systems.dungeonteller.play.rules.harm import BRIAR_LOSS, harms
from services.rules.systems.dungeonteller.play.rules.moving import Leg, get_along
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    handles,
    only_target,
    tell,
)
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    EffectKind,
    Scene,
)
from services.rules.systems.dungeonteller.play.targeting import TOUCH, foe_problem

PATH = ("targets", 0)
FOLLOW = "follow"


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
    leg = _as_far_as(desk, desk.being(foe.id), use.being, successes)
    paces = len(leg.way)
    if not paces:
        tell(desk, use, 0, targets=(foe.id,))
        return
    tell(desk, use, successes, targets=(foe.id,), number=paces)
    for thorns in desk.scene.effects_on(foe.id, EffectKind.CAUGHT):
        desk.lift(thorns)
        desk.lose(foe.id, BRIAR_LOSS, AreaKind.BRIAR)
    yield from get_along(desk, foe.id, leg, desk.being(foe.id).height)
    if follows:
        desk.let_go(use.being.id)
        step = Leg((foe.at,), met_at(desk.scene, desk.catalog, desk.being(use.being.id), foe.at))
        yield from get_along(desk, use.being.id, step)
    _let_go_apart(desk)


def foe_at_hand(use: Use) -> Being:
    """The one foe within reach that a power is aimed at, or why it cannot be."""
    target = only_target(use)
    refuse_if(foe_problem(use.scene, use.being, target, PATH, Action.BATTLE))
    foe = use.scene.being(target)
    assert foe is not None
    return foe


def met_at(scene: Scene, catalog: Catalog, being: Being, square: Square) -> tuple[Area, ...]:
    """What does harm to a being who gets to a square, but for what they are in already."""
    spared = {area.id for area in areas_at(scene, being.at)}
    if scene.turn.whose == being.id:
        spared |= {*scene.turn.suffered}
    return harms(scene, catalog, being, square, spared=spared)


def _as_far_as(desk: Desk, foe: Being, pusher: Being, paces: int) -> Leg:
    """The way of a push: until something solid, a being that is in its user's way, or a trap rune (P36)."""
    scene = desk.scene
    if scene.has(foe.id, EffectKind.TRAPPED):
        return Leg(())
    grid = solid_grid(scene)
    taken = in_the_way(scene, desk.catalog, pusher)
    dx, dy = _sign(foe.at.x - pusher.at.x), _sign(foe.at.y - pusher.at.y)
    here, way = foe.at, list[Square]()
    met: dict[str, Area] = {}
    for _ in range(paces):
        to = Square(here.x + dx, here.y + dy)
        if not is_way(grid, here, (to,), taken):
            break
        here = to
        way.append(to)
        met |= {area.id: area for area in met_at(scene, desk.catalog, foe, to)}
        if any(area.kind == AreaKind.TRAP_RUNE for area in met.values()):
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
