"""What stays of characters and packs when they, a campaign, a scene or an account are deleted."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from sqlalchemy import text

from services.character import erasure
from services.character.building.requests import DeleteCharacter
from services.character.context import CharacterUseCases
from services.character.erasure import Erasure
from services.character.history.scene_events import SceneEvents
from services.character.packs.models import PackRow
from services.character.packs.requests import DeleteContentPack
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.settings import Settings
from tests.character.test_packs import FOUND, HONOUR, House, duellist, nerve, oath
from tests.steps import in_steps


class Town(House):
    """The house, told of what the campaign service does."""

    async def hear(self, kind: str, **payload: Any) -> None:
        """Handle an event twice: the second time it does nothing."""
        scenes = SceneEvents(system_clock, self.use_cases.editions)
        handlers = {**scenes.handlers, **Erasure(system_clock, scenes).handlers}
        for _ in range(2):
            async with self.database.write() as session:
                await handlers[kind](session, Event(kind, "", payload))

    async def scene(self, kind: str, scene: str, scars: int, *characters: str, table: str = "") -> None:
        """Hear that a scene has scarred characters."""
        change = {"data": {"scars": scars}, "text": f"{scars} scars."}
        head = {"scene": scene, "campaign": table or self.table, "system": "duel", "number": 1}
        sides = {"scene.changed": {"own": change, "open": change}, "scene.ended": change}[kind]
        changes = [{"character": one, **sides} for one in characters]
        await self.hear(kind, **head, characters=list(characters), changes=changes)

    async def erase(self, account: str, waiting: Sequence[str] = (), **heirs: str) -> None:
        """Hear that an account is gone, and which campaigns wait for who has its things."""
        await self.hear("account.erased", account=account, heirs=heirs, waiting=list(waiting))

    async def count(self, rows: str) -> int:
        """Count rows, by table and condition."""
        async with self.database.read() as session:
            return int((await session.execute(text(f"SELECT count(*) FROM {rows}"))).scalar_one())

    async def pack_row(self, pack: PackRow) -> PackRow:
        """Read a pack, deleted or not."""
        async with self.database.read() as session:
            found = await session.get(PackRow, pack.id)
        assert found is not None
        return found


@pytest.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    database = Database(settings.database_url_character)
    yield Town(database)
    await database.close()


async def test_of_a_deleted_character_nothing_stays_but_that_it_was(town: Town) -> None:
    pack = await town.pack(town.player, oath("honour", 2))
    anna, ben = [await town.duellist(town.player, pack, oaths=(HONOUR,)) for _ in range(2)]
    await town.rebuild(town.player, 1, anna, duellist(HONOUR, name="Ann"), packs=None)
    await town.scene("scene.changed", "scn_a", 2, anna.id, ben.id)
    await town.characters.delete(town.player, DeleteCharacter(anna.id, 2), None)
    async with town.database.read() as session:
        row = (
            await session.execute(
                text("SELECT name, choices, sheet, packs, owner, version FROM character WHERE id = :id"),
                {"id": anna.id},
            )
        ).one()
    # PostgreSQL reads JSON, SQLite the text of it.
    assert (row.name, str(row.choices), str(row.sheet), str(row.packs)) == ("", "{}", "{}", "[]")
    assert (row.owner, row.version) == (town.player.account, 3)
    for table in ("character_version", "pack_use", "scene_change"):
        assert await town.count(f"{table} WHERE character = '{anna.id}'") == 0, table
        assert await town.count(f"{table} WHERE character = '{ben.id}'") == 1, table
    # Who plays with it is told by name.
    assert (
        await town.count("outbox WHERE kind = 'character.deleted' AND payload LIKE '%\"name\":\"Ann\"%'") == 1
    )


async def test_a_deleted_packs_versions_go_with_the_last_character_built_under_them(town: Town) -> None:
    pack = await town.pack(town.player, oath("honour", 2))
    anna, ben = [await town.duellist(town.player, pack, oaths=(HONOUR,)) for _ in range(2)]
    await town.packs.delete(town.player, DeleteContentPack(pack.id, 1), None)
    await town.characters.delete(town.player, DeleteCharacter(anna.id, 1), None)
    assert await town.count("pack_version") == 1
    fresh = CharacterUseCases.over(town.database, system_clock, town.campaigns, FOUND)
    assert nerve(await town.row(ben)) == nerve(ben)
    await fresh.characters.delete(town.player, DeleteCharacter(ben.id, 1), None)
    assert await town.count("pack_version") == 0


async def test_a_deleted_campaign_leaves_packs_to_their_owners(town: Town) -> None:
    shared = await town.pack(town.gm, oath("honour", 2), campaign_id=town.table)
    elsewhere = await town.pack(
        town.outsider, oath("honour"), campaign_id=next(iter(town.campaigns.roles[town.outsider.account]))
    )
    anna = await town.duellist(town.player, shared, oaths=(HONOUR,))
    await town.hear("campaign.deleted", campaign=town.table)
    assert (await town.pack_row(shared)).campaign is None
    assert (await town.pack_row(elsewhere)).campaign == elsewhere.campaign is not None
    assert (await town.row(anna)).packs == anna.packs


@pytest.mark.parametrize("kind", ["scene.deleted", "campaign.deleted"])
async def test_a_deleted_running_scene_never_happened(town: Town, kind: str) -> None:
    anna, ben = [await town.duellist(town.player) for _ in range(2)]
    await town.scene("scene.changed", "scn_a", 2, anna.id, ben.id)
    await town.scene("scene.changed", "scn_b", 3, anna.id, table=new_id("cmp"))
    # What an ended scene healed was struck in the one that is deleted, so it has waited for that.
    await town.scene("scene.ended", "scn_c", 1, ben.id, table=new_id("cmp"))
    await town.hear(kind, scene="scn_a", campaign=town.table, characters=[anna.id, ben.id])
    seen = {row.scene for row in await _unsettled(town, anna.id, ben.id)}
    assert seen == {"scn_b"}
    assert (await town.row(ben)).choices["data"]["scars"] == 1
    assert (await town.row(anna)).choices["data"]["scars"] == 0


async def test_what_waited_for_a_deleted_scene_is_settled(town: Town) -> None:
    ben = await town.duellist(town.player)
    await town.scene("scene.changed", "scn_a", 3, ben.id)
    await town.scene("scene.ended", "scn_b", -2, ben.id)
    assert {row.scene for row in await _unsettled(town, ben.id)} == {"scn_a", "scn_b"}
    await town.hear("scene.deleted", scene="scn_a", campaign=town.table, characters=[ben.id])
    # There was nothing to be healed: a change that cannot be built is left out.
    assert await _unsettled(town, ben.id) == []
    assert (await town.row(ben)).choices["data"]["scars"] == 0


async def test_an_erased_accounts_packs_go_to_who_plays_by_them_and_all_else_goes(town: Town) -> None:
    shared = await town.pack(town.gm, oath("honour", 2), campaign_id=town.table)
    own = await town.pack(town.gm, oath("honour", 3))
    mine = await town.duellist(town.gm, own, oaths=(HONOUR,))
    theirs = await town.duellist(town.player, shared, oaths=(HONOUR,))
    await town.erase(town.gm.account, **{town.table: town.player.account})
    assert ((await town.pack_row(shared)).owner, (await town.pack_row(shared)).campaign) == (
        town.player.account,
        town.table,
    )
    gone = await town.pack_row(own)
    assert (gone.name, gone.description) == ("", "") and gone.deleted_at is not None
    assert await town.characters.existing(mine.id) is None
    assert await town.count(f"pack_version WHERE pack = '{own.id}'") == 0
    assert await town.count(f"character_version WHERE character = '{mine.id}'") == 0
    assert (await town.row(theirs)).packs == theirs.packs
    assert await town.count("outbox WHERE kind = 'character.deleted'") == 1


async def test_packs_of_a_campaign_without_gm_wait_for_the_next_one(town: Town) -> None:
    shared = await town.pack(town.gm, oath("honour", 2), campaign_id=town.table)
    own = await town.pack(town.gm, oath("honour", 3))
    await town.erase(town.gm.account, [town.table])
    kept = await town.pack_row(shared)
    assert (kept.owner, kept.deleted_at) == (town.gm.account, None)
    assert (await town.pack_row(own)).deleted_at is not None
    await town.erase(town.gm.account, **{town.table: town.player.account})
    kept = await town.pack_row(shared)
    assert (kept.owner, kept.deleted_at) == (town.player.account, None)


async def test_an_account_with_many_characters_goes_in_steps_and_goes_on_where_it_was_interrupted(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "CHARACTERS_AT_ONCE", 2)
    monkeypatch.setattr(erasure, "PACKS_AT_ONCE", 1)
    pack = await town.pack(town.gm, oath("honour", 2))
    mine = [await town.duellist(town.gm, pack, oaths=(HONOUR,)) for _ in range(5)]
    theirs = await town.duellist(town.player)
    scenes = SceneEvents(system_clock, town.use_cases.editions)
    told = Event("account.erased", "", {"account": town.gm.account, "heirs": {}})

    async def hear(**limits: int) -> int:
        handler = Erasure(system_clock, scenes).handlers["account.erased"]
        return await in_steps(town.database, handler, told, **limits)

    assert await hear(at_most=2) == 2
    assert await town.count("character WHERE deleted_at IS NOT NULL") == 2
    # The pack is kept for who is still built under it.
    assert await town.count("pack_version") == 1
    assert await hear() == 2
    assert await hear() == 1
    assert await town.count("pack_version") == 0
    assert await town.count("outbox WHERE kind = 'character.deleted'") == len(mine)
    assert await town.count("character_version") == await town.count("character WHERE name != ''") == 1
    assert (await town.row(theirs)).version == 1


async def test_characters_keep_the_packs_of_an_account_that_nobody_inherits(town: Town) -> None:
    shared = await town.pack(town.gm, oath("honour", 2), campaign_id=town.table)
    theirs = await town.duellist(town.player, shared, oaths=(HONOUR,))
    await town.erase(town.gm.account)
    assert (await town.pack_row(shared)).deleted_at is not None
    fresh = CharacterUseCases.over(town.database, system_clock, town.campaigns, FOUND)
    town.use_cases, town.characters = fresh, fresh.characters
    again = await town.rebuild(town.player, 1, theirs, duellist(HONOUR, name="Annie"), packs=None)
    assert (nerve(again), again.packs[0]["id"]) == (nerve(theirs), shared.id)


async def _unsettled(town: Town, *characters: str) -> list[Any]:
    async with town.database.read() as session:
        rows = await session.execute(
            text("SELECT character, scene FROM scene_change WHERE NOT settled ORDER BY character, scene")
        )
        return [row for row in rows if row.character in characters]
