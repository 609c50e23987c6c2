"""What maps are charged never falls as more is asked for; `infra/gate prices` compares it with what
is measured."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.map.batches import PART_MILLISECONDS, part_size
from services.map.formats import FORMATS
from services.map.pricing import milliseconds_of, points_of_map
from services.map.registry import GENERATORS
from services.map.wishes import Order
from services.shared.limits.meter import MILLISECONDS_PER_POINT, MOST_POINTS

SIDES = {
    "forgeborn_realm": ((80, 60), (200, 160)),
    "story": ((80, 60), (200, 160)),
    "dungeon": ((21, 21), (301, 301)),
    "cave": ((21, 21), (400, 400)),
    "battle": ((12, 12), (100, 100)),
    "region": ((64, 64), (1024, 1024)),
}
"""The smallest and the largest map of each kind."""


def order(slug: str, width: int, height: int) -> Order:
    """Order a map of a size, its other parameters the usual ones."""
    return Order(slug, GENERATORS[slug].codec.type(width=width, height=height), 7)


def formats_of(slug: str) -> list[str]:
    """List the formats that maps of a kind can have in a batch."""
    return [name for name, form in FORMATS.items() if slug in form.kinds and not form.alone]


@st.composite
def orders(draw: st.DrawFn) -> tuple[Order, list[str]]:
    """Draw an order of any kind and size, with any files."""
    slug = draw(st.sampled_from(sorted(SIDES)))
    (low, lower), (high, higher) = SIDES[slug]
    found = order(slug, draw(st.integers(low, high)), draw(st.integers(lower, higher)))
    return found, draw(st.lists(st.sampled_from(formats_of(slug)), unique=True))


@given(orders(), st.integers(1, 200), st.integers(1, 200))
def test_a_larger_map_and_a_further_file_never_cost_less(
    given_: tuple[Order, list[str]], wider: int, higher: int
) -> None:
    one, files = given_
    size = one.parameters
    larger = replace(one, parameters=replace(size, width=size.width + wider, height=size.height + higher))
    assert milliseconds_of(larger, files) >= milliseconds_of(one, files) > 0
    assert points_of_map(larger) >= points_of_map(one) > 0
    for further in formats_of(one.kind):
        assert milliseconds_of(one, [*files, further]) >= milliseconds_of(one, files)


@given(orders())
def test_a_part_is_as_long_as_it_should_be_whatever_its_maps(given_: tuple[Order, list[str]]) -> None:
    each = milliseconds_of(*given_)
    count = part_size(each)
    assert count == 1 or count * each <= PART_MILLISECONDS


@pytest.mark.parametrize("slug", sorted(SIDES))
def test_every_single_map_and_every_single_format_can_be_paid_for(slug: str) -> None:
    largest = order(slug, *SIDES[slug][1])
    assert points_of_map(largest) <= MOST_POINTS
    for name in formats_of(slug):
        assert milliseconds_of(largest, ["json", name]) / MILLISECONDS_PER_POINT <= MOST_POINTS, name
