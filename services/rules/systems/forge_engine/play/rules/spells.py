"""Spells at work (Magic Skills / Common form; P0): attacks by their content, and a few of other kinds.

What is rolled against PD or MD and hurts, or leaves conditions, is an attack like any other. A further spell
of another kind is a function in `OTHERS`, and where it lasts an effect of the content with a function for its
window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from services.rules.engine.content import content_id
from services.rules.engine.effects import Duration, Effect, Until
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.steps import Steps, refuse
from services.rules.engine.windows import Windows
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.play.effects import CATALOG, bears, effect_id, hands_used, new_effect
from services.rules.systems.forge_engine.play.facts import (
    EffectBegan,
    EffectChanged,
    EffectEnded,
    Healed,
    SpellCast,
)
from services.rules.systems.forge_engine.play.ground import apart, covered
from services.rules.systems.forge_engine.play.moves import Cast
from services.rules.systems.forge_engine.play.rules.attack import check_strike, strike_through
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_fight,
    check_free,
    check_turn,
    known_target,
)
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, check_energy, cost_of, pay
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import Declared, Strike, defense_of, spell_attribute
from services.rules.systems.forge_engine.pools.attack_given import Cover, DefenseKind, PoolSkill
from services.rules.systems.forge_engine.pools.attack_pool import ADJACENT, action_pool
from services.rules.systems.forge_engine.skills import Against, AreaShape, Spell, SpellDamage, Targets, Use

MAGIC = "Magic Skills"
MINUTE = 10
"""Turns in a minute."""


def spell_id(slug: str) -> str:
    """The content id of a spell."""
    return content_id(SLUG, "spell", slug)


HEALING_TOUCH, STRENGTHENED_HIDE = spell_id("healing-touch"), spell_id("strengthened-hide")
HIDE = effect_id("strengthened-hide")


def is_attack(spell: Spell) -> bool:
    """Whether a spell is an attack that its content alone describes."""
    around = spell.area is None or (
        spell.area.shape is AreaShape.RADIUS and not spell.area.at_point and spell.targets is Targets.ALL
    )
    hurts = spell.damage in (SpellDamage.HALF, SpellDamage.PER_SUCCESS) or len(spell.conditions) > 1
    aimed = spell.targets is (Targets.ONE if spell.area is None else Targets.ALL)
    rolled = spell.against in (Against.PD, Against.MD)
    return spell.use is Use.ACTION and rolled and hurts and around and aimed


def castable(one: Combatant) -> Iterator[Spell]:
    """The spells that a combatant knows and that a fight has rules for."""
    for skill in one.profile.skills:
        spell = CATALOG.spells.get(skill.skill)
        if spell is not None and (is_attack(spell) or spell.id in OTHERS):
            yield spell


def reach_of_spell(spell: Spell) -> int:
    """Feet that a spell reaches; touch is 5."""
    return max(spell.range, ADJACENT)


def cast(turn: FightTurn, move: Cast) -> Steps:
    """Casts a spell: expends, adds energy up to the attribute, gains the skill's dice."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    known = {spell.id: spell for spell in castable(one)}
    spell = known.get(move.spell)
    if spell is None:
        refuse(
            "spell_unknown", "That spell is not theirs to cast.", MAGIC, ("spell",), move.spell, tuple(known)
        )
    if hands_used(fight, one) >= one.profile.hands:
        refuse("hands_full", "Magic takes a free hand.", "Magic Traits", ("actor",), one.hands_full())
    most = spell_attribute(one, spell)
    if not 1 <= move.added <= most:
        text = "Some energy is added, and no more than the attribute's rating."
        refuse("added_above_attribute", text, MAGIC, ("added",), move.added, (1, most))
    if is_attack(spell):
        check_fight(fight)
        strike = _aimed(fight, one, spell, move)
        check_strike(fight, strike)
        yield from strike_through(turn, strike)
        return
    target = _helped(fight, one, spell, move.target)
    cost = cost_of(fight, one, Dice(move.added, spell.name, MAGIC))
    check_energy(one, cost.value, spell.expend)
    dice = spell_dice(one, spell, move.added)
    pay(turn, one.id, spell.name, cost, added=move.added, expended=spell.expend)
    turn.happen(SpellCast(who=one.id, targets=(target.id,), spell=spell.id, name=spell.name))
    OTHERS[spell.id](turn, one, target, dice)


