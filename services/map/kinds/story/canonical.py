"""A story map as a file: canonical JSON, and back again without loss.

Equal maps give equal bytes. The seed is a text, because many readers keep only
53 bits of a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from typing import Any, get_type_hints

from services.map.generation.kind import MAX_SEED, MapFileError, canonical_bytes
from services.rules.engine.codec import CodecError, decode
from services.rules.engine.problem import path_text
from services.rules.systems.fortunate_blades.story_map.model import StoryMap
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryTerrainSort

FORMAT = "hearthforge-story"
FORMAT_VERSION = 1

MOST_UNITS = 1000.0
"""The longest side a sheet may have in a file."""

_HINTS = get_type_hints(StoryMap)
_NAMES = tuple(item.name for item in fields(StoryMap) if item.name != "seed")
_HEAD = ("format", "format_version", "kind", "seed")
_RING = 3


def to_bytes(model: StoryMap) -> bytes:
    """The map file: the same bytes for equal maps, in every process."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION, "kind": "story", "seed": str(model.seed)}
    # The dataclasses are written as they are, in the same form as the codec's: this is quicker.
    return canonical_bytes(head | {name: getattr(model, name) for name in _NAMES})


def from_data(data: Mapping[str, Any]) -> StoryMap:
    """The map that `to_bytes` wrote.

    Raises:
        MapFileError: The data is no story map of this format version.
    """
    if data.get("format") != FORMAT or data.get("format_version") != FORMAT_VERSION:
        found = f"{data.get('format')} {data.get('format_version')}"
        raise MapFileError(f"expected {FORMAT} {FORMAT_VERSION}, found {found}")
    unknown = sorted(data.keys() - set(_NAMES) - set(_HEAD))
    if unknown:
        raise MapFileError(f"there is no key {unknown[0]}")
    try:
        values = {name: decode(_HINTS[name], data[name], (name,)) for name in _NAMES}
        seed = decode(str, data["seed"], ("seed",))
    except KeyError as error:
        raise MapFileError(f"the key {error.args[0]} is missing") from error
    except CodecError as error:
        raise MapFileError(f"{path_text(error.path)}: expected {error.expected}") from error
    if not seed.isascii() or not seed.isdigit() or int(seed) > MAX_SEED:
        raise MapFileError("seed: expected the digits of a seed")
    model = StoryMap(seed=int(seed), **values)
    for fault in _faults(model):
        raise MapFileError(fault)
    return model


def _faults(model: StoryMap) -> list[str]:
    """What would make a map that nobody can draw or walk."""
    faults: list[str] = []
    for name, side in (("width", model.width), ("height", model.height)):
        if not (isfinite(side) and 1 <= side <= MOST_UNITS):
            faults.append(f"{name}: expected 1 to {MOST_UNITS:.0f} units")
    spots = [place.at for place in model.places] + [at for one in model.terrains for at in one.points]
    if not all(isfinite(at.x) and isfinite(at.y) for at in spots):
        faults.append("a position is no number")
    ids = {place.id for place in model.places}
    forces = {force.id for force in model.forces}
    if len(ids) != len(model.places) or len(forces) != len(model.forces):
        faults.append("an id is there twice")
    if model.start not in ids:
        faults.append("start: there is no such place")
    if any(path.start not in ids or path.end not in ids or path.start == path.end for path in model.paths):
        faults.append("a path leads to no place")
    if any((one.seat and one.seat not in ids) or (one.foe and one.foe not in forces) for one in model.forces):
        faults.append("a force names a place or force that is not there")
    faults += [
        f"{one.id}: too few points"
        for one in model.terrains
        if len(one.points) < (2 if one.sort is StoryTerrainSort.RIVER else _RING)
    ]
    return faults
