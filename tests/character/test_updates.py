"""What has changed among characters since a client was there last: nothing is skipped, nothing told twice."""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from services.character.building.models import CharacterRow
from services.character.building.requests import CreateRandomCharacter, DeleteCharacter
from services.character.context import CharacterUseCases
from services.character.erasure import Erasure
from services.character.history.scene_events import SceneEvents
from services.rules.engine.registry import systems
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.problems import NotFound, PublicError
from services.shared.settings import Settings
from services.shared.stream import Wakes
from services.shared.updates import Told, follow_updates
from tests.character.desk import somebody
from tests.databases import ON_BOTH
from tests.inside import Campaigns

pytestmark = pytest.mark.databases("character")
DRAWN = CreateRandomCharacter("dungeonteller", seed="1")


class Client:
    """One who keeps a copy of a list by what is told of changes.

    Attributes:
        held: the version of each character that it has.
        told: how often each version of each character was told, and each deletion.
    """

    def __init__(self, house: "House", viewer: Viewer, campaign: str | None = None, first: int = 2) -> None:
        self._house, self.viewer, self._campaign, self._first = house, viewer, campaign, first
        self._cursor: str | None = None
        self.held: dict[str, int] = {}
        self.told: list[tuple[str, int | None]] = []

    async def ask(self) -> Told[CharacterRow]:
        """Ask once what has changed."""
        told = await self._house.use_cases.characters.updates(
            self.viewer, self._campaign, self._cursor, first=self._first
        )
        assert told is not None
        if told.page.anew:
            self.held = {}
        for character, row in told.lines():
            self.told.append((character, None if row is None else row.version))
            if row is None:
                self.held.pop(character, None)
            else:
                self.held[character] = row.version
        self._cursor = told.page.since.text()
        return told

    async def catch_up(self) -> dict[str, int]:
        """Ask until there is no more, and return what the client holds then."""
        while (await self.ask()).page.more:
            pass
        return self.held


class House:
    """The character service, and a campaign service that tells of seats."""

    def __init__(self, database: Database) -> None:
        self.database, self.tables, self.campaign = database, Campaigns(), new_id("cmp")
        self.use_cases = CharacterUseCases.over(database, system_clock, self.tables, systems())
        self.gm, self.anna, self.ben = somebody(), somebody(), somebody()
        for viewer, role in ((self.gm, Role.GM), (self.anna, Role.PLAYER), (self.ben, Role.PLAYER)):
            self.tables.roles[viewer.account] = {self.campaign: role}

    async def make(self, viewer: Viewer) -> str:
        return (await self.use_cases.characters.create_random(viewer, DRAWN, None)).id

    async def delete(self, viewer: Viewer, character: str) -> None:
        await self.use_cases.characters.delete(viewer, DeleteCharacter(character, 1), None)

    async def hear(self, kind: str, **payload: Any) -> None:
        scenes = SceneEvents(system_clock, self.use_cases.editions)
        handlers = {**scenes.handlers, **Erasure(system_clock, scenes).handlers}
        async with self.database.write() as session:
            await handlers[kind](session, Event(kind, "", payload))

    async def seat(self, viewer: Viewer, character: str) -> None:
        self.tables.seats[character] = self.campaign
        told = {"campaign": self.campaign, "character": character, "account": viewer.account}
        await self.hear("character.seated", **told)

    async def unseat(self, character: str) -> None:
        del self.tables.seats[character]
        await self.hear("character.unseated", campaign=self.campaign, character=character)

    def following(
        self,
        viewer: Viewer,
        campaign: str | None = None,
        *,
        after: str | None = None,
        wakes: Wakes | None = None,
    ) -> AsyncGenerator[Any, None]:
        async def fetch(since: str | None) -> Told[CharacterRow] | None:
            return await self.use_cases.characters.updates(viewer, campaign, since, first=1)

        return follow_updates(wakes or Wakes(), campaign or viewer.account, fetch, after)

    async def changed_by_scene(self, character: str, number: int, *, open_too: bool) -> None:
        change = {"data": {"luck": -number}, "text": "Less luck."}
        told = {"character": character, "own": change, "open": change if open_too else None}
        head = {"scene": "scn_1", "campaign": self.campaign, "system": "dungeonteller", "number": number}
        await self.hear("scene.changed", **head, changes=[told])


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[House]:
    database = Database(settings.database_url("character"))
    yield House(database)
    await database.close()


@ON_BOTH
async def test_ones_own_characters_come_once_and_go_once(house: House) -> None:
    client = Client(house, house.anna)
    made = [await house.make(house.anna) for _ in range(3)]
    await house.make(house.ben)
    assert await client.catch_up() == dict.fromkeys(made, 1)
    assert client.told == [(one, 1) for one in made]
    await house.delete(house.anna, made[1])
    assert list(await client.catch_up()) == [made[0], made[2]]
    assert client.told[3:] == [(made[1], None)]
    assert (await client.ask()).lines() == []


