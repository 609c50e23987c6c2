"""The grain of paper: the one filter our SVG uses, fractal noise turned into clouds of one color.

The noise is smooth, so it is worked out at a fourth of the picture's resolution and drawn enlarged: nobody
sees a difference, and it takes a sixteenth of the time.
"""

from __future__ import annotations

from functools import lru_cache
from xml.etree.ElementTree import Element

import skia

from services.map.render.raster.path_data import numbers
from services.map.render.raster.style import PaintError, length

_COARSE = 4


def grain(element: Element, width: float, height: float) -> skia.Image:
    """The noise of a filter over a box.

    Args:
        element: The `filter`: an `feTurbulence` of fractal noise, then an `feColorMatrix`.
        width: Of the box, in user units.
        height: Likewise.

    Returns:
        The clouds, `COARSE` user units a pixel.

    Raises:
        PaintError: It is another filter.
    """
    steps = list(element)
    if [step.tag for step in steps] != ["feTurbulence", "feColorMatrix"]:
        raise PaintError("a filter other than the grain of paper")
    noise, colors = steps[0].attrib, steps[1].attrib
    if noise.keys() - {"type", "baseFrequency", "numOctaves", "seed"} or noise.get("type") != "fractalNoise":
        raise PaintError("noise other than fractal noise")
    if colors.keys() != {"type", "values"} or colors["type"] != "matrix":
        raise PaintError("colors of a grain other than a matrix")
    frequency = numbers(noise["baseFrequency"])
    matrix = numbers(colors["values"])
    if len(matrix) != 20 or not 1 <= len(frequency) <= 2:
        raise PaintError("a grain with too few numbers")
    return _clouds(
        frequency[0],
        frequency[-1],
        int(noise.get("numOctaves", "1")),
        length(noise.get("seed", "0")),
        tuple(matrix),
        -int(-width // _COARSE),
        -int(-height // _COARSE),
    )


@lru_cache(maxsize=4)
def _clouds(
    across: float,
    down: float,
    octaves: int,
    seed: float,
    matrix: tuple[float, ...],
    width: int,
    height: int,
) -> skia.Image:
    shader = skia.PerlinNoiseShader.MakeFractalNoise(across * _COARSE, down * _COARSE, octaves, seed)
    # Filters count in linear light unless told otherwise.
    tint = skia.ColorFilters.LinearToSRGBGamma().makeComposed(skia.ColorFilters.Matrix(list(matrix)))
    surface = skia.Surface(width, height)
    surface.getCanvas().drawPaint(skia.Paint(Shader=shader, ColorFilter=tint))
    return surface.makeImageSnapshot()


def draw_grain(canvas: skia.Canvas, image: skia.Image, box: skia.Rect, opacity: float) -> None:
    """Draws the clouds over a box, enlarged."""
    paint = skia.Paint(Alphaf=opacity)
    source = skia.Rect.MakeWH(box.width() / _COARSE, box.height() / _COARSE)
    canvas.save()
    canvas.clipRect(box)
    canvas.drawImageRect(image, source, box, skia.SamplingOptions(skia.FilterMode.kLinear), paint)
    canvas.restore()
