"""No request is smuggled: framing of every kind, beside a victim who must see its own answers only.

The requests are those of ``tests/platform/door/test_framing.py``, more of them: the environment variables
``HEARTHFORGE_FRAMING_REQUESTS`` and ``HEARTHFORGE_FRAMING_SEED`` tell how many, and what to draw them from.
"""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure, GateFailure
from infra.gates.frame.house import House
from infra.gates.frame.suite import tests
from infra.launch.bootstrap import ROOT

PATH = "tests/platform/door/test_framing.py"
REQUESTS = "HEARTHFORGE_FRAMING_REQUESTS"
SEED = "HEARTHFORGE_FRAMING_SEED"


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many tests of the framing there were and how many failed.

    Raises:
        GateFailure: the tests are not there.
    """
    if not (ROOT / PATH).is_file():
        raise GateFailure(f"{PATH} is not there")
    house.close()
    drawn = {REQUESTS: str(options.cases), SEED: str(options.seed)}
    yield from tests("framing", [PATH], least=1, settings=drawn)
