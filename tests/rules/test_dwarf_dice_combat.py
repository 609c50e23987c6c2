"""Combat: choices, dice, powers in their order, defeat and victory."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from services.rules.engine.play import GM
from services.rules.engine.steps import Run
from services.rules.systems.dwarf_dice.catalog import PowerEffect
from services.rules.systems.dwarf_dice.combat import blow, guards, hits
from services.rules.systems.dwarf_dice.play.facts import Declined
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.settings import DieFaces, HouseRules, ShrinkRay
from tests.rules.dwarf_dice_games import PLAY, Game, item


def test_the_books_example_is_three_hits_against_two_blocks() -> None:
    game = Game("grim", "bron")
    game.armed(grim="greataxe", bron="buckler pauldrons")
    game.fight("grim", "bron", "greataxe", "buckler pauldrons", {"attack": "MMMWN", "defence": "WWMMNN"})
    assert game.refused("Block", "bron", dice=["die-1", "die-3"]) == ("die_cannot_block",)
    assert game.refused("Block", "bron", dice=["die-1", "die-1"]) == ("die_blocks_twice",)
    assert game.refused("Block", "grim", dice=["die-1"]) == ("move_waits",)
    game.block("bron", "die-1", "die-2")
    assert (game.left("grim"), game.left("bron")) == (6, 5)
    assert game.hand("grim") == game.hand("bron") == []
    assert game.state.stock[item("greataxe")] == 1
    assert game.state.turn == "bron"


def test_an_attacking_alchemy_strikes_at_once_and_a_blocking_one_strikes_back() -> None:
    game = Game("gor", "belinda")
    game.armed(gor="longsword", belinda="helm")
    game.fight("gor", "belinda", "longsword", "helm")
    game.move("Decline", "gor", dice={"attack": "AMN", "defence": "WA"})
    assert game.left("belinda") == 5
    game.block("belinda", "die-2")
    assert (game.left("gor"), game.left("belinda")) == (5, 4)


def test_no_more_dice_block_than_strike_and_none_have_to() -> None:
    game = Game("gor", "bron")
    game.armed(gor="hatchet", bron="helm")
    game.fight("gor", "bron", "hatchet", "helm")
    game.move("Decline", "gor", dice={"attack": "MN", "defence": "WW"})
    assert game.refused("Block", "bron", dice=["die-1", "die-2"]) == ("blocks_too_many",)
    game.block("bron")
    assert game.left("bron") == 5


def test_a_table_may_have_the_defender_block_all_they_can() -> None:
    game = Game("gor", "bron", house=HouseRules(free_blocks=False))
    game.armed(gor="hatchet", bron="helm")
    game.fight("gor", "bron", "hatchet", "helm")
    game.move("Decline", "gor", dice={"attack": "MN", "defence": "WW"})
    assert game.refused("Block", "bron", dice=[]) == ("blocks_too_few",)
    game.block("bron", "die-2")
    assert game.left("bron") == 6


def test_choices_are_of_ones_side_in_hand_and_six_dice_at_most() -> None:
    game = Game("gor", "bron")
    game.armed(gor="greataxe hatchet dagger buckler", bron="helm")
    game.move("Challenge", "gor", target="bron")
    for cards, codes in (
        (["greataxe", "hatchet"], ("cards_too_many",)),
        ([], ("card_missing",)),
        (["buckler"], ("card_of_other_side",)),
        (["dagger", "dagger"], ("card_not_in_hand",)),
        (["longsword"], ("card_not_in_hand",)),
        (["no-such-card"], ("card_not_in_hand",)),
    ):
        assert game.refused("ChooseCards", "gor", cards=[item(name) for name in cards]) == codes
    game.move("ChooseCards", "gor", cards=[item("greataxe"), item("dagger")])
    assert game.asked() == {"bron": "defence"}
    assert game.refused("ChooseCards", "gor", cards=[item("dagger")]) == ("move_waits",)
    game.move("ChooseCards", "bron", cards=[item("helm")])
    assert game.state.engaged().revealed
    assert game.asked() == {"gor": "assault"}
    assert game.refused("ChooseCards", "bron", cards=[]) == ("move_waits",)
    assert game.refused("ChooseCards", "gor", cards=[]) == ("not_offered",)
    assert game.refused("Craft", "gor") == ("not_offered",)
    assert game.refused("Craft", "bron") == ("move_waits",)


def test_whose_open_hand_leaves_nothing_to_choose_is_not_asked() -> None:
    game = Game("gor", "bron")
    game.armed(gor="hatchet javelin", bron="dagger")
    made = game.move("Challenge", "gor", target="bron")
    assert game.asked() == {"gor": "attack"}
    assert made.rolls == ()
    game = Game("gor", "bron")
    game.armed(gor="hatchet", bron="helm")
    game.move("Challenge", "gor", target="bron")
    assert game.asked() == {"bron": "defence"}
    game = Game("gor", "bron")
    game.armed(gor="hatchet", bron="dagger")
    game.move("Challenge", "gor", target="bron", dice={"attack": "NN"})
    assert game.state.turn == "bron"


def test_who_holds_only_cards_too_dear_for_a_combat_cannot_call_anybody_out() -> None:
    game = Game("gor", "bron", house=HouseRules(most_value=4))
    game.armed(gor="greataxe", bron="helm")
    assert game.refused("Challenge", "gor", target="bron") == ("no_offence",)
    assert [offer.id for offer in game.offers("gor")] == ["craft"]


def test_the_lowest_cannot_be_called_out() -> None:
    game = Game("gor", "bron", "grim")
    game.armed(gor="hatchet", bron="hatchet", grim="falchion")
    game.fight("gor", "bron", "hatchet", dice={"attack": "MN"})
    assert game.refused("Challenge", "bron", target="bron") == ("unknown_target",)
    game.fight("bron", "grim", "hatchet", dice={"attack": "NN"})
    assert game.refused("Challenge", "grim", target="bron") == ("target_lowest",)
    assert game.refused("Challenge", "grim", target="nobody") == ("unknown_target",)
    game.fight("grim", "gor", "falchion", dice={"attack": "NNN"})


def test_who_is_lowest_alone_may_call_out_anybody_unless_the_attacker_does_not_count() -> None:
    for counts, codes in ((True, ()), (False, ("target_lowest",))):
        house = HouseRules(attacker_counts_for_lowest=counts)
        game = Game("gor", "bron", "grim", house=house)
        game.armed(gor="hatchet", bron="hatchet longsword", grim="falchion")
        game.fight("gor", "bron", "hatchet", dice={"attack": "MM"})
        game.fight("bron", "gor", "hatchet", dice={"attack": "MN"})
        game.craft("grim", "MMMMWWWWW")
        game.craft("gor", "MMMMWWWWW")
        # Bron stands at 4, Gor at 5, Grim at 6.
        if codes:
            assert game.refused("Challenge", "bron", target="gor") == codes
        game.fight("bron", "grim" if codes else "gor", "longsword", dice={"attack": "NNN"})


def test_furious_assault_comes_after_the_reveal_and_before_the_roll() -> None:
    game = Game("gor", "bron")
    game.armed(gor="hatchet dagger", bron="pauldrons")
    assert game.refused("FuriousAssault", "gor") == ("assault_too_early",)
    game.move("Challenge", "gor", target="bron")
    assert game.refused("FuriousAssault", "gor") == ("assault_too_early",)
    game.move("ChooseCards", "gor", cards=[item("dagger"), item("hatchet")])
    made = game.move("ChooseCards", "bron", cards=[item("pauldrons")])
    assert made.rolls == ()
    assert game.asked() == {"gor": "assault"}
    assert game.refused("FuriousAssault", "bron") == ("move_waits",)
    game.move("FuriousAssault", "gor", dice={"attack": "MMM", "defence": "WWW"})
    assert game.asked() == {"bron": "block"}
    assert game.refused("FuriousAssault", "gor") == ("move_waits",)
    assert game.refused("FuriousAssault", "bron") == ("power_not_theirs",)
    assert not game.state.fighter("gor").power_left


def test_furious_assault_is_used_once_in_a_game() -> None:
    game = Game("gor", "bron")
    game.armed(gor="hatchet dagger", bron="pauldrons helm dagger")
    game.fight("gor", "bron", "hatchet", "pauldrons")
    game.move("FuriousAssault", "gor", dice={"attack": "NN", "defence": "WWWW"})
    game.fight("bron", "gor", "dagger", dice={"attack": "N"})
    assert game.refused("FuriousAssault", "gor") == ("assault_too_early",)
    game.move("Challenge", "gor", target="bron")
    assert game.asked() == {"bron": "defence"}
    game.move("ChooseCards", "bron", cards=[item("helm")], dice={"attack": "M", "defence": "WN"})
    assert game.asked() == {"bron": "block"}


def test_furious_assault_is_for_attackers() -> None:
    game = Game("bron", "gor")
    game.armed(bron="longsword", gor="helm")
    game.fight("bron", "gor", "longsword", "helm", {"attack": "MMM", "defence": "WW"})
    assert game.asked() == {"gor": "block"}
    assert game.refused("FuriousAssault", "gor") == ("not_attacking",)


def test_furious_assault_is_not_asked_for_against_no_cards() -> None:
    game = Game("gor", "bron")
    game.armed(gor="hatchet", bron="helm")
    game.fight("gor", "bron", "hatchet", "", {"attack": "NN"})
    assert game.state.turn == "bron"
    assert game.state.fighter("gor").power_left


def test_furious_assault_takes_no_more_dice_than_there_are() -> None:
    game = Game("gor", "bron")
    game.armed(gor="hatchet dagger javelin", bron="helm")
    game.fight("gor", "bron", "hatchet dagger javelin", "helm")
    game.move("FuriousAssault", "gor", dice={"attack": "MMMWW"})
    assert game.left("bron") == 3


@pytest.mark.parametrize(
    ("shrink", "dice"),
    [(ShrinkRay.REVEALED, ("MMM", "WWW")), (ShrinkRay.ROLLED, ("MM", "WWW"))],
)
def test_shrink_ray_compares_what_was_revealed_unless_the_table_says_otherwise(
    shrink: ShrinkRay, dice: tuple[str, str]
) -> None:
    game = Game("gor", "belinda", house=HouseRules(shrink_ray=shrink))
    game.armed(gor="longsword", belinda="tower-shield buckler")
    game.fight("gor", "belinda", "longsword", "tower-shield buckler")
    made = game.move("FuriousAssault", "gor", dice=dict(zip(("attack", "defence"), dice, strict=True)))
    assert [roll.dice.value for roll in made.rolls] == [len(each) for each in dice]


def test_shrink_ray_works_both_ways_and_every_time() -> None:
    game = Game("bron", "belinda")
    game.armed(bron="longsword hatchet", belinda="kite-shield helm javelin")
    game.fight("bron", "belinda", "longsword", "kite-shield", {"attack": "WW", "defence": "NNN"})
    game.armed(bron="gauntlet")
    game.fight("belinda", "bron", "javelin", "gauntlet", {"attack": "WW", "defence": "N"})
    game.fight("bron", "belinda", "hatchet", "helm", {"attack": "W", "defence": "NN"})
    assert game.state.turn == "belinda"


def test_forges_fury_sets_the_attackers_alchemy_aside() -> None:
    game = Game("gor", "bron")
    game.armed(gor="longsword", bron="helm")
    assert game.refused("ForgesFury", "bron") == ("not_own_combat",)
    game.move("Challenge", "gor", target="bron")
    assert game.refused("ForgesFury", "bron") == ("fury_too_early",)
    game.move("ChooseCards", "bron", cards=[item("helm")])
    game.move("Decline", "gor", dice={"attack": "AAM", "defence": "NN"})
    assert game.asked() == {"bron": "fury"}
    assert game.left("bron") == 6
    game.move("ForgesFury", "bron")
    assert game.left("bron") == 5
    assert not game.state.fighter("bron").power_left


def test_forges_fury_sets_the_defenders_alchemy_aside() -> None:
    game = Game("bron", "gor")
    game.armed(bron="longsword", gor="helm")
    game.fight("bron", "gor", "longsword", "helm", {"attack": "MMW", "defence": "AA"})
    game.move("ForgesFury", "bron")
    assert (game.left("bron"), game.left("gor")) == (6, 4)


def test_forges_fury_is_not_asked_for_without_alchemy() -> None:
    game = Game("bron", "gor")
    game.armed(bron="longsword", gor="helm")
    game.fight("bron", "gor", "longsword", "helm", {"attack": "AMW", "defence": "WW"})
    assert game.asked() == {"gor": "block"}
    assert game.refused("ForgesFury", "bron") == ("move_waits",)


def test_forges_fury_comes_too_late_once_the_damage_is_done() -> None:
    game = Game("gor", "bron")
    game.armed(gor="longsword", bron="helm")
    game.fight("gor", "bron", "longsword", "helm")
    game.move("Decline", "gor", dice={"attack": "MMW", "defence": "WW"})
    assert game.asked() == {"bron": "block"}
    assert game.refused("ForgesFury", "bron") == ("fury_too_late",)


def test_forges_fury_is_not_asked_for_against_alchemy_that_has_nothing_to_block() -> None:
    """A defending Alchemy does something only where a die strikes; an attacking one always does."""
    game = Game("bron", "gor")
    game.armed(bron="longsword", gor="helm")
    game.fight("bron", "gor", "longsword", "helm", {"attack": "WNN", "defence": "AA"})
    assert (game.at.asks, game.state.turn) == ((), "gor")
    assert (game.left("bron"), game.left("gor")) == (6, 6)
    assert game.state.fighter("bron").power_left
    game = Game("gor", "bron")
    game.armed(gor="dagger", bron="helm")
    game.fight("gor", "bron", "dagger", "helm")
    game.move("Decline", "gor", dice={"attack": "A", "defence": "WW"})
    assert game.asked() == {"bron": "fury"}


def endings(attack: str, defence: str, fury: str) -> set[tuple[int, int]]:
    """What every way of blocking does to defender and attacker, with one side's Alchemy set aside."""
    crits, counters = fury != "defender", fury != "attacker"
    dice = (tuple(map(Resource, attack)), tuple(map(Resource, defence)))
    struck = len(hits(dice[0], alchemy=crits))
    able = guards(dice[1], alchemy=counters)
    found = set()
    for number in range(min(struck, len(able)) + 1):
        for places in combinations(able, number):
            came = blow(*dice, places, crits=crits, counters=counters)
            found.add((came.to_defender, came.counters))
    return found


