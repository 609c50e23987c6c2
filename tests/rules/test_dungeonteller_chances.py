"""DungeonTeller's offers: the exact chance of each target, as far as the viewer may know."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.offers import filled
from services.rules.engine.play import LegalMove, Viewer
from services.rules.engine.position import Position
from services.rules.systems.dungeonteller.play.moves import Answer
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Effect,
    EffectKind,
    Reflex,
    Scene,
    Thing,
)
from tests.rules.dungeonteller_scenes import PLAY, hero, make, monster, power, scene, with_powers

GM = Viewer(gm=True)


def at_least_one(dice: int) -> Fraction:
    """The chance of a success with so many dice."""
    return 1 - Fraction(2, 3) ** dice


def beats(dice: int, against: int) -> Fraction:
    """The chance of more successes than the other side, added up over all numbers of successes."""

    def exactly(count: int, hits: int) -> Fraction:
        return comb(count, hits) * Fraction(1, 3) ** hits * Fraction(2, 3) ** (count - hits)

    return sum(
        (
            exactly(dice, own) * exactly(against, theirs)
            for own in range(dice + 1)
            for theirs in range(own)
            if theirs <= against
        ),
        Fraction(0),
    )


def offers(at: Scene, actor: str, eyes: Viewer = GM) -> dict[str, LegalMove]:
    return {offer.id: offer for offer in Position(PLAY, at).legal(actor, eyes)}


def chances(offer: LegalMove) -> dict[str, Fraction]:
    return {each.id: each.chance for each in offer.chances}


def read(offer: LegalMove, **fields: Any) -> Any:
    """The move of an offer with its fields filled in."""
    return PLAY.move_codec.read(filled(offer, {**offer.move, **fields}))


def fight(*foes: Being) -> Scene:
    return scene(with_powers(hero("warrior", (2, 2)), "knockout", "sweep", "trance"), *foes)


class TestAttacks:
    def test_each_target_has_a_chance_of_its_own_after_its_armor(self) -> None:
        at = fight(monster("orc", (3, 2), armor=0), monster("orc", (2, 3), id="orc-2", armor=4))
        offer = next(each for key, each in offers(at, "warrior").items() if key.startswith("attack:battle"))
        for target in ("orc-1", "orc-2"):
            (roll,) = make(at, read(offer, target=target)).rolls
            assert chances(offer)[f"hit:{target}"] == at_least_one(roll.dice.value)
        assert chances(offer)["hit:orc-1"] > chances(offer)["hit:orc-2"]

    def test_a_target_that_can_dodge_has_both_chances(self) -> None:
        asked = replace(monster("orc", (3, 2)), reflex=Reflex.ASK, armor=0)
        asked = replace(asked, ratings=replace(asked.ratings, stunt=3))
        at = fight(asked)
        offer = next(each for key, each in offers(at, "warrior").items() if key.startswith("attack:battle"))
        still, moving = chances(offer)["hit:orc-1"], chances(offer)["dodged:orc-1"]
        begun = make(at, read(offer, target="orc-1"))
        for answer, chance in ((False, still), (True, moving)):
            (roll,) = begun.answer(Answer(actor="orc-1", yes=answer)).rolls
            assert chance == at_least_one(roll.dice.value)
        assert moving < still

    def test_a_thing_has_no_armor(self) -> None:
        at = replace(fight(), things=(Thing(id="chest", name="a chest", at=Square(3, 2), luck=2),))
        offer = next(each for key, each in offers(at, "warrior").items() if key.startswith("attack:battle"))
        (roll,) = make(at, read(offer, target="chest")).rolls
        assert chances(offer)["hit:chest"] == at_least_one(roll.dice.value)


class TestOpposedRolls:
    @pytest.mark.parametrize(
        "slug", ["pin", "trance", "fear", "turn-to-stone", "duress", "deceive", "knockback"]
    )
    def test_a_power_is_told_against_each_target(self, slug: str) -> None:
        being = with_powers(hero("wizard", (2, 2)), slug)
        being = replace(
            being,
            ratings=replace(being.ratings, magic=4, talk=2),
            arms=tuple(replace(arm, held=False) for arm in being.arms),
            shield=False,
            luck=20,
        )
        quiet = [replace(monster("orc", (3, 2 + n), id=f"orc-{n}"), arms=()) for n in (0, 1)]
        quiet[1] = replace(quiet[1], ratings=replace(quiet[1].ratings, muscle=1, resist=1, stunt=0))
        at = scene(being, *quiet)
        offer = offers(at, "wizard")[f"power:{slug}"]
        for target in ("orc-0", "orc-1"):
            move = read(offer, targets=[target], words="...", sort="")
            dice = make(at, move).dice
            assert chances(offer)[f"win:{target}"] == beats(dice["power"], dice["against"])

    def test_successes_worked_up_count(self) -> None:
        elf = with_powers(hero("elf", (2, 2)), "trance")
        kept = Effect(
            id="effect-1", kind=EffectKind.WORKING_UP, bearer="elf", cause=power("trance"), amount=40
        )
        at = scene(elf, monster("orc", (3, 2)))
        assert chances(offers(at, "elf")["power:trance"])["win:orc-1"] < 1
        worked = replace(at, effects=(kept,))
        assert chances(offers(worked, "elf")["power:trance"])["win:orc-1"] == 1

    def test_a_knockout_is_less_what_the_foe_rolls(self) -> None:
        at = fight(monster("orc", (3, 2)))
        offer = offers(at, "warrior")["power:knockout"]
        dice = make(at, read(offer, targets=["orc-1"])).dice
        assert chances(offer)["hit:orc-1"] == beats(dice["attack"], dice["against"])

    def test_a_shared_pool_is_told_for_either_part(self) -> None:
        at = fight(monster("orc", (3, 2)), monster("orc", (2, 3), id="orc-2", armor=3))
        offer = offers(at, "warrior")["power:sweep"]
        dice = make(at, read(offer, targets=["orc-1", "orc-2"])).dice
        told = set(chances(offer).values())
        assert {at_least_one(count) for count in dice.values()} <= told

    def test_who_sneaks_is_told_of_every_watcher(self) -> None:
        at = scene(hero("rogue", (2, 2)), monster("orc", (5, 2)), monster("goblin", (6, 2)))
        offer = offers(at, "rogue")["try:sneak"]
        dice = make(at, read(offer)).dice
        for foe in ("orc-1", "goblin-1"):
            assert chances(offer)[f"win:{foe}"] == beats(dice["try"], dice[f"against:{foe}"])

    def test_holds_are_told_for_both(self) -> None:
        hold = Effect(id="effect-1", kind=EffectKind.PINNED, bearer="orc-1", source="warrior", amount=0)
        held = replace(hold, bearer="warrior", source="orc-1")
        for at, name, own, other in (
            (replace(fight(monster("orc", (3, 2))), effects=(hold,)), "squeeze", "squeeze", "against"),
            (replace(fight(monster("orc", (3, 2))), effects=(held,)), "struggle", "escape", "hold"),
        ):
            offer = offers(at, "warrior")[name]
            dice = make(at, read(offer)).dice
            assert chances(offer) == {"win:orc-1": beats(dice[own], dice[other])}


def test_an_offer_of_a_blow_names_the_weapon_that_its_chance_counts() -> None:
    at = scene(hero("paladin", (2, 2)), monster("orc", (3, 2)))
    offer = offers(at, "paladin")["power:smite"]
    (roll,) = make(at, read(offer, targets=["orc-1"])).rolls
    assert chances(offer)["hit:orc-1"] == at_least_one(roll.dice.value)
    assert offer.move["arm"]


def test_every_offer_with_dice_has_a_chance() -> None:
    at = scene(hero("elf", (2, 2)), monster("orc", (3, 2)), monster("goblin", (5, 5)))
    found = [each for each in offers(at, "elf").values() if each.dice is not None]
    assert len(found) > 5
    assert all(each.chances and all(0 <= one.chance <= 1 for one in each.chances) for each in found)


def test_a_pin_that_could_not_be_rolled_after_the_free_blow_has_no_chance() -> None:
    being = hero("warrior", (2, 2))
    being = replace(
        being,
        ratings=replace(being.ratings, muscle=2),
        arms=tuple(replace(arm, held=False) for arm in being.arms),
        shield=False,
    )
    now = scene(with_powers(being, "pin"), monster("orc", (3, 2)))
    hasty = replace(now, turn=replace(now.turn, paces=2 * being.move))
    assert chances(offers(now, "warrior")["power:pin"])
    assert chances(offers(hasty, "warrior")["power:pin"]) == {}
