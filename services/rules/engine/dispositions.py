"""How actors that can be chosen stand to the one who moves, and in which order they are offered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.frozen import replace
from services.rules.engine.offers import kind_of_move
from services.rules.engine.play import (
    ActorCard,
    AnyPlay,
    Choice,
    Disposition,
    FieldKind,
    LegalMove,
    MoveField,
    SceneCard,
)
from services.rules.engine.steps import actor_paths

ORDER = (Disposition.FOE, Disposition.NEUTRAL, Disposition.FRIEND)
"""The order of actors to choose from, but for moves that help."""


@runtime_checkable
class TellsDispositions(Protocol):
    """Play in which more decides than whether two actors are on one side."""

    def disposition(self, mover: ActorCard, other: ActorCard) -> Disposition | None:
        """How an actor stands to another one who moves; None for what takes no side, such as a clock."""


def disposition_of(play: AnyPlay, mover: ActorCard, other: ActorCard) -> Disposition | None:
    """How an actor stands to the one who moves, by their cards: as the game says, else by their sides."""
    if mover.id == other.id:
        return Disposition.FRIEND
    if isinstance(play, TellsDispositions):
        return play.disposition(mover, other)
    return Disposition.FRIEND if mover.side == other.side else Disposition.FOE


def in_order(choices: Iterable[Choice], *, friends_first: bool = False) -> tuple[Choice, ...]:
    """Choices with foes before friends; those that are not marked keep their places.

    Args:
        choices: What there is to choose from.
        friends_first: Whether friends stand before foes: the move does good to whom it is aimed at.
    """
    found, order = tuple(choices), ORDER[::-1] if friends_first else ORDER
    if len({choice.disposition for choice in found}) < 2:
        return found
    marked = iter(choice for kind in order for choice in found if choice.disposition is kind)
    return tuple(choice if choice.disposition is None else next(marked) for choice in found)


def with_dispositions(play: AnyPlay, card: SceneCard, offers: Sequence[LegalMove]) -> tuple[LegalMove, ...]:
    """Offers in which each choice of an actor is marked, and so is an offer that names actors itself; where a
    game marks choices itself, its order stays.

    Args:
        play: The game.
        card: The scene as the viewer knows it: who is not on it is not marked.
        offers: What is offered. The game master's own moves stay as they are: they are on no side.
    """
    cards = {actor.id: actor for actor in card.actors}
    known = {
        mover: {actor.id: disposition_of(play, cards[mover], actor) for actor in card.actors}
        for mover in {offer.actor for offer in offers}
        if mover in cards
    }
    return tuple(
        _marked(play, known[offer.actor], offer) if offer.actor in known else offer for offer in offers
    )


def _marked(play: AnyPlay, known: Mapping[str, Disposition | None], offer: LegalMove) -> LegalMove:
    """An offer with marks by how the actors on the scene stand to the one who moves."""
    fields = tuple([_with_marks(known, field) for field in offer.fields])
    stands = {known[actor] for actor in _aimed_at(play, offer) if actor in known}
    return replace(offer, fields=fields, disposition=stands.pop() if len(stands) == 1 else None)


def _aimed_at(play: AnyPlay, offer: LegalMove) -> Iterator[str]:
    """The actors that an offered move names, without those that a field asks for."""
    asked = {field.name.partition(".")[0] for field in offer.fields}
    for path in actor_paths(kind_of_move(play, offer)):
        value: Any = None if path[0] in asked else offer.move
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        yield from (value,) if isinstance(value, str) else value or ()


def _with_marks(known: Mapping[str, Disposition | None], field: MoveField) -> MoveField:
    if field.kind not in (FieldKind.CHOICE, FieldKind.CHOICES):
        return field
    if any(choice.disposition is not None for choice in field.choices):
        return field
    if not any(choice.value in known for choice in field.choices):
        return field
    choices = (replace(choice, disposition=known.get(choice.value)) for choice in field.choices)
    return replace(field, choices=in_order(choices))
