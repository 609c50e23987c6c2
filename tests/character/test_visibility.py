"""Who sees a character: its owner, and everyone at the table where it sits."""

import pytest

from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Desk, Tables, somebody
from tests.character.operations import CHARACTER, DELETE, ENTITIES, UPDATE, created, hero
from tests.databases import ON_BOTH


async def seen_as_entity(desk: Desk, viewer: Viewer, *ids: str) -> list[bool]:
    representations = [{"__typename": "Character", "id": one} for one in ids]
    found = (await desk.ask(viewer, ENTITIES, representations=representations))["_entities"]
    return [entity is not None for entity in found]


async def sees(desk: Desk, viewer: Viewer, character: str) -> set[bool]:
    """Ask in every way there is; all must agree."""
    ways = set(await seen_as_entity(desk, viewer, character))
    ways.add((await desk.internal(viewer, f"characters/{character}/sheet")).status_code == 200)
    if not viewer.anonymous:
        ways.add((await desk.ask(viewer, CHARACTER, id=character))["character"] is not None)
    return ways


async def test_the_owner_and_the_table_see_a_character_and_nobody_else_does(
    desk: Desk, tables: Tables
) -> None:
    owner, master, player, spectator, outsider = (somebody() for _ in range(5))
    seated, elsewhere = (await created(desk, owner))["id"], (await created(desk, owner))["id"]
    tables.seat(seated, "cmp_1", gm=master, player=player, spectator=spectator)
    tables.seat(new_id("chr"), "cmp_2", gm=outsider)

    for viewer in (owner, master, player, spectator):
        assert await sees(desk, viewer, seated) == {True}
    for viewer in (outsider, Viewer()):
        assert await sees(desk, viewer, seated) == {False}
    assert await sees(desk, owner, elsewhere) == {True}
    for viewer in (master, player, spectator, outsider, Viewer()):
        assert await sees(desk, viewer, elsewhere) == {False}


async def test_the_list_holds_ones_own_only(desk: Desk, tables: Tables) -> None:
    owner, master = somebody(), somebody()
    seated = (await created(desk, owner))["id"]
    tables.seat(seated, "cmp_1", gm=master, player=owner)
    query = "{ characters { nodes { id } } }"
    assert (await desk.ask(owner, query))["characters"]["nodes"] == [{"id": seated}]
    assert (await desk.ask(master, query))["characters"]["nodes"] == []


@pytest.mark.parametrize("role", ["gm", "player", "spectator"])
async def test_the_table_sees_but_does_not_change(desk: Desk, tables: Tables, role: str) -> None:
    owner, member, outsider = somebody(), somebody(), somebody()
    character = (await created(desk, owner))["id"]
    tables.seat(character, "cmp_1", **{role: member})
    sent = {"id": character, "version": 1, "build": hero(name="Stolen")}
    for viewer, expected in ((member, "Forbidden"), (outsider, "NotFound")):
        edited = (await desk.ask(viewer, UPDATE, input=sent))["updateCharacter"]
        assert (edited["__typename"], edited["path"]) == (expected, ["id"])
        gone = (await desk.ask(viewer, DELETE, id=character, version=1))["deleteCharacter"]
        assert (gone["__typename"], gone["path"]) == (expected, ["id"])
    assert (await desk.ask(owner, CHARACTER, id=character))["character"]["version"] == 1


@ON_BOTH
async def test_one_who_just_joined_is_let_in_at_once(desk: Desk, tables: Tables) -> None:
    owner, player = somebody(), somebody()
    first, second = [(await created(desk, owner))["id"] for _ in range(2)]
    tables.seat(first, "cmp_1", player=player)
    assert await seen_as_entity(desk, player, first, second) == [True, False]
    tables.seat(second, "cmp_1", player=player)
    assert await seen_as_entity(desk, player, first, second) == [True, True]


@ON_BOTH
async def test_many_references_are_one_look_up(desk: Desk, tables: Tables) -> None:
    owner, player = somebody(), somebody()
    ids = [(await created(desk, owner))["id"] for _ in range(20)]
    for character in ids:
        tables.seat(character, "cmp_1", player=player)
    tables.asked.clear()
    assert await seen_as_entity(desk, player, *ids) == [True] * 20
    assert tables.asked == [player.account]
    assert await seen_as_entity(desk, owner, *ids) == [True] * 20
    assert tables.asked == [player.account]


async def test_without_the_campaign_service_one_still_sees_ones_own(desk: Desk, tables: Tables) -> None:
    owner, player = somebody(), somebody()
    character, other = (await created(desk, owner))["id"], (await created(desk, player))["id"]
    tables.seat(character, "cmp_1", player=player)
    tables.broken = True
    assert await sees(desk, owner, character) == {True}
    # What is one's own is seen; of the rest nobody knows, and that is told, not that there is nothing.
    known = [{"__typename": "Character", "id": one} for one in (character, other)]
    for query, given, mine in (
        (ENTITIES, {"representations": known}, [False, True]),
        (CHARACTER, {"id": character}, False),
    ):
        answer = await desk.answer(player, query, **given)
        assert [error["extensions"]["code"] for error in answer["errors"]] == ["UNAVAILABLE"]
        (found,) = answer["data"].values()
        assert ([one is not None for one in found] if isinstance(found, list) else found is not None) == mine
    sent = {"id": other, "version": 1, "build": hero(name="Renamed")}
    assert (await desk.ask(player, UPDATE, input=sent))["updateCharacter"]["__typename"] == "CharacterSaved"
    tables.broken = False
    assert await sees(desk, player, character) == {True}


async def test_keys_do_what_their_scopes_say(desk: Desk) -> None:
    owner = somebody()
    character = (await created(desk, owner))["id"]
    reader = Viewer(owner.account, frozenset({"read"}))
    writer = Viewer(owner.account, frozenset({"write"}))
    assert (await desk.ask(reader, CHARACTER, id=character))["character"]["id"] == character
    refused = await desk.answer(reader, DELETE, id=character, version=1)
    assert refused["data"]["deleteCharacter"]["__typename"] == "Forbidden"
    blind = await desk.answer(writer, CHARACTER, id=character)
    assert blind["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    assert await seen_as_entity(desk, writer, character) == [False]
    nobody = await desk.answer(Viewer(), CHARACTER, id=character)
    assert nobody["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
    await created(desk, writer)
