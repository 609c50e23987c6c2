"""The games' own rolls: what their faces mean, and that their odds are those of what is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import floor

import icepool  # type: ignore[import-untyped]
import pytest

from services.rules.dice import odds
from services.rules.dice.die import prepared
from services.rules.dice.distribution import Distribution
from services.rules.dice.mechanic import Argument, Arguments, Mechanic, ParameterKind
from services.rules.dice.notation import ArgumentError, Lexicon, bind, bound_arguments, parse
from services.rules.dice.pool import MechanicCall
from services.rules.engine.registry import mechanics, named_dice
from services.rules.systems.dwarf_dice.resources import Resource, exchange, exchange_odds
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.rolls import Difficulty, against_pool, against_target, contest
from services.rules.systems.fortunate_blades.rolls import Mode, Result, read

ALL = mechanics()

# Arguments that leave few enough faces to go through all of them.
SMALL: Mapping[str, Sequence[Mapping[str, Argument]]] = {
    "dungeonteller:action": [{"dice": 0}, {"dice": 1}, {"dice": 4, "needed": 2}],
    "dungeonteller:opposed": [{"dice": 2, "against": 0}, {"dice": 3, "against": 2, "needed": 2}],
    "dwarf_dice:combat": [
        {"attack": 0, "defence": 1},
        {"attack": 1, "defence": 0},
        {"attack": 2, "defence": 3},
    ],
    "dwarf_dice:hoard": [{"dice": 1}, {"dice": 4}],
    "forge_engine:contest": [
        {"instigator": mine, "rival": theirs, "ties": ties}
        for mine in range(3)
        for theirs in range(3)
        for ties in range(2)
    ],
    "forge_engine:fixed": [
        {"dice": 0},
        {"dice": 3},
        {"dice": 4, "difficulty": 9, "required": 2},
        {"dice": 3, "difficulty": 2},
        {"dice": 2, "critical": 0},
    ],
    "forge_engine:opposed": [
        {"action": action, "defence": defence} for action in range(4) for defence in range(3)
    ]
    + [{"action": 2, "defence": 2, "critical": 0}],
    "forgeborn:conflict": [
        {"dice": (8, 6), "power": 1},
        {"dice": (4,), "power": 2},
        {"dice": (4, 4), "power": 0},
    ],
    "forgeborn:creation": [{"dice": (4,)}, {"dice": (6, 4)}],
    "forgeborn:forest": [{"dice": (8, 6)}, {"dice": (12, 10), "limit": 15}],
    "fortunate_blades:roll": [
        {"bonus": 3, "close": 12, "clear": 15, "mode": mode, "possible": possible}
        for mode in (-1, 0, 1)
        for possible in (0, 1)
    ]
    + [
        {"bonus": 0, "close": 22, "clear": 30},
        {"bonus": 0, "close": 12, "clear": 12, "mode": 1, "lucky": 2},
        {"bonus": 0, "close": 10, "clear": 15, "mode": -1, "lucky": 2},
        {"bonus": 0, "close": 10, "clear": 15, "unlucky": 3},
    ],
    "fortunate_blades:save": [{"bonus": 2, "close": 12, "clear": 15, "mode": mode} for mode in (-1, 0, 1)]
    + [{"bonus": 2, "close": 12, "clear": 15, "mode": 1, "unlucky": 1}],
}


def filled(mechanic: Mechanic, given: Mapping[str, Argument]) -> Arguments:
    """Fill in the defaults, and check that everything given is known and within its bounds."""
    assert set(given) <= {parameter.name for parameter in mechanic.parameters}
    arguments: dict[str, Argument] = {}
    for parameter in mechanic.parameters:
        value = given.get(parameter.name, parameter.default)
        assert value is not None, parameter.name
        amount = len(value) if isinstance(value, tuple) else value
        assert isinstance(value, tuple) is (parameter.kind is ParameterKind.DICE)
        assert parameter.minimum <= amount <= parameter.maximum
        arguments[parameter.name] = value
    return arguments


def every_fall(mechanic: Mechanic, arguments: Arguments) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Give every way in which the dice can fall."""
    pools = []
    for pool in mechanic.pools(arguments):
        assert isinstance(pool.count, int)
        faces = range(1, prepared(pool.kind).count + 1)
        pools.append(list(product(faces, repeat=pool.count)))
    yield from product(*pools)


