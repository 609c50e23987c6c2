"""DungeonTeller's scenes: whose turn it is, one action a turn, resting, and being knocked out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.moves import (
    Answer,
    Attack,
    EndScene,
    EndTurn,
    Go,
    Move,
    Rest,
    Stance,
    Tell,
    Try,
    UsePower,
    Wield,
)
from services.rules.systems.dungeonteller.play.rules.powers.companions import lower_maximum
from services.rules.systems.dungeonteller.play.setup import Creatures, HeroStart, Setup, begin
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Duration,
    Effect,
    EffectKind,
    Ending,
    Reflex,
    Scene,
    Until,
)
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    PLAY,
    desk_of,
    hero,
    make,
    monster,
    power,
    refused,
    scene,
    waiting,
    with_powers,
)

CLUB = Attack(actor="orc-1", action=Action.BATTLE, target="dwarf", arm="heavy-sword")
"""An orc's blow; the tests that use it name the dwarf."""


def cast(*examples: str) -> tuple[CastMember, ...]:
    return tuple(CastMember(id=name, sheet=SYSTEM.build(SYSTEM.examples[name], CATALOG)) for name in examples)


def begun(setup: Setup, *examples: str) -> Scene:
    found = begin(setup, cast(*examples), CATALOG)
    assert not isinstance(found, Problems), str(found)
    return found


def ended(now: Scene, *actors: str) -> Scene:
    for actor in actors:
        now = make(now, EndTurn(actor=actor)).scene
    return now


def orcs(count: int = 1, **more: object) -> Creatures:
    return Creatures(monster="dungeonteller:monster/orc", count=count, **more)  # type: ignore[arg-type]


class TestOrder:
    def test_heroes_move_as_they_agreed_and_creatures_after_them(self) -> None:
        setup = Setup(title="Gorge", creatures=(orcs(2),), order=("wizard", "dwarf"))
        assert begun(setup, "dwarf", "elf", "wizard").turn.order == (
            "wizard",
            "dwarf",
            "elf",
            "orc-1",
            "orc-2",
        )

    def test_a_hero_named_twice_has_one_turn(self) -> None:
        setup = Setup(title="Gorge", order=("dwarf", "dwarf"))
        assert begun(setup, "dwarf", "elf").turn.order == ("dwarf", "elf")

    def test_the_turn_goes_round_and_rounds_are_counted(self) -> None:
        now = scene(hero("dwarf"), hero("elf", (0, 2)), monster("orc", (5, 5)))
        after = ended(now, "dwarf", "elf")
        assert (after.turn.whose, after.turn.round) == ("orc-1", 1)
        again = ended(after, "orc-1")
        assert (again.turn.whose, again.turn.round) == ("dwarf", 2)

    def test_nobody_moves_in_anothers_turn(self) -> None:
        now = scene(hero("dwarf"), hero("elf", (0, 2)))
        for move in (
            EndTurn(actor="elf"),
            Go(actor="elf", to=Square(1, 2)),
            Rest(actor="elf"),
            Wield(actor="elf"),
            Try(actor="elf", action=Action.TALK),
        ):
            assert refused(now, move) == ("not_your_turn",)

    def test_saying_how_one_dodges_is_for_any_time(self) -> None:
        now = scene(hero("dwarf"), hero("elf", (0, 2)))
        assert make(now, Stance(actor="elf", reflex="better")).being("elf").reflex is Reflex.BETTER
        assert refused(now, Stance(actor="elf", reflex="sometimes")) == ("reflex_unknown",)

    def test_the_knocked_out_and_the_sleeping_are_passed_over(self) -> None:
        asleep = Effect(id="asleep-1", kind=EffectKind.ASLEEP, bearer="elf")
        now = scene(
            hero("dwarf"),
            hero("elf", (0, 2)),
            hero("rogue", (0, 4), out=True),
            hero("wizard", (0, 6)),
            effects=(asleep,),
        )
        assert ended(now, "dwarf").turn.whose == "wizard"

    def test_a_lost_turn_passes_and_is_told_and_the_one_after_it_comes(self) -> None:
        fallen = Effect(id="loses-turns-1", kind=EffectKind.LOSES_TURNS, bearer="elf", amount=1)
        now = scene(hero("dwarf"), hero("elf", (0, 2)), effects=(fallen,))
        desk = make(now, EndTurn(actor="dwarf"))
        assert any(getattr(event, "code", "") == "turn_lost" for event in desk.events)
        assert (desk.scene.turn.whose, desk.scene.turn.round) == ("dwarf", 2)
        assert ended(desk.scene, "dwarf").turn.whose == "elf"

    def test_what_lasts_two_turns_counts_its_makers_turns_after_the_one_it_began_in(self) -> None:
        lasts = Duration(Until.TURNS, "dwarf", 2, fresh=True)
        fear = Effect(id="afraid-1", kind=EffectKind.AFRAID, bearer="orc-1", source="dwarf", lasts=lasts)
        now = scene(hero("dwarf"), monster("orc", (9, 9)), effects=(fear,))
        still_there = []
        for _ in range(3):
            now = ended(now, "dwarf")
            still_there.append(bool(now.effects))
            now = ended(now, "orc-1")
        assert still_there == [True, True, False]


