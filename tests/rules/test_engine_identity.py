"""Answers that are remembered by the very values they were worked out of."""

from collections.abc import Callable

from services.rules.engine.identity import remembered

Row = tuple[int, ...]


def counting(most: int) -> tuple[Callable[[Row, Row], Row], list[tuple[Row, Row]]]:
    """A function that joins rows, and the rows that it was really asked about."""
    asked: list[tuple[Row, Row]] = []

    @remembered(most)
    def joined(one: Row, other: Row) -> Row:
        asked.append((one, other))
        return one + other

    return joined, asked


def row(*numbers: int) -> Row:
    return numbers


def test_the_very_same_values_are_worked_out_once() -> None:
    joined, asked = counting(8)
    one, other = row(1, 2), row(3)
    assert joined(one, other) is joined(one, other)
    assert len(asked) == 1


def test_equal_values_and_another_order_are_worked_out_anew() -> None:
    joined, asked = counting(8)
    one, same = row(1, 2), row(1, 2)
    assert joined(one, same) == joined(same, one) == joined(one, one) == (1, 2, 1, 2)
    assert len(asked) == 3


def test_no_value_that_came_later_is_taken_for_one_that_went() -> None:
    joined, _asked = counting(1_000)
    for number in range(500):
        assert joined(row(number, number), row(number)) == (number, number, number)


def test_it_begins_anew_once_there_are_too_many() -> None:
    joined, asked = counting(2)
    rows = [row(number, 0) for number in range(3)]
    for each in (*rows, rows[0]):
        assert joined(each, each) == each + each
    assert len(asked) == 4
