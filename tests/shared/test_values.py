"""How many values JSON holds, counted on its bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.shared.limits.values import BY_OPERATION, MOST, USUAL, Values, count_values, values_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
)


def counted(value: Any) -> Values:
    """Count by walking what was read."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [counted(one) for one in inner]
    own = len(value) if isinstance(value, list | dict) else 0
    return Values(
        sum(one.elements for one in found) + (own if isinstance(value, list) else 0),
        sum(one.keys for one in found) + (own if isinstance(value, dict) else 0),
    )


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_bytes_are_counted_as_what_they_say(value: Any, indent: int | None, ascii_only: bool) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    assert count_values(written) == counted(value)


@pytest.mark.parametrize(
    ("text", "elements", "keys"),
    [
        ('{"a":"[1,2,3]","b\\"{\\"":{}}', 0, 2),
        ('["\\\\","{,:[",[ ],{ }]', 4, 0),
        ("[" + "{}," * 83_999 + "{}]", 84_000, 0),
        ("", 0, 0),
    ],
)
def test_what_stands_within_texts_is_no_value(text: str, elements: int, keys: int) -> None:
    assert count_values(text.encode()) == Values(elements, keys)


@pytest.mark.parametrize("text", ['"' + '\\"' * 130_000, '"a' * 130_001, "\\" * 260_000])
def test_texts_without_an_end_are_counted_in_one_pass(text: str) -> None:
    assert count_values(text.encode()) == Values(0, 0)


def test_an_operation_may_say_that_it_takes_more() -> None:
    assert values_of([]) == values_of(["roll"]) == USUAL
    assert values_of(["roll", "generateMaps"]) == Values(
        BY_OPERATION["generateMaps"].elements, max(USUAL.keys, BY_OPERATION["generateMaps"].keys)
    )
    for most in BY_OPERATION.values():
        assert most.beyond(MOST) is None
        assert most.beyond(USUAL) is not None
