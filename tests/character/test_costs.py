"""What the rules are asked about characters is charged by how much it is, and done where nobody waits."""

import os
from collections.abc import AsyncIterator

import pytest

from services.character.building.builds import Build
from services.character.building.requests import CreateCharacter
from services.character.context import CharacterUseCases
from services.character.history.requests import UndoCharacterEdit
from services.character.packs.editions import Cost
from services.character.packs.games import Games, own_games
from services.character.packs.requests import CreateContentPack, PackContent, PackId
from services.character.rewards.requests import Proposal, ProposeReward
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.knowing import workers_knowing
from services.shared.limits.meter import Meter, RateLimited, TooExpensive
from services.shared.limits.purses import Charge, Draw
from services.shared.reckoning import Reckoner
from services.shared.settings import Settings
from tests.character.desk import somebody
from tests.inside import Campaigns

FORGE = systems()["forge_engine"]
assert FORGE.packs is not None
KIND = FORGE.packs


class Bucket:
    """The accounts' buckets, which a test may empty: what was taken, in order."""

    def __init__(self) -> None:
        self.taken: list[int] = []
        self.empty = False

    async def charge(self, first: Draw, *_others: Draw) -> Charge:
        if self.empty:
            return Charge(allowed=False, remaining=0, retry_after=3)
        self.taken.append(first.cost)
        return Charge(allowed=True, remaining=1000, retry_after=0)


class House:
    """The use cases, with worker processes of their own."""

    def __init__(self, database: Database) -> None:
        self.bucket = Bucket()
        meter = Meter(self.bucket)  # type: ignore[arg-type]
        self.reckoner = Reckoner(own_games(), meter, workers_knowing(own_games))
        self.use_cases = CharacterUseCases.over(database, system_clock, Campaigns(), systems(), self.reckoner)
        self.editions = self.use_cases.editions
        self.player = somebody()

    async def pack(self, number: int) -> str:
        damage = [
            {"key": f"d{number}-{n}", "name": f"D {number} {n}", "group": "physical"} for n in range(100)
        ]
        content = PackContent("forge_engine", KIND.codec.read({"damage": damage}))
        asked = CreateContentPack(content, "Shelf")
        return (await self.use_cases.packs.create(self.player, asked, None)).id

    async def draft(self, *packs: str) -> list[int]:
        """Look at a character in the making; give what was charged for it."""
        self.bucket.taken.clear()
        wanted = Build("forge_engine", FORGE.examples["wasteland-scavenger"])
        await self.use_cases.characters.draft(self.player, wanted, packs)
        return list(self.bucket.taken)


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[House]:
    database = Database(settings.database_url_character)
    made = House(database)
    await made.reckoner.start()
    yield made
    await made.reckoner.close()
    await database.close()


async def test_while_worker_processes_start_nobody_waits_for_them(settings: Settings) -> None:
    database = Database(settings.database_url_character)
    cold = House(database)
    far = await cold.editions.ask(cold.player, "forge_engine", (), Cost(alone=300.0), whose)
    assert far == os.getpid()
    await cold.reckoner.close()
    await database.close()


def whose(_system: AnySystem) -> int:
    return os.getpid()


async def test_drafts_are_charged_by_the_packs_that_they_are_made_under(house: House) -> None:
    one, other = await house.pack(1), await house.pack(2)
    by_the_book = await house.draft()
    first = await house.draft(one, other)
    again = await house.draft(one, other)
    alone = await house.draft(one)
    assert len(first) == 2 and first[1:] == again, "an edition is paid for once, each question to it anew"
    assert sum(by_the_book) < sum(alone[1:]) < sum(again)
    house.bucket.empty = True
    with pytest.raises(RateLimited):
        await house.draft(one, other)


async def test_an_edition_is_paid_for_by_who_changes_a_character_before_anything_is_written(
    house: House, settings: Settings
) -> None:
    wanted = Build("forge_engine", FORGE.examples["wasteland-scavenger"])
    asked = CreateCharacter(wanted, (PackId(await house.pack(1)),))
    row = await house.use_cases.characters.create(house.player, asked, None)
    offer = (await house.use_cases.rewards.offers(house.player, row))[0]
    proposal = ProposeReward(row.id, row.version, Proposal("forge_engine", offer.reward))
    database = Database(settings.database_url_character)

    # Another process has made no edition yet.
    poor, rich = House(database), House(database)
    poor.bucket.empty = True
    with pytest.raises(RateLimited):
        await poor.use_cases.rewards.propose(house.player, proposal, None)
    proposed = await rich.use_cases.rewards.propose(house.player, proposal, None)
    assert proposed.version == row.version + 1
    (paid,) = rich.bucket.taken
    assert paid > 0
    undo = UndoCharacterEdit(row.id, proposed.version)
    with pytest.raises(RateLimited):
        await poor.use_cases.history.undo(house.player, undo, None)
    rich = House(database)
    undone = await rich.use_cases.history.undo(house.player, undo, None)
    assert undone.version == proposed.version + 1
    assert rich.bucket.taken == [paid]
    await database.close()


async def test_what_takes_long_is_done_in_another_process_and_nothing_beyond_its_price(house: House) -> None:
    editions, player = house.editions, house.player
    near = await editions.ask(player, "forge_engine", (), Cost(alone=10.0), whose)
    far = await editions.ask(player, "forge_engine", (), Cost(alone=300.0), whose)
    assert near == os.getpid() != far
    with pytest.raises(TooExpensive):
        await editions.ask(player, "forge_engine", (), Cost(alone=4_000.0), whose)


async def test_an_edition_that_a_process_has_forgotten_is_made_again(house: House) -> None:
    pack = await house.pack(3)
    await house.draft(pack)
    await house.reckoner.apart("somebody", _forget)
    assert len(await house.draft(pack)) == 2


def _forget(games: Games) -> None:
    games.__init__(games.alone)  # type: ignore[misc]
