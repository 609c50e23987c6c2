"""What can be done with scenes; each use case has a module of its own."""

from dataclasses import dataclass

from services.campaign.scenes.chronicle import Chronicles
from services.campaign.scenes.deletion import SceneDeletion
from services.campaign.scenes.feed import SceneFeed
from services.campaign.scenes.games import Games
from services.campaign.scenes.moves import Moves
from services.campaign.scenes.reader import SceneReader
from services.campaign.scenes.start import SceneStart


@dataclass(frozen=True, slots=True)
class SceneService:
    """The use cases of scenes.

    Attributes:
        games: the games that can be played, by slug.
        start: their beginning.
        moves: making moves, and taking them back.
        reader: where they stand, and what happened.
        chronicles: what their campaigns tell of their story.
        feed: what happens.
        deletion: their end, without a trace.
        public_url: address that clients use, without a slash at its end.
    """

    games: Games
    start: SceneStart
    moves: Moves
    reader: SceneReader
    chronicles: Chronicles
    feed: SceneFeed
    deletion: SceneDeletion
    public_url: str

    def board_url(self, scene: str) -> str:
        """Return where clients find the picture of a scene."""
        return f"{self.public_url}/v1/scenes/{scene}/board.svg"
