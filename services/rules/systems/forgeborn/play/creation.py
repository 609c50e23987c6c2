"""Artifacts: paid for, rolled for with whoever joins, and given the dice that the total buys (F2 to F10).

The dice of a Heroine are bought here too (F11).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import DIE_OF_FORM, DIE_OF_FUNCTION, Catalog
from services.rules.systems.forgeborn.play.conflict import not_asked, nothing_asked, one
from services.rules.systems.forgeborn.play.desk import Desk, Plan
from services.rules.systems.forgeborn.play.events import (
    Acted,
    ArtifactMade,
    Forged,
    HelpAnswered,
    HeroineJoined,
    Reason,
)
from services.rules.systems.forgeborn.play.moves import Bestow, CreateArtifact, Imbue, Join, Payment
from services.rules.systems.forgeborn.play.rolling import creation_odds, own_rolls
from services.rules.systems.forgeborn.play.state import (
    Artifact,
    Game,
    Heroine,
    Smith,
    Token,
    Why,
)
from services.rules.systems.forgeborn.play.waiting import (
    Creation,
    Helper,
    Making,
    Purchase,
)
from services.rules.systems.forgeborn.play.where import place_problem, smith_problem
from services.rules.systems.forgeborn.pools import DiceCount, DieSize, pool_problems
from services.rules.systems.forgeborn.realm import CITADEL_ID, PlaceKind
from services.rules.systems.forgeborn.smith import LONGEST_NAME, LONGEST_TEXT, text_problems
from services.rules.systems.forgeborn.workshop import power, purchase_problems

BOOK = "Create an Artifact of Wondrous Power"


def prompt_id(question: str, smith: str) -> str:
    """The id under which one of several who are asked answers."""
    return f"{question}/{smith}"


# Begun


def creation_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why nothing can be created here and now (F2)."""
    return smith_problem(game, actor) or place_problem(game, actor, BOOK, PlaceKind.CITADEL)


def paid_dice(move: CreateArtifact) -> tuple[DieSize | None, DieSize | None]:
    """The dice given up for form and function; none where a token pays (F3, F4)."""
    form = DIE_OF_FORM[move.form] if move.form_by is Payment.DIE else None
    function = DIE_OF_FUNCTION[move.function] if move.function_by is Payment.DIE else None
    return form, function


def payment_problems(smith: Smith, move: CreateArtifact) -> Iterator[RuleProblem]:
    """What is missing to pay for form and function, and to roll afterwards (F5, P11)."""
    form, function = paid_dice(move)
    if form is None and smith.resource < 1:
        text = "The form takes a Resource token or the die that stands for it."
        yield RuleProblem("token_missing", text, BOOK, ("form_by",), smith.resource, 1)
    if function is None and smith.secret < 1:
        text = "The function takes a Secret token or the die that stands for it."
        yield RuleProblem("token_missing", text, BOOK, ("function_by",), smith.secret, 1)
    sound = True
    if form is not None and not smith.dice.holds((form,)):
        sound = False
        text = f"The form takes a {form.value}, and she has none."
        yield RuleProblem("die_not_owned", text, BOOK, ("form",), form.value, smith.dice.text())
    given = tuple(die for die in (form, function) if die is not None)
    if sound and function is not None and not smith.dice.holds(given):
        sound = False
        text = f"The function takes a {function.value}, and she has none left for it."
        yield RuleProblem("die_not_owned", text, BOOK, ("function",), function.value, smith.dice.text())
    if sound and smith.dice.total() <= len(given):
        text = "After paying, one die of her own is left to roll."
        yield RuleProblem("own_die_missing", text, "P11", ("actor",), smith.dice.total(), len(given) + 1)


def able_to_help(game: Game, maker: str) -> tuple[Smith, ...]:
    """Other Smiths who could join: at the Citadel, with a die of their own (P14)."""
    return tuple(other for other in game.others(maker) if other.place == CITADEL_ID and other.dice.total())


def plan_create(game: Game, _catalog: Catalog, move: CreateArtifact) -> Plan | Problems:
    """Form and function are paid for, whatever the roll will say; others are asked to join."""
    wrong = creation_problem(game, move.actor)
    if wrong is not None:
        return one(wrong)
    able = tuple(other.id for other in able_to_help(game, move.actor))
    smith = game.smith(move.actor)
    problems = [
        *text_problems(move.name, ("name",), longest=LONGEST_NAME, needed=True, what="A name"),
        *text_problems(
            move.description, ("description",), longest=LONGEST_TEXT, needed=False, what="A description"
        ),
        *payment_problems(smith, move),
    ]
    for place, helper in enumerate(move.invite):
        if helper not in able or helper in move.invite[:place]:
            text = "Only another Smith at the Citadel, with dice of her own, can be asked to join."
            problems.append(RuleProblem("helper_not_there", text, "P14", ("invite", place), helper, able))
    if problems:
        return Problems(tuple(problems))
    return Plan(partial(_begin, move))


def _begin(move: CreateArtifact, desk: Desk) -> None:
    form, function = paid_dice(move)
    if not desk.game.turn.actor:
        desk.do(Acted(who=move.actor))
    if form is None:
        desk.token(move.actor, Token.RESOURCE, -1)
    else:
        desk.lose(move.actor, (form,), Reason.FORM)
    if function is None:
        desk.token(move.actor, Token.SECRET, -1)
    else:
        desk.lose(move.actor, (function,), Reason.FUNCTION)
    desk.ask(
        Creation(
            id=desk.next_id(),
            smith=move.actor,
            name=move.name.strip(),
            form=move.form,
            function=move.function,
            form_die=form,
            function_die=function,
            helpers=tuple(Helper(smith=helper) for helper in move.invite),
            description=move.description,
        )
    )


