"""Packs of a table's own content: who sees and edits them, and the characters that are built under them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from services.character.building.builds import Build
from services.character.building.models import CharacterRow
from services.character.building.random_characters import Wish
from services.character.building.service import CharacterService
from services.character.history.scene_events import TakingIn
from services.character.packs.models import PackRow
from services.character.packs.repository import newest_versions
from services.character.packs.requests import (
    KEPT_UNUSED,
    MAX_BYTES,
    MAX_OWN,
    MAX_PACKS,
    NewPack,
    PackContent,
    PackEdit,
    PackVersion,
)
from services.rules.engine.registry import systems
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from tests.character.desk import somebody
from tests.inside import Campaigns

FOUND = systems(Path(__file__).resolve().parents[1] / "toys")
DUEL = FOUND["duel"]
assert DUEL.packs is not None
KIND = DUEL.packs
HONOUR = "duel:oath/honour"
SILENCE = "duel:oath/silence"


class House:
    """A table with a GM, a player and a spectator, a GM of another table, and the use cases."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.campaigns = Campaigns()
        self.characters = CharacterService(database, system_clock, self.campaigns, FOUND)
        self.packs = self.characters.packs
        self.table = new_id("cmp")
        self.gm, self.player, self.spectator, self.outsider = (somebody() for _ in range(4))
        for viewer, role in zip((self.gm, self.player, self.spectator), Role, strict=True):
            self.campaigns.roles[viewer.account] = {self.table: role}
        self.campaigns.roles[self.outsider.account] = {new_id("cmp"): Role.GM}

    async def pack(self, viewer: Viewer, *oaths: dict[str, Any], **more: Any) -> PackRow:
        """Keep a pack that breaks no rule."""
        kept = await self.packs.create(viewer, new(*oaths, **more))
        assert isinstance(kept, PackRow), kept
        return kept

    async def edit(self, viewer: Viewer, pack: PackRow, *oaths: dict[str, Any]) -> PackRow:
        """Give a pack other oaths."""
        kept = await self.packs.update(viewer, pack.id, pack.version, PackEdit(content=holding(*oaths)))
        assert isinstance(kept, PackRow), kept
        return kept

    async def duellist(self, viewer: Viewer, *packs: PackRow, oaths: tuple[str, ...] = ()) -> CharacterRow:
        """Keep a duellist that breaks no rule."""
        made = await self.characters.create(
            viewer, build(oaths, packs=tuple(pack.id for pack in packs)), None
        )
        assert isinstance(made, CharacterRow), made
        return made

    async def row(self, character: CharacterRow) -> CharacterRow:
        """Read a character again."""
        found = await self.characters.existing(character.id)
        assert found is not None
        return found


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[House]:
    database = Database(settings.database_url_character)
    yield House(database)
    await database.close()


def oath(key: str, nerve: int = 1, **more: Any) -> dict[str, Any]:
    return {"key": key, "name": key.title(), "nerve": nerve, **more}


def holding(*oaths: dict[str, Any]) -> PackContent:
    return PackContent("duel", KIND.codec.read({"oaths": list(oaths)}))


def new(*oaths: dict[str, Any], **more: Any) -> NewPack:
    return NewPack(content=holding(*oaths), **{"name": "Oaths of the yard", **more})


def build(
    oaths: tuple[str, ...] = (), packs: tuple[str, ...] | None = None, name: str = "Anna", **more: Any
) -> Build:
    return Build("duel", DUEL.choices_codec.read({"name": name, "oaths": list(oaths), **more}), packs)


def nerve(row: CharacterRow) -> int:
    found: int = row.sheet["data"]["tracks"][0]["maximum"]
    return found


def broken(answer: object) -> list[tuple[str, str]]:
    """Give the codes and paths of what is wrong."""
    assert isinstance(answer, InvalidInput), answer
    return [(found.code, ".".join(found.path)) for found in answer.issues]


# Packs


