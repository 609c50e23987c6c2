"""Checks a pack beside the content it is to be added to."""

from __future__ import annotations

from dataclasses import fields

from services.rules.engine.packs import PackReport
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.packs.bounds import out_of_bounds, too_many
from services.rules.systems.forge_engine.packs.design import design_problems
from services.rules.systems.forge_engine.packs.entries import ContentPack
from services.rules.systems.forge_engine.packs.findings import findings
from services.rules.systems.forge_engine.packs.references import key_problems, reference_problems
from services.rules.systems.forge_engine.packs.shelves import added, put_in

_ORDER = {item.name: place for place, item in enumerate(fields(ContentPack))}


def check(pack: ContentPack, catalog: Catalog) -> PackReport | Problems:
    """Everything that is wrong with a pack beside some content; else what there is to know about it."""
    # A pack that is far too large, or whose figures are, is not worth the work that the rest of the check is.
    problems = (*too_many(pack),) or (*out_of_bounds(pack),)
    if any(problem.code in ("too_many_entries", "list_too_long") for problem in problems):
        return Problems(problems)
    things = added(pack, catalog)
    extended = put_in(catalog, pack, things)
    problems += (
        *key_problems(things, catalog),
        *reference_problems(pack, extended),
        *design_problems(pack, extended),
    )
    if problems:
        return Problems(tuple(sorted(problems, key=_place)))
    return PackReport(
        adds=tuple(thing.id for thing in things), findings=tuple(findings(pack, catalog, extended))
    )


def _place(problem: RuleProblem) -> tuple[int, int]:
    """Where in a pack a problem stands: the list, and the entry."""
    first, *rest = problem.path or ("",)
    index = rest[0] if rest and isinstance(rest[0], int) else -1
    return _ORDER.get(str(first), -1), index
