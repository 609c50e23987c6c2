"""What a game changes about the champions who played it: their chronicle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from services.rules.engine.codec import Json
from services.rules.engine.play import Change
from services.rules.systems.dwarf_dice.champion import ChampionChoices
from services.rules.systems.dwarf_dice.play.state import Table


def changes(state: Table) -> tuple[Change, ...]:
    """A line for each character; none of a game that was called off."""
    if state.ending is None or state.ending.called_off:
        return ()
    found = []
    for one in state.fighters:
        if one.character:
            won = one.id in state.ending.winners
            text = f"{one.name} {'won' if won else 'lost'}, and felled {one.felled}."
            found.append(Change(character=one.id, data={"won": won, "felled": one.felled}, text=text))
    return tuple(found)


def absorb(choices: ChampionChoices, data: Mapping[str, Json]) -> ChampionChoices:
    """A champion's choices with a game written into the chronicle."""
    won, felled = bool(data["won"]), cast(int, data["felled"])
    before = choices.chronicle
    after = replace(before, won=before.won + won, lost=before.lost + (not won), felled=before.felled + felled)
    return replace(choices, chronicle=after)
