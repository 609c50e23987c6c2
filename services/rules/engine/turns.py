"""Rounds and turns: an order of actors, whose turn it is, who comes next, who joins and who leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from services.rules.engine.frozen import replace
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True)
class Rounds:
    """An order that is gone through again and again.

    Attributes:
        order: Everybody who has turns, in order.
        place: Whose turn it is, as a place in the order.
        round: Counted from 1.
    """

    order: tuple[ActorId, ...]
    place: int = 0
    round: int = 1

    @property
    def whose(self) -> str:
        """Whose turn it is; empty where nobody has turns."""
        return self.order[self.place] if self.order else ""

    def following(self, able: Callable[[str], bool]) -> Self:
        """The next turn of an actor who is able to take one; the same turn again where nobody else is.

        Args:
            able: Whether an actor takes turns just now.
        """
        count = len(self.order)
        for ahead in range(1, count + 1):
            place = (self.place + ahead) % count
            if able(self.order[place]):
                return replace(self, place=place, round=self.round + (self.place + ahead) // count)
        return self

    def with_actor(self, actor: str, place: int | None = None) -> Self:
        """The order with one more actor; whose turn it is stays so.

        Args:
            actor: Who joins.
            place: Where in the order; at its end where None.
        """
        at = len(self.order) if place is None else place
        order = (*self.order[:at], actor, *self.order[at:])
        moved = 1 if self.order and at <= self.place else 0
        return replace(self, order=order, place=self.place + moved)

    def without(self, actor: str) -> Self:
        """The order without an actor; where it was their turn, it is the next one's."""
        if actor not in self.order:
            return self
        at = self.order.index(actor)
        order = tuple(each for each in self.order if each != actor)
        if at < self.place:
            return replace(self, order=order, place=self.place - 1)
        if self.place == len(order):
            return replace(self, order=order, place=0, round=self.round + (at == self.place and bool(order)))
        return replace(self, order=order)

    def moved(self, actor: str, place: int) -> Self:
        """The order with an actor at another place, who waits or was held up; whose turn it is stays so."""
        whose = self.whose
        rest = [each for each in self.order if each != actor]
        order = (*rest[:place], actor, *rest[place:])
        return replace(self, order=order, place=order.index(whose))
