"""DungeonTeller's scenes: Battle and Shoot, armour and dodging, what is in hand, and hitting things."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Grid, Square
from services.rules.engine.play import Viewer
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.moves import Answer, Attack, Give, Stance, Take, Wield
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Effect,
    EffectKind,
    Field,
    Reflex,
    Scene,
    Thing,
)
from tests.rules.dungeonteller_scenes import (
    dice,
    first_rolls,
    hero,
    make,
    monster,
    problems,
    refused,
    scene,
    waiting,
)

GM = Viewer(gm=True)
WEAPON = "dungeonteller:weapon/"


def battle(actor: str, target: str, arm: str = "") -> Attack:
    return Attack(actor=actor, action=Action.BATTLE, target=target, arm=arm)


def shoot(actor: str, target: str, arm: str = "") -> Attack:
    return Attack(actor=actor, action=Action.SHOOT, target=target, arm=arm)


def holding(being: Being, *weapons: str) -> Being:
    held = {WEAPON + weapon for weapon in weapons}
    return replace(being, arms=tuple(replace(arm, held=arm.id in held) for arm in being.arms))


class TestPools:
    @pytest.mark.parametrize(
        ("example", "weapon", "expected"),
        [
            ("warrior", "greatsword", 10),  # Battle 5, greatsword 5 of Muscle 5
            ("dwarf", "war-hammer", 8),  # Battle 3, hammer 4, dwarfs know hammers 1
            ("rogue", "shortsword", 4),  # Battle 2, shortsword 2 of Muscle 2
            ("wizard", "dagger", 2),  # Battle 1, dagger 1
        ],
    )
    def test_a_weapon_adds_its_dice(self, example: str, weapon: str, expected: int) -> None:
        now = scene(holding(hero(example), weapon), monster("zombie"))
        assert dice(now, battle(example, "zombie-1", WEAPON + weapon)) == {"attack": expected}

    def test_muscle_caps_what_a_weapon_adds_to_battle(self) -> None:
        weak = hero("warrior")
        weak = replace(weak, ratings=replace(weak.ratings, muscle=2))
        blow = battle("warrior", "zombie-1", f"{WEAPON}greatsword")
        assert dice(scene(weak, monster("zombie")), blow) == {"attack": 7}

    def test_notice_caps_what_a_weapon_adds_to_shoot(self) -> None:
        shot = shoot("elf", "zombie-1", f"{WEAPON}longbow")
        assert dice(scene(hero("elf"), monster("zombie", (9, 0))), shot) == {"attack": 10}
        dull = hero("elf")
        dull = replace(dull, ratings=replace(dull.ratings, notice=1))
        assert dice(scene(dull, monster("zombie", (9, 0))), shot) == {"attack": 7}

    def test_bare_fists_add_nothing(self) -> None:
        now = scene(hero("warrior"), monster("zombie"))
        assert dice(now, battle("warrior", "zombie-1")) == {"attack": 5}

    def test_claws_and_breath_are_not_capped_and_take_no_hand(self) -> None:
        dragon = monster("young-dragon", (0, 0))
        dragon = replace(dragon, ratings=replace(dragon.ratings, notice=1))
        now = scene(dragon, hero("elf", (1, 0)))
        assert dice(now, shoot("young-dragon-1", "elf", "fiery-breath")) == {"attack": 10}

    def test_a_creature_that_names_nothing_uses_its_best(self) -> None:
        now = scene(monster("young-dragon", (0, 0)), hero("elf", (1, 0)))
        assert dice(now, shoot("young-dragon-1", "elf")) == {"attack": 10}

    @pytest.mark.parametrize(("luck", "expected"), [(10, 10), (4, 4), (1, 1), (0, 1)])
    def test_nobody_rolls_more_dice_than_luck_and_always_one(self, luck: int, expected: int) -> None:
        now = scene(hero("warrior", luck=luck), monster("zombie"))
        assert dice(now, battle("warrior", "zombie-1", f"{WEAPON}greatsword")) == {"attack": expected}

    def test_a_creature_without_luck_is_not_capped(self) -> None:
        now = scene(monster("skeleton", (0, 0)), hero("elf", (1, 0)))
        assert dice(now, battle("skeleton-1", "elf")) == {"attack": 4}


class TestArmorAndDodging:
    @pytest.mark.parametrize(("armor", "expected"), [(0, 7), (4, 3), (6, 1), (7, 1), (20, 1)])
    def test_armor_takes_dice_and_leaves_one(self, armor: int, expected: int) -> None:
        now = scene(monster("orc", (0, 0), luck=20), hero("dwarf", (1, 0), armor=armor))
        assert dice(now, battle("orc-1", "dwarf")) == {"attack": expected}

    @pytest.mark.parametrize(
        ("armor", "stunt", "expected"), [(4, 2, 3), (2, 4, 3), (4, 4, 3), (0, 3, 4), (3, 9, 1)]
    )
    def test_armor_and_dodge_do_not_add_the_better_counts(
        self, armor: int, stunt: int, expected: int
    ) -> None:
        dodger = hero("rogue", (1, 0), armor=armor, reflex=Reflex.ASK)
        dodger = replace(dodger, ratings=replace(dodger.ratings, stunt=stunt))
        asked = make(scene(monster("orc", (0, 0), luck=20), dodger), battle("orc-1", "rogue"))
        struck = asked.answer(Answer(actor="rogue", yes=True))
        assert struck.dice == {"attack": expected}
        assert struck.being("rogue").luck == 9

    def test_a_dodge_takes_the_rating_even_when_luck_is_low(self) -> None:
        dodger = hero("rogue", (1, 0), armor=0, luck=2, reflex=Reflex.BETTER)
        now = scene(monster("orc", (0, 0)), dodger)
        assert dice(now, battle("orc-1", "rogue")) == {"attack": 1}

    def test_whoever_is_asked_and_stands_still_pays_nothing(self) -> None:
        now = scene(monster("orc", (0, 0)), hero("rogue", (1, 0), reflex=Reflex.ASK))
        asked = make(now, battle("orc-1", "rogue"))
        assert asked.scene.turn == now.turn
        assert asked.asked == [("rogue", "dodge:rogue")]
        stood = asked.answer(Answer(actor="rogue", yes=False), attack=2)
        assert stood.being("rogue").luck == 8
        assert stood.asked == []
        assert stood.scene.turn.acted

    def test_the_asked_are_offered_both_answers_and_nobody_else_anything(self) -> None:
        now = scene(monster("orc", (0, 0)), hero("rogue", (1, 0), reflex=Reflex.ASK), hero("elf", (5, 5)))
        at = waiting(now, battle("orc-1", "rogue"))
        assert [offer.label for offer in at.legal("rogue", GM)] == ["Dodge", "Stand still"]
        assert at.legal("orc-1", GM) == ()
        assert at.legal("elf", GM) == ()

    @pytest.mark.parametrize(
        ("armor", "luck", "left"), [(0, 5, 4), (6, 5, 5), (7, 5, 5), (0, 1, 1), (0, 0, 0)]
    )
    def test_by_themselves_they_dodge_only_when_it_helps_and_luck_is_left(
        self, armor: int, luck: int, left: int
    ) -> None:
        dodger = hero("rogue", (1, 0), armor=armor, luck=luck, reflex=Reflex.BETTER)
        assert (
            make(scene(monster("orc", (0, 0)), dodger), battle("orc-1", "rogue")).being("rogue").luck == left
        )

    def test_never_is_never(self) -> None:
        now = scene(monster("orc", (0, 0)), hero("rogue", (1, 0), armor=0, reflex=Reflex.NEVER))
        assert dice(now, battle("orc-1", "rogue")) == {"attack": 5}
        assert make(now, battle("orc-1", "rogue")).being("rogue").luck == 10

    def test_at_no_luck_nobody_is_asked(self) -> None:
        now = scene(monster("orc", (0, 0)), hero("rogue", (1, 0), luck=0, reflex=Reflex.ASK))
        assert make(now, battle("orc-1", "rogue")).asked == []

    def test_the_last_luck_may_go_into_a_dodge(self) -> None:
        now = scene(monster("orc", (0, 0)), hero("rogue", (1, 0), luck=1, reflex=Reflex.ASK))
        asked = make(now, battle("orc-1", "rogue"))
        dodged = asked.answer(Answer(actor="rogue"), attack=0)
        assert (dodged.being("rogue").luck, dodged.being("rogue").out) == (0, False)

    def test_each_attack_is_asked_about_anew(self) -> None:
        orcs = (monster("orc", (0, 0)), monster("orc", (0, 1), id="orc-2"))
        now = scene(*orcs, hero("rogue", (1, 0), reflex=Reflex.ASK))
        first = make(now, battle("orc-1", "rogue"))
        assert first.asked == [("rogue", "dodge:rogue")]
        answered = first.answer(Answer(actor="rogue")).scene
        turned = replace(answered, turn=replace(answered.turn, place=1, acted=False))
        assert make(turned, battle("orc-2", "rogue")).asked == [("rogue", "dodge:rogue")]

    def test_a_sleeper_does_not_dodge(self) -> None:
        asleep = Effect(id="asleep-1", kind=EffectKind.ASLEEP, bearer="rogue")
        now = scene(monster("orc", (0, 0)), hero("rogue", (1, 0), reflex=Reflex.ASK), effects=(asleep,))
        assert make(now, battle("orc-1", "rogue")).asked == []

    def test_one_changes_ones_mind_between_two_blows(self) -> None:
        now = scene(monster("orc", (0, 0)), hero("rogue", (1, 0), armor=0, reflex=Reflex.ASK))
        settled = make(now, Stance(actor="rogue", reflex="never")).scene
        assert make(settled, battle("orc-1", "rogue")).asked == []


class TestHits:
    def test_each_success_takes_a_luck(self) -> None:
        now = scene(hero("warrior"), monster("zombie"))
        assert make(now, battle("warrior", "zombie-1"), attack=3).being("zombie-1").luck == 2

    def test_only_what_is_near_is_hit_by_hand(self) -> None:
        now = scene(hero("warrior"), monster("zombie", (2, 0)))
        assert refused(now, battle("warrior", "zombie-1")) == ("target_out_of_reach",)
        assert dice(scene(hero("warrior"), monster("zombie", (1, 1))), battle("warrior", "zombie-1"))

    def test_only_what_is_seen_is_shot(self) -> None:
        walled = Field(grid=Grid(20, 12, tuple(Square(4, y) for y in range(12))))
        shot = shoot("elf", "zombie-1", f"{WEAPON}longbow")
        assert refused(scene(hero("elf"), monster("zombie", (9, 0)), field=walled), shot) == (
            "target_out_of_sight",
        )

    def test_nobody_is_nobodys_target(self) -> None:
        now = scene(hero("warrior"), monster("zombie"))
        assert refused(now, battle("warrior", "dragon-9")) == ("unknown_target",)
        assert refused(now, battle("warrior", "warrior")) == ("target_is_self",)
        kick = Attack(actor="warrior", action=Action.STUNT, target="zombie-1")
        assert refused(now, kick) == ("action_is_no_attack",)

    @pytest.mark.parametrize("arm", ["greataxe", "javelin", "dagger"])
    def test_only_what_is_in_hand_hits(self, arm: str) -> None:
        now = scene(hero("warrior"), monster("zombie"))
        assert refused(now, battle("warrior", "zombie-1", WEAPON + arm)) == ("arm_not_in_hand",)

    def test_a_sword_shoots_nothing(self) -> None:
        now = scene(hero("warrior"), monster("zombie", (5, 0)))
        assert refused(now, shoot("warrior", "zombie-1", f"{WEAPON}greatsword")) == ("arm_not_in_hand",)

    def test_asking_for_dice_changes_nothing_and_gives_them_each_time(self) -> None:
        now = scene(hero("warrior"), monster("zombie"))
        first, second = (first_rolls(now, battle("warrior", "zombie-1")) for _ in range(2))
        assert [roll.id for roll in first] == ["attack"]
        assert first == second


class TestThings:
    def door(self, luck: int | None) -> Scene:
        thing = Thing(id="door", name="oak door", at=Square(1, 0), solid=True, luck=luck)
        return scene(hero("warrior"), monster("zombie", (9, 9)), things=(thing,))

    def test_a_door_loses_luck_and_breaks(self) -> None:
        struck = make(self.door(3), battle("warrior", "door"), attack=2)
        assert struck.scene.things[0].luck == 1
        broken = make(self.door(3), battle("warrior", "door"), attack=3)
        assert broken.scene.things == ()

    def test_what_cannot_break_does_not(self) -> None:
        assert make(self.door(None), battle("warrior", "door"), attack=5).scene.things[0].luck is None

    def test_a_thing_has_no_armor_and_does_not_dodge(self) -> None:
        assert dice(self.door(3), battle("warrior", "door", f"{WEAPON}greatsword")) == {"attack": 10}

    def test_what_somebody_holds_is_not_struck(self) -> None:
        held = Thing(id="lamp", name="lamp", holder="zombie-1", luck=1)
        now = scene(hero("warrior"), monster("zombie"), things=(held,))
        assert refused(now, battle("warrior", "lamp")) == ("target_held",)


class TestHands:
    def test_two_hands_are_all_there_are(self) -> None:
        now = scene(hero("warrior"))
        both = Wield(actor="warrior", arms=(f"{WEAPON}greatsword", f"{WEAPON}javelin"))
        [problem] = problems(now, both)
        assert (problem.code, problem.path, problem.found, problem.allowed) == ("hands_full", ("arms",), 3, 2)

    def test_a_shield_leaves_one_hand_and_protects_while_it_is_held(self) -> None:
        now = scene(hero("paladin"))
        assert now.beings[0].armor == 5
        down = make(now, Wield(actor="paladin", arms=(f"{WEAPON}longsword",))).scene
        assert (down.beings[0].armor, down.beings[0].shield) == (4, False)
        up = make(down, Wield(actor="paladin", arms=(f"{WEAPON}longsword", f"{WEAPON}shield"))).scene
        assert (up.beings[0].armor, up.beings[0].shield) == (5, True)

    def test_no_two_handed_weapon_beside_a_shield(self) -> None:
        bow = next(arm for arm in hero("elf").arms if arm.id == f"{WEAPON}longbow")
        paladin = hero("paladin")
        armed = replace(paladin, arms=(*paladin.arms, replace(bow, held=False)))
        move = Wield(actor="paladin", arms=(f"{WEAPON}shield", f"{WEAPON}longbow"))
        assert refused(scene(armed), move) == ("two_handed_with_shield",)

    def test_a_shield_needs_muscle(self) -> None:
        shield = next(arm for arm in hero("paladin").arms if arm.id == f"{WEAPON}shield")
        weak = hero("wizard")
        weak = replace(weak, arms=(replace(shield, held=False),), ratings=replace(weak.ratings, muscle=0))
        assert refused(scene(weak), Wield(actor="wizard", arms=(shield.id,))) == ("armor_needs_muscle",)

    def test_no_card_no_thing(self) -> None:
        move = Wield(actor="wizard", arms=(f"{WEAPON}greataxe",))
        assert refused(scene(hero("wizard")), move) == ("item_not_owned",)

    def test_a_weapon_given_away_is_the_others_to_wield(self) -> None:
        now = scene(hero("paladin"), hero("wizard", (1, 0)))
        given = make(now, Give(actor="paladin", thing=f"{WEAPON}longsword", to="wizard")).scene
        assert [arm.id for arm in given.beings[0].arms] == [f"{WEAPON}shield"]
        assert f"{WEAPON}longsword" in [arm.id for arm in given.beings[1].arms]
        turned = replace(given, turn=replace(given.turn, place=1))
        wielded = make(turned, Wield(actor="wizard", arms=(f"{WEAPON}longsword",))).scene
        assert [arm.id for arm in wielded.beings[1].arms if arm.held] == [f"{WEAPON}longsword"]

    def test_a_shield_laid_down_protects_nobody_and_can_be_taken_up_again(self) -> None:
        now = scene(hero("paladin"), monster("orc", (9, 9)))
        down = make(now, Give(actor="paladin", thing=f"{WEAPON}shield")).scene
        assert (down.beings[0].armor, down.beings[0].shield) == (4, False)
        [lying] = down.things
        assert lying.at == Square(0, 0)
        again = make(down, Take(actor="paladin", thing=lying.id)).scene
        assert (again.things, again.beings[0].armor) == ((), 4)
        held = make(again, Wield(actor="paladin", arms=(f"{WEAPON}shield",))).scene
        assert held.beings[0].armor == 5

    def test_the_second_of_two_daggers_is_a_dagger_of_its_own(self) -> None:
        both = Wield(actor="rogue", arms=(f"{WEAPON}dagger", f"{WEAPON}dagger#2"))
        armed = make(scene(hero("rogue"), monster("zombie")), both).scene
        assert sum(arm.held for arm in armed.beings[0].arms) == 2
        left = make(armed, Give(actor="rogue", thing=f"{WEAPON}dagger#2")).scene
        assert [arm.id for arm in left.beings[0].arms if arm.held] == [f"{WEAPON}dagger"]
