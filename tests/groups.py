"""What runs on one worker when tests run side by side: what shares something that takes long to make.

That is the file, whose tests share databases and fixtures; for the tests of the whole product the product,
and for those of the house in one process that house, each started once on each kind of database. The groups
of pytest-xdist itself (``--dist loadgroup``) are not used: its version 3.8 writes them where pytest 9.2 no
longer looks, and then every test goes its own way.
"""

import re

from xdist.scheduler import LoadScopeScheduling

OF_ONE_HOUSE = {"tests/e2e": "the product", "tests/platform": "the product", "tests/matrix": "the house"}
BREAKING = "tests/e2e/test_faults.py"
ON_POSTGRES = re.compile(r"[\[-]postgres[\]-]")
FIRST = (
    *("tests/e2e", "tests/platform", BREAKING, "tests/matrix", "tests/workers", "tests/infra", "tests/map"),
    *("tests/gateway", "tests/shared", "tests/dice", "tests/character", "tests/campaign"),
)
"""What begins, the longest first: what takes long and came last would be waited for by everybody.

What breaks a product on purpose is the last that uses it.
"""


def group(nodeid: str) -> str:
    """Name the group of a test.

    Args:
        nodeid: as pytest writes it, from the root of the project: ``tests/e2e/test_dice.py::test_x[sqlite]``.
    """
    file = nodeid.partition("::")[0]
    house = OF_ONE_HOUSE.get(folder(file))
    if house is None:
        return file
    return f"{house} on {'PostgreSQL' if ON_POSTGRES.search(nodeid) else 'SQLite'}"


def folder(file: str) -> str:
    """Give the folder below ``tests`` that a file lies in, however deep."""
    return "/".join(file.split("/")[:2])


def place(nodeid: str) -> int:
    """Give the place of a test in the order of the run."""
    file = nodeid.partition("::")[0]
    known = file if file in FIRST else folder(file)
    return FIRST.index(known) if known in FIRST else len(FIRST)


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Hands a whole group to one worker, the next group to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
