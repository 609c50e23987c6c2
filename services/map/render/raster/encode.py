"""Pictures as files: PNG with and without a palette, WebP.

PNG is written here, not by a library: with a palette and the fastest kind of compression it takes about 2 ms
a million pixels, in full color about 20. The bytes depend on the version of zlib; who compares pictures
compares their pixels.
"""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image

from services.map.render.raster.compiled import filtered_up
from services.map.render.raster.flat import Indexed
from services.map.render.raster.limits import require_size

Pixels = npt.NDArray[np.uint8]
"""Red, green, blue and perhaps opacity of each pixel: (height, width, 3 or 4)."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PALETTE, _RGB, _RGBA = 3, 2, 6
FASTEST = 1
_STRIP = 200_000


def png(picture: Indexed | Pixels, level: int = FASTEST) -> bytes:
    """A picture as PNG.

    Args:
        picture: The picture; opacity that is full everywhere is left out of the file.
        level: 1 fastest to 9 smallest.

    Raises:
        PictureTooLargeError: It is over the limits.
        ValueError: It has no colors that PNG knows, or there is no such level.
    """
    if isinstance(picture, Indexed):
        height, width = picture.indices.shape
        require_size(width, height)
        used = int(picture.indices.max()) + 1
        palette = _chunk(b"PLTE", np.ascontiguousarray(picture.palette[:used]).tobytes())
        return _file(width, height, _PALETTE, palette, _compressed(picture.indices, level))
    pixels = opaque(picture)
    height, width, channels = pixels.shape
    require_size(width, height)
    rows = np.ascontiguousarray(pixels).reshape(height, width * channels)
    return _file(width, height, _RGBA if channels == 4 else _RGB, b"", _compressed(rows, level))


def webp(picture: Indexed | Pixels, quality: int | None = 82, effort: int = 0) -> bytes:
    """A picture as WebP.

    Args:
        picture: The picture.
        quality: 0 to 100; None for no loss at all.
        effort: 0 fastest to 6 smallest.

    Raises:
        PictureTooLargeError: It is over the limits; those of WebP itself are no wider.
        ValueError: There is no such quality or effort.
    """
    if not 0 <= effort <= 6 or not (quality is None or 0 <= quality <= 100):
        raise ValueError("quality goes from 0 to 100, effort from 0 to 6")
    pixels = picture.rgb() if isinstance(picture, Indexed) else opaque(picture)
    require_size(pixels.shape[1], pixels.shape[0])
    out = BytesIO()
    image = Image.fromarray(pixels)
    if quality is None:
        image.save(out, "WEBP", lossless=True, quality=20, method=effort, exact=True)
    else:
        image.save(out, "WEBP", quality=quality, method=effort)
    return out.getvalue()


def warm() -> None:
    """Compiles what is compiled, and loads the writer of WebP."""
    pixels = np.zeros((2, 2, 3), np.uint8)
    png(pixels)
    webp(pixels)


def opaque(pixels: Pixels) -> Pixels:
    """The picture without its opacity where that says nothing.

    Raises:
        ValueError: It has neither three nor four values a pixel.
    """
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or pixels.dtype != np.uint8:
        raise ValueError("a picture has three or four bytes a pixel")
    if pixels.shape[2] == 4 and pixels[..., 3].min() == 255:
        return np.ascontiguousarray(pixels[..., :3])
    return pixels


def _compressed(rows: npt.NDArray[np.uint8], level: int) -> bytes:
    if not 1 <= level <= 9:
        raise ValueError(f"no level of compression: {level}")
    # Compiled for one kind of array alone: of rows in order that may be written to.
    rows = np.require(rows, np.uint8, ("C", "W"))
    height, width = rows.shape
    # Rows are much alike: their differences are runs of zeros, which need no search for longer matches.
    strategy = zlib.Z_RLE if level == FASTEST else zlib.Z_DEFAULT_STRATEGY
    packer = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS, 9, strategy)
    # A strip at a time, small enough to stay in the processor's cache.
    strip = np.empty((min(height, max(1, _STRIP // (width + 1))), width + 1), np.uint8)
    parts: list[bytes] = []
    for first in range(0, height, len(strip)):
        count = min(len(strip), height - first)
        filtered_up(rows, first, count, strip)
        parts.append(packer.compress(strip[:count].data))
    return b"".join((*parts, packer.flush()))


def _file(width: int, height: int, kind: int, palette: bytes, data: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = (_SIGNATURE, _chunk(b"IHDR", header), palette, _chunk(b"IDAT", data), _chunk(b"IEND", b""))
    return b"".join(parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    check = zlib.crc32(data, zlib.crc32(name))
    return b"".join((struct.pack(">I", len(data)), name, data, struct.pack(">I", check)))
