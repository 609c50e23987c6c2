"""Venom of creatures (Physical Traits / Venomous; N10)."""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.steps import Steps
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.effects import POISONED, bears, new_effect, traits_of
from services.rules.systems.forge_engine.play.facts import EffectBegan
from services.rules.systems.forge_engine.play.rules.attribute_test import RESIST, fixed_test, free_dice
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.rules.rounds import VENOM
from services.rules.systems.forge_engine.play.state import Life
from services.rules.systems.forge_engine.play.strike import Harmed, weapon_of

PLAIN, STRONG, STRONG_DAMAGE = 7, 8, 3


def resist_difficulty(damage: int) -> int:
    """The difficulty of resisting venom, by the damage that brought it."""
    return STRONG if damage >= STRONG_DAMAGE else PLAIN


def venom(turn: FightTurn, window: Harmed) -> Steps:
    """Unarmed melee attacks of the venomous: Stamina (Resist), or Poisoned."""
    fight = turn.state
    attacker, weapon = fight.find(window.strike.attacker), weapon_of(fight, window.strike)
    if not window.damage or weapon is None or weapon.kind is not EquipmentKind.UNARMED:
        return
    if not any(trait.venom for trait in traits_of(turn.state, attacker)):
        return
    one = fight.find(window.target)
    if one.life is Life.DEAD or bears(fight, one.id, POISONED) is not None:
        return
    dice = free_dice(fight, one, Attribute.STAMINA, RESIST)
    done = yield from fixed_test(turn, one, "Stamina (Resist)", dice, resist_difficulty(window.damage))
    if not done:
        effect = new_effect(turn.state, POISONED, one.id, source=attacker.id, shaken_off=True)
        turn.happen(EffectBegan(effect=replace(effect, cause=VENOM)))