class TestOneAction:
    @pytest.mark.parametrize(
        "move",
        [
            Attack(actor="wizard", action=Action.BATTLE, target="orc-1"),
            UsePower(actor="wizard", power=power("shield")),
            Try(actor="wizard", action=Action.TALK),
        ],
        ids=["attack", "power", "try"],
    )
    def test_whoever_has_acted_acts_no_more(self, move: Move) -> None:
        now = scene(hero("wizard"), monster("orc"))
        acted = make(now, Try(actor="wizard", action=Action.MUSCLE)).scene
        assert refused(acted, move) == ("action_used",)

    def test_a_move_and_things_in_hand_go_beside_the_action(self) -> None:
        now = scene(hero("wizard"), monster("orc"))
        acted = make(now, Try(actor="wizard", action=Action.TALK)).scene
        walked = make(acted, Go(actor="wizard", to=Square(0, 5))).scene
        assert make(walked, Wield(actor="wizard", arms=("dungeonteller:weapon/dagger",))).scene.turn.acted

    def test_the_next_turn_brings_a_new_action(self) -> None:
        now = scene(hero("wizard"), hero("elf", (0, 2)))
        acted = make(now, Try(actor="wizard", action=Action.TALK)).scene
        assert not ended(acted, "wizard", "elf").turn.acted


class TestWhoMayMove:
    def test_players_do_not_make_the_game_masters_moves_nor_the_other_way_round(self) -> None:
        now = scene(hero("dwarf"), monster("orc"))
        assert refused(now, Tell(actor="dwarf", text="I win")) == ("not_yours",)
        assert refused(now, EndScene(actor="dwarf")) == ("not_yours",)
        assert refused(now, EndTurn(actor="gm")) == ("not_yours",)
        assert refused(now, EndTurn(actor="nobody")) == ("unknown_actor",)

    def test_over_is_over_for_everybody(self) -> None:
        now = make(scene(hero("dwarf"), monster("orc")), EndScene(actor="gm")).scene
        for move in (
            EndTurn(actor="dwarf"),
            Stance(actor="dwarf", reflex="ask"),
            Tell(actor="gm", text="So"),
        ):
            assert refused(now, move) == ("scene_over",)

    def test_while_somebody_is_asked_only_their_answer_goes_on(self) -> None:
        now = scene(monster("orc"), hero("rogue", reflex=Reflex.ASK))
        at = waiting(now, Attack(actor="orc-1", action=Action.BATTLE, target="rogue"))
        for move in (EndTurn(actor="orc-1"), Answer(actor="orc-1"), Tell(actor="gm", text="The orc grins")):
            found = at.enter(move, 2)
            assert isinstance(found, Problems) and found.codes == ("move_waits",)
        for other in (Rest(actor="rogue"), Stance(actor="rogue", reflex="never")):
            found = at.enter(other, 2)
            assert isinstance(found, Problems) and found.codes == ("not_offered",)
        assert not isinstance(at.enter(Answer(actor="rogue"), 2), Problems)

    def test_nobody_answers_what_nobody_asked(self) -> None:
        assert refused(scene(hero("dwarf")), Answer(actor="dwarf")) == ("nothing_asked",)


