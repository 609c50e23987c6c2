"""How fast parties travel: on foot, mounted, by boat or vehicle; over what ground, in what weather (Travel).

`TERRAIN_EFFECTS` are the shares of full speed by terrain, for maps that know the terrain of each leg. Speeds
are miles an hour. What slows is multiplied (R-96).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from importlib.resources import files
from types import MappingProxyType

from services.rules.engine.content import Shelf, load_shelf
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.forge_engine.bounds import MOST, out_of_bounds
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.world import (
    Hull,
    Terrain,
    Transport,
    TransportKind,
    WaterWeather,
    Weather,
)

RULE = "Travel"
ON_FOOT = "On Foot"
TERRAIN = "Terrain Effects"
WEATHER = "Weather Effects"

WALK, RUN = "walk", "run"
FOOT_GAITS = (WALK, RUN)
MINUTES_OF_HOUR = 60
HOURS_OF_DAY = 24


class TravelMode(StrEnum):
    """How one travels on land.

    Attributes:
        FOOT: By one's own feet.
        MOUNTED: On an animal.
        VEHICLE: In a cart, wagon or other vehicle on land.
    """

    FOOT = "foot"
    MOUNTED = "mounted"
    VEHICLE = "vehicle"


def _share(terrain: Terrain, mode: TravelMode) -> Fraction | None:
    percent: int | None = getattr(terrain, mode.value)
    return None if percent is None else Fraction(percent, 100)


# The shelf alone: maps that only ask for this table need not read all other content.
_TERRAINS: Shelf[Terrain] = load_shelf(
    files(__package__) / "content", "terrains.toml", system=SLUG, kind="terrain", entry=Terrain
)

TERRAIN_EFFECTS: Mapping[str, Mapping[TravelMode, Fraction | None]] = MappingProxyType(
    {
        terrain.name.lower(): MappingProxyType({mode: _share(terrain, mode) for mode in TravelMode})
        for terrain in _TERRAINS
    }
)
"""The share of full speed on each terrain by how one travels; None where one cannot go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traveller:
    """A traveller, or what carries them.

    Attributes:
        name: What to call them; may be empty.
        transport: Content id of what carries them; None on foot.
        gait: "walk" or "run" on foot, one of the transport's gaits otherwise; empty for the slowest.
        stamina: Rating; on foot only.
        armor: Rating of worn armour; on foot only.
    """

    name: str = ""
    transport: str | None = None
    gait: str = ""
    stamina: int = 1
    armor: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """What a party travels through.

    Attributes:
        terrain: Content id; None for flat, made ground. Craft on water have no terrain.
        weather: Content ids of weather, or for craft of weather and current on water; empty when fine.
        hours: Hours of travel a day; None for the table's.
    """

    terrain: str | None = None
    weather: tuple[str, ...] = ()
    hours: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceStep:
    """Something that decides how fast one goes.

    Attributes:
        source: "Stamina 3", "Armor 2", "Swamp".
        miles_an_hour: What it adds to the speed; 0 where it is a share.
        percent: What it leaves of the speed.
        rule: The book section or ruling id that says so.
    """

    source: str
    rule: str
    miles_an_hour: float = 0.0
    percent: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a traveller goes.

    Attributes:
        passable: Whether one can go there at all; speeds are 0 where not.
        miles_an_hour: Speed.
        miles_a_day: What is covered in the hours of a day; None at a gait that is not kept up so long.
        minutes: How long the gait is kept up, as far as the book says; None for the whole day or no word.
        steps: What it is made of, in order.
    """

    passable: bool
    miles_an_hour: float
    miles_a_day: float | None
    minutes: int | None
    steps: tuple[PaceStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartyPace:
    """How fast a party goes: as fast as its slowest.

    Attributes:
        slowest: Places of those who hold it up, from 0.
        pace: Theirs; of several the first's.
        each: The pace of every traveller, in order.
    """

    slowest: tuple[int, ...]
    pace: Pace
    each: tuple[Pace, ...]


def walking_steps(stamina: int, armor: int) -> tuple[PaceStep, ...]:
    """What makes the walking speed of a traveller: 1 and Stamina, less armour, at least 1 (On Foot; R-97)."""
    steps = [PaceStep(source="Everybody", rule=ON_FOOT, miles_an_hour=1)]
    steps.append(PaceStep(source=f"Stamina {stamina}", rule=ON_FOOT, miles_an_hour=stamina))
    if armor:
        lost = min(armor, stamina)
        steps.append(PaceStep(source=f"Armor {armor}, never below 1", rule="R-97", miles_an_hour=-lost))
    return tuple(steps)


def running_minutes(catalog: Catalog, stamina: int) -> int:
    """How long a traveller can run (On Foot; R-97)."""
    rows = sorted(catalog.running, key=lambda row: row.stamina)
    return [row for row in rows if row.stamina <= max(stamina, rows[0].stamina)][-1].minutes


def pace(
    catalog: Catalog, settings: TableSettings, traveller: Traveller, going: Going | None = None
) -> Pace | Problems:
    """How fast one traveller goes, or everything that is wrong with the question."""
    found = party_pace(catalog, settings, (traveller,), going)
    return found if isinstance(found, Problems) else found.pace


def party_pace(
    catalog: Catalog, settings: TableSettings, travellers: Sequence[Traveller], going: Going | None = None
) -> PartyPace | Problems:
    """How fast a party goes: no faster than whoever is slowest (Travel).

    A party with a member who cannot go there does not get through.

    Returns:
        Problems for content that is unknown or does not fit, numbers out of bounds, and a party of nobody.
    """
    going = going or Going()
    problems = [*_going_problems(catalog, going), *_party_problems(catalog, travellers, going)]
    if problems:
        return Problems(tuple(problems))
    hours = settings.travel_hours if going.hours is None else going.hours
    each = tuple(_pace(catalog, settings, traveller, going, hours) for traveller in travellers)
    least = min(found.miles_an_hour for found in each)
    slowest = tuple(place for place, found in enumerate(each) if found.miles_an_hour == least)
    return PartyPace(slowest=slowest, pace=each[slowest[0]], each=each)


def _pace(catalog: Catalog, settings: TableSettings, traveller: Traveller, going: Going, hours: int) -> Pace:
    transport = None if traveller.transport is None else catalog.transports[traveller.transport]
    gaits = FOOT_GAITS if transport is None else transport.gaits
    gait = gaits.index(traveller.gait) if traveller.gait else 0
    if transport is None:
        own = _on_foot(traveller, gait)
        minutes = running_minutes(catalog, traveller.stamina) if gait else None
    else:
        speed = (transport.speed, *transport.faster)[gait]
        own = (PaceStep(source=f"{transport.name}, {gaits[gait]}", rule=RULE, miles_an_hour=speed),)
        kept = transport.minutes[gait - 1] if 0 < gait <= len(transport.minutes) else 0
        minutes = kept or None
    shares = _shares(catalog, settings, transport, going)
    if shares is None:
        terrain = catalog.terrains[str(going.terrain)]
        barred = PaceStep(source=terrain.name, rule=TERRAIN, percent=0)
        return Pace(passable=False, miles_an_hour=0, miles_a_day=0, minutes=None, steps=(*own, barred))
    share = Fraction(1)
    for step in shares:
        share *= Fraction(step.percent, 100)
    speed_now = _speed(own) * share
    a_day = None
    if not gait:
        # The book's own estimate for ten hours of a boat or vehicle is not always ten times its speed.
        full = _speed(own) * hours if transport is None else Fraction(transport.day * hours, _BOOK_HOURS)
        a_day = float(full * share)
    return Pace(
        passable=True,
        miles_an_hour=float(speed_now),
        miles_a_day=a_day,
        minutes=minutes,
        steps=(*own, *shares),
    )


_BOOK_HOURS = 10
"""What the book's distances of a day are counted for."""


