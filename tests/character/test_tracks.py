"""Tracks moved outside scenes, and rests: what is kept of them, who may, and what they are refused for."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.character.building.builds import Build
from services.character.building.models import CharacterRow
from services.character.building.requests import CreateCharacter
from services.character.context import CharacterUseCases
from services.character.history.lines import HistoryKind
from services.character.history.requests import UndoCharacterEdit
from services.character.history.scene_events import SceneEvents
from services.character.schema import SCHEMA
from services.character.tables import OUTBOX
from services.character.tracks.requests import (
    CharacterRestAction,
    CharacterTrackMove,
    MoveCharacterTracks,
    RestCharacter,
)
from services.rules.engine.registry import systems
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    NotFound,
    Unavailable,
    VersionConflict,
)
from services.shared.settings import Settings
from tests.character.desk import broken, refusal, somebody
from tests.databases import ON_BOTH
from tests.inside import Campaigns, Graph

pytestmark = pytest.mark.databases("character")
GAMES = systems()
PRESENT = """
query ($id: ID!) {
  character(id: $id) {
    tracks { key label current least most full }
    rests { rest { key label mostActions } actions { key choices { key } words wordsNeeded } }
  }
}
"""
DECLARED = "{ systems { slug tracks { key label unit entries { key } } rests { key mostActions } } }"


class Dice:
    """The dice service, as far as rests ask it: one fall for each key, each die showing 3.

    Attributes:
        asked: who asked, for which character, and what.
        away: whether it cannot be reached.
    """

    name = "dice"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.away = False

    async def post(self, viewer: Viewer, *segments: str, body: dict[str, Any]) -> Any:
        assert segments[0] == "characters" and segments[2] == "draws"
        if self.away:
            raise PeerUnavailable(self.name, "ConnectError")
        self.asked.append((viewer.account, segments[1], body))
        return {"rolls": [{"id": new_id("rol"), "faces": [3]} for _ in body["rolls"]]}


class House:
    """The character service, beside a campaign service that tells of seats, and dice."""

    def __init__(self, database: Database) -> None:
        self.database, self.tables, self.dice, self.campaign = database, Campaigns(), Dice(), new_id("cmp")
        self.use_cases = CharacterUseCases.over(database, system_clock, self.tables, GAMES, dice=self.dice)
        self.graph = Graph(SCHEMA, self.use_cases)
        self.player, self.gm, self.other, self.stranger = (somebody() for _ in range(4))
        for viewer, role in ((self.gm, Role.GM), (self.player, Role.PLAYER), (self.other, Role.PLAYER)):
            self.tables.roles[viewer.account] = {self.campaign: role}

    async def make(self, slug: str) -> str:
        """Make the first example of a game, which sits at the table."""
        choices = next(iter(GAMES[slug].examples.values()))
        row = await self.use_cases.characters.create(self.player, CreateCharacter(Build(slug, choices)), None)
        self.tables.seats[row.id] = self.campaign
        return row.id

    async def move(
        self,
        viewer: Viewer,
        character: str,
        version: int,
        *moves: CharacterTrackMove,
        reason: str = "",
        key: str | None = None,
    ) -> CharacterRow:
        asked = MoveCharacterTracks(character, version, moves, reason)
        return await self.use_cases.tracks.move(viewer, asked, key)

    async def rest(
        self, viewer: Viewer, character: str, version: int, rest: str, *actions: str, key: str | None = None
    ) -> CharacterRow:
        asked = RestCharacter(
            character, version, rest, tuple(CharacterRestAction(key=each) for each in actions)
        )
        return await self.use_cases.tracks.rest(viewer, asked, key)

    async def history(self, character: str) -> list[tuple[HistoryKind, str, str | None]]:
        row = await self.use_cases.characters.seen(self.player, character)
        page = await self.use_cases.history.page(self.player, row, first=20, below=None)
        assert page is not None
        return [(line.what, line.text, line.row.account) for line in page.items]

    async def ask(self, query: str, **variables: Any) -> Any:
        """Run an operation of the player that must succeed, and return its data."""
        answer = await self.graph.graphql(self.player, query, variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    async def standing(self, character: str) -> dict[str, int]:
        found = (await self.ask(PRESENT, id=character))["character"]
        return {each["key"]: each["current"] for each in found["tracks"]}

    async def told(self) -> list[str]:
        """Return the kinds of the events that were told, in order."""
        async with self.database.read() as session:
            rows = await session.execute(OUTBOX.select().order_by(OUTBOX.c.id))
            return [row.kind for row in rows]

    async def hear(self, kind: str, **payload: Any) -> None:
        scenes = SceneEvents(system_clock, self.use_cases.editions)
        async with self.database.write() as session:
            await scenes(session, Event(kind, "", payload))


def by(key: str, number: int, entry: str | None = None) -> CharacterTrackMove:
    return CharacterTrackMove(key=key, by=number, entry=entry)


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[House]:
    database = Database(settings.database_url("character"))
    yield House(database)
    await database.close()


@ON_BOTH
async def test_a_move_is_kept_told_and_undone_and_all_else_stays(house: House) -> None:
    character = await house.make("dungeonteller")
    before = await house.use_cases.characters.seen(house.player, character)
    full = (await house.standing(character))["luck"]
    told = await house.told()
    row = await house.move(house.player, character, 1, by("luck", -2), reason="fell into the river")
    assert (row.version, row.name) == (2, before.name)
    assert {**row.choices["data"], "luck": None} == {**before.choices["data"], "luck": None}
    assert await house.standing(character) == {"luck": full - 2}
    assert await house.told() == [*told, told[-1].replace("created", "changed")]
    await house.use_cases.history.undo(house.gm, UndoCharacterEdit(character, 2), None)
    assert await house.standing(character) == {"luck": full}
    words = f"Moved: Luck {full} to {full - 2} (fell into the river)."
    assert await house.history(character) == [
        (HistoryKind.UNDONE, "Taken back to version 1.", house.gm.account),
        (HistoryKind.TRACKS, words, house.player.account),
        (HistoryKind.CREATED, "Made.", house.player.account),
    ]


async def test_what_is_moved_is_among_the_updates_of_the_table(house: House) -> None:
    character = await house.make("forge_engine")
    first = await house.use_cases.characters.updates(house.player, None, None, first=9)
    assert first is not None
    await house.move(house.gm, character, 1, by("energy", -1), by("health", -1))
    since = first.page.since.text()
    found = await house.use_cases.characters.updates(house.player, None, since, first=9)
    assert found is not None
    assert [(one, row and row.version) for one, row in found.lines()] == [(character, 2)]


async def test_the_player_and_a_game_master_may_and_nobody_else(house: House) -> None:
    character = await house.make("dungeonteller")
    for version, viewer in enumerate((house.player, house.gm, house.player), start=1):
        assert (await house.move(viewer, character, version, by("luck", -1))).version == version + 1
    for viewer, problem in ((house.other, Forbidden), (house.stranger, NotFound)):
        for use_case in (
            house.move(viewer, character, 4, by("luck", -1)),
            house.rest(viewer, character, 4, "rest"),
        ):
            refused = await refusal(use_case)
            assert type(refused) is problem and refused.path == ["characterId"]
    assert (await house.rest(house.gm, character, 4, "rest")).version == 5
    house.tables.away = True
    assert isinstance(await refusal(house.move(house.gm, character, 5, by("luck", -1))), Unavailable)
    assert (await house.move(house.player, character, 5, by("luck", -1))).version == 6


@ON_BOTH
async def test_one_key_moves_and_rests_once(house: House) -> None:
    character = await house.make("fortunate_blades")
    moves = [await house.move(house.player, character, 1, by("fortune", -3), key="k") for _ in range(3)]
    assert [row.version for row in moves] == [2, 2, 2]
    for problem, asked in (
        (IdempotencyConflict, house.move(house.player, character, 2, by("fortune", -1), key="k")),
        (VersionConflict, house.move(house.player, character, 1, by("fortune", -1))),
        (VersionConflict, house.rest(house.player, character, 1, "safe", "story")),
    ):
        assert isinstance(await refusal(asked), problem)
    assert house.dice.asked == []
    rests = [await house.rest(house.player, character, 2, "safe", "story", key="r") for _ in range(3)]
    assert [row.version for row in rests] == [3, 3, 3]
    assert len(house.dice.asked) == 1


async def test_bounds_and_unknown_tracks_are_told_by_where_they_stand(house: House) -> None:
    character = await house.make("dungeonteller")
    refused = await refusal(
        house.move(house.player, character, 1, by("luck", -99), by("mana", 1), reason="x" * 201)
    )
    assert broken(refused) == [("LENGTH", "reason")]
    refused = await refusal(house.move(house.player, character, 1, by("luck", -99), by("mana", 1)))
    assert [(code.lower(), path) for code, path in broken(refused)] == [
        ("track_out_of_bounds", "moves.0.by"),
        ("track_unknown", "moves.1.key"),
    ]
    assert broken(await refusal(house.move(house.player, character, 1))) == [("COUNT", "moves")]
    unknown = await refusal(house.rest(house.player, character, 1, "nap"))
    assert broken(unknown) == [("REST_UNKNOWN", "rest")]
    assert len(await house.history(character)) == 1


async def test_a_scene_that_leads_a_character_keeps_its_tracks_to_itself(house: House) -> None:
    character = await house.make("forge_engine")
    told = {"character": character, "own": {"data": {"health": 1, "expended": 2}, "text": ""}, "open": None}
    scene = {"scene": "scn_1", "campaign": house.campaign, "system": "forge_engine"}
    await house.hear("scene.changed", **scene, number=1, changes=[told])
    now = await house.standing(character)
    assert now["health"] == 1
    for asked in (
        house.move(house.player, character, 1, by("health", 1)),
        house.rest(house.gm, character, 1, "short"),
    ):
        refused = await refusal(asked)
        assert broken(refused) == [("SCENE_LEADS", "characterId")]
        assert refused.issues[0].found == "scn_1"  # type: ignore[attr-defined]
    change = {"character": character, "data": {"health": 1, "expended": 2}, "text": ""}
    await house.hear("scene.ended", **scene, characters=[character], changes=[change])
    assert (await house.move(house.player, character, 2, by("health", 1))).version == 3
    assert (await house.standing(character))["health"] == 2


async def test_dice_of_a_rest_fall_at_the_table_once_for_each_version(house: House) -> None:
    """Taking a Rest: a story regains 1D4+1 Fortune."""
    character = await house.make("fortunate_blades")
    await house.move(house.player, character, 1, CharacterTrackMove(key="fortune", to=1))
    house.dice.away = True
    assert isinstance(await refusal(house.rest(house.player, character, 2, "safe", "story")), Unavailable)
    assert (await house.standing(character))["fortune"] == 1
    house.dice.away = False
    await house.rest(house.gm, character, 2, "safe", "story", "story")
    assert (await house.standing(character))["fortune"] == 1 + 2 * (3 + 1)
    body = {"campaign": house.campaign, "rolls": [{"expression": "1d4", "label": "A story"}]}
    assert house.dice.asked == [
        (house.gm.account, character, {**body, "key": f"2:{step}"}) for step in range(2)
    ]
    kind, text, _ = (await house.history(character))[0]
    assert (kind, text) == (HistoryKind.RESTED, "Rested: Safe rest, Tell a story and Tell a story.")


@pytest.mark.parametrize(
    ("slug", "move", "rest"),
    [
        ("dungeonteller", by("luck", -3), "rest"),
        ("forge_engine", by("energy", -1), "long"),
        ("fortunate_blades", by("harm_minor", 1, "physical"), "safe"),
    ],
)
async def test_each_game_with_tracks_is_moved_and_rests(
    house: House, slug: str, move: CharacterTrackMove, rest: str
) -> None:
    character = await house.make(slug)
    before = await house.standing(character)
    await house.move(house.player, character, 1, move)
    assert await house.standing(character) == {**before, move.key: before[move.key] + (move.by or 0)}
    found = (await house.ask(PRESENT, id=character))["character"]
    offered = next(each for each in found["rests"] if each["rest"]["key"] == rest)
    heals = [each["key"] for each in offered["actions"] if each["key"].startswith("recover")]
    assert bool(heals) == (slug == "fortunate_blades")
    await house.rest(house.player, character, 2, rest, *heals)
    assert await house.standing(character) == before
    assert house.dice.asked == []


@pytest.mark.parametrize("slug", ["dwarf_dice", "forgeborn"])
async def test_a_game_without_tracks_refuses_both(house: House, slug: str) -> None:
    character = await house.make(slug)
    assert await house.standing(character) == {}
    refused = await refusal(house.move(house.player, character, 1, by("endurance", -1)))
    assert [(code.lower(), path) for code, path in broken(refused)] == [("track_unknown", "moves.0.key")]
    unknown = await refusal(house.rest(house.player, character, 1, "long"))
    assert broken(unknown) == [("REST_UNKNOWN", "rest")]


async def test_the_graph_says_what_each_game_declares(house: House) -> None:
    found = (await house.ask(DECLARED))["systems"]
    declared = {each["slug"]: ([one["key"] for one in each["tracks"]], each["rests"]) for each in found}
    for slug, (tracks, rests) in declared.items():
        game = GAMES[slug].tracks
        assert tracks == [kind.key for kind in game.kinds]
        assert rests == [{"key": one.rest.key, "mostActions": one.most_actions} for one in game.rests]
