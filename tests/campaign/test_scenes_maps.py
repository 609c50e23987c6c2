"""Scenes that are set on stored maps: asked of the map service, checked by the game, kept with the key."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from services.campaign.scenes.looks import Look
from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.problem import MoveRejected
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import Ambient, Door, DoorState, Lamp
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import MAP_NOW_CODEC, MapNow
from services.rules.engine.site import SITE_CODEC, Site, SiteDoor, SiteToken, plain_ground
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.peers import PeerUnavailable
from services.shared.problems import Forbidden, IdempotencyConflict, InvalidInput, NotFound, Unavailable
from services.shared.settings import Settings
from tests.campaign.scene_desk import SYSTEMS, Desk
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")

GAME = SYSTEMS["dungeonteller"]
CELLAR = Site(
    title="The cellar",
    ground=plain_ground(
        9,
        7,
        tuple(Square(x, 3) for x in range(9) if x != 4),
        doors=(Door("door-1", (Square(4, 3),)),),
        ambient=Ambient.DIM,
    ),
    doors=(SiteDoor(id="door-1", name="an oak door"),),
    heroes=(Square(4, 1),),
    foes=(Square(4, 5),),
)


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    sheet = GAME.build(GAME.examples["dwarf"], GAME.content)
    made.characters.sheets[made.hero] = GAME.sheet_codec.dump(sheet)
    yield made
    await database.close()


def mapped(desk: Desk, site: Site = CELLAR) -> str:
    """Keep a map, and give its id."""
    map_id = new_id("map")
    desk.maps.sites[map_id] = SITE_CODEC.dump(site)
    return map_id


def asked(desk: Desk, map_id: str, **changes: Any) -> dict[str, Any]:
    """Give what differs from the desk's usual scene."""
    return {
        "system": "dungeonteller",
        "setup": "orc-ambush",
        "characters": [desk.hero],
        "map_id": map_id,
        **changes,
    }


@ON_BOTH
async def test_a_scene_is_set_on_the_map_as_it_is_when_it_begins(desk: Desk) -> None:
    map_id = mapped(desk)
    scene = await desk.start(**asked(desk, map_id))
    state = scene.state["data"]
    place = state["field"]
    assert (place["grid"]["width"], place["grid"]["height"], place["light"]) == (9, 7, "dim")
    assert len(place["grid"]["solid"]) == 8
    assert "an oak door" in [thing["name"] for thing in state["things"]]
    (hero,) = (being for being in state["beings"] if being["id"] == desk.hero)
    assert hero["at"] == {"x": 4, "y": 1}
    # The scene has its own copy: what becomes of the map later is no matter of its.
    del desk.maps.sites[map_id]
    look = await desk.look(desk.anna)
    assert look.card is not None and look.row.seq == 0
    # It remembers where it was set, and leads the map from then on.
    assert look.row.map == map_id
    assert "scene.board" in [kind for kind, _, _ in await desk.events()]
    assert isinstance(await desk.begin(desk.gm, **asked(desk, mapped(desk))), Scene)


@pytest.mark.parametrize(
    "map_id", ["map_00000000000000000000000000", "chr_00000000000000000000000000", "", "map_../../accounts"]
)
async def test_a_map_that_there_is_not_for_the_gm_begins_nothing(desk: Desk, map_id: str) -> None:
    refused = await desk.begin(desk.gm, **asked(desk, map_id))
    assert isinstance(refused, NotFound) and refused.path == ["mapId"]
    assert "scene.started" not in [entry.kind for entry in await desk.log()]


async def test_a_map_may_be_no_place_for_the_game(desk: Desk) -> None:
    wide = mapped(desk, Site(title="A realm of rooms", ground=plain_ground(201, 7)))
    refused = await desk.begin(desk.gm, **asked(desk, wide))
    assert isinstance(refused, InvalidInput)
    (issue,) = refused.issues
    assert (issue.code, issue.path[0], issue.found, issue.allowed) == (
        "SITE_TOO_LARGE",
        "mapId",
        "201",
        "200",
    )
    # The toy's duellists stand nowhere in particular.
    map_id = mapped(desk)
    nowhere = await desk.begin(desk.gm, map_id=map_id)
    assert isinstance(nowhere, InvalidInput) and [one.code for one in nowhere.issues] == ["NO_MAPS"]


