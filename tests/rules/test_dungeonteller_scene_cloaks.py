"""DungeonTeller's scenes: how long an elf's cloak lasts (Elf / Cloak)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.moves import (
    Attack,
    Dismiss,
    Drink,
    EndTurn,
    Give,
    Go,
    LookOut,
    Move,
    Rest,
    Squeeze,
    Struggle,
    Take,
    Try,
    UsePower,
    Wield,
)
from services.rules.systems.dungeonteller.play.state import Effect, EffectKind, Scene, Thing
from tests.rules.dungeonteller_play import GM, begun, being, creature, play, turn_of
from tests.rules.dungeonteller_scenes import power

LONGBOW = "dungeonteller:weapon/longbow"
TEA = "dungeonteller:treasure/berry-tea"


def cloaked(*effects: Effect, **changes: object) -> Scene:
    """An elf who has cast a cloak and whose turn it is again; an orc stands beside them, another far away."""
    things = (
        Thing(id="tea", name="Berry Tea", item=TEA, holder="elf"),
        Thing(id="ball", name="a ball", at=Square(5, 4)),
    )
    now = begun(
        {"elf": "elf", "rogue": "rogue"},
        creature("orc", (6, 5), (12, 5)),
        at={"elf": (5, 5), "rogue": (5, 6)},
        things=things,
    )
    now = play(now, UsePower(actor="elf", power=power("cloak")), power=3).scene
    return replace(turn_of(now, "elf"), effects=(*now.effects, *effects), **changes)  # type: ignore[arg-type]


def is_cloaked(now: Scene) -> bool:
    return now.has("elf", EffectKind.CLOAKED)


HOLDS = Effect(id="pinned-8", kind=EffectKind.PINNED, bearer="orc-1", source="elf")
HELD = Effect(id="pinned-9", kind=EffectKind.PINNED, bearer="elf", source="orc-1")
CAUGHT = Effect(id="caught-9", kind=EffectKind.CAUGHT, bearer="elf")

ENDING: dict[str, tuple[Move, tuple[Effect, ...]]] = {
    "squeeze": (Squeeze(actor="elf"), (HOLDS,)),
    "break free": (Struggle(actor="elf"), (HELD,)),
    "out of thorns": (Struggle(actor="elf"), (CAUGHT,)),
    "tear free": (Struggle(actor="elf", tear=True), (CAUGHT,)),
    "look round": (Try(actor="elf", action=Action.NOTICE), ()),
    "lift": (Try(actor="elf", action=Action.MUSCLE), ()),
    "make": (Try(actor="elf", action=Action.MAKE), ()),
    "talk": (Try(actor="elf", action=Action.TALK), ()),
    "tumble": (Try(actor="elf", action=Action.STUNT), ()),
    "throw": (Try(actor="elf", action=Action.SHOOT), ()),
    "shoot": (Attack(actor="elf", action=Action.SHOOT, target="orc-2", arm=LONGBOW), ()),
    "cast": (UsePower(actor="elf", power=power("trance"), targets=("orc-1",)), ()),
    "work up": (UsePower(actor="elf", power=power("trance"), work_up=True), ()),
    "jump": (UsePower(actor="elf", power=power("jump")), ()),
    "drink": (Drink(actor="elf", thing="tea"), ()),
    "take": (Take(actor="elf", thing="ball"), ()),
    "give": (Give(actor="elf", thing="tea", to="rogue"), ()),
    "walk": (Go(actor="elf", to=Square(4, 5)), ()),
    "run": (Go(actor="elf", to=Square(5, 11), way=(), run=True), ()),
}
LASTING: dict[str, tuple[Move, tuple[Effect, ...]]] = {
    "sneak": (Try(actor="elf", action=Action.SNEAK), ()),
    "resist": (Try(actor="elf", action=Action.RESIST), ()),
    "rest": (Rest(actor="elf"), ()),
    "wait": (EndTurn(actor="elf"), ()),
    "put away": (Wield(actor="elf", arms=()), ()),
    "glow": (UsePower(actor="elf", power=power("starlight")), ()),
    "let go": (Dismiss(actor="elf", what="pinned-8"), (HOLDS,)),
    "be on the look-out": (LookOut(actor="gm", being="elf"), ()),
}


@pytest.mark.parametrize(("move", "effects"), ENDING.values(), ids=ENDING)
def test_whatever_is_done_ends_it(move: Move, effects: tuple[Effect, ...]) -> None:
    before = cloaked(*effects)
    assert is_cloaked(before)
    made = play(before, move)
    assert not is_cloaked(made.scene)
    assert not is_cloaked(play(turn_of(made.scene, "orc-2"), EndTurn(actor="orc-2")).scene)


@pytest.mark.parametrize(("move", "effects"), LASTING.values(), ids=LASTING)
def test_what_is_no_doing_and_sneaking_with_its_dice_leave_it(
    move: Move, effects: tuple[Effect, ...]
) -> None:
    assert is_cloaked(play(cloaked(*effects), move).scene)


def test_its_dice_are_those_of_sneaking_and_gone_with_it() -> None:
    sneak = Try(actor="elf", action=Action.SNEAK)
    assert play(cloaked(), sneak).dice()["try"] == 5
    looked = play(cloaked(), Try(actor="elf", action=Action.NOTICE)).scene
    assert play(turn_of(looked, "elf"), sneak).dice()["try"] == 2


def test_looking_round_from_a_hiding_place_does_not_give_it_away() -> None:
    hidden = play(cloaked(), Try(actor="elf", action=Action.SNEAK), **{"try": 2}).scene
    assert being(hidden, "elf").hidden == 2
    looked = play(turn_of(hidden, "elf"), Try(actor="elf", action=Action.NOTICE)).scene
    assert being(looked, "elf").hidden == 2


def test_who_squeezes_a_foe_is_seen_again() -> None:
    hidden = play(cloaked(HOLDS), Try(actor="elf", action=Action.SNEAK), **{"try": 2}).scene
    squeezed = play(turn_of(hidden, "elf"), Squeeze(actor="elf"))
    assert being(squeezed.scene, "elf").hidden is None
    assert "Mallion squeezes Orc 1: 0." in squeezed.told(GM)


def test_invisibility_lasts_its_turns_whatever_is_done() -> None:
    unseen = Effect(id="invisible-7", kind=EffectKind.INVISIBLE, bearer="elf", amount=8)
    shot = Attack(actor="elf", action=Action.SHOOT, target="orc-2", arm=LONGBOW)
    assert play(cloaked(unseen), shot).scene.has("elf", EffectKind.INVISIBLE)
