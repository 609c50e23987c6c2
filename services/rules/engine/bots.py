"""Bots: named and versioned ways of playing, those of a game itself and one that plays any game at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.play import GM, AnyPlay
from services.rules.engine.sampling import Choose, complete
from services.rules.engine.steps import Ask

STEADY = "steady"
"""The bot that every game has: `GamePlay.bot`."""

RANDOM = "random"
"""The bot that makes any legal move."""

STRONG = "strong"
"""The strongest bot of a game, in a policy without a version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """A way of playing a game; what was measured of one version stays true of it.

    Attributes:
        id: Stable within the game: `random`, `steady`, `strong`.
        version: Raised whenever it would play otherwise.
        text: How it plays, in plain words.
        move: The state as far as the actor may know it, who is to move, and chance, to a move; None when
            there is nothing for them to do.
        answer: The state as far as the one who is asked may know it, the question, and chance, to an answer;
            the game's own simple player answers (`GamePlay.reply`) where there is none.
        slow: Whether it may think for so long that nobody should be kept waiting for it.
    """

    id: str
    version: int
    text: str
    move: Callable[[Any, str, Choose], Any | None]
    answer: Callable[[Any, Ask, Choose], Any] | None = None
    slow: bool = False

    @property
    def policy(self) -> str:
        """Its id and version, as policies name it: `strong@1`."""
        return f"{self.id}@{self.version}"

    def reply(self, play: AnyPlay, state: Any, ask: Ask, choose: Choose) -> Any:
        """Its answer to a question.

        Args:
            play: The game.
            state: What the one who is asked may know.
            ask: The question.
            choose: Chance.
        """
        return play.reply(state, ask) if self.answer is None else self.answer(state, ask, choose)


@runtime_checkable
class PlayedByBots(Protocol):
    """Play with bots of its own, beside those that every game has."""

    @property
    def bots(self) -> tuple[Bot, ...]:
        """Those bots, the weakest first. One called `random` or `steady` takes the place of that one."""


def bots_of(play: AnyPlay) -> tuple[Bot, ...]:
    """Every bot of a game, the weakest first."""
    own = play.bots if isinstance(play, PlayedByBots) else ()
    known = {bot.id for bot in own}
    return tuple(bot for bot in (random_bot(play), steady_bot(play)) if bot.id not in known) + own


def bots_by_policy(play: AnyPlay) -> dict[str, Bot]:
    """Return every bot of a game by the policies that name it: its id and version (`strong@2`); `random` and
    `strong` without a version are the newest random one and the strongest of all, in every game.
    """
    bots = bots_of(play)
    randoms = (bot for bot in bots if bot.id == RANDOM)
    newest = {RANDOM: max(randoms, key=lambda bot: bot.version), STRONG: bots[-1]}
    return {**{bot.policy: bot for bot in bots}, **newest}


def random_bot(play: AnyPlay) -> Bot:
    """Any legal move, filled in within its bounds. The game master's moves are left to the steady bot."""

    def move(state: Any, actor: str, choose: Choose) -> Any | None:
        if actor == GM:
            return play.bot(state, actor)
        offers = play.legal(state, actor)
        if not offers:
            return None
        return play.move_codec.read(complete(offers[choose(len(offers))], choose))

    def answer(_state: Any, ask: Ask, choose: Choose) -> Any:
        return any_answer(play, ask, choose)

    text = "Makes any legal move, each as likely as the next."
    return Bot(id=RANDOM, version=1, text=text, move=move, answer=answer, slow=True)


def any_answer(play: AnyPlay, ask: Ask, choose: Choose) -> Any:
    """Any answer to a question, filled in within its bounds, silence too where that is another."""
    return play.move_codec.read(complete(ask.offers[choose(len(ask.offers))], choose))


def plain_answer(play: AnyPlay, ask: Ask) -> Any:
    """The answer that stands for silence; else the first that is offered, filled in with what comes first."""
    return any_answer(play, ask, lambda _count: 0) if ask.silence is None else ask.silence


def steady_bot(play: AnyPlay) -> Bot:
    """The game's own simple player, which leaves nothing to chance."""
    return Bot(
        id=STEADY,
        version=1,
        text="Plays sensibly, and in the same position always the same.",
        move=lambda state, actor, _choose: play.bot(state, actor),
    )
