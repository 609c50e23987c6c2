"""Powers of Forge Engine that meet in one attack: each row a pair, and the text or ruling that decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from services.rules.engine.driver import Made, make
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.choices import SkillRating
from services.rules.systems.forge_engine.play.effects import condition_id, effect_id, new_effect
from services.rules.systems.forge_engine.play.facts import Reacted, Struck
from services.rules.systems.forge_engine.play.moves import (
    AddDice,
    Attack,
    Dodge,
    Exert,
    Minor,
    MinorUse,
    Parry,
    RaiseShield,
    StrikeBack,
)
from services.rules.systems.forge_engine.play.rules.bonuses import martial
from services.rules.systems.forge_engine.play.rules.outcomes import spell_id
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight
from services.rules.systems.forge_engine.profile import DamageTaken, Profile, Shield
from services.rules.systems.forge_engine.traits import Response
from tests.conformance.forge_engine.stage import (
    ALLY,
    CATALOG,
    FOE,
    HERO,
    club,
    fight,
    fighter,
    hero,
    profile,
    thrower,
)
from tests.rules.forge_engine_play import facts_of, played

SHIELD = Shield(item="shield", name="Shield", cost=1, rating=2)
SKILLS, MAGIC, CONDITIONS = "Specialized Martial Skills", "Magic Skills", "Conditions"
STANCES = f"{SKILLS} / stances: other specialized skills rest"
SIX = dict.fromkeys(("strength", "agility", "stamina", "influence", "intelligence", "acuity"), 3)


@dataclass(frozen=True, kw_only=True)
class Row:
    """An attack of the hero on the foe, each with skills and effects, and what comes out.

    Attributes:
        rule: Section of the book or ruling that decides.
        hero: Ratings of the hero's skills, by slug.
        foe: Ratings of the foe's.
        ally: Ratings of those of an ally of the foe's, beside it.
        on_hero: Effects on the hero with their amounts; conditions by their slugs.
        on_foe: Effects on the foe.
        added: Energy that the hero adds.
        attack: Faces of the action pool.
        defense: Faces of the defense pool.
        answers: Who answers what, in turn.
        health: Health of the foe before.
        hero_health: Health of the hero before.
        resists: Whether the foe resists the damage.
        pools: Dice of the action pool and of the foe's defense; None where neither matters.
        harm: Damage that the foe takes.
        energy: Energy that the hero uses; None where it does not matter.
        reacted: Reactions that are seen.
    """

    rule: str
    hero: Mapping[str, int] = field(default_factory=dict)
    foe: Mapping[str, int] = field(default_factory=dict)
    ally: Mapping[str, int] = field(default_factory=dict)
    on_hero: Mapping[str, int] = field(default_factory=dict)
    on_foe: Mapping[str, int] = field(default_factory=dict)
    added: int = 2
    attack: Sequence[int] = (1,)
    defense: Sequence[int] = (9,)
    answers: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    health: int = 20
    hero_health: int = 60
    resists: bool = False
    pools: tuple[int, int] | None = None
    harm: int = 0
    energy: int | None = None
    reacted: tuple[str, ...] = ()


HIT: Mapping[str, Any] = {"attack": (9, 9, 9), "defense": (2, 2, 2)}
ROWS: Mapping[str, Row] = {
    "Offensive Stance, Engaged Attack": Row(
        rule=STANCES, hero={"engaged-attack": 2}, on_hero={"offensive-stance": 2}, pools=(7, 1)
    ),
    "Offensive Stance, Defensive Stance": Row(
        rule=SKILLS, on_hero={"offensive-stance": 2}, on_foe={"defensive-stance": 2}, pools=(7, 2)
    ),
    "Offensive Stance, Killing Blow": Row(
        rule=STANCES,
        hero={"killing-blow": 2},
        on_hero={"offensive-stance": 1},
        answers={HERO: [AddDice(actor=HERO, skill=martial("killing-blow"), added=0)]},
        pools=(6, 1),
        energy=4,
    ),
    "Offensive Stance, Strikeback Attack": Row(
        rule=STANCES,
        hero={"strikeback-attack": 2},
        on_hero={"offensive-stance": 2, "strikeback-attack": 2},
        pools=(7, 1),
    ),
    "Offensive Stance, Precision Attack": Row(
        rule=STANCES,
        hero={"precision-attack": 2},
        on_hero={"offensive-stance": 2, "precision-attack": 2},
        pools=(7, 1),
    ),
    "Offensive Stance, Divine Guidance": Row(
        rule="Divine Magic / Divine Guidance: spells do not rest",
        on_hero={"offensive-stance": 2, "divine-guidance": 3},
        pools=(8, 1),
    ),
    "Defensive Stance, Sidestep": Row(
        rule=STANCES,
        foe={"sidestep": 2},
        on_foe={"defensive-stance": 1},
        answers={FOE: [AddDice(actor=FOE, skill=martial("sidestep"), added=2)]},
        pools=(5, 2),
    ),
    "Defensive Stance, Divine Protection": Row(
        rule="R-82", on_foe={"defensive-stance": 1, "divine-protection": 3}, pools=(5, 3)
    ),
    "Defensive Stance, a shield": Row(
        rule=f"{SKILLS} / Defensive Stance; R-73",
        on_foe={"defensive-stance": 1},
        answers={FOE: [RaiseShield(actor=FOE)]},
        pools=(5, 4),
    ),
    "Defensive Stance, Parry": Row(
        rule=STANCES,
        foe={"parry": 3},
        on_foe={"defensive-stance": 1},
        answers={FOE: [Parry(actor=FOE, weapon="club")]},
        pools=(5, 2),
    ),
    "Enraged Attacker, Dodge": Row(
        rule=f"{SKILLS} / Enraged Attacker: no reactions",
        on_foe={"enraged-attacker": 2},
        answers={FOE: [Dodge(actor=FOE, added=3)]},
        pools=(5, 1),
    ),
    "Enraged Attacker, Body Hammer": Row(
        rule="Animist Magic / Body Hammer", on_hero={"enraged-attacker": 2, "body-hammer": 3}, pools=(10, 1)
    ),
    "Enraged Attacker, Engaged Attack": Row(
        rule=STANCES, hero={"engaged-attack": 2}, on_hero={"enraged-attacker": 1}, pools=(6, 1)
    ),
    "Divine Guidance, Precision Attack": Row(
        rule="R-53",
        hero={"precision-attack": 2},
        on_hero={"divine-guidance": 2, "precision-attack": 2},
        pools=(8, 1),
    ),
    "Divine Guidance, Divine Blessing": Row(
        rule="Divine Magic / Divine Blessing",
        on_hero={"divine-guidance": 2, "divine-blessing": 3},
        pools=(9, 1),
    ),
    "Divine Might, Body Hammer": Row(
        rule="Divine Magic / Divine Might", on_hero={"divine-might": 2, "body-hammer": 1}, pools=(8, 1)
    ),
    "Engaged Attack, Precision Attack": Row(
        rule="R-67",
        hero={"engaged-attack": 2, "precision-attack": 2},
        on_hero={"precision-attack": 2},
        pools=(9, 1),
    ),
    "Divine Armor, Armored Army": Row(
        rule="R-53", on_foe={"divine-armor": 2, "armored-army": 1}, pools=(5, 4)
    ),
    "Divine Protection, Strengthened Hide": Row(
        rule="R-82", on_foe={"divine-protection": 2, "strengthened-hide": 2}, pools=(5, 3)
    ),
    "Divine Armor, Prone": Row(rule="R-53", on_foe={"divine-armor": 3, "prone": 1}, pools=(5, 2)),
    "Divine Protection, Dazed": Row(rule="R-53", on_foe={"divine-protection": 1, "dazed": 1}, pools=(5, 1)),
    "Dazed, Stunned": Row(rule="R-121", on_hero={"dazed": 1, "stunned": 1}, pools=(5, 1), energy=7),
    "Baneful Word, Dazed": Row(rule="R-121", on_hero={"baneful-word": 2, "dazed": 1}, energy=7),
    "Baneful Word, Killing Blow": Row(
        rule="Mystical Magic / Baneful Word",
        hero={"killing-blow": 2},
        on_hero={"baneful-word": 1},
        answers={HERO: [AddDice(actor=HERO, skill=martial("killing-blow"), added=0)]},
        pools=(7, 1),
        reacted=("Killing Blow",),
        energy=6,
    ),
    "Prone, high ground": Row(rule="R-117; R-27", on_hero={"prone": 1, "high-ground": 1}, pools=(5, 1)),
    "Prone, obstructed": Row(rule="R-117", on_hero={"prone": 1, "obstructed": 1}, pools=(1, 1)),
    "Obstructed, unstable, nothing added": Row(
        rule="R-27: never below 1 die", on_hero={"obstructed": 1, "unstable": 1}, added=0, pools=(1, 1)
    ),
    "Invisible, Obscured": Row(rule="R-117", on_foe={"invisible": 1, "obscured": 1}, pools=(5, 5)),
    "Blinded, Divine Armor": Row(rule="R-53", on_foe={"blinded": 1, "divine-armor": 3}, pools=(5, 2)),
    "Blinded, Divine Guidance": Row(rule="R-53", on_hero={"blinded": 1, "divine-guidance": 1}, pools=(2, 1)),
    "Weakened, one success": Row(rule="R-54", on_hero={"weakened": 1}, attack=(9,), defense=(2,), harm=1),
    "Weakened, Enfeebled": Row(rule="R-54; R-55", on_hero={"weakened": 1, "enfeebled": 1}, **HIT, harm=1),
    "Weakened, Hasten Death": Row(
        rule="R-54", on_hero={"weakened": 1}, on_foe={"hasten-death": 3}, **HIT, harm=4
    ),
    "Enfeebled, resistance": Row(rule="R-55", on_hero={"enfeebled": 1}, resists=True, **HIT, harm=1),
    "Hasten Death, resistance": Row(rule="R-54", on_foe={"hasten-death": 3}, resists=True, **HIT, harm=3),
    "First Strike, Hasten Death": Row(
        rule="R-54; R-122", hero={"first-strike": 1}, on_foe={"hasten-death": 2}, **HIT, harm=6
    ),
    "First Strike, Enfeebled": Row(
        rule="R-54: doubled before it is halved",
        hero={"first-strike": 1},
        on_hero={"enfeebled": 1},
        **HIT,
        harm=2,
    ),
    "Hasten Death, Enfeebled": Row(
        rule="R-54: hastened before it is halved",
        on_hero={"enfeebled": 1},
        on_foe={"hasten-death": 2},
        **HIT,
        harm=3,
    ),
    "Enfeebled, Hard To Kill": Row(
        rule="R-54: the halved hit would not drop it",
        foe={"hard-to-kill": 2},
        on_hero={"enfeebled": 1},
        health=3,
        **HIT,
        harm=2,
    ),
    "First Strike, Hard To Kill": Row(
        rule="R-54",
        hero={"first-strike": 2},
        foe={"hard-to-kill": 2},
        health=5,
        **HIT,
        harm=3,
        reacted=("Hard To Kill",),
    ),
    "Hasten Death, Hard To Kill": Row(
        rule="R-54: Hard To Kill comes last",
        foe={"hard-to-kill": 2},
        on_foe={"hasten-death": 3},
        health=5,
        **HIT,
        harm=4,
        reacted=("Hard To Kill",),
    ),
    "Life Bind, Hard To Kill": Row(
        rule="R-81; R-54: the hit would not drop who bears half of it",
        foe={"hard-to-kill": 2},
        on_foe={"life-bind": 2},
        health=3,
        **HIT,
        harm=2,
    ),
    "Resistance, Hard To Kill": Row(
        rule="R-54", foe={"hard-to-kill": 2}, resists=True, health=3, **HIT, harm=2
    ),
    "Hard To Kill, Retaliation": Row(
        rule="R-54",
        foe={"hard-to-kill": 2, "retaliation": 3},
        health=3,
        **HIT,
        harm=1,
        reacted=("Hard To Kill",),
    ),
    "Last Resolve, Life Bind": Row(
        rule="R-81",
        foe={"last-resolve": 2},
        on_foe={"life-bind": 2},
        **HIT,
        harm=1,
        answers={FOE: [Exert(actor=FOE, skill=martial("last-resolve"), energy=1)]},
        reacted=("Last Resolve",),
    ),
    "Twist The Blade, Sidestep": Row(
        rule=f"{SKILLS} / Sidestep: dice on the table, both count",
        hero={"twist-the-blade": 2},
        foe={"sidestep": 2},
        attack=(5, 5),
        defense=(6,),
        answers={
            HERO: [AddDice(actor=HERO, skill=martial("twist-the-blade"), added=1)],
            FOE: [AddDice(actor=FOE, skill=martial("sidestep"), added=1)],
        },
        energy=6,
        reacted=("Twist The Blade", "Sidestep"),
    ),
    "Parry, Dodge": Row(
        rule="R-112",
        foe={"parry": 2},
        answers={FOE: [Parry(actor=FOE, weapon="club"), Dodge(actor=FOE, added=2)]},
        pools=(5, 5),
        reacted=("Parry", "Dodge"),
    ),
    "Nimble Defense, a shield": Row(
        rule=f"{SKILLS} / Nimble Defense",
        foe={"nimble-defense": 2},
        answers={FOE: [RaiseShield(actor=FOE), Dodge(actor=FOE, added=2)]},
        pools=(5, 7),
        reacted=("Dodge",),
    ),
    "Brace, Dodge": Row(
        rule="R-113",
        foe={"brace": 2},
        answers={FOE: [Dodge(actor=FOE, added=2, skill=martial("brace")), Dodge(actor=FOE, added=1)]},
        pools=(5, 4),
        reacted=("Brace", "Dodge"),
    ),
    "Phalanx, a shield": Row(
        rule=f"{SKILLS} / Phalanx", foe={"phalanx": 2}, answers={FOE: [RaiseShield(actor=FOE)]}, pools=(5, 4)
    ),
    "Bodyguard's Ward, Phalanx": Row(
        rule=f"{SKILLS} / Phalanx: the bearer's own PD alone",
        ally={"bodyguards-ward": 3, "phalanx": 2},
        answers={"guard": [RaiseShield(actor="guard", ward=FOE)]},
        pools=(5, 3),
        reacted=("Bodyguard's Ward, Shield",),
    ),
    "Bodyguard's Ward, Nimble Defense": Row(
        rule=f"{SKILLS} / Bodyguard's Ward: at most the rating",
        ally={"bodyguards-ward": 3, "nimble-defense": 2},
        answers={"guard": [Dodge(actor="guard", added=2, ward=FOE)]},
        pools=(5, 4),
        reacted=("Bodyguard's Ward, Dodge",),
    ),
    "Bodyguard's Ward, Dodge of the warded": Row(
        rule=SKILLS,
        ally={"bodyguards-ward": 1},
        answers={"guard": [Dodge(actor="guard", added=2, ward=FOE)], FOE: [Dodge(actor=FOE, added=2)]},
        pools=(5, 4),
        reacted=("Bodyguard's Ward, Dodge", "Dodge"),
    ),
    "Reflex Strike of a bystander, a blow that fells the attacker": Row(
        rule="E7; R-78: the reaction resolves first",
        ally={"reflex-strike": 2},
        hero_health=3,
        answers={
            "guard": [StrikeBack(actor="guard", skill=martial("reflex-strike"), weapon="club", added=3)]
        },
        attack=(9, 9, 9, 9, 9, 9),
        defense=(2,),
        harm=0,
        reacted=("Reflex Strike",),
    ),
    "Retributive Strike, Parry": Row(
        rule=f"{MAGIC} / Divine Magic; once against each attack",
        foe={"spell:retributive-strike": 2, "parry": 2},
        answers={
            FOE: [
                StrikeBack(actor=FOE, skill=spell_id("retributive-strike"), weapon="", added=1, target=HERO),
                Parry(actor=FOE, weapon="club"),
            ]
        },
        reacted=("Retributive Strike", "Parry"),
    ),
    "Deflecting Word that fails, Sidestep": Row(
        rule=f"{MAGIC} / Mystical Magic",
        foe={"spell:deflecting-word": 2, "sidestep": 2},
        attack=(1,),
        defense=(9,),
        answers={
            FOE: [
                StrikeBack(actor=FOE, skill=spell_id("deflecting-word"), weapon="", added=1, target=HERO),
                AddDice(actor=FOE, skill=martial("sidestep"), added=1),
            ]
        },
        reacted=("Deflecting Word", "Sidestep"),
    ),
    "Shrouding Strike, Divine Armor": Row(
        rule=SKILLS,
        foe={"shrouding-strike": 2},
        on_foe={"shrouding-strike": 2, "divine-armor": 1},
        pools=(5, 4),
    ),
    "Weakpoint Strike, Aggravated Strike": Row(
        rule=f"{SKILLS}: each counts by its own row of hits or misses",
        hero={"weakpoint-strike": 2, "aggravated-strike": 2},
        on_hero={"weakpoint-strike": 2},
        pools=(7, 1),
    ),
    "Strikeback Attack, Engaged Attack": Row(
        rule=SKILLS,
        hero={"strikeback-attack": 2, "engaged-attack": 1},
        on_hero={"strikeback-attack": 2},
        pools=(8, 1),
    ),
    "Grappled, Divine Might": Row(rule="R-53", on_hero={"grappled": 1, "divine-might": 1}, pools=(4, 1)),
    "Unarmored Defense, Divine Protection": Row(
        rule="R-82", on_foe={"unarmored-defense": 2, "divine-protection": 1}, pools=(5, 4)
    ),
    "Debilitating Blow, Retaliation": Row(
        rule=SKILLS,
        hero={"debilitating-blow": 2},
        foe={"retaliation": 2},
        **HIT,
        harm=3,
        energy=6,
        answers={HERO: [Exert(actor=HERO, skill=martial("debilitating-blow"), energy=2)]},
        reacted=("Debilitating Blow",),
    ),
}


def figures(ratings: Mapping[str, int], **more: Any) -> Profile:
    """A profile with some skills; spells are named `spell:` and their slug."""
    skills = tuple(
        SkillRating(skill=spell_id(name[6:]) if name.startswith("spell:") else martial(name), rating=rating)
        for name, rating in ratings.items()
    )
    return profile(
        attributes=Attributes(**SIX), weapons=(club(3, 2),), skills=skills, shields=(SHIELD,), hands=3, **more
    )


def laid_out(row: Row) -> Fight:
    """The hero with an ally, the foe with a guard, all beside one another."""
    damage = (DamageTaken(damage=club().damage, response=Response.RESISTANT),) if row.resists else ()
    held: dict[str, Any] = {"held": ("club", "shield"), "energy": 30}
    one = replace(hero(figures(row.hero)), **held, health=row.hero_health)
    foe = replace(fighter(FOE, FOES, figures(row.foe, damage=damage), passed=True), **held, health=row.health)
    guard = replace(fighter("guard", FOES, figures(row.ally), passed=True), **held)
    mate = fighter(ALLY, HEROES, figures({}), passed=True)
    state = fight(one, foe, guard, mate)
    for who, lasting in ((HERO, row.on_hero), (FOE, row.on_foe)):
        for slug, amount in lasting.items():
            kind = condition_id(slug) if condition_id(slug) in CATALOG.conditions else effect_id(slug)
            other = "guard" if slug == "life-bind" else FOE if who == HERO else HERO
            effect = new_effect(state, kind, who, source=other, about=other, amount=amount)
            state = replace(state, effects=(*state.effects, effect))
    return state


@pytest.mark.parametrize("name", ROWS)
def test_powers_that_meet_in_an_attack(name: str) -> None:
    row = ROWS[name]
    state = laid_out(row)
    faces = {"attack": row.attack, "defense": row.defense, "twist": (9,), "sidestep": (10,)}
    blow = Attack(actor=HERO, weapon="club", target=FOE, added=row.added)
    waiting = {who: list(said) for who, said in row.answers.items()}

    def answer(_state: Fight, ask: Ask) -> Any:
        said = waiting.get(ask.actor, [])
        offered = {(offer.move["kind"], offer.move.get("skill", "")) for offer in ask.offers}
        if said and (type(said[0]).__name__, getattr(said[0], "skill", "")) in offered:
            return said.pop(0)
        return ask.silence

    made = make(PLAY, state, blow, thrower(faces), answer)
    assert isinstance(made, Made), str(made)
    if row.pools is not None:
        rolled = {roll.id.partition(":")[0]: roll.dice.value for roll in made.rolls}
        assert (rolled["attack"], rolled["defense"]) == row.pools
    lost = row.health - made.state.find(FOE).health
    assert lost == row.harm
    if row.energy is not None:
        assert 30 - made.state.find(HERO).energy == row.energy
    how = {event.how for event in facts_of(made, Reacted)}
    assert how == set(row.reacted)


@pytest.mark.parametrize("second", ["defensive-stance", "bodyguards-stance", "enraged-attacker"])
def test_a_second_stance_ends_the_first(second: str) -> None:
    """One stance at a time (Specialized Martial Skills / Offensive Stance)."""
    row = Row(rule=SKILLS, hero={second: 2}, on_hero={"offensive-stance": 2})
    made = played(laid_out(row), Minor(actor=HERO, use=MinorUse.STANCE, item=martial(second)), {})
    assert [effect.kind for effect in made.state.effects] == [effect_id(second)]


def test_a_summoned_creature_beside_its_summoner_guards_it_as_a_bystander() -> None:
    """A summoned creature is an ally like any other (Summoner Magic); Bodyguard's Ward."""
    row = Row(rule=MAGIC, ally={"bodyguards-ward": 3})
    state = laid_out(row)
    called = new_effect(state, effect_id("summon-creature"), "guard", source=FOE)
    state = replace(state, effects=(*state.effects, called))
    blow = Attack(actor=HERO, weapon="club", target=FOE, added=2)
    made = played(state, blow, {}, {"guard": [RaiseShield(actor="guard", ward=FOE)]})
    assert {event.how for event in facts_of(made, Reacted)} == {"Bodyguard's Ward, Shield"}
    assert {roll.dice.value for roll in made.rolls if roll.actor == FOE} == {3}


