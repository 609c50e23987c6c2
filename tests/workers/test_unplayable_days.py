"""A question that a later scene of its day cannot be begun of ends with its reason, at the first attempt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.campaign.simulations.tasks import tell
from services.rules.engine.simulation.request import REQUEST_CODEC
from tests.rules.test_day_figures import DAY, Chastened, pinned
from tests.rules.test_engine_simulation import DUEL
from workers import simulations
from workers.making import Refused

GAMES = {"duel": replace(DUEL, play=Chastened())}
ASKED = REQUEST_CODEC.dump(replace(DAY, variants=(pinned(3),)))


def test_the_job_is_refused_with_the_problem_and_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations, "games", lambda: GAMES)
    with pytest.raises(Refused) as refused:
        list(simulations.turn_steps({"request": ASKED, "claims": [(0, None), (1, None)]}))
    assert refused.value.code == "REQUEST_UNPLAYABLE"
    assert str(refused.value).startswith("variants[0].changes.checks[0].dice")


def test_a_run_of_it_is_told_as_far_as_it_can_be_read_or_refused_with_the_problem() -> None:
    told = [tell(GAMES, ASKED, "pinned", number) for number in range(16)]
    broken = [each for each in told if each.problems]
    assert broken and len(broken) < len(told)
    for each in broken:
        assert each.found is None
        assert each.problems[0].path[:3] == ("variants", 0, "changes")