def test_every_mechanic_is_tried() -> None:
    assert set(SMALL) == set(ALL)


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, many in SMALL.items() for given in many])
def test_odds_are_those_of_reading_every_fall_of_the_dice(name: str, given: Mapping[str, Argument]) -> None:
    mechanic = ALL[name]
    arguments = filled(mechanic, given)
    found: Counter[tuple[int, str]] = Counter()
    for rolled in every_fall(mechanic, arguments):
        reading = mechanic.read(arguments, rolled)
        assert reading.outcome in mechanic.outcomes
        found[reading.total, reading.outcome] += 1
    whole = found.total()
    assert mechanic.odds(arguments) == {key: Fraction(count, whole) for key, count in found.items()}


@pytest.mark.parametrize("name", sorted(SMALL))
def test_odds_of_the_largest_pools_sum_to_one(name: str) -> None:
    mechanic = ALL[name]
    arguments = {
        parameter.name: (
            (12,) * parameter.maximum if parameter.kind is ParameterKind.DICE else parameter.maximum
        )
        for parameter in mechanic.parameters
    }
    found = mechanic.odds(arguments)
    assert sum(found.values()) == 1
    assert all(chance > 0 for chance in found.values())
    assert {outcome for _, outcome in found} <= set(mechanic.outcomes)


@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_mechanic_tells_what_it_is(name: str) -> None:
    mechanic = ALL[name]
    assert mechanic.title and mechanic.meaning.endswith(".") and mechanic.source
    assert len({parameter.name for parameter in mechanic.parameters}) == len(mechanic.parameters)


def test_a_games_die_shows_what_its_box_says() -> None:
    labels = [face.label for face in named_dice()["resource"]]
    assert sorted(labels) == ["alchemy", "metal", "metal", "null", "wood", "wood"]


# Forge Engine


@pytest.mark.parametrize(
    ("action", "defence", "chance"),
    [(1, 1, 0.55), (2, 1, 0.715), (3, 1, 0.7975), (5, 3, 0.727027), (4, 4, 0.613092), (10, 5, 0.823891)],
)
def test_opposed_pools_succeed_as_often_as_the_design_says(action: int, defence: int, chance: float) -> None:
    assert round(float(odds.opposed_pool(action, defence).at_least(1)), 6) == chance


@pytest.mark.parametrize(
    ("action", "defence", "chance"), [(1, 1, 0.09), (2, 2, 0.1131), (3, 1, 0.0117), (5, 5, 0.005155)]
)
def test_critical_failures_come_as_often_as_the_design_says(action: int, defence: int, chance: float) -> None:
    found = odds.opposed_pool(action, defence).critical_chance
    assert round(float(found), 6) == chance


@pytest.mark.parametrize(
    ("target", "chance"), [(7, "0.922240"), (8, "0.831930"), (9, "0.672320"), (10, "0.409510")]
)
def test_five_dice_reach_a_difficulty_as_often_as_the_design_says(target: int, chance: str) -> None:
    assert odds.fixed_pool(5, target).at_least(1) == Fraction(chance)


BOOK = {
    name: own_catalog().odds[f"forge_engine:odds/{name}"]
    for name in ("fixed", "opposed", "fixed-medians", "opposed-medians", "critical")
}


def as_printed(chance: Fraction, book: str) -> str:
    """Round a chance half up to as many digits as the book's figure has: 0.35%, 14.6%, 2%."""
    digits = len(book.rstrip("%").partition(".")[2])
    rounded = floor(chance * 100 * 10**digits + Fraction(1, 2))
    return f"{rounded / 10**digits:.{digits}f}%"


def test_every_chance_that_the_book_prints_is_ours_rounded_half_up() -> None:
    cut = []
    cells = 0
    for name in ("fixed", "opposed", "critical"):
        for dice, row in enumerate(BOOK[name].cells, start=1):
            for column, cell in zip(BOOK[name].columns, row, strict=True):
                if column.difficulty is not None:
                    chance = odds.fixed_pool(dice, column.difficulty).at_least(column.required)
                else:
                    assert column.defence is not None
                    pool = odds.opposed_pool(dice, column.defence)
                    chance = pool.critical_chance if name == "critical" else pool.at_least(1)
                assert cell.exact == chance
                assert (cell.printed == "") == (chance == 0)
                if not cell.printed:
                    assert cell.agrees
                    continue
                cells += 1
                assert cell.agrees == (as_printed(chance, cell.printed) == cell.printed)
                if not cell.agrees:
                    cut.append((name, dice, column.label, cell.printed, cell.figure))
    # Two successes at 9 with 8d10 are 49.67%: the one cell that the book cuts.
    assert cut == [("fixed", 8, "9 9", "49%", "50%")]
    assert cells == 58 + 50 + 50


