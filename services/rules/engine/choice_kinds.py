"""What the choices of an offer name: actors by the scene's card, things and places by the move's types."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import is_dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from services.rules.engine.frozen import replace
from services.rules.engine.offers import kind_of_move
from services.rules.engine.play import AnyPlay, Choice, ChoiceKind, LegalMove, MoveField, SceneCard

MARKS = {"item": ChoiceKind.ITEM, "place": ChoiceKind.PLACE}
"""What the types `ItemId` and `PlaceId` are annotated with."""


def with_choice_kinds(play: AnyPlay, card: SceneCard, offers: Sequence[LegalMove]) -> tuple[LegalMove, ...]:
    """Offers in which each choice of an actor, a thing or a place says so; what the game says itself stays.

    Args:
        play: The game.
        card: The scene as the viewer knows it.
        offers: What is offered.
    """
    actors = frozenset(actor.id for actor in card.actors)
    return tuple([_told(play, actors, offer) for offer in offers])


def _told(play: AnyPlay, actors: Collection[str], offer: LegalMove) -> LegalMove:
    if not any(field.choices for field in offer.fields):
        return offer
    move = kind_of_move(play, offer)
    return replace(offer, fields=tuple([_field_told(actors, field, move) for field in offer.fields]))


def _field_told(actors: Collection[str], field: MoveField, move: Any) -> MoveField:
    if not field.choices:
        return field
    other = named_by(move, field.name)
    return replace(field, choices=tuple([_choice_told(actors, each, other) for each in field.choices]))


def _choice_told(actors: Collection[str], choice: Choice, other: ChoiceKind | None) -> Choice:
    if choice.kind is not None or not choice.value:
        return choice
    return replace(choice, kind=ChoiceKind.ACTOR if choice.value in actors else other)


@cache
def named_by(move: Any, name: str) -> ChoiceKind | None:
    """What a field of a kind of move names, beside actors.

    Args:
        move: The dataclass of the move.
        name: Of the field; a dotted name is a nested key.

    Returns:
        The kind; None where the field names neither a thing nor a place.
    """
    first, _, rest = name.partition(".")
    hint = get_type_hints(move, include_extras=True).get(first)
    if rest:
        within = next((part for part in (hint, *get_args(hint)) if is_dataclass(part)), None)
        return None if not isinstance(within, type) else named_by(within, rest)
    return _mark_of(hint)


def _mark_of(hint: Any) -> ChoiceKind | None:
    if get_origin(hint) is Annotated:
        return next((MARKS[mark] for mark in get_args(hint)[1:] if mark in MARKS), None)
    return next((mark for mark in map(_mark_of, get_args(hint)) if mark is not None), None)
