"""DungeonTeller's scenes: how far, how fast, round what, through the air and up the wall."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Grid, Square, distance
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.legal.turn import legal
from services.rules.systems.dungeonteller.play.moves import Attack, EndTurn, Go, Try, UsePower
from services.rules.systems.dungeonteller.play.state import Climb, Field, Load, Scene, Thing
from tests.rules.dungeonteller_scenes import CATALOG, dice, hero, make, monster, power, refused, scene
from tests.rules.dungeonteller_scenes import legal as lawful_move

BOW = "dungeonteller:weapon/longbow"
SWORD = "dungeonteller:weapon/greatsword"
CLIMB = power("climb")
WALL = (Action.MUSCLE, Action.MUSCLE, Action.STUNT, Action.MUSCLE)


def go(actor: str, x: int, y: int = 0, **more: bool) -> Go:
    return Go(actor=actor, to=Square(x, y), **more)  # type: ignore[arg-type]


def gone(now: Scene, actor: str, x: int, y: int = 0) -> Scene:
    return make(now, go(actor, x, y)).scene


def walls(*squares: tuple[int, int], width: int = 20, height: int = 12) -> Field:
    return Field(grid=Grid(width, height, tuple(Square(*square) for square in squares)))


class TestPace:
    def test_five_paces_leave_every_die_and_a_sixth_takes_three(self) -> None:
        now = scene(hero("elf"), monster("orc", (15, 0)))
        shot = Attack(actor="elf", action=Action.SHOOT, target="orc-1", arm=BOW)
        still = dice(now, shot)["attack"]
        assert dice(gone(now, "elf", 5), shot)["attack"] == still
        assert dice(gone(now, "elf", 6), shot)["attack"] == still - 3
        assert dice(gone(now, "elf", 10), shot)["attack"] == still - 3

    def test_two_short_walks_are_one_long_one(self) -> None:
        now = gone(gone(scene(hero("elf"), monster("orc", (15, 0))), "elf", 3), "elf", 6)
        assert now.turn.paces == 6
        assert dice(now, Try(actor="elf", action=Action.NOTICE)) == {"try": 1}

    @pytest.mark.parametrize(("example", "action"), [("dwarf", Action.SHOOT), ("warrior", Action.STUNT)])
    def test_an_action_of_three_dice_or_less_does_not_go_with_hurry(
        self, example: str, action: Action
    ) -> None:
        now = gone(scene(hero(example)), example, 6)
        assert refused(now, Try(actor=example, action=action)) == ("action_impossible_double_move",)

    def test_a_weapon_does_not_make_a_hurried_shot_possible(self) -> None:
        axe = "dungeonteller:weapon/hand-axe"
        dwarf = hero("dwarf")
        armed = replace(dwarf, arms=tuple(replace(arm, held=arm.id == axe) for arm in dwarf.arms))
        now = scene(armed, monster("orc", (15, 0)))
        shot = Attack(actor="dwarf", action=Action.SHOOT, target="orc-1", arm=axe)
        assert dice(now, shot) == {"attack": 4}
        assert refused(gone(now, "dwarf", 6), shot) == ("action_impossible_double_move",)

    def test_a_warriors_blade_does_not_mind_the_hurry_but_a_warriors_javelin_does(self) -> None:
        now = scene(hero("warrior"), monster("orc", (9, 0)))
        blow = Attack(actor="warrior", action=Action.BATTLE, target="orc-1", arm=SWORD)
        assert dice(gone(now, "warrior", 8), blow) == {"attack": 10}
        shove = Try(actor="warrior", action=Action.MUSCLE)
        assert dice(gone(now, "warrior", 8), shove)["try"] == dice(now, shove)["try"] - 3

    def test_other_roles_lose_battle_dice(self) -> None:
        now = scene(hero("paladin"), monster("orc", (9, 0)))
        blow = Attack(
            actor="paladin", action=Action.BATTLE, target="orc-1", arm="dungeonteller:weapon/longsword"
        )
        assert dice(gone(now, "paladin", 3), Try(actor="paladin", action=Action.TALK)) == {"try": 4}
        assert dice(gone(now, "paladin", 8), blow) == {"attack": 4}

    def test_after_a_calm_action_no_more_than_a_plain_move_is_left(self) -> None:
        walked = gone(scene(hero("elf")), "elf", 3)
        acted = make(walked, Try(actor="elf", action=Action.TALK)).scene
        assert refused(acted, go("elf", 6)) == ("too_far_after_action",)
        assert gone(acted, "elf", 5).turn.paces == 5

    def test_after_a_hurried_action_the_double_move_is_left(self) -> None:
        hurried = gone(scene(hero("elf")), "elf", 7)
        acted = make(hurried, Try(actor="elf", action=Action.NOTICE)).scene
        assert refused(acted, go("elf", 11)) == ("too_far_after_action",)
        assert gone(acted, "elf", 10).turn.paces == 10

    def test_making_goes_with_no_step_before_it_and_none_after_it(self) -> None:
        now = scene(hero("dwarf"))
        tinker = Try(actor="dwarf", action=Action.MAKE)
        assert refused(gone(now, "dwarf", 1), tinker) == ("make_needs_standing_still",)
        made = make(now, tinker).scene
        assert refused(made, go("dwarf", 1)) == ("too_far_after_action",)
        assert not [offer for offer in legal(made, CATALOG, "dwarf") if offer.move["kind"] == "Go"]

    def test_drawing_a_rune_is_making_too(self) -> None:
        now = scene(hero("dwarf"))
        rune = UsePower(actor="dwarf", power=power("hearth-rune"))
        assert refused(gone(now, "dwarf", 1), rune) == ("make_needs_standing_still",)
        assert refused(make(now, rune, power=1).scene, go("dwarf", 1)) == ("too_far_after_action",)

    def test_creatures_have_a_move_of_their_own(self) -> None:
        now = scene(monster("wolf", (0, 0)), hero("dwarf", (19, 0)))
        assert dice(gone(now, "wolf-1", 7), Try(actor="wolf-1", action=Action.STUNT)) == {"try": 4}
        assert dice(gone(now, "wolf-1", 14), Try(actor="wolf-1", action=Action.STUNT)) == {"try": 1}
        assert refused(now, go("wolf-1", 15)) == ("too_far",)

    def test_a_zombie_only_walks(self) -> None:
        now = scene(monster("zombie", (0, 0)), hero("dwarf", (19, 0)))
        assert gone(now, "zombie-1", 3).turn.paces == 3
        assert refused(now, go("zombie-1", 4)) == ("cannot_double_move",)
        assert refused(now, go("zombie-1", 4, run=True)) == ("cannot_run",)


class TestRunning:
    def test_it_is_ten_paces_and_one_for_each_success(self) -> None:
        now = scene(hero("rogue"))
        assert dice(now, go("rogue", 13, run=True)) == {"run": 8}
        ran = make(now, go("rogue", 13, run=True), run=2)
        assert ran.being("rogue").at == Square(12, 0)
        assert ran.being("rogue").luck == 10

    def test_nobody_runs_past_where_they_wanted_to_go(self) -> None:
        assert make(scene(hero("rogue")), go("rogue", 11, run=True), run=5).being("rogue").at == Square(11, 0)

    def test_without_a_success_it_costs_a_luck(self) -> None:
        ran = make(scene(hero("rogue")), go("rogue", 13, run=True))
        assert (ran.being("rogue").at, ran.being("rogue").luck) == (Square(10, 0), 9)

    def test_it_leaves_no_action_and_no_further_step(self) -> None:
        now = make(scene(hero("rogue")), go("rogue", 13, run=True), run=1).scene
        assert refused(now, Try(actor="rogue", action=Action.TALK)) == ("action_used",)
        assert refused(now, go("rogue", 10)) == ("too_far_after_action",)

    def test_it_takes_the_whole_turn(self) -> None:
        now = scene(hero("rogue"))
        assert refused(gone(now, "rogue", 1), go("rogue", 13, run=True)) == ("run_takes_the_turn",)
        acted = make(now, Try(actor="rogue", action=Action.TALK)).scene
        assert refused(acted, go("rogue", 13, run=True)) == ("run_takes_the_turn",)

    def test_eleven_paces_are_no_walk(self) -> None:
        assert refused(scene(hero("rogue")), go("rogue", 11)) == ("too_far",)


class TestWays:
    def test_a_wall_is_gone_round_and_every_pace_of_it_counts(self) -> None:
        now = scene(hero("elf"), field=walls((1, 0), (1, 1), (1, 2)))
        around = gone(now, "elf", 2)
        assert distance(Square(0, 0), Square(2, 0)) == 2
        assert around.turn.paces > 4

    def test_where_no_way_leads_nobody_gets(self) -> None:
        closed = walls(*((3, y) for y in range(12)))
        assert refused(scene(hero("elf"), field=closed), go("elf", 5)) == ("no_way",)
        assert refused(scene(hero("elf"), field=closed), go("elf", 3)) == ("no_way",)

    def test_a_closed_door_is_a_wall_until_it_is_gone(self) -> None:
        door = Thing(id="door", name="an oak door", at=Square(3, 5), solid=True, luck=3)
        field = walls(*((3, y) for y in range(12) if y != 5))
        assert refused(scene(hero("elf", (2, 5)), field=field, things=(door,)), go("elf", 4, 5)) == (
            "no_way",
        )
        assert gone(scene(hero("elf", (2, 5)), field=field), "elf", 4, 5).turn.paces == 2

    def test_nobody_walks_through_anybody_who_stands(self) -> None:
        corridor = Field(grid=Grid(8, 1))
        now = scene(hero("elf"), monster("orc", (2, 0)), field=corridor)
        assert refused(now, go("elf", 4)) == ("no_way",)
        assert refused(now, go("elf", 2)) == ("no_way",)
        lying = scene(hero("elf"), monster("orc", (2, 0), out=True), field=corridor)
        assert gone(lying, "elf", 4).turn.paces == 4

    def test_a_way_of_ones_own_is_taken_square_by_square(self) -> None:
        now = scene(hero("elf"))
        detour = (Square(0, 1), Square(1, 2), Square(2, 1), Square(2, 0))
        went = make(now, Go(actor="elf", to=Square(2, 0), way=detour)).scene
        assert went.turn.paces == 4
        for broken in (detour[:-1], detour[1:], (Square(2, 0),)):
            assert refused(now, Go(actor="elf", to=Square(2, 0), way=broken)) == ("no_way",)

    def test_standing_where_one_stands_is_no_move(self) -> None:
        assert refused(scene(hero("elf")), go("elf", 0)) == ("no_way",)

    def test_off_the_map_there_is_nothing(self) -> None:
        assert refused(scene(hero("elf")), go("elf", -1)) == ("no_way",)


class TestFlying:
    def test_walkers_do_not_fly(self) -> None:
        assert refused(scene(hero("elf")), go("elf", 3, fly=True)) == ("cannot_fly",)

    def test_a_dragon_flies_eighteen_paces_at_most(self) -> None:
        now = scene(monster("young-dragon", (0, 0)), hero("elf", (0, 9)))
        flown = make(now, Go(actor="young-dragon-1", to=Square(18, 0), fly=True, height=3))
        assert (flown.being("young-dragon-1").at, flown.being("young-dragon-1").height) == (Square(18, 0), 3)
        assert refused(now, go("young-dragon-1", 19, fly=True)) == ("too_far",)
        high = Go(actor="young-dragon-1", to=Square(9, 0), fly=True, height=41)
        assert refused(now, high) == ("height_out_of_range",)

    def test_too_slow_a_flight_ends_on_the_ground_with_a_die_for_each_pace(self) -> None:
        now = scene(monster("young-dragon", (0, 0)), hero("elf", (0, 9)))
        slow = make(now, Go(actor="young-dragon-1", to=Square(5, 0), fly=True, height=3)).scene
        assert dice(slow, EndTurn(actor="young-dragon-1")) == {"fall": 3}
        dropped = make(slow, EndTurn(actor="young-dragon-1"), fall=2).being("young-dragon-1")
        assert (dropped.height, dropped.luck) == (0, 20)

    def test_fast_enough_it_stays_up(self) -> None:
        now = scene(monster("young-dragon", (0, 0)), hero("elf", (0, 9)))
        fast = make(now, Go(actor="young-dragon-1", to=Square(6, 0), fly=True, height=3)).scene
        assert make(fast, EndTurn(actor="young-dragon-1")).being("young-dragon-1").height == 3

    def test_on_the_ground_it_may_stand_as_still_as_it_likes(self) -> None:
        now = scene(monster("young-dragon", (0, 0)), hero("elf", (0, 9)))
        assert dice(now, EndTurn(actor="young-dragon-1")) == {}

    def test_whoever_flies_is_offered_every_square_they_may_fly_to(self) -> None:
        walls = tuple(Square(x, 5) for x in range(3, 20))
        now = scene(monster("griffin", (10, 2)), hero("elf", (12, 2)), field=Field(grid=Grid(20, 12, walls)))
        (offer,) = (found for found in legal(now, CATALOG, "griffin-1") if found.id == "fly")
        lawful = {
            Square(x, y)
            for x in range(20)
            for y in range(12)
            if lawful_move(now, Go(actor="griffin-1", to=Square(x, y), fly=True))
        }
        assert set(offer.fields[0].squares) == lawful - {Square(10, 2)}

    def test_flying_leads_over_people_and_not_through_walls(self) -> None:
        corridor = Field(grid=Grid(8, 1))
        now = scene(monster("pixie", (0, 0)), hero("elf", (2, 0)), field=corridor)
        assert refused(now, go("pixie-1", 4)) == ("no_way",)
        assert make(now, go("pixie-1", 4, fly=True)).being("pixie-1").at == Square(4, 0)
        walled = replace(now, field=Field(grid=Grid(8, 1, (Square(3, 0),))))
        assert refused(walled, go("pixie-1", 4, fly=True)) == ("no_way",)
        assert refused(now, go("pixie-1", 2, fly=True)) == ("no_way",)


class TestClimbing:
    def test_a_spider_walks_up_without_a_die(self) -> None:
        now = scene(
            monster("cellar-spider"),
            hero("elf", (9, 9)),
            climbs=(Climb(being="cellar-spider-1", track=WALL),),
        )
        up = UsePower(actor="cellar-spider-1", power=CLIMB)
        assert dice(now, up) == {}
        assert make(now, up).scene.climbs == ()

    def test_muscle_steps_are_passed_one_for_each_success_up_to_the_tricky_one(self) -> None:
        now = scene(hero("warrior"), climbs=(Climb(being="warrior", track=WALL),))
        up = UsePower(actor="warrior", power=CLIMB)
        assert dice(now, up) == {"power": 5}
        assert make(now, up, power=1).scene.climbs[0].at == 1
        assert make(now, up, power=4).scene.climbs[0].at == 2
        assert make(now, up).scene.climbs[0].at == 0

    def test_a_missed_stunt_falls_a_luck_for_each_step(self) -> None:
        now = scene(hero("warrior"), climbs=(Climb(being="warrior", track=WALL, at=2),))
        fell = make(now, UsePower(actor="warrior", power=CLIMB))
        assert (fell.scene.climbs[0].at, fell.being("warrior").luck) == (0, 8)

    def test_a_rope_helps_each_time_and_a_spike_once(self) -> None:
        rope = Thing(id="rope", name="Rope", item="dungeonteller:gear/rope", holder="warrior")
        spike = Thing(id="spike", name="Iron Spike", item="dungeonteller:gear/iron-spike", holder="warrior")
        now = scene(
            hero("warrior", brought=(Load("dungeonteller:gear/rope", 1),)),
            climbs=(Climb(being="warrior", track=WALL, at=2),),
            things=(rope, spike),
        )
        plain = UsePower(actor="warrior", power=CLIMB)
        spiked = replace(plain, targets=("spike",))
        assert dice(now, plain) == {"power": 5}
        assert dice(now, spiked) == {"power": 9}
        assert [thing.id for thing in make(now, spiked, power=1).scene.things] == ["rope"]
        assert len(make(now, plain, power=1).scene.things) == 2

    def test_there_has_to_be_a_wall(self) -> None:
        assert refused(scene(hero("warrior")), UsePower(actor="warrior", power=CLIMB)) == ("no_wall",)