def test_the_tables_headed_as_means_are_medians_but_for_the_cells_that_the_ruling_names() -> None:
    wrong = {}
    for action, row in enumerate(BOOK["opposed-medians"].cells, start=1):
        for defence, cell in enumerate(row, start=1):
            assert cell.exact == odds.opposed_pool(action, defence).successes.median
            if not cell.agrees:
                wrong[action, defence] = (cell.printed, cell.figure)
    assert wrong == {(2, 3): ("1", "0"), (13, 2): ("5", "4")}
    assert [len(BOOK[name].rows) for name in BOOK] == [10, 10, 10, 15, 10]
    for dice, row in enumerate(BOOK["fixed-medians"].cells, start=1):
        for column, cell in zip(BOOK["fixed-medians"].columns, row, strict=True):
            # Where two dice are needed each whole pair counts once; the book puts its ones in brackets.
            assert column.difficulty is not None and cell.agrees
            assert cell.exact == odds.fixed_pool(dice, column.difficulty).successes.median // column.required
            assert cell.printed.startswith("(") == (column.label == "9 9" and dice >= 9)


def test_ties_go_to_the_attacker_and_ones_that_succeed_are_no_critical() -> None:
    assert against_pool([9], [9]).successes == 1
    assert against_pool([1, 1], [1]) == against_target([1, 1], 1)
    assert not against_pool([1, 1], [1]).critical_failure
    assert against_pool([1, 2], [2, 3, 3]).critical_failure
    assert not against_pool([], [5]).critical_failure


@pytest.mark.parametrize(
    ("action", "defence", "successes", "critical"),
    [
        ([3, 3, 6, 7, 9, 9, 10], [1, 6, 9], 3, False),
        ([8, 9, 9, 9], [1, 10], 0, False),
        ([9], [9], 1, False),
        ([10], [6, 7, 10], 1, False),
        ([1, 2], [2, 3, 3], 0, True),
    ],
)
def test_the_books_examples_of_opposed_pools_hold(
    action: list[int], defence: list[int], successes: int, critical: bool
) -> None:
    found = against_pool(action, defence)
    assert (found.successes, found.critical_failure) == (successes, critical)


@pytest.mark.parametrize(
    ("dice", "target", "successes", "critical"),
    [
        ([3, 4], 7, 0, False),
        ([1, 8, 9, 9], 8, 3, False),
        ([7, 7, 8], 9, 0, False),
        ([10], 10, 1, False),
        ([1, 1, 6, 7], 8, 0, True),
    ],
)
def test_the_books_examples_of_fixed_challenges_hold(
    dice: list[int], target: int, successes: int, critical: bool
) -> None:
    found = against_target(dice, target)
    assert (found.successes, found.critical_failure) == (successes, critical)


@pytest.mark.parametrize(
    ("mine", "theirs", "ties", "found"),
    [
        ([4, 9, 8], [2, 7], False, ("instigator", 2, 0)),
        ([4, 6], [2, 7, 9], False, ("rival", 0, 2)),
        ([9, 9, 3], [9, 1], False, ("tie", 0, 0)),
        ([9, 9, 3], [9, 1], True, ("instigator", 2, 0)),
        ([], [5, 2], False, ("rival", 0, 2)),
        ([], [], True, ("tie", 0, 0)),
    ],
)
def test_only_dice_above_the_rivals_highest_win_a_contest_unless_ties_go_to_who_began_it(
    mine: list[int], theirs: list[int], ties: bool, found: tuple[str, int, int]
) -> None:
    came = contest(mine, theirs, ties_to_instigator=ties)
    assert (came.winner.value, came.instigator, came.rival) == found


def test_the_named_difficulties_are_those_of_the_ruling() -> None:
    assert {found.name.lower(): (found.target, found.required) for found in Difficulty} == {
        "easy": (7, 1),
        "normal": (8, 1),
        "hard": (9, 1),
        "formidable": (10, 1),
        "severe": (9, 2),
        "extreme": (10, 2),
    }


