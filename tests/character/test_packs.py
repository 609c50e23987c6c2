"""Packs of a table's own content: who sees and edits them, and the characters that are built under them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from services.character.building.builds import Build
from services.character.building.models import CharacterRow
from services.character.building.requests import (
    CreateCharacter,
    CreateRandomCharacter,
    DeleteCharacter,
    UpdateCharacter,
)
from services.character.context import CharacterUseCases
from services.character.history.scene_events import SceneEvents
from services.character.packs.inspection import MAX_BYTES
from services.character.packs.models import PackRow
from services.character.packs.repository import newest_versions
from services.character.packs.requests import (
    MAX_PACKS,
    CreateContentPack,
    DeleteContentPack,
    PackContent,
    PackId,
    UpdateContentPack,
)
from services.character.packs.service import KEPT_UNUSED, PackVersion
from services.rules.engine.registry import systems
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.problems import Forbidden, IdempotencyConflict, NotFound, Unavailable, VersionConflict
from services.shared.quotas import CHARACTER_DEFAULTS, CharacterQuotas
from services.shared.settings import Settings
from tests.campaign.outcomes import outcome
from tests.character.desk import broken, refusal, somebody
from tests.databases import ON_BOTH
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
        self.use_cases = CharacterUseCases.over(database, system_clock, self.campaigns, FOUND)
        self.characters, self.packs = self.use_cases.characters, self.use_cases.packs
        self.table = new_id("cmp")
        self.gm, self.player, self.spectator, self.outsider = (somebody() for _ in range(4))
        for viewer, role in zip((self.gm, self.player, self.spectator), Role, strict=True):
            self.campaigns.roles[viewer.account] = {self.table: role}
        self.campaigns.roles[self.outsider.account] = {new_id("cmp"): Role.GM}

    async def pack(self, viewer: Viewer, *oaths: dict[str, Any], **more: Any) -> PackRow:
        """Keep a pack that breaks no rule."""
        return await self.packs.create(viewer, new(*oaths, **more), None)

    async def edit(self, viewer: Viewer, pack: PackRow, *oaths: dict[str, Any]) -> PackRow:
        """Give a pack other oaths."""
        asked = UpdateContentPack(pack.id, pack.version, pack=holding(*oaths))
        return await self.packs.update(viewer, asked, None)

    async def duellist(self, viewer: Viewer, *packs: PackRow, oaths: tuple[str, ...] = ()) -> CharacterRow:
        """Keep a duellist that breaks no rule."""
        asked = duellist(*oaths, packs=tuple(pack.id for pack in packs))
        return await self.characters.create(viewer, asked, None)

    async def rebuild(
        self, viewer: Viewer, version: int, seen: CharacterRow, asked: CreateCharacter, **packs: None
    ) -> CharacterRow:
        """Build a duellist anew, under the packs that it was built under where ``packs`` is None."""
        edit = UpdateCharacter(seen.id, version, asked.build, packs.get("packs", asked.packs))
        return await self.characters.update(viewer, edit, None)

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


def new(*oaths: dict[str, Any], **more: Any) -> CreateContentPack:
    return CreateContentPack(holding(*oaths), **{"name": "Oaths of the yard", **more})


def duellist(*oaths: str, packs: tuple[str, ...] = (), name: str = "Anna") -> CreateCharacter:
    choices = DUEL.choices_codec.read({"name": name, "oaths": list(oaths)})
    return CreateCharacter(Build("duel", choices), tuple(PackId(pack) for pack in packs))


def nerve(row: CharacterRow) -> int:
    found: int = row.sheet["data"]["tracks"][0]["maximum"]
    return found


# Packs


@ON_BOTH
async def test_who_may_see_and_change_a_pack(house: House) -> None:
    own, shared = await house.pack(house.player), await house.pack(house.gm, campaign_id=house.table)
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
            edit = UpdateContentPack(pack.id, version, description=f"seen by {viewer.account}")
            if viewer in changed_by:
                assert (await house.packs.update(viewer, edit, None)).version == version + 1
                continue
            expected = Forbidden if viewer in seen_by else NotFound
            assert isinstance(await refusal(house.packs.update(viewer, edit, None)), expected)
            gone = house.packs.delete(viewer, DeleteContentPack(pack.id, version), None)
            assert isinstance(await refusal(gone), expected)
    for viewer in everybody:
        page = await house.packs.page(viewer, house.table, "duel", first=9, after=None)
        members = page is not None and [row.id for row in page.items] == [shared.id]
        assert members is (viewer in rights[1][1])
    assert await house.packs.delete(second, DeleteContentPack(shared.id, 3), None) == shared.id
    assert await house.packs.packs(house.gm, [shared.id]) == {}


async def newest(house: House, *packs: str) -> dict[str, int]:
    async with house.database.read() as session:
        return await newest_versions(session, packs)


@ON_BOTH
async def test_scenes_are_handed_the_packs_of_their_table_in_the_newest_version(house: House) -> None:
    await house.pack(house.gm)
    first = await house.pack(house.gm, campaign_id=house.table)
    second = await house.pack(house.gm, campaign_id=house.table)
    await house.packs.update(house.gm, UpdateContentPack(first.id, 1, name="Newer"), None)
    found = await house.packs.shared(house.gm, house.table, "duel")
    assert [(each["id"], each["version"]) for each in found] == [(first.id, 2), (second.id, 1)]
    assert found[0]["name"] == "Newer" and found[0]["document"]["type"] == "duel/pack"
    assert await house.packs.shared(house.outsider, house.table, "duel") == []


@ON_BOTH
async def test_only_a_gm_brings_a_pack_to_a_table_and_takes_it_away(house: House) -> None:
    for viewer, expected in (
        (house.player, Forbidden),
        (house.spectator, Forbidden),
        (house.outsider, NotFound),
    ):
        answer = await refusal(house.packs.create(viewer, new(campaign_id=house.table), None))
        assert isinstance(answer, expected) and answer.path == ["campaignId"]
        own = await house.pack(viewer)
        moved = UpdateContentPack(own.id, 1, campaign_id=house.table)
        assert isinstance(await refusal(house.packs.update(viewer, moved, None)), expected)
    pack = await house.pack(house.gm)
    shared = await house.packs.update(house.gm, UpdateContentPack(pack.id, 1, campaign_id=house.table), None)
    assert shared.campaign == house.table
    kept = await house.packs.update(house.gm, UpdateContentPack(pack.id, 2, name="Renamed"), None)
    assert (kept.name, kept.campaign) == ("Renamed", house.table)
    assert pack.id in await house.packs.packs(house.player, [pack.id])
    alone = await house.packs.update(house.gm, UpdateContentPack(pack.id, 3, campaign_id=None), None)
    assert alone.campaign is None
    assert await house.packs.packs(house.player, [pack.id]) == {}
    house.campaigns.away = True
    away = await refusal(house.packs.create(house.gm, new(campaign_id=house.table), None))
    assert isinstance(away, Unavailable)
    assert pack.id in await house.packs.packs(house.gm, [pack.id])


async def test_a_pack_that_breaks_rules_is_not_kept_and_each_is_told(house: House) -> None:
    wrong = [oath("honour", 0, against=SILENCE), oath("truth"), oath("truth")]
    answer = await refusal(house.packs.create(house.player, new(*wrong, name=" ", description="\x07"), None))
    assert broken(answer) == [
        ("LENGTH", "name"),
        ("BAD_CHARACTER", "description"),
        ("OATH_EMPTY", "pack.duel.oaths.0.nerve"),
        ("OATH_UNKNOWN", "pack.duel.oaths.0.against"),
        ("OATH_TAKEN", "pack.duel.oaths.2.key"),
    ]
    checked = await refusal(house.packs.check(house.player, holding(*wrong)))
    assert broken(checked) == broken(answer)[2:]
    large = [oath(f"k-{n}", name="x" * 9000) for n in range(30)]
    refused = await refusal(house.packs.create(house.player, new(*large), None))
    assert broken(refused) == [("TOO_LARGE", "pack.duel")]
    assert MAX_BYTES < 9000 * 30
    other = CreateContentPack(PackContent("dungeonteller", None), "x")
    assert broken(await refusal(house.packs.create(house.player, other, None))) == [("NO_PACKS", "pack")]
    page = await house.packs.page(house.player, None, None, first=9, after=None)
    assert page is not None and page.items == []

    pack = await house.pack(house.player, oath("honour"))
    edit = UpdateContentPack(pack.id, 1, pack=holding(*wrong), name="")
    refused = await refusal(house.packs.update(house.player, edit, None))
    assert broken(refused) == [("LENGTH", "name"), *broken(answer)[2:]]
    moved = UpdateContentPack(pack.id, 1, pack=PackContent("dungeonteller", None))
    refused = await refusal(house.packs.update(house.player, moved, None))
    assert broken(refused) == [("SYSTEM_FIXED", "pack")]
    assert await newest(house, pack.id) == {pack.id: 1}
    held = PackVersion(pack.id, 1, "duel")
    assert await house.packs.contents([held]) == {held: holding(oath("honour")).pack}


async def test_what_differs_from_the_book_is_reported_and_kept(house: House) -> None:
    report = await house.packs.check(house.player, holding(oath("honour", 2, tears=1), oath("truth")))
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
        *(house.packs.create(house.player, new(oath("honour")), "one") for _ in range(5))
    )
    assert len({answer.id for answer in answers}) == 1
    clash = await refusal(house.packs.create(house.player, new(oath("silence")), "one"))
    assert isinstance(clash, IdempotencyConflict)
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
            for _ in range(CHARACTER_DEFAULTS.packs - 1)
        )
    assert broken(await refusal(house.packs.create(house.player, new(), None))) == [
        ("QUOTA_EXCEEDED", "packs")
    ]
    await house.pack(house.gm)


async def test_an_account_has_so_many_characters_however_many_are_made_at_once(house: House) -> None:
    quotas = CharacterQuotas(characters=2)
    use_cases = CharacterUseCases.over(
        house.database, system_clock, house.campaigns, FOUND, None, quotas
    ).characters
    made = await asyncio.gather(
        *(outcome(use_cases.create(house.player, duellist(), None)) for _ in range(4))
    )
    kept = [one for one in made if isinstance(one, CharacterRow)]
    assert [broken(one) for one in made if one not in kept] == [[("QUOTA_EXCEEDED", "characters")]] * 2
    await use_cases.delete(house.player, DeleteCharacter(kept[0].id, 1), None)
    assert (await use_cases.create(house.player, duellist(), None)).owner == house.player.account
    assert (await use_cases.create(house.gm, duellist(), None)).owner == house.gm.account


async def test_of_parallel_edits_one_wins(house: House) -> None:
    pack = await house.pack(house.gm, campaign_id=house.table)
    answers = await asyncio.gather(
        *(house.packs.update(house.gm, UpdateContentPack(pack.id, 1, name=f"N{n}"), None) for n in range(5)),
        return_exceptions=True,
    )
    kinds = sorted(type(answer).__name__ for answer in answers)
    assert kinds == ["PackRow"] + ["VersionConflict"] * 4
    stale = await refusal(house.packs.delete(house.gm, DeleteContentPack(pack.id, 1), None))
    assert isinstance(stale, VersionConflict)


async def test_each_change_of_a_pack_is_made_once_for_each_key(house: House) -> None:
    pack = await house.pack(house.gm, campaign_id=house.table)
    edit = UpdateContentPack(pack.id, 1, name="Once")
    answers = await asyncio.gather(*(house.packs.update(house.gm, edit, "edit") for _ in range(5)))
    assert {(answer.version, answer.name) for answer in answers} == {(2, "Once")}
    clash = UpdateContentPack(pack.id, 1, name="Twice")
    assert isinstance(await refusal(house.packs.update(house.gm, clash, "edit")), IdempotencyConflict)
    gone = DeleteContentPack(pack.id, 2)
    assert set(await asyncio.gather(*(house.packs.delete(house.gm, gone, "gone") for _ in range(5)))) == {
        pack.id
    }
    assert await house.packs.delete(house.gm, gone, "gone") == pack.id


# Characters


@ON_BOTH
async def test_a_character_is_built_under_packs_and_stays_under_their_versions(house: House) -> None:
    pack = await house.pack(house.gm, oath("honour", 2), campaign_id=house.table)
    anna = await house.duellist(house.player, pack, oaths=(HONOUR,))
    assert nerve(anna) == 5
    assert anna.packs == [{"id": pack.id, "version": 1, "name": pack.name}]
    pack = await house.edit(house.gm, pack, oath("honour", 4))
    assert nerve(await house.row(anna)) == 5

    # What a scene changes leaves it under the versions it has.
    scenes = SceneEvents(system_clock, house.use_cases.editions)
    change = {"character": anna.id, "data": {"scars": 1}, "text": ""}
    payload = {"scene": "scn_x", "campaign": house.table, "system": "duel", "changes": [change]}
    async with house.database.write() as session:
        await scenes(session, Event("scene.ended", "scene:scn_x", payload))
    scarred = await house.row(anna)
    assert (nerve(scarred), scarred.choices["data"]["scars"], scarred.version) == (5, 1, 2)

    # An edit takes the newest that the player sees; named packs replace those before.
    edited = await house.rebuild(house.player, 2, anna, duellist(HONOUR, name="Anna II"), packs=None)
    assert (nerve(edited), edited.packs[0]["version"]) == (7, 2)
    bare = await refusal(house.rebuild(house.player, 3, anna, duellist(HONOUR)))
    assert broken(bare) == [("OATH_UNKNOWN", "build.duel.oaths.0")]
    free = await house.rebuild(house.player, 3, anna, duellist())
    assert (free.packs, nerve(free)) == ([], 3)


@ON_BOTH
async def test_packs_that_one_may_not_use_are_told_apart_from_nothing(house: House) -> None:
    private, shared = await house.pack(house.gm), await house.pack(house.gm, campaign_id=house.table)
    own = await house.pack(house.player)
    elf = FOUND["dungeonteller"].examples["elf"]
    ids = (private.id, own.id, own.id, "pck_none", shared.id)
    expected = [("PACK_UNKNOWN", "packs.0"), ("PACK_TWICE", "packs.2"), ("PACK_UNKNOWN", "packs.3")]
    create = house.characters.create
    assert broken(await refusal(create(house.player, duellist(packs=ids), None))) == expected
    wish = CreateRandomCharacter("duel", packs=duellist(packs=ids).packs)
    assert broken(await refusal(house.characters.draw(house.player, wish))) == expected
    many = tuple(own.id for _ in range(MAX_PACKS + 1))
    refused = await refusal(create(house.player, duellist(packs=many), None))
    assert broken(refused) == [("TOO_MANY", "packs")]
    wrong_game = CreateCharacter(Build("dungeonteller", elf), (PackId(own.id),))
    refused = await refusal(create(house.player, wrong_game, None))
    assert broken(refused) == [("SYSTEM_FIXED", "packs.0")]
    anna = await house.duellist(house.player)
    answer = await refusal(house.rebuild(house.player, 1, anna, duellist(packs=(private.id,))))
    assert broken(answer) == [("PACK_UNKNOWN", "packs.0")]
    house.campaigns.away = True
    away = await refusal(create(house.player, duellist(packs=(shared.id,)), None))
    assert isinstance(away, Unavailable)
    await house.duellist(house.player, own)


@ON_BOTH
async def test_packs_that_clash_are_a_problem_of_the_later_one(house: House) -> None:
    first, second = await house.pack(house.gm, oath("honour")), await house.pack(house.gm, oath("honour"))
    other = await house.pack(house.gm, oath("silence"))
    asked = duellist(packs=(first.id, second.id))
    answer = await refusal(house.characters.create(house.gm, asked, None))
    assert broken(answer) == [("OATH_TAKEN", "packs.1.oaths.0.key")]
    both = await house.duellist(house.gm, first, other, oaths=(HONOUR, SILENCE))
    assert nerve(both) == 5
    # The same clash may come about by an edit of a pack: the character stays, and its next edit is told.
    await house.edit(house.gm, other, oath("honour"))
    stuck = await refusal(house.rebuild(house.gm, 1, both, duellist(HONOUR), packs=None))
    assert broken(stuck) == [("OATH_TAKEN", "packs.1.oaths.0.key")]
    freed = await house.rebuild(house.gm, 1, both, duellist(HONOUR, packs=(first.id,)))
    assert freed.version == 2


async def test_a_deleted_or_hidden_pack_keeps_its_characters_and_takes_no_new_ones(house: House) -> None:
    pack = await house.pack(house.gm, oath("honour", 2), campaign_id=house.table)
    anna, ben = [await house.duellist(house.player, pack, oaths=(HONOUR,)) for _ in range(2)]
    pack = await house.edit(house.gm, pack, oath("honour", 3))
    # Who has left the table keeps the version their character has.
    del house.campaigns.roles[house.player.account]
    kept = await house.rebuild(house.player, 1, anna, duellist(HONOUR, name="Ann"), packs=None)
    assert (nerve(kept), kept.packs[0]["version"]) == (5, 1)
    house.campaigns.roles[house.player.account] = {house.table: Role.PLAYER}
    assert await house.packs.delete(house.gm, DeleteContentPack(pack.id, 2), None) == pack.id
    refused = await refusal(house.characters.create(house.player, duellist(packs=(pack.id,)), None))
    assert broken(refused) == [("PACK_UNKNOWN", "packs.0")]
    fresh = CharacterUseCases.over(house.database, system_clock, house.campaigns, FOUND)
    edit = UpdateCharacter(ben.id, 1, duellist(HONOUR, name="Benn").build)
    still = await fresh.characters.update(house.player, edit, None)
    assert (nerve(still), still.packs[0]["version"]) == (5, 1)


@ON_BOTH
async def test_versions_that_nobody_was_built_under_are_forgotten(house: House) -> None:
    pack = await house.pack(house.gm, oath("honour", 2))
    await house.duellist(house.gm, pack, oaths=(HONOUR,))
    for number in range(KEPT_UNUSED + 5):
        edit = UpdateContentPack(pack.id, number + 1, description=str(number))
        await house.packs.update(house.gm, edit, None)
    async with house.database.read() as session:
        kept = (await session.execute(text("SELECT version FROM pack_version ORDER BY version"))).all()
    newest_one = KEPT_UNUSED + 6
    assert [version for (version,) in kept] == [1, *range(newest_one - KEPT_UNUSED, newest_one + 1)]
