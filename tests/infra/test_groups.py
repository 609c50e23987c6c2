"""Which tests run on one worker."""

import pytest

from tests.groups import group


@pytest.mark.parametrize(
    ("nodeid", "expected"),
    [
        ("tests/e2e/test_dice.py::test_odds[sqlite]", "the product on SQLite"),
        ("tests/e2e/test_maps.py::test_walk[postgres-sse]", "the product on PostgreSQL"),
        ("tests/platform/test_bad_input.py::test_page[sqlite-0-rolls]", "the product on SQLite"),
        ("tests/platform/test_canary.py::test_no_answer[outsider]", "the product on SQLite"),
        ("tests/e2e/test_faults.py::test_kill[dice]", "tests/e2e/test_faults.py"),
        ("tests/dice/test_chain.py::test_roll[postgres]", "tests/dice/test_chain.py"),
        ("tests/dice/test_chain.py::test_roll[sqlite]", "tests/dice/test_chain.py"),
    ],
)
def test_tests_that_share_a_product_or_a_file_are_one_group(nodeid: str, expected: str) -> None:
    assert group(nodeid) == expected
