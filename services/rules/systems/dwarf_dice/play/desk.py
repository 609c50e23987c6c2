"""Where a move is worked out: the game as it changes, and the facts that come of it.

Whatever a rule does to the game it does here, as an event, so that the events alone tell the whole story.
"""

from __future__ import annotations

from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play.events import Event, Hurt, TurnBegan, Waiting, Wound
from services.rules.systems.dwarf_dice.play.evolve import evolve
from services.rules.systems.dwarf_dice.play.state import Stage, Table
from services.rules.systems.dwarf_dice.seating import next_seat


class Desk:
    """A move being worked out.

    Args:
        state: Where it is made.
        catalog: The content.
    """

    def __init__(self, state: Table, catalog: Catalog) -> None:
        self.state = state
        self.catalog = catalog
        self.events: list[Event] = []

    def do(self, event: Event) -> None:
        """Let something happen."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def wait(self, stage: Stage) -> None:
        """Wait for somebody's answer."""
        self.do(Waiting(stage=stage))

    def hurt(self, who: str, damage: int, wound: Wound) -> None:
        """Take Endurance from somebody; nobody falls before the combat has ended (Damage and Defeat)."""
        if damage:
            left = self.state.fighter(who).endurance - damage
            self.do(Hurt(fighter=who, damage=damage, endurance=left, wound=wound))

    def next_turn(self) -> None:
        """The turn passes clockwise to the next who still stands (P3)."""
        seats, before = self.state.seats(), self.state.turn
        after = next_seat(seats, before, self.state.out())
        wrapped = seats.index(after) <= seats.index(before)
        self.do(TurnBegan(fighter=after, round=self.state.round + wrapped))
