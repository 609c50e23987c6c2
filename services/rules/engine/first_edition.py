"""Games whose moves still name all their dice before the first of them falls: `check`, then `decide`.

Such a move is a rule of one step. `FirstEdition` makes it one, so that the driver needs to know of rules
alone.
"""

from __future__ import annotations

from typing import Any, Generic, cast

from services.rules.engine.bots import plain_answer
from services.rules.engine.play import EVERYONE, AnyPlay, Audience, Check, EventT, Faces, MoveT, StateT
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask, Refused, Steps, Turn


class FirstEdition(Generic[StateT, MoveT, EventT]):
    """What such a game has, and what it makes of it."""

    def check(self, state: StateT, move: MoveT) -> Check | Problems:
        """The dice a move takes, or every rule it breaks."""
        raise NotImplementedError

    def decide(self, state: StateT, move: MoveT, faces: Faces) -> tuple[EventT, ...] | Problems:
        """What happens when a move is made and its dice fall so; never empty."""
        raise NotImplementedError

    def rule(self, turn: Turn[StateT, EventT], move: MoveT) -> Steps:
        """The dice of the check, then what is decided."""
        check = self.check(turn.state, move)
        if isinstance(check, Problems):
            raise Refused(check)
        faces = yield from turn.roll(*check.rolls)
        events = self.decide(turn.state, move, faces)
        if isinstance(events, Problems):
            raise Refused(events)
        turn.happen(*events)

    def known_to(self, state: StateT, actor: str) -> Audience:
        """Everyone: the events of such a game carry their audience."""
        return EVERYONE

    def reply(self, state: StateT, ask: Ask) -> Any:
        """Nothing is asked in the middle of such a move."""
        return plain_answer(cast(AnyPlay, self), ask)