async def test_only_the_gm_sets_a_scene_on_a_map_and_nobody_else_asks_for_it(desk: Desk) -> None:
    map_id = mapped(desk)

    async def never(*_asked: Any) -> Any:
        raise AssertionError("the map was asked for")

    desk.maps.get = never  # type: ignore[assignment, method-assign]
    for who, kind in ((desk.anna, Forbidden), (desk.watcher, Forbidden), (stranger(), NotFound)):
        assert isinstance(await desk.begin(who, **asked(desk, map_id)), kind)


def stranger() -> Viewer:
    """Give somebody who is at no table."""
    return Viewer(new_id("acc"), frozenset({"read", "write"}))


async def test_without_the_map_service_no_scene_is_set_on_a_map(desk: Desk) -> None:
    map_id = mapped(desk)

    async def away(*_asked: Any) -> Any:
        raise PeerUnavailable("map", "ConnectError")

    desk.maps.get = away  # type: ignore[assignment, method-assign]
    assert isinstance(await desk.begin(desk.gm, **asked(desk, map_id)), Unavailable)
    without = {**asked(desk, map_id), "map_id": None}
    assert isinstance(await desk.begin(desk.gm, **without), Scene)


async def test_the_map_belongs_to_what_the_key_stands_for(desk: Desk) -> None:
    map_id, other = mapped(desk), mapped(desk)
    key = "the same evening"
    first = await desk.begin(desk.gm, key, **asked(desk, map_id))
    again = await desk.begin(desk.gm, key, **asked(desk, map_id))
    assert isinstance(first, Scene) and isinstance(again, Scene) and first.id == again.id
    for elsewhere in (other, None):
        changed = {**asked(desk, map_id), "map_id": elsewhere}
        assert isinstance(await desk.begin(desk.gm, key, **changed), IdempotencyConflict)


async def told(desk: Desk) -> list[MapNow]:
    """Read what was published of the map."""
    found = [payload for kind, _, payload in await desk.events() if kind == "scene.board"]
    return [MAP_NOW_CODEC.load(payload["site"]) for payload in found]


async def test_heroes_come_from_the_tokens_on_the_map_and_it_follows_moves_and_undo(desk: Desk) -> None:
    stranger_here = new_id("chr")
    tokens = (
        SiteToken(id="thg_1", name="Brunna", at=Footprint(Square(2, 2)), character=desk.hero),
        SiteToken(id="thg_2", name="Nobody here", at=Footprint(Square(3, 2)), character=stranger_here),
        SiteToken(id="thg_3", name="Snag", at=Footprint(Square(6, 5)), creature="dungeonteller:monster/orc"),
    )
    map_id = mapped(desk, replace(CELLAR, tokens=tokens))
    setup = {"title": "The cellar"}
    scene = await desk.start(**asked(desk, map_id, setup=setup, characters=None))
    assert scene.cast == [desk.hero]
    opening = (await told(desk))[-1]
    foes = {token.name: token.at.at for token in opening.tokens if not token.character}
    assert foes == {"Snag": Square(6, 5)}
    (hero,) = (token for token in opening.tokens if token.character == desk.hero)
    assert (hero.at.at, hero.side, hero.on_turn, hero.hidden) == (Square(2, 2), "heroes", True, False)
    assert [(door.id, door.state) for door in opening.doors] == [("door-1", DoorState.CLOSED)]
    await desk.made(desk.gm, "Remove", "gm", what="door-1")
    await desk.made(desk.anna, "Go", desk.hero, to={"x": 4, "y": 2})
    moved = (await told(desk))[-1]
    assert [door.state for door in moved.doors] == [DoorState.OPEN]
    assert Square(4, 2) in [token.at.at for token in moved.tokens]
    for _ in range(2):
        assert isinstance(await desk.undo(desk.gm, desk.scene, (await desk.row()).seq), Performed)
    assert (await told(desk))[-1] == opening


VAULT = Site(
    title="The cellar",
    ground=plain_ground(
        9,
        7,
        tuple(Square(x, 3) for x in range(9) if x != 4),
        doors=(
            Door("door-1", (Square(4, 3),), state=DoorState.LOCKED),
            Door("canary-door", edges=((Square(4, 5), Square(5, 5)),), state=DoorState.LOCKED),
        ),
        lamps=(Lamp("canary-lamp", Square(8, 6), 2, 3),),
    ),
    doors=(SiteDoor(id="door-1", name="an oak door"), SiteDoor(id="canary-door", name="a canary door")),
    heroes=(Square(4, 1),),
    foes=(Square(4, 5), Square(3, 5)),
)
"""A cellar whose southern half, behind a locked door, is marked."""


