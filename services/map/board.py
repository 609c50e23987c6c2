"""A map with what lies on it: the model and the state of play together, over the ground they make. Pure.

A map without cells has no ground, no fog and no sight; all else is the same for every kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from services.map.bounded import check_time
from services.map.generation.grid.model import Cell, Door, DoorState, GridMap
from services.map.generation.grid.secrets import for_players
from services.map.ground.at_hand import ground_at_hand
from services.map.ground.light import light_levels
from services.map.ground.model import DIRECTIONS, MapGround
from services.map.ground.sight import visible
from services.map.ground.walking import path, steps_of
from services.map.lazy import lazy
from services.map.play.apply import apply
from services.map.play.cells import Cells, known
from services.map.play.changes import Applied, Change, undo
from services.map.play.edits import Edit, MoveToken
from services.map.play.known_extent import within_known
from services.map.play.masked import as_played, found_doors, masked
from services.map.play.rights import Editor
from services.map.play.sight import explore, look_around, seen_along, seen_now, shining
from services.map.play.state import FogMode, MapState, Token, find
from services.map.play.view import view
from services.rules.engine.ground.kinds import Level
from services.rules.engine.problem import Problems

_DIRECTION = {step: index for index, step in enumerate(DIRECTIONS)}


@dataclass(frozen=True)
class Footing:
    """The ground of a grid map as play asks for it; see `services.map.play.movement.Ground`.

    Attributes:
        model: The map.
        ground: Its ground, the doors standing as they do.
    """

    model: GridMap
    ground: MapGround
    _doors: dict[str, Door] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._doors.update((door.id, door) for door in self.model.doors)

    def can_step(self, start: Cell, to: Cell, size: int) -> bool:
        """Whether a footprint can go to a neighbouring cell."""
        direction = _DIRECTION.get((to[0] - start[0], to[1] - start[1]))
        if direction is None or not self.ground.holds(start):
            return False
        return bool(steps_of(self.ground, size)[start[1], start[0], direction] > 0)

    def way(self, start: Cell, goal: Cell, size: int) -> tuple[Cell, ...] | None:
        """A shortest way of a footprint without its start; None when there is none."""
        last = start[0] + size - 1, start[1] + size - 1
        if not all(map(self.ground.holds, (start, last, goal))):
            return None
        return path(self.ground, start, goal, size=size)

    def door(self, id: str) -> Door | None:
        """The door of the map with this id."""
        return self._doors.get(id)


@dataclass(frozen=True)
class Board:
    """A map and the state of play on it.

    Attributes:
        model: The whole model.
        state: The whole state.
    """

    model: Any
    state: MapState

    @lazy
    def footing(self) -> Footing | None:
        """The ground, on a grid map."""
        if not isinstance(self.model, GridMap):
            return None
        return Footing(self.model, ground_at_hand(self.model, self.doors).ground)

    @property
    def doors(self) -> dict[str, DoorState]:
        """How doors stand that play has touched."""
        return {door.id: door.state for door in self.state.doors if door.state is not None}

    @lazy
    def levels(self) -> npt.NDArray[np.uint8]:
        """How bright each cell is, with all that shines."""
        lit = ground_at_hand(self._grid.model, self.doors)
        return light_levels(lit.ground, shining(self.state), lit.model.ambient, lit.levels)

    def edit(self, edit: Edit, editor: Editor, new_id: str) -> tuple[Board, Applied] | Problems:
        """Makes an edit, and lifts the fog from what is seen by it.

        Returns:
            The board after it, and what the edit itself changed, without what was explored by it; or every
            broken rule.
        """
        applied = apply(self.state, edit, editor, self.footing, new_id)
        if isinstance(applied, Problems):
            return applied if editor.gm else self._veiled(applied)
        after = Board(self.model, applied.state)
        return after._explored(edit, applied), applied

    def undone(self, changes: Iterable[Change]) -> Board | Problems:
        """The board without some changes."""
        state = undo(self.state, changes)
        return state if isinstance(state, Problems) else Board(self.model, state)

    def seen(self, viewer: Editor) -> MapState:
        """The state as a viewer may know it; players under fog know no more of the map's extent either."""
        if viewer.gm:
            return self.state
        if self.footing is None or self.state.fog.mode is not FogMode.FOGGED:
            return view(self.state, viewer, self.footing)
        now = seen_now(self.state, viewer, self.see, self.lit)
        shown = view(self.state, viewer, self.footing, now)
        return within_known(shown, self.footing.model, found_doors(self.state))

    def model_for(self, viewer: Editor, shown: MapState) -> GridMap:
        """A grid map's model as a viewer may know it, with doors and lights as they are now.

        Args:
            viewer: Who looks.
            shown: The state as they may know it: the torch of a token that they do not see would show where
                it stands.
        """
        played = as_played(self._grid.model, shown)
        if viewer.gm:
            return played
        found = found_doors(self.state)
        if self.state.fog.mode is FogMode.FOGGED:
            return masked(played, known(self.state, viewer.account), found)
        return for_players(played, found)

    @property
    def lit(self) -> Cells:
        """The cells with light in them."""
        lit: Cells = self.levels > Level.DARK
        return lit

    def see(self, x: int, y: int, radius: float) -> Cells:
        """The cells that can be seen from a cell."""
        ground = self._grid.ground
        check_time()
        if not ground.holds((x, y)):
            return np.zeros((ground.height, ground.width), np.bool_)
        return visible(ground, (x, y), int(radius))

    @property
    def _grid(self) -> Footing:
        if self.footing is None:
            raise ValueError("this map has no cells")
        return self.footing

    def _veiled(self, problems: Problems) -> Problems:
        """Broken rules without what they tell of how far a map under fog goes."""
        if self.state.fog.mode is not FogMode.FOGGED:
            return problems
        return Problems(
            tuple(replace(one, allowed=None) if one.code == "map_spot_outside" else one for one in problems)
        )

    def _explored(self, edit: Edit, applied: Applied) -> Board:
        if self.footing is None or self.state.fog.mode is not FogMode.FOGGED:
            return self
        if not isinstance(edit, MoveToken):
            return Board(self.model, look_around(self.state, self.see, self.lit).state)
        token = find(self.state, "tokens", applied.id)
        assert isinstance(token, Token)
        way = applied.way or ((int(token.at.x), int(token.at.y)),)
        cells = seen_along(token, way, self.state.extent, self.see, self.lit)
        return Board(self.model, explore(self.state, token, cells).state)
