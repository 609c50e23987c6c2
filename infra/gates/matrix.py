"""Who sees and who may: every operation, REST and graph, asked by everyone from nobody to the table's GM."""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure
from infra.gates.frame.house import House
from infra.gates.frame.suite import tests

PATHS = ("tests/matrix/test_visibility.py", "tests/platform/test_roles_at_the_door.py")
LEAST = 250


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many rows were asked, by six roles each, and how many were answered otherwise."""
    house.close()
    yield from tests("matrix", PATHS, least=LEAST)