@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_the_window_of_forges_fury_opens_where_it_can_change_something_and_nowhere_else(side: str) -> None:
    names = ("bron", "gor") if side == "attacker" else ("gor", "bron")
    game = Game(*names)
    game.armed(**{names[0]: "hatchet", names[1]: "helm"})
    game.move("Challenge", names[0], target=names[1])
    last = {"kind": "ChooseCards", "actor": names[1], "cards": [item("helm")]}
    if side == "defender":
        game.enter(last, {})
        last = {"kind": "Decline", "actor": "gor"}
    revealed = game.at
    for attack in map("".join, product("MWAN", repeat=2)):
        for defence in map("".join, product("MWAN", repeat=2)):
            game.at = revealed
            game.enter(last, {"attack": attack, "defence": defence})
            changes = endings(attack, defence, side) != endings(attack, defence, "")
            assert (game.asked() == {"bron": "fury"}) is changes, (attack, defence)


def test_fiery_rebuke_answers_damage_to_who_was_attacked() -> None:
    game = Game("bron", "grim")
    game.armed(bron="hatchet dagger", grim="dagger")
    game.fight("bron", "grim", "hatchet", dice={"attack": "MN"})
    assert game.asked() == {"grim": "rebuke"}
    assert game.refused("FieryRebuke", "bron") == ("move_waits",)
    game.move("FieryRebuke", "grim", dice={"rebuke": "W"})
    assert game.left("bron") == 6
    game.fight("grim", "bron", "dagger", dice={"attack": "N"})
    game.fight("bron", "grim", "dagger", dice={"attack": "N"})
    assert (game.at.asks, game.state.turn) == ((), "grim")
    assert game.refused("FieryRebuke", "grim") == ("nothing_asked",)
    assert game.refused("FieryRebuke", "bron") == ("power_not_theirs",)


