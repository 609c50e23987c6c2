"""DungeonTeller's scenes: trying things: jobs, talk, sneaking and looking; gear and things; light."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Grid, Square
from services.rules.engine.play import GM_ONLY, Viewer
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.facts import Happened, Rolled
from services.rules.systems.dungeonteller.play.legal.turn import legal
from services.rules.systems.dungeonteller.play.moves import Give, Take, Try
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Effect,
    EffectKind,
    Field,
    Job,
    Scene,
    Thing,
)
from services.rules.systems.dungeonteller.play.view import view
from services.rules.systems.dungeonteller.powers import Light
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    dice,
    first_rolls,
    hero,
    make,
    monster,
    problems,
    refused,
    rolled,
    scene,
)

LOCK = Job(id="lock", name="the lock", action=Action.MAKE, needed=3)
FIRE = "dungeonteller:situation/start-fire"
FIRESTARTER = "dungeonteller:gear/firestarter"


def attempt(action: Action, actor: str = "dwarf", **more: object) -> Try:
    return Try(actor=actor, action=action, **more)  # type: ignore[arg-type]


def fresh(now: Scene) -> Scene:
    """The same scene with the action of the turn to be used again."""
    return replace(now, turn=replace(now.turn, acted=False, paces=0, limit=None))


def with_job(job: Job, *beings: str) -> Scene:
    return scene(*(hero(name, (0, index)) for index, name in enumerate(beings or ("dwarf",))), jobs=(job,))


class TestJobs:
    def test_successes_add_up_over_turns_until_it_is_done(self) -> None:
        now = with_job(LOCK)
        first = make(now, attempt(Action.MAKE, job="lock"), **{"try": (1, 2, 3, 3, 4, 6)})
        assert first.scene.jobs[0].total == 1
        second = make(fresh(first.scene), attempt(Action.MAKE, job="lock"), **{"try": 0})
        assert second.scene.jobs[0].total == 1
        done = make(fresh(second.scene), attempt(Action.MAKE, job="lock"), **{"try": 2})
        assert done.scene.jobs[0].total == 3
        assert [event.code for event in done.events if isinstance(event, Happened)] == ["job.done"]
        assert refused(fresh(done.scene), attempt(Action.MAKE, job="lock")) == ("job_done",)

    def test_several_people_work_on_one_job(self) -> None:
        now = with_job(replace(LOCK, total=1), "rogue", "dwarf")
        helped = make(now, attempt(Action.MAKE, "rogue", job="lock"), **{"try": 2})
        assert helped.scene.jobs[0].total == 3

    @pytest.mark.parametrize(("successes", "total"), [(0, 0), (2, 0), (3, 3)])
    def test_a_stunt_is_done_in_one_roll_or_not_at_all(self, successes: int, total: int) -> None:
        now = with_job(Job(id="rope", name="the tightrope", action=Action.STUNT, needed=3), "rogue")
        tried = make(now, attempt(Action.STUNT, "rogue", job="rope"), **{"try": successes})
        assert tried.scene.jobs[0].total == total

    def test_what_holds_for_a_job_adds_its_bonus_dice(self) -> None:
        job = replace(LOCK, situations=("dungeonteller:situation/lock",))
        now = with_job(job, "rogue")
        assert dice(now, attempt(Action.MAKE, "rogue", job="lock")) == {"try": 7}
        assert dice(now, attempt(Action.MAKE, "rogue")) == {"try": 3}

    def test_a_job_takes_its_own_action(self) -> None:
        assert refused(with_job(LOCK), attempt(Action.MUSCLE, job="lock")) == ("wrong_action",)
        assert refused(with_job(LOCK), attempt(Action.MAKE, job="bridge")) == ("job_unknown",)

    def test_a_job_somewhere_is_done_beside_it(self) -> None:
        far = with_job(replace(LOCK, at=Square(4, 0)))
        assert refused(far, attempt(Action.MAKE, job="lock")) == ("target_out_of_reach",)
        near = with_job(replace(LOCK, at=Square(1, 1)))
        assert dice(near, attempt(Action.MAKE, job="lock")) == {"try": 6}

    def test_a_secret_job_is_as_unknown_as_one_that_is_not_there(self) -> None:
        secret = with_job(replace(LOCK, audience=GM_ONLY))
        none = with_job(replace(LOCK, id="other", audience=GM_ONLY))
        move = attempt(Action.MAKE, job="lock")
        assert problems(secret, move) == problems(none, move)
        assert not [offer for offer in legal(secret, CATALOG, "dwarf") if offer.id.startswith("job:")]

    @pytest.mark.parametrize("shown", [True, False])
    def test_a_number_the_game_master_keeps_is_nowhere_to_be_read(self, shown: bool) -> None:
        now = with_job(replace(LOCK, needed=17, total=1, shown=shown))
        seen = view(now, Viewer(actors=frozenset(("dwarf",))))
        offer = next(offer for offer in legal(now, CATALOG, "dwarf") if offer.id == "job:lock")
        assert (seen.jobs[0].needed == 17) is shown
        assert ("17" in offer.text) is shown
        assert ("16" in offer.odds) is shown
        assert view(now, Viewer(gm=True)).jobs[0].needed == 17

    def test_magic_is_no_try(self) -> None:
        assert refused(scene(hero("wizard")), attempt(Action.MAGIC, "wizard")) == ("magic_needs_power",)

    def test_an_action_at_zero_still_rolls_a_die(self) -> None:
        assert dice(scene(hero("paladin")), attempt(Action.SHOOT, "paladin")) == {"try": 1}


class TestGear:
    def carrying(self, *things: Thing, job: bool = True) -> Scene:
        fire = Job(id="fire", name="a fire", action=Action.MAKE, needed=2, situations=(FIRE,))
        return scene(hero("dwarf"), monster("orc", (9, 9)), things=things, jobs=(fire,) if job else ())

    def test_a_firestarter_adds_four_dice_once(self) -> None:
        one = Thing(id="tinder", name="Firestarter", item=FIRESTARTER, holder="dwarf")
        now = self.carrying(one)
        move = attempt(Action.MAKE, job="fire", gear=(FIRESTARTER,))
        assert dice(now, move) == {"try": 10}
        assert make(now, move).scene.things == ()

    def test_of_several_one_is_used_up(self) -> None:
        two = Thing(id="tinder", name="Firestarter", item=FIRESTARTER, holder="dwarf", count=2)
        used = make(self.carrying(two), attempt(Action.MAKE, job="fire", gear=(FIRESTARTER,)))
        assert [thing.count for thing in used.scene.things] == [1]

    @pytest.mark.parametrize("holder", ["", "orc-1"])
    def test_what_one_does_not_have_does_not_help(self, holder: str) -> None:
        thing = Thing(id="tinder", name="Firestarter", item=FIRESTARTER, holder=holder, at=Square(0, 1))
        move = attempt(Action.MAKE, job="fire", gear=(FIRESTARTER,))
        assert refused(self.carrying(thing), move) == ("item_not_owned",)

    def test_gear_that_is_good_for_more_than_once_stays(self) -> None:
        gear = "dungeonteller:gear/rope"
        rope = Thing(id="rope", name="Rope", item=gear, holder="dwarf")
        cliff = Job(
            id="cliff",
            name="the cliff",
            action=Action.STUNT,
            needed=2,
            situations=("dungeonteller:situation/climb",),
        )
        now = replace(self.carrying(rope), jobs=(cliff,))
        used = make(now, attempt(Action.STUNT, job="cliff", gear=(gear,)))
        assert used.scene.things == (rope,)


class TestLongThrow:
    def test_it_takes_muscle_and_shoot_in_one_turn(self) -> None:
        now = scene(hero("warrior"))
        move = attempt(Action.SHOOT, "warrior", far=True)
        assert dice(now, move) == {"far": 5, "try": 4}
        thrown = make(now, move, far=2, **{"try": 1})
        assert thrown.scene.turn.acted
        [said] = [event for event in thrown.events if isinstance(event, Happened)]
        assert (said.code, said.successes) == ("throw", 1)
        assert said.number == 2
        assert "2 for the distance, 1 for the aim" in " ".join(thrown.told())


class TestTalk:
    def test_each_who_is_lied_to_resists_alone(self) -> None:
        now = scene(hero("rogue"), monster("orc", (3, 0)), monster("goblin", (4, 0)))
        lie = attempt(Action.TALK, "rogue", targets=("orc-1", "goblin-1"), lie=True)
        assert dice(now, lie) == {"try": 4, "against:orc-1": 3, "against:goblin-1": 2}
        told = rolled(now, lie, {"try": 2, "against:orc-1": 1, "against:goblin-1": 2})
        said = {event.targets: event.code for event in told.events if isinstance(event, Happened)}
        assert said == {("orc-1",): "talk.believed", ("goblin-1",): "talk.doubted"}

    def test_nobody_resists_the_truth(self) -> None:
        now = scene(hero("rogue"), monster("orc", (3, 0)))
        assert dice(now, attempt(Action.TALK, "rogue", targets=("orc-1",))) == {"try": 4}

    def test_one_does_not_talk_to_whom_one_does_not_know_of(self) -> None:
        now = scene(hero("rogue"), monster("orc", (3, 0), hidden=1))
        assert refused(now, attempt(Action.TALK, "rogue", targets=("orc-1",))) == ("unknown_target",)


class TestSneak:
    def sneaking(self) -> Scene:
        return scene(hero("rogue"), monster("orc", (5, 0)), monster("bandit", (6, 0)), hero("elf", (0, 5)))

    def test_every_watcher_looks_and_nobody_hears_of_it(self) -> None:
        found = first_rolls(self.sneaking(), attempt(Action.SNEAK, "rogue"))
        secret = {roll.id: roll.audience == GM_ONLY for roll in found}
        assert secret == {"try": False, "against:orc-1": True, "against:bandit-1": True}

    def test_whoever_notices_as_much_sees_through_it(self) -> None:
        hid = rolled(
            self.sneaking(),
            attempt(Action.SNEAK, "rogue"),
            {"try": 2, "against:orc-1": 1, "against:bandit-1": 2},
        )
        rogue = hid.being("rogue")
        assert (rogue.hidden, rogue.found_by) == (2, ("bandit-1",))
        blow = fresh(replace(hid.scene, turn=replace(hid.scene.turn, place=1)))
        shot = attempt(Action.TALK, "orc-1", targets=("rogue",))
        assert refused(blow, shot) == ("unknown_target",)

    def test_without_a_success_all_hear_it(self) -> None:
        now = self.sneaking()
        hidden = replace(now, beings=(replace(now.beings[0], hidden=3), *now.beings[1:]))
        assert make(hidden, attempt(Action.SNEAK, "rogue")).being("rogue").hidden is None

    def test_acting_openly_gives_one_away(self) -> None:
        now = self.sneaking()
        hidden = replace(now, beings=(replace(now.beings[0], hidden=3), *now.beings[1:]))
        assert make(hidden, attempt(Action.TALK, "rogue")).being("rogue").hidden is None

    def test_nobody_watches_from_behind_a_wall_or_asleep(self) -> None:
        wall = Field(grid=Grid(20, 12, tuple(Square(3, y) for y in range(12))))
        walled = replace(self.sneaking(), field=wall)
        assert set(dice(walled, attempt(Action.SNEAK, "rogue"))) == {"try"}
        asleep = Effect(id="asleep-1", kind=EffectKind.ASLEEP, bearer="orc-1")
        dozing = replace(self.sneaking(), effects=(asleep,))
        assert set(dice(dozing, attempt(Action.SNEAK, "rogue"))) == {"try", "against:bandit-1"}


class TestNoticeAndLight:
    @pytest.mark.parametrize(
        ("example", "light", "expected"),
        [
            ("warrior", Light.BRIGHT, 2),
            ("rogue", Light.DIM, 1),
            ("elf", Light.DIM, 2),
            ("dwarf", Light.DIM, 2),
            ("dwarf", Light.DARK, 1),
        ],
    )
    def test_dim_light_takes_two_dice_and_darkness_takes_two_from_dwarfs(
        self, example: str, light: Light, expected: int
    ) -> None:
        now = scene(hero(example), field=Field(grid=Grid(20, 12), light=light))
        assert dice(now, attempt(Action.NOTICE, example)) == {"try": expected}

    def test_in_the_dark_people_see_nothing(self) -> None:
        now = scene(hero("elf"), field=Field(grid=Grid(20, 12), light=Light.DARK))
        assert refused(now, attempt(Action.NOTICE, "elf")) == ("too_dark_to_see",)

    def test_a_light_helps_as_far_as_it_shines(self) -> None:
        lamp = Area(id="light-1", kind=AreaKind.LIGHT, squares=(Square(6, 0),), light=Light.BRIGHT, radius=6)
        dark = Field(grid=Grid(20, 12), light=Light.DARK)
        assert dice(scene(hero("elf"), field=dark, areas=(lamp,)), attempt(Action.NOTICE, "elf")) == {
            "try": 4
        }
        beyond = scene(hero("elf"), field=dark, areas=(replace(lamp, radius=5),))
        assert refused(beyond, attempt(Action.NOTICE, "elf")) == ("too_dark_to_see",)
        dim = scene(hero("elf"), field=dark, areas=(replace(lamp, light=Light.DIM),))
        assert dice(dim, attempt(Action.NOTICE, "elf")) == {"try": 2}

    def test_looking_is_rolled_where_the_looker_cannot_see_it(self) -> None:
        looked = make(scene(hero("elf")), attempt(Action.NOTICE, "elf"), **{"try": 2})
        assert [event.audience for event in looked.events if isinstance(event, Rolled)] == [GM_ONLY]

    @pytest.mark.parametrize(("successes", "finds"), [(1, False), (2, True), (3, True)])
    def test_well_hidden_takes_more_successes(self, successes: int, finds: bool) -> None:
        gem = Thing(id="gem", name="a gem", at=Square(4, 4), hidden=2)
        looked = make(scene(hero("elf"), things=(gem,)), attempt(Action.NOTICE, "elf"), **{"try": successes})
        assert (looked.scene.things[0].found_by == ("elf",)) is finds

    def test_what_is_behind_a_wall_is_not_found(self) -> None:
        wall = Field(grid=Grid(20, 12, tuple(Square(3, y) for y in range(12))))
        gem = Thing(id="gem", name="a gem", at=Square(6, 0), hidden=1)
        now = scene(hero("elf"), monster("orc", (8, 0), hidden=1), field=wall, things=(gem,))
        looked = make(now, attempt(Action.NOTICE, "elf"), **{"try": 4})
        assert looked.scene.things[0].found_by == ()
        assert looked.being("orc-1").found_by == ()


class TestThings:
    def test_what_lies_beside_one_is_taken_without_an_action(self) -> None:
        rope = Thing(id="rope", name="Rope", item="dungeonteller:gear/rope", at=Square(1, 1))
        taken = make(scene(hero("elf"), things=(rope,)), Take(actor="elf", thing="rope")).scene
        assert (taken.things[0].holder, taken.things[0].at) == ("elf", None)
        assert not taken.turn.acted

    def test_gold_goes_into_the_purse(self) -> None:
        coins = Thing(id="coins", name="coins", gold=12, at=Square(1, 0))
        now = scene(hero("elf"), things=(coins,))
        taken = make(now, Take(actor="elf", thing="coins"))
        assert taken.being("elf").gold == now.beings[0].gold + 12
        assert taken.scene.things == ()

    @pytest.mark.parametrize(
        ("thing", "code"),
        [
            (Thing(id="it", name="it", at=Square(5, 5)), "target_out_of_reach"),
            (Thing(id="it", name="it", at=Square(1, 0), hidden=1), "thing_unknown"),
            (Thing(id="it", name="it", at=Square(1, 0), solid=True), "thing_unknown"),
            (Thing(id="it", name="it", holder="orc-1"), "thing_unknown"),
            (Thing(id="other", name="other", at=Square(1, 0)), "thing_unknown"),
        ],
        ids=["far", "hidden", "a door", "held", "none"],
    )
    def test_other_things_are_not(self, thing: Thing, code: str) -> None:
        now = scene(hero("elf"), monster("orc"), things=(thing,))
        assert refused(now, Take(actor="elf", thing="it")) == (code,)

    def test_things_are_given_within_reach_and_only_ones_own(self) -> None:
        gem = Thing(id="gem", name="a gem", holder="elf")
        now = scene(hero("elf"), hero("dwarf", (1, 0)), hero("rogue", (5, 0)), things=(gem,))
        assert make(now, Give(actor="elf", thing="gem", to="dwarf")).scene.things[0].holder == "dwarf"
        assert refused(now, Give(actor="elf", thing="gem", to="rogue")) == ("target_out_of_reach",)
        others = replace(now, things=(replace(gem, holder="dwarf"),))
        assert refused(others, Give(actor="elf", thing="gem", to="dwarf")) == ("item_not_owned",)

    def test_what_is_laid_down_lies_there(self) -> None:
        gem = Thing(id="gem", name="a gem", holder="elf")
        laid = make(scene(hero("elf", (3, 3)), things=(gem,)), Give(actor="elf", thing="gem")).scene
        assert (laid.things[0].holder, laid.things[0].at) == ("", Square(3, 3))
