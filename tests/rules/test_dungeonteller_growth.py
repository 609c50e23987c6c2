"""DungeonTeller: heroes with things found and lost, with a role of their own, and with rewards that wait."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.belongings import take_in
from services.rules.systems.dungeonteller.build import HeroChoices, OwnBonus, OwnRole, Purchase, build
from services.rules.systems.dungeonteller.catalog import SLUG, Casting, own_catalog
from services.rules.systems.dungeonteller.examples import EXAMPLES
from services.rules.systems.dungeonteller.own_role import points
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind
from services.rules.systems.dungeonteller.sheet import HeroSheet

CATALOG = own_catalog()
ROLE, WEAPON, ARMOR, GEAR, POWER, TREASURE = (
    f"{SLUG}:{kind}/" for kind in ("role", "weapon", "armor", "gear", "power", "treasure")
)
WARRIOR = HeroChoices(name="Brawnley", role=f"{ROLE}warrior")


def hero(choices: HeroChoices) -> HeroSheet:
    sheet = build(choices, CATALOG)
    assert isinstance(sheet, HeroSheet), str(sheet)
    return sheet


def problems(choices: HeroChoices) -> dict[str, tuple[str | int, ...]]:
    outcome = build(choices, CATALOG)
    assert isinstance(outcome, Problems)
    return {problem.code: problem.path for problem in outcome}


# Things found and lost


def checks(choices: HeroChoices) -> dict[str, int]:
    return {check.id: check.dice.value for check in hero(choices).checks}


def found(*slugs: str) -> tuple[Purchase, ...]:
    return tuple(Purchase(item=f"{TREASURE}{slug}") for slug in slugs)


WIZARD = HeroChoices(name="Feeney", role=f"{ROLE}wizard")
KNIGHT = OwnRole(name="Forest Knight", ratings=Ratings(battle=4, muscle=3, notice=3, shoot=4, stunt=3))


def test_a_robe_helps_while_it_is_worn_and_a_staff_while_it_is_held() -> None:
    has_them = replace(WIZARD, found=found("robe-of-stars", "wizards-staff"))
    assert checks(has_them)["action-magic"] == 6
    worn = replace(has_them, wearing=(f"{TREASURE}robe-of-stars",))
    assert checks(worn)["action-magic"] == 8
    both = replace(worn, in_hand=(f"{TREASURE}wizards-staff",))
    assert checks(both)["action-magic"] == checks(both)["power-zap"] == 9
    assert [bonus.dice for bonus in hero(both).bonuses] == [2, 1]


def test_scale_armor_three_is_armor_three_and_needs_muscle_three() -> None:
    plated = replace(WARRIOR, found=found("scale-armor-3"), worn=f"{TREASURE}scale-armor-3")
    assert hero(plated).armor.value == 3
    rogue = replace(plated, role=f"{ROLE}rogue")
    assert problems(rogue)["armor_needs_muscle"] == ("worn",)


def test_a_magic_weapon_adds_its_dice_beyond_the_cap_of_muscle() -> None:
    paladin = HeroChoices(name="Verity", role=f"{ROLE}paladin", found=found("flaming-longsword"))
    assert checks(paladin)["battle-longsword"] == 7
    assert checks(paladin)["battle-flaming-longsword"] == 9
    wizard = replace(WIZARD, found=found("flaming-longsword"))
    assert checks(wizard)["battle-flaming-longsword"] == 1 + 1 + 2


def test_a_magic_war_hammer_is_a_war_hammer_to_a_dwarf() -> None:
    dwarf = HeroChoices(name="Harley", role=f"{ROLE}dwarf", found=found("hammer-of-the-deep"))
    assert checks(dwarf)["battle-hammer-of-the-deep"] == 3 + 4 + 1 + 2
    assert checks(dwarf)["action-make"] == 6
    held = replace(dwarf, in_hand=(f"{TREASURE}hammer-of-the-deep",))
    assert checks(held)["action-make"] == 7


@pytest.mark.parametrize(
    ("role", "usable"),
    [("rogue", True), ("wizard", True), ("elf", True), ("dwarf", False), ("paladin", False)],
)
def test_scrolls_are_read_by_whoever_has_magic(role: str, usable: bool) -> None:
    sheet = hero(
        HeroChoices(name="Odo", role=f"{ROLE}{role}", found=found("scroll-of-sleep", "wand-of-sparks"))
    )
    assert [line.usable for line in sheet.treasures] == [usable, usable]
    assert ("cast-scroll-of-sleep" in {check.id for check in sheet.checks}) == usable
    scroll, wand = sheet.treasures
    assert (scroll.spell_name, scroll.castings, scroll.luck_cost) == ("Trance", 1, 0)
    assert (wand.spell_name, wand.castings, wand.luck_cost) == ("Zap", 3, 0)


def test_a_first_magic_die_lets_a_warrior_read_scrolls() -> None:
    gained = (Reward(session=1, kind=RewardKind.DIE, action=Action.MAGIC),)
    sheet = hero(replace(WARRIOR, rewards=gained, found=found("scroll-of-sleep")))
    assert sheet.casting is Casting.SCROLLS
    assert sheet.treasures[0].usable


def test_what_is_found_and_lost_counts_and_gold_follows() -> None:
    changed = replace(
        WARRIOR,
        found=(Purchase(item=f"{GEAR}rope", count=2), *found("ruby")),
        lost=(Purchase(item=f"{WEAPON}javelin"), Purchase(item=f"{ARMOR}light-plate")),
        gold_found=40,
        buys=(Purchase(item=f"{WEAPON}shield"),),
    )
    sheet = hero(changed)
    assert sheet.gold.value == 10 + 40 - 5
    assert sheet.armor.value == 0
    assert {line.name: line.count for line in sheet.items} == {"Rope": 2, "Ruby": 1}
    assert {line.name: line.count for line in sheet.weapons}["Javelin"] == 1
    assert [line.name for line in sheet.treasures] == ["Ruby"]


def test_a_treasure_stands_among_the_items_or_the_weapons() -> None:
    every = tuple(Purchase(item=treasure) for treasure in CATALOG.treasures.ids)
    sheet = hero(replace(WARRIOR, found=every))
    assert [line.id for line in sheet.treasures] == list(CATALOG.treasures.ids)
    items, weapons = {line.id for line in sheet.items}, {line.id for line in sheet.weapons}
    for treasure in CATALOG.treasures.ids:
        assert (treasure in items) != (treasure in weapons)


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"found": (Purchase(item="moon"),)}, "item_unknown", ("found", 0, "item")),
        ({"found": (Purchase(item=f"{WEAPON}bare-fist"),)}, "item_has_no_card", ("found", 0, "item")),
        (
            {"found": (Purchase(item=f"{TREASURE}ruby", count=0),)},
            "count_out_of_range",
            ("found", 0, "count"),
        ),
        ({"lost": (Purchase(item="moon"),)}, "item_unknown", ("lost", 0, "item")),
        ({"lost": (Purchase(item=f"{GEAR}rope"),)}, "item_not_owned", ("lost", 0, "item")),
        (
            {"lost": (Purchase(item=f"{WEAPON}javelin"), Purchase(item=f"{WEAPON}javelin", count=2))},
            "item_not_owned",
            ("lost", 1, "count"),
        ),
        (
            {"lost": (Purchase(item=f"{WEAPON}javelin", count=-1),)},
            "count_out_of_range",
            ("lost", 0, "count"),
        ),
        ({"gold_found": -11}, "not_enough_gold", ("gold_found",)),
        ({"gold_found": 1_000_001}, "gold_out_of_range", ("gold_found",)),
        ({"buys": found("ruby")}, "item_not_for_sale", ("buys", 0, "item")),
        ({"wearing": (f"{TREASURE}cat-boots",)}, "item_not_owned", ("wearing", 0)),
        ({"wearing": (f"{WEAPON}javelin",)}, "item_not_wearable", ("wearing", 0)),
        ({"wearing": ("moon",)}, "item_unknown", ("wearing", 0)),
        (
            {
                "found": found("robe-of-stars", "cloak-of-leaves"),
                "wearing": (f"{TREASURE}robe-of-stars", f"{TREASURE}cloak-of-leaves"),
            },
            "place_taken",
            ("wearing", 1),
        ),
        ({"found": found("ruby"), "in_hand": (f"{TREASURE}ruby",)}, "item_not_weapon", ("in_hand", 0)),
        (
            {"lost": (Purchase(item=f"{ARMOR}light-plate"),), "worn": f"{ARMOR}light-plate"},
            "item_not_owned",
            ("worn",),
        ),
    ],
)
def test_a_broken_rule_of_things_is_named(
    changes: dict[str, object], code: str, path: tuple[str | int, ...]
) -> None:
    assert problems(replace(WARRIOR, **changes)) == {code: path}  # type: ignore[arg-type]


things = st.lists(
    st.builds(
        Purchase,
        item=st.sampled_from((*CATALOG.treasures.ids, *CATALOG.weapons.ids, *CATALOG.gear.ids, "moon")),
        count=st.integers(-2, 120),
    ),
    max_size=4,
).map(tuple)


@given(things, things, st.integers(-60, 60), st.sampled_from(sorted(EXAMPLES)))
def test_any_things_found_and_lost_make_a_sheet_or_named_problems(
    came: tuple[Purchase, ...], went: tuple[Purchase, ...], gold: int, name: str
) -> None:
    outcome = build(replace(EXAMPLES[name], found=came, lost=went, gold_found=gold), CATALOG)
    if isinstance(outcome, Problems):
        assert all(problem.code and problem.rule and problem.path for problem in outcome)
    else:
        assert outcome.gold.value >= 0
        counts = [line.count for line in outcome.items]
        counts += [line.count for line in outcome.treasures]
        counts += [line.count for line in outcome.weapons]
        assert all(count >= 1 for count in counts)


@given(things, things, st.integers(-200, 200), st.sampled_from(sorted(EXAMPLES)))
def test_what_play_takes_and_gives_never_breaks_a_hero(
    came: tuple[Purchase, ...], went: tuple[Purchase, ...], gold: int, name: str
) -> None:
    before = EXAMPLES[name]
    after = before
    for _ in range(2):
        after = take_in(after, CATALOG, found=came, lost=went, gold=gold)
    sheet = hero(after)
    assert sheet.gold.value == max(0, max(0, hero(before).gold.value + gold) + gold)


def test_what_is_taken_away_is_put_down() -> None:
    armed = replace(WARRIOR, in_hand=(f"{WEAPON}greatsword",), worn=f"{ARMOR}light-plate")
    gone = (Purchase(item=f"{WEAPON}greatsword"), Purchase(item=f"{ARMOR}light-plate"))
    after = take_in(armed, CATALOG, lost=gone)
    assert (after.in_hand, after.worn) == ((), None)
    assert hero(after).armor.value == 0
    back = take_in(after, CATALOG, found=(Purchase(item=f"{WEAPON}greatsword"),))
    assert "battle-greatsword" in checks(back)
    assert take_in(back, CATALOG, lost=(Purchase(item=f"{WEAPON}greatsword"),)) == after


def test_nothing_coming_or_going_changes_nothing() -> None:
    for choices in EXAMPLES.values():
        assert take_in(choices, CATALOG) == choices


# Roles of one's own


def own(**changes: object) -> HeroChoices:
    return HeroChoices(name="Rowan", role="", own_role=replace(KNIGHT, **changes))  # type: ignore[arg-type]


def test_a_made_up_role_builds_like_a_printed_one() -> None:
    sheet = hero(
        own(
            powers=(f"{POWER}parry", f"{POWER}rapid-fire"),
            bonuses=(OwnBonus(action=Action.SHOOT, dice=1, when="Longbow"),),
            armor=f"{ARMOR}scale-armor",
            luck=11,
        )
    )
    assert (sheet.role, sheet.role_name, sheet.luck.value, sheet.armor.value) == ("", "Forest Knight", 11, 2)
    assert {"Parry", "Rapid Fire", "Dodge"} <= {power.name for power in sheet.powers}
    assert sheet.bonuses[0].weapons == (f"{WEAPON}longbow",)
    assert sheet.gold.value == CATALOG.settings.purse + CATALOG.settings.own_role.kit_gold


def test_every_printed_role_is_within_the_budget_and_the_best_one_reaches_it() -> None:
    budget = CATALOG.settings.own_role
    worth: dict[str, int] = {}
    for role in CATALOG.roles:
        bonus_dice = sum(bonus.dice for bonus in role.bonuses)
        worth[role.name] = points(role.ratings, len(role.powers), role.luck, bonus_dice, budget)
        copy = OwnRole(
            name=role.name,
            ratings=role.ratings,
            powers=role.powers,
            luck=role.luck,
            bonuses=tuple(
                OwnBonus(action=bonus.action, dice=bonus.dice, when=bonus.when) for bonus in role.bonuses
            ),
            armor=role.armor,
        )
        hero(HeroChoices(name="Copy", role="", own_role=copy))
    assert max(worth.values()) == budget.points == worth["Elf Enchanter"]


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"name": " "}, "role_name_missing", ("own_role", "name")),
        ({"name": "x" * 41}, "role_name_too_long", ("own_role", "name")),
        ({"ratings": Ratings(battle=7)}, "rating_out_of_range", ("own_role", "ratings", "battle")),
        ({"ratings": Ratings(talk=-1)}, "rating_out_of_range", ("own_role", "ratings", "talk")),
        ({"luck": 7}, "luck_out_of_range", ("own_role", "luck")),
        ({"luck": 15}, "luck_out_of_range", ("own_role", "luck")),
        ({"powers": (f"{POWER}wish",)}, "power_unknown", ("own_role", "powers", 0)),
        ({"powers": (f"{POWER}parry", f"{POWER}parry")}, "power_known", ("own_role", "powers", 1)),
        ({"powers": (f"{POWER}dodge",)}, "power_known", ("own_role", "powers", 0)),
        ({"powers": (f"{POWER}zap",)}, "cannot_cast", ("own_role", "powers", 0)),
        (
            {"ratings": Ratings(magic=3), "powers": (f"{POWER}raise-zombie",)},
            "not_malicious",
            ("own_role", "powers", 0),
        ),
        (
            {"bonuses": (OwnBonus(action=Action.TALK, dice=0, when="cooks"),)},
            "bonus_out_of_range",
            ("own_role", "bonuses", 0, "dice"),
        ),
        (
            {"bonuses": (OwnBonus(action=Action.TALK, dice=1, when=" "),)},
            "speciality_missing",
            ("own_role", "bonuses", 0, "when"),
        ),
        (
            {"bonuses": tuple(OwnBonus(action=Action.TALK, dice=5, when=when) for when in "abc")},
            "too_many_bonus_dice",
            ("own_role", "bonuses"),
        ),
        ({"armor": f"{WEAPON}shield"}, "item_not_armor", ("own_role", "armor")),
        (
            {"ratings": Ratings(muscle=6), "armor": f"{ARMOR}heavy-plate"},
            "armor_too_good",
            ("own_role", "armor"),
        ),
        ({"armor": f"{ARMOR}light-plate"}, "armor_needs_muscle", ("worn",)),
        (
            {"ratings": Ratings(**{action.value: 5 for action in Action})},
            "over_budget",
            ("own_role",),
        ),
    ],
)
def test_a_broken_rule_of_an_own_role_is_named(
    changes: dict[str, object], code: str, path: tuple[str | int, ...]
) -> None:
    assert problems(own(**changes)) == {code: path}


def test_too_many_powers_are_named() -> None:
    many = (*CATALOG.roles[f"{ROLE}wizard"].powers, f"{POWER}cloak")
    assert "too_many_powers" in problems(own(ratings=Ratings(magic=4), powers=many))


def test_the_game_masters_leave_lifts_the_budget_but_not_the_rules() -> None:
    strong = Ratings(**{action.value: 8 for action in Action})
    assert "over_budget" in problems(own(ratings=replace(strong, battle=6)))
    sheet = hero(own(ratings=strong, luck=16, gm_leave=True))
    assert sheet.luck.value == 16
    assert problems(own(powers=(f"{POWER}zap",), gm_leave=True)) == {"cannot_cast": ("own_role", "powers", 0)}
    assert "rating_out_of_range" in problems(own(ratings=Ratings(battle=21), gm_leave=True))


def test_a_hero_has_exactly_one_role() -> None:
    assert problems(HeroChoices(name="Odo", role="")) == {"role_unknown": ("role",)}
    assert problems(replace(WARRIOR, own_role=KNIGHT)) == {"two_roles": ("own_role",)}


def test_a_mixed_role_may_gain_what_its_powers_come_with() -> None:
    mixed = own(powers=(f"{POWER}appraise",))
    gained = (Reward(session=1, kind=RewardKind.POWER, power=f"{POWER}soft-landing"),)
    assert "Soft Landing" in {power.name for power in hero(replace(mixed, rewards=gained)).powers}
    foreign = (Reward(session=1, kind=RewardKind.POWER, power=f"{POWER}duress"),)
    assert "power_of_another_role" in problems(replace(mixed, rewards=foreign))


def test_magic_of_an_own_role_reads_scrolls_and_casts_with_a_spell() -> None:
    assert hero(own()).casting is Casting.NOTHING
    assert hero(own(ratings=Ratings(magic=2))).casting is Casting.SCROLLS
    assert hero(own(ratings=Ratings(magic=2), powers=(f"{POWER}zap",))).casting is Casting.SPELLS


# Rewards that wait


def test_a_reward_that_waits_is_listed_and_gives_nothing() -> None:
    gained = (
        Reward(session=1, kind=RewardKind.DIE, action=Action.SNEAK),
        Reward(session=2, kind=RewardKind.LUCK),
        Reward(session=3, kind=RewardKind.POWER, power=f"{POWER}smite", gm_leave=True),
        Reward(session=4, kind=RewardKind.SPECIALITY, action=Action.TALK, when="kings"),
    )
    waiting = tuple(replace(reward, approved=False) for reward in gained)
    sheet = hero(replace(WARRIOR, rewards=waiting))
    plain = hero(WARRIOR)
    assert [line.text for line in sheet.waiting] == [
        "1 more Sneak die",
        "1 more Luck",
        "the power Smite",
        "2 more Talk dice: kings",
    ]
    assert replace(sheet, waiting=()) == plain
    assert hero(replace(WARRIOR, rewards=gained)).luck.value == 11


def test_a_reward_that_waits_is_checked_all_the_same() -> None:
    waiting = (Reward(session=1, kind=RewardKind.POWER, power=f"{POWER}wish", approved=False),)
    assert problems(replace(WARRIOR, rewards=waiting)) == {"power_unknown": ("rewards", 0, "power")}
