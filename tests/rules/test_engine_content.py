"""Content: ids, strict loading with file and key path, references."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from services.rules.engine.content import ContentError, Shelf, load_shelf, unresolved_references


@dataclass(frozen=True, slots=True)
class Charm:
    id: str
    name: str
    needs: tuple[str, ...] = ()


def shelf(folder: Path, text: str) -> Shelf[Charm]:
    (folder / "charms.toml").write_text(text, encoding="utf-8")
    return load_shelf(folder, "charms.toml", system="toy", kind="charm", entry=Charm)


def test_entries_have_ids_from_their_keys(tmp_path: Path) -> None:
    charms = shelf(tmp_path, '[lucky-penny]\nname = "Lucky Penny"\n')
    assert charms.ids == ("toy:charm/lucky-penny",)
    assert charms["toy:charm/lucky-penny"] == Charm("toy:charm/lucky-penny", "Lucky Penny")
    assert charms.get("toy:charm/none") is None


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[a]\nname = 3\n", ("a", "name")),
        ("[a]\n", ("a", "name")),
        ('[a]\nname = "A"\ncolour = "red"\n', ("a", "colour")),
        ('[a]\nname = "A"\nneeds = ["b", 1]\n', ("a", "needs", 1)),
        ('[Big_Key]\nname = "A"\n', ("Big_Key",)),
        ("a = 1\n", ("a",)),
        ('[a]\nid = "x"\nname = "A"\n', ("a", "id")),
        ("[a\n", ()),
    ],
)
def test_a_malformed_file_is_refused_with_file_and_key(
    tmp_path: Path, text: str, path: tuple[str | int, ...]
) -> None:
    with pytest.raises(ContentError) as caught:
        shelf(tmp_path, text)
    assert (caught.value.file, caught.value.path) == ("charms.toml", path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContentError):
        load_shelf(tmp_path, "none.toml", system="toy", kind="charm", entry=Charm)


def test_a_reference_to_nothing_is_found_with_its_place(tmp_path: Path) -> None:
    charms = shelf(
        tmp_path,
        '[a]\nname = "A"\nneeds = ["toy:charm/b", "toy:charm/gone", "just words"]\n[b]\nname = "B"\n',
    )
    (broken,) = unresolved_references([charms])
    assert (broken.file, broken.path) == ("charms.toml", ("a", "needs", 1))
    assert "toy:charm/gone" in str(broken)
