"""Puts the use cases of scenes together."""

import secrets
from dataclasses import dataclass
from typing import Any

from services.campaign.scenes.chronicle import Chronicles
from services.campaign.scenes.clock import Timekeeper
from services.campaign.scenes.deletion import SceneDeletion
from services.campaign.scenes.feed import SceneFeed
from services.campaign.scenes.games import Games
from services.campaign.scenes.moves import Moves
from services.campaign.scenes.reader import SceneReader
from services.campaign.scenes.service import SceneService
from services.campaign.scenes.start import SceneStart
from services.shared.clock import SteadyClock
from services.shared.parts import Parts
from services.shared.peers import Peer
from services.shared.portraits import Portraits
from services.shared.reckoning import Reckoner


@dataclass(frozen=True, slots=True)
class SceneParts:
    """What the rest of the service has to do with.

    Attributes:
        service: all use cases.
        reader: those of looking at scenes.
        deletion: handles what other services tell of maps.
        timekeeper: lets questions lapse.
    """

    service: SceneService
    reader: SceneReader
    deletion: SceneDeletion
    timekeeper: Timekeeper


def scene_parts(
    parts: Parts,
    public_url: str,
    characters: Peer,
    dice: Peer,
    maps: Peer,
    games: Games,
    reckoner: Reckoner[Any],
) -> SceneParts:
    """Put them together; their questions are timed by a clock that nobody sets while the process lives.

    Args:
        parts: the common resources of the process.
        public_url: where the product is found, as ``https://table.example``.
        characters, dice, maps: the services that scenes ask.
        games: the games that can be played, by slug.
        reckoner: charges for what takes long, and has it done apart.
    """
    database, time = parts.database, SteadyClock(parts.clock)
    moves = Moves(database, time, dice, games, secrets.randbelow, reckoner)
    reader = SceneReader(database, moves, games, Portraits(characters), time.shown)
    deletion = SceneDeletion(database, parts.clock, games, moves)
    start = SceneStart(database, time, characters, maps, games)
    feed, chronicles = SceneFeed(reader, parts.wakes), Chronicles(reader)
    service = SceneService(games, start, moves, reader, chronicles, feed, deletion, public_url)
    timekeeper = Timekeeper(database, time, moves, games)
    database.after_commit.append(timekeeper.poke)
    return SceneParts(service, reader, deletion, timekeeper)