class TestRest:
    def test_a_whole_turn_of_rest_gives_a_luck_when_the_next_one_begins(self) -> None:
        now = scene(hero("dwarf", luck=4), monster("orc", (9, 9)))
        rested = make(now, Rest(actor="dwarf"))
        assert rested.being("dwarf").luck == 4
        assert rested.scene.turn.whose == "orc-1"
        back = make(rested.scene, EndTurn(actor="orc-1"))
        assert back.being("dwarf").luck == 5
        assert not back.scene.effects

    @pytest.mark.parametrize("successes", [0, 1], ids=["miss", "hit"])
    @pytest.mark.parametrize(
        "move",
        [CLUB, replace(CLUB, action=Action.SHOOT, arm="bow")],
        ids=["battle", "shoot"],
    )
    def test_a_roll_against_the_resting_spoils_it_hit_or_miss(self, move: Attack, successes: int) -> None:
        rested = make(scene(hero("dwarf", luck=4), monster("orc")), Rest(actor="dwarf")).scene
        attacked = make(rested, move, attack=successes).scene
        assert make(attacked, EndTurn(actor="orc-1")).being("dwarf").luck == 4 - successes

    def test_only_the_next_rest_counts_again(self) -> None:
        rested = make(scene(hero("dwarf", luck=4), monster("orc")), Rest(actor="dwarf")).scene
        spoilt = ended(make(rested, CLUB).scene, "orc-1")
        assert ended(make(spoilt, Rest(actor="dwarf")).scene, "orc-1").being("dwarf").luck == 5  # type: ignore[union-attr]

    def test_resting_takes_the_whole_turn(self) -> None:
        now = scene(hero("dwarf", luck=4), monster("orc", (9, 9)))
        walked = make(now, Go(actor="dwarf", to=Square(0, 1))).scene
        assert refused(walked, Rest(actor="dwarf")) == ("rest_takes_the_turn",)
        acted = make(now, Try(actor="dwarf", action=Action.TALK)).scene
        assert refused(acted, Rest(actor="dwarf")) == ("rest_takes_the_turn",)

    @pytest.mark.parametrize(("most", "cold"), [(10, 0), (9, 0), (10, 1)])
    def test_rest_stops_at_the_maximum_and_at_what_the_cold_leaves_of_it(self, most: int, cold: int) -> None:
        ceiling = most - cold
        now = scene(hero("dwarf", luck=ceiling, max_luck=most, cold=cold), monster("orc", (9, 9)))
        assert ended(make(now, Rest(actor="dwarf")).scene, "orc-1").being("dwarf").luck == ceiling  # type: ignore[union-attr]

    @pytest.mark.parametrize(("luck", "cold", "after"), [(4, 0, 5), (10, 0, 10), (8, 2, 8), (9, 2, 9)])
    def test_a_healing_circle_gives_a_luck_each_turn_up_to_the_same_ceiling(
        self, luck: int, cold: int, after: int
    ) -> None:
        circle = Area(
            id="circle-1",
            kind=AreaKind.HEALING_CIRCLE,
            squares=(Square(0, 0),),
            source="dwarf",
            cause=power("healing-circle"),
        )
        now = scene(hero("dwarf", luck=luck, cold=cold), monster("orc", (9, 9)), areas=(circle,))
        acted = make(now, Try(actor="dwarf", action=Action.TALK)).scene
        assert make(acted, EndTurn(actor="dwarf")).being("dwarf").luck == after


class TestKnockedOut:
    def test_a_hit_bigger_than_the_luck_left_stops_at_none(self) -> None:
        struck = make(scene(monster("orc"), hero("dwarf", luck=1)), CLUB, attack=3)
        assert (struck.being("dwarf").luck, struck.being("dwarf").out) == (0, False)

    def test_a_loss_that_begins_at_none_knocks_out_for_the_scene(self) -> None:
        struck = make(scene(monster("orc"), hero("dwarf", luck=0), hero("elf", (5, 5))), CLUB, attack=1)
        assert struck.being("dwarf").out
        assert struck.scene.ended is None

    def test_a_miss_at_none_knocks_nobody_out(self) -> None:
        assert not make(scene(monster("orc"), hero("dwarf", luck=0)), CLUB).being("dwarf").out

    def test_whoever_is_out_is_hit_no_more(self) -> None:
        now = scene(monster("orc"), hero("dwarf", luck=0, out=True), hero("elf", (5, 5)))
        assert refused(now, CLUB) == ("target_out",)

    def test_what_has_no_luck_falls_at_the_first_success(self) -> None:
        now = scene(hero("dwarf"), monster("skeleton"))
        blow = Attack(actor="dwarf", action=Action.BATTLE, target="skeleton-1")
        assert make(now, blow, attack=1).being("skeleton-1").out
        assert not make(now, blow).being("skeleton-1").out

    def test_when_all_heroes_are_out_the_foes_have_won(self) -> None:
        struck = make(scene(monster("orc"), hero("dwarf", luck=0)), CLUB, attack=1).scene
        assert (struck.ended, struck.winners) == (Ending.HEROES_OUT, ("foes",))
        assert PLAY.outcome(struck).text == "All heroes are knocked out."


