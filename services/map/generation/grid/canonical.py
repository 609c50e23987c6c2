"""A grid map as a map file: plain JSON data, and back again without loss.

Cells are rows of letters, one a cell, so that a map can be read by eye and by a line of code; the seed is a
string, because readers in other languages keep only 53 bits of a number. `hearthforge-map.schema.json` is the
published JSON Schema of what is written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

import orjson

from services.map.generation.grid.model import MAX_SIDE, Cell, GridKind, GridMap, Spot
from services.map.generation.grid.terrain import BY_LETTER, LETTERS
from services.map.generation.kind import MapFileError
from services.rules.engine.codec import CodecError, decode
from services.rules.engine.problem import path_text

FORMAT = "hearthforge-map"
FORMAT_VERSION = 1

_TO_LETTERS = bytes.maketrans(bytes(range(len(LETTERS))), LETTERS.encode())
_TO_CODES = {letter: code for code, letter in enumerate(LETTERS)}
assert {letter: int(terrain) for letter, terrain in BY_LETTER.items()} == _TO_CODES
_FIELDS = (
    "rooms",
    "passages",
    "doors",
    "walls",
    "traps",
    "stairs",
    "lights",
    "props",
    "zones",
    "notes",
)
_HINTS = get_type_hints(GridMap)


def to_bytes(model: GridMap) -> bytes:
    """The map file: the same bytes for equal maps, in every process."""
    width = model.width
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "generator_version": model.generator_version,
        "kind": model.kind,
        "seed": str(model.seed),
        "attempt": model.attempt,
        "title": model.title,
        "theme": model.theme,
        "feet": model.feet,
        "width": width,
        "height": model.height,
        "ambient": model.ambient,
        "cells": letter_rows(model),
        "heights": _height_rows(model),
        "entrance": model.entrance,
        "goal": model.goal,
    }
    # Only maps with a picture of their own have these: others keep their bytes.
    if model.extent is not None:
        document["extent"] = model.extent
    if model.baked_lighting:
        document["baked_lighting"] = True
    # orjson writes the dataclasses itself: this is on the way of every map of a batch.
    written = orjson.dumps(document | {name: getattr(model, name) for name in _FIELDS})
    # Doors on the grid have no ends of their own and keep their bytes, too; in a text the quotes are escaped.
    return written.replace(b',"ends":null', b"")


def letter_rows(model: GridMap) -> list[str]:
    """The cells as rows of letters."""
    letters = model.cells.translate(_TO_LETTERS).decode()
    return [letters[start : start + model.width] for start in range(0, len(letters), model.width)]


def from_data(data: Mapping[str, Any]) -> GridMap:
    """The map that `to_bytes` wrote.

    Raises:
        MapFileError: The data is no grid map of this format version.
    """
    if data.get("format") != FORMAT or data.get("format_version") != FORMAT_VERSION:
        found = f"{data.get('format')} {data.get('format_version')}"
        raise MapFileError(f"expected {FORMAT} {FORMAT_VERSION}, found {found}")
    try:
        return _read(data)
    except CodecError as error:
        raise MapFileError(f"{path_text(error.path)}: expected {error.expected}") from error
    except MapFileError:
        raise
    except KeyError as error:
        raise MapFileError(f"the key {error.args[0]} is missing") from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise MapFileError(f"a value is not of its type: {error}") from error


def _height_rows(model: GridMap) -> list[list[int]]:
    width = model.width
    heights = memoryview(model.heights).cast("b").tolist() if model.heights else []
    return [heights[start : start + width] for start in range(0, len(heights), width)]


def _read(data: Mapping[str, Any]) -> GridMap:
    width, height = decode(int, data["width"], ("width",)), decode(int, data["height"], ("height",))
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise MapFileError(f"a map has 1 to {MAX_SIDE} cells a side, found {width} by {height}")
    return GridMap(
        kind=decode(GridKind, data["kind"], ("kind",)),
        generator_version=decode(int, data["generator_version"], ("generator_version",)),
        seed=int(data["seed"]),
        attempt=decode(int, data["attempt"], ("attempt",)),
        title=decode(str, data["title"], ("title",)),
        theme=decode(str, data["theme"], ("theme",)),
        width=width,
        height=height,
        cells=_cells(data["cells"], width, height),
        ambient=decode(str, data["ambient"], ("ambient",)),
        heights=_heights(data["heights"], width, height),
        entrance=_cell(data["entrance"], "entrance"),
        goal=_cell(data["goal"], "goal"),
        feet=decode(int, data["feet"], ("feet",)),
        extent=decode(Spot | None, data.get("extent"), ("extent",)),
        baked_lighting=decode(bool, data.get("baked_lighting", False), ("baked_lighting",)),
        **{name: decode(_HINTS[name], data[name], (name,)) for name in _FIELDS},
    )


def _cells(rows: object, width: int, height: int) -> bytes:
    read: tuple[str, ...] = decode(tuple[str, ...], rows, ("cells",))
    if len(read) != height or any(len(row) != width for row in read):
        raise MapFileError(f"cells: expected {height} rows of {width} letters")
    unknown = sorted({letter for row in read for letter in row} - _TO_CODES.keys())
    if unknown:
        raise MapFileError(f"cells: no terrain has the letter {unknown[0]!r}")
    return bytes(_TO_CODES[letter] for row in read for letter in row)


def _heights(rows: object, width: int, height: int) -> bytes:
    read: tuple[tuple[int, ...], ...] = decode(tuple[tuple[int, ...], ...], rows, ("heights",))
    if not read:
        return b""
    if len(read) != height or any(len(row) != width for row in read):
        raise MapFileError(f"heights: expected {height} rows of {width} numbers")
    return b"".join(step.to_bytes(1, "big", signed=True) for row in read for step in row)


def _cell(data: object, name: str) -> Cell | None:
    cell: Cell | None = decode(Cell | None, data, (name,))
    return cell
