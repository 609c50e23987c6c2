"""Hashes of what small maps are given out as, beside the version that is part of the tags of all outputs.

``python -m tests.map.reference_outputs`` writes them anew after ``OUTPUT_VERSION`` was raised, or after maps
are made otherwise. Pictures count before they are compressed, and the drawn ones as SVG: how they are painted
from that is the painter's, whose bytes are not the same on every processor.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from services.map.formats import FORMATS, Output, OutputRequest
from services.map.generation.kind import Made, make
from services.map.outputs import OUTPUT_VERSION, produce
from services.map.registry import GENERATORS, KINDS
from services.map.render.raster.flat import flat

FILE = Path(__file__).with_name("reference_outputs.json")
SMALL: dict[str, dict[str, Any]] = {
    "dungeon": {"width": 21, "height": 21},
    "cave": {"width": 25, "height": 25},
    "battle": {"width": 20, "height": 16},
    "region": {"width": 64, "height": 64},
}
TEXTS = tuple(name for name in FORMATS if name not in ("png", "webp", "uvtt", "tiled-terrain"))
"""Formats without pixels in them."""


def reference() -> dict[str, Any]:
    """Compute the hashes: of each kind's map file, and of each of its outputs."""
    return {"version": OUTPUT_VERSION, "kinds": {slug: _outputs(slug) for slug in sorted(GENERATORS)}}


def _outputs(slug: str) -> dict[str, str]:
    kind = GENERATORS[slug]
    made = make(kind, kind.codec.type(**SMALL.get(slug, {})), 5)
    assert isinstance(made, Made)
    file = kind.to_bytes(made.model)
    found = {"map": _hash(file)}
    for name in TEXTS:
        if slug not in FORMATS[name].kinds:
            continue
        output = produce(slug, file, OutputRequest(name))
        if isinstance(output, Output):  # a map without notes makes no journal
            found[name] = _hash(output.content)
    if KINDS[slug].sheet is None:
        found["flat pixels"] = _hash(flat(made.model, 20, grid=True).rgb().tobytes())
    return found


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def changed(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """List the outputs that the same map is given out as otherwise than before, under the same version."""
    if before["version"] != now["version"]:
        return []
    return [
        f"{slug} as {name}"
        for slug, outputs in now["kinds"].items()
        if before["kinds"].get(slug, {}).get("map") == outputs["map"]
        for name, digest in outputs.items()
        if before["kinds"][slug].get(name, digest) != digest
    ]


def main() -> int:
    """Write the reference, unless the version has to be raised first; returns the exit code."""
    now = reference()
    if FILE.exists() and (otherwise := changed(json.loads(FILE.read_text()), now)):
        print(f"raise OUTPUT_VERSION first: {', '.join(otherwise)}", file=sys.stderr)
        return 1
    FILE.write_text(json.dumps(now, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
