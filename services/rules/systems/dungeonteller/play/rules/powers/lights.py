"""Powers that shine, or let a being see: Starlight, Will o' the Wisp, Stardust, and the own design feysight.

Roles / Elf / Starlight; Roles / Wizard / Will o' the Wisp (ruling P10); Elf Enchanter / Stardust; ruling P14.
"""

from __future__ import annotations

from services.rules.engine.grid import distance
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.play.conditions import foes_of
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.rules.action import finds
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    failed,
    handles,
    lasting,
    magic_of,
    tell,
)
from services.rules.systems.dungeonteller.play.rules.powers.places import chosen_square
from services.rules.systems.dungeonteller.play.rules.turn import SEES_ALL
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Creature,
    Duration,
    Effect,
    EffectKind,
    Until,
)
from services.rules.systems.dungeonteller.powers import Light

WISPS = {"bright": (Light.BRIGHT, 6), "dim": (Light.DIM, 2)}
"""How a wisp shines, as its caster picks, and how far (ruling P10)."""

UNSEEN = (EffectKind.INVISIBLE, EffectKind.CLOAKED)


@handles("starlight")
def glow(desk: Desk, use: Use) -> None:
    """Starlight: a dim glow that goes along with its elf, at will: it takes no action and no roll."""
    being, figures = use.being, use.power.figures
    if any(area.bearer == being.id and area.cause == use.power.id for area in use.scene.areas):
        raise use.refused("glows_already", f"{being.name} glows already.", ("power",))
    tell(desk, use, 0, targets=(being.id,), outcome="glow")
    _shine(desk, use, being, figures.light, figures.light_radius or 0)


@handles("will-o-the-wisp")
def make_wisp(desk: Desk, use: Use) -> Steps:
    """Will o' the Wisp: a ball of light at a square in sight, moved with Steer, until it is sent away."""
    kind = use.move.sort or "bright"
    if kind not in WISPS:
        raise use.refused("kind_unknown", "A wisp is bright or dim.", ("sort",), kind, tuple(WISPS))
    square = chosen_square(use) if use.move.squares else use.being.at
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    luck = use.power.figures.luck or 0
    wisp = Being(
        id=desk.number("wisp"),
        name=f"{use.being.name}'s wisp",
        side=use.being.side,
        ratings=Ratings(),
        at=square,
        creature=Creature.WISP,
        leader=use.being.id,
        luck=luck,
        max_luck=luck,
        sight=use.catalog.settings.sight,
    )
    desk.arrive(wisp)
    tell(desk, use, successes, targets=(wisp.id,), words=kind)
    light, radius = WISPS[kind]
    _shine(desk, use, wisp, light, radius)


@handles("stardust")
def throw_stardust(desk: Desk, use: Use) -> Steps:
    """Stardust: hidden or unseen foes within 10 paces sparkle and have Sneak 1 for the scene."""
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    found = tuple(foe for foe in foes_of(desk.scene, use.being) if _hides(desk, use, foe))
    for foe in found:
        _sparkle(desk, use, foe)
    tell(desk, use, successes, targets=tuple(foe.id for foe in found))


@handles("feysight")
def see_as_fey(desk: Desk, use: Use) -> Steps:
    """Feysight (ruling P14): for the scene, see in any darkness and see whatever hides in one's sight."""
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    being = use.being
    desk.lift_all(being.id, EffectKind.DARKSIGHT)
    lasting(desk, use, Effect(id="", kind=EffectKind.DARKSIGHT, bearer=being.id, amount=0))
    tell(desk, use, successes, targets=(being.id,))
    finds(desk, being.id, SEES_ALL)


def _hides(desk: Desk, use: Use, foe: Being) -> bool:
    near = distance(use.being.at, foe.at) <= (use.power.figures.radius or 0)
    return near and (foe.hidden is not None or desk.scene.has(foe.id, *UNSEEN))


def _sparkle(desk: Desk, use: Use, foe: Being) -> None:
    """Sparkles stick to a being: they are in plain view; what armour being unseen gives them stays."""
    desk.show(foe.id)
    desk.lift_all(foe.id, EffectKind.SPARKLING)
    lasting(
        desk,
        use,
        Effect(id="", kind=EffectKind.SPARKLING, bearer=foe.id, amount=use.power.figures.sneak or 0),
    )
    desk.say("sparkles", by=use.being.id, targets=(foe.id,))


def _shine(desk: Desk, use: Use, bearer: Being, light: Light | None, radius: int) -> None:
    desk.lay(
        Area(
            id=desk.number("light"),
            kind=AreaKind.LIGHT,
            squares=(bearer.at,),
            source=use.being.id,
            cause=use.power.id,
            light=light,
            radius=radius,
            bearer=bearer.id,
            lasts=Duration(Until.KEPT),
            strength=magic_of(use),
        )
    )
