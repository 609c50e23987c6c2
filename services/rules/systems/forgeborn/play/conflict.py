"""Conflicts: declared, judged by the game master, rolled, won or lost (D1 to D9, F14 to F18, F21).

Recruiting is rolled the same way, against nothing (F11, F12).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from services.rules.engine.play import Roll
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.desk import Desk, Plan
from services.rules.systems.forgeborn.play.events import (
    Acted,
    ArtifactMoved,
    DragonFell,
    Forged,
    Fought,
    Judged,
    Passing,
    Reason,
    RuinSpent,
    Swayed,
)
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    AssistVillage,
    BeseechPrince,
    BeTested,
    Claim,
    ConflictMove,
    ExploreRuins,
    FaceDragon,
    Recruit,
    Throw,
)
from services.rules.systems.forgeborn.play.rolling import (
    AGAINST,
    artifact_rolls,
    conflict_odds,
    creation_odds,
    opposition,
    own_rolls,
)
from services.rules.systems.forgeborn.play.state import (
    VAULT,
    Artifact,
    Game,
    Phase,
    Token,
    Why,
)
from services.rules.systems.forgeborn.play.waiting import (
    ArtifactUse,
    Attempt,
    Foe,
    Making,
    Purchase,
    Refused,
    RuinDrop,
    Trouble,
)
from services.rules.systems.forgeborn.play.where import (
    actor_problem,
    here,
    heroine_problem,
    nobody,
    place_problem,
    running_problem,
    smith_problem,
)
from services.rules.systems.forgeborn.pools import DieSize, pool_problems
from services.rules.systems.forgeborn.realm import CITADEL_ID, PlaceKind
from services.rules.systems.forgeborn.smith import LONGEST_NAME, LONGEST_TEXT, text_problems


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of Conflict: where it is fought, and who may."""

    foe: Foe
    place: PlaceKind
    rule: str
    smith_only: bool = False


KINDS: dict[type, Kind] = {
    FaceDragon: Kind(Foe.DRAGON, PlaceKind.LAIR, "Face the Dragon"),
    ExploreRuins: Kind(Foe.RUIN, PlaceKind.RUIN, "Explore Ruins"),
    AssistVillage: Kind(Foe.VILLAGE, PlaceKind.VILLAGE, "Assist A Village"),
    BeseechPrince: Kind(Foe.PRINCE, PlaceKind.CITY, "Beseech the Prince", smith_only=True),
}

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


def one(problem: RuleProblem) -> Problems:
    """A single problem."""
    return Problems((problem,))


# Declared


def conflict_problem(game: Game, actor: str, kind: Kind) -> RuleProblem | None:
    """Why somebody cannot have this Conflict here and now, whatever the dice."""
    wrong = smith_problem(game, actor) if kind.smith_only else actor_problem(game, actor)
    wrong = wrong or place_problem(game, actor, kind.rule, kind.place)
    if wrong is not None:
        return wrong
    spot = here(game, actor)
    if kind.foe is Foe.RUIN and spot.spent:
        left = tuple(one.id for one in game.ground.spots if one.kind is PlaceKind.RUIN and not one.spent)
        text = "These Ruins were explored already."
        return RuleProblem("ruin_spent", text, kind.rule, ("actor",), spot.id, left)
    if kind.foe is Foe.DRAGON and game.phase is Phase.LAST_TURNS:
        return RuleProblem("dragon_dead", "The Dragon is dead.", "P26", ("actor",), actor)
    if kind.foe is Foe.PRINCE and game.smith(actor).swayed_on is not None:
        return RuleProblem("prince_swayed", "The Prince is on her side already.", "P23", ("actor",), actor)
    return None


