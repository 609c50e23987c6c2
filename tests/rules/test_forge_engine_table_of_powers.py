"""The README of Forge Engine names entry, function and test of every martial skill, spell and trait."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from services.rules.engine.content import Shelf, slug_of
from services.rules.systems import forge_engine
from services.rules.systems.forge_engine.catalog import own_catalog

CATALOG = own_catalog()
FOLDER = Path(forge_engine.__file__).parent
ROW = re.compile(
    r"^\| (?P<name>[^|]+) \| `(?P<entry>[^|`]+)` \| [^|]+ \| (?P<function>[^|]+) \| `(?P<test>\w+)` \|$"
)
TESTS = "\n".join(each.read_text() for each in sorted(Path(__file__).parent.glob("test_forge_engine_*.py")))


def rows() -> dict[tuple[str, str], tuple[str, str]]:
    """Function and test of each row, by entry and name."""
    lines = (FOLDER / "README.md").read_text().splitlines()
    found = [match for match in map(ROW.match, lines) if match is not None]
    assert len({(each["entry"], each["name"]) for each in found}) == len(found)
    return {(each["entry"], each["name"]): (each["function"], each["test"]) for each in found}


SHELVES = [CATALOG.martial, CATALOG.spells, CATALOG.traits]


@pytest.mark.parametrize("shelf", SHELVES, ids=lambda each: each.kind)
def test_every_power_and_trait_has_a_row(shelf: Shelf[object]) -> None:
    table = rows()
    assert [each.id for each in shelf if (slug_of(each.id), each.name) not in table] == []


def test_no_row_names_what_is_not_there() -> None:
    entries = {(slug_of(each.id), each.name) for shelf in SHELVES for each in shelf}
    assert set(rows()) == entries


def test_every_function_and_test_of_a_row_exists() -> None:
    missing = []
    for (entry, _), (function, test) in rows().items():
        if f"def {test}(" not in TESTS:
            missing.append((entry, test))
        missing += [(entry, named) for named in re.findall(r"`([\w.]+)`", function) if not _there(named)]
    assert missing == []


def _there(named: str) -> bool:
    """Whether a function, a table of functions or a module of the system is called so."""
    module, _, attribute = named.rpartition(".")
    folders = ("play.rules.", "play.", "") if module else ("",)
    for folder in folders:
        try:
            found = importlib.import_module(f"{forge_engine.__name__}.{folder}{module or named}")
        except ModuleNotFoundError:
            continue
        if not module or hasattr(found, attribute) or _is_module(found.__name__, attribute):
            return True
    return False


def _is_module(package: str, name: str) -> bool:
    try:
        importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError:
        return False
    return True
