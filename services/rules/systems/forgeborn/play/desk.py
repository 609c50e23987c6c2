"""Where a move is worked out: the game as it changes, the dice that fell, and the facts that come of it.

A move is planned first (`Plan`: its dice, or why it is not legal) and resolved when they have fallen.
Whatever a rule does to the game it does here, as an event, so that the events alone tell the whole story.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from services.rules.engine.play import Roll
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.events import (
    Answered,
    Asked,
    DiceChanged,
    DiceFell,
    Event,
    GameOver,
    Reason,
    Scored,
    TokenChanged,
    TurnBegan,
)
from services.rules.systems.forgeborn.play.evolve import evolve
from services.rules.systems.forgeborn.play.scoring import order_text, ranked
from services.rules.systems.forgeborn.play.state import (
    Game,
    Phase,
    Token,
    Turn,
    Why,
)
from services.rules.systems.forgeborn.play.waiting import (
    Question,
    Rewarding,
)
from services.rules.systems.forgeborn.pools import DieSize, promotable


@dataclass(frozen=True, slots=True)
class Plan:
    """A legal move: the dice it takes, and what comes of them.

    Attributes:
        rolls: In the order in which they fall.
        resolve: Works the move out on a desk once they have fallen.
    """

    resolve: Callable[[Desk], None]
    rolls: tuple[Roll, ...] = ()


class Desk:
    """A move being worked out.

    Args:
        game: Where it is made.
        catalog: The content.
        rolls: The dice of its plan.
        faces: How they fell, by the roll's name.
    """

    def __init__(
        self,
        game: Game,
        catalog: Catalog,
        rolls: tuple[Roll, ...] = (),
        faces: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        self.game = game
        self.catalog = catalog
        self.faces = dict(faces or {})
        self.events: list[Event] = []
        for roll in rolls:
            self.do(
                DiceFell(
                    roll=roll.id,
                    by=roll.actor,
                    label=roll.label,
                    sides=roll.sides,
                    faces=self.faces[roll.id],
                )
            )

    def do(self, event: Event) -> None:
        """Let something happen."""
        self.events.append(event)
        self.game = evolve(self.game, event)

    def total(self, *, but: Sequence[str] = ()) -> int:
        """The sum of all faces that fell, but those of some rolls."""
        return sum(sum(faces) for roll, faces in self.faces.items() if roll not in but)

    # Questions

    def next_id(self) -> str:
        """The id of the next question."""
        return f"question-{self.game.questions + 1}"

    def ask(self, question: Question) -> None:
        """Let the turn wait for an answer."""
        self.do(Asked(question=question))

    def settle(self) -> None:
        """Let it wait no longer."""
        if self.game.question is not None:
            self.do(Answered(question=self.game.question.id))

    # Dice, tokens, points

    def gain(self, who: str, dice: Sequence[DieSize], why: Reason) -> None:
        """Give somebody dice."""
        if dice:
            self.do(DiceChanged(who=who, gained=tuple(dice), lost=(), why=why))

    def lose(self, who: str, dice: Sequence[DieSize], why: Reason) -> None:
        """Take somebody's dice."""
        if dice:
            self.do(DiceChanged(who=who, gained=(), lost=tuple(dice), why=why))

    def token(self, smith: str, token: Token, change: int) -> None:
        """Give a Smith a token, or let her spend one."""
        self.do(TokenChanged(smith=smith, token=token, change=change))

    def score(self, smith: str, points: int, why: Why, what: str) -> None:
        """Give a Smith victory points (H1)."""
        if points:
            self.do(Scored(smith=smith, points=points, why=why, what=what))

    def reward(self, who: str) -> None:
        """The reward of a loss (D8): asked for where there is a choice, else a d4 (D9), and the turn ends."""
        smith = self.game.player_of(who)
        if promotable(self.game.actor(who).dice):
            self.ask(Rewarding(id=self.next_id(), smith=smith, who=who))
            return
        self.gain(who, (DieSize.D4,), Reason.REWARD)
        self.end_turn()

    # The turn

    def end_turn(self) -> None:
        """The next turn begins, or the game is over (H2, H5)."""
        game = self.game
        if game.phase is Phase.LAST_TURNS:
            if not game.last_turns:
                self.finish("The Dragon is dead, and everybody else had one last turn.")
                return
            self._begin(game.last_turns[0])
            return
        seats = [smith.id for smith in game.smiths]
        following = seats[(seats.index(game.turn.smith) + 1) % len(seats)]
        limit = game.settings.round_limit
        if limit and following == game.first and game.turn.round >= limit:
            self.finish(f"{limit} round{'s' if limit > 1 else ''} are played, and the Dragon lives.")
            return
        self._begin(following)

    def _begin(self, smith: str) -> None:
        turn = self.game.turn
        again = turn.round + (smith == self.game.first)
        self.do(TurnBegan(turn=Turn(number=turn.number + 1, round=again, smith=smith)))

    def finish(self, why: str) -> None:
        """The game is over; whoever has most points has won (H4)."""
        ranking = ranked(self.game)
        self.do(GameOver(text=f"{why} {order_text(self.game, ranking)}", ranking=ranking))
