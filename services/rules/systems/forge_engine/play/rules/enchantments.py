"""What spells leave behind: stored dice, stored blows, flames that go on, commands.

The effects of the content say by their tags what they are: `bank:` dice are used one at a time, `all:` at
once, a `counter` strikes back, the `commanded` try to shake it off.
"""

from __future__ import annotations

from services.rules.engine.content import slug_of
from services.rules.engine.effects import Duration, Effect, on
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.ground.squares import Square
from services.rules.engine.steps import Step, Steps
from services.rules.engine.windows import Windows
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.play.effects import (
    effect_id,
    new_effect,
    rules,
)
from services.rules.systems.forge_engine.play.facts import (
    EffectBegan,
    EffectChanged,
    EffectEnded,
)
from services.rules.systems.forge_engine.play.ground import apart
from services.rules.systems.forge_engine.play.rules.attack import strike_through
from services.rules.systems.forge_engine.play.rules.attribute_test import fixed_test
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, pay
from services.rules.systems.forge_engine.play.rules.outcomes import minutes, spell_id
from services.rules.systems.forge_engine.play.state import Combatant, Life
from services.rules.systems.forge_engine.play.strike import (
    Declared,
    Resolved,
    Strike,
    defense_of,
)
from services.rules.systems.forge_engine.pools.attack_given import DefenseKind
from services.rules.systems.forge_engine.pools.attack_pool import ADJACENT
from services.rules.systems.forge_engine.skills import Spell

ENFLAME, FLAMES = spell_id("enflame"), effect_id("enflame")


def lasting_time(spell: Spell, caster: str, dice: int) -> Duration:
    """How long a spell lasts, by its words in the content."""
    count = 10 if spell.duration.startswith("10 ") else 1
    return minutes(caster, count * dice if spell.duration.endswith("for each die") else count)


def begin(turn: FightTurn, one: Combatant, spell: Spell, target: Combatant, dice: int) -> None:
    """The dice become an effect, in place of an earlier one of the same spell."""
    kind = effect_id(slug_of(spell.id))
    for before in on(turn.state.effects, target.id, kind):
        turn.happen(EffectEnded(effect=before.id, bearer=target.id, what=kind))
    if dice:
        lasts = lasting_time(spell, one.id, dice)
        effect = new_effect(turn.state, kind, target.id, source=one.id, amount=dice, lasts=lasts)
        turn.happen(EffectBegan(effect=effect))


def stored(turn: FightTurn, effect: Effect, window: Declared) -> Declared | None:
    """Stored dice help an attack of the bearer or its PD: one each time, or all at once."""
    strike, who, tags = window.strike, effect.bearer, rules(turn.state.catalog)[effect.kind].tags
    guarded = who in strike.targets and defense_of(turn.state, strike) is DefenseKind.PD and "bank:pd" in tags
    aided = strike.attacker == who and strike.dice is None and "bank:pd" not in tags
    if not guarded and not aided:
        return None
    dice = effect.amount if "all:attack" in tags else 1
    if effect.amount > dice:
        turn.happen(EffectChanged(effect=effect.id, bearer=who, amount=effect.amount - dice))
    else:
        turn.happen(EffectEnded(effect=effect.id, bearer=who, what=effect.kind))
    rule = rules(turn.state.catalog)[effect.kind]
    part = Dice(dice, rule.name.capitalize(), rule.rule)
    return window.with_strike(strike.defending(who, part) if guarded else strike.attacking(part))


def counter(turn: FightTurn, effect: Effect, window: Resolved) -> Step[Resolved]:
    """Stored force strikes back at the next attacker who is beside the bearer."""
    strike, who = window.strike, effect.bearer
    one, other = turn.state.find(who), turn.state.find(strike.attacker)
    near = who in strike.targets and other.id != who and apart(turn.state, one, other) <= ADJACENT
    if near and one.up and other.life is not Life.DEAD:
        turn.happen(EffectEnded(effect=effect.id, bearer=who, what=effect.kind))
        back = stored_strike(who, spell_id(slug_of(effect.kind)), other.id, effect.amount)
        yield from strike_through(turn, back)
    return window


def stored_strike(who: str, spell: str, target: str, dice: int) -> Strike:
    """An attack by force that a spell has stored: it costs nothing, and its dice are its own."""
    return Strike(
        id=f"stored-{who}", attacker=who, spell=spell, targets=(target,), dice=dice, free=True, reaction=True
    )


def burn_on(turn: FightTurn, strike: Strike, dice: int, _at: Square | None) -> None:
    """The flames go on with one die fewer each turn of the target, until shaken off."""
    target, left = strike.targets[0], dice - 1
    if left > 0 and turn.state.find(target).life is not Life.DEAD:
        effect = new_effect(turn.state, FLAMES, target, source=strike.attacker, amount=left, shaken_off=True)
        turn.happen(EffectBegan(effect=effect))


def turn_began(turn: FightTurn, who: str) -> Steps:
    """The flames attack again; who is under a command tries to shake it off, by energy as its MD (R-111)."""
    for effect in on(turn.state.effects, who, FLAMES):
        if turn.state.get(effect.source) is None or turn.state.find(who).life is Life.DEAD:
            continue
        if effect.amount > 1:
            turn.happen(EffectChanged(effect=effect.id, bearer=who, amount=effect.amount - 1))
        else:
            turn.happen(EffectEnded(effect=effect.id, bearer=who, what=FLAMES))
        if turn.state.find(effect.source).up:
            yield from strike_through(turn, stored_strike(effect.source, ENFLAME, who, effect.amount))
    for effect in on(turn.state.effects, who):
        one = turn.state.find(who)
        energy = min(one.profile.md, one.usable)
        if "commanded" not in rules(turn.state.catalog)[effect.kind].tags or energy < 1 or not one.up:
            continue
        dice = Explained.of(Dice(energy, "energy as its MD", "R-111"))
        pay(turn, who, "Shake It Off", dice, added=energy)
        done = yield from fixed_test(turn, one, "Shake It Off", dice, effect.strength)
        if done:
            turn.happen(EffectEnded(effect=effect.id, bearer=who, what=effect.kind))


def acting(windows: Windows) -> None:
    """Registers what effects of spells do by themselves, by their tags."""
    for kind, rule in own_catalog().effects.entries.items():
        if any(tag.startswith(("bank:", "all:")) for tag in rule.tags):
            windows.acts(kind, Declared, stored)
        if "counter" in rule.tags:
            windows.acts(kind, Resolved, counter)
