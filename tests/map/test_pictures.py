"""Pictures that come with maps: read whatever their colors, refused in words whatever is broken."""

from __future__ import annotations

import io
import random
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from services.map.exports.pictures import pixel_time, read_picture, size_of
from services.rules.engine.problem import RuleProblem


def written(form: str, mode: str = "RGB", size: tuple[int, int] = (40, 30), **more: object) -> bytes:
    """A picture of noise in a format."""
    noise = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(noise).convert(mode).save(out, form, **more)
    return out.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    """A part of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_of(width: int, height: int, *parts: bytes, rows: bytes = b"\0\0\0\0") -> bytes:
    """A PNG that claims a size, whatever its rows hold."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = (header, *parts, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


@pytest.mark.parametrize(
    "image",
    [
        written("PNG"),
        written("WEBP"),
        written("JPEG"),
        written("PNG", "P"),
        written("PNG", "1"),
        written("PNG", "L"),
        written("PNG", "LA"),
        written("PNG", "RGBA"),
        written("JPEG", "L"),
        written("JPEG", "CMYK"),
        written("JPEG", progressive=True),
    ],
    ids=lambda image: str(len(image)),
)
def test_every_kind_of_color_is_read(image: bytes) -> None:
    assert size_of(image) == (40, 30)
    picture = read_picture(image)
    assert not isinstance(picture, RuleProblem)
    assert (picture.shape, picture.dtype) == ((30, 40, 3), np.uint8)


def test_of_sixteen_bits_the_upper_ones_are_shown() -> None:
    out = io.BytesIO()
    Image.fromarray(np.array([[0, 0x4080, 0xFFFF]], np.uint16)).save(out, "PNG")
    picture = read_picture(out.getvalue())
    assert not isinstance(picture, RuleProblem)
    assert picture[0, :, 0].tolist() == [0, 0x40, 0xFF]


def test_what_a_pixel_takes_grows_with_all_that_is_read_for_it() -> None:
    plain, deep = written("PNG", "P"), io.BytesIO()
    Image.fromarray(np.zeros((30, 40), np.uint16)).save(deep, "PNG")
    in_passes = bytearray(plain)
    in_passes[28] = 1
    times = [pixel_time(one) for one in (plain, deep.getvalue(), written("PNG", "RGBA"))]
    assert times == sorted(set(times))
    assert pixel_time(bytes(in_passes)) > pixel_time(plain)
    once, often = written("JPEG"), written("JPEG", progressive=True)
    assert pixel_time(once) < pixel_time(often)
    assert pixel_time(many_scans(often, 1_000)) > 1_000
    assert read_picture(many_scans(often, 20)).shape == (30, 40, 3)  # type: ignore[union-attr]


SOUND = written("PNG")
FRAMES = [Image.new("RGB", (8, 8), color) for color in ("red", "blue")]


def many_scans(image: bytes, more: int) -> bytes:
    """A progressive JPEG that goes over its pixels so many times more."""
    end = image.rindex(b"\xff\xd9")
    last = image[image.rindex(b"\xff\xc4", 0, image.rindex(b"\xff\xda")) : end]
    return image[:end] + last * more + image[end:]


def animated(form: str) -> bytes:
    """A picture that moves."""
    out = io.BytesIO()
    FRAMES[0].save(out, form, save_all=True, append_images=FRAMES[1:])
    return out.getvalue()


def wrong_sum(image: bytes) -> bytes:
    """A PNG whose data does not match its check sum."""
    at = image.index(b"IDAT")
    end = at + 4 + struct.unpack(">I", image[at - 4 : at])[0]
    return image[:end] + bytes([image[end] ^ 1]) + image[end + 1 :]


BOMB = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"A" * 80_000_000, 9))


@pytest.mark.parametrize(
    ("image", "code"),
    [
        (b"", "import_image_unreadable"),
        (b"\x89PNG\r\n\x1a\n", "import_image_unreadable"),
        (SOUND[: len(SOUND) // 2], "import_image_unreadable"),
        (written("JPEG")[:200], "import_image_unreadable"),
        (written("WEBP")[:200], "import_image_unreadable"),
        (wrong_sum(SOUND), "import_image_unreadable"),
        (png_of(0, 5), "import_image_unreadable"),
        (png_of(90, 90), "import_image_unreadable"),
        (png_of(1, 1, BOMB), "import_image_unreadable"),
        (png_of(8_001, 8_000), "import_image_too_large"),
        (png_of(40_000, 1), "import_image_too_large"),
        (png_of(2**31 - 1, 2**31 - 1), "import_image_too_large"),
        (animated("PNG"), "import_image_unreadable"),
        (animated("WEBP"), "import_image_unreadable"),
        (written("GIF"), "import_image_unreadable"),
        (written("TIFF"), "import_image_unreadable"),
        (written("BMP"), "import_image_unreadable"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "import_image_unreadable"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(len(value)),
)
def test_what_is_broken_or_too_large_is_told_as_such(image: bytes, code: str) -> None:
    picture = read_picture(image)
    assert isinstance(picture, RuleProblem)
    assert (picture.code, picture.path) == (code, ("image",))


@pytest.mark.parametrize("form", ["PNG", "WEBP", "JPEG"])
def test_whatever_is_changed_in_a_picture_it_is_read_or_refused(form: str) -> None:
    image = written(form)
    refused = 0
    for seed in range(300):
        chance = random.Random(seed)
        spoiled = bytearray(image)
        for _ in range(chance.randint(1, 8)):
            spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
        if chance.random() < 0.3:
            del spoiled[chance.randrange(len(spoiled)) :]
        picture = read_picture(bytes(spoiled))
        if isinstance(picture, RuleProblem):
            refused += 1
        else:
            assert picture.shape[2] == 3
    assert refused > 20
