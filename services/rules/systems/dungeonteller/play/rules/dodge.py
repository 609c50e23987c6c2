"""Dodging: for 1 Luck, one's Stunt takes dice off an attack (Powers for Everyone / Dodge)."""

from __future__ import annotations

from collections.abc import Iterable

from services.rules.engine.steps import Ask, Step
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.checks import DODGE_COST
from services.rules.systems.dungeonteller.luck import can_pay
from services.rules.systems.dungeonteller.play.conditions import armor_against, helpless
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.question import yes_or_no
from services.rules.systems.dungeonteller.play.state import Being, Creature, Reflex, Scene
from services.rules.systems.dungeonteller.powers import Attack

RULE = "Powers for Everyone / Dodge"
DODGE = "dodge"
"""How the id of the question begins; behind a colon, who is asked."""


def dodgers(desk: Desk, being: Being, targets: Iterable[Being], attack: Attack) -> Step[frozenset[str]]:
    """Asks all who may dodge an attack, side by side; those with a stance decide by it.

    Returns:
        Ids of those who dodge, and have not paid for it yet.
    """
    if not attack.dodge_counts:
        return frozenset()
    able = [target for target in targets if may_dodge(desk.scene, target)]
    found = {target.id for target in able if dodges_unasked(desk.scene, desk.catalog, being, target, attack)}
    asks = tuple(_question(desk.scene, being, target) for target in able if target.reflex is Reflex.ASK)
    answers = (yield from desk.ask(*asks)) if asks else ()
    found |= {answer.actor for answer in answers if answer.yes}
    return frozenset(found)


def may_dodge(scene: Scene, target: Being) -> bool:
    """Whether a being can dodge at all: able to move, quick at all, and with Luck to pay for it."""
    return (
        target.luck is not None
        and can_pay(target.luck, DODGE_COST)
        and target.ratings.stunt > 0
        and not target.out
        and target.creature in (Creature.PERSON, Creature.PET, Creature.MINION)
        and not helpless(scene, target)
    )


def dodges_unasked(scene: Scene, catalog: Catalog, being: Being, target: Being, attack: Attack) -> bool:
    """Whether the stance of a being dodges an attack: when their Stunt is better than their Armor."""
    if target.reflex is not Reflex.BETTER:
        return False
    armor = armor_against(scene, catalog, target, attack.action, being) if attack.armor_counts else 0
    return target.ratings.stunt > armor and (target.luck or 0) > DODGE_COST


def _question(scene: Scene, being: Being, target: Being) -> Ask:
    return yes_or_no(
        scene,
        f"{DODGE}:{target.id}",
        target,
        "Dodge? It costs 1 Luck, and your Stunt takes dice away.",
        rule=RULE,
        labels=("Dodge", "Stand still"),
        about=(being.id,),
    )
