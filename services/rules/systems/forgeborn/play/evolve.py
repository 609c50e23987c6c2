"""Folds facts into the state: one after the other, no dice, no choice, no failure."""

from __future__ import annotations

from typing import Any, assert_never

from services.rules.engine.effects import Effect, RoundEnded, TurnEnded, counted
from services.rules.engine.frozen import replace
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.effects import granted, lasting, swayed
from services.rules.systems.forgeborn.play.facts import (
    Acted,
    ArtifactMade,
    ArtifactMoved,
    CastOut,
    Communed,
    CreationBegan,
    Declared,
    Declined,
    Described,
    DiceChanged,
    DiceFell,
    DiceLanded,
    DragonFell,
    EffectBegan,
    EffectEnded,
    Fact,
    Forged,
    Fought,
    GameOver,
    Granted,
    GrantEnded,
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
    VaultAsked,
    VillageTroubled,
    VotesCounted,
)
from services.rules.systems.forgeborn.play.state import (
    Artifact,
    Game,
    Heroine,
    Phase,
    Score,
    Smith,
    Spot,
    Token,
    Turn,
    Way,
)
from services.rules.systems.forgeborn.pools import DiceCount
from services.rules.systems.forgeborn.realm import CITADEL_ID, PlaceKind


def evolve(game: Game, fact: Fact) -> Game:
    """The game after one fact."""
    match fact:
        case DiceLanded():
            # The map counts the dice of each size in the order of dropping, whatever fell between.
            dice = tuple(sorted((*game.ground.dice, *fact.dice), key=lambda die: die.sides))
            return replace(game, ground=replace(game.ground, dice=dice))
        case RealmMade():
            ground = replace(game.ground, spots=fact.spots, ways=fact.ways)
            smiths = tuple(replace(smith, place=CITADEL_ID) for smith in game.smiths)
            return replace(game, ground=ground, smiths=smiths, phase=Phase.PLAY)
        case RuinSpent():
            return change_spot(game, fact.place, power=None, spent=True, danger="")
        case RuinFound():
            return _ruin_found(game, fact)
        case VillageTroubled():
            return change_spot(game, fact.place, power=fact.power, danger=fact.danger)
        case TurnBegan():
            later = tuple(one for one in game.last_turns if one != fact.smith)
            turn = Turn(number=fact.number, round=fact.round, smith=fact.smith)
            return replace(_counted(game, fact), turn=turn, last_turns=later)
        case Acted():
            return replace(game, turn=replace(game.turn, actor=fact.who))
        case Journeyed():
            return _journeyed(game, fact)
        case DiceChanged():
            changed = game.actor(fact.who).dice.minus(fact.lost).plus(fact.gained)
            return change_actor(game, fact.who, dice=changed)
        case TokenChanged():
            smith, name = game.smith(fact.smith), fact.token.value
            held = smith.resource if fact.token is Token.RESOURCE else smith.secret
            return change_actor(game, smith.id, **{name: held + fact.change})
        case Scored():
            score = Score(
                smith=fact.smith, points=fact.points, why=fact.why, what=fact.what, turn=game.turn.number
            )
            after = replace(game, scores=(*game.scores, score))
            return change_actor(after, fact.smith, points=game.smith(fact.smith).points + fact.points)
        case ArtifactMade():
            return _artifact_made(game, fact)
        case HeroineJoined():
            return _heroine_joined(game, fact)
        case ArtifactMoved():
            artifacts = tuple(
                replace(one, holder=fact.holder) if one.id == fact.artifact else one for one in game.artifacts
            )
            return replace(game, artifacts=artifacts)
        case CastOut():
            return change_actor(game, fact.smith, place=fact.to, came_from=game.smith(fact.smith).place)
        case Swayed():
            return _with_effect(game, swayed(fact.smith, game.turn.number))
        case Granted():
            return _with_effect(game, granted(fact.smith, fact.artifact))
        case GrantEnded():
            return _without_effect(game, fact.smith, granted(fact.smith, fact.artifact).id)
        case EffectBegan():
            return _with_effect(game, fact.effect)
        case EffectEnded():
            return _without_effect(game, fact.who, fact.effect)
        case DragonFell():
            return replace(game, phase=Phase.LAST_TURNS, slayer=fact.smith, last_turns=fact.order)
        case GameOver():
            return replace(
                game,
                phase=Phase.OVER,
                last_turns=(),
                ranking=fact.ranking,
                ending=fact.ending,
                reason=fact.reason,
            )
        case Described():
            if fact.place:
                return change_spot(game, fact.place, danger=fact.text)
            return replace(game, scene=fact.text)
        case LimitSet():
            return replace(game, settings=replace(game.settings, answer_seconds=fact.seconds))
        case (
            RuinMissed()
            | Passed()
            | Declared()
            | Judged()
            | DiceFell()
            | Fought()
            | CreationBegan()
            | HelpAnswered()
            | Forged()
            | VaultAsked()
            | VotesCounted()
            | Declined()
            | Communed()
        ):
            return game
        case _:
            assert_never(fact)


def _with_effect(game: Game, effect: Effect) -> Game:
    return change_actor(game, effect.bearer, effects=(*game.actor(effect.bearer).effects, effect))


def _without_effect(game: Game, who: str, effect: str) -> Game:
    left = tuple(one for one in game.actor(who).effects if one.id != effect)
    return change_actor(game, who, effects=left)


def _counted(game: Game, fact: TurnBegan) -> Game:
    """The game with what lasts for turns or rounds counted down behind the turn that is over."""
    moments: list[TurnEnded | RoundEnded] = [TurnEnded(game.turn.smith)]
    if fact.round > game.turn.round:
        moments.append(RoundEnded())
    for moment in moments:
        for effect in lasting(game):
            left = counted((effect,), moment)
            if left != (effect,):
                every = game.actor(effect.bearer).effects
                game = change_actor(
                    game,
                    effect.bearer,
                    effects=tuple(left[0] if one.id == effect.id else one for one in every),
                )
    return game


def _ruin_found(game: Game, fact: RuinFound) -> Game:
    spot = Spot(
        id=fact.place,
        kind=PlaceKind.RUIN,
        name=fact.name,
        at=fact.die.at,
        power=fact.die.face,
        danger=fact.danger,
    )
    way = Way(start=fact.place, end=fact.near, kind=LinkKind.TRAIL)
    ground = replace(
        game.ground,
        dice=(*game.ground.dice, fact.die),
        spots=(*game.ground.spots, spot),
        ways=(*game.ground.ways, way),
    )
    return replace(game, ground=ground)


def _journeyed(game: Game, fact: Journeyed) -> Game:
    before = game.actor(fact.who)
    turn = replace(game.turn, actor=fact.who, moved=True)
    if isinstance(before, Smith):
        moved = change_actor(game, fact.who, place=fact.to, came_from=before.place)
    else:
        moved = change_actor(game, fact.who, place=fact.to)
    return replace(moved, turn=turn)


def _artifact_made(game: Game, fact: ArtifactMade) -> Game:
    made = Artifact(
        id=fact.artifact,
        name=fact.name,
        form=fact.form,
        function=fact.function,
        dice=DiceCount.of(fact.dice),
        power=len(fact.dice),
        maker=fact.maker,
    )
    return replace(game, artifacts=(*game.artifacts, made))


def _heroine_joined(game: Game, fact: HeroineJoined) -> Game:
    joined = Heroine(
        id=fact.heroine,
        name=fact.name,
        description=fact.description,
        smith=fact.smith,
        dice=DiceCount.of(fact.dice),
        place=fact.place,
    )
    return replace(game, heroines=(*game.heroines, joined))


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
