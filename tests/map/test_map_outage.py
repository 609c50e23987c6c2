"""The map service while its database or its folder cannot be written."""

import pytest

from tests.character.desk import somebody
from tests.map.service_desk import MapDesk
from tests.map.test_map_importing import pictured
from tests.outages import broken_sqlite


@pytest.fixture
def map_desk(lasting_desk: MapDesk) -> MapDesk:
    """The map service of the whole file."""
    return lasting_desk


def test_what_cannot_be_kept_is_unavailable_and_leaves_nothing(map_desk: MapDesk) -> None:
    viewer = somebody()
    before = set(map_desk.stored("maps"))
    with broken_sqlite("read-only"):
        asked = map_desk.generate(viewer, realm={"seed": "7"})
        brought = map_desk.bring(viewer, pictured("red"), key="k")
    assert (asked["__typename"], asked["code"]) == ("Unavailable", "UNAVAILABLE")
    assert (brought.status_code, brought.json()["code"]) == (503, "UNAVAILABLE")
    assert set(map_desk.stored("maps")) == before
    assert map_desk.ask(viewer, "{ maps { nodes { id } } }")["maps"]["nodes"] == []
    again = map_desk.bring(viewer, pictured("red"), key="k")
    assert again.status_code == 200
    (kept,) = map_desk.ask(viewer, "{ maps { nodes { id } } }")["maps"]["nodes"]
    assert kept["id"] == again.json()["id"]


def test_a_folder_that_cannot_be_written_refuses_files_and_still_shows_maps(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, map={"dungeon": {"width": 21, "height": 21}}, seed="4")
    folder = map_desk.settings.files_dir
    moved = folder.with_name("elsewhere")
    folder.rename(moved)
    folder.write_text("no folder")  # root writes into any folder: but not into what is none
    try:
        brought = map_desk.bring(viewer, pictured("red"), key="k")
        shown = map_desk.internal(viewer, f"maps/{made}/outputs/png?px=10")
    finally:
        folder.unlink()
        moved.rename(folder)
    assert (brought.status_code, brought.json()["code"]) == (503, "UNAVAILABLE")
    assert len(map_desk.ask(viewer, "{ maps { nodes { id } } }")["maps"]["nodes"]) == 1
    assert shown.status_code == 200
    assert map_desk.bring(viewer, pictured("red"), key="k").status_code == 200
