"""Holds a move against the offers that it should be one of: each field filled in, within its bounds.

`Deferred` are offers, or an offer's chances, that are worked out when they are first looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast, get_args, overload

from services.rules.engine.codec import KIND, CodecError, Json
from services.rules.engine.play import AnyPlay, FieldKind, LegalMove, MoveField
from services.rules.engine.problem import Finding, Problems, RuleProblem

_ABSENT: Any = object()

T = TypeVar("T")


class Deferred(Sequence[T]):
    """Offers of a question, or chances of an offer, that are worked out when they are first looked at.

    Bots answer and move without looking at them, and a rule that runs again passes questions that have been
    answered. Offers are deferred for questions with more than one answer, since whether there is only one is
    seen by looking.

    Args:
        work_out: Computes them.
    """

    __slots__ = ("_found", "_work_out")

    def __init__(self, work_out: Callable[[], Iterable[T]]) -> None:
        self._work_out = work_out
        self._found: tuple[T, ...] | None = None

    def _all(self) -> tuple[T, ...]:
        if self._found is None:
            self._found = tuple(self._work_out())
        return self._found

    def __len__(self) -> int:
        """How many there are."""
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...

    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        """The one at a place, or those of a slice."""
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same in it, deferred or not."""
        return tuple(other) == self._all() if isinstance(other, Deferred | tuple) else NotImplemented

    def __hash__(self) -> int:
        """The hash of a tuple of the same."""
        return hash(self._all())

    def __repr__(self) -> str:
        """What there is, as of a tuple."""
        return repr(self._all())


def unlike(play: AnyPlay, offers: Sequence[LegalMove], move: Any) -> Problems | None:
    """Tells why a move is none of those offered; None where it is one of them."""
    form = cast("dict[str, Any]", play.move_codec.dump(move)["data"])
    nearest: tuple[RuleProblem, ...] = ()
    for offer in offers:
        if not _alike(offer, form):
            continue
        wrong = tuple(_unfit(offer, form))
        if not wrong and _read(play, filled(offer, form)) == move:
            return None
        nearest = nearest or wrong
    if nearest:
        return Problems(nearest)
    allowed = tuple(offer.id for offer in offers)
    rule, kind = offers[0].rule if offers else "", form.get(KIND)
    path, found = ((), None) if any(offer.move.get(KIND) == kind for offer in offers) else ((KIND,), kind)
    text = "That is not among the answers."
    return Problems((RuleProblem("not_offered", text, rule, path, found, allowed),))


def filled(offer: LegalMove, form: Mapping[str, Any]) -> dict[str, Json]:
    """An offer with its fields filled in as in a move's JSON form; fields that do not fit are left out."""
    whole = copied(offer.move)
    for field in offer.fields:
        value = _value(form, field.name)
        if value is not _ABSENT and fits(field, value):
            put(whole, field.name, value)
    return cast("dict[str, Json]", whole)


def fits(field: MoveField, value: Any) -> bool:
    """Whether a value lies within the bounds of a field."""
    match field.kind:
        case FieldKind.CHOICE:
            return value in {choice.value for choice in field.choices}
        case FieldKind.CHOICES:
            return _some_of(field, value, [choice.value for choice in field.choices])
        case FieldKind.NUMBER:
            return type(value) is int and _between(field, value)
        case FieldKind.SQUARE:
            return value in _squares(field)
        case FieldKind.SQUARES:
            return _some_of(field, value, _squares(field))
        case FieldKind.TEXT:
            return isinstance(value, str) and _between(field, len(value))
        case FieldKind.FLAG:
            return isinstance(value, bool)


def of_a_kind(offers: Sequence[LegalMove], move: Any) -> bool:
    """Whether a move is of the kind of one of those offered, whatever else it says."""
    return any(offer.move.get(KIND, type(move).__name__) == type(move).__name__ for offer in offers)


@cache
def kinds_of_moves(moves: Any) -> Mapping[str, Any]:
    """The dataclasses of a game's moves, by the `kind` of their JSON form.

    Args:
        moves: The type of its moves: a dataclass, or a union of them.
    """
    return {kind.__name__: kind for kind in get_args(moves) or (moves,)}


def kind_of_move(play: AnyPlay, offer: LegalMove) -> Any:
    """The dataclass of the move that is offered.

    Raises:
        LookupError: The game has no such kind of move.
    """
    known = kinds_of_moves(cast(Any, play.move_codec.type))
    return known[offer.move[KIND]] if len(known) > 1 else next(iter(known.values()))


def put(form: dict[str, Any], name: str, value: Any) -> None:
    """Writes a value into a JSON form; a dotted name is a nested key: `where.x`."""
    *outer, last = name.split(".")
    for key in outer:
        form = form.setdefault(key, {})
    form[last] = value


def copied(value: Any) -> Any:
    """A JSON value whose objects and lists are its own, so that filling in leaves the offer as it is."""
    if isinstance(value, Mapping):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [copied(item) for item in value]
    return value


def _alike(offer: LegalMove, form: Mapping[str, Any]) -> bool:
    """Whether a move is of an offer's kind, and says what the offer says beside its fields."""
    asked = {field.name.partition(".")[0] for field in offer.fields}
    return all(form.get(key) == value for key, value in offer.move.items() if key not in asked)


def _unfit(offer: LegalMove, form: Mapping[str, Any]) -> Iterator[RuleProblem]:
    for field in offer.fields:
        value = _value(form, field.name)
        absent = value is _ABSENT or value is None
        if (absent and not field.required) or fits(field, value):
            continue
        path = tuple(field.name.split("."))
        text = f"This is outside of what is offered: {field.label}"
        text = text if text.endswith((".", "?", "!")) else f"{text}."
        found = value if isinstance(value, str | int | bool | None) else None
        yield RuleProblem("not_offered", text, offer.rule, path, found, _allowed(field))


def _allowed(field: MoveField) -> Finding:
    if field.choices:
        return tuple(choice.value for choice in field.choices)
    return (field.least, field.most) if field.least is not None or field.most is not None else None


def _some_of(field: MoveField, value: Any, offered: Sequence[Any]) -> bool:
    if not isinstance(value, list | tuple):
        return False
    there = all(value.count(each) <= offered.count(each) for each in value)
    return there and _between(field, len(value))


def _between(field: MoveField, number: int) -> bool:
    return (field.least is None or field.least <= number) and (field.most is None or number <= field.most)


def _squares(field: MoveField) -> list[dict[str, int]]:
    return [{"x": square.x, "y": square.y} for square in field.squares]


def _value(form: Mapping[str, Any], name: str) -> Any:
    value: Any = form
    for key in name.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return _ABSENT
        value = value[key]
    return value


def _read(play: AnyPlay, form: dict[str, Json]) -> Any:
    try:
        return play.move_codec.read(form)
    except CodecError:
        return _ABSENT
