"""A hero of each role is built by the book and read back with every number; broken rules are all named."""

from typing import Any

import pytest

from tests.character.desk import Desk, somebody
from tests.character.operations import ARMOR, ROLE, WEAPON, create, created, hero

ACTIONS = ("battle", "magic", "make", "muscle", "notice", "resist", "shoot", "sneak", "stunt", "talk")

SHEET = """
query ($id: ID!) {
  character(id: $id) {
    system
    sheet {
      __typename
      system
      name
      tracks { key name current maximum }
      checks { key name notation reading dice { value parts { value source rule } } }
      ... on DungeonTellerSheet {
        role roleName look
        luck { value } armor { value } gold { value }
        actions { key name rating { value parts { value source } } bonuses { dice when once } }
        weapons { key inHand usable attacks { action dice { value } check } }
        powers { key name cost everyone }
        movement { move doubleMove runFrom run { value } }
        notes
      }
    }
  }
}
"""

# Role, what is held, Luck, Armor, dice for the ten actions in the order of ACTIONS, then dice of one check.
HEROES = [
    ("dwarf", "war-hammer", 10, 4, (3, 0, 6, 4, 2, 6, 2, 1, 1, 1), ("battle-war-hammer", 3 + 4 + 1)),
    ("elf", "longbow", 10, 0, (2, 3, 1, 1, 4, 5, 5, 2, 4, 3), ("shoot-longbow", 5 + 4 + 1)),
    ("paladin", "longsword", 10, 4, (4, 0, 1, 4, 2, 5, 0, 1, 2, 4), ("battle-longsword", 4 + 3)),
    ("rogue", "shortsword", 10, 1, (2, 1, 3, 2, 3, 2, 3, 5, 6, 4), ("battle-shortsword", 2 + 2)),
    ("warrior", "greatsword", 10, 4, (5, 0, 1, 5, 2, 2, 4, 1, 3, 1), ("battle-greatsword", 5 + 5)),
    ("wizard", "dagger", 10, 0, (1, 6, 2, 1, 2, 3, 0, 1, 1, 3), ("battle-dagger", 1 + 1)),
]


async def read(desk: Desk, viewer: Any, character: str) -> dict[str, Any]:
    found: dict[str, Any] = (await desk.ask(viewer, SHEET, id=character))["character"]["sheet"]
    return found


@pytest.mark.parametrize(
    ("role", "weapon", "luck", "armor", "dice", "check"), HEROES, ids=[row[0] for row in HEROES]
)
async def test_a_hero_of_each_role_has_the_numbers_of_the_book(
    desk: Desk,
    role: str,
    weapon: str,
    luck: int,
    armor: int,
    dice: tuple[int, ...],
    check: tuple[str, int],
) -> None:
    player = somebody()
    choices = {"name": f"A {role}", "role": f"{ROLE}{role}", "inHand": [f"{WEAPON}{weapon}"]}
    character = await created(desk, player, {"dungeonteller": choices})
    assert character["system"] == "dungeonteller"
    assert character["owner"] == {"id": player.account}
    assert character["version"] == 1

    sheet = await read(desk, player, character["id"])
    assert sheet["__typename"] == "DungeonTellerSheet"
    assert sheet["system"] == "dungeonteller"
    assert (sheet["name"], sheet["role"]) == (f"A {role}", f"{ROLE}{role}")
    assert sheet["tracks"] == [{"key": "luck", "name": "Luck", "current": luck, "maximum": luck}]
    assert (sheet["luck"]["value"], sheet["armor"]["value"]) == (luck, armor)
    assert [line["key"].lower() for line in sheet["actions"]] == list(ACTIONS)
    assert tuple(line["rating"]["value"] for line in sheet["actions"]) == dice
    rollable = {line["key"]: line for line in sheet["checks"]}
    name, count = check
    assert rollable[name]["notation"] == f"dungeonteller:action({count})"
    assert rollable[name]["dice"]["value"] == count
    assert sheet["movement"]["move"] == 5
    assert sheet["movement"]["doubleMove"] == 10


