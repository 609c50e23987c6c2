"""What is wrong with a file that somebody wants to import: typed problems with the path, before any work.

Problems
├── import_too_large           the file, or the picture in it (bytes)
├── import_too_many_values     more lists, objects and members than any map has
├── import_too_deep            lists and objects nested deeper than those of any map
├── import_not_json            no JSON, no UTF-8, NaN, infinity, or nested without end
├── import_unknown_format      a map file of no format known here
├── import_key_missing         a key the format demands
├── import_wrong_type          a text where a number belongs, and the like
├── import_out_of_range        a number, a count or a length beyond its limits
├── import_malformed           a value no map can hold: an unknown terrain, a door off the map
└── import_image_unreadable    a picture that is neither PNG, WebP nor JPEG
"""

from __future__ import annotations

from typing import Any

import orjson

from services.rules.engine.problem import Finding, KeyPath, Problems, RuleProblem

MOST_PROBLEMS = 50
"""Told of one file; the rest is likely the same again."""

MAX_MARKS = 500_000
"""Commas and opening brackets in a file: JSON has no more values than those. The largest maps that a file may
hold (20,000 portals, 40,000 props) have two thirds of that."""

_MARKS = (b",", b"[", b"{")

MAX_TEXT = 60
"""Characters shown of an offending text."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def refusal(
    code: str, message: str, rule: str, path: KeyPath = (), found: object = None, allowed: Finding = None
) -> RuleProblem:
    """One problem of a file; what was found is cut short, or told by its type when it is no plain value."""
    return RuleProblem(f"import_{code}", message, rule, path, _shown(found), allowed)


def refused(problems: list[RuleProblem]) -> Problems:
    """The problems of a file, no more than anybody reads.

    Raises:
        ValueError: There is none.
    """
    return Problems(tuple(problems[:MOST_PROBLEMS]))


def read_object(data: bytes, rule: str, most: int) -> dict[str, Any] | Problems:
    """The JSON object a file holds.

    Args:
        data: The file.
        rule: The format's name, for problems.
        most: Bytes it may have.

    Bytes and values are counted before it is parsed, which makes an object of each value.
    """
    if len(data) > most:
        message = f"A file has at most {most} bytes."
        return refused([refusal("too_large", message, rule, (), len(data), most)])
    marks = sum(map(data.count, _MARKS))
    if marks > MAX_MARKS:
        message = f"A file has at most {MAX_MARKS:,} commas and opening brackets."
        return refused([refusal("too_many_values", message, rule, (), marks, MAX_MARKS)])
    try:
        read = orjson.loads(data.removeprefix(_BYTE_ORDER_MARK))
    except (orjson.JSONDecodeError, RecursionError) as error:
        return refused([refusal("not_json", f"This is no JSON: {error}.", rule)])
    if not isinstance(read, dict):
        return refused([refusal("wrong_type", "The file is one JSON object.", rule, (), read, "an object")])
    return read


def _shown(found: object) -> Finding:
    if isinstance(found, str):
        return found if len(found) <= MAX_TEXT else f"{found[:MAX_TEXT]}..."
    if isinstance(found, float):
        return f"{found:g}"
    if found is None or isinstance(found, int):
        return found
    if isinstance(found, list | tuple):
        return "a list"
    return "an object" if isinstance(found, dict) else type(found).__name__
