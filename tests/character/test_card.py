"""Characters on paper: the card that a game prints of a sheet, for everyone who may see the character."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.character.building.builds import Build
from services.character.building.requests import CreateCharacter
from services.character.context import CharacterUseCases
from services.rules.engine.registry import systems
from services.rules.systems.dungeonteller.card import HeroCard
from services.shared.access import CampaignAccess
from services.shared.auth import Signer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.peers import Peer
from services.shared.settings import Settings
from tests.character.desk import Desk, Tables, somebody
from tests.character.operations import WEAPON, created, hero

FOUND = systems(Path(__file__).resolve().parents[1] / "toys")
CARD = """
query ($id: ID!) {
  character(id: $id) {
    card {
      __typename
      system
      ... on DungeonTellerCard {
        name role look pips waiting movement notes
        luck { value } armor { value } gold { value } move { value }
        actions { name dice { value parts { value source } } bonuses }
        powers { name cost line dice { value } }
        attacks { name ready dice { value } }
        stuff { key title count line inUse numbers { value } }
      }
    }
  }
}
"""
DUNGEONTELLER = systems()["dungeonteller"]


def printed(choices: Any) -> HeroCard:
    """Make the card of choices that build, by the rules alone."""
    assert DUNGEONTELLER.printable is not None
    sheet = DUNGEONTELLER.build(choices, DUNGEONTELLER.content)
    card: HeroCard = DUNGEONTELLER.printable.make(sheet, DUNGEONTELLER.content)
    return card


async def test_the_card_is_the_one_that_the_rules_make(desk: Desk, tables: Tables) -> None:
    player, master, outsider = somebody(), somebody(), somebody()
    sword = f"{WEAPON}greatsword"
    sent = hero(inHand=[sword], rewards=[{"session": 1, "kind": "LUCK", "approved": False}])
    character = (await created(desk, player, sent))["id"]
    tables.seat(character, "cmp_1", gm=master, player=player)
    data: dict[str, Any] = {"name": "Brawnley", "role": "dungeonteller:role/warrior", "in_hand": [sword]}
    data |= {"rewards": [{"session": 1, "kind": "luck", "approved": False}]}
    expected = printed(DUNGEONTELLER.choices_codec.read(data))

    card = (await desk.ask(player, CARD, id=character))["character"]["card"]
    assert (card["__typename"], card["system"]) == ("DungeonTellerCard", "dungeonteller")
    assert (card["name"], card["role"], card["pips"]) == (expected.name, expected.role, expected.pips)
    assert card["waiting"] == list(expected.waiting) == ["Session 1: 1 more Luck"]
    for number in ("luck", "armor", "gold", "move"):
        assert card[number]["value"] == getattr(expected, number).value
    for shown, action in zip(card["actions"], expected.actions, strict=True):
        assert (shown["name"], shown["dice"]["value"]) == (action.name, action.dice.value)
        assert shown["bonuses"] == list(action.bonuses)
    assert [(line["name"], line["ready"], line["dice"]["value"]) for line in card["attacks"]] == [
        (attack.name, attack.ready, attack.dice.value) for attack in expected.attacks
    ]
    assert [(line["key"], line["title"], line["inUse"]) for line in card["stuff"]] == [
        (stuff.id, stuff.title, stuff.in_use) for stuff in expected.stuff
    ]
    assert sword in {line["key"] for line in card["stuff"] if line["inUse"]}

    assert (await desk.ask(master, CARD, id=character))["character"]["card"] == card
    assert (await desk.ask(outsider, CARD, id=character))["character"] is None


@pytest.fixture
async def games(settings: Settings) -> AsyncIterator[Any]:
    """Give the use cases with whatever games are named."""
    database = Database(settings.database_url_character)
    peer = Peer("campaign", settings.campaign_url, Signer.of("character", settings))

    def service(*slugs: str) -> CharacterUseCases:
        found = {slug: FOUND[slug] for slug in slugs}
        return CharacterUseCases.over(database, system_clock, CampaignAccess(peer), found)

    yield service
    await peer.close()
    await database.close()


async def test_without_cards_or_without_its_game_a_character_has_none(games: Any) -> None:
    player, both = somebody(), games("duel", "dungeonteller")
    duellist, elf = [
        await both.characters.create(player, CreateCharacter(Build(slug, FOUND[slug].examples[key])), None)
        for slug, key in (("duel", "careful"), ("dungeonteller", "elf"))
    ]
    assert await both.sheets.card(player, elf, ()) == printed(DUNGEONTELLER.examples["elf"])
    assert await both.sheets.card(player, duellist, ()) is None
    gone = games("duel")
    assert await gone.sheets.card(player, elf, ()) is None
    assert await gone.rewards.rewards(player, elf) == await gone.rewards.offers(player, elf) == []
    assert await both.rewards.rewards(player, duellist) == await both.rewards.offers(player, duellist) == []
