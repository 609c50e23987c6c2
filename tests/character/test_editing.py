"""Creating once, changing from the version that was seen, deleting; and the facts that are published."""

import asyncio
from typing import Any

import orjson
from sqlalchemy import select

from services.character.tables import OUTBOX
from services.shared.database import Database
from services.shared.settings import Settings
from tests.character.desk import Desk, Tables, somebody
from tests.character.operations import CHARACTER, DELETE, ROLE, UPDATE, create, created, hero
from tests.databases import ON_BOTH

OWN = "{ characters(first: 100) { nodes { id } } }"


async def published(settings: Settings) -> list[tuple[str, str, dict[str, Any]]]:
    database = Database(settings.database_url_character)
    async with database.read() as session:
        rows = (await session.execute(select(OUTBOX).order_by(OUTBOX.c.id))).all()
    await database.close()
    return [(row.kind, row.topic, orjson.loads(row.payload)) for row in rows]


async def test_fifty_parallel_creates_with_one_key_make_one_character(desk: Desk, settings: Settings) -> None:
    player = somebody()
    made = await asyncio.gather(*(created(desk, player, hero(), "evening-1") for _ in range(50)))
    assert len({character["id"] for character in made}) == 1
    assert len((await desk.ask(player, OWN))["characters"]["nodes"]) == 1
    assert [kind for kind, _, _ in await published(settings)] == ["character.created"]


async def test_a_key_belongs_to_its_request_and_to_its_account(desk: Desk) -> None:
    player, other = somebody(), somebody()
    first = await created(desk, player, hero(), "evening-1")
    clash = await create(desk, player, hero(name="Another"), "evening-1")
    assert (clash["__typename"], clash["code"]) == ("IdempotencyConflict", "IDEMPOTENCY_CONFLICT")
    assert (await created(desk, other, hero(), "evening-1"))["id"] != first["id"]
    assert (await created(desk, player, hero()))["id"] != first["id"]


async def test_a_key_whose_character_was_deleted_makes_no_second_one(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player, hero(), "evening-1")
    await desk.ask(player, DELETE, id=first["id"], version=1)
    again = await create(desk, player, hero(), "evening-1")
    assert (again["__typename"], again["path"]) == ("NotFound", ["idempotencyKey"])
    assert (await desk.ask(player, OWN))["characters"]["nodes"] == []


async def test_a_broken_rule_uses_no_key_up(desk: Desk) -> None:
    player = somebody()
    assert (await create(desk, player, hero(name=""), "evening-1"))["__typename"] == "InvalidInput"
    await created(desk, player, hero(), "evening-1")


async def test_an_edit_counts_the_version_up_and_keeps_the_rest(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player)
    sent = {"id": first["id"], "version": 1, "build": hero(name="Brawnley the Bold")}
    saved = (await desk.ask(player, UPDATE, input=sent))["updateCharacter"]["character"]
    assert (saved["id"], saved["version"], saved["name"]) == (first["id"], 2, "Brawnley the Bold")
    assert saved["sheet"] == {"name": "Brawnley the Bold"}
    assert saved["createdAt"] == first["createdAt"]
    assert saved["updatedAt"] > first["updatedAt"]


async def test_one_key_is_one_edit_and_one_end(desk: Desk, settings: Settings) -> None:
    player = somebody()
    first = await created(desk, player)
    sent = {"id": first["id"], "version": 1, "build": hero(name="Second"), "idempotencyKey": "edit"}
    answers = await asyncio.gather(*(desk.ask(player, UPDATE, input=sent) for _ in range(5)))
    assert {answer["updateCharacter"]["character"]["version"] for answer in answers} == {2}
    clash = (await desk.ask(player, UPDATE, input={**sent, "build": hero()}))["updateCharacter"]
    assert clash["code"] == "IDEMPOTENCY_CONFLICT"
    gone = {"id": first["id"], "version": 2, "key": "end"}
    answers = await asyncio.gather(*(desk.ask(player, DELETE, **gone) for _ in range(5)))
    answers.append(await desk.ask(player, DELETE, **gone))
    deleted = {"__typename": "CharacterDeleted", "id": first["id"]}
    assert [answer["deleteCharacter"] for answer in answers] == [deleted] * 6
    assert [kind for kind, _, _ in await published(settings)] == [
        "character.created",
        "character.changed",
        "character.deleted",
    ]


