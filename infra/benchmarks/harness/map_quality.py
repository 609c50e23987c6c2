"""What a thousand dungeons are like: distinct, unlike each other, with loops and two ways to the goal."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean
from typing import Any

import numpy as np
import numpy.typing as npt

from infra.benchmarks.harness.cases import Case
from infra.benchmarks.harness.map_making import DUNGEON, made
from services.map.generation.grid.model import GridMap
from services.map.generation.grid.terrain import Terrain
from services.map.registry import GENERATORS

LOOPS = (0.2, 0.45)
TWO_ROUTES, UNLIKE_MEAN, UNLIKE_LEAST = 0.6, 0.6, 0.4

Bits = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Quality:
    """What dungeons of one size are like, each from a seed of its own.

    Attributes:
        count: how many there are.
        distinct: how many of them are different ones.
        loops: mean of their loops for each room.
        two_routes: share of them with two routes to the goal that share no step.
        attempts: mean of the attempts that each took.
        unlike: Jaccard distances of their floors, pair by pair: 0 for the same floor, 1 for none in common.
    """

    count: int
    distinct: int
    loops: float
    two_routes: float
    attempts: float
    unlike: Bits


def look_at(count: int) -> Quality:
    """Make dungeons with the seeds from 0, and look at them."""
    kind = GENERATORS[DUNGEON]
    figures, attempts, files, floors = [], [], set(), []
    for seed in range(count):
        one = made(DUNGEON, seed)
        figures.append(dict(one.report.figures))
        attempts.append(one.attempts)
        # The seed stands in the file: it must not be what makes two maps different.
        data = kind.to_bytes(one.model).replace(f'"seed":"{seed}"'.encode(), b"")
        files.add(data)
        floors.append(floor_of(one.model))
    return Quality(
        count=count,
        distinct=len(files),
        loops=mean(each["loops_per_room"] for each in figures),
        two_routes=mean(each["two_disjoint_routes"] for each in figures),
        attempts=mean(attempts),
        unlike=distances(np.array(floors)),
    )


def floor_of(model: GridMap) -> Bits:
    """Give which cells were dug out."""
    return np.asarray(np.frombuffer(model.cells, np.uint8) != Terrain.ROCK)


def distances(floors: Bits) -> Bits:
    """Give the Jaccard distance of each pair.

    Args:
        floors: booleans, a row a map.
    """
    rows = floors.astype(np.float32)
    both = rows @ rows.T
    sizes = rows.sum(1)
    either = sizes[:, None] + sizes[None, :] - both
    pairs = np.triu_indices(len(rows), 1)
    return np.asarray(1 - both[pairs] / either[pairs])


def quality_cases(found: Quality) -> Iterator[Case]:
    """Tell what they are like beside what is wanted."""
    least, most = LOOPS
    of = f"{found.count:,} dungeons 51x51"
    wanted = "the least that is wanted"
    yield Case(
        f"loops for each room, mean of {of}",
        found.loops,
        "loops",
        against=least,
        against_name=wanted,
        target=1.0,
    )
    yield Case(
        f"loops for each room, mean of {of}, not too many",
        found.loops,
        "loops",
        against=most,
        against_name="the most that is wanted",
        target=1.0,
        less_is_better=True,
    )
    unlike = found.unlike
    for name, value, unit, against in (
        (f"two disjoint routes to the goal, share of {of}", found.two_routes, "share", TWO_ROUTES),
        (f"distinct ones of {of}", float(found.distinct), "maps", float(found.count)),
        (f"Jaccard distance of floors, mean of {of}", float(unlike.mean()), "distance", UNLIKE_MEAN),
        (f"Jaccard distance of floors, least of {of}", float(unlike.min()), "distance", UNLIKE_LEAST),
    ):
        yield Case(name, value, unit, against=against, against_name=wanted, target=1.0)
    yield Case(f"attempts, mean of {of}", found.attempts, "attempts")
