"""What is made of pictures that are brought along as portraits: sizes, orientation, and what is refused."""

import io
import struct
import zlib

import pytest
from PIL import Image, PngImagePlugin

from services.character.portraits.keys import FILES, SIZES
from services.character.portraits.pictures import MAX_BYTES, Portrait, format_of, make_portrait
from services.shared.problems import Issue

RED, GREEN, BLUE = (220, 20, 20), (20, 200, 20), (20, 20, 220)


def written(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def thirds(width: int = 300, height: int = 100) -> Image.Image:
    """Draw a red, a green and a blue third, from left to right."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(GREEN, (width // 3, 0, 2 * width // 3, height))
    picture.paste(BLUE, (2 * width // 3, 0, width, height))
    return picture


def made(content: bytes) -> Portrait:
    found = make_portrait(content)
    assert isinstance(found, Portrait), found
    return found


def opened(portrait: Portrait, name: str = "64.png") -> Image.Image:
    return Image.open(io.BytesIO(portrait.files[name]))


def near(found: object, wanted: tuple[int, int, int]) -> bool:
    assert isinstance(found, tuple)
    return all(abs(one - other) < 30 for one, other in zip(found[:3], wanted, strict=True))


def png_of_size(width: int, height: int) -> bytes:
    """Write a PNG of a few bytes whose header claims a size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_cropped_to_its_middle_in_every_size(kind: str) -> None:
    content = written(thirds(), kind)
    assert format_of(content) == kind
    portrait = made(content)
    assert set(portrait.files) == set(FILES)
    for size in SIZES:
        for suffix in ("webp", "png"):
            picture = opened(portrait, f"{size}.{suffix}")
            assert (picture.size, picture.format) == ((size, size), suffix.upper())
            assert all(
                near(picture.convert("RGB").getpixel((x, size // 2)), GREEN)
                for x in (size // 6, 5 * size // 6)
            )


def test_orientation_is_applied_and_nothing_else_of_the_file_is_kept() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned a quarter to the right
    exif[0x010E] = "a secret place"
    square = thirds(120, 120)
    content = written(square, "JPEG", exif=exif, comment=b"a secret word", quality=95, icc_profile=b"p" * 200)
    assert b"a secret" in content
    portrait = made(content)
    picture = opened(portrait).convert("RGB")
    assert [near(picture.getpixel((32, y)), color) for y, color in ((5, RED), (32, GREEN), (58, BLUE))] == [
        True
    ] * 3
    for name, kept in portrait.files.items():
        assert b"a secret" not in kept
        assert not opened(portrait, name).getexif()
        assert {"icc_profile", "comment", "exif"}.isdisjoint(opened(portrait, name).info)


def test_texts_of_a_png_are_not_kept() -> None:
    told = PngImagePlugin.PngInfo()
    told.add_text("Location", "a secret place")
    assert all(b"secret" not in kept for kept in made(written(thirds(), "PNG", pnginfo=told)).files.values())


def test_clear_parts_stay_clear() -> None:
    picture = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    picture.paste((*RED, 255), (40, 40, 60, 60))
    found = opened(made(written(picture, "PNG")))
    assert found.mode == "RGBA"
    clear, red = found.getpixel((2, 2)), found.getpixel((32, 32))
    assert isinstance(clear, tuple) and isinstance(red, tuple)
    assert (clear[3], red[3]) == (0, 255)


@pytest.mark.parametrize("kind", ["WEBP", "PNG"])
def test_the_first_frame_of_an_animation_is_taken(kind: str) -> None:
    frames = [Image.new("RGB", (80, 80), color) for color in (BLUE, RED)]
    content = written(frames[0], kind, save_all=True, append_images=frames[1:])
    assert near(opened(made(content)).convert("RGB").getpixel((30, 30)), BLUE)


@pytest.mark.parametrize("mode", ["L", "P", "LA", "I;16", "CMYK", "1"])
def test_pictures_of_other_channels_are_read(mode: str) -> None:
    content = written(Image.new(mode, (64, 64)), "JPEG" if mode == "CMYK" else "PNG")
    assert opened(made(content)).size == (64, 64)


def test_sixteen_bits_a_channel_become_eight() -> None:
    grey = Image.new("I;16", (64, 64), 0x8000)
    assert near(opened(made(written(grey, "PNG"))).convert("RGB").getpixel((9, 9)), (128, 128, 128))


def test_the_same_picture_has_the_same_digest_and_each_upload_its_own_version() -> None:
    once, again = made(written(thirds(), "PNG")), made(written(thirds(), "PNG"))
    assert once.digest == again.digest != made(written(thirds(60, 90).resize((99, 99)), "PNG")).digest
    assert once.named() != once.named()


@pytest.mark.parametrize(
    ("width", "height"), [(63, 100), (100, 63), (4097, 64), (4001, 4000), (60_000, 60_000)]
)
def test_sizes_beyond_the_limits_are_refused_by_their_header(width: int, height: int) -> None:
    found = make_portrait(png_of_size(width, height))
    assert isinstance(found, Issue) and found.code == "PORTRAIT_DIMENSIONS"
    assert "4096" in str(found.allowed)


def test_a_webp_that_claims_a_giant_canvas_is_refused_before_it_is_made() -> None:
    canvas = (16_382).to_bytes(3, "little") * 2
    body = b"WEBPVP8X" + (10).to_bytes(4, "little") + bytes(4) + canvas
    found = make_portrait(b"RIFF" + len(body).to_bytes(4, "little") + body)
    assert isinstance(found, Issue)
    assert (found.code, found.found) == ("PORTRAIT_DIMENSIONS", "16383 x 16383")


def test_a_broken_file_is_told_as_such() -> None:
    whole = written(Image.effect_noise((200, 200), 90), "PNG")
    for content in (whole[: len(whole) // 2], png_of_size(100, 100), b"\xff\xd8\xff\xe0 no picture", b""):
        found = make_portrait(content)
        assert isinstance(found, Issue) and found.code == "PORTRAIT_UNREADABLE"


def test_other_kinds_of_files_are_told_by_their_bytes() -> None:
    for content in (b"GIF89a", b"<svg/>", b"{}", b"", b"RIFF1234WAVE"):
        assert format_of(content) is None
    assert MAX_BYTES == 4 * 1024 * 1024
