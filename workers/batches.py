"""One part of a batch: some maps, each with the files that were asked for, in one ZIP file.

A part holds few enough maps to be made within a worker's time limit, and only one at a time is there as
a model: the memory of a worker does not grow with the size of a batch.
"""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

from services.map.batches import entry_name, seed_of_entry
from services.map.formats import FLAT, OutputRequest
from services.map.generation.kind import make
from services.map.outputs import Studio, words_gate
from services.map.registry import GENERATORS
from services.rules.engine.problem import Problems
from workers.carrying import PartProduct, produced
from workers.making import Refused, Steps

STYLES = {"png": FLAT, "webp": FLAT}
"""Pictures of cells are flat in batches, which takes a tenth of the time."""

DRAWN = frozenset({"svg", "png", "webp"})
"""Files with words on them, which then have to be legible."""

STORED = frozenset({"png", "webp"})
"""Files that are packed already."""

SAME_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a ZIP: the same maps give the same bytes."""


def part_steps(params: Mapping[str, Any]) -> Steps:
    """Make the maps of a part, in order."""
    kind = GENERATORS.get(params["kind"])
    if kind is None:
        raise Refused("UNKNOWN_KIND", "There is no such kind of map.")
    parameters = kind.codec.load(params["parameters"])
    first, count = params["first"], params["count"]
    further = words_gate(kind.slug) if DRAWN.intersection(params["formats"]) else None
    quarter = max(1, count // 4)  # each report is a commit
    target = io.BytesIO()
    summaries: list[dict[str, object]] = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(first, first + count):
            seed = seed_of_entry(params, number)
            made = make(kind, parameters, seed, further)
            if isinstance(made, Problems):
                problem = next(iter(made))
                raise Refused(problem.code, f"Map {number} with seed {seed}: {problem.message}")
            file = kind.to_bytes(made.model)
            title = kind.title(made.model)
            studio = Studio(kind.slug, file, made.model, stem=entry_name(number, title, ""))
            for wanted in params["formats"]:
                output = produced(studio, OutputRequest(wanted, style=STYLES.get(wanted)))
                info = zipfile.ZipInfo(entry_name(number, title, output.suffix), SAME_DAY)
                info.compress_type = zipfile.ZIP_STORED if wanted in STORED else zipfile.ZIP_DEFLATED
                archive.writestr(info, output.content)
            summaries.append(
                {
                    "number": number,
                    "seed": str(seed),
                    "name": title,
                    "attempts": made.attempts,
                    "figures": dict(made.report.figures),
                }
            )
            if (number - first) % quarter == 0:
                yield (number + 1 - first) / (count + 1)
    return PartProduct(first, summaries, target.getvalue())
