"""Portraits over REST: set, read in sizes and forms, shown in the graph, exported, removed; and by whom."""

import io
from base64 import b64decode
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from PIL import Image
from sqlalchemy import text
from starlette.applications import Starlette

from services.character.building.requests import DeleteCharacter
from services.character.context import CharacterUseCases
from services.character.portraits.files import portrait_routes
from services.character.portraits.keys import FILES, NAMED_PORTRAITS
from services.character.portraits.leftovers import PortraitLeftovers
from services.character.portraits.service import PortraitService, portrait_pool
from services.character.schema import SCHEMA
from services.character.tables import OUTBOX
from services.gateway.rest.guard import UPLOADS
from services.gateway.rest.portraits import preferred
from services.gateway.rest.problems import Refusal
from services.gateway.rest.subgraphs import Subgraphs
from services.rules.engine.registry import systems
from services.shared.access import Role
from services.shared.auth import Signer, Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.peers import Peer
from services.shared.portraits import Portraits
from services.shared.settings import ServiceName, Settings
from services.shared.storage import FolderStorage, Storage
from services.shared.stored_files import EVERY, UNNAMED
from tests.databases import ON_BOTH
from tests.gateway.rest_face import Guest, fits, guests
from tests.inside import Campaigns, Graph
from tests.object_store import ObjectStore
from tests.within import Within

pytestmark = [pytest.mark.databases("character", "account"), ON_BOTH]

HERO = {"build": {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}}}
PUBLIC = "https://table.example"


def picture(color: str = "red", size: tuple[int, int] = (90, 120), kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, kind)
    return out.getvalue()