def _aimed(fight: Fight, one: Combatant, spell: Spell, move: Cast) -> Strike:
    """The attack that a spell is: on one target in range and sight, or on all others around the caster."""
    if spell.area is None:
        target = known_target(fight, one, move.target)
        feet = apart(fight, one, target)
        if feet > reach_of_spell(spell):
            far = reach_of_spell(spell)
            refuse("out_of_range", f"{spell.name} does not reach so far.", MAGIC, ("target",), feet, far)
        if covered(fight, one, target) is Cover.TOTAL:
            refuse("covered", "Total cover keeps it out.", "Externalities / Cover", ("target",), move.target)
        targets: tuple[str, ...] = (target.id,)
    else:
        radius = spell.area.feet
        around = (each for each in fight.combatants if each.id != one.id and each.gone is None)
        targets = tuple(each.id for each in around if apart(fight, one, each) <= radius)
    return Strike(
        id=f"spell-{one.id}",
        attacker=one.id,
        spell=spell.id,
        targets=targets,
        added=move.added,
        area=spell.area is not None,
    )


def _helped(fight: Fight, one: Combatant, spell: Spell, target: str) -> Combatant:
    """Oneself or an ally in range."""
    other = one if target in ("", one.id) else known_target(fight, one, target)
    if other.side != one.side or other.life is Life.DEAD:
        refuse("unknown_target", "There is no such target.", MAGIC, ("target",), target)
    if other.id != one.id and apart(fight, one, other) > reach_of_spell(spell):
        refuse(
            "out_of_range",
            f"{spell.name} does not reach so far.",
            MAGIC,
            ("target",),
            apart(fight, one, other),
        )
    return other


def spell_dice(one: Combatant, spell: Spell, added: int) -> Explained:
    """Dice of a spell that is not rolled, or of its test: energy, and the skill up to that."""
    skill = PoolSkill(name=spell.name, rating=one.profile.rating(spell.id))
    return action_pool(Explained(0, ()), spell_attribute(one, spell), added, (skill,))


def _healing_touch(turn: FightTurn, one: Combatant, target: Combatant, dice: Explained) -> None:
    """1 health for each die."""
    turn.happen(Healed(who=target.id, amount=dice.value))


def _strengthened_hide(turn: FightTurn, one: Combatant, target: Combatant, dice: Explained) -> None:
    """Dice for PD, one against each attack, for a minute (R-82)."""
    before = bears(turn.state, target.id, HIDE)
    if before is not None:
        turn.happen(EffectEnded(effect=before.id, bearer=target.id, what=HIDE))
    if dice.value:
        lasts = Duration(Until.TURNS, one.id, MINUTE, True)
        effect = new_effect(turn.state, HIDE, target.id, source=one.id, amount=dice.value, lasts=lasts)
        turn.happen(EffectBegan(effect=effect))


def strengthened_hide(turn: FightTurn, effect: Effect, window: Declared) -> Declared | None:
    """One of the dice against each attack on PD, until none is left."""
    strike, who = window.strike, effect.bearer
    if who not in strike.targets or defense_of(strike) is not DefenseKind.PD:
        return None
    if effect.amount > 1:
        turn.happen(EffectChanged(effect=effect.id, bearer=who, amount=effect.amount - 1))
    else:
        turn.happen(EffectEnded(effect=effect.id, bearer=who, what=HIDE))
    return window.with_strike(strike.defending(who, Dice(1, "Strengthened Hide", f"{MAGIC} [R-82]")))


OTHERS: Mapping[str, Callable[[FightTurn, Combatant, Combatant, Explained], None]] = {
    HEALING_TOUCH: _healing_touch,
    STRENGTHENED_HIDE: _strengthened_hide,
}
"""Spells that are not attacks, with what their dice do for oneself or an ally."""


def acting(windows: Windows) -> None:
    """Registers what effects of spells do by themselves."""
    windows.acts(HIDE, Declared, strengthened_hide)
