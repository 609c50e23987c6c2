"""What the successes of an attack do in place of plain damage: conditions, pushes, things knocked away.

`OUTCOMES` says it for powers that need a function; a pair of conditions in the content needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.effects import Duration, Until, on
from services.rules.engine.frozen import replace
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.conditions import attack_successes, halvings
from services.rules.systems.forge_engine.play.effects import (
    PRONE,
    WHOLE_SCENE,
    bears,
    conditions_of,
    effect_id,
    new_effect,
)
from services.rules.systems.forge_engine.play.facts import EffectBegan, EffectEnded, Healed, KnockedAway
from services.rules.systems.forge_engine.play.rules.damage import hurt
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.rules.pushes import push
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import Hits, Strike, spell_of, weapon_of

STRONG = 3
"""Successes from which effects are at their stronger band (A8)."""
STEP = 5
"""Feet of a push, or of a thing that flies off, for each success."""

MINUTE = 10
"""Turns in a minute."""

DISARMING = content_id(SLUG, "martial", "disarming-attack")
SHIELD_BASH = content_id(SLUG, "martial", "shield-bash")


def impose(turn: FightTurn, who: str, condition: str | None, source: str, cause: str) -> None:
    """Puts an ongoing condition on a combatant that it can shake off; one that it bears stays one."""
    if condition is None or bears(turn.state, who, condition) is not None:
        return
    effect = new_effect(turn.state, condition, who, source=source, shaken_off=True)
    turn.happen(EffectBegan(effect=replace(effect, cause=cause)))


def banded(conditions: tuple[str, ...], successes: int) -> str | None:
    """The condition that successes bring: the first of a pair, or the second from three on."""
    return conditions[0 if successes < STRONG else -1] if conditions and successes else None


def skill_of(strike: Strike) -> str:
    """The content id of the martial skill that says what an attack does; empty for none."""
    return strike.manner or strike.skill


def power_of(fight: Fight, strike: Strike) -> str:
    """The content id of what an attack is made by: a spell, a specialized skill, else the weapon's skill."""
    weapon = weapon_of(fight, strike)
    named = strike.spell or skill_of(strike) or strike.by
    return named or ("" if weapon is None else weapon.skill)


def instead(turn: FightTurn, hits: Hits) -> bool:
    """Does what successes do in place of damage.

    Returns:
        Whether there was any such thing, so that no damage is dealt.
    """
    strike = hits.strike
    named = skill_of(strike)
    own = OUTCOMES.get(named or strike.spell)
    if own is not None:
        own(turn, hits)
        return True
    if named:
        rating = turn.state.find(strike.attacker).profile.rating(named)
        # Only a manner of attacking is capped by its rating; a taunt's dice are already.
        counted = min(hits.successes, rating) if strike.manner else hits.successes
        brought = banded(turn.state.catalog.martial[named].conditions, counted)
        impose(turn, hits.target, brought, strike.attacker, named)
        return True
    spell = spell_of(turn.state, strike)
    if spell is not None and spell.damage is None:
        brought = banded(spell.conditions, hits.successes)
        impose(turn, hits.target, brought, strike.attacker, spell.id)
        return True
    return False


def held_things(one: Combatant) -> tuple[str, ...]:
    """What a combatant can be made to let go of, weapons first."""
    weapons = (each.id for each in one.profile.weapons if each.id in one.held and not each.natural)
    return (*weapons, *(each.item for each in one.profile.shields if each.item in one.held))


def with_both_hands(one: Combatant) -> bool:
    """Whether what a combatant would lose is held with both hands."""
    things = held_things(one)
    weapon = one.weapon(things[0]) if things else None
    return weapon is not None and weapon.hands > 1


def _disarmed(turn: FightTurn, hits: Hits) -> None:
    """The target's weapon or shield flies 5 feet for each success, up to the rating."""
    other = turn.state.find(hits.target)
    things = held_things(other)
    rating = turn.state.find(hits.strike.attacker).profile.rating(DISARMING)
    if things:
        feet = STEP * min(hits.successes, rating)
        turn.happen(KnockedAway(who=other.id, item=things[0], name=item_called(other, things[0]), feet=feet))


def item_called(one: Combatant, item: str) -> str:
    """What a weapon or shield of a combatant is called."""
    weapon = one.weapon(item)
    if weapon is not None:
        return weapon.name
    return next((each.name for each in one.profile.shields if each.item == item), item)


