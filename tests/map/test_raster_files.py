"""Pictures as files, thumbnails and tiles."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from services.map.render.raster.encode import png, webp
from services.map.render.raster.flat import Indexed
from services.map.render.raster.floor_palette import palette_of
from services.map.render.raster.limits import PictureTooLargeError
from services.map.render.raster.painter import Recorded
from services.map.render.raster.thumbnail import side_problem, thumbnail
from services.map.render.raster.tiles import Pyramid, pyramid, tile, tile_of

Bytes = npt.NDArray[np.uint8]


def read(data: bytes, mode: str) -> Bytes:
    image = Image.open(BytesIO(data))
    assert image.mode == mode or mode in ("RGB", "RGBA")
    return np.asarray(image.convert(mode))


def side(channels: int) -> st.SearchStrategy[Bytes]:
    return st.tuples(st.integers(1, 9), st.integers(1, 9)).flatmap(
        lambda size: arrays(np.uint8, (*size, channels))
    )


@settings(max_examples=40)
@given(arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 12))), st.sampled_from((1, 2, 6, 9)))
def test_png_with_a_palette_reads_back_the_same(indices: Bytes, level: int) -> None:
    picture = Indexed(indices, palette_of("crypt"))
    data = png(picture, level)
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.size) == ("PNG", "P", indices.shape[::-1])
    image.load()
    np.testing.assert_array_equal(np.asarray(image), indices)
    np.testing.assert_array_equal(np.asarray(image.convert("RGB")), picture.rgb())


@settings(max_examples=30)
@given(st.one_of(side(3), side(4)), st.sampled_from((1, 6)))
def test_png_in_full_color_reads_back_the_same(pixels: Bytes, level: int) -> None:
    mode = "RGBA" if pixels.shape[2] == 4 else "RGB"
    np.testing.assert_array_equal(read(png(pixels, level), mode), pixels)


def test_full_opacity_is_left_out_of_the_file() -> None:
    pixels = np.full((5, 6, 4), 255, np.uint8)
    assert Image.open(BytesIO(png(pixels))).mode == "RGB"
    pixels[2, 3, 3] = 254
    assert Image.open(BytesIO(png(pixels))).mode == "RGBA"


@settings(max_examples=15)
@given(st.one_of(side(3), side(4)))
def test_webp_without_loss_reads_back_the_same(pixels: Bytes) -> None:
    mode = "RGBA" if pixels.shape[2] == 4 else "RGB"
    data = webp(pixels, quality=None)
    assert Image.open(BytesIO(data)).format == "WEBP"
    np.testing.assert_array_equal(read(data, mode), pixels)


def test_webp_with_loss_is_near_and_smaller() -> None:
    y, x = np.mgrid[0:128, 0:128]
    pixels = np.stack((x * 2, y * 2, 255 - x), axis=2).astype(np.uint8)
    good, poor = webp(pixels, 90), webp(pixels, 20)
    assert np.abs(read(good, "RGB").astype(int) - pixels).mean() < 4
    assert len(poor) < len(good)


def test_what_cannot_be_written_is_refused() -> None:
    pixels = np.zeros((4, 4, 3), np.uint8)
    for bad in (lambda: png(pixels, 0), lambda: png(pixels, 10), lambda: webp(pixels, 101)):
        with pytest.raises(ValueError):
            bad()
    for shape in ((4, 4), (4, 4, 2)):
        with pytest.raises(ValueError):
            png(np.zeros(shape, np.uint8))
    with pytest.raises(ValueError):
        webp(pixels, effort=7)
    long = np.lib.stride_tricks.as_strided(np.zeros(3, np.uint8), (1, 17_000, 3), (0, 0, 1))
    for write in (png, webp):
        with pytest.raises(PictureTooLargeError):
            write(long)


def test_a_thumbnail_holds_the_means_of_areas() -> None:
    board = np.zeros((256, 512, 3), np.uint8)
    board[::2, ::2] = board[1::2, 1::2] = 255
    board[:, 256:] = (200, 100, 50)
    small = thumbnail(board, 64)
    assert small.shape == (32, 64, 3)
    assert np.abs(small[:, :32].astype(int) - 127).max() <= 1
    assert (small[:, 32:] == (200, 100, 50)).all()


def test_thumbnails_of_indices_and_of_colors_are_the_same() -> None:
    y, x = np.mgrid[0:200, 0:300]
    picture = Indexed(((x // 9 + y // 7) % 60).astype(np.uint8), palette_of("mine"))
    np.testing.assert_array_equal(thumbnail(picture, 100), thumbnail(picture.rgb(), 100))


def test_clear_pixels_give_a_thumbnail_no_color() -> None:
    pixels = np.zeros((128, 128, 4), np.uint8)
    pixels[:, ::2] = (250, 10, 10, 255)
    pixels[:, 1::2] = (0, 0, 255, 0)
    small = thumbnail(pixels, 64)
    assert np.abs(small.astype(int) - (250, 10, 10, 128)).max() <= 2


def test_small_pictures_stay_as_they_are_and_odd_sizes_are_refused() -> None:
    pixels = np.arange(40 * 50 * 3, dtype=np.uint8).reshape(40, 50, 3)
    np.testing.assert_array_equal(thumbnail(pixels, 64), pixels)
    assert side_problem(64) is None and side_problem(512) is None
    for longest in (63, 513):
        problem = side_problem(longest, ("side",))
        assert problem is not None
        assert (problem.found, problem.allowed, problem.path) == (longest, (64, 512), ("side",))
        with pytest.raises(ValueError):
            thumbnail(pixels, longest)


def test_a_long_picture_keeps_at_least_a_pixel() -> None:
    assert thumbnail(np.zeros((2, 4000, 3), np.uint8), 100).shape == (1, 100, 3)


@given(st.integers(1, 16_384), st.integers(1, 16_384), st.sampled_from((64, 256, 512)))
def test_a_pyramid_ends_in_one_tile(width: int, height: int, size: int) -> None:
    tiles = Pyramid(width, height, size)
    assert tiles.grid(0) == (1, 1)
    assert tiles.scale(tiles.max_zoom) == 1
    columns, rows = tiles.grid(tiles.max_zoom)
    assert (columns - 1) * size < width <= columns * size
    assert (rows - 1) * size < height <= rows * size
    assert tiles.max_zoom == 0 or max(width, height) > size << (tiles.max_zoom - 1)
    for z in range(tiles.max_zoom + 1):
        across, down = tiles.grid(z)
        assert tiles.problem(z, across - 1, down - 1) is None
        for place in ((z, across, 0), (z, 0, down), (z, -1, 0)):
            assert tiles.problem(*place) is not None
    assert tiles.problem(tiles.max_zoom + 1, 0, 0) is not None
    assert tiles.problem(-1, 0, 0) is not None


def test_a_problem_names_what_there_is() -> None:
    problem = Pyramid(600, 300).problem(2, 5, 0, ("tile",))
    assert problem is not None
    assert (problem.path, problem.found, problem.allowed) == (("tile", "x"), 5, (0, 2))


QUARTERS = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">'
    '<rect width="150" height="100" fill="#f00"/><rect x="150" width="150" height="100" fill="#0f0"/>'
    '<rect y="100" width="150" height="100" fill="#00f"/><path d="M0 0L300 200" stroke="#000"/></svg>'
)


def test_tiles_put_together_are_the_picture() -> None:
    recorded = Recorded(QUARTERS)
    whole = recorded.paint(2.0)
    tiles = pyramid(recorded, 128, native=2.0)
    assert (tiles.width, tiles.height, tiles.max_zoom) == (600, 400, 3)
    columns, rows = tiles.grid(3)
    for cut in (
        lambda x, y: tile(recorded, 3, x, y, 128, native=2.0),
        lambda x, y: tile_of(whole, 3, x, y, 128),
    ):
        put = np.concatenate(
            [np.concatenate([cut(x, y) for x in range(columns)], axis=1) for y in range(rows)], axis=0
        )
        assert put.shape == (rows * 128, columns * 128, 4)
        difference = np.abs(put[:400, :600].astype(int) - whole)
        assert (difference.max(axis=-1) > 8).mean() < 0.01
        assert not put[400:].any() and not put[:, 600:].any()


def test_the_lowest_zoom_shows_all() -> None:
    recorded = Recorded(QUARTERS)
    for shown in (tile(recorded, 0, 0, 0, 128), tile_of(recorded.paint(), 0, 0, 0, 128)):
        assert shown.shape == (128, 128, 4)
        assert shown[10, 30, :3].tolist() == [255, 0, 0]
        assert shown[10, 60, :3].tolist() == [0, 255, 0]
        assert shown[40, 10, :3].tolist() == [0, 0, 255]
        assert not shown[60:].any() and not shown[:, 80:].any()


def test_tiles_of_a_picture_without_opacity_are_opaque_where_it_is() -> None:
    cut = tile_of(np.full((100, 130, 3), 9, np.uint8), 1, 1, 0, 128)
    assert (cut[:100, :2] == (9, 9, 9, 255)).all()
    assert not cut[100:].any() and not cut[:, 2:].any()


def test_a_tile_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="tile_place"):
        tile(Recorded(QUARTERS), 0, 1, 0)
    with pytest.raises(ValueError, match="tile_zoom"):
        tile_of(np.zeros((10, 10, 3), np.uint8), 3, 0, 0)
