"""Conflicts: which dice may be rolled, who wins, and what a win brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from services.rules.engine.conformance import Area
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.build import build
from services.rules.systems.forgeborn.catalog import Form, Function
from services.rules.systems.forgeborn.choices import SmithChoices
from services.rules.systems.forgeborn.play.facts import Fought, RuinFound
from services.rules.systems.forgeborn.play.moves import (
    ArtifactUse,
    AssistVillage,
    BeseechPrince,
    BeTested,
    CreateArtifact,
    ExploreRuins,
    FaceDragon,
    Favour,
    Imbue,
    Move,
    Payment,
    Recruit,
    TakeFavour,
)
from services.rules.systems.forgeborn.play.setup import SETUPS, begin
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.pools import SIZE_OF, DiceCount, DieSize
from services.rules.systems.forgeborn.realm import PlaceKind
from tests.conformance.forgeborn.stage import (
    CATALOG,
    PLENTY,
    Answer,
    Given,
    Happened,
    by_roll,
    dice_of,
    illegal,
    made,
    make,
    place_id,
    refused,
    rolled,
    sizes,
    spread,
    stage,
    who_acts,
    with_artifact,
    with_power,
    with_smith,
    written,
)

USE = (ArtifactUse(artifact="X", how="It helps."),)
SURE = DiceCount(d12=3)
THREE = (DieSize.D12,) * 3
FREE = (500, 900) * 5
"""A position of the named realm where a die may lie."""


def outcome_of(happened: Happened) -> Answer:
    """How a Conflict ended."""
    fought: Fought = happened.event(Fought)
    return {
        "total": fought.total,
        "opposition_total": fought.opposition,
        "result": "win" if fought.won else "loss",
        "reward_due": not fought.won,
    }


def conflict(given: Given) -> Answer:
    """D1 to D8: a roll whose faces are given."""
    own, lent = dice_of(given["dice"]), DiceCount.of(rolled(given.get("artifact", ())))
    game = with_power(stage(at="village-1", dice=own), "village-1", given["power"])
    if lent.total():
        game = with_artifact(game, lent, holder="A")
    sacrificed = given.get("sacrificed", ())
    move = AssistVillage(
        actor="A",
        dice=rolled(given["normal"]),
        sacrificed=rolled(sacrificed),
        artifacts=USE if lent.total() else (),
    )
    faces = by_roll("A", [*given["normal"], *sacrificed]) | by_roll("X", given.get("artifact", ()))
    happened = make(game, move, faces | {"opposition": given["opposition"]})
    if isinstance(happened, Problems):
        return refused(happened, {})
    after = {"dice_after": written(happened.game.smith("A").dice)}
    return {"legal": True, **outcome_of(happened), **after}


def conflict_legality(given: Given) -> Answer:
    """D1 to D5, P11, P12: which dice may be rolled, in which action."""
    own, action = dice_of(given.get("dice", {})), given.get("action", "conflict")
    dice, sacrificed = sizes(given.get("normal", ())), sizes(given.get("sacrificed", ()))
    lent = DiceCount.of(sizes(given.get("artifact", ())))
    use = ArtifactUse(artifact="X", how="It helps." if given.get("use_described", True) else " ")
    uses = (use,) if lent.total() else ()
    possessed = bool(given.get("artifact_possessed", True))
    if "test" in action:
        return _test_legality(given, own, dice, sacrificed)
    if "creat" in action:
        if uses:
            return illegal("no Artifact dice in a creation")
        game = with_smith(stage(dice=own), "A", resource=1, secret=1)
        opening = CreateArtifact(
            actor="A",
            name="X",
            form=Form.CLOTHING,
            form_by=Payment.TOKEN,
            function=Function.KNOWLEDGE,
            function_by=Payment.TOKEN,
        )
        begun = make(game, opening)
        if isinstance(begun, Problems):
            return refused(begun, {"own_die_missing": "no own dice"})
        found = make(begun.at, Imbue(actor="A", dice=dice, sacrificed=sacrificed))
        return refused(found, {}) if isinstance(found, Problems) else {"legal": True}
    game = stage(at="village-1", dice=own)
    if uses:
        game = with_artifact(game, lent, holder="A" if possessed else "B")
    move: Recruit | AssistVillage
    if "recruit" in action:
        move = Recruit(actor="A", name="Her", dice=dice, sacrificed=sacrificed, artifacts=uses)
    else:
        move = AssistVillage(actor="A", dice=dice, sacrificed=sacrificed, artifacts=uses)
    found = make(game, move)
    return refused(found, {}) if isinstance(found, Problems) else {"legal": True}


def _test_legality(
    given: Given, own: DiceCount, dice: Sequence[DieSize], sacrificed: Sequence[DieSize]
) -> Answer:
    if "possessed" in str(given.get("artifact_is", "")):
        return illegal("only the tested Artifact")
    game = with_artifact(stage(dice=own, actor="a"), DiceCount.of(sizes(given.get("artifact", (6,)))))
    found = make(game, BeTested(actor="a", artifact="X", dice=tuple(dice), sacrificed=tuple(sacrificed)))
    return refused(found, {}) if isinstance(found, Problems) else {"legal": True}


def test(given: Given) -> Answer:
    """F15: a Heroine's test."""
    if "pass" in given:
        return _passing(given)
    actor = who_acts({"actor": "heroine", **given})
    own = dice_of(given["heroine_dice"]) if "heroine_dice" in given else PLENTY
    lent = DiceCount.of(rolled(given.get("artifact_dice", [[6, 1]])))
    game = stage(at=place_id(given.get("at", "Citadel")), dice=own, actor=actor)
    game = with_power(game, "citadel", given.get("citadel_power", 5))
    elsewhere = "held" in str(given.get("artifact", "")) or not given.get("artifact_in_vault", True)
    game = with_artifact(game, lent, holder="B" if elsewhere else "")
    normal = given.get("normal", [[12, 1]])
    sacrificed = given.get("sacrificed", ())
    move = BeTested(actor=actor, artifact="X", dice=rolled(normal), sacrificed=rolled(sacrificed))
    faces = by_roll(actor, [*normal, *sacrificed]) | by_roll("X", given.get("artifact_dice", ()))
    happened = make(game, move, faces | {"opposition": given.get("opposition", ())})
    if isinstance(happened, Problems):
        return refused(happened, {"wrong_place": "not at the Citadel"})
    after = happened.game
    return {
        "legal": True,
        **outcome_of(happened),
        "possession": after.artifact("X").holder == actor,
        "heroine_dice_after": written(after.actor(actor).dice),
        "vp": after.smith("A").points,
    }


