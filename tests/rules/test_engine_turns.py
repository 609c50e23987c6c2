"""Rounds and turns: who comes next, who joins and who leaves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.turns import Rounds

ORDERS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=7, unique=True).map(tuple)


def everybody(_actor: str) -> bool:
    return True


@given(ORDERS, st.integers(1, 20))
def test_everybody_has_one_turn_a_round(order: tuple[str, ...], turns: int) -> None:
    rounds = Rounds(order)
    for turn in range(turns):
        assert rounds.whose == order[turn % len(order)]
        assert rounds.round == 1 + turn // len(order)
        rounds = rounds.following(everybody)


@given(ORDERS, st.data())
def test_who_is_not_able_is_passed_over(order: tuple[str, ...], data: st.DataObject) -> None:
    able = set(data.draw(st.lists(st.sampled_from(order), unique=True)))
    place = data.draw(st.integers(0, len(order) - 1))
    before = Rounds(order, place)
    after = before.following(able.__contains__)
    if not able:
        assert after == before
        return
    later = [actor for actor in (*order[place + 1 :], *order[: place + 1]) if actor in able]
    assert after.whose == later[0]
    assert after.round == before.round + (order.index(later[0]) <= place)


@given(ORDERS, st.data())
def test_who_joins_takes_nobodys_turn(order: tuple[str, ...], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(order) - 1))
    before = Rounds(order, place, 3)
    at = data.draw(st.none() | st.integers(0, len(order)))
    after = before.with_actor("new", at)
    assert (after.whose, after.round) == (before.whose, 3)
    assert after.order.index("new") == (len(order) if at is None else at)
    assert after.without("new") == before


@given(ORDERS, st.data())
def test_who_leaves_hands_the_turn_on(order: tuple[str, ...], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(order) - 1))
    gone = data.draw(st.sampled_from(order))
    before = Rounds(order, place)
    after = before.without(gone)
    assert after.order == tuple(actor for actor in order if actor != gone)
    if gone != before.whose:
        assert (after.whose, after.round) == (before.whose, 1)
    elif after.order:
        assert after == replace_order(before.following(everybody), after.order)
    else:
        assert after.whose == ""
    assert after.without("nobody") == after


def replace_order(rounds: Rounds, order: tuple[str, ...]) -> Rounds:
    return Rounds(order, order.index(rounds.whose), rounds.round)


@given(ORDERS, st.data())
def test_who_waits_comes_later_and_takes_nobodys_turn(order: tuple[str, ...], data: st.DataObject) -> None:
    before = Rounds(order, data.draw(st.integers(0, len(order) - 1)))
    actor, place = data.draw(st.sampled_from(order)), data.draw(st.integers(0, len(order) - 1))
    after = before.moved(actor, place)
    assert (after.whose, after.order[place], sorted(after.order)) == (before.whose, actor, sorted(order))
