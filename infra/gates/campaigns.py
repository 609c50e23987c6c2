"""Three hundred campaigns of Fortunate Blades at random, five quests each: what holds of all of them."""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure
from infra.gates.frame.house import House
from infra.gates.frame.suite import tests

CAMPAIGNS = 300
PATHS = ("tests/rules/test_fortunate_blades_campaigns_at_random.py",)
LEAST = 8


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many of the properties were looked at, and how many are broken."""
    settings = {"HEARTHFORGE_CAMPAIGNS_AT_RANDOM": str(CAMPAIGNS)}
    yield from tests("campaigns", PATHS, least=LEAST, settings=settings)
