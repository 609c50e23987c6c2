"""DungeonTeller: the book's tables, checked against figures typed a second time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from services.rules.engine.codec import CodecError, decode, encode
from services.rules.engine.content import slug_of
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import SLUG, Treasure, called, own_catalog, price_of
from services.rules.systems.dungeonteller.powers import CostKind
from services.rules.systems.dungeonteller.things import TreasureKind

CATALOG = own_catalog()

# Summary of Action Dice, by Role: the book's chart, row by row.
CHART = {
    "Battle": (4, 2, 5, 1, 3, 2),
    "Magic": (0, 1, 0, 6, 0, 3),
    "Make": (1, 3, 1, 2, 6, 1),
    "Muscle": (4, 2, 5, 1, 4, 1),
    "Notice": (2, 3, 2, 2, 2, 4),
    "Resist": (5, 2, 2, 3, 6, 5),
    "Shoot": (0, 3, 4, 0, 2, 5),
    "Sneak": (1, 5, 1, 1, 1, 2),
    "Stunt": (2, 6, 3, 1, 1, 4),
    "Talk": (4, 4, 1, 3, 1, 3),
}
CHART_ROLES = ("Paladin", "Rogue", "Warrior", "Wizard", "Dwarf", "Elf")

COSTS = (
    "Climb 0, Dodge 1, Pin 0, Jump 0, Stoneform 2, Ironform 6, Hearth Rune 0, Sentinel Rune 0, Trap Rune 0, "
    "Cloak 2, Rapid Fire 0, Starlight 0, Trance 2, Tame Animal 1, Briar Patch 5, Stardust 3, "
    "Drive Away Undead 4, Fist of Justice 2, Hand of Healing 0, Inspire 0, Sense Malice 1, Smite 2, "
    "Antidote 3, Duress 5, Firewalk 4, Guard Circle 4, Healing Circle 5, Restore 6, Ambush 0, Appraise 0, "
    "Voice Trick 2, Knockout 6, Soft Landing 0, Charge 0, Feat of Strength 1, Knockback 0, Parry 0, Sweep 0, "
    "Counterspell 2, Disguise 2, Float 2, Ice Sheet 3, Mistform 3, Shield 1, Teleport 4, Tongues 2, "
    "Will o' the Wisp 1, Zap 0, Call Vermin 5, Chilling Mist 3, Corrosion 6, Create Hippogriff 10, Eye 2, "
    "Fear 2, Fire Patch 4, Fog Cloud 2, Invisibility 5, Phantom 3, Poison Cloud 6, Raise Skeleton 4, "
    "Raise Zombie 4, Secret Message 1, Summon Orc 8, Summon Familiar 8, Summon Greater Familiar 12, "
    "Turn to Stone 8, Undo Magic 5"
)


@pytest.mark.parametrize("label", CHART)
def test_the_roles_match_the_books_chart(label: str) -> None:
    ratings = [called(CATALOG.roles, name) for name in CHART_ROLES]
    found = tuple(role.ratings.of(Action(label.lower())) for role in ratings if role is not None)
    assert found == CHART[label]


def test_the_dice_of_a_blow_from_ambush_are_those_of_its_figures() -> None:
    ambush = CATALOG.powers[f"{SLUG}:power/ambush"]
    fiercer = replace(ambush, figures=replace(ambush.figures, battle_bonus=6))
    assert [power.attack and power.attack.dice for power in (ambush, fiercer)] == [4, 6]


def test_all_67_powers_cost_what_the_book_says() -> None:
    printed = dict(entry.rsplit(" ", 1) for entry in COSTS.split(", "))
    assert len(printed) == 67
    assert {power.name: str(power.luck_cost) for power in CATALOG.powers if not power.familiar} == printed
    assert sum(power.familiar for power in CATALOG.powers) == 4


def test_every_power_belongs_to_someone() -> None:
    owned = Counter(power for role in CATALOG.roles for power in {*role.powers, *role.extra_powers})
    for power in CATALOG.powers:
        assert (power.everyone or power.familiar) != bool(owned[power.id]), power.name


def test_what_is_cast_is_rolled_with_magic_and_belongs_to_casters() -> None:
    for power in CATALOG.powers:
        if Action.MAGIC in power.roll:
            assert power.spell, power.name
        if power.spell:
            assert power.roll in ((Action.MAGIC,), ()), power.name
    for role in CATALOG.roles:
        spells = [power for power in (*role.powers, *role.extra_powers) if CATALOG.powers[power].spell]
        assert not spells or role.ratings.magic >= 1


def test_opposed_powers_say_how() -> None:
    for power in CATALOG.powers:
        assert (power.opposition is None) == (not power.opposed_by), power.name


def test_every_role_can_wear_its_armor_and_use_its_kit() -> None:
    for role in CATALOG.roles:
        armor = CATALOG.armor.get(role.armor or "")
        assert armor is None or armor.value <= role.ratings.muscle
        kit = CATALOG.kit_of(role)
        assert kit
        assert all(price_of(CATALOG.item(line.item)) is not None for line in kit)


def test_situations_are_known_by_any_of_their_words() -> None:
    for words, slug in (
        ("forest", "woods"),
        ("hidden_doors", "hidden-door"),
        ("Pick Pockets", "pocket"),
        ("start_fire", "start-fire"),
        ("darkness", "dark"),
    ):
        found = CATALOG.situation_called(words)
        assert found is not None
        assert slug_of(found.id) == slug
    assert CATALOG.situation_called("juggling") is None


def test_no_word_means_two_situations() -> None:
    for situation in CATALOG.situations:
        for words in (situation.name, *situation.words):
            assert CATALOG.situation_called(words) == situation


def test_texts_are_short_and_plain() -> None:
    for shelf in (
        CATALOG.roles,
        CATALOG.powers,
        CATALOG.armor,
        CATALOG.weapons,
        CATALOG.gear,
        CATALOG.treasures,
    ):
        for entry in shelf:
            sentences = [part for part in entry.summary.replace("!", ".").split(".") if part.strip()]
            assert all(len(sentence.split()) <= 20 for sentence in sentences), entry.id
            assert entry.summary.endswith("."), entry.id


def test_names_are_found_however_they_are_spelled() -> None:
    hammer = called(CATALOG.weapons, "war_hammer")
    assert hammer is not None
    assert hammer.id == f"{SLUG}:weapon/war-hammer"
    wisp = called(CATALOG.powers, "Will o' the Wisp")
    assert wisp is not None
    assert called(CATALOG.powers, "thunderbolt") is None


# Treasures


def test_there_are_treasures_of_every_kind() -> None:
    kinds = Counter(treasure.kind for treasure in CATALOG.treasures)
    assert set(kinds) == set(TreasureKind)
    assert len(CATALOG.treasures) >= 24


def test_the_books_yardsticks_are_kept() -> None:
    for slug, dice in (("robe-of-stars", 2), ("wizards-staff", 1)):
        (bonus,) = CATALOG.treasures[f"{SLUG}:treasure/{slug}"].bonuses
        assert (bonus.action, bonus.dice) == (Action.MAGIC, dice)
    scale = CATALOG.armor_of(f"{SLUG}:treasure/scale-armor-3")
    assert scale is not None
    assert (scale.value, scale.metal) == (3, True)


def test_a_treasure_shares_its_name_with_nothing_on_a_card() -> None:
    others = {slug_of(item) for shelf in (CATALOG.armor, CATALOG.weapons, CATALOG.gear) for item in shelf.ids}
    assert others.isdisjoint(slug_of(treasure.id) for treasure in CATALOG.treasures)
    names = [treasure.name for treasure in CATALOG.treasures]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("treasure", list(CATALOG.treasures), ids=lambda treasure: slug_of(treasure.id))
def test_a_treasure_is_whole(treasure: Treasure) -> None:
    assert treasure.gold >= 1
    assert 1 <= treasure.appraise <= 4
    assert all(1 <= abs(bonus.dice) <= 4 for bonus in treasure.bonuses)
    assert price_of(treasure) is None
    assert CATALOG.item(treasure.id) == treasure
    assert (CATALOG.armor_of(treasure.id) is not None) == (treasure.kind is TreasureKind.ARMOR)
    held = treasure.kind in (TreasureKind.WEAPON, TreasureKind.HELD)
    assert (CATALOG.weapon_of(treasure.id) is not None) == held
    if treasure.spell is not None:
        power = CATALOG.powers[treasure.spell]
        assert power.spell
        assert power.cost is CostKind.FIXED
        assert not power.malicious
    if treasure.kind in (TreasureKind.WORN, TreasureKind.HELD, TreasureKind.WEAPON):
        assert treasure.bonuses
    assert (treasure.luck > 0) == (treasure.kind is TreasureKind.DRINK)


def test_magic_armor_is_better_than_the_plain_one() -> None:
    for treasure in CATALOG.treasures:
        armor = CATALOG.armor_of(treasure.id)
        if armor is not None and treasure.base is not None:
            assert armor.value > CATALOG.armor[treasure.base].value


@pytest.mark.parametrize(
    ("slug", "changes"),
    [
        ("scale-armor-3", {"base": None}),
        ("robe-of-stars", {"place": None}),
        ("ruby", {"base": f"{SLUG}:armor/leather-armor"}),
        ("scroll-of-fog", {"spell": None}),
        ("wand-of-ice", {"castings": 0}),
        ("berry-tea", {"kind": "soup"}),
    ],
)
def test_a_malformed_treasure_is_turned_down(slug: str, changes: dict[str, object]) -> None:
    form = encode(Treasure, CATALOG.treasures[f"{SLUG}:treasure/{slug}"])
    assert isinstance(form, dict)
    with pytest.raises(CodecError):
        decode(Treasure, {**form, **changes})
