"""The entropy that a roller's client sends along with a request."""

import base64
import re
import secrets

from services.rules.dice.vr1 import CLIENT_BYTES
from services.shared.problems import InvalidInput

LEAST, MOST = CLIENT_BYTES[0], CLIENT_BYTES[-1]
DRAWN = 32
_HEX = re.compile(r"[0-9a-fA-F]+")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]+={0,2}")
_LONGEST_TEXT = 2 * MOST


def read_entropy(text: str, *path: str) -> bytes:
    """Read entropy: 16 to 64 bytes in hexadecimal or base64url, with or without its padding.

    A text of hexadecimal digits alone is hexadecimal: 16 random bytes look so in base64url once in 10**10
    times, hexadecimal that lost a digit on its way always does.

    Args:
        text: as it was sent.
        path: where in the request it was.

    Raises:
        InvalidInput: it is nothing of the kind.
    """
    found = _decoded(text) if len(text) <= _LONGEST_TEXT else b""
    if len(found) in CLIENT_BYTES:
        return found
    raise InvalidInput.single(
        "ENTROPY",
        f"Entropy is {LEAST} to {MOST} random bytes, fresh for each roll, in hexadecimal or base64url.",
        *path,
        found=f"{len(text)} characters",
        allowed=f"{2 * LEAST}..{2 * MOST} hexadecimal digits, or base64url of {LEAST}..{MOST} bytes",
    )


def draw_entropy() -> bytes:
    """Draw entropy for a request that brought none."""
    return secrets.token_bytes(DRAWN)


def _decoded(text: str) -> bytes:
    if _HEX.fullmatch(text):
        return bytes.fromhex(text) if len(text) % 2 == 0 else b""
    bare = text.rstrip("=")
    if not _BASE64URL.fullmatch(text) or len(bare) % 4 == 1:
        return b""
    return base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
