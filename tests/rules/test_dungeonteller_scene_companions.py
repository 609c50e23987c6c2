"""DungeonTeller's scenes: minions, familiars and pets that go home with their heroes and come again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Run
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.choices import HeroChoices
from services.rules.systems.dungeonteller.companions import Bond, Companion
from services.rules.systems.dungeonteller.play.moves import (
    Attack,
    Danger,
    Dismiss,
    EndScene,
    EndTurn,
    Remove,
    Rest,
    UsePower,
)
from services.rules.systems.dungeonteller.play.state import Being, Creature, Scene
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind
from services.rules.systems.dungeonteller.sheet import HeroSheet
from tests.rules.dungeonteller_play import (
    MONSTER,
    PLAY,
    begun,
    being,
    changed,
    chosen,
    creature,
    offer,
    play,
    refused,
    turn_of,
)
from tests.rules.dungeonteller_scenes import power

WICKED = chosen(
    "wizard",
    malicious=True,
    rewards=tuple(
        Reward(session=number, kind=RewardKind.POWER, power=power(slug), gm_leave=True)
        for number, slug in enumerate(
            ("raise-skeleton", "raise-zombie", "summon-orc", "summon-familiar", "summon-greater-familiar"), 1
        )
    )
    + tuple(Reward(session=number, kind=RewardKind.LUCK) for number in (6, 7, 8)),
)
"""A malicious wizard with Luck 13 who calls everything there is to call."""

LUCK = 13
CALLS = {
    "skeleton": (UsePower(actor="feeney", power=power("raise-skeleton"), words="of old"), 1),
    "zombie": (UsePower(actor="feeney", power=power("raise-zombie"), words="of old"), 1),
    "orc": (UsePower(actor="feeney", power=power("summon-orc")), 1),
    "cat": (UsePower(actor="feeney", power=power("summon-familiar"), sort="cat"), 1),
    "raven": (UsePower(actor="feeney", power=power("summon-greater-familiar"), sort="raven"), 2),
}


def evening(choices: HeroChoices = WICKED) -> Scene:
    return begun({"feeney": choices}, creature("goblin", (15, 5)), at={"feeney": (2, 5)})


def called(slug: str, now: Scene | None = None) -> Scene:
    made = evening() if now is None else now
    move, _ = CALLS[slug]
    return play(made, move, **{roll.id: 1 for roll in Run(PLAY, made, move).rolls}).scene


def home(now: Scene, choices: HeroChoices = WICKED) -> HeroChoices:
    """The hero's choices once the scene is over and what it brought is taken in, as it is stored."""
    over = now if PLAY.outcome(now).ended else play(now, EndScene(actor="gm")).scene
    for change in PLAY.changes(over):
        choices = PLAY.absorb(choices, json.loads(json.dumps(dict(change.data))))
    stored: HeroChoices = SYSTEM.choices_codec.load(
        json.loads(json.dumps(SYSTEM.choices_codec.dump(choices)))
    )
    assert stored == choices
    return choices


def sheet(choices: HeroChoices) -> HeroSheet:
    built = SYSTEM.build(choices, SYSTEM.content)
    assert isinstance(built, HeroSheet), str(built)
    return built


def companion(now: Scene) -> Being:
    [found] = [one for one in now.beings if one.leader == "feeney"]
    return found


