"""DungeonTeller: building heroes, and every broken rule told at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.build import HeroChoices, Purchase, build
from services.rules.systems.dungeonteller.catalog import SLUG, own_catalog
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind
from services.rules.systems.dungeonteller.sheet import HeroSheet

CATALOG = own_catalog()
ROLE, WEAPON, ARMOR, GEAR, POWER = (
    f"{SLUG}:{kind}/" for kind in ("role", "weapon", "armor", "gear", "power")
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


def test_a_hero_has_ten_actions_and_luck_ten() -> None:
    sheet = hero(WARRIOR)
    assert [line.id for line in sheet.actions] == list(Action)
    assert [(track.current, track.maximum) for track in sheet.tracks] == [(10, 10)]


def test_an_elf_enchanter_has_luck_twelve() -> None:
    assert hero(HeroChoices(name="Sariel", role=f"{ROLE}elf-enchanter")).luck.value == 12


def test_a_dwarf_starts_in_chainmail_four_and_bought_chainmail_is_three() -> None:
    dwarf = HeroChoices(name="Harley", role=f"{ROLE}dwarf", kit=False)
    assert hero(dwarf).armor.value == 4
    bought = replace(dwarf, buys=(Purchase(item=f"{ARMOR}chainmail"),), worn=f"{ARMOR}chainmail")
    assert hero(bought).armor.value == 3


def test_a_held_shield_adds_armor_and_puts_two_handed_weapons_away() -> None:
    sheet = hero(replace(WARRIOR, buys=(Purchase(item=f"{WEAPON}shield"),), shield=True))
    assert sheet.armor.value == 5
    lines = {line.name: line for line in sheet.weapons}
    assert not lines["Greatsword"].usable
    assert lines["Greatsword"].attacks[0].check is None
    assert lines["Shield"].in_hand
    assert "battle-greatsword" not in {check.id for check in sheet.checks}


def test_a_dagger_can_be_swung_and_thrown() -> None:
    wizard = hero(HeroChoices(name="Feeney", role=f"{ROLE}wizard"))
    checks = {check.id: check.notation for check in wizard.checks}
    assert (checks["battle-dagger"], checks["shoot-dagger"]) == (
        "dungeonteller:action(2)",
        "dungeonteller:action(1)",
    )


def test_a_weapon_line_says_what_caps_it() -> None:
    elf = hero(HeroChoices(name="Mallion", role=f"{ROLE}elf"))
    longbow = next(line for line in elf.weapons if line.name == "Longbow")
    (attack,) = longbow.attacks
    assert [(part.value, part.source) for part in attack.weapon_dice.parts] == [
        (5, "Longbow"),
        (-1, "only as many as Notice 4"),
    ]


def test_magic_zero_gives_no_magic_check_and_a_scroll_reader_has_one() -> None:
    assert "action-magic" not in {check.id for check in hero(WARRIOR).checks}
    rogue = hero(HeroChoices(name="Pim", role=f"{ROLE}rogue"))
    assert "action-magic" in {check.id for check in rogue.checks}


def test_everyone_has_the_powers_for_everyone() -> None:
    names = {power.name for power in hero(WARRIOR).powers}
    assert {"Climb", "Dodge", "Pin", "Jump", "Charge", "Sweep"} <= names


def test_a_power_beyond_full_luck_is_shown_as_such() -> None:
    wizard = HeroChoices(
        name="Feeney",
        role=f"{ROLE}wizard",
        rewards=(Reward(session=1, kind=RewardKind.POWER, power=f"{POWER}summon-greater-familiar"),),
    )
    lines = {line.name: line for line in hero(wizard).powers}
    assert not lines["Summon Greater Familiar"].affordable
    assert lines["Teleport"].affordable


def test_without_the_kit_its_price_is_there_to_spend() -> None:
    assert hero(WARRIOR).gold.value == 10
    bare = hero(replace(WARRIOR, kit=False))
    assert bare.gold.value == 10 + 13 + 2 * 2
    assert [line.name for line in bare.weapons] == ["Bare Fist"]


def test_every_broken_rule_is_told_at_once() -> None:
    chaos = HeroChoices(
        name="",
        role=f"{ROLE}wizard",
        look="x" * 501,
        buys=(
            Purchase(item=f"{WEAPON}bazooka"),
            Purchase(item=f"{ARMOR}chainmail", count=0),
            Purchase(item=f"{ARMOR}epic-plate"),
            Purchase(item=f"{WEAPON}bare-fist"),
        ),
        worn=f"{ARMOR}epic-plate",
        shield=True,
        in_hand=(f"{WEAPON}greatsword", f"{GEAR}rope", f"{WEAPON}sling"),
        rewards=(
            Reward(session=0, kind=RewardKind.DIE),
            Reward(session=0, kind=RewardKind.SPECIALITY, action=Action.MAGIC),
            Reward(session=2, kind=RewardKind.POWER, power=f"{POWER}raise-skeleton"),
            Reward(session=3, kind=RewardKind.POWER, power=f"{POWER}zap"),
            Reward(session=4, kind=RewardKind.POWER, power=f"{POWER}smite"),
            Reward(session=5, kind=RewardKind.POWER, power=f"{POWER}wish"),
        ),
    )
    assert problems(chaos) == {
        "name_missing": ("name",),
        "look_too_long": ("look",),
        "item_unknown": ("in_hand", 2),
        "count_out_of_range": ("buys", 1, "count"),
        "item_not_for_sale": ("buys", 3, "item"),
        "not_enough_gold": ("buys",),
        "armor_needs_muscle": ("worn",),
        "item_not_owned": ("in_hand", 0),
        "item_not_weapon": ("in_hand", 1),
        "two_handed_with_shield": ("in_hand", 0),
        "one_reward_per_session": ("rewards",),
        "session_unknown": ("rewards", 1, "session"),
        "action_missing": ("rewards", 0, "action"),
        "speciality_missing": ("rewards", 1, "when"),
        "not_malicious": ("rewards", 2, "power"),
        "power_known": ("rewards", 3, "power"),
        "power_of_another_role": ("rewards", 4, "power"),
        "power_unknown": ("rewards", 5, "power"),
    }


def test_an_unknown_role_names_the_roles_there_are() -> None:
    outcome = build(HeroChoices(name="Odo", role="bard"), CATALOG)
    assert isinstance(outcome, Problems)
    (problem,) = outcome
    assert (problem.code, problem.found, problem.allowed) == ("role_unknown", "bard", CATALOG.roles.ids)


def test_a_problem_says_what_was_found_and_what_is_allowed() -> None:
    outcome = build(replace(WARRIOR, buys=(Purchase(item=f"{ARMOR}heavy-plate"),)), CATALOG)
    assert isinstance(outcome, Problems)
    (problem,) = outcome
    assert (problem.code, problem.found, problem.allowed) == ("not_enough_gold", 60, 10)
    assert "P17" in problem.rule


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"worn": f"{ARMOR}scale-armor"}, "item_not_owned"),
        ({"worn": f"{WEAPON}dagger"}, "item_not_armor"),
        ({"worn": "tin foil"}, "item_unknown"),
        ({"shield": True}, "item_not_owned"),
        ({"in_hand": (f"{WEAPON}greatsword", f"{WEAPON}javelin")}, "hands_full"),
        ({"in_hand": (f"{WEAPON}javelin",) * 3}, "item_not_owned"),
        ({"name": "x" * 81}, "name_too_long"),
        ({"name": "  "}, "name_missing"),
    ],
)
def test_a_broken_rule_is_named(changes: dict[str, object], code: str) -> None:
    assert code in problems(replace(WARRIOR, **changes))  # type: ignore[arg-type]


def test_bare_fists_need_no_card() -> None:
    hero(replace(WARRIOR, in_hand=(f"{WEAPON}bare-fist",)))


def test_a_muscle_reward_lets_heavier_armor_be_worn() -> None:
    rogue = HeroChoices(
        name="Pim",
        role=f"{ROLE}rogue",
        kit=False,
        buys=(Purchase(item=f"{ARMOR}chainmail"),),
        worn=f"{ARMOR}chainmail",
    )
    assert "armor_needs_muscle" in problems(rogue)
    stronger = replace(rogue, rewards=(Reward(session=1, kind=RewardKind.DIE, action=Action.MUSCLE),))
    assert hero(stronger).armor.value == 3


def test_a_speciality_counts_with_its_weapon_only() -> None:
    gained = (Reward(session=1, kind=RewardKind.SPECIALITY, action=Action.BATTLE, when="Great Swords"),)
    checks = {check.id: check.dice for check in hero(replace(WARRIOR, rewards=gained)).checks}
    assert checks["action-battle"].value == 5
    named = (Reward(session=1, kind=RewardKind.SPECIALITY, action=Action.BATTLE, when="greatsword"),)
    checks = {check.id: check.dice for check in hero(replace(WARRIOR, rewards=named)).checks}
    parts = [(part.value, part.source) for part in checks["battle-greatsword"].parts]
    assert (2, "when you use the Greatsword") in parts
    assert checks["battle-bare-fist"].value == 5


def test_the_game_master_may_allow_a_power_of_another_role() -> None:
    gained = (Reward(session=1, kind=RewardKind.POWER, power=f"{POWER}smite", gm_leave=True),)
    assert "Smite" in {power.name for power in hero(replace(WARRIOR, rewards=gained)).powers}


def test_a_table_may_name_its_own_lucky_faces_and_purse() -> None:
    house = replace(CATALOG, settings=replace(CATALOG.settings, lucky_faces=(1, 3), purse=50))
    sheet = build(WARRIOR, house)
    assert isinstance(sheet, HeroSheet)
    assert sheet.gold.value == 50
    assert sheet.checks[0].reading.startswith("Each 1 or 3 is a success.")
