"""Small pictures of large ones, each pixel the mean of the area it stands for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

from services.map.render.raster.flat import Indexed
from services.rules.engine.problem import KeyPath, RuleProblem

MIN_SIDE = 64
"""Pixels along the longer side of the smallest thumbnail."""

MAX_SIDE = 512
"""Pixels along the longer side of the largest."""


def side_problem(longest: int, path: KeyPath = ()) -> RuleProblem | None:
    """Why a thumbnail of this size is refused; None when it is not.

    Args:
        longest: Pixels along its longer side.
        path: The part of the request that asks for it.
    """
    if MIN_SIDE <= longest <= MAX_SIDE:
        return None
    return RuleProblem(
        "thumbnail_side",
        f"The longer side of a thumbnail has {MIN_SIDE} to {MAX_SIDE} pixels.",
        "pictures",
        path,
        found=longest,
        allowed=(MIN_SIDE, MAX_SIDE),
    )


def thumbnail(picture: Indexed | npt.NDArray[np.uint8], longest: int) -> npt.NDArray[np.uint8]:
    """A picture made small; one that is small already stays as it is.

    Args:
        picture: The picture, of indices or of three or four bytes a pixel.
        longest: Pixels along the longer side, `MIN_SIDE` to `MAX_SIDE`.

    Returns:
        Three bytes a pixel, or four where the picture has four.

    Raises:
        ValueError: The thumbnail would be too small or too large.
    """
    problem = side_problem(longest)
    if problem is not None:
        raise ValueError(str(problem))
    if isinstance(picture, Indexed):
        height, width = picture.indices.shape
        image = Image.fromarray(picture.indices)
        image.putpalette(picture.palette.tobytes())
        image = image.convert("RGB")
    else:
        height, width = picture.shape[:2]
        image = Image.fromarray(np.ascontiguousarray(picture))
    share = longest / max(width, height)
    if share < 1:
        size = max(1, round(width * share)), max(1, round(height * share))
        # Opacity weighs the colors: what is clear has none to give.
        image = image.resize(size, Image.Resampling.BOX, reducing_gap=3.0)
    return np.array(image, np.uint8)