# Against another engine


@pytest.mark.parametrize(
    ("count", "sides", "keep"), [(4, 6, 3), (2, 20, 1), (7, 10, 3), (5, 8, 5), (3, 6, 0)]
)
def test_kept_dice_are_as_icepool_has_them(count: int, sides: int, keep: int) -> None:
    pool = icepool.d(sides).pool(count)
    for ours, theirs in (
        (odds.keep_highest(count, sides, keep), pool.highest(keep).sum()),
        (odds.keep_lowest(count, sides, keep), pool.lowest(keep).sum()),
    ):
        assert dict(ours.pairs()) == {
            value: Fraction(weight, theirs.denominator()) for value, weight in theirs.items()
        }


@pytest.mark.parametrize(("action", "defence"), [(1, 1), (3, 2), (10, 5), (20, 10)])
def test_opposed_pools_are_as_icepool_has_them(action: int, defence: int) -> None:
    highest = icepool.d10.highest(defence)
    theirs = highest.map(lambda against: action @ (icepool.d10 >= against))
    ours = odds.opposed_pool(action, defence).successes
    assert dict(ours.pairs()) == {
        value: Fraction(weight, theirs.denominator()) for value, weight in theirs.items() if weight
    }


def test_sums_of_mixed_dice_are_as_icepool_has_them() -> None:
    theirs = 3 @ icepool.d12 + 2 @ icepool.d8 + icepool.d4
    assert dict(odds.sum_of_dice([8, 12, 4, 12, 8, 12]).pairs()) == {
        value: Fraction(weight, theirs.denominator()) for value, weight in theirs.items()
    }


def test_net_successes_are_as_icepool_has_them() -> None:
    theirs = 5 @ (icepool.d6 >= 5) - 3 @ (icepool.d6 >= 5)
    ours = odds.net_successes(5, 3)
    assert dict(ours.pairs()) == {
        value: Fraction(weight, theirs.denominator()) for value, weight in theirs.items()
    }


# Forgeborn, Fortunate Blades, Dwarf Dice


@pytest.mark.parametrize(
    ("sizes", "chance"),
    [
        ((6, 6), Fraction(5, 6)),
        ((8, 6), Fraction(11, 16)),
        ((6, 6, 4), Fraction(1, 2)),
        ((8, 4, 4), Fraction(1, 2)),
        ((10, 10), Fraction(9, 25)),
        ((12, 12), Fraction(1, 4)),
        ((4,) * 5, Fraction(121, 1024)),
    ],
)
def test_the_forest_gives_as_often_as_the_ruling_says(sizes: tuple[int, ...], chance: Fraction) -> None:
    found = ALL["forgeborn:forest"].odds({"dice": sizes, "limit": 9})
    assert sum(part for (_, outcome), part in found.items() if outcome == "gain") == chance


def test_dice_that_forgeborn_does_not_have_are_refused_before_anything_is_rolled() -> None:
    lexicon = Lexicon(mechanics=ALL)
    assert parse("forgeborn:conflict(d12 + 2d4, 3)", lexicon)
    for dice in ("d20", "d8 + d7", "3d1000000"):
        with pytest.raises(ArgumentError, match="d4, d6, d8, d10, d12"):
            parse(f"forgeborn:conflict({dice}, 3)", lexicon)


def test_one_die_is_rolled_for_an_action_without_dice() -> None:
    action = ALL["dungeonteller:action"]
    assert action.odds({"dice": 0, "needed": 1}) == action.odds({"dice": 1, "needed": 1})


def test_a_natural_twenty_is_close_at_least_and_a_natural_one_never_without_consequence() -> None:
    assert read(20, 0, 25, 30).result is Result.CLOSE
    assert read(20, 0, 25, 30).double_effect and not read(19, 9, 25, 28).double_effect
    assert read(20, 0, 25, 30, possible=False).result is Result.MISS
    assert not read(20, 0, 25, 30, possible=False).double_effect
    assert read(1, 9, 5, 8).result is Result.CLEAR and read(1, 9, 5, 8).consequence
    assert not read(2, 9, 5, 8).consequence


