"""The problems of a request as GraphQL types: the interface ``Problem`` and one type each."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from services.shared.mirror import mirror, mirror_interface
from services.shared.problems import (
    DifferingField,
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Problem,
    Unavailable,
    VersionConflict,
)

INTERFACE = mirror_interface(Problem)
ISSUE = mirror(Issue, shareable=True)
DIFFERING_FIELD = mirror(DifferingField, shareable=True)
SHARED = (InvalidInput, NotFound, Forbidden, VersionConflict, IdempotencyConflict, Unavailable)
"""Those that several subgraphs show, all of them alike."""

_TYPES: dict[type[Problem], Any] = {}


def problem_type(cls: type[Problem], *, overrides: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return the GraphQL type of a problem, the same each time.

    Args:
        cls: the problem.
        overrides: other GraphQL types for single fields, where it is asked for first.
    """
    if cls not in _TYPES:
        _TYPES[cls] = mirror(cls, interfaces=[INTERFACE], shareable=cls in SHARED, overrides=overrides)
    return _TYPES[cls]


def shown(refused: Problem) -> Any:
    """Return a problem as what its GraphQL type is an instance of; an exception itself would be raised anew.

    Args:
        refused: the problem; one whose class has no type is shown as the nearest class above it.
    """
    kind = next(_TYPES[cls] for cls in type(refused).__mro__ if cls in _TYPES)
    told = object.__new__(kind)
    told.__dict__.update(vars(refused))
    return told


for _kind in SHARED:
    problem_type(_kind)
