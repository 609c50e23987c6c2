"""Journeys over a region."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from services.map.kinds.region.generator import GENERATOR
from services.map.kinds.region.model import Biome, Cell, Ground, RegionMap, River, Way, line_miles
from services.map.kinds.region.parameters import RegionParameters
from services.map.kinds.region.travel import (
    Current,
    Factors,
    Journey,
    Means,
    Travel,
    TravelTerrain,
    hours,
)
from services.map.kinds.region.vocabulary import Mouth, RegionClimate, RegionShape, WayKind

FULL, THREE_QUARTERS, HALF, QUARTER = Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)

ON_FOOT: Factors = {
    TravelTerrain.ROAD: FULL,
    TravelTerrain.HILLY_ROAD: THREE_QUARTERS,
    TravelTerrain.MOUNTAIN_PATH: HALF,
    TravelTerrain.MOUNTAIN: QUARTER,
    TravelTerrain.JUNGLE_PATH: HALF,
    TravelTerrain.JUNGLE: QUARTER,
    TravelTerrain.SWAMP: QUARTER,
    TravelTerrain.WATER: FULL,
}
BY_CART: Factors = {
    TravelTerrain.ROAD: FULL,
    TravelTerrain.HILLY_ROAD: THREE_QUARTERS,
    TravelTerrain.MOUNTAIN_PATH: QUARTER,
    TravelTerrain.JUNGLE_PATH: None,
}


@cache
def region(seed: int, shape: RegionShape = RegionShape.COAST) -> RegionMap:
    return GENERATOR.draw(RegionParameters(width=128, height=96, shape=shape), seed, 0)


def plain(biome: Biome = Biome.GRASSLAND, ground: Ground = Ground.LEVEL) -> RegionMap:
    """A region of 64 by 64 cells that are all alike, without anything on them."""
    empty = GENERATOR.draw(RegionParameters(width=64, height=64, settlements=0, sites=0), 1, 0)
    cells = 64 * 64
    return replace(
        empty,
        biomes=bytes([biome]) * cells,
        ground=bytes([ground]) * cells,
        heights=bytes(2 * cells),
        rivers=(),
        lakes=(),
        features=(),
    )


def with_way(model: RegionMap, kind: WayKind, line: tuple[Cell, ...]) -> RegionMap:
    return replace(model, ways=(*model.ways, Way("way-1", kind, "a", "b", line, 1.0)))


@pytest.mark.parametrize(
    ("biome", "ground", "way", "terrain"),
    [
        (Biome.GRASSLAND, Ground.LEVEL, WayKind.ROAD, TravelTerrain.ROAD),
        (Biome.GRASSLAND, Ground.LEVEL, WayKind.PATH, TravelTerrain.ROAD),
        (Biome.GRASSLAND, Ground.LEVEL, None, TravelTerrain.HILLY_ROAD),
        (Biome.DESERT, Ground.HILLS, None, TravelTerrain.MOUNTAIN_PATH),
        (Biome.HEATH, Ground.HILLS, WayKind.TRACK, TravelTerrain.HILLY_ROAD),
        (Biome.WOODLAND, Ground.LEVEL, None, TravelTerrain.JUNGLE_PATH),
        (Biome.WOODLAND, Ground.LEVEL, WayKind.TRACK, TravelTerrain.ROAD),
        (Biome.ROCK, Ground.MOUNTAINS, None, TravelTerrain.MOUNTAIN),
        (Biome.ROCK, Ground.MOUNTAINS, WayKind.ROAD, TravelTerrain.MOUNTAIN_PATH),
        (Biome.GLACIER, Ground.LEVEL, None, TravelTerrain.MOUNTAIN),
        (Biome.JUNGLE, Ground.LEVEL, None, TravelTerrain.JUNGLE),
        (Biome.JUNGLE, Ground.LEVEL, WayKind.TRACK, TravelTerrain.JUNGLE_PATH),
        (Biome.JUNGLE, Ground.LEVEL, WayKind.ROAD, TravelTerrain.ROAD),
        (Biome.SWAMP, Ground.LEVEL, None, TravelTerrain.SWAMP),
        (Biome.SWAMP, Ground.LEVEL, WayKind.TRACK, TravelTerrain.SWAMP),
        (Biome.SWAMP, Ground.LEVEL, WayKind.ROAD, TravelTerrain.ROAD),
        (Biome.LAKE, Ground.LEVEL, None, TravelTerrain.WATER),
        (Biome.SEA, Ground.LEVEL, None, TravelTerrain.WATER),
        (Biome.ROCK, Ground.PEAK, None, TravelTerrain.PEAK),
    ],
)
def test_biome_ground_and_way_give_a_row_of_the_table(
    biome: Biome, ground: Ground, way: WayKind | None, terrain: TravelTerrain
) -> None:
    model = plain(biome, ground)
    if way is not None:
        model = with_way(model, way, ((9, 10), (10, 10), (11, 10)))
    assert Travel(model).terrain_at((10, 10)) is terrain


def test_a_straight_walk_is_as_long_as_the_crow_flies() -> None:
    journey = Travel(plain()).route((5, 20), (45, 20), ON_FOOT)
    assert journey is not None
    assert journey.miles == 20.0
    assert [leg.terrain for leg in journey.legs] == [TravelTerrain.HILLY_ROAD]
    assert hours(journey, Fraction(4), ON_FOOT) == Fraction(20, 3)


def test_a_road_is_worth_a_detour() -> None:
    line = ((5, 20), *((x, 24) for x in range(9, 42)), (45, 20))
    bent = tuple(
        cell
        for a, b in pairwise(line)
        for cell in [
            (a[0] + (b[0] > a[0]) * i, a[1] + (b[1] > a[1]) * i - (b[1] < a[1]) * i)
            for i in range(max(abs(b[0] - a[0]), abs(b[1] - a[1])))
        ]
    )
    model = with_way(plain(Biome.WOODLAND), WayKind.ROAD, (*bent, (45, 20)))
    journey = Travel(model).route((5, 20), (45, 20), ON_FOOT)
    assert journey is not None
    assert [(leg.terrain, leg.way) for leg in journey.legs] == [(TravelTerrain.ROAD, WayKind.ROAD)]
    assert journey.miles > 20


def assert_connected(journey: Journey, start: Cell, end: Cell) -> None:
    assert journey.legs[0].line[0] == start
    assert journey.legs[-1].line[-1] == end
    for one, following in pairwise(journey.legs):
        assert one.line[-1] == following.line[0]
        assert (one.terrain, one.way, one.current) != (following.terrain, following.way, following.current)
    for leg in journey.legs:
        assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in pairwise(leg.line))


def test_every_settlement_can_be_walked_to_and_the_legs_add_up() -> None:
    for seed in range(4):
        model = region(seed)
        travel = Travel(model)
        first = model.settlements[0]
        for home in model.settlements[1:6]:
            journey = travel.route(first.id, home.id, ON_FOOT)
            assert journey is not None
            assert_connected(journey, first.at, home.at)
            assert journey.miles == pytest.approx(sum(leg.miles for leg in journey.legs))
            for leg in journey.legs:
                assert leg.miles == line_miles(leg.line, model.furlongs)
            cells = [cell for leg in journey.legs for cell in leg.line]
            assert not any(travel.terrain_at(cell) is TravelTerrain.PEAK for cell in cells)
            assert hours(journey, Fraction(3), ON_FOOT) >= Fraction(str(journey.miles)) / 3


def test_there_and_back_take_the_same_time() -> None:
    model = region(2)
    travel = Travel(model)
    a, b = model.settlements[0].id, model.settlements[-1].id
    there, back = travel.route(a, b, ON_FOOT), travel.route(b, a, ON_FOOT)
    assert there is not None and back is not None
    assert abs(hours(there, FULL, ON_FOOT) / hours(back, FULL, ON_FOOT) - 1) < Fraction(1, 20)


def test_islands_are_reached_by_ferry_only() -> None:
    model = next(
        region(seed, RegionShape.ARCHIPELAGO)
        for seed in range(30)
        if any(way.kind is WayKind.FERRY for way in region(seed, RegionShape.ARCHIPELAGO).ways)
    )
    ferry = next(way for way in model.ways if way.kind is WayKind.FERRY)
    travel = Travel(model)
    journey = travel.route(ferry.start, ferry.end, ON_FOOT)
    assert journey is not None
    assert TravelTerrain.WATER in {leg.terrain for leg in journey.legs}
    on_ferries = {cell for way in model.ways if way.kind is WayKind.FERRY for cell in way.line}
    for leg in journey.legs:
        if leg.terrain is TravelTerrain.WATER:
            assert set(leg.line) <= on_ferries
    dry = {row: factor for row, factor in ON_FOOT.items() if row is not TravelTerrain.WATER}
    assert travel.route(ferry.start, ferry.end, dry) is None


def test_a_cart_does_not_enter_the_woods() -> None:
    assert Travel(plain(Biome.WOODLAND)).route((5, 5), (20, 5), BY_CART) is None
    cart = Travel(plain()).route((5, 5), (20, 5), BY_CART)
    assert cart is not None
    wooded = Travel(plain(Biome.WOODLAND)).route((5, 5), (20, 5), ON_FOOT)
    assert wooded is not None
    with pytest.raises(ValueError, match="nobody crosses jungle path"):
        hours(wooded, FULL, BY_CART)
    with pytest.raises(ValueError, match="positive"):
        hours(cart, Fraction(0), BY_CART)


def test_boats_go_up_and_down_rivers() -> None:
    model = plain()
    biomes = np.frombuffer(model.biomes, np.uint8).reshape(64, 64).copy()
    biomes[:, 50:] = Biome.SEA
    line = tuple((10 + i, 20 + i // 2) for i in range(41))
    river = River("river-1", "Ouse", line, (500,) * 41, Mouth.SEA)
    model = replace(model, biomes=biomes.tobytes(), rivers=(river,))
    travel = Travel(model)
    down = travel.route((10, 19), (49, 50), {}, Means.BOAT)
    up = travel.route((49, 50), (10, 19), {}, Means.BOAT)
    assert down is not None and up is not None
    assert [leg.current for leg in down.legs] == [Current.DOWNSTREAM, Current.NONE]
    assert [leg.current for leg in up.legs] == [Current.NONE, Current.UPSTREAM]
    assert down.miles == pytest.approx(up.miles)
    brook = replace(model, rivers=(replace(river, flow=(5,) * 41),))
    assert Travel(brook).route((10, 19), (49, 50), {}, Means.BOAT) is None


def test_rivers_on_the_way_are_told_and_bridges_sought() -> None:
    model = next(region(s) for s in range(20) if any(way.crossings for way in region(s).ways))
    way = next(way for way in model.ways if way.crossings)
    journey = Travel(model).route(way.start, way.end, ON_FOOT)
    assert journey is not None
    assert journey.fords
    own = {cell: river.id for river in model.rivers for cell in river.line}
    assert all(own[ford.at] for ford in journey.fords)


def test_a_place_to_itself_is_no_journey() -> None:
    travel = Travel(region(1))
    home = region(1).settlements[0]
    journey = travel.route(home.id, home.at, ON_FOOT)
    assert journey == Journey(())
    assert journey is not None and journey.miles == 0


def test_unknown_places_and_cells_are_refused() -> None:
    travel = Travel(region(1))
    with pytest.raises(KeyError):
        travel.route("settlement-99", (1, 1), ON_FOOT)
    with pytest.raises(IndexError):
        travel.terrain_at((128, 0))
    with pytest.raises(IndexError):
        travel.route((0, -1), (1, 1), ON_FOOT)


def test_a_peak_stops_everybody() -> None:
    model = plain()
    ground = np.zeros((64, 64), np.uint8)
    ground[:, 30] = Ground.PEAK
    assert Travel(replace(model, ground=ground.tobytes())).route((5, 5), (50, 5), ON_FOOT) is None


def test_the_weather_of_a_spot_is_that_of_its_zone() -> None:
    model = GENERATOR.draw(RegionParameters(width=100, height=70, climate=RegionClimate.TROPICAL), 3, 0)
    assert {model.zone_at((x, y)) for x in (0, 50, 99) for y in (0, 35, 69)} <= set(model.zones)
    columns = -(-100 // model.weather_side)
    index = model.weather[2 * columns + 3]
    cell = (3 * model.weather_side, 2 * model.weather_side)
    assert model.zone_at(cell) is model.zones[index]
