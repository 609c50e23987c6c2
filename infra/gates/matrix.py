"""Who sees and who may: every operation, REST and graph, asked by everyone from nobody to the table's GM."""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure
from infra.gates.frame.house import House
from infra.gates.frame.suite import tests

PATH = "tests/platform/test_visibility.py"
LEAST = 250


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many rows were asked, by six roles each, and how many were answered otherwise."""
    house.close()
    yield from tests("matrix", [PATH], least=LEAST)
