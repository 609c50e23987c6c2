"""Areas about how many dice are rolled, and how many succeed."""

from __future__ import annotations

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.checks import (
    BATTLE,
    SHOOT,
    Defence,
    Pace,
    attack_pool,
    power_pool,
    weapon_dice,
)
from services.rules.systems.dungeonteller.powers import Attack
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    SETTINGS,
    SHIELD,
    Answer,
    Given,
    action_called,
    actor_of,
    find,
    moment_of,
    own_power,
    pool_answer,
    refused,
    successes_in,
)


def successes(given: Given) -> Answer:
    """Faces to successes."""
    return {"successes": successes_in(given)}


def actions(given: Given) -> Answer:
    """Dice for an action."""
    return pool_answer(
        power_pool(actor_of(given), (action_called(given["action"]),), moment_of(given), SETTINGS)
    )


def double_move(given: Given) -> Answer:
    """Dice for an action in a double-move."""
    moment = moment_of(given, Pace.DOUBLE_MOVE)
    return pool_answer(power_pool(actor_of(given), (action_called(given["action"]),), moment, SETTINGS))


def attacks(given: Given) -> Answer:
    """Dice of an attack after Armor, Dodge and Luck."""
    attack = _attack(given["action"])
    defence = Defence(armor=_target_armor(given, attack), dodge=given.get("dodge_stunt") or 0)
    pool = attack_pool(actor_of(given), attack, moment_of(given), defence, SETTINGS)
    if isinstance(pool, RuleProblem):
        return refused(pool)
    return {"legal": True, "dice": pool.dice.value, "target_luck_cost": pool.target_luck_cost}


def _attack(name: str) -> Attack:
    if name in (Action.BATTLE.label, Action.SHOOT.label):
        return BATTLE if name == Action.BATTLE.label else SHOOT
    attack = find(CATALOG.powers, name).attack
    if attack is None:
        raise UnsupportedCaseError(f"{name} is no attack")
    return attack


def _target_armor(given: Given, attack: Attack) -> int:
    armor: int = given.get("target_armor", 0)
    if given.get("target_shield"):
        armor += SHIELD.armor
    if given.get("target_guard_circle"):
        armor += own_power("guard-circle").figures.armor or 0
    if given.get("target_invisible"):
        unseen = own_power("invisibility").figures
        figures = {Action.BATTLE: unseen.armor_battle, Action.SHOOT: unseen.armor_shoot}
        armor += figures.get(attack.action) or 0
    return armor


def weapon_dice_added(given: Given) -> Answer:
    """Dice a weapon adds."""
    dice = given["weapon_dice"] if "weapon_dice" in given else find(CATALOG.weapons, given["weapon"]).dice
    return {"added": weapon_dice(dice, action_called(given["action"]), given["limit_rating"]).value}
