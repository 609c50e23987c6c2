"""Smiths, dice and purchases; Artifacts and Heroines that are made."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from services.rules.engine.conformance import Area
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.build import build
from services.rules.systems.forgeborn.catalog import (
    FORM_OF_DIE,
    FUNCTION_OF_DIE,
    Form,
    Function,
    TableSettings,
)
from services.rules.systems.forgeborn.choices import SmithChoices
from services.rules.systems.forgeborn.play.evolve import evolve
from services.rules.systems.forgeborn.play.facts import ArtifactMade, Forged, TokenChanged
from services.rules.systems.forgeborn.play.moves import (
    ArtifactUse,
    Bestow,
    ChooseReward,
    CreateArtifact,
    FaceDragon,
    Imbue,
    Join,
    Payment,
    Recruit,
)
from services.rules.systems.forgeborn.play.state import VAULT, Game, Token
from services.rules.systems.forgeborn.pools import (
    SIDES,
    SIZE_OF,
    DiceCount,
    DieSize,
    promotable,
    promoted,
)
from services.rules.systems.forgeborn.prices import Purchase, cost, maximal, most_power, purchase_problems
from tests.conformance.forgeborn.stage import (
    CATALOG,
    PLENTY,
    SMITHS,
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
    stage,
    who_acts,
    with_artifact,
    with_smith,
    written,
)


def smith_budget(given: Given) -> Answer:
    """A5, A6: whether dice are within the budget."""
    unknown = [size for size in given["dice"] if size not in {known.value for known in DieSize}]
    if unknown:
        return illegal("size")
    dice = DiceCount(**given["dice"])
    sheet = build(SmithChoices(name="A", dice=dice), CATALOG)
    if isinstance(sheet, Problems):
        reasons = {
            "budget_exceeded": f"over {CATALOG.settings.budget} faces",
            "dice_out_of_range": "negative",
        }
        return {**illegal(reasons[sheet.codes[0]]), "faces": dice.faces()}
    return {"faces": sheet.faces.value, "legal": True, "left": sheet.left}


def artifact_cost(given: Given) -> Answer:
    """F7: what dice cost, and the Power they make."""
    dice = sizes(given["dice"])
    form, function = Form.CLOTHING, Function.KNOWLEDGE
    fact = ArtifactMade(artifact="X", name="X", form=form, function=function, dice=dice, maker="A")
    (artifact,) = evolve(stage(), fact).artifacts
    return {"cost": cost(dice), "power": artifact.power}


def artifact_purchases(given: Given) -> Answer:
    """F8: what a total buys."""
    total = given["total"]
    every = _paid_for(total)
    return {
        "purchases": _listed(every),
        "count": len(every),
        "maximal": _listed(maximal(total)),
        "max_power": most_power(total),
    }


def _paid_for(total: int) -> list[Purchase]:
    """Every set of dice that the rules let a total buy."""
    sets = (
        tuple(dice)
        for count in range(1, most_power(total) + 1)
        for dice in combinations_with_replacement(tuple(reversed(DieSize)), count)
    )
    return [dice for dice in sets if not purchase_problems(total, dice, ())]


def _listed(found: Sequence[Purchase]) -> list[list[int]]:
    """Purchases in the order of the cases: fewest dice, then cheapest, then the larger figure in front."""
    plain = [[SIDES[size] for size in purchase] for purchase in found]
    return sorted(plain, key=lambda dice: (len(dice), sum(dice), [-ord(sign) for sign in str(dice)]))


def promotion(given: Given) -> Answer:
    """D8, D9."""
    larger = promoted(SIZE_OF[given["die"]])
    return {"promotes_to": None if larger is None else SIDES[larger]}


def failure_reward(given: Given) -> Answer:
    """D8, D9: what a loss gives."""
    dice, choice = dice_of(given["dice"]), given.get("choice")
    options = ["gain_d4", *({"promote": SIDES[size]} for size in promotable(dice))]
    if choice is None:
        return {"options": options}
    if choice != "gain_d4" and (not isinstance(choice, dict) or set(choice) != {"promote"}):
        return {**illegal("one reward only"), "options": options}
    size = None if choice == "gain_d4" else SIZE_OF[choice["promote"]]
    # Ones against the Dragon's ones: a loss.
    lost = made(stage(at="lair", dice=dice), FaceDragon(actor="A", dice=dice.best(min(3, dice.total()))))
    if size is None or lost.asks("reward"):
        after = make(lost.at, ChooseReward(actor="A", promote=size)) if lost.asks("reward") else lost
        if not isinstance(after, Problems):
            return {"legal": True, "options": options, "dice_after": written(after.whole.smith("A").dice)}
    lent = dice_of(given.get("artifact_dice", {}))
    reason = "die not owned"
    if size is DieSize.D12:
        reason = "a d12 cannot be promoted"
    elif size is not None and lent.count(size):
        reason = "Artifact dice are not the character's"
    return {**illegal(reason), "options": options}


# Form and function


def form(given: Given) -> Answer:
    """F2, F3: what pays for the form."""
    return _paid(given, "form", Token.RESOURCE, {size: FORM_OF_DIE[size].value for size in DieSize})


def function(given: Given) -> Answer:
    """F2, F4: what pays for the function."""
    return _paid(given, "function", Token.SECRET, {size: FUNCTION_OF_DIE[size].value for size in DieSize})


def _paid(given: Given, what: str, token: Token, kinds: dict[DieSize, str]) -> Answer:
    pay, choose = given.get("pay"), given.get("choose")
    if not pay:
        return illegal(f"{what} must be paid")
    if "token" in pay:
        if pay["token"] != token.value:
            return illegal(f"{what} needs a {token.value.capitalize()} token or a die")
        kind, by = _word(choose or next(iter(kinds.values()))), Payment.TOKEN
    else:
        kind, by = kinds[SIZE_OF[pay["die"]]], Payment.DIE
        if choose is not None and _word(choose) != kind:
            return illegal(f"the die decides the {what}")
    tokens = given.get("tokens", given.get(token.value, 1))
    game = with_smith(stage(), "A", resource=tokens, secret=tokens)
    move = CreateArtifact(
        actor="A",
        name="X",
        form=Form(kind) if what == "form" else Form.CLOTHING,
        form_by=by if what == "form" else Payment.TOKEN,
        function=Function(kind) if what == "function" else Function.KNOWLEDGE,
        function_by=by if what == "function" else Payment.TOKEN,
    )
    happened = make(game, move)
    if isinstance(happened, Problems):
        return refused(happened, {"token_missing": "no token"})
    spent = [event for event in happened.events if isinstance(event, TokenChanged) and event.token is token]
    return {
        "legal": True,
        what: kind.replace("_", " "),
        "die_lost": happened.whole.smith("A").dice.total() < PLENTY.total(),
        f"{token.value}_tokens_spent": len(spent),
    }


def _word(kind: str) -> str:
    return kind.replace(" ", "_")


# Creations


def creation(given: Given) -> Answer:
    """F2 to F10: an Artifact from its payment to the Vault."""
    maker = given.get("maker", given)
    own = dice_of(maker.get("dice", {})) if "dice" in maker else PLENTY
    actor = who_acts(given)
    place = place_id(given.get("at", "Citadel"))
    game = stage(at=place, dice=own, actor=actor)
    game = with_smith(game, "A", resource=maker.get("resource", 0), secret=maker.get("secret", 0))
    helpers = _helpers(given)
    for helper in helpers:
        there = place_id(helper["at"]) if "at" in helper else place
        game = with_smith(game, helper["player"], place=there)
        if "dice" in helper:
            game = with_smith(game, helper["player"], dice=dice_of(helper["dice"]))
    begun = make(game, _opening(given, actor, [helper["player"] for helper in helpers]))
    if isinstance(begun, Problems):
        reasons = {
            "wrong_place": "not at the Citadel",
            "own_die_missing": "no own dice left to roll",
            "helper_not_there": "helper not at the Citadel",
            "token_missing": "no token",
        }
        return refused(begun, reasons)
    joined = _joined(begun, helpers)
    if isinstance(joined, Problems):
        return refused(joined, {"too_many_dice": "3 dice per Smith", "own_die_missing": "at least one die"})
    fell = given.get("rolled", {}).get("maker", {"normal": [[12, 1]], "sacrificed": []})
    faces = by_roll("A", [*fell.get("normal", ()), *fell.get("sacrificed", ())])
    for helper in helpers:
        faces.update(by_roll(helper["player"], _fell(helper)))
    imbue = Imbue(
        actor="A", dice=rolled(fell.get("normal", ())), sacrificed=rolled(fell.get("sacrificed", ()))
    )
    happened = make(joined, imbue, faces)
    if isinstance(happened, Problems):
        reasons = {"own_die_missing": "no own dice left to roll", "too_many_dice": "3 dice per Smith"}
        return refused(happened, reasons)
    return _made(given, happened, helpers)


def _helpers(given: Given) -> list[dict[str, Any]]:
    named = [dict(helper) for helper in given.get("helpers", ())]
    fell = dict(given.get("rolled", {}))
    together = fell.pop("helpers", {})
    if isinstance(together, list):
        together = {helper["player"]: rolled for helper, rolled in zip(named, together, strict=False)}
    fell.update(together)
    for who in fell:
        if who != "maker" and who in SMITHS and who not in [helper["player"] for helper in named]:
            named.append({"player": who})
    for helper in named:
        helper.update(fell.get(helper["player"], {}))
    return named


def _fell(helper: Given) -> list[list[int]]:
    every = [*helper.get("normal", ()), *helper.get("sacrificed", ())]
    return [list(die) if isinstance(die, list) else [die, 1] for die in every]


def _dice(given: Sequence[Any]) -> tuple[DieSize, ...]:
    return tuple(SIZE_OF[die[0] if isinstance(die, list) else die] for die in given)


def _opening(given: Given, actor: str, invited: Sequence[str]) -> CreateArtifact:
    def paid(key: str, kinds: dict[DieSize, str]) -> tuple[str, Payment]:
        pay = given.get(key, {"token": key})
        if "die" in pay:
            return kinds[SIZE_OF[pay["die"]]], Payment.DIE
        return _word(pay.get("choose", next(iter(kinds.values())))), Payment.TOKEN

    form_kind, form_by = paid("form", {size: FORM_OF_DIE[size].value for size in DieSize})
    function_kind, function_by = paid("function", {size: FUNCTION_OF_DIE[size].value for size in DieSize})
    return CreateArtifact(
        actor=actor,
        name="X",
        form=Form(form_kind),
        form_by=form_by,
        function=Function(function_kind),
        function_by=function_by,
        invite=tuple(invited),
    )


def _joined(begun: Happened, helpers: Sequence[Given]) -> Position | Problems:
    at = begun.at
    for helper in helpers:
        move = Join(
            actor=helper["player"],
            dice=_dice(helper.get("normal", ())),
            sacrificed=_dice(helper.get("sacrificed", ())),
        )
        happened = make(at, move)
        if isinstance(happened, Problems):
            return happened
        at = happened.at
    return at


def _made(given: Given, happened: Happened, helpers: Sequence[Given]) -> Answer:
    forged = happened.event(Forged)
    answer: Answer = {"legal": True, "total": forged.total, "result": "junk" if forged.failed else "success"}
    if forged.failed:
        after = _rewarded(happened, given.get("reward"))
        answer |= {"power": 0, "spent": 0, "artifact_at": None, "reward_due": True}
    else:
        dice = sizes(given.get("buy", ()))
        bought = make(happened.at, Bestow(actor="A", dice=dice))
        if isinstance(bought, Problems):
            reasons = {
                "purchase_too_dear": f"cost {cost(dice)} exceeds {forged.total}",
                "purchase_empty": "at least one die",
            }
            return refused(bought, reasons)
        after = bought.whole
        artifact = after.artifacts[-1]
        answer |= {
            "power": artifact.power,
            "spent": cost(dice),
            "unspent_lost": forged.total - cost(dice),
            "artifact_at": "Vault" if artifact.holder == VAULT else artifact.holder,
            "reward_due": False,
        }
    maker = after.smith("A")
    there = {helper["player"]: after.smith(helper["player"]) for helper in helpers}
    answer |= {
        "maker_vp": maker.points,
        "maker_dice": written(maker.dice),
        "resource": maker.resource,
        "secret": maker.secret,
        "helper_vp": {name: smith.points for name, smith in there.items()},
        "helper_dice": {name: written(smith.dice) for name, smith in there.items()},
    }
    if len(there) == 1:
        (only,) = there.values()
        answer |= {"helper_vp": only.points, "helper_dice": written(only.dice)}
    for name, smith in there.items():
        answer |= {f"{name}_vp": smith.points, f"{name}_dice": written(smith.dice)}
    return answer


def _rewarded(happened: Happened, reward: Any) -> Game:
    """The game after the reward was chosen; a d4 came by itself where nothing could be promoted."""
    if not happened.asks("reward"):
        return happened.whole
    promote = SIZE_OF[reward["promote"]] if isinstance(reward, dict) else None
    return made(happened.at, ChooseReward(actor="A", promote=promote)).whole


# Recruits


def recruit(given: Given) -> Answer:
    """F11, F12: a Heroine who is to be won over."""
    actor = who_acts(given)
    fell = given.get("rolled", {"normal": [[4, 1]], "sacrificed": [], "artifact": []})
    own = dice_of(given["dice"]) if "dice" in given else PLENTY
    normal = rolled(fell["normal"]) if "rolled" in given else own.best(1)
    game = stage(
        at=place_id(given.get("at", "Village")),
        dice=own,
        actor=actor,
        settings=TableSettings(artifact_approval=False),
    )
    lent = DiceCount.of(rolled(fell.get("artifact", ())))
    if lent.total():
        game = with_artifact(game, lent, holder=actor)
    move = Recruit(
        actor=actor,
        name="Her",
        dice=normal,
        sacrificed=rolled(fell.get("sacrificed", ())),
        artifacts=(ArtifactUse(artifact="X", how="It helps."),) if lent.total() else (),
    )
    faces = by_roll(actor, [*fell["normal"], *fell.get("sacrificed", ())])
    happened = make(game, move, {**faces, **by_roll("X", fell.get("artifact", ()))})
    if isinstance(happened, Problems):
        return refused(happened, {"wrong_place": "only in a Village or the City"})
    forged = happened.event(Forged)
    answer: Answer = {"legal": True, "total": forged.total, "vp": happened.whole.smith("A").points}
    if forged.failed:
        after = _rewarded(happened, given.get("reward"))
        return {
            **answer,
            "result": "failure",
            "heroine": None,
            "reward_due": True,
            "smith_dice": written(after.smith("A").dice),
        }
    dice = sizes(given.get("buy", ()))
    bought = make(happened.at, Bestow(actor="A", dice=dice))
    if isinstance(bought, Problems):
        return refused(bought, {"purchase_too_dear": f"cost {cost(dice)} exceeds {forged.total}"})
    heroine, smith = bought.whole.heroines[-1], bought.whole.smith("A")
    return {
        **answer,
        "result": "success",
        "heroine": "recruited",
        "heroine_at": given.get("at", "Village"),
        "heroine_dice": written(heroine.dice),
        "smith_dice": written(smith.dice),
        "vp": smith.points,
        "unspent_lost": forged.total - cost(dice),
        "reward_due": False,
    }


AREAS: dict[str, Area] = {
    "smith_budget": smith_budget,
    "artifact_cost": artifact_cost,
    "artifact_purchases": artifact_purchases,
    "promotion": promotion,
    "failure_reward": failure_reward,
    "form": form,
    "function": function,
    "creation": creation,
    "recruit": recruit,
}
