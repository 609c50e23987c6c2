"""Moves in steps: needs where the rule has them, refusals before anything happened, who is told what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.codec import Codec
from services.rules.engine.driver import Made, make, scripted, unanswered
from services.rules.engine.explain import Explained, Part
from services.rules.engine.grid import Square
from services.rules.engine.offers import unlike
from services.rules.engine.play import (
    EVERYONE,
    GM_ONLY,
    AnyPlay,
    Audience,
    Choice,
    FieldKind,
    LegalMove,
    MoveField,
    Roll,
    Viewer,
)
from services.rules.engine.position import Position, position
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.engine.steps import (
    ActorId,
    Ask,
    Refused,
    RuleFault,
    Run,
    Steps,
    Turn,
    refuse,
    run_through,
    tried,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often something happened, and who hides from whom."""

    number: int = 0
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Do:
    """Something to do, and how deep it may go."""

    actor: str
    what: str
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """An answer with everything that a field can ask for."""

    actor: str
    one: str = ""
    some: tuple[str, ...] = ()
    number: int = 0
    at: Square | None = None
    patch: tuple[Square, ...] = ()
    words: str = ""
    sure: bool = False


Move = Do | Pick


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """Something happened between actors."""

    what: str
    by: ActorId
    to: ActorId | None = None
    among: tuple[ActorId, ...] = ()
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hid:
    """An actor hid, or stepped out."""

    who: ActorId
    hides: bool
    audience: Audience = EVERYONE


class Game:
    """As much of a game as steps need."""

    state_codec = Codec(Count, "game/state")
    move_codec: Codec[Move] = Codec(cast(Any, Move), "game/move")
    event_codec: Codec[Happened | Hid] = Codec(cast(Any, Happened | Hid), "game/event")

    def rule(self, turn: Turn[Count, Any], move: Do) -> Steps:
        match move.what:
            case "refuse":
                refuse("no", "No.", "Rules")
            case "refuse late":
                turn.happen(Happened(what="a", by=move.actor))
                refuse("no", "No.", "Rules")
            case "refuse after dice":
                yield from turn.roll(_roll("a"))
                refuse("no", "No.", "Rules")
            case "hide" | "show":
                turn.happen(Hid(who=move.actor, hides=move.what == "hide"))
            case "one answer":
                answers = yield from turn.ask(_ask("b"), _ask("c", closed=True))
                turn.happen(Happened(what=",".join(each.what for each in answers), by=move.actor))
            case "react":
                yield from self._react(turn, move)

    def _react(self, turn: Turn[Count, Any], move: Do, depth: int = 0) -> Steps:
        (faces,) = yield from turn.roll(_roll(f"roll-{depth}", 1 + depth % 3))
        turn.happen(Happened(what=f"{depth}:{sum(faces)}", by=move.actor))
        both = (_ask("b", "react", "pass"), _ask("c", "react", "pass"))
        answers = yield from turn.ask(*both)
        for answer in answers:
            if answer.what == "react" and depth < move.left:
                yield from self._react(turn, replace(move, actor=answer.actor), depth + 1)
        turn.happen(Happened(what=f"over {depth}", by=move.actor))

    def evolve(self, state: Count, event: Happened | Hid) -> Count:
        if isinstance(event, Hid):
            rest = tuple(who for who in state.hidden if who != event.who)
            return replace(state, hidden=(*rest, event.who) if event.hides else rest)
        return replace(state, number=state.number + 1)

    def known_to(self, state: Count, actor: str) -> Audience:
        return Audience(False, (actor,)) if actor in state.hidden else EVERYONE


GAME = cast(AnyPlay, Game())


def _roll(name: str, count: int = 1) -> Roll:
    return Roll(id=name, actor="a", label=name, dice=Explained.of(Part(count, "x", "y")))


