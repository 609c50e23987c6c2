"""Questions that moves ask on their way: who is asked, who may know of it, and what silence means."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from services.rules.engine import driver
from services.rules.engine.grid import Square
from services.rules.engine.play import CastMember, Roll, Viewer
from services.rules.engine.position import Position, Taken, position
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.facts import Event
from services.rules.systems.dungeonteller.play.moves import Answer, Attack, Move, UsePower
from services.rules.systems.dungeonteller.play.setup import Setup
from services.rules.systems.dungeonteller.play.state import Area, AreaKind, Arm, EffectKind, Reflex, Scene
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    LOSE,
    PLAY,
    WIN,
    hero,
    make,
    monster,
    power,
    refused,
    scene,
    waiting,
)

GM, WATCHER, ROGUE = Viewer(gm=True), Viewer(), Viewer(actors=frozenset({"rogue"}))
SWORD = Arm(id="sword", name="Sword", dice=2, hands=1, use=(Action.BATTLE,), held=True)


def sweep() -> tuple[Scene, Move]:
    """A warrior strikes at two foes at once who may both dodge."""
    foes = (monster("orc", (1, 0), reflex=Reflex.ASK), monster("orc", (1, 1), id="orc-2", reflex=Reflex.ASK))
    now = scene(hero("warrior"), *foes)
    return now, UsePower(actor="warrior", power=power("sweep"), targets=("orc-1", "orc-2"))


def duel(**changes: object) -> tuple[Scene, Move]:
    """An orc strikes at a rogue who may dodge."""
    rogue = hero("rogue", (1, 0), armor=0, reflex=Reflex.ASK)
    return scene(monster("orc", **changes), rogue), Attack(  # type: ignore[arg-type]
        actor="orc-1", action=Action.BATTLE, target="rogue"
    )


def win(roll: Roll) -> tuple[int, ...]:
    return (WIN,) * roll.dice.value


def taken(at: Position, move: Move, number: int = 1) -> Taken:
    found = at.take(move, number, win)
    assert isinstance(found, Taken), str(found)
    return found


# What silence means


def test_who_says_nothing_stands_their_ground() -> None:
    now, move = duel()
    silent = driver.make(PLAY, now, move, win)
    stood = driver.make(PLAY, now, move, win, lambda _state, ask: Answer(actor=ask.actor, yes=False))
    dodged = driver.make(PLAY, now, move, win, lambda _state, ask: Answer(actor=ask.actor))
    assert not isinstance(silent, Problems) and not isinstance(dodged, Problems)
    assert silent == stood != dodged


def test_who_says_nothing_strikes_no_blow_from_an_ambush() -> None:
    now = scene(hero("rogue"), monster("orc", surprised=True, armor=0))
    done = driver.make(
        PLAY,
        now,
        UsePower(actor="rogue", power=power("ambush"), targets=("orc-1",)),
        lambda roll: (WIN if roll.id == "power" else LOSE,) * roll.dice.value,
    )
    assert not isinstance(done, Problems)
    assert [roll.id for roll in done.rolls] == ["power", "against"]
    assert done.state.being("orc-1").luck == now.beings[1].luck and done.state.turn.acted


def test_who_says_nothing_after_a_free_blow_grabs_nobody() -> None:
    now = scene(hero("warrior", arms=()), monster("orc", luck=8))
    move = UsePower(actor="warrior", power=power("pin"), targets=("orc-1",))
    done = driver.make(PLAY, now, move, lambda roll: (LOSE,) * roll.dice.value)
    assert not isinstance(done, Problems)
    assert [roll.id for roll in done.rolls] == ["lunge"]
    assert not done.state.has("orc-1", EffectKind.PINNED) and done.state.turn.acted


def test_a_table_may_set_how_long_questions_wait() -> None:
    now, move = duel()
    assert waiting(now, move).card(GM).prompts[0].seconds is None
    limited = waiting(replace(now, answer_seconds=90), move)
    assert limited.card(GM).prompts[0].seconds == 90


@pytest.mark.parametrize(("seconds", "fits"), [(None, True), (5, True), (4, False), (604_801, False)])
def test_questions_wait_from_five_seconds_to_a_week(seconds: int | None, fits: bool) -> None:
    sheet = SYSTEM.build(SYSTEM.examples["elf"], CATALOG)
    begun = PLAY.begin(Setup(title="Limited", answer_seconds=seconds), (CastMember(id="elf", sheet=sheet),))
    if fits:
        assert isinstance(begun, Scene) and begun.answer_seconds == seconds
    else:
        assert isinstance(begun, Problems) and begun.codes == ("seconds_out_of_range",)


# Side by side


def test_all_who_may_dodge_are_asked_side_by_side() -> None:
    now, move = sweep()
    at = waiting(now, move)
    assert [(ask.actor, ask.id) for ask in at.asks] == [
        ("orc-1", "dodge:orc-1"),
        ("orc-2", "dodge:orc-2"),
    ]
    held = taken(at, Answer(actor="orc-1"), 2)
    assert held.events == () and held.position.state == now
    done = taken(held.position, Answer(actor="orc-2", yes=False), 3)
    luck = {one.id: one.luck for one in now.beings}
    paid = [event for event in done.events if getattr(event, "cause", "") == "dodge"]
    assert [event.being for event in paid] == ["orc-1"]
    assert done.position.state.being("orc-2").luck < (luck["orc-2"] or 0)


def test_an_answer_is_read_by_nobody_before_all_are_in() -> None:
    now, move = sweep()
    at = waiting(now, move)
    first = {yes: taken(at, Answer(actor="orc-1", yes=yes), 2).position for yes in (True, False)}
    for eyes in (GM, WATCHER, Viewer(actors=frozenset({"warrior"}))):
        seen = [
            (held.view(eyes), held.card(eyes), held.legal("orc-2", eyes), held.legal("warrior", eyes))
            for held in first.values()
        ]
        assert seen[0] == seen[1]


def test_a_table_may_open_answers_to_its_game_master() -> None:
    now, move = sweep()
    assert [ask.open_to_gm for ask in waiting(now, move).asks] == [False, False]
    assert [ask.open_to_gm for ask in waiting(replace(now, answers_open_to_gm=True), move).asks] == [True] * 2


# Who may know


def test_a_question_about_somebody_hidden_is_shown_to_who_is_asked_alone() -> None:
    now, move = duel(hidden=3)
    at = waiting(now, move)
    assert [prompt.actor for prompt in at.card(ROGUE).prompts] == ["rogue"]
    assert at.card(WATCHER).prompts == () and at.card(WATCHER).waiting_for == ()
    assert "Orc" not in str(at.card(ROGUE).prompts)


def test_what_is_asked_in_the_open_is_shown_to_all() -> None:
    now, move = duel()
    assert [prompt.actor for prompt in waiting(now, move).card(WATCHER).prompts] == ["rogue"]


# A crash between any two steps


def chain() -> tuple[Scene, Move, list[Answer]]:
    """A grab with all there is to ask: a dodge of the free blow, and whether the grab goes on."""
    now = scene(hero("warrior", arms=(), reflex=Reflex.ASK), monster("orc", luck=8, arms=(SWORD,)))
    move = UsePower(actor="warrior", power=power("pin"), targets=("orc-1",))
    return now, move, [Answer(actor="warrior"), Answer(actor="warrior")]


def test_a_move_that_is_read_back_at_every_question_comes_to_the_same() -> None:
    now, move, answers = chain()
    given = iter(answers)
    straight = driver.make(PLAY, now, move, win, lambda _state, _ask: next(given))
    assert not isinstance(straight, Problems)
    at, events = Position(PLAY, now), list[Event]()
    for number, entered in enumerate((move, *answers), start=1):
        made = taken(at, entered, number)
        events += made.events
        at = position(PLAY, *json.loads(json.dumps(made.position.form())))
        assert at.state == made.position.state
        assert [ask.id for ask in at.asks] == [ask.id for ask in made.position.asks]
    assert at.waiting is None
    assert (tuple(events), at.state) == (straight.events, straight.state)


# Answers that go beyond yes and no


def test_an_ambush_may_be_struck_with_what_is_in_hand_alone() -> None:
    club = replace(SWORD, id="club", name="Club", held=False)
    now = scene(hero("rogue", arms=(SWORD, club)), monster("orc", surprised=True, armor=0))
    found = make(now, UsePower(actor="rogue", power=power("ambush"), targets=("orc-1",)), power=1)
    (ask,) = found.asks
    yes = ask.offers[0]
    assert [choice.value for choice in yes.fields[0].choices] == ["", "sword"]
    assert ask.offers[1].fields == ()


def test_nobody_answers_what_no_move_asks() -> None:
    now, _ = duel()
    assert refused(now, Answer(actor="rogue")) == ("nothing_asked",)


def test_a_charge_that_is_stopped_on_the_way_asks_nobody() -> None:
    fire = Area(id="fire-1", kind=AreaKind.FIRE, squares=tuple(Square(4, y) for y in range(12)))
    orc = monster("orc", (8, 0), luck=9, reflex=Reflex.ASK)
    now = scene(hero("warrior"), orc, areas=(fire,))
    way = tuple(Square(x, 0) for x in range(1, 8))
    move = UsePower(actor="warrior", power=power("charge"), targets=("orc-1",), squares=way)
    done = make(now, move)
    assert done.asked == [] and done.being("warrior").at == Square(4, 0)
    assert set(done.dice) == {"save:warrior:fire-1"} and done.scene.turn.acted
