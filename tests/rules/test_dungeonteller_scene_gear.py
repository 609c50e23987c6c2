"""DungeonTeller's scenes: gear serves what it is for, and an iron spike wedges doors (Stuff / Gear)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.play import GM_ONLY
from services.rules.engine.steps import refusal
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.choices import Purchase
from services.rules.systems.dungeonteller.play.moves import (
    AddJob,
    Attack,
    EndScene,
    Go,
    Remove,
    SetWall,
    Try,
    UsePower,
    Wedge,
)
from services.rules.systems.dungeonteller.play.state import Job, Scene, Thing
from tests.rules.dungeonteller_play import (
    GM,
    PLAY,
    WATCHER,
    begun,
    chosen,
    every_way,
    eyes,
    offer,
    play,
    refused,
    turn_of,
)
from tests.rules.dungeonteller_scenes import power

SITUATION, GEAR = "dungeonteller:situation/", "dungeonteller:gear/"
FIRESTARTER, SPIKE, ROPE, BLADDER = (
    f"{GEAR}{slug}" for slug in ("firestarter", "iron-spike", "rope", "swim-bladder")
)


def job(name: str, action: Action, about: str = "", needed: int = 3, **more: object) -> Job:
    situations = (f"{SITUATION}{about}",) if about else ()
    return Job(id=name, name=f"the {name}", action=action, needed=needed, situations=situations, **more)  # type: ignore[arg-type]


JOBS = (
    job("fire", Action.MAKE, "start-fire"),
    job("lock", Action.MAKE, "lock"),
    job("raft", Action.MAKE),
    job("cliff", Action.STUNT, "climb"),
    job("tightrope", Action.STUNT),
    job("river", Action.MUSCLE, "afloat"),
)


def camp(*jobs: Job) -> Scene:
    """A dwarf with a firestarter, an iron spike, a rope and a swim bladder."""
    buys = tuple(Purchase(item=item) for item in (SPIKE, ROPE, BLADDER))
    return begun({"dwarf": chosen("dwarf", buys=buys)}, jobs=jobs or JOBS)


def carried(now: Scene, who: str = "dwarf") -> set[str]:
    return {thing.item for thing in now.things if thing.holder == who}


SERVES = [("fire", FIRESTARTER, 4), ("cliff", SPIKE, 4), ("cliff", ROPE, 2), ("river", BLADDER, 4)]
IDLE = [
    (one.id, gear)
    for one in JOBS
    for gear in (FIRESTARTER, SPIKE, ROPE, BLADDER)
    if (one.id, gear) not in [(name, serving) for name, serving, _ in SERVES]
]
DICE = {"fire": 6, "lock": 6, "raft": 6, "cliff": 1, "tightrope": 1, "river": 4}
ACTIONS = {one.id: one.action for one in JOBS}


class TestWhatGearServes:
    @pytest.mark.parametrize(("name", "gear", "dice"), SERVES)
    def test_it_adds_its_dice_to_what_it_is_for(self, name: str, gear: str, dice: int) -> None:
        made = play(camp(), Try(actor="dwarf", action=ACTIONS[name], job=name, gear=(gear,)))
        assert made.dice() == {"try": DICE[name] + dice}
        assert carried(camp()) - carried(made.scene) == ({gear} if gear in (FIRESTARTER, SPIKE) else set())

    @pytest.mark.parametrize(("name", "gear"), IDLE)
    def test_it_serves_nothing_else_and_is_not_used_up_by_it(self, name: str, gear: str) -> None:
        tried = Try(actor="dwarf", action=ACTIONS[name], job=name, gear=(gear,))
        assert refused(camp(), tried) == ("gear_does_not_help",)

    def test_a_firestarter_does_not_help_with_just_anything(self) -> None:
        for action in (Action.MAKE, Action.TALK, Action.STUNT):
            tried = Try(actor="dwarf", action=action, gear=(FIRESTARTER,), words="light the way")
            assert refused(camp(), tried) == ("gear_does_not_help",)

    def test_what_holds_everywhere_counts(self) -> None:
        now = camp()
        flood = replace(now, field=replace(now.field, situations=(f"{SITUATION}afloat",)))
        made = play(flood, Try(actor="dwarf", action=Action.MUSCLE, gear=(BLADDER,)))
        assert made.dice() == {"try": 8}

    def test_a_fire_that_the_game_master_sets_can_be_started_with_it(self) -> None:
        shown = offer_of_job(camp())
        fire = AddJob(
            actor="gm",
            id="campfire",
            name="a campfire",
            action=Action.MAKE,
            needed=1,
            situations=(f"{SITUATION}start-fire",),
        )
        assert f"{SITUATION}start-fire" in shown
        lit = play(
            play(camp(), fire).scene,
            Try(actor="dwarf", action=Action.MAKE, job="campfire", gear=(FIRESTARTER,)),
        )
        assert lit.dice() == {"try": 10}

    def test_what_serves_is_offered_and_nothing_else(self) -> None:
        offered = {
            shown.id: [
                choice.value for field in shown.fields if field.name == "gear" for choice in field.choices
            ]
            for shown in PLAY.legal(camp(), "dwarf")
        }
        assert {name: sorted(gear) for name, gear in offered.items() if gear} == {
            "job:fire": [FIRESTARTER],
            "job:cliff": sorted([SPIKE, ROPE]),
            "job:river": [BLADDER],
        }

    def test_what_is_offered_is_not_refused(self) -> None:
        for shown in PLAY.legal(camp(), "dwarf"):
            if shown.id.startswith("job:"):
                for move in every_way(shown):
                    assert refusal(PLAY, camp(), move) is None, shown.id

    def test_a_climber_is_helped_by_a_rope_and_by_a_spike_that_is_named(self) -> None:
        now = play(camp(), SetWall(actor="gm", being="dwarf", track=(Action.STUNT, Action.MUSCLE))).scene
        [spike] = [thing.id for thing in now.things if thing.item == SPIKE]
        climb = UsePower(actor="dwarf", power=power("climb"))
        assert play(now, climb).dice()["power"] == 3
        spiked = play(now, replace(climb, targets=(spike,)), power=1)
        assert spiked.dice()["power"] == 7
        assert SPIKE not in carried(spiked.scene)


def offer_of_job(now: Scene) -> list[str]:
    """The situations that the game master is offered for a new job."""
    shown = offer(now, "gm", "job")
    assert shown is not None
    return [choice.value for field in shown.fields if field.name == "situations" for choice in field.choices]


GATE = job("gate", Action.MUSCLE, "door", needed=2, at=Square(5, 5))


def hall(*jobs: Job, things: tuple[Thing, ...] = (), spikes: int = 1) -> Scene:
    """A rogue with iron spikes and a warrior stand beside a door."""
    more = (Purchase(item=SPIKE, count=spikes - 1),) if spikes > 1 else ()
    lost = (Purchase(item=SPIKE),) if not spikes else ()
    rogue = chosen("rogue", buys=more, lost=lost)
    at = {"rogue": (4, 5), "warrior": (4, 6)}
    return begun({"rogue": rogue, "warrior": "warrior"}, at=at, jobs=jobs, things=things)


WEDGE = Wedge(actor="rogue", door="gate")
FORCE = Try(actor="warrior", action=Action.MUSCLE, job="gate")


class TestWedgedDoors:
    def test_a_spike_adds_two_successes_to_forcing_it_and_is_used_up(self) -> None:
        now = hall(GATE)
        wedged = play(now, WEDGE)
        assert [one.needed for one in wedged.scene.jobs] == [4]
        assert SPIKE not in carried(wedged.scene, "rogue")
        assert wedged.scene.turn.acted
        for viewer in (GM, WATCHER):
            assert wedged.told(viewer) == ["Pim wedges a door. It takes 2 more Muscle successes: the gate."]
        plain = play(turn_of(now, "warrior"), FORCE, **{"try": 2})
        held = play(turn_of(wedged.scene, "warrior"), FORCE, **{"try": 2})
        assert "Brawnley does it: the gate." in plain.told()
        assert "Brawnley gets on with it: the gate." in held.told()
        forced = play(turn_of(held.scene, "warrior"), FORCE, **{"try": 2})
        assert "Brawnley does it: the gate." in forced.told()

    def test_a_door_half_forced_is_wedged_again(self) -> None:
        begun_on = play(turn_of(hall(GATE), "warrior"), FORCE, **{"try": 1}).scene
        [gate] = play(turn_of(begun_on, "rogue"), WEDGE).scene.jobs
        assert (gate.total, gate.needed) == (1, 4)

    def test_each_spike_adds_and_one_of_several_is_used_up(self) -> None:
        once = play(hall(GATE, spikes=3), WEDGE).scene
        twice = play(turn_of(once, "rogue"), WEDGE).scene
        assert [one.needed for one in twice.jobs] == [6]
        assert [thing.count for thing in twice.things if thing.item == SPIKE] == [1]

    def test_a_number_the_game_master_keeps_stays_kept(self) -> None:
        wedged = play(hall(replace(GATE, shown=False)), WEDGE)
        assert [one.needed for one in wedged.scene.jobs] == [4]
        assert [one.needed for one in PLAY.view(wedged.scene, eyes("rogue")).jobs] == [0]

    @pytest.mark.parametrize(
        ("door", "code"),
        [
            (job("gate", Action.MUSCLE, needed=2), "door_unknown"),
            (job("gate", Action.MAKE, "door"), "door_unknown"),
            (replace(GATE, total=2), "job_done"),
            (replace(GATE, at=Square(9, 9)), "target_out_of_reach"),
            (replace(GATE, audience=GM_ONLY), "door_unknown"),
            (replace(GATE, id="other"), "door_unknown"),
        ],
        ids=["no door", "no muscle", "done", "far", "secret", "another"],
    )
    def test_what_is_no_door_in_reach_is_not_wedged(self, door: Job, code: str) -> None:
        assert refused(hall(door), WEDGE) == (code,)
        shown = offer(hall(door), "rogue", "wedge")
        assert (shown is None) is (door.id == "gate")

    def test_it_takes_a_spike_the_action_and_standing_still(self) -> None:
        assert refused(hall(GATE, spikes=0), WEDGE) == ("item_not_owned",)
        assert offer(hall(GATE, spikes=0), "rogue", "wedge") is None
        tired = play(hall(GATE), Try(actor="rogue", action=Action.STUNT)).scene
        assert refused(tired, WEDGE) == ("action_used",)
        walked = play(hall(GATE), Go(actor="rogue", to=Square(5, 4))).scene
        assert refused(walked, WEDGE) == ("make_needs_standing_still",)
        assert offer(walked, "rogue", "wedge") is None
        still = play(hall(GATE), WEDGE).scene
        assert refused(still, Go(actor="rogue", to=Square(5, 4))) == ("too_far_after_action",)

    def test_what_is_offered_is_not_refused(self) -> None:
        doors = (Thing(id="oak", name="an oak door", at=Square(5, 6), solid=True, tags=("door",)),)
        now = hall(GATE, job("stone", Action.MUSCLE), things=doors)
        shown = offer(now, "rogue", "wedge")
        assert shown is not None
        assert [choice.value for choice in shown.fields[0].choices] == ["gate", "oak"]
        for move in every_way(shown):
            assert refusal(PLAY, now, move) is None

    def test_the_spike_is_missed_at_home(self) -> None:
        over = play(play(hall(GATE), WEDGE).scene, EndScene(actor="gm")).scene
        [change] = PLAY.changes(over)
        home = PLAY.absorb(chosen("rogue"), change.data)
        assert home.lost == (Purchase(item=SPIKE),)


class TestShutDoors:
    LEAVES = tuple(
        Thing(
            id=f"oak-{place}",
            name="an oak door",
            at=Square(5, 4 + place),
            solid=True,
            luck=3,
            tags=("door:oak",),
        )
        for place in (1, 2)
    )

    def wedged(self) -> Scene:
        return play(hall(things=self.LEAVES), Wedge(actor="rogue", door="oak-1")).scene

    def test_wedged_it_takes_two_muscle_successes_to_open_with_all_its_leaves(self) -> None:
        now = self.wedged()
        [force] = now.jobs
        assert (force.name, force.needed, force.action) == ("force an oak door", 2, Action.MUSCLE)
        assert refused(turn_of(now, "warrior"), Go(actor="warrior", to=Square(5, 6))) == ("no_way",)
        forced = play(
            turn_of(now, "warrior"), Try(actor="warrior", action=Action.MUSCLE, job=force.id), **{"try": 2}
        )
        assert [thing.solid for thing in forced.scene.things if thing.id.startswith("oak")] == [False, False]
        assert play(forced.scene, Go(actor="warrior", to=Square(5, 6))).scene.being("warrior") is not None

    def test_another_spike_holds_it_harder(self) -> None:
        now = play(hall(things=self.LEAVES, spikes=2), Wedge(actor="rogue", door="oak-1")).scene
        again = play(turn_of(now, "rogue"), Wedge(actor="rogue", door="oak-1")).scene
        assert [one.needed for one in again.jobs] == [4]

    def test_a_door_that_is_broken_or_taken_away_need_not_be_forced(self) -> None:
        chop = Attack(
            actor="warrior", action=Action.BATTLE, target="oak-1", arm="dungeonteller:weapon/greatsword"
        )
        broken = play(turn_of(self.wedged(), "warrior"), chop, attack=3).scene
        taken = play(self.wedged(), Remove(actor="gm", what="oak-1")).scene
        assert broken.jobs == taken.jobs == ()

    def test_a_hidden_door_or_a_boulder_is_not_wedged(self) -> None:
        for changes in ({"hidden": 2, "found_by": ("rogue",)}, {"tags": ("stone",)}, {"solid": False}):
            thing = replace(self.LEAVES[0], **changes)
            assert refused(hall(things=(thing,)), Wedge(actor="rogue", door="oak-1")) == ("door_unknown",)
            assert offer(hall(things=(thing,)), "rogue", "wedge") is None
