"""What the suite proves on a part is proven on the whole by a gate."""

import re

import pytest

from infra.gates import idempotency, proofs
from tests import at_length
from tests.at_length import in_turn, part_or_whole
from tests.house import ROOT

USE = re.compile(r"\b(?:part_or_whole|in_turn)\(|\bAT_LENGTH\b(?!,)")
OF_PROPERTIES = re.compile(r"max_examples=part_or_whole\([^)]*\)")


def test_the_suite_takes_kinds_in_turn_and_the_gate_takes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_length, "AT_LENGTH", False)
    assert [[*in_turn("abc", place)] for place in range(4)] == [["a"], ["b"], ["c"], ["a"]]
    assert (part_or_whole(1, 2), [*in_turn("", 5)]) == (1, [])
    monkeypatch.setattr(at_length, "AT_LENGTH", True)
    assert [[*in_turn("abc", place)] for place in range(2)] == [["a", "b", "c"]] * 2
    assert (part_or_whole(1, 2), [*in_turn("", 5)]) == (2, [])


def test_a_gate_proves_the_whole_of_whatever_the_suite_proves_on_a_part() -> None:
    held = {idempotency.PATH, *(path for _, paths in proofs.PATHS.values() for path in paths)}
    halved = {
        path
        for file in sorted((ROOT / "tests").rglob("*.py"))
        if (path := str(file.relative_to(ROOT)))
        not in ("tests/at_length.py", "tests/infra/test_at_length.py")
        if USE.search(OF_PROPERTIES.sub("", file.read_text("utf-8")))
    }
    assert len(halved) > 10
    assert halved - held == set()
    assert [path for path in held if path.endswith(".py") and not (ROOT / path).is_file()] == []
