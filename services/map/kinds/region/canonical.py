"""A region as a map file: plain JSON data, and back again without loss.

Biomes, grounds and weather are rows of letters, one a cell or square, so that a map can be read by eye;
heights are the base64 of signed 16-bit numbers, low byte first, row by row from the north. Nothing is
compressed: the bytes of compression differ between libraries. The seed is a string, because readers in other
languages keep only 53 bits of a number.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any, get_type_hints

import orjson

from services.map.generation.kind import MapFileError
from services.map.kinds.region.model import BIOME_LETTERS, GROUND_LETTERS, RegionMap
from services.map.kinds.region.parameters import FURLONGS, SIDES
from services.rules.engine.codec import CodecError, decode
from services.rules.engine.problem import path_text

FORMAT = "hearthforge-region"
FORMAT_VERSION = 1

_PLAIN = ("title", "shape", "climate", "rainfall", "relief", "season", "furlongs", "width", "height")
_LISTS = ("rivers", "lakes", "settlements", "ways", "features", "sites", "zones")
_HINTS = get_type_hints(RegionMap)
_SQUARES = (4, 256)


def to_bytes(model: RegionMap) -> bytes:
    """The map file: the same bytes for equal maps, in every process."""
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "kind": "region",
        "generator_version": model.generator_version,
        "seed": str(model.seed),
        "attempt": model.attempt,
        "land_percent": model.land_percent,
        "weather_side": model.weather_side,
        "biomes": letter_rows(model.biomes, BIOME_LETTERS, model.width),
        "ground": letter_rows(model.ground, GROUND_LETTERS, model.width),
        "heights": b64encode(model.heights).decode(),
        "weather": letter_rows(model.weather, _zone_letters(model), -(-model.width // model.weather_side)),
    }
    # orjson writes the dataclasses itself: this is on the way of every map of a batch.
    return orjson.dumps(document | {name: getattr(model, name) for name in (*_PLAIN, *_LISTS)})


def from_data(data: Mapping[str, Any]) -> RegionMap:
    """The map that `to_bytes` wrote.

    Raises:
        MapFileError: The data is no region of this format version.
    """
    if data.get("format") != FORMAT or data.get("format_version") != FORMAT_VERSION:
        found = f"{data.get('format')} {data.get('format_version')}"
        raise MapFileError(f"expected {FORMAT} {FORMAT_VERSION}, found {found}")
    try:
        return _read(data)
    except CodecError as error:
        raise MapFileError(f"{path_text(error.path)}: expected {error.expected}") from error
    except KeyError as error:
        raise MapFileError(f"the key {error.args[0]} is missing") from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, MapFileError):
            raise
        raise MapFileError(f"a value is not of its type: {error}") from error


def _zone_letters(model: RegionMap) -> str:
    return "".join(zone.letter for zone in model.zones)


def letter_rows(codes: bytes, letters: str, width: int) -> tuple[str, ...]:
    """Cells as rows of letters.

    Args:
        codes: A byte a cell, row by row.
        letters: The letter of each code.
        width: Cells in a row.
    """
    text = codes.translate(bytes.maketrans(bytes(range(len(letters))), letters.encode())).decode()
    return tuple(text[start : start + width] for start in range(0, len(text), width))


def _read(data: Mapping[str, Any]) -> RegionMap:
    fields: dict[str, Any] = {
        name: decode(_HINTS[name], data[name], (name,))
        for name in (*_PLAIN, *_LISTS, "generator_version", "attempt", "land_percent", "weather_side")
    }
    width, height, side = fields["width"], fields["height"], fields["weather_side"]
    _within("width", width, SIDES)
    _within("height", height, SIDES)
    _within("furlongs", fields["furlongs"], FURLONGS)
    _within("weather_side", side, _SQUARES)
    zones: Sequence[Any] = fields["zones"]
    letters = "".join(zone.letter for zone in zones)
    if len(set(letters)) != len(zones) or len(letters) != len(zones) or not letters.isascii():
        raise MapFileError("zones: expected one ASCII letter each, all different")
    return RegionMap(
        seed=int(data["seed"]),
        heights=_heights(data["heights"], width * height),
        biomes=_codes("biomes", data["biomes"], BIOME_LETTERS, width, height),
        ground=_codes("ground", data["ground"], GROUND_LETTERS, width, height),
        weather=_codes("weather", data["weather"], letters, -(-width // side), -(-height // side)),
        **fields,
    )


def _within(name: str, value: int, limits: tuple[int, int]) -> None:
    if not limits[0] <= value <= limits[1]:
        raise MapFileError(f"{name}: expected {limits[0]} to {limits[1]}, found {value}")


def _codes(name: str, rows: object, letters: str, width: int, height: int) -> bytes:
    read: tuple[str, ...] = decode(tuple[str, ...], rows, (name,))
    if len(read) != height or any(len(row) != width for row in read):
        raise MapFileError(f"{name}: expected {height} rows of {width} letters")
    text = "".join(read)
    unknown = sorted(set(text) - set(letters))
    if unknown:
        raise MapFileError(f"{name}: there is no letter {unknown[0]!r}")
    return text.encode().translate(bytes.maketrans(letters.encode(), bytes(range(len(letters)))))


def _heights(text: object, cells: int) -> bytes:
    try:
        heights = b64decode(decode(str, text, ("heights",)), validate=True)
    except binascii.Error as error:
        raise MapFileError(f"heights: not base64: {error}") from error
    if len(heights) != 2 * cells:
        raise MapFileError(f"heights: expected {2 * cells} bytes, found {len(heights)}")
    return heights
