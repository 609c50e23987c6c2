"""How a game ends, and what it changes about the champions who played it: their chronicle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from services.rules.engine.codec import Json
from services.rules.engine.frozen import replace
from services.rules.engine.play import ONGOING, Change, Outcome
from services.rules.systems.dwarf_dice.choices import ChampionChoices
from services.rules.systems.dwarf_dice.play.state import Table

CALLED_OFF = "The game master called the game off."


def outcome(state: Table) -> Outcome:
    """Whether a game is over, and how (Damage and Defeat)."""
    ending = state.ending
    if ending is None:
        return ONGOING
    if not ending.winner:
        return Outcome(ended=True, text=CALLED_OFF)
    return Outcome(ended=True, winners=(ending.winner,), text=victory(state, ending.winner))


def victory(state: Table, winner: str) -> str:
    """How the winner won: standing last, or falling together with the last whom they called out."""
    found = state.fighter(winner)
    how = "fell last, having begun the last combat" if found.out else "is the last champion standing"
    return f"{found.name} {how}."


def changes(state: Table) -> tuple[Change, ...]:
    """A line for each character; none of a game that was called off."""
    if state.ending is None or not state.ending.winner:
        return ()
    found = []
    for one in state.fighters:
        if one.character:
            won = one.id == state.ending.winner
            text = f"{one.name} {'won' if won else 'lost'}, and felled {one.felled}."
            found.append(Change(character=one.id, data={"won": won, "felled": one.felled}, text=text))
    return tuple(found)


def absorb(choices: ChampionChoices, data: Mapping[str, Json]) -> ChampionChoices:
    """A champion's choices with a game written into the chronicle."""
    won, felled = bool(data["won"]), cast(int, data["felled"])
    before = choices.chronicle
    after = replace(before, won=before.won + won, lost=before.lost + (not won), felled=before.felled + felled)
    return replace(choices, chronicle=after)
