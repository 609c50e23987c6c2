"""Looking at maps: each step is estimated, charged for, and only then done, in a thread, in one's turn.

The steps build on each other: reading a map, making its ground, finding out what a viewer may know. What is
at hand from the last time costs nothing. A piece of work ends when it has taken its time, whatever was
estimated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from services.map import weighing
from services.map.board import Board
from services.map.bounded import TooLong, within_time
from services.map.generation.grid.model import GridMap
from services.map.looking import Look
from services.map.play.edits import EDITS, Edit
from services.map.play.state import FogMode, MapState
from services.shared.auth import Viewer
from services.shared.limits.meter import Meter, points_for
from services.shared.limits.turns import Crowded, Turns
from services.shared.problems import PublicError

T = TypeVar("T")

PLACES = 2
"""Pieces of work at once: threads beyond the processors make none of them faster."""

WAITING, WAITING_EACH = 4_096, 1_024

FREE = 1.0
"""Milliseconds that the price of the field itself pays for."""

REVISING = 20e-6
"""Milliseconds a byte to tell one state of play from another."""


class Charging:
    """Does the work of looking at maps for those who pay for it.

    Args:
        meter: charges accounts.

    Whatever it is asked for, it raises ``LimitReached`` where the viewer cannot pay for it, and a
    ``PublicError`` where it took too long or too many wait.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._turns = Turns(PLACES, waiting=WAITING, waiting_each=WAITING_EACH, name="looking")

    async def run(self, viewer: Viewer, milliseconds: float, work: Callable[[], T]) -> T:
        """Does some work in a thread.

        Args:
            viewer: who pays.
            milliseconds: processor time that it is estimated to take.
            work: what is done; it calls `bounded.check_time` between its steps.
        """
        if milliseconds > FREE:
            await self._meter.charge(viewer, points_for(milliseconds))
        try:
            async with self._turns.place(viewer.account):
                return await in_time(work)
        except Crowded:
            raise PublicError("UNAVAILABLE", "Too many are looking at maps just now; try again.") from None

    async def charge(self, viewer: Viewer, milliseconds: float) -> None:
        """Charges for work that is done elsewhere, or by the graph itself."""
        if milliseconds > FREE:
            await self._meter.charge(viewer, points_for(milliseconds))

    async def part(self, viewer: Viewer, holder: object, name: str, weigh: Callable[[], float]) -> Any:
        """Returns a lazy attribute; what is at hand costs nothing.

        Args:
            viewer: who pays.
            holder: whose attribute.
            name: of the attribute.
            weigh: estimates the milliseconds that working it out takes.
        """
        if name in holder.__dict__:
            return getattr(holder, name)
        return await self.run(viewer, weigh(), lambda: getattr(holder, name))

    async def read(self, viewer: Viewer, look: Look) -> None:
        """Has a map read, and the ground of a grid map made."""
        if "loading" not in look.__dict__:  # once a request, however many of its fields need the map
            await self.charge(viewer, look.loading)
        board: Board = await self.part(viewer, look.seen, "board", lambda: weighing.reading(look))
        model = board.model
        if isinstance(model, GridMap):
            await self.part(viewer, board, "footing", lambda: weighing.grounding(model, board.doors))

    async def state(self, viewer: Viewer, look: Look) -> MapState:
        """Returns the state of play as the viewer may know it."""
        await self.read(viewer, look)
        state: MapState = await self.part(viewer, look.seen, "state", lambda: weighing.seeing(look.seen))
        return state

    async def model(self, viewer: Viewer, look: Look) -> Any:
        """Returns the model as the viewer may know it."""
        await self.state(viewer, look)
        return await self.part(viewer, look.seen, "model", lambda: weighing.showing(look.seen))

    async def revision(self, viewer: Viewer, look: Look) -> str:
        """Returns the version of what the viewer sees."""
        await self.state(viewer, look)
        size = len(look.row.state or "")
        revision: str = await self.part(viewer, look.seen, "revision", lambda: REVISING * size)
        return revision

    async def edit(self, viewer: Viewer, look: Look, edit: object) -> None:
        """Charges for an edit, and has at hand what it needs."""
        await self.read(viewer, look)
        if isinstance(edit, EDITS):
            board = look.board
            if board.footing is not None and board.state.fog.mode is FogMode.FOGGED:
                wanted: Edit = edit
                await self.charge(viewer, weighing.editing(board, wanted))


async def in_time(work: Callable[[], T]) -> T:
    """Does some work in a thread, out of turn, until its time is used up.

    Raises:
        PublicError: it was stopped.
    """
    try:
        return await asyncio.to_thread(within_time, work)
    except TooLong:
        raise PublicError("QUERY_TOO_EXPENSIVE", "This is too much work.") from None
