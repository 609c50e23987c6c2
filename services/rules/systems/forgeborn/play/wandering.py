"""Journeys, the Forest, the Prince's favours, the reward of a loss, and Artifacts from hand to hand."""

from __future__ import annotations

from functools import partial

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.geometry import squared_distance
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.conflict import not_asked, nothing_asked, one, vault_problem
from services.rules.systems.forgeborn.play.desk import Desk, Plan
from services.rules.systems.forgeborn.play.events import (
    Acted,
    ArtifactMoved,
    CastOut,
    Communed,
    DiceChanged,
    Granted,
    Journeyed,
    Passed,
    Passing,
    Reason,
)
from services.rules.systems.forgeborn.play.moves import (
    ChooseReward,
    Commune,
    Favour,
    Give,
    Journey,
    LoseDie,
    Pass,
    Take,
    TakeFavour,
)
from services.rules.systems.forgeborn.play.rolling import forest_odds, own_rolls
from services.rules.systems.forgeborn.play.state import (
    VAULT,
    Game,
    Heroine,
    Smith,
    Token,
    Why,
)
from services.rules.systems.forgeborn.play.waiting import (
    Losing,
    Rewarding,
)
from services.rules.systems.forgeborn.play.where import (
    actor_problem,
    journey_problem,
    place_problem,
    smith_problem,
    turn_problem,
    way_to,
)
from services.rules.systems.forgeborn.pools import MOST_ROLLED, DieSize, promoted, reward_problem
from services.rules.systems.forgeborn.realm import PlaceKind

FOREST = "Commune with the Spirits of the Forest"
PRINCE = "Beseech the Prince"
HANDS = "Heroines (and Heroes)"


# Journeys


def plan_journey(game: Game, _catalog: Catalog, move: Journey) -> Plan | Problems:
    """One move by Road is free, a second ends the turn; a Trail is the whole turn (F1)."""
    wrong = journey_problem(game, move.actor, move.to)
    if wrong is not None:
        return one(wrong)
    way = way_to(game, move.actor, move.to)
    kind = LinkKind.TRAIL if way is None else way.kind
    ends = kind is LinkKind.TRAIL or game.turn.moved

    def go(desk: Desk) -> None:
        desk.do(Journeyed(who=move.actor, to=move.to, by=kind))
        if ends:
            desk.end_turn()

    return Plan(go)


def plan_pass(game: Game, _catalog: Catalog, move: Pass) -> Plan | Problems:
    """The rest of the turn is let go (P24)."""
    wrong = turn_problem(game, move.actor)
    if wrong is not None:
        return one(wrong)

    def let_go(desk: Desk) -> None:
        desk.do(Passed(who=move.actor))
        desk.end_turn()

    return Plan(let_go)


# The Forest