def plan_conflict(game: Game, _catalog: Catalog, move: ConflictMove) -> Plan | Problems:
    """The Dragon, Ruins, a Village's problem, or the Prince."""
    kind = KINDS[type(move)]
    wrong = conflict_problem(game, move.actor, kind)
    if wrong is not None:
        return one(wrong)
    spot = here(game, move.actor)
    return _declared(
        game,
        Attempt(
            id=_next_id(game),
            smith=game.player_of(move.actor),
            foe=kind.foe,
            who=move.actor,
            target=spot.id,
            power=spot.power or 0,
            dice=move.dice,
            sacrificed=move.sacrificed,
            uses=move.artifacts,
            description=move.description,
        ),
    )


def recruit_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why nobody can be recruited here and now (F11)."""
    rule = "Recruit a Heroine"
    wrong = smith_problem(game, actor) or place_problem(game, actor, rule, PlaceKind.VILLAGE, PlaceKind.CITY)
    most = game.settings.most_heroines
    if wrong is None and most and len(game.of(actor)) >= most:
        text = f"A Smith has at most {most} Heroines at this table."
        return RuleProblem("too_many_heroines", text, rule, ("actor",), len(game.of(actor)), most)
    return wrong


def plan_recruit(game: Game, _catalog: Catalog, move: Recruit) -> Plan | Problems:
    """A Heroine who is to be won over, in a Village or the City."""
    wrong = recruit_problem(game, move.actor)
    if wrong is not None:
        return one(wrong)
    attempt = Attempt(
        id=_next_id(game),
        smith=move.actor,
        foe=Foe.RECRUIT,
        who=move.actor,
        target=here(game, move.actor).id,
        power=0,
        dice=move.dice,
        sacrificed=move.sacrificed,
        uses=move.artifacts,
        name=move.name.strip(),
        description=move.description,
    )
    names = text_problems(move.name, ("name",), longest=LONGEST_NAME, needed=True, what="A name")
    return _declared(game, attempt, tuple(names))


def test_problem(game: Game, actor: str) -> RuleProblem | None:
    """Why somebody cannot be tested here and now (F15)."""
    rule = "Be Tested"
    return heroine_problem(game, actor) or place_problem(game, actor, rule, PlaceKind.CITADEL)


def plan_test(game: Game, _catalog: Catalog, move: BeTested) -> Plan | Problems:
    """A Heroine's test: her own dice and those of the one Artifact, against the Citadel (F15)."""
    wrong = test_problem(game, move.actor) or vault_problem(game, move.artifact, "Be Tested")
    if wrong is not None:
        return one(wrong)
    attempt = Attempt(
        id=_next_id(game),
        smith=game.player_of(move.actor),
        foe=Foe.TEST,
        who=move.actor,
        target=move.artifact,
        power=game.ground.spot(CITADEL_ID).power or 0,
        dice=move.dice,
        sacrificed=move.sacrificed,
        description=move.description,
    )
    return _declared(game, attempt)


def plan_claim(game: Game, _catalog: Catalog, move: Claim) -> Plan | Problems:
    """A Conflict against the Power of an Artifact that the others refused (F14)."""
    question = game.question
    if not isinstance(question, Refused):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    attempt = Attempt(
        id=_next_id(game),
        smith=move.actor,
        foe=Foe.VAULT,
        who=move.actor,
        target=question.artifact,
        power=game.artifact(question.artifact).power,
        dice=move.dice,
        sacrificed=move.sacrificed,
        uses=move.artifacts,
        description=move.description,
    )
    return _declared(game, attempt)


def vault_problem(game: Game, artifact: str, rule: str) -> RuleProblem | None:
    """Why something is not to be had from the Vault."""
    found = game.find_artifact(artifact)
    if found is not None and found.holder == VAULT:
        return None
    there = tuple(one.id for one in game.held_by(VAULT))
    text = "That does not lie in the Vault."
    return RuleProblem("artifact_not_in_vault", text, rule, ("artifact",), artifact, there)


