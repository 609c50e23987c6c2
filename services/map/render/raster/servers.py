"""Paint servers: gradients and patterns as Skia's shaders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from xml.etree.ElementTree import Element

import skia

from services.map.render.raster.path_data import matrix_of
from services.map.render.raster.style import PaintError, argb, color, length

_SPREADS = MappingProxyType(
    {"pad": skia.TileMode.kClamp, "reflect": skia.TileMode.kMirror, "repeat": skia.TileMode.kRepeat}
)
_SHARED = frozenset({"id", "gradientUnits", "gradientTransform", "spreadMethod"})
_LINEAR = frozenset({"x1", "y1", "x2", "y2"})
_RADIAL = frozenset({"cx", "cy", "r", "fx", "fy"})
_STOP = frozenset({"offset", "stop-color", "stop-opacity"})
_PATTERN = frozenset({"id", "patternUnits", "patternTransform", "x", "y", "width", "height"})


def _only(element: Element, known: frozenset[str]) -> Mapping[str, str]:
    unknown = element.attrib.keys() - known
    if unknown:
        raise PaintError(f"unknown attributes of {element.tag}: {', '.join(sorted(unknown))}")
    return element.attrib


def _part(text: str) -> float:
    """A number, or a percentage as a share."""
    return length(text[:-1]) / 100 if text.endswith("%") else length(text)


def _stops(element: Element) -> tuple[list[int], list[float]]:
    colors: list[int] = []
    places: list[float] = []
    for stop in element:
        if stop.tag != "stop":
            raise PaintError(f"{stop.tag} in a gradient")
        get = _only(stop, _STOP)
        rgb, opacity = color(get.get("stop-color", "#000000"))
        colors.append(argb(rgb, opacity * length(get.get("stop-opacity", "1"))))
        place = min(1.0, max(0.0, _part(get.get("offset", "0"))))
        places.append(max(place, places[-1]) if places else place)
    if not colors:
        raise PaintError("a gradient without stops")
    if len(colors) == 1:
        colors, places = colors * 2, [0.0, 1.0]
    return colors, places


def gradient(element: Element, box: skia.Rect) -> skia.Shader | None:
    """The shader of a gradient.

    Args:
        element: A `linearGradient` or `radialGradient`.
        box: Around the shape that it fills.

    Returns:
        The shader; None when the box is empty, so that nothing is painted.

    Raises:
        PaintError: It holds something unknown.
    """
    linear = element.tag == "linearGradient"
    get = _only(element, _SHARED | (_LINEAR if linear else _RADIAL))
    local = skia.Matrix()
    match get.get("gradientUnits", "objectBoundingBox"):
        case "objectBoundingBox":
            if box.width() <= 0 or box.height() <= 0:
                return None
            local = skia.Matrix.MakeAll(
                box.width(), 0.0, box.left(), 0.0, box.height(), box.top(), 0.0, 0.0, 1.0
            )
            part = _part
        case "userSpaceOnUse":
            # Percentages of the viewport are nothing that our renderers write.
            part = length
        case other:
            raise PaintError(f"unknown units: {other}")
    if "gradientTransform" in get:
        local = skia.Matrix.Concat(local, matrix_of(get["gradientTransform"]))
    spread = _SPREADS.get(get.get("spreadMethod", "pad"))
    if spread is None:
        raise PaintError(f"unknown spread: {get['spreadMethod']}")
    colors, places = _stops(element)
    if linear:
        ends = [
            skia.Point(part(get.get("x1", "0")), part(get.get("y1", "0"))),
            skia.Point(part(get.get("x2", "1")), part(get.get("y2", "0"))),
        ]
        return skia.GradientShader.MakeLinear(ends, colors, places, spread, 0, local)
    cx, cy, radius = (part(get.get(name, "0.5")) for name in ("cx", "cy", "r"))
    fx, fy = part(get.get("fx", str(cx))), part(get.get("fy", str(cy)))
    if (fx, fy) == (cx, cy):
        return skia.GradientShader.MakeRadial(skia.Point(cx, cy), radius, colors, places, spread, 0, local)
    return skia.GradientShader.MakeTwoPointConical(
        skia.Point(fx, fy), 0.0, skia.Point(cx, cy), radius, colors, places, spread, 0, local
    )


def pattern(element: Element, draw: Callable[[skia.Canvas], None]) -> skia.Shader:
    """The shader of a pattern that repeats in user space.

    Args:
        element: A `pattern`.
        draw: Draws its children.

    Raises:
        PaintError: It is counted in other units, or holds something unknown.
    """
    get = _only(element, _PATTERN)
    if get.get("patternUnits") != "userSpaceOnUse":
        raise PaintError("a pattern in other units than userSpaceOnUse")
    x, y, width, height = (length(get.get(name, "0")) for name in ("x", "y", "width", "height"))
    tile = skia.Rect.MakeWH(width, height)
    if tile.isEmpty():
        raise PaintError("a pattern without a size")
    recorder = skia.PictureRecorder()
    draw(recorder.beginRecording(tile))
    # What a pattern holds is counted from the corner of its tile, as browsers do.
    local = skia.Matrix.Concat(matrix_of(get.get("patternTransform", "")), skia.Matrix.Translate(x, y))
    return recorder.finishRecordingAsPicture().makeShader(
        skia.TileMode.kRepeat, skia.TileMode.kRepeat, skia.FilterMode.kLinear, local, tile
    )