async def test_who_begins_hears_of_no_deletion_before_and_of_each_since(house: House) -> None:
    early, late, stays = [await house.make(house.anna) for _ in range(3)]
    await house.delete(house.anna, early)
    client = Client(house, house.anna, first=1)
    assert (await client.ask()).lines()[0][0] == late
    await house.delete(house.anna, late)
    assert await client.catch_up() == {stays: 1}
    assert [character for character, version in client.told if version is None] == [late]


@ON_BOTH
async def test_a_party_follows_who_sits_down_and_leaves(house: House) -> None:
    mine, theirs = await house.make(house.anna), await house.make(house.ben)
    clients = [Client(house, viewer, house.campaign) for viewer in (house.gm, house.anna)]
    await house.seat(house.anna, mine)
    await house.seat(house.ben, theirs)
    for client in clients:
        assert await client.catch_up() == {mine: 1, theirs: 1}
    await house.unseat(theirs)
    await house.delete(house.anna, mine)
    await house.unseat(mine)
    for client in clients:
        assert await client.catch_up() == {}
        assert client.told[2:] == [(theirs, None), (mine, None)]


async def test_what_the_table_may_not_know_moves_no_cursor_of_theirs(house: House) -> None:
    mine = await house.make(house.anna)
    await house.seat(house.anna, mine)
    knowing = [Client(house, viewer, house.campaign) for viewer in (house.gm, house.anna)]
    other = Client(house, house.ben, house.campaign)
    for client in (*knowing, other):
        await client.catch_up()
    before = (await other.ask()).page
    await house.changed_by_scene(mine, 1, open_too=False)
    assert (await other.ask()).page == before
    for client in knowing:
        assert [one for one, _ in (await client.ask()).lines()] == [mine]
    await house.changed_by_scene(mine, 2, open_too=True)
    for client in (*knowing, other):
        assert [one for one, _ in (await client.ask()).lines()] == [mine]


async def test_another_role_reads_the_list_anew(house: House) -> None:
    mine = await house.make(house.anna)
    await house.seat(house.anna, mine)
    client = Client(house, house.anna, house.campaign)
    await client.catch_up()
    house.tables.roles[house.anna.account] = {house.campaign: Role.GM}
    told = await client.ask()
    assert told.page.anew and client.held == {mine: 1}
    assert not (await client.ask()).page.anew


async def test_cursors_of_other_lists_are_refused_and_other_campaigns_unknown(house: House) -> None:
    await house.make(house.anna)
    told = await Client(house, house.anna).ask()
    characters = house.use_cases.characters
    for cursor in (told.page.since.text(), "x", ""):
        with pytest.raises(PublicError):
            await characters.updates(house.anna, house.campaign, cursor, first=5)
    assert await characters.updates(somebody(), house.campaign, None, first=5) is None


async def test_who_follows_hears_each_change_once_and_goes_on_behind_a_cursor(house: House) -> None:
    wakes = Wakes()
    house.database.after_commit.append(wakes.wake_topics)
    first = await house.make(house.anna)

    # Less than until it looks by itself.
    async with (
        asyncio.timeout(4),
        aclosing(house.following(house.anna, wakes=wakes)) as told,
    ):
        character, row, since, anew = await anext(told)
        assert (character, row is not None, anew) == (first, True, True)
        waiting = asyncio.ensure_future(anext(told))
        second = await house.make(house.anna)
        assert (await waiting)[0] == second
        waiting = asyncio.ensure_future(anext(told))
        await house.delete(house.anna, first)
        assert (await waiting)[:2] == (first, None)
    async with aclosing(house.following(house.anna, after=since.text())) as told:
        assert [(await anext(told))[0] for _ in range(2)] == [second, first]


async def test_who_leaves_the_table_follows_its_party_no_more(house: House) -> None:
    mine = await house.make(house.anna)
    await house.seat(house.anna, mine)
    async with aclosing(house.following(house.ben, house.campaign)) as told:
        assert (await anext(told))[0] == mine
    del house.tables.roles[house.ben.account]
    with pytest.raises(NotFound):
        await anext(house.following(house.ben, house.campaign))


@ON_BOTH
async def test_while_many_write_each_version_is_told_at_most_once_and_the_last_always(house: House) -> None:
    chance, made = random.Random(4), []

    async def write(viewer: Viewer) -> None:
        own: list[str] = []
        for _ in range(8):
            if own and chance.random() < 0.4:
                await house.delete(viewer, own.pop())
            else:
                own.append(await house.make(viewer))
                await house.seat(viewer, own[-1])
        made.extend(own)

    client = Client(house, house.gm, house.campaign, first=3)
    writing = asyncio.gather(*(write(viewer) for viewer in (house.anna, house.ben, house.anna)))
    while not writing.done():
        await client.ask()
        await asyncio.sleep(0)
    await writing
    assert set(await client.catch_up()) == set(made)
    assert len(client.told) == len(set(client.told))