def use_problems(game: Game, who: str, uses: Sequence[ArtifactUse]) -> Iterator[RuleProblem]:
    """Why Artifacts cannot help: not held, named twice, or without a word on how (D5)."""
    rule = "Conflict Rolls"
    held = tuple(artifact.id for artifact in game.held_by(who))
    for place, use in enumerate(uses):
        path = ("artifacts", place, "artifact")
        if use.artifact not in held:
            text = "Only what she holds helps her."
            yield RuleProblem("artifact_not_held", text, rule, path, use.artifact, held)
        elif use.artifact in (other.artifact for other in uses[:place]):
            yield RuleProblem("artifact_twice", "An Artifact helps once.", rule, path, use.artifact)
        how = ("artifacts", place, "how")
        if not use.how.strip():
            text = "Say how the Artifact helps."
            yield RuleProblem("use_not_described", text, rule, how, use.how, (1, LONGEST_TEXT))
        yield from text_problems(use.how, how, longest=LONGEST_TEXT, needed=False, what="A description")


def _declared(game: Game, attempt: Attempt, wrong: tuple[RuleProblem, ...] = ()) -> Plan | Problems:
    """A declared roll: it waits for the game master where Artifacts are to help, else it is rolled."""
    own = game.actor(attempt.who).dice
    about = attempt.description
    problems = (
        *wrong,
        *pool_problems(own, attempt.dice, attempt.sacrificed, normal=game.settings.normal_dice),
        *use_problems(game, attempt.who, attempt.uses),
        *text_problems(about, ("description",), longest=LONGEST_TEXT, needed=False, what="A description"),
    )
    if problems:
        return Problems(problems)
    if attempt.uses and game.settings.artifact_approval:
        return Plan(partial(_wait, attempt))
    ready = replace(attempt, approved=tuple(use.artifact for use in attempt.uses), judged=True)
    return Plan(partial(_fight, ready), rolls_of(game, ready))


def _next_id(game: Game) -> str:
    return f"question-{game.questions + 1}"


def _act(desk: Desk, who: str) -> None:
    if not desk.game.turn.actor:
        desk.do(Acted(who=who))


def _wait(attempt: Attempt, desk: Desk) -> None:
    desk.settle()
    _act(desk, attempt.who)
    desk.ask(replace(attempt, id=desk.next_id()))


# Judged and rolled


def helping(game: Game, attempt: Attempt) -> tuple[Artifact, ...]:
    """The Artifacts whose dice are rolled: those approved, or the one that is tested for."""
    if attempt.foe is Foe.TEST:
        return (game.artifact(attempt.target),)
    return tuple(game.artifact(artifact) for artifact in attempt.approved)


def all_dice(game: Game, attempt: Attempt) -> tuple[DieSize, ...]:
    """Every die on her side, those of Artifacts too."""
    lent = (die for artifact in helping(game, attempt) for die in artifact.dice.descending())
    return (*attempt.dice, *attempt.sacrificed, *lent)


def rolls_of(game: Game, attempt: Attempt) -> tuple[Roll, ...]:
    """The dice of a roll that is settled."""
    every = all_dice(game, attempt)
    recruiting = attempt.foe is Foe.RECRUIT
    odds = creation_odds(every) if recruiting else conflict_odds(every, attempt.power)
    own = own_rolls(attempt.who, LABELS[attempt.foe], attempt.dice, attempt.sacrificed, odds)
    lent = artifact_rolls(attempt.who, helping(game, attempt))
    if recruiting or attempt.power == 0:
        return (*own, *lent)
    return (*own, *lent, opposition(attempt.power, AGAINST_LABELS[attempt.foe]))


def plan_approve(game: Game, _catalog: Catalog, move: Approve) -> Plan | Problems:
    """The game master says which Artifacts help (P13)."""
    question = game.question
    if not isinstance(question, Attempt) or question.judged or question.id != move.prompt:
        text = "No use of an Artifact waits for approval under this id."
        allowed = question.id if isinstance(question, Attempt) and not question.judged else None
        return one(RuleProblem("prompt_unknown", text, "P13", ("prompt",), move.prompt, allowed))
    named = tuple(use.artifact for use in question.uses)
    for place, artifact in enumerate(move.artifacts):
        if artifact not in named or artifact in move.artifacts[:place]:
            text = "Each Artifact that was named is approved once."
            path = ("artifacts", place)
            return one(RuleProblem("artifact_not_named", text, "P13", path, artifact, named))
    approved = tuple(artifact for artifact in named if artifact in move.artifacts)
    refused = tuple(artifact for artifact in named if artifact not in move.artifacts)
    return Plan(lambda desk: desk.do(Judged(who=question.who, approved=approved, refused=refused)))