def forest_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why nothing can be wished for here and now (F19)."""
    return smith_problem(game, actor) or place_problem(game, actor, FOREST, PlaceKind.FOREST)


def plan_commune(game: Game, _catalog: Catalog, move: Commune) -> Plan | Problems:
    """Dice are wished for: a low total gives them, a high one costs a die and the way out (F19)."""
    wrong = forest_problem(game, move.actor)
    if wrong is not None:
        return one(wrong)
    if not 1 <= len(move.dice) <= MOST_ROLLED:
        text = f"From 1 to {MOST_ROLLED} dice are wished for."
        found, bounds = len(move.dice), (1, MOST_ROLLED)
        return one(RuleProblem("wish_out_of_range", text, "P25", ("dice",), found, bounds))
    odds = forest_odds(move.dice, game.settings.forest_limit)
    return Plan(
        partial(_communed, move), own_rolls(move.actor, "Commune with the Forest", move.dice, (), odds)
    )


def _communed(move: Commune, desk: Desk) -> None:
    total = desk.total()
    gained = total <= desk.game.settings.forest_limit
    if not desk.game.turn.actor:
        desk.do(Acted(who=move.actor))
    desk.do(Communed(smith=move.actor, dice=move.dice, total=total, gained=gained))
    if gained:
        desk.gain(move.actor, move.dice, Reason.FOREST)
        desk.end_turn()
        return
    owned = desk.game.smith(move.actor).dice.owned()
    if len(owned) > 1:
        desk.ask(Losing(id=desk.next_id(), smith=move.actor))
        return
    desk.lose(move.actor, owned, Reason.FOREST)
    _cast_out(move.actor, desk)


def plan_lose(game: Game, _catalog: Catalog, move: LoseDie) -> Plan | Problems:
    """The player says which die the Forest takes."""
    question = game.question
    if not isinstance(question, Losing):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    dice = game.smith(move.actor).dice
    if not dice.holds((move.die,)):
        text = f"She has {dice.text()}."
        allowed = tuple(size.value for size in dice.owned())
        return one(RuleProblem("die_not_owned", text, FOREST, ("die",), move.die.value, allowed))

    def lose(desk: Desk) -> None:
        desk.settle()
        desk.lose(move.actor, (move.die,), Reason.FOREST)
        _cast_out(move.actor, desk)

    return Plan(lose)


def way_out(game: Game, smith: Smith) -> str:
    """Where the Forest leads somebody: back along her Trail, or to the nearest place linked to it."""
    near = tuple(way.other(smith.place) for way in game.ground.ways_from(smith.place))
    if smith.came_from in near:
        return smith.came_from
    at = game.ground.spot(smith.place).at
    return min(near, key=lambda place: squared_distance(at, game.ground.spot(place).at))


def _cast_out(smith: str, desk: Desk) -> None:
    desk.do(CastOut(smith=smith, to=way_out(desk.game, desk.game.smith(smith))))
    desk.end_turn()


# Rewards and favours


def plan_reward(game: Game, _catalog: Catalog, move: ChooseReward) -> Plan | Problems:
    """After a loss: a d4 more, or one die promoted, for whoever rolled (D8)."""
    question = game.question
    if not isinstance(question, Rewarding):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    wrong = reward_problem(game.actor(question.who).dice, move.promote, ("promote",))
    if wrong is not None:
        return one(wrong)

    def reward(desk: Desk) -> None:
        desk.settle()
        better(desk, question.who, move.promote, Reason.REWARD)
        desk.end_turn()

    return Plan(reward)


def better(desk: Desk, who: str, promote: DieSize | None, why: Reason) -> None:
    """A d4 more, or one die promoted."""
    larger = None if promote is None else promoted(promote)
    if promote is None or larger is None:
        desk.gain(who, (DieSize.D4,), why)
    else:
        desk.do(DiceChanged(who=who, gained=(larger,), lost=(promote,), why=why))


def favour_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why the Prince gives nothing here and now (F22)."""
    wrong = actor_problem(game, actor) or place_problem(game, actor, PRINCE, PlaceKind.CITY)
    if wrong is not None:
        return wrong
    swayed = game.smith(game.player_of(actor)).swayed_on
    if swayed is None:
        return RuleProblem("prince_not_swayed", "The Prince owes her nothing yet.", PRINCE, ("actor",), actor)
    if swayed >= game.turn.number:
        text = "Favours are for later turns."
        return RuleProblem("favour_too_soon", text, PRINCE, ("actor",), game.turn.number, swayed + 1)
    return None


def plan_favour(game: Game, _catalog: Catalog, move: TakeFavour) -> Plan | Problems:
    """One favour, as the action of a turn in the City (F22)."""
    wrong = favour_problem(game, move.actor)
    if wrong is not None:
        return one(wrong)
    smith = game.player_of(move.actor)
    if move.favour is not Favour.DIE and move.promote is not None:
        text = "Only a die as favour promotes one."
        return one(RuleProblem("favour_mixed", text, PRINCE, ("promote",), move.promote.value))
    if move.favour is not Favour.GRANT and move.artifact:
        text = "Only a grant is on an Artifact."
        return one(RuleProblem("favour_mixed", text, PRINCE, ("artifact",), move.artifact))
    if move.favour is Favour.GRANT:
        wrong = vault_problem(game, move.artifact, PRINCE)
        grants = game.smith(smith).grants
        if wrong is None and move.artifact in grants:
            text = "She has that grant already."
            others = tuple(one_of.id for one_of in game.held_by(VAULT) if one_of.id not in grants)
            wrong = RuleProblem("grant_held", text, PRINCE, ("artifact",), move.artifact, others)
    if move.favour is Favour.DIE:
        wrong = reward_problem(game.actor(move.actor).dice, move.promote, ("promote",))
    return Plan(partial(_favoured, move, smith)) if wrong is None else one(wrong)


