"""What the suite proves on a part, on the whole: spoiled inputs, all that ids can be asked, all scenes."""

from collections.abc import Iterable

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure
from infra.gates.frame.house import House
from infra.gates.frame.suite import AT_LENGTH, tests

PATHS = {
    "inputs": (200, ("tests/matrix/test_bad_input.py", "tests/matrix/test_canary.py")),
    "door": (50, ("tests/platform/test_malformed_requests.py",)),
    "faults": (14, ("tests/e2e/test_faults.py",)),
    "evenings": (7, ("tests/e2e/test_generic_client.py", "tests/e2e/test_table_evenings.py")),
    "scenes": (
        2_300,
        (
            "tests/rules/test_play_conformance.py",
            "tests/rules/test_scene_canaries.py",
            "tests/rules/test_forge_engine_fog_canary.py",
            "tests/rules/test_fortunate_blades_encounters.py",
            "tests/campaign/test_scenes_schemas.py",
        ),
    ),
    "properties": (250, ("-m", "hypothesis", "tests")),
    "odds": (50, ("tests/dice/test_odds_service.py",)),
    "simulations": (40, ("tests/campaign/test_simulations.py", "tests/workers/test_simulations.py")),
}
"""The tests of each kind of proof, and how many there must be at least; properties are Hypothesis's."""


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields, of each kind of proof, how many tests there were and how many failed."""
    house.close()
    for kind, (least, paths) in PATHS.items():
        yield from tests(f"proofs.{kind}", paths, least=least, settings=AT_LENGTH)
