"""Forge Engine: the traits, checked against figures typed a second time."""

from __future__ import annotations

from services.rules.engine.content import slug_of
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.traits import Response, Trait, TraitCategory

CATALOG = own_catalog()

# Name, CP, speed, reach, space, health, health a Stamina, PD dice, Stealth dice, Strength dice, cap, armour
# at most, rest, rest a Stamina (checklist I1 and I2; ).
SIZES = """
    Fine       6 20  5  5  1 1 3 3 0 2    1     0 1
    Diminutive 4 20  5  5  2 1 2 2 0 3    2     0 1
    Tiny       2 25  5  5  3 1 1 1 0 4    3     0 1
    Small      0 25  5  5  2 2 0 1 0 None None  0 1
    Medium     0 30  5  5  3 2 0 0 0 None None  0 1
    Large      4 30  5  5  5 2 0 0 1 None None  0 1
    Huge       8 35 10 10 10 2 0 0 2 None None  5 1
    Gargantuan 12 40 10 10 15 2 0 0 3 None None 10 1
    Colossal   16 45 15 15 20 3 0 0 4 None None 10 2
    Titanic    20 50 15 20 30 4 0 0 5 None None 15 2
"""

# What a species bundles beside its choices, and how many it chooses of how many (N1).
SPECIES = {
    "Human": ("medium", (1, 6)),
    "Dwarf": ("small sturdy dark-vision",),
    "Elf": ("medium lean dark-vision acute-vision",),
    "Halfling": ("small lithe",),
    "Half-Elf": ("medium lean lithe low-light-vision",),
    "Half-Orc": ("medium sturdy uncoordinated low-light-vision",),
    "Lizard-Kin": ("medium hide tail uncoordinated obtuse",),
    "Orc": ("large dark-vision uncoordinated", (1, 3)),
    "Tengu": ("medium lean obtuse flyer",),
    "Android": ("medium insensitive incisive sturdy",),
    "Bot": ("tiny lean feeble repulsor",),
    "Cyborg": ("medium carapace", (1, 3), (1, 3)),
    "Felinian": ("medium lean lithe claws",),
    "Insectoid": ("medium carapace scrawny dull",),
    "Kurgian": ("medium muscular sturdy", (2, 3)),
    "Pandian": ("large insensitive dull hide",),
    "Robot": ("medium uncoordinated insensitive hide heat-vision",),
    "Titanian": ("large uncoordinated",),
    "Vulusian": ("medium astute",),
    "Xin": ("tiny lean feeble obtuse particulate",),
}

PRICES = (
    "Muscular 3, Lean -1, Lithe 3, Uncoordinated -1, Vigorous 3, Feeble -1, Sensitive 3, Insensitive -1, "
    "Astute 3, Obtuse -1, Incisive 3, Dull -1, Eidetic Memory 2, Empathic 5, Hive-Mind -1, Telepathy 5, "
    "Climber 3, Flyer 7, Jumper 3, Phaser 10, Quadruped 3, Repulsor 5, Ambidextrous 2, Bite 3, Carapace "
    "7, Claws 2, Exoskeleton 12, Hide 3, Horns 0, Particulate 8, Scrawny -1, Sturdy 3, Tail 4, Venomous "
    "3, Acute Hearing 2, Acute Smell 2, Acute Taste 1, Acute Vision 3, Dark Vision 3, Echo-Sense 3, Heat "
    "Vision 4, Low-Light Vision 2, Tremor-Sense 3"
)


def trait(slug: str) -> Trait:
    return CATALOG.traits[f"forge_engine:trait/{slug}"]


def slugs(ids: tuple[str, ...]) -> list[str]:
    return [slug_of(each) for each in ids]


def test_sizes_have_the_figures_of_the_rulings() -> None:
    found = [
        f"{each.name} {each.cp} {s.speed} {s.reach} {s.space} {s.health} {s.health_per_stamina} {s.evasion} "
        f"{s.stealth} {s.strength_dice} {s.attribute_cap} {s.armor_most} {s.rest} {s.rest_per_stamina}"
        for each in CATALOG.traits
        if (s := each.size)
    ]
    assert found == [" ".join(line.split()) for line in SIZES.strip().splitlines()]
    assert [each.size.rank for each in CATALOG.traits if each.size] == list(range(10))


def test_species_bundle_what_the_book_lists() -> None:
    found = {
        each.name: (
            " ".join(slugs(each.species.includes)),
            *((choice.take, len(choice.of)) for choice in each.species.choices),
        )
        for each in CATALOG.traits
        if each.species
    }
    assert found == SPECIES