class TestBegin:
    def test_a_setup_names_every_mistake_with_its_place(self) -> None:
        setup = Setup(
            title=" ",
            creatures=(orcs(0, at=(Square(3, 3),)), orcs(1, at=(Square(3, 3),)), orcs(41)),
            heroes=(HeroStart(hero="nobody"), HeroStart(hero="dwarf", at=Square(99, 0))),
            order=("elf",),
        )
        found = begin(setup, cast("dwarf"), CATALOG)
        assert isinstance(found, Problems)
        assert sorted((problem.code, problem.path) for problem in found) == [
            ("count_out_of_range", ("creatures", 0, "count")),
            ("hero_unknown", ("heroes", 0, "hero")),
            ("hero_unknown", ("order", 0)),
            ("square_not_free", ("creatures", 1, "at", 0)),
            ("square_not_free", ("heroes", 1, "at")),
            ("title_missing", ("title",)),
            ("too_many_creatures", ("creatures",)),
        ]

    def test_a_scene_without_heroes_is_none(self) -> None:
        found = begin(Setup(title="Empty"), (), CATALOG)
        assert isinstance(found, Problems)
        assert found.codes == ("no_heroes",)

    def test_everybody_has_a_square_of_their_own(self) -> None:
        setup = Setup(title="Crowd", creatures=(orcs(20),))
        beings = begun(setup, "dwarf", "elf", "rogue", "wizard").beings
        assert len({being.at for being in beings}) == len(beings)

    def test_those_who_hide_leave_no_gap_in_the_numbers_and_the_order_of_the_others(self) -> None:
        open_ones = Setup(title="Gorge", creatures=(orcs(2), orcs(1)))
        with_hidden = Setup(title="Gorge", creatures=(orcs(1, hidden=2), orcs(2), orcs(1, hidden=1), orcs(1)))
        mixed = begun(with_hidden, "dwarf")
        shown = [being.id for being in mixed.beings if being.hidden is None]
        assert shown == [being.id for being in begun(open_ones, "dwarf").beings]
        assert mixed.turn == begun(open_ones, "dwarf").turn
        assert mixed.counter == begun(open_ones, "dwarf").counter


class TestWorkingUp:
    def test_every_turn_of_it_is_paid_and_what_cannot_be_paid_is_refused(self) -> None:
        cost = CATALOG.powers[power("ice-sheet")].luck_cost
        wizard = with_powers(hero("wizard", luck=2 * cost + 1), "ice-sheet")
        working = UsePower(actor="wizard", power=power("ice-sheet"), work_up=True)
        first = make(scene(wizard), working, power=1).scene
        second = make(make(first, EndTurn(actor="wizard")).scene, working, power=1)
        (kept,) = second.scene.effects_on("wizard", EffectKind.WORKING_UP)
        assert (kept.amount, second.being("wizard").luck) == (2, 1)
        third = make(second.scene, EndTurn(actor="wizard")).scene
        assert refused(third, working) == ("not_enough_luck",)


def test_all_luck_comes_back_but_what_companions_and_the_cold_hold_down() -> None:
    desk = desk_of(scene(hero("wizard", luck=0, max_luck=10, cold=3)))
    lower_maximum(desk, "wizard", 2)
    desk.gain("wizard", 99, "rest")
    assert desk.being("wizard").luck == 5
    lower_maximum(desk, "wizard", 9)
    assert desk.being("wizard").luck == 0
