"""Create an Artifact of Wondrous Power: paid for, joined, rolled for, bought (F2 to F10, P14, P15).

Who may react: the Smiths who are invited say side by side whether they join (`helped`); nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.rules.engine.buttons import button
from services.rules.engine.offers import Deferred
from services.rules.engine.play import LegalMove
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Ask, Refused, Step, Steps
from services.rules.systems.forgeborn.build import text_problems
from services.rules.systems.forgeborn.catalog import DIE_OF_FORM, DIE_OF_FUNCTION
from services.rules.systems.forgeborn.choices import LONGEST_NAME, LONGEST_TEXT
from services.rules.systems.forgeborn.play.facts import (
    ArtifactMade,
    CreationBegan,
    Forged,
    HelpAnswered,
    Making,
    Reason,
    Scored,
    TokenChanged,
)
from services.rules.systems.forgeborn.play.moves import CreateArtifact, Imbue, Join, Move, Payment
from services.rules.systems.forgeborn.play.offers import Pool, Wording, creation_buttons
from services.rules.systems.forgeborn.play.rolls import creation_odds, own_rolls
from services.rules.systems.forgeborn.play.rules.conflict import reward
from services.rules.systems.forgeborn.play.rules.dice import lose, throw
from services.rules.systems.forgeborn.play.rules.purchase import bought
from services.rules.systems.forgeborn.play.rules.turns import (
    GameTurn,
    act,
    acting_smith,
    end_turn,
    place_of,
)
from services.rules.systems.forgeborn.play.state import Game, Smith, Token, Why
from services.rules.systems.forgeborn.pools import DieSize, pool_problems
from services.rules.systems.forgeborn.realm import CITADEL_ID, PlaceKind

BOOK = "Create an Artifact of Wondrous Power"


@dataclass(frozen=True, slots=True)
class Contribution:
    """The dice that one Smith rolls for an Artifact.

    Attributes:
        sacrificed: Those of them that are on top of the limit.
    """

    smith: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...]

    def all_dice(self) -> tuple[DieSize, ...]:
        """All of them."""
        return (*self.dice, *self.sacrificed)


def create(turn: GameTurn, move: CreateArtifact) -> Steps:
    """Form and function are paid for, whatever the roll says; the total of the roll buys the dice."""
    _refuse_wrong(turn.state, move)
    act(turn, move.actor)
    pay(turn, move)
    name = move.name.strip()
    turn.happen(
        CreationBegan(
            smith=move.actor,
            name=name,
            form=move.form,
            function=move.function,
            invited=move.invite,
            description=move.description,
        )
    )
    helpers = yield from helped(turn, move)
    total = yield from imbued(turn, move, helpers)
    if total < turn.state.settings.junk_below:
        yield from reward(turn, move.actor)
    else:
        dice = yield from bought(turn, move.actor, total, Making.ARTIFACT, name)
        number = len(turn.state.artifacts) + 1
        made = ArtifactMade(
            artifact=f"artifact-{number}",
            name=name,
            form=move.form,
            function=move.function,
            dice=dice,
            maker=move.actor,
        )
        turn.happen(
            made,
            Scored(smith=move.actor, points=len(dice), why=Why.ARTIFACT, what=made.artifact),
            *(Scored(smith=one.smith, points=1, why=Why.HELP, what=made.artifact) for one in helpers),
        )
    end_turn(turn)


# Paid for


def maker_of(game: Game, who: str) -> Smith:
    """Returns the Smith who can create an Artifact.

    Raises:
        Refused: It is not hers to act, or she is not at the Citadel.
    """
    smith = acting_smith(game, who)
    place_of(game, smith, BOOK, PlaceKind.CITADEL)
    return smith


def able_to_help(game: Game, maker: str) -> tuple[Smith, ...]:
    """Other Smiths who could join: at the Citadel, with a die of their own (P14)."""
    return tuple(other for other in game.others(maker) if other.place == CITADEL_ID and other.dice.total())


def _refuse_wrong(game: Game, move: CreateArtifact) -> None:
    smith = maker_of(game, move.actor)
    able = tuple(other.id for other in able_to_help(game, move.actor))
    about = ("description",)
    problems = [
        *text_problems(move.name, ("name",), longest=LONGEST_NAME, needed=True, what="A name"),
        *text_problems(move.description, about, longest=LONGEST_TEXT, needed=False, what="A description"),
        *_payment_problems(smith, move),
    ]
    for place, helper in enumerate(move.invite):
        if helper not in able or helper in move.invite[:place]:
            text = "Only another Smith at the Citadel, with dice of her own, can be asked to join."
            problems.append(RuleProblem("helper_not_there", text, "P14", ("invite", place), helper, able))
    if problems:
        raise Refused(Problems(tuple(problems)))


def _paid_dice(move: CreateArtifact) -> tuple[DieSize | None, DieSize | None]:
    """The dice given up for form and function; none where a token pays (F3, F4)."""
    form = DIE_OF_FORM[move.form] if move.form_by is Payment.DIE else None
    function = DIE_OF_FUNCTION[move.function] if move.function_by is Payment.DIE else None
    return form, function


def _payment_problems(smith: Smith, move: CreateArtifact) -> Iterator[RuleProblem]:
    """What is missing to pay for form and function, and to roll afterwards (F5, P11)."""
    form, function = _paid_dice(move)
    if form is None and smith.resource < 1:
        text = "The form takes a Resource token or the die that stands for it."
        yield RuleProblem("token_missing", text, BOOK, ("form_by",), smith.resource, 1)
    if function is None and smith.secret < 1:
        text = "The function takes a Secret token or the die that stands for it."
        yield RuleProblem("token_missing", text, BOOK, ("function_by",), smith.secret, 1)
    if form is not None and not smith.dice.holds((form,)):
        text = f"The form takes a {form.value}, and she has none."
        yield RuleProblem("die_not_owned", text, BOOK, ("form",), form.value, smith.dice.text())
        return
    given = tuple(die for die in (form, function) if die is not None)
    if function is not None and not smith.dice.holds(given):
        text = f"The function takes a {function.value}, and she has none left for it."
        yield RuleProblem("die_not_owned", text, BOOK, ("function",), function.value, smith.dice.text())
    elif smith.dice.total() <= len(given):
        text = "After paying, one die of her own is left to roll."
        yield RuleProblem("own_die_missing", text, "P11", ("actor",), smith.dice.total(), len(given) + 1)


def pay(turn: GameTurn, move: CreateArtifact) -> None:
    """Form and function are paid for, each by its die or its token (F5)."""
    form, function = _paid_dice(move)
    for die, token, why in (
        (form, Token.RESOURCE, Reason.FORM),
        (function, Token.SECRET, Reason.FUNCTION),
    ):
        if die is None:
            turn.happen(TokenChanged(smith=move.actor, token=token, change=-1))
        else:
            lose(turn, move.actor, (die,), why)


# Joined


def helped(turn: GameTurn, move: CreateArtifact) -> Step[tuple[Contribution, ...]]:
    """Those who are invited join with dice, or stay out, all at once; it takes no turn of theirs (P14).

    Returns:
        What those who join roll.
    """
    name = move.name.strip()
    asks = (_join(turn.state, helper, move.actor, name) for helper in move.invite)
    answers = yield from turn.ask(*asks)
    for answer in answers:
        turn.happen(HelpAnswered(smith=answer.actor, dice=answer.dice, sacrificed=answer.sacrificed))
    return tuple(Contribution(one.actor, one.dice, one.sacrificed) for one in answers if one.dice)


def _join(game: Game, helper: str, maker: str, name: str) -> Ask:
    """The question to one who is invited; silence stays out."""

    def accepts(answer: Join) -> Problems | None:
        joins = bool(answer.dice or answer.sacrificed)
        return _wrong_dice(game, helper, answer) if joins else None

    return Ask(
        id=f"join:{helper}",
        actor=helper,
        question=f"Do you join {game.smith(maker).name} in making {name}?",
        offers=tuple(_joins(game, helper)),
        silence=Join(actor=helper),
        seconds=game.settings.answer_seconds or None,
        open_to_gm=game.settings.answers_open_to_gm,
        accepts=accepts,
    )


def _joins(game: Game, helper: str) -> Iterator[LegalMove]:
    text = "You roll nothing and gain nothing."
    yield button(Join(actor=helper), "stay-out", "Stay out", text, BOOK)

    def make(pool: Pool) -> Move:
        return Join(actor=helper, dice=pool.fixed(), sacrificed=pool.sacrificed)

    wording = Wording("join", "Join in", "A point for you, if it succeeds.", BOOK)
    yield from creation_buttons(game, helper, make, wording)


def _wrong_dice(game: Game, who: str, answer: Join | Imbue) -> Problems | None:
    own, normal = game.smith(who).dice, game.settings.normal_dice
    problems = pool_problems(own, answer.dice, answer.sacrificed, normal=normal)
    return Problems(tuple(problems)) if problems else None


# Rolled for


def imbued(turn: GameTurn, move: CreateArtifact, helpers: Sequence[Contribution]) -> Step[int]:
    """The maker's dice and those of everybody who joined fall together (F6).

    Returns:
        Their total.
    """
    settings, name = turn.state.settings, move.name.strip()
    (answer,) = yield from turn.ask(_imbue(turn.state, move.actor, name, helpers))
    parts = (Contribution(move.actor, answer.dice, answer.sacrificed), *helpers)
    odds = creation_odds(tuple(die for one in parts for die in one.all_dice()))
    rolls = [
        roll
        for place, one in enumerate(parts)
        for roll in own_rolls(one.smith, f"Imbue {name}", one.dice, one.sacrificed, "" if place else odds)
    ]
    total = sum((yield from throw(turn, rolls)))
    failed = total < settings.junk_below
    turn.happen(Forged(smith=move.actor, what=Making.ARTIFACT, name=name, total=total, failed=failed))
    for one in parts:
        if not failed or one.smith == move.actor or settings.junk_takes_helpers_dice:
            lose(turn, one.smith, one.sacrificed, Reason.SACRIFICE)
    return total


def _imbue(game: Game, maker: str, name: str, helpers: Sequence[Contribution]) -> Ask:
    def accepts(answer: Imbue) -> Problems | None:
        return _wrong_dice(game, maker, answer)

    def make(pool: Pool) -> Move:
        return Imbue(actor=maker, dice=pool.fixed(), sacrificed=pool.sacrificed)

    below = game.settings.junk_below
    text = f"The total buys its dice; less than {below} makes junk."
    wording = Wording("imbue", f"Imbue {name}", text, BOOK)
    others = tuple(die for one in helpers for die in one.all_dice())
    return Ask(
        id="imbue",
        actor=maker,
        question=f"Which dice do you roll for {name}?",
        offers=Deferred(lambda: creation_buttons(game, maker, make, wording, others=others)),
        accepts=accepts,
    )