def _bashed(turn: FightTurn, hits: Hits) -> None:
    """Pushed 5 feet for each success, and Prone."""
    push(turn, hits.strike.attacker, hits.target, STEP * hits.successes)
    if bears(turn.state, hits.target, PRONE) is None:
        fallen = new_effect(turn.state, PRONE, hits.target, source=hits.strike.attacker)
        turn.happen(EffectBegan(effect=replace(fallen, cause=SHIELD_BASH)))


def _lasting_on(turn: FightTurn, hits: Hits, *, amount: int, shaken_off: bool, words: str = "") -> None:
    """An effect that a spell's successes leave on its target, in place of an earlier one of the caster."""
    kind, caster = effect_id(slug_of(hits.strike.spell)), hits.strike.attacker
    for effect in on(turn.state.effects, hits.target, kind):
        if effect.source == caster:
            turn.happen(EffectEnded(effect=effect.id, bearer=hits.target, what=kind))
    lasts = WHOLE_SCENE if words else minutes(caster, 1)
    found = new_effect(
        turn.state, kind, hits.target, source=caster, amount=amount, lasts=lasts, shaken_off=shaken_off
    )
    turn.happen(EffectBegan(effect=replace(found, words=words)))


def minutes(who: str, count: int) -> Duration:
    """So many minutes, counted by a combatant's turns."""
    return Duration(Until.TURNS, who, MINUTE * count, True)


def _cursed(turn: FightTurn, hits: Hits) -> None:
    """Attacks that take in the caster cost the target more, by the successes, for a minute."""
    _lasting_on(turn, hits, amount=hits.successes, shaken_off=True)


def _hastened(turn: FightTurn, hits: Hits) -> None:
    """Whatever harms the target harms more, by the successes, for a minute."""
    _lasting_on(turn, hits, amount=hits.successes, shaken_off=False)


def _deflected(turn: FightTurn, hits: Hits) -> None:
    """The attacker must pay the successes for its attack to go on."""
    _lasting_on(turn, hits, amount=hits.successes, shaken_off=False)


def _commanded(turn: FightTurn, hits: Hits) -> None:
    """The target obeys as many words of the command as there are successes, from the first on."""
    words = " ".join(hits.strike.words.split()[: hits.successes])
    _lasting_on(turn, hits, amount=hits.successes, shaken_off=True, words=words)


def _dominated(turn: FightTurn, hits: Hits) -> None:
    """The caster decides what the target does."""
    _lasting_on(turn, hits, amount=hits.successes, shaken_off=True, words="obeys")


def _repulsed(turn: FightTurn, hits: Hits) -> None:
    """Pushed straight back, 5 feet for each success."""
    push(turn, hits.strike.attacker, hits.target, STEP * hits.successes)


def _withered(turn: FightTurn, hits: Hits) -> None:
    """All or nothing: only successes that bring the target to 0 health count (R-80)."""
    if hits.successes >= turn.state.find(hits.target).health:
        _drained(turn, hits)


def _drained(turn: FightTurn, hits: Hits) -> None:
    """The target's loss is the caster's health."""
    spell, caster = spell_of(turn.state, hits.strike), hits.strike.attacker
    assert spell is not None
    borne = conditions_of(turn.state, caster)
    found, type_ = attack_successes(hits.successes, borne), spell.damage_type or ""
    lost = hurt(turn, hits.target, found, type_, caster, spell.id, halvings=halvings(borne))
    if lost:
        turn.happen(Healed(who=caster, amount=lost, source=caster, cause=spell.id))


def spell_id(slug: str) -> str:
    """The content id of a spell."""
    return content_id(SLUG, "spell", slug)


OUTCOMES: Mapping[str, Callable[[FightTurn, Hits], None]] = {
    DISARMING: _disarmed,
    SHIELD_BASH: _bashed,
    spell_id("baneful-word"): _cursed,
    spell_id("hasten-death"): _hastened,
    spell_id("deflecting-word"): _deflected,
    spell_id("word-of-command"): _commanded,
    spell_id("compel-undead"): _commanded,
    spell_id("dominate-undead"): _dominated,
    spell_id("repulse"): _repulsed,
    spell_id("necrotic-touch"): _withered,
    spell_id("devouring-touch"): _drained,
}
"""Powers whose successes do something of their own."""