def test_fiery_rebuke_counts_crits_and_may_be_left_out() -> None:
    game = Game("bron", "grim")
    game.armed(bron="dagger", grim="buckler")
    game.fight("bron", "grim", "dagger", "buckler", {"attack": "A", "defence": "W"})
    game.block("grim", "die-1")
    assert (game.left("grim"), game.asked()) == (5, {"grim": "rebuke"})
    made = game.move("Decline", "grim")
    assert made.events[0] == Declined(fighter="grim", power=PowerEffect.FIERY_REBUKE)
    assert PLAY.tell(game.state, made.events[0]) == "Grim Undermine does not rebuke."
    assert game.left("bron") == 6


@pytest.mark.parametrize(("before", "winner"), [(True, "bron"), (False, "bron")])
def test_rebuke_before_the_defeat_check_is_a_setting(before: bool, winner: str) -> None:
    game = Game("bron", "grim", house=HouseRules(rebuke_before_defeat=before, endurance=1))
    game.armed(bron="dagger")
    game.fight("bron", "grim", "dagger", dice={"attack": "M"})
    if before:
        game.move("FieryRebuke", "grim", dice={"rebuke": "M"})
        assert game.state.out() == ("bron", "grim")
    else:
        assert game.state.out() == ("grim",)
    assert PLAY.outcome(game.state).winners == (winner,)