async def test_every_number_says_why(desk: Desk) -> None:
    player = somebody()
    build = hero(name="Mallion", role=f"{ROLE}elf", inHand=[f"{WEAPON}longbow"])
    sheet = await read(desk, player, (await created(desk, player, build))["id"])
    longbow = next(line for line in sheet["checks"] if line["key"] == "shoot-longbow")
    assert [part["value"] for part in longbow["dice"]["parts"]] == [5, 5, -1, 1]
    assert all(part["source"] and part["rule"] for part in longbow["dice"]["parts"])
    assert sum(part["value"] for part in longbow["dice"]["parts"]) == longbow["dice"]["value"] == 10


async def test_rewards_raise_what_they_are_for(desk: Desk) -> None:
    player = somebody()
    rewards = [
        {"session": 1, "kind": "DIE", "action": "MUSCLE"},
        {"session": 2, "kind": "LUCK"},
    ]
    sheet = await read(desk, player, (await created(desk, player, hero(rewards=rewards)))["id"])
    muscle = next(line for line in sheet["actions"] if line["key"] == "MUSCLE")
    assert muscle["rating"]["value"] == 5 + 1
    assert sheet["luck"]["value"] == 10 + 1
    assert sheet["tracks"][0]["maximum"] == 11


async def test_every_broken_rule_is_named_with_its_place_and_nothing_is_kept(desk: Desk) -> None:
    player = somebody()
    build = hero(
        name="  ",
        role=f"{ROLE}barbarian",
        look="x" * 501,
        buys=[
            {"item": f"{WEAPON}railgun"},
            {"item": f"{ARMOR}leather-armor", "count": 100},
            {"item": f"{ARMOR}dwarf-chainmail"},
        ],
        worn=f"{ARMOR}cape",
        inHand=[f"{WEAPON}moonbeam"],
    )
    answer = await create(desk, player, build)
    assert answer["__typename"] == "InvalidInput"
    assert answer["code"] == "INVALID_INPUT"
    found = {(issue["code"], tuple(issue["path"])) for issue in answer["issues"]}
    place = ("build", "dungeonteller")
    assert found >= {
        ("NAME_MISSING", (*place, "name")),
        ("LOOK_TOO_LONG", (*place, "look")),
        ("ROLE_UNKNOWN", (*place, "role")),
        ("ITEM_UNKNOWN", (*place, "buys", "0", "item")),
        ("COUNT_OUT_OF_RANGE", (*place, "buys", "1", "count")),
        ("ITEM_NOT_FOR_SALE", (*place, "buys", "2", "item")),
        ("ITEM_UNKNOWN", (*place, "worn")),
        ("ITEM_UNKNOWN", (*place, "inHand", "0")),
    }
    assert all(issue["message"] and issue["rule"] for issue in answer["issues"])
    by_code = {issue["code"]: issue for issue in answer["issues"]}
    assert by_code["ROLE_UNKNOWN"]["found"] == f"{ROLE}barbarian"
    assert f"{ROLE}wizard" in by_code["ROLE_UNKNOWN"]["allowed"].split(", ")
    assert (by_code["LOOK_TOO_LONG"]["found"], by_code["LOOK_TOO_LONG"]["allowed"]) == ("501", "500")
    assert (await desk.ask(player, "{ characters { nodes { id } } }"))["characters"]["nodes"] == []


async def test_a_wizard_cannot_carry_heavy_plate_nor_pay_for_it(desk: Desk) -> None:
    build = hero(role=f"{ROLE}wizard", buys=[{"item": f"{ARMOR}heavy-plate"}], worn=f"{ARMOR}heavy-plate")
    answer = await create(desk, somebody(), build)
    codes = {issue["code"]: issue for issue in answer["issues"]}
    assert codes["NOT_ENOUGH_GOLD"]["path"] == ["build", "dungeonteller", "buys"]
    assert (codes["NOT_ENOUGH_GOLD"]["found"], codes["NOT_ENOUGH_GOLD"]["allowed"]) == ("60", "10")
    assert any(issue["path"] == ["build", "dungeonteller", "worn"] for issue in answer["issues"])
    assert len(codes) == 2
