"""What a game's package holds, the product uses: its functions and classes, and the fields of its content."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from tests.architecture.test_directions import python_files
from tests.architecture.usage import ROOT, unused

SYSTEMS = systems()
HOME = "services/rules/systems/"

SHOWN = "for people, who read it in the library of the content"
BY_NAME = "read by the value of an enum: the attribute, the hull, the way of going"
NOT_PLAYED = "a figure of fights and hazards, which are not played yet"

UNREAD: Mapping[str, Mapping[str, str]] = {
    "dungeonteller": {
        "Figures.battle_bonus": SHOWN,
        "Figures.people": SHOWN,
        "Monster.dislikes": SHOWN,
        "Monster.treasure": SHOWN,
        "Ratings": BY_NAME,
        "Zone.shape": SHOWN,
        "Zone.spares_giants": SHOWN,
    },
    "dwarf_dice": {
        "ArmoryItem": SHOWN,
        "CraftOdds": SHOWN,
    },
    "forge_engine": {
        "Adversary": SHOWN,
        "AdversaryAttack.assumed": SHOWN,
        "Attributes": BY_NAME,
        "Condition.group": SHOWN,
        "DamageType.group": SHOWN,
        "Disposition.also": SHOWN,
        "Equipment": SHOWN,
        "EquipmentTable.notes": SHOWN,
        "Genre": SHOWN,
        "Hazard": NOT_PLAYED,
        "HazardLevel": NOT_PLAYED,
        "HazardStage": NOT_PLAYED,
        "MartialSkill": NOT_PLAYED,
        "Movement": NOT_PLAYED,
        "Sample.confidence": SHOWN,
        "Size": NOT_PLAYED,
        "Species.setting": SHOWN,
        "Spell": NOT_PLAYED,
        "SpellArea.at_point": NOT_PLAYED,
        "Terrain": BY_NAME,
        "WaterWeather": BY_NAME,
    },
    "forgeborn": {"FunctionEntry.keywords": SHOWN},
}
"""Fields that no rule reads, and why: whole classes of which some are, or single ones."""


def test_every_function_and_class_of_a_system_is_used_by_the_product() -> None:
    assert unused(python_files(HOME), python_files("services/", "workers/", "infra/")) == []


def test_the_finder_knows_what_a_use_is(tmp_path: Path) -> None:
    files = {
        "game/__init__.py": "from game.rules import handed_on\n",
        "game/rules.py": (
            "def handed_on(): return 1\n"
            "def imported_only(): return 2\n"
            "def called_by_unused(): return 3\n"
            "def unused(): return called_by_unused()\n"
            "def endless(): return endless()\n"
            "def of_module(): return 5\n"
            "class Thing:\n"
            "    def asked(self): return 6\n"
            "    def forgotten(self): return 7\n"
        ),
        "service.py": (
            "from game import handed_on as other, rules\n"
            "from game.rules import Thing, imported_only\n"
            "print(other(), rules.of_module(), Thing().asked())\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = unused(["game/rules.py"], list(files), tmp_path)
    names = ("Thing.forgotten", "called_by_unused", "endless", "imported_only", "unused")
    assert found == [f"game.rules: {name}" for name in names]


@cache
def names_read(system: str) -> frozenset[str]:
    """The attributes that a system's code reads, or takes apart in a pattern."""
    found = set()
    for name in python_files(f"{HOME}{system}/"):
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.add(node.attr)
            elif isinstance(node, ast.MatchClass):
                found.update(node.kwd_attrs)
    return frozenset(found)


def entries_of(system: AnySystem) -> list[Any]:
    """The dataclasses that a system's content is made of."""
    seen: list[Any] = []

    def collect(hint: Any) -> None:
        own = isinstance(hint, type) and hint.__module__.startswith("services.rules.systems.")
        if own and is_dataclass(hint) and hint not in seen:
            seen.append(hint)
            for inner in get_type_hints(hint).values():
                collect(inner)
        for argument in get_args(hint):
            collect(argument)

    collect(type(system.content))
    for shelf in system.content.shelves():
        for entry in shelf.entries.values():
            collect(type(entry))
    return seen


def unread(system: AnySystem) -> Iterator[str]:
    """The fields of the content that nothing of the system reads: "Class.field"."""
    for entry in entries_of(system):
        for one in fields(entry):
            if one.name not in names_read(system.slug):
                yield f"{entry.__name__}.{one.name}"


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_every_field_of_the_content_is_read_by_some_rule(system: AnySystem) -> None:
    excused = UNREAD.get(system.slug, {})
    found = list(unread(system))
    assert [name for name in found if not {name, name.partition(".")[0]} & excused.keys()] == []
    needed = {part for name in found for part in (name, name.partition(".")[0])}
    assert set(excused) <= needed, "an excuse that is no longer needed"
