"""Maps made by one core, one after another, each from a seed of its own: the same ones in each turn."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample
from infra.benchmarks.harness.rounds import Measure
from services.map.formats import FLAT, OutputRequest
from services.map.generation.kind import Made, make
from services.map.outputs import Studio
from services.map.registry import GENERATORS
from services.rules.engine.problem import Problems

DUNGEON, CAVE, REALM, REGION = "dungeon", "cave", "forgeborn_realm", "region"
MEGAPIXEL = 20
"""Pixels to a cell with which a dungeon of 51 by 51 cells has a million of them."""
VTT = 70
KNOWN = 16
"""Maps that are made once, where only what is made of them is measured."""

Thing = Callable[[int], object]
MakeFile = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Floor:
    """Something that must not be slower than so.

    Attributes:
        name: what is done.
        thing: does it, from a number.
        rate: least times a second; None where a time is the limit, or there is none.
        limit_ms: longest time of one, in milliseconds.
        share: how long its turn is, in turns.
    """

    name: str
    thing: Thing
    rate: float | None = None
    limit_ms: float | None = None
    share: float = 1.0

    def case(self, found: Figures) -> Case:
        """Tell what was measured beside the floor."""
        more = {"p95_ms": found.latency(95), "measured": found.done}
        if self.limit_ms is not None:
            return Case(
                self.name,
                found.latency(50),
                "ms",
                against=self.limit_ms,
                against_name="the longest it may take",
                target=1.0,
                more=more,
                less_is_better=True,
            )
        return Case(
            self.name,
            found.rate,
            "maps/s per core",
            against=self.rate,
            against_name=None if self.rate is None else "the least it may be",
            target=None if self.rate is None else 1.0,
            more={"p50_ms": found.latency(50), **more},
        )


def on_one_core(thing: Thing) -> Measure:
    """Measure a thing done with 0, 1, 2, ...; what counts is this process's time on a processor."""

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        while not took or time.perf_counter() < end:
            began = time.process_time()
            thing(len(took))
            took.append(time.process_time() - began)
        return Sample(sum(took), [spent * 1000 for spent in took])

    return measure


def made(slug: str, seed: int, **parameters: Any) -> Made[Any]:
    """Make a map that passes every gate.

    Raises:
        BenchFailure: there is none.
    """
    kind = GENERATORS[slug]
    found = make(kind, kind.codec.type(**parameters), seed)
    if isinstance(found, Problems):
        raise BenchFailure(f"{slug} with seed {seed}: {found}")
    return found


def making(slug: str, **parameters: Any) -> MakeFile:
    """Make maps: the model, every gate, the map file."""
    kind = GENERATORS[slug]
    return lambda number: kind.to_bytes(made(slug, number, **parameters).model)


def drawing(slug: str, **parameters: Any) -> Thing:
    """Make models alone, without their gates."""
    kind = GENERATORS[slug]
    wanted = kind.codec.type(**parameters)
    return lambda number: kind.draw(wanted, number, 0)


def making_all(slug: str, *requests: OutputRequest, **parameters: Any) -> Thing:
    """Make maps with their files, as a part of a batch does."""
    kind = GENERATORS[slug]

    def thing(number: int) -> list[bytes]:
        model = made(slug, number, **parameters).model
        studio = Studio(slug, kind.to_bytes(model), model)
        return [studio.file, *(_content(studio, request) for request in requests)]

    return thing


def exporting(slug: str, request: OutputRequest) -> Thing:
    """Make one file of maps that are known."""
    return lambda number: _content(Studio(slug, _known(slug, number % KNOWN)), request)


@cache
def _known(slug: str, seed: int) -> bytes:
    file: bytes = GENERATORS[slug].to_bytes(made(slug, seed).model)
    return file


def _content(studio: Studio, request: OutputRequest) -> bytes:
    output = studio.give(request)
    if isinstance(output, Problems):
        raise BenchFailure(f"{request.format}: {output}")
    return output.content


def floors() -> list[Floor]:
    """List what has a floor, besides the dungeons that are measured beside others."""
    svg = OutputRequest("svg")
    three = (svg, OutputRequest("png", pixels=MEGAPIXEL, style=FLAT), OutputRequest("uvtt", pixels=MEGAPIXEL))
    found = [
        Floor(
            "dungeon 51x51, model, checks and JSON, with SVG, 1 Mpx PNG and UVTT",
            making_all(DUNGEON, *three),
            rate=60,
        ),
        Floor(
            f"VTT export of a dungeon 51x51, {VTT} px a cell",
            exporting(DUNGEON, OutputRequest("uvtt", pixels=VTT)),
            limit_ms=120,
        ),
        Floor("realm, model, checks and JSON", making(REALM), limit_ms=40, share=0.5),
        Floor("realm, model, checks and JSON, with SVG", making_all(REALM, svg), rate=20),
        Floor("region 512x512, model", drawing(REGION, width=512, height=512), limit_ms=60),
    ]
    if CAVE in GENERATORS:
        found += [
            Floor("cave 200x200, model", drawing(CAVE, width=200, height=200), limit_ms=5, share=0.5),
            Floor("cave 200x200, model, checks and JSON", making(CAVE, width=200, height=200), share=0.5),
        ]
    return found
