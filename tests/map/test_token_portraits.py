"""Tokens on pictures: with the portraits that whoever looks may see, and with letters else."""

import asyncio
import io
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from PIL import Image

from services.map.formats import Audience, Output, OutputRequest
from services.map.models import MapRow
from services.map.play.state import STATE_CODEC, Extent, Fog, FogMode, MapState, Spot, Token
from services.map.registry import KINDS
from services.map.render.figures import Figure
from services.map.render.grid.outline import UNIT
from services.map.render.grid.tokens import TURN, standing
from services.map.render.raster.painter import paint
from services.map.render.raster.style import PaintError
from services.map.showing import Showing, Shown
from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.http_client import Answer
from services.shared.ids import new_id
from services.shared.peers import PeerUnavailable
from services.shared.policy import Policy
from services.shared.portraits import MOST, Portraits
from tests.character.desk import somebody
from tests.databases import Databases
from tests.map.ground_maps import map_of

MAP, CAMPAIGN, HERO, HERMIT = new_id("map"), new_id("cmp"), new_id("chr"), new_id("chr")
GM, PLAYER, STRANGER = somebody(), somebody(), somebody()
TOKENS = (
    Token("thg_a", "Mara Holt", Spot(1, 1), character=HERO),
    Token("thg_b", "Old Hermit", Spot(3, 1), character=HERMIT),
    Token("thg_c", "A Crow", Spot(4, 1)),
)
LIVE, PLAYERS = OutputRequest("svg", tokens=True), OutputRequest("svg", Audience.PLAYERS, tokens=True)


def webp(color: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (16, 16), color).save(out, "WEBP", lossless=True)
    return out.getvalue()


def address(content: bytes) -> str:
    return f"data:image/webp;base64,{b64encode(content).decode()}"


RED, BLUE, GREEN = webp("#ff0000"), webp("#0000ff"), webp("#00ff00")


@dataclass
class Album:
    """The character service: who sees which portraits, and the content of each version."""

    seen: dict[str, dict[str, str]] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    away: bool = False
    named: list[list[str]] = field(default_factory=list)
    read: list[str] = field(default_factory=list)

    async def get(self, viewer: Viewer, *_path: str, characters: str) -> Any:
        if self.away:
            raise PeerUnavailable("character", "away")
        self.named.append(characters.split(","))
        shown = self.seen.get(viewer.account, {})
        return {"portraits": {one: version for one, version in shown.items() if one in self.named[-1]}}

    async def fetch(self, viewer: Viewer, *path: str, query: dict[str, Any], seconds: float) -> Answer:
        version = self.seen[viewer.account][path[1]]
        self.read.append(version)
        tag = f'"{version}-{query["size"]}.{query["format"]}"'
        return Answer(200, {"etag": tag}, self.contents[version])


class Table:
    """Who sits at the table, and whose character: Mara alone."""

    async def of(self, viewer: Viewer, **_named: Any) -> Access:
        roles = {GM.account: Role.GM, PLAYER.account: Role.PLAYER}
        role = roles.get(viewer.account)
        return Access(viewer.account, {} if role is None else {CAMPAIGN: role}, {HERO: CAMPAIGN})


class AtOnce:
    """Charges nothing, keeps nothing, and draws the tokens alone, in this process."""

    async def run(self, _who: Any, first: Any, *more: Any) -> Any:
        return Output(standing(more[5]).encode(), "image/svg+xml", ".svg") if more[1:] else more[0]()

    async def model(self, _viewer: Viewer, look: Any) -> Any:
        return look.model

    async def charge(self, _viewer: Viewer, _milliseconds: float) -> None:
        return None

    async def get(self, _key: str) -> None:
        return None

    async def put(self, _key: str, _content: bytes) -> None:
        return None


def album() -> Album:
    both = {HERO: "red-1", HERMIT: "blue-1"}
    seen = {GM.account: both, PLAYER.account: {HERO: "red-1"}}
    return Album(seen, {"red-1": RED, "blue-1": BLUE, "green-1": GREEN})


def portraits(book: Album) -> Portraits:
    return Portraits(book)  # type: ignore[arg-type]


@pytest.fixture
def database(databases: Databases) -> Iterator[str]:
    """A database of one map at a table, with tokens."""
    url = databases.take("map")
    state = MapState(Extent(7, 3, cells=True), Fog(FogMode.OPEN), tokens=TOKENS)
    row = MapRow(
        id=MAP,
        kind="battle",
        name="A yard",
        seed="1",
        params="{}",
        model=KINDS["battle"].filed.to_bytes(map_of("#######", "#.....#", "#######")).decode(),
        generator_version=1,
        gates="[]",
        attempts=1,
        owner=GM.account,
        campaign=CAMPAIGN,
        created_at=system_clock(),
        state=orjson.dumps(STATE_CODEC.dump(state)).decode(),
    )

    async def add() -> None:
        maps = Database(url)
        async with maps.write() as session:
            session.add(row)
        await maps.close()

    asyncio.run(add())
    yield url
    databases.give_back("map", url)


