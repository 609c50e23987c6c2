"""Scenes that lead the stored map they are set on, and pictures of scenes, on both databases."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast
from xml.etree import ElementTree

import httpx
import pytest
from starlette.applications import Starlette

from services.campaign.internal import internal_routes
from services.campaign.scenes.events import scene_topic
from services.campaign.scenes.looks import Look
from services.campaign.scenes.models import Scene
from services.rules.engine.campaign import SUFFIX
from services.rules.engine.codec import Codec
from services.rules.engine.play import GM, AnyPlay
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.site import LeadsMaps, PlayedOnSites
from services.rules.systems.fortunate_blades.site import STORY_SITE_CODEC, StorySite, StorySitePlace
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from services.shared.stream import Wakes
from tests.campaign.scene_desk import DUEL, SYSTEMS, Desk, somebody
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")

HIDDEN = "The Grey Cloak"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A map of its own kind: a place, and who stands there with how much nerve."""

    name: str
    standing: tuple[str, ...] = ()


class DuelOnGround:
    """Duel, set on a ground that shows how it stands."""

    site_codec = Codec(Ground, "duel/ground")
    map_kinds = ("yard",)

    def laid_out(self, setup: Any, site: Ground) -> Any:
        if not site.name:
            return Problems((RuleProblem("GROUND_NAMELESS", "A ground has a name.", "Grounds", ("name",)),))
        return replace(setup, title=site.name)

    def on_map(self, state: Any) -> Ground:
        names = (f"{one.name}: {one.nerve}" for one in state.duellists)
        return Ground(name=state.title, standing=tuple(names))

    def __getattr__(self, name: str) -> Any:
        return getattr(DUEL.play, name)


GROUND = DuelOnGround()
SYSTEM = replace(DUEL, play=cast(AnyPlay, GROUND))  # type: ignore[type-var]


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    made.play({**SYSTEMS, "duel": SYSTEM})
    yield made
    await database.close()


def mapped(desk: Desk, name: str = "The Mill") -> str:
    """Keep a ground as a stored map, and give its id."""
    map_id = new_id("map")
    desk.maps.sites[map_id] = GROUND.site_codec.dump(Ground(name=name))
    return map_id


async def boards(desk: Desk) -> list[dict[str, Any]]:
    """Read what was published of the map."""
    found = [(topic, payload) for kind, topic, payload in await desk.events() if kind == "scene.board"]
    assert {topic for topic, _ in found} <= {scene_topic(desk.scene, "board")}
    return [payload for _, payload in found]


def standing(boards: list[dict[str, Any]]) -> list[tuple[int, bool, list[str]]]:
    return [(each["number"], each["leading"], each["site"]["data"]["standing"]) for each in boards]


def test_the_ground_is_what_it_is_to_show() -> None:
    assert isinstance(GROUND, LeadsMaps) and isinstance(GROUND, PlayedOnSites)


async def test_the_map_follows_the_scene_that_leads_it_until_that_is_over(desk: Desk) -> None:
    map_id = mapped(desk)
    await desk.start(setup="yard", map_id=map_id)
    assert await boards(desk) == [
        {
            "scene": desk.scene,
            "campaign": desk.campaign,
            "map": map_id,
            "number": 0,
            "site": {
                "type": "duel/ground",
                "version": 1,
                "data": {"name": "The Mill", "standing": ["Anna: 3", "Ben: 3", "Sour Tam: 3"]},
            },
            "leading": True,
            "owners": {desk.hero: desk.anna.account, desk.other: desk.ben.account},
        }
    ]
    await desk.strike([6, 6, 6], [1, 1, 1])
    await desk.undo(desk.gm, desk.scene, 2)
    await desk.made(desk.gm, "Stop", GM)
    # The dare moved nobody on the map, the hit and its undo did; the end is told although it changed nothing.
    assert standing(await boards(desk)) == [
        (0, True, ["Anna: 3", "Ben: 3", "Sour Tam: 3"]),
        (2, True, ["Anna: 3", "Ben: 3", "Sour Tam: 2"]),
        (3, True, ["Anna: 3", "Ben: 3", "Sour Tam: 3"]),
        (4, False, ["Anna: 3", "Ben: 3", "Sour Tam: 3"]),
    ]