def _passing(given: Given) -> Answer:
    game = with_artifact(with_power(stage(dice=SURE, actor="a"), "citadel", 1), DiceCount(d4=1))
    faces: dict[str, Sequence[int]] = {"*": ()} if given["pass"] else {"opposition": (12,)}
    happened = made(game, BeTested(actor="a", artifact="X", dice=THREE), faces)
    return {
        "vp": happened.game.smith("A").points,
        "possession": happened.game.artifact("X").holder == "a",
        "reward_due": outcome_of(happened)["reward_due"],
    }


# Places with a Power of their own


def _fight(game: Game, actor: str, place: str, given: Given) -> Happened | Problems:
    """The Conflict of a place, won or lost as the case says, by its figures or by its word."""
    after: dict[str, Sequence[int]] = {
        "problem": (given.get("next_d4", 1),),
        "ruin": (given.get("new_d8", 1),),
        "positions": FREE,
    }
    named: dict[str, Callable[..., Move]] = {
        "lair": FaceDragon,
        "city": BeseechPrince,
        "ruin-1": ExploreRuins,
    }
    cls = named.get(place, AssistVillage)
    if "total" in given:
        own, dice, lent, fell = spread(given["total"])
        game = with_smith(game, actor, dice=own)
        if lent.total():
            game = with_artifact(game, lent, holder=actor)
        faces: dict[str, Sequence[int]] = {**fell, "opposition": given.get("opposition", ()), **after}
        return make(game, cls(actor=actor, dice=dice, artifacts=USE if lent.total() else ()), faces)
    won = given.get("result", "win") == "win"
    power = game.ground.spot(place).power or 0
    game = with_smith(game, actor, dice=SURE)
    # Three d12 reach as many ones as any Power asks for, and three ones reach no Power's twelves.
    faces = {**after, "opposition": (1 if won else 12,) * power}
    return make(game, cls(actor=actor, dice=THREE), faces | {"*": ()} if won else faces)


