"""A long campaign of Fortunate Blades that bots play on the rules alone: are its last quests as fast as its
first?
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import orjson

from infra.benchmarks.harness.cases import BenchFailure, Case
from services.rules.engine.driver import scripted
from services.rules.engine.play import Viewer
from services.rules.engine.position import Position, Taken
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, played

QUESTS, COMPARED = 50, 5
"""Quests of the campaign, and how many of its first and of its last are compared."""
SEED = 5
TIMES = 3
"""How often each move is made and each view is taken; the fastest counts."""

Made = Sequence[tuple[Position, Taken]]


def campaign_cases(quests: int = QUESTS, compared: int = COMPARED) -> Iterator[Case]:
    """Tell how large a long campaign's state and a player's view of it are, and how long a move and a look
    take: in its last quests, beside its first. What ends a quest belongs to it.
    """
    made = played(SEED, quests).made
    first = [each for each in made if each[0].state.quests_ended < compared]
    last = [each for each in made if quests - compared <= each[0].state.quests_ended < quests]
    name = f"of a campaign of {quests} quests, its last {compared}"
    for what, unit, figure in (
        ("state", "bytes", _state_bytes),
        ("a player's view", "bytes", _view_bytes),
        ("a move", "ms", _move_ms),
        ("a look of a player's", "ms", _view_ms),
    ):
        yield Case(
            f"{what} {name}",
            median(figure(*each) for each in last),
            unit,
            against=median(figure(*each) for each in first),
            against_name=f"its first {compared}",
            more={"measured": len(last), "moves": len(made)},
            less_is_better=True,
        )


def _player(at: Position) -> Viewer:
    return Viewer(actors=frozenset({at.state.heroes[0].id}))


def _state_bytes(_before: Position, taken: Taken) -> float:
    return len(orjson.dumps(CAMPAIGNS.state_codec.dump(taken.position.state)))


def _view_bytes(before: Position, taken: Taken) -> float:
    return len(orjson.dumps(_looked(taken.position, _player(before))))


def _looked(at: Position, viewer: Viewer) -> list[Any]:
    """What a player gets of a campaign: the state and the card's actors."""
    view = CAMPAIGNS.view(at.state, viewer)
    card = CAMPAIGNS.card(view)
    return [CAMPAIGNS.state_codec.dump(view), [[each.id, each.name, each.conditions] for each in card.actors]]


def _move_ms(before: Position, taken: Taken) -> float:
    """Make a move again with the same faces, and write its state and changes down."""

    def make() -> None:
        at = replace(before)
        again = at.take(taken.move, 1, scripted(taken.faces))
        if not isinstance(again, Taken):
            raise BenchFailure(f"a move is refused when it is made again: {again}")
        again.position.form()
        CAMPAIGNS.changes(again.position.state)

    return _fastest(make)


def _view_ms(_before: Position, taken: Taken) -> float:
    at = taken.position
    viewer = _player(at)
    return _fastest(lambda: (_looked(at, viewer), CAMPAIGNS.legal(at.state, at.state.heroes[0].id)))


def _fastest(work: Any) -> float:
    """Milliseconds of this process for a piece of work, at best."""
    took = []
    for _ in range(TIMES):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took) * 1000