@pytest.mark.parametrize("pays", [False, True])
def test_a_word_against_a_split_attack_keeps_off_all_of_it_or_nothing(pays: bool) -> None:
    """R-89: one attack, declared once; Mystical Magic / Deflecting Word."""
    row = Row(rule="R-89", hero={"whirlwind-attack": 2}, foe={"spell:deflecting-word": 2})
    state = laid_out(row)
    both = Attack(actor=HERO, weapon="club", target=FOE, others=("guard",), added=2)
    word = StrikeBack(actor=FOE, skill=spell_id("deflecting-word"), weapon="", added=2, target=HERO)
    says = [Exert(actor=HERO, skill=spell_id("deflecting-word"), energy=2)] if pays else []
    faces = {f"attack:{FOE}": (9, 9), f"defense:{HERO}": (2,), f"attack:{HERO}": (9,), "defense": (2,)}
    made = played(state, both, faces, {FOE: [word], HERO: says})
    struck = [event.target for event in facts_of(made, Struck)]
    assert struck == ([HERO, FOE, "guard"] if pays else [HERO])
    assert not [each for each in made.state.effects if each.kind == effect_id("deflecting-word")]


def test_a_blow_inside_an_attack_ends_the_stance_that_the_attack_began_with() -> None:
    """E7: the nested blow resolves first; who falls by it ends its stance and attacks no more (H4)."""
    row = Row(rule="E7; H4", foe={"reflex-strike": 2}, on_hero={"offensive-stance": 2}, hero_health=3)
    state = laid_out(replace(row, foe={}, ally={"reflex-strike": 2}))
    back = StrikeBack(actor="guard", skill=martial("reflex-strike"), weapon="club", added=3)
    faces = {"attack": (9,) * 6, "defense": (2,)}
    made = played(state, Attack(actor=HERO, weapon="club", target=FOE, added=2), faces, {"guard": [back]})
    kinds = [type(event).__name__ for event in made.events]
    assert not [each for each in made.state.effects if each.kind == effect_id("offensive-stance")]
    assert kinds.index("EffectEnded") > kinds.index("Struck")
    assert [event.target for event in facts_of(made, Struck)] == [HERO]