def ruins(given: Given) -> Answer:
    """F17: Ruins explored, and those found after."""
    if "new_d8" in given:
        return _found(given)
    actor = who_acts(given)
    place = place_id(given.get("at", "Ruins"))
    game = stage(at=place, actor=actor)
    if "power" in given:
        game = with_power(game, "ruin-1", given["power"])
    if given.get("ruin") == "spent":
        spots = tuple(
            replace(spot, spent=True, power=None) if spot.id == "ruin-1" else spot
            for spot in game.ground.spots
        )
        game = replace(game, ground=replace(game.ground, spots=spots))
    game = with_smith(game, "A", secret=given.get("secret", 0), points=given.get("vp", 0))
    happened = _fight(game, actor, "ruin-1", given)
    if isinstance(happened, Problems):
        return refused(happened, {"wrong_place": "not Ruins"})
    after = happened.game
    spot = after.ground.spot("ruin-1")
    return {
        "legal": True,
        **outcome_of(happened),
        "opposition_dice": happened.dice("opposition"),
        "secret": after.smith("A").secret,
        "vp": after.smith("A").points,
        "vp_gained": after.smith("A").points - given.get("vp", 0),
        "ruin": "spent" if spot.spent else "unspent",
        "power_after": spot.power,
        "new_ruin": happened.event(RuinFound) is not None,
    }


def _found(given: Given) -> Answer:
    """The die of the next Ruin, on a realm that lies there."""
    smith = CastMember(id="A", sheet=build(SmithChoices(name="A"), CATALOG))
    game = begin(SETUPS["realm"], (smith,), CATALOG)
    if isinstance(game, Problems):
        raise ValueError(str(game))
    happened = _fight(with_smith(game, "A", place="ruin-1"), "A", "ruin-1", given)
    if isinstance(happened, Problems):
        raise ValueError(str(happened))
    spot = happened.whole.ground.spots[-1]
    return {"new_power": spot.power, "ruin": "spent" if spot.spent else "unspent"}


def village(given: Given) -> Answer:
    """F18: a Village's problem, solved or not."""
    actor = who_acts(given)
    place = place_id(given.get("at", "Village"))
    game = stage(at=place, actor=actor)
    if "power" in given:
        game = with_power(game, "village-1", given["power"])
    before = given.get("vp", 0)
    game = with_smith(game, "A", resource=given.get("resource", 0), points=before)
    happened = _fight(game, actor, "village-1", given)
    if isinstance(happened, Problems):
        return refused(happened, {"wrong_place": "not a Village"})
    fight = outcome_of(happened)
    after, opposed = happened.game, happened.dice("opposition")
    return {
        "legal": True,
        **fight,
        "opposition_dice": opposed,
        "resource": after.smith("A").resource,
        "vp": after.smith("A").points,
        "vp_gained": after.smith("A").points - before,
        "power_after": after.ground.spot("village-1").power,
    }


def dragon(given: Given) -> Answer:
    """F16, P26: the Dragon faced."""
    actor = who_acts(given)
    game = stage(at=place_id(given.get("at", "Lair")), actor=actor)
    game = with_power(game, "lair", given.get("dragon_power", 9))
    if given.get("dragon") == "defeated" or given.get("final_turns"):
        game = replace(game, phase=Phase.LAST_TURNS, slayer="B")
    player = game.player_of(actor)
    game = replace(game, turn=replace(game.turn, smith=player))
    happened = _fight(game, actor, "lair", given)
    if isinstance(happened, Problems):
        return refused(happened, {"wrong_place": "not at the Lair"})
    after = happened.game
    fight = outcome_of(happened)
    return {
        "legal": True,
        **fight,
        "vp": after.smith(player).points,
        "vp_to": player if fight["result"] == "win" else None,
        "dragon": "defeated" if after.slayer else "alive",
        "opposition_dice": happened.dice("opposition"),
    }


