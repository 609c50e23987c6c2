"""Rolls that may come to nothing: what fell before is told all the same.

Dice that divide by zero mean nothing, but they have fallen. Whoever could make a roll vanish by writing it so
that its misses fail would hide them; a void therefore keeps its faces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from services.rules.dice.failure import RollError
from services.rules.dice.pool import Expression, Node
from services.rules.dice.result import NodeResult, RollResult
from services.rules.dice.roll import Mechanics, Plan, plan
from services.rules.dice.stream import FaceStream, ListStream
from services.rules.dice.walk import children

Draws = Sequence[tuple[int, int]]
"""Faces of the die, and the face, of each draw in order."""


def cast(ready: Plan, fresh: Callable[[], FaceStream], mechanics: Mechanics | None = None) -> RollResult:
    """Rolls an expression; where the dice come to nothing, returns a void with the dice that fell until then.

    Args:
        ready: What is rolled.
        fresh: Returns the stream from its first face on; asked a second time of a void.
        mechanics: The games' own rolls by name.

    Raises:
        StreamError: The stream has too few faces, or a wrong one.
    """
    try:
        return ready.roll(fresh())
    except RollError as error:
        code = error.code
    noting = _Noting(fresh())
    with suppress(RollError):
        ready.roll(noting)
    node = ready.expression.node
    parts = tuple(_fallen(node, noting.draws, mechanics or {}))
    return RollResult(ready.expression, NodeResult(node, 0, parts=parts), code)


class _Noting:
    """A stream that remembers what it gave."""

    __slots__ = ("_stream", "draws")

    def __init__(self, stream: FaceStream) -> None:
        self._stream = stream
        self.draws: list[tuple[int, int]] = []

    def draw(self, n: int) -> int:
        face = self._stream.draw(n)
        self.draws.append((n, face))
        return face

    def draw_many(self, n: int, count: int) -> list[int]:
        faces = self._stream.draw_many(n, count)
        self.draws += [(n, face) for face in faces]
        return faces


def _fallen(node: Node, draws: Draws, mechanics: Mechanics) -> list[NodeResult]:
    """The largest parts of a node that came to something, and the dice of the one that did not."""
    stream = ListStream(face for _, face in draws)
    try:
        return [plan(Expression(node), mechanics).step(stream)]
    except RollError:
        pass
    found: list[NodeResult] = []
    for child in children(node):
        rest = ListStream(face for _, face in draws)
        try:
            found.append(plan(Expression(child), mechanics).step(rest))
        except RollError:
            return [*found, *_fallen(child, draws, mechanics)]
        draws = draws[len(draws) - rest.left :]
    if draws:
        found.append(NodeResult(node, 0, sides=draws[0][0], drawn=[face for _, face in draws]))
    return found
