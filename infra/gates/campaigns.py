"""Campaigns of Fortunate Blades: 300 at random and what holds of all; a canary in one of twenty quests."""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.house import House
from infra.gates.frame.suite import tests
from tests.rules.fortunate_blades_canary import looked_through

CAMPAIGNS = 300
PATHS = ("tests/rules/test_fortunate_blades_campaigns_at_random.py",)
LEAST = 8
QUESTS, LEAST_ANSWERS = 20, 10_000


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many answers to players of a played campaign there were and in how many something hidden was
    seen; then how many of the properties were looked at, and how many are broken.
    """
    counted, betrayed = looked_through(QUESTS)
    kinds = {kind.replace(" ", "_"): found for kind, found in sorted(counted.items())}
    yield Figure("campaigns.answers", counted.total(), "answers", LEAST_ANSWERS, Wanted.AT_LEAST, more=kinds)
    yield Figure("campaigns.seen", len(betrayed), "answers", 0, findings=tuple(betrayed))
    settings = {"HEARTHFORGE_CAMPAIGNS_AT_RANDOM": str(CAMPAIGNS)}
    yield from tests("campaigns", PATHS, least=LEAST, settings=settings)
