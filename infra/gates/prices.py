"""What maps are charged is within a factor of three of what they cost.

Every kind is made, from the smallest size to the largest, with every file it can have, and in whole parts of
batches; medians of processor time are compared with the estimates of ``services.map.pricing``.
"""

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.house import House
from services.map.batches import part_size
from services.map.compiling import warm
from services.map.formats import FORMATS, OutputRequest
from services.map.generation.kind import make
from services.map.outputs import Studio, words_gate
from services.map.pricing import JOB_MILLISECONDS, milliseconds_of
from services.map.registry import GENERATORS, making_of
from services.map.wishes import Order
from services.shared.limits.meter import MILLISECONDS_PER_POINT
from workers.batches import STYLES, part_steps

REPEATS = 3
FACTOR = 3.0

Row = tuple[str, float, float]
"""What was measured: its name, milliseconds estimated and milliseconds found."""


def run(_house: House, _options: Options) -> Iterator[Figure]:
    """Measure in this process, without any product; each figure is the worst ratio of a kind of map."""
    warm()
    for slug in GENERATORS:
        worst, findings = 1.0, []
        for width, height in making_of(slug).costs.sizes:
            for name, estimated, found in rows(slug, width, height):
                # What takes less than a point is charged a point.
                ratio = max(found, MILLISECONDS_PER_POINT) / max(estimated, MILLISECONDS_PER_POINT)
                off = max(ratio, 1 / ratio)
                worst = max(worst, off)
                if off > FACTOR:
                    findings.append(
                        f"{slug} {width}x{height}, {name}: {found:.1f} ms, estimated {estimated:.1f}"
                    )
        yield Figure(
            f"prices.{slug}", worst, "x the estimate", FACTOR, Wanted.AT_MOST, findings=tuple(findings)
        )


def rows(slug: str, width: int, height: int) -> Iterator[Row]:
    """Measures one size of a kind: the map, each file, and a part of a batch with drawn and painted files."""
    kind = GENERATORS[slug]
    order = Order(slug, kind.codec.type(width=width, height=height), 7)
    made: Any = make(kind, order.parameters, order.seed, words_gate(slug))
    file = kind.to_bytes(made.model)
    making = milliseconds_of(order, [])
    yield (
        "make",
        making,
        measured(lambda: kind.to_bytes(make(kind, order.parameters, 7, words_gate(slug)).model)),  # type: ignore[union-attr]
    )
    for name, form in FORMATS.items():
        if slug in form.kinds and not form.alone and name != "json":
            request = OutputRequest(name, style=STYLES.get(name))
            yield (
                name,
                milliseconds_of(order, [name]) - making,
                measured(lambda request=request: Studio(slug, file, made.model).give(request)),  # type: ignore[misc]
            )
    formats = ["json", "svg", "png"]
    each = milliseconds_of(order, formats)
    count = part_size(each)
    params = order.document() | {"first": 0, "count": count, "seeds": [], "formats": formats}
    yield "a part", JOB_MILLISECONDS + count * each, measured(lambda: list(part_steps(params)), repeats=1)


def measured(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Measures the median processor time of some work, in milliseconds."""
    times = []
    for _ in range(repeats):
        gc.collect()
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1_000)
    return statistics.median(times)