def told_to(look: Look) -> str:
    """Everything that a look tells: the state, the card, the offers."""
    return repr((look.state, look.card, look.legal()))


async def test_a_scene_on_a_fogged_map_tells_a_player_what_their_hero_has_seen(desk: Desk) -> None:
    map_id = mapped(desk, VAULT)
    setup = {
        "title": "The cellar",
        "creatures": [{"monster": "dungeonteller:monster/orc", "count": 2, "name": "Canary orc"}],
    }
    await desk.start(**asked(desk, map_id, setup=setup))
    beyond = {Square(x, y) for x in range(9) for y in range(4, 7)}
    for who in (desk.anna, desk.watcher):
        look = await desk.look(who)
        assert look.state is not None and look.card is not None
        assert "canary" not in told_to(look).lower() and "locked" not in told_to(look).lower()
        assert [actor.id for actor in look.card.actors] == [desk.hero]
        ground = look.state.field.grid.base
        assert all(ground.cells[at.y * 9 + at.x] == "#" for at in beyond)
        assert [thing.id for thing in look.state.things if thing.at] == ["door-1"], "the door can be seen"
        squares = {at for offer in look.legal() for field in offer.fields for at in field.squares}
        assert squares.isdisjoint(beyond)
    assert "Canary orc" in told_to(await desk.look(desk.gm))
    # What is behind the door is felt for in vain: the same refusal as beyond the map's edge.
    for kind, aim in (("Go", {"to": {"x": 4, "y": 5}}), ("Attack", {"action": "SHOOT", "target": "orc-1"})):
        refused = await desk.move(desk.anna, kind, desk.hero, **aim)
        assert isinstance(refused, MoveRejected)
        assert "canary" not in repr((refused.issues, refused.legal)).lower()
    # Once the game master takes the door away, what is behind it is seen, and told from then on.
    await desk.made(desk.gm, "Remove", "gm", what="door-1")
    seen = await desk.look(desk.anna)
    assert seen.card is not None and len(seen.card.actors) > 1
    await desk.made(desk.gm, "Overrule", "gm", being="orc-1", at={"x": 8, "y": 6})
    told = [repr((move.events, move.sentences)) for move in await desk.moves(desk.anna)]
    assert "x=8, y=6" not in " ".join(told), "where it has gone is told to nobody who does not see it"


async def test_what_the_game_master_uncovers_is_told_to_players_and_to_the_map_until_it_is_undone(
    desk: Desk,
) -> None:
    await desk.start(**asked(desk, mapped(desk, VAULT)))
    opening, before = (await told(desk))[-1], (await desk.look(desk.anna)).state
    await desk.made(desk.gm, "ChangeFog", "gm", squares=[{"x": 8, "y": 6}], known=True)
    shown, now = (await told(desk))[-1], (await desk.look(desk.anna)).state
    assert opening.explored is not None and shown.explored is not None
    assert shown.explored.known(()) == opening.explored.known(()) | 1 << (6 * 9 + 8)
    assert before is not None and now is not None
    assert (before.field.grid.base.cells[62], now.field.grid.base.cells[62]) == ("#", ".")
    assert [lamp.id for lamp in now.field.grid.base.lamps] == ["canary-lamp"]
    assert isinstance(await desk.undo(desk.gm, desk.scene, (await desk.row()).seq), Performed)
    assert (await told(desk))[-1] == opening and (await desk.look(desk.anna)).state == before


async def test_an_undone_step_is_no_way_to_look_into_a_vault(desk: Desk) -> None:
    """Taking a move back takes what was seen by it back, too."""
    await desk.start(**asked(desk, mapped(desk, VAULT)))
    before = (await desk.look(desk.anna)).state
    await desk.made(desk.gm, "Remove", "gm", what="door-1")
    seen = (await desk.look(desk.anna)).state
    assert before is not None and seen is not None
    assert seen.field.grid != before.field.grid
    assert isinstance(await desk.undo(desk.gm, desk.scene, (await desk.row()).seq), Performed)
    assert (await desk.look(desk.anna)).state == before
