"""Powers that hit, in cases: a foe with what a case gives it, and what a blow leaves of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.play.facts import Rolled
from services.rules.systems.dungeonteller.play.state import (
    Being,
    EffectKind,
    Reflex,
    Scene,
    Side,
)
from tests.conformance.dungeonteller.reading import (
    Answer,
    Given,
    own_power,
    refused,
)
from tests.conformance.dungeonteller.stage import (
    FOE,
    LUCK,
    MIDDLE,
    WIN,
    Stage,
    being_in,
    cast,
    legal,
    luck_in,
    person,
    scene_of,
    user_of,
)

NEAR = Square(MIDDLE.x + 1, MIDDLE.y)


def first(given: Given, *keys: str, default: Any = None) -> Any:
    """What a case gives under the first of these keys that it has."""
    return next((given[key] for key in keys if key in given), default)


def foe_of(given: Given, at: Square = NEAR, **changes: Any) -> Being:
    """The foe of a case: its size, tags, Luck and Armor as far as they are given."""
    luck = first(given, "target_luck", "foe_luck", default=LUCK)
    made = person(
        FOE,
        at,
        Side.FOES,
        luck=luck,
        max_luck=max(luck, LUCK),
        size=Size(given.get("target_size", "human")),
        armor=first(given, "target_armor", "foe_armor", default=0),
    )
    return replace(made, **changes)


def pools_in(desk: Stage) -> dict[str, int]:
    """Dice of the rolls that were made, by their names."""
    return {event.roll: event.dice.value for event in desk.events if isinstance(event, Rolled)}


def against(given: Given) -> tuple[int, ...]:
    """The faces of the other side."""
    return tuple(given.get("opposing_dice", ()))


# Hits


def hit(slug: str, at: Square = NEAR, to: Square | None = None) -> Area:
    """A power that hits one foe: the Luck it takes, and what is left on both sides."""

    def answer(given: Given) -> Answer:
        foe = foe_of(given, at)
        if "dodge_stunt" in given:
            foe = replace(foe, ratings=Ratings(stunt=given["dodge_stunt"]), reflex=Reflex.ASK)
        user = user_of(slug, given)
        attack = own_power(slug).attack
        assert attack is not None
        ratings = replace(user.ratings, **{attack.action.value: len(given.get("dice", ())) or LUCK})
        start = scene_of(replace(user, ratings=ratings), foe)
        squares = () if to is None else (to,)
        faces = {"attack": tuple(given.get("dice", (WIN,)))}
        desk = cast(start, slug, given, faces, targets=(FOE,), squares=squares)
        if isinstance(desk, Stage) and desk.asks:
            desk = desk.yes(faces)
        if isinstance(desk, RuleProblem):
            return refused(desk)
        after = being_in(desk.scene, FOE)
        return legal(
            successes=desk.successes("attack"),
            pool=pools_in(desk)["attack"],
            luck=luck_in(desk.scene),
            luck_lost=(foe.luck or 0) - (after.luck or 0),
            target_luck=after.luck,
            foe_luck=after.luck,
            knocked_out=after.out,
        )

    return answer


def two_foes(slug: str) -> Area:
    """Sweep and Rapid Fire: the groups after each foe's Armor, or why the split is wrong."""

    def answer(given: Given) -> Answer:
        groups = tuple(first(given, "groups", "split", default=()))
        whole = given.get("pool", sum(groups) or LUCK)
        armors = tuple(given.get("target_armors", (0, 0)))
        attack = own_power(slug).attack
        assert attack is not None
        luck = given.get("luck", max(whole, LUCK))
        user = user_of(slug, {**given, "dice": (), "luck": luck})
        ratings = replace(user.ratings, **{attack.action.value: whole})
        foes = tuple(
            foe_of(given, Square(NEAR.x, NEAR.y + index), id=f"{FOE}-{index}", armor=armor)
            for index, armor in enumerate(armors)
        )
        targets = tuple(foe.id for foe in foes)
        if first(given, "same_target", "same_foe", default=False) or given.get("foes") == 1:
            targets = (targets[0],) * len(targets)
        fell = _group_faces(given, targets)
        start = scene_of(replace(user, ratings=ratings), *foes)
        desk = cast(start, slug, {**given, "dice": ()}, fell, targets=targets, split=groups)
        if isinstance(desk, RuleProblem):
            return refused(desk)
        dice = [pools_in(desk)[f"attack:{target}"] for target in targets]
        lucks = [being_in(desk.scene, target).luck or 0 for target in targets]
        return legal(
            dice=dice,
            pools=dice,
            groups=list(groups),
            successes=[desk.successes(f"attack:{target}") for target in targets],
            luck_lost=[(foe.luck or 0) - left for foe, left in zip(foes, lucks, strict=True)],
            target_lucks=lucks,
            luck=luck_in(desk.scene),
        )

    return answer


def _group_faces(given: Given, targets: Sequence[str]) -> dict[str, tuple[int, ...]]:
    rolled = first(given, "group_dice", "dice", default=())
    if not all(isinstance(faces, list | tuple) for faces in rolled):
        return {}
    return {f"attack:{target}": tuple(faces) for target, faces in zip(targets, rolled, strict=False)}


def ambush(given: Given) -> Answer:
    """Ambush: whether the blow is allowed, and with how many dice."""
    seen = bool(first(given, "seen", "has_seen", "foe_has_seen", "foe_saw_user", default=False))
    user = user_of("ambush", given)
    battle = given.get("battle", 0)
    user = replace(user, ratings=replace(user.ratings, battle=battle))
    start = scene_of(user, foe_of(given, surprised=not seen))
    desk = cast(start, "ambush", given, {"against": against(given)}, targets=(FOE,))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    asked = bool(desk.asks)
    answer = legal(
        works=asked,
        ambush=asked,
        surprised=asked,
        attack=asked,
        battle_bonus=0,
        luck=luck_in(desk.scene),
    )
    if not asked:
        return answer
    faces = {"attack": tuple(given.get("battle_dice", ()))}
    struck = desk.yes(faces)
    dice = next(event.dice for event in struck.events if isinstance(event, Rolled))
    bonus = next(part.value for part in dice.parts if part.source == "the power")
    lost = LUCK - luck_in(struck.scene, FOE)
    return answer | {"battle_bonus": bonus, "battle_pool": dice.value, "pool": dice.value, "luck_lost": lost}


def knockout(given: Given) -> Answer:
    """Knockout: turns lost, and never Luck."""
    faces = {"attack": tuple(given.get("dice", ())), "against": against(given)}
    desk = cast(scene_of(user_of("knockout", given), foe_of(given)), "knockout", given, faces, targets=(FOE,))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    turns = amount_on(desk.scene, FOE, EffectKind.LOSES_TURNS)
    return legal(
        turns_lost=turns,
        works=turns > 0,
        falls=turns > 0,
        luck=luck_in(desk.scene),
        target_luck=luck_in(desk.scene, FOE),
    )


def amount_on(scene: Scene, being: str, kind: str) -> int:
    """What an effect on a being counts; 0 when there is none."""
    return sum(effect.amount for effect in scene.effects_on(being, kind))
