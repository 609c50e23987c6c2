"""Clients keep pictures by their tags: what draws them otherwise must give other tags, by its version."""

import copy
import dataclasses
import json
from typing import Any

import pytest

from services.map import showing
from services.map.formats import OutputRequest
from services.map.models import MapRow
from services.map.play.state import Extent
from tests.map.reference_outputs import FILE, changed, reference


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    return reference()


def test_whoever_draws_maps_otherwise_raises_the_version_of_outputs(now: dict[str, Any]) -> None:
    before = json.loads(FILE.read_text())
    assert changed(before, now) == [], "raise OUTPUT_VERSION in services/map/outputs.py"
    assert before == now, "write the reference anew: python -m tests.map.reference_outputs"


def test_a_picture_that_is_drawn_otherwise_is_seen_under_the_same_version_alone(now: dict[str, Any]) -> None:
    before = copy.deepcopy(now)
    before["kinds"]["dungeon"]["svg"] = "other"
    assert changed(before, now) == ["dungeon as svg"]
    assert changed({**before, "version": 0}, now) == []
    before["kinds"]["dungeon"]["map"] = "another map"
    assert changed(before, now) == []


def test_every_kind_has_a_picture_in_the_reference(now: dict[str, Any]) -> None:
    assert [slug for slug, outputs in now["kinds"].items() if "svg" not in outputs] == []


def test_another_version_gives_other_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    row = MapRow(id="map_a", image=None)  # type: ignore[call-arg]
    subject = showing._Subject(row, None, b"{}", (), Extent(1, 1, cells=False), None, lasting=True)
    request = OutputRequest("svg")
    tag = showing._tag(subject, request)
    assert tag == showing._tag(dataclasses.replace(subject), request)
    monkeypatch.setattr(showing, "OUTPUT_VERSION", showing.OUTPUT_VERSION + 1)
    assert showing._tag(subject, request) != tag
