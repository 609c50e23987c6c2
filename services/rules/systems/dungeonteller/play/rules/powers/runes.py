"""Powers that draw something where it stays: the dwarf's runes, the paladin's circles.

Hearth, Sentinel and Trap Rune (Roles / Dwarf; More Dwarf Powers; ruling P7); Guard and Healing Circle (More
Paladin Powers). One circle of any kind, one sentinel and one trap for each maker (ruling P33). What the
unseen runes are for is known to their maker and the game master alone.
"""

from __future__ import annotations

from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.power import Use, cast, failed, handles, magic_of, tell
from services.rules.systems.dungeonteller.play.rules.powers.places import (
    limit_problem,
    open_block,
    slug,
    touched_square,
)
from services.rules.systems.dungeonteller.play.state import Area, AreaKind, Duration, Until

UNSEEN = {"sentinel-rune": AreaKind.SENTINEL_RUNE, "trap-rune": AreaKind.TRAP_RUNE}
CIRCLES = {"guard-circle": AreaKind.GUARD_CIRCLE, "healing-circle": AreaKind.HEALING_CIRCLE}


@handles("hearth-rune")
def draw_hearth_rune(desk: Desk, use: Use) -> Steps:
    """Hearth Rune: warmth within 6 paces and bright light within 10, until its maker ends it."""
    square = touched_square(use)
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    tell(desk, use, successes)
    figures = use.power.figures
    desk.lay(
        Area(
            id=desk.number("rune"),
            kind=AreaKind.HEARTH_RUNE,
            squares=(square,),
            source=use.being.id,
            cause=use.power.id,
            light=figures.light,
            radius=figures.light_radius or 0,
            lasts=Duration(Until.KEPT),
            strength=magic_of(use),
        )
    )


@handles(*UNSEEN)
def draw_unseen_rune(desk: Desk, use: Use) -> Steps:
    """Sentinel and Trap Rune: unseen, one of each; a trap is as strong as its maker had successes."""
    square = touched_square(use)
    refuse_if(limit_problem(use))
    maker = Audience(everyone=False, actors=(use.being.id,))
    successes = yield from cast(desk, use, own_for=maker)
    desk.say("rune.drawn", by=use.being.id)
    if not successes:
        tell(desk, use, 0, audience=maker)
        return
    tell(desk, use, successes, audience=maker)
    desk.lay(
        Area(
            id=desk.number("rune", secret=True),
            kind=UNSEEN[slug(use)],
            squares=(square,),
            source=use.being.id,
            cause=use.power.id,
            amount=successes,
            radius=use.power.figures.trigger_radius or 0,
            lasts=Duration(Until.KEPT),
            strength=magic_of(use),
            audience=maker,
        )
    )


@handles(*CIRCLES)
def draw_circle(desk: Desk, use: Use) -> Steps:
    """Guard and Healing Circle: two paces across, its maker in it; it serves their side for the scene."""
    refuse_if(limit_problem(use))
    squares = _circle(use)
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    tell(desk, use, successes)
    desk.lay(
        Area(
            id=desk.number("circle"),
            kind=CIRCLES[slug(use)],
            squares=squares,
            source=use.being.id,
            cause=use.power.id,
            strength=magic_of(use),
            audience=EVERYONE,
        )
    )


def _circle(use: Use) -> tuple[Square, ...]:
    """The squares of a circle: those of the corner chosen, or those that hold most room and most friends."""
    at, across = use.being.at, use.power.figures.across or 1
    corners = tuple(
        Square(at.x - x, at.y - y) for y in reversed(range(across)) for x in reversed(range(across))
    )
    if use.move.squares:
        chosen = use.move.squares[0]
        if chosen not in corners:
            allowed = tuple((corner.x, corner.y) for corner in corners)
            text = f"{use.being.name} has to be inside the circle."
            raise use.refused("circle_without_maker", text, ("squares", 0), (chosen.x, chosen.y), allowed)
        return open_block(use, chosen)
    return max((open_block(use, corner) for corner in corners), key=lambda block: _worth(use, block))


def _worth(use: Use, squares: tuple[Square, ...]) -> tuple[int, int]:
    friends = sum(
        being.at in squares and being.side is use.being.side and not being.out for being in use.scene.beings
    )
    return len(squares), friends
