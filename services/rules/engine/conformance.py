"""Answers cases of a case file with a system's own rules.

A case is `{"id", "area", "given", "expect", "source"}`. `AREAS` of `tests/conformance/<slug>` maps each area
to a function from what is given to an answer; every key that is expected must be in the answer, with exactly
that value. What the answer says beyond that is not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from services.rules.engine.problem import RulesError

Area = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Answers the cases of one area: what is given, as JSON, to what the rules say."""


class UnsupportedCaseError(RulesError):
    """The area is known, but not this kind of case."""


class Verdict(Enum):
    """How a case ended."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """A case and how it ended; `detail` says what was wrong with a failed one."""

    case_id: str
    verdict: Verdict
    detail: str = ""


def run_case(areas: Mapping[str, Area], case: Mapping[str, Any]) -> CaseOutcome:
    """Answers one case. An answer that raises is a failed case, so that one case never hides the others."""
    case_id = str(case.get("id", "?"))
    area = areas.get(str(case.get("area")))
    if area is None:
        return CaseOutcome(case_id, Verdict.UNSUPPORTED)
    try:
        answer = area(case["given"])
    except UnsupportedCaseError as error:
        return CaseOutcome(case_id, Verdict.UNSUPPORTED, str(error))
    except Exception as error:
        return CaseOutcome(case_id, Verdict.FAILED, f"{type(error).__name__}: {error}")
    wrong = [
        f"{key}: expected {_shown(value)}, got {_shown(answer[key]) if key in answer else 'nothing'}"
        for key, value in case["expect"].items()
        if key not in answer or _shown(answer[key]) != _shown(value)
    ]
    if wrong:
        return CaseOutcome(case_id, Verdict.FAILED, "; ".join(wrong))
    return CaseOutcome(case_id, Verdict.PASSED)


def _shown(value: object) -> str:
    """A value as sorted JSON: compared so that 1 and true differ, and that tuples and lists do not."""
    return json.dumps(value, sort_keys=True)
