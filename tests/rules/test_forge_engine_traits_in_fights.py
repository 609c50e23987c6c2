"""Traits of Forge Engine where they act in a fight, and where they are refused or count for nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.driver import Made
from services.rules.engine.ground.kinds import Ambient
from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import GM, CastMember
from services.rules.engine.problem import Problems
from services.rules.engine.site import plain_ground
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.bestiary import Adversary
from services.rules.systems.forge_engine.catalog import SLUG, own_catalog
from services.rules.systems.forge_engine.characters.permission import WAIVABLE
from services.rules.systems.forge_engine.choices import Place, SkillRating
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.effects import PRONE, condition_id
from services.rules.systems.forge_engine.play.legal import legal
from services.rules.systems.forge_engine.play.moves import (
    Attack,
    Cast,
    Endanger,
    Fly,
    Harm,
    StrikeBack,
    Test,
    Walk,
)
from services.rules.systems.forge_engine.play.rules.attribute_test import PERCEPTION
from services.rules.systems.forge_engine.play.rules.followups import OPPORTUNITY
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Foes, Setup, adversary
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight
from services.rules.systems.forge_engine.profile import Weapon, profile_of_adversary
from services.rules.systems.forge_engine.traits import Trait, TraitCategory
from tests.conformance.forge_engine.stage import (
    ALLY,
    FOE,
    HERO,
    club,
    fight,
    fighter,
    hero,
    profile,
    skilled,
    tried,
)
from tests.rules.forge_engine_play import armed, facts_of, played, pool, refused

CATALOG = own_catalog()


def trait(slug: str) -> str:
    return content_id(SLUG, "trait", slug)


def on_grid(
    *traits: str,
    foe_at: int = 2,
    wall: tuple[Square, ...] = (),
    rough: tuple[Square, ...] = (),
    light: Ambient = Ambient.BRIGHT,
    **figures: Any,
) -> Fight:
    """The hero at the left of a bare grid of 30 by 5, the foe some squares to its right."""
    one = hero(armed(traits=tuple(map(trait, traits)), speed=30, **figures), at=Square(0, 2))
    foe = fighter(FOE, FOES, armed(skills=skilled((OPPORTUNITY, 1))), at=Square(foe_at, 2))
    state = fight(one, foe, fighter(ALLY, HEROES, at=Square(0, 4)))
    ground = plain_ground(30, 5, wall, rough, ambient=light, measure=FEET)
    return replace(state, ground=ground)


def spent(before: Fight, after: Fight) -> int:
    return before.find(HERO).usable - after.find(HERO).usable


# Ways of moving


def test_a_phaser_vanishes_and_stands_beyond_its_foes_and_its_speed() -> None:
    state = on_grid("phaser", foe_at=1)
    leap = Walk(actor=HERO, to=Square(12, 2), by=trait("phaser"))
    back = StrikeBack(actor=FOE, skill=OPPORTUNITY, weapon="club")
    made = played(state, leap, {"attack": [9], "defense": [2]}, {FOE: [back]})
    assert made.state.find(HERO).at == Square(12, 2)
    assert spent(state, made.state) == 12
    assert made.state.find(HERO).moved == 0
    # Whoever it vanishes from may strike at it first.
    assert [hit.who for hit in facts_of(made, facts.Struck)] == [FOE]


def test_a_phaser_needs_to_see_where_it_goes_and_the_energy() -> None:
    wall = tuple(Square(5, y) for y in range(5))
    behind = Walk(actor=HERO, to=Square(8, 2), by=trait("phaser"))
    assert refused(on_grid("phaser", wall=wall), behind) == ["no_way"]
    assert refused(on_grid("phaser"), replace(behind, to=Square(2, 2))) == ["no_way"]
    assert refused(on_grid("phaser", energy=7), behind) == ["no_way"]
    assert refused(on_grid(), behind) == ["no_way"]
    held = on_grid("phaser")
    held = replace(held, effects=fight(*held.combatants, conditions={HERO: ["Immobilized"]}).effects)
    assert refused(held, behind) and not [each for each in legal(held, HERO) if each.id.startswith("leap:")]


def test_a_jumper_leaps_over_rough_ground_as_far_as_its_strength() -> None:
    rough = tuple(Square(x, y) for x in (1, 2) for y in range(5))
    state = on_grid("jumper", foe_at=20, rough=rough)
    leap = Walk(actor=HERO, to=Square(3, 2), by=trait("jumper"))
    made = played(state, leap, {})
    assert (spent(state, made.state), made.state.find(HERO).moved) == (3, 15)
    on_foot = played(state, Walk(actor=HERO, to=Square(3, 2)), {})
    assert spent(state, on_foot.state) == 5
    # Strength 3 is 15 feet.
    assert refused(state, replace(leap, to=Square(4, 2))) == ["no_way"]
    offered = next(each for each in legal(state, HERO) if each.id.startswith("leap:"))
    assert Square(3, 2) in offered.fields[0].squares and Square(4, 2) not in offered.fields[0].squares


@pytest.mark.parametrize("slug", ["quadruped", "repulsor"])
def test_rough_ground_does_not_slow_four_legs_and_hoverers(slug: str) -> None:
    rough = tuple(Square(x, y) for x in (1, 2) for y in range(5))
    walk = Walk(actor=HERO, to=Square(3, 2))
    for traits, energy in (((slug,), 3), ((), 5)):
        state = on_grid(*traits, foe_at=20, rough=rough)
        assert spent(state, played(state, walk, {}).state) == energy
    run = replace(walk, run=True)
    assert refused(on_grid(foe_at=20, rough=rough), run) == ["cannot_run"]
    assert played(on_grid(slug, foe_at=20, rough=rough), run, {}).state.find(HERO).running


def test_flyers_rise_out_of_reach_and_others_stay_on_the_ground() -> None:
    state = on_grid("flyer", foe_at=1)
    made = played(state, Fly(actor=HERO, feet=10), {})
    assert (spent(state, made.state), made.state.find(HERO).altitude) == (4, 10)
    assert refused(on_grid(), Fly(actor=HERO, feet=10)) == ["cannot_fly"]


def test_a_climber_needs_no_test_on_a_wall() -> None:
    climb = content_id(SLUG, "hazard", "climbing")

    level = CATALOG.hazards[climb].levels[0].name
    move = Endanger(actor=GM, who=HERO, hazard=climb, level=level)
    made = played(on_grid("climber"), move, {})
    assert not facts_of(made, facts.Tested)
    assert [each.feet for each in facts_of(made, facts.Climbed)] == [30]
    assert facts_of(played(on_grid(), move, {}), facts.Tested)


# Bodies


def natural(slug: str) -> Any:
    """The weapon that a trait grows, as an adversary with it has it."""
    block: Adversary = next(iter(CATALOG.adversaries))
    grown = profile_of_adversary(replace(block, traits=(*block.traits, trait(slug))), CATALOG)
    return next(each for each in grown.weapons if each.name == CATALOG.traits[trait(slug)].name)


@pytest.mark.parametrize(("slug", "cost", "rating"), [("bite", 2, 1), ("claws", 2, 2), ("tail", 3, 3)])
def test_natural_weapons_strike_with_full_hands_and_reach_no_further(
    slug: str, cost: int, rating: int
) -> None:
    weapon = natural(slug)
    both = replace(club(), hands=2)
    figures = armed(weapons=(both, weapon), traits=(trait(slug),))
    state = fight(hero(figures), fighter(FOE, FOES, armed()))
    made = played(state, Attack(actor=HERO, weapon=weapon.id, target=FOE, added=1), {})
    assert (pool(made, "attack"), spent(state, made.state)) == (rating + 1, cost + 1)
    afar = fight(hero(figures), fighter(FOE, FOES, armed()), spread=30)
    assert refused(afar, Attack(actor=HERO, weapon=weapon.id, target=FOE)) == ["out_of_range"]


def fist() -> Weapon:
    return replace(club(), kind=EquipmentKind.UNARMED, natural=True)


def test_venom_follows_unarmed_harm_alone() -> None:
    faces = {"attack": [9, 9, 9], "defense": [2], "test": [6]}
    poisoned = condition_id("poisoned")
    for weapon, ill in ((fist(), True), (club(), False)):
        figures = armed(weapons=(replace(weapon, rating=3),), traits=(trait("venomous"),))
        state = fight(hero(figures), fighter(FOE, FOES, armed()))
        made = played(state, Attack(actor=HERO, weapon="club", target=FOE), faces)
        assert any(each.kind == poisoned for each in made.state.effects) is ill


def test_a_swarm_is_hard_to_hit_but_for_areas_and_spells() -> None:
    target = fighter(FOE, FOES, armed(traits=(trait("particulate"),)))
    state = fight(hero(armed()), target)
    assert pool(played(state, Attack(actor=HERO, weapon="club", target=FOE), {}), "defense") == 3
    spark = "forge_engine:spell/arcane-touch"
    caster = profile(attributes=Attributes(intelligence=2), skills=skilled((spark, 1)), weapons=())
    cast = Cast(actor=HERO, spell=spark, target=FOE, added=1)
    assert pool(played(fight(hero(caster), target), cast, {}), "defense") == 1


@pytest.mark.parametrize(
    "slug",
    sorted(slug_of(each.id) for each in CATALOG.traits if each.category is TraitCategory.DAMAGE),
)
def test_damage_traits_soften_their_own_type_alone(slug: str) -> None:
    found = CATALOG.traits[trait(slug)].damage
    assert found is not None
    block = next(iter(CATALOG.adversaries))
    tough = replace(profile_of_adversary(replace(block, traits=(trait(slug),)), CATALOG), health=60)
    other = next(each.id for each in CATALOG.damage if each.id != found.damage)
    for type_, lost in ((found.damage, 0 if slug.endswith("proof") else 3), (other, 5)):
        state = fight(hero(tough))
        made = played(state, Harm(actor=GM, who=HERO, damage=5, type=type_), {})
        assert state.find(HERO).health - made.state.find(HERO).health == lost


def test_off_hands_are_good_hands_of_the_ambidextrous() -> None:
    off = replace(club(3, 2), place=Place.OFF_HAND)
    for traits, dice in (((trait("ambidextrous"),), 5), ((), 3)):
        state = fight(hero(armed(weapons=(off,), traits=traits)), fighter(FOE, FOES, armed()))
        assert (
            pool(played(state, Attack(actor=HERO, weapon="club", target=FOE, added=2), {}), "attack") == dice
        )


# Senses and minds


@pytest.mark.parametrize(
    ("slug", "dim", "dark", "far"),
    [
        ("", 2, 3, 3),
        ("low-light-vision", 1, 3, 3),
        ("dark-vision", 1, 1, 3),
        ("echo-sense", 1, 1, 3),
        ("heat-vision", 1, 1, 3),
        ("tremor-sense", 1, 1, 3),
    ],
)
def test_senses_find_a_target_in_poor_light_within_their_range(
    slug: str, dim: int, dark: int, far: int
) -> None:
    bow = replace(club(), reach=100)
    for light, at, dice in ((Ambient.DIM, 2, dim), (Ambient.DARK, 2, dark), (Ambient.DARK, 9, far)):
        state = on_grid(*([slug] if slug else []), foe_at=at, light=light, weapons=(bow,))
        made = played(state, Attack(actor=HERO, weapon="club", target=FOE), {})
        assert pool(made, "defense") == dice, (light, at)


def test_tremors_tell_nothing_of_who_is_in_the_air() -> None:
    state = on_grid("tremor-sense", light=Ambient.DARK, weapons=(replace(club(), reach=50),))
    aloft = tuple(replace(one, altitude=10) if one.id == FOE else one for one in state.combatants)
    made = played(replace(state, combatants=aloft), Attack(actor=HERO, weapon="club", target=FOE), {})
    assert pool(made, "defense") == 3


HELPING = [
    slug_of(each.id)
    for each in CATALOG.traits
    if any(bonus.when and bonus.attribute is Attribute.ACUITY for bonus in each.tests)
]


@pytest.mark.parametrize("slug", HELPING)
def test_fine_senses_help_where_the_table_says_so_and_only_their_owner(slug: str) -> None:
    figures = {"attributes": Attributes(acuity=2), "skills": skilled((PERCEPTION, 2))}
    look = Test(actor=HERO, attribute=Attribute.ACUITY, skill=PERCEPTION, added=2)
    state = fight(hero(profile(traits=(trait(slug),), **figures)))
    assert pool(played(state, look, {}), "test") == 4
    helped = replace(look, traits=(trait(slug),))
    assert pool(played(state, helped, {}), "test") == 6
    assert refused(fight(hero(profile(**figures))), helped) == ["trait_unknown"]


def test_linked_minds_think_together_within_ten_feet() -> None:
    mind = profile(traits=(trait("hive-mind"),), attributes=Attributes(intelligence=1))
    think = Test(actor=HERO, attribute=Attribute.INTELLIGENCE, added=1)
    near = fight(hero(mind), fighter(ALLY, HEROES, mind), fighter("third", HEROES, mind))
    assert pool(played(near, think, {}), "test") == 3
    alone = fight(hero(mind), fighter(ALLY, HEROES))
    assert pool(played(alone, think, {}), "test") == 1


def test_allies_assist_a_test_by_their_rating_and_the_fallen_do_not() -> None:
    figures = {"attributes": Attributes(acuity=2), "skills": skilled((PERCEPTION, 2))}
    look = Test(actor=HERO, attribute=Attribute.ACUITY, skill=PERCEPTION, added=1, helpers=(ALLY,))
    helper = profile(skills=skilled((PERCEPTION, 3)))
    state = fight(hero(profile(**figures)), fighter(ALLY, HEROES, helper))
    assert pool(played(state, look, {}), "test") == 1 + 1 + 3
    down = fight(hero(profile(**figures)), fighter(ALLY, HEROES, helper, health=0), fighter("up", HEROES))
    assert refused(down, look) == ["helper_unfit"]
    assert PRONE not in {each.kind for each in state.effects}


# What the sheet brings along


def begun(**choices: Any) -> Fight:
    """A fight of a character that is an example changed, against a grunt."""
    plain = replace(SYSTEM.examples["gunslinger"], **choices)
    sheet = SYSTEM.build(plain, SYSTEM.content)
    assert not isinstance(sheet, Problems), str(sheet)
    setup = Setup(title="A brawl", foes=(Foes(adversary=adversary("f6-grunt")),))
    state = PLAY.begin(setup, (CastMember(id=HERO, sheet=sheet),))
    assert isinstance(state, Fight)
    return state


def grown(*slugs: str) -> Any:
    """The profile of an adversary with further traits."""
    block = next(iter(CATALOG.adversaries))
    return profile_of_adversary(replace(block, traits=(*block.traits, *map(trait, slugs))), CATALOG)


SPECIES = [each for each in CATALOG.traits if each.species is not None]


@pytest.mark.parametrize("species", SPECIES, ids=lambda each: slug_of(each.id))
def test_species_bring_what_they_bundle_into_a_fight(species: Trait) -> None:
    block = replace(next(iter(CATALOG.adversaries)), traits=(species.id,))
    found = profile_of_adversary(block, CATALOG)
    assert species.species is not None
    bundled = set(species.species.includes)
    assert bundled <= set(found.traits)
    naturals = {weapon.name for weapon in found.weapons if weapon.natural}
    assert {CATALOG.traits[each].name for each in bundled if CATALOG.traits[each].attack} <= naturals
    size = next(CATALOG.traits[each].size for each in bundled if CATALOG.traits[each].size is not None)
    assert size is not None and (found.reach, found.space, found.speed) == (
        size.reach,
        size.space,
        size.speed,
    )


SIZES = [slug_of(each.id) for each in CATALOG.traits if each.size is not None]


@pytest.mark.parametrize("slug", SIZES)
def test_size_bears_on_defense_strength_and_reach(slug: str) -> None:
    size = CATALOG.traits[trait(slug)].size
    assert size is not None
    figures = replace(grown(slug), weapons=(club(2, 0),), pd=2)
    state = fight(hero(figures), fighter(FOE, FOES, armed(), passed=True))
    strike = Attack(actor=HERO, weapon="club", target=FOE, added=1)
    assert pool(played(state, strike, {}), "attack") == 2 + 1 + size.strength_dice
    blow = Attack(actor=FOE, weapon="club", target=HERO)
    assert pool(played(state, blow, {}), "defense") == 2 + size.evasion
    beyond = fight(hero(figures), fighter(FOE, FOES, armed()), spread=size.reach + 5)
    assert refused(beyond, strike) == ["out_of_range"]


@pytest.mark.parametrize("slug", ["carapace", "exoskeleton", "hide", "scrawny", "sturdy"])
def test_bodies_bring_their_defense_and_health_into_a_fight(slug: str) -> None:
    plain, found = begun(), begun(traits=(trait(slug),), leave=tuple(WAIVABLE))
    more = {"carapace": (2, 0), "exoskeleton": (3, 0), "hide": (1, 0)}
    pd, health = more.get(slug, (0, 1 if slug == "sturdy" else -1))
    before, after = plain.find(HERO).profile, found.find(HERO).profile
    assert after.pd - before.pd == pd
    assert (after.health > before.health) - (after.health < before.health) == health


QUIET = ("horns", "telepathy", *(slug_of(e.id) for e in CATALOG.traits if e.category.value == "attribute"))


@pytest.mark.parametrize("slug", QUIET)
def test_traits_without_figures_for_fights_change_nothing(slug: str) -> None:
    strike = Attack(actor=HERO, weapon="club", target=FOE, added=1)
    rolled = []
    for traits in ((trait(slug),), ()):
        state = fight(hero(armed(traits=traits)), fighter(FOE, FOES, armed(traits=traits)))
        made = played(state, strike, {"attack": [9, 9], "defense": [3]})
        rolled.append(([(roll.id, roll.dice.value) for roll in made.rolls], made.events))
    assert rolled[0] == rolled[1]


def test_an_exact_memory_helps_where_the_table_says_so() -> None:
    memory = trait("eidetic-memory")
    state = fight(hero(profile(traits=(memory,), attributes=Attributes(intelligence=2))))
    think = Test(actor=HERO, attribute=Attribute.INTELLIGENCE, added=1)
    assert pool(played(state, think, {}), "test") == 1
    assert pool(played(state, replace(think, traits=(memory,)), {}), "test") == 3


MAGIC = [each for each in CATALOG.traits if each.school is not None]


@pytest.mark.parametrize("magic", MAGIC, ids=lambda each: slug_of(each.id))
def test_a_spell_needs_the_trait_of_its_school(magic: Trait) -> None:
    spell = next(each for each in CATALOG.spells if each.school == magic.school)
    learned = (*SYSTEM.examples["gunslinger"].skills, SkillRating(skill=spell.id, rating=1))
    state = begun(traits=(magic.id,), skills=learned, leave=tuple(WAIVABLE))
    assert state.find(HERO).profile.rating(spell.id) == 1
    without = replace(SYSTEM.examples["gunslinger"], skills=learned, leave=tuple(WAIVABLE))
    problems = SYSTEM.build(without, SYSTEM.content)
    assert isinstance(problems, Problems) and "missing_casting_trait" in {each.code for each in problems}


@pytest.mark.parametrize("slug", ["", "repulsor"])
@pytest.mark.parametrize("energy", [3, 8])
@pytest.mark.parametrize("run", [False, True])
def test_every_square_that_a_walk_leads_to_is_offered_and_no_other(slug: str, energy: int, run: bool) -> None:
    rough = tuple(Square(x, y) for x in (2, 3, 7) for y in (1, 2, 3))
    wall = tuple(Square(5, y) for y in (0, 1, 2))
    state = on_grid(*([slug] if slug else []), foe_at=9, rough=rough, wall=wall, energy=energy)
    name = "run" if run else "move"
    offered = {
        square for offer in legal(state, HERO) if offer.id == name for square in offer.fields[0].squares
    }
    accepted = {
        Square(x, y)
        for x in range(22)
        for y in range(5)
        if isinstance(tried(state, Walk(actor=HERO, to=Square(x, y), run=run)), Made)
    }
    assert offered == accepted
