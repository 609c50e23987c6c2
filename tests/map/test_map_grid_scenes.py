"""Scenes on maps in cells: tokens, doors, lights and fog are those of the scene while it leads the map."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from services.map.board import Board
from services.map.generation.grid.model import Axis, Door, DoorKind, DoorState
from services.map.grid_sync import GRID_LEADING
from services.map.led import LED, as_known, changes_led, led, refused, released
from services.map.play.cells import known
from services.map.play.edits import (
    FindDoor,
    MoveToken,
    PutLight,
    PutMarker,
    PutToken,
    RemoveLight,
    RemoveToken,
    RevealAll,
    SetDoor,
)
from services.map.play.rights import Editor, Role
from services.map.play.state import (
    PARTY,
    Extent,
    Fog,
    FogMode,
    Layer,
    MapState,
    Sight,
    Spot,
    Token,
    with_thing,
)
from services.map.registry import KINDS, leading_of
from services.map.scene_site import site_document
from services.rules.engine.ground.explored import Explored
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import DoorState as Stands
from services.rules.engine.ground.kinds import Lamp
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import DoorNow, MapNow
from services.rules.engine.registry import systems
from services.rules.engine.site import GRID_KINDS, SITE_CODEC, PlayedOnSites, SiteToken
from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Tables, somebody
from tests.map.ground_maps import map_of
from tests.map.service_desk import MapDesk

PLAN = map_of(
    "#######", "#.....#", "###.###", "#.....#", "#######", doors=(Door("door-1", (3, 2), Axis.NORTH_SOUTH),)
)
SCENE, HERO, PLAYER = new_id("scn"), new_id("chr"), new_id("acc")
MASTER, MARA, FINN = Editor("acc_gm", Role.GM), Editor(PLAYER, Role.PLAYER), Editor("acc_f", Role.PLAYER)
ORC = "dungeonteller:monster/orc"
OWN = Token("thg_a", "Mara's hero", Spot(1, 1), color="#123456", label="MH", character=HERO, owners=(PLAYER,))
SNAG = Token("thg_b", "Snag", Spot(4, 3), creature=ORC, layer=Layer.GM)
CROW = Token("thg_c", "A crow", Spot(5, 3))


def board(*tokens: Token, mode: FogMode = FogMode.FOGGED, shared: bool = True) -> Board:
    return Board(PLAN, MapState(Extent(7, 5, cells=True), Fog(mode, shared), tokens=tokens))


def now(*tokens: SiteToken, door: Stands = Stands.CLOSED, **more: Any) -> MapNow:
    return MapNow(width=7, height=5, doors=(DoorNow(id="door-1", state=door),), tokens=tokens, **more)


def figure(id: str, x: int, y: int, **more: Any) -> SiteToken:
    return SiteToken(id=id, name=more.pop("name", id), at=Footprint(Square(x, y)), **more)


def followed(before: Board, told: MapNow, owners: dict[str, str] | None = None) -> Board:
    return led(before, SCENE, GRID_LEADING, told, owners or {})


def test_tokens_that_people_put_are_the_scenes_until_it_is_over() -> None:
    hero = figure(HERO, 1, 1, character=HERO, side="heroes", on_turn=True, conditions=("asleep",))
    orc = figure("orc-1", 4, 3, name="Snag", side="foes", hidden=True)
    wolf = figure("wolf-1", 2, 3, side="foes")
    first = followed(board(OWN, SNAG, CROW), now(hero, orc, wolf))
    tokens = {token.actor or token.name: token for token in first.state.tokens}
    taken = tokens[HERO]
    assert (taken.id, taken.color, taken.label, taken.owners) == ("thg_a", "#123456", "MH", (PLAYER,))
    assert (taken.scene, taken.side, taken.on_turn, taken.conditions) == (SCENE, "heroes", True, ("asleep",))
    assert (tokens["orc-1"].id, tokens["orc-1"].layer) == ("thg_b", Layer.GM)
    assert tokens["A crow"] == CROW and tokens["wolf-1"].id not in ("thg_a", "thg_b", "thg_c")
    moved = followed(first, now(replace(hero, at=Footprint(Square(2, 1))), replace(orc, hidden=False)))
    tokens = {token.id: token for token in moved.state.tokens}
    assert set(tokens) == {"thg_a", "thg_b", "thg_c"}, "the wolf is gone, Snag has shown himself"
    assert tokens["thg_a"].at == Spot(2, 1) and tokens["thg_b"].layer is Layer.PLAYERS
    assert followed(moved, now(hero, orc, wolf)) == first, "a move taken back is taken back on the map"
    free = released(followed(first, now(hero, orc, wolf)).state)
    assert [token.scene for token in free.tokens if token.id in ("thg_a", "thg_b")] == [None, None]
    other = led(Board(PLAN, free), new_id("scn"), GRID_LEADING, now(), {})
    assert {token.id for token in other.state.tokens} == {"thg_a", "thg_b", "thg_c"}


def test_a_character_without_a_token_gets_one_that_its_player_owns_and_sees_through() -> None:
    (token,) = followed(board(), now(figure(HERO, 3, 1, character=HERO)), {HERO: PLAYER}).state.tokens
    assert (token.character, token.owners, token.sight) == (HERO, (PLAYER,), Sight())


def test_doors_lights_and_fog_follow() -> None:
    cells = (1 << 8) | (1 << 9) | (1 << 34)
    torch, wisp = Lamp(HERO, Square(1, 1), 4, 8), Lamp("glow-1", Square(5, 1), 0, 3)
    told = now(
        figure(HERO, 1, 1, character=HERO),
        door=Stands.OPEN,
        lights=(wisp,),
        carried={HERO: torch},
        explored=Explored(cells=f"{cells:x}"),
    )
    before = board(OWN)
    after = followed(before, told)
    assert after.doors == {"door-1": DoorState.OPEN}
    (light,) = after.state.lights
    assert (light.at, light.bright, light.dim, light.scene) == (Spot(5.5, 1.5), 0, 3, SCENE)
    (token,) = after.state.tokens
    assert token.light is not None and (token.light.bright, token.light.dim) == (4, 8)
    assert {(x, y) for y, x in zip(*known(after.state, PARTY).nonzero(), strict=True)} == {
        (1, 1),
        (2, 1),
        (6, 4),
    }
    back = followed(after, now(figure(HERO, 1, 1, character=HERO), explored=Explored()))
    assert back.doors == {"door-1": DoorState.CLOSED} and back.state.lights == ()
    assert not known(back.state, PARTY).any()
    assert followed(board(OWN, mode=FogMode.OPEN), told).state.explored == ()


def test_a_secret_door_is_found_while_the_scene_knows_of_it() -> None:
    secret = replace(PLAN, doors=(Door("door-1", (3, 2), Axis.NORTH_SOUTH, DoorKind.SECRET),))
    before = Board(secret, board().state)
    nobody, found = now(), followed(before, now())
    assert [door.found for door in found.state.doors] == [True]
    (told,) = SITE_CODEC.load(site_document("battle", found)).doors
    assert not told.secret
    back = followed(found, replace(nobody, doors=()))
    assert [door.found for door in back.state.doors] == [False]
    (told,) = SITE_CODEC.load(site_document("battle", back)).doors
    assert told.secret


def test_sight_apart_is_that_of_each_owner() -> None:
    told = now(figure(HERO, 1, 1, character=HERO), explored=Explored(shared=False, own={HERO: "100"}))
    after = followed(board(OWN, shared=False), told).state
    assert known(after, PLAYER).sum() == 1 and not known(after, FINN.account).any()


def test_what_the_scene_leads_is_not_moved_beside_it() -> None:
    told = now(
        figure(HERO, 1, 1, character=HERO), lights=(Lamp("glow", Square(5, 1), 1, 3),), explored=Explored()
    )
    state = followed(board(OWN, CROW), told).state
    light = state.lights[0].id
    held = (
        MoveToken("thg_a", Spot(2, 1)),
        RemoveToken("thg_a"),
        PutToken("X", Spot(1, 1), id="thg_a"),
        SetDoor("door-1", DoorState.OPEN),
        FindDoor("door-1", True),
        RemoveLight(light),
        RevealAll(),
    )
    for edit in held:
        found = refused(state, SCENE, edit, MASTER)
        assert found is not None and found.code == LED, edit
        assert refused(state, None, edit, MASTER) is None
    free = (MoveToken("thg_c", Spot(2, 1)), PutMarker(Spot(1, 1)), PutLight(Spot(1, 1), 1.0, 2.0))
    assert [refused(state, SCENE, edit, MASTER) for edit in free] == [None] * 3
    # A player hears it of a token of their own; of others no more than ever.
    assert refused(state, SCENE, held[0], MARA) is not None and refused(state, SCENE, held[0], FINN) is None
    moved = with_thing(state, "tokens", replace(OWN, scene=SCENE, actor=HERO, at=Spot(5, 1)))
    crowless = with_thing(state, "tokens", replace(CROW, at=Spot(1, 3)))
    assert changes_led(state, moved) and not changes_led(state, crowless)
    looked = with_thing(state, "explored", replace(state.explored[0], cells="////////"[:8]))
    assert as_known(Board(PLAN, looked), Board(PLAN, state)).state == state


def test_a_map_of_another_size_is_not_followed() -> None:
    with pytest.raises(ValueError, match="another size"):
        followed(board(), replace(now(), width=8))


def test_games_name_the_kinds_of_maps_that_they_are_played_on() -> None:
    assert set(GRID_KINDS) == {slug for slug, kind in KINDS.items() if kind.cells}
    plays = (game.play for game in systems().values() if game.play is not None)
    kinds = [play.map_kinds for play in plays if isinstance(play, PlayedOnSites)]
    assert len(kinds) == 3
    assert all(leading_of(slug) is not None for each in kinds for slug in each)


def test_a_scene_is_told_which_creatures_stand_on_its_map() -> None:
    document = site_document("battle", board(OWN, SNAG))
    assert document is not None
    site = SITE_CODEC.load(document)
    assert [(one.character, one.creature, one.hidden) for one in site.tokens] == [
        (HERO, "", False),
        ("", ORC, True),
    ]
    assert site.characters == (HERO,) and len(site.standing) == 2
    assert board(SNAG).seen(MASTER).tokens[0].creature == ORC
    shown = board(replace(SNAG, layer=Layer.PLAYERS), mode=FogMode.OPEN).seen(MARA)
    assert [token.creature for token in shown.tokens] == [""]


def test_pictures_show_tokens_where_they_are_asked_for(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, campaign = somebody(), somebody(), new_id("cmp")
    tables.seat(new_id("chr"), campaign, gm=gm, player=player)
    made = map_desk.made(gm, campaign, map={"dungeon": {"width": 21, "height": 21}}, sharing="OPEN")
    map_desk.edit(gm, made, putToken={"name": "Brunna & Co", "at": {"x": 3, "y": 4}, "size": 2})
    map_desk.edit(gm, made, putToken={"name": "A spy", "at": {"x": 5, "y": 5}, "layer": "GM"})

    def picture(who: Viewer, query: str, form: str = "svg") -> httpx.Response:
        return map_desk.internal(who, f"maps/{made}/outputs/{form}{query}")

    plain, peopled = picture(player, ""), picture(player, "?tokens=true")
    assert b"Brunna" not in plain.content and b">Brunna &amp; Co</title>" in peopled.content
    assert b"A spy" not in peopled.content and b"A spy" in picture(gm, "?tokens=true").content
    assert plain.headers["etag"] != peopled.headers["etag"]
    small = "?px=16&tokens=true"
    drawn, bare = picture(player, small, "png"), picture(player, "?px=16", "png")
    assert drawn.content.startswith(b"\x89PNG") and drawn.content != bare.content
    flat, empty = picture(player, f"{small}&style=flat", "png"), picture(player, "?px=16&style=flat", "png")
    assert flat.status_code == 200 and flat.content != empty.content
