"""What a table keeps out of play, and which rules its game master may waive for one character.

The game master sets budgets, shuts out what does not fit the world, and may let a single character go beyond
either (Character Creation; Character Development). Such leave stands among the choices, and on the sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.equipment import Era

WAIVABLE: Mapping[str, str] = MappingProxyType(
    {
        "attribute_and_trait_budget_exceeded": "More CP for traits and attributes than the budget.",
        "skill_budget_exceeded": "More CP for skills than the budget.",
        "general_skill_minimum": "Fewer CP on general skills than the table asks for.",
        "martial_budget_exceeded": "More CP on martial skills than the table gives.",
        "specialized_budget_exceeded": "More CP on specialized martial skills than the table gives.",
        "magic_budget_exceeded": "More CP on spells than the table gives.",
        "attribute_above_limit": "An attribute above the table's limit.",
        "skill_above_limit": "A skill above the table's limit.",
        "species_not_allowed": "A species that the table does not play with.",
        "barred": "Something that is not in play at the table.",
        "option_not_in_play": "A trait or skill of a rule that the table has not switched on.",
        "era_not_in_play": "Equipment of an era that is not in play.",
        "equipment_by_leave": "Equipment from the start, though the game master hands it out.",
        "multiple_sizes": "Another size than that of the species.",
        "trait_only_at_creation": "A trait taken up in play that is otherwise only chosen at creation.",
    }
)
"""Codes of the rules that a game master may waive, and what is then allowed."""


def leave_problems(leave: Iterable[str]) -> Iterator[RuleProblem]:
    """Codes that no game master can waive, and codes that are named twice."""
    seen: set[str] = set()
    for index, code in enumerate(leave):
        path: KeyPath = ("leave", index)
        if code not in WAIVABLE:
            yield RuleProblem(
                "not_waivable",
                "This is no rule that the game master can waive.",
                "Character Creation",
                path,
                code,
                tuple(WAIVABLE),
            )
        elif code in seen:
            yield RuleProblem(
                "waived_twice", "This rule is waived already.", "Character Creation", path, code
            )
        seen.add(code)


def unwaived(problems: Iterable[RuleProblem], leave: Iterable[str]) -> Iterator[RuleProblem]:
    """The problems without those that the game master waives."""
    waived = WAIVABLE.keys() & set(leave)
    return (problem for problem in problems if problem.code not in waived)


def absence_problems(
    entry_id: str,
    name: str,
    catalog: Catalog,
    path: KeyPath,
    *,
    optional: bool = False,
    era: Era | None = None,
) -> Iterator[RuleProblem]:
    """Why something is not in play at the table.

    Args:
        entry_id: Its content id.
        name: Its name.
        catalog: The content, with the table's settings.
        path: Where it was chosen.
        optional: Whether it must be switched on.
        era: Which era of equipment it belongs to; None for what is none.
    """
    settings = catalog.settings
    if entry_id in settings.barred:
        yield RuleProblem(
            "barred",
            f"{name} is not in play at this table.",
            "Character Creation / Step 2",
            path,
            entry_id,
        )
    if optional and entry_id not in settings.options:
        yield RuleProblem(
            "option_not_in_play",
            f"{name} is only in play where the table switches it on.",
            "Genres And Worlds",
            path,
            entry_id,
            settings.options,
        )
    if era is not None and era not in settings.eras:
        yield RuleProblem(
            "era_not_in_play",
            f"{name} is of an era that is not in play at this table.",
            "Equipment Compatibility",
            path,
            era.value,
            tuple(known.value for known in settings.eras),
        )
