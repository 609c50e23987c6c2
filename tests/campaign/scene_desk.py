"""A campaign service that plays a toy game, beside dice and characters that a test can steer."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql

from services.campaign.context import CampaignUseCases
from services.campaign.log import graphql as log_graph
from services.campaign.log.models import LogEntry
from services.campaign.log.service import LogService
from services.campaign.membership import graphql as membership_graph
from services.campaign.membership.models import Campaign, Member, Seat
from services.campaign.membership.repository import Campaigns
from services.campaign.membership.requests import CreateCampaign
from services.campaign.metadata.service import TableMetadata
from services.campaign.scenes import graphql as scenes_graph
from services.campaign.scenes.chronicle import Chronicles
from services.campaign.scenes.deletion import SceneDeletion
from services.campaign.scenes.feed import SceneFeed
from services.campaign.scenes.looks import Look, SeenMove
from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Moves, Performed
from services.campaign.scenes.reader import SceneReader
from services.campaign.scenes.requests import DeleteScene, PerformMove, PlayBot, StartScene, UndoMove
from services.campaign.scenes.service import SceneService
from services.campaign.scenes.start import SceneStart
from services.campaign.simulations.drawing import SimulationDrawing
from services.campaign.simulations.service import SimulationService
from services.campaign.tables import BAGS
from services.rules.engine.campaign import with_campaigns
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.graphql.features import compose
from services.shared.graphql.schema import HouseSchema
from services.shared.http_client import Answer
from services.shared.ids import new_id
from services.shared.jobs import Job
from services.shared.metadata.service import MetadataService
from services.shared.peers import PeerRefused, PeerUnavailable
from services.shared.portraits import Portraits
from services.shared.problems import Problem
from services.shared.reckoning import Reckoner
from services.shared.stream import Wakes
from tests.campaign.outcomes import outcome
from tests.campaign.table import Table

TOYS = Path(__file__).parents[1] / "toys"
SYSTEMS = with_campaigns(systems(TOYS))
DUEL = SYSTEMS["duel"]


def graph_of(games: Mapping[str, AnySystem]) -> HouseSchema:
    """Return the campaign service's subgraph with these games."""
    return compose(membership_graph.FEATURE, log_graph.FEATURE, scenes_graph.feature(games))


class Characters:
    """The character service, as far as the campaign service asks it.

    Attributes:
        portraits: those that an account may see, by character.
    """

    def __init__(self) -> None:
        self.portraits: dict[str, dict[str, bytes]] = {}
        self.known: dict[str, dict[str, str]] = {}
        self.sheets: dict[str, Any] = {}
        self.choices: dict[str, Any] = {}
        self.packs: list[dict[str, Any]] = []
        self.built_under: dict[str, list[dict[str, Any]]] = {}
        self.away = False

    async def get(self, viewer: Viewer, *segments: str, characters: str = "") -> Any:
        if self.away:
            raise PeerUnavailable("character", "ConnectError")
        if segments[0] == "portraits":
            seen = self.portraits.get(viewer.account, {})
            return {"portraits": {one: "1" for one in characters.split(",") if one in seen}}
        if segments[0] == "campaigns":
            return list(self.packs)
        if segments[2:3] == ("build",):
            return self._build(segments[1])
        return (self.sheets if segments[-1] == "sheet" else self.known).get(segments[1])

    async def fetch(self, viewer: Viewer, *segments: str, query: Mapping[str, Any], seconds: float) -> Answer:
        tag = f'"1-{query["size"]}.{query["format"]}"'
        return Answer(200, {"etag": tag}, self.portraits[viewer.account][segments[1]])

    def _build(self, character: str) -> Any:
        if character not in self.sheets:
            return None
        return {
            "sheet": self.sheets[character],
            "choices": self.choices.get(character),
            "packs": self.built_under.get(character, []),
        }

    def add(self, owner: Viewer, name: str) -> str:
        made, choices = new_id("chr"), DUEL.choices(name=name)
        sheet = DUEL.build(choices, DUEL.content)
        self.choices[made] = DUEL.choices_codec.dump(choices)
        self.known[made] = {"id": made, "owner": owner.account, "name": name, "system": "duel"}
        self.sheets[made] = DUEL.sheet_codec.dump(sheet)
        return made


class Maps:
    """The map service, as far as the campaign service asks it: maps with cells, as their game master."""

    def __init__(self) -> None:
        self.sites: dict[str, Any] = {}

    async def get(self, _viewer: Viewer, *segments: str) -> Any:
        return self.sites.get(segments[1])