def test_the_attacker_may_fall_to_counters_alone() -> None:
    game = Game("gor", "bron", house=HouseRules(endurance=1))
    game.armed(gor="hatchet", bron="helm dagger")
    game.fight("gor", "bron", "hatchet", "helm")
    game.move("Decline", "gor", dice={"attack": "MN", "defence": "AN"})
    game.block("bron", "die-1")
    assert PLAY.outcome(game.state).winners == ("bron",)
    assert "last champion" in PLAY.outcome(game.state).text


def test_when_two_of_three_fall_together_the_third_wins() -> None:
    game = Game("gor", "bron", "grim", house=HouseRules(endurance=1))
    game.armed(gor="hatchet dagger", bron="helm dagger")
    game.fight("gor", "bron", "hatchet dagger", "helm")
    game.move("Decline", "gor", dice={"attack": "MMN", "defence": "AN"})
    game.block("bron", "die-1")
    assert game.state.out() == ("gor", "bron")
    assert PLAY.outcome(game.state).winners == ("grim",)
    assert [change.data["won"] for change in PLAY.changes(game.state)] == [False, False, True]


@pytest.mark.parametrize("returns", [True, False])
def test_the_hand_of_the_defeated_goes_back_to_the_armory_or_out_of_the_game(returns: bool) -> None:
    house = HouseRules(endurance=1, fallen_hand_returns=returns)
    game = Game("gor", "bron", "grim", house=house)
    game.armed(gor="dagger", bron="greataxe")
    game.fight("gor", "bron", "dagger", dice={"attack": "M"})
    assert game.state.stock[item("greataxe")] == int(returns)
    assert game.state.lost == (() if returns else (item("greataxe"),))
    assert game.state.turn == "grim"
    assert game.state.fighter("gor").felled == 1


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    game = Game("gor", "bron")
    assert game.refused("CallOff", "gor") == ("not_yours",)
    game.move("CallOff", GM)
    assert PLAY.outcome(game.state).ended
    assert PLAY.changes(game.state) == ()
    assert game.refused("Craft", "gor") == ("scene_over",)
    assert PLAY.legal(game.state, "gor") == PLAY.legal(game.state, GM) == ()


