"""DungeonTeller's scenes: what things add to the dice, for as long as they are worn or in hand."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.grid import Square
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.choices import Purchase
from services.rules.systems.dungeonteller.hazards import Climate
from services.rules.systems.dungeonteller.play.moves import Attack, Give, LookOut, Take, Try, UsePower, Wield
from services.rules.systems.dungeonteller.play.setup import Place
from services.rules.systems.dungeonteller.play.state import Effect, EffectKind, Scene, Thing
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind
from tests.rules.dungeonteller_play import (
    begun,
    being,
    changed,
    chosen,
    creature,
    offer,
    play,
    turn_of,
)
from tests.rules.dungeonteller_scenes import power

TREASURE = "dungeonteller:treasure/"
STAFF, CROOK = f"{TREASURE}wizards-staff", f"{TREASURE}shepherds-crook"
SWORD, HAMMER = f"{TREASURE}flaming-longsword", f"{TREASURE}hammer-of-the-deep"
ROBE, GLASSES, LEATHER = f"{TREASURE}robe-of-stars", f"{TREASURE}owl-glasses", f"{TREASURE}shadow-leather"
WARM = "dungeonteller:gear/cold-weather-gear"
PATROL = {"wizard": (0, 0), "paladin": (0, 1)}


def cast_of(now: Scene, actor: str = "wizard") -> int:
    return play(turn_of(now, actor), UsePower(actor=actor, power=power("float"))).dice()["power"]


def tried(now: Scene, actor: str, action: Action) -> int:
    return play(turn_of(now, actor), Try(actor=actor, action=action)).dice()["try"]


def with_staff() -> Scene:
    wizard = chosen("wizard", STAFF, in_hand=(STAFF,))
    return begun({"wizard": wizard, "paladin": "paladin"}, creature("orc", (9, 9)), at=PATROL)


class TestHeldTreasures:
    def test_a_staff_helps_in_hand_and_no_more_when_it_is_laid_down(self) -> None:
        now = with_staff()
        assert cast_of(now) == 7
        down = play(now, Give(actor="wizard", thing=STAFF)).scene
        assert cast_of(down) == 6
        [lying] = [thing for thing in down.things if thing.item == STAFF]
        taken = play(down, Take(actor="wizard", thing=lying.id)).scene
        assert cast_of(taken) == 6
        assert cast_of(play(taken, Wield(actor="wizard", arms=(STAFF,))).scene) == 7

    def test_a_staff_that_is_put_away_does_not_help(self) -> None:
        away = play(with_staff(), Wield(actor="wizard", arms=())).scene
        assert cast_of(away) == 6
        shown = offer(away, "wizard", "power:float")
        assert shown is not None
        assert shown.dice is not None
        assert shown.dice.value == 6

    def test_what_is_given_away_helps_whoever_holds_it(self) -> None:
        crook = chosen("wizard", CROOK, in_hand=(CROOK,))
        now = begun({"wizard": crook, "paladin": "paladin"}, at=PATROL)
        assert (tried(now, "wizard", Action.TALK), tried(now, "paladin", Action.TALK)) == (5, 4)
        given = play(now, Give(actor="wizard", thing=CROOK, to="paladin")).scene
        held = play(turn_of(given, "paladin"), Wield(actor="paladin", arms=(CROOK,))).scene
        assert (tried(held, "wizard", Action.TALK), tried(held, "paladin", Action.TALK)) == (3, 6)

    def test_a_creature_that_takes_a_staff_casts_with_it(self) -> None:
        now = begun({"wizard": "wizard"}, creature("wicked-wizard", (5, 5)))
        now = replace(now, things=(Thing(id="staff", name="Wizard's Staff", item=STAFF, at=Square(5, 5)),))
        now = changed(turn_of(now, "wicked-wizard-1"), "wicked-wizard-1", powers=(power("float"),), luck=20)
        before = cast_of(now, "wicked-wizard-1")
        taken = play(now, Take(actor="wicked-wizard-1", thing="staff")).scene
        held = play(taken, Wield(actor="wicked-wizard-1", arms=(STAFF,))).scene
        assert cast_of(held, "wicked-wizard-1") == before + 1


class TestMagicWeapons:
    def armed(self) -> Scene:
        sword = Thing(id="sword", name="Flaming Longsword", item=SWORD, magical=True, at=Square(5, 5))
        hammer = Thing(id="hammer", name="Hammer of the Deep", item=HAMMER, magical=True, at=Square(5, 5))
        return begun(
            {"dwarf": "dwarf"}, creature("goblin", (6, 5)), at={"dwarf": (5, 5)}, things=(sword, hammer)
        )

    def held(self, thing: str, item: str) -> Scene:
        taken = play(self.armed(), Take(actor="dwarf", thing=thing)).scene
        return play(taken, Wield(actor="dwarf", arms=(item,))).scene

    def test_a_flaming_sword_that_is_picked_up_brings_its_own_dice(self) -> None:
        strike = Attack(actor="dwarf", action=Action.BATTLE, target="goblin-1", arm=SWORD)
        now = changed(self.held("sword", SWORD), "dwarf", luck=20)
        assert being(now, "goblin-1").armor == 0
        [roll] = play(now, strike).rolls
        assert roll.dice.value == 3 + 3 + 2

    def test_dice_of_a_weapon_beyond_its_blows_are_there_while_it_is_in_hand(self) -> None:
        now = self.held("hammer", HAMMER)
        assert tried(now, "dwarf", Action.MAKE) == 7
        away = play(now, Wield(actor="dwarf", arms=("dungeonteller:weapon/hand-axe",))).scene
        assert tried(away, "dwarf", Action.MAKE) == 6
        assert tried(self.armed(), "dwarf", Action.MAKE) == 6

    def test_its_dice_sleep_with_its_magic(self) -> None:
        sleeping = Effect(id="suppressed-9", kind=EffectKind.SUPPRESSED, bearer="dwarf", about=HAMMER)
        assert tried(replace(self.held("hammer", HAMMER), effects=(sleeping,)), "dwarf", Action.MAKE) == 6


class TestWornThings:
    def test_a_robe_keeps_its_dice_whatever_is_in_hand(self) -> None:
        wizard = chosen("wizard", STAFF, ROBE, in_hand=(STAFF,), wearing=(ROBE,))
        now = begun({"wizard": wizard})
        assert cast_of(now) == 9
        assert cast_of(play(now, Wield(actor="wizard", arms=())).scene) == 8

    def test_magic_armour_helps_until_its_magic_sleeps(self) -> None:
        now = begun({"rogue": chosen("treasure-hunter")})
        assert tried(now, "rogue", Action.SNEAK) == 6
        sleeping = Effect(id="suppressed-9", kind=EffectKind.SUPPRESSED, bearer="rogue", about=LEATHER)
        assert tried(replace(now, effects=(sleeping,)), "rogue", Action.SNEAK) == 5

    def test_warm_clothes_make_clumsy_as_long_as_one_has_them(self) -> None:
        place = Place(climate=Climate.COLD)
        geared = chosen("dwarf", buys=(Purchase(item=WARM),))
        now = begun({"dwarf": geared, "elf": "elf"}, at={"dwarf": (0, 0), "elf": (0, 1)}, place=place)
        assert (tried(now, "dwarf", Action.NOTICE), tried(now, "elf", Action.NOTICE)) == (1, 4)
        [gear] = [thing for thing in now.things if thing.item == WARM]
        given = play(now, Give(actor="dwarf", thing=gear.id, to="elf")).scene
        assert (tried(given, "dwarf", Action.NOTICE), tried(given, "elf", Action.NOTICE)) == (2, 3)

    def test_an_eye_sees_with_what_its_owner_wears(self) -> None:
        now = begun({"wizard": chosen("wizard", GLASSES, wearing=(GLASSES,))})
        now = changed(now, "wizard", powers=(power("eye"),))
        sent = play(now, UsePower(actor="wizard", power=power("eye")), power=3).scene
        [eye] = [one for one in sent.beings if one.leader == "wizard"]
        assert play(sent, LookOut(actor="gm", being=eye.id)).dice() == {"notice": 4}


def test_two_rewards_of_one_kind_both_count() -> None:
    rewards = tuple(
        Reward(session=session, kind=RewardKind.SPECIALITY, action=Action.MAKE, when="start a camp")
        for session in (1, 2)
    )
    now = begun({"dwarf": chosen("dwarf", rewards=rewards)})
    now = replace(now, field=replace(now.field, situations=("start a camp",)))
    assert tried(now, "dwarf", Action.MAKE) == 10


def test_a_stored_scene_of_earlier_days_counts_a_staff_once() -> None:
    now = with_staff()
    lent = SYSTEM.content.treasures[STAFF].bonuses_in_use(worn_or_held=True)
    earlier = changed(now, "wizard", bonuses=(*being(now, "wizard").bonuses, *lent))
    assert cast_of(earlier) == 7
