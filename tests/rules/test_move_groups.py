"""Offers in groups, with weights, with what their choices name and at whom they are aimed, in every game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from services.rules.engine.choice_kinds import named_by
from services.rules.engine.dispositions import disposition_of
from services.rules.engine.move_groups import LEAST_WEIGHT, MOST_WEIGHT, in_groups
from services.rules.engine.offers import kinds_of_moves
from services.rules.engine.play import ChoiceKind, Disposition, LegalMove, MoveGroup, Viewer
from services.rules.engine.position import Position
from services.rules.systems.dungeonteller.play.moves import Attack, EndTurn, Go, Take
from services.rules.systems.forgeborn.play.moves import Journey
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import DraftHero
from tests.rules.dungeonteller_scenes import hero, monster, scene
from tests.rules.test_play_conformance import ALL, BOTS, PLAYED, RANDOM, Scene, game, label

GAMES = sorted(PLAYED)


def offers_of(played: Scene) -> Iterator[tuple[Position, LegalMove]]:
    for at in played.some_positions():
        for actor in played.actors(at.state):
            yield from ((at, offer) for offer in at.legal(actor, ALL))


@pytest.mark.parametrize("slug", GAMES)
def test_each_kind_of_move_stands_in_one_group_with_a_weight_in_bounds(slug: str) -> None:
    _, play = game(slug)
    kinds = [kind.__name__ for group in play.move_groups for kind in group.weights]
    assert sorted(kinds) == sorted(kinds_of_moves(cast(Any, play.move_codec.type)))
    keys = [group.key for group in play.move_groups]
    assert len(keys) == len(set(keys)) and all(key.replace("_", "").isalpha() for key in keys)
    for group in play.move_groups:
        assert group.title and group.weights, f"{group.key} is empty"
        assert all(LEAST_WEIGHT <= weight <= MOST_WEIGHT for weight in group.weights.values())


@pytest.mark.parametrize("slug", [slug for slug in GAMES if not slug.startswith(("duel_", "lanterns_"))])
def test_a_game_with_more_than_two_kinds_of_moves_says_its_own_groups(slug: str) -> None:
    _, play = game(slug)
    assert len(play.move_groups) > 1
    assert len({weight for group in play.move_groups for weight in group.weights.values()}) > 1


@pytest.mark.parametrize("case", [*RANDOM, *BOTS], ids=label)
def test_each_offer_has_a_group_of_its_game_and_keeps_its_place(case: tuple[Any, str, str, int]) -> None:
    played, *arguments = case
    weights = {
        (group.key, kind.__name__): weight
        for group in game(str(arguments[0]))[1].move_groups
        for kind, weight in group.weights.items()
    }
    first: Scene = played(*arguments)
    for at, offer in offers_of(first):
        kind = str(offer.move.get("kind", ""))
        assert offer.weight == weights[offer.group, kind]
        if at.waiting is None:
            assert [each.id for each in at.legal(offer.actor, ALL)] == [
                each.id for each in first.play.legal(at.state, offer.actor)
            ]


@pytest.mark.parametrize("case", [*RANDOM, *BOTS], ids=label)
def test_choices_of_actors_are_told_from_all_others(case: tuple[Any, str, str, int]) -> None:
    played, *arguments = case
    for at, offer in offers_of(played(*arguments)):
        actors = {actor.id for actor in at.card(ALL).actors}
        for choice in (each for field in offer.fields for each in field.choices):
            assert (choice.kind is ChoiceKind.ACTOR) == (choice.value in actors)


def test_things_and_places_are_named_by_the_types_of_moves() -> None:
    assert (named_by(Take, "thing"), named_by(Attack, "arm")) == (ChoiceKind.ITEM, ChoiceKind.ITEM)
    assert named_by(Journey, "to") is ChoiceKind.PLACE
    assert (named_by(Attack, "target"), named_by(Attack, "action"), named_by(DraftHero, "quest.quest")) == (
        None,
        None,
        None,
    )


def test_a_blow_at_a_named_foe_says_that_it_is_one() -> None:
    """Duel offers a strike for each target: the offer itself is aimed at whom no field asks for."""
    found = 0
    for played, *arguments in [each for each in RANDOM if each[1] in ("duel", "forge_engine")]:
        for at, offer in offers_of(played(*arguments)):
            cards = {actor.id: actor for actor in at.card(ALL).actors}
            target = offer.move.get("target")
            if offer.actor in cards and target in cards and "others" not in offer.move:
                assert offer.disposition is disposition_of(at.play, cards[offer.actor], cards[target])
                found += offer.disposition is Disposition.FOE
            elif offer.actor not in cards:
                assert offer.disposition is None
    assert found


def test_what_a_field_asks_for_does_not_mark_the_offer() -> None:
    now = scene(hero("rogue", (2, 2)), monster("orc", (3, 2)))
    at = Position(game("dungeonteller")[1], now)
    offers = at.legal("rogue", Viewer(actors=frozenset({"rogue"})))
    attacks = [offer for offer in offers if offer.group == "attack"]
    assert attacks and all(offer.disposition is None for offer in attacks)
    aims = [choice for offer in attacks for field in offer.fields for choice in field.choices]
    assert {(choice.kind, choice.disposition) for choice in aims} == {(ChoiceKind.ACTOR, Disposition.FOE)}


def test_a_kind_of_move_without_a_group_is_an_error_of_its_game() -> None:
    class Forgetful:
        move_codec = game("dungeonteller")[1].move_codec
        move_groups = (MoveGroup("move", "Movement", {Go: 70}),)

    play: Any = Forgetful()
    going = LegalMove(id="go", actor="a", label="Go", text="", rule="", move={"kind": Go.__name__})
    (offer,) = in_groups(play, (going,))
    assert (offer.group, offer.weight) == ("move", 70)
    ending = LegalMove(id="end", actor="a", label="End", text="", rule="", move={"kind": EndTurn.__name__})
    with pytest.raises(LookupError):
        in_groups(play, (ending,))
