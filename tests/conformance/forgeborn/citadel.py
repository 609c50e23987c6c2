"""The Vault: votes, rolls, grants; and Artifacts from hand to hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.play.facts import DiceFell, VotesCounted
from services.rules.systems.forgeborn.play.moves import (
    AskVault,
    AssistVillage,
    Claim,
    CollectGrant,
    Decline,
    Give,
    Take,
    Vote,
)
from services.rules.systems.forgeborn.play.state import VAULT, Game
from services.rules.systems.forgeborn.pools import DiceCount
from tests.conformance.forgeborn.fights import SURE, THREE, USE, outcome_of
from tests.conformance.forgeborn.stage import (
    SMITHS,
    Answer,
    Given,
    Happened,
    illegal,
    made,
    make,
    place_id,
    refused,
    spread,
    stage,
    who_acts,
    with_artifact,
    with_smith,
    written,
)


def vault_vote(given: Given) -> Answer:
    """F13, P18: whether so many votes give an Artifact."""
    players = given["players"]
    agree = [True] * given.get("votes_yes", 0) + [False] * given.get("votes_no", 0)
    if len(agree) != players - 1:
        return illegal("every other player votes")
    game = with_artifact(stage(players=players), DiceCount(d6=2))
    happened = made(game, AskVault(actor="A", artifact="X"))
    for voter, vote in zip(SMITHS[1:players], agree, strict=True):
        happened = made(happened.at, Vote(actor=voter, agree=vote))
    counted = happened.event(VotesCounted)
    return {
        "legal": True,
        "granted": bool(counted and counted.granted),
        "may_roll": happened.asks("claim"),
        "possession": happened.whole.artifact("X").holder == "A",
    }


def vault(given: Given) -> Answer:
    """F13, F14, F23: an Artifact asked for, rolled for, or granted."""
    actor = who_acts(given)
    where = str(given.get("artifact", ""))
    held = "held" in where or not given.get("artifact_in_vault", True)
    power = given.get("artifact_power", 2)
    game = stage(players=3, at=place_id(given.get("at", "Citadel")), actor=actor)
    game = with_artifact(game, DiceCount(d6=power))
    if given.get("grant"):
        game = with_smith(game, "A", swayed_on=0, grants=("X",))
    if held:
        game = _taken_by_another(game)
    if given.get("grant"):
        return _collected(game, actor)
    game, claim, faces = _claim(given, game, power)
    asked = make(game, AskVault(actor=actor, artifact="X"))
    if isinstance(asked, Problems):
        return refused(asked, {"wrong_place": "not at the Citadel"})
    for voter in ("B", "C"):
        asked = made(asked.at, Vote(actor=voter, agree=bool(given.get("votes_granted"))))
    if not asked.asks("claim"):
        return _stands(asked, actor, rolled=False) | {"vote": True, "reward_due": False}
    if given.get("rolls") is False:
        left = made(asked.at, Decline(actor="A"))
        return _stands(left, actor, rolled=False) | {"reward_due": False}
    happened = make(asked.at, claim, faces)
    if isinstance(happened, Problems):
        return refused(happened, {})
    after = happened.game.smith("A")
    found = _stands(happened, "A", rolled=True) | outcome_of(happened)
    return found | {"vp": after.points, "dice_after": written(after.dice)}


def _taken_by_another(game: Game) -> Game:
    """The game after another Smith was quicker; every grant is gone then (P20)."""
    theirs = replace(game, turn=replace(game.turn, smith="B"))
    theirs = with_smith(theirs, "B", place="citadel", swayed_on=0, grants=("X",))
    after = made(theirs, CollectGrant(actor="B", artifact="X")).whole
    return replace(after, turn=game.turn)


def _collected(game: Game, actor: str) -> Answer:
    happened = make(game, CollectGrant(actor=actor, artifact="X"))
    if isinstance(happened, Problems):
        reasons = {"grant_missing": "taken by another first", "wrong_place": "not at the Citadel"}
        return refused(happened, reasons) | {"grant_left": bool(game.smith("A").grants)}
    rolled = happened.event(DiceFell) is not None
    left = bool(happened.whole.smith("A").grants)
    return _stands(happened, actor, rolled=rolled) | {"vote": False, "grant_left": left}


def _claim(given: Given, game: Game, power: int) -> tuple[Game, Claim, dict[str, Sequence[int]]]:
    """The roll for a refused Artifact: the game with the dice for it, the answer, and its faces."""
    if "total" in given:
        own, dice, lent, fell = spread(given["total"])
        game = with_smith(game, "A", dice=own)
        if lent.total():
            game = with_artifact(game, lent, holder="A", name="Y")
        uses = tuple(replace(use, artifact="Y") for use in USE) if lent.total() else ()
        against: Sequence[int] = given.get("opposition", ())
        faces = {**fell, "Y:d12": fell["X:d12"], "opposition": against}
        return game, Claim(actor="A", dice=dice, artifacts=uses), faces
    won = given.get("result", "win") == "win"
    faces = {"*": (), "opposition": (1,) * power} if won else {"opposition": (12,) * power}
    return with_smith(game, "A", dice=SURE), Claim(actor="A", dice=THREE), faces


def _stands(happened: Happened, actor: str, *, rolled: bool) -> Answer:
    after = happened.game
    return {
        "legal": True,
        "possession": after.artifact("X").holder == actor,
        "rolled": rolled,
        "action_used": after.turn.smith != "A" or happened.at.waiting is not None,
        "vp": after.smith("A").points,
    }


def transfer(given: Given) -> Answer:
    """G1 to G3, P28: an Artifact from hand to hand."""
    source, target = _person(given["from"]), _person(given["to"])
    game = with_artifact(stage(at="village-1"), DiceCount(d6=1), holder=source)
    game = _with_second_heroine(game)
    if not given.get("same_place", True):
        game = with_smith(game, target, place="lair")
    if given.get("turn_of", "A") != "A" or given.get("own_turn") is False:
        game = replace(game, turn=replace(game.turn, smith=given.get("turn_of", "B")))
    if source.islower() and target.islower():
        return illegal("through the Smith only")
    move: Give | Take
    move = (
        Take(actor=target, artifact="X") if source.islower() else Give(actor=source, artifact="X", to=target)
    )
    happened = make(game, move)
    if isinstance(happened, Problems):
        reasons = {
            "not_to_smiths": "no rule for it",
            "not_your_heroine": "own recruits only",
            "heroine_not_here": "not at the same place",
            "not_your_turn": "on the owner's own turn",
            "not_yours": "not in the Vault",
            "unknown_actor": "Vault first",
        }
        return refused(happened, reasons)
    answer: Answer = {"legal": True, "holder": given["to"], "action_used": False}
    then: Any = given.get("then")
    if then:
        after = make(happened.whole, AssistVillage(actor="A", dice=THREE))
        answer["legal"] = not isinstance(after, Problems)
    return answer


def _with_second_heroine(game: Game) -> Game:
    second = replace(game.heroines[0], id="a2", name="a2")
    return replace(game, heroines=(*game.heroines, second))


def _person(word: str) -> str:
    """`smith A` is `A`; `heroine of A` is `a`, `heroine 2 of A` is `a2`; the Vault is nobody."""
    lower = word.lower()
    if "vault" in lower:
        return VAULT
    owner = word.strip()[-1].upper()
    if not lower.startswith("heroine"):
        return owner
    return f"{owner.lower()}2" if "2" in lower else owner.lower()


AREAS: dict[str, Area] = {"vault_vote": vault_vote, "vault": vault, "transfer": transfer}
