"""Conflict Rolls: declared, judged, rolled, won or lost (D1 to D9, P11 to P13).

`conflict` is the whole of it. Who may react to a Conflict stands in `own_windows`, a line for each window:

1. `ConflictDeclared`: the game master says which of the Artifacts that were named help, before any die falls
   (P13).
2. `ConflictRolled`: nobody; here what lasts may change the totals.
3. `ConflictLost`: the player who lost chooses a d4 more or a die promoted (D8).

Nobody else is asked. What brings a Conflict about, and what a win brings, stands with each action: `dragon`,
`ruins`, `village`, `prince`, `vault`, `be_tested`. Recruiting (`recruit`) declares its dice and has them
judged in the same way, and rolls them against nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from services.rules.engine.buttons import button, choices_field
from services.rules.engine.effects import Triggered
from services.rules.engine.frozen import replace
from services.rules.engine.offers import Deferred
from services.rules.engine.play import GM, LegalMove
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Ask, Refused, Step, Steps
from services.rules.engine.windows import Reaction, Windows
from services.rules.systems.forgeborn.build import text_problems
from services.rules.systems.forgeborn.choices import LONGEST_TEXT
from services.rules.systems.forgeborn.play.effects import against, lasting
from services.rules.systems.forgeborn.play.facts import Declared, Foe, Fought, Judged, Reason
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    ArtifactUse,
    ChooseReward,
    Claim,
    ConflictMove,
)
from services.rules.systems.forgeborn.play.rolls import (
    artifact_rolls,
    conflict_odds,
    opposition,
    own_rolls,
)
from services.rules.systems.forgeborn.play.rules.dice import improve, lose, throw
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, act, catalog_of, end_effects
from services.rules.systems.forgeborn.play.state import Artifact, Game
from services.rules.systems.forgeborn.pools import (
    DieSize,
    pool_problems,
    promotable,
    promoted,
    reward_problem,
)

BOOK = "Conflict Rolls"

LABELS = {
    Foe.DRAGON: "Face the Dragon",
    Foe.RUIN: "Explore the Ruins",
    Foe.VILLAGE: "Assist the Village",
    Foe.PRINCE: "Beseech the Prince",
    Foe.VAULT: "Take it from the Vault",
    Foe.TEST: "Be tested",
    Foe.RECRUIT: "Recruit a Heroine",
}
AGAINST_LABELS = {
    Foe.DRAGON: "The Dragon",
    Foe.RUIN: "What guards the Ruins",
    Foe.VILLAGE: "The Village's problem",
    Foe.PRINCE: "The Prince",
    Foe.VAULT: "The will of the Artifact",
    Foe.TEST: "The Citadel's test",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A roll that a player declares.

    Attributes:
        who: Who rolls: a Smith or a Heroine.
        target: Id of the place, or of the Artifact.
        power: Power of what stands against it.
        dice: Dice of her own.
        sacrificed: Dice of her own on top, lost on a win.
        uses: Artifacts of hers that are to help.
        description: In the player's words.
    """

    who: str
    foe: Foe
    target: str
    power: int = 0
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...] = ()
    uses: tuple[ArtifactUse, ...] = ()
    description: str = ""

    @classmethod
    def by(cls, move: ConflictMove | Claim, foe: Foe, target: str, power: int | None) -> Attempt:
        """The attempt that a move declares."""
        return cls(
            who=move.actor,
            foe=foe,
            target=target,
            power=power or 0,
            dice=move.dice,
            sacrificed=move.sacrificed,
            uses=move.artifacts,
            description=move.description,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictDeclared:
    """Dice and Artifacts are declared, and no die has fallen.

    Attributes:
        artifacts: Ids of those that help, as effects and people have decided so far.
    """

    attempt: Attempt
    artifacts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictRolled:
    """The dice of both sides lie, and nothing is decided.

    Attributes:
        total: Her total, as effects have changed it so far.
        opposition: What stands against it likewise.
    """

    attempt: Attempt
    total: int
    opposition: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictLost:
    """A Conflict is lost, or a creation or recruiting that counts as one."""

    who: str


def own_windows() -> Windows:
    """Who may react to a Conflict, window by window."""
    windows = Windows(lasting)
    windows.reacts(ConflictDeclared, Reaction(who=lambda _, __: [(GM,)], ask=_which_help, react=_judge))
    windows.reacts(ConflictLost, Reaction(who=_loser, ask=_which_reward, react=_take_reward))
    return windows


def _loser(turn: GameTurn, lost: ConflictLost) -> Iterator[tuple[str, ...]]:
    yield (turn.state.player_of(lost.who),)


def conflict(turn: GameTurn, attempt: Attempt) -> Step[bool]:
    """A Conflict from its declaration to the reward of a loss.

    Returns:
        Whether it is won.

    Raises:
        Refused: The dice or Artifacts may not be used.
    """
    declare(turn, attempt)
    lent = yield from helping(turn, attempt)
    total, opposed = yield from thrown(turn, attempt, lent)
    rolled = yield from turn.window(ConflictRolled(attempt=attempt, total=total, opposition=opposed))
    won = rolled.total >= rolled.opposition
    turn.happen(
        Fought(
            who=attempt.who,
            foe=attempt.foe,
            target=attempt.target,
            total=rolled.total,
            opposition=rolled.opposition,
            won=won,
        )
    )
    end_effects(turn, Triggered(attempt.who, "won" if won else "lost"))
    if won:
        lose(turn, attempt.who, attempt.sacrificed, Reason.SACRIFICE)
    else:
        yield from reward(turn, attempt.who)
    return won


# Declared


def declare(turn: GameTurn, attempt: Attempt, wrong: Iterable[RuleProblem] = ()) -> None:
    """Declares which dice are rolled, and which Artifacts are to help.

    Args:
        turn: The turn.
        attempt: The dice and Artifacts.
        wrong: Further rules that the move breaks.

    Raises:
        Refused: They may not be used, or other rules are broken.
    """
    problems = (*wrong, *attempt_problems(turn.state, attempt))
    if problems:
        raise Refused(Problems(problems))
    act(turn, attempt.who)
    turn.happen(
        Declared(
            who=attempt.who,
            foe=attempt.foe,
            target=attempt.target,
            uses=attempt.uses,
            description=attempt.description,
        )
    )


def attempt_problems(game: Game, attempt: Attempt) -> tuple[RuleProblem, ...]:
    """Every rule that the dice, Artifacts and words of an attempt break (D1 to D5)."""
    own, about = game.actor(attempt.who).dice, attempt.description
    return (
        *pool_problems(own, attempt.dice, attempt.sacrificed, normal=game.settings.normal_dice),
        *_use_problems(game, attempt.who, attempt.uses),
        *text_problems(about, ("description",), longest=LONGEST_TEXT, needed=False, what="A description"),
    )


def _use_problems(game: Game, who: str, uses: Sequence[ArtifactUse]) -> Iterator[RuleProblem]:
    """Why Artifacts cannot help: not held, named twice, or without a word on how (D5)."""
    held = tuple(artifact.id for artifact in game.held_by(who)) if uses else ()
    for place, use in enumerate(uses):
        path = ("artifacts", place, "artifact")
        if use.artifact not in held:
            text = "Only what she holds helps her."
            yield RuleProblem("artifact_not_held", text, BOOK, path, use.artifact, held)
        elif use.artifact in (other.artifact for other in uses[:place]):
            yield RuleProblem("artifact_twice", "An Artifact helps once.", BOOK, path, use.artifact)
        how = ("artifacts", place, "how")
        if not use.how.strip():
            text = "Say how the Artifact helps."
            yield RuleProblem("use_not_described", text, BOOK, how, use.how, (1, LONGEST_TEXT))
        yield from text_problems(use.how, how, longest=LONGEST_TEXT, needed=False, what="A description")


# Judged


def helping(turn: GameTurn, attempt: Attempt) -> Step[tuple[Artifact, ...]]:
    """The Artifacts that help a roll: those named, as far as nothing and nobody keeps them out of it.

    Returns:
        The Artifacts whose dice are rolled.
    """
    test = attempt.foe is Foe.TEST
    named = (attempt.target,) if test else tuple(use.artifact for use in attempt.uses)
    declared = yield from turn.window(ConflictDeclared(attempt=attempt, artifacts=named))
    return tuple(map(turn.state.artifact, declared.artifacts))


def _which_help(turn: GameTurn, declared: ConflictDeclared, _who: str) -> Ask | None:
    """The game master's judgement, where the table wants it; a test is about its one Artifact (P13, F15)."""
    game, attempt = turn.state, declared.attempt
    if attempt.foe is Foe.TEST or not declared.artifacts or not game.settings.artifact_approval:
        return None
    things = ((use.artifact, game.artifact(use.artifact).name) for use in attempt.uses)
    field = choices_field("artifacts", "Which may help?", things, 0, len(attempt.uses))
    text = "Those you do not name stay out of this roll."
    offer = button(Approve(actor=GM), "approve", "Judge the Artifacts", text, "P13", field)
    question = f"Which Artifacts help {game.actor(attempt.who).name}?"
    return Ask(id="approve", actor=GM, question=question, offers=(offer,))


def _judge(turn: GameTurn, declared: ConflictDeclared, judgement: Approve) -> ConflictDeclared:
    approved = tuple(one for one in declared.artifacts if one in judgement.artifacts)
    refused = tuple(one for one in declared.artifacts if one not in judgement.artifacts)
    turn.happen(Judged(who=declared.attempt.who, approved=approved, refused=refused))
    return replace(declared, artifacts=approved)


# Rolled


def thrown(turn: GameTurn, attempt: Attempt, lent: Sequence[Artifact]) -> Step[tuple[int, int]]:
    """The dice of both sides fall (D6).

    Returns:
        Her total, and that of the dice against her.
    """
    every = (*attempt.dice, *attempt.sacrificed, *dice_of(lent))
    opposed = against(turn.state.actor(attempt.who), attempt.power, catalog_of(turn))
    odds = conflict_odds(every, opposed.value)
    own = own_rolls(attempt.who, LABELS[attempt.foe], attempt.dice, attempt.sacrificed, odds)
    theirs = opposition(opposed, AGAINST_LABELS[attempt.foe])
    sums = yield from throw(turn, (*own, *artifact_rolls(attempt.who, lent), theirs), attempt.foe)
    return sum(sums[:-1]), sums[-1]


def dice_of(artifacts: Sequence[Artifact]) -> tuple[DieSize, ...]:
    """The dice that Artifacts lend."""
    return tuple(die for artifact in artifacts for die in artifact.dice.descending())


# Lost


def reward(turn: GameTurn, who: str) -> Steps:
    """After a loss: a d4 more, or one die promoted, for whoever rolled (D8, D9)."""
    yield from turn.window(ConflictLost(who=who))


def _which_reward(turn: GameTurn, lost: ConflictLost, smith: str) -> Ask:
    one = turn.state.actor(lost.who)
    sizes = promotable(one.dice)

    def accepts(answer: ChooseReward) -> Problems | None:
        wrong = reward_problem(one.dice, answer.promote, ("promote",))
        return None if wrong is None else Problems((wrong,))

    return Ask(
        id="reward",
        actor=smith,
        question=f"Promote a die of {one.name}, or gain a d4?",
        offers=Deferred(lambda: _rewards(smith, sizes)) if sizes else tuple(_rewards(smith, sizes)),
        accepts=accepts,
    )


def _take_reward(turn: GameTurn, lost: ConflictLost, answer: ChooseReward) -> ConflictLost:
    improve(turn, lost.who, answer.promote, Reason.REWARD)
    return lost


def _rewards(smith: str, sizes: Sequence[DieSize]) -> Iterator[LegalMove]:
    text = "For the loss."
    yield button(ChooseReward(actor=smith), "reward:d4", "Gain a d4", text, BOOK)
    for size in sizes:
        larger = promoted(size)
        if larger is not None:
            label = f"Promote a {size.value} to a {larger.value}"
            move = ChooseReward(actor=smith, promote=size)
            yield button(move, f"reward:promote:{size.value}", label, text, BOOK)