class Dice:
    """The dice service, as far as the campaign service asks it: one fall for each key.

    Attributes:
        loaded: faces to fall next, a roll each; when there are none left, they follow from the key.
        asked: every request, in order.
        drawn: what fell, by key.
        away: whether nobody answers; ``lost`` whether the dice fall, but the answer is lost.
        refusing: what it refuses with, if anything.
    """

    name = "dice"

    def __init__(self) -> None:
        self.loaded: list[list[int]] = []
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.drawn: dict[str, tuple[Any, dict[str, Any]]] = {}
        self.away = self.lost = False
        self.refusing: PeerRefused | None = None

    async def post(self, viewer: Viewer, *segments: str, body: dict[str, Any]) -> Any:
        assert segments[0] == "scenes" and segments[2] == "draws"
        self.asked.append((viewer.account, body))
        if self.away:
            raise PeerUnavailable("dice", "ConnectError")
        if self.refusing is not None:
            raise self.refusing
        key = body["key"]
        if key not in self.drawn:
            rolls = [self._fall(key, place, roll) for place, roll in enumerate(body["rolls"])]
            self.drawn[key] = (body["rolls"], {"rolls": rolls})
        known, answer = self.drawn[key]
        if known != body["rolls"]:
            raise PeerRefused("dice", 409, "IDEMPOTENCY_CONFLICT", "other rolls")
        if self.lost:
            raise PeerUnavailable("dice", "ReadTimeout")
        return answer

    def _fall(self, key: str, place: int, roll: dict[str, Any]) -> dict[str, Any]:
        number, _, kind = roll["expression"].partition("d")
        # A game's own die has at least six faces.
        count, sides = int(number), int(kind) if kind.isdigit() else 6
        noise = sha256(f"{key}/{place}".encode()).digest()
        faces = self.loaded.pop(0) if self.loaded else [noise[n] % sides + 1 for n in range(count)]
        assert len(faces) == count
        return {"id": new_id("rol"), "faces": faces, "secret": roll["secret"]}


class Clock:
    """The time of day, which a test may set.

    Attributes:
        ahead: how far it is ahead of the system's clock.
    """

    def __init__(self) -> None:
        self.ahead = timedelta()
        self._stopped: datetime | None = None

    def __call__(self) -> datetime:
        return (self._stopped or system_clock()) + self.ahead

    def stop(self) -> None:
        """Stand still from now on: only `ahead` moves it, however slow the machine is."""
        self._stopped = system_clock()


def first(_count: int) -> int:
    """Choose the first of so many."""
    return 0


