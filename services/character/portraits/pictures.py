"""What is made of a picture that is brought along as a portrait; worker processes do it.

The file is trusted in nothing: its kind is told by its first bytes, its size by its header, before any pixel
is decoded. What is kept is written anew from the pixels, so that nothing else of the file is left.
"""

import hashlib
import io
import secrets
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps

from services.character.portraits.keys import SIZES
from services.shared.problems import Issue

MAX_BYTES = 4 * 2**20
MIN_SIDE, MAX_SIDE = 64, 4096
MAX_PIXELS = 16_000_000
QUALITY = 85
"""Of the pictures in WebP."""

SECONDS = 6.0
"""Processor time; the largest sound picture takes a fifth of it."""

MEMORY = 3 * 2**29
"""Bytes of address space; the largest sound WebP takes a third while it is read."""

WAITING, WAITING_EACH = 32, 4
"""Pictures that may wait, of all accounts and of each: they wait in memory."""

_LIMITS = f"{MIN_SIDE} to {MAX_SIDE} pixels a side, {MAX_PIXELS // 1_000_000} megapixels at most"
_PATH = ["body"]


@dataclass(frozen=True, slots=True)
class Portrait:
    """A portrait as it is kept.

    Attributes:
        digest: of its files; the same picture has the same one.
        files: the contents, by the names of ``FILES``.
    """

    digest: str
    files: dict[str, bytes]

    def named(self) -> str:
        """Return a fresh version for it, of which no file was ever stored."""
        return f"{self.digest}-{secrets.token_hex(4)}"


def ready() -> None:
    """Prepare a process for reading pictures: load the decoders."""
    Image.init()


def format_of(content: bytes) -> str | None:
    """Tell the kind of a picture by its first bytes, in Pillow's spelling; None for any other file."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if content.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "WEBP"
    return None


def make_portrait(content: bytes) -> Portrait | Issue:
    """Make the squares of a portrait of a file, cropped to its middle; or tell what is wrong with it.

    Of an animation it is the first frame. A picture is turned as its EXIF orientation says.

    Args:
        content: the file; ``format_of`` knows it.
    """
    try:
        with warnings.catch_warnings():
            # Of our own limits we tell by ourselves; there is nobody else to warn.
            warnings.simplefilter("ignore")
            canvas = _webp_canvas(content) if format_of(content) == "WEBP" else None
            if canvas is not None and (refused := _check_size(canvas)) is not None:
                return refused
            with Image.open(io.BytesIO(content), formats=[format_of(content) or "PNG"]) as picture:
                return _check_size(picture.size) or _portrait(_square(picture))
    except Image.DecompressionBombError:
        return _wrong_size("far more")
    except MemoryError:
        raise
    except Exception:  # decoders of broken files raise whatever they run into
        text = "The picture is broken: it cannot be read to its end."
        return Issue("PORTRAIT_UNREADABLE", text, _PATH, allowed="PNG, JPEG, WebP")


def _webp_canvas(content: bytes) -> tuple[int, int] | None:
    """Return the size that a WebP claims (RFC 9649, 2.5 to 2.7): Pillow makes its canvas to find out."""
    match content[12:16]:
        case b"VP8X":
            return _little(content[24:27]) + 1, _little(content[27:30]) + 1
        case b"VP8L":
            bits = _little(content[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _little(content[26:28]) & 0x3FFF, _little(content[28:30]) & 0x3FFF
    return None


def _little(content: bytes) -> int:
    return int.from_bytes(content, "little")


def _check_size(size: tuple[int, int]) -> Issue | None:
    width, height = size
    if min(size) < MIN_SIDE or max(size) > MAX_SIDE or width * height > MAX_PIXELS:
        return _wrong_size(f"{width} x {height}")
    return None


def _wrong_size(found: str) -> Issue:
    text = f"A portrait must have {_LIMITS}."
    return Issue("PORTRAIT_DIMENSIONS", text, _PATH, found=found, allowed=_LIMITS)


def _square(picture: Image.Image) -> Image.Image:
    """Return the middle of a picture as a square of the largest size, with nothing but its pixels."""
    largest = SIZES[-1]
    if picture.format == "JPEG":
        # Of a large one the decoder makes every second, fourth or eighth pixel only, and never too few.
        picture.draft(None, (2 * largest, 2 * largest))
    turned = ImageOps.exif_transpose(picture)
    side = min(turned.size)
    left, top = (turned.width - side) // 2, (turned.height - side) // 2
    middle = _plain(turned.crop((left, top, left + side, top + side)))
    resized = middle.resize((largest, largest), Image.Resampling.LANCZOS, reducing_gap=3.0)
    if resized.mode == "RGBA" and resized.getchannel("A").getextrema()[0] == 255:
        resized = resized.convert("RGB")
    # What is pasted leaves behind what else the file told: colour profiles, comments, places.
    clean = Image.new(resized.mode, resized.size)
    clean.paste(resized)
    return clean


def _plain(picture: Image.Image) -> Image.Image:
    """Return a picture with 8 bits of each channel."""
    if picture.mode.startswith(("I", "F")):
        # 16 bits a pixel: the upper half of them.
        return picture.convert("I").point(lambda value: value * (1 / 256)).convert("L").convert("RGB")
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


def _portrait(square: Image.Image) -> Portrait:
    files = {}
    for size in SIZES:
        picture = square.resize((size, size), Image.Resampling.LANCZOS) if size < square.width else square
        files[f"{size}.webp"] = _written(picture, "WEBP", quality=QUALITY)
        files[f"{size}.png"] = _written(picture, "PNG")
    digest = hashlib.sha256(b"".join(files.values())).hexdigest()[:24]
    return Portrait(digest, files)


def _written(picture: Image.Image, kind: str, **options: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()
