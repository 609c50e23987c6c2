"""Actors to choose from: marked as foes and friends of the one who moves, as their player knows the sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest

from services.rules.engine.dispositions import ORDER, disposition_of, in_order
from services.rules.engine.play import ActorCard, Choice, Disposition, LegalMove, MoveField, Viewer
from services.rules.engine.position import Position
from tests.rules.test_play_conformance import BOTS, RANDOM, Scene, game, label

FOE, NEUTRAL, FRIEND = ORDER
NO_SIDES = {"dwarf_dice": {FOE, FRIEND}, "fortunate_blades": {FOE, FRIEND, None}}
"""Games whose cards do not tell by their sides alone who is against whom."""


def fields_to_choose(scene: Scene) -> Iterator[tuple[Position, LegalMove, MoveField, dict[str, ActorCard]]]:
    """Each field with choices that a player of an actor is offered, with the cards that they see."""
    for at in scene.some_positions():
        for actor in scene.actors(at.state):
            viewer = Viewer(actors=frozenset({actor}))
            cards = {card.id: card for card in at.card(viewer).actors}
            for offer in at.legal(actor, viewer):
                yield from ((at, offer, field, cards) for field in offer.fields if field.choices)


@pytest.mark.parametrize("case", [*RANDOM, *BOTS], ids=label)
def test_every_actor_to_choose_is_marked_as_the_sides_that_are_known(case: tuple[Any, str, str, int]) -> None:
    played, *arguments = case
    slug = str(arguments[0])
    for at, offer, field, cards in fields_to_choose(played(*arguments)):
        mover = cards.get(offer.actor)
        for choice in field.choices:
            other = cards.get(choice.value)
            if mover is None or other is None:
                assert choice.disposition is None, f"{offer.id} marks {choice.value}"
            elif slug in NO_SIDES or slug.endswith("_campaign"):
                assert choice.disposition in NO_SIDES.get(slug, {FRIEND, None})
                assert choice.disposition is disposition_of(at.play, mover, other)
            elif "bystanders" in {mover.side, other.side} and mover.side != other.side:
                assert choice.disposition is NEUTRAL
            else:
                assert choice.disposition is (FRIEND if mover.side == other.side else FOE)
        kinds = [kind for kind, _ in groupby(c.disposition for c in field.choices if c.disposition)]
        assert len(kinds) == len(set(kinds)), f"{offer.id}: foes and friends are mixed"


def test_each_game_in_which_actors_are_chosen_marks_some() -> None:
    found: Counter[str] = Counter()
    for played, *arguments in [*RANDOM, *BOTS]:
        marked = (c for *_, field, _ in fields_to_choose(played(*arguments)) for c in field.choices)
        found[str(arguments[0])] += sum(1 for choice in marked if choice.disposition is not None)
    assert {slug for slug, count in found.items() if count} >= {
        "dungeonteller",
        "forge_engine",
        "forgeborn",
        "fortunate_blades",
    }, found


def test_foes_stand_first_unless_the_move_helps_and_the_rest_keeps_its_place() -> None:
    none, friend, foe = Choice("", "Nobody"), Choice("a", "A", FRIEND), Choice("b", "B", FOE)
    assert in_order([none, friend, foe]) == (none, foe, friend)
    assert in_order([friend, none, foe]) == (foe, none, friend)
    assert in_order([foe, none, friend], friends_first=True) == (friend, none, foe)


def test_champions_fight_each_for_themselves() -> None:
    _, play = game("dwarf_dice")
    one, other = (ActorCard(id=name, name=name, side="players", tracks=()) for name in "ab")
    assert disposition_of(play, one, other) is Disposition.FOE
    assert disposition_of(play, one, one) is Disposition.FRIEND
