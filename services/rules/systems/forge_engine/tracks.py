"""Health and energy outside scenes, and the rests that restore them (Damage; Energy; Resting)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from services.rules.engine.frozen import replace
from services.rules.engine.play import Faces, Roll
from services.rules.engine.simulation.rests import DayRest
from services.rules.engine.steps import refuse
from services.rules.engine.tracks import (
    CharacterRest,
    ChosenAction,
    Moved,
    TrackKind,
    Tracks,
    TrackState,
    check_actions,
)
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.characters.hero import with_condition
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.play.moves import RestKind
from services.rules.systems.forge_engine.play.rests import RESTS
from services.rules.systems.forge_engine.play.rules.treatment import RESTING, rested
from services.rules.systems.forge_engine.play.setup import as_combatant
from services.rules.systems.forge_engine.play.state import Life
from services.rules.systems.forge_engine.sheet import CharacterSheet

ENERGY = TrackKind(
    key="energy",
    label="Energy",
    unit="energy",
    at_least="All of it is expended: the character is unconscious.",
    at_most="None of it is expended.",
    source="Energy",
)
HEALTH = TrackKind(
    key="health",
    label="Health",
    unit="health",
    at_least="Dead. Below 0 the character is dying, at 0 unconscious.",
    at_most="Unhurt.",
    source="Death and Dying [R-57]",
)


def _states(sheet: CharacterSheet) -> tuple[TrackState, ...]:
    energy, health = sheet.energy.value, sheet.health.value
    return (
        TrackState(ENERGY.key, energy - sheet.expended, 0, energy, energy),
        TrackState(HEALTH.key, sheet.health_now, -health, health, health),
    )


def _put(choices: CharacterChoices, sheet: CharacterSheet, moved: Moved) -> CharacterChoices:
    if moved.kind is ENERGY:
        return replace(choices, expended=sheet.energy.value - moved.after)
    return replace(choices, health=_kept(moved.after, sheet))


def _kept(health: int, sheet: CharacterSheet) -> int | None:
    """Health as it is kept: None for all of it."""
    return None if health == sheet.health.value else health


def _sheet(sheet: CharacterSheet, choices: CharacterChoices, _catalog: Catalog) -> CharacterSheet:
    return with_condition(sheet, choices)


def _rest(kind: RestKind) -> Callable[..., Generator[tuple[Roll, ...], Faces, CharacterChoices]]:
    def take(
        choices: CharacterChoices, sheet: CharacterSheet, chosen: Sequence[ChosenAction], catalog: Catalog
    ) -> Generator[tuple[Roll, ...], Faces, CharacterChoices]:
        """Health and expended energy as after the rest of a scene."""
        check_actions(chosen, (), 0, RESTING)
        one = as_combatant("character", sheet, catalog)
        if one.life in (Life.DEAD, Life.DYING):
            text = f"The {one.life.value} do not rest: they must be helped first."
            refuse("cannot_rest", text, RESTING, (), one.life.value)
        yield from ()
        health, energy = rested(one, kind)
        after = _kept(min(one.health + health, sheet.health.value), sheet)
        return replace(choices, health=after, expended=max(0, sheet.expended - energy))

    return take


def _character_rest(day: DayRest) -> CharacterRest[CharacterChoices, CharacterSheet, Catalog]:
    return CharacterRest(rest=day, take=_rest(RestKind(day.key)))


TRACKS: Tracks[CharacterChoices, CharacterSheet, Catalog] = Tracks(
    kinds=(ENERGY, HEALTH),
    states=_states,
    put=_put,
    sheet=_sheet,
    rests=tuple(_character_rest(each) for each in RESTS),
)
