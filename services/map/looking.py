"""What one viewer sees of one map: its seed, its model and the state of play, as they may know them."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from services.map.board import Board
from services.map.generation.grid.model import GridMap
from services.map.lazy import lazy
from services.map.models import MapRow
from services.map.play.known_extent import cut_to
from services.map.play.rights import Editor
from services.map.play.state import STATE_CODEC, Fog, FogMode, MapState
from services.map.play.view import etag
from services.map.questions import Questions
from services.map.registry import KINDS
from services.shared.recent import Recent

MODELS: Recent[str, tuple[str, Any]] = Recent(128 * 2**20)
"""The models of maps by id, each beside the text it was read from: another text is another model."""

_LOOKS: Recent[tuple[str, Editor], "Seen"] = Recent(128 * 2**20)

LOADING = 10e-6
"""Milliseconds a byte of a map to read it from the database."""

_BYTES_A_BYTE = 6
"""How much more room a model takes than its text."""


@dataclass(frozen=True)
class Seen:
    """What a viewer sees of a map as it stands in its row; worked out when it is asked for.

    Attributes:
        row: the map.
        viewer: who looks.
        basis: what of the row all of it comes from.
    """

    row: MapRow
    viewer: Editor
    basis: tuple[str | None, ...]

    @lazy
    def board(self) -> Board:
        """The map with all that lies on it."""
        return board_of(self.row)

    @lazy
    def state(self) -> MapState:
        """The state of play as the viewer may know it."""
        return self.board.seen(self.viewer)

    @lazy
    def revision(self) -> str:
        """The version of what this viewer sees: of what lies on the map and, where it grows, of the map
        itself and of who leads it."""
        lying = etag(self.state)
        kind = KINDS[self.row.kind]
        if kind.growth is None:
            return lying
        file: bytes = kind.filed.to_bytes(self.model)
        leader = (self.row.scene or "").encode()
        return sha256(lying.encode() + file + leader).hexdigest()[: len(lying)]

    @lazy
    def model(self) -> Any:
        """The model as the viewer may know it; that of a grid map with doors and lights as they are now."""
        whole = self.board.model
        if isinstance(whole, GridMap):
            return self.board.model_for(self.viewer, self.state)
        return whole if self.viewer.gm else KINDS[self.row.kind].filed.for_players(whole)

    @lazy
    def drawn(self) -> Any:
        """What pictures and exports for the viewer are of: the model, cut to the extent that they know."""
        if isinstance(self.model, GridMap):
            return cut_to(self.model, self.state.extent)
        return self.model

    @lazy
    def questions(self) -> Questions:
        """What answers questions about a grid map as the viewer may know it."""
        return Questions(self.model)

    def with_board(self, board: Board) -> "Seen":
        """Return what the viewer would see of the map if this lay on it."""
        seen = Seen(self.row, self.viewer, self.basis)
        seen.__dict__["board"] = board
        return seen


@dataclass(frozen=True)
class Look:
    """A map as somebody sees it. What costs time is worked out when it is asked for.

    Attributes:
        row: the map.
        viewer: who looks, and what they are at its table.
    """

    row: MapRow
    viewer: Editor

    @lazy
    def loading(self) -> float:
        """Milliseconds that its row took to be read from the database, however often it is asked."""
        return LOADING * (len(self.row.model) + len(self.row.state or ""))

    @property
    def whole(self) -> bool:
        """Whether they see what only game masters know as well."""
        return self.viewer.gm

    @property
    def unveiled(self) -> bool:
        """Whether there is nothing about the map itself that this viewer must not know."""
        return self.whole or not KINDS[self.row.kind].secretive

    @property
    def seed(self) -> str:
        """The seed; empty where it would tell what is secret."""
        return self.row.seed if self.unveiled else ""

    @lazy
    def seen(self) -> Seen:
        """All that costs time; the same as lately, where nothing has changed since."""
        row = self.row
        basis = (row.kind, row.model, row.state, row.sharing, row.scene)
        known = _LOOKS.get((row.id, self.viewer))
        if known is not None and known.basis == basis:
            return known
        # Apart from the row itself, which an edit goes on to change.
        seen = Seen(MapRow(**{name: getattr(row, name) for name in _BASIS}), self.viewer, basis)
        size = _BYTES_A_BYTE * (len(row.model) + len(row.state or ""))
        _LOOKS.put((row.id, self.viewer), seen, size)
        return seen

    @property
    def board(self) -> Board:
        """The map with all that lies on it."""
        return self.seen.board

    @property
    def state(self) -> MapState:
        """The state of play as the viewer may know it."""
        return self.seen.state

    @property
    def revision(self) -> str:
        """The version of what this viewer sees; see there."""
        return self.seen.revision

    @property
    def model(self) -> Any:
        """The model as the viewer may know it; that of a grid map with doors and lights as they are now."""
        return self.seen.model

    @property
    def drawn(self) -> Any:
        """What pictures and exports for the viewer are of; see there."""
        return self.seen.drawn

    @property
    def questions(self) -> Questions:
        """What answers questions about a grid map as the viewer may know it."""
        return self.seen.questions


_BASIS = ("id", "kind", "model", "state", "sharing", "scene")


def board_of(row: MapRow) -> Board:
    """Read a map with its state of play; that of a map nobody has touched begins with how it is shared."""
    model = model_of(row)
    if row.state is not None:
        return Board(model, STATE_CODEC.load(orjson.loads(row.state)))
    return Board(model, MapState(KINDS[row.kind].extent(model), Fog(FogMode(row.sharing))))


def model_at_hand(row: MapRow) -> Any | None:
    """Returns the model of a map if it was read lately."""
    known = MODELS.get(row.id)
    return known[1] if known is not None and known[0] == row.model else None


def model_of(row: MapRow) -> Any:
    """Returns the model of a map, read only when it is not at hand."""
    known = model_at_hand(row)
    if known is not None:
        return known
    model = KINDS[row.kind].filed.from_data(orjson.loads(row.model))
    MODELS.put(row.id, (row.model, model), _BYTES_A_BYTE * len(row.model))
    return model
