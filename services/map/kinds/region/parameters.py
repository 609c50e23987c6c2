"""What a region is made from, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from services.map.kinds.region.vocabulary import (
    RegionClimate,
    RegionRainfall,
    RegionRelief,
    RegionSeason,
    RegionShape,
)
from services.rules.engine.problem import RuleProblem

SIDES = (64, 1024)
FURLONGS = (1, 64)
SETTLEMENTS = (0, 60)
SITES = (0, 40)
LONGEST_TITLE = 48

LAND_PERCENTS = {
    RegionShape.ISLAND: (15, 65),
    RegionShape.COAST: (30, 85),
    RegionShape.INLAND: (100, 100),
    RegionShape.ARCHIPELAGO: (10, 50),
    RegionShape.PENINSULA: (20, 60),
}
"""Least and most share of land of each shape."""

USUAL_LAND = {
    RegionShape.ISLAND: 42,
    RegionShape.COAST: 62,
    RegionShape.INLAND: 100,
    RegionShape.ARCHIPELAGO: 30,
    RegionShape.PENINSULA: 44,
}
"""The share of land that a shape has when none is asked for."""


@dataclass(frozen=True, slots=True)
class RegionParameters:
    """What a region is made from, besides its seed.

    Attributes:
        width: Cells from west to east, 64 to 1024.
        height: Cells from north to south, 64 to 1024.
        furlongs: Side of a cell in furlongs (eighths of a mile), 1 to 64. With 4, half a mile, the usual map
            is 128 miles wide: four days on foot.
        shape: How land and sea share the map.
        land_percent: Share of land with its lakes, in percent: island 15 to 65, coast 30 to 85, inland 100,
            archipelago 10 to 50, peninsula 20 to 60. With 0 it is the shape's usual one.
        climate: How warm the lowlands are.
        rainfall: How much rain the wind brings.
        relief: How high the land rises.
        season: The season the map is meant for; the weather of all four is told whatever it is.
        settlements: How many settlements are looked for, 0 to 60; a small or hostile land may hold fewer.
        sites: How many places of interest are looked for, 0 to 40.
        title: Name of the region, at most 48 characters; empty for a made one.
    """

    width: int = 256
    height: int = 192
    furlongs: int = 4
    shape: RegionShape = RegionShape.COAST
    land_percent: int = 0
    climate: RegionClimate = RegionClimate.TEMPERATE
    rainfall: RegionRainfall = RegionRainfall.MODERATE
    relief: RegionRelief = RegionRelief.MOUNTAINOUS
    season: RegionSeason = RegionSeason.SUMMER
    settlements: int = 16
    sites: int = 10
    title: str = ""


def wanted_land(parameters: RegionParameters) -> int:
    """The share of land these parameters ask for, in percent."""
    return parameters.land_percent or USUAL_LAND[parameters.shape]


def _outside(name: str, found: int, limits: tuple[int, int]) -> list[RuleProblem]:
    low, high = limits
    if isinstance(found, int) and not isinstance(found, bool) and low <= found <= high:
        return []
    message = f"{name} is a whole number from {low} to {high}."
    return [RuleProblem("region_parameter_out_of_range", message, "parameters", (name,), found, limits)]


def _unknown(name: str, found: object, known: type[StrEnum]) -> list[RuleProblem]:
    if isinstance(found, known):
        return []
    allowed = tuple(member.value for member in known)
    message = f"{name} is one of {', '.join(allowed)}."
    return [RuleProblem("region_parameter_unknown", message, "parameters", (name,), str(found), allowed)]


def _title_problems(title: str) -> list[RuleProblem]:
    problems: list[RuleProblem] = []
    path = ("title",)
    if len(title) > LONGEST_TITLE or (title and not title.strip()):
        message = f"A title has 1 to {LONGEST_TITLE} characters; empty means a made one."
        problems.append(
            RuleProblem("region_title_length", message, "parameters", path, len(title), (0, LONGEST_TITLE))
        )
    if not title.isprintable():
        message = "A title is one line of printable characters."
        problems.append(
            RuleProblem("region_title_characters", message, "parameters", path, ascii(title[:LONGEST_TITLE]))
        )
    return problems


def check(parameters: RegionParameters) -> tuple[RuleProblem, ...]:
    """Everything that is wrong with some parameters, with paths; nothing when they are fine."""
    problems: list[RuleProblem] = []
    problems += _outside("width", parameters.width, SIDES)
    problems += _outside("height", parameters.height, SIDES)
    problems += _outside("furlongs", parameters.furlongs, FURLONGS)
    problems += _unknown("shape", parameters.shape, RegionShape)
    if parameters.land_percent != 0 and isinstance(parameters.shape, RegionShape):
        problems += _outside("land_percent", parameters.land_percent, LAND_PERCENTS[parameters.shape])
    problems += _unknown("climate", parameters.climate, RegionClimate)
    problems += _unknown("rainfall", parameters.rainfall, RegionRainfall)
    problems += _unknown("relief", parameters.relief, RegionRelief)
    problems += _unknown("season", parameters.season, RegionSeason)
    problems += _outside("settlements", parameters.settlements, SETTLEMENTS)
    problems += _outside("sites", parameters.sites, SITES)
    problems += _title_problems(parameters.title)
    return tuple(problems)
