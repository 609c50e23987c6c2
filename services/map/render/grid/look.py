"""How a grid map is to be drawn: what a user may choose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from services.map.generation.grid.model import GridKind, GridMap
from services.rules.engine.problem import RuleProblem

PIXELS_MIN, PIXELS_MAX = 8, 200


class Style(StrEnum):
    """The hands a grid map can be drawn by."""

    INK = "ink"
    PARCHMENT = "parchment"
    PAINTED = "painted"
    BLUEPRINT = "blueprint"


@dataclass(frozen=True, slots=True)
class Look:
    """How a grid map is drawn.

    Attributes:
        pixels: Pixels along one cell, 8 to 200.
        style: `ink` (hatched black lines on paper), `parchment`, `painted` (in colours), `blueprint`; by
            default `painted` for battle maps and `ink` for all others.
        grid: Whether the floor shows the lines of the cells.
        legend: Whether a key stands beside the map: the rooms by number, their notes where the map holds
            them, and the signs that are used.
        labels: Whether rooms show their numbers, places their names, and zones their outlines and names.
        furniture: Whether there is a frame, a title, a compass rose and a scale.
        lights: Whether lights are drawn.
        bare: Whether the picture is the cells and nothing around them, exactly `pixels` for each cell: the
            background of a virtual table. Legend and furniture are left out then.
    """

    pixels: int = 32
    style: Style | None = None
    grid: bool = True
    legend: bool = True
    labels: bool = True
    furniture: bool = True
    lights: bool = True
    bare: bool = False


def check(look: Look) -> tuple[RuleProblem, ...]:
    """What is wrong with a look."""
    if PIXELS_MIN <= look.pixels <= PIXELS_MAX:
        return ()
    return (
        RuleProblem(
            "map_pixels_out_of_range",
            f"A cell is drawn {PIXELS_MIN} to {PIXELS_MAX} pixels wide.",
            "parameters",
            ("pixels",),
            look.pixels,
            (PIXELS_MIN, PIXELS_MAX),
        ),
    )


def style_of(model: GridMap, look: Look) -> Style:
    """The style a map is drawn in."""
    if look.style is not None:
        return look.style
    return Style.PAINTED if model.kind is GridKind.BATTLE else Style.INK
