"""How much a request may ask for, and that its names differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from services.rules.engine.problem import KeyPath, RuleProblem, path_text
from services.rules.engine.simulation.request import (
    MOST_CASES,
    MOST_CAST,
    MOST_CHANGES,
    MOST_MOVES,
    MOST_RUNS,
    MOST_SCENES,
    SEED_LENGTH,
    Member,
    SimulationRequest,
)

RULE = "simulations"


class BrokenRequest(Exception):
    """A request cannot be laid out, or a later scene of its day cannot be begun.

    Attributes:
        problems: What is wrong with it.
    """

    def __init__(self, *problems: RuleProblem) -> None:
        super().__init__(*problems)
        self.problems = problems

    @property
    def reason(self) -> str:
        """The first problem in a line, with where it stands in the request."""
        first = self.problems[0]
        return f"{path_text(first.path)}: {first.message}"


def bounds_problems(request: SimulationRequest) -> Iterator[RuleProblem]:
    """Yield every size of a request that is out of its range, and every name that is not one's own."""
    yield from range_problems("scenes_out_of_range", ("scenes",), len(request.scenes), 1, MOST_SCENES)
    yield from range_problems("cast_out_of_range", ("cast",), len(request.cast), 0, MOST_CAST)
    yield from range_problems("runs_out_of_range", ("runs",), request.runs, 1, MOST_RUNS)
    yield from range_problems("moves_out_of_range", ("most_moves",), request.most_moves, 1, MOST_MOVES)
    yield from range_problems("seed_too_long", ("seed",), len(request.seed), 0, SEED_LENGTH)
    yield from range_problems("axes_out_of_range", ("sweep",), len(request.sweep), 0, 2)
    for place, axis in enumerate(request.sweep):
        yield from range_problems(
            "values_out_of_range", ("sweep", place, "values"), len(axis.values), 1, MOST_CASES
        )
    for place, variant in enumerate(request.variants):
        path = ("variants", place, "changes")
        yield from range_problems("changes_out_of_range", path, len(variant.changes), 1, MOST_CHANGES)
    cells = prod(len(axis.values) for axis in request.sweep) if request.sweep else 0
    cases = 1 + len(request.variants) + cells + len(request.worth)
    if cases > MOST_CASES:
        text = "Variants, cells of the sweep and worths are too many together with the opening itself."
        yield RuleProblem("cases_too_many", text, RULE, ("sweep",), cases, MOST_CASES)
    names = [variant.name for variant in request.variants]
    for place, name in enumerate(names):
        if not name.strip() or name in names[:place]:
            text = "Each variant has a name of its own."
            yield RuleProblem("variant_unnamed", text, RULE, ("variants", place, "name"), name)
    yield from id_problems(request.cast, ("cast",))


def id_problems(members: Sequence[Member], path: KeyPath) -> Iterator[RuleProblem]:
    """Yield the characters of a cast that have no id, or one that another has."""
    ids = [member.id for member in members]
    for place, known in enumerate(ids):
        if not known or known in ids[:place]:
            text = "Each character takes part once, under an id."
            yield RuleProblem("cast_id_taken", text, RULE, (*path, place, "id"), known)


def range_problems(code: str, path: KeyPath, found: int, least: int, most: int) -> Iterator[RuleProblem]:
    """Yield a problem of this code where a number is out of its range, both ends included."""
    if not least <= found <= most:
        yield RuleProblem(code, f"From {least} to {most} are possible.", RULE, path, found, (least, most))