@pytest.mark.parametrize("slug", CALLS)
class TestCalled:
    def test_it_goes_home_with_its_hero_and_keeps_lowering_their_luck(self, slug: str) -> None:
        after = home(called(slug))
        less = CALLS[slug][1]
        assert [line.monster for line in after.companions] == [MONSTER + slug]
        card = sheet(after)
        assert card.luck.value == card.tracks[0].maximum == LUCK - less
        assert sum(part.value for part in card.luck.parts) == LUCK - less
        assert [line.lowers_luck for line in card.companions] == [less]

    def test_it_is_there_in_the_next_scene(self, slug: str) -> None:
        first = companion(called(slug))
        again = evening(home(called(slug)))
        second = companion(again)
        assert (second.name, second.kind, second.creature) == (first.name, first.kind, first.creature)
        assert (second.burden, second.side) == (first.burden, first.side)
        hero = being(again, "feeney")
        assert hero.luck == hero.max_luck == LUCK - CALLS[slug][1]
        assert (second.id in again.turn.order) is (second.creature is Creature.MINION)

    def test_no_rest_brings_back_what_it_takes(self, slug: str) -> None:
        again = evening(home(called(slug)))
        rested = play(again, Rest(actor="feeney")).scene
        for _ in range(len(rested.turn.order) - 1):
            rested = play(rested, EndTurn(actor=rested.turn.whose)).scene
        assert being(rested, "feeney").luck == LUCK - CALLS[slug][1]

    def test_sent_away_it_gives_the_luck_back_for_good(self, slug: str) -> None:
        after = home(called(slug))
        again = evening(after)
        alone = play(again, Dismiss(actor="feeney", what=companion(again).id)).scene
        assert being(alone, "feeney").max_luck == LUCK
        assert home(alone, after).companions == ()
        assert sheet(home(alone, after)).luck.value == LUCK

    def test_taken_away_by_the_game_master_it_gives_the_luck_back_too(self, slug: str) -> None:
        after = home(called(slug))
        again = evening(after)
        for hidden in (None, 2):
            now = changed(again, companion(again).id, hidden=hidden)
            alone = play(now, Remove(actor="gm", what=companion(again).id)).scene
            assert being(alone, "feeney").max_luck == LUCK
            assert home(alone, after).companions == ()

    def test_nothing_changes_at_home_where_nothing_changed(self, slug: str) -> None:
        after = home(called(slug))
        assert PLAY.changes(play(evening(after), EndScene(actor="gm")).scene) == ()
        assert home(evening(after), after) == after

    def test_it_is_told_who_came_home(self, slug: str) -> None:
        [change] = PLAY.changes(play(called(slug), EndScene(actor="gm")).scene)
        assert change.text == f"Feeney comes home with {companion(called(slug)).name}."


def test_each_minion_lowers_luck_by_one_over_several_scenes() -> None:
    choices = WICKED
    for count, slug in enumerate(("skeleton", "skeleton", "zombie", "orc"), 1):
        choices = home(called(slug, evening(choices)), choices)
        assert len(choices.companions) == count
        assert sheet(choices).luck.value == LUCK - count
    ids = [one.id for one in called("skeleton", evening(choices)).beings]
    assert len(ids) == len(set(ids)) == 7


def test_a_minion_that_falls_serves_no_longer() -> None:
    after = home(called("skeleton"))
    again = evening(after)
    felled = again
    for _ in range(2):
        felled = play(felled, Danger(actor="gm", being=companion(again).id, danger="luck", amount=20)).scene
    assert companion(felled).out
    assert being(felled, "feeney").max_luck == LUCK
    assert home(felled, after).companions == ()


class TestFamiliars:
    def test_its_dice_are_on_the_card_and_count_once_in_a_scene(self) -> None:
        after = home(called("cat"))
        checks = {check.id: check.dice.value for check in sheet(after).checks}
        assert (checks["action-magic"], checks["action-notice"]) == (7, 3)
        cast = UsePower(actor="feeney", power=power("float"))
        assert play(evening(after), cast).dice() == {"power": 7}
        assert play(evening(), cast).dice() == {"power": 6}

    def test_a_greater_one_lends_its_spell_for_as_long_as_it_is_there(self) -> None:
        after = home(called("raven"))
        assert power("darkness") in [line.id for line in sheet(after).powers]
        again = evening(after)
        assert offer(again, "feeney", "power:darkness") is not None
        alone = play(again, Dismiss(actor="feeney", what=companion(again).id)).scene
        assert offer(alone, "feeney", "power:darkness") is None
        assert play(alone, UsePower(actor="feeney", power=power("float"))).dice() == {"power": 6}

    def test_there_is_one_at_a_time_from_scene_to_scene(self) -> None:
        again = evening(home(called("cat")))
        move, _ = CALLS["cat"]
        assert refused(again, replace(move, sort="owl")) == ("limit_in_play",)
        assert offer(again, "feeney", "power:summon-familiar") is None

    def test_one_that_is_hit_until_it_is_gone_is_gone_at_home(self) -> None:
        after = home(called("cat"))
        again = turn_of(evening(after), "goblin-1")
        again = changed(changed(again, "goblin-1", at=Square(3, 5)), companion(again).id, armor=0)
        strike = Attack(
            actor="goblin-1", action=Action.BATTLE, target=companion(again).id, arm="crooked-knife"
        )
        ratings = replace(being(again, "goblin-1").ratings, battle=9)
        hit = play(changed(again, "goblin-1", ratings=ratings, luck=9), strike, attack=3).scene
        assert [one for one in hit.beings if one.leader] == []
        assert being(hit, "feeney").luck == LUCK - 1 - 3
        assert being(hit, "feeney").max_luck == LUCK
        assert home(hit, after).companions == ()