async def test_who_may_see_and_change_a_pack(house: House) -> None:
    own, shared = await house.pack(house.player), await house.pack(house.gm, campaign=house.table)
    second = somebody()
    house.campaigns.roles[second.account] = {house.table: Role.GM}
    rights = (
        (own, {house.player}, {house.player}),
        (shared, {house.gm, second, house.player, house.spectator}, {house.gm, second}),
    )
    everybody = (house.gm, second, house.player, house.spectator, house.outsider, Viewer())
    for pack, seen_by, changed_by in rights:
        for viewer in everybody:
            assert (pack.id in await house.packs.packs(viewer, [pack.id])) is (viewer in seen_by)
            listed = await house.packs.page(viewer, None, None, first=9, after=None)
            assert listed is not None
            assert (pack.id in [row.id for row in listed.items]) is (pack.owner == viewer.account)
            version = (await newest(house, pack.id))[pack.id]
            edit = PackEdit(description=f"seen by {viewer.account}")
            answer = await house.packs.update(viewer, pack.id, version, edit)
            expected = "PackRow" if viewer in changed_by else "Forbidden" if viewer in seen_by else "NotFound"
            assert type(answer).__name__ == expected
            if viewer not in changed_by:
                gone = await house.packs.delete(viewer, pack.id, version)
                assert type(gone).__name__ == expected
    for viewer in everybody:
        page = await house.packs.page(viewer, house.table, "duel", first=9, after=None)
        members = page is not None and [row.id for row in page.items] == [shared.id]
        assert members is (viewer in rights[1][1])
    assert await house.packs.delete(second, shared.id, 3) == shared.id
    assert await house.packs.packs(house.gm, [shared.id]) == {}


async def newest(house: House, *packs: str) -> dict[str, int]:
    async with house.database.read() as session:
        return await newest_versions(session, packs)


async def test_only_a_gm_brings_a_pack_to_a_table_and_takes_it_away(house: House) -> None:
    for viewer, expected in (
        (house.player, "Forbidden"),
        (house.spectator, "Forbidden"),
        (house.outsider, "NotFound"),
    ):
        answer = await house.packs.create(viewer, new(campaign=house.table))
        assert (type(answer).__name__, answer.path) == (expected, ["campaignId"])  # type: ignore[union-attr]
        own = await house.pack(viewer)
        moved = await house.packs.update(viewer, own.id, 1, PackEdit(campaign=house.table))
        assert type(moved).__name__ == expected
    pack = await house.pack(house.gm)
    shared = await house.packs.update(house.gm, pack.id, 1, PackEdit(campaign=house.table))
    assert isinstance(shared, PackRow) and shared.campaign == house.table
    kept = await house.packs.update(house.gm, pack.id, 2, PackEdit(name="Renamed"))
    assert isinstance(kept, PackRow) and (kept.name, kept.campaign) == ("Renamed", house.table)
    assert pack.id in await house.packs.packs(house.player, [pack.id])
    alone = await house.packs.update(house.gm, pack.id, 3, PackEdit(campaign=None))
    assert isinstance(alone, PackRow) and alone.campaign is None
    assert await house.packs.packs(house.player, [pack.id]) == {}
    house.campaigns.away = True
    assert type(await house.packs.create(house.gm, new(campaign=house.table))).__name__ == "Unavailable"
    assert pack.id in await house.packs.packs(house.gm, [pack.id])


async def test_a_pack_that_breaks_rules_is_not_kept_and_each_is_told(house: House) -> None:
    wrong = [oath("honour", 0, against=SILENCE), oath("truth"), oath("truth")]
    answer = await house.packs.create(house.player, new(*wrong, name=" ", description="\x07"))
    assert broken(answer) == [
        ("LENGTH", "name"),
        ("BAD_CHARACTER", "description"),
        ("oath_empty", "pack.duel.oaths.0.nerve"),
        ("oath_unknown", "pack.duel.oaths.0.against"),
        ("oath_taken", "pack.duel.oaths.2.key"),
    ]
    assert broken(await house.packs.check(house.player, holding(*wrong))) == broken(answer)[2:]
    large = [oath(f"k-{n}", name="x" * 9000) for n in range(30)]
    assert broken(await house.packs.create(house.player, new(*large))) == [("TOO_LARGE", "pack.duel")]
    assert MAX_BYTES < 9000 * 30
    other = NewPack(content=PackContent("dungeonteller", None), name="x")
    assert broken(await house.packs.create(house.player, other)) == [("NO_PACKS", "pack")]
    page = await house.packs.page(house.player, None, None, first=9, after=None)
    assert page is not None and page.items == []

    pack = await house.pack(house.player, oath("honour"))
    refused = await house.packs.update(house.player, pack.id, 1, PackEdit(content=holding(*wrong), name=""))
    assert broken(refused) == [("LENGTH", "name"), *broken(answer)[2:]]
    moved = PackEdit(content=PackContent("dungeonteller", None))
    assert broken(await house.packs.update(house.player, pack.id, 1, moved)) == [("SYSTEM_FIXED", "pack")]
    assert await newest(house, pack.id) == {pack.id: 1}
    held = PackVersion(pack.id, 1, "duel")
    assert await house.packs.contents([held]) == {held: holding(oath("honour")).pack}


