"""Whatever is sent gets a clear answer, nothing half-written, and never a fault of ours."""

from typing import Any

import httpx
import pytest

from services.character.building.builds import MAX_ISSUES
from tests.character.desk import Desk, somebody
from tests.character.operations import CHARACTER, CREATE, ROLE, WEAPON, create, created, hero
from tests.databases import ON_BOTH

pytestmark = ON_BOTH


OWN = "{ characters { nodes { id } } }"
PLACE = ["build", "dungeonteller"]


async def issues(desk: Desk, build: Any, key: str | None = None) -> list[tuple[str, list[str]]]:
    """Send a build that must be refused; give the codes and places of what is wrong with it."""
    player = somebody()
    answer = await create(desk, player, build, key)
    assert answer["__typename"] == "InvalidInput", answer
    assert (await desk.ask(player, OWN))["characters"]["nodes"] == []
    return [(issue["code"], issue["path"]) for issue in answer["issues"]]


@pytest.mark.parametrize("bad", ["\x1b[31m", "\x7f", "\x85"])
async def test_control_characters_are_refused_wherever_they_stand(desk: Desk, bad: str) -> None:
    assert await issues(desk, hero(name=f"Brawn{bad}ley")) == [("BAD_CHARACTER", [*PLACE, "name"])]
    assert await issues(desk, hero(role=bad)) == [("BAD_CHARACTER", [*PLACE, "role"])]
    buys = [{"item": f"{WEAPON}dagger"}, {"item": bad}]
    assert await issues(desk, hero(buys=buys)) == [("BAD_CHARACTER", [*PLACE, "buys", "1", "item"])]
    assert await issues(desk, hero(inHand=[bad])) == [("BAD_CHARACTER", [*PLACE, "inHand", "0"])]


async def test_nul_is_refused_before_any_service_sees_it(desk: Desk) -> None:
    player = somebody()
    for sent in (
        {"build": hero(name="Brawn\x00ley")},
        {"build": hero(), "idempotencyKey": "evening\x00"},
    ):
        answer = await desk.answer(player, CREATE, input=sent)
        assert [error["extensions"]["code"] for error in answer["errors"]] == ["BAD_USER_INPUT"]
    found = await desk.answer(player, CHARACTER, id="chr_\x00")
    assert [error["extensions"]["code"] for error in found["errors"]] == ["BAD_USER_INPUT"]
    assert (await desk.ask(player, OWN))["characters"]["nodes"] == []


@pytest.mark.parametrize("key", ["evening\x1f", "", "k" * 256])
async def test_a_key_that_cannot_be_kept_is_refused(desk: Desk, key: str) -> None:
    player = somebody()
    sent = {"build": hero(), "idempotencyKey": key}
    answer = await desk.answer(player, CREATE, input=sent)
    if "errors" in answer:
        assert answer["errors"][0]["extensions"]["code"] == "BAD_IDEMPOTENCY_KEY"
    else:
        assert answer["data"]["createCharacter"]["issues"][0]["path"] == ["idempotencyKey"]
    assert (await desk.ask(player, OWN))["characters"]["nodes"] == []


async def test_names_are_of_a_bearable_length_on_one_line(desk: Desk) -> None:
    assert await issues(desk, hero(name="x" * 81)) == [("NAME_TOO_LONG", [*PLACE, "name"])]
    assert await issues(desk, hero(name="x" * 20_000)) == [("TOO_LARGE", PLACE)]
    assert await issues(desk, hero(name="Brawn\nley")) == [("ONE_LINE", [*PLACE, "name"])]
    assert await issues(desk, hero(name="Brawn\u2028ley")) == [("ONE_LINE", [*PLACE, "name"])]
    assert await issues(desk, hero(name=" \t ")) == [("NAME_MISSING", [*PLACE, "name"])]
    for name in ("\u202edrow eht\u202c", "Brawn\tley", "\u2066Brawnley"):
        assert await issues(desk, hero(name=name)) == [("UNPRINTABLE", [*PLACE, "name"])]


