"""The table: a move is made with dice that fit, or not at all; and what offers leave open is filled in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.stream import ListStream, StreamError
from services.rules.engine.driver import Made, fold, make, state_hash, thrower
from services.rules.engine.explain import Explained, Part
from services.rules.engine.grid import Square, joined
from services.rules.engine.offers import Deferred, fits, of_a_kind, unlike
from services.rules.engine.play import (
    AnyPlay,
    Audience,
    CastMember,
    Choice,
    Faces,
    FieldKind,
    LegalMove,
    MoveField,
    Roll,
    Viewer,
)
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.sampling import complete
from services.rules.engine.steps import Ask, RuleFault, Run, misfit

DUEL = systems(Path(__file__).resolve().parents[1] / "toys")["duel"]
STRIKE = {"kind": "Strike", "actor": "anna", "target": "rival-1"}


def duel() -> tuple[AnyPlay, Any]:
    """The toy's play, and a duel whose rival has flinched: the next strike takes 3 dice, and 4 against it."""
    play = DUEL.play
    assert play is not None
    cast = (CastMember(id="anna", sheet=DUEL.build(DUEL.examples["bold"], DUEL.content)),)
    state = play.begin(play.setups["yard"], cast)
    answer = {"kind": "Answer", "actor": "rival-1", "flinch": True}
    for form in (STRIKE, {"kind": "Brace", "actor": "rival-1"}):
        made = make(play, state, play.move_codec.read(form), no_dice, lambda *_: play.move_codec.read(answer))
        assert isinstance(made, Made)
        state = made.state
    return play, state


def no_dice(roll: Roll) -> tuple[int, ...]:
    raise AssertionError(f"{roll.id} was rolled")


def some_rolls(*dice: tuple[int, int]) -> tuple[Roll, ...]:
    """Rolls by number of dice and sides."""
    return tuple(
        Roll(id=f"r{place}", actor="a", label="A roll", dice=Explained.of(Part(count, "x", "y")), sides=sides)
        for place, (count, sides) in enumerate(dice)
    )


# Dice that fit


@pytest.mark.parametrize(
    ("faces", "code"),
    [
        ((), "faces_do_not_fit"),
        (((1, 2, 3),), "faces_do_not_fit"),
        (((1, 2), (1, 2, 3, 4)), "faces_do_not_fit"),
        (((1, 2, 3, 4), (4, 5, 6)), "faces_do_not_fit"),
        (((1, 2, 3), (4, 5, 6, 6), (1,)), "faces_do_not_fit"),
        (((0, 2, 3), (4, 5, 6, 6)), "face_unknown"),
        (((1, 2, 3), (4, 5, 6, 7)), "face_unknown"),
    ],
)
def test_dice_that_do_not_fit_are_a_fault_and_nothing_happens(faces: Faces, code: str) -> None:
    play, state = duel()
    before = state_hash(play, state)
    run = Run(play, state, play.move_codec.read(STRIKE))
    assert [roll.notation for roll in run.rolls] == ["3d6", "4d6"]
    happened = run.happened
    with pytest.raises(RuleFault, match=code):
        run.go_on(faces)
    assert run.happened == happened
    assert state_hash(play, state) == before


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(2, 20)), max_size=4), st.data())
def test_faces_fit_exactly_when_every_die_has_one_of_its_own(
    dice: list[tuple[int, int]], data: st.DataObject
) -> None:
    rolls = some_rolls(*dice)
    faces = tuple(tuple(data.draw(st.integers(1, sides)) for _ in range(count)) for count, sides in dice)
    assert misfit(rolls, faces) is None
    assert misfit(rolls, (*faces, (1,))) is not None
    for place, (_, sides) in enumerate(dice):
        for wrong in (0, -1, sides + 1):
            bent = (*faces[:place], (wrong, *faces[place][1:]), *faces[place + 1 :])
            problem = misfit(rolls, bent)
            assert problem is not None
            assert (problem.path, problem.found, problem.allowed) == (("faces", place), wrong, (1, sides))
        assert misfit(rolls, (*faces[:place], faces[place][1:], *faces[place + 1 :])) is not None


