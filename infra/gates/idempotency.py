"""Once is once: fifty requests with one idempotency key at the same time have one effect and one answer."""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure
from infra.gates.frame.house import House
from infra.gates.frame.suite import AT_LENGTH, tests

PATH = "tests/matrix/test_idempotency.py"
LEAST = 30


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many tests there were, on both databases, and how many saw a second effect or answer."""
    house.close()
    yield from tests("idempotency", [PATH], least=LEAST, settings=AT_LENGTH)
