"""What simulations measure of a duel."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.figures import Amount, Figure, FigureKind

from .facts import DuelEvent, Struck
from .state import DuelState

figures = (
    Figure(
        key="nerve",
        name="Nerve left",
        unit="Nerve",
        text="Nerve at the end; 0 for the fallen.",
        by_round=True,
    ),
    Figure(
        key="standing",
        name="Standing",
        unit="runs",
        text="Whether the duellist stands.",
        kind=FigureKind.SHARE,
        by_round=True,
    ),
    Figure(key="hits", name="Hits", unit="hits", text="Strikes that hit."),
)


def measure(state: DuelState) -> Iterator[Amount]:
    """How every duellist stands."""
    for duellist in state.duellists:
        yield Amount("nerve", duellist.id, duellist.nerve)
        yield Amount("standing", duellist.id, int(duellist.nerve > 0))


def count(_state: DuelState, event: DuelEvent) -> Iterator[Amount]:
    """What an event adds."""
    if isinstance(event, Struck) and event.hit:
        yield Amount("hits", event.striker, 1)
