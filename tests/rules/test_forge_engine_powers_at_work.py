"""Every martial skill and every spell of Forge Engine at work: once where it matters, once where it may not.

A martial skill matters where the same moves with the same dice go another way with it than without; in a
stance the specialized ones rest, and then nothing differs. A spell matters where its casting leaves facts
behind; without a free hand it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from services.rules.engine.content import slug_of
from services.rules.engine.driver import Made, make
from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import GM
from services.rules.engine.site import plain_ground
from services.rules.engine.steps import Ask
from services.rules.engine.turns import Rounds
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.bots import reply
from services.rules.systems.forge_engine.play.effects import condition_id, effect_id, new_effect
from services.rules.systems.forge_engine.play.legal import legal
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Attack,
    BeginFight,
    Cast,
    Minor,
    MinorUse,
    Reload,
    Shift,
    UseSkill,
)
from services.rules.systems.forge_engine.play.rules.spells import SUMMON
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import adversary
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Combatant, Fight, Loaded, Phase
from services.rules.systems.forge_engine.profile import Profile, Shield, Weapon
from services.rules.systems.forge_engine.skills import MartialKind, Spell, Use
from tests.conformance.forge_engine.stage import ALLY, FOE, HERO, club, fight, fighter, hero, profile, skilled
from tests.conformance.forge_engine.stage import thrower as faces_of
from tests.rules.forge_engine_play import refused

CATALOG = own_catalog()
SIX = dict.fromkeys((each.value for each in Attribute), 3)
GUN = "forge_engine:equipment/modern-glock-17-20-9-10mm"
STANCE = "forge_engine:martial/offensive-stance"
SPECIALIZED = [each.id for each in CATALOG.martial if each.kind is MartialKind.SPECIALIZED]
BASIC = [each.id for each in CATALOG.martial if each.kind is MartialKind.BASIC]


def weapons(skill: str = "") -> tuple[Weapon, ...]:
    off = replace(club(2, 1), id="off", name="Dirk", place=Place.OFF_HAND, skill=skill)
    plain = replace(club(2, 1), skill=skill)
    bow = replace(plain, id="bow", kind=EquipmentKind.PROJECTILE, max_range=100, min_range=5)
    return (plain, off, bow)


def learned(skill: str, rating: int, **more: Any) -> Profile:
    known = ((skill, rating),) if rating else ()
    given = {"attributes": Attributes(**SIX), "weapons": weapons(), "hands": 4, "speed": 60, **more}
    return profile(**{**given, "skills": (*skilled(*known), *given.pop("skills", ()))})


def logged(state: Fight, moves: tuple[Any, ...], faces: dict[str, list[int]]) -> list[Any]:
    """What happens and is rolled in some moves; all react as they can, and refusals are noted."""
    log: list[Any] = []
    for move in moves:
        made = make(PLAY, state, move, faces_of(faces), _answered)
        if not isinstance(made, Made):
            log.append([problem.code for problem in made])
            continue
        log += [made.events, [(roll.id.partition(":")[0], roll.dice.value) for roll in made.rolls]]
        up = tuple(replace(one, passed=one.id != HERO) for one in made.state.combatants)
        state = replace(made.state, combatants=up)
    return log


def _answered(state: Fight, ask: Ask) -> Any:
    """The hero steps where it may, and reacts by all else that it can; all others say nothing."""
    if ask.actor != HERO:
        return ask.silence
    for offer in ask.offers:
        if offer.move["kind"] == "Shift":
            to = offer.fields[0].squares[0] if offer.fields else None
            return Shift(actor=HERO, skill=str(offer.move["skill"]), to=to)
    return reply(state, ask)


def people(figures: Profile, **now: Any) -> Fight:
    """The hero, an ally with a shield beside it, two foes in reach."""
    shield = Shield(item="shield", name="Shield", cost=1, rating=1)
    plain = profile(attributes=Attributes(**SIX), weapons=weapons(), shields=(shield,))
    one = replace(hero(figures, **now), held=("club", "off", "shield"))
    ally = replace(fighter(ALLY, HEROES, plain, passed=True), held=("club", "shield"))
    foes = (fighter(FOE, FOES, plain, passed=True), fighter("foe-2", FOES, plain, passed=True))
    return fight(one, ally, *foes)


HIT = {"attack": [9, 9, 9], "defense": [2, 2, 2]}
MISS = {"attack": [2], "defense": [9]}
BLOW = Attack(actor=FOE, weapon="club", target=HERO, added=2)
STRIKE = Attack(actor=HERO, weapon="club", target=FOE, added=2)
SHIELD = Shield(item="shield", name="Shield", cost=1, rating=2)

Scene = Callable[[str, int], list[Any]]


def _on_the_attack(skill: str, rating: int) -> list[Any]:
    return logged(people(learned(skill, rating)), (STRIKE, STRIKE), HIT)


def _on_a_grid(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating))
    places = zip(state.combatants, (Square(2, 2), Square(1, 2), Square(3, 2), Square(3, 3)), strict=True)
    placed = tuple(replace(one, at=at) for one, at in places)
    return logged(replace(state, ground=plain_ground(9, 5, measure=FEET), combatants=placed), (STRIKE,), HIT)


def _missing(skill: str, rating: int) -> list[Any]:
    return logged(people(learned(skill, rating)), (STRIKE, STRIKE), MISS)


def _in_another_manner(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating))
    return logged(state, (replace(STRIKE, manner=skill), replace(STRIKE, others=("foe-2",))), HIT)


def _from_afar(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating))
    state = replace(state, combatants=tuple(replace(one, held=("bow",)) for one in state.combatants))
    return logged(state, (replace(STRIKE, weapon="bow", others=("foe-2",)),), HIT)


def _killing(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating))
    weak = tuple(
        replace(one, health=1, profile=replace(one.profile, health=1)) if one.side == FOES else one
        for one in state.combatants
    )
    return logged(replace(state, combatants=weak), (STRIKE,), HIT)


def _attacked(skill: str, rating: int) -> list[Any]:
    figures = learned(skill, rating, shields=(SHIELD,))
    return logged(people(figures), (BLOW, BLOW), HIT)


def _struck_down(skill: str, rating: int) -> list[Any]:
    return logged(people(learned(skill, rating), health=3), (BLOW,), HIT)


def _running(skill: str, rating: int) -> list[Any]:
    return logged(people(learned(skill, rating), running=True), (BLOW,), HIT)


def _attacked_in_mind(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating))
    dazzling = "forge_engine:spell/dazzling-word"
    foe = profile(attributes=Attributes(**SIX), skills=skilled((dazzling, 2)), weapons=())
    foes = tuple(replace(one, profile=foe, held=()) if one.id == FOE else one for one in state.combatants)
    cast = Cast(actor=FOE, spell=dazzling, target=HERO, added=2)
    return logged(replace(state, combatants=foes), (cast,), HIT)


def _ally_attacked(skill: str, rating: int) -> list[Any]:
    figures = learned(skill, rating, shields=(SHIELD,))
    return logged(people(figures), (replace(BLOW, target=ALLY),), HIT)


def _closing_in(skill: str, rating: int) -> list[Any]:
    state = replace(people(learned(skill, rating, reach=10)), spread=30)
    return logged(state, (Approach(actor=FOE, target=HERO, feet=25),), HIT)


def _leaving(skill: str, rating: int) -> list[Any]:
    away = Approach(actor=FOE, target=HERO, feet=10, away=True)
    return logged(people(learned(skill, rating)), (away,), HIT)


def _slipping_away(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating))
    opportunity = "forge_engine:martial/opportunity-attack"
    figures = replace(state.find(FOE).profile, skills=skilled((opportunity, 1)))
    foes = tuple(replace(one, profile=figures) if one.id == FOE else one for one in state.combatants)
    move = Approach(actor=HERO, target=FOE, feet=10, away=True)
    made = make(PLAY, replace(state, combatants=foes), move, faces_of(HIT), reply)
    assert isinstance(made, Made)
    return [(roll.id.partition(":")[0], roll.dice.value) for roll in made.rolls]


def _charging(skill: str, rating: int) -> list[Any]:
    state = replace(people(learned(skill, rating)), spread=25)
    open_ground = new_effect(state, effect_id("open-ground"), HERO)
    state = replace(state, effects=(*state.effects, open_ground))
    run = Approach(actor=HERO, target=FOE, feet=20, run=True)
    return logged(state, (run, STRIKE), HIT)


def _beginning(skill: str, rating: int) -> list[Any]:
    figures = learned(skill, rating, initiative=1 + rating * (skill.endswith("/initiative")))
    state = people(figures)
    unarmed = tuple(replace(one, held=() if one.id == HERO else one.held) for one in state.combatants)
    state = replace(state, phase=Phase.CALM, rounds=Rounds(()), combatants=unarmed)
    draw = Minor(actor=HERO, use=MinorUse.DRAW, item="club")
    return logged(state, (BeginFight(actor=GM), draw, STRIKE), {"initiative": [10, 10, 10], **HIT})


def _in_hiding(skill: str, rating: int) -> list[Any]:
    return logged(people(learned(skill, rating), hidden=True), (STRIKE,), HIT)


def _reloading(skill: str, rating: int) -> list[Any]:
    gun = replace(weapons()[2], id="gun", item="forge_engine:equipment/historical-longbow-bow", holds=1)
    crossbow = next(each for each in CATALOG.equipment if each.name == "Crossbow")
    gun = replace(gun, item=crossbow.id)
    state = people(learned(skill, rating, weapons=(gun,)))
    one = replace(state.find(HERO), held=("gun",), loads=(Loaded("gun", 0),))
    state = replace(state, combatants=tuple(one if each.id == HERO else each for each in state.combatants))
    way = next(offer for offer in legal(state, HERO) if offer.id.startswith("reload:"))
    return logged(state, (Reload(actor=HERO, weapon="gun", way=str(way.move["way"])),), {})


def _riding(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating))
    effect = new_effect(state, effect_id("mounted"), HERO)
    return logged(replace(state, effects=(*state.effects, effect)), (STRIKE,), HIT)


def _taking_action(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating, shields=(SHIELD,)), health=30)
    moves = (UseSkill(actor=HERO, skill=skill, added=1), STRIKE)
    return logged(state, moves, HIT)


def _acting_on_a_foe(skill: str, rating: int) -> list[Any]:
    state = people(learned(skill, rating, shields=(SHIELD,)))
    moves = (UseSkill(actor=HERO, skill=skill, target=FOE, added=1), STRIKE)
    return logged(state, moves, HIT)


def _acting_for_an_ally(skill: str, rating: int) -> list[Any]:
    return logged(
        people(learned(skill, rating)), (UseSkill(actor=HERO, skill=skill, target=ALLY, added=1),), HIT
    )


def _taking_a_stance(skill: str, rating: int) -> list[Any]:
    figures = learned(skill, rating)
    stance = Minor(actor=HERO, use=MinorUse.STANCE, item=skill)
    return logged(people(figures), (stance, STRIKE, BLOW, replace(BLOW, target=ALLY)), HIT)


SCENES: tuple[Scene, ...] = (
    _on_the_attack,
    _on_a_grid,
    _missing,
    _attacked,
    _ally_attacked,
    _in_another_manner,
    _from_afar,
    _killing,
    _struck_down,
    _running,
    _attacked_in_mind,
    _closing_in,
    _leaving,
    _slipping_away,
    _charging,
    _beginning,
    _in_hiding,
    _reloading,
    _riding,
    _taking_action,
    _acting_on_a_foe,
    _acting_for_an_ally,
    _taking_a_stance,
)


@cache
def matters(skill: str) -> Scene | None:
    """The first scene in which a skill makes a difference."""
    return next((scene for scene in SCENES if scene(skill, 2) != scene(skill, 0)), None)


@pytest.mark.parametrize("skill", SPECIALIZED, ids=slug_of)
def test_every_specialized_skill_matters_somewhere(skill: str) -> None:
    assert matters(skill) is not None


EARLY = ("initiative",)
"""Skills that no stance bears on, because they work before one can be taken."""
RESTING = [each for each in SPECIALIZED if not CATALOG.martial[each].stance and slug_of(each) not in EARLY]


@pytest.mark.parametrize("skill", RESTING, ids=slug_of)
def test_specialized_skills_rest_in_a_stance(skill: str) -> None:
    """In a stance a skill is refused or does nothing, where it would have mattered."""
    scene = matters(skill)
    assert scene is not None
    assert _in_stance(scene, skill, 2) == _in_stance(scene, skill, 0)


def _in_stance(scene: Scene, skill: str, rating: int) -> list[Any]:
    """A scene in which the hero is in a stance from the start."""
    before = people.__globals__["fight"]

    def staged(*combatants: Combatant, **more: Any) -> Fight:
        state: Fight = before(*combatants, **more)
        effect = new_effect(state, effect_id("defensive-stance"), HERO, amount=0)
        return replace(state, effects=(*state.effects, effect))

    people.__globals__["fight"] = staged
    try:
        return scene(skill, rating)
    finally:
        people.__globals__["fight"] = before


WEAPONS = [each for each in BASIC if slug_of(each) not in ("armor-training", "shield-training")]


@pytest.mark.parametrize("skill", WEAPONS, ids=slug_of)
def test_basic_skills_add_dice_to_attacks_with_their_own_weapons(skill: str) -> None:
    other = next(each for each in BASIC if each != skill)
    for weapon_skill, gained in ((skill, 2), (other, 0)):
        state = people(learned(skill, 2, weapons=weapons(weapon_skill)))
        (_, rolls) = logged(state, (STRIKE,), HIT)
        assert dict(rolls)["attack"] == 2 + 2 + gained


# Spells


def arena(spell: Spell, **now: Any) -> Fight:
    """A caster, a hurt ally beside it, a foe in reach, all fit for the spell."""
    figures = profile(attributes=Attributes(**SIX), skills=skilled((spell.id, 3)), weapons=(club(),))
    ally = fighter(ALLY, HEROES, profile(), health=30, passed=True)
    state = fight(hero(figures, health=30, **now), ally, fighter(FOE, FOES, profile(), health=2, passed=True))
    kinds: list[tuple[str, str, str]] = [(condition_id("dazed"), ALLY, "")]
    if slug_of(spell.id) in ("compel-undead", "dominate-undead", "revitalizing-touch"):
        kinds.append((effect_id("undead"), FOE, ""))
    if spell.school is not None and slug_of(spell.school) == "summoner" and spell.id != SUMMON:
        kinds.append((effect_id("summon-creature"), ALLY, HERO))
    for kind, who, source in kinds:
        effect = new_effect(state, kind, who, source=source, shaken_off=not source)
        state = replace(state, effects=(*state.effects, effect))
    return replace(state, phase=Phase.CALM) if spell.id == SUMMON else state


def casts(spell: Spell, state: Fight) -> Iterator[Cast]:
    for offer in legal(state, HERO):
        if offer.id.startswith(f"cast:{spell.id}:"):
            target = str(offer.move.get("target", ""))
            grams = spell.grams[0] if spell.grams and not target else 0
            yield Cast(
                actor=HERO,
                spell=spell.id,
                target=target,
                added=3,
                words="Drop it now",
                grams=grams,
                creature=adversary("f6-grunt") if spell.id == SUMMON else "",
            )


SPELLS = [each for each in CATALOG.spells if each.use is not Use.REACTION]


@pytest.mark.parametrize("spell", SPELLS, ids=lambda each: slug_of(each.id))
def test_every_spell_is_offered_and_leaves_something_behind(spell: Spell) -> None:
    state = arena(spell)
    move = next(casts(spell, state))
    faces = {**HIT, "test": [10, 10, 10]}
    made = make(PLAY, state, move, faces_of(faces), lambda _state, ask: ask.silence)
    assert isinstance(made, Made), str(made)
    left = [each for each in made.events if not isinstance(each, facts.SpellCast | facts.EnergyUsed)]
    kinds = {type(each) for each in left}
    assert kinds & {
        facts.Struck,
        facts.EffectBegan,
        facts.Healed,
        facts.Tested,
        facts.Summoned,
        facts.Contested,
    }
    assert made.state != state


@pytest.mark.parametrize("spell", SPELLS, ids=lambda each: slug_of(each.id))
def test_no_spell_is_cast_without_a_free_hand_or_without_knowing_it(spell: Spell) -> None:
    state = arena(spell)
    move = next(casts(spell, state))
    full = replace(state.find(HERO), profile=replace(state.find(HERO).profile, hands=1), held=("club",))
    held = replace(state, combatants=tuple(full if one.id == HERO else one for one in state.combatants))
    assert refused(held, move) == ["hands_full"]
    assert not list(casts(spell, held))
    plain = replace(state.find(HERO), profile=replace(state.find(HERO).profile, skills=()))
    ignorant = replace(state, combatants=tuple(plain if one.id == HERO else one for one in state.combatants))
    assert refused(ignorant, move) == ["spell_unknown"]
