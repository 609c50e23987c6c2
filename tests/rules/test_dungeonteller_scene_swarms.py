"""DungeonTeller's scenes: in a swarm of locusts, whatever is worn, held or lent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.moves import Attack, LookOut, Move, Try, UsePower
from services.rules.systems.dungeonteller.play.state import Scene
from tests.rules.dungeonteller_play import begun, changed, chosen, creature, offer, play, refused, turn_of
from tests.rules.dungeonteller_scenes import power

GLASSES = "dungeonteller:treasure/owl-glasses"
SCARF = "dungeonteller:treasure/silver-tongue-scarf"
LONGBOW = "dungeonteller:weapon/longbow"


def swarmed(sort: str = "locusts") -> Scene:
    """An elf with a bow, glasses and a scarf stands where a wizard has called vermin; a paladin looks on."""
    elf = chosen("elf", GLASSES, SCARF, wearing=(GLASSES, SCARF))
    at = {"wizard": (0, 0), "elf": (5, 5), "paladin": (0, 8)}
    now = begun({"wizard": "wizard", "elf": elf, "paladin": "paladin"}, creature("orc", (9, 5)), at=at)
    now = changed(now, "wizard", powers=(power("call-vermin"),))
    called = UsePower(actor="wizard", power=power("call-vermin"), squares=(Square(5, 5),), sort=sort)
    return turn_of(play(now, called, power=3).scene, "elf")


TRIED: list[tuple[Move, str]] = [
    (Attack(actor="elf", action=Action.SHOOT, target="orc-1", arm=LONGBOW), "attack"),
    (Try(actor="elf", action=Action.TALK), "try"),
    (Try(actor="elf", action=Action.NOTICE), "try"),
    (LookOut(actor="gm", being="elf"), "notice"),
    (UsePower(actor="elf", power=power("tame-animal"), targets=("wolf-1",)), "power"),
]


@pytest.mark.parametrize(("move", "roll"), TRIED, ids=["bow", "talk", "look", "secret", "tame"])
def test_locusts_leave_one_die_of_notice_shoot_and_talk_whatever_adds_to_it(move: Move, roll: str) -> None:
    now = swarmed()
    here = replace(now, beings=(*now.beings, *begun({"x": "elf"}, creature("wolf", (6, 5))).beings[1:]))
    assert play(here, move).dice()[roll] == 1
    assert play(replace(here, areas=()), move).dice()[roll] > 3


def test_lent_dice_do_not_help_against_locusts() -> None:
    now = turn_of(swarmed(), "paladin")
    cheered = turn_of(play(now, UsePower(actor="paladin", power=power("inspire")), power=2).scene, "elf")
    aimed = Attack(actor="elf", action=Action.SHOOT, target="orc-1", arm=LONGBOW, inspired=2)
    assert play(cheered, aimed).dice() == {"attack": 1}


def test_one_die_is_not_shared_between_two_foes() -> None:
    now = swarmed()
    more = begun({"x": "elf"}, creature("orc", (9, 8))).beings[1:]
    now = replace(now, beings=(*now.beings, *(replace(one, id="orc-2") for one in more)))
    both = UsePower(actor="elf", power=power("rapid-fire"), targets=("orc-1", "orc-2"), arm=LONGBOW)
    assert refused(now, both) == ("split_empty_group",)
    assert offer(now, "elf", "power:rapid-fire") is None
    assert offer(replace(now, areas=()), "elf", "power:rapid-fire") is not None


def test_the_dice_that_are_offered_are_those_that_fall() -> None:
    shown = offer(swarmed(), "elf", f"attack:shoot:{LONGBOW}")
    assert shown is not None
    assert shown.dice is not None
    assert shown.dice.value == 1
    assert shown.odds == "dungeonteller:action(1, 1)"


def test_other_actions_and_other_vermin_take_nothing() -> None:
    assert play(swarmed(), Try(actor="elf", action=Action.STUNT)).dice() == {"try": 4}
    aimed = Attack(actor="elf", action=Action.SHOOT, target="orc-1", arm=LONGBOW)
    assert play(replace(swarmed(), areas=()), aimed).dice() == {"attack": 10}