def test_a_move_is_made_with_the_dice_it_asks_for_in_their_order() -> None:
    play, state = duel()
    faces = ListStream([6, 6, 6, 1, 1, 1, 2])
    made = make(play, state, play.move_codec.read(STRIKE), thrower(faces))
    assert isinstance(made, Made)
    assert [roll.id for roll in made.rolls] == ["attack", "guard"]
    assert made.faces == ((6, 6, 6), (1, 1, 1, 2))
    assert faces.left == 0
    assert made.state == fold(play, state, made.events)
    assert made.state != state


def test_no_die_falls_for_a_move_that_is_refused() -> None:
    play, state = duel()
    move = play.move_codec.read({**STRIKE, "target": "nobody"})
    refused = make(play, state, move, no_dice)
    assert isinstance(refused, Problems)
    assert refused.codes == ("unknown_target",)


def test_dice_that_run_out_stop_a_move() -> None:
    play, state = duel()
    with pytest.raises(StreamError):
        make(play, state, play.move_codec.read(STRIKE), thrower(ListStream([6, 6, 6])))


def test_a_hash_tells_states_apart_and_outlives_json() -> None:
    play, state = duel()
    stored = play.state_codec.load(json.loads(json.dumps(play.state_codec.dump(state))))
    made = make(play, state, play.move_codec.read({"kind": "Brace", "actor": "anna"}), no_dice)
    assert isinstance(made, Made)
    assert state_hash(play, stored) == state_hash(play, state)
    assert state_hash(play, made.state) != state_hash(play, state)


# Who may know


def test_an_audience_is_everyone_or_the_players_of_its_actors_and_always_the_game_master() -> None:
    watcher, anna, both = (
        Viewer(),
        Viewer(actors=frozenset({"anna"})),
        Viewer(actors=frozenset({"anna", "ben"})),
    )
    gm = Viewer(gm=True)
    for audience, knowing in (
        (Audience(), [watcher, anna, both, gm]),
        (Audience(everyone=False), [gm]),
        (Audience(everyone=False, actors=("ben",)), [both, gm]),
        (Audience(everyone=False, actors=("anna", "cid")), [anna, both, gm]),
    ):
        assert [who for who in (watcher, anna, both, gm) if who.may_know(audience)] == knowing


# Offers filled in


def offer(*fields: MoveField, **move: Any) -> LegalMove:
    return LegalMove(
        id="x", actor="a", label="X", text="Does x.", rule="X", move={"kind": "X", **move}, fields=fields
    )


def a_field(kind: FieldKind, name: str = "it", **bounds: Any) -> MoveField:
    return MoveField(name=name, label="Which?", kind=kind, **bounds)


def chooser(data: st.DataObject) -> Any:
    return lambda count: data.draw(st.integers(0, count - 1))


CHOICES = tuple(Choice(value, value.upper()) for value in ("a", "b", "c", "d"))
FLOOR = tuple(Square(x, y) for x in range(4) for y in range(3))


@given(st.data())
def test_every_kind_of_field_is_filled_within_its_bounds(data: st.DataObject) -> None:
    filled = complete(
        offer(
            a_field(FieldKind.CHOICE, "one", choices=CHOICES),
            a_field(FieldKind.CHOICES, "some", choices=CHOICES, least=2, most=3),
            a_field(FieldKind.NUMBER, "number", least=3, most=7),
            a_field(FieldKind.NUMBER, "below", most=-2, least=-4),
            a_field(FieldKind.SQUARE, "at", squares=FLOOR),
            a_field(FieldKind.SQUARES, "patch", squares=FLOOR, least=1, most=5),
            a_field(FieldKind.TEXT, "words", most=6),
            a_field(FieldKind.FLAG, "sure"),
            keep=1,
        ),
        chooser(data),
    )
    values: dict[str, Any] = filled
    known = {choice.value for choice in CHOICES}
    assert (values["kind"], values["keep"]) == ("X", 1)
    assert values["one"] in known
    assert 2 <= len(values["some"]) == len(set(values["some"])) <= 3
    assert set(values["some"]) <= known
    assert 3 <= values["number"] <= 7
    assert -4 <= values["below"] <= -2
    assert Square(**values["at"]) in FLOOR
    patch = [Square(**square) for square in values["patch"]]
    assert 1 <= len(patch) == len(set(patch)) <= 5
    assert set(patch) <= set(FLOOR)
    assert joined(patch)
    assert 1 <= len(values["words"]) <= 6
    assert isinstance(values["sure"], bool)