@pytest.mark.parametrize("natural", [1, 10, 20])
def test_nothing_impossible_succeeds_whatever_the_total(natural: int) -> None:
    outcome = read(natural, 40, 10, 15, possible=False)
    assert (outcome.total, outcome.result) == (natural + 40, Result.MISS)
    assert outcome.consequence and not outcome.double_effect
    odds_of = ALL["fortunate_blades:roll"].odds(
        {"bonus": 40, "close": 10, "clear": 15, "mode": 1, "possible": 0, "lucky": 0, "unlucky": 0}
    )
    assert all(outcome.startswith("miss") for _, outcome in odds_of)


def test_close_above_clear_is_refused_with_both_numbers() -> None:
    lexicon = Lexicon(mechanics=ALL)
    for roll in ("fortunate_blades:roll(3, 15, 12)", "fortunate_blades:save(3, 15, 12)"):
        with pytest.raises(
            ArgumentError, match=r"found Close 15, expected at most Clear 12 \(close\)"
        ) as caught:
            parse(roll, lexicon)
        assert caught.value.position == roll.index("15")
    assert parse("fortunate_blades:roll(3, 12, 12)", lexicon)
    variable = parse("fortunate_blades:roll(@bonus, @close, 12)", lexicon)
    roll_of = ALL["fortunate_blades:roll"]
    for close, fits in ((12, True), (13, False)):
        call = bind(variable, {"bonus": 1, "close": close}).node
        assert isinstance(call, MechanicCall)
        if fits:
            assert bound_arguments(call, roll_of)["close"] == close
        else:
            with pytest.raises(ArgumentError, match=r"Close 13.*Clear 12"):
                bound_arguments(call, roll_of)


@pytest.mark.parametrize(
    ("lucky", "unlucky", "mode"),
    [
        (0, 0, Mode.NORMAL),
        (1, 0, Mode.LUCKY),
        (3, 0, Mode.LUCKY),
        (0, 2, Mode.UNLUCKY),
        (1, 1, Mode.NORMAL),
        (2, 1, Mode.NORMAL),
        (1, 4, Mode.NORMAL),
    ],
)
def test_lucky_and_unlucky_do_not_add_up_and_cancel(lucky: int, unlucky: int, mode: Mode) -> None:
    assert Mode.of(lucky, unlucky) is mode
    for name in ("fortunate_blades:roll", "fortunate_blades:save"):
        given = {"bonus": 0, "close": 10, "clear": 15, "lucky": lucky, "unlucky": unlucky}
        (pool,) = ALL[name].pools(filled(ALL[name], given))
        assert pool.count == mode.dice


def test_two_dice_that_are_lucky_keep_the_higher() -> None:
    roll = ALL["fortunate_blades:roll"]
    bounds = {"bonus": 0, "close": 10, "clear": 15, "possible": 1}
    mean = {
        mode: sum(total * chance for (total, _), chance in roll.odds({**bounds, "mode": mode}).items())
        for mode in (-1, 0, 1)
    }
    assert (mean[-1], mean[0], mean[1]) == (Fraction(287, 40), Fraction(21, 2), Fraction(553, 40))


@pytest.mark.parametrize(
    ("attack", "defence", "damage", "back"),
    [
        ("MAN", "AWN", 1, 1),  # both blocked, the Alchemy has dealt its 1 before
        ("MMM", "WW", 1, 0),
        ("A", "", 2, 0),
        ("A", "W", 1, 0),
        ("M", "AAW", 0, 1),  # an Alchemy with nothing to block does nothing
        ("WN", "AA", 0, 0),
        ("MM", "MN", 2, 0),
        ("", "A", 0, 0),
    ],
)
def test_combat_blocks_with_alchemy_first_and_deals_back(
    attack: str, defence: str, damage: int, back: int
) -> None:
    found = exchange(map(Resource, attack), map(Resource, defence))
    assert (found.defender_damage, found.attacker_damage) == (damage, back)


def test_five_dice_against_five_deal_as_much_as_the_checklist_says() -> None:
    mean = sum(came.defender_damage * chance for came, chance in exchange_odds(5, 5).items())
    assert mean == Fraction(2225, 1536)


def test_distributions_of_named_rolls_can_be_compared() -> None:
    assert odds.sum_against([8, 8, 8], [12]) == Fraction(471, 512)
    assert Distribution.die(12).beats(Distribution.die(12)) == Fraction(11, 24)
