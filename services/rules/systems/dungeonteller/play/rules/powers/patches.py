"""Powers that lay something on the ground: ice, fire, thorns, cold mist, bad air.

Ice Sheet (Wizard; ruling P11); Fire Patch, Chilling Mist (ruling P13), Poison Cloud (More Wizard Powers);
Briar Patch (More Elf Powers). One square for each success, most wanted first; whoever stands on one of them
rolls against it at once. Afterwards it strikes whoever enters it, or begins a turn in it (`play.rules.harm`).
"""

from __future__ import annotations

from collections.abc import Collection

from services.rules.engine.grid import Square
from services.rules.engine.play import Roll
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.play.conditions import areas_at
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.facts import AreaEnded, AreaShrunk
from services.rules.systems.dungeonteller.play.rules.harm import save_roll, suffer, touches
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    failed,
    handles,
    magic_of,
    tell,
)
from services.rules.systems.dungeonteller.play.rules.powers.places import (
    slug,
    wished_squares,
)
from services.rules.systems.dungeonteller.play.state import Area, AreaKind, Being, Duration, EffectKind
from services.rules.systems.dungeonteller.powers import Duration as Span

LAID = {
    "ice-sheet": AreaKind.ICE,
    "fire-patch": AreaKind.FIRE,
    "briar-patch": AreaKind.BRIAR,
    "chilling-mist": AreaKind.CHILL,
    "poison-cloud": AreaKind.POISON,
}


@handles(*LAID)
def lay_on_ground(desk: Desk, use: Use) -> Steps:
    """Ice, fire, thorns or clouds: one square for each success, where their caster wishes."""
    kind = LAID[slug(use)]
    wished = wished_squares(use)
    successes = yield from cast(desk, use)
    laid = wished[:successes]
    if not laid:
        failed(desk, use)
        return
    yield from desk.roll(*saves_on(use, kind, laid))
    tell(desk, use, successes, number=len(laid))
    drive_out(desk, kind, laid)
    strike(desk, use, lay(desk, use, kind, laid), laid)


def saves_on(use: Use, kind: str, squares: tuple[Square, ...]) -> tuple[Roll, ...]:
    """Dice of everybody on these squares against what may be laid there, `save:` with being and place."""
    if zone_rules()[kind].saved_by is None:
        return ()
    return tuple(
        save_roll(use.scene, use.catalog, being, kind, f"save:{being.id}:{squares.index(being.at)}")
        for being in struck_on(use, kind, squares)
    )


def struck_on(use: Use, kind: str, squares: tuple[Square, ...]) -> tuple[Being, ...]:
    """Everybody whom something laid on these squares would strike."""
    area = Area(id="", kind=kind, squares=squares, source=use.being.id, cause=use.power.id)
    return tuple(
        being for being in use.scene.beings if touches(use.scene, use.catalog, area, being, being.at)
    )


def strike(desk: Desk, use: Use, areas: Collection[Area], wished: tuple[Square, ...]) -> None:
    """What has been laid strikes whoever it was laid under."""
    for being in use.scene.beings:
        for area in areas:
            now = desk.scene.being(being.id)
            if now is not None and touches(desk.scene, desk.catalog, area, now, now.at):
                suffer(desk, being.id, area, desk.successes(f"save:{being.id}:{wished.index(now.at)}"))


def lay(desk: Desk, use: Use, kind: str, squares: tuple[Square, ...]) -> tuple[Area, ...]:
    """Lay something; where the same lies already, the new takes its place.

    Fire on bare ground burns for a turn of its caster's, and for the scene where the ground feeds it.
    """
    take_away(desk, (kind,), squares)
    if use.power.duration is not Span.ONE_TURN:
        return (_laid(desk, use, kind, squares, Duration()),)
    fed = tuple(square for square in squares if square in desk.scene.field.flammable)
    bare = tuple(square for square in squares if square not in fed)
    found = []
    if bare:
        found.append(_laid(desk, use, kind, bare, desk.for_turns(use.being.id, 1)))
    if fed:
        found.append(_laid(desk, use, kind, fed, Duration()))
    return tuple(found)


def drive_out(desk: Desk, kind: str, squares: Collection[Square]) -> None:
    """Ice puts out fire; fire melts ice and burns thorns: only on the squares where they meet."""
    for other in zone_rules()[kind].drives_out:
        if take_away(desk, (other,), squares):
            desk.say(f"{other}.gone")


def take_away(desk: Desk, kinds: Collection[str], squares: Collection[Square]) -> bool:
    """Take what lies on squares away from there; whoever its thorns held is free.

    Returns:
        Whether there was any.
    """
    found = False
    for area in desk.scene.areas:
        left = tuple(square for square in area.squares if square not in squares)
        if area.kind not in kinds or len(left) == len(area.squares):
            continue
        found = True
        if left:
            desk.do(AreaShrunk(area=area.id, squares=left))
        else:
            desk.do(AreaEnded(area=area.id))
    for effect in desk.scene.effects:
        if effect.kind == EffectKind.CAUGHT:
            held = desk.scene.being(effect.bearer)
            if held is not None and not any(areas_at(desk.scene, held.at, AreaKind.BRIAR)):
                desk.lift(effect)
    return found


def _laid(desk: Desk, use: Use, kind: str, squares: tuple[Square, ...], lasts: Duration) -> Area:
    return desk.lay(
        Area(
            id=desk.number(kind),
            kind=kind,
            squares=squares,
            source=use.being.id,
            cause=use.power.id,
            lasts=lasts,
            strength=magic_of(use),
        )
    )
