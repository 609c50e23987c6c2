"""The Vault: asking the others for an Artifact, their votes, what the Prince has granted (F13, F14, F23)."""

from __future__ import annotations

from functools import partial

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.conflict import not_asked, nothing_asked, one, vault_problem
from services.rules.systems.forgeborn.play.creation import prompt_id
from services.rules.systems.forgeborn.play.desk import Desk, Plan
from services.rules.systems.forgeborn.play.events import (
    Acted,
    ArtifactMoved,
    Declined,
    Passing,
    VoteCast,
    VotesCounted,
)
from services.rules.systems.forgeborn.play.moves import AskVault, CollectGrant, Decline, Vote
from services.rules.systems.forgeborn.play.state import Game
from services.rules.systems.forgeborn.play.waiting import (
    Ballot,
    Refused,
    Voting,
)
from services.rules.systems.forgeborn.play.where import actor_problem, place_problem, smith_problem
from services.rules.systems.forgeborn.realm import PlaceKind
from services.rules.systems.forgeborn.smith import LONGEST_TEXT, text_problems

BOOK = "Take an Artifact from the Vault"
PRINCE = "Beseech the Prince"


def granted(yes: int, others: int) -> bool:
    """Whether so many votes give an Artifact: a strict majority of the other players (F13)."""
    return 2 * yes > others


def ask_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why nobody can be asked here and now."""
    return smith_problem(game, actor) or place_problem(game, actor, BOOK, PlaceKind.CITADEL)


def plan_ask(game: Game, _catalog: Catalog, move: AskVault) -> Plan | Problems:
    """Every other player votes, at once and in secret (P18)."""
    wrong = ask_problem(game, move.actor) or vault_problem(game, move.artifact, BOOK)
    if wrong is not None:
        return one(wrong)
    words = tuple(
        text_problems(
            move.description, ("description",), longest=LONGEST_TEXT, needed=False, what="A description"
        )
    )
    return Problems(words) if words else Plan(partial(_ask, move))


def _ask(move: AskVault, desk: Desk) -> None:
    if not desk.game.turn.actor:
        desk.do(Acted(who=move.actor))
    ballots = tuple(Ballot(smith=other.id) for other in desk.game.others(move.actor))
    desk.ask(
        Voting(
            id=desk.next_id(),
            smith=move.actor,
            artifact=move.artifact,
            ballots=ballots,
            description=move.description,
        )
    )


def plan_vote(game: Game, _catalog: Catalog, move: Vote) -> Plan | Problems:
    """A vote; with the last one they are counted. Nobody votes twice."""
    question = game.question
    if not isinstance(question, Voting):
        return one(nothing_asked(game, move.actor))
    ballot = next((one_of for one_of in question.ballots if one_of.smith == move.actor), None)
    if ballot is None:
        allowed = tuple(one_of.smith for one_of in question.ballots if not one_of.cast)
        text = "Only the other players vote."
        return one(RuleProblem("not_your_vote", text, BOOK, ("actor",), move.actor, allowed))
    known = prompt_id(question.id, move.actor)
    if move.prompt != known:
        text = "That question is not open."
        return one(RuleProblem("prompt_unknown", text, BOOK, ("prompt",), move.prompt, known))
    if ballot.cast:
        text = "She has voted already."
        waiting = tuple(one_of.smith for one_of in question.ballots if not one_of.cast)
        return one(RuleProblem("voted_already", text, "P18", ("actor",), move.actor, waiting))
    return Plan(partial(_vote, move))


def _vote(move: Vote, desk: Desk) -> None:
    desk.do(VoteCast(smith=move.actor, agree=move.agree))
    question = desk.game.question
    if not isinstance(question, Voting) or not all(ballot.cast for ballot in question.ballots):
        return
    yes = sum(ballot.agree is True for ballot in question.ballots)
    won = granted(yes, len(question.ballots))
    desk.do(
        VotesCounted(
            smith=question.smith,
            artifact=question.artifact,
            yes=yes,
            no=len(question.ballots) - yes,
            granted=won,
            ballots=() if desk.game.settings.secret_ballot else question.ballots,
        )
    )
    desk.settle()
    if won:
        desk.do(ArtifactMoved(artifact=question.artifact, holder=question.smith, how=Passing.VOTE))
        desk.end_turn()
    else:
        desk.ask(Refused(id=desk.next_id(), smith=question.smith, artifact=question.artifact))


def plan_decline(game: Game, _catalog: Catalog, move: Decline) -> Plan | Problems:
    """Not rolling for a refused Artifact: the action is used, and there is no reward (P19)."""
    question = game.question
    if not isinstance(question, Refused):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))

    def leave(desk: Desk) -> None:
        desk.settle()
        desk.do(Declined(smith=move.actor, artifact=question.artifact))
        desk.end_turn()

    return Plan(leave)


def collect_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why nothing can be collected here and now (P20)."""
    return actor_problem(game, actor) or place_problem(game, actor, PRINCE, PlaceKind.CITADEL)


def plan_collect(game: Game, _catalog: Catalog, move: CollectGrant) -> Plan | Problems:
    """What the Prince has granted is taken without vote and without a roll (F23)."""
    wrong = collect_problem(game, move.actor)
    if wrong is not None:
        return one(wrong)
    grants = game.smith(game.player_of(move.actor)).grants
    if move.artifact not in grants:
        text = "The Prince has not granted her that, or somebody took it first."
        return one(RuleProblem("grant_missing", text, PRINCE, ("artifact",), move.artifact, grants))

    def collect(desk: Desk) -> None:
        if not desk.game.turn.actor:
            desk.do(Acted(who=move.actor))
        desk.do(ArtifactMoved(artifact=move.artifact, holder=move.actor, how=Passing.GRANT))
        desk.end_turn()

    return Plan(collect)
