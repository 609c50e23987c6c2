"""Shapes of SVG as Skia's paths, and transforms as its matrices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import skia

from services.map.render.raster.style import PaintError, length

_COMMANDS = re.compile("([A-DF-Za-df-z])")
_NUMBERS = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRANSFORMS = re.compile(r"\s*,?\s*(\w+)\s*\(([^()]*)\)")

_ARC_SIZE = MappingProxyType(
    {
        0.0: skia.Path.ArcSize.kSmall_ArcSize,
        1.0: skia.Path.ArcSize.kLarge_ArcSize,
    }
)
_SWEEP = MappingProxyType({0.0: skia.PathDirection.kCCW, 1.0: skia.PathDirection.kCW})


def numbers(text: str) -> list[float]:
    """The numbers in a list of them, however they are parted.

    Raises:
        PaintError: Something else is among them.
    """
    try:
        # What our own builder writes needs no more than this, and this is much the fastest.
        return list(map(float, text.replace(",", " ").split()))
    except ValueError:
        pass
    if _NUMBERS.sub("", text).strip(" ,\t\r\n"):
        raise PaintError(f"no numbers: {text!r}")
    return list(map(float, _NUMBERS.findall(text)))


def path_of(d: str) -> skia.Path:
    """The path that path data describe.

    Raises:
        PaintError: The data cannot be read.
    """
    path = skia.Path()
    parts = _COMMANDS.split(d)
    if parts[0].strip():
        raise PaintError(f"path data begin with no command: {d[:40]!r}")
    if len(parts) > 1 and parts[1] not in "Mm":
        raise PaintError(f"path data begin with no move: {d[:40]!r}")
    pen = _Pen(path)
    mirrors = not {"S", "s", "T", "t"}.isdisjoint(parts)
    for command, text in zip(parts[1::2], parts[2::2], strict=True):
        values = numbers(text)
        plain = _PLAIN.get(command)
        # Nearly all of what we write is one step a letter; only smooth curves ask what came before.
        if plain is not None and len(values) == plain[1] and not mirrors:
            plain[0](path, *values)
            pen.closed = command in "Zz"
        else:
            pen.obey(command, values)
    return path


_PLAIN: Mapping[str, tuple[Callable[..., object], int]] = MappingProxyType(
    {
        "M": (skia.Path.moveTo, 2),
        "m": (skia.Path.rMoveTo, 2),
        "L": (skia.Path.lineTo, 2),
        "l": (skia.Path.rLineTo, 2),
        "C": (skia.Path.cubicTo, 6),
        "c": (skia.Path.rCubicTo, 6),
        "Q": (skia.Path.quadTo, 4),
        "q": (skia.Path.rQuadTo, 4),
        "Z": (skia.Path.close, 0),
        "z": (skia.Path.close, 0),
    }
)


class _Pen:
    """Draws one path, command by command; `closed` tells that the last one closed an outline."""

    __slots__ = ("_mirror", "_mirrored", "_path", "closed")

    def __init__(self, path: skia.Path) -> None:
        self._path = path
        self.closed = False
        self._mirror = (0.0, 0.0)
        self._mirrored = ""

    def obey(self, command: str, values: list[float]) -> None:
        """Carries out one command with all its values.

        Raises:
            PaintError: It has too few or too many.
        """
        path, kind = self._path, command.upper()
        relative = command != kind
        width = _WIDTHS.get(kind)
        if width is None:
            raise PaintError(f"unknown path command: {command}")
        if (len(values) % width or not values) if width else values:
            raise PaintError(f"path command {command} with {len(values)} numbers")
        match kind:
            case "Z":
                path.close()
            case "M":
                (path.rMoveTo if relative else path.moveTo)(values[0], values[1])
                line = path.rLineTo if relative else path.lineTo
                for i in range(2, len(values), 2):
                    line(values[i], values[i + 1])
            case "L":
                line = path.rLineTo if relative else path.lineTo
                for i in range(0, len(values), 2):
                    line(values[i], values[i + 1])
            case "H" | "V":
                self._straight(kind, relative, values)
            case "C" if relative:
                self._each(path.rCubicTo, values, 6)
            case "C":
                self._each(path.cubicTo, values, 6)
            case "Q" if relative:
                self._each(path.rQuadTo, values, 4)
            case "Q":
                self._each(path.quadTo, values, 4)
            case "A":
                self._arcs(relative, values)
            case _:
                self._smooth(kind, relative, values)
        self.closed = kind == "Z"
        if kind not in "ST":
            self._remember(kind)

    @staticmethod
    def _each(draw: Callable[..., object], values: list[float], width: int) -> None:
        for i in range(0, len(values), width):
            draw(*values[i : i + width])

    def _here(self) -> skia.Point:
        """Where the pen is: at its start after a closed outline, which Skia tells only by moving."""
        if self.closed:
            self._path.rMoveTo(0.0, 0.0)
            self.closed = False
        return self._path.getPoint(self._path.countPoints() - 1)

    def _straight(self, kind: str, relative: bool, values: list[float]) -> None:
        path = self._path
        for value in values:
            if relative:
                path.rLineTo(value, 0.0) if kind == "H" else path.rLineTo(0.0, value)
                continue
            last = self._here()
            path.lineTo(value, last.y()) if kind == "H" else path.lineTo(last.x(), value)

    def _arcs(self, relative: bool, values: list[float]) -> None:
        draw = self._path.rArcTo if relative else self._path.arcTo
        for i in range(0, len(values), 7):
            rx, ry, turn, large, sweep, x, y = values[i : i + 7]
            if large not in _ARC_SIZE or sweep not in _SWEEP:
                raise PaintError("the flags of an arc are 0 or 1")
            draw(rx, ry, turn, _ARC_SIZE[large], _SWEEP[sweep], x, y)

    def _remember(self, kind: str) -> None:
        """Keeps the last control point, which a smooth curve mirrors."""
        if kind not in "CQ":
            self._mirrored = ""
            return
        path = self._path
        # In a path of Skia the control point stands right before the end point.
        control = path.getPoint(path.countPoints() - 2)
        self._mirrored, self._mirror = kind, (control.x(), control.y())

    def _smooth(self, kind: str, relative: bool, values: list[float]) -> None:
        path = self._path
        curve, width = ("C", 4) if kind == "S" else ("Q", 2)
        for i in range(0, len(values), width):
            last = self._here()
            x, y = last.x(), last.y()
            control = (x, y)
            if self._mirrored == curve:
                control = (2 * x - self._mirror[0], 2 * y - self._mirror[1])
            rest = [
                value + (y if n % 2 else x) if relative else value
                for n, value in enumerate(values[i : i + width])
            ]
            (path.cubicTo if kind == "S" else path.quadTo)(*control, *rest)
            self._mirrored = curve
            self._mirror = (rest[0], rest[1]) if kind == "S" else control


_WIDTHS = MappingProxyType({"Z": 0, "M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7})


def matrix_of(text: str) -> skia.Matrix:
    """The matrix of a `transform` attribute.

    Raises:
        PaintError: It cannot be read.
    """
    total = skia.Matrix()
    if _TRANSFORMS.sub("", text).strip():
        raise PaintError(f"no transform: {text!r}")
    for name, inner in _TRANSFORMS.findall(text):
        total = skia.Matrix.Concat(total, _step(name, numbers(inner)))
    return total


def _step(name: str, values: list[float]) -> skia.Matrix:
    match name, values:
        case "translate", [x]:
            return skia.Matrix.Translate(x, 0.0)
        case "translate", [x, y]:
            return skia.Matrix.Translate(x, y)
        case "scale", [both]:
            return skia.Matrix.Scale(both, both)
        case "scale", [x, y]:
            return skia.Matrix.Scale(x, y)
        case "rotate", [turn]:
            return skia.Matrix.RotateDeg(turn)
        case "rotate", [turn, x, y]:
            return skia.Matrix.RotateDeg(turn, skia.Point(x, y))
        case "matrix", [a, b, c, d, e, f]:
            return skia.Matrix.MakeAll(a, c, e, b, d, f, 0.0, 0.0, 1.0)
        case _:
            raise PaintError(f"unknown transform: {name} of {len(values)} numbers")


def _rect(get: Mapping[str, str]) -> skia.Path:
    box = skia.Rect.MakeXYWH(*(length(get.get(name, "0")) for name in ("x", "y", "width", "height")))
    rx, ry = get.get("rx", get.get("ry")), get.get("ry", get.get("rx"))
    if rx is None or ry is None:
        return skia.Path.Rect(box)
    return skia.Path.RRect(
        skia.RRect.MakeRectXY(box, min(length(rx), box.width() / 2), min(length(ry), box.height() / 2))
    )


def _circle(get: Mapping[str, str]) -> skia.Path:
    return skia.Path.Circle(*(length(get.get(name, "0")) for name in ("cx", "cy", "r")))


def _ellipse(get: Mapping[str, str]) -> skia.Path:
    x, y, rx, ry = (length(get.get(name, "0")) for name in ("cx", "cy", "rx", "ry"))
    return skia.Path.Oval(skia.Rect.MakeLTRB(x - rx, y - ry, x + rx, y + ry))


def _line(get: Mapping[str, str]) -> skia.Path:
    x1, y1, x2, y2 = (length(get.get(name, "0")) for name in ("x1", "y1", "x2", "y2"))
    path = skia.Path()
    path.moveTo(x1, y1)
    path.lineTo(x2, y2)
    return path


def _corners(text: str) -> Iterator[tuple[float, float]]:
    values = numbers(text)
    if len(values) % 2:
        raise PaintError("points come in pairs")
    return zip(values[::2], values[1::2], strict=True)


def _polyline(get: Mapping[str, str]) -> skia.Path:
    path = skia.Path()
    for index, (x, y) in enumerate(_corners(get.get("points", ""))):
        path.lineTo(x, y) if index else path.moveTo(x, y)
    return path


def _polygon(get: Mapping[str, str]) -> skia.Path:
    path = _polyline(get)
    path.close()
    return path


def _path(get: Mapping[str, str]) -> skia.Path:
    return path_of(get.get("d", ""))


SHAPES: Mapping[str, tuple[frozenset[str], Callable[[Mapping[str, str]], skia.Path]]] = MappingProxyType(
    {
        "path": (frozenset({"d"}), _path),
        "rect": (frozenset({"x", "y", "width", "height", "rx", "ry"}), _rect),
        "circle": (frozenset({"cx", "cy", "r"}), _circle),
        "ellipse": (frozenset({"cx", "cy", "rx", "ry"}), _ellipse),
        "line": (frozenset({"x1", "y1", "x2", "y2"}), _line),
        "polyline": (frozenset({"points"}), _polyline),
        "polygon": (frozenset({"points"}), _polygon),
    }
)
"""The shapes: the attributes that say where they are, and how they become paths."""