# Joined


def plan_join(game: Game, _catalog: Catalog, move: Join) -> Plan | Problems:
    """Another Smith joins with dice of her own, or stays out; it takes no turn (P14)."""
    question = game.question
    asked = {}
    if isinstance(question, Creation):
        asked = {helper.smith: helper for helper in question.helpers}
    if not isinstance(question, Creation) or move.actor not in asked:
        text = "Nobody asked her to join."
        return one(RuleProblem("nothing_to_answer", text, "P14", ("actor",), move.actor, tuple(asked)))
    known = prompt_id(question.id, move.actor)
    if move.prompt != known:
        text = "That question is not open."
        return one(RuleProblem("prompt_unknown", text, "P14", ("prompt",), move.prompt, known))
    if asked[move.actor].joins is not None:
        text = "She has answered already."
        waiting = tuple(helper.smith for helper in waiting_helpers(question))
        return one(RuleProblem("answered_already", text, "P14", ("actor",), move.actor, waiting))
    joins = bool(move.dice or move.sacrificed)
    if joins:
        problems = pool_problems(
            game.smith(move.actor).dice, move.dice, move.sacrificed, normal=game.settings.normal_dice
        )
        if problems:
            return Problems(tuple(problems))
    answer = HelpAnswered(smith=move.actor, joins=joins, dice=move.dice, sacrificed=move.sacrificed)
    return Plan(lambda desk: desk.do(answer))


def joined(creation: Creation) -> tuple[Helper, ...]:
    """Those who joined."""
    return tuple(helper for helper in creation.helpers if helper.joins)


def waiting_helpers(creation: Creation) -> tuple[Helper, ...]:
    """Those who have not answered."""
    return tuple(helper for helper in creation.helpers if helper.joins is None)


# Rolled


def plan_imbue(game: Game, _catalog: Catalog, move: Imbue) -> Plan | Problems:
    """The maker's dice and those of everybody who joined fall together (F6)."""
    question = game.question
    if not isinstance(question, Creation):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    waiting = waiting_helpers(question)
    if waiting:
        text = "Somebody has not said yet whether she joins."
        allowed = tuple(helper.smith for helper in waiting)
        return one(RuleProblem("answer_first", text, "P14", ("actor",), move.actor, allowed))
    own = game.smith(move.actor).dice
    problems = pool_problems(own, move.dice, move.sacrificed, normal=game.settings.normal_dice)
    if problems:
        return Problems(tuple(problems))
    rolling = (
        Helper(smith=move.actor, joins=True, dice=move.dice, sacrificed=move.sacrificed),
        *joined(question),
    )
    every = tuple(die for one_of in rolling for die in (*one_of.dice, *one_of.sacrificed))
    rolls = tuple(
        roll
        for place, one_of in enumerate(rolling)
        for roll in own_rolls(
            one_of.smith,
            f"Imbue {question.name}",
            one_of.dice,
            one_of.sacrificed,
            "" if place else creation_odds(every),
        )
    )
    return Plan(partial(_imbued, question, rolling), rolls)


def _imbued(creation: Creation, rolling: tuple[Helper, ...], desk: Desk) -> None:
    desk.settle()
    settings = desk.game.settings
    total = desk.total()
    failed = total < settings.junk_below
    desk.do(
        Forged(smith=creation.smith, what=Making.ARTIFACT, name=creation.name, total=total, failed=failed)
    )
    for one_of in rolling:
        if not failed or one_of.smith == creation.smith or settings.junk_takes_helpers_dice:
            desk.lose(one_of.smith, one_of.sacrificed, Reason.SACRIFICE)
    if failed:
        desk.reward(creation.smith)
        return
    desk.ask(
        Purchase(
            id=desk.next_id(),
            smith=creation.smith,
            total=total,
            what=Making.ARTIFACT,
            name=creation.name,
            form=creation.form,
            function=creation.function,
            helpers=tuple(one_of.smith for one_of in rolling[1:]),
            description=creation.description,
        )
    )


# Bought


def plan_bestow(game: Game, _catalog: Catalog, move: Bestow) -> Plan | Problems:
    """The total buys dice; unspent points are lost (F7, F11)."""
    question = game.question
    if not isinstance(question, Purchase):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    problems = purchase_problems(question.total, move.dice, ("dice",))
    if problems:
        return Problems(tuple(problems))
    return Plan(partial(_bought, question, move.dice))


def _bought(purchase: Purchase, dice: tuple[DieSize, ...], desk: Desk) -> None:
    desk.settle()
    if purchase.form is None or purchase.function is None:
        heroine = Heroine(
            id=f"heroine-{len(desk.game.heroines) + 1}",
            name=purchase.name,
            description=purchase.description,
            smith=purchase.smith,
            dice=DiceCount.of(dice),
            place=desk.game.smith(purchase.smith).place,
        )
        desk.do(HeroineJoined(heroine=heroine))
        desk.end_turn()
        return
    artifact = Artifact(
        id=f"artifact-{len(desk.game.artifacts) + 1}",
        name=purchase.name,
        form=purchase.form,
        function=purchase.function,
        dice=DiceCount.of(dice),
        power=power(dice),
        maker=purchase.smith,
    )
    desk.do(ArtifactMade(artifact=artifact))
    desk.score(purchase.smith, artifact.power, Why.ARTIFACT, artifact.name)
    for helper in purchase.helpers:
        desk.score(helper, 1, Why.HELP, artifact.name)
    desk.end_turn()