class TestPets:
    ELF = chosen("elf")

    def tamed(self) -> Scene:
        now = begun({"feeney": self.ELF}, creature("wolf", (4, 5)), at={"feeney": (2, 5)})
        tame = UsePower(actor="feeney", power=power("tame-animal"), targets=("wolf-1",))
        return play(now, tame, power=1).scene

    def test_it_goes_home_and_comes_along_and_takes_no_luck(self) -> None:
        after = home(self.tamed(), self.ELF)
        assert after.companions == (Companion(monster=f"{MONSTER}wolf", bond=Bond.PET, name="Wolf"),)
        assert sheet(after).luck.value == 10
        again = evening(after)
        pet = companion(again)
        assert (pet.creature, pet.at) == (Creature.PET, Square(1, 5))
        assert again.turn.order == ("feeney", pet.id, "goblin-1")
        assert PLAY.led_by(again, pet.id) == "feeney"
        assert PLAY.legal(turn_of(again, pet.id), pet.id)

    def test_there_is_one_at_a_time_from_scene_to_scene(self) -> None:
        after = home(self.tamed(), self.ELF)
        again = begun({"feeney": after}, creature("wolf", (4, 5)))
        tame = UsePower(actor="feeney", power=power("tame-animal"), targets=("wolf-1",))
        assert refused(again, tame) == ("limit_in_play",)

    def test_knocked_out_it_comes_round_at_home_and_let_go_it_stays_away(self) -> None:
        now = self.tamed()
        for _ in range(2):
            now = play(now, Danger(actor="gm", being="wolf-1", danger="luck", amount=20)).scene
        assert being(now, "wolf-1").out
        assert len(home(now, self.ELF).companions) == 1
        assert home(play(self.tamed(), Dismiss(actor="feeney", what="wolf-1")).scene, self.ELF) == self.ELF

    def test_it_stays_behind_its_heroes_turn_in_the_order_they_agreed_on(self) -> None:
        after = home(self.tamed(), self.ELF)
        now = begun({"harley": "dwarf", "feeney": after}, creature("orc"), order=("feeney", "harley"))
        assert now.turn.order == ("feeney", companion(now).id, "harley", "orc-1")


class TestChoices:
    @pytest.mark.parametrize(
        ("companions", "code"),
        [
            ((Companion(monster=f"{MONSTER}unicorn", bond=Bond.PET),), "monster_unknown"),
            ((Companion(monster=f"{MONSTER}orc", bond=Bond.PET),), "companion_unfit"),
            ((Companion(monster=f"{MONSTER}wolf", bond=Bond.MINION),), "companion_unfit"),
            ((Companion(monster=f"{MONSTER}wolf", bond=Bond.FAMILIAR),), "companion_unfit"),
            ((Companion(monster=f"{MONSTER}wolf", bond=Bond.PET, name="x" * 121),), "name_too_long"),
            ((Companion(monster=f"{MONSTER}wolf", bond=Bond.PET),) * 2, "limit_in_play"),
            ((Companion(monster=f"{MONSTER}cat", bond=Bond.FAMILIAR),) * 2, "limit_in_play"),
            ((Companion(monster=f"{MONSTER}orc", bond=Bond.MINION),) * 21, "too_many_companions"),
        ],
    )
    def test_companions_that_cannot_be_are_named(self, companions: tuple[Companion, ...], code: str) -> None:
        built = SYSTEM.build(replace(WICKED, companions=companions), SYSTEM.content)
        assert isinstance(built, Problems)
        assert built.codes == (code,)
        assert [problem.path[0] for problem in built.items] == ["companions"]

    def test_luck_never_falls_below_none(self) -> None:
        orcs = (Companion(monster=f"{MONSTER}orc", bond=Bond.MINION),) * 20
        assert sheet(replace(WICKED, companions=orcs)).luck.value == 0

    def test_what_a_scene_brings_never_breaks_a_hero(self) -> None:
        [change] = PLAY.changes(play(called("cat"), EndScene(actor="gm")).scene)
        twice = PLAY.absorb(PLAY.absorb(WICKED, change.data), change.data)
        assert len(twice.companions) == 1
        left = {**change.data, "joined": [], "left": change.data["joined"]}
        assert PLAY.absorb(PLAY.absorb(twice, left), left).companions == ()

    def test_a_change_of_earlier_days_brings_nobody(self) -> None:
        assert PLAY.absorb(WICKED, {"found": [], "lost": [], "gold": 3}).companions == ()

    def test_the_printed_card_names_them(self) -> None:
        assert SYSTEM.printable is not None
        card = SYSTEM.printable.make(sheet(home(called("cat"))), SYSTEM.content)
        assert card.companions == ("Feeney's Cat, your familiar. While it is there, your Luck is 1 less.",)
