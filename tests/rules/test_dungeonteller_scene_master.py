"""DungeonTeller's scenes: the game master's moves, the end, and what heroes bring home."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.driver import state_hash
from services.rules.engine.grid import Grid, Square
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience, CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.choices import HeroChoices, Purchase
from services.rules.systems.dungeonteller.play.changes import changes
from services.rules.systems.dungeonteller.play.facts import LuckChanged, Noticed, Overruled, Rolled
from services.rules.systems.dungeonteller.play.moves import (
    AddCreature,
    AddJob,
    AddThing,
    Attack,
    Danger,
    EndScene,
    EndTurn,
    LookOut,
    Move,
    Overrule,
    Remove,
    Rest,
    SetWall,
    Take,
    Tell,
    Try,
    Wield,
)
from services.rules.systems.dungeonteller.play.scene import DungeonTellerPlay
from services.rules.systems.dungeonteller.play.setup import Setup, begin
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Effect,
    EffectKind,
    Ending,
    Field,
    Reflex,
    Scene,
    Side,
    Thing,
)
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    Playing,
    dice,
    first_rolls,
    hero,
    make,
    monster,
    power,
    problems,
    refused,
    rolled,
    scene,
    waiting,
)

PLAY = DungeonTellerPlay(CATALOG)
MONSTER = "dungeonteller:monster/"
RUBY = "dungeonteller:treasure/ruby"
FIRESTARTER = "dungeonteller:gear/firestarter"
DOOR = Thing(id="door", name="oak door", at=Square(5, 5), solid=True)


def meadow(*more: Being, **changes: Any) -> Scene:
    return scene(hero("dwarf"), hero("elf", (0, 3)), monster("orc", (9, 0)), *more, **changes)


def said(desk: Playing) -> list[tuple[str, str]]:
    """What kinds of events are told, and the sentences of all."""
    codes = [getattr(event, "code", type(event).__name__) for event in desk.events]
    return list(zip(codes, desk.told(), strict=False))


def heard(desk: Playing) -> set[Audience]:
    return {event.audience for event in desk.events}


class TestRefusals:
    @pytest.mark.parametrize(
        ("move", "code", "path"),
        [
            (AddJob(actor="gm", id="", name="x", action=Action.MAKE, needed=1), "id_taken", ("id",)),
            (AddJob(actor="gm", id="j", name="x", action=Action.MAKE, needed=0), "out_of_range", ("needed",)),
            (AddCreature(actor="gm", monster="gnu"), "monster_unknown", ("monster",)),
            (AddCreature(actor="gm", monster=f"{MONSTER}orc", side="both"), "side_unknown", ("side",)),
            (AddCreature(actor="gm", monster=f"{MONSTER}orc", at=Square(0, 0)), "square_not_free", ("at",)),
            (AddCreature(actor="gm", monster=f"{MONSTER}orc", at=Square(-1, 0)), "square_not_free", ("at",)),
            (AddThing(actor="gm", name="x"), "place_missing", ("at",)),
            (AddThing(actor="gm", name="x", at=Square(99, 0)), "square_not_free", ("at",)),
            (AddThing(actor="gm", name="x", holder="nobody"), "unknown_target", ("holder",)),
            (AddThing(actor="gm", name="x", holder="elf", item="gizmo"), "item_unknown", ("item",)),
            (AddThing(actor="gm", name="x", holder="elf", count=0), "out_of_range", ("count",)),
            (Remove(actor="gm", what="nothing"), "unknown_target", ("what",)),
            (Remove(actor="gm", what="elf"), "hero_stays", ("what",)),
            (Overrule(actor="gm", being="nobody"), "unknown_target", ("being",)),
            (Overrule(actor="gm", being="elf", luck=-1), "out_of_range", ("luck",)),
            (Overrule(actor="gm", being="elf", max_luck=-1), "out_of_range", ("max_luck",)),
            (Overrule(actor="gm", being="elf", armor=-1), "out_of_range", ("armor",)),
            (Overrule(actor="gm", being="elf", at=Square(99, 0)), "out_of_range", ("at",)),
            (Overrule(actor="gm", being="elf", side="both"), "side_unknown", ("side",)),
            (LookOut(actor="gm", being="nobody"), "unknown_target", ("being",)),
            (Danger(actor="gm", being="nobody", danger="fire"), "unknown_target", ("being",)),
            (Danger(actor="gm", being="elf", danger="lava"), "danger_unknown", ("danger",)),
            (Danger(actor="gm", being="elf", danger="fall"), "out_of_range", ("feet",)),
            (Danger(actor="gm", being="elf", danger="luck"), "out_of_range", ("amount",)),
            (SetWall(actor="gm", being="nobody", track=(Action.MUSCLE,)), "unknown_target", ("being",)),
            (SetWall(actor="gm", being="elf", track=()), "out_of_range", ("track",)),
            (SetWall(actor="gm", being="elf", track=(Action.TALK,)), "wrong_action", ("track", 0)),
            (Tell(actor="gm", text=" "), "text_missing", ("text",)),
            (Tell(actor="gm", text="Hush", to=("elf", "nobody")), "unknown_target", ("to", 1)),
        ],
    )
    def test_each_is_named_with_its_place_and_nothing_changes(
        self, move: Move, code: str, path: tuple[str | int, ...]
    ) -> None:
        now = meadow()
        before = state_hash(PLAY, now)
        assert [(problem.code, problem.path) for problem in problems(now, move)] == [(code, path)]
        assert state_hash(PLAY, now) == before

    def test_two_wrong_numbers_are_both_named(self) -> None:
        move = Overrule(actor="gm", being="elf", luck=-1, armor=-1)
        assert refused(meadow(), move) == ("out_of_range", "out_of_range")

    def test_a_creature_without_luck_gets_none(self) -> None:
        now = meadow(monster("skeleton", (9, 3)))
        assert refused(now, Overrule(actor="gm", being="skeleton-1", luck=3)) == ("out_of_range",)


class TestBringingIn:
    def test_a_creature_comes_last_in_the_order_with_a_number_of_its_own(self) -> None:
        came = make(
            meadow(), AddCreature(actor="gm", monster=f"{MONSTER}goblin", at=Square(4, 4), name="Snag")
        )
        snag = came.scene.beings[-1]
        assert (snag.name, snag.side, snag.at) == ("Snag", Side.FOES, Square(4, 4))
        assert came.scene.turn.order[-1] == snag.id
        assert said(came) == [("Arrived", "Snag comes into the scene.")]

    def test_without_a_square_it_finds_one(self) -> None:
        now = meadow()
        for _ in range(3):
            now = make(now, AddCreature(actor="gm", monster=f"{MONSTER}goblin")).scene
        assert len({being.at for being in now.beings}) == len(now.beings)

    def test_a_friend_fights_on_the_heroes_side(self) -> None:
        move = AddCreature(actor="gm", monster=f"{MONSTER}town-guard", side="heroes")
        assert make(meadow(), move).scene.beings[-1].side is Side.HEROES

    def test_what_comes_in_hidden_leaves_no_trace(self) -> None:
        move = AddCreature(actor="gm", monster=f"{MONSTER}goblin", hidden=2)
        now = meadow()
        came = make(now, move)
        assert heard(came) == {Audience(everyone=False, actors=())}
        assert came.scene.turn == now.turn
        assert came.scene.counter == now.counter
        seen = make(came.scene, AddCreature(actor="gm", monster=f"{MONSTER}goblin")).scene.beings[-1].id
        alone = make(now, AddCreature(actor="gm", monster=f"{MONSTER}goblin")).scene.beings[-1].id
        assert seen == alone

    def test_a_hidden_thing_leaves_no_trace_either(self) -> None:
        now = meadow()
        laid = make(now, AddThing(actor="gm", name="a gem", at=Square(4, 4), hidden=1))
        assert heard(laid) == {GM_ONLY}
        plain = AddThing(actor="gm", name="a cup", at=Square(5, 5))
        assert make(laid.scene, plain).scene.things[-1].id == make(now, plain).scene.things[-1].id

    def test_a_thing_for_somebody_is_theirs_at_once(self) -> None:
        given = make(meadow(), AddThing(actor="gm", name="Ruby", item=RUBY, holder="elf"))
        assert [(thing.item, thing.holder) for thing in given.scene.things] == [(RUBY, "elf")]
        sword = AddThing(actor="gm", name="Longsword", item="dungeonteller:weapon/longsword", holder="elf")
        assert "dungeonteller:weapon/longsword" in [arm.id for arm in make(meadow(), sword).being("elf").arms]
        coins = AddThing(actor="gm", name="coins", gold=7, holder="elf")
        assert make(meadow(), coins).being("elf").gold == hero("elf").gold + 7

    def test_a_job_may_be_shown_hidden_or_secret(self) -> None:
        job = AddJob(actor="gm", id="lock", name="the lock", action=Action.MAKE, needed=4)
        assert heard(make(meadow(), job)) == {EVERYONE}
        secret = make(meadow(), replace(job, secret=True))
        assert heard(secret) == {GM_ONLY}
        twice = make(meadow(), job).scene
        assert refused(twice, job) == ("id_taken",)


class TestTakingAway:
    def test_anything_but_a_hero_can_go(self) -> None:
        fire = Area(id="fire-1", kind=AreaKind.FIRE, squares=(Square(3, 3),))
        fear = Effect(id="afraid-2", kind=EffectKind.AFRAID, bearer="orc-1", source="elf")
        now = meadow(areas=(fire,), effects=(fear,), things=(DOOR,))
        for what in ("fire-1", "afraid-2", "door", "orc-1"):
            now = make(now, Remove(actor="gm", what=what)).scene
        assert (now.areas, now.effects, now.things) == ((), (), ())
        assert [being.id for being in now.beings] == ["dwarf", "elf"]
        assert now.turn.order == ("dwarf", "elf")

    def test_what_was_hidden_goes_unseen(self) -> None:
        now = meadow()
        lurking = replace(now, beings=(*now.beings, monster("goblin", (4, 4), hidden=1)))
        gone = make(lurking, Remove(actor="gm", what="goblin-1"))
        assert heard(gone) == {GM_ONLY}
        assert gone.scene == now

    def test_the_turn_of_one_who_goes_is_the_next_ones(self) -> None:
        now = meadow()
        now = replace(now, turn=replace(now.turn, place=1))
        assert now.turn.whose == "elf"
        gone = make(now, Remove(actor="gm", what="orc-1")).scene
        assert gone.turn.whose == "elf"


class TestOverruling:
    def test_it_sets_what_it_says_and_tells_everybody_that_and_why(self) -> None:
        move = Overrule(
            actor="gm", being="elf", why="A kind wind", luck=3, max_luck=12, armor=2, at=Square(7, 7)
        )
        desk = make(meadow(), move)
        elf = desk.being("elf")
        assert (elf.luck, elf.max_luck, elf.armor, elf.at) == (3, 12, 2, Square(7, 7))
        assert said(desk)[0] == ("Overruled", "The game master decides about Mallion: A kind wind.")
        assert heard(desk) == {EVERYONE}
        assert [event.change for event in desk.events if isinstance(event, LuckChanged)] == [-7]

    def test_up_again_and_down_and_to_another_side(self) -> None:
        out = make(meadow(), Overrule(actor="gm", being="orc-1", out=True)).scene
        assert out.beings[-1].out
        assert not make(out, Overrule(actor="gm", being="orc-1", out=False)).being("orc-1").out
        turned = make(meadow(), Overrule(actor="gm", being="orc-1", side="bystanders"))
        assert turned.being("orc-1").side is Side.BYSTANDERS

    def test_even_a_decision_that_changes_nothing_is_seen(self) -> None:
        assert said(make(meadow(), Overrule(actor="gm", being="elf"))) == [
            ("Overruled", "The game master decides about Mallion.")
        ]

    def test_about_somebody_hidden_nobody_hears_until_they_are_shown(self) -> None:
        now = meadow(monster("goblin", (4, 4), hidden=3))
        unseen = make(now, Overrule(actor="gm", being="goblin-1", luck=1))
        assert not any(event.audience.everyone for event in unseen.events)
        shown = make(now, Overrule(actor="gm", being="goblin-1", shown=True))
        assert shown.being("goblin-1").hidden is None
        assert "goblin-1" in shown.scene.turn.order
        assert any(isinstance(event, Overruled) and event.audience.everyone for event in shown.events)


class TestLookingOut:
    def test_it_is_rolled_in_secret_with_the_heros_own_dice(self) -> None:
        found = first_rolls(meadow(), LookOut(actor="gm", being="elf"))
        assert [(roll.actor, roll.dice.value, roll.audience) for roll in found] == [("elf", 4, GM_ONLY)]

    def test_what_is_looked_for_adds_its_bonus(self) -> None:
        door = "dungeonteller:situation/hidden-door"
        assert dice(meadow(), LookOut(actor="gm", being="dwarf", situations=(door,))) == {"notice": 4}
        assert dice(meadow(), LookOut(actor="gm", being="dwarf")) == {"notice": 2}

    def test_with_nothing_to_find_a_player_learns_nothing_whatever_fell(self) -> None:
        looked = make(meadow(), LookOut(actor="gm", being="elf"), notice=4)
        assert heard(looked) == {GM_ONLY}
        assert looked.scene == meadow()

    def test_only_whoever_looked_learns_what_was_there(self) -> None:
        now = meadow(monster("goblin", (4, 4), hidden=2))
        missed = make(now, LookOut(actor="gm", being="elf"), notice=1)
        assert missed.being("goblin-1").found_by == ()
        found = make(now, LookOut(actor="gm", being="elf"), notice=2)
        assert found.being("goblin-1").found_by == ("elf",)
        told = [event for event in found.events if isinstance(event, Noticed)]
        assert [event.audience for event in told] == [Audience(everyone=False, actors=("elf",))]

    def test_it_goes_in_anybodys_turn_and_takes_no_action(self) -> None:
        now = meadow()
        assert make(now, LookOut(actor="gm", being="orc-1")).scene.turn == now.turn


class TestDangers:
    @pytest.mark.parametrize(("feet", "expected"), [(5, 1), (19, 3), (30, 6)])
    def test_a_fall_has_a_die_for_each_pace(self, feet: int, expected: int) -> None:
        move = Danger(actor="gm", being="elf", danger="fall", feet=feet)
        assert dice(meadow(), move) == {"fall": expected}
        assert make(meadow(), move, fall=1).being("elf").luck == 9

    def test_soft_landing_saves_as_much_as_it_rolls(self) -> None:
        cat = hero("rogue", powers=(power("soft-landing"),))
        now = scene(cat)
        move = Danger(actor="gm", being="rogue", danger="fall", feet=30)
        assert dice(now, move) == {"fall": 6, "land": 6}
        assert make(now, move, fall=4, land=3).being("rogue").luck == 9
        assert make(now, move, fall=1, land=3).being("rogue").luck == 10

    @pytest.mark.parametrize(("saved", "luck"), [(0, 7), (2, 9), (4, 10)])
    def test_fire_takes_three_luck_less_what_stunt_saves(self, saved: int, luck: int) -> None:
        move = Danger(actor="gm", being="elf", danger="fire")
        assert dice(meadow(), move) == {"save": 4}
        assert make(meadow(), move, save=saved).being("elf").luck == luck

    def test_poison_is_fought_with_muscle_and_dwarfs_are_good_at_it(self) -> None:
        move = Danger(actor="gm", being="dwarf", danger="poison", amount=2)
        assert dice(meadow(), move) == {"save": 8}
        assert make(meadow(), move, save=2).scene.effects == ()
        poisoned = make(meadow(), move, save=1).scene
        assert poisoned.has("dwarf", EffectKind.POISONED)
        assert dice(poisoned, Try(actor="dwarf", action=Action.MAKE)) == {"try": 4}
        assert len(make(poisoned, move, save=0).scene.effects) == 1

    def test_bad_luck_knocks_out_whoever_has_none(self) -> None:
        move = Danger(actor="gm", being="elf", danger="luck", amount=4)
        assert make(meadow(), move).being("elf").luck == 6
        broke = replace(meadow(), beings=(hero("dwarf"), hero("elf", (0, 3), luck=0)))
        assert make(broke, move).being("elf").out


class TestOpenQuestions:
    @pytest.mark.parametrize(
        "meanwhile",
        [
            Remove(actor="gm", what="orc-1"),
            Overrule(actor="gm", being="orc-1", at=Square(9, 9)),
            Overrule(actor="gm", being="rogue", out=True),
            Tell(actor="gm", text="The orc grins"),
        ],
        ids=["attacker gone", "out of reach", "asked out", "a word"],
    )
    def test_nothing_changes_while_an_answer_is_awaited(self, meanwhile: Move) -> None:
        now = scene(monster("orc", (1, 0)), hero("rogue", reflex=Reflex.ASK), hero("elf", (5, 5)))
        at = waiting(now, Attack(actor="orc-1", action=Action.BATTLE, target="rogue"))
        found = at.enter(meanwhile, 2)
        assert isinstance(found, Problems) and found.codes == ("move_waits",)
        assert at.state == now


class TestTelling:
    def test_a_word_to_some_is_for_them_alone(self) -> None:
        desk = make(meadow(), Tell(actor="gm", text="The orc winks at you", to=("elf",)))
        assert said(desk) == [("told", "The orc winks at you.")]
        assert heard(desk) == {Audience(everyone=False, actors=("elf",))}
        assert desk.scene == meadow()

    def test_a_note_is_kept_where_only_the_game_master_reads_it(self) -> None:
        desk = make(meadow(), Tell(actor="gm", text="The orc is the king's son", secret=True))
        assert heard(desk) == {GM_ONLY}
        assert [effect.words for effect in desk.scene.effects] == ["The orc is the king's son."]
        assert PLAY.view(desk.scene, Viewer(actors=frozenset(("elf",)))) == PLAY.view(
            meadow(), Viewer(actors=frozenset(("elf",)))
        )

    def test_it_goes_in_the_middle_of_a_question(self) -> None:
        assert said(make(meadow(), Tell(actor="gm", text="Rain!"))) == [("told", "Rain!")]


class TestTheEnd:
    def test_whoever_stands_alone_has_won(self) -> None:
        out = replace(meadow(), beings=(*meadow().beings[:2], replace(meadow().beings[2], out=True)))
        ended = make(out, EndScene(actor="gm", why="The orc snores")).scene
        assert PLAY.outcome(ended).text == "The orc snores."
        assert (ended.ended, ended.winners) == (Ending.GAME_MASTER, ("heroes",))

    def test_while_both_sides_stand_nobody_has(self) -> None:
        ended = make(meadow(), EndScene(actor="gm")).scene
        outcome = PLAY.outcome(ended)
        assert (outcome.ended, outcome.winners, outcome.text) == (True, (), "The scene is over.")
        assert PLAY.outcome(meadow()).ended is False

    def test_without_a_foe_there_is_nothing_to_win(self) -> None:
        assert make(scene(hero("dwarf")), EndScene(actor="gm")).scene.winners == ()

    def test_nobody_is_offered_anything_any_more(self) -> None:
        ended = make(meadow(), EndScene(actor="gm")).scene
        assert [PLAY.legal(ended, actor) for actor in ("dwarf", "orc-1", "gm")] == [(), (), ()]


class TestHomecoming:
    CHOICES = SYSTEM.examples["dwarf"]

    def begun(self, **more: Any) -> Scene:
        sheet = SYSTEM.build(self.CHOICES, CATALOG)
        found = begin(Setup(title="Home", **more), (CastMember(id="dwarf", sheet=sheet),), CATALOG)
        assert not isinstance(found, Problems)
        return found

    def taken_in(self, now: Scene) -> HeroChoices:
        [change] = changes(now)
        absorbed: HeroChoices = PLAY.absorb(self.CHOICES, change.data)
        assert not isinstance(SYSTEM.build(absorbed, CATALOG), Problems)
        return absorbed

    def test_a_scene_that_changed_nothing_brings_nothing(self) -> None:
        assert changes(self.begun()) == ()

    def test_treasure_and_gold_come_home(self) -> None:
        now = make(self.begun(), AddThing(actor="gm", name="Ruby", item=RUBY, holder="dwarf")).scene
        now = make(now, AddThing(actor="gm", name="coins", gold=9, at=Square(0, 5))).scene
        now = make(now, Take(actor="dwarf", thing=now.things[-1].id)).scene
        home = self.taken_in(now)
        assert home.found == (Purchase(item=RUBY),)
        assert home.gold_found == 9

    def test_what_is_used_up_is_gone(self) -> None:
        start = ("dungeonteller:situation/start-fire",)
        fire = AddJob(actor="gm", id="fire", name="a fire", action=Action.MAKE, needed=1, situations=start)
        now = make(self.begun(), fire).scene
        used = make(now, Try(actor="dwarf", action=Action.MAKE, job="fire", gear=(FIRESTARTER,))).scene
        assert self.taken_in(used).lost == (Purchase(item=FIRESTARTER),)

    def test_weapons_in_other_hands_or_on_the_ground_are_no_longer_ones_own(self) -> None:
        axe = "dungeonteller:weapon/hand-axe"
        now = self.begun()
        away = replace(
            now, beings=(replace(now.beings[0], arms=tuple(a for a in now.beings[0].arms if a.id != axe)),)
        )
        assert self.taken_in(away).lost == (Purchase(item=axe),)

    def test_luck_and_what_is_in_hand_are_no_change(self) -> None:
        hurt = make(self.begun(), Danger(actor="gm", being="dwarf", danger="luck", amount=5)).scene
        assert changes(make(hurt, Wield(actor="dwarf")).scene) == ()

    def test_things_without_a_card_stay_behind(self) -> None:
        now = make(self.begun(), AddThing(actor="gm", name="a warm stone", holder="dwarf")).scene
        assert changes(now) == ()


def test_a_turn_that_ends_in_fire_is_the_next_ones_to_save() -> None:
    fire = Area(id="fire-1", kind=AreaKind.FIRE, squares=(Square(0, 3),))
    now = meadow(areas=(fire,), field=Field(grid=Grid(20, 12)))
    assert dice(now, EndTurn(actor="dwarf")) == {"save:elf:fire-1": 4}
    assert dice(now, Rest(actor="dwarf")) == {"save:elf:fire-1": 4}
    burnt = rolled(now, EndTurn(actor="dwarf"), {"save:elf:fire-1": 1})
    assert burnt.being("elf").luck == 8
    assert [event.being for event in burnt.events if isinstance(event, Rolled)] == ["elf"]
