"""The problems of a request as GraphQL types: the interface ``Problem`` and one type each."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from services.shared import problem, problems
from services.shared.mirror import mirror

_TYPES: dict[type[problem.Problem], Any] = {
    problem.NotFound: problems.NotFound,
    problem.Forbidden: problems.Forbidden,
    problem.InvalidInput: problems.InvalidInput,
    problem.VersionConflict: problems.VersionConflict,
    problem.IdempotencyConflict: problems.IdempotencyConflict,
    problem.Unavailable: problems.Unavailable,
}


def problem_type(cls: type[problem.Problem], *, overrides: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return the GraphQL type of a problem, the same each time.

    Args:
        cls: the problem.
        overrides: other GraphQL types for single fields, where it is asked for first.
    """
    if cls not in _TYPES:
        _TYPES[cls] = mirror(cls, interfaces=[problems.Problem], overrides=overrides)
    return _TYPES[cls]


def shown(refused: problem.Problem) -> Any:
    """Return a problem as what its GraphQL type is an instance of; an exception itself would be raised anew.

    Args:
        refused: the problem; one whose class has no type is shown as the nearest class above it.
    """
    kind = next(_TYPES[cls] for cls in type(refused).__mro__ if cls in _TYPES)
    told = object.__new__(kind)
    told.__dict__.update(vars(refused))
    return told
