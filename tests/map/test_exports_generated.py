"""Exports of maps as they are generated, against the ground the scenes of the games play on."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import jsonschema
import pytest
import shapely
from shapely.geometry import LineString

from services.map.exports.geometry import barriers
from services.map.exports.own import OwnMap, from_own
from services.map.exports.schemas import grid_map_schema, uvtt_schema
from services.map.exports.soundness import faults
from services.map.exports.uvtt import to_uvtt
from services.map.exports.uvtt_import import Imported, from_uvtt
from services.map.generation.grid import canonical
from services.map.generation.grid.model import DoorKind, DoorState, GridMap
from services.map.generation.grid.secrets import for_players
from services.map.generation.grid.terrain import OPAQUE
from services.map.generation.kind import Made, make
from services.map.ground.building import ground_of
from services.map.ground.sight import sees
from services.map.kinds.battle.generator import GENERATOR as BATTLE
from services.map.kinds.battle.parameters import BattleParameters, Site
from services.map.kinds.dungeon.generator import GENERATOR as DUNGEON
from services.map.kinds.dungeon.parameters import DungeonParameters
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.squares import Square
from tests.map.test_exports_geometry import through_corner

GRID = jsonschema.Draft202012Validator(grid_map_schema())
UVTT = jsonschema.Draft202012Validator(uvtt_schema())


@cache
def generated(name: str) -> GridMap:
    if name == "dungeon":
        made = make(DUNGEON, DungeonParameters(), 4)
    else:
        made = make(BATTLE, BattleParameters(site=Site(name)), 4)
    assert isinstance(made, Made), str(made)
    return made.model


MAPS = ["dungeon", "village", "ruin", "forest"]


@pytest.mark.parametrize("name", MAPS)
def test_they_are_sound_follow_the_schemas_and_come_back(name: str) -> None:
    for model in (generated(name), for_players(generated(name))):
        assert list(faults(model)) == []
        data = canonical.to_bytes(model)
        GRID.validate(json.loads(data))
        assert from_own(data, {}) == OwnMap(model.kind.value, model)
        vtt = to_uvtt(model)
        UVTT.validate(json.loads(vtt))
        found = from_uvtt(vtt)
        assert isinstance(found, Imported)
        assert list(faults(found.model)) == []
        doors = {door.bounds for door in model.doors if door.kind is not DoorKind.ARCH}
        assert {door.bounds for door in found.model.doors} == doors


@pytest.mark.parametrize("name", MAPS)
def test_their_lines_stop_sight_just_where_their_ground_does(name: str) -> None:
    model = generated(name)
    ground = ground_of(model, {door.id: DoorState.CLOSED for door in model.doors})
    found = barriers(model)
    lines = [LineString(line) for line in (*found.walls, *found.objects)]
    # One sees through a portcullis on the ground, too.
    lines += [LineString(door.bounds) for door in found.doors if door.kind is not DoorKind.PORTCULLIS]
    tree = shapely.STRtree(lines)
    doorways = {cell for door in model.doors if door.edge is None for cell in door.cells}
    cells = [
        (index % model.width, index // model.width)
        for index, code in enumerate(model.cells)
        if not OPAQUE[code] and (index % model.width, index // model.width) not in doorways
    ]
    random = Random(name)
    seen = hidden = 0
    while seen + hidden < 400:
        one = random.choice(cells)
        near = [to for to in random.sample(cells, 60) if max(abs(to[0] - one[0]), abs(to[1] - one[1])) < 12]
        for other in near:
            if other == one or through_corner(one, other):
                continue
            ray = LineString([(one[0] + 0.5, one[1] + 0.5), (other[0] + 0.5, other[1] + 0.5)])
            clear = len(tree.query(ray, predicate="intersects")) == 0
            assert clear is sees(ground, Footprint(Square(*one)), Footprint(Square(*other)))
            seen, hidden = seen + clear, hidden + (not clear)
    assert min(seen, hidden) > 40