def _ask(who: str, *whats: str, **more: Any) -> Ask:
    offers = tuple(
        LegalMove(
            id=what,
            actor=who,
            label=what,
            text=what,
            rule="Rules",
            move={"kind": "Do", "actor": who, "what": what},
        )
        for what in whats or ("only",)
    )
    return Ask(id=f"ask:{who}", actor=who, question="What?", offers=offers, **more)


def do(what: str, actor: str = "a", left: int = 0) -> Do:
    return Do(actor=actor, what=what, left=left)


# Refusals


def test_a_refusal_comes_before_anything_happens() -> None:
    made = make(GAME, Count(), do("refuse"), scripted([]))
    assert isinstance(made, Problems) and made.codes == ("no",)


@pytest.mark.parametrize("what", ["refuse late", "refuse after dice"])
def test_a_rule_that_refuses_later_is_a_fault(what: str) -> None:
    with pytest.raises(RuleFault, match="refused after something had happened"):
        make(GAME, Count(), do(what), scripted([(1,)]))


def test_dice_that_are_not_those_of_the_rule_are_a_fault() -> None:
    run = Run(GAME, Count(), do("react"))
    with pytest.raises(RuleFault, match="faces_do_not_fit"):
        run.go_on(((1, 2),))
    with pytest.raises(RuleFault, match="ended before"):
        run_through(GAME, Count(), do("hide"), [((1,),)])


@pytest.mark.parametrize(
    ("what", "dice"),
    [("refuse late", []), ("hide", []), ("one answer", []), ("nothing", []), ("react", ["roll-0"])],
)
def test_a_trial_tells_the_first_dice_and_goes_no_further(what: str, dice: list[str]) -> None:
    base = Count()
    assert [roll.id for roll in tried(lambda turn: GAME.rule(turn, do(what)), base)] == dice
    assert base == Count()


def test_a_trial_names_what_a_move_breaks() -> None:
    with pytest.raises(Refused) as refusal:
        tried(lambda turn: GAME.rule(turn, do("refuse")), Count())
    assert refusal.value.problems.codes == ("no",)


# Answers


def test_who_has_one_answer_only_is_not_asked_unless_that_would_betray_something() -> None:
    run = Run(GAME, Count(), do("one answer"))
    assert [ask.actor for ask in run.asks] == ["c"]
    run.go_on((do("mine", "c"),))
    assert [each.event.what for each in run.happened] == ["only,mine"]
    assert run.needs == ()


def test_silence_is_no_answer_where_the_table_waits() -> None:
    with pytest.raises(RuleFault, match="silence is not an answer"):
        make(GAME, Count(), do("react"), scripted([(1,)]), unanswered)


@given(
    st.lists(st.booleans(), min_size=30, max_size=30), st.lists(st.integers(1, 6), min_size=99, max_size=99)
)
def test_a_table_that_stops_at_each_question_comes_to_what_a_straight_run_comes_to(
    choices: list[bool], faces: list[int]
) -> None:
    """Reactions within reactions; the position goes through its stored form at each question."""
    given_faces, chosen = iter(faces), iter([*choices, *[False] * 300])

    def throw(roll: Roll) -> tuple[int, ...]:
        return tuple(next(given_faces) for _ in range(roll.dice.value))

    def answer(_state: Any, ask: Ask) -> Do:
        return do("react" if next(chosen) else "pass", ask.actor)

    move = do("react", left=3)
    straight = make(GAME, Count(), move, throw, answer)
    assert isinstance(straight, Made)
    given_faces, chosen = iter(faces), iter([*choices, *[False] * 300])
    at, told = Position(GAME, Count()), list[Any]()
    taken = at.take(move, 7, throw)
    while not isinstance(taken, Problems):
        told += taken.events
        at = position(GAME, *taken.position.form())
        assert at.state == taken.position.state
        if at.waiting is None:
            break
        assert at.told == len(told)
        taken = at.take(answer(at.state, at.asks[0]), 99, throw)
    assert tuple(told) == straight.events
    assert at.state == straight.state