def test_dice_of_other_faces_are_rolled_as_plain_ones() -> None:
    game = Game("gor", "bron", house=HouseRules(faces=DieFaces(metal=4, wood=3, alchemy=2, null=1)))
    move = PLAY.move_codec.read({"kind": "Craft", "actor": "gor"})
    (roll,) = Run(PLAY, game.state, move).rolls
    assert (roll.sides, roll.die, roll.odds, roll.notation) == (10, "", "", "9d10")
    (usual,) = Run(PLAY, Game("gor", "bron").state, move).rolls
    assert (usual.sides, usual.notation, usual.odds) == (6, "9dresource", "dwarf_dice:hoard(9)")


def test_an_attack_may_come_without_cards_where_the_table_allows_it() -> None:
    game = Game("gor", "bron", house=HouseRules(attack_needs_card=False))
    game.armed(gor="dagger")
    game.move("Challenge", "gor", target="bron")
    game.move("ChooseCards", "gor", cards=[])
    assert game.state.turn == "bron"
    assert game.hand("gor") == ["dagger"]


def test_all_that_can_must_block_at_some_tables_and_then_nobody_is_asked() -> None:
    game = Game("grim", "gor", house=HouseRules(free_blocks=False))
    game.armed(grim="longsword", gor="helm")
    game.fight("grim", "gor", "longsword", "helm", {"attack": "MMM", "defence": "WA"})
    assert (game.left("grim"), game.left("gor")) == (5, 5)
    assert game.state.turn == "gor"
