"""The scenes of Duel, put together from the files beside this one, and what they change about characters."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from services.rules.engine.codec import Json
from services.rules.engine.plain import PlainPlay, assembled
from services.rules.engine.play import Change

from ..choices import DuelChoices
from . import bots, evolve, legal, moves, rules, setup, tell, view
from .facts import DuelEvent
from .moves import DuelMove
from .setup import DuelSetup
from .state import HEROES, DuelState


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


PLAY = assembled(DuelPlay, "duel", bots, evolve, legal, moves, rules, setup, tell, view)
