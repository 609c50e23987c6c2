"""What lasts: what it adds and forbids, when it ends, and what it does in its windows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.effects import (
    Duration,
    Effect,
    EffectRule,
    LetGo,
    Moment,
    RoundEnded,
    Stacking,
    Triggered,
    TurnBegan,
    TurnEnded,
    Until,
    Used,
    counted,
    counted_down,
    ending,
    forbidden,
    going_on,
    on,
    over,
    parts,
    tagged,
)
from services.rules.engine.explain import Part

RULES = {
    rule.id: rule
    for rule in (
        EffectRule(id="x:effect/blessed", name="blessed", rule="Blessings", adds={"strike": 1, "guard": 2}),
        EffectRule(
            id="x:effect/drunk",
            name="drunk",
            rule="Ale",
            adds={"strike": -1},
            tags=("merry",),
            stacking=Stacking.HIGHEST,
        ),
        EffectRule(
            id="x:effect/held-fast", name="held fast", rule="Nets", forbids=("move",), ends=("cut_free",)
        ),
        EffectRule(id="x:effect/asleep", name="asleep", rule="Sleep", forbids=("*",), ends=("hurt", "woken")),
        EffectRule(
            id="x:effect/shield", name="shielded", rule="Shields", adds={"guard": 1}, stacking=Stacking.ONCE
        ),
    )
}


def effect(kind: str, bearer: str = "anna", **more: Any) -> Effect:
    more.setdefault("id", f"{kind}:{bearer}")
    return Effect(kind=f"x:effect/{kind}", bearer=bearer, **more)


def values(*effects: Effect, quantity: str = "strike") -> list[int]:
    return [part.value for part in parts(effects, RULES, "anna", quantity)]


def test_effects_add_parts_to_what_their_rule_names_for_their_bearer_alone() -> None:
    blessed = effect("blessed")
    assert parts((blessed,), RULES, "anna", "guard") == (Part(2, "Blessed", "Blessings"),)
    assert parts((blessed,), RULES, "ben", "guard") == ()
    assert parts((blessed,), RULES, "anna", "run") == ()
    assert values(effect("blessed", amount=3)) == [3]
    assert values(effect("blessed", amount=0)) == []


def test_several_of_a_kind_add_up_as_their_rule_says() -> None:
    blessings = (effect("blessed", id="1"), effect("blessed", id="2", amount=2))
    assert values(*blessings) == [1, 2]
    ales = (effect("drunk", id="1", amount=3), effect("drunk", id="2", amount=1))
    assert values(*ales) == [-1]
    shields = (effect("shield", id="1"), effect("shield", id="2", amount=5))
    assert values(*shields, quantity="guard") == [1]
    assert values(*blessings, *ales) == [1, 2, -1]


def test_what_is_forbidden_is_told_with_its_rule() -> None:
    held, asleep = effect("held-fast"), effect("asleep")
    problem = forbidden((held,), RULES, "anna", "move", "Anna")
    assert problem is not None
    assert (problem.code, problem.message, problem.rule) == ("held_fast", "Anna is held fast.", "Nets")
    assert forbidden((held,), RULES, "anna", "talk", "Anna") is None
    assert forbidden((held,), RULES, "ben", "move", "Ben") is None
    first = forbidden((asleep, held), RULES, "anna", "move", "Anna")
    assert first is not None and first.code == "asleep"


def test_tags_and_kinds_are_found_on_their_bearer() -> None:
    ale = effect("drunk")
    assert tagged((ale,), RULES, "anna", "merry") and not tagged((ale,), RULES, "ben", "merry")
    assert on((ale, effect("asleep")), "anna", "x:effect/drunk") == (ale,)
    assert len(on((ale, effect("asleep")), "anna")) == 2


@pytest.mark.parametrize(
    ("lasts", "moment", "over"),
    [
        (Duration(), TurnEnded("anna"), False),
        (Duration(Until.NEXT_TURN, "anna"), TurnBegan("anna"), True),
        (Duration(Until.NEXT_TURN, "anna"), TurnBegan("ben"), False),
        (Duration(Until.NEXT_TURN, "anna"), TurnEnded("anna"), False),
        (Duration(Until.TURNS, "anna", 1), TurnEnded("anna"), True),
        (Duration(Until.TURNS, "anna", 2), TurnEnded("anna"), False),
        (Duration(Until.TURNS, "anna", 1, fresh=True), TurnEnded("anna"), False),
        (Duration(Until.TURNS, "anna", 1), TurnEnded("ben"), False),
        (Duration(Until.ROUNDS, "", 1), RoundEnded(), True),
        (Duration(Until.ROUNDS, "", 2), RoundEnded(), False),
        (Duration(Until.USED), RoundEnded(), False),
        (Duration(Until.KEPT), TurnEnded("anna"), False),
    ],
)
def test_an_effect_ends_when_its_time_is_over(lasts: Duration, moment: Moment, over: bool) -> None:
    asleep = effect("asleep", lasts=lasts)
    assert ending((asleep,), RULES, moment) == ((asleep,) if over else ())


def test_an_effect_ends_at_once_by_what_its_rule_names() -> None:
    asleep, other = effect("asleep"), effect("asleep", "ben")
    assert ending((asleep, other), RULES, Triggered("anna", "hurt")) == (asleep,)
    assert ending((asleep, other), RULES, Triggered("anna", "cut_free")) == ()


def test_what_is_resisted_and_what_keeping_costs_are_quantities_like_any_other() -> None:
    ward = EffectRule(id="x:effect/ward", name="warded", rule="Wards", adds={"resist:fire": 2, "keep": 1})
    rules, kept = {ward.id: ward}, Duration(Until.KEPT)
    wards = (effect("ward", id="1", lasts=kept, amount=2), effect("ward", id="2", lasts=kept))
    assert sum(part.value for part in parts(wards, rules, "anna", "resist:fire")) == 6
    assert sum(part.value for part in parts(wards, rules, "anna", "keep")) == 3
    assert parts(wards, rules, "anna", "resist:frost") == ()


def test_what_happens_to_a_thing_ends_what_concerns_it_on_anyone() -> None:
    held = effect("held-fast", about="net-1"), effect("held-fast", "ben", about="net-1")
    other = effect("held-fast", "cid", about="net-2")
    assert ending((*held, other), RULES, Triggered("", "cut_free", "net-1")) == held
    assert ending((*held, other), RULES, Triggered("ben", "cut_free", "net-1")) == held[1:]
    assert ending((*held, other), RULES, Triggered("", "hurt", "net-1")) == ()


def test_what_lasts_until_it_is_used_ends_when_its_bearer_uses_it() -> None:
    once, always = effect("blessed", lasts=Duration(Until.USED)), effect("blessed")
    other = effect("blessed", "ben", lasts=Duration(Until.USED))
    shield = effect("shield", lasts=Duration(Until.USED))
    assert ending((once, always, other, shield), RULES, Used("anna", "x:effect/blessed")) == (once,)


def test_what_is_kept_up_ends_when_its_source_lets_it_go() -> None:
    kept = Duration(Until.KEPT)
    one, two = (effect("shield", id=name, source="cid", lasts=kept) for name in ("1", "2"))
    theirs, lasting = effect("shield", source="dan", lasts=kept), effect("shield", source="cid")
    assert ending((one, two, theirs, lasting), RULES, LetGo("cid")) == (one, two)
    assert ending((one, two, theirs, lasting), RULES, LetGo("cid", "2")) == (two,)


def test_what_goes_on_is_what_no_moment_ends_with_its_turns_counted_down() -> None:
    brief = effect("drunk", id="1", lasts=Duration(Until.TURNS, "anna", 1))
    longer = effect("drunk", id="2", lasts=Duration(Until.TURNS, "anna", 2))
    until_next = effect("blessed", "ben", lasts=Duration(Until.NEXT_TURN, "ben"))
    (left,) = going_on((brief, longer, until_next), RULES, TurnEnded("anna"), TurnBegan("ben"))
    assert (left.id, left.lasts.left) == ("2", 1)
    assert going_on((left,), RULES, TurnEnded("anna"), TurnEnded("anna")) == ()
    asleep, drunk = effect("asleep"), effect("drunk")
    assert going_on((asleep, drunk), RULES, Triggered("anna", "hurt")) == (drunk,)


@given(st.integers(1, 6), st.booleans())
def test_an_effect_of_so_many_turns_lasts_so_many_beside_the_one_in_which_it_began(
    turns: int, fresh: bool
) -> None:
    effects: tuple[Effect, ...] = (effect("drunk", lasts=Duration(Until.TURNS, "anna", turns, fresh)),)
    ended = 0
    while effects:
        for other in ("ben", "cid"):
            assert ending(effects, RULES, TurnEnded(other)) == ()
            assert counted(effects, TurnEnded(other)) == effects
        ended += 1
        done = ending(effects, RULES, TurnEnded("anna"))
        effects = tuple(each for each in counted(effects, TurnEnded("anna")) if not done)
    assert ended == turns + fresh


@given(st.integers(1, 6))
def test_rounds_are_counted_down(rounds: int) -> None:
    effects: tuple[Effect, ...] = (effect("drunk", lasts=Duration(Until.ROUNDS, "", rounds)),)
    for left in range(rounds, 1, -1):
        assert effects[0].lasts.left == left
        assert ending(effects, RULES, RoundEnded()) == ()
        effects = counted(effects, RoundEnded())
    assert ending(effects, RULES, RoundEnded()) == effects


@pytest.mark.parametrize(
    ("lasts", "moment", "ends", "left"),
    [
        (Duration(Until.TURNS, "anna", 1), TurnEnded("anna"), True, 0),
        (Duration(Until.TURNS, "anna", 1), TurnEnded("ben"), False, 1),
        (Duration(Until.TURNS, "anna", 1, fresh=True), TurnEnded("anna"), False, 1),
        (Duration(Until.ROUNDS, "", 2), RoundEnded(), False, 1),
        (Duration(Until.KEPT), RoundEnded(), False, 0),
    ],
)
def test_what_lies_on_a_map_lasts_by_the_same_words(
    lasts: Duration, moment: TurnEnded | RoundEnded, ends: bool, left: int
) -> None:
    """Durations alone, without an effect: fire burns on a square for a turn."""
    assert over(lasts, moment) == ends
    assert counted_down(lasts, moment).left == left
    assert not over(lasts, Triggered("anna", "hurt"))
