"""Feats of Strength: Luck spent on more dice for one Muscle roll of one's own (Warrior / Feat of Strength).

Every move that rolls Muscle may name the Luck (`feat`). The dice are cut to the Luck before it is paid (P2).
"""

from __future__ import annotations

from services.rules.engine.content import content_id
from services.rules.engine.explain import Part
from services.rules.engine.play import FieldKind, MoveField
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import SLUG, Catalog
from services.rules.systems.dungeonteller.luck import can_pay
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.state import Being

FEAT = content_id(SLUG, "power", "feat-of-strength")


def feat_problem(
    catalog: Catalog, being: Being, luck: int, actions: tuple[Action, ...], *, cost: int = 0
) -> RuleProblem | None:
    """Why a being cannot spend so much Luck on a Feat of Strength; spending none is always possible.

    Args:
        catalog: The content.
        being: Who rolls.
        luck: Luck to spend.
        actions: The actions rolled together.
        cost: Luck that the move costs besides.
    """
    if luck == 0:
        return None
    feat = catalog.powers[FEAT]
    if luck < feat.luck_cost:
        text = f"Spend {feat.luck_cost} Luck or more."
        return RuleProblem("luck_out_of_range", text, feat.source, ("feat",), luck, feat.luck_cost)
    if FEAT not in being.powers:
        text = f"{being.name} does not have {feat.name}."
        return RuleProblem("power_unknown", text, "Roles / Powers", ("feat",), FEAT, being.powers)
    if Action.MUSCLE not in actions:
        text = f"{feat.name} helps with Muscle alone."
        rolled = tuple(action.value for action in actions)
        return RuleProblem("feat_needs_muscle", text, feat.source, ("feat",), rolled, Action.MUSCLE.value)
    if being.luck is not None and not can_pay(being.luck, luck + cost):
        text = f"That costs {luck + cost} Luck, and there are {being.luck}."
        return RuleProblem("not_enough_luck", text, feat.source, ("feat",), being.luck, luck + cost)
    return None


def feat_parts(catalog: Catalog, luck: int) -> tuple[Part, ...]:
    """The dice of a feat as a step of the pool; none without Luck spent on it."""
    if not luck:
        return ()
    feat = catalog.powers[FEAT]
    return (Part(luck, f"{feat.name.lower()}, {luck} Luck", feat.source),)


def pay_feat(desk: Desk, being_id: str, luck: int) -> None:
    """Pay for a feat."""
    desk.pay(being_id, luck, FEAT)


def feat_field(being: Being, cost: int = 0) -> MoveField:
    """What a client asks about a feat: how much of the Luck that the move leaves."""
    return MoveField(
        name="feat",
        label="How much Luck for a Feat of Strength?",
        kind=FieldKind.NUMBER,
        least=0,
        most=max(0, (being.luck or 0) - cost),
        required=False,
    )
