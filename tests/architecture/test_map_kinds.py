"""What is common to all maps knows no kind of map: a game's own map is a package of `services.map.kinds`."""

import re
from pathlib import Path

from tests.architecture.test_directions import ROOT, Import, inside, offences, python_files

KINDS = "services.map.kinds"
GAMES = re.compile("forgeborn|fortunate|realm|story", re.IGNORECASE)
"""The games that have maps of their own, and what their maps are called."""

BUILT_UPON = {("cave", "dungeon")}
"""Kinds that share code: caves and dungeons are two halves of one, carved by the same kernels."""


def common_code() -> list[str]:
    """List the files of the map service outside of the kinds' packages."""
    return [name for name in python_files("services/map/") if not name.startswith("services/map/kinds/")]


def test_common_code_of_maps_names_no_game_and_no_map_of_one() -> None:
    named = [
        f"{name}:{number}: {line.strip()}"
        for name in common_code()
        for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), 1)
        if GAMES.search(line)
    ]
    assert named == []


def test_common_code_of_maps_imports_no_kind() -> None:
    assert offences(common_code(), lambda found: inside(found.module, KINDS)) == []


def test_a_kind_of_map_knows_no_other() -> None:
    def forbidden(found: Import) -> bool:
        own, other = Path(found.file).parts[3], found.module.split(".")[3:4]
        return inside(found.module, KINDS) and other != [own] and (own, *other) not in BUILT_UPON

    files = [name for name in python_files("services/map/kinds/") if len(Path(name).parts) > 4]
    assert offences(files, forbidden) == []


def test_common_code_of_maps_imports_no_game_system() -> None:
    assert offences(common_code(), lambda found: inside(found.module, "services.rules.systems")) == []


def test_every_kind_of_map_is_registered_by_the_same_modules() -> None:
    packages = {Path(name).parts[3] for name in python_files("services/map/kinds/") if name.count("/") > 3}
    assert packages
    for package in packages:
        folder = ROOT / "services/map/kinds" / package
        assert (folder / "__init__.py").is_file() and (folder / "kind.py").is_file(), package
