"""Creating once, changing from the version that was seen, deleting; and the facts that are published."""

import asyncio
from typing import Any

import orjson
from sqlalchemy import select

from services.character.tables import OUTBOX
from services.shared.database import Database
from services.shared.settings import Settings
from tests.character.desk import Desk, Tables, somebody
from tests.character.operations import ARMOR, CHARACTER, DELETE, ROLE, UPDATE, create, created, hero
from tests.databases import ON_BOTH

CHOICES = "query ($id: ID!) { character(id: $id) { choices { json } } }"
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


async def test_edits_of_different_choices_merge(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player)
    sent = {"id": first["id"], "version": 1, "build": hero(name="Second")}
    await desk.ask(player, UPDATE, input=sent)
    other = {**sent, "build": hero(role=f"{ROLE}wizard"), "idempotencyKey": "other"}
    merged = [(await desk.ask(player, UPDATE, input=other))["updateCharacter"] for _ in range(2)]
    assert [(one["character"]["version"], one["character"]["name"]) for one in merged] == [(3, "Second")] * 2
    choices = (await desk.ask(player, CHOICES, id=first["id"]))["character"]["choices"]["json"]
    assert (choices["name"], choices["role"]) == ("Second", f"{ROLE}wizard")


@ON_BOTH
async def test_edits_of_different_choices_at_once_are_all_kept(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player)
    edits = [{"name": "Second"}, {"look": "Tall."}, {"role": f"{ROLE}wizard"}, {"goldFound": 7}]
    answers = await asyncio.gather(
        *(
            desk.ask(player, UPDATE, input={"id": first["id"], "version": 1, "build": hero(**edit)})
            for edit in edits
        )
    )
    assert sorted(one["updateCharacter"]["character"]["version"] for one in answers) == [2, 3, 4, 5]
    choices = (await desk.ask(player, CHOICES, id=first["id"]))["character"]["choices"]["json"]
    assert all(choices[name] == value for edit in edits for name, value in edit.items())


async def test_a_choice_that_both_have_changed_is_told_with_all_three_values(desk: Desk) -> None:
    player = somebody()
    first = await created(desk, player)
    sent = {"id": first["id"], "version": 1, "build": hero(name="Second")}
    await desk.ask(player, UPDATE, input=sent)
    late = {**sent, "build": hero(name="Third", role=f"{ROLE}wizard")}
    refused = (await desk.ask(player, UPDATE, input=late))["updateCharacter"]
    path = ["build", "dungeonteller", "name"]
    assert refused["differing"] == [{"path": path, "yours": "Third", "theirs": "Second", "base": "Brawnley"}]
    assert (await desk.ask(player, CHARACTER, id=first["id"]))["character"]["version"] == 2


async def test_choices_that_only_together_break_rules_are_a_conflict(desk: Desk) -> None:
    player, plate = somebody(), f"{ARMOR}heavy-plate"
    first = await created(desk, player, hero(goldFound=10_000))
    armoured = hero(goldFound=10_000, buys=[{"item": plate}], worn=plate)
    sent = {"id": first["id"], "version": 1, "build": armoured}
    assert (await desk.ask(player, UPDATE, input=sent))["updateCharacter"]["__typename"] == "CharacterSaved"
    other = {**sent, "build": hero(goldFound=10_000, role=f"{ROLE}wizard")}
    refused = (await desk.ask(player, UPDATE, input=other))["updateCharacter"]
    assert refused["__typename"] == "VersionConflict"
    told = {field["path"][-1]: (field["yours"], field["theirs"]) for field in refused["differing"]}
    assert told == {
        "role": (f"{ROLE}wizard", f"{ROLE}warrior"),
        "worn": (None, plate),
        "buys": ([], [{"item": plate, "count": 1}]),
    }
    wrong = {**sent, "build": hero(goldFound=10_000, role=f"{ROLE}none")}
    answer = (await desk.ask(player, UPDATE, input=wrong))["updateCharacter"]
    assert answer["issues"][0]["code"] == "ROLE_UNKNOWN"


async def test_who_may_not_edit_learns_of_no_conflict(desk: Desk, tables: Tables) -> None:
    player, master, stranger = somebody(), somebody(), somebody()
    first = await created(desk, player)
    tables.seat(first["id"], "cmp_1", gm=master, player=player)
    sent = {"id": first["id"], "version": 1, "build": hero(name="Second")}
    await desk.ask(player, UPDATE, input=sent)
    late = {**sent, "build": hero(name="Third")}
    for viewer, answer in ((master, "Forbidden"), (stranger, "NotFound")):
        assert (await desk.ask(viewer, UPDATE, input=late))["updateCharacter"]["__typename"] == answer


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
