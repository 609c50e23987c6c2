"""The picture inside a text file: base64 or a `data:` address, read as leniently as browsers read it.

Line ends and spaces count for nothing, the padding may be missing, and a `data:` address may have parameters
and any letter case (the WHATWG's "forgiving-base64 decode" and "data: URL processor").
"""

from __future__ import annotations

import binascii
import re
from urllib.parse import unquote_to_bytes

_BLANKS = b"\t\n\f\r "
_DATA_URL = re.compile(r"\s*data:([^,]*),", re.IGNORECASE)
_BASE64 = re.compile(r"; *base64 *$", re.IGNORECASE)
_PADDING = 4


def embedded(text: str) -> bytes:
    """The bytes that a text stands for.

    Args:
        text: Base64, or a `data:` address whose media type is not looked at.

    Raises:
        ValueError: It is neither.
    """
    head = _DATA_URL.match(text)
    if head is None:
        return _decoded(text.encode("ascii"))
    body = text[head.end() :]
    if _BASE64.search(head.group(1)) is None:
        return unquote_to_bytes(body)
    return _decoded(unquote_to_bytes(body) if "%" in body else body.encode("ascii"))


def _decoded(encoded: bytes) -> bytes:
    digits = encoded.translate(None, _BLANKS)
    if len(digits) % _PADDING == 0 and digits.endswith(b"="):
        digits = digits[:-2] + digits[-2:].rstrip(b"=")
    if len(digits) % _PADDING == 1 or b"=" in digits:
        raise ValueError("this is no base64")
    try:
        return binascii.a2b_base64(digits + b"=" * (-len(digits) % _PADDING), strict_mode=True)
    except binascii.Error as error:
        raise ValueError("this is no base64") from error
