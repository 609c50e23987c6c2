"""DungeonTeller's scenes: simple players that know what to do, and what holds whatever anybody does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine import driver
from services.rules.engine.bots import any_answer
from services.rules.engine.explain import Explained, Part
from services.rules.engine.grid import Grid, Square
from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play import facts as happenings
from services.rules.systems.dungeonteller.play.bots import PATIENCE, bot
from services.rules.systems.dungeonteller.play.evolve import evolve
from services.rules.systems.dungeonteller.play.facts import Event
from services.rules.systems.dungeonteller.play.moves import (
    Answer,
    Attack,
    EndScene,
    EndTurn,
    Go,
    Overrule,
    Rest,
    Try,
    UsePower,
)
from services.rules.systems.dungeonteller.play.scene import DungeonTellerPlay
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Arm,
    Being,
    Climb,
    Duration,
    Effect,
    EffectKind,
    Ending,
    Field,
    Job,
    Reflex,
    Scene,
    Side,
    Thing,
    Until,
)
from tests.rules.dungeonteller_scenes import CATALOG, hero, make, monster, power, scene, with_powers

PLAY = DungeonTellerPlay(CATALOG)
ROOM = Field(grid=Grid(5, 4))


def idea(now: Scene, actor: str) -> object:
    return bot(now, CATALOG, actor)


class TestHeroes:
    def test_whoever_is_near_is_struck_with_the_best_in_hand(self) -> None:
        now = scene(hero("warrior"), monster("orc"), monster("orc", (9, 9), id="orc-2"))
        expected = Attack(
            actor="warrior", action=Action.BATTLE, target="orc-1", arm="dungeonteller:weapon/greatsword"
        )
        assert idea(now, "warrior") == expected

    def test_whoever_is_far_is_shot(self) -> None:
        now = scene(monster("orc", (0, 0)), hero("elf", (9, 0)))
        assert idea(now, "orc-1") == Attack(actor="orc-1", action=Action.SHOOT, target="elf", arm="bow")

    def test_a_wizard_zaps(self) -> None:
        move = idea(scene(hero("wizard"), monster("orc", (9, 0))), "wizard")
        assert move == UsePower(actor="wizard", power=power("zap"), targets=("orc-1",))

    def test_a_sword_walks_to_its_foe_no_faster_than_it_can_strike(self) -> None:
        now = scene(hero("paladin"), monster("orc", (9, 0)))
        now = replace(now, beings=(replace(now.beings[0], powers=()), now.beings[1]))
        move = idea(now, "paladin")
        assert isinstance(move, Go)
        assert move.to == Square(5, 0)

    def test_a_friend_near_the_end_is_healed_first(self) -> None:
        now = scene(hero("paladin"), hero("elf", (0, 1), luck=0), monster("orc"))
        assert idea(now, "paladin") == UsePower(
            actor="paladin", power=power("hand-of-healing"), targets=("elf",)
        )

    def test_when_nobody_threatens_work_goes_on_and_then_one_rests(self) -> None:
        lock = Job(id="lock", name="the lock", action=Action.MAKE, needed=3)
        now = scene(hero("dwarf", luck=5), jobs=(lock,))
        assert idea(now, "dwarf") == Try(actor="dwarf", action=Action.MAKE, job="lock")
        far = replace(now, jobs=(replace(lock, at=Square(9, 9)),))
        assert idea(far, "dwarf") == Rest(actor="dwarf")
        assert idea(replace(far, beings=(hero("dwarf"),)), "dwarf") == EndTurn(actor="dwarf")

    def test_low_on_luck_a_wizard_thinks_of_the_shield(self) -> None:
        now = scene(hero("wizard", luck=2), monster("orc", (9, 0)))
        assert idea(now, "wizard") == UsePower(actor="wizard", power=power("shield"))

    def test_after_the_action_the_turn_ends(self) -> None:
        now = scene(hero("warrior"), monster("orc"))
        acted = make(now, Try(actor="warrior", action=Action.TALK)).scene
        assert idea(acted, "warrior") == EndTurn(actor="warrior")

    @pytest.mark.parametrize(("armor", "luck", "yes"), [(0, 10, True), (0, 2, False), (6, 10, False)])
    def test_it_dodges_when_that_helps_and_luck_is_left(self, armor: int, luck: int, yes: bool) -> None:
        quick = hero("rogue", armor=armor, luck=luck, reflex=Reflex.ASK)
        now = scene(monster("orc", (1, 0)), quick)
        (ask,) = make(now, Attack(actor="orc-1", action=Action.BATTLE, target="rogue")).asks
        assert PLAY.reply(now, ask) == Answer(actor="rogue", yes=yes)

    def test_nobody_aims_at_what_they_have_not_found(self) -> None:
        near, far = monster("goblin", (1, 0), hidden=3), monster("orc", (9, 0))
        now = scene(hero("wizard"), far, near)
        assert idea(now, "wizard") == UsePower(actor="wizard", power=power("zap"), targets=("orc-1",))
        known = scene(hero("wizard"), far, replace(near, found_by=("wizard",)))
        assert idea(known, "wizard") == UsePower(actor="wizard", power=power("zap"), targets=("goblin-1",))

    def test_nothing_is_to_be_done_in_anothers_turn_or_after_the_end(self) -> None:
        now = scene(hero("elf"), monster("orc", (9, 0)))
        assert idea(now, "orc-1") is None
        assert idea(now, "nobody") is None
        over = make(now, EndScene(actor="gm")).scene
        assert (idea(over, "elf"), idea(over, GM)) == (None, None)


class TestGameMaster:
    def test_with_fit_foes_in_sight_there_is_nothing_to_decide(self) -> None:
        assert idea(scene(hero("elf"), monster("orc", (9, 0))), GM) is None

    def test_the_hidden_come_out_when_no_other_foe_is_left(self) -> None:
        now = scene(hero("elf"), monster("orc", (9, 0), out=True), monster("goblin", (5, 0), hidden=1))
        move = idea(now, GM)
        assert isinstance(move, Overrule)
        assert (move.being, move.shown) == ("goblin-1", True)

    def test_what_is_decided_is_ended_and_so_is_what_drags_on(self) -> None:
        assert isinstance(idea(scene(hero("elf"), monster("orc", out=True)), GM), EndScene)
        long = scene(hero("elf"), monster("orc", (9, 0)))
        assert isinstance(idea(replace(long, turn=replace(long.turn, round=PATIENCE + 1)), GM), EndScene)

    def test_as_long_as_there_is_work_the_scene_goes_on(self) -> None:
        lock = Job(id="lock", name="the lock", action=Action.MAKE, needed=3)
        assert idea(scene(hero("dwarf"), jobs=(lock,)), GM) is None


def beings_of(draw: st.DrawFn) -> tuple[Being, ...]:
    """A hero or two and two creatures in one room, some hurt, some asked before they are hit."""
    first = draw(st.sampled_from(("dwarf", "elf", "paladin", "rogue", "warrior", "wizard")))
    foe = draw(st.sampled_from(("orc", "skeleton", "zombie", "goblin", "pixie", "swamp-witch")))
    reflex = st.sampled_from(Reflex)
    people = [
        hero(first, (0, 0), id="one", reflex=draw(reflex)),
        with_powers(hero("wizard", (1, 2), id="two", reflex=draw(reflex)), "summon-familiar", "fire-patch"),
        monster(foe, (1, 1), id="foe-1", reflex=draw(reflex)),
        monster("wolf", (3, 3), id="foe-2", reflex=draw(reflex)),
    ]
    return tuple(
        one if one.luck is None else replace(one, luck=draw(st.integers(0, one.max_luck))) for one in people
    )


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    return scene(*beings_of(draw), field=ROOM)


def broken_luck(now: Scene) -> list[tuple[str, int | None, int]]:
    return [
        (one.id, one.luck, one.max_luck)
        for one in now.beings
        if one.luck is not None and not 0 <= one.luck <= one.max_luck
    ]


@given(start=scenes(), data=st.data())
@settings(max_examples=30)
def test_whatever_anybody_does_luck_stays_between_none_and_its_maximum(
    start: Scene, data: st.DataObject
) -> None:
    now = start
    for _ in range(8):
        if now.ended is not None:
            return
        offers = PLAY.legal(now, now.turn.whose)
        assert offers
        offer = data.draw(st.sampled_from(offers), "offer")
        form = complete(offer, lambda n: data.draw(st.integers(0, n - 1)))
        move = PLAY.move_codec.read(form)
        made = driver.make(
            PLAY,
            now,
            move,
            lambda roll: tuple(data.draw(st.tuples(*[st.integers(1, 6)] * roll.dice.value), roll.id)),
            lambda _state, ask: any_answer(PLAY, ask, lambda n: data.draw(st.integers(0, n - 1), ask.id)),
        )
        assert not isinstance(made, Problems), f"{offer.id} was offered and refused: {made}"
        assert made.events
        now = made.state
        assert broken_luck(now) == []


@given(start=scenes())
@settings(max_examples=40)
def test_a_bot_never_makes_a_move_that_is_refused(start: Scene) -> None:
    now = start
    for _ in range(12):
        if now.ended is not None:
            return
        move = bot(now, CATALOG, GM) or bot(now, CATALOG, now.turn.whose)
        assert move is not None, "somebody always knows how to go on"
        made = driver.make(
            PLAY, now, move, lambda roll: tuple(1 + place % 6 for place in range(roll.dice.value)), PLAY.reply
        )
        assert not isinstance(made, Problems)
        now = made.state


SPEAR = Arm(id="spear", name="a spear", dice=2, hands=1, use=(Action.BATTLE,))


def one_of_each() -> Iterable[Event]:
    """An event of every kind, about people and things that need not be there."""
    nobody = hero("rogue", (2, 2), id="stranger")
    return (
        happenings.Rolled(
            roll="try",
            being="stranger",
            label="Talk",
            dice=Explained.of(Part(1, "Talk", "Actions")),
            faces=(5,),
            successes=1,
        ),
        happenings.Happened(code="told", words="Boo."),
        happenings.LuckChanged(being="stranger", luck=3, change=-1, cause="fall"),
        happenings.Arrived(being=nobody),
        happenings.Moved(being="stranger", at=Square(1, 1), height=2),
        happenings.Hid(being="stranger", needed=2, found_by=("elf",)),
        happenings.Noticed(being="stranger", by="wizard"),
        happenings.CameIntoView(being="stranger"),
        happenings.Alerted(being="stranger"),
        happenings.KnockedOut(being="stranger"),
        happenings.Warmed(being="stranger"),
        happenings.Restored(being="stranger", tag="petrified"),
        happenings.MaximumLowered(being="stranger", by=1),
        happenings.Helped(being="stranger", familiar="cat", powers=("dungeonteller:power/zap",)),
        happenings.BurdenLifted(being="stranger", companion="cat"),
        happenings.Tamed(being="stranger", owner="elf"),
        happenings.StanceTaken(being="stranger", reflex=Reflex.NEVER),
        happenings.Overruled(being="stranger", max_luck=3, side=Side.FOES, shown=True),
        happenings.Wielded(being="stranger", held=(), shield=False, armor=1),
        happenings.ArmGained(being="stranger", arm=SPEAR),
        happenings.ArmLost(being="stranger", arm=SPEAR.id, shield=False, armor=0),
        happenings.ArmorLost(being="stranger", armor=0),
        happenings.GoldGained(being="stranger", gold=4),
        happenings.ThingAdded(thing=Thing(id="gem", name="a gem")),
        happenings.DoorSet(door="gate", name="an iron door", state=DoorState.OPEN),
        happenings.FogChanged(squares=(Square(1, 1), Square(99, 0)), known=True),
        happenings.ThingTaken(thing="gem", by="stranger"),
        happenings.ThingLaidDown(thing="gem", at=Square(2, 1)),
        happenings.ThingFound(thing="gem", by="stranger"),
        happenings.ThingUsed(thing="gem", used=1),
        happenings.ThingSpent(thing="gem", left=1),
        happenings.ThingDamaged(thing="gem", luck=1),
        happenings.DoorOpened(thing="gem"),
        happenings.JobAdded(job=Job(id="lock", name="the lock", action=Action.MAKE, needed=1)),
        happenings.JobAdvanced(job="lock", total=1),
        happenings.JobHardened(job="lock", needed=3),
        happenings.ClimbBegan(climb=Climb(being="stranger", track=(Action.MUSCLE,))),
        happenings.Climbed(being="stranger", at=1),
        happenings.EffectBegan(effect=Effect(id="shield-9", kind=EffectKind.SHIELD, bearer="stranger")),
        happenings.EffectCounted(effect="shield-9", amount=2),
        happenings.EffectShortened(effect="shield-9", lasts=Duration(Until.TURNS, "stranger", 1)),
        happenings.AreaLaid(area=Area(id="fire-9", kind=AreaKind.FIRE, squares=(Square(3, 3),))),
        happenings.AreaShrunk(area="fire-9", squares=()),
        happenings.AreaHurt(area="fire-9", luck=1),
        happenings.AreaShortened(area="fire-9", lasts=Duration(Until.TURNS, "stranger", 1)),
        happenings.OrderJoined(being="stranger", place=0),
        happenings.TurnBegan(being="stranger", round=3),
        happenings.Walked(being="stranger", paces=2),
        happenings.PaceLimited(being="stranger", limit=2),
        happenings.ActionUsed(being="stranger", limit=2),
        happenings.SpellWorkedUp(being="stranger"),
        happenings.Suffered(being="stranger", area="fire-9"),
        happenings.OrderMoved(being="stranger", place=1),
        happenings.OrderLeft(being="stranger"),
        happenings.EffectEnded(effect="shield-9"),
        happenings.AreaEnded(area="fire-9"),
        happenings.ClimbEnded(being="stranger"),
        happenings.JobRemoved(job="lock"),
        happenings.ThingGone(thing="gem"),
        happenings.Left(being="stranger"),
        happenings.Ended(why=Ending.HEROES_OUT, winners=("heroes",)),
    )


def test_an_event_of_every_kind_fits_every_scene() -> None:
    kinds = {type(event) for event in one_of_each()}
    assert kinds == set(get_args(happenings.Event))
    busy = driver.fold(PLAY, scene(hero("elf"), monster("orc")), one_of_each())
    empty = Scene(title="Nothing", field=ROOM, beings=())
    for now in (scene(hero("elf"), monster("orc")), busy, empty):
        for event in one_of_each():
            after = evolve(now, event)
            assert isinstance(after, Scene)
            assert PLAY.state_codec.load(PLAY.state_codec.dump(after)) == after


ADDED = (
    happenings.Arrived,
    happenings.ThingAdded,
    happenings.JobAdded,
    happenings.ClimbBegan,
    happenings.EffectBegan,
    happenings.AreaLaid,
    happenings.OrderJoined,
)


def test_what_comes_twice_is_there_once() -> None:
    now = scene(hero("elf"), monster("orc"))
    added = [event for event in one_of_each() if isinstance(event, ADDED)]
    assert len(added) == len(ADDED)
    for event in added:
        once = evolve(now, event)
        assert once != now
        assert evolve(once, event) == once
