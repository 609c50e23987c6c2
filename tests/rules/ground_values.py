"""Small grounds by chance, for the tests of the ground."""

from __future__ import annotations

from hypothesis import strategies as st

from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import BARRIERS, TERRAINS, Ambient, Lamp
from services.rules.engine.ground.measure import Diagonal, Measure, Rough
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square

SIDE = 6
squares = st.builds(Square, st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
square_sets = st.frozensets(squares, max_size=8)
measures = st.builds(
    Measure, st.sampled_from((1, 5)), st.just("unit"), st.sampled_from(Diagonal), st.sampled_from(Rough)
)
each_cell = st.binary(min_size=SIDE**2, max_size=SIDE**2)

_CELLS = [terrain.sign for terrain in TERRAINS] + ["."] * 6
_EDGES = [barrier.sign for barrier in BARRIERS] + ["."] * 20


def _signs(sheet: bytes, signs: list[str]) -> str:
    return "".join(signs[byte % len(signs)] for byte in sheet)


@st.composite
def grounds(draw: st.DrawFn, walls: bool = True, heights: bool = True) -> Ground:
    """A ground of all usual terrains and barriers in any order."""
    levels = draw(each_cell) if heights and draw(st.booleans()) else b""
    lamps = draw(st.lists(squares, max_size=2))
    return Ground(
        SIDE,
        SIDE,
        _signs(draw(each_cell), _CELLS),
        east=_signs(draw(each_cell), _EDGES) if walls else "",
        south=_signs(draw(each_cell), _EDGES) if walls else "",
        heights=tuple((0, 0, 0, 0, 1, 1, 2, -1)[byte % 8] for byte in levels),
        ambient=draw(st.sampled_from(Ambient)),
        lamps=tuple(Lamp(f"lamp-{at.x}-{at.y}", at, 1, 3) for at in lamps),
        measure=draw(measures),
    )


@st.composite
def footprints(draw: st.DrawFn, size: int | None = None) -> Footprint:
    """A footprint that is on the ground whole."""
    across = size if size is not None else draw(st.integers(1, 3))
    at = st.integers(0, SIDE - across)
    return Footprint(Square(draw(at), draw(at)), across)
