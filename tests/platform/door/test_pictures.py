"""Pictures of imported maps through the public port: shown as they are, refused in words whatever is broken."""

import base64
import io
import json
import zlib
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from tests.e2e.product import Person, Product
from tests.map.test_pictures import BOMB, animated, chunk, many_scans, png_of, written, wrong_sum
from tests.platform.door.test_play_cost import drained, points

ACROSS, DOWN, CELL = 40, 30, 32
FULL = 2_000
"""Points of a bucket; it does not fill again while a test looks."""
SIZE = ACROSS * CELL, DOWN * CELL


def bring(person: Person, image: bytes, across: int = ACROSS, down: int = DOWN) -> httpx.Response:
    """Import a map without walls that comes with a picture."""
    document = {
        "format": 0.3,
        "resolution": {"map_size": {"x": across, "y": down}, "pixels_per_grid": CELL},
        "line_of_sight": [],
        "image": base64.b64encode(image).decode(),
    }
    return person.send(
        "POST",
        "/v1/maps/import",
        patient=False,
        content=json.dumps(document).encode(),
        headers={"content-type": "application/json"},
    )


def vast(side: int) -> bytes:
    """A PNG of black pixels, a bit each, in a small file; all of it is there."""
    rows = zlib.compress((b"\0" * (side // 8 + 2)) * side, 9)
    header = side.to_bytes(4) * 2 + bytes([1, 0, 0, 0, 0])
    parts = chunk(b"IHDR", header), chunk(b"IDAT", rows), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def claiming(image: bytes, width: int, height: int) -> bytes:
    """A progressive JPEG whose head tells another size."""
    at = image.index(b"\xff\xc2") + 5
    return image[:at] + height.to_bytes(2) + width.to_bytes(2) + image[at + 4 :]


SOUND = written("PNG")
PROGRESSIVE = written("JPEG", progressive=True)
REFUSED = {
    "thirteen thousand a side": (vast(13_000), "IMPORT_IMAGE_TOO_LARGE"),
    "a claim of thirteen thousand": (png_of(13_000, 13_000), "IMPORT_IMAGE_TOO_LARGE"),
    "a head that lies": (png_of(900, 900), "IMPORT_IMAGE_UNREADABLE"),
    "no pixels": (png_of(0, 5), "IMPORT_IMAGE_UNREADABLE"),
    "a bomb in a comment": (png_of(1, 1, BOMB), "IMPORT_IMAGE_UNREADABLE"),
    "half a PNG": (SOUND[: len(SOUND) // 2], "IMPORT_IMAGE_UNREADABLE"),
    "half a JPEG": (written("JPEG")[:700], "IMPORT_IMAGE_UNREADABLE"),
    "half a WebP": (written("WEBP")[:200], "IMPORT_IMAGE_UNREADABLE"),
    "a PNG with a wrong sum": (wrong_sum(SOUND), "IMPORT_IMAGE_UNREADABLE"),
    "a JPEG of zeros": (written("JPEG")[:20] + bytes(500), "IMPORT_IMAGE_UNREADABLE"),
    "a WebP of zeros": (written("WEBP")[:20] + bytes(500), "IMPORT_IMAGE_UNREADABLE"),
    "a PNG that moves": (animated("PNG"), "IMPORT_IMAGE_UNREADABLE"),
    "a WebP that moves": (animated("WEBP"), "IMPORT_IMAGE_UNREADABLE"),
    "a GIF": (written("GIF"), "IMPORT_IMAGE_UNREADABLE"),
    "no picture": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "IMPORT_IMAGE_UNREADABLE"),
}


@pytest.fixture(scope="module")
def painter(sqlite: Product) -> Person:
    """Sign somebody up."""
    return sqlite.sign_up("Painter")


@pytest.mark.parametrize("name", REFUSED)
def test_broken_or_too_large_pictures_are_told_as_such_and_keep_nothing(
    sqlite: Product, painter: Person, name: str
) -> None:
    image, code = REFUSED[name]
    assert len(image) < 300_000
    sqlite.fill_buckets()
    answer = bring(painter, image)
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert answer.json()["code"] == "INVALID_INPUT"
    assert [(issue["code"], issue["path"]) for issue in answer.json()["issues"]] == [
        (code, ["content", "image"])
    ]
    assert painter.ask("{ maps { nodes { id } } }")["maps"]["nodes"] == []


def test_a_picture_that_goes_over_its_pixels_too_often_is_refused_for_its_price(sqlite: Product) -> None:
    person = sqlite.sign_up("Painter")
    sqlite.fill_buckets()
    scans = many_scans(PROGRESSIVE, 300)
    assert bring(person, scans).status_code == 201
    refused = bring(person, claiming(scans, 8_000, 8_000))
    # More than any one operation may cost is asked for in several charges: the bucket runs empty.
    assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMITED")


def painting() -> Image.Image:
    """Paint each cell of a map in a color of its own, darker towards its lower right."""
    chance = np.random.default_rng(7)
    cells = chance.integers(60, 256, (DOWN, ACROSS, 3))
    pixels = np.repeat(np.repeat(cells, CELL, 0), CELL, 1)
    shade = np.add.outer(np.arange(SIZE[1]) % CELL, np.arange(SIZE[0]) % CELL)
    return Image.fromarray((pixels - shade[..., None] // 2).astype(np.uint8))


def coded(form: str, **more: Any) -> bytes:
    """Write the painting down."""
    out = io.BytesIO()
    painting().save(out, form, **more)
    return out.getvalue()


def tile(person: Person, map_id: str, z: int, x: int, y: int) -> tuple[Image.Image, float]:
    """Ask for a tile with a full bucket; give it and what it has cost."""
    drained(person.product, person, FULL)
    answer = person.get(f"/v1/maps/{map_id}/tiles/{z}/{x}/{y}.png?px={CELL}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), answer.text
    with Image.open(io.BytesIO(answer.content)) as read:
        return read.convert("RGBA"), FULL - points(person.product, person)


DEEPEST = 3
"""The zoom at which 256 << z pixels are as many as the picture has across, or more."""
LEVELS = [(3, 0, 0), (3, 2, 1), (3, 4, 3), (2, 1, 1), (1, 0, 0), (1, 1, 0), (0, 0, 0)]


@pytest.mark.parametrize(
    ("form", "more", "off"),
    [("PNG", {}, 0), ("WEBP", {"lossless": True}, 0), ("JPEG", {"quality": 95, "subsampling": 0}, 4)],
    ids=["PNG", "WebP", "JPEG"],
)
def test_tiles_show_the_picture_that_was_imported(
    sqlite: Product, form: str, more: dict[str, Any], off: int
) -> None:
    person = sqlite.sign_up("Painter")
    sqlite.fill_buckets()
    made = bring(person, coded(form, **more))
    assert made.status_code == 201, made.text
    whole, costs = painting(), []
    for z, x, y in LEVELS:
        found, cost = tile(person, made.json()["id"], z, x, y)
        costs.append(cost)
        step = 1 << (DEEPEST - z)
        span = 256 * step
        part = whole.crop(
            (x * span, y * span, min(SIZE[0], (x + 1) * span), min(SIZE[1], (y + 1) * span))
        ).reduce(step)
        seen = np.asarray(found)
        assert seen.shape == (256, 256, 4)
        # Exactly what there is of the picture, and nothing beyond it.
        assert (seen[: part.height, : part.width, 3] == 255).all()
        assert seen[..., 3].sum() == 255 * part.width * part.height
        shown, meant = seen[: part.height, : part.width, :3].astype(int), np.asarray(part).astype(int)
        # What stands for several pixels is no plain mean of them.
        assert abs(shown - meant).mean() <= off + 2 * (DEEPEST - z), (z, x, y)
        # One that lies turned is nowhere near.
        assert abs(shown - meant[::-1]).mean() > 20
    # The first has the picture read; the others are cut out of what is at hand.
    assert costs[0] > 1.5 * max(costs[1:])


def test_a_tile_that_there_is_not_is_told_by_its_numbers(sqlite: Product) -> None:
    person = sqlite.sign_up("Painter")
    sqlite.fill_buckets()
    made = bring(person, coded("PNG")).json()["id"]
    for place, code in (("4/0/0", "TILE_ZOOM"), ("3/5/0", "TILE_PLACE"), ("3/0/4", "TILE_PLACE")):
        answer = person.get(f"/v1/maps/{made}/tiles/{place}.png?px={CELL}")
        assert (answer.status_code, answer.json()["issues"][0]["code"]) == (422, code)
