"""Who may know what: secret choices, and hands where the table closes them (Choosing Equipment; P16)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.play import Viewer
from services.rules.systems.dwarf_dice.play.events import Chosen, Event
from services.rules.systems.dwarf_dice.play.state import Combat, Fighter, Table


def view(state: Table, viewer: Viewer) -> Table:
    """The game as a viewer may know it."""
    if viewer.gm:
        return state
    combat = state.combat
    if combat is not None and not combat.revealed:
        state = replace(state, combat=_covered(combat, viewer))
    if state.rules.open_hands:
        return state
    fighters = tuple(one if one.id in viewer.actors else _closed(one) for one in state.fighters)
    return replace(state, fighters=fighters)


def _covered(combat: Combat, viewer: Viewer) -> Combat:
    """A combat before the reveal: that somebody has chosen is seen, what they chose is not."""
    return replace(
        combat,
        attack=combat.attack if combat.attacker in viewer.actors else (),
        defence=combat.defence if combat.defender in viewer.actors else (),
    )


def _closed(fighter: Fighter) -> Fighter:
    return replace(fighter, hand=(), face_down=len(fighter.hand) + fighter.face_down)


def sees(event: Event, viewer: Viewer) -> Event | None:
    """An event as a viewer may know it: a choice without its cards, unless it is one's own."""
    if not viewer.may_know(event.audience):
        return None
    if isinstance(event, Chosen) and not viewer.gm and event.fighter not in viewer.actors:
        return replace(event, cards=(), hidden=True)
    return event
