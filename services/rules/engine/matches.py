"""Games that bots play against each other, of any system: to measure bots, and to test rules by thousands.

`moves_of` plays one game move by move, `play_match` from its opening to its end; `tournament` plays many, the
bots changing seats. Nothing here is left to ambient chance: dice fall from one stream of faces, what bots
pick from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import count
from typing import Any

from services.rules.dice.stream import ByteStream, FaceStream
from services.rules.engine.bots import Bot
from services.rules.engine.driver import Made, make, thrower
from services.rules.engine.play import GM, AnyPlay, Outcome, SceneCard, Viewer
from services.rules.engine.problem import Problems, RulesError
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Ask

MOST_MOVES = 5_000
"""Moves after which a game counts as one that does not end."""


class MatchError(RulesError):
    """A game could not go on: nobody had a move (`Stalled`), or a bot's move was refused."""


class Stalled(MatchError):
    """Nobody had a move, though the game was not over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A game that bots played.

    Attributes:
        outcome: How it stands: over, or given up after too many moves.
        moves: How many moves were made.
        state: Where it stands.
    """

    outcome: Outcome
    moves: int
    state: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What became of many games.

    Attributes:
        games: How many were played.
        wins: Of each contestant, in their order; a win that several share counts in parts.
        unfinished: Games that took too many moves.
        moves: Moves of all games together.
    """

    games: int
    wins: tuple[Fraction, ...]
    unfinished: int
    moves: int

    def share(self, contestant: int) -> float:
        """Which part of all games a contestant won."""
        return float(self.wins[contestant] / self.games)


def named_stream(*name: object) -> ByteStream:
    """An endless stream of faces that is the same for the same name: SHA-256 of name and a counter.

    Args:
        name: Texts and numbers: `("feud", 12, "dice")`.
    """
    seed = repr(name).encode()
    numbers = count()

    def read(wanted: int) -> bytes:
        found = b""
        while len(found) < wanted:
            found += sha256(seed + next(numbers).to_bytes(8, "big")).digest()
        return found[:wanted]

    return ByteStream(read)


def chooser(stream: FaceStream) -> Choose:
    """Picks from a stream: from 0 to n - 1."""
    return lambda n: stream.draw(n) - 1


def picked(
    play: AnyPlay,
    state: Any,
    card: SceneCard,
    bot_of: Callable[[Any, str], Bot | None],
    seen: Callable[[Any, str], Any],
    choose: Choose,
) -> Any | None:
    """The move that bots make in a state; None where nobody has any.

    Args:
        play: The game.
        state: The state.
        card: Its card.
        bot_of: Who plays an actor: takes the state and the actor's id.
        seen: What an actor may know of the state.
        choose: What bots leave to chance.
    """
    # The game master is asked first: it speaks up only when something is decided, while a player can always
    # end a turn.
    for actor in (GM, *card.waiting_for):
        bot = bot_of(state, actor)
        move = play.bot(state, actor) if bot is None else bot.move(seen(state, actor), actor, choose)
        if move is not None:
            return move
    return None


def moves_of(
    play: AnyPlay,
    opening: Any,
    bot_of: Callable[[Any, str], Bot | None],
    *,
    faces: FaceStream,
    choose: Choose,
    most: int = MOST_MOVES,
) -> Iterator[tuple[SceneCard, Made]]:
    """Play one game, move by move.

    Each bot sees what its actor may know, and nothing else. What nobody has a bot for (the game master, and
    those whom the game master leads) the game's own bot plays.

    Args:
        play: The game.
        opening: Where it begins; what `play.begin` returned.
        bot_of: Who plays an actor: takes the state and the actor's id.
        faces: How the dice fall.
        choose: What bots leave to chance.
        most: Moves after which the game is given up.

    Yields:
        Each move that was made, behind the card of the state before it. After the last one the game is over,
        or so many were made.

    Raises:
        Stalled: Nobody has a move though the game is not over.
        MatchError: A bot's move is refused.
    """
    state, throw = opening, thrower(faces)
    eyes: dict[str, Viewer] = {}

    def seen(state: Any, actor: str) -> Any:
        return play.view(state, eyes.setdefault(actor, Viewer(actors=frozenset({actor}))))

    def answer(state: Any, ask: Ask) -> Any:
        view, bot = seen(state, ask.actor), bot_of(state, ask.actor)
        return play.reply(view, ask) if bot is None else bot.reply(play, view, ask, choose)

    for moves in range(most):
        if play.outcome(state).ended:
            return
        card = play.card(state)
        move = picked(play, state, card, bot_of, seen, choose)
        if move is None:
            raise Stalled(f"after {moves} moves nobody has anything to do, and the game is not over")
        made = make(play, state, move, throw, answer)
        if isinstance(made, Problems):
            raise MatchError(f"after {moves} moves {move} was refused: {made}")
        yield card, made
        state = made.state


def play_match(
    play: AnyPlay,
    opening: Any,
    bots: Mapping[str, Bot],
    *,
    faces: FaceStream,
    choose: Choose,
    most: int = MOST_MOVES,
) -> Match:
    """Plays one game to its end, as `moves_of` does.

    Args:
        play: The game.
        opening: Where it begins; what `play.begin` returned.
        bots: Who plays whom, by the actor's id.
        faces: How the dice fall.
        choose: What bots leave to chance.
        most: Moves after which the game is given up.

    Raises:
        MatchError: Nobody has a move though the game is not over, or a bot's move is refused.
    """
    state, moves = opening, 0
    for _, made in moves_of(
        play, opening, lambda _state, actor: bots.get(actor), faces=faces, choose=choose, most=most
    ):
        state, moves = made.state, moves + 1
    return Match(outcome=play.outcome(state), moves=moves, state=state)


def tournament(
    play: AnyPlay,
    openings: Sequence[Any],
    seats: Sequence[str],
    contestants: Sequence[Bot],
    games: int,
    *,
    name: str = "tournament",
    most: int = MOST_MOVES,
) -> Tally:
    """Plays many games; from one to the next every contestant moves on by one seat.

    Args:
        play: The game.
        openings: Where games begin. Each is played from every seat before the next one has its turn; when all
            had theirs, it is the first one's again.
        seats: Ids of the actors that are played, in their order.
        contestants: One bot a seat.
        games: How many games.
        name: Names the streams of chance: the same name and games lead to the same tally.
        most: Moves after which a game is given up.

    Raises:
        ValueError: There are not as many contestants as seats.
        MatchError: See `play_match`.
    """
    if len(seats) != len(contestants):
        raise ValueError(f"{len(contestants)} contestants cannot sit on {len(seats)} seats")
    wins = [Fraction(0)] * len(contestants)
    unfinished = moves = 0
    for game in range(games):
        sitting = {seat: (place + game) % len(seats) for place, seat in enumerate(seats)}
        match = play_match(
            play,
            openings[game // len(seats) % len(openings)],
            {seat: contestants[contestant] for seat, contestant in sitting.items()},
            faces=named_stream(name, game, "dice"),
            choose=chooser(named_stream(name, game, "choices")),
            most=most,
        )
        moves += match.moves
        unfinished += not match.outcome.ended
        for winner in match.outcome.winners:
            if winner in sitting:
                wins[sitting[winner]] += Fraction(1, len(match.outcome.winners))
    return Tally(games=games, wins=tuple(wins), unfinished=unfinished, moves=moves)
