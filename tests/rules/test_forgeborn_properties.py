"""Properties of every realm, over random drops on a coarse grid where lines often touch."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.rules.systems.forgeborn import (
    DROPPED_DICE,
    DroppedDie,
    LinkKind,
    PlaceKind,
    Point,
    Realm,
    Sheet,
    add_ruin,
    derive,
    spend_ruin,
)
from services.rules.systems.forgeborn.geometry import crosses
from services.rules.systems.forgeborn.links import too_far
from tests.at_length import part_or_whole
from tests.rules.forgeborn_values import reachable

SHEET = Sheet.of(120, 90)
SIZES = [sides for sides, count in DROPPED_DICE.items() for _ in range(count)]

# Cells of five units keep dice a die's width apart, and put many places on one line with the range.
CELLS = [Point.of(x, y) for x in range(5, 120, 5) for y in range(5, 90, 5)]
COARSE = [Point.of(x, y) for x in range(20, 110, 20) for y in range(15, 90, 15)]


@st.composite
def drops(draw: st.DrawFn) -> tuple[DroppedDie, ...]:
    cells = draw(st.sampled_from([CELLS, COARSE]))
    spots = draw(st.permutations(cells))[: len(SIZES)]
    return tuple(
        DroppedDie(sides, draw(st.integers(1, sides)), at) for sides, at in zip(SIZES, spots, strict=True)
    )


def realm_of(dice: tuple[DroppedDie, ...]) -> Realm:
    realm = derive(dice, SHEET)
    assert isinstance(realm, Realm), realm
    return realm


thorough = settings(max_examples=part_or_whole(40, 120), suppress_health_check=[HealthCheck.too_slow])


@thorough
@given(drops())
def test_every_realm_keeps_the_rules_of_its_links(dice: tuple[DroppedDie, ...]) -> None:
    realm = realm_of(dice)
    inner = {place.id for place in realm.of_kind(PlaceKind.CITADEL, PlaceKind.CITY, PlaceKind.VILLAGE)}
    assert reachable(realm) == {place.id for place in realm.places}  # C9
    for link in realm.links:
        blocked = crosses(link.start.at, link.end.at, realm.ranges)
        assert link.crosses_range is blocked
        if link.kind is LinkKind.ROAD:  # C5, C10
            assert not blocked
            assert {link.start.id, link.end.id} <= inner
        elif {link.start.id, link.end.id} <= inner:  # C5
            assert blocked
    for place in realm.of_kind(PlaceKind.LAIR, PlaceKind.RUIN):  # C6, C7
        (own,) = (link for link in realm.links if link.start.id == place.id)
        far = too_far(own.start.at, own.end.at, SHEET, realm.settings)
        assert own.end.id in inner
        assert own.forced is (own.crosses_range or far)


@thorough
@given(drops())
def test_every_realm_has_its_features(dice: tuple[DroppedDie, ...]) -> None:
    realm = realm_of(dice)
    assert len(realm.of_kind(PlaceKind.RUIN)) == 2  # K4
    assert [1 <= (village.power or 0) <= 4 for village in realm.of_kind(PlaceKind.VILLAGE)] == [True] * 4
    assert len(realm.range) + sum(len(patch.points) for patch in realm.patches) == 6  # B9
    assert realm.patches  # B10
    for patch in realm.patches:  # B13
        for line in patch.lines:
            assert not any(crosses(a, b, realm.ranges) for a, b in pairwise(line))
    assert len(realm.patches[realm.largest].points) == max(len(patch.points) for patch in realm.patches)


@thorough
@given(drops(), st.data())
def test_new_ruins_leave_older_geometry_as_it_is(dice: tuple[DroppedDie, ...], data: st.DataObject) -> None:
    realm = realm_of(dice)
    for _ in range(3):
        spent = data.draw(
            st.sampled_from([ruin.id for ruin in realm.of_kind(PlaceKind.RUIN) if not ruin.spent])
        )
        explored = spend_ruin(realm, spent)
        taken = {die.at for die in explored.dice}
        at = data.draw(
            st.sampled_from([cell for cell in CELLS if all(_apart(cell, other) for other in taken)])
        )
        grown = add_ruin(explored, DroppedDie(8, data.draw(st.integers(1, 8)), at))
        assert isinstance(grown, Realm)
        assert grown.places[:-1] == explored.places
        assert grown.links[:-1] == explored.links
        assert (grown.range, grown.patches) == (explored.range, explored.patches)
        assert sum(not ruin.spent for ruin in grown.of_kind(PlaceKind.RUIN)) == 2  # K4
        assert reachable(grown) == {place.id for place in grown.places}  # K7
        realm = grown


def _apart(a: Point, b: Point) -> bool:
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 >= 4000**2


@thorough
@given(drops())
def test_a_realm_depends_on_its_drop_alone(dice: tuple[DroppedDie, ...]) -> None:
    assert realm_of(dice) == realm_of(dice)
    # The order in which dice of different sizes fall does not matter, only that within one size.
    resorted = tuple(sorted(dice, key=lambda die: -die.sides))
    assert realm_of(resorted).links == realm_of(dice).links