@ON_BOTH
async def test_a_map_that_a_running_scene_leads_is_no_place_for_another(desk: Desk) -> None:
    map_id = mapped(desk)
    first = await desk.start("the mill", map_id=map_id)
    assert (await desk.start("the mill", map_id=map_id)).id == first.id
    refused = await desk.begin(desk.gm, map_id=map_id)
    assert isinstance(refused, InvalidInput)
    assert [(issue.code, issue.path, issue.found) for issue in refused.issues] == [
        ("MAP_IN_PLAY", ["mapId"], map_id)
    ]
    await desk.start(map_id=mapped(desk, "Elsewhere"))
    desk.scene = first.id
    await desk.made(desk.gm, "Stop", GM)
    after = [await desk.begin(desk.gm, map_id=map_id) for _ in range(2)]
    assert [type(each) for each in after] == [Scene, InvalidInput]
    third = mapped(desk, "The Bridge")
    racing = await asyncio.gather(*(desk.begin(desk.gm, map_id=third) for _ in range(5)))
    assert sorted(type(each).__name__ for each in racing) == ["InvalidInput"] * 4 + ["Scene"]


async def test_a_scene_without_a_map_of_the_game_leads_none(desk: Desk) -> None:
    await desk.start()
    await desk.strike([6, 6, 6], [1, 1, 1])
    assert await boards(desk) == [] and (await desk.row()).map is None
    refused = await desk.begin(desk.gm, map_id=mapped(desk, ""))
    assert isinstance(refused, InvalidInput) and refused.issues[0].code == "GROUND_NAMELESS"
    map_id = new_id("map")
    desk.maps.sites[map_id] = {"type": "engine/site", "version": 1, "data": {}}
    refused = await desk.begin(desk.gm, map_id=map_id)
    assert isinstance(refused, InvalidInput) and refused.issues[0].code == "MAP_OF_ANOTHER_KIND"


# Pictures


