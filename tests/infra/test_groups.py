"""Which tests run on one worker, and in which order."""

import pytest

from tests.groups import group, place


@pytest.mark.parametrize(
    ("nodeid", "expected"),
    [
        ("tests/e2e/test_dice.py::test_odds[sqlite]", "the product on SQLite"),
        ("tests/e2e/test_maps.py::test_walk[postgres-sse]", "the product on PostgreSQL"),
        ("tests/platform/test_bad_input.py::test_page[sqlite-0-rolls]", "the product on SQLite"),
        ("tests/platform/test_canary.py::test_no_answer[outsider]", "the product on SQLite"),
        ("tests/platform/door/test_soak.py::test_sockets", "the product on SQLite"),
        ("tests/matrix/test_bad_pages.py::test_page[sqlite-rolls]", "the house on SQLite"),
        ("tests/matrix/test_idempotency.py::test_one_roll[postgres]", "the house on PostgreSQL"),
        ("tests/e2e/test_faults.py::test_kill[postgres-dice]", "the product on PostgreSQL"),
        ("tests/dice/test_chain.py::test_roll[postgres]", "tests/dice/test_chain.py"),
        ("tests/dice/test_chain.py::test_roll[sqlite]", "tests/dice/test_chain.py"),
    ],
)
def test_tests_that_share_a_product_or_a_file_are_one_group(nodeid: str, expected: str) -> None:
    assert group(nodeid) == expected


def test_what_takes_longest_begins_and_what_breaks_a_product_is_the_last_that_uses_it() -> None:
    files = [
        "rules/test_x",
        "e2e/test_faults",
        "workers/test_x",
        "platform/test_x",
        "e2e/test_x",
        "matrix/test_x",
    ]
    ordered = [
        "e2e/test_x",
        "platform/test_x",
        "e2e/test_faults",
        "matrix/test_x",
        "workers/test_x",
        "rules/test_x",
    ]
    assert sorted(files, key=lambda file: place(f"tests/{file}.py::test_x")) == ordered
