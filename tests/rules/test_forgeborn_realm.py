"""The rules of the realm, line by line of the checklist (B: dice to features, C: links)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn import (
    DroppedDie,
    Landing,
    LinkKind,
    PlaceKind,
    Point,
    Realm,
    RealmSettings,
    Sheet,
    Site,
    add_ruin,
    check_drop,
    derive,
    landing,
    spend_ruin,
    with_names,
)
from services.rules.systems.forgeborn.features import (
    city_index,
    dragon_power,
    forest_patches,
    largest_patch,
    mountain_range,
    mountains_and_forests,
)
from services.rules.systems.forgeborn.links import (
    Link,
    forest_trail,
    settlement_links,
    too_far,
    trail_to_nearest,
)
from tests.rules.forgeborn_values import reachable

SHEET = Sheet.of(120, 90)
RULINGS = RealmSettings()

# A whole drop with one range from north to south.
DROP = (
    DroppedDie(12, 4, Point.of(110, 15)),
    DroppedDie(10, 7, Point.of(20, 45)),
    DroppedDie(8, 6, Point.of(60, 50)),
    DroppedDie(8, 6, Point.of(30, 80)),
    DroppedDie(8, 3, Point.of(100, 45)),
    DroppedDie(4, 1, Point.of(40, 50)),
    DroppedDie(4, 4, Point.of(35, 20)),
    DroppedDie(4, 2, Point.of(60, 68)),
    DroppedDie(4, 3, Point.of(95, 25)),
    DroppedDie(6, 2, Point.of(75, 5)),
    DroppedDie(6, 6, Point.of(75, 85)),
    DroppedDie(6, 1, Point.of(10, 70)),
    DroppedDie(6, 3, Point.of(18, 75)),
    DroppedDie(6, 5, Point.of(85, 60)),
    DroppedDie(6, 5, Point.of(10, 80)),
)


def realm_of(dice: Sequence[DroppedDie], settings: RealmSettings = RULINGS) -> Realm:
    realm = derive(dice, SHEET, settings)
    assert isinstance(realm, Realm), realm
    return realm


def at(*pairs: tuple[float, float]) -> list[Point]:
    return [Point.of(x, y) for x, y in pairs]


def sites(**named: tuple[float, float]) -> list[Site]:
    return [Site(name, Point.of(*spot)) for name, spot in named.items()]


def words(links: Sequence[Link]) -> list[tuple[str, str, str]]:
    return [(link.start.id, link.end.id, link.kind.value) for link in links]


GRID = sites(
    citadel=(20, 20),
    city=(60, 20),
    village_1=(100, 20),
    village_2=(20, 70),
    village_3=(60, 70),
    village_4=(100, 70),
)


class TestDrop:
    def test_b1_a_map_needs_its_fifteen_dice(self) -> None:
        assert check_drop(DROP, SHEET, RULINGS) == ()
        codes = [problem.code for problem in check_drop(DROP[1:], SHEET, RULINGS)]
        assert codes == ["realm_dice_count"]
        problems = derive([*DROP, DroppedDie(20, 1, Point.of(3, 3))], SHEET)
        assert isinstance(problems, Problems)
        assert "realm_dice_count" in problems.codes

    def test_a_face_the_die_does_not_have_is_told_with_its_path(self) -> None:
        problems = check_drop([replace(DROP[0], face=13), *DROP[1:]], SHEET, RULINGS)
        assert [(p.code, p.path, p.found, p.allowed) for p in problems] == [
            ("realm_die_face", ("dice", 0, "face"), 13, (1, 12))
        ]

    @pytest.mark.parametrize(
        ("spot", "result"),
        [
            ((53, 50), Landing.TOO_CLOSE),
            ((53.999, 50), Landing.TOO_CLOSE),
            ((54, 50), Landing.ACCEPTED),
            ((52.4, 53.2), Landing.ACCEPTED),
            ((120, 90), Landing.ACCEPTED),
            ((120.001, 50), Landing.OFF_SHEET),
            ((50, -1), Landing.OFF_SHEET),
        ],
    )
    def test_b2_what_lands_off_the_sheet_or_too_close_is_dropped_again(
        self, spot: tuple[float, float], result: Landing
    ) -> None:
        assert landing(SHEET, RULINGS, at((50, 50)), Point.of(*spot)) is result

    def test_a_realm_is_not_made_from_dice_that_lie_wrong(self) -> None:
        problems = derive([*DROP[:-1], replace(DROP[-1], at=Point.of(10, 72))], SHEET)
        assert isinstance(problems, Problems)
        assert problems.codes == ("realm_dice_too_close",)
        assert problems.items[0].path == ("dice", 14, "at")


class TestFeatures:
    @pytest.mark.parametrize(("face", "power"), [(1, 8), (7, 8), (8, 8), (9, 9), (12, 12)])
    def test_b3_the_dragon_has_at_least_power_eight(self, face: int, power: int) -> None:
        assert dragon_power(face, RULINGS) == power

    def test_b3_a_longer_game_sets_the_dragon_higher(self) -> None:
        assert dragon_power(5, RealmSettings(dragon_minimum=14)) == 14
        assert realm_of(DROP, RealmSettings(dragon_minimum=12)).place("lair").power == 12

    def test_b4_the_citadel_has_the_power_of_its_face(self) -> None:
        assert realm_of(DROP).place("citadel").power == 7

    def test_b5_the_highest_d8_is_the_city_wherever_it_lies(self) -> None:
        assert city_index([8, 7, 7], at((118, 88), (60, 45), (60, 46)), SHEET) == 0

    def test_b5_the_city_has_power_eight_whatever_its_face(self) -> None:
        assert realm_of(DROP).place("city").power == 8

    def test_b6_of_several_highest_the_nearest_to_the_center(self) -> None:
        assert city_index([4, 4, 4], at((20, 20), (100, 45), (60, 70)), SHEET) == 2

    def test_b6_p1_then_the_first_dropped(self) -> None:
        assert city_index([5, 5, 2], at((50, 45), (70, 45), (60, 80)), SHEET) == 0

    def test_b6_the_center_of_an_odd_sheet_lies_on_half_a_step(self) -> None:
        odd = Sheet(7, 5)
        assert odd.from_center(Point(3, 2)) == odd.from_center(Point(4, 3))

    def test_b7_b8_ruins_and_villages_have_the_power_of_their_faces(self) -> None:
        realm = realm_of(DROP)
        assert [ruin.power for ruin in realm.of_kind(PlaceKind.RUIN)] == [6, 3]
        assert [village.power for village in realm.of_kind(PlaceKind.VILLAGE)] == [1, 4, 2, 3]

    def test_b9_even_d6_are_mountains_and_odd_ones_forest(self) -> None:
        spots = at((10, 10), (30, 70), (60, 40), (90, 20), (110, 85), (70, 60))
        assert mountains_and_forests([2, 4, 6, 2, 4, 5], spots, SHEET) == ((0, 1, 2, 3, 4), (5,))
        assert mountains_and_forests([1, 3, 5, 1, 3, 5], spots, SHEET) == ((), (0, 1, 2, 3, 4, 5))

    def test_b10_without_odd_dice_the_farthest_even_one_is_forest(self) -> None:
        spots = at((10, 10), (30, 70), (60, 40), (90, 20), (110, 85), (70, 60))
        assert mountains_and_forests([2] * 6, spots, SHEET) == ((0, 1, 2, 3, 5), (4,))

    def test_b10_p1_of_equally_far_ones_the_first_dropped(self) -> None:
        spots = at((20, 45), (100, 45), (60, 40), (60, 50), (61, 45), (59, 45))
        assert mountains_and_forests([6] * 6, spots, SHEET) == ((1, 2, 3, 4, 5), (0,))

    def test_b11_no_mountain_no_range_and_one_is_a_peak(self) -> None:
        assert mountain_range([]) == ()
        assert mountain_range(at((5, 5))) == (Point.of(5, 5),)
        single = [replace(die, face=1) if die.sides == 6 else die for die in DROP]
        single[9] = replace(single[9], face=2)
        realm = realm_of(single)
        assert len(realm.range) == 1
        assert realm.ranges == ()

    def test_b12_the_range_is_the_shortest_open_path(self) -> None:
        line = mountain_range(at((0, 0), (50, 0), (20, 0), (90, 0)))
        assert line == tuple(at((0, 0), (20, 0), (50, 0), (90, 0)))

    def test_b13_the_range_parts_the_forest(self) -> None:
        points = at((20, 20), (30, 20), (90, 20))
        parted = forest_patches(points, [tuple(at((60, 0), (60, 90)))])
        assert [patch.dice for patch in parted] == [(0, 1), (2,)]
        assert [patch.dice for patch in forest_patches(points, [])] == [(0, 1, 2)]

    def test_b13_a_chain_around_the_range_joins_points_it_hides_from_each_other(self) -> None:
        points = at((50, 50), (70, 50), (60, 20))
        patches = forest_patches(points, [tuple(at((60, 30), (60, 90)))])
        assert [patch.dice for patch in patches] == [(0, 1, 2)]
        assert patches[0].lines == (tuple(at((50, 50), (60, 20), (70, 50))),)

    def test_b13_where_no_path_visits_every_point_a_tree_does(self) -> None:
        # Three spokes of mountains hide three points from each other; only the hub sees all of them.
        hub, spokes = (60, 45), ((60, 5), (20, 80), (100, 80))
        walls = [
            tuple(at(a, b)) for a, b in (((30, 20), (58, 42)), ((90, 20), (62, 42)), ((60, 90), (60, 49)))
        ]
        (patch,) = forest_patches(at(hub, *spokes), walls)
        assert sorted(len(line) for line in patch.lines) == [2, 2, 2]
        assert {line[0] for line in patch.lines} == {Point.of(*hub)}

    def test_b13_a_forest_die_on_the_range_stands_alone(self) -> None:
        patches = forest_patches(at((60, 45), (20, 45)), [tuple(at((60, 0), (60, 90)))])
        assert [patch.dice for patch in patches] == [(0,), (1,)]

    @pytest.mark.parametrize(
        ("points", "largest"),
        [
            ([(10, 10), (80, 10), (90, 10)], (1, 2)),  # most points
            ([(10, 10), (80, 10), (15, 10), (90, 10)], (1, 3)),  # longest drawn
            ([(80, 10), (10, 10), (90, 10), (20, 10)], (0, 2)),  # first dropped
        ],
    )
    def test_b14_the_largest_patch(self, points: list[tuple[float, float]], largest: tuple[int, ...]) -> None:
        patches = forest_patches(at(*points), [tuple(at((50, 0), (50, 90)))])
        assert patches[largest_patch(patches)].dice == largest


class TestRoads:
    def test_c3_each_settlement_has_its_nearest(self) -> None:
        chain = sites(citadel=(10, 10), city=(30, 10), v1=(48, 10), v2=(64, 10), v3=(78, 10), v4=(90, 10))
        assert words(settlement_links(chain, [])) == [
            ("citadel", "city", "road"),
            ("city", "v1", "road"),
            ("v1", "v2", "road"),
            ("v2", "v3", "road"),
            ("v3", "v4", "road"),
        ]

    def test_c3_over_the_range_the_nearest_link_is_a_trail(self) -> None:
        pair = sites(citadel=(50, 10), city=(70, 10), v1=(20, 10))
        links = settlement_links(pair, [tuple(at((60, 0), (60, 20)))])
        assert words(links) == [("citadel", "city", "trail"), ("citadel", "v1", "road")]
        assert [link.crosses_range for link in links] == [True, False]

    def test_c3_touching_the_range_is_crossing_it(self) -> None:
        links = settlement_links(sites(citadel=(50, 10), city=(70, 10)), [tuple(at((60, 10), (60, 20)))])
        assert links[0].kind is LinkKind.TRAIL

    def test_c3_of_equally_near_ones_a_road_goes_first_then_the_order(self) -> None:
        trio = sites(citadel=(60, 10), city=(40, 10), v1=(80, 10))
        behind = settlement_links(trio, [tuple(at((50, 0), (50, 20)))])
        assert words(behind)[0] == ("citadel", "v1", "road")
        assert words(settlement_links(trio, []))[0] == ("citadel", "city", "road")

    def test_c4_p6_networks_are_tied_by_the_shortest_road(self) -> None:
        apart = sites(citadel=(10, 10), city=(20, 10), v1=(10, 22), v2=(100, 80), v3=(110, 80), v4=(100, 68))
        assert words(settlement_links(apart, []))[-1] == ("city", "v4", "road")

    def test_c4_p6_a_longer_road_goes_before_a_shorter_trail(self) -> None:
        apart = sites(citadel=(40, 10), city=(45, 10), v1=(40, 80), v2=(70, 10), v3=(75, 10), v4=(75, 80))
        links = settlement_links(apart, [tuple(at((58, 0), (58, 60)))])
        tie = next(link for link in links if {link.start.id, link.end.id} <= {"v1", "v4"})
        assert tie.kind is LinkKind.ROAD
        assert not any(link.kind is LinkKind.TRAIL for link in links)

    def test_c4_p6_only_without_a_road_by_the_shortest_trail(self) -> None:
        apart = sites(citadel=(20, 20), city=(30, 20), v1=(20, 35), v2=(80, 20), v3=(95, 20), v4=(80, 40))
        assert words(settlement_links(apart, [tuple(at((50, 0), (50, 90)))]))[-1] == ("city", "v2", "trail")

    def test_a_settlement_on_the_range_has_trails_only(self) -> None:
        on_line = sites(citadel=(50, 50), city=(20, 50), v1=(30, 50), v2=(80, 50))
        links = settlement_links(on_line, [tuple(at((50, 0), (50, 90)))])
        assert {link.kind for link in links if link.joins("citadel")} == {LinkKind.TRAIL}
        assert ("city", "v1", "road") in words(links)
        assert any(link.joins("v2") for link in links)


class TestTrails:
    def trail(self, spot: tuple[float, float], *walls: Sequence[tuple[float, float]]) -> Link:
        ranges = [tuple(at(*wall)) for wall in walls]
        return trail_to_nearest(Site("lair", Point.of(*spot)), GRID, ranges, SHEET, RULINGS)

    def test_c6_one_trail_to_the_nearest_settlement_the_citadel_too(self) -> None:
        link = self.trail((25, 30))
        assert (link.end.id, link.kind, link.forced) == ("citadel", LinkKind.TRAIL, False)

    def test_c6_p7_the_nearest_that_needs_no_crossing(self) -> None:
        link = self.trail((60, 55), [(0, 62), (120, 62)])
        assert (link.end.id, link.forced, link.crosses_range) == ("city", False, False)

    def test_c6_exactly_forty_percent_of_the_diagonal_is_not_too_far(self) -> None:
        # The diagonal of 120 by 90 is 150, so 60 units is the limit.
        assert not too_far(Point.of(0, 0), Point.of(60, 0), SHEET, RULINGS)
        assert not too_far(Point.of(0, 0), Point.of(36, 48), SHEET, RULINGS)
        assert too_far(Point.of(0, 0), Point.of(60.001, 0), SHEET, RULINGS)

    def test_c7_too_far_from_everything_is_linked_by_force(self) -> None:
        link = trail_to_nearest(Site("lair", Point.of(110, 80)), GRID[:1], [], SHEET, RULINGS)
        assert (link.end.id, link.forced, link.crosses_range) == ("citadel", True, False)

    def test_c7_walled_in_is_linked_by_force_to_the_nearest(self) -> None:
        link = self.trail((60, 45), [(40, 30), (80, 30), (80, 60), (40, 60), (40, 30)])
        assert (link.end.id, link.forced, link.crosses_range) == ("city", True, True)

    def test_c7_on_the_range_line_is_linked_by_force(self) -> None:
        link = self.trail((60, 45), [(0, 45), (120, 45)])
        assert (link.forced, link.crosses_range) == (True, True)

    def test_c8_the_forest_leads_to_a_village_or_ruin_only(self) -> None:
        targets = sites(v1=(80, 50), v2=(10, 50), r1=(50, 70))
        link = forest_trail("forest", at((50, 50)), targets, [])
        assert (link.end.id, link.kind, link.forced) == ("r1", LinkKind.TRAIL, False)

    def test_c8_p8_from_the_nearest_of_its_points_at_any_distance(self) -> None:
        link = forest_trail("forest", at((10, 10), (110, 85)), sites(v1=(110, 5)), [])
        assert (link.start.at, link.forced) == (Point.of(110, 85), False)

    def test_c8_p8_lines_that_miss_the_range_go_first(self) -> None:
        wall = [tuple(at((60, 0), (60, 60)))]
        link = forest_trail("forest", at((50, 50)), sites(near=(70, 50), far=(10, 10)), wall)
        assert (link.end.id, link.forced) == ("far", False)
        only = forest_trail("forest", at((50, 50)), sites(near=(70, 50)), wall)
        assert (only.end.id, only.forced, only.crosses_range) == ("near", True, True)


class TestRealm:
    def test_a_whole_drop(self) -> None:
        realm = realm_of(DROP)
        assert realm.ranges == (tuple(at((75, 5), (75, 85))),)
        assert [patch.dice for patch in realm.patches] == [(0, 1, 3), (2,)]
        assert realm.largest == 0
        assert words(realm.links) == [
            ("citadel", "village-1", "road"),
            ("city", "village-3", "road"),
            ("city", "village-1", "road"),
            ("citadel", "village-2", "road"),
            ("city", "village-4", "trail"),
            ("lair", "village-4", "trail"),
            ("ruin-1", "village-1", "trail"),
            ("ruin-2", "village-4", "trail"),
            ("forest", "ruin-1", "trail"),
        ]

    def test_c9_every_place_is_reachable_from_the_citadel(self) -> None:
        realm = realm_of(DROP)
        assert reachable(realm) == {place.id for place in realm.places}

    def test_c10_lair_ruins_and_forest_have_no_roads(self) -> None:
        realm = realm_of(DROP)
        outer = {place.id for place in realm.of_kind(PlaceKind.LAIR, PlaceKind.RUIN, PlaceKind.FOREST)}
        assert all(
            link.kind is LinkKind.TRAIL for link in realm.links if {link.start.id, link.end.id} & outer
        )

    def test_the_forest_stands_where_its_trail_begins(self) -> None:
        realm = realm_of(DROP)
        assert realm.place("forest").at == realm.links[-1].start.at

    def test_names_are_given_by_id(self) -> None:
        realm = with_names(realm_of(DROP), {"city": "Tarn"})
        assert (realm.place("city").name, realm.place("lair").name) == ("Tarn", "")

    def test_there_is_no_place_of_an_unknown_id(self) -> None:
        with pytest.raises(KeyError):
            realm_of(DROP).place("harbor")
        with pytest.raises(ValueError, match="neither end"):
            realm_of(DROP).links[0].other("lair")


class TestNewRuin:
    def grown(self, realm: Realm, face: int, spot: tuple[float, float]) -> Realm:
        grown = add_ruin(realm, DroppedDie(8, face, Point.of(*spot)))
        assert isinstance(grown, Realm), grown
        return grown

    def test_c11_it_has_the_power_of_its_face_and_one_trail(self) -> None:
        realm = self.grown(realm_of(DROP), 5, (45, 54))
        assert realm.place("ruin-3").power == 5
        assert words(realm.links)[-1] == ("ruin-3", "village-1", "trail")

    def test_c11_everything_older_stays(self) -> None:
        before = realm_of(DROP)
        after = self.grown(before, 5, (45, 54))
        assert after.places[:-1] == before.places
        assert after.links[:-1] == before.links
        assert (after.range, after.patches, after.largest) == (before.range, before.patches, before.largest)

    def test_c11_it_may_lead_to_an_older_ruin_a_spent_one_too(self) -> None:
        realm = spend_ruin(realm_of(DROP), "ruin-2")
        assert words(self.grown(realm, 6, (104, 50)).links)[-1] == ("ruin-3", "ruin-2", "trail")

    def test_c11_never_to_lair_or_forest(self) -> None:
        assert words(self.grown(realm_of(DROP), 1, (110, 20)).links)[-1][1] == "village-4"
        assert words(self.grown(realm_of(DROP), 1, (22, 76)).links)[-1][1] == "ruin-1"

    def test_c11_a_third_ruin_looks_at_the_second(self) -> None:
        realm = self.grown(realm_of(DROP), 2, (5, 5))
        assert words(self.grown(realm, 2, (5, 10)).links)[-1] == ("ruin-4", "ruin-3", "trail")

    def test_p9_the_drop_rules_hold_for_it(self) -> None:
        too_close = add_ruin(realm_of(DROP), DroppedDie(8, 5, Point.of(42, 50)))
        assert isinstance(too_close, Problems)
        assert too_close.codes == ("realm_dice_too_close",)
        wrong_die = add_ruin(realm_of(DROP), DroppedDie(6, 5, Point.of(45, 54)))
        assert isinstance(wrong_die, Problems)
        assert set(wrong_die.codes) == {"realm_dice_count"}

    def test_a_spent_ruin_stays_a_place_without_a_number(self) -> None:
        realm = spend_ruin(realm_of(DROP), "ruin-1")
        assert (realm.place("ruin-1").power, realm.place("ruin-1").spent) == (None, True)
        assert reachable(realm) == {place.id for place in realm.places}
        with pytest.raises(ValueError, match="not an unspent Ruin"):
            spend_ruin(realm, "ruin-1")
        with pytest.raises(ValueError, match="not an unspent Ruin"):
            spend_ruin(realm, "city")
