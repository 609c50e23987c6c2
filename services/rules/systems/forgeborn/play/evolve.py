"""Folds facts into the state: one event after the other, no dice, no choice, no failure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from services.rules.systems.forgeborn.play.events import (
    Acted,
    Answered,
    ArtifactMade,
    ArtifactMoved,
    Asked,
    CastOut,
    Communed,
    Declined,
    Described,
    DiceChanged,
    DiceFell,
    DiceLanded,
    DragonFell,
    Event,
    Forged,
    Fought,
    GameOver,
    Granted,
    HelpAnswered,
    HeroineJoined,
    Journeyed,
    Judged,
    LimitSet,
    Passed,
    RealmMade,
    RuinFound,
    RuinMissed,
    RuinSpent,
    Scored,
    Swayed,
    TokenChanged,
    TurnBegan,
    VillageTroubled,
    VoteCast,
    VotesCounted,
)
from services.rules.systems.forgeborn.play.state import (
    VAULT,
    Game,
    Heroine,
    Phase,
    Score,
    Smith,
    Token,
)
from services.rules.systems.forgeborn.play.waiting import (
    Attempt,
    Creation,
    Voting,
)
from services.rules.systems.forgeborn.realm import CITADEL_ID


def evolve(game: Game, event: Event) -> Game:
    """The game after one event."""
    match event:
        case DiceLanded():
            return replace(game, ground=replace(game.ground, dice=(*game.ground.dice, *event.dice)))
        case RealmMade():
            smiths = tuple(replace(smith, place=CITADEL_ID) for smith in game.smiths)
            return replace(game, ground=event.ground, smiths=smiths, phase=Phase.PLAY)
        case RuinFound():
            ground = replace(
                game.ground,
                dice=(*game.ground.dice, event.die),
                spots=(*game.ground.spots, event.spot),
                ways=(*game.ground.ways, event.way),
            )
            return replace(game, ground=ground)
        case RuinSpent():
            return change_spot(game, event.place, power=None, spent=True, danger="")
        case VillageTroubled():
            return change_spot(game, event.place, power=event.power, danger=event.danger)
        case TurnBegan():
            later = tuple(one for one in game.last_turns if one != event.turn.smith)
            return replace(game, turn=event.turn, last_turns=later)
        case Acted():
            return replace(game, turn=replace(game.turn, actor=event.who))
        case Journeyed():
            return _journeyed(game, event)
        case Asked():
            return replace(game, question=event.question, questions=game.questions + 1)
        case Answered():
            return replace(game, question=None)
        case Judged() | HelpAnswered() | VoteCast():
            return _answered(game, event)
        case DiceChanged():
            dice = game.actor(event.who).dice.minus(event.lost).plus(event.gained)
            return change_actor(game, event.who, dice=dice)
        case TokenChanged():
            smith, name = game.smith(event.smith), event.token.value
            held = smith.resource if event.token is Token.RESOURCE else smith.secret
            return change_actor(game, smith.id, **{name: held + event.change})
        case Scored():
            score = Score(
                smith=event.smith, points=event.points, why=event.why, what=event.what, turn=game.turn.number
            )
            after = replace(game, scores=(*game.scores, score))
            points = game.smith(event.smith).points + event.points
            return change_actor(after, event.smith, points=points)
        case ArtifactMade():
            return replace(game, artifacts=(*game.artifacts, event.artifact))
        case HeroineJoined():
            return replace(game, heroines=(*game.heroines, event.heroine))
        case ArtifactMoved():
            return _moved(game, event)
        case CastOut():
            return change_actor(game, event.smith, place=event.to, came_from=game.smith(event.smith).place)
        case Swayed():
            return change_actor(game, event.smith, swayed_on=game.turn.number)
        case Granted():
            return change_actor(game, event.smith, grants=(*game.smith(event.smith).grants, event.artifact))
        case DragonFell():
            return replace(game, phase=Phase.LAST_TURNS, slayer=event.smith, last_turns=event.order)
        case Described():
            if event.place:
                return change_spot(game, event.place, danger=event.text)
            return replace(game, scene=event.text)
        case LimitSet():
            return replace(game, settings=replace(game.settings, answer_seconds=event.seconds))
        case GameOver():
            return replace(
                game,
                phase=Phase.OVER,
                question=None,
                last_turns=(),
                ranking=event.ranking,
                ended=event.text,
            )
        case (
            Passed()
            | DiceFell()
            | Fought()
            | Forged()
            | VotesCounted()
            | Declined()
            | Communed()
            | RuinMissed()
        ):
            return game
        case _:
            assert_never(event)


def _journeyed(game: Game, event: Journeyed) -> Game:
    before = game.actor(event.who)
    turn = replace(game.turn, actor=event.who, moved=True)
    if isinstance(before, Smith):
        moved = change_actor(game, event.who, place=event.to, came_from=before.place)
    else:
        moved = change_actor(game, event.who, place=event.to)
    return replace(moved, turn=turn)


def _answered(game: Game, event: Judged | HelpAnswered | VoteCast) -> Game:
    """A question that goes on after one answer to it."""
    question = game.question
    match event, question:
        case Judged(), Attempt():
            return replace(game, question=replace(question, approved=event.approved, judged=True))
        case HelpAnswered(), Creation():
            helpers = tuple(
                replace(one, joins=event.joins, dice=event.dice, sacrificed=event.sacrificed)
                if one.smith == event.smith
                else one
                for one in question.helpers
            )
            return replace(game, question=replace(question, helpers=helpers))
        case VoteCast(), Voting():
            ballots = tuple(
                replace(one, cast=True, agree=event.agree) if one.smith == event.smith else one
                for one in question.ballots
            )
            return replace(game, question=replace(question, ballots=ballots))
        case _:
            return game


def _moved(game: Game, event: ArtifactMoved) -> Game:
    """An Artifact that leaves the Vault takes every grant on it along (P20)."""
    left_vault = game.artifact(event.artifact).holder == VAULT
    artifacts = tuple(
        replace(one, holder=event.holder) if one.id == event.artifact else one for one in game.artifacts
    )
    game = replace(game, artifacts=artifacts)
    if not left_vault:
        return game
    smiths = tuple(
        replace(smith, grants=tuple(grant for grant in smith.grants if grant != event.artifact))
        if event.artifact in smith.grants
        else smith
        for smith in game.smiths
    )
    return replace(game, smiths=smiths)


def change_spot(game: Game, place: str, **changes: Any) -> Game:
    """The game with one place changed."""
    spots = tuple(replace(spot, **changes) if spot.id == place else spot for spot in game.ground.spots)
    return replace(game, ground=replace(game.ground, spots=spots))


def change_actor(game: Game, who: str, **changes: Any) -> Game:
    """The game with one Smith or Heroine changed."""
    if isinstance(game.actor(who), Heroine):
        heroines = tuple(replace(one, **changes) if one.id == who else one for one in game.heroines)
        return replace(game, heroines=heroines)
    smiths = tuple(replace(one, **changes) if one.id == who else one for one in game.smiths)
    return replace(game, smiths=smiths)
