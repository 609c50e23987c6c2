"""No request is smuggled: framing of every kind, beside a victim who must see its own answers only.

The requests are those of ``tests/gateway/federation/test_federation_framing.py``, more of them: the
environment variables ``HEARTHFORGE_FRAMING_REQUESTS`` and ``HEARTHFORGE_FRAMING_SEED`` say how many, and from
what they are drawn. ``tests/platform/door/test_framing.py`` asks the whole product the worst of them.
"""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure
from infra.gates.frame.house import House
from infra.gates.frame.suite import tests

PATHS = ("tests/gateway/federation/test_federation_framing.py", "tests/platform/door/test_framing.py")
REQUESTS = "HEARTHFORGE_FRAMING_REQUESTS"
SEED = "HEARTHFORGE_FRAMING_SEED"
LEAST = 20


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many tests of the framing there were and how many failed."""
    house.close()
    drawn = {REQUESTS: str(options.cases), SEED: str(options.seed)}
    yield from tests("framing", [*PATHS], least=LEAST, settings=drawn)
