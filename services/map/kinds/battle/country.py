"""The two sites of open country: a road and a forest."""

from __future__ import annotations

import numpy as np

from services.map.generation.grid.terrain import Terrain
from services.map.kinds.battle import landscape, scenes
from services.map.kinds.battle.draft import Draft, spans_of
from services.map.kinds.battle.names import place
from services.map.kinds.battle.parameters import BattleParameters, Hour, Water


def road(parameters: BattleParameters, seed: int, attempt: int) -> Draft:
    """A road through open country, with woods beside it and something that happened on it."""
    draft = Draft(parameters, seed, attempt, Terrain.GRASS)
    stream = draft.stream("layout")
    level = draft.width >= draft.height if stream.below(5) else draft.width < draft.height
    landscape.hills(draft)
    landscape.waters(draft, draft.stream("water"), not level, stream.choice((0.3, 0.4, 0.5, 0.6, 0.7)))
    half = 1.0 + stream.below(5) / 10 + (0.4 if max(draft.width, draft.height) >= 50 else 0.0)
    main = landscape.curve(draft, stream, level, 0.16, stream.between(35, 65) / 100)
    landscape.road(draft, "main", main, half)
    x, y = draft.ends[stream.below(2)][0]
    draft.place(place(stream, "road"), (x - 3, y - 3, 7, 7), ("road",))
    if stream.below(3) or max(draft.width, draft.height) >= 50:
        _fork(draft, main, 0)
    for number in range(1, draft.width * draft.height // 4000 + 1):
        _fork(draft, main, number)
    if parameters.water is Water.POND:
        landscape.pond(draft, stream)
    events = draft.stream("events")
    scenes.wagon(draft, events)
    several = 1 + draft.width * draft.height // 900
    for _ in range(several):
        events.choice((scenes.camp, scenes.shrine, scenes.field, scenes.field))(draft, events)
    if parameters.hour is Hour.NIGHT and not draft.lights:
        scenes.camp(draft, events)
    landscape.settle(draft)
    landscape.knolls(draft, draft.stream("knolls"))
    _sign(draft)
    factor = landscape.COVER_FACTOR[parameters.cover]
    beside = draft.track > 0.9
    # The wood stands back from the road, on one side more than on the other.
    score = landscape.clumped(draft, "woods", 8, 0.25) + _slope(draft, level) // 3
    _ditch(draft)
    landscape.trees(draft, 0.055 * factor, score, beside)
    landscape.boulders(draft, 0.012 * factor, draft.track > 0.2)
    shift = landscape.clumped(draft, "brush", 5, 0.35) + score // 2
    landscape.undergrowth(draft, 0.07 * factor, shift, beside)
    few = max(1, round(draft.width * draft.height / 500 * factor))
    landscape.fallen(draft, "log", few, draft.stream("logs"))
    landscape.fallen(draft, "stump", few, draft.stream("stumps"))
    _patches(draft)
    _grove(draft)
    landscape.trifles(draft, 5)
    return draft


def _fork(draft: Draft, main: landscape.Line, number: int) -> None:
    """Lays a track that leaves the road for one edge of the map."""
    stream = draft.stream("fork", number)
    count = len(main.xs)
    at = stream.between(count // 3, 2 * count // 3)
    x, y = float(main.xs[at]), float(main.ys[at])
    far = stream.below(2)
    drift = stream.between(-5, 5) * (draft.height if main.level else draft.width) / 14
    if main.level:
        xs = np.array([x, x + drift * 0.2, x + drift * 0.8, x + drift])
        ys = np.linspace(y, draft.height + 2.0 if far else -2.0, 4)
    else:
        ys = np.array([y, y + drift * 0.2, y + drift * 0.8, y + drift])
        xs = np.linspace(x, draft.width + 2.0 if far else -2.0, 4)
    line = landscape.Line(xs, ys, not main.level)
    wet = np.isin(draft.cells, (Terrain.WATER, Terrain.SHALLOWS))
    if (wet & (landscape.distance(draft, line) < 1.5)).sum() > 14:
        # It would run along in the water.
        return
    kept = len(draft.ends)
    landscape.road(draft, f"fork {number}", line, 0.7, Terrain.EARTH, False)
    # It begins in the road, not at an edge.
    del draft.ends[kept]


def _slope(draft: Draft, level: bool) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """A score that rises towards one side of the road."""
    stream = draft.stream("slope")
    ys, xs = np.mgrid[: draft.height, : draft.width]
    along = ys * 1000 // draft.height if level else xs * 1000 // draft.width
    return np.asarray(along if stream.below(2) else 1000 - along, np.int32)


def _ditch(draft: Draft) -> None:
    """Lets water stand in stretches of the ditch beside the road."""
    ditch = (draft.track > 0.75) & (draft.track < 1.5) & draft.free
    draft.cells[ditch & (draft.noise("ditch", 7, 2) > 640)] = Terrain.MUD


def _patches(draft: Draft) -> None:
    """Bare patches in the grass."""
    grass = (draft.cells == Terrain.GRASS) & draft.free
    draft.cells[grass & (draft.noise("bare", 6, 3) > 690)] = Terrain.EARTH


def _sign(draft: Draft) -> None:
    stream = draft.stream("sign")
    near = np.flatnonzero(((draft.track > 0.3) & (draft.track < 1.2) & draft.free).ravel())
    if len(near):
        cell = int(near[stream.below(len(near))])
        draft.put("sign", float(cell % draft.width), float(cell // draft.width))
        draft.free[cell // draft.width, cell % draft.width] = False


def _grove(draft: Draft) -> None:
    """Names the thickest stand of trees."""
    trees = draft.cells == Terrain.TREE
    side = 7
    if min(draft.width, draft.height) < side or not trees.any():
        return
    sums = np.pad(trees.astype(np.int32).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    counts = sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]
    best = int(counts.argmax())
    x, y = best % counts.shape[1], best // counts.shape[1]
    draft.place(place(draft.stream("grove"), "grove"), (x, y, side, side), ("trees",))


def forest(parameters: BattleParameters, seed: int, attempt: int) -> Draft:
    """A forest: close-set trees round clearings, a path, undergrowth, fallen timber."""
    draft = Draft(parameters, seed, attempt, Terrain.GRASS)
    stream = draft.stream("layout")
    level = stream.below(2) == 0
    landscape.hills(draft)
    landscape.waters(draft, draft.stream("water"), not level, stream.choice((0.3, 0.5, 0.7)))
    litter = draft.noise("litter", 7, 3)
    draft.cells[(litter > 560) & (draft.cells == Terrain.GRASS)] = Terrain.EARTH
    if stream.below(4) or parameters.water is Water.RIVER:
        path = landscape.curve(draft, stream, level, 0.22, stream.between(30, 70) / 100)
        landscape.road(draft, "path", path, 0.65, Terrain.EARTH, ruts=False)
    if parameters.water is Water.POND:
        landscape.pond(draft, stream)
    clear = _clearings(draft)
    events = draft.stream("events")
    for _ in range(1 + draft.width * draft.height // 1500):
        events.choice((scenes.camp, scenes.stones, scenes.stones, scenes.shrine))(draft, events)
    if parameters.hour is Hour.NIGHT and not draft.lights:
        scenes.camp(draft, events)
    landscape.settle(draft)
    landscape.knolls(draft, draft.stream("knolls"))
    factor = landscape.COVER_FACTOR[parameters.cover]
    wooded = ~clear & (draft.track > 0.25)
    score = landscape.clumped(draft, "woods", 6, 0.28)
    landscape.trees(draft, 0.09 * min(factor, 1.45), score, wooded)
    landscape.boulders(draft, 0.012 * factor, draft.track > 0.2)
    few = max(2, round(draft.width * draft.height / 160 * min(1.0, factor)))
    landscape.fallen(draft, "log", few, draft.stream("logs"))
    landscape.fallen(draft, "stump", few // 2, draft.stream("stumps"))
    under = landscape.clumped(draft, "brush", 5, 0.3)
    landscape.undergrowth(draft, 0.11 * factor, under, wooded)
    mire = draft.free & ~clear & (draft.noise("mire", 9, 2) > 720)
    draft.cells[mire] = Terrain.MUD
    landscape.trifles(draft, 9)
    _grove(draft)
    return draft


def _clearings(draft: Draft) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Cells kept clear of trees: one glade for every 500 cells or so."""
    stream = draft.stream("clearings")
    clear = np.zeros_like(draft.free)
    ys, xs = np.ogrid[: draft.height, : draft.width]
    rough = draft.noise("clearings", 4, 2)
    for number in range(max(1, draft.width * draft.height // 500)):
        reach = 2.5 + stream.below(20) / 10
        x, y = stream.between(3, draft.width - 4), stream.between(3, draft.height - 4)
        ragged = np.hypot(xs - x, ys - y) + (rough - 512) / 380
        glade = ragged < reach
        clear |= glade
        draft.cells[glade & (draft.cells == Terrain.EARTH) & draft.free] = Terrain.GRASS
        if number < 4 and glade.any():
            size = 2 * int(reach) + 1
            corner = x - int(reach), y - int(reach)
            draft.place(place(stream, "clearing"), (*corner, size, size), ("glade",), spans_of(glade))
    return clear