async def test_an_edit_from_an_old_version_is_refused(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player)
    sent = {"id": first["id"], "version": 1, "build": hero(name="Second")}
    assert (await desk.ask(player, UPDATE, input=sent))["updateCharacter"]["__typename"] == "CharacterSaved"
    refused = (await desk.ask(player, UPDATE, input={**sent, "build": hero(name="Third")}))["updateCharacter"]
    assert refused["__typename"] == "VersionConflict"
    assert (refused["expectedVersion"], refused["currentVersion"]) == (1, 2)
    assert (await desk.ask(player, CHARACTER, id=first["id"]))["character"]["name"] == "Second"


async def test_of_parallel_edits_from_one_version_one_wins(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player)
    answers = await asyncio.gather(
        *(
            desk.ask(player, UPDATE, input={"id": first["id"], "version": 1, "build": hero(name=f"N{n}")})
            for n in range(10)
        )
    )
    kinds = sorted(answer["updateCharacter"]["__typename"] for answer in answers)
    assert kinds == ["CharacterSaved"] + ["VersionConflict"] * 9
    assert (await desk.ask(player, CHARACTER, id=first["id"]))["character"]["version"] == 2


async def test_an_edit_that_breaks_rules_changes_nothing(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player)
    sent = {"id": first["id"], "version": 1, "build": hero(role=f"{ROLE}none")}
    answer = (await desk.ask(player, UPDATE, input=sent))["updateCharacter"]
    assert answer["issues"][0]["code"] == "ROLE_UNKNOWN"
    assert (await desk.ask(player, CHARACTER, id=first["id"]))["character"]["version"] == 1


async def test_a_deleted_character_is_gone_for_everyone(desk: Desk, tables: Tables) -> None:
    player, master = somebody(), somebody()
    first = await created(desk, player)
    tables.seat(first["id"], "cmp_1", gm=master, player=player)
    stale = (await desk.ask(player, DELETE, id=first["id"], version=7))["deleteCharacter"]
    assert (stale["__typename"], stale["currentVersion"]) == ("VersionConflict", 1)
    assert (await desk.ask(player, DELETE, id=first["id"], version=1))["deleteCharacter"] == {
        "__typename": "CharacterDeleted",
        "id": first["id"],
    }
    for viewer in (player, master):
        assert (await desk.ask(viewer, CHARACTER, id=first["id"]))["character"] is None
    again = (await desk.ask(player, DELETE, id=first["id"], version=2))["deleteCharacter"]
    assert again["__typename"] == "NotFound"
    sent = {"id": first["id"], "version": 2, "build": hero()}
    assert (await desk.ask(player, UPDATE, input=sent))["updateCharacter"]["__typename"] == "NotFound"


@ON_BOTH
async def test_what_happens_to_a_character_is_published(desk: Desk, settings: Settings) -> None:
    player = somebody()
    first = await created(desk, player)
    sent = {"id": first["id"], "version": 1, "build": hero(name="Second")}
    await desk.ask(player, UPDATE, input=sent)
    await desk.ask(player, UPDATE, input=sent)
    await desk.ask(player, DELETE, id=first["id"], version=2)
    facts = await published(settings)
    assert [(kind, payload["version"], payload["name"]) for kind, _, payload in facts] == [
        ("character.created", 1, "Brawnley"),
        ("character.changed", 2, "Second"),
        ("character.deleted", 3, "Second"),
    ]
    assert {topic for _, topic, _ in facts} == {f"character:{first['id']}"}
    assert {(payload["owner"], payload["system"]) for _, _, payload in facts} == {
        (player.account, "dungeonteller")
    }


@ON_BOTH
async def test_the_list_of_ones_own_characters_neither_skips_nor_repeats(desk: Desk) -> None:
    player = somebody()
    made = [(await created(desk, player, hero(name=f"N{n}")))["id"] for n in range(7)]
    await created(desk, somebody())
    query = """
    query ($after: String) {
      characters(first: 3, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
    }
    """
    seen: list[str] = []
    after = None
    while True:
        page = (await desk.ask(player, query, after=after))["characters"]
        seen += [node["id"] for node in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert sorted(seen) == sorted(made)
    assert seen == sorted(seen, reverse=True)
