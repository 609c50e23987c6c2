"""The two kinds of findings about a pack."""

from __future__ import annotations

from services.rules.engine.packs import FindingKind, PackFinding
from services.rules.engine.problem import Finding, KeyPath


def difference(
    code: str, message: str, rule: str, path: KeyPath, stated: Finding, computed: Finding, working: str
) -> PackFinding:
    """A figure that is not what a formula computes."""
    return PackFinding(
        kind=FindingKind.DIFFERENCE,
        code=code,
        message=message,
        rule=rule,
        path=path,
        stated=stated,
        computed=computed,
        working=working,
    )


def advice(code: str, message: str, rule: str, path: KeyPath, stated: Finding = None) -> PackFinding:
    """Something the book warns of."""
    return PackFinding(
        kind=FindingKind.ADVICE, code=code, message=message, rule=rule, path=path, stated=stated
    )