def plan_throw(game: Game, _catalog: Catalog, move: Throw) -> Plan | Problems:
    """The dice fall, now that it is settled which Artifacts help."""
    question = game.question
    if not isinstance(question, Attempt) or not question.judged:
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    return Plan(partial(_fight, question), rolls_of(game, question))


def nothing_asked(game: Game, actor: str) -> RuleProblem:
    """Nothing of the kind is waiting."""
    stopped = running_problem(game)
    text = "Nothing waits for that."
    return stopped or RuleProblem("nothing_to_answer", text, "Turn Actions", ("actor",), actor)


def not_asked(game: Game, actor: str, asked: str) -> RuleProblem:
    """Somebody else is asked."""
    if not game.player_of(actor):
        return nobody(game, actor)
    text = "Somebody else is asked."
    return RuleProblem("not_your_answer", text, "Turn Actions", ("actor",), actor, asked)


# Decided


def _fight(attempt: Attempt, desk: Desk) -> None:
    desk.settle()
    _act(desk, attempt.who)
    total = desk.total(but=(AGAINST,))
    if attempt.foe is Foe.RECRUIT:
        _recruited(attempt, desk, total)
        return
    against = sum(desk.faces.get(AGAINST, ()))
    won = total >= against
    desk.do(
        Fought(
            who=attempt.who,
            foe=attempt.foe,
            target=attempt.target,
            total=total,
            opposition=against,
            won=won,
        )
    )
    if not won:
        desk.reward(attempt.who)
        return
    desk.lose(attempt.who, attempt.sacrificed, Reason.SACRIFICE)
    _won(attempt, desk)


def _won(attempt: Attempt, desk: Desk) -> None:
    smith = attempt.smith
    match attempt.foe:
        case Foe.DRAGON:
            desk.score(smith, attempt.power, Why.DRAGON, "the Dragon")
            order = tuple(other.id for other in desk.game.others(smith))
            desk.do(DragonFell(who=attempt.who, smith=smith, order=order))
            desk.end_turn()
        case Foe.RUIN:
            name = desk.game.ground.spot(attempt.target).name
            desk.token(smith, Token.SECRET, 1)
            desk.score(smith, 1, Why.RUIN, name)
            desk.do(RuinSpent(place=attempt.target))
            desk.ask(RuinDrop(id=desk.next_id(), smith=smith))
        case Foe.VILLAGE:
            desk.token(smith, Token.RESOURCE, 1)
            desk.ask(Trouble(id=desk.next_id(), smith=smith, place=attempt.target))
        case Foe.PRINCE:
            desk.do(Swayed(smith=smith))
            desk.end_turn()
        case Foe.VAULT | Foe.TEST:
            how = Passing.CONFLICT if attempt.foe is Foe.VAULT else Passing.TEST
            desk.do(ArtifactMoved(artifact=attempt.target, holder=attempt.who, how=how))
            desk.end_turn()
        case Foe.RECRUIT:
            raise AssertionError("recruiting is not won against anything")


def _recruited(attempt: Attempt, desk: Desk, total: int) -> None:
    settings = desk.game.settings
    failed = total < settings.junk_below
    desk.do(Forged(smith=attempt.smith, what=Making.HEROINE, name=attempt.name, total=total, failed=failed))
    if not failed or not settings.failed_recruit_keeps_dice:
        desk.lose(attempt.who, attempt.sacrificed, Reason.SACRIFICE)
    if failed:
        desk.reward(attempt.who)
        return
    desk.ask(
        Purchase(
            id=desk.next_id(),
            smith=attempt.smith,
            total=total,
            what=Making.HEROINE,
            name=attempt.name,
            description=attempt.description,
        )
    )
