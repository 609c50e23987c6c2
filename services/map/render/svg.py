"""SVG as text: elements, numbers and escaping, with the same bytes for the same picture."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

Value = str | int | float | None

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


@lru_cache(maxsize=4096)
def escaped(text: str) -> str:
    """Text that stands for itself inside an element or a quoted attribute.

    Characters that XML 1.0 does not allow at all are left out.
    """
    return _FORBIDDEN.sub("", text).translate(_ESCAPES)


@lru_cache(maxsize=65536)
def number(value: float) -> str:
    """A coordinate with at most one decimal: a tenth of a pixel is finer than any screen shows."""
    tenths = round(value * 10)
    whole, rest = divmod(abs(tenths), 10)
    sign = "-" if tenths < 0 else ""
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"


def element(name: str, /, *children: str, **attributes: Value) -> str:
    """One element; `stroke_width=2` is written `stroke-width="2"`, attributes that are None are left out.

    Children are markup already: plain text goes through `escaped` first.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        text = (
            escaped(value) if isinstance(value, str) else f"{value:.3g}" if _is_ratio(key) else number(value)
        )
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    head = " ".join(parts)
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def _is_ratio(key: str) -> bool:
    return key.endswith("opacity") or key in ("offset", "stroke_width")


def group(*children: str, **attributes: Value) -> str:
    """A group; nothing when it has no children."""
    return element("g", *children, **attributes) if any(children) else ""


def points(pairs: Iterable[tuple[float, float]]) -> str:
    """The `points` of a polygon or polyline."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def path(*commands: str | float) -> str:
    """Path data: letters and numbers in order."""
    return " ".join(part if isinstance(part, str) else number(part) for part in commands)
