"""Spells, each cast by a hero who knows it, with the dice that fall as a case says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.content import slug_of
from services.rules.engine.driver import Made
from services.rules.engine.effects import on
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.play.effects import condition_ids, effect_id
from services.rules.systems.forge_engine.play.facts import EffectBegan, Healed, Hurt, Neared, Tested
from services.rules.systems.forge_engine.play.moves import Attack, Cast, Harm, Impose
from services.rules.systems.forge_engine.play.rules.areas import aims
from services.rules.systems.forge_engine.play.rules.spells import for_undead, summoning_dice, working
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight, Phase
from services.rules.systems.forge_engine.skills import Against, Spell, Targets
from tests.conformance.forge_engine.stage import (
    AMPLE,
    CATALOG,
    FAR,
    FOE,
    HERO,
    MASTER,
    Answer,
    Given,
    club,
    condition_id,
    facts,
    fight,
    fighter,
    hero,
    made,
    named,
    only,
    profile,
    skilled,
    tried,
    until_turn,
    used,
)

FIRE = "forge_engine:damage/fire"
SHORT = {"INF": "influence", "INT": "intelligence", "ACU": "acuity"}
MENTAL = tuple(SHORT.values())
CASTER = ("spell", "rating", "add", "pool", *SHORT)


def _spell(given: Given) -> Spell:
    found = next((each for each in CATALOG.spells if each.name == given.get("spell")), None)
    if found is None or not working(CATALOG, found):
        raise UnsupportedCaseError(f"nothing is known of {given.get('spell')!r}")
    return found


def _added(given: Given) -> int:
    """Energy that the case adds; else as much as makes its pool, or its successes."""
    if "add" in given:
        return int(given["add"])
    dice = given.get("dice", 1)
    count = len(dice) if isinstance(dice, list) else dice
    return max(1, int(given.get("pool", given.get("successes", sum(given.get("assign", [])) or count))))


def _stage(given: Given, *, full: bool = False, foe: Mapping[str, Any] | None = None) -> Fight:
    spell, added = _spell(given), _added(given)
    said = {SHORT[key]: given[key] for key in SHORT if key in given}
    attributes = Attributes(**{**(dict.fromkeys(MENTAL, added) if not said else {}), **said})
    figures = profile(
        attributes=attributes,
        skills=skilled((spell.id, given.get("rating", 0))),
        health=given.get("caster_max", AMPLE),
        weapons=(replace(club(), hands=2 if full else 1),),
    )
    caster = hero(figures, held=("club",), health=given.get("caster_health", given.get("caster_max", AMPLE)))
    state = fight(caster, fighter(FOE, FOES, profile(**(foe or {})), passed=True))
    if slug_of(spell.id) == "cleanse":
        slowed = Impose(actor=MASTER, who=HERO, what=condition_id("Slowed"), shaken_off=True)
        state = made(state, slowed).state
    if for_undead(spell):
        state = made(state, Impose(actor=MASTER, who=FOE, what=effect_id("undead"))).state
    return state


def _cast(given: Given, **more: Any) -> Cast:
    spell = _spell(given)
    on_foe = spell.against in (Against.PD, Against.MD, Against.TEST) and spell.targets is not Targets.SELF
    around = spell.area is not None and not aims(spell)
    target = FOE if (on_foe and not around) or for_undead(spell) else ""
    return Cast(**{"actor": HERO, "spell": spell.id, "target": target, "added": _added(given), **more})


def _faces(given: Given) -> dict[str, list[int]]:
    hits = [10] * given.get("successes", 0)
    return {"attack": hits, "defense": [9], "test": hits, "resist": [9]}


def _common(given: Given, before: Fight, found: Made) -> Answer:
    """What can be read off any spell that was cast."""
    caster = found.state.find(HERO)
    rolled = [roll.dice.value for roll in found.rolls if roll.actor == HERO]
    began = [fact.effect for fact in facts(found, EffectBegan)]
    healed = [fact.amount for fact in facts(found, Healed)]
    spell, odds = _spell(given), [roll.odds for roll in found.rolls]
    pool = rolled[0] if rolled else sum(each.amount for each in began) or sum(healed)
    moved = sum(abs(fact.feet - before.spread) for fact in facts(found, Neared) if fact.other == FOE)
    successes = sum(fact.successes for fact in facts(found, Tested))
    area = 0 if spell.area is None else spell.area.feet
    return {
        "allowed": True,
        "valid": True,
        "pool": pool,
        "energy": used(before, found.state),
        "energy_added": _added(given),
        "expended": caster.expended,
        "condition": next(iter(named(condition_ids(found.state, FOE))), None),
        "pushed_ft": moved,
        "moved_ft": moved or 5 * successes,
        "radius_ft": area,
        "executed": next((each.words for each in began if each.words), ""),
        "caster_health": caster.health,
        "target_health": found.state.find(FOE).health,
        "difficulty": next((int(each.split(", ")[1]) for each in odds if "fixed" in each), 0),
        "minutes": sum(each.lasts.left for each in began) // 10,
        "damage_taken": [fact.damage for fact in facts(found, Hurt)],
    }


def _plain(given: Given) -> Answer:
    """A spell cast on a foe, or on nobody in particular."""
    only(
        given,
        *CASTER,
        "successes",
        "target_health",
        "target_max",
        "caster_health",
        "caster_max",
        "free_hand",
        "command",
        "mass_kg",
        "dice",
        "damage",
    )
    foe = {"health": given.get("target_max", max(AMPLE, given.get("target_health", 1)))}
    state = _stage(given, full=given.get("free_hand") is False, foe=foe)
    if "target_health" in given:
        state = _with_health(state, FOE, given["target_health"])
    faces = _faces(given)
    more: dict[str, Any] = {"words": given["command"]} if "command" in given else {}
    if "mass_kg" in given:
        more = {"target": "", "grams": round(1000 * given["mass_kg"])}
        faces["test"] = list(given.get("dice", []))
    found = tried(state, _cast(given, **more), faces)
    return {"allowed": False, "valid": False} if found is None else _common(given, state, found)


def _with_health(state: Fight, who: str, health: int) -> Fight:
    return replace(
        state,
        combatants=tuple(replace(one, health=health) if one.id == who else one for one in state.combatants),
    )


def _healed(given: Given) -> Answer:
    """Health given to an ally, or to several."""
    only(given, *CASTER, "target_health", "target_max", "assign")
    patient = fighter(
        "ally", HEROES, profile(health=given.get("target_max", AMPLE)), health=given.get("target_health", 1)
    )
    state = _stage(given)
    state = replace(state, combatants=tuple(patient if one.id == "ally" else one for one in state.combatants))
    who = FOE if for_undead(_spell(given)) else "ally"
    if who == FOE:
        state = _with_health(state, FOE, given.get("target_health", 1))
    found = tried(state, _cast(given, target=who, **_assigned(given, state, who)))
    if found is None:
        return {"allowed": False, "valid": False}
    return {**_common(given, state, found), "target_health": found.state.find(who).health}


def _assigned(given: Given, state: Fight, first: str) -> dict[str, Any]:
    """The dice of each target, where a case assigns them."""
    if "assign" not in given:
        return {}
    count = len(given["assign"])
    side = state.find(first).side
    names = [one.id for one in state.combatants if one.side == side and one.id != first][: count - 1]
    return {"others": tuple(names), "shares": tuple(given["assign"])} if len(names) == count - 1 else {}


def _divided(given: Given) -> Answer:
    """Dice divided among targets."""
    only(given, *CASTER, "assign")
    state = _stage(given)
    friends = _spell(given).targets is Targets.ALLIES
    side, first = (HEROES, HERO) if friends else (FOES, FOE)
    more = [fighter(f"more-{number}", side) for number in range(len(given.get("assign", ())))]
    state = replace(state, combatants=(*state.combatants, *more))
    found = tried(state, _cast(given, target=first, **_assigned(given, state, first)))
    if found is None:
        return {"allowed": False, "valid": False}
    pools = [roll.dice.value for roll in found.rolls if roll.id.startswith("attack")]
    return (
        {**_common(given, state, found), "pools": pools, "pool": sum(pools)}
        if pools
        else _common(given, state, found)
    )


def _bank(given: Given) -> Answer:
    """Dice stored, and used against one attack after another."""
    only(given, *CASTER, "dice", "attacks_on_PD", "attacks")
    state = _stage(given)
    found = made(state, _cast(given, target=HERO))
    answer, bonuses, now = _common(given, state, found), [], found.state
    aids = "guidance" in slug_of(_spell(given).id) or "blessing" in slug_of(_spell(given).id)
    for _ in range(given.get("attacks_on_PD", given.get("attacks", 0))):
        who, target = (HERO, FOE) if aids else (FOE, HERO)
        now = replace(now, combatants=tuple(replace(one, passed=one.id == FOE) for one in now.combatants))
        struck = made(now, Attack(actor=who, weapon="club", target=target))
        name = "attack" if aids else "defense"
        bonuses.append(next(roll.dice.value for roll in struck.rolls if roll.id.startswith(name)) - 1)
        now = struck.state
    return {**answer, "bonus_per_attack": bonuses}


def _baneful(given: Given) -> Answer:
    only(given, *CASTER, "successes", "target_attack_cost")
    state = _stage(given, foe={"weapons": (club(1, given.get("target_attack_cost", 0)),)})
    found = made(state, _cast(given), _faces(given))
    now = replace(
        found.state, combatants=tuple(replace(one, passed=one.id == FOE) for one in found.state.combatants)
    )
    struck = made(now, Attack(actor=FOE, weapon="club", target=HERO))
    return {**_common(given, state, found), "attack_cost_against_caster": used(now, struck.state, FOE)}


def _hasten(given: Given) -> Answer:
    only(given, *CASTER, "successes", "later_hits")
    state = _stage(given, foe={"health": FAR})
    found = made(state, _cast(given), _faces(given))
    now, taken = found.state, []
    for damage in given.get("later_hits", ()):
        hit = made(now, Harm(actor=MASTER, who=FOE, damage=damage, type=FIRE))
        taken.append(sum(fact.damage for fact in facts(hit, Hurt)))
        now = hit.state
    return {**_common(given, state, found), "damage_taken": taken}


def _enflame(given: Given) -> Answer:
    only(given, *CASTER, "turns")
    state = _stage(given)
    found = made(state, _cast(given))
    pools = [roll.dice.value for roll in found.rolls if roll.id.startswith("attack")]
    now = found.state
    kind = effect_id("enflame")
    while on(now.effects, FOE, kind):
        count = on(now.effects, FOE, kind)[0].amount
        now, _ = until_turn(now, FOE)
        pools.append(count)
        if len(pools) > AMPLE:
            raise UnsupportedCaseError("the flames never go out")
    return {**_common(given, state, found), "turn_pools": pools}


def _summoned(given: Given) -> Answer:
    """A creature called out of a fight, by energy expended."""
    only(given, "spell", "ACU", "rating", "expend")
    spell = next(each for each in CATALOG.spells if each.name == given["spell"])
    expend = given.get("expend", 1)
    attributes = Attributes(acuity=given.get("ACU", expend))
    caster = hero(profile(attributes=attributes, skills=skilled((spell.id, given.get("rating", expend)))))
    state = fight(caster, phase=Phase.CALM)
    strongest = 0
    for block in CATALOG.adversaries:
        move = Cast(actor=HERO, spell=spell.id, added=expend, creature=block.id)
        if tried(state, move) is not None:
            strongest = max(strongest, block.energy)
    dice = summoning_dice(caster, expend)
    return {"allowed": strongest > 0, "pool": dice, "max_creature_energy": dice, "expended": expend}


def _on_creature(given: Given) -> Answer:
    """A spell on a creature that the hero summoned: damage is shared, health given, attacks are met."""
    only(given, *CASTER, "dice", "damage", "attacks_on_PD", "target_health", "target_max")
    spell, summon, added = _spell(given), "forge_engine:spell/summon-creature", _added(given)
    figures = profile(
        attributes=Attributes(acuity=given.get("ACU", max(9, added))),
        skills=skilled((spell.id, given.get("rating", 0)), (summon, 9)),
    )
    foe = fighter(FOE, FOES, passed=True)
    state = fight(hero(figures), foe, phase=Phase.CALM)
    call = Cast(
        actor=HERO, spell=summon, added=figures.attributes.acuity, creature=CATALOG.adversaries.ids[0]
    )
    state = made(state, call).state
    creature = state.combatants[-1].id
    most = given.get("target_max", AMPLE)
    pet = replace(state.combatants[-1], profile=profile(health=most), health=given.get("target_health", most))
    expended = state.find(HERO).expended
    state = replace(state, combatants=(*state.combatants[:-1], pet))
    found = made(state, _cast(given, target=creature))
    now, bonuses = replace(found.state, phase=Phase.FIGHT), []
    for _ in range(given.get("attacks_on_PD", 0)):
        now = replace(now, combatants=tuple(replace(one, passed=one.id == FOE) for one in now.combatants))
        struck = made(now, Attack(actor=FOE, weapon="club", target=creature))
        bonuses.append(next(each.dice.value for each in struck.rolls if each.id.startswith("defense")) - 1)
        now = struck.state
    hit = made(found.state, Harm(actor=MASTER, who=creature, damage=given.get("damage", 0), type=FIRE))
    taken = {fact.who: fact.damage for fact in facts(hit, Hurt)}
    return {
        **_common(given, state, found),
        "expended": found.state.find(HERO).expended - expended,
        "target_health": found.state.find(creature).health,
        "bonus_per_attack": bonuses,
        "caster_takes": taken.get(HERO, 0),
        "creature_takes": taken.get(creature, 0),
    }


def _spells(given: Given) -> Answer:
    spell = _spell(given)
    play = PLAYS.get(slug_of(spell.id))
    if play is not None:
        return play(given)
    if spell.targets in (Targets.ALLIES, Targets.SEVERAL) and "target_health" not in given:
        return _divided(given)
    if spell.healing is not None and spell.against is Against.NOTHING:
        return _healed(given)
    return _plain(given)


PLAYS: Mapping[str, Callable[[Given], Answer]] = {
    "baneful-word": _baneful,
    "hasten-death": _hasten,
    "enflame": _enflame,
    "summon-creature": _summoned,
    **dict.fromkeys(("life-bind", "armor-summoned-creature", "heal-summoned-creature"), _on_creature),
    **dict.fromkeys(("divine-protection", "divine-guidance", "divine-blessing", "strengthened-hide"), _bank),
}

AREAS: Mapping[str, Area] = {"spell": _spells}
"""What answers the areas of this file."""
