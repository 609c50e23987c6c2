"""The painter of SVG."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.kinds.realm.generator import GeneratedRealm, RealmParameters, generate
from services.map.kinds.realm.render.picture import render
from services.map.render.metrics import text_width
from services.map.render.raster.limits import MAX_PIXELS, MAX_SIDE, PictureTooLargeError, too_large
from services.map.render.raster.painter import Recorded, paint, paint_part
from services.map.render.raster.path_data import path_of
from services.map.render.raster.style import PaintError

RED, GREEN, BLUE = (255, 0, 0, 255), (0, 128, 0, 255), (0, 0, 255, 255)
CLEAR = (0, 0, 0, 0)


def picture(*body: str, size: int = 40, defs: str = "") -> str:
    inner = "".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}">'
        f"<title>t</title><desc>d</desc><defs>{defs}</defs>{inner}</svg>"
    )


def at(pixels: npt.NDArray[np.uint8], x: int, y: int) -> tuple[int, ...]:
    return tuple(map(int, pixels[y, x]))


def ink_box(pixels: npt.NDArray[np.uint8]) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero(pixels[..., 3] > 40)
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


SHAPES = {
    "rect": '<rect x="10" y="10" width="20" height="20" fill="#f00"/>',
    "circle": '<circle cx="20" cy="20" r="10" fill="#f00"/>',
    "ellipse": '<ellipse cx="20" cy="20" rx="10" ry="10" fill="#f00"/>',
    "polygon": '<polygon points="10,10 30,10 30,30 10,30" fill="#f00"/>',
    "polyline": '<polyline points="10 10 30 10 30 30 10 30" fill="#f00"/>',
    "line": '<line x1="10" y1="20" x2="30" y2="20" stroke="#f00" stroke-width="20"/>',
    "path": '<path d="M10 10H30V30h-20z" fill="#f00"/>',
    "rounded": '<rect x="10" y="10" width="20" height="20" rx="4" fill="#f00"/>',
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_covers_its_box(shape: str) -> None:
    pixels = paint(picture(shape))
    assert pixels.shape == (40, 40, 4)
    assert ink_box(pixels) == (10, 10, 30, 30)
    assert at(pixels, 20, 20) == RED
    assert at(pixels, 5, 5) == CLEAR


@pytest.mark.parametrize(
    "shape",
    [
        '<path d="M10 10h10v10h-10zm10 10h10v10h-10z" fill="#f00"/>',
        '<path d="M10 10L20 10 20 20 10 20ZM20 20H30V30H20Z" fill="#f00"/>',
        '<g fill="#f00"><rect x="10" y="10" width="10" height="10"/>'
        '<rect width="10" height="10" transform="translate(20,20)"/></g>',
        '<g transform="matrix(1 0 0 1 10 10)"><path d="M0 0h10v10h-10z" fill="#f00"/>'
        '<path d="M5 5h5v5h-5z" fill="#f00" transform="scale(2)"/></g>',
        '<path d="M10 10h10v10h-10z M20 20V30H30V20z" fill="#f00"/>',
        '<rect x="10" y="10" width="10" height="10" fill="#f00"/>'
        '<rect x="20" y="-30" width="10" height="10" fill="#f00" transform="rotate(90)"/>',
    ],
)
def test_the_same_picture_drawn_in_other_ways_is_the_same(shape: str) -> None:
    pixels = paint(picture(shape))
    if "rotate" in shape:
        # A quarter turn of the box at (20, -30) lies at (20, 20).
        assert at(pixels, 25, 25) == RED
    wanted = np.zeros((40, 40, 4), np.uint8)
    wanted[10:20, 10:20] = wanted[20:30, 20:30] = RED
    np.testing.assert_array_equal(pixels, wanted)


def test_a_closed_outline_goes_on_from_its_start() -> None:
    pixels = paint(picture('<path d="M10 10h10v10zH30V30z" fill="#f00"/>'))
    assert at(pixels, 24, 12) == RED


COORDINATE = st.integers(0, 40)


@given(
    st.lists(st.tuples(st.sampled_from("LQCST"), st.lists(COORDINATE, min_size=6, max_size=6)), max_size=8)
)
def test_relative_commands_mean_what_absolute_ones_do(steps: list[tuple[str, list[int]]]) -> None:
    counts = {"L": 2, "T": 2, "Q": 4, "S": 4, "C": 6}
    absolute, relative, x, y = "M20 20", "m20,20", 20, 20
    for command, values in steps:
        own = values[: counts[command]]
        absolute += command + " ".join(map(str, own))
        relative += command.lower() + " ".join(str(v - (y if n % 2 else x)) for n, v in enumerate(own))
        x, y = own[-2], own[-1]
    first, second = path_of(absolute), path_of(relative)
    points = [(point.x(), point.y()) for point in first.getPoints(first.countPoints())]
    others = [(point.x(), point.y()) for point in second.getPoints(second.countPoints())]
    assert np.allclose(points, others, atol=1e-3)
    assert first.countVerbs() == second.countVerbs() == len(steps) + 1


def test_smooth_curves_mirror_the_last_control_point() -> None:
    smooth = path_of("M0 0C0 10 10 10 10 0S20-10 20 0T30 0Q35 10 40 0T50 0")
    plain = path_of("M0 0C0 10 10 10 10 0C10-10 20-10 20 0Q20 0 30 0Q35 10 40 0Q45-10 50 0")
    assert [(p.x(), p.y()) for p in smooth.getPoints(smooth.countPoints())] == [
        (p.x(), p.y()) for p in plain.getPoints(plain.countPoints())
    ]


def test_arcs_bulge_to_the_side_of_their_sweep() -> None:
    over = paint(picture('<path d="M10 20A10 10 0 0 1 30 20Z" fill="#f00"/>'))
    under = paint(picture('<path d="M10 20a10 10 0 0 0 20 0z" fill="#f00"/>'))
    assert ink_box(over) == (10, 10, 30, 20)
    assert ink_box(under) == (10, 20, 30, 30)


def test_rules_of_filling_differ_inside_a_ring() -> None:
    ring = 'd="M5 5h30v30h-30zM15 15h10v10h-10z" fill="#f00"'
    assert at(paint(picture(f"<path {ring}/>")), 20, 20) == RED
    assert at(paint(picture(f'<path {ring} fill-rule="evenodd"/>')), 20, 20) == CLEAR


def test_children_take_over_what_they_do_not_say_themselves() -> None:
    pixels = paint(
        picture(
            '<g fill="#00f" stroke="none"><rect width="10" height="10"/>'
            '<g fill="#008000"><rect x="10" width="10" height="10"/></g>'
            '<rect x="20" width="10" height="10" fill="#f00"/></g>'
        )
    )
    assert [at(pixels, x, 5) for x in (5, 15, 25)] == [BLUE, GREEN, RED]


def test_opacity_of_a_group_lies_on_all_of_it_at_once() -> None:
    two = '<rect width="20" height="20" fill="#f00"/><rect x="10" width="20" height="20" fill="#f00"/>'
    group = paint(picture(f'<g opacity="0.5">{two}</g>'))
    assert at(group, 15, 5) == at(group, 5, 5)
    each = paint(picture(f'<g fill-opacity="0.5">{two}</g>'))
    assert at(each, 15, 5)[3] > at(each, 5, 5)[3] == pytest.approx(128, abs=1)
    both = paint(
        picture(
            '<rect x="8" y="8" width="20" height="20" fill="#f00" stroke="#f00" stroke-width="8"'
            ' opacity="0.5"/>'
        )
    )
    assert at(both, 10, 10) == at(both, 18, 18) == at(both, 5, 5)


def test_dashes_leave_gaps() -> None:
    pixels = paint(picture('<path d="M0 20H40" stroke="#f00" stroke-width="4" stroke-dasharray="5"/>'))
    assert [at(pixels, x, 20)[3] for x in (2, 7, 12, 17)] == [255, 0, 255, 0]
    late = paint(
        picture(
            '<path d="M0 20H40" stroke="#f00" stroke-width="4" stroke-dasharray="5 5" stroke-dashoffset="5"/>'
        )
    )
    assert [at(late, x, 20)[3] for x in (2, 7)] == [0, 255]


def test_gradients_run_over_the_box_or_over_the_page() -> None:
    stops = '<stop offset="0" stop-color="#000"/><stop offset="100%" stop-color="#fff"/>'
    defs = (
        f'<linearGradient id="own">{stops}</linearGradient>'
        f'<linearGradient id="page" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="40" y2="0">{stops}'
        "</linearGradient>"
        '<radialGradient id="glow" cx="50%" cy="50%" r="50%"><stop offset="0" stop-color="#f00"/>'
        '<stop offset="1" stop-color="#f00" stop-opacity="0"/></radialGradient>'
    )
    rect = '<rect x="20" width="20" height="40" fill="url(#{})"/>'
    own, page = (paint(picture(rect.format(name), defs=defs)) for name in ("own", "page"))
    assert at(own, 30, 20)[0] == pytest.approx(131, abs=8)
    assert at(page, 30, 20)[0] == pytest.approx(194, abs=8)
    glow = paint(picture('<rect width="40" height="40" fill="url(#glow)"/>', defs=defs))
    assert at(glow, 20, 20)[3] > 240 > at(glow, 30, 20)[3] > at(glow, 38, 20)[3]


def test_patterns_repeat_from_their_corner() -> None:
    defs = (
        '<pattern id="p" patternUnits="userSpaceOnUse" x="5" y="0" width="10" height="10">'
        '<rect width="5" height="10" fill="#f00"/></pattern>'
    )
    pixels = paint(picture('<rect width="40" height="40" fill="url(#p)"/>', defs=defs))
    assert [at(pixels, x, 20)[3] for x in (2, 7, 12, 17, 22)] == [0, 255, 0, 255, 0]


def test_clips_cut_away_all_but_their_shapes() -> None:
    defs = (
        '<clipPath id="c"><rect width="10" height="10"/>'
        '<circle r="5" transform="translate(30 30)"/></clipPath>'
    )
    pixels = paint(
        picture('<g clip-path="url(#c)"><rect width="40" height="40" fill="#f00"/></g>', defs=defs)
    )
    assert at(pixels, 5, 5) == at(pixels, 30, 30) == RED
    assert at(pixels, 20, 20) == at(pixels, 12, 5) == CLEAR


def test_symbols_fit_their_box_and_take_over_the_style_of_their_use() -> None:
    defs = (
        '<symbol id="s" viewBox="-1 -1 2 2"><circle r="1"/>'
        '<rect x="-9" y="-0.1" width="18" height="0.2"/></symbol>'
    )
    pixels = paint(picture('<use href="#s" x="10" y="10" width="20" height="20" fill="#f00"/>', defs=defs))
    assert ink_box(pixels) == (10, 10, 30, 30)
    assert at(pixels, 20, 12) == RED
    shown = defs.replace("<symbol", '<symbol overflow="visible"')
    wide = paint(picture('<use href="#s" x="10" y="10" width="20" height="20" fill="#f00"/>', defs=shown))
    assert ink_box(wide) == (0, 10, 40, 30)
    group = paint(
        picture('<use href="#g" x="5" y="5"/>', defs='<g id="g"><rect width="5" height="5" fill="#f00"/></g>')
    )
    assert ink_box(group) == (5, 5, 10, 10)


@pytest.mark.parametrize(("anchor", "left"), [("start", 100), ("middle", 50), ("end", 0)])
@pytest.mark.parametrize("adjust", ["spacing", "spacingAndGlyphs"])
def test_text_takes_the_room_that_it_says(anchor: str, left: int, adjust: str) -> None:
    text = (
        f'<text x="100" y="100" font-size="20" font-weight="bold" text-anchor="{anchor}" textLength="100" '
        f'lengthAdjust="{adjust}">HIVEH</text>'
    )
    box = ink_box(paint(picture(text, size=220)))
    assert box[0] == pytest.approx(left, abs=2)
    assert box[2] == pytest.approx(left + 100, abs=2)
    assert box[3] == pytest.approx(100, abs=1)
    assert box[1] == pytest.approx(100 - 0.637 * 20, abs=1.5)


def test_text_is_as_wide_as_it_was_measured() -> None:
    for style, bold, italic in (
        ("", False, False),
        ('font-weight="bold"', True, False),
        ('font-style="italic"', False, True),
    ):
        box = ink_box(
            paint(picture(f'<text x="10" y="60" font-size="40" {style}>HAVEN TOWN</text>', size=400))
        )
        width = text_width("HAVEN TOWN", 40, bold=bold, italic=italic)
        assert box[2] - box[0] == pytest.approx(width, abs=4)


def test_letter_spacing_and_halos_take_room() -> None:
    def box(attributes: str) -> tuple[int, int, int, int]:
        return ink_box(
            paint(picture(f'<text x="20" y="60" font-size="30" {attributes}>HAH</text>', size=200))
        )

    plain = box("")
    spaced, outlined = box('letter-spacing="10"'), box('stroke="#fff" stroke-width="8" paint-order="stroke"')
    assert spaced[2] - plain[2] == pytest.approx(20, abs=1)
    assert plain[0] - outlined[0] == pytest.approx(4, abs=1)
    over = paint(
        picture(
            '<text x="20" y="60" font-size="60" stroke="#f00" stroke-width="9" paint-order="stroke">I</text>',
            size=100,
        )
    )
    assert (over[..., :3][over[..., 3] > 250] == 0).all(axis=-1).any()


def test_letters_that_the_font_lacks_are_drawn_without_their_accent() -> None:
    def lettered(text: str) -> npt.NDArray[np.uint8]:
        return paint(picture(f'<text x="5" y="30" font-size="20">{text}</text>'))

    np.testing.assert_array_equal(lettered("ẹ"), lettered("e"))
    assert lettered("龍")[..., 3].any()
    assert not lettered("  ")[..., 3].any()


@pytest.mark.parametrize(
    "body",
    [
        "<image/>",
        '<rect width="5" height="5" style="fill:red"/>',
        '<rect width="5" height="5" fill="red"/>',
        '<rect width="5" height="50%"/>',
        '<rect width="5" height="5" fill="url(#nowhere)"/>',
        '<rect width="5" height="5" fill="url(http://example.org/#a)"/>',
        '<rect width="5" height="5" onclick="x"/>',
        '<path d="L10 10"/>',
        '<path d="M10 10L10"/>',
        '<path d="M10 10B1 2"/>',
        '<path d="M10 10 A1 1 0 2 0 5 5"/>',
        '<path d="M10 10 L a b"/>',
        '<g transform="skewX(3)"/>',
        '<g transform="rotate(3"/>',
        '<g filter="url(#f)"/>',
        "<text>a<tspan>b</tspan></text>",
        '<text lengthAdjust="no">a</text>',
        '<use href="other.svg#a"/>',
        '<use id="ring" href="#ring"/>',
        "<style>rect{fill:red}</style>",
        '<polygon points="1 2 3"/>',
        '<rect width="9" height="9" filter="url(#f)"/><filter id="f"/>',
        '<rect width="9" height="9" fill="url(#p)"/><pattern id="p" width="2" height="2"/>',
        '<rect width="9" height="9" fill="url(#g)"/><linearGradient id="g"/>',
    ],
)
def test_what_is_unknown_is_an_error_and_never_left_out(body: str) -> None:
    with pytest.raises(PaintError):
        paint(picture(body))


@pytest.mark.parametrize("text", ["", "<svg", "<g/>", "<svg/>", '<svg width="0" height="3"/>'])
def test_what_is_no_picture_is_an_error(text: str) -> None:
    with pytest.raises(PaintError):
        Recorded(text)


def test_pictures_beyond_the_limits_are_refused_before_any_work() -> None:
    recorded = Recorded(picture())
    assert too_large(100, 100) is None
    assert too_large(MAX_SIDE, MAX_PIXELS // MAX_SIDE) is None
    long, large, empty = too_large(MAX_SIDE + 1, 1), too_large(9000, 9000, ("png",)), too_large(0, 5)
    assert long is not None and (long.found, long.allowed) == (MAX_SIDE + 1, MAX_SIDE)
    assert large is not None and (large.found, large.allowed) == (81_000_000, MAX_PIXELS)
    assert large.path == ("png",)
    assert empty is not None and empty.code == "picture_empty"
    with pytest.raises(PictureTooLargeError) as caught:
        recorded.paint(1000)
    assert caught.value.problem.code == "picture_side_too_long"


@pytest.fixture(scope="module")
def realm() -> str:
    made = generate(RealmParameters(seed=4))
    assert isinstance(made, GeneratedRealm)
    return render(made.model)


def test_a_realm_is_painted_whole_and_the_same_each_time(realm: str) -> None:
    recorded = Recorded(realm)
    pixels = recorded.paint()
    assert pixels.shape == (round(recorded.height), round(recorded.width), 4)
    assert (pixels[..., 3] == 255).all()
    np.testing.assert_array_equal(pixels, paint(realm))
    # Paper, ink and gold are all there.
    colors = pixels[..., :3].reshape(-1, 3).astype(int)
    for color in ((58, 40, 23), (217, 169, 58), (251, 243, 221)):
        assert (np.abs(colors - color).max(axis=1) <= 3).sum() > 500


def test_the_font_in_the_picture_changes_nothing_for_the_painter(realm: str) -> None:
    made = generate(RealmParameters(seed=4))
    assert isinstance(made, GeneratedRealm)
    bare = render(made.model, embed=False)
    assert len(bare) < len(realm) - 50_000
    np.testing.assert_array_equal(paint(bare, 0.4), paint(realm, 0.4))


def test_parts_put_together_are_the_whole(realm: str) -> None:
    recorded = Recorded(realm)
    whole = recorded.paint(0.5)
    height, width = whole.shape[:2]
    put = np.zeros_like(whole)
    for y in range(0, height, 200):
        for x in range(0, width, 200):
            part = recorded.part(0.5, x, y, min(200, width - x), min(200, height - y))
            put[y : y + 200, x : x + 200] = part
    difference = np.abs(put.astype(int) - whole)
    # Antialiased curves are cut into pieces at other places: pixels on their edges may differ a little.
    assert difference.max() < 110
    assert (difference.max(axis=-1) > 8).mean() < 0.006
    assert difference.mean() < 0.1
    np.testing.assert_array_equal(
        paint_part(realm, 0.5, 100, 60, 90, 80), recorded.part(0.5, 100, 60, 90, 80)
    )


@settings(max_examples=20)
@given(st.integers(5, 60), st.floats(0.25, 4))
def test_a_picture_of_any_size_fills_its_pixels(size: int, scale: float) -> None:
    pixels = paint(picture(f'<rect width="{size}" height="{size}" fill="#f00"/>', size=size), scale)
    assert pixels.shape[:2] == (max(1, round(size * scale)),) * 2
    assert at(pixels, pixels.shape[1] // 2, pixels.shape[0] // 2) == RED