def test_both_ends_of_every_bound_come_up() -> None:
    asked = offer(
        a_field(FieldKind.CHOICES, "some", choices=CHOICES),
        a_field(FieldKind.NUMBER, "number", least=1, most=3),
        a_field(FieldKind.NUMBER, "free"),
    )
    low = complete(asked, lambda count: 0)
    high = complete(asked, lambda count: count - 1)
    assert (low["some"], low["number"], low["free"]) == ([], 1, 0)
    assert sorted(map(str, high["some"] if isinstance(high["some"], list) else [])) == ["a", "b", "c", "d"]
    assert high["number"] == 3


def test_a_dotted_name_is_a_nested_key_and_the_offer_stays_as_it_was() -> None:
    asked = offer(a_field(FieldKind.NUMBER, "aim.at.x", least=4, most=4), aim={"who": "orc"})
    assert complete(asked, lambda count: 0)["aim"] == {"who": "orc", "at": {"x": 4}}
    assert asked.move["aim"] == {"who": "orc"}


def test_what_is_not_required_is_left_out_or_filled() -> None:
    asked = offer(a_field(FieldKind.CHOICE, choices=CHOICES, required=False))
    assert "it" not in complete(asked, lambda count: 0)
    assert complete(asked, lambda count: count - 1)["it"] == "d"
    assert "it" not in complete(offer(a_field(FieldKind.CHOICE, required=False)), lambda count: count - 1)


@pytest.mark.parametrize(
    "field",
    [
        a_field(FieldKind.CHOICE),
        a_field(FieldKind.SQUARE),
        a_field(FieldKind.CHOICES, choices=CHOICES, least=5),
        a_field(FieldKind.SQUARES, squares=FLOOR[:1], least=2),
        a_field(FieldKind.NUMBER, least=3, most=2),
    ],
)
def test_an_offer_that_cannot_be_met_is_an_error(field: MoveField) -> None:
    with pytest.raises(ValueError, match="it: "):
        complete(offer(field), lambda count: 0)


@pytest.mark.parametrize(
    ("chosen", "fit"),
    [(["d8"], True), (["d8", "d8"], True), (["d8", "d8", "d8"], False), (["d6", "d6"], False), ([], False)],
)
def test_a_value_is_chosen_at_most_as_often_as_it_is_offered(chosen: list[str], fit: bool) -> None:
    offered = tuple(Choice(size, size) for size in ("d8", "d6", "d8"))
    field = MoveField(
        name="dice", label="Dice?", kind=FieldKind.CHOICES, choices=offered, least=1, most=len(offered)
    )
    assert fits(field, chosen) is fit


def test_a_move_is_of_the_kind_of_an_offer_whatever_else_it_says() -> None:
    play, state = duel()
    strikes = [offer for offer in play.legal(state, "anna") if offer.id.startswith("strike")]
    other = play.move_codec.read({**STRIKE, "target": "nobody"})
    brace = play.move_codec.read({"kind": "Brace", "actor": "anna"})
    assert of_a_kind(strikes, other)
    assert not of_a_kind(strikes, brace)
    assert of_a_kind(play.legal(state, "anna"), brace)


def test_deferred_offers_are_worked_out_once_and_only_when_they_are_looked_at() -> None:
    worked_out = []

    def offers() -> list[LegalMove]:
        worked_out.append(1)
        return [offer(answer=answer) for answer in ("yes", "no")]

    ask = Ask(id="x", actor="a", question="Well?", offers=Deferred(offers))
    assert ask.only_answer is None
    assert worked_out == []
    assert (len(ask.offers), ask.offers[1].move["answer"]) == (2, "no")
    assert [found.move["answer"] for found in ask.offers[:1]] == ["yes"]
    assert worked_out == [1]


def test_an_answer_is_held_against_deferred_offers_as_against_others() -> None:
    play, _ = duel()
    stand = play.move_codec.read({"kind": "Answer", "actor": "anna", "flinch": False})
    form = {"kind": "Answer", "actor": "anna", "flinch": False}
    shown = LegalMove(id="x", actor="anna", label="X", text="X.", rule="X", move=form)
    assert unlike(play, Deferred(lambda: [shown]), stand) is None
    other = play.move_codec.read({**form, "flinch": True})
    refused = unlike(play, Deferred(lambda: [shown]), other)
    assert refused is not None
    assert refused.codes == ("not_offered",)
