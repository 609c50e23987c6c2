"""The games' own rolls and dice are found where their packages define them."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.rules.engine.registry import RegistryError, mechanics, named_dice

PACKAGE = """
from services.rules.dice.mechanic import Mechanic, Reading
from services.rules.dice.pool import Face, dice

MECHANICS = (
    Mechanic(
        name="{name}",
        title="Toss",
        meaning="A coin.",
        source="nowhere",
        parameters=(),
        outcomes=("heads", "tails"),
        pools=lambda arguments: (dice(1, 2),),
        read=lambda arguments, rolled: Reading(rolled[0][0], "heads" if rolled[0][0] == 1 else "tails"),
        odds=lambda arguments: {{}},
    ),
)
DICE = {{"{die}": (Face("sun", 1),)}}
"""


def package(folder: Path, slug: str, name: str, die: str) -> Path:
    """Write a package with one roll and one die."""
    home = folder / slug
    home.mkdir(parents=True)
    (home / "__init__.py").write_text(PACKAGE.format(name=name, die=die))
    return folder


def test_a_package_that_is_dropped_in_is_found(tmp_path: Path) -> None:
    folder = package(tmp_path, "coins", "coins:toss", "penny")
    assert "coins:toss" in mechanics(folder) and "penny" in named_dice(folder)
    assert "coins:toss" not in mechanics() and "penny" not in named_dice()
    assert set(mechanics()) < set(mechanics(folder))


def test_a_roll_bears_the_name_of_its_package(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="bear"):
        mechanics(package(tmp_path, "coins", "coin:toss", "penny"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MECHANICS = ('toss',)", "str"),
        ("DICE = {'Penny': (Face('sun', 1),)}", "Penny"),
        ("DICE = {'penny': ()}", "faces"),
        ("DICE = {'penny': (1, 2)}", "faces"),
    ],
)
def test_what_is_no_roll_and_no_die_is_refused(tmp_path: Path, text: str, said: str) -> None:
    home = tmp_path / "coins"
    home.mkdir()
    (home / "__init__.py").write_text(f"from services.rules.dice.pool import Face\n{text}\n")
    with pytest.raises(RegistryError, match=said):
        (mechanics if "MECHANICS" in text else named_dice)(tmp_path)


def test_names_are_taken_once(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="resource"):
        named_dice(package(tmp_path / "one", "coins", "coins:toss", "resource"))
    with pytest.raises(RegistryError, match="two rolls"):
        mechanics(
            package(tmp_path / "two", "coins", "coins:toss", "penny"),
            package(tmp_path / "three", "coins", "coins:toss", "dime"),
        )
