"""What drawing takes, in milliseconds of processor time: estimated from sizes before it begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.map.formats import FLAT, PEOPLED, OutputRequest
from services.map.generation.grid.model import GridMap
from services.map.outputs import DRAWN_PIXELS, pixels_of
from services.map.render.raster.tiles import TILE
from services.shared.limits.meter import MILLISECONDS_PER_POINT, MOST_POINTS

_MILLION = 1e-6

READ = 100 * _MILLION
"""Milliseconds a byte to read a map file."""

SVG = 500 * _MILLION
"""Milliseconds a byte of the map file to write its drawing; to have it painted takes more."""

RECORDED = 2_500 * _MILLION
LISTED = 1_200 * _MILLION
"""The same for exports that are lists of things."""

FLAT_PIXEL, DRAWN_PIXEL = 18 * _MILLION, 110 * _MILLION
WEBP_PIXEL = 35 * _MILLION
BROUGHT_PIXEL = 35 * _MILLION

OVERLAY = 20.0
"""To read what lies over a picture that is not drawn: light, doors and tokens with their portraits."""

OVERLAID_PIXEL = 40 * _MILLION
"""To lay it over the picture, which has no palette from then on."""

_TILE_PIXELS = TILE * TILE


@dataclass(frozen=True, slots=True)
class Brought:
    """The picture that a map came with.

    Attributes:
        pixels: By its header.
        size: Bytes of its file.
        pixel_time: Nanoseconds that reading each pixel takes: `exports.pictures.pixel_time`.
    """

    pixels: int
    size: int
    pixel_time: float


def decoding(picture: Brought) -> float:
    """What reading a picture takes."""
    return 1.0 + (picture.pixel_time * picture.pixels + 20 * picture.size) * _MILLION


def in_parts(total: float) -> Iterator[float]:
    """Parts an amount of work into what one charge may be, for work that is larger than any request's."""
    most = MOST_POINTS * MILLISECONDS_PER_POINT
    while total > most:
        yield most
        total -= most
    yield total


def importing(size: int) -> float:
    """What reading a file that holds a map takes, beside the pixels of its picture; `size` in bytes."""
    small = min(size, 4 * 2**20)
    return 5.0 + (120 * small + 10 * (size - small)) * _MILLION


def drawing(model: object, file: int, request: OutputRequest, brought: Brought | None) -> float:
    """What a picture or an export takes that nothing is at hand for.

    Args:
        model: The map.
        file: Bytes of the map file.
        request: What is wanted.
        brought: The picture that the map came with, if any.
    """
    total = 3.0 + READ * file
    if request.format not in ("png", "webp", "svg", "uvtt"):
        return total + LISTED * file + (60.0 if request.format == "tiled-terrain" else 0.0)
    if not isinstance(model, GridMap):
        return total + 400.0 + (0.0 if request.format == "svg" else 600.0)
    if request.format == "svg":
        return total + SVG * file
    width, height = pixels_of(model, request)
    pixels = min(width * height, 64_000_000)
    if brought is not None:
        total += decoding(brought) + _overlaid(pixels, request)
        return total + (
            _tiled(brought.pixels) if request.tile else BROUGHT_PIXEL * pixels + _coded(pixels, request)
        )
    if request.format == "uvtt" or request.style == FLAT:
        total += FLAT_PIXEL * pixels + _overlaid(pixels, request)
        return total + (_tiled(pixels) if request.tile else _coded(pixels, request))
    total += RECORDED * file
    return total + (30.0 if request.tile else DRAWN_PIXEL * min(pixels, DRAWN_PIXELS))


def drawing_again(model: object, request: OutputRequest, brought: int | None) -> float:
    """What a tile takes of a picture that is at hand.

    Args:
        model: The map.
        request: What is wanted: a tile.
        brought: Pixels of the picture that the map came with, if any.
    """
    if not isinstance(model, GridMap) or (brought is None and request.style != FLAT):
        return 60.0
    width, height = pixels_of(model, request)
    return _tiled(brought or width * height) + _TILE_PIXELS * (FLAT_PIXEL + WEBP_PIXEL)


def _tiled(pixels: int) -> float:
    """A tile shows a part of the picture, at zoom 0 all of it."""
    return 5.0 + 2 * _MILLION * pixels


def _overlaid(pixels: int, request: OutputRequest) -> float:
    if not request.tokens or request.format not in PEOPLED:
        return 0.0
    return OVERLAY + OVERLAID_PIXEL * (_TILE_PIXELS if request.tile else pixels)


def _coded(pixels: int, request: OutputRequest) -> float:
    return WEBP_PIXEL * pixels if request.format == "webp" and request.longest is None else 0.0
