"""What one viewer sees of one map: its seed, its model and the state of play, as they may know them."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import orjson

from services.map.board import Board
from services.map.filed import extent_of, filed
from services.map.generation.grid.model import GridMap
from services.map.growth import grows
from services.map.models import MapRow
from services.map.play.rights import Editor
from services.map.play.state import STATE_CODEC, Fog, FogMode, MapState
from services.map.play.view import etag
from services.map.questions import Questions


@dataclass(frozen=True)
class Look:
    """A map as somebody sees it. What costs time is worked out when it is asked for.

    Attributes:
        row: the map.
        viewer: who looks, and what they are at its table.
    """

    row: MapRow
    viewer: Editor

    @property
    def whole(self) -> bool:
        """Whether they see what only game masters know as well."""
        return self.viewer.gm

    @property
    def unveiled(self) -> bool:
        """Whether there is nothing about the map itself that this viewer must not know."""
        return self.whole or not filed(self.row.kind).secretive

    @property
    def seed(self) -> str:
        """The seed; empty where it would tell what is secret."""
        return self.row.seed if self.unveiled else ""

    @cached_property
    def board(self) -> Board:
        """The map with all that lies on it."""
        return board_of(self.row)

    @cached_property
    def state(self) -> MapState:
        """The state of play as the viewer may know it."""
        return self.board.seen(self.viewer)

    @cached_property
    def revision(self) -> str:
        """The version of what this viewer sees: of what lies on the map and, where it grows, of the map
        itself and of who leads it."""
        lying = etag(self.state)
        if not grows(self.board.model):
            return lying
        file: bytes = filed(self.row.kind).to_bytes(self.model)
        leader = (self.row.scene or "").encode()
        return sha256(lying.encode() + file + leader).hexdigest()[: len(lying)]

    @cached_property
    def model(self) -> Any:
        """The model as the viewer may know it; that of a grid map with doors and lights as they are now."""
        whole = self.board.model
        if isinstance(whole, GridMap):
            return self.board.model_for(self.viewer, self.state)
        return whole if self.whole else filed(self.row.kind).for_players(whole)

    @cached_property
    def questions(self) -> Questions:
        """What answers questions about a grid map as the viewer may know it."""
        return Questions(self.model)


def board_of(row: MapRow) -> Board:
    """Read a map with its state of play; that of a map nobody has touched begins with how it is shared."""
    model = filed(row.kind).from_data(orjson.loads(row.model))
    if row.state is not None:
        return Board(model, STATE_CODEC.load(orjson.loads(row.state)))
    return Board(model, MapState(extent_of(model), Fog(FogMode(row.sharing))))
