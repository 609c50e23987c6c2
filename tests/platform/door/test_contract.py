"""What the contracts allow is answered as they say: a short form of the gate ``contract``."""

from infra.gates.contract import draw_rest
from tests.e2e.table import World


def test_what_rest_describes_is_answered_as_described(door_world: World) -> None:
    found = draw_rest(door_world, examples=1, seed=14, phases="fuzzing")
    assert found.cases > 100
    assert found.findings == ()
