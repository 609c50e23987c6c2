"""What the contracts allow is answered as they say: a short form of the gate ``contract``."""

import json

from infra.gates.contract import TAKING_APART, draw_rest
from tests.e2e.table import World
from tests.house import ROOT

EVERY = 3
"""Of so many operations one is asked; the gate asks all of them, and often."""


def test_what_rest_describes_is_answered_as_described(door_world: World) -> None:
    described = json.loads((ROOT / "schema" / "openapi.json").read_text("utf-8"))["paths"]
    names = [one["operationId"] for methods in described.values() for one in methods.values()]
    asked = [name for name in names if name not in TAKING_APART][::EVERY]
    found = draw_rest(door_world, examples=1, seed=14, phases="fuzzing", operations=asked)
    assert found.cases > 100 / EVERY
    assert found.findings == ()