@pytest.mark.parametrize(
    "name",
    [
        "Robert'); DROP TABLE character;--",
        '"}) { id } } #',
        "<script>alert(1)</script>",
        "Zo\u00eb \u0645\u0631\u062d\u0628\u0627 \u52c7\u8005",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f9d9",
        "%s %(name)s {name} ${name} \\u0000 \\x00",
        "n" * 80,
        "null",
    ],
)
async def test_odd_but_writable_names_come_back_as_they_were_sent(desk: Desk, name: str) -> None:
    player = somebody()
    character = await created(desk, player, hero(name=name, look="two\nlines"))
    found = (await desk.ask(player, CHARACTER, id=character["id"]))["character"]
    assert (found["name"], found["sheet"]["name"]) == (name, name)


async def test_a_flood_of_broken_rules_gives_a_bounded_answer(desk: Desk) -> None:
    found = await issues(desk, hero(buys=[{"item": ""}] * 500))
    assert len(found) == MAX_ISSUES
    long = await create(desk, somebody(), hero(role="r" * 10_000))
    assert len(long["issues"][0]["found"]) <= 201


@pytest.mark.parametrize(
    "build",
    [
        None,
        {},
        [],
        "dungeonteller",
        {"dungeonteller": None},
        {"chess": {"name": "x"}},
        {"dungeonteller": {}},
        {"dungeonteller": {"name": "x"}},
        {"dungeonteller": {"name": 5, "role": f"{ROLE}elf"}},
        {"dungeonteller": {"name": "x", "role": f"{ROLE}elf", "armour": 9}},
        {"dungeonteller": {"name": "x", "role": f"{ROLE}elf", "buys": [{"item": "x", "count": 2**31}]}},
        {"dungeonteller": {"name": "x", "role": f"{ROLE}elf", "buys": [{"item": "x", "count": 1.5}]}},
        {"dungeonteller": {"name": "x", "role": f"{ROLE}elf", "buys": [None]}},
        {"dungeonteller": {"name": "x", "role": f"{ROLE}elf", "kit": None}},
        {"dungeonteller": {"name": "x", "role": f"{ROLE}elf", "rewards": [{"session": 1, "kind": "WISH"}]}},
    ],
)
async def test_a_build_of_the_wrong_shape_is_the_clients_error(desk: Desk, build: Any) -> None:
    player = somebody()
    response = await desk.post(player, {"query": CREATE, "variables": {"input": {"build": build}}})
    assert_clients_error(response)
    assert (await desk.ask(player, OWN))["characters"]["nodes"] == []


def assert_clients_error(response: httpx.Response) -> None:
    assert response.status_code < 500, response.text
    codes = {error["extensions"]["code"] for error in response.json()["errors"]}
    assert codes
    assert "INTERNAL" not in codes, response.text


@pytest.mark.parametrize(
    "character",
    [
        "",
        "chr_",
        "cmp_01jd8000000000000000000000",
        "CHR_01JD8000000000000000000000",
        "x" * 100_000,
        "chr_" + "0" * 26,
    ],
)
async def test_what_is_no_character_is_null(desk: Desk, character: str) -> None:
    player = somebody()
    assert (await desk.ask(player, CHARACTER, id=character))["character"] is None
    query = "query ($r: [_Any!]!) { _entities(representations: $r) { ... on Character { id } } }"
    found = await desk.ask(player, query, r=[{"__typename": "Character", "id": character}])
    assert found["_entities"] == [None]


@pytest.mark.parametrize("arguments", ["first: 0", "first: -1", "first: 101", 'after: "x"', 'after: ""'])
async def test_a_page_that_cannot_be_is_the_clients_error(desk: Desk, arguments: str) -> None:
    query = f"{{ characters({arguments}) {{ nodes {{ id }} }} }}"
    assert_clients_error(await desk.post(somebody(), {"query": query}))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b'{"query": 5}',
        b'{"query": "{ systems { slug } }", "variables": []}',
        b'{"query": "query ($id: ID!) { character(id: $id) { id } }", "variables": {"id": "\\ud800"}}',
        b'{"query": "{ character(id: \\"\\\\ud800\\") { id } }"}',
        b"[" * 100_000,
        b'{"query": "' + b"x" * 300_000 + b'"}',
    ],
)
async def test_a_request_that_is_none_is_the_clients_error(desk: Desk, body: bytes) -> None:
    response = await desk.post(somebody(), body)
    assert_clients_error(response)
