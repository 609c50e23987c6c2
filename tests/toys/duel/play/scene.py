"""The scenes of Duel, put together from the files beside this one, and what they change about characters."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from services.rules.engine.codec import Json
from services.rules.engine.plain import PlainPlay, assembled
from services.rules.engine.play import Change
from services.rules.engine.simulation.rests import DayRest

from ..choices import DuelChoices
from . import bots, evolve, legal, rules, setup, tell, view
from .facts import DuelEvent
from .moves import DuelMove
from .setup import DuelSetup
from .state import HEROES, DuelState

BREATHER = DayRest(key="breather", name="Breather", text="All Nerve comes back.", source="Nerve", most=1)


class DuelPlay(PlainPlay[DuelSetup, DuelState, DuelMove, DuelEvent]):
    """The scenes of Duel."""

    def changes(self, state: DuelState) -> tuple[Change, ...]:
        """A scar for each Nerve a hero lost."""
        lost = {one.id: one.most - one.nerve for one in state.duellists if one.side == HEROES}
        return tuple(
            Change(character=who, data={"scars": n}, text=f"New scars: {n}.") for who, n in lost.items() if n
        )

    def absorb(self, choices: DuelChoices, data: Mapping[str, Json]) -> DuelChoices:
        """Adds the scars."""
        return replace(choices, scars=choices.scars + cast(int, data["scars"]))

    @property
    def rests(self) -> tuple[DayRest, ...]:
        """A breather, once a day."""
        return (BREATHER,)

    def opening_after(self, opening: DuelState, before: DuelState, rest: str | None) -> DuelState:
        """Heroes with no more Nerve than they have left; with all of it after a breather."""
        left = {one.id: one.nerve for one in before.duellists if one.side == HEROES and rest is None}
        duellists = tuple(
            replace(one, nerve=left[one.id], most=left[one.id]) if one.id in left else one
            for one in opening.duellists
        )
        return replace(opening, duellists=duellists)


PLAY = assembled(DuelPlay, "duel", bots, evolve, legal, rules, setup, tell, view)