def test_answers_side_by_side_are_in_no_event_before_all_are_in() -> None:
    at = Position(GAME, Count())
    first = at.take(do("react"), 1, scripted([(4,)]))
    assert not isinstance(first, Problems)
    waiting = first.position
    assert [ask.actor for ask in waiting.asks] == ["b", "c"]
    held = waiting.take(do("pass", "b"), 2, scripted([]))
    assert not isinstance(held, Problems)
    assert (held.events, held.position.state) == ((), waiting.state)
    assert [ask.actor for ask in held.position.asks] == ["c"]
    assert held.position.legal("b", Viewer(gm=True)) == ()
    again = held.position.enter(do("react", "b"), 3)
    assert isinstance(again, Problems) and again.codes == ("move_waits",)
    done = held.position.take(do("pass", "c"), 3, scripted([]))
    assert not isinstance(done, Problems)
    assert [event.what for event in done.events] == ["over 0"]
    assert done.position.waiting is None


def test_questions_have_names_of_their_own_in_every_move_and_step() -> None:
    names = []
    at = Position(GAME, Count())
    for number in (1, 2):
        taken = at.take(do("react", left=1), number, scripted([(1,)]))
        for what in ("react", "pass"):
            assert not isinstance(taken, Problems)
            now = taken.position
            assert now.waiting is not None
            names += [now.waiting.question_id(ask) for ask in now.asks]
            held = now.take(do(what, "b"), 0, scripted([]))
            assert not isinstance(held, Problems)
            taken = held.position.take(do("pass", "c"), 0, scripted([(1, 2)]))
        assert not isinstance(taken, Problems) and taken.position.waiting is None
    assert len(names) == len(set(names)) == 8
    assert names[0] == "1.1.ask:b"


def test_a_position_whose_rule_comes_to_something_else_is_a_fault() -> None:
    taken = Position(GAME, Count()).take(do("react"), 1, scripted([(4,)]))
    assert not isinstance(taken, Problems)
    state, waiting = taken.position.form()
    changes: list[dict[str, Any]] = [{"told": 2}, {"mark": "x"}, {"results": []}]
    for change in changes:
        with pytest.raises(RuleFault):
            assert position(GAME, state, {**waiting, **change}).asks


# Who is told


def audience_of(event: Any, *hidden: str) -> Audience:
    turn: Turn[Count, Any] = Turn(GAME, Count(hidden=hidden))
    turn.happen(event)
    found: Audience = turn.happened[0].event.audience
    return found


def test_an_event_is_for_those_who_may_know_of_everybody_it_names() -> None:
    """By ids alone: what anybody is called does not come into it."""
    assert audience_of(Happened(what="x", by="orc-1")) == EVERYONE
    assert audience_of(Happened(what="x", by="orc-1", to="orc-2"), "orc-2") == Audience(False, ("orc-2",))
    nobody = audience_of(Happened(what="x", by="orc-1", to="orc-2"), "orc-1", "orc-2")
    assert nobody == GM_ONLY
    assert audience_of(Happened(what="x", by="orc-1", among=("a", "orc-2")), "orc-2").actors == ("orc-2",)
    assert audience_of(Happened(what="orc-2", by="orc-1"), "orc-2") == EVERYONE


def test_a_rule_may_narrow_further_but_nothing_widens_what_it_says() -> None:
    assert audience_of(Happened(what="x", by="orc-1", audience=GM_ONLY)) == GM_ONLY
    mine = Audience(False, ("anna", "orc-1"))
    assert audience_of(Happened(what="x", by="orc-1", audience=mine), "orc-1") == Audience(False, ("orc-1",))


def test_who_hides_or_steps_out_is_seen_to_do_so() -> None:
    assert audience_of(Hid(who="orc-1", hides=True)) == EVERYONE
    assert audience_of(Hid(who="orc-1", hides=False), "orc-1") == EVERYONE


