"""What became of a character, who may know it, and taking it back."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from services.character.building.builds import Build
from services.character.building.edits import KEPT_VERSIONS
from services.character.building.requests import CreateCharacter, UpdateCharacter
from services.character.context import CharacterUseCases
from services.character.history.lines import MAX_CHANGES, ChangeKind, HistoryKind, line
from services.character.history.models import CharacterVersionRow
from services.character.history.repository import History
from services.character.history.requests import UndoCharacterEdit
from services.character.history.scene_events import SceneEvents
from services.character.packs.requests import (
    CreateContentPack,
    DeleteContentPack,
    PackContent,
    PackId,
    UpdateContentPack,
)
from services.rules.engine.registry import systems
from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.outbox import Event
from services.shared.settings import Settings
from tests.character.desk import Desk, Tables, somebody
from tests.character.operations import UPDATE, create, created, hero
from tests.databases import ON_BOTH

pytestmark = ON_BOTH


HISTORY = """
query ($id: ID!, $first: Int, $after: String) {
  character(id: $id) {
    version
    rewards { approved }
    sheet { name }
    history(first: $first, after: $after) {
      nodes {
        version by { id } what text name packs { packId name version outdated }
        changes { kind path before after } moreChanges
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}
"""
UNDO = """
mutation ($id: ID!, $version: Int!, $to: Int, $key: String) {
  undoCharacterEdit(input: {characterId: $id, version: $version, to: $to, idempotencyKey: $key}) {
    __typename
    ... on CharacterSaved { character { version name rewards { approved text } } }
    ... on Problem { code path }
    ... on VersionConflict { currentVersion }
    ... on InvalidInput { issues { code path found allowed } }
  }
}
"""
REWARDS = """
mutation ($id: ID!, $version: Int!, $reward: RewardProposal!) {
  proposeReward(input: {characterId: $id, version: $version, reward: $reward}) { __typename }
}
"""
JUDGE = """
mutation ($id: ID!, $version: Int!) {
  %s(input: {characterId: $id, version: $version, index: 0}) { __typename }
}
"""
DIE = {"session": 1, "kind": "DIE", "action": "MUSCLE"}


async def lines(desk: Desk, viewer: Viewer, character: str) -> list[dict[str, Any]]:
    found = (await desk.ask(viewer, HISTORY, id=character, first=100))["character"]["history"]
    nodes: list[dict[str, Any]] = found["nodes"]
    return nodes


async def undo(desk: Desk, viewer: Viewer, character: str, version: int, to: int | None = None) -> Any:
    answer = await desk.ask(viewer, UNDO, id=character, version=version, to=to)
    return answer["undoCharacterEdit"]


async def update(desk: Desk, viewer: Viewer, character: str, version: int, **changes: Any) -> None:
    sent = {"id": character, "version": version, "build": hero(**changes)}
    answer = (await desk.ask(viewer, UPDATE, input=sent))["updateCharacter"]
    assert answer["__typename"] == "CharacterSaved", answer


async def rewarded(desk: Desk, tables: Tables, player: Viewer, master: Viewer) -> str:
    """Give a character that was edited, proposed a reward and had it approved: version 4."""
    character: str = (await created(desk, player))["id"]
    tables.seat(character, "cmp_1", gm=master, player=player)
    await update(desk, player, character, 1, name="Brawnley the Bold")
    sent = {"dungeonteller": DIE}
    await desk.ask(player, REWARDS, id=character, version=2, reward=sent)
    answer = await desk.ask(master, JUDGE % "approveReward", id=character, version=3)
    assert answer["approveReward"]["__typename"] == "CharacterSaved"
    return character


async def test_each_edit_leaves_a_line(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = await rewarded(desk, tables, player, master)
    await desk.ask(player, REWARDS, id=character, version=4, reward={"dungeonteller": {**DIE, "session": 2}})
    await desk.ask(master, (JUDGE % "refuseReward").replace("index: 0", "index: 1"), id=character, version=5)
    await undo(desk, player, character, 6, 2)
    told = await lines(desk, player, character)
    assert [(one["version"], one["what"], one["text"], one["by"]["id"]) for one in told] == [
        (7, "UNDONE", "Taken back to version 2.", player.account),
        (6, "REFUSED", "Reward refused: 1 more Muscle die.", master.account),
        (5, "PROPOSED", "Reward proposed: 1 more Muscle die.", player.account),
        (4, "APPROVED", "Reward approved: 1 more Muscle die.", master.account),
        (3, "PROPOSED", "Reward proposed: 1 more Muscle die.", player.account),
        (2, "EDITED", "Built anew.", player.account),
        (1, "CREATED", "Made.", player.account),
    ]
    assert told[5]["changes"] == [
        {"kind": "CHANGED", "path": ["name"], "before": '"Brawnley"', "after": '"Brawnley the Bold"'}
    ]
    assert told[3]["changes"] == [
        {"kind": "CHANGED", "path": ["rewards", "0", "approved"], "before": "false", "after": "true"}
    ]
    (removed,) = told[1]["changes"]
    assert (removed["kind"], removed["path"], removed["after"]) == ("REMOVED", ["rewards", "1"], None)
    assert told[6]["changes"] == [] and not told[6]["moreChanges"]
    assert await lines(desk, master, character) == told


async def test_who_knows_what_became_of_a_character(desk: Desk, tables: Tables) -> None:
    player, master, other, spectator, outsider = (somebody() for _ in range(5))
    character = await rewarded(desk, tables, player, master)
    tables.seat(character, "cmp_1", player=other, spectator=spectator)
    for viewer in (player, master):
        assert len(await lines(desk, viewer, character)) == 4
    for viewer in (other, spectator):
        found = (await desk.ask(viewer, HISTORY, id=character))["character"]
        assert (found["version"], found["history"]) == (4, None)
    assert (await desk.ask(outsider, HISTORY, id=character))["character"] is None
    for viewer, expected in ((other, "Forbidden"), (spectator, "Forbidden"), (outsider, "NotFound")):
        answer = await undo(desk, viewer, character, 4)
        assert (answer["__typename"], answer["path"]) == (expected, ["characterId"])
    read_only = Viewer(player.account, frozenset({"read"}))
    refused = await desk.ask(read_only, UNDO, id=character, version=4)
    assert next(iter(refused.values()))["__typename"] == "Forbidden"


async def test_a_player_takes_back_no_refusal_and_a_gm_does(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    character = await rewarded(desk, tables, player, master)
    # What is approved now stays so; what was taken away comes back waiting.
    bare = await undo(desk, player, character, 4, 1)
    assert bare["character"]["rewards"] == []
    back = await undo(desk, player, character, 5)
    assert back["character"]["rewards"] == [{"approved": False, "text": "1 more Muscle die"}]
    by_the_gm = await undo(desk, master, character, 6, 4)
    assert (by_the_gm["character"]["version"], by_the_gm["character"]["rewards"][0]["approved"]) == (7, True)
    kept = await undo(desk, player, character, 7, 4)
    assert kept["character"]["rewards"][0]["approved"] is True

    # Who plays at nobody's table decides alone; an undone undo is what was before.
    own = (await created(desk, player, hero(rewards=[DIE])))["id"]
    await update(desk, player, own, 1, rewards=[])
    assert (await undo(desk, player, own, 2))["character"]["rewards"][0]["approved"] is True
    assert (await undo(desk, player, own, 3))["character"]["rewards"] == []


async def test_while_nobody_knows_the_table_going_back_approves_nothing(desk: Desk, tables: Tables) -> None:
    player = somebody()
    character = (await created(desk, player, hero(rewards=[DIE])))["id"]
    tables.seat(character, "cmp_1", gm=somebody(), player=player)
    await update(desk, player, character, 1, rewards=[])
    await update(desk, player, character, 2, name="Third", rewards=[])
    tables.broken = True
    assert (await undo(desk, player, character, 3, 1))["__typename"] == "Unavailable"
    assert (await undo(desk, player, character, 3))["character"]["name"] == "Brawnley"


async def test_what_cannot_be_taken_back_is_told(desk: Desk) -> None:
    player = somebody()
    character = (await created(desk, player))["id"]
    assert (await undo(desk, player, character, 1))["issues"][0]["code"] == "NOTHING_TO_UNDO"
    await update(desk, player, character, 1, name="Second")
    for to in (0, -1, 2, 3, 2**31 - 1):
        (issue,) = (await undo(desk, player, character, 2, to))["issues"]
        assert (issue["code"], issue["path"]) == ("VERSION_UNKNOWN", ["to"])
        assert (issue["found"], issue["allowed"]) == (str(to), "1..1")
    stale = await undo(desk, player, character, 1, 1)
    assert (stale["__typename"], stale["currentVersion"]) == ("VersionConflict", 2)
    assert (await create(desk, player, hero(name="")))["__typename"] == "InvalidInput"
    assert len(await lines(desk, player, character)) == 2


async def test_one_key_goes_back_once(desk: Desk) -> None:
    player = somebody()
    character = (await created(desk, player))["id"]
    await update(desk, player, character, 1, name="Second")
    asked = {"id": character, "version": 2, "key": "back"}
    answers = [(await desk.ask(player, UNDO, **asked))["undoCharacterEdit"] for _ in range(3)]
    assert [(one["character"]["version"], one["character"]["name"]) for one in answers] == [
        (3, "Brawnley")
    ] * 3


async def test_a_history_is_paged(desk: Desk) -> None:
    player = somebody()
    character = (await created(desk, player))["id"]
    for version in range(1, 5):
        await update(desk, player, character, version, name=f"N{version}")
    seen, after = [], None
    for _ in range(3):
        answer = await desk.ask(player, HISTORY, id=character, first=2, after=after)
        page = answer["character"]["history"]
        # The last line of a page too is compared with the one before it.
        seen += [(node["version"], len(node["changes"])) for node in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
    assert seen == [(5, 1), (4, 1), (3, 1), (2, 1), (1, 0)] and not page["pageInfo"]["hasNextPage"]
    wrong = await desk.answer(player, HISTORY, id=character, first=2, after="zzz")
    assert wrong["errors"][0]["extensions"]["code"] == "BAD_CURSOR"


# With packs and scenes

TOYS = systems(Path(__file__).resolve().parents[1] / "toys")


class Alone:
    """The campaign service, at whose tables nobody sits."""

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        return Access(viewer.account, dict[str, Role]())


def duellist(*oaths: str) -> Build:
    return Build("duel", TOYS["duel"].choices_codec.read({"name": "Anna", "oaths": list(oaths)}))


async def test_going_back_brings_back_the_packs_of_then(settings: Settings) -> None:
    database, player = Database(settings.database_url_character), somebody()
    service = CharacterUseCases.over(database, system_clock, Alone(), TOYS)
    kind = TOYS["duel"].packs
    assert kind is not None

    def holding(nerve: int) -> PackContent:
        oaths = [{"key": "honour", "name": "Honour", "nerve": nerve}]
        return PackContent("duel", kind.codec.read({"oaths": oaths}))

    pack = await service.packs.create(player, CreateContentPack(holding(2), "Oaths"), None)
    built = CreateCharacter(duellist("duel:oath/honour"), (PackId(pack.id),))
    anna = await service.characters.create(player, built, None)
    changes = [{"character": anna.id, "data": {"scars": 1}, "text": ""}]
    payload = {"scene": "scn_x", "campaign": "cmp_x", "system": "duel", "changes": changes}
    async with database.write() as session:
        await SceneEvents(system_clock, service.editions)(
            session, Event("scene.ended", "scene:scn_x", payload)
        )
    edit = UpdateContentPack(pack.id, 1, pack=holding(5), name="Better oaths")
    await service.packs.update(player, edit, None)
    free = await service.characters.update(player, UpdateCharacter(anna.id, 2, duellist(), ()), None)
    assert free.packs == []
    assert await service.packs.delete(player, DeleteContentPack(pack.id, 2), None) == pack.id

    back = await service.history.undo(player, UndoCharacterEdit(anna.id, 3, 1), None)
    assert back.packs == [{"id": pack.id, "version": 1, "name": "Oaths"}]
    assert back.sheet["data"]["tracks"][0]["maximum"] == 5
    page = await service.history.page(player, back, first=9, below=None)
    assert page is not None
    assert [(one.what, one.row.account) for one in page.items] == [
        (HistoryKind.UNDONE, player.account),
        (HistoryKind.EDITED, player.account),
        (HistoryKind.SCENE, None),
        (HistoryKind.CREATED, player.account),
    ]
    assert page.items[2].changes[0].path == ("scars",)
    await database.close()


async def test_the_newest_versions_are_kept(settings: Settings) -> None:
    database = Database(settings.database_url_character)
    async with database.write() as session:
        for version in range(1, KEPT_VERSIONS + 4):
            for character in ("chr_a", "chr_b")[: 1 + (version < 4)]:
                row = of({}, character=character, version=version)
                row.packs = [{"id": "pck_a", "version": version, "name": "x"}]
                await History(session).add(row, kept=KEPT_VERSIONS)
    async with database.read() as session:
        for table in ("character_version", "pack_use"):
            rows = await session.execute(
                text(f"SELECT character, min(version), count(*) FROM {table} GROUP BY 1 ORDER BY 1")
            )
            assert rows.all() == [("chr_a", 4, KEPT_VERSIONS), ("chr_b", 1, 3)]
    await database.close()


# Changes


def of(data: Any, *, character: str = "chr_a", version: int = 1) -> CharacterVersionRow:
    return CharacterVersionRow(
        character=character,
        version=version,
        what="edited",
        note="",
        account=None,
        name="x",
        choices={"type": "x", "version": 1, "data": data},
        packs=[],
        created_at=system_clock(),
    )


def changes(before: Any, after: Any) -> list[tuple[str, str, Any, Any]]:
    found = line(of(after), of(before), None).changes
    return [
        (
            one.kind.value,
            ".".join(one.path),
            None if one.before is None else json.loads(one.before),
            None if one.after is None else json.loads(one.after),
        )
        for one in found
    ]


def test_changes_name_what_was_added_removed_and_changed() -> None:
    before = {"in_hand": 1, "buys": [{"item": "a"}, {"item": "b"}, {"item": "c"}], "same": [1], "gone": None}
    after = {"in_hand": True, "buys": [{"item": "a"}, {"item": "c"}], "same": [1], "fresh": {"x": 1}}
    assert changes(before, after) == [
        ("changed", "inHand", 1, True),
        ("removed", "buys.1", {"item": "b"}, None),
        ("removed", "gone", None, None),
        ("added", "fresh", None, {"x": 1}),
    ]
    assert changes({"a": [1, 2]}, {"a": [1, 5, 6, 2]}) == [
        ("added", "a.1", None, 5),
        ("added", "a.2", None, 6),
    ]
    many = line(of({"a": list(range(999))}), of({"a": []}), None)
    assert (len(many.changes), many.more) == (MAX_CHANGES, True)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=12,
)


@given(values, values)
def test_there_are_changes_where_there_is_a_difference(before: Any, after: Any) -> None:
    found = line(of(after), of(before), None).changes
    assert (found == ()) is (json.dumps(before, sort_keys=True) == json.dumps(after, sort_keys=True))
    for change in found:
        assert (change.before is None) is (change.kind is ChangeKind.ADDED)
        assert (change.after is None) is (change.kind is ChangeKind.REMOVED)
        assert change.before != change.after
