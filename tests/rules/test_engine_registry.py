"""Registry: systems are found where they stand, with no list to edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.rules.engine.playthrough import parse_playthrough, replay
from services.rules.engine.problem import Problems
from services.rules.engine.registry import RegistryError, systems

TOY = '''
"""A toy game: a name and a number of dice."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from services.rules.engine.codec import Codec
from services.rules.engine.content import Shelf, load_shelf
from services.rules.engine.explain import Explained, Part
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.engine.system import System


@dataclass(frozen=True, slots=True)
class Hat:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Content:
    hats: Shelf[Hat]

    def shelves(self):
        return (self.hats,)


@dataclass(frozen=True, slots=True)
class Choices:
    name: str
    dice: int = 2


@dataclass(frozen=True, slots=True)
class Sheet:
    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]


def build(choices, content):
    if not 1 <= choices.dice <= 5:
        problem = RuleProblem("dice_out_of_range", "From 1 to 5.", "Toy", ("dice",), choices.dice, (1, 5))
        return Problems((problem,))
    dice = Explained.of(Part(choices.dice, "chosen", "Toy"))
    check = RollableCheck("throw", "Throw", f"{choices.dice}d6", "Add them up.", dice)
    return Sheet("toy", choices.name, (), (check,))


SYSTEM = System(
    slug="SLUG",
    name="Toy",
    edition="first",
    licence="ours",
    choices_codec=Codec(Choices, "toy/choices"),
    sheet_codec=Codec(Sheet, "toy/sheet"),
    content=Content(load_shelf(files(__name__), "hats.toml", system="toy", kind="hat", entry=Hat)),
    examples={"one": Choices("Ann")},
    playthroughs=load_playthroughs(__name__),
    build=build,
)
'''

PLAYTHROUGH = """
title: A throw
build
  name: "Ann"
  dice: 3
sheet
  checks[throw].notation: "3d6"
build
  name: "Ann"
  dice: 9
rejected
  dice_out_of_range at dice
"""


def drop_toy(folder: Path, package: str = "toy", slug: str = "toy") -> None:
    home = folder / package
    (home / "playthroughs").mkdir(parents=True)
    (home / "__init__.py").write_text(TOY.replace("SLUG", slug), encoding="utf-8")
    (home / "hats.toml").write_text('[red-hat]\nname = "Red Hat"\n', encoding="utf-8")
    (home / "playthroughs" / "throw.txt").write_text(PLAYTHROUGH, encoding="utf-8")


def test_a_package_dropped_into_a_folder_is_found_and_whole(tmp_path: Path) -> None:
    drop_toy(tmp_path)
    found = systems(tmp_path)
    assert {"toy", "dungeonteller"} <= found.keys()
    assert list(found) == sorted(found)
    toy = found["toy"]
    assert not isinstance(toy.build(toy.examples["one"], toy.content), Problems)
    assert replay(toy, parse_playthrough(toy.playthroughs["throw.txt"])) == ()


def test_a_dropped_in_package_is_seen_by_nobody_else(tmp_path: Path) -> None:
    drop_toy(tmp_path)
    systems(tmp_path)
    assert "toy" not in systems()


def test_a_slug_is_the_package_name(tmp_path: Path) -> None:
    drop_toy(tmp_path, slug="other")
    with pytest.raises(RegistryError, match="other"):
        systems(tmp_path)


def test_two_packages_cannot_claim_one_slug(tmp_path: Path) -> None:
    drop_toy(tmp_path / "first")
    drop_toy(tmp_path / "second")
    with pytest.raises(RegistryError, match="toy"):
        systems(tmp_path / "first", tmp_path / "second")


def test_a_package_without_system_is_passed_over_and_a_false_one_refused(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "__init__.py").write_text("", encoding="utf-8")
    assert "plain" not in systems(tmp_path)
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "__init__.py").write_text("SYSTEM = 3\n", encoding="utf-8")
    with pytest.raises(RegistryError, match="odd"):
        systems(tmp_path)


def test_a_package_that_fails_to_import_can_be_mended_and_tried_again(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "__init__.py").write_text("raise RuntimeError('half done')\n", encoding="utf-8")
    with pytest.raises(RuntimeError):
        systems(tmp_path)
    # Longer than before, so that Python does not take its compiled form for current.
    mended = "MENDED = 'yes, and longer than it was before'\n"
    (tmp_path / "toy" / "__init__.py").write_text(mended, encoding="utf-8")
    assert "toy" not in systems(tmp_path)
