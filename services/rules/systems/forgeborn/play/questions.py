"""What a game waits for: who has to answer, in which words, for how long, and what silence means."""

from __future__ import annotations

from services.rules.engine.play import GM, PromptCard
from services.rules.systems.forgeborn.play.creation import prompt_id, waiting_helpers
from services.rules.systems.forgeborn.play.moves import Join, Move, Vote
from services.rules.systems.forgeborn.play.scoring import counted
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.play.waiting import (
    Attempt,
    Creation,
    Losing,
    Making,
    Purchase,
    Refused,
    Rewarding,
    RuinDrop,
    Trouble,
    Voting,
)

DROP = "drop"
"""The id of the prompt to let the dice of the realm fall."""


def waiting_for(game: Game) -> tuple[str, ...]:
    """Everybody who may move now, the player whose turn it is first."""
    question = game.question
    match game.phase, question:
        case Phase.OVER, _:
            return ()
        case Phase.MAP, _:
            return (game.first,)
        case _, Attempt(judged=False):
            return (GM,)
        case _, Creation() if waiting_helpers(question):
            return tuple(helper.smith for helper in waiting_helpers(question))
        case _, Voting():
            return tuple(ballot.smith for ballot in question.ballots if not ballot.cast)
        case _, None:
            smith, actor = game.turn.smith, game.turn.actor
            able = (actor,) if actor else tuple(heroine.id for heroine in game.of(smith))
            return tuple(dict.fromkeys((smith, *able)))
        case _:
            return (question.smith,)


def prompts(game: Game) -> tuple[PromptCard, ...]:
    """Every question that waits."""
    question = game.question
    if game.phase is Phase.OVER:
        return ()
    if game.phase is Phase.MAP:
        return (PromptCard(id=DROP, actor=game.first, question="Let the dice of the realm fall."),)
    if question is None:
        return ()
    seconds = game.settings.answer_seconds or None
    name = game.smith(question.smith).name
    match question:
        case Creation() if waiting_helpers(question):
            text = f"Do you join {name} in making {question.name}?"
            return tuple(
                PromptCard(
                    id=prompt_id(question.id, helper.smith),
                    actor=helper.smith,
                    question=text,
                    seconds=seconds,
                )
                for helper in waiting_helpers(question)
            )
        case Voting():
            text = f"May {name} take {game.artifact(question.artifact).name} from the Vault?"
            return tuple(
                PromptCard(
                    id=prompt_id(question.id, ballot.smith),
                    actor=ballot.smith,
                    question=text,
                    seconds=seconds,
                )
                for ballot in question.ballots
                if not ballot.cast
            )
        case Attempt(judged=False):
            text = f"Which Artifacts help {game.actor(question.who).name}?"
            return (PromptCard(id=question.id, actor=GM, question=text),)
    return (PromptCard(id=question.id, actor=question.smith, question=_own(game)),)


def _own(game: Game) -> str:
    """The question to the player whose turn it is."""
    match game.question:
        case Attempt():
            return "Let the dice fall."
        case Creation(name=name):
            return f"Which dice do you roll for {name}?"
        case Purchase(total=total, what=what, name=name):
            whose = "the Artifact" if what is Making.ARTIFACT else "the Heroine"
            return f"Spend {counted(total)} on dice for {name}, {whose}."
        case Refused(artifact=artifact):
            return f"The others refuse. Do you roll for {game.artifact(artifact).name}?"
        case Rewarding(who=who):
            return f"Promote a die of {game.actor(who).name}, or gain a d4?"
        case Losing():
            return "Which die does the Forest take?"
        case RuinDrop():
            return "Drop the die of the Ruins that are found now."
        case Trouble(place=place):
            return f"Roll for the next problem of {game.ground.spot(place).name}."
        case _:
            return "It is your move."


def lapse(game: Game, prompt: str) -> Move | None:
    """The move that stands for silence: a missing vote is a no, a silent helper stays out."""
    if not game.settings.answer_seconds:
        return None
    question = game.question
    match question:
        case Voting():
            for ballot in question.ballots:
                if not ballot.cast and prompt == prompt_id(question.id, ballot.smith):
                    return Vote(actor=ballot.smith, prompt=prompt, agree=False)
        case Creation():
            for helper in waiting_helpers(question):
                if prompt == prompt_id(question.id, helper.smith):
                    return Join(actor=helper.smith, prompt=prompt)
    return None
