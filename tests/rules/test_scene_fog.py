"""What players know of a scene on a map under fog: what their side has seen, or each of them apart."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.ground.kinds import Door, DoorState
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import map_now
from services.rules.engine.play import EVERYONE, GM_ONLY, CastMember, Roll, Viewer
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.site import Site, SiteDoor
from services.rules.systems.dungeonteller.play.setup.document import Creatures
from services.rules.systems.dungeonteller.play.setup.document import Setup as DungeonSetup
from services.rules.systems.forge_engine.play.moves import BeginFight, Walk
from services.rules.systems.forge_engine.play.scene import PLAY as FORGE
from services.rules.systems.forge_engine.play.setup import Foes, HeroStart, Setup, adversary
from services.rules.systems.forge_engine.play.state import Fight

ROWS = (
    "##########",
    "#...#....#",
    "#...#....#",
    "#........#",
    "#...#....#",
    "#...#....#",
    "##########",
)
FAR = Square(1, 1)
BEFORE_THE_DOOR, BEYOND, IN_THE_CORNER = Square(3, 3), Square(8, 3), Square(8, 1)
ONE, OTHER = "chr-gunslinger", "chr-skirmisher"
DOORS = (
    Door("door-1", (Square(4, 3),), state=DoorState.OPEN),
    Door("door-2", (Square(4, 5),), state=DoorState.LOCKED),
)
TOLD = (SiteDoor(id="door-1", name="a door"), SiteDoor(id="door-2", name="a panel", secret=True))


def site(front: tuple[Door, ...] = DOORS, **more: object) -> Site:
    """Two rooms with an open door between them, and a secret one that is locked; or with other doors."""
    return Site(
        title="The cellar",
        ground=Ground(10, 7, "".join(ROWS).replace("#....#....#", "#....#....#"), doors=front),
        **{"doors": TOLD, "heroes": (FAR, Square(1, 5)), "foes": (BEYOND,), **more},  # type: ignore[arg-type]
    )


def cellar(*heroes: str, at: Mapping[str, Square], **more: Any) -> Fight:
    """Heroes and a guard of Forge Engine there, whose turn has begun."""
    forge = systems()["forge_engine"]
    laid = FORGE.laid_out(
        Setup(title="The cellar", foes=(Foes(adversary=adversary("f6-grunt"), name="Guard"),)), site(**more)
    )
    assert isinstance(laid, Setup)
    laid = replace(laid, heroes=tuple(HeroStart(character=who, at=where) for who, where in at.items()))
    cast = tuple(
        CastMember(id=f"chr-{name}", sheet=forge.build(forge.examples[name], forge.content))
        for name in heroes
    )
    fight = FORGE.begin(laid, cast)
    assert isinstance(fight, Fight), fight
    return fight


def high(roll: Roll) -> tuple[int, ...]:
    """Throw the highest faces."""
    return (roll.sides,) * roll.dice.value


def player(*heroes: str) -> Viewer:
    """Who plays these heroes; a spectator without any."""
    return Viewer(actors=frozenset(heroes))


def seen_by(fight: Fight, viewer: Viewer) -> set[str]:
    """The ids of those whom a viewer knows of, the same in state and card."""
    view = FORGE.view(fight, viewer)
    assert {actor.id for actor in FORGE.card(view).actors} == {one.id for one in view.combatants}
    return {one.id for one in view.combatants}


def test_players_of_a_fight_know_of_the_map_what_their_side_has_seen() -> None:
    fight = cellar("gunslinger", at={ONE: FAR})
    for viewer in (player(ONE), player()):
        view = FORGE.view(fight, viewer)
        assert seen_by(fight, viewer) == {ONE}
        assert view.ground is not None and view.explored is None
        assert view.ground.cells[IN_THE_CORNER.y * 10 + IN_THE_CORNER.x] == "#"
        assert view.ground.cells[2 * 10 + 2] == "."
    assert FORGE.known_to(fight, "foe-1") == GM_ONLY
    assert seen_by(fight, Viewer(gm=True)) == {ONE, "foe-1"}


def test_a_secret_door_is_a_wall_to_all_but_the_map() -> None:
    fight = cellar("gunslinger", at={ONE: FAR})
    assert fight.ground is not None
    assert [door.id for door in fight.ground.doors] == ["door-1"]
    assert fight.ground.cells[5 * 10 + 4] == "#"
    told = map_now(FORGE, fight)
    assert told is not None and [door.id for door in told.doors] == ["door-1"]


def test_a_locked_door_looks_like_a_closed_one() -> None:
    told = tuple(replace(door, secret=False) for door in site().doors)
    fight = cellar("gunslinger", at={ONE: FAR}, doors=told, fog=False)
    shown = FORGE.view(fight, player(ONE)).ground
    assert shown is not None and fight.ground is not None
    assert [door.state for door in fight.ground.doors] == [DoorState.OPEN, DoorState.LOCKED]
    assert [door.state for door in shown.doors] == [DoorState.OPEN, DoorState.CLOSED]


def test_who_walks_into_sight_is_met_and_what_was_seen_stays_known() -> None:
    fight = cellar("gunslinger", at={ONE: FAR})
    at = Position(FORGE, fight).take(BeginFight(actor="gm"), 1, high)
    assert not isinstance(at, Problems)
    fight = at.position.state
    for unseen in (IN_THE_CORNER, Square(9, 6)):
        refused = Position(FORGE, fight).refusal(Walk(actor=ONE, to=unseen), player(ONE))
        assert refused is not None and [one.code for one in refused] == ["no_way"]
    made = Position(FORGE, fight).take(Walk(actor=ONE, to=BEFORE_THE_DOOR), 2, high)
    assert not isinstance(made, Problems)
    assert seen_by(made.position.state, player(ONE)) == {ONE, "foe-1"}


@pytest.mark.parametrize("shared", [True, False])
def test_a_table_may_have_each_player_see_apart(shared: bool) -> None:
    fight = cellar("gunslinger", "skirmisher", at={ONE: BEFORE_THE_DOOR, OTHER: FAR}, shared=shared)
    assert seen_by(fight, player(ONE)) == {ONE, OTHER, "foe-1"}
    others = {ONE, OTHER, "foe-1"} if shared else {ONE, OTHER}
    assert seen_by(fight, player(OTHER)) == seen_by(fight, player()) == others
    audience = FORGE.known_to(fight, "foe-1")
    assert audience == EVERYONE if shared else audience is not None and audience.actors == (ONE,)
    view = FORGE.view(fight, player(OTHER))
    assert view.ground is not None
    assert (view.ground.cells[BEYOND.y * 10 + BEYOND.x] == ".") is shared


@pytest.mark.parametrize("shared", [True, False])
def test_heroes_of_dungeonteller_see_apart_as_well(shared: bool) -> None:
    game = systems()["dungeonteller"]
    play: Any = game.play
    setup = DungeonSetup(title="The cellar", creatures=(Creatures(monster="dungeonteller:monster/ogre"),))
    laid = play.laid_out(setup, site(shared=shared, heroes=(BEFORE_THE_DOOR, FAR)))
    cast = tuple(
        CastMember(id=f"chr-{name}", sheet=game.build(game.examples[name], game.content))
        for name in ("wizard", "elf")
    )
    scene = play.begin(laid, cast)
    ogre = next(being.id for being in scene.beings if not being.hero)
    views = {hero: play.view(scene, player(hero)) for hero in ("chr-wizard", "chr-elf")}
    known = {hero: {being.id for being in view.beings} for hero, view in views.items()}
    assert ogre in known["chr-wizard"]
    assert (ogre in known["chr-elf"]) is shared
    audience = play.known_to(scene, ogre)
    assert audience == EVERYONE if shared else audience is not None and audience.actors == ("chr-wizard",)
    assert all((view.field.explored, view.field.explored_by) == ("", {}) for view in views.values())
