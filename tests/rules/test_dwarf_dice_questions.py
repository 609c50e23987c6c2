"""Questions in the middle of a move: what silence means, and that nothing is lost between two steps."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from services.rules.engine.codec import CodecError
from services.rules.engine.driver import Made, make, scripted, thrower
from services.rules.engine.matches import named_stream
from services.rules.engine.play import GM, Viewer
from services.rules.engine.position import Position, Taken, position
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice.crafting import OUTER_SQUARES
from services.rules.systems.dwarf_dice.play.moves import Block, ChooseCards, Decline, PlaceNulls
from services.rules.systems.dwarf_dice.settings import HouseRules
from tests.rules.dwarf_dice_games import ALL, PLAY, Game, item


def pact(**setup: Any) -> Game:
    game = Game("grim", "gor", **setup)
    game.move("Craft", "grim", dice={"hoard": "MMMMMMMNN"})
    return game


def mark(**setup: Any) -> Game:
    game = Game("bron", "gor", **setup)
    game.move("Craft", "bron", dice={"hoard": "MMMMMMMNN"})
    return game


def nulls(**setup: Any) -> Game:
    game = Game("gor", "bron", **setup)
    game.move("Craft", "gor", dice={"hoard": "MMMMMMMNN"})
    return game


def upgrade(**setup: Any) -> Game:
    game = Game("gor", "belinda", **setup)
    game.armed(belinda="kite-shield")
    game.craft("gor", "MMMMMWWWW", "greataxe")
    return game


def choice(**setup: Any) -> Game:
    game = Game("gor", "bron", **setup)
    game.armed(gor="hatchet longsword greataxe dagger", bron="helm")
    game.move("Challenge", "gor", target="bron")
    return game


def defence(**setup: Any) -> Game:
    game = choice(**setup)
    game.move("ChooseCards", "gor", cards=[item("hatchet")])
    return game


def assault(**setup: Any) -> Game:
    game = Game("gor", "bron", **setup)
    game.armed(gor="hatchet", bron="helm")
    game.fight("gor", "bron", "hatchet", "helm")
    return game


def fury(**setup: Any) -> Game:
    game = Game("grim", "bron", **setup)
    game.armed(grim="longsword", bron="helm")
    game.fight("grim", "bron", "longsword", "helm", {"attack": "AAM", "defence": "WN"})
    return game


def block(**setup: Any) -> Game:
    game = Game("bron", "grim", **setup)
    game.armed(bron="longsword", grim="kite-shield")
    game.fight("bron", "grim", "longsword", "kite-shield", {"attack": "MMN", "defence": "WWA"})
    if game.asked() == {"bron": "fury"}:
        game.move("Decline", "bron")
    return game


def rebuke(**setup: Any) -> Game:
    game = Game("bron", "grim", **setup)
    game.armed(bron="dagger")
    game.fight("bron", "grim", "dagger", dice={"attack": "M"})
    return game


QUESTIONS: list[tuple[Callable[..., Game], str, str, Any]] = [
    (pact, "grim", "pact", Decline(actor="grim")),
    (mark, "bron", "mark", Decline(actor="bron")),
    (nulls, "bron", "nulls", PlaceNulls(actor="bron", squares=OUTER_SQUARES[:2])),
    (upgrade, "belinda", "upgrade", Decline(actor="belinda")),
    (choice, "gor", "attack", ChooseCards(actor="gor", cards=(item("dagger"), item("greataxe")))),
    (defence, "bron", "defence", ChooseCards(actor="bron", cards=())),
    (assault, "gor", "assault", Decline(actor="gor")),
    (fury, "bron", "fury", Decline(actor="bron")),
    (block, "grim", "block", Block(actor="grim", dice=("die-3", "die-1"))),
    (rebuke, "grim", "rebuke", Decline(actor="grim")),
]
NAMES = [name for _, _, name, _ in QUESTIONS]


@pytest.mark.parametrize(("game_at", "actor", "name", "silence"), QUESTIONS, ids=NAMES)
def test_silence_has_its_meaning_once_there_is_a_limit(
    game_at: Callable[..., Game], actor: str, name: str, silence: object
) -> None:
    game = game_at(answer_seconds=60)
    ask = game.ask(actor)
    assert (ask.id, ask.silence, ask.seconds) == (name, silence, 60)
    (prompt,) = (it for it in game.at.card(ALL).prompts if it.actor == actor)
    assert (prompt.seconds, prompt.question) == (60, ask.question)
    assert not isinstance(game.at.enter(ask.silence, 0), Problems)


@pytest.mark.parametrize(("game_at", "actor", "name", "silence"), QUESTIONS, ids=NAMES)
def test_without_a_limit_the_table_waits(
    game_at: Callable[..., Game], actor: str, name: str, silence: object
) -> None:
    game = game_at()
    ask = game.ask(actor)
    assert (ask.id, ask.silence, ask.seconds) == (name, None, None)
    assert all(prompt.seconds is None for prompt in game.at.card(ALL).prompts)


@pytest.mark.parametrize(("game_at", "actor", "name", "silence"), QUESTIONS, ids=NAMES)
def test_every_offer_of_a_question_is_accepted_and_nothing_else(
    game_at: Callable[..., Game], actor: str, name: str, silence: object
) -> None:
    game = game_at()
    for offer in game.ask(actor).offers:
        if not offer.fields:
            assert not isinstance(game.at.enter(PLAY.move_codec.read(dict(offer.move)), 0), Problems)
    assert game.refused("Say", actor, text="Well") == ("not_offered",)
    assert game.refused("CallOff", GM) == ("move_waits",)


def test_a_limit_that_the_game_master_sets_counts_from_the_next_move_on() -> None:
    game = Game("grim", "gor")
    game.move("SetTimeLimit", GM, seconds=30)
    game.move("Craft", "grim", dice={"hoard": "MMMMMMMMN"})
    assert game.ask("grim").seconds == 30
    game.move("Decline", "grim")
    game.move("PlaceNulls", "gor", squares=[{"x": 0, "y": 0}])
    game.move("SetTimeLimit", GM)
    game.move("FinishForging", "grim")
    game.move("Craft", "gor", dice={"hoard": "MMMMMMMMN"})
    assert game.ask("grim").seconds is None


def test_each_question_has_an_answer_that_stands_for_silence() -> None:
    """A whole game in which nobody ever answers: turns are taken, and silence answers all else."""
    game = Game("grim", "bron", "gor", "belinda", answer_seconds=60, house=HouseRules(endurance=3))
    throw, silent = thrower(named_stream("silence")), set()
    for number in range(600):
        if PLAY.outcome(game.state).ended:
            break
        prompts = game.at.card(ALL).prompts
        ids = [prompt.id for prompt in prompts]
        assert len(ids) == len(set(ids))
        if prompts:
            ask = game.at.asked(prompts[-1].id)
            assert ask is not None
            move = ask.silence
            silent.add((ask.id, type(move)))
        else:
            move = PLAY.bot(game.state, game.state.turn)
        made = game.at.take(move, number, throw)
        assert isinstance(made, Taken), str(made)
        game.at = made.position
    assert PLAY.outcome(game.state).ended
    assert {kind for _, kind in silent} == {ChooseCards, Decline, PlaceNulls}


# Between two steps


def crashed(at: Position) -> Position:
    """The same as it is read back after a crash."""
    return position(PLAY, *json.loads(json.dumps(at.form())))


@pytest.mark.parametrize("house", [HouseRules(), HouseRules(open_hands=False, free_blocks=False)])
@pytest.mark.parametrize("names", [("grim", "bron"), ("gor", "belinda", "bron"), ("belinda", "grim", "gor")])
def test_a_crash_between_any_two_steps_changes_nothing(names: tuple[str, ...], house: HouseRules) -> None:
    """A game whose every step is read back from its stored form comes to what it comes to without crashes."""
    game = Game(*names, house=house, answer_seconds=60)
    straight, throw = game.at, thrower(named_stream("crash", *names))
    waited = 0
    for number in range(80):
        if PLAY.outcome(straight.state).ended:
            break
        again = crashed(straight)
        assert again.waiting == straight.waiting
        assert [(ask.id, ask.actor, tuple(ask.offers)) for ask in again.asks] == [
            (ask.id, ask.actor, tuple(ask.offers)) for ask in straight.asks
        ]
        ask = next(iter(straight.asks), None)
        move = PLAY.bot(straight.state, straight.state.turn)
        if ask is not None:
            waited += 1
            move = PLAY.reply(straight.view(Viewer(actors=frozenset({ask.actor}))), ask)
        taken = straight.take(move, number, throw)
        assert isinstance(taken, Taken), str(taken)
        from_storage = again.take(move, number, scripted(taken.faces))
        assert isinstance(from_storage, Taken)
        assert (from_storage.events, from_storage.rolls) == (taken.events, taken.rolls)
        assert from_storage.position.form() == taken.position.form()
        straight = taken.position
    assert waited > 10


def test_a_combat_that_is_run_straight_through_comes_to_the_same_as_one_that_waits() -> None:
    game = choice()
    opening, challenge = game.at.waiting.base, game.at.waiting.move  # type: ignore[union-attr]
    answers = {
        "attack": {"kind": "ChooseCards", "actor": "gor", "cards": [item("greataxe")]},
        "defence": {"kind": "ChooseCards", "actor": "bron", "cards": [item("helm")]},
        "assault": {"kind": "FuriousAssault", "actor": "gor"},
        "fury": {"kind": "Decline", "actor": "bron"},
        "block": {"kind": "Block", "actor": "bron", "dice": ["die-1"]},
    }
    dice = {"attack": (5, 1, 1, 6, 6), "defence": (5,)}
    waited: list[Any] = []
    while game.at.waiting is not None:
        move = PLAY.move_codec.read(answers[game.at.asks[-1].id])
        taken = game.at.take(move, 1, lambda roll: dice[roll.id])
        assert isinstance(taken, Taken), str(taken)
        waited += taken.events
        game.at = taken.position
    made = make(
        PLAY,
        opening,
        challenge,
        lambda roll: dice[roll.id],
        lambda _state, ask: PLAY.move_codec.read(answers[ask.id]),
    )
    assert isinstance(made, Made)
    assert made.state == game.state
    assert list(made.events[1:]) == waited
    assert game.left("bron") == 6 - 1 - 2
    assert game.left("gor") == 5


# Games of before


def test_games_moves_and_facts_of_the_first_edition_are_refused_clearly() -> None:
    for codec, name in (
        (PLAY.state_codec, "dwarf_dice/table"),
        (PLAY.move_codec, "dwarf_dice/move"),
        (PLAY.event_codec, "dwarf_dice/event"),
    ):
        with pytest.raises(CodecError, match="there is no way up from here"):
            codec.load({"type": name, "version": 1, "data": {}})
