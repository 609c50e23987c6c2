"""Scenes that bots play on the rules alone, without a product: the same ones each time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import shake_256
from io import BytesIO
from typing import Any

from infra.benchmarks.harness.cases import BenchFailure, Sample
from infra.benchmarks.harness.rounds import Measure
from services.rules.dice.stream import ByteStream
from services.rules.engine.driver import Answerer, Thrower, make, thrower
from services.rules.engine.play import GM, AnyPlay, CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller import SYSTEM

HEROES = ("dwarf", "elf", "paladin", "rogue", "wizard")
WIZARD = "chr-wizard"
AT_THE_FIRE = "bonfire"
MOVES_OF_BOTS = 2_000
"""Moves within which a scene that bots play is over."""
STREAM_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Played(Sample):
    """What was played in one turn.

    Attributes:
        moves: how many were made.
        with_dice: how many of them took dice.
        looks: how long each look at what may be done took, in milliseconds.
    """

    moves: int = 0
    with_dice: int = 0
    looks: Sequence[float] = field(default=(), repr=False)


def bots_at(play: AnyPlay, setup: str) -> Measure:
    """Measure whole scenes that bots play: the first of a row that is the same in each turn."""
    cast = cast_of_heroes()

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        moves = with_dice = 0
        while not took or time.perf_counter() < end:
            throw = dice(setup, len(took))
            began = time.process_time()
            made, rolled = play_out(play, opening(play, setup, cast), throw)
            took.append(time.process_time() - began)
            moves, with_dice = moves + made, with_dice + rolled
        return Played(sum(took), [spent * 1000 for spent in took], moves=moves, with_dice=with_dice)

    return measure


def play_out(play: AnyPlay, state: Any, throw: Thrower) -> tuple[int, int]:
    """Have bots play a scene to its end; gives how many moves they made, and how many of these took dice.

    Raises:
        BenchFailure: it does not come to an end.
    """
    rolled = 0
    for number in range(MOVES_OF_BOTS):
        if play.outcome(state).ended:
            return number, rolled
        state, with_dice = bot_moves(play, state, throw)
        rolled += with_dice
    raise BenchFailure(f"{play.card(state).title}: bots do not come to an end in {MOVES_OF_BOTS} moves")


def bot_moves(play: AnyPlay, state: Any, throw: Thrower) -> tuple[Any, bool]:
    """Have whoever is to move be moved by their bot; gives the state then, and whether dice fell.

    Raises:
        BenchFailure: nobody can do anything, or what a bot does is against the rules.
    """
    move = chosen(play, state)
    made = make(play, state, move, throw, answers(play))
    if isinstance(made, Problems):
        raise BenchFailure(f"{play.card(state).title}: a bot's {move} is against the rules: {made}")
    return made.state, bool(made.rolls)


def chosen(play: AnyPlay, state: Any) -> Any:
    """Return the move of whoever is to move, as their bot chooses it.

    The game master's is asked first: it speaks up only when something is decided, while a player can always
    end a turn.

    Raises:
        BenchFailure: nobody can do anything.
    """
    asked = (GM, *play.card(state).waiting_for)
    move = next((move for actor in asked if (move := play.bot(state, actor)) is not None), None)
    if move is None:
        raise BenchFailure(f"{play.card(state).title}: the bots of {', '.join(asked)} have nothing to do")
    return move


def answers(play: AnyPlay) -> Answerer:
    """Returns who answers questions: the game's own bots, which know what the one who is asked may know."""
    return lambda state, ask: play.reply(play.view(state, Viewer(actors=frozenset({ask.actor}))), ask)


def wizards_turn(play: AnyPlay) -> Any:
    """Play the scene at the fire up to the wizard's first turn, and give it."""
    state, throw = opening(play, AT_THE_FIRE, cast_of_heroes()), dice(AT_THE_FIRE, "wizard")
    for _ in range(MOVES_OF_BOTS):
        card = play.card(state)
        if card.turn == WIZARD and not card.prompts:
            return state
        state, _rolled = bot_moves(play, state, throw)
    raise BenchFailure(f"{AT_THE_FIRE}: it is never the wizard's turn")


def opening(play: AnyPlay, setup: str, cast: tuple[CastMember, ...]) -> Any:
    """Begin a scene.

    Raises:
        BenchFailure: the rules do not allow it.
    """
    state = play.begin(play.setups[setup], cast)
    if isinstance(state, Problems):
        raise BenchFailure(f"{setup} cannot begin: {state}")
    return state


def dice(*name: object) -> Thrower:
    """Give dice that fall the same for the same name."""
    return thrower(ByteStream(BytesIO(shake_256(repr(name).encode()).digest(STREAM_BYTES)).read))


def cast_of_heroes() -> tuple[CastMember, ...]:
    """Give the heroes, as they take part in a scene."""
    return tuple(
        CastMember(id=f"chr-{name}", sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content))
        for name in HEROES
    )
