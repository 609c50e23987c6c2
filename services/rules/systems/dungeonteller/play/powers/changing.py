"""Powers that change their user for some turns: stone, iron, mist, floating, cloaks, invisibility."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.state import EffectKind
from services.rules.systems.dungeonteller.play.use import Use, cast, failed, handles, lasting, tell

WORDS = {
    EffectKind.STATUE: "becomes a statue",
    EffectKind.MIST: "becomes a cloud of mist",
    EffectKind.FLOATING: "floats above the ground",
    EffectKind.CLOAKED: "is hard to see",
    EffectKind.INVISIBLE: "cannot be seen",
}


@handles("stoneform", "ironform")
def stand_as_statue(use: Use) -> Plan | Problems:
    """Stoneform and Ironform: one turn for each success, with Armor, and nothing can be done."""
    return _for_turns(use, EffectKind.STATUE, lambda _: use.power.figures.armor or 0)


@handles("mistform")
def become_mist(use: Use) -> Plan | Problems:
    """Mistform: one turn for each success; nobody can attack the mist, and it does not act."""
    return _for_turns(use, EffectKind.MIST, lambda _: 0)


@handles("float")
def float_up(use: Use) -> Plan | Problems:
    """Float: one turn for each success, a pace above the ground."""
    return _for_turns(use, EffectKind.FLOATING, lambda _: 0)


@handles("cloak")
def cloak(use: Use) -> Plan | Problems:
    """Cloak: one turn and one Sneak die for each success, until its elf moves, speaks or acts."""
    return _for_turns(use, EffectKind.CLOAKED, lambda successes: successes)


@handles("invisibility")
def vanish_from_sight(use: Use) -> Plan | Problems:
    """Invisibility: one turn for each success; it gives Sneak, and Armor against those who only hear."""
    return _for_turns(use, EffectKind.INVISIBLE, lambda _: use.power.figures.sneak or 0)


def _for_turns(use: Use, kind: EffectKind, amount: Callable[[int], int]) -> Plan | Problems:
    def after(desk: Desk, successes: int) -> None:
        if not successes:
            failed(desk, use)
            return
        being = use.being
        desk.lift_all(being.id, kind)
        lasting(desk, use, kind, being.id, amount(successes), desk.for_turns(being.id, successes))
        turns = "1 turn" if successes == 1 else f"{successes} turns"
        tell(desk, use, f"{being.name} {WORDS[kind]} for {turns}.", successes, targets=(being.id,))

    return cast(use, after)
