"""What clients send and get in a game's own JSON form, and what is wrong with it in the words of the API."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import orjson

from services.rules.engine.codec import Codec, CodecError
from services.rules.engine.forms import field_hint, published
from services.rules.engine.play import AnyPlay, LegalMove, MoveField
from services.rules.engine.problem import RuleProblem
from services.rules.engine.spelling import PUBLISHED
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import camel, finding, unwritable

MAX_BYTES = 64 * 1024
MAX_ISSUES = 100
MAX_TEXT = 4_000
"""Characters of one text in a move or a setup."""


@dataclass(frozen=True, slots=True)
class Form:
    """A move or a setup in its JSON form, without the envelope.

    Attributes:
        data: as ``json.loads`` gives it.
        path: where it stood in the request.
    """

    data: Any
    path: tuple[str, ...]

    def issue(self, problem: RuleProblem) -> Issue:
        """Return a broken rule; its path continues the form's own."""
        return Issue(
            code=problem.code,
            message=problem.message,
            path=[*self.path, *(camel(str(step)) for step in problem.path)],
            rule=problem.rule,
            found=finding(problem.found),
            allowed=finding(problem.allowed),
        )

    def issues(self, problems: Iterable[RuleProblem]) -> list[Issue]:
        """Return broken rules, as many as are fit to be told."""
        return [self.issue(problem) for problem in list(problems)[:MAX_ISSUES]]

    def faults(self) -> list[Issue]:
        """Return why it cannot be written down at all, whatever it stands for."""
        path = list(self.path)
        try:
            size = len(orjson.dumps(self.data))
        except orjson.JSONEncodeError as error:
            return [Issue("UNWRITABLE", f"This cannot be written down: {error}.", path)]
        if size > MAX_BYTES:
            message = f"This fits into {MAX_BYTES:,} bytes."
            return [Issue("TOO_LARGE", message, path, found=str(size), allowed=str(MAX_BYTES))]
        return [*unwritable(self.data, path), *_oversized(self.data, path)][:MAX_ISSUES]

    def read(self, codec: Codec[Any]) -> Any:
        """Return what it stands for.

        Raises:
            InvalidInput: it is malformed.
        """
        try:
            return codec.read(self.data, PUBLISHED)
        except CodecError as error:
            raise InvalidInput([self.issue(error.problem())]) from error


def as_published(play: AnyPlay, moves: Iterable[LegalMove]) -> tuple[LegalMove, ...]:
    """Return legal moves whose JSON forms, and what fills their fields, are spelled as clients send them."""
    kind = play.move_codec.type
    return tuple(
        replace(
            offer,
            move=published(kind, offer.move),
            fields=tuple(_published_field(kind, offer, field) for field in offer.fields),
            chances=tuple(offer.chances),
        )
        for offer in moves
    )


def _published_field(kind: Any, offer: LegalMove, field: MoveField) -> MoveField:
    steps = field.name.split(".")
    hint = field_hint(kind, offer.move, steps)
    choices = tuple(replace(one, value=published(hint, one.value)) for one in field.choices)
    return replace(field, name=PUBLISHED.path(steps), choices=choices)


def _oversized(value: Any, path: list[str]) -> Iterator[Issue]:
    """Find whole numbers that the graph could not show, and texts that are too long to be read."""
    match value:
        case bool():
            return
        case int() if not -(2**31) <= value < 2**31:
            yield Issue(
                code="OUT_OF_RANGE",
                message="A number must fit into 32 bits.",
                path=path,
                found=finding(value),
                allowed=f"{-(2**31)}..{2**31 - 1}",
            )
        case str() if len(value) > MAX_TEXT:
            yield Issue(
                code="LENGTH",
                message=f"At most {MAX_TEXT:,} characters fit.",
                path=path,
                found=str(len(value)),
                allowed=f"0..{MAX_TEXT}",
            )
        case list():
            for place, item in enumerate(value):
                yield from _oversized(item, [*path, str(place)])
        case dict():
            for key, item in value.items():
                yield from _oversized(item, [*path, key])
