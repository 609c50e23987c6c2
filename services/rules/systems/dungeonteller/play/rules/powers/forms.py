"""Powers that change their user for some turns: stone, iron, mist, floating, cloaks, invisibility."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.rules.power import Use, cast, failed, handles, lasting, tell
from services.rules.systems.dungeonteller.play.state import Effect, EffectKind


@handles("stoneform", "ironform")
def stand_as_statue(desk: Desk, use: Use) -> Steps:
    """Stoneform and Ironform: one turn for each success, with Armor, and nothing can be done."""
    yield from _for_turns(desk, use, EffectKind.STATUE, lambda _: use.power.figures.armor or 0)


@handles("mistform")
def become_mist(desk: Desk, use: Use) -> Steps:
    """Mistform: one turn for each success; nobody can attack the mist, and it does not act."""
    yield from _for_turns(desk, use, EffectKind.MIST, lambda _: 0)


@handles("float")
def float_up(desk: Desk, use: Use) -> Steps:
    """Float: one turn for each success, a pace above the ground."""
    yield from _for_turns(desk, use, EffectKind.FLOATING, lambda _: 0)


@handles("cloak")
def cloak(desk: Desk, use: Use) -> Steps:
    """Cloak: one turn and one Sneak die for each success, until its elf moves, speaks or acts."""
    yield from _for_turns(desk, use, EffectKind.CLOAKED, lambda successes: successes)


@handles("invisibility")
def vanish_from_sight(desk: Desk, use: Use) -> Steps:
    """Invisibility: one turn for each success; with Sneak, and Armor against those who only hear."""
    yield from _for_turns(desk, use, EffectKind.INVISIBLE, lambda _: use.power.figures.sneak or 0)


def _for_turns(desk: Desk, use: Use, kind: str, amount: Callable[[int], int]) -> Steps:

    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    being = use.being
    desk.lift_all(being.id, kind)
    lasting(
        desk,
        use,
        Effect(
            id="",
            kind=kind,
            bearer=being.id,
            amount=amount(successes),
            lasts=desk.for_turns(being.id, successes),
        ),
    )
    tell(desk, use, successes, targets=(being.id,))
