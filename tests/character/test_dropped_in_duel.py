"""A game from a folder of somebody's own, with scenes: its characters are built and kept like any others."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.character.building.builds import Build
from services.character.building.requests import CreateCharacter, UpdateCharacter
from services.character.context import CharacterUseCases
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.spelling import PUBLISHED
from services.shared.access import CampaignAccess
from services.shared.auth import Signer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.peers import Peer
from services.shared.settings import Settings
from tests.character.desk import broken, refusal, somebody

FOUND = systems(Path(__file__).resolve().parents[1] / "toys")
DUEL = FOUND["duel"]


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[CharacterUseCases]:
    """Give the use cases with the dropped-in game beside those of the house."""
    database = Database(settings.database_url_character)
    peer = Peer("campaign", settings.campaign_url, Signer.of("character", settings))
    yield CharacterUseCases.over(database, system_clock, CampaignAccess(peer), FOUND)
    await peer.close()
    await database.close()


def choices(**chosen: Any) -> Build:
    return Build("duel", DUEL.choices_codec.read(chosen))


async def test_a_duellist_is_made_kept_played_and_marked_by_it(service: CharacterUseCases) -> None:
    player = somebody()
    asked = CreateCharacter(choices(name="Anna", style="careful"))
    made = await service.characters.create(player, asked, None)
    served = await service.sheets.document_of(player, made.id)
    assert served is not None and served.document is not None
    sheet = DUEL.sheet_codec.load(await service.sheets.stored_of(player, made.id))
    assert DUEL.sheet_codec.read(json.loads(json.dumps(served.document["data"])), PUBLISHED) == sheet
    assert (sheet.name, sheet.checks[0].notation) == ("Anna", "2d6")
    assert await service.sheets.variables_of(player, made.id) == {
        "nerve": 3,
        "nerve.max": 3,
        "strike.dice": 2,
    }
    play = DUEL.play
    assert play is not None
    state = play.begin(play.setups["yard"], (CastMember(id=made.id, sheet=sheet),))
    assert not isinstance(state, Problems)
    assert [actor.id for actor in play.card(state).actors if actor.character] == [made.id]
    marked = play.absorb(service.characters.choices(made), {"scars": 2})
    edit = UpdateCharacter(made.id, 1, Build("duel", marked))
    changed = await service.characters.update(player, edit, None)
    assert await service.sheets.sheet(player, changed, ()) == DUEL.build(marked, DUEL.content)
    assert marked.scars == 2


async def test_its_broken_rules_are_told_as_any_games(service: CharacterUseCases) -> None:
    asked = CreateCharacter(choices(name=" ", scars=-1))
    refused = await refusal(service.characters.create(somebody(), asked, None))
    assert set(broken(refused)) == {
        ("NAME_MISSING", "build.duel.name"),
        ("SCARS_NEGATIVE", "build.duel.scars"),
    }