def _on_foot(traveller: Traveller, gait: int) -> tuple[PaceStep, ...]:
    steps = walking_steps(traveller.stamina, traveller.armor)
    return (*steps, PaceStep(source="Running", rule=ON_FOOT, percent=200)) if gait else steps


def _speed(steps: Sequence[PaceStep]) -> Fraction:
    speed = sum((Fraction(step.miles_an_hour) for step in steps), start=Fraction(0))
    for step in steps:
        speed *= Fraction(step.percent, 100)
    return speed


def _shares(
    catalog: Catalog, settings: TableSettings, transport: Transport | None, going: Going
) -> tuple[PaceStep, ...] | None:
    """What ground and weather leave of the speed; None where one cannot go."""
    steps = []
    if going.terrain is not None:
        terrain = catalog.terrains[going.terrain]
        left: int | None = getattr(terrain, _mode(transport).value)
        if left is None:
            return None
        steps.append(PaceStep(source=terrain.name, rule=TERRAIN, percent=left))
    for weather in going.weather:
        if transport is not None and transport.hull is not None:
            water = catalog.water_weather[weather]
            steps.append(PaceStep(source=water.name, rule=WEATHER, percent=_on_water(water, transport.hull)))
        else:
            land = catalog.weather[weather]
            steps.append(_on_land(land, transport, settings))
    return tuple(steps)