def _favoured(move: TakeFavour, smith: str, desk: Desk) -> None:
    if not desk.game.turn.actor:
        desk.do(Acted(who=move.actor))
    points = desk.game.settings.favour_points
    match move.favour:
        case Favour.SECRET:
            desk.token(smith, Token.SECRET, 1)
            desk.score(smith, points, Why.FAVOUR, "the Prince's favour")
        case Favour.RESOURCE:
            desk.token(smith, Token.RESOURCE, 1)
            desk.score(smith, points, Why.FAVOUR, "the Prince's favour")
        case Favour.DIE:
            better(desk, move.actor, move.promote, Reason.FAVOUR)
        case Favour.GRANT:
            desk.do(Granted(smith=smith, artifact=move.artifact))
    desk.end_turn()


# From hand to hand


def hands_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why nothing changes hands now: it is free, but only in one's own turn, and through the Smith (P28)."""
    wrong = turn_problem(game, actor)
    if wrong is None and not isinstance(game.find(actor), Smith):
        smith = game.player_of(actor)
        return RuleProblem("smith_only", "Only a Smith gives and takes.", "P28", ("actor",), actor, smith)
    return wrong


def plan_give(game: Game, _catalog: Catalog, move: Give) -> Plan | Problems:
    """A Smith gives to any Heroine at her place (G2)."""
    wrong = hands_problem(game, move.actor) or _not_held(game, move.actor, move.artifact)
    if wrong is not None:
        return one(wrong)
    place = game.actor(move.actor).place
    present = tuple(heroine.id for heroine in game.heroines if heroine.place == place)
    if move.to not in present:
        to_smith = game.find_smith(move.to) is not None
        text = "Artifacts go from a Smith to a Heroine." if to_smith else "No such Heroine is here."
        code = "not_to_smiths" if to_smith else "heroine_not_here"
        return one(RuleProblem(code, text, "P28" if to_smith else HANDS, ("to",), move.to, present))
    moved = ArtifactMoved(artifact=move.artifact, holder=move.to, how=Passing.GIVEN)
    return Plan(lambda desk: desk.do(moved))


def plan_take(game: Game, _catalog: Catalog, move: Take) -> Plan | Problems:
    """A Smith takes from a Heroine of her own at her place (G2)."""
    wrong = hands_problem(game, move.actor)
    if wrong is not None:
        return one(wrong)
    artifact = game.find_artifact(move.artifact)
    holder = None if artifact is None else game.find(artifact.holder)
    if not isinstance(holder, Heroine):
        text = "No Heroine holds that."
        theirs = tuple(one_of.id for hers in game.of(move.actor) for one_of in game.held_by(hers.id))
        return one(RuleProblem("artifact_not_held", text, HANDS, ("artifact",), move.artifact, theirs))
    if holder.smith != move.actor:
        text = "She takes from her own Heroines only."
        return one(RuleProblem("not_your_heroine", text, HANDS, ("artifact",), move.artifact, holder.smith))
    if holder.place != game.actor(move.actor).place:
        text = "They are not at the same place."
        return one(RuleProblem("heroine_not_here", text, HANDS, ("artifact",), move.artifact, holder.place))
    moved = ArtifactMoved(artifact=move.artifact, holder=move.actor, how=Passing.TAKEN)
    return Plan(lambda desk: desk.do(moved))


def _not_held(game: Game, who: str, artifact: str) -> RuleProblem | None:
    held = tuple(one_of.id for one_of in game.held_by(who))
    if artifact in held:
        return None
    text = "She does not hold that."
    return RuleProblem("artifact_not_held", text, HANDS, ("artifact",), artifact, held)
