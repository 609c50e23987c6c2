"""What runs on one worker when tests run side by side: what shares something that takes long to make.

That is the file, whose tests share databases and fixtures; and for the tests of the whole product the
product, which is started once on each kind of database. The groups of pytest-xdist itself (``--dist
loadgroup``) are not used: its version 3.8 writes them where pytest 9.2 no longer looks, and then every test
goes its own way.
"""

import re

from xdist.scheduler import LoadScopeScheduling

OF_THE_PRODUCT = re.compile(r"tests/(e2e|platform)/")
WITH_ONE_OF_THEIR_OWN = "tests/e2e/test_faults.py"
ON_POSTGRES = re.compile(r"[\[-]postgres[\]-]")
FIRST = (
    *("tests/e2e", "tests/platform", "tests/workers", WITH_ONE_OF_THEIR_OWN, "tests/infra", "tests/map"),
    *("tests/gateway", "tests/shared", "tests/dice", "tests/character", "tests/campaign"),
)
"""What begins, the longest first: what takes long and came last would be waited for by everybody.

The product that is broken on purpose comes later than the two others, which take all processors to start.
"""


def group(nodeid: str) -> str:
    """Name the group of a test.

    Args:
        nodeid: as pytest writes it, from the root of the project: ``tests/e2e/test_dice.py::test_x[sqlite]``.
    """
    file = nodeid.partition("::")[0]
    if file == WITH_ONE_OF_THEIR_OWN or not OF_THE_PRODUCT.match(file):
        return file
    return f"the product on {'PostgreSQL' if ON_POSTGRES.search(nodeid) else 'SQLite'}"


def place(nodeid: str) -> int:
    """Give the place of a test in the order of the run."""
    file = nodeid.partition("::")[0]
    known = file if file in FIRST else "/".join(file.split("/")[:2])
    return FIRST.index(known) if known in FIRST else len(FIRST)


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Hands a whole group to one worker, the next group to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
