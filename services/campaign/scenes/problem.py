"""What can go wrong with a move beside what can go wrong everywhere.

::

    services.shared.problems.Problem
    `-- MoveRejected    MOVE_REJECTED    the rules do not allow it
"""

from collections.abc import Sequence

from services.rules.engine.play import LegalMove
from services.shared.problems import Issue, Problem


class MoveRejected(Problem):
    """The rules do not allow it; nothing was changed.

    Attributes:
        issues: Every broken rule, as far as you may know of it.
        legal: What the actor may do now.
    """

    issues: list[Issue]
    legal: tuple[LegalMove, ...]

    def __init__(self, issues: Sequence[Issue], legal: Sequence[LegalMove] = ()) -> None:
        super().__init__("MOVE_REJECTED", issues[0].message, issues[0].path)
        self.issues, self.legal = list(issues), tuple(legal)

    @classmethod
    def single(cls, code: str, message: str, *path: str, legal: Sequence[LegalMove] = ()) -> "MoveRejected":
        """Report one broken rule."""
        return cls([Issue(code, message, list(path))], legal)
