"""Luck outside scenes, and the rest that brings it back (Basics / Luck)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from services.rules.engine.play import Faces, Roll
from services.rules.engine.tracks import (
    CharacterRest,
    ChosenAction,
    Moved,
    TrackKind,
    Tracks,
    TrackState,
    check_actions,
)
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.choices import HeroChoices
from services.rules.systems.dungeonteller.hero import luck_tracks
from services.rules.systems.dungeonteller.play.rests import REST
from services.rules.systems.dungeonteller.sheet import HeroSheet

LUCK = TrackKind(
    key="luck",
    label="Luck",
    unit="Luck",
    at_least="The next loss of Luck in a scene knocks the hero out.",
    at_most="As lucky as the hero can be.",
    source="Basics / Luck",
)


def _states(sheet: HeroSheet) -> tuple[TrackState, ...]:
    (luck,) = sheet.tracks
    return (TrackState(luck.id, luck.current, 0, luck.maximum, luck.maximum),)


def _put(choices: HeroChoices, sheet: HeroSheet, moved: Moved) -> HeroChoices:
    return replace(choices, luck=None if moved.after == sheet.luck.value else moved.after)


def _sheet(sheet: HeroSheet, choices: HeroChoices, _catalog: Catalog) -> HeroSheet:
    return replace(sheet, tracks=luck_tracks(choices.luck, sheet.luck.value))


def _rest(
    choices: HeroChoices, _sheet: HeroSheet, chosen: Sequence[ChosenAction], _catalog: Catalog
) -> Generator[tuple[Roll, ...], Faces, HeroChoices]:
    """All Luck is back."""
    check_actions(chosen, (), 0, REST.source)
    yield from ()
    return replace(choices, luck=None)


TRACKS: Tracks[HeroChoices, HeroSheet, Catalog] = Tracks(
    kinds=(LUCK,),
    states=_states,
    put=_put,
    sheet=_sheet,
    rests=(CharacterRest(rest=REST, take=_rest),),
)