async def test_what_differs_from_the_book_is_reported_and_kept(house: House) -> None:
    report = await house.packs.check(house.player, holding(oath("honour", 2, tears=1), oath("truth")))
    assert not isinstance(report, InvalidInput)
    assert report.adds == (HONOUR, "duel:oath/truth")
    (found,) = report.findings
    assert (found.code, found.path, found.stated, found.computed) == (
        "tears_differ",
        ("oaths", 0, "tears"),
        1,
        4,
    )
    await house.pack(house.player, oath("honour", 2, tears=1))


async def test_one_key_is_one_pack_and_an_account_keeps_so_many(house: House) -> None:
    answers = await asyncio.gather(
        *(house.packs.create(house.player, new(oath("honour"), key="one")) for _ in range(5))
    )
    assert len({answer.id for answer in answers if isinstance(answer, PackRow)}) == 1
    clash = await house.packs.create(house.player, new(oath("silence"), key="one"))
    assert type(clash).__name__ == "IdempotencyConflict"
    moment = system_clock()
    async with house.database.write() as session:
        session.add_all(
            PackRow(
                id=new_id("pck"),
                owner=house.player.account,
                system="duel",
                name="x",
                description="",
                created_at=moment,
                updated_at=moment,
            )
            for _ in range(MAX_OWN - 1)
        )
    assert broken(await house.packs.create(house.player, new())) == [("TOO_MANY", "pack")]
    await house.pack(house.gm)


async def test_of_parallel_edits_one_wins(house: House) -> None:
    pack = await house.pack(house.gm, campaign=house.table)
    answers = await asyncio.gather(
        *(house.packs.update(house.gm, pack.id, 1, PackEdit(name=f"N{n}")) for n in range(5))
    )
    kinds = sorted(type(answer).__name__ for answer in answers)
    assert kinds == ["PackRow"] + ["VersionConflict"] * 4
    stale = await house.packs.delete(house.gm, pack.id, 1)
    assert type(stale).__name__ == "VersionConflict"


# Characters


async def test_a_character_is_built_under_packs_and_stays_under_their_versions(house: House) -> None:
    pack = await house.pack(house.gm, oath("honour", 2), campaign=house.table)
    anna = await house.duellist(house.player, pack, oaths=(HONOUR,))
    assert nerve(anna) == 5
    assert anna.packs == [{"id": pack.id, "version": 1, "name": pack.name}]
    pack = await house.edit(house.gm, pack, oath("honour", 4))
    assert nerve(await house.row(anna)) == 5

    # What a scene changes leaves it under the versions it has.
    taking_in = TakingIn(system_clock, house.characters.editions)
    change = {"character": anna.id, "data": {"scars": 1}, "text": ""}
    payload = {"scene": "scn_x", "campaign": house.table, "system": "duel", "changes": [change]}
    async with house.database.write() as session:
        await taking_in(session, Event("scene.ended", "scene:scn_x", payload))
    scarred = await house.row(anna)
    assert (nerve(scarred), scarred.choices["data"]["scars"], scarred.version) == (5, 1, 2)

    # An edit takes the newest that the player sees; named packs replace those before.
    edited = await house.characters.update(house.player, anna.id, 2, build((HONOUR,), name="Anna II"))
    assert isinstance(edited, CharacterRow)
    assert (nerve(edited), edited.packs[0]["version"]) == (7, 2)
    bare = await house.characters.update(house.player, anna.id, 3, build((HONOUR,), packs=()))
    assert broken(bare) == [("oath_unknown", "build.duel.oaths.0")]
    free = await house.characters.update(house.player, anna.id, 3, build((), packs=()))
    assert isinstance(free, CharacterRow) and (free.packs, nerve(free)) == ([], 3)


