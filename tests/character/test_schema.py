"""The subgraph follows the registry of game systems: what is dropped in there can be built here."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.character.building.builds import Build, build
from services.character.schema import SCHEMA
from services.rules.engine.registry import systems
from services.shared.graphql.reflection import prefix_of
from services.shared.wording import camel
from tests.character.desk import Desk, somebody
from tests.character.toy import dropped_in
from tests.house import ROOT

DROPPED_IN = """
import asyncio, sys
import services.rules.systems
services.rules.systems.__path__.append(sys.argv[1])

from services.character.building.builds import Build, build
from services.character.schema import SCHEMA
from services.rules.engine.registry import systems
from services.shared.problems import InvalidInput

print(SCHEMA.as_str())
toy = systems()["toy_box"]
made = build(systems(), Build("toy_box", toy.examples["bear"]))
assert made.name == "Bear" and made.sheet["type"] == "toy_box/sheet"
purchase = toy.choices.__annotations__["buys"].__args__[0]
try:
    build(systems(), Build("toy_box", toy.choices(name="x", buys=(purchase(item="b"),))))
except InvalidInput as refused:
    assert refused.path == ["build", "toyBox", "buys", "0", "item"], refused.path
else:
    raise AssertionError("it was built")
"""


def test_a_system_that_is_dropped_in_is_served(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DROPPED_IN, str(dropped_in(tmp_path))],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    sdl = done.stdout
    for line in (
        "toyBox: ToyBoxChoicesInput",
        "dungeonteller: DungeonTellerChoicesInput",
        "type ToyBoxSheet implements Sheet {",
        "type ToyBoxChoices implements Choices {",
        "type ToyBoxContent implements Content {",
        "input ToyBoxPurchaseInput {",
        "enum ToyBoxAction {",
        "toys: [ToyBoxToy!]!",
        "hops: Explained!",
    ):
        assert line in sdl, line


def test_every_system_has_its_types() -> None:
    sdl = SCHEMA.as_str()
    assert systems()
    for slug, system in systems().items():
        prefix = prefix_of(slug, system.name)
        assert f"{camel(slug)}: {prefix}ChoicesInput\n" in sdl
        assert f"type {prefix}Sheet implements Sheet {{" in sdl
    assert 'type Character @key(fields: "id") {' in sdl
    assert 'type Account @key(fields: "id", resolvable: false) {' in sdl


async def test_introspection_says_that_a_build_is_one_of(desk: Desk) -> None:
    query = '{ __type(name: "CharacterBuild") { isOneOf inputFields { name } } }'
    found = (await desk.ask(somebody(), query))["__type"]
    assert found["isOneOf"] is True
    assert [field["name"] for field in found["inputFields"]] == [camel(slug) for slug in systems()]


async def test_a_client_can_draw_a_character_builder(desk: Desk) -> None:
    query = """
    {
      systems { slug name edition licence }
      system(slug: "dungeonteller") {
        content {
          system
          ... on DungeonTellerContent {
            roles { id name luck ratings { battle magic talk } powers armor bonuses { action dice when } }
            powers { id name luckCost costText everyone }
            armor { id value gold }
            weapons { id dice hands gold use }
            gear { id gold }
            kits { role items { item count } }
            settings { purse luckyFaces }
          }
        }
      }
      none: system(slug: "chess") { name }
    }
    """
    found = await desk.ask(somebody(), query)
    assert [system["slug"] for system in found["systems"]] == list(systems())
    assert found["none"] is None
    content: dict[str, Any] = found["system"]["content"]
    assert content["system"] == "dungeonteller"
    roles = {role["id"].rpartition("/")[2]: role for role in content["roles"]}
    assert {"dwarf", "elf", "paladin", "rogue", "warrior", "wizard"} <= roles.keys()
    assert roles["wizard"]["ratings"] == {"battle": 1, "magic": 6, "talk": 3}
    known = {power["id"] for power in content["powers"]}
    assert all(set(role["powers"]) <= known for role in content["roles"])
    plate = next(item for item in content["armor"] if item["id"].endswith("/heavy-plate"))
    assert (plate["value"], plate["gold"]) == (5, 60)
    assert content["settings"] == {"purse": 10, "luckyFaces": [5, 6]}


async def test_what_was_chosen_can_be_read_back_and_sent_again(desk: Desk) -> None:
    choices = """
    ... on DungeonTellerChoices {
      name role look kit buys { item count } worn shield inHand malicious
      rewards { session kind action when power gmLeave }
    }
    """
    create = """
    mutation ($input: CreateCharacterInput!) {
      createCharacter(input: $input) {
        ... on CharacterSaved { character { id choices { system %s } } }
      }
    }
    """
    update = """
    mutation ($input: UpdateCharacterInput!) {
      updateCharacter(input: $input) {
        ... on CharacterSaved { character { version choices { system %s } } }
      }
    }
    """
    player = somebody()
    sent = {
        "name": "Pim",
        "role": "dungeonteller:role/rogue",
        "buys": [{"item": "dungeonteller:weapon/dagger", "count": 2}],
        "rewards": [{"session": 1, "kind": "DIE", "action": "SNEAK"}],
    }
    answer = await desk.ask(player, create % choices, input={"build": {"dungeonteller": sent}})
    made = answer["createCharacter"]["character"]
    read = dict(made["choices"])
    assert read.pop("system") == "dungeonteller"
    assert read["buys"] == sent["buys"]
    again = {"id": made["id"], "version": 1, "build": {"dungeonteller": read}}
    answer = await desk.ask(player, update % choices, input=again)
    assert answer["updateCharacter"]["character"] == {"version": 2, "choices": made["choices"]}


@pytest.mark.parametrize("slug", list(systems()))
def test_every_example_of_every_system_can_be_kept_and_read(slug: str) -> None:
    system = systems()[slug]
    for choices in system.examples.values():
        made = build(systems(), Build(slug, choices))
        assert system.choices_codec.load(made.choices) == choices
        assert system.sheet_codec.load(made.sheet).name == made.name