def test_every_species_has_one_size_and_choices_that_leave_something_out() -> None:
    for each in CATALOG.traits:
        if not each.species:
            continue
        assert each.cp == 0
        assert [bool(CATALOG.traits[bundled].size) for bundled in each.species.includes].count(True) == 1
        for choice in each.species.choices:
            assert 0 < choice.take < len(set(choice.of)), each.name
            # Whatever is chosen can stand beside what all of the species have.
            barred = {other for bundled in each.species.includes for other in CATALOG.traits[bundled].against}
            assert not barred & set(choice.of), each.name


def test_traits_cost_what_the_book_says() -> None:
    kinds = {TraitCategory.SPECIES, TraitCategory.SIZE, TraitCategory.DAMAGE, TraitCategory.MAGIC}
    found = [f"{each.name} {each.cp}" for each in CATALOG.traits if each.category not in kinds]
    assert found == PRICES.split(", ")
    for each in CATALOG.traits:
        if each.damage:
            assert (each.damage.response, each.cp) in ((Response.RESISTANT, 4), (Response.IMMUNE, 10)), (
                each.name
            )
        assert each.later == (each.category is TraitCategory.MAGIC)
        assert each.cp == 2 or not each.later, each.name


def test_trends_make_steps_cheaper_or_dearer_by_one() -> None:
    found = [(each.trend.attribute, each.cp, each.trend.step_cp) for each in CATALOG.traits if each.trend]
    assert found == [(attribute, *figures) for attribute in Attribute for figures in ((3, -1), (-1, 1))]


def test_opposites_bar_each_other() -> None:
    barring = {each.id: set(each.against) for each in CATALOG.traits if each.against}
    assert all(one in barring[other] and one != other for one, others in barring.items() for other in others)
    assert len(barring) == 12 + 16 + 2
    for one in CATALOG.traits:
        for other in CATALOG.traits:
            same_attribute = one.trend and other.trend and one.trend.attribute == other.trend.attribute
            same_damage = one.damage and other.damage and one.damage.damage == other.damage.damage
            if one is not other and (same_attribute or same_damage):
                assert other.id in one.against


def test_bodies_fight_and_defend_by_the_figures_of_the_book() -> None:
    attacks = {slug_of(each.id): each.attack for each in CATALOG.traits if each.attack}
    assert {
        slug: (attack.cost, attack.rating, slug_of(attack.damage), attack.needs_hand)
        for slug, attack in attacks.items()
    } == {
        "bite": (2, 1, "piercing", False),
        "claws": (2, 2, "piercing", True),
        "tail": (3, 3, "bludgeoning", False),
    }
    armors = {slug_of(each.id): each.armor for each in CATALOG.traits if each.armor}
    assert {slug: (armor.pd, armor.light_armor, armor.heavy_armor) for slug, armor in armors.items()} == {
        "carapace": (2, 1, 1),
        "exoskeleton": (3, 1, 1),
        "hide": (1, None, 1),
    }
    assert (trait("particulate").evasion, trait("particulate").bars_equipment) == (2, True)
    assert (trait("sturdy").health_stamina, trait("scrawny").health_stamina) == (1, -1)
    assert trait("venomous").venom and trait("ambidextrous").ignores_off_hand
    hive = trait("hive-mind")
    assert hive.cap and (hive.cap.attribute, hive.cap.most) == (Attribute.INTELLIGENCE, 1)
    assert (hive.range, hive.linked_intelligence) == (10, 1)


def test_senses_reach_as_far_as_the_book_says() -> None:
    assert {slug_of(each.id): each.range for each in CATALOG.traits if each.senses} == {
        "dark-vision": 30,
        "echo-sense": 30,
        "heat-vision": 30,
        "low-light-vision": 60,
        "tremor-sense": 30,
    }
    assert all(bonus.dice == 2 and bonus.when for each in CATALOG.traits for bonus in each.tests)
    assert sum(bool(each.tests) for each in CATALOG.traits) == 9


def test_ways_of_moving_cost_what_the_book_says() -> None:
    ways = {slug_of(each.id): each.movement for each in CATALOG.traits if each.movement}
    assert {
        slug: (
            way.kind.value,
            way.energy_per_segment,
            way.rise_energy,
            way.hold_energy,
            way.feet_per_strength,
        )
        for slug, way in ways.items()
    } == {
        "climber": ("climb", None, None, None, None),
        "flyer": ("fly", None, 2, 1, None),
        "jumper": ("jump", 1, None, None, 5),
        "phaser": ("teleport", 1, None, None, None),
        "quadruped": ("four-legs", None, None, None, None),
        "repulsor": ("hover", None, None, None, None),
    }
    assert [slug for slug, way in ways.items() if way.ignores_rough_ground] == ["quadruped", "repulsor"]
