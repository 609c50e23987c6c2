"""The Forge: how patterns lie on its nine squares, and what can be forged there (Forging; P2).

Squares are numbered from 0 to 8, row by row; a set of squares is a whole number with one bit each. A pattern
becomes a list of placements once; after that everything is arithmetic on bits. `Smithy.feasible` takes a few
microseconds: which sets of items fit beside which blocked squares is known beforehand, as one bit a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement

from services.rules.systems.dwarf_dice.items import BLANK, METAL, SQUARES, WIDTH, WOOD, Side, needs

ALL = (1 << SQUARES) - 1
CENTRE = 1 << SQUARES // 2
OUTER = tuple(square for square in range(SQUARES) if 1 << square != CENTRE)
"""Squares a Null may lie on (Resource Dice: never the centre)."""

NAMED = 4096
"""Answers of a Smithy that are kept."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A pattern lying on the Forge.

    Attributes:
        metal: Squares that need Metal.
        wood: Squares that need Wood.
    """

    metal: int
    wood: int

    @property
    def squares(self) -> int:
        """Every square it fills."""
        return self.metal | self.wood

    def signs(self) -> str:
        """The Forge as nine signs, row by row: `MMW......`."""
        return _signs(self.metal, self.wood)


@cache
def _signs(metal: int, wood: int) -> str:
    return "".join(
        METAL if metal >> square & 1 else WOOD if wood >> square & 1 else BLANK for square in range(SQUARES)
    )


def placement(signs: str) -> Placement | None:
    """What nine signs say; None when they are not nine, or other signs than M, W and `.`."""
    if len(signs) != SQUARES or not set(signs) <= {METAL, WOOD, BLANK}:
        return None
    return Placement(*(squares(place for place in range(SQUARES) if signs[place] == it) for it in "MW"))


def squares(places: Iterable[int]) -> int:
    """A set of squares by their numbers."""
    found = 0
    for place in places:
        found |= 1 << place
    return found


@cache
def placements(pattern: tuple[str, ...], *, shifting: bool = True) -> tuple[Placement, ...]:
    """Every way a pattern can lie on the Forge: turned, mirrored, and shifted where it may be (P2)."""
    found: dict[Placement, None] = {}
    for cells in _forms(pattern):
        rows, columns = [cell[0] for cell in cells], [cell[1] for cell in cells]
        downs: Sequence[int] = (0,)
        rights: Sequence[int] = (0,)
        if shifting:
            downs, rights = range(-min(rows), WIDTH - max(rows)), range(-min(columns), WIDTH - max(columns))
        for down in downs:
            for right in rights:
                metal, wood = (
                    squares(
                        (row + down) * WIDTH + column + right for row, column, sign in cells if sign == it
                    )
                    for it in (METAL, WOOD)
                )
                found[Placement(metal, wood)] = None
    return tuple(found)


def _forms(pattern: tuple[str, ...]) -> Iterator[list[tuple[int, int, str]]]:
    """The eight forms of a pattern as cells: row, column, sign."""
    cells = [
        (row, column, pattern[row][column])
        for row in range(WIDTH)
        for column in range(WIDTH)
        if pattern[row][column] != BLANK
    ]
    for _ in range(2):
        for _ in range(4):
            yield cells
            cells = [(column, WIDTH - 1 - row, sign) for row, column, sign in cells]
        cells = [(row, WIDTH - 1 - column, sign) for row, column, sign in cells]


@cache
def room(pattern: tuple[str, ...], *, shifting: bool = True) -> tuple[int, ...]:
    """The sets of squares a pattern can fill, each once."""
    return tuple(dict.fromkeys(it.squares for it in placements(pattern, shifting=shifting)))


def null_sets(nulls: int) -> Iterator[int]:
    """Every way so many Nulls can lie on the outer squares."""
    return (squares(places) for places in combinations(OUTER, nulls))


@cache
def open_share(pattern: tuple[str, ...], *, shifting: bool = True) -> tuple[tuple[int, int], ...]:
    """For 0 to 8 Nulls: of how many ways they can lie (second) how many leave the pattern room (first)."""
    ways = room(pattern, shifting=shifting)
    return tuple(
        (
            sum(any(not way & nulls for way in ways) for nulls in null_sets(count)),
            sum(1 for _ in null_sets(count)),
        )
        for count in range(len(OUTER) + 1)
    )


@cache
def blockers(pattern: tuple[str, ...], *, shifting: bool = True) -> int | None:
    """The fewest Nulls that keep a pattern off the Forge; None where no number of them does."""
    ways = room(pattern, shifting=shifting)
    for count in range(1, len(OUTER) + 1):
        if any(all(way & nulls for way in ways) for nulls in null_sets(count)):
            return count
    return None


def affordable(metal: int, wood: int, hoard: tuple[int, int, int]) -> bool:
    """Whether Metal, Wood and Alchemy suffice, Alchemy standing for either (Alchemy)."""
    return max(0, metal - hoard[0]) + max(0, wood - hoard[1]) <= hoard[2]


@dataclass(frozen=True, slots=True)
class Blank:
    """What the Forge needs to know of an item.

    Attributes:
        id: Its content id.
        side: Its side.
        pattern: Its pattern.
    """

    id: str
    side: Side
    pattern: tuple[str, ...]


Items = tuple[str, ...]
"""Ids of items forged at once, in the order of the Armory."""


class Smithy:
    """Everything that can be forged from an Armory: built once, asked often.

    Args:
        blanks: The items, in the order of the Armory.
        extra: Ids of items that some champion may forge beyond one a side (Adaptability).
        most_extra: How many of them in one Forging (P13).
        shifting: Whether a pattern may lie anywhere (P2).
    """

    def __init__(
        self, blanks: tuple[Blank, ...], extra: frozenset[str], most_extra: int, *, shifting: bool
    ) -> None:
        self._patterns = {blank.id: blank.pattern for blank in blanks}
        self._shifting = shifting
        self._sets = _item_sets(blanks, extra, most_extra)
        self._place = {items: place for place, items in enumerate(self._sets)}
        self._needs = [
            tuple(map(sum, zip(*(needs(self._patterns[item]) for item in items), strict=True)))
            for items in self._sets
        ]
        self._room = [self._rooms(items) for items in self._sets]
        sides = {blank.id: blank.side for blank in blanks}
        self._plain = _bits(all(_of(items, side, sides) <= 1 for side in Side) for items in self._sets)
        self._wanting = {
            (item, copies): ~_bits(items.count(item) > copies for items in self._sets)
            for item in self._patterns
            for copies in range(most_extra + 1)
        }
        self._fitting: dict[int, int] = {}
        self._payable: dict[tuple[int, int, int], int] = {}
        self._named = lru_cache(maxsize=NAMED)(self._sets_of)

    def feasible(
        self,
        hoard: tuple[int, int, int],
        blocked: int = 0,
        stock: Iterable[tuple[str, int]] = (),
        *,
        extra: bool = False,
    ) -> tuple[Items, ...]:
        """Every set of items, of one or more, that can be forged at once.

        Args:
            hoard: Metal, Wood and Alchemy.
            blocked: Squares with a Null.
            stock: Copies left of items; what is not named is there in plenty.
            extra: Whether the crafter may forge the additional items.
        """
        bits = self._fits(blocked) & self._paid(hoard)
        if not extra:
            bits &= self._plain
        for item, copies in stock:
            wanting = self._wanting.get((item, copies))
            if wanting is not None:
                bits &= wanting
        return self._named(bits)

    def _sets_of(self, bits: int) -> tuple[Items, ...]:
        found = []
        sets = self._sets
        while bits:
            lowest = bits & -bits
            found.append(sets[lowest.bit_length() - 1])
            bits ^= lowest
        return tuple(found)

    def fits(self, items: Items, blocked: int = 0) -> bool:
        """Whether a set of items has room beside blocked squares, whatever the dice."""
        return any(not blocked & filled for filled in self._rooms_of(items))

    def ways(self, item: str, blocked: int = 0) -> Iterator[Placement]:
        """Every way one item can lie beside blocked squares."""
        for it in placements(self._patterns[item], shifting=self._shifting):
            if not it.squares & blocked:
                yield it

    def _rooms_of(self, items: Items) -> tuple[int, ...]:
        place = self._place.get(items)
        return self._rooms(items) if place is None else self._room[place]

    def _rooms(self, items: Items) -> tuple[int, ...]:
        """The sets of squares that a set of items can fill together."""
        filled = {0}
        for item in items:
            ways = room(self._patterns[item], shifting=self._shifting)
            filled = {before | way for before in filled for way in ways if not before & way}
        return tuple(sorted(filled))

    def _fits(self, blocked: int) -> int:
        known = self._fitting.get(blocked)
        if known is None:
            known = _bits(any(not blocked & filled for filled in rooms) for rooms in self._room)
            self._fitting[blocked] = known
        return known

    def _paid(self, hoard: tuple[int, int, int]) -> int:
        known = self._payable.get(hoard)
        if known is None:
            known = _bits(affordable(metal, wood, hoard) for metal, wood in self._needs)
            self._payable[hoard] = known
        return known


def _bits(holds: Iterable[bool]) -> int:
    found = 0
    for place, it in enumerate(holds):
        if it:
            found |= 1 << place
    return found


def _of(items: Items, side: Side, sides: dict[str, Side]) -> int:
    return sum(sides[item] is side for item in items)


def _item_sets(blanks: tuple[Blank, ...], extra: frozenset[str], most_extra: int) -> tuple[Items, ...]:
    """Every set of one offensive item at most, one defensive, and so many additional ones, each set once."""
    order = {blank.id: place for place, blank in enumerate(blanks)}
    offence, defence = (
        [(), *((blank.id,) for blank in blanks if blank.side is side)]
        for side in (Side.OFFENCE, Side.DEFENCE)
    )
    more = [
        tuple(found)
        for count in range(most_extra + 1)
        for found in combinations_with_replacement(sorted(extra, key=order.__getitem__), count)
    ]
    found: dict[Items, None] = {}
    for one in offence:
        for other in defence:
            for further in more:
                items = tuple(sorted((*one, *other, *further), key=order.__getitem__))
                if items:
                    found[items] = None
    return tuple(found)