def test_that_one_who_hides_is_asked_is_known_to_those_who_know_of_them() -> None:
    taken = Position(GAME, Count(hidden=("b",))).take(do("react"), 1, scripted([(4,)]))
    assert not isinstance(taken, Problems)
    assert [ask.audience for ask in taken.position.asks] == [Audience(False, ("b",)), EVERYONE]
    refused = taken.position.enter(do("pass", "nobody"), 2)
    assert isinstance(refused, Problems) and refused.items[0].allowed == ("c",)


AUDIENCES = st.builds(Audience, st.booleans(), st.lists(st.sampled_from("abcd"), unique=True).map(tuple))


@given(AUDIENCES, AUDIENCES, st.frozensets(st.sampled_from("abcd"), max_size=1))
def test_audiences_meet_and_join_like_sets(one: Audience, other: Audience, actors: frozenset[str]) -> None:
    viewer = Viewer(actors=actors)
    assert viewer.may_know(one & other) == (viewer.may_know(one) and viewer.may_know(other))
    assert viewer.may_know(one | other) == (viewer.may_know(one) or viewer.may_know(other))


# Answers held against what is offered


CHOICES = tuple(Choice(value, value) for value in ("x", "y", "z"))
FLOOR = tuple(Square(x, y) for x in range(3) for y in range(2))
OFFER = LegalMove(
    id="pick",
    actor="b",
    label="Pick",
    text="Pick.",
    rule="Picking",
    move={"kind": "Pick", "actor": "b"},
    fields=(
        MoveField(name="one", label="One?", kind=FieldKind.CHOICE, choices=CHOICES),
        MoveField(name="some", label="Some?", kind=FieldKind.CHOICES, choices=CHOICES, least=1, most=2),
        MoveField(name="number", label="How many?", kind=FieldKind.NUMBER, least=2, most=4),
        MoveField(name="at", label="Where?", kind=FieldKind.SQUARE, squares=FLOOR, required=False),
        MoveField(name="patch", label="Where all?", kind=FieldKind.SQUARES, squares=FLOOR, most=3),
        MoveField(name="words", label="Say?", kind=FieldKind.TEXT, most=20),
        MoveField(name="sure", label="Sure?", kind=FieldKind.FLAG),
    ),
)


def picked(data: st.DataObject) -> Pick:
    form = complete(OFFER, lambda count: data.draw(st.integers(0, count - 1)))
    return cast(Pick, GAME.move_codec.read(form))


@given(st.data())
def test_whatever_is_filled_in_within_its_bounds_is_taken(data: st.DataObject) -> None:
    assert unlike(GAME, (OFFER,), picked(data)) is None


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"one": "w"}, ("one",)),
        ({"some": ()}, ("some",)),
        ({"some": ("x", "x")}, ("some",)),
        ({"some": ("x", "y", "z")}, ("some",)),
        ({"number": 5}, ("number",)),
        ({"number": 1}, ("number",)),
        ({"at": Square(9, 9)}, ("at",)),
        ({"patch": (Square(0, 0), Square(9, 9))}, ("patch",)),
        ({"words": "x" * 21}, ("words",)),
        ({"actor": "c"}, ()),
    ],
)
@given(data=st.data())
def test_what_lies_outside_is_told_with_its_place(
    change: dict[str, Any], path: tuple[str, ...], data: st.DataObject
) -> None:
    wrong = unlike(GAME, (OFFER,), replace(picked(data), **change))
    assert wrong is not None
    assert [(problem.code, problem.path) for problem in wrong] == [("not_offered", path)]


def test_a_move_of_another_kind_is_not_among_the_answers() -> None:
    wrong = unlike(GAME, (OFFER,), do("x", "b"))
    assert wrong is not None
    problem = wrong.items[0]
    assert (problem.path, problem.found, problem.allowed) == (("kind",), "Do", ("pick",))