class CharacterPeer(Peer):
    """The character service in this process: its paths, and its graph."""

    def __init__(
        self,
        settings: Settings,
        routes: Starlette,
        use_cases: CharacterUseCases,
        caller: ServiceName = "account",
    ) -> None:
        super().__init__("character", "http://within", Signer.of(caller, settings))
        self._client = Within(lambda: routes)
        self._graph = Graph(SCHEMA, use_cases)

    async def graphql(self, viewer: Viewer, operation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        return await self._graph.graphql(viewer, operation, variables)


class Gallery:
    """A player with a character at a table, another member of it, and a stranger."""

    def __init__(
        self, database: Database, folder: Path, tables: Campaigns, people: list[Guest], maps: Portraits
    ) -> None:
        self.database, self.folder = database, folder
        self.player, self.gm, self.stranger = people
        self.campaign, self.tables = new_id("cmp"), tables
        self.character = ""
        self.maps = maps
        for guest, role in ((self.player, Role.PLAYER), (self.gm, Role.GM)):
            tables.roles[guest.id] = {self.campaign: role}

    @property
    def path(self) -> str:
        return f"/v1/characters/{self.character}/portrait"

    def files(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]

    async def version(self) -> int:
        found = await self.player.ask("GET", f"/v1/characters/{self.character}")
        return cast(int, found.json()["version"])

    async def put(self, content: bytes, media_type: str = "image/png") -> Any:
        headers = {"content-type": media_type}
        return fits(await self.player.ask("PUT", self.path, content=content, headers=headers))


@pytest.fixture
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """Open the folder of the gallery, or a bucket for tests that ask for one."""
    if getattr(request, "param", "folder") == "folder":
        return FolderStorage(tmp_path / "files")
    server: ObjectStore = request.getfixturevalue("object_store")
    return server.storage(public=True)


@pytest.fixture
async def gallery(settings: Settings, tmp_path: Path, storage: Storage) -> AsyncIterator[Gallery]:
    database, tables, pool = Database(settings.database_url("character")), Campaigns(), portrait_pool()
    use_cases = CharacterUseCases.over(database, system_clock, tables, systems(), public_url=PUBLIC)
    portraits = PortraitService(database, system_clock, use_cases.characters, storage, pool)
    routes = Starlette(routes=portrait_routes(portraits, Signer.of("character", settings)))
    graphs = Subgraphs({"character": cast(Peer, CharacterPeer(settings, routes, use_cases))})
    async with guests(settings, graphs, "Mara", "Toren", "Nobody") as found:
        maps = Portraits(CharacterPeer(settings, routes, use_cases, "map"))
        gallery = Gallery(database, tmp_path / "files", tables, found, maps)
        made = await gallery.player.ask("POST", "/v1/characters", 201, json=HERO)
        gallery.character = made.json()["id"]
        tables.seats[gallery.character] = gallery.campaign
        yield gallery
    await pool.close()
    await database.close()


async def test_a_portrait_is_set_read_in_sizes_replaced_and_removed(gallery: Gallery) -> None:
    player, path = gallery.player, gallery.path
    await player.refused("GET", path, 404, "NOT_FOUND")
    set_ = await gallery.put(picture("red"), "application/octet-stream")
    assert await gallery.version() == 2
    assert set_["url"] == f"{PUBLIC}{path}?size=256"

    usual = await player.ask("GET", path)
    assert usual.headers["content-type"] == "image/webp"
    assert Image.open(io.BytesIO(usual.content)).size == (256, 256)
    assert (usual.headers["cache-control"], usual.headers["vary"]) == (
        "private, no-cache",
        "authorization, accept",
    )
    for size in (64, 128, 512):
        small = await player.ask("GET", f"{path}?size={size}", headers={"accept": "image/png"})
        found = Image.open(io.BytesIO(small.content))
        assert (found.size, found.format, small.headers["content-type"]) == ((size, size), "PNG", "image/png")
        assert small.headers["etag"] != usual.headers["etag"]
    held = {"if-none-match": usual.headers["etag"]}
    assert (await player.ask("GET", path, 304, headers=held)).content == b""
    await player.refused("GET", f"{path}?size=100", 422, "INVALID_INPUT")
    await player.refused("GET", path, 406, "NOT_ACCEPTABLE", headers={"accept": "text/html"})

    assert await gallery.put(picture("red")) == set_  # the same again
    assert await gallery.version() == 2
    blue = await gallery.put(picture("blue", kind="JPEG"))
    assert blue["version"] != set_["version"] and await gallery.version() == 3
    fresh = await player.ask("GET", path, headers=held)
    assert fresh.headers["etag"] != usual.headers["etag"]

    for _ in range(2):
        assert fits(await player.ask("DELETE", path)) == {"id": gallery.character}
        assert await gallery.version() == 4
    await player.refused("GET", path, 404, "NOT_FOUND")
    told = await player.ask("GET", f"/v1/characters/{gallery.character}/history")
    lines = told.json()["items"]
    assert [line["text"] for line in lines] == [
        "Portrait removed.",
        "Portrait set.",
        "Portrait set.",
        "Made.",
    ]
    assert lines[0]["what"] == "PORTRAIT"
    async with gallery.database.read() as session:
        events = [row.kind for row in await session.execute(OUTBOX.select().order_by(OUTBOX.c.id))]
    assert events == ["character.created", *["character.changed"] * 3]


@pytest.mark.parametrize("storage", ["bucket"], indirect=True)
async def test_a_portrait_in_a_bucket_is_read_there_by_who_may_see_it(gallery: Gallery) -> None:
    await gallery.put(picture())
    path = f"{gallery.path}?size=64&redirect=true"
    seen = await gallery.gm.ask("GET", f"{gallery.path}?size=64")
    sent = await gallery.gm.ask("GET", path, 307)
    assert (sent.content, sent.headers["cache-control"]) == (b"", "private, no-store")
    async with httpx.AsyncClient(trust_env=False) as client:
        found = await client.get(sent.headers["location"])
    assert (found.content, found.headers["content-type"]) == (seen.content, "image/webp")
    held = {"if-none-match": seen.headers["etag"]}
    assert "location" not in (await gallery.gm.ask("GET", path, 304, headers=held)).headers
    await gallery.stranger.refused("GET", path, 404, "NOT_FOUND")


async def test_a_portrait_in_a_folder_comes_all_the_same(gallery: Gallery) -> None:
    await gallery.put(picture())
    sent = await gallery.player.ask("GET", f"{gallery.path}?redirect=true")
    assert sent.content == (await gallery.player.ask("GET", gallery.path)).content


async def test_who_sees_the_character_sees_its_portrait_and_its_player_alone_sets_it(
    gallery: Gallery,
) -> None:
    await gallery.put(picture())
    path, sent = gallery.path, {"content": picture("blue"), "headers": {"content-type": "image/png"}}
    seen = await gallery.gm.ask("GET", path)
    await gallery.stranger.refused("GET", path, 404, "NOT_FOUND")
    await gallery.stranger.refused(
        "GET", path, 404, "NOT_FOUND", headers={"if-none-match": seen.headers["etag"]}
    )
    for method, more in (("PUT", sent), ("DELETE", {})):
        await gallery.gm.refused(method, path, 403, "FORBIDDEN", **more)
        await gallery.stranger.refused(method, path, 404, "NOT_FOUND", **more)
    del gallery.tables.seats[gallery.character]
    await gallery.gm.refused("GET", path, 404, "NOT_FOUND")


async def test_maps_read_the_portraits_that_their_viewers_may_see(gallery: Gallery) -> None:
    player, member, stranger = (Viewer(guest.id) for guest in (gallery.player, gallery.gm, gallery.stranger))
    asked = [gallery.character, new_id("chr"), "nothing"]
    assert await gallery.maps.of(player, asked) == {}
    await gallery.put(picture())
    red = await gallery.maps.of(player, asked)
    assert set(red) == {gallery.character}
    with Image.open(io.BytesIO(b64decode(red[gallery.character].partition(",")[2]))) as shown:
        assert (shown.format, shown.size) == ("WEBP", (128, 128))
    assert await gallery.maps.of(member, asked) == red
    assert await gallery.maps.of(stranger, asked) == {}
    await gallery.put(picture("blue"))
    assert (await gallery.maps.of(member, asked))[gallery.character] != red[gallery.character]
    del gallery.tables.seats[gallery.character]
    assert await gallery.maps.of(member, asked) == {}


async def test_what_is_no_sound_picture_is_refused_and_leaves_no_file(gallery: Gallery) -> None:
    path, put = gallery.path, gallery.player.refused

    def sent(content: bytes, media_type: str = "image/png") -> dict[str, Any]:
        return {"content": content, "headers": {"content-type": media_type}}

    await put("PUT", path, 415, "UNSUPPORTED_MEDIA_TYPE", **sent(b"GIF89a and more"))
    await put("PUT", path, 415, "UNSUPPORTED_MEDIA_TYPE", **sent(b""))
    await put("PUT", path, 415, "UNSUPPORTED_MEDIA_TYPE", **sent(picture(), "multipart/form-data"))
    await put("PUT", path, 413, "BODY_TOO_LARGE", **sent(picture() + bytes(4 * 1024 * 1024)))
    small = await put("PUT", path, 422, "INVALID_INPUT", **sent(picture(size=(63, 80))))
    assert small["issues"][0]["code"] == "PORTRAIT_DIMENSIONS"
    assert small["issues"][0]["found"] == "63 x 80"
    broken = await put("PUT", path, 422, "INVALID_INPUT", **sent(picture()[:60]))
    assert broken["issues"][0]["code"] == "PORTRAIT_UNREADABLE"
    assert gallery.files() == []


async def test_files_that_no_character_names_are_removed_and_others_stay(gallery: Gallery) -> None:
    await gallery.put(picture("red"))
    before = set(gallery.files())
    await gallery.put(picture("blue"))
    after = set(gallery.files()) - before
    assert len(before) == len(after) == len(FILES)
    now = system_clock()
    moments = [now]
    leftovers = PortraitLeftovers(gallery.database, FolderStorage(gallery.folder), lambda: moments[-1])
    moments.append(now + 2 * UNNAMED)
    while await leftovers.prune():
        pass
    assert set(gallery.files()) == after
    async with gallery.database.read() as session:
        rows = await session.execute(text(NAMED_PORTRAITS))
        assert {gallery.folder / key for (key,) in rows} == after

    deleted = DeleteCharacter(gallery.character, 3)
    use_cases = CharacterUseCases.over(gallery.database, system_clock, gallery.tables, systems())
    await use_cases.characters.delete(Viewer(gallery.player.id), deleted, None)
    moments.append(now + 2 * EVERY + timedelta(hours=3))
    while await leftovers.prune():
        pass
    assert gallery.files() == []


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("*/*", "image/webp"),
        ("image/avif,image/webp,*/*;q=0.8", "image/webp"),
        ("image/png", "image/png"),
        ("image/webp;q=0.5, image/png", "image/png"),
        ("image/*", "image/webp"),
        ("image/webp;q=0, */*", "image/png"),
    ],
)
def test_the_form_is_the_one_that_the_client_prefers(accept: str, wanted: str) -> None:
    assert preferred(accept) == wanted


def test_who_takes_neither_form_is_told_so() -> None:
    for accept in ("text/html", "image/gif", "image/*;q=0", "image/png;q=x"):
        with pytest.raises(Refusal):
            preferred(accept)


def test_the_door_and_the_guard_take_the_same_uploads() -> None:
    door = Path("services/gateway/federation/door.mjs").read_text()
    for one in UPLOADS:
        path = one.path.pattern.replace("/", "\\/").replace("[^\\/]", "[^/]")
        assert f"method: '{one.method}', path: /^{path}$/, most: {one.most // 2**20} * 1024 * 1024" in door