class Desk:
    """A table with a GM, two players with a hero each, and somebody who watches."""

    gm: Viewer
    anna: Viewer
    ben: Viewer
    watcher: Viewer
    hero: str
    other: str
    campaign: str
    scene: str

    def __init__(self, database: Database) -> None:
        self.database = database
        self.characters, self.dice, self.maps = Characters(), Dice(), Maps()
        self.clock = Clock()
        self.play(SYSTEMS)

    def play(self, systems: Mapping[str, AnySystem]) -> None:
        """Play these games from here on, as a process does that has just started."""
        self.systems = systems
        self.table = Table(self.database, system_clock, self.characters, systems)
        self.campaigns = self.table.campaigns
        self.starting = SceneStart(self.database, self.clock, self.characters, self.maps, systems)
        self.moving = Moves(self.database, self.clock, self.dice, systems, first)
        self.reader = SceneReader(self.database, self.moving, systems, Portraits(self.characters))
        self.deleting = SceneDeletion(self.database, self.clock, systems, self.moving)

    def use_cases(self, wakes: Wakes) -> CampaignUseCases:
        """Return all that the service can do, as its resolvers are handed it."""
        feed = SceneFeed(self.reader, wakes)
        simulations = self.simulations(wakes)
        scenes = SceneService(
            self.systems,
            self.starting,
            self.moving,
            self.reader,
            Chronicles(self.reader),
            feed,
            self.deleting,
            "https://table.example",
        )
        return CampaignUseCases(
            self.campaigns,
            self.table.invitations,
            self.table.members,
            self.table.succession,
            self.table.seats,
            LogService(self.database, system_clock, wakes),
            scenes,
            simulations,
            SimulationDrawing(simulations, Reckoner(self.systems)),
            TableMetadata(MetadataService(self.database, system_clock, BAGS)),
        )

    def simulations(self, wakes: Wakes) -> SimulationService:
        """Return the use cases of simulations; the messages of their jobs are lost."""

        async def lose(_job: Job) -> None:
            """Send nothing."""

        reckoner = Reckoner(self.systems)
        peers = self.characters, self.maps
        return SimulationService(self.database, self.clock, self.systems, *peers, reckoner, wakes, lose)

    async def open(self) -> None:
        """Found the campaign and seat everybody."""
        self.gm, self.anna, self.ben, self.watcher = (somebody() for _ in range(4))
        self.campaign = (await self.campaigns.create(self.gm, CreateCampaign("The Yard"))).id
        moment = system_clock()
        async with self.database.write() as session:
            campaigns = Campaigns(session)
            for who, role in (
                (self.anna, Role.PLAYER),
                (self.ben, Role.PLAYER),
                (self.watcher, Role.SPECTATOR),
            ):
                campaigns.add(
                    Member(campaign=self.campaign, account=who.account, role=role, joined_at=moment)
                )
            self.hero, self.other = (
                self.characters.add(who, name) for who, name in ((self.anna, "Anna"), (self.ben, "Ben"))
            )
            for who, hero in ((self.anna, self.hero), (self.ben, self.other)):
                campaigns.add(
                    Seat(character=hero, campaign=self.campaign, account=who.account, seated_at=moment)
                )

    async def seat(self, who: Viewer, name: str) -> str:
        hero = self.characters.add(who, name)
        assert isinstance(await self.table.seat(who, self.campaign, hero), Campaign)
        return hero

    def new(self, *, setup: Any = "yard", **changes: Any) -> StartScene:
        """Return a scene to be started: a yard with one rival, or as changed.

        Args:
            setup: the name of a setup, or the form of one.
            changes: other members of the request.
        """
        asked: dict[str, Any] = {
            "campaign_id": self.campaign,
            "system": "duel",
            "setup_name" if isinstance(setup, str) else "setup": setup,
            "characters": (self.hero, self.other),
        }
        return StartScene(**asked | changes)

    async def begin(self, who: Viewer, key: str | None = None, **changes: Any) -> Scene | Problem:
        """Start a scene as a viewer would."""
        return await outcome(self.starting.start(who, self.new(**changes), key))

    async def start(self, key: str | None = None, **changes: Any) -> Scene:
        made = await self.starting.start(self.gm, self.new(**changes), key)
        self.scene = made.id
        return made

    def wanted(
        self, kind: str, actor: str, /, *, seq: int = 0, entropy: str | None = None, **fields: Any
    ) -> PerformMove:
        """Return a move to be made."""
        form = {"kind": kind, "actor": actor, **fields}
        return PerformMove(scene_id=self.scene, expected_seq=seq, move=form, entropy=entropy)

    async def perform(self, who: Viewer, asked: PerformMove, key: str | None = None) -> Performed | Problem:
        """Make a move that was spelled out."""
        return await outcome(self.moving.perform(who, asked, key))

    async def move(
        self, who: Viewer, kind: str, actor: str, /, *, key: str | None = None, **fields: Any
    ) -> Performed | Problem:
        """Make a move from the newest public number, unless ``seq`` says otherwise."""
        if "seq" not in fields:
            fields["seq"] = (await self.row()).seq
        return await self.perform(who, self.wanted(kind, actor, **fields), key)

    async def bot(
        self, who: Viewer, actor: str, seq: int, bot: str | None = None, key: str | None = None
    ) -> Performed | Problem:
        """Have a bot make a move."""
        asked = PlayBot(scene_id=self.scene, expected_seq=seq, actor=actor, bot=bot)
        return await outcome(self.moving.play_bot(who, asked, key))

    async def undo(self, who: Viewer, scene: str, seq: int, key: str | None = None) -> Performed | Problem:
        """Take back the last move of a scene that still stands."""
        asked = UndoMove(scene_id=scene, expected_seq=seq)
        return await outcome(self.moving.undo(who, asked, key))

    async def delete(self, who: Viewer, scene: str, key: str | None = None) -> str | Problem:
        """Delete a scene."""
        return await outcome(self.deleting.delete(who, DeleteScene(scene), key))

    async def made(self, who: Viewer, kind: str, actor: str, /, **fields: Any) -> Performed:
        """Make a move that must succeed."""
        answer = await self.move(who, kind, actor, **fields)
        assert isinstance(answer, Performed), answer
        return answer

    async def strike(self, attack: list[int], guard: list[int]) -> Performed:
        """Have Anna strike at the first rival, who stands, with these faces."""
        await self.made(self.anna, "Strike", self.hero, target="rival-1")
        self.dice.loaded += [attack, guard]
        return await self.made(self.gm, "Answer", "rival-1", flinch=False)

    async def row(self) -> Scene:
        """Read what is kept of the scene."""
        async with self.database.read() as session:
            found = await session.get(Scene, self.scene)
        assert found is not None
        return found

    async def look(self, who: Viewer) -> Look:
        """Look at the scene as somebody does."""
        return (await self.reader.scenes(who, [self.scene]))[self.scene]

    async def moves(self, who: Viewer) -> list[SeenMove]:
        """Read all moves as somebody may know them."""
        return await self.reader.moves(who, self.scene)

    async def log(self) -> list[LogEntry]:
        return await self.table.log.read(self.gm, self.campaign, limit=100)

    async def events(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Read kind, topic and payload of everything that was published."""
        return await published(self.database)


async def published(database: Database) -> list[tuple[str, str, dict[str, Any]]]:
    """Read kind, topic and payload of everything that a campaign service's database has published."""
    async with database.read() as session:
        rows = (await session.execute(sql("SELECT kind, topic, payload FROM outbox ORDER BY id"))).all()
    return [(kind, topic, json.loads(payload)) for kind, topic, payload in rows]


def somebody() -> Viewer:
    """Give a fresh account."""
    return Viewer(new_id("acc"), frozenset({"read", "write"}))


def look_only_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have those who follow something wait for its signal alone: what they hear in a test, a signal told."""
    for module in ("services.shared.stream", "services.campaign.scenes.feed"):
        monkeypatch.setattr(f"{module}.POLL_SECONDS", 600.0)
