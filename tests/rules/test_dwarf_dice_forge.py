"""The Forge: how patterns lie, what can be forged, and how likely, against plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.systems.dwarf_dice.catalog import Forges
from services.rules.systems.dwarf_dice.craft_odds import Nulls, craft_chance, from_hoard
from services.rules.systems.dwarf_dice.forge import OUTER, Placement, placement, placements, room
from services.rules.systems.dwarf_dice.items import METAL, SQUARES, WIDTH, WOOD, Side
from services.rules.systems.dwarf_dice.settings import DieFaces
from tests.rules.dwarf_dice_games import CATALOG, item

SMITHY = Forges(CATALOG).of(CATALOG.rules)
PATTERNS = {one.id: one.pattern for one in CATALOG.armory}


def forms(pattern: tuple[str, ...]) -> set[str]:
    """Every way a pattern lies on the Forge, by turning, mirroring and moving whole pictures of it."""
    found = set()
    for mirrored in (pattern, tuple(row[::-1] for row in pattern)):
        turned = mirrored
        for _ in range(4):
            turned = tuple("".join(row[column] for row in turned[::-1]) for column in range(WIDTH))
            cells = [(r, c, turned[r][c]) for r in range(WIDTH) for c in range(WIDTH) if turned[r][c] != "."]
            for down, right in product(range(-2, 3), repeat=2):
                moved = {(r + down, c + right): sign for r, c, sign in cells}
                if all(0 <= r < WIDTH and 0 <= c < WIDTH for r, c in moved):
                    found.add("".join(moved.get((r, c), ".") for r in range(WIDTH) for c in range(WIDTH)))
    return found


@pytest.mark.parametrize("pattern", sorted(set(PATTERNS.values())), ids="/".join)
def test_placements_are_all_turned_mirrored_and_shifted_forms(pattern: tuple[str, ...]) -> None:
    found = placements(pattern)
    assert {way.signs() for way in found} == forms(pattern)
    assert len(found) == len(set(found))
    assert all(placement(way.signs()) == way for way in found)


def test_without_shifting_a_pattern_is_turned_and_mirrored_about_the_centre() -> None:
    assert [way.signs() for way in placements(("...", ".M.", "..."), shifting=False)] == ["....M...."]
    assert len(room((".M.", ".M.", ".W."), shifting=False)) == 2


def oracle(
    hoard: tuple[int, int, int], blocked: int, stock: dict[str, int], extra: bool
) -> set[tuple[str, ...]]:
    """Every feasible set by trying out every set of items and every way to lay it."""
    sides = {one.id: one.side for one in CATALOG.armory}
    spare = {item("dagger"), item("buckler")}
    order = list(PATTERNS)
    ways = {
        it: {frozenset(p for p in range(SQUARES) if f[p] != ".") for f in forms(PATTERNS[it])} for it in order
    }
    free = frozenset(p for p in range(SQUARES) if not blocked >> p & 1)
    found = set()
    for size in (1, 2, 3) if extra else (1, 2):
        for items in product(order, repeat=size):
            if list(items) != sorted(items, key=order.index) or any(items.count(i) > stock[i] for i in items):
                continue
            over = [max(0, sum(sides[i] is side for i in items) - 1) for side in Side]
            spares = [sum(sides[i] is side and i in spare for i in items) for side in Side]
            if sum(over) > extra or any(o > s for o, s in zip(over, spares, strict=True)):
                continue
            signs = "".join("".join(PATTERNS[i]) for i in items)
            short = max(0, signs.count(METAL) - hoard[0]) + max(0, signs.count(WOOD) - hoard[1])
            if short <= hoard[2] and fits([ways[i] for i in items], free):
                found.add(items)
    return found


def fits(ways: list[set[frozenset[int]]], free: frozenset[int]) -> bool:
    if not ways:
        return True
    return any(way <= free and fits(ways[1:], free - way) for way in ways[0])


hoards = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3))
null_squares = st.sets(st.sampled_from(OUTER), max_size=5).map(
    lambda found: sum(1 << place for place in found)
)


def layouts(items: tuple[str, ...], blocked: int) -> Iterator[tuple[Placement, ...]]:
    """Every way these items lie on the Forge at once."""
    if not items:
        yield ()
        return
    for first in SMITHY.ways(items[0], blocked):
        for others in layouts(items[1:], blocked | first.squares):
            yield (first, *others)


@given(
    hoard=hoards,
    blocked=null_squares,
    copies=st.lists(st.integers(0, 2), min_size=len(PATTERNS), max_size=len(PATTERNS)),
    extra=st.booleans(),
)
@settings(max_examples=25)
def test_the_solver_finds_what_trying_everything_finds(
    hoard: tuple[int, int, int], blocked: int, copies: list[int], extra: bool
) -> None:
    stock = dict(zip(PATTERNS, copies, strict=True))
    found = SMITHY.feasible(hoard, blocked, stock.items(), extra=extra)
    assert len(found) == len(set(found))
    assert set(found) == oracle(hoard, blocked, stock, extra)
    for items in found[:5]:
        assert next(layouts(items, blocked), None) is not None


@pytest.mark.parametrize("how", list(Nulls))
@pytest.mark.parametrize("name", ["longsword", "javelin", "pauldrons"])
def test_craft_odds_are_those_of_all_rolls_and_all_placements(name: str, how: Nulls) -> None:
    """Five dice instead of nine, so that every roll and every way to place its Nulls can be tried."""
    pattern = PATTERNS[item(name)]
    ways = [frozenset(p for p in range(SQUARES) if form[p] != ".") for form in forms(pattern)]
    signs = "".join(pattern)
    total = Fraction(0)
    for rolled in product("MMWWAN", repeat=5):
        short = max(0, signs.count("M") - rolled.count("M")) + max(0, signs.count("W") - rolled.count("W"))
        if short > rolled.count("A"):
            continue
        nulls = list(combinations(OUTER, rolled.count("N")))
        left = [any(way.isdisjoint(places) for way in ways) for places in nulls]
        match how:
            case Nulls.NONE:
                total += 1
            case Nulls.RANDOM:
                total += Fraction(sum(left), len(left))
            case Nulls.AIMED:
                total += all(left)
    assert craft_chance(pattern, how, dice=5) == total / 6**5


def test_the_armory_publishes_the_odds_of_its_items() -> None:
    dagger, hatchet, greataxe = (
        CATALOG.armory[item(name)].odds for name in ("dagger", "hatchet", "greataxe")
    )
    assert {dagger.no_nulls, dagger.random_nulls, dagger.aimed_nulls} == {Fraction(511, 512)}
    assert hatchet.no_nulls == Fraction(5019161, 5038848)
    assert hatchet.random_nulls == Fraction(12531509, 12597120)
    assert hatchet.aimed_nulls == Fraction(4784075, 5038848)
    assert greataxe.no_nulls == Fraction(1872967, 2519424)
    assert greataxe.random_nulls == Fraction(56324393, 88179840)
    assert greataxe.aimed_nulls == Fraction(2330663, 5038848)


def test_a_null_set_aside_makes_forging_likelier() -> None:
    pattern = PATTERNS[item("greataxe")]
    plain, marked = (craft_chance(pattern, Nulls.AIMED, aside=aside) for aside in (0, 1))
    assert plain < marked < craft_chance(pattern, Nulls.NONE)


def test_from_a_hoard_only_the_nulls_are_left_to_chance() -> None:
    pattern = PATTERNS[item("greataxe")]
    assert from_hoard(pattern, (4, 1, 0), 1, Nulls.AIMED) == 1
    assert from_hoard(pattern, (4, 1, 0), 2, Nulls.AIMED) == 0
    assert from_hoard(pattern, (3, 1, 0), 0, Nulls.NONE) == 0
    random = [any(not way & (1 << a | 1 << b) for way in room(pattern)) for a, b in combinations(OUTER, 2)]
    assert from_hoard(pattern, (4, 1, 0), 2, Nulls.RANDOM) == Fraction(sum(random), 28)
    assert from_hoard(pattern, (4, 1, 0), 9, Nulls.RANDOM) == 0


def test_other_dice_have_other_odds() -> None:
    pattern = PATTERNS[item("dagger")]
    coin = DieFaces(metal=1, wood=1, alchemy=0, null=0)
    assert craft_chance(pattern, Nulls.AIMED, faces=coin, dice=3) == Fraction(7, 8)