async def test_packs_that_one_may_not_use_are_told_apart_from_nothing(house: House) -> None:
    private, shared = await house.pack(house.gm), await house.pack(house.gm, campaign=house.table)
    own = await house.pack(house.player)
    elf = FOUND["dungeonteller"].examples["elf"]
    ids = (private.id, own.id, own.id, "pck_none", shared.id)
    expected = [("PACK_UNKNOWN", "packs.0"), ("PACK_TWICE", "packs.2"), ("PACK_UNKNOWN", "packs.3")]
    assert broken(await house.characters.create(house.player, build(packs=ids), None)) == expected
    drawn = await house.characters.draw(house.player, Wish("duel", packs=ids))
    assert broken(drawn) == expected
    many = tuple(own.id for _ in range(MAX_PACKS + 1))
    assert broken(await house.characters.create(house.player, build(packs=many), None)) == [
        ("TOO_MANY", "packs")
    ]
    wrong_game = Build("dungeonteller", elf, (own.id,))
    assert broken(await house.characters.create(house.player, wrong_game, None)) == [
        ("SYSTEM_FIXED", "packs.0")
    ]
    anna = await house.duellist(house.player)
    answer = await house.characters.update(house.player, anna.id, 1, build(packs=(private.id,)))
    assert broken(answer) == [("PACK_UNKNOWN", "packs.0")]
    house.campaigns.away = True
    away = await house.characters.create(house.player, build(packs=(shared.id,)), None)
    assert type(away).__name__ == "Unavailable"
    await house.duellist(house.player, own)


async def test_packs_that_clash_are_a_problem_of_the_later_one(house: House) -> None:
    first, second = await house.pack(house.gm, oath("honour")), await house.pack(house.gm, oath("honour"))
    other = await house.pack(house.gm, oath("silence"))
    answer = await house.characters.create(house.gm, build(packs=(first.id, second.id)), None)
    assert broken(answer) == [("oath_taken", "packs.1.oaths.0.key")]
    both = await house.duellist(house.gm, first, other, oaths=(HONOUR, SILENCE))
    assert nerve(both) == 5
    # The same clash may come about by an edit of a pack: the character stays, and its next edit is told.
    await house.edit(house.gm, other, oath("honour"))
    stuck = await house.characters.update(house.gm, both.id, 1, build((HONOUR,)))
    assert broken(stuck) == [("oath_taken", "packs.1.oaths.0.key")]
    freed = await house.characters.update(house.gm, both.id, 1, build((HONOUR,), packs=(first.id,)))
    assert isinstance(freed, CharacterRow)


async def test_a_deleted_or_hidden_pack_keeps_its_characters_and_takes_no_new_ones(house: House) -> None:
    pack = await house.pack(house.gm, oath("honour", 2), campaign=house.table)
    anna, ben = [await house.duellist(house.player, pack, oaths=(HONOUR,)) for _ in range(2)]
    pack = await house.edit(house.gm, pack, oath("honour", 3))
    # Who has left the table keeps the version their character has.
    del house.campaigns.roles[house.player.account]
    kept = await house.characters.update(house.player, anna.id, 1, build((HONOUR,), name="Ann"))
    assert isinstance(kept, CharacterRow) and (nerve(kept), kept.packs[0]["version"]) == (5, 1)
    house.campaigns.roles[house.player.account] = {house.table: Role.PLAYER}
    assert await house.packs.delete(house.gm, pack.id, 2) == pack.id
    refused = await house.characters.create(house.player, build(packs=(pack.id,)), None)
    assert broken(refused) == [("PACK_UNKNOWN", "packs.0")]
    fresh = CharacterService(house.database, system_clock, house.campaigns, FOUND)
    still = await fresh.update(house.player, ben.id, 1, build((HONOUR,), name="Benn"))
    assert isinstance(still, CharacterRow) and (nerve(still), still.packs[0]["version"]) == (5, 1)


async def test_versions_that_nobody_was_built_under_are_forgotten(house: House) -> None:
    pack = await house.pack(house.gm, oath("honour", 2))
    await house.duellist(house.gm, pack, oaths=(HONOUR,))
    for number in range(KEPT_UNUSED + 5):
        edited = await house.packs.update(house.gm, pack.id, number + 1, PackEdit(description=str(number)))
        assert isinstance(edited, PackRow)
    async with house.database.read() as session:
        kept = (await session.execute(text("SELECT version FROM pack_version ORDER BY version"))).all()
    newest_one = KEPT_UNUSED + 6
    assert [version for (version,) in kept] == [1, *range(newest_one - KEPT_UNUSED, newest_one + 1)]
