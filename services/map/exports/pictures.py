"""Pictures from anywhere: looked at by their header first, and read only when that is sound.

A picture of a few bytes may claim a million rows, or hide gigabytes in a comment: so its size is taken from
the header, before any pixel is made, and whatever goes wrong later is a problem of the picture.

Problems
├── import_image_unreadable    not PNG, WebP or JPEG, broken, or an animation
└── import_image_too_large     more pixels, or longer sides, than a map's picture may have
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile

from services.map.exports.refusals import refusal
from services.rules.engine.problem import RuleProblem

T = TypeVar("T")
Pixels = NDArray[np.uint8]

FORMATS = ("PNG", "WEBP", "JPEG")
MAX_PIXELS = 64_000_000
MAX_SIDE = 32_767
"""Pixels along a side: one cell of the largest map at 80 pixels, and more than browsers show."""

MAX_READ_PIXELS = 144_000_000
MAX_READ_SIDE = 65_535
"""A picture up to this size may be brought; it is scaled down to the one that is kept."""

QUALITY = 92
"""Of a picture that was scaled down, as JPEG."""

RULE = "pictures"
_PATH = ("image",)
_SCAN = b"\xff\xda"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Numbers of a pixel, by the color type of a PNG."""

_WORDS = ("PNG", "WebP", "JPEG")


def size_of(image: bytes) -> tuple[int, int] | RuleProblem:
    """The size of a picture by its header, or why it is refused.

    Args:
        image: The file, trusted in nothing.

    Returns:
        Pixels across and down.
    """
    return _tried(lambda: _measured(image, MAX_PIXELS, MAX_SIDE))


def measured(image: bytes) -> tuple[int, int] | RuleProblem:
    """The size of a picture that is brought, by its header, or why it is refused even scaled down."""
    return _tried(lambda: _measured(image, MAX_READ_PIXELS, MAX_READ_SIDE))


def pixel_time(image: bytes) -> float:
    """Estimates from the head of a picture the nanoseconds that reading each of its pixels takes.

    A PNG's pixels may have eight bytes and come in seven passes. A JPEG may go over all of them again for
    every hundred bytes of its file: in scans.

    Args:
        image: A picture that `size_of` has found sound.
    """
    if image.startswith(b"\x89PNG"):
        depth, color, passes = image[24], image[25], image[28]
        once = 13 + depth * _CHANNELS.get(color, 4) / 2
        return once + 12 if passes else once
    if image.startswith(b"RIFF"):
        return 16.0 + 55.0 * len(image) / _pixels(image)
    return 14.0 + 1.3 * image.count(_SCAN)


def _pixels(image: bytes) -> int:
    size = measured(image)
    return 1 if isinstance(size, RuleProblem) else size[0] * size[1]


def read_picture(image: bytes) -> Pixels | RuleProblem:
    """The pixels of a picture, or why it is refused; three bytes each, what is clear as if it were not.

    Pictures of one channel, with a palette, of four inks (CMYK) or of 16 bits a channel are brought to that.
    """

    def read() -> Pixels | RuleProblem:
        size = _measured(image, MAX_PIXELS, MAX_SIDE)
        return size if isinstance(size, RuleProblem) else _loaded(image)

    return _tried(read)


def fitted(image: bytes) -> bytes | RuleProblem | None:
    """The picture scaled down to the size that is kept, as JPEG; None where it fits, or why it is refused.

    Args:
        image: The file, trusted in nothing; all of it is read.
    """

    def scale() -> bytes | RuleProblem | None:
        size = _measured(image, MAX_READ_PIXELS, MAX_READ_SIDE)
        if isinstance(size, RuleProblem):
            return size
        pixels = _loaded(image)
        share = min(1.0, math.sqrt(MAX_PIXELS / (size[0] * size[1])), MAX_SIDE / max(size))
        if share == 1.0:
            return None
        smaller = max(1, int(size[0] * share)), max(1, int(size[1] * share))
        out = io.BytesIO()
        Image.fromarray(pixels).resize(smaller, Image.Resampling.BOX).save(out, "JPEG", quality=QUALITY)
        return out.getvalue()

    return _tried(scale)


def _loaded(image: bytes) -> Pixels:
    with Image.open(io.BytesIO(image), formats=FORMATS) as picture:
        # Sums of every part are looked at; afterwards the file has to be opened anew.
        picture.verify()
    with Image.open(io.BytesIO(image), formats=FORMATS) as picture:
        picture.load()
        return _rgb(picture)


def _measured(image: bytes, most: int, longest: int) -> tuple[int, int] | RuleProblem:
    with Image.open(io.BytesIO(image), formats=FORMATS) as picture:
        width, height = picture.size
        if min(width, height) < 1:
            return _unreadable("The picture has no pixels.")
        if max(width, height) > longest or width * height > most:
            return _too_large(f"{width} x {height}", most, longest)
        if getattr(picture, "n_frames", 1) > 1:
            return _unreadable("The picture is an animation.")
        return width, height


def _rgb(picture: ImageFile.ImageFile) -> Pixels:
    if picture.mode.startswith(("I", "F")):
        # 16 bits a pixel: the upper half of them.
        grey = np.asarray(picture)
        if picture.mode.startswith("I"):
            grey = grey >> 8
        return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
    return np.asarray(picture.convert("RGB"))


def _tried(work: Callable[[], T | RuleProblem]) -> T | RuleProblem:
    try:
        with warnings.catch_warnings():
            # Of our own limit we tell by ourselves; there is nobody else to warn.
            warnings.simplefilter("ignore")
            return work()
    except Image.DecompressionBombError:
        return _too_large("far more", MAX_READ_PIXELS, MAX_READ_SIDE)
    except MemoryError:
        raise
    except Exception:  # decoders of broken files raise whatever they run into
        return _unreadable("The picture is broken, or neither PNG, WebP nor JPEG.")


def _unreadable(message: str) -> RuleProblem:
    return refusal("image_unreadable", message, RULE, _PATH, None, _WORDS)


def _too_large(found: str, most: int, longest: int) -> RuleProblem:
    message = f"A picture has at most {most:,} pixels, and {longest:,} along a side."
    return refusal("image_too_large", message, RULE, _PATH, found, most)