Ask = Callable[..., Coroutine[Any, Any, Shown]]


def shown(url: str, book: Album, play: Callable[[Ask], Coroutine[Any, Any, None]]) -> None:
    """Let a test ask for pictures of the map."""

    async def run() -> None:
        maps, at_once = Database(url), AtOnce()
        parts: Any = (Policy(Table()), at_once, at_once, at_once, portraits(book))
        showing = Showing(maps, *parts)

        async def ask(viewer: Viewer, request: OutputRequest = LIVE, held: str | None = None) -> Shown:
            found = await showing.output(viewer, MAP, request, None if held is None else f'"{held}"')
            assert found is not None
            return found

        await play(ask)
        await maps.close()

    asyncio.run(run())


def test_each_sees_the_portraits_they_may_see_and_letters_else(database: str) -> None:
    async def play(ask: Ask) -> None:
        master, player = await ask(GM), await ask(PLAYER)
        assert master.content is not None and player.content is not None
        for content, held, missing in (
            (master.content.decode(), (RED, BLUE), (">MH<", ">OH<")),
            (player.content.decode(), (RED,), (">MH<",)),
        ):
            assert all(address(one) in content for one in held)
            assert ">AC<" in content and not any(one in content for one in missing)
        assert address(BLUE) not in player.content.decode() and ">OH<" in player.content.decode()
        assert player.tag != master.tag
        as_players = await ask(GM, PLAYERS)
        assert as_players.content == player.content, "the hermit sits at no table"

    shown(database, album(), play)


def test_another_portrait_is_another_picture_and_without_the_service_there_are_letters(database: str) -> None:
    book = album()

    async def play(ask: Ask) -> None:
        first = await ask(PLAYER)
        assert (await ask(PLAYER, LIVE, first.tag)).content is None
        book.seen[PLAYER.account] = {HERO: "green-1"}
        second = await ask(PLAYER, LIVE, first.tag)
        assert second.tag != first.tag and address(GREEN) in (second.content or b"").decode()
        book.away = True
        letters = await ask(PLAYER, LIVE, second.tag)
        assert b"<image" not in (letters.content or b"") and b">MH<" in (letters.content or b"")
        book.away = False
        assert (await ask(PLAYER)).tag == second.tag

    shown(database, book, play)


def test_maps_that_do_not_show_portraits_ask_for_none(database: str) -> None:
    book = album()

    async def play(ask: Ask) -> None:
        await ask(GM, OutputRequest("svg"))

    shown(database, book, play)
    assert book.named == []


def test_portraits_are_read_once_and_of_so_many_characters_at_most() -> None:
    book, many = album(), [new_id("chr") for _ in range(MOST + 5)]
    book.seen[PLAYER.account] = dict.fromkeys(many, "red-1")
    reader = portraits(book)
    assert set(asyncio.run(reader.of(PLAYER, [*many, *many]))) == set(many[:MOST])
    assert book.named == [many[:MOST]] and len(book.read) == MOST
    assert set(asyncio.run(reader.of(PLAYER, many))) == set(many[:MOST]) and len(book.read) == MOST
    assert asyncio.run(reader.of(STRANGER, many)) == {}, "what is kept is for nobody who may not see it"
    assert asyncio.run(reader.of(PLAYER, [])) == {} and len(book.named) == 3


@pytest.mark.parametrize("content", [b"<svg/>", RED + bytes(2**17)], ids=["of another kind", "too large"])
def test_what_is_not_a_small_webp_is_left_out(content: bytes) -> None:
    book = album()
    book.contents["red-1"] = content
    assert asyncio.run(portraits(book).of(PLAYER, [HERO])) == {}


def test_a_portrait_fills_the_disc_inside_the_colour_and_the_turn() -> None:
    one = Figure("Mara Holt", "", "#0000ff", 0, 0, 2, True, address(RED))
    side = 2 * UNIT
    pixels = paint(f'<svg width="{side}" height="{side}">{standing([one])}</svg>')
    middle, radius = UNIT, UNIT
    row = [tuple(pixels[middle, int(middle + radius * part)][:3]) for part in (0.0, 0.6, 0.75, 0.9)]
    turn = tuple(bytes.fromhex(TURN.removeprefix("#")))
    assert row == [(255, 0, 0), (255, 0, 0), (0, 0, 255), turn]
    with pytest.raises(PaintError):
        paint('<svg width="8" height="8"><image href="https://example.org/a.webp"/></svg>')
