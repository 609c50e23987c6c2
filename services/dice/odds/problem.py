"""What can go wrong with a question about odds, beside what can with any."""

from services.dice.odds.tasks import Reason, TooMuch
from services.shared.problems import Problem
from services.shared.workers import SECONDS

_REASONS = {
    Reason.STATES: "Exact odds of this take about {0.cost:.2g} steps, and {0.limit:,} may be spent.",
    Reason.TIME: f"The odds of this were not found within {SECONDS:g} seconds.",
    Reason.MEMORY: "The odds of this take more memory than there is for them.",
}


class OddsTooLarge(Problem):
    """Exact odds of this would be more work than is done for one question; ask for an estimate with `sample`.

    Attributes:
        limit: What there is not enough of.
        cost: Steps that it would take at least, by the estimate; 0 where they were thought to be few.
        allowed: Steps that may be spent.
    """

    limit: Reason
    cost: float
    allowed: int

    def __init__(self, found: TooMuch, *path: str) -> None:
        super().__init__(
            "ODDS_TOO_LARGE",
            f"{_REASONS[found.reason].format(found)} Ask for an estimate with `sample`.",
            path,
        )
        self.limit, self.cost, self.allowed = found.reason, found.cost, found.limit
