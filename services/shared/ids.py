"""Prefixed opaque identifiers.

An id reads ``rol_01jd8...``: a prefix that names the kind of thing and 26 characters of Crockford base32
for 128 bits laid out like a UUID version 7 (48 bits of milliseconds, then randomness). Ids of one kind
therefore sort by the moment they were made, which is what the keyset connections page by.
"""

import re
import secrets
import time

KINDS = {
    "acc": ("account",),
    "bat": ("batch",),
    "chr": ("character",),
    "cmp": ("campaign",),
    "die": ("die",),
    "inv": ("invitation",),
    "job": ("job", "batch"),
    "key": ("key",),
    "mac": ("macro",),
    "map": ("map", "map that scenes can be set on"),
    "pck": ("content pack", "pack"),
    "rol": ("roll",),
    "scn": ("scene",),
    "thg": ("thing on a map",),
}
"""What the id of each prefix may be the id of, in the words of problems; the first is what it is called."""
_NOUNS = frozenset(noun for nouns in KINDS.values() for noun in nouns)

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PATTERN = re.compile(r"[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}")


def new_id(prefix: str, *, milliseconds: int | None = None) -> str:
    """Make a fresh id.

    Args:
        prefix: three lower-case letters naming the kind, for instance ``rol``.
        milliseconds: Unix time in milliseconds; the present moment when omitted.
    """
    moment = time.time_ns() // 1_000_000 if milliseconds is None else milliseconds
    value = (moment & (1 << 48) - 1) << 80 | secrets.randbits(80)
    return f"{prefix}_{_encode(value)}"


def first_id(prefix: str, milliseconds: int) -> str:
    """Give the least id that can be made in a millisecond: ids made earlier sort before it.

    Args:
        prefix: three lower-case letters naming the kind.
        milliseconds: Unix time.
    """
    return f"{prefix}_{_encode((max(0, milliseconds) & (1 << 48) - 1) << 80)}"


def is_id(text: str, prefix: str) -> bool:
    """Tell whether ``text`` has the shape of an id of the kind ``prefix``."""
    return text.startswith(f"{prefix}_") and _PATTERN.fullmatch(text) is not None


def mistaken_kind(text: object, noun: str) -> str | None:
    """Return the sentence that an id is of another kind than was asked for; None where it is not.

    The prefix alone tells, so the sentence is no word about whether there is such a thing.

    Args:
        text: what was sent where an id belongs.
        noun: what was asked for, for instance ``character``.
    """
    if noun not in _NOUNS or not isinstance(text, str) or _PATTERN.fullmatch(text) is None:
        return None
    nouns = KINDS.get(text[:3])
    if nouns is None or noun in nouns:
        return None
    return f"This is the id of {_article(nouns[0])} {nouns[0]}, not of {_article(noun)} {noun}."


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _encode(value: int) -> str:
    digits = []
    for _ in range(26):
        value, digit = divmod(value, 32)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
