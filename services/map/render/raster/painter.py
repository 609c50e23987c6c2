"""Paints the SVG that our own renderers write.

Not every SVG there is: the elements and attributes that `services.map.render` uses, and an error for any
other, so that nothing is dropped in silence. (Skia's own reader of SVG knows neither symbols nor the bundled
font, and leaves out all text.) The picture is recorded once and played back for each size and each tile. Only
markup of our own builder is read here, never what somebody sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isclose
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import skia

from services.map.render.font.faces import Face
from services.map.render.raster.grain import draw_grain, grain
from services.map.render.raster.images import draw_image
from services.map.render.raster.limits import require_size
from services.map.render.raster.path_data import SHAPES, matrix_of, numbers
from services.map.render.raster.servers import gradient, pattern
from services.map.render.raster.style import Cascade, PaintError, Style, argb, color, length, reference
from services.map.render.raster.typeset import set_line, typeface

Pixels = npt.NDArray[np.uint8]
"""Red, green, blue and opacity of each pixel, row by row: (height, width, 4), not premultiplied."""

_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_SVG = "{http://www.w3.org/2000/svg}"
_UNPAINTED = frozenset({"title", "desc", "defs", "symbol", "linearGradient", "radialGradient"}) | {
    "clipPath",
    "pattern",
    "filter",
}
_COMMON = frozenset(
    {"id", "role", "class", "transform", "opacity", "clip-path", "filter", "font-family", "overflow"}
)
_PLACED = {
    "g": _COMMON,
    "text": _COMMON | {"x", "y", "textLength", "lengthAdjust"},
    "use": _COMMON | {"x", "y", "width", "height", *_HREFS},
    "image": _COMMON | {"x", "y", "width", "height", "href"},
}
_ROOT = _COMMON | {"viewBox", "width", "height", "version"}
_INITIAL = Style()
_DEPTH = 24
"""How deep a `use` may lead into others; a ring of them has no bottom."""


class Recorded:
    """A picture read once, to be painted in any size and in parts.

    Attributes:
        width: Width in user units, which are pixels at scale 1.
        height: Height likewise.
    """

    __slots__ = ("_picture", "height", "width")

    def __init__(self, svg: str) -> None:
        """Reads a picture.

        Raises:
            PaintError: It holds something that this painter does not paint.
        """
        try:
            root = ElementTree.fromstring(svg.encode())
        except ElementTree.ParseError as error:
            raise PaintError(f"no XML: {error}") from error
        for node in root.iter():
            node.tag = node.tag.removeprefix(_SVG)
        if root.tag != "svg":
            raise PaintError(f"no svg: {root.tag}")
        get = root.attrib
        box = numbers(get["viewBox"]) if "viewBox" in get else [0.0, 0.0, 0.0, 0.0]
        self.width = length(get["width"]) if "width" in get else box[2]
        self.height = length(get["height"]) if "height" in get else box[3]
        if min(self.width, self.height) <= 0 or len(box) != 4:
            raise PaintError("a picture without a size")
        recorder = skia.PictureRecorder()
        # The tree of boxes lets a tile skip what lies outside of it.
        canvas = recorder.beginRecording(skia.Rect.MakeWH(self.width, self.height), skia.RTreeFactory()())
        canvas.clipRect(skia.Rect.MakeWH(self.width, self.height))
        if "viewBox" in get:
            scale = self.width / box[2]
            if not isclose(scale, self.height / box[3], rel_tol=1e-3):
                raise PaintError("a viewBox of another shape than the picture")
            canvas.scale(scale, scale)
            canvas.translate(-box[0], -box[1])
        _Walk(root).draw(canvas)
        self._picture = recorder.finishRecordingAsPicture()

    def size(self, scale: float) -> tuple[int, int]:
        """Pixels across and down at a scale."""
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    def paint(self, scale: float = 1.0) -> Pixels:
        """Paints all of it.

        Args:
            scale: Pixels a user unit.

        Raises:
            PictureTooLargeError: It would be over the limits.
        """
        across, down = self.size(scale)
        # Whole pixels alone: the last ones are as full as the others.
        return self._painted(across, down, across / self.width, down / self.height, 0, 0)

    def part(self, scale: float, x: int, y: int, width: int, height: int) -> Pixels:
        """Paints a part of it.

        Args:
            scale: Pixels a user unit.
            x: Left edge of the part, in pixels of the whole.
            y: Top edge.
            width: Pixels across; what lies outside the picture is left empty.
            height: Pixels down.

        Raises:
            PictureTooLargeError: The part would be over the limits.
        """
        return self._painted(width, height, scale, scale, x, y)

    def _painted(self, width: int, height: int, across: float, down: float, x: int, y: int) -> Pixels:
        require_size(width, height)
        pixels = np.zeros((height, width, 4), np.uint8)
        self._played(pixels, across, down, x, y)
        return pixels

    def paint_over(self, pixels: Pixels, scale: float, x: int, y: int) -> None:
        """Paints a part of it over a part of another picture.

        Args:
            pixels: The part of the other picture, which is changed.
            scale: Pixels a user unit.
            x: Left edge of the part, in pixels of the whole.
            y: Top edge.
        """
        self._played(pixels, scale, scale, x, y)

    def _played(self, pixels: Pixels, across: float, down: float, x: int, y: int) -> None:
        # Not premultiplied, as encoders want it; Skia even paints so at half the time.
        surface = skia.Surface(
            pixels, skia.ColorType.kRGBA_8888_ColorType, skia.AlphaType.kUnpremul_AlphaType
        )
        canvas = surface.getCanvas()
        canvas.translate(-x, -y)
        canvas.scale(across, down)
        self._picture.playback(canvas)


def paint(svg: str, scale: float = 1.0) -> Pixels:
    """Paints a picture.

    Args:
        svg: The text of an SVG from our renderers.
        scale: Pixels a user unit.

    Raises:
        PaintError: It holds something that this painter does not paint.
        PictureTooLargeError: The picture would be over the limits.
    """
    return Recorded(svg).paint(scale)


def paint_part(svg: str, scale: float, x: int, y: int, width: int, height: int) -> Pixels:
    """Paints a part of a picture; who wants several parts keeps a `Recorded`.

    Args:
        svg: The text of an SVG from our renderers.
        scale: Pixels a user unit.
        x: Left edge of the part, in pixels of the whole.
        y: Top edge.
        width: Pixels across.
        height: Pixels down.

    Raises:
        PaintError: It holds something that this painter does not paint.
        PictureTooLargeError: The part would be over the limits.
    """
    return Recorded(svg).part(scale, x, y, width, height)


def warm() -> None:
    """Loads the faces, so that the first picture is as fast as the others."""
    for face in Face:
        typeface(face)
    paint('<svg width="8" height="8"><text y="8">a</text></svg>')


class _Walk:
    """Walks through the elements and draws them."""

    def __init__(self, root: ElementTree.Element) -> None:
        self._by_id = {node.attrib["id"]: node for node in root.iter() if "id" in node.attrib}
        self._root = root
        self._cascade = Cascade()
        self._brushes: dict[tuple[int, bool, float], skia.Paint] = {}
        self._paths: dict[ElementTree.Element, skia.Path] = {}
        self._patterns: dict[str, skia.Shader] = {}
        self._depth = 0

    def draw(self, canvas: skia.Canvas) -> None:
        """Draws the whole picture."""
        root = self._root
        self._children(canvas, root, self._cascade.inherited(_INITIAL, root.attrib, _ROOT))

    def _children(self, canvas: skia.Canvas, parent: ElementTree.Element, style: Style) -> None:
        for node in parent:
            self._node(canvas, node, style)

    def _node(self, canvas: skia.Canvas, node: ElementTree.Element, style: Style) -> None:
        tag = node.tag
        if tag in SHAPES:
            own = self._cascade.inherited(style, node.attrib, _COMMON | SHAPES[tag][0])
            if not node.attrib.keys() & {"transform", "opacity", "clip-path", "filter"}:
                self._shape(canvas, self._outline(node), own, 1.0)
            else:
                self._placed(canvas, node, own)
        elif tag in _PLACED:
            self._placed(canvas, node, self._cascade.inherited(style, node.attrib, _PLACED[tag]))
        elif tag == "style":
            if not (node.text or "").startswith("@font-face"):
                raise PaintError("a style sheet of more than fonts")
        elif tag not in _UNPAINTED:
            raise PaintError(f"unknown element: {tag}")

    def _placed(self, canvas: skia.Canvas, node: ElementTree.Element, style: Style) -> None:
        """Draws an element that may be moved, clipped or faint."""
        get = node.attrib
        opacity = length(get.get("opacity", "1"))
        if opacity <= 0:
            return
        before = canvas.save()
        if "transform" in get:
            canvas.concat(matrix_of(get["transform"]))
        if get.get("clip-path", "none") != "none":
            canvas.clipPath(self._clip(get["clip-path"]), True)
        if node.tag in SHAPES:
            path = self._outline(node)
            if "filter" in get:
                self._grain(canvas, get["filter"], path, opacity)
            else:
                self._shape(canvas, path, style, opacity)
        elif "filter" in get:
            raise PaintError(f"a filter on {node.tag}")
        else:
            if opacity < 1:
                canvas.saveLayerAlpha(None, round(255 * opacity))
            match node.tag:
                case "g":
                    self._children(canvas, node, style)
                case "text":
                    self._text(canvas, node, style)
                case "image":
                    draw_image(canvas, get)
                case _:
                    self._use(canvas, node, style)
        canvas.restoreToCount(before)

    def _outline(self, node: ElementTree.Element) -> skia.Path:
        path = self._paths.get(node)
        if path is None:
            path = self._paths[node] = SHAPES[node.tag][1](node.attrib)
        return path

    def _shape(self, canvas: skia.Canvas, path: skia.Path, style: Style, opacity: float) -> None:
        filled, stroked = style.fill != "none", style.stroke != "none" and style.stroke_width > 0
        if opacity < 1 and filled and stroked:
            # Where the stroke lies over the fill the two are one, only fainter.
            around = path.getBounds().makeOutset(
                style.stroke_width * style.miter, style.stroke_width * style.miter
            )
            canvas.saveLayerAlpha(around, round(255 * opacity))
            self._shape(canvas, path, style, 1.0)
            canvas.restore()
            return
        if filled and path.getFillType() != style.fill_type:
            path.setFillType(style.fill_type)
        for stroke in (True, False) if style.stroke_first else (False, True):
            if stroke and stroked:
                brush = self._brush(style, path, opacity, stroke=True)
            elif not stroke and filled:
                brush = self._brush(style, path, opacity, stroke=False)
            else:
                continue
            if brush is not None:
                canvas.drawPath(path, brush)

    def _brush(
        self, style: Style, path: skia.Path | None, opacity: float, *, stroke: bool
    ) -> skia.Paint | None:
        """What an outline is filled or drawn with; None when nothing would be seen."""
        key = (id(style), stroke, opacity)
        if key in self._brushes:
            return self._brushes[key]
        source = style.stroke if stroke else style.fill
        opacity *= style.stroke_opacity if stroke else style.fill_opacity
        brush = skia.Paint(AntiAlias=style.smooth)
        name = reference(source)
        if name is None:
            rgb, own = color(source)
            brush.setColor(argb(rgb, opacity * own))
        else:
            shader = self._shader(name, path)
            if shader is None:
                return None
            brush.setShader(shader)
            brush.setAlphaf(opacity)
        if stroke:
            brush.setStyle(skia.Paint.kStroke_Style)
            brush.setStrokeWidth(style.stroke_width)
            brush.setStrokeCap(style.cap)
            brush.setStrokeJoin(style.join)
            brush.setStrokeMiter(style.miter)
            if style.dashes:
                brush.setPathEffect(skia.DashPathEffect.Make(list(style.dashes), style.dash_offset))
        if name is None:
            # Paint servers may depend on the shape; all else is the same for the next one.
            self._brushes[key] = brush
        return brush

    def _named(self, name: str, tags: Iterable[str]) -> ElementTree.Element:
        node = self._by_id.get(name)
        if node is None or node.tag not in tags:
            raise PaintError(f"no {' or '.join(tags)} is called {name}")
        return node

    def _shader(self, name: str, path: skia.Path | None) -> skia.Shader | None:
        node = self._named(name, ("linearGradient", "radialGradient", "pattern"))
        if node.tag != "pattern":
            if path is None and node.attrib.get("gradientUnits") != "userSpaceOnUse":
                raise PaintError("text filled with a gradient of its own box")
            return gradient(node, path.computeTightBounds() if path is not None else skia.Rect())
        if name not in self._patterns:
            self._enter()
            self._patterns[name] = pattern(node, lambda canvas: self._children(canvas, node, _INITIAL))
            self._depth -= 1
        return self._patterns[name]

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > _DEPTH:
            raise PaintError("elements that use one another without end")

    def _clip(self, text: str) -> skia.Path:
        node = self._named(reference(text) or "", ("clipPath",))
        if node.attrib.keys() - {"id", "clipPathUnits", "transform", "clip-rule"}:
            raise PaintError("a clipPath with more than a name and a transform")
        if node.attrib.get("clipPathUnits", "userSpaceOnUse") != "userSpaceOnUse":
            raise PaintError("a clipPath in other units than userSpaceOnUse")
        style = self._cascade.inherited(
            _INITIAL, node.attrib, frozenset({"id", "clipPathUnits", "transform"})
        )
        parts: list[skia.Path] = []
        for child in node:
            if child.tag not in SHAPES or child.attrib.keys() & {"clip-path", "filter"}:
                raise PaintError(f"{child.tag} in a clipPath")
            own = self._cascade.inherited(style, child.attrib, _COMMON | SHAPES[child.tag][0])
            part = skia.Path(self._outline(child))
            part.setFillType(own.clip_type)
            if "transform" in child.attrib:
                part.transform(matrix_of(child.attrib["transform"]))
            parts.append(part)
        whole = parts[0] if len(parts) == 1 else _union(parts)
        if "transform" in node.attrib:
            whole.transform(matrix_of(node.attrib["transform"]))
        return whole

    def _grain(self, canvas: skia.Canvas, text: str, path: skia.Path, opacity: float) -> None:
        node = self._named(reference(text) or "", ("filter",))
        if node.attrib.keys() - {"id", "x", "y", "width", "height"}:
            raise PaintError("a filter with unknown attributes")
        if [node.attrib.get(name) for name in ("x", "y", "width", "height")] != ["0%", "0%", "100%", "100%"]:
            raise PaintError("a filter over another box than that of its shape")
        box = path.getBounds()
        draw_grain(canvas, grain(node, box.width(), box.height()), box, opacity)

    def _text(self, canvas: skia.Canvas, node: ElementTree.Element, style: Style) -> None:
        get = node.attrib
        if len(node):
            raise PaintError(f"{node[0].tag} in a text")
        wanted = length(get["textLength"]) if "textLength" in get else None
        adjust = get.get("lengthAdjust", "spacing")
        if adjust not in ("spacing", "spacingAndGlyphs"):
            raise PaintError(f"unknown lengthAdjust: {adjust}")
        line = set_line(node.text or "", style, wanted, stretched=adjust == "spacingAndGlyphs")
        if line is None:
            return
        canvas.save()
        canvas.translate(length(get.get("x", "0")) + line.left, length(get.get("y", "0")))
        if line.stretch != 1:
            canvas.scale(line.stretch, 1.0)
        for stroke in (True, False) if style.stroke_first else (False, True):
            if (style.stroke if stroke else style.fill) == "none" or (stroke and style.stroke_width <= 0):
                continue
            brush = self._brush(style, None, 1.0, stroke=stroke)
            if brush is not None:
                canvas.drawTextBlob(line.blob, 0.0, 0.0, brush)
        canvas.restore()

    def _use(self, canvas: skia.Canvas, node: ElementTree.Element, style: Style) -> None:
        get = node.attrib
        target = next((get[name] for name in _HREFS if name in get), "")
        if not target.startswith("#"):
            raise PaintError(f"a use of something outside the picture: {target!r}")
        used = self._named(target[1:], ("symbol", "g", "text", "use", *SHAPES))
        canvas.translate(length(get.get("x", "0")), length(get.get("y", "0")))
        self._enter()
        if used.tag == "symbol":
            self._symbol(canvas, used, get.get("width"), get.get("height"), style)
        else:
            self._node(canvas, used, style)
        self._depth -= 1

    def _symbol(
        self,
        canvas: skia.Canvas,
        symbol: ElementTree.Element,
        width: str | None,
        height: str | None,
        style: Style,
    ) -> None:
        get = symbol.attrib
        own = self._cascade.inherited(style, get, frozenset({"id", "viewBox", "overflow", "width", "height"}))
        across = width or get.get("width") or self._root.attrib.get("width", "0")
        down = height or get.get("height") or self._root.attrib.get("height", "0")
        room = skia.Rect.MakeWH(length(across), length(down))
        if get.get("overflow", "hidden") == "hidden":
            canvas.clipRect(room, True)
        if "viewBox" in get:
            left, top, wide, high = numbers(get["viewBox"])
            scale = min(room.width() / wide, room.height() / high)
            canvas.translate((room.width() - wide * scale) / 2, (room.height() - high * scale) / 2)
            canvas.scale(scale, scale)
            canvas.translate(-left, -top)
        self._children(canvas, symbol, own)


def _union(parts: list[skia.Path]) -> skia.Path:
    builder = skia.OpBuilder()
    for part in parts:
        builder.add(part, skia.PathOp.kUnion_PathOp)
    return builder.resolve()
