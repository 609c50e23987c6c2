"""Characters drawn by chance: ready to play, the same from the same seed, kept once for each key."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.character.building.builds import Build, build
from services.character.building.random_characters import draw, fresh_seed
from services.character.building.requests import MAX_TEXT, CreateRandomCharacter
from services.rules.engine.registry import systems
from services.shared.auth import Viewer
from services.shared.problems import InvalidInput
from tests.character.desk import Desk, somebody
from tests.character.operations import CREATE, ROLE

FOUND = systems(Path(__file__).resolve().parents[1] / "toys")
CHOICES = """
fragment Chosen on DungeonTellerChoices {
  name role look kit buys { item count } worn shield inHand malicious
}
"""
RANDOM = """
query ($name: String, $concept: String, $seed: String, $system: String! = "dungeonteller") {
  randomCharacter(system: $system, name: $name, concept: $concept, seed: $seed) {
    __typename
    ... on RandomCharacter { system name seed choices { ...Chosen } }
    ... on InvalidInput { issues { code path found allowed rule } }
  }
}
"""
RANDOM += CHOICES
CREATE_RANDOM = """
mutation ($name: String, $concept: String, $seed: String, $key: String) {
  createRandomCharacter(
    input: {
      system: "dungeonteller", name: $name, concept: $concept, seed: $seed, idempotencyKey: $key
    }
  ) {
    __typename
    ... on CharacterSaved {
      character { id name system version owner { id } sheet { name } choices { ...Chosen } }
    }
    ... on Problem { code }
    ... on InvalidInput { issues { code path } }
  }
}
"""
CREATE_RANDOM += CHOICES
OWN = "{ characters(first: 100) { nodes { id } } }"


async def drawn(desk: Desk, viewer: Viewer, **wish: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await desk.ask(viewer, RANDOM, **wish))["randomCharacter"]
    return found


async def made(desk: Desk, viewer: Viewer, **wish: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await desk.ask(viewer, CREATE_RANDOM, **wish))["createRandomCharacter"]
    return found


async def kept(desk: Desk, viewer: Viewer) -> list[str]:
    return [node["id"] for node in (await desk.ask(viewer, OWN))["characters"]["nodes"]]


async def test_what_was_drawn_can_be_drawn_again_kept_or_built_as_it_is(desk: Desk) -> None:
    player, role = somebody(), f"{ROLE}dwarf"
    first, other = await drawn(desk, player, name="Pim"), await drawn(desk, player, name="Pim")
    assert first["__typename"] == "RandomCharacter"
    assert (first["system"], first["name"], first["choices"]["name"]) == ("dungeonteller", "Pim", "Pim")
    assert first["seed"] != other["seed"]
    assert await drawn(desk, player, name="Pim", seed=first["seed"]) == first
    dwarf = await drawn(desk, player, concept=role, seed="evening")
    assert (dwarf["seed"], dwarf["choices"]["role"]) == ("evening", role)
    assert dwarf["choices"]["name"] == dwarf["name"] != ""
    assert await kept(desk, player) == []

    character = (await made(desk, player, name="Pim", seed=first["seed"]))["character"]
    assert character["choices"] == first["choices"]
    assert (character["sheet"]["name"], character["version"]) == ("Pim", 1)
    assert character["owner"] == {"id": player.account}

    build_of_it = {"build": {"dungeonteller": first["choices"]}}
    sent = (await desk.ask(player, CREATE, input=build_of_it))["createCharacter"]
    assert sent["__typename"] == "CharacterSaved"
    assert len(await kept(desk, player)) == 2


async def test_a_key_makes_one_character_whatever_chance_gives(desk: Desk) -> None:
    player, other = somebody(), somebody()
    answers = await asyncio.gather(*(made(desk, player, key="evening-1") for _ in range(10)))
    assert len({answer["character"]["id"] for answer in answers}) == 1
    assert await kept(desk, player) == [answers[0]["character"]["id"]]
    clash = await made(desk, player, key="evening-1", concept=f"{ROLE}elf")
    assert (clash["__typename"], clash["code"]) == ("IdempotencyConflict", "IDEMPOTENCY_CONFLICT")
    assert (await made(desk, other, key="evening-1"))["__typename"] == "CharacterSaved"


async def test_what_is_wrong_is_told_in_the_words_of_the_wish(desk: Desk) -> None:
    player = somebody()
    unknown = await drawn(desk, player, concept=f"{ROLE}baker")
    (issue,) = unknown["issues"]
    assert (issue["code"], issue["path"], issue["found"]) == ("ROLE_UNKNOWN", ["concept"], f"{ROLE}baker")
    assert f"{ROLE}wizard" in issue["allowed"].split(", ")
    nameless = await made(desk, player, name=" ")
    assert [(found["code"], found["path"]) for found in nameless["issues"]] == [("NAME_MISSING", ["name"])]
    chess = await drawn(desk, player, system="chess")
    assert [(found["code"], found["path"]) for found in chess["issues"]] == [("SYSTEM_UNKNOWN", ["system"])]
    several = await drawn(desk, player, name="a\u0007", seed="", concept="x" * (MAX_TEXT + 1))
    assert {(found["code"], *found["path"]) for found in several["issues"]} == {
        ("BAD_CHARACTER", "name"),
        ("LENGTH", "seed"),
        ("LENGTH", "concept"),
    }
    assert await kept(desk, player) == []


async def test_looking_asks_for_reading_and_keeping_for_writing(desk: Desk) -> None:
    reader, writer = somebody("read"), somebody("write")
    assert (await drawn(desk, reader))["__typename"] == "RandomCharacter"
    for viewer, query, code in (
        (writer, RANDOM, "FORBIDDEN"),
        (Viewer(), RANDOM, "UNAUTHENTICATED"),
        (Viewer(), CREATE_RANDOM, "UNAUTHENTICATED"),
    ):
        refused = await desk.answer(viewer, query)
        assert refused["errors"][0]["extensions"]["code"] == code
    kept_not = await desk.ask(reader, CREATE_RANDOM)
    assert next(iter(kept_not.values()))["__typename"] == "Forbidden"


def test_a_game_without_chance_says_so() -> None:
    assert FOUND["duel"].random is None
    with pytest.raises(InvalidInput) as raised:
        draw(FOUND, CreateRandomCharacter("duel"), fresh_seed())
    refused = raised.value
    assert (refused.issues[0].code, refused.path) == ("NOTHING_TO_DRAW", ["system"])
    able = [slug for slug, system in FOUND.items() if system.random is not None]
    assert "dungeonteller" in able
    assert refused.issues[0].allowed == ", ".join(able)


def test_there_is_a_game_that_draws() -> None:
    assert [slug for slug, system in systems().items() if system.random is not None]


@settings(max_examples=25)
@given(seed=st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=MAX_TEXT))
@pytest.mark.parametrize("slug", [slug for slug, system in systems().items() if system.random is not None])
def test_every_seed_draws_one_character_that_builds(slug: str, seed: str) -> None:
    first = draw(systems(), CreateRandomCharacter(slug, seed=seed), "unused")
    again = draw(systems(), CreateRandomCharacter(slug), seed)
    assert first == again
    assert build(systems(), Build(slug, first.wanted.choices)) == first.built


def test_fresh_seeds_never_come_again() -> None:
    assert len({fresh_seed() for _ in range(1000)}) == 1000
