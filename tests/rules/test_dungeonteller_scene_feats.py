"""DungeonTeller's scenes: a warrior's Feats of Strength, with every Muscle roll of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.steps import refusal
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.moves import (
    Answer,
    Go,
    Move,
    SetWall,
    Squeeze,
    Struggle,
    Try,
    UsePower,
)
from services.rules.systems.dungeonteller.play.state import Arm, Effect, EffectKind, Job, Scene
from tests.rules.dungeonteller_play import (
    PLAY,
    answered,
    begun,
    being,
    changed,
    creature,
    every_way,
    offer,
    play,
    refused,
    turn_of,
)
from tests.rules.dungeonteller_scenes import power

HELD = Effect(id="pinned-8", kind=EffectKind.PINNED, bearer="orc-1", source="warrior")
HOLDS = Effect(id="pinned-9", kind=EffectKind.PINNED, bearer="warrior", source="orc-1")
FEAT = 3
GATE = Job(id="gate", name="the gate", action=Action.MUSCLE, needed=6)
LOCK = Job(id="lock", name="the lock", action=Action.MAKE, needed=2)


def yard(*effects: Effect, luck: int = 10) -> Scene:
    """A warrior with empty hands beside an orc, before a wall, a gate and a lock."""
    now = begun({"warrior": "warrior"}, creature("orc", (6, 5)), at={"warrior": (5, 5)}, jobs=(GATE, LOCK))
    track = (Action.MUSCLE, Action.STUNT, Action.MUSCLE)
    now = play(now, SetWall(actor="gm", being="warrior", track=track)).scene
    arms = tuple(replace(arm, held=False) for arm in being(now, "warrior").arms)
    now = changed(now, "warrior", arms=arms, shield=False, luck=luck, max_luck=40)
    return replace(changed(now, "orc-1", arms=()), effects=effects)


def use(slug: str, *targets: str, **more: object) -> UsePower:
    return UsePower(actor="warrior", power=power(slug), targets=targets, **more)  # type: ignore[arg-type]


MOVES: dict[str, tuple[Move, tuple[Effect, ...], str, int]] = {
    "climb": (use("climb"), (), "power", 5),
    "jump": (use("jump"), (), "power", 5),
    "knockback": (use("knockback", "orc-1"), (), "power", 5),
    "pin": (use("pin", "orc-1"), (), "power", 8),
    "squeeze": (Squeeze(actor="warrior"), (HELD,), "squeeze", 5),
    "break free": (Struggle(actor="warrior"), (HOLDS,), "escape", 8),
    "run": (Go(actor="warrior", to=Square(5, 11), run=True), (), "run", 8),
    "job": (Try(actor="warrior", action=Action.MUSCLE, job="gate"), (), "try", 5),
    "lift": (Try(actor="warrior", action=Action.MUSCLE, words="lift the orc"), (), "try", 5),
    "throw far": (Try(actor="warrior", action=Action.SHOOT, far=True), (), "far", 5),
}
NEVER: dict[str, tuple[Move, tuple[Effect, ...]]] = {
    "lock": (Try(actor="warrior", action=Action.MAKE, job="lock"), ()),
    "throw": (Try(actor="warrior", action=Action.SHOOT), ()),
    "parry": (use("parry"), ()),
    "walk": (Go(actor="warrior", to=Square(4, 5)), ()),
    "thorns": (Struggle(actor="warrior"), (Effect(id="c-1", kind=EffectKind.CAUGHT, bearer="warrior"),)),
}


def with_feat(move: Move, feat: int = FEAT) -> Move:
    return replace(move, feat=feat)  # type: ignore[arg-type]


@pytest.mark.parametrize(("move", "effects", "roll", "dice"), MOVES.values(), ids=MOVES)
class TestEveryMuscleRoll:
    def test_each_luck_is_a_die_more(
        self, move: Move, effects: tuple[Effect, ...], roll: str, dice: int
    ) -> None:
        now = yard(*effects, luck=20)
        plain, feat = play(now, move), play(now, with_feat(move))
        assert plain.dice() == {**plain.dice(), roll: dice}
        assert feat.dice() == {**plain.dice(), roll: dice + FEAT}
        assert luck(feat.scene) == luck(plain.scene) - FEAT

    def test_the_dice_are_cut_to_the_luck_before_it_is_paid(
        self, move: Move, effects: tuple[Effect, ...], roll: str, dice: int
    ) -> None:
        made = play(yard(*effects, luck=6), with_feat(move), **{roll: 1})
        assert made.dice()[roll] == 6
        assert luck(made.scene) == 3

    def test_who_has_no_such_power_or_luck_is_refused(
        self, move: Move, effects: tuple[Effect, ...], roll: str, dice: int
    ) -> None:
        assert refused(without_power(yard(*effects)), with_feat(move)) == ("power_unknown",)
        assert refused(yard(*effects, luck=2), with_feat(move)) == ("not_enough_luck",)
        assert refused(yard(*effects), with_feat(move, -1)) == ("luck_out_of_range",)


@pytest.mark.parametrize(("move", "effects"), NEVER.values(), ids=NEVER)
def test_other_rolls_take_no_feat(move: Move, effects: tuple[Effect, ...]) -> None:
    assert refused(yard(*effects), with_feat(move)) == ("feat_needs_muscle",)


def test_a_step_that_asks_for_stunt_takes_no_feat() -> None:
    up = play(yard(), use("climb"), power=1).scene
    assert refused(turn_of(up, "warrior"), with_feat(use("climb"))) == ("feat_needs_muscle",)
    shown = offer(turn_of(up, "warrior"), "warrior", "power:climb")
    assert shown is not None
    assert "feat" not in [field.name for field in shown.fields]


def test_what_the_dice_of_a_feat_do_counts() -> None:
    thrown = play(yard(), with_feat(use("knockback", "orc-1")), power=8)
    assert being(thrown.scene, "orc-1").at == Square(14, 5)
    forced = play(yard(), with_feat(Try(actor="warrior", action=Action.MUSCLE, job="gate")), **{"try": 6})
    assert [job.total for job in forced.scene.jobs] == [6, 0]


def test_a_grab_is_paid_for_when_it_comes_with_the_luck_the_free_blow_has_left() -> None:
    sword = Arm(id="sword", name="Sword", dice=0, hands=0, use=(Action.BATTLE,), natural=True, held=True)
    now = changed(yard(luck=4), "orc-1", arms=(sword,))
    now = changed(now, "warrior", armor=0)
    lunged = play(now, with_feat(use("pin", "orc-1")), lunge=2)
    assert luck(lunged.scene) == 2
    grabbed = answered(lunged, Answer(actor="warrior"), power=2)
    assert luck(grabbed.scene) == 0
    assert grabbed.scene.has("orc-1", EffectKind.PINNED)
    assert any(part.source == "feat of strength, 2 Luck" for part in grabbed.rolls[0].dice.parts)


def test_a_feat_by_itself_is_paid_once() -> None:
    lifted = play(yard(), use("feat-of-strength", luck=2, job="gate"), power=3)
    assert lifted.dice() == {"power": 7}
    assert luck(lifted.scene) == 8
    assert refused(yard(), use("feat-of-strength", luck=2, feat=1)) == ("luck_out_of_range",)


ALWAYS = {"job:gate", "try:muscle", "power:knockback"}
OFFERED = {
    "free": ((), {*ALWAYS, "power:climb", "power:jump", "power:pin", "run"}),
    "holding": ((HELD,), {*ALWAYS, "power:climb", "power:jump", "squeeze", "run"}),
    "held": ((HOLDS,), {*ALWAYS, "power:pin", "struggle"}),
}


@pytest.mark.parametrize(("effects", "ids"), OFFERED.values(), ids=OFFERED)
def test_every_feat_that_is_offered_can_be_made(effects: tuple[Effect, ...], ids: set[str]) -> None:
    now = yard(*effects, luck=5)
    asked = [one for one in PLAY.legal(now, "warrior") if "feat" in [field.name for field in one.fields]]
    assert {one.id for one in asked} == ids
    for shown in asked:
        [field] = [field for field in shown.fields if field.name == "feat"]
        assert (field.least, field.most) == (0, 5)
        for move in every_way(shown):
            assert refusal(PLAY, now, move) is None, shown.id


def test_nobody_else_is_asked_about_feats() -> None:
    for shown in PLAY.legal(without_power(yard()), "warrior"):
        assert "feat" not in [field.name for field in shown.fields]


def without_power(now: Scene) -> Scene:
    powers = tuple(one for one in being(now, "warrior").powers if one != power("feat-of-strength"))
    return changed(now, "warrior", powers=powers)


def luck(now: Scene) -> int:
    found = being(now, "warrior").luck
    assert found is not None
    return found
