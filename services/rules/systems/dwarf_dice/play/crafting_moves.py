"""What comes of the moves of a Crafting: from the Hoard to Upgrade! (Crafting)."""

from __future__ import annotations

from services.rules.systems.dwarf_dice.catalog import PowerEffect
from services.rules.systems.dwarf_dice.play.asking import may_use, upgrader
from services.rules.systems.dwarf_dice.play.desk import Desk
from services.rules.systems.dwarf_dice.play.events import Forged, Hoarded
from services.rules.systems.dwarf_dice.play.state import Stage
from services.rules.systems.dwarf_dice.resources import Resource

WINDOWS = (Stage.PACT, Stage.MARK, Stage.NULLS, Stage.FORGE)
"""What follows on a Hoard, in order; each is passed over where there is nothing to ask."""


def hoard(desk: Desk, rolled: tuple[Resource, ...]) -> None:
    """The Hoard is rolled (Hoarding)."""
    desk.do(Hoarded(fighter=desk.state.turn, rolled=rolled))
    craft_on(desk, WINDOWS)


def craft_on(desk: Desk, windows: tuple[Stage, ...]) -> None:
    """Opens the first of these windows in which there is something to ask."""
    desk.wait(next(stage for stage in windows if _opens(desk, stage)))


def after(stage: Stage) -> tuple[Stage, ...]:
    """The windows after one."""
    return WINDOWS[WINDOWS.index(stage) + 1 :]


def _opens(desk: Desk, stage: Stage) -> bool:
    crafting, catalog = desk.state.at_work(), desk.catalog
    crafter, nulls = desk.state.fighter(crafting.crafter), crafting.hoard.nulls
    match stage:
        case Stage.PACT:
            return nulls > 0 and may_use(crafter, PowerEffect.DARK_PACT, catalog)
        case Stage.MARK:
            return nulls > 0 and catalog.has(crafter.champion, PowerEffect.MARK_OF_QUALITY)
        case Stage.NULLS:
            return nulls > 0
        case _:
            return True


def forge(desk: Desk, items: tuple[str, ...]) -> None:
    """The cards go to the hand, the dice leave the Forge; an opponent may answer with Upgrade!."""
    desk.do(Forged(fighter=desk.state.turn, items=desk.catalog.in_order(items)))
    upgrade_on(desk)


def upgrade_on(desk: Desk) -> None:
    """Asks the next opponent for Upgrade!, or ends the turn."""
    if upgrader(desk.state, desk.catalog) is None:
        desk.next_turn()
    else:
        desk.wait(Stage.UPGRADE)
