"""Scenes set on stored maps: walls, doors, light and where everybody starts are the map's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.grid import MAX_SIDE, Square
from services.rules.engine.ground.kinds import WALL as WALL_ON_EDGE
from services.rules.engine.ground.kinds import Ambient, Door, DoorState, Lamp
from services.rules.engine.ground.model import Ground
from services.rules.engine.play import CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.engine.site import SITE_CODEC, PlayedOnSites, Site, SiteDoor, plain_ground
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.conditions import in_sight, light_at
from services.rules.systems.dungeonteller.play.moves import Go, Remove, Try, Wedge
from services.rules.systems.dungeonteller.play.setup import Setup
from services.rules.systems.dungeonteller.play.state import Scene, Thing
from services.rules.systems.dungeonteller.powers import Light
from tests.rules.dungeonteller_scenes import CATALOG, make, refused

assert SYSTEM.play is not None
PLAY = SYSTEM.play
WALL = tuple(Square(x, 3) for x in range(9) if x != 4)
DOOR = Door("door-1", (Square(4, 3),))


def site(
    *doors: Door,
    width: int = 9,
    height: int = 7,
    solid: tuple[Square, ...] = WALL,
    secret: bool = False,
) -> Site:
    """Return a place of nine by seven: a wall across it, and doors in the wall."""
    return Site(
        title="The cellar",
        ground=plain_ground(width, height, solid, doors=doors or (DOOR,), ambient=Ambient.DARK),
        doors=(SiteDoor(id="door-1", name="an iron door", secret=secret),),
        heroes=(Square(4, 1), Square(5, 1)),
        foes=(Square(4, 5), Square(3, 5)),
    )


def begun(setup: Setup, place: Site) -> Scene:
    """Begin a scene on a place with one hero."""
    assert isinstance(PLAY, PlayedOnSites)
    laid = PLAY.laid_out(setup, place)
    assert isinstance(laid, Setup), laid
    sheet = SYSTEM.build(SYSTEM.examples["dwarf"], CATALOG)
    scene = PLAY.begin(laid, (CastMember(id="brunna", sheet=sheet),))
    assert isinstance(scene, Scene), scene
    return scene


def test_a_shut_door_is_a_thing_that_stops_who_walks_and_an_open_one_is_not() -> None:
    scene = begun(PLAY.setups["orc-ambush"], site())
    (thing,) = (one for one in scene.things if one.id == "door-1")
    assert (thing.name, thing.at, thing.solid) == ("an iron door", Square(4, 3), True)
    assert set(scene.field.grid.solid) == set(WALL)
    assert refused(scene, Go(actor="brunna", to=Square(4, 3)))
    opened = begun(PLAY.setups["orc-ambush"], site(replace(DOOR, state=DoorState.OPEN)))
    assert "door-1" not in {one.id for one in opened.things}


def test_a_secret_door_is_wall_as_long_as_nobody_has_found_it() -> None:
    scene = begun(PLAY.setups["orc-ambush"], site(secret=True))
    assert set(scene.field.grid.solid) == {*WALL, Square(4, 3)}
    assert "door-1" not in {one.id for one in scene.things}
    found = begun(PLAY.setups["orc-ambush"], site(replace(DOOR, state=DoorState.OPEN), secret=True))
    assert set(found.field.grid.solid) == set(WALL)


def test_a_wide_door_is_a_thing_a_square_and_a_locked_one_says_so() -> None:
    wide = Door("door-1", (Square(4, 3), Square(5, 3)), state=DoorState.LOCKED)
    scene = begun(PLAY.setups["orc-ambush"], site(wide, solid=WALL[:4] + WALL[5:]))
    things = {one.id: (one.name, one.at) for one in scene.things if one.id.startswith("door-1")}
    assert things == {
        "door-1-1": ("an iron door, locked", Square(4, 3)),
        "door-1-2": ("an iron door, locked", Square(5, 3)),
    }


def test_everybody_starts_where_the_map_says_and_sees_by_its_light() -> None:
    scene = begun(PLAY.setups["orc-ambush"], site())
    (hero,) = (one for one in scene.beings if one.hero)
    assert hero.at == Square(4, 1)
    assert {one.at for one in scene.beings if not one.hero} <= {
        square
        for foe in site().foes
        for square in (Square(foe.x + x, foe.y + y) for x in (-2, -1, 0, 1, 2) for y in (-1, 0, 1))
    }
    assert scene.field.light is Light.DARK


def test_a_map_beyond_the_grid_of_a_scene_is_refused() -> None:
    assert isinstance(PLAY.laid_out(PLAY.setups["crypt"], site(width=MAX_SIDE)), Setup)
    for wide in (site(width=MAX_SIDE + 1), site(height=MAX_SIDE + 1)):
        problems = PLAY.laid_out(PLAY.setups["crypt"], wide)
        assert isinstance(problems, Problems) and problems.codes == ("site_too_large",)


@pytest.mark.parametrize("name", PLAY.setups)
def test_every_setup_of_the_game_can_be_set_on_a_map(name: str) -> None:
    scene = begun(PLAY.setups[name], site())
    grid = scene.field.grid
    squares = [one.at for one in scene.beings]
    assert len(set(squares)) == len(squares)
    assert not set(squares) & set(grid.solid)
    for at in (*squares, *(thing.at for thing in scene.things if thing.at is not None)):
        assert 0 <= at.x < 9 and 0 <= at.y < 7
    standing = {thing.at for thing in scene.things if thing.solid}
    assert not standing & set(squares), "somebody stands within a solid thing"


squares = st.builds(Square, st.integers(0, 11), st.integers(0, 11))
places = st.builds(
    Site,
    title=st.just("Anywhere"),
    ground=st.builds(
        plain_ground,
        st.just(12),
        st.just(12),
        st.lists(squares, max_size=60).map(tuple),
        ambient=st.sampled_from(Ambient),
    ),
    heroes=st.lists(squares, max_size=6).map(tuple),
    foes=st.lists(squares, max_size=6).map(tuple),
)


@given(places)
def test_nobody_starts_in_a_wall_whatever_the_map_says(place: Site) -> None:
    scene = begun(PLAY.setups["orc-ambush"], place)
    stand = [one.at for one in scene.beings]
    assert not {*stand} & {*place.solid} and len(set(stand)) == len(stand)
    assert SITE_CODEC.load(SITE_CODEC.dump(place)) == place


# Thin walls, doors on edges, lamps, heights, rough ground


HERE, BEYOND = Square(4, 2), Square(4, 3)
"""The squares on both sides of a thin wall that runs across a hall of nine by seven."""
EDGES = tuple((Square(x, 2), Square(x, 3)) for x in range(9))
GATE = Door("door-1", edges=((HERE, BEYOND),))


def hall(*doors: Door, secret: bool = False, **ground: Any) -> Site:
    """Return a hall with a thin wall across it, in which doors hang."""
    hung = {edge for door in doors for edge in door.edges}
    walls = [(edge, WALL_ON_EDGE) for edge in EDGES if edge not in hung]
    return Site(
        title="The hall",
        ground=Ground.drawn(*["." * 9] * 7, walls=walls, doors=doors, **ground),
        doors=tuple(SiteDoor(id=door.id, name="a low gate", secret=secret) for door in doors),
        heroes=(HERE,),
        foes=(Square(4, 6),),
    )


def test_a_thin_wall_stops_steps_and_eyes() -> None:
    scene = begun(PLAY.setups["orc-ambush"], hall())
    assert refused(scene, Go(actor="brunna", to=BEYOND)) == ("no_way",)
    assert not in_sight(scene, HERE, BEYOND)
    assert in_sight(scene, HERE, Square(0, 0))


def test_a_door_on_an_edge_is_a_thing_beside_it_and_open_when_it_is_taken_away() -> None:
    scene = begun(PLAY.setups["orc-ambush"], hall(GATE))
    (thing,) = (one for one in scene.things if one.id == "door-1")
    assert (thing.at, thing.solid) == (HERE, False)
    assert refused(scene, Go(actor="brunna", to=BEYOND)) == ("no_way",)
    opened = make(scene, Remove(actor="gm", what="door-1")).scene
    assert in_sight(opened, HERE, BEYOND)
    assert make(opened, Go(actor="brunna", to=BEYOND)).being("brunna").at == BEYOND
    assert PLAY.state_codec.load(PLAY.state_codec.dump(opened)) == opened


def test_a_door_on_an_edge_is_wedged_and_forced_like_any_other() -> None:
    scene = begun(PLAY.setups["orc-ambush"], hall(GATE))
    spike = Thing(id="spike", name="iron spike", item="dungeonteller:gear/iron-spike", holder="brunna")
    ready = replace(scene, things=(*scene.things, spike))
    wedged = make(ready, Wedge(actor="brunna", door="door-1")).scene
    (job,) = (one for one in wedged.jobs if one.door == "door-1")
    assert job.needed == 2
    forcing = Try(actor="brunna", action=Action.MUSCLE, job=job.id)
    fresh = replace(wedged, turn=replace(wedged.turn, acted=False, limit=None))
    forced = make(fresh, forcing, **{"try": 2}).scene
    assert in_sight(forced, HERE, BEYOND)


def test_a_secret_door_on_an_edge_is_wall_and_in_no_view() -> None:
    scene = begun(PLAY.setups["orc-ambush"], hall(GATE, secret=True))
    assert not in_sight(scene, HERE, BEYOND)
    assert refused(scene, Go(actor="brunna", to=BEYOND)) == ("no_way",)
    assert "door-1" not in str(PLAY.state_codec.dump(PLAY.view(scene, Viewer(actors=frozenset({"brunna"})))))


def test_a_lamp_of_the_map_lights_what_it_reaches() -> None:
    lamp = Lamp("lamp-1", Square(0, 0), bright=2, dim=4)
    scene = begun(PLAY.setups["orc-ambush"], hall(ambient=Ambient.DARK, lamps=(lamp,)))
    lights = {x: light_at(scene, Square(x, 0)) for x in (2, 4, 5)}
    assert lights == {2: Light.BRIGHT, 4: Light.DIM, 5: Light.DARK}
    assert light_at(scene, Square(0, 3)) is Light.DARK, "the wall stops the light"
    door = Thing(id="curtain", name="a curtain of stone", at=Square(1, 0), solid=True)
    assert light_at(replace(scene, things=(*scene.things, door)), Square(2, 0)) is Light.DARK


def test_a_ledge_is_not_walked_up_and_rough_ground_costs_a_pace() -> None:
    high = tuple(2 if at // 9 >= 5 else 0 for at in range(9 * 7))
    rough = Site(
        title="The slope",
        ground=Ground.drawn(*["." * 9] * 3, "," * 9, *["." * 9] * 3, heights=high),
        heroes=(HERE,),
    )
    scene = begun(PLAY.setups["orc-ambush"], rough)
    assert refused(scene, Go(actor="brunna", to=Square(4, 5))) == ("no_way",)
    walked = make(scene, Go(actor="brunna", to=Square(4, 4)))
    assert walked.scene.turn.paces == 2
