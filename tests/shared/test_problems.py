"""Problems are the same on the other side of a worker process."""

import pickle

import pytest

from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Problem,
    Unavailable,
    VersionConflict,
)


@pytest.mark.parametrize(
    "raised",
    [
        NotFound.of("campaign", "id"),
        Forbidden.because("Not yours.", "id"),
        InvalidInput([Issue("ODD", "Odd.", ["a", "0"], "p. 3", "7", "1..5"), Issue("EVEN", "Even.", ["b"])]),
        VersionConflict.between(3, 4, "version"),
        IdempotencyConflict.of(),
        Unavailable.of("dice"),
        PeerUnavailable("dice", "timeout"),
    ],
    ids=lambda raised: type(raised).__name__,
)
def test_a_problem_survives_the_way_from_a_worker_process(raised: Problem) -> None:
    found = pickle.loads(pickle.dumps(raised))
    assert type(found) is type(raised)
    assert (vars(found), str(found), found.args) == (vars(raised), str(raised), raised.args)