# The Prince


def prince(given: Given) -> Answer:
    """F21, F22: the Prince swayed, and his favours."""
    actor = who_acts(given)
    own = dice_of(given["dice"]) if "dice" in given else PLENTY
    game = stage(at=place_id(given.get("at", "City")), dice=own, actor=actor)
    if given.get("action") == "beseech" or "result" in given or "total" in given:
        return _beseech(given, game, actor)
    favours = given.get("favours", [given.get("favour")])
    number = 2 + given.get("turns_since", 1)
    swayed: int | None = 1 if given.get("favours_open", False) else None
    if given.get("won_this_turn"):
        swayed = number
    game = replace(game, turn=replace(game.turn, number=number))
    tokens = {"resource": given.get("resource", 0), "secret": given.get("secret", 0)}
    game = with_smith(game, "A", swayed_on=swayed, points=given.get("vp", 0), **tokens)
    wish = favours[0]
    if isinstance(wish, dict) and "grant" in wish:
        holder = "" if given.get("artifact_in_vault", True) else "B"
        game = with_artifact(game, DiceCount(d6=2), holder=holder, name=wish["grant"])
    happened = make(game, _favour(actor, wish))
    if isinstance(happened, Problems):
        reasons = {
            "prince_not_swayed": "the Prince is not swayed",
            "favour_too_soon": "on later turns only",
            "wrong_place": "not at the City",
        }
        return refused(happened, reasons)
    if len(favours) > 1:
        again = make(happened.whole, _favour(actor, favours[1]))
        return illegal("one favour per turn") if isinstance(again, Problems) else {"legal": True}
    after = happened.whole
    smith = after.smith("A")
    grants = smith.grants
    return {
        "legal": True,
        "resource": smith.resource,
        "secret": smith.secret,
        "vp": smith.points,
        "vp_gained": smith.points - given.get("vp", 0),
        "action_used": after.turn.number > number,
        "dice_after": written(after.actor(actor).dice),
        "grant": grants[0] if grants else None,
        "possession": bool(grants) and after.artifact(grants[0]).holder == actor,
    }


def _favour(actor: str, wish: object) -> TakeFavour:
    match wish:
        case "secret":
            return TakeFavour(actor=actor, favour=Favour.SECRET)
        case "resource":
            return TakeFavour(actor=actor, favour=Favour.RESOURCE)
        case {"promote": int(sides)}:
            return TakeFavour(actor=actor, favour=Favour.DIE, promote=SIZE_OF[sides])
        case {"grant": str(artifact)}:
            return TakeFavour(actor=actor, favour=Favour.GRANT, artifact=artifact)
        case _:
            return TakeFavour(actor=actor, favour=Favour.DIE)


def _beseech(given: Given, game: Game, actor: str) -> Answer:
    if given.get("favours_open"):
        game = with_smith(game, "A", swayed_on=0)
    happened = _fight(game, actor, "city", given)
    if isinstance(happened, Problems):
        return refused(happened, {"wrong_place": "not at the City", "prince_swayed": "swayed already"})
    fight = outcome_of(happened)
    smith = happened.game.smith("A")
    return {
        "legal": True,
        **fight,
        "power": next(s.power for s in game.ground.spots if s.kind is PlaceKind.CITY),
        "opposition_dice": happened.dice("opposition"),
        "favours_open": smith.swayed_on is not None,
        "vp": smith.points,
    }


AREAS: dict[str, Area] = {
    "conflict": conflict,
    "conflict_legality": conflict_legality,
    "test": test,
    "ruins": ruins,
    "village": village,
    "dragon": dragon,
    "prince": prince,
}
