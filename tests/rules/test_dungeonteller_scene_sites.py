"""Scenes set on stored maps: walls, doors, light and where everybody starts are the map's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.grid import MAX_SIDE, Square
from services.rules.engine.ground.kinds import Ambient, Door, DoorState
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.engine.site import SITE_CODEC, PlayedOnSites, Site, SiteDoor, plain_ground
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.play.moves import Go
from services.rules.systems.dungeonteller.play.setup import Setup
from services.rules.systems.dungeonteller.play.sites import laid_out
from services.rules.systems.dungeonteller.play.state import Scene
from services.rules.systems.dungeonteller.powers import Light
from tests.rules.dungeonteller_scenes import CATALOG, refused

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
    assert isinstance(laid_out(PLAY.setups["crypt"], site(width=MAX_SIDE)), Setup)
    for wide in (site(width=MAX_SIDE + 1), site(height=MAX_SIDE + 1)):
        problems = laid_out(PLAY.setups["crypt"], wide)
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
