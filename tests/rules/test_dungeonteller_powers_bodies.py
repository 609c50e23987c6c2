"""DungeonTeller's powers on foes and friends, in scenes: hits, holds, fears, help, climbs and jumps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Grid, Square
from services.rules.engine.play import GM_ONLY, Audience
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.moves import (
    Answer,
    Attack,
    EndTurn,
    Go,
    Squeeze,
    Struggle,
    UsePower,
)
from services.rules.systems.dungeonteller.play.rules.battle import use_lent
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Arm,
    Being,
    Climb,
    Duration,
    Effect,
    EffectKind,
    Field,
    Job,
    Reflex,
    Scene,
    Side,
    Thing,
    Turn,
    Until,
)
from tests.conformance.dungeonteller.powers_bodies import ANSWERS, pin
from tests.rules.dungeonteller_scenes import (
    Playing,
    desk_of,
    dice,
    first_rolls,
    hero,
    make,
    monster,
    power,
    refused,
    rolled,
    scene,
    with_powers,
)


def use(actor: str, slug: str, *targets: str, **parts: object) -> UsePower:
    return UsePower(actor=actor, power=power(slug), targets=targets, **parts)  # type: ignore[arg-type]


def luck(desk: Playing, being: str) -> int | None:
    return desk.being(being).luck


def effects(desk: Playing, being: str, kind: str) -> tuple[Effect, ...]:
    return desk.scene.effects_on(being, kind)


def told(desk: Playing, code: str) -> bool:
    return any(getattr(event, "code", "") == code for event in desk.events)


def unarmed(being: Being) -> Being:
    arms = tuple(replace(arm, held=False) for arm in being.arms)
    return replace(being, arms=arms, shield=False)


def next_turn(now: Scene, ends: str) -> Scene:
    return make(now, EndTurn(actor=ends)).scene


def fire(square: Square, name: str = "fire-1", kind: str = AreaKind.FIRE) -> Area:
    return Area(id=name, kind=kind, squares=(square,))


class TestZap:
    def test_armor_does_not_help_against_it(self) -> None:
        now = scene(hero("wizard"), monster("orc", at=(5, 0), armor=6, luck=8))
        move = use("wizard", "zap", "orc-1")
        assert dice(now, move) == {"attack": 6}
        assert luck(make(now, move, attack=3), "orc-1") == 5

    def test_a_dodge_takes_stunt_dice_and_costs_the_foe_its_luck(self) -> None:
        orc = monster("orc", at=(5, 0), armor=2, luck=8, reflex=Reflex.BETTER)
        now = scene(hero("wizard"), orc)
        assert dice(now, use("wizard", "zap", "orc-1")) == {"attack": 3}
        assert luck(make(now, use("wizard", "zap", "orc-1"), attack=1), "orc-1") == 6

    def test_whoever_is_asked_whether_they_dodge_answers_first(self) -> None:
        foe = monster("orc", at=(5, 0), reflex=Reflex.ASK, luck=8)
        asked = make(scene(hero("wizard"), foe), use("wizard", "zap", "orc-1"))
        assert asked.asked == [("orc-1", "dodge:orc-1")] and not asked.scene.turn.acted
        struck = asked.answer(Answer(actor="orc-1", yes=False), attack=2)
        assert luck(struck, "orc-1") == 6
        assert struck.scene.turn.acted

    def test_a_worked_up_zap_hits_with_all_its_successes(self) -> None:
        now = scene(hero("wizard"), monster("orc", at=(5, 0), luck=8))
        begun = make(now, use("wizard", "zap", work_up=True), power=2).scene
        again = replace(begun, turn=replace(begun.turn, acted=False))
        struck = make(again, use("wizard", "zap", "orc-1"), attack=1)
        assert luck(struck, "orc-1") == 5
        assert not effects(struck, "wizard", EffectKind.WORKING_UP)

    def test_a_counterspell_takes_its_dice_from_a_zap_and_is_used_up(self) -> None:
        countered = Effect(id="c-1", kind=EffectKind.COUNTERED, bearer="wizard", amount=2)
        now = scene(hero("wizard"), monster("orc", at=(5, 0)), effects=(countered,))
        assert dice(now, use("wizard", "zap", "orc-1")) == {"attack": 4}
        assert not make(now, use("wizard", "zap", "orc-1")).scene.effects

    def test_a_shield_does_not_stop_it(self) -> None:
        store = Effect(id="s-1", kind=EffectKind.SHIELD, bearer="orc-1", amount=5, lasts=Duration(Until.USED))
        now = scene(hero("wizard"), monster("orc", at=(5, 0), luck=8), effects=(store,))
        struck = make(now, use("wizard", "zap", "orc-1"), attack=2)
        assert luck(struck, "orc-1") == 6
        assert effects(struck, "orc-1", EffectKind.SHIELD)[0].amount == 5

    def test_it_needs_a_foe_in_sight(self) -> None:
        wall = tuple(Square(2, y) for y in range(12))
        hidden = monster("orc", at=(5, 0), hidden=2)
        assert refused(scene(hero("wizard"), hidden), use("wizard", "zap", "orc-1")) == ("unknown_target",)
        walled = scene(hero("wizard"), monster("orc", at=(5, 0)), field=Field(grid=Grid(20, 12, wall)))
        assert refused(walled, use("wizard", "zap", "orc-1")) == ("target_out_of_sight",)
        assert refused(walled, use("wizard", "zap")) == ("needs_one_target",)


class TestPaladinBlows:
    def test_a_fist_of_justice_strikes_from_afar_less_armor_and_cannot_be_dodged(self) -> None:
        foe = monster("orc", at=(9, 0), armor=3, luck=8, reflex=Reflex.BETTER)
        now = scene(hero("paladin"), foe)
        move = use("paladin", "fist-of-justice", "orc-1")
        assert dice(now, move) == {"attack": 2}
        struck = make(now, move, attack=2)
        assert (luck(struck, "orc-1"), luck(struck, "paladin")) == (6, 8)

    def test_smite_adds_resist_to_battle(self) -> None:
        paladin = unarmed(hero("paladin", luck=10))
        now = scene(paladin, monster("orc", armor=0, luck=8))
        move = use("paladin", "smite", "orc-1")
        assert dice(now, move) == {"attack": 9}
        struck = make(now, move, attack=4)
        assert (luck(struck, "orc-1"), luck(struck, "paladin")) == (4, 8)

    def test_smite_is_hand_to_hand_and_costs_luck_that_must_be_there(self) -> None:
        far = scene(hero("paladin"), monster("orc", at=(2, 0)))
        assert refused(far, use("paladin", "smite", "orc-1")) == ("target_out_of_reach",)
        poor = scene(hero("paladin", luck=1), monster("orc"))
        assert refused(poor, use("paladin", "smite", "orc-1")) == ("not_enough_luck",)

    def test_a_parry_stops_a_smite(self) -> None:
        guard = Effect(id="p-1", kind=EffectKind.PARRY, bearer="orc-1", amount=2)
        now = scene(hero("paladin"), monster("orc", armor=0, luck=8), effects=(guard,))
        assert luck(make(now, use("paladin", "smite", "orc-1"), attack=3), "orc-1") == 7


class TestCharge:
    def test_a_double_move_adds_stunt_and_loses_no_dice(self) -> None:
        now = scene(unarmed(hero("warrior")), monster("orc", at=(8, 0), armor=0, luck=9))
        move = use("warrior", "charge", "orc-1", squares=(Square(7, 0),))
        assert dice(now, move) == {"attack": 8}
        done = make(now, move, attack=3)
        assert done.being("warrior").at == Square(7, 0)
        assert (done.scene.turn.paces, done.scene.turn.acted) == (7, True)
        assert luck(done, "orc-1") == 6

    @pytest.mark.parametrize(("foe", "to"), [(6, 5), (12, 11)])
    def test_neither_a_walk_nor_a_run_is_a_charge(self, foe: int, to: int) -> None:
        now = scene(hero("warrior"), monster("orc", at=(foe, 0)))
        codes = refused(now, use("warrior", "charge", "orc-1", squares=(Square(to, 0),)))
        assert codes in (("charge_needs_double_move",), ("too_far",))

    def test_paces_walked_before_count(self) -> None:
        now = scene(hero("warrior"), monster("orc", at=(7, 0), luck=9))
        walked = make(now, Go(actor="warrior", to=Square(3, 0))).scene
        done = make(walked, use("warrior", "charge", "orc-1", squares=(Square(6, 0),)), attack=1)
        assert (done.scene.turn.paces, luck(done, "orc-1")) == (6, 8)

    def test_it_ends_beside_the_foe(self) -> None:
        now = scene(hero("warrior"), monster("orc", at=(9, 0)))
        codes = refused(now, use("warrior", "charge", "orc-1", squares=(Square(7, 0),)))
        assert codes == ("target_out_of_reach",)

    def test_something_hidden_on_the_way_stops_it(self) -> None:
        secret = Audience(everyone=False, actors=("orc-1",))
        trap = Area(
            id="trap-s1",
            kind=AreaKind.TRAP_RUNE,
            squares=(Square(4, 0),),
            source="orc-1",
            cause=power("trap-rune"),
            amount=1,
            radius=1,
            audience=secret,
        )
        field = Field(grid=Grid(20, 1))
        now = scene(hero("warrior"), monster("orc", at=(8, 0), luck=9), areas=(trap,), field=field)
        done = rolled(now, use("warrior", "charge", "orc-1", squares=(Square(7, 0),)), {})
        assert done.being("warrior").at == Square(3, 0)
        assert effects(done, "warrior", EffectKind.TRAPPED)
        assert (luck(done, "orc-1"), done.scene.turn.acted) == (9, True)

    def test_whoever_is_held_cannot_charge(self) -> None:
        held = Effect(id="p-1", kind=EffectKind.PINNED, bearer="warrior", source="orc-1")
        now = scene(hero("warrior"), monster("orc", at=(8, 0)), effects=(held,))
        assert refused(now, use("warrior", "charge", "orc-1", squares=(Square(7, 0),))) == ("pinned",)

    def test_a_foe_may_dodge_when_the_warrior_has_come(self) -> None:
        now = scene(hero("warrior"), monster("orc", at=(8, 0), luck=9, reflex=Reflex.ASK))
        asked = make(now, use("warrior", "charge", "orc-1", squares=(Square(7, 0),)))
        assert asked.asked == [("orc-1", "dodge:orc-1")] and asked.being("warrior").at == Square(7, 0)
        done = asked.answer(Answer(actor="orc-1"), attack=1)
        assert done.being("warrior").at == Square(7, 0)
        assert luck(done, "orc-1") == 7


class TestTwoFoes:
    def foes(self, **changes: object) -> tuple[Being, Being]:
        one = monster("orc", at=(1, 0), id="orc-1", armor=0, luck=8)
        two = monster("orc", at=(0, 1), id="orc-2", armor=0, luck=8)
        return replace(one, **changes), two  # type: ignore[arg-type]

    def test_a_sweep_shares_the_pool_and_each_armor_counts_for_its_own_group(self) -> None:
        now = scene(unarmed(hero("warrior")), *self.foes(armor=2))
        move = use("warrior", "sweep", "orc-1", "orc-2", split=(3, 2))
        assert dice(now, move) == {"attack:orc-1": 1, "attack:orc-2": 2}
        done = rolled(now, move, {"attack:orc-1": 1, "attack:orc-2": 2})
        assert (luck(done, "orc-1"), luck(done, "orc-2")) == (7, 6)

    def test_without_a_split_the_groups_are_as_even_as_can_be(self) -> None:
        now = scene(unarmed(hero("warrior")), *self.foes())
        found = dice(now, use("warrior", "sweep", "orc-1", "orc-2"))
        assert found == {"attack:orc-1": 3, "attack:orc-2": 2}

    @pytest.mark.parametrize(
        ("split", "code"),
        [
            ((5, 0), "split_empty_group"),
            ((2, 2), "split_wrong"),
            ((3, 3), "split_wrong"),
            ((5,), "split_wrong"),
        ],
    )
    def test_a_split_has_dice_in_each_group_and_adds_up(self, split: tuple[int, ...], code: str) -> None:
        now = scene(unarmed(hero("warrior")), *self.foes())
        assert refused(now, use("warrior", "sweep", "orc-1", "orc-2", split=split)) == (code,)

    def test_a_single_die_cannot_be_shared(self) -> None:
        now = scene(unarmed(hero("warrior", luck=1)), *self.foes())
        assert refused(now, use("warrior", "sweep", "orc-1", "orc-2")) == ("split_empty_group",)

    def test_the_foes_are_two_and_different(self) -> None:
        now = scene(unarmed(hero("warrior")), *self.foes())
        for targets in (("orc-1",), ("orc-1", "orc-1")):
            assert refused(now, use("warrior", "sweep", *targets)) == ("needs_two_targets",)

    def test_rapid_fire_shoots_at_two_from_afar(self) -> None:
        elf = hero("elf", luck=10)
        bow = next(arm.id for arm in elf.arms if Action.SHOOT in arm.use and arm.held)
        foes = (monster("orc", at=(9, 0), id="a", luck=8), monster("orc", at=(9, 5), id="b", luck=8))
        now = scene(elf, *(replace(foe, armor=0) for foe in foes))
        whole = sum(dice(now, use("elf", "rapid-fire", "a", "b", arm=bow)).values())
        move = use("elf", "rapid-fire", "a", "b", arm=bow, split=(1, whole - 1))
        done = rolled(now, move, {"attack:a": 1, "attack:b": 3})
        assert (luck(done, "a"), luck(done, "b")) == (7, 5)

    def test_fear_of_one_of_them_takes_a_die_from_its_group_alone(self) -> None:
        fear = Effect(id="f-1", kind=EffectKind.AFRAID, bearer="warrior", source="orc-1", cause=power("fear"))
        now = scene(unarmed(hero("warrior")), *self.foes(), effects=(fear,))
        found = dice(now, use("warrior", "sweep", "orc-1", "orc-2", split=(3, 2)))
        assert found == {"attack:orc-1": 2, "attack:orc-2": 2}


class TestAmbush:
    def surprised(self, **changes: object) -> Scene:
        foe = monster("orc", surprised=True, luck=8, armor=0)
        return scene(unarmed(hero("rogue")), replace(foe, **changes))  # type: ignore[arg-type]

    def test_more_sneak_than_notice_lets_the_rogue_strike_with_four_more_dice(self) -> None:
        found = make(self.surprised(), use("rogue", "ambush", "orc-1"), power=2, against=1)
        assert found.asked == [("rogue", "strike")]
        struck = found.answer(Answer(actor="rogue"), attack=4)
        assert struck.dice == {"attack": 6}
        assert luck(struck, "orc-1") == 4
        assert not struck.being("orc-1").surprised
        assert struck.asked == []

    def test_as_much_notice_is_enough_to_see_the_rogue_coming(self) -> None:
        now = self.surprised()
        found = make(now, use("rogue", "ambush", "orc-1"), power=1, against=1)
        assert found.asked == []
        assert not found.being("orc-1").surprised
        again = replace(found.scene, turn=now.turn)
        assert refused(again, use("rogue", "ambush", "orc-1")) == ("target_has_seen_you",)

    def test_the_foes_notice_is_rolled_in_secret(self) -> None:
        found = first_rolls(self.surprised(), use("rogue", "ambush", "orc-1"))
        audiences = {roll.id: roll.audience for roll in found}
        assert audiences["against"] == GM_ONLY

    def test_a_foe_that_has_seen_the_rogue_cannot_be_ambushed_unless_the_rogue_hides(self) -> None:
        orc = monster("orc", luck=8)
        assert refused(scene(hero("rogue"), orc), use("rogue", "ambush", "orc-1")) == ("target_has_seen_you",)
        hiding = hero("rogue", hidden=2)
        assert dice(scene(hiding, orc), use("rogue", "ambush", "orc-1")) == {"power": 5, "against": 2}
        found = hero("rogue", hidden=2, found_by=("orc-1",))
        assert refused(scene(found, orc), use("rogue", "ambush", "orc-1")) == ("target_has_seen_you",)

    def test_the_weapon_is_chosen_with_the_answer(self) -> None:
        rogue = hero("rogue")
        blade = Arm(id="blade", name="Blade", dice=2, hands=1, use=(Action.BATTLE,), held=True)
        now = scene(replace(rogue, arms=(blade,)), monster("orc", surprised=True, armor=0))
        found = make(now, use("rogue", "ambush", "orc-1"), power=1)
        assert found.answer(Answer(actor="rogue", arm="blade")).dice == {"attack": 8}

    def test_the_rogue_may_hold_back_and_stays_unseen(self) -> None:
        found = make(self.surprised(), use("rogue", "ambush", "orc-1"), power=1)
        left = found.answer(Answer(actor="rogue", yes=False))
        assert left.being("orc-1").surprised and luck(left, "orc-1") == 8

    def test_a_foe_may_dodge_the_strike(self) -> None:
        found = make(self.surprised(reflex=Reflex.ASK), use("rogue", "ambush", "orc-1"), power=1)
        asked = found.answer(Answer(actor="rogue"))
        assert asked.asked == [("orc-1", "dodge:orc-1")]
        struck = asked.answer(Answer(actor="orc-1"), attack=1)
        assert struck.dice == {"attack": 3}
        assert luck(struck, "orc-1") == 6


class TestKnockout:
    def rogue(self) -> Being:
        return with_powers(unarmed(hero("rogue", luck=10)), "knockout")

    def test_it_takes_turns_in_place_of_luck_less_the_foes_muscle(self) -> None:
        now = scene(self.rogue(), monster("orc", armor=0, luck=8))
        done = make(now, use("rogue", "knockout", "orc-1"), attack=2, against=0)
        assert (luck(done, "rogue"), luck(done, "orc-1")) == (4, 8)
        assert effects(done, "orc-1", EffectKind.LOSES_TURNS)[0].amount == 2
        after = next_turn(done.scene, "rogue")
        assert after.turn.whose == "rogue"
        assert next_turn(after, "rogue").turn.whose == "rogue"
        assert next_turn(next_turn(after, "rogue"), "rogue").turn.whose == "orc-1"

    def test_muscle_takes_successes_away(self) -> None:
        now = scene(self.rogue(), monster("orc", armor=0, luck=8))
        done = make(now, use("rogue", "knockout", "orc-1"), attack=2, against=2)
        assert not effects(done, "orc-1", EffectKind.LOSES_TURNS)
        assert told(done, "power.knockout.failed")

    def test_a_parry_stops_some_of_it_and_armor_counts(self) -> None:
        guard = Effect(id="p-1", kind=EffectKind.PARRY, bearer="orc-1", amount=1)
        now = scene(self.rogue(), monster("orc", armor=1, luck=8), effects=(guard,))
        move = use("rogue", "knockout", "orc-1")
        assert dice(now, move)["attack"] == 1
        done = make(now, move, attack=1)
        assert not effects(done, "orc-1", EffectKind.LOSES_TURNS)


class TestKnockback:
    def test_each_success_left_pushes_a_pace_straight_away(self) -> None:
        now = scene(hero("warrior"), monster("orc"))
        done = make(now, use("warrior", "knockback", "orc-1"), power=4, against=1)
        assert done.being("orc-1").at == Square(4, 0)
        assert done.being("warrior").at == Square(0, 0)

    def test_the_warrior_may_follow(self) -> None:
        now = scene(hero("warrior"), monster("orc", at=(1, 1)))
        done = make(now, use("warrior", "knockback", "orc-1", sort="follow"), power=2)
        assert (done.being("orc-1").at, done.being("warrior").at) == (Square(3, 3), Square(1, 1))
        assert done.scene.turn.paces == 0

    def test_nobody_moves_when_nothing_is_left(self) -> None:
        now = scene(hero("warrior"), monster("orc"))
        done = make(now, use("warrior", "knockback", "orc-1", sort="follow"), power=1, against=2)
        assert (done.being("orc-1").at, done.being("warrior").at) == (Square(1, 0), Square(0, 0))

    def test_a_wall_and_other_people_stop_the_foe(self) -> None:
        walled = Field(grid=Grid(20, 12, (Square(3, 0),)))
        now = scene(hero("warrior"), monster("orc"), field=walled)
        done = make(now, use("warrior", "knockback", "orc-1"), power=5)
        assert done.being("orc-1").at == Square(2, 0)
        crowd = scene(hero("warrior"), monster("orc"), monster("orc", at=(2, 0), id="orc-2"))
        kept = make(crowd, use("warrior", "knockback", "orc-1"), power=5)
        assert kept.being("orc-1").at == Square(1, 0)

    def test_a_foe_pushed_into_fire_rolls_and_suffers(self) -> None:
        now = scene(hero("warrior"), monster("orc", luck=8), areas=(fire(Square(2, 0)),))
        move = use("warrior", "knockback", "orc-1")
        done = rolled(now, move, {"power": 1, "save:orc-1:fire-1": 1})
        assert luck(done, "orc-1") == 6
        short = rolled(now, move, {"power": 0})
        assert luck(short, "orc-1") == 8
        assert set(short.dice) == {"power", "against"}

    def test_a_push_breaks_a_hold(self) -> None:
        held = Effect(id="p-1", kind=EffectKind.PINNED, bearer="elf", source="orc-1")
        now = scene(hero("warrior"), monster("orc"), hero("elf", at=(2, 1)), effects=(held,))
        done = make(now, use("warrior", "knockback", "orc-1"), power=3)
        assert not effects(done, "elf", EffectKind.PINNED)

    def test_it_needs_a_foe_at_hand(self) -> None:
        now = scene(hero("warrior"), monster("orc", at=(2, 0)))
        assert refused(now, use("warrior", "knockback", "orc-1")) == ("target_out_of_reach",)
        near = scene(hero("warrior"), monster("orc"))
        assert refused(near, use("warrior", "knockback", "orc-1", sort="left")) == ("kind_unknown",)


class TestPin:
    """Brawnley, Muscle 5 and Stunt 3, grabs an orc with Battle 7, Muscle 7 and Stunt 3."""

    def brawnley(self) -> Being:
        return unarmed(hero("warrior", id="brawnley", armor=0))

    def grabbed(self) -> Scene:
        now = scene(self.brawnley(), monster("orc", luck=8))
        lunge = make(now, use("brawnley", "pin", "orc-1"), lunge=2)
        return lunge.answer(Answer(actor="brawnley"), power=2, against=1).scene

    def test_the_example_of_the_book(self) -> None:
        now = scene(self.brawnley(), monster("orc", luck=10))
        move = use("brawnley", "pin", "orc-1")
        assert dice(now, move) == {"lunge": 7}
        lunge = make(now, move, lunge=2)
        assert luck(lunge, "brawnley") == 8
        assert lunge.asked == [("brawnley", "grab")] and lunge.scene.turn.acted
        held = lunge.answer(Answer(actor="brawnley"), power=2, against=1)
        assert held.dice == {"power": 8, "against": 10}
        pinned = effects(held, "orc-1", EffectKind.PINNED)
        assert [effect.source for effect in pinned] == ["brawnley"]
        turn = next_turn(held.scene, "brawnley")
        assert refused(turn, Go(actor="orc-1", to=Square(3, 0))) == ("pinned",)
        tried = make(turn, Struggle(actor="orc-1"), escape=2, hold=2)
        assert effects(tried, "orc-1", EffectKind.PINNED)
        squeezing = next_turn(tried.scene, "orc-1")
        squeezed = make(squeezing, Squeeze(actor="brawnley"), squeeze=3, against=1)
        assert luck(squeezed, "orc-1") == 8

    def test_the_held_foe_loses_the_holders_muscle_but_not_on_resist_and_talk(self) -> None:
        turn = next_turn(self.grabbed(), "brawnley")
        assert dice(turn, Attack(actor="orc-1", action=Action.BATTLE, target="brawnley")) == {"attack": 2}

    def test_breaking_free_takes_more_successes(self) -> None:
        turn = next_turn(self.grabbed(), "brawnley")
        free = make(turn, Struggle(actor="orc-1"), escape=3, hold=2)
        assert not effects(free, "orc-1", EffectKind.PINNED)

    def test_a_tie_does_not_hold_the_foe(self) -> None:
        now = scene(self.brawnley(), monster("wolf"))
        done = make(now, use("brawnley", "pin", "wolf-1"), power=1, against=1)
        assert not effects(done, "wolf-1", EffectKind.PINNED)
        assert told(done, "power.pin.failed")

    @pytest.mark.parametrize("found_by", [(), ("orc-1",)])
    def test_an_armed_foe_strikes_first_at_a_grabber_who_was_hidden_too(
        self, found_by: tuple[str, ...]
    ) -> None:
        """The grab shows him; who knew of him before makes no difference that his player could see."""
        hidden = replace(self.brawnley(), hidden=2, found_by=found_by)
        assert dice(scene(hidden, monster("orc", luck=10)), use("brawnley", "pin", "orc-1")) == {"lunge": 7}

    def test_claws_and_teeth_give_no_free_blow(self) -> None:
        now = scene(self.brawnley(), monster("wolf"))
        move = use("brawnley", "pin", "wolf-1")
        assert set(dice(now, move)) == {"power", "against"}
        done = make(now, move, power=2, against=1)
        assert effects(done, "wolf-1", EffectKind.PINNED) and done.asked == []

    def test_armor_takes_dice_from_the_free_blow_and_a_dodge_may_be_asked_for(self) -> None:
        armored = replace(self.brawnley(), armor=4)
        assert dice(scene(armored, monster("orc")), use("brawnley", "pin", "orc-1")) == {"lunge": 3}
        nimble = replace(self.brawnley(), reflex=Reflex.ASK)
        asked = make(scene(nimble, monster("orc")), use("brawnley", "pin", "orc-1"))
        assert asked.asked == [("brawnley", "dodge:brawnley")]
        lunge = asked.answer(Answer(actor="brawnley"), lunge=1)
        assert luck(lunge, "brawnley") == 8
        assert lunge.asked == [("brawnley", "grab")]

    def test_whoever_falls_to_the_free_blow_grabs_nobody(self) -> None:
        now = scene(replace(self.brawnley(), luck=0), monster("orc"))
        done = make(now, use("brawnley", "pin", "orc-1"), lunge=1)
        assert done.being("brawnley").out and done.asked == []

    def test_a_sleeping_foe_strikes_no_blow(self) -> None:
        asleep = Effect(id="a-1", kind=EffectKind.ASLEEP, bearer="orc-1")
        now = scene(self.brawnley(), monster("orc"), effects=(asleep,))
        assert set(dice(now, use("brawnley", "pin", "orc-1"))) == {"power", "against"}

    def test_hands_must_be_empty(self) -> None:
        holding = scene(hero("warrior"), monster("wolf"))
        assert any(arm.held for arm in holding.beings[0].arms)
        assert refused(holding, use("warrior", "pin", "wolf-1")) == ("hands_not_empty",)
        shielded = scene(replace(self.brawnley(), shield=True), monster("wolf"))
        assert refused(shielded, use("brawnley", "pin", "wolf-1")) == ("hands_not_empty",)
        busy = Effect(id="p-1", kind=EffectKind.PINNED, bearer="orc-1", source="brawnley")
        both = scene(self.brawnley(), monster("wolf"), monster("orc", at=(0, 1)), effects=(busy,))
        assert refused(both, use("brawnley", "pin", "wolf-1")) == ("hands_not_empty",)
        assert refused(both, use("brawnley", "pin", "orc-1")) == ("hands_not_empty",)

    def test_nobody_is_held_by_two(self) -> None:
        busy = Effect(id="p-1", kind=EffectKind.PINNED, bearer="wolf-1", source="elf")
        now = scene(self.brawnley(), monster("wolf"), hero("elf", at=(2, 0)), effects=(busy,))
        assert refused(now, use("brawnley", "pin", "wolf-1")) == ("already_pinned",)


class TestMagicOnFoes:
    def test_a_trance_lasts_the_scene_and_the_sleeper_has_no_turns(self) -> None:
        now = scene(hero("elf"), monster("orc", at=(5, 0)))
        done = make(now, use("elf", "trance", "orc-1"), power=2, against=1)
        assert effects(done, "orc-1", EffectKind.ASLEEP)[0].strength == 3
        assert luck(done, "elf") == 8
        assert next_turn(done.scene, "elf").turn.whose == "elf"

    def test_resist_takes_all_of_it_away(self) -> None:
        now = scene(hero("elf"), monster("orc", at=(5, 0)))
        done = make(now, use("elf", "trance", "orc-1"), power=2, against=2)
        assert not effects(done, "orc-1", EffectKind.ASLEEP) and luck(done, "elf") == 8

    def test_a_dwarf_resists_magic_with_two_more_dice(self) -> None:
        elf = hero("elf", side=Side.FOES)
        now = scene(elf, hero("dwarf", at=(5, 0)))
        assert dice(now, use("elf", "trance", "dwarf"))["against"] == 8

    def test_a_sleeper_in_the_air_comes_down(self) -> None:
        flier = monster("griffin", at=(5, 0), height=4, luck=8)
        done = make(scene(hero("elf"), flier), use("elf", "trance", "griffin-1"), power=1, fall=3)
        assert (done.being("griffin-1").height, luck(done, "griffin-1")) == (0, 5)

    def test_a_sleeper_lets_go(self) -> None:
        held = Effect(id="p-1", kind=EffectKind.PINNED, bearer="warrior", source="orc-1")
        now = scene(hero("elf"), monster("orc", at=(5, 0)), hero("warrior", at=(6, 0)), effects=(held,))
        done = make(now, use("elf", "trance", "orc-1"), power=1)
        assert not effects(done, "warrior", EffectKind.PINNED)

    def test_turn_to_stone_makes_a_statue_with_armor(self) -> None:
        wizard = with_powers(hero("wizard"), "turn-to-stone")
        orc = monster("orc", armor=1)
        done = make(scene(wizard, orc), use("wizard", "turn-to-stone", "orc-1"), power=2, against=1)
        assert effects(done, "orc-1", EffectKind.PETRIFIED)[0].amount == 5
        assert luck(done, "wizard") == 2
        attack = Attack(actor="wizard", action=Action.BATTLE, target="orc-1")
        again = replace(done.scene, turn=Turn(order=("wizard",)))
        (found,) = first_rolls(again, attack)
        assert "-5" in str([part.value for part in found.dice.parts])

    def test_giants_are_too_big_to_turn_to_stone(self) -> None:
        wizard = with_powers(hero("wizard"), "turn-to-stone")
        now = scene(wizard, monster("hill-giant", at=(5, 0)))
        assert refused(now, use("wizard", "turn-to-stone", "hill-giant-1")) == ("target_too_big",)

    def afraid(self, successes: int, against: int = 0) -> Playing:
        wizard = with_powers(hero("wizard"), "fear")
        now = scene(wizard, monster("orc", at=(6, 0)))
        return make(now, use("wizard", "fear", "orc-1"), power=successes, against=against)

    def test_fear_keeps_a_foe_two_paces_away(self) -> None:
        turn = next_turn(self.afraid(2, 1).scene, "wizard")
        assert refused(turn, Go(actor="orc-1", to=Square(1, 0))) == ("kept_away",)
        assert make(turn, Go(actor="orc-1", to=Square(2, 0))).being("orc-1").at == Square(2, 0)

    def test_fear_takes_a_die_from_attacks_on_its_caster_alone(self) -> None:
        wizard, elf = with_powers(hero("wizard"), "fear"), hero("elf", at=(0, 1), armor=0)
        now = scene(wizard, monster("orc", at=(1, 0), luck=10), elf)
        turn = next_turn(make(now, use("wizard", "fear", "orc-1"), power=1).scene, "wizard")
        hits = {
            foe: dice(turn, Attack(actor="orc-1", action=Action.BATTLE, target=foe))["attack"]
            for foe in ("wizard", "elf")
        }
        assert hits == {"wizard": 6, "elf": 7}

    def test_fear_lasts_a_turn_for_each_success_left(self) -> None:
        now = self.afraid(3, 1).scene
        for _ in range(2):
            assert now.has("orc-1", EffectKind.AFRAID)
            now = next_turn(next_turn(now, "wizard"), "orc-1")
        assert now.has("orc-1", EffectKind.AFRAID)
        assert not next_turn(now, "wizard").has("orc-1", EffectKind.AFRAID)

    def test_a_failed_fear_does_nothing(self) -> None:
        assert not self.afraid(1, 1).scene.effects

    def test_counterspells_add_up_until_the_next_magic_roll_which_keeps_a_die(self) -> None:
        foe = hero("wizard", at=(5, 0), id="warlock", side=Side.FOES)
        now = scene(hero("wizard"), foe)
        done = make(now, use("wizard", "counterspell", "warlock"), power=4)
        assert luck(done, "wizard") == 8
        again = replace(done.scene, turn=replace(done.scene.turn, acted=False))
        twice = make(again, use("wizard", "counterspell", "warlock"), power=4)
        turn = next_turn(twice.scene, "wizard")
        zap = use("warlock", "zap", "wizard")
        assert dice(turn, zap) == {"attack": 1}
        assert not effects(make(turn, zap), "warlock", EffectKind.COUNTERED)


class TestDriveAwayUndead:
    def crowd(self) -> Scene:
        bones = [monster("skeleton", at=(x, 0), id=f"bones-{x}", luck=4) for x in (1, 4, 6)]
        return scene(hero("paladin"), *bones, monster("wolf", at=(9, 9)))

    def test_as_many_as_there_are_successes_in_the_order_named(self) -> None:
        move = use("paladin", "drive-away-undead", "bones-4", "bones-1", "bones-6")
        done = make(self.crowd(), move, power=2)
        driven = {effect.bearer for effect in done.scene.effects if effect.kind == EffectKind.DRIVEN_AWAY}
        assert driven == {"bones-4", "bones-1"}
        assert luck(done, "paladin") == 6

    def test_they_neither_attack_nor_come_nearer_for_a_turn(self) -> None:
        done = make(self.crowd(), use("paladin", "drive-away-undead", "bones-1", "bones-4"), power=2)
        turn = next_turn(done.scene, "paladin")
        attack = Attack(actor="bones-1", action=Action.BATTLE, target="paladin")
        assert refused(turn, attack) == ("driven_away",)
        turn = next_turn(turn, "bones-1")
        assert refused(turn, Go(actor="bones-4", to=Square(3, 0))) == ("kept_away",)
        assert make(turn, Go(actor="bones-4", to=Square(5, 1))).being("bones-4").at == Square(5, 1)
        for ends in ("bones-4", "bones-6", "wolf-1", "paladin"):
            turn = next_turn(turn, ends)
        assert make(turn, attack, attack=1).scene.turn.acted

    def test_only_undead_are_driven_away(self) -> None:
        assert refused(self.crowd(), use("paladin", "drive-away-undead", "wolf-1")) == ("target_not_undead",)
        twice = use("paladin", "drive-away-undead", "bones-1", "bones-1")
        assert refused(self.crowd(), twice) == ("target_twice",)

    def test_without_a_success_nobody_goes(self) -> None:
        done = make(self.crowd(), use("paladin", "drive-away-undead", "bones-1"))
        assert not done.scene.effects and luck(done, "paladin") == 6


class TestGuards:
    def test_feeneys_shield(self) -> None:
        """The example of the book: two successes, an arrow with one, a sword with two."""
        feeney = hero("wizard", id="feeney")
        orcs = (monster("orc", at=(5, 0), id="archer"), monster("orc", at=(1, 0), id="sword"))
        cast = make(scene(feeney, *orcs), use("feeney", "shield"), power=2)
        assert luck(cast, "feeney") == 9
        turn = next_turn(cast.scene, "feeney")
        shot = make(turn, Attack(actor="archer", action=Action.SHOOT, target="feeney", arm="bow"), attack=1)
        assert effects(shot, "feeney", EffectKind.SHIELD)[0].amount == 1
        turn = next_turn(shot.scene, "archer")
        cut = make(turn, Attack(actor="sword", action=Action.BATTLE, target="feeney"), attack=2)
        assert not effects(cut, "feeney", EffectKind.SHIELD)
        assert luck(cut, "feeney") == 8

    def test_casting_a_shield_again_adds_to_it(self) -> None:
        now = scene(hero("wizard"), monster("orc", at=(5, 0)))
        once = make(now, use("wizard", "shield"), power=2).scene
        twice = make(replace(once, turn=now.turn), use("wizard", "shield"), power=3)
        assert [effect.amount for effect in effects(twice, "wizard", EffectKind.SHIELD)] == [5]
        assert luck(twice, "wizard") == 8

    def test_a_parry_stops_battle_alone_until_the_next_turn(self) -> None:
        warrior = hero("warrior", armor=0)
        now = scene(warrior, monster("orc"))
        ready = make(now, use("warrior", "parry"), power=2).scene
        turn = next_turn(ready, "warrior")
        shot = make(turn, Attack(actor="orc-1", action=Action.SHOOT, target="warrior", arm="bow"), attack=2)
        assert luck(shot, "warrior") == 8
        cut = make(turn, Attack(actor="orc-1", action=Action.BATTLE, target="warrior"), attack=3)
        assert luck(cut, "warrior") == 9
        assert not next_turn(turn, "orc-1").has("warrior", EffectKind.PARRY)

    def test_a_failed_guard_guards_nothing(self) -> None:
        assert not make(scene(hero("warrior")), use("warrior", "parry")).scene.effects
        assert not make(scene(hero("wizard")), use("wizard", "shield")).scene.effects


class TestHelping:
    def test_sir_stalwart_lends_two_dice_to_harley(self) -> None:
        now = scene(hero("paladin"), hero("dwarf", at=(0, 1)), monster("orc", at=(1, 1), armor=0))
        done = make(now, use("paladin", "inspire"), power=2)
        turn = next_turn(done.scene, "paladin")
        plain = Attack(actor="dwarf", action=Action.BATTLE, target="orc-1")
        lent = replace(plain, inspired=2)
        assert dice(turn, lent)["attack"] == dice(turn, plain)["attack"] + 2
        assert refused(turn, replace(plain, inspired=3)) == ("not_so_many_lent",)
        assert not effects(make(turn, lent), "paladin", EffectKind.INSPIRED)

    def test_lent_dice_are_gone_at_the_paladins_next_turn(self) -> None:
        now = scene(hero("paladin"), hero("dwarf", at=(0, 1)))
        done = make(now, use("paladin", "inspire"), power=3)
        turn = next_turn(done.scene, "paladin")
        assert turn.has("paladin", EffectKind.INSPIRED)
        assert not next_turn(turn, "dwarf").has("paladin", EffectKind.INSPIRED)

    def test_a_hand_of_healing_gives_own_luck_away(self) -> None:
        now = scene(hero("paladin", luck=7), hero("elf", at=(1, 0), luck=4))
        done = make(now, use("paladin", "hand-of-healing", "elf"), power=3)
        assert (luck(done, "paladin"), luck(done, "elf")) == (4, 7)

    @pytest.mark.parametrize(
        ("own", "theirs", "wish", "left"),
        [(7, 9, 0, (6, 10)), (2, 4, 0, (0, 6)), (7, 4, 1, (6, 5)), (7, 4, 9, (4, 7)), (7, 10, 0, (7, 10))],
    )
    def test_no_more_than_there_is_is_wished_for_or_fits(
        self, own: int, theirs: int, wish: int, left: tuple[int, int]
    ) -> None:
        now = scene(hero("paladin", luck=own), hero("elf", at=(1, 0), luck=theirs))
        successes = min(3, own)
        done = make(now, use("paladin", "hand-of-healing", "elf", luck=wish), power=successes)
        assert (luck(done, "paladin"), luck(done, "elf")) == left

    def test_healing_is_for_friends_at_hand(self) -> None:
        now = scene(hero("paladin"), hero("elf", at=(2, 0)), monster("orc"))
        assert refused(now, use("paladin", "hand-of-healing", "elf")) == ("target_out_of_reach",)
        assert refused(now, use("paladin", "hand-of-healing", "orc-1")) == ("target_not_friend",)
        assert refused(now, use("paladin", "hand-of-healing", "paladin")) == ("target_is_self",)

    def test_an_antidote_ends_poison(self) -> None:
        poison = Effect(id="p-1", kind=EffectKind.POISONED, bearer="elf", amount=2)
        paladin = with_powers(hero("paladin"), "antidote")
        now = scene(paladin, hero("elf", at=(1, 0)), effects=(poison,))
        move = use("paladin", "antidote", "elf")
        assert not make(now, move, power=1).scene.effects
        kept = make(now, move)
        assert kept.scene.effects and luck(kept, "paladin") == 7
        well = scene(paladin, hero("elf", at=(1, 0)))
        assert refused(well, move) == ("target_not_poisoned",)

    def test_restore_brings_stone_back_to_life(self) -> None:
        stone = Effect(id="s-1", kind=EffectKind.PETRIFIED, bearer="elf", amount=5)
        paladin = with_powers(hero("paladin"), "restore")
        now = scene(paladin, hero("elf", at=(5, 0)), effects=(stone,))
        done = make(now, use("paladin", "restore", "elf"), power=1)
        assert not done.scene.effects and luck(done, "paladin") == 4
        assert refused(done.scene, use("paladin", "restore", "elf"))
        old = scene(paladin, hero("elf", at=(5, 0), tags=("petrified",)))
        assert make(old, use("paladin", "restore", "elf"), power=1).being("elf").tags == ()
        alive = scene(paladin, hero("elf", at=(5, 0)))
        assert refused(alive, use("paladin", "restore", "elf")) == ("target_not_petrified",)


WALL = (Action.MUSCLE, Action.MUSCLE, Action.STUNT, Action.MUSCLE)


class TestClimb:
    def at(self, steps: int, being: Being | None = None, things: tuple[Thing, ...] = ()) -> Scene:
        climber = being or hero("rogue")
        wall = Climb(being=climber.id, track=WALL, at=steps)
        return scene(climber, climbs=(wall,), things=things)

    def step(self, desk: Playing) -> int | None:
        return desk.scene.climbs[0].at if desk.scene.climbs else None

    def test_muscle_passes_muscle_steps_up_to_the_tricky_one(self) -> None:
        now = self.at(0, hero("warrior"))
        assert self.step(make(now, use("warrior", "climb"), power=1)) == 1
        assert self.step(make(now, use("warrior", "climb"), power=5)) == 2
        assert self.step(make(now, use("warrior", "climb"))) == 0

    def test_a_tricky_step_takes_stunt_and_without_a_success_everything_is_lost(self) -> None:
        now = self.at(2, hero("warrior"))
        move = use("warrior", "climb")
        assert dice(now, move) == {"power": 3}
        assert self.step(make(now, move, power=1)) == 3
        fallen = make(now, move)
        assert (self.step(fallen), luck(fallen, "warrior")) == (0, 8)

    def test_soft_landing_saves_luck(self) -> None:
        now = self.at(2, with_powers(hero("rogue"), "soft-landing"))
        fallen = make(now, use("rogue", "climb"), land=1)
        assert luck(fallen, "rogue") == 9

    def test_the_top_is_the_end_of_it(self) -> None:
        done = make(self.at(3), use("rogue", "climb"), power=1)
        assert self.step(done) is None
        again = replace(done.scene, turn=replace(done.scene.turn, acted=False))
        assert refused(again, use("rogue", "climb")) == ("no_wall",)

    def test_a_rope_helps_and_a_spike_is_used_up(self) -> None:
        rope = Thing(id="thing-1", name="Rope", item="dungeonteller:gear/rope", holder="warrior")
        spike = Thing(
            id="thing-2", name="Spike", item="dungeonteller:gear/iron-spike", count=2, holder="warrior"
        )
        now = self.at(2, hero("warrior"), things=(rope, spike))
        assert dice(now, use("warrior", "climb")) == {"power": 5}
        move = use("warrior", "climb", "thing-2")
        assert dice(now, move) == {"power": 9}
        assert [thing.count for thing in make(now, move, power=1).scene.things] == [1, 1]
        assert refused(now, use("warrior", "climb", "thing-9")) == ("item_not_owned",)

    def test_whoever_has_a_climb_speed_needs_no_dice(self) -> None:
        now = self.at(0, monster("cellar-spider", id="spider"))
        assert dice(now, use("spider", "climb")) == {}
        assert self.step(make(now, use("spider", "climb"))) is None


class TestJump:
    def test_a_pace_for_each_success_up_to_the_square(self) -> None:
        now = scene(hero("warrior"))
        move = use("warrior", "jump", squares=(Square(3, 3),))
        assert make(now, move, power=5).being("warrior").at == Square(3, 3)
        short = make(now, move, power=2)
        assert short.being("warrior").at == Square(2, 2)
        assert short.scene.turn.paces == 0
        assert make(now, move).being("warrior").at == Square(0, 0)

    def test_a_shaky_landing_takes_stunt_too(self) -> None:
        now = scene(hero("warrior"))
        move = use("warrior", "jump", squares=(Square(3, 0),), sort="shaky")
        assert dice(now, move) == {"power": 5, "feet": 3}
        fallen, landed = make(now, move, power=3), make(now, move, power=3, feet=1)
        assert any("falls over" in text for text in fallen.told())
        assert not any("falls over" in text for text in landed.told())

    def test_fire_is_jumped_over_or_landed_in(self) -> None:
        now = scene(hero("warrior"), areas=(fire(Square(1, 0)),))
        move = use("warrior", "jump", squares=(Square(2, 0),))
        over = rolled(now, move, {"power": 2})
        assert luck(over, "warrior") == 10
        into = rolled(now, move, {"power": 1, "save:warrior:fire-1": 1})
        assert luck(into, "warrior") == 8

    def test_whoever_stands_in_between_is_jumped_over_but_never_landed_on(self) -> None:
        now = scene(hero("warrior"), monster("orc"))
        move = use("warrior", "jump", squares=(Square(2, 0),))
        assert make(now, move, power=2).being("warrior").at == Square(2, 0)
        assert make(now, move, power=1).being("warrior").at == Square(0, 0)
        assert refused(now, use("warrior", "jump", squares=(Square(1, 0),))) == ("square_not_free",)

    @pytest.mark.parametrize(
        ("to", "code"),
        [((1, 2), "not_in_line"), ((0, 0), "not_in_line"), ((4, 0), "no_way"), ((3, 0), "square_not_free")],
    )
    def test_jumps_are_straight_and_not_through_walls(self, to: tuple[int, int], code: str) -> None:
        now = scene(hero("warrior"), field=Field(grid=Grid(20, 12, (Square(3, 0),))))
        assert refused(now, use("warrior", "jump", squares=(Square(*to),))) == (code,)

    def test_without_a_square_only_the_paces_are_told(self) -> None:
        done = make(scene(hero("warrior")), use("warrior", "jump"), power=3)
        assert told(done, "power.jump") and done.being("warrior").at == Square(0, 0)


class TestFeatOfStrength:
    def test_luck_becomes_muscle_dice_cut_to_the_luck_before_paying(self) -> None:
        now = scene(hero("warrior", luck=6))
        move = use("warrior", "feat-of-strength", luck=3)
        assert dice(now, move) == {"power": 6}
        assert luck(make(now, move, power=2), "warrior") == 3

    def test_it_works_on_a_job_of_muscle(self) -> None:
        gate = Job(id="gate", name="Lift the gate", action=Action.MUSCLE, needed=4)
        now = scene(hero("warrior"), jobs=(gate,))
        done = make(now, use("warrior", "feat-of-strength", luck=2, job="gate"), power=3)
        assert done.scene.jobs[0].total == 3
        lock = replace(gate, id="lock", action=Action.MAKE)
        move = use("warrior", "feat-of-strength", luck=2, job="lock")
        assert refused(scene(hero("warrior"), jobs=(lock,)), move) == ("wrong_action",)

    @pytest.mark.parametrize(("spent", "code"), [(0, "luck_out_of_range"), (7, "not_enough_luck")])
    def test_what_is_spent_is_there(self, spent: int, code: str) -> None:
        now = scene(hero("warrior", luck=6))
        assert refused(now, use("warrior", "feat-of-strength", luck=spent)) == (code,)


class TestCases:
    """Cases like those of the case file, answered by playing them."""

    @pytest.mark.parametrize(
        ("slug", "given", "expected"),
        [
            ("zap", {"dice": [5, 6, 1], "target_luck": 8}, {"target_luck": 6, "luck": 10}),
            ("zap", {"dice": [5], "dodge_stunt": 9, "target_luck": 3}, {"pool": 1, "target_luck": 1}),
            ("shield", {"luck": 9, "store": 2, "dice": [5, 6, 1]}, {"store": 4, "luck": 8}),
            (
                "shield",
                {"luck": 9, "store": 1, "hits": [{"action": "Battle", "successes": 2}]},
                {"store": 0, "luck": 8},
            ),
            ("sweep", {"pool": 8, "groups": [5, 3], "target_armors": [4, 4]}, {"dice": [1, 1]}),
            ("rapid-fire", {"pool": 8, "groups": [8, 0]}, {"legal": False, "error": "split_empty_group"}),
            ("feat-of-strength", {"luck": 2, "muscle": 5, "spend": 3}, {"error": "not_enough_luck"}),
            ("knockout", {"luck": 6, "dice": [5, 1], "opposing_dice": [5]}, {"turns_lost": 0, "luck": 0}),
            ("turn-to-stone", {"luck": 10, "target_size": "giant"}, {"error": "target_too_big"}),
            ("inspire", {"dice_to_lend": 3, "split": [2, 1], "friend_pools": [3, 6]}, {"pools": [5, 7]}),
            ("inspire", {"dice_to_lend": 2, "split": [2, 1], "friend_pools": [3, 6]}, {"legal": False}),
            ("dodge", {"luck": 10, "foes": 3, "stunt": 6, "foe_dice": 7}, {"foe_dice": 1, "luck": 7}),
            ("soft-landing", {"luck": 10, "fall_loss": 4, "dice": [5, 6, 1]}, {"luck_lost": 2}),
            ("drive-away-undead", {"dice": [5, 6, 1], "undead": 5}, {"driven_away": 2, "luck": 6}),
            ("ambush", {"dice": [5, 6], "opposing_dice": [5], "battle": 2}, {"battle_pool": 6}),
        ],
    )
    def test_a_power(self, slug: str, given: dict[str, object], expected: dict[str, object]) -> None:
        answer = ANSWERS[slug](given)
        assert {key: answer.get(key) for key in expected} == expected

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ({"step": "start", "holder": {"holding": "Longsword"}}, {"error": "hands_not_empty"}),
            ({"step": "held_action", "holder_muscle": 5, "action": "Battle", "rating": 7}, {"dice": 2}),
            ({"step": "held_action", "holder_muscle": 5, "action": "Stunt", "rating": 3}, {"dice": 1}),
            ({"step": "held_action", "holder_muscle": 5, "action": "walk"}, {"error": "pinned"}),
            ({"step": "escape", "foe_dice": [5, 5], "holder_dice": [5]}, {"escaped": True}),
            ({"step": "squeeze", "holder_dice": [5], "foe_dice": [], "foe_luck": 0}, {"knocked_out": True}),
        ],
    )
    def test_a_step_of_a_pin(self, given: dict[str, object], expected: dict[str, object]) -> None:
        answer = pin(given)
        assert {key: answer.get(key) for key in expected} == expected


def test_ones_own_cheer_is_not_used_up_by_dice_another_lent() -> None:
    """Two paladins cheer: each lends to the other and keeps the own dice for friends (Paladin / Inspire)."""
    stalwart, verity = hero("paladin", (0, 0)), hero("seasoned-paladin", (1, 0), id="verity")
    now = make(scene(stalwart, verity), UsePower(actor="paladin", power=power("inspire")), power=2).scene
    now = make(now, EndTurn(actor="paladin")).scene
    now = make(now, UsePower(actor="verity", power=power("inspire")), power=1).scene
    desk = desk_of(now)
    use_lent(desk, desk.being("paladin"), 1)
    left = {
        effect.bearer: effect.amount for effect in desk.scene.effects if effect.kind == EffectKind.INSPIRED
    }
    assert left == {"paladin": 2}