@pytest.fixture
async def gallery(desk: Desk, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """Give the paths of pictures, as the gateway calls them."""
    signer = Signer.of("campaign", settings)
    app = Starlette(routes=internal_routes(signer, desk.use_cases(Wakes())))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://campaign") as made:
        yield made


async def test_a_scene_is_drawn_for_each_as_they_may_know_it(
    desk: Desk, gallery: httpx.AsyncClient, settings: Settings
) -> None:
    await desk.start(setup="ambush", title="A <duel> & more")
    gateway = Signer.of("account", settings)

    async def ask(who: Viewer, scene: str, **headers: str) -> httpx.Response:
        signed = {TOKEN_HEADER: gateway.sign("campaign", who, service=True), **headers}
        return await gallery.get(f"/internal/scenes/{scene}/board.svg", headers=signed)

    tags = {}
    for who, hidden in ((desk.gm, True), (desk.anna, False), (desk.watcher, False)):
        drawn = await ask(who, desk.scene)
        assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
        assert ElementTree.fromstring(drawn.text).tag == "{http://www.w3.org/2000/svg}svg"
        assert (HIDDEN in drawn.text) is hidden
        tags[who.account] = tag = drawn.headers["etag"]
        assert (await ask(who, desk.scene, **{"if-none-match": tag})).status_code == 304
    assert tags[desk.anna.account] == tags[desk.watcher.account] != tags[desk.gm.account]
    await desk.strike([6, 6, 6], [1, 1, 1])
    changed = await ask(desk.anna, desk.scene, **{"if-none-match": tags[desk.anna.account]})
    assert changed.status_code == 200 and changed.headers["etag"] != tags[desk.anna.account]
    for stranger, scene in ((somebody(), desk.scene), (desk.gm, new_id("scn")), (desk.gm, "scn_x")):
        assert (await ask(stranger, scene)).status_code == 404
    plain = await gallery.get(f"/internal/scenes/{desk.scene}/board.svg")
    assert plain.status_code == 401


async def test_a_game_that_draws_nothing_itself_is_drawn_as_a_board(
    desk: Desk, gallery: httpx.AsyncClient, settings: Settings
) -> None:
    game = SYSTEMS["dungeonteller"]
    sheet = game.build(game.examples["dwarf"], game.content)
    desk.characters.sheets[desk.hero] = game.sheet_codec.dump(sheet)
    scene = await desk.start(system="dungeonteller", setup="bonfire", characters=[desk.hero])
    token = Signer.of("account", settings).sign("campaign", desk.gm, service=True)
    answer = await gallery.get(f"/internal/scenes/{desk.scene}/board.svg", headers={TOKEN_HEADER: token})
    look = await desk.look(desk.gm)
    assert answer.status_code == 200 and look.pictured and look.card is not None
    drawn = ElementTree.fromstring(answer.text)
    tokens = drawn.find("{http://www.w3.org/2000/svg}g[@id='tokens']")
    assert tokens is not None and len(tokens) == len(look.card.actors) == len(scene.state["data"]["beings"])
    assert look.deadlines == {}


async def test_tokens_on_a_board_have_the_portraits_that_their_viewer_may_see(
    desk: Desk, gallery: httpx.AsyncClient, settings: Settings
) -> None:
    game = SYSTEMS["dungeonteller"]
    for name, hero in (("dwarf", desk.hero), ("elf", desk.other)):
        sheet = game.build(game.examples[name], game.content)
        desk.characters.sheets[hero] = game.sheet_codec.dump(sheet)
    await desk.start(system="dungeonteller", setup="bonfire", characters=[desk.hero, desk.other])
    one, other = (b"RIFF\0\0\0\0WEBP" + name for name in (b"one", b"other"))
    desk.characters.portraits = {
        desk.gm.account: {desk.hero: one, desk.other: other},
        desk.anna.account: {desk.hero: one},
    }

    async def portraits(who: Viewer) -> list[int]:
        signed = {TOKEN_HEADER: Signer.of("account", settings).sign("campaign", who, service=True)}
        drawn = await gallery.get(f"/internal/scenes/{desk.scene}/board.svg", headers=signed)
        assert drawn.status_code == 200
        return [drawn.text.count(b64encode(content).decode()) for content in (one, other)]

    # Each token stands on the ground and in the list beside it.
    assert await portraits(desk.gm) == [2, 2]
    assert await portraits(desk.anna) == [2, 0]
    assert await portraits(desk.watcher) == [0, 0]
    desk.characters.away = True
    assert await portraits(desk.gm) == [0, 0]


async def test_offers_of_dungeonteller_tell_the_chance_against_each_that_the_player_knows_of(
    desk: Desk,
) -> None:
    game = SYSTEMS["dungeonteller"]
    sheet = game.build(game.examples["rogue"], game.content)
    desk.characters.sheets[desk.hero] = game.sheet_codec.dump(sheet)
    await desk.start(system="dungeonteller", setup="bonfire", characters=[desk.hero])
    look = await desk.look(desk.anna)
    while look.card is not None and look.card.turn != desk.hero:
        await desk.bot(desk.gm, look.card.turn or GM, look.seq)
        look = await desk.look(desk.anna)
    offers = {offer.id: offer for offer in look.legal(desk.hero)}
    watching = {chance.id for chance in offers["try:sneak"].chances}
    assert {"win:werewolf-1", "win:werewolf-2"} <= watching and "win:hidden-1" not in watching
    assert all(0 < chance.chance < 1 for chance in offers["try:sneak"].chances)


async def test_a_campaign_that_is_begun_on_a_story_map_tells_it_of_every_new_place(desk: Desk) -> None:
    map_id = new_id("map")
    start = StorySitePlace(key="place-1f00d", name="Bell Landing", detail="hub", start=True)
    desk.maps.sites[map_id] = STORY_SITE_CODEC.dump(StorySite(places=(start,)))
    system = f"fortunate_blades{SUFFIX}"
    await desk.start(system=system, setup="session-zero", map_id=map_id, characters=())
    await desk.made(desk.gm, "AddPlace", GM, name="The Dry Ring", secret=True)
    await desk.made(desk.gm, "NameParty", GM, name="The Four Debts")
    told = [STORY_SITE_CODEC.load(each["site"]) for each in await boards(desk)]
    assert [[place.name for place in each.places] for each in told] == [
        ["Bell Landing"],
        ["Bell Landing", "The Dry Ring"],
    ]
    assert told[0].places == (start,) and not told[1].places[1].known


async def test_who_has_a_picture_is_told_so_without_drawing_it_until_it_changes_for_them(
    desk: Desk, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.start(setup="ambush")
    drawn: list[str] = []
    picture = desk.reader.picture

    async def counted(look: Look, portraits: Mapping[str, str]) -> str:
        drawn.append(look.who.account)
        return await picture(look, portraits)

    monkeypatch.setattr(desk.reader, "picture", counted)
    signer, gateway = Signer.of("campaign", settings), Signer.of("account", settings)

    async def ask(
        process: httpx.AsyncClient, who: Viewer, held: str, status: int, *, draws: bool, scene: str = ""
    ) -> str:
        drawn.clear()
        headers = {TOKEN_HEADER: gateway.sign("campaign", who, service=True), "if-none-match": held}
        answer = await process.get(f"/internal/scenes/{scene or desk.scene}/board.svg", headers=headers)
        assert answer.status_code == status
        assert drawn == [who.account] * draws
        assert (answer.content == b"") is (status == 304)
        return str(answer.headers.get("etag", ""))

    def process() -> httpx.AsyncClient:
        app = Starlette(routes=internal_routes(signer, desk.use_cases(Wakes())))
        return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://campaign")

    async with process() as first, process() as next_version:
        whole = await ask(first, desk.gm, "", 200, draws=True)
        part = await ask(first, desk.anna, "", 200, draws=True)
        for held in (whole, f"W/{whole}", f'"other", {whole}', "*"):
            assert await ask(first, desk.gm, held, 304, draws=False) == whole
        assert await ask(first, desk.anna, part, 304, draws=False) == part
        # Of other rights, it is another picture: that of the game master is no player's.
        assert await ask(first, desk.anna, whole, 200, draws=True) == part
        assert await ask(first, somebody(), whole, 404, draws=False) == ""
        # What another process has drawn, one of a newer version draws anew.
        assert await ask(next_version, desk.gm, whole, 304, draws=True) == whole
        assert await ask(next_version, desk.gm, whole, 304, draws=False) == whole
        await desk.strike([6, 6, 6], [1, 1, 1])
        changed = await ask(first, desk.gm, whole, 200, draws=True)
        assert changed != whole
        assert await ask(first, desk.anna, part, 200, draws=True) != part
        # As it was before: what they had then holds again.
        await desk.undo(desk.gm, desk.scene, (await desk.row()).seq)
        assert await ask(first, desk.gm, whole, 304, draws=False) == whole
        # Another scene that looks the same is drawn for itself.
        before = desk.scene
        await desk.start(setup="ambush")
        assert before != desk.scene
        await ask(first, desk.gm, "", 200, draws=True)


async def test_another_portrait_is_another_picture(
    desk: Desk, gallery: httpx.AsyncClient, settings: Settings
) -> None:
    game = SYSTEMS["dungeonteller"]
    desk.characters.sheets[desk.hero] = game.sheet_codec.dump(
        game.build(game.examples["dwarf"], game.content)
    )
    await desk.start(system="dungeonteller", setup="bonfire", characters=[desk.hero])
    portrait = b"RIFF\0\0\0\0WEBPone"

    async def ask(held: str) -> httpx.Response:
        signed = Signer.of("account", settings).sign("campaign", desk.gm, service=True)
        headers = {TOKEN_HEADER: signed, "if-none-match": held}
        return await gallery.get(f"/internal/scenes/{desk.scene}/board.svg", headers=headers)

    plain = (await ask("")).headers["etag"]
    assert (await ask(plain)).status_code == 304
    desk.characters.portraits = {desk.gm.account: {desk.hero: portrait}}
    changed = await ask(plain)
    assert changed.status_code == 200 and changed.headers["etag"] != plain
    assert b64encode(portrait).decode() in changed.text
    assert (await ask(changed.headers["etag"])).status_code == 304
    desk.characters.portraits = {}
    assert (await ask(plain)).status_code == 304