def _mode(transport: Transport | None) -> TravelMode:
    if transport is None:
        return TravelMode.FOOT
    return TravelMode.MOUNTED if transport.kind is TransportKind.MOUNT else TravelMode.VEHICLE


def _on_water(weather: WaterWeather, hull: Hull) -> int:
    percent: int = getattr(weather, hull.value)
    return percent


def _on_land(weather: Weather, transport: Transport | None, settings: TableSettings) -> PaceStep:
    if transport is None:
        # The table has animals and motors only; walkers fare as animals unless a table has it otherwise.
        percent = weather.animal if settings.walkers_as_animals else 100
        return PaceStep(source=weather.name, rule="R-96", percent=percent)
    mounted = transport.kind is TransportKind.MOUNT
    return PaceStep(
        source=weather.name, rule=WEATHER, percent=weather.animal if mounted else weather.motorized
    )


def _going_problems(catalog: Catalog, going: Going) -> Iterator[RuleProblem]:
    if going.terrain is not None and going.terrain not in catalog.terrains:
        yield RuleProblem(
            "unknown_terrain",
            "There is no such terrain.",
            TERRAIN,
            ("terrain",),
            going.terrain[:200],
            catalog.terrains.ids,
        )
    for place, weather in enumerate(going.weather):
        if weather not in catalog.weather and weather not in catalog.water_weather:
            yield RuleProblem(
                "unknown_weather",
                "There is no such weather.",
                WEATHER,
                ("weather", place),
                weather[:200],
                (*catalog.weather.ids, *catalog.water_weather.ids),
            )
        elif weather in going.weather[:place]:
            yield RuleProblem(
                "weather_twice", "This weather is there already.", WEATHER, ("weather", place), weather
            )
    if going.hours is not None:
        yield from out_of_bounds({"hours": (going.hours, 1, HOURS_OF_DAY)}, RULE)


def _party_problems(catalog: Catalog, travellers: Sequence[Traveller], going: Going) -> Iterator[RuleProblem]:
    if not 1 <= len(travellers) <= MOST:
        yield RuleProblem(
            "party_size",
            f"A party has from 1 to {MOST} travellers.",
            RULE,
            ("travellers",),
            len(travellers),
            (1, MOST),
        )
        return
    for place, traveller in enumerate(travellers):
        yield from _traveller_problems(catalog, traveller, going, ("travellers", place))


def _traveller_problems(
    catalog: Catalog, traveller: Traveller, going: Going, path: KeyPath
) -> Iterator[RuleProblem]:
    numbers = {"stamina": (traveller.stamina, 1, MOST), "armor": (traveller.armor, 0, MOST)}
    yield from out_of_bounds(numbers, ON_FOOT, path)
    transport = None if traveller.transport is None else catalog.transports.get(traveller.transport)
    if traveller.transport is not None and transport is None:
        yield RuleProblem(
            "unknown_transport",
            "There is no such mount, boat or vehicle.",
            RULE,
            (*path, "transport"),
            traveller.transport[:200],
            catalog.transports.ids,
        )
        return
    gaits = FOOT_GAITS if transport is None else transport.gaits
    if traveller.gait and traveller.gait not in gaits:
        text = "There is no such gait here."
        yield RuleProblem("unknown_gait", text, RULE, (*path, "gait"), traveller.gait[:200], gaits)
    afloat = transport is not None and transport.hull is not None
    if afloat and going.terrain is not None:
        text = "A craft on water has no terrain."
        yield RuleProblem("terrain_unfit", text, TERRAIN, (*path, "transport"), going.terrain[:200])
    known, fitting = (
        (catalog.weather, catalog.water_weather) if afloat else (catalog.water_weather, catalog.weather)
    )
    for weather in going.weather:
        if weather in known and weather not in fitting:
            yield RuleProblem(
                "weather_unfit",
                "This weather is for craft on water." if not afloat else "This weather is for land.",
                WEATHER,
                (*path, "transport"),
                weather,
                tuple(fitting.ids),
            )
