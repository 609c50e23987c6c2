"""Regions as clients see them: what is where, the weather of a zone, and journeys between places."""

from services.map.generation.kind import Made, make
from services.map.kinds.region.generator import GENERATOR
from services.map.kinds.region.view import journey, region_view
from services.rules.systems.forge_engine.travel import TERRAIN_EFFECTS, TravelMode
from tests.character.desk import somebody
from tests.map.service_desk import MapDesk

REGION = """
query ($id: ID!, $start: String!, $end: String!) {
  map(id: $id) {
    kind
    region {
      title width height cellMiles biomes biomeLetters ground
      settlements { key kind name population at { x y } }
      ways { kind start end miles } rivers { key mouth } sites { key hidden }
      weather { climate seasons { season land { weather twentieths } water { wind twentieths } } }
    }
    onFoot: journey(start: $start, end: $end) { miles hours legs { terrain miles way } }
    mounted: journey(start: $start, end: $end, mode: MOUNTED, milesAnHour: 6) { hours }
  }
}
"""


def test_a_region_is_shown_and_crossed(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, map={"region": {"width": 64, "height": 64, "shape": "INLAND"}}, seed="6")
    places = {"start": "settlement-1", "end": "settlement-2"}
    found = map_desk.ask(viewer, REGION, id=made, **places)["map"]
    region = found["region"]
    assert len(region["biomes"]) == region["height"] and set(map(len, region["biomes"])) == {region["width"]}
    assert set("".join(region["biomes"])) <= set(region["biomeLetters"])
    for zone in region["weather"]:
        for season in zone["seasons"]:
            assert sum(chance["twentieths"] for chance in season["land"]) == 20
            assert sum(chance["twentieths"] for chance in season["water"]) == 20
    foot = found["onFoot"]
    assert foot["miles"] > 0 and abs(sum(leg["miles"] for leg in foot["legs"]) - foot["miles"]) < 1e-6
    # Three miles an hour at the very best.
    assert foot["hours"] >= foot["miles"] / 3 - 1e-9
    unknown = map_desk.answer(viewer, REGION, id=made, start="settlement-1", end="nowhere")
    assert unknown["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
    # A region is a place for journeys, not for scenes.
    assert map_desk.internal(viewer, f"maps/{made}/site").status_code == 404
    realm = map_desk.ask(viewer, REGION, id=map_desk.made(viewer), **places)["map"]
    assert realm["region"] is None and realm["onFoot"] is None


def test_hours_are_those_of_the_terrains_on_the_way() -> None:
    made = make(GENERATOR, GENERATOR.codec.type(width=96, height=96), 6)
    assert isinstance(made, Made)
    ids = [home.id for home in made.model.settlements]
    crossed = 0
    for end in ids[1:6]:
        found = journey(made.model, ids[0], end, TravelMode.FOOT, 4)
        if found is None or any(leg.terrain.value not in TERRAIN_EFFECTS for leg in found.legs):
            continue
        crossed += 1
        shares = [TERRAIN_EFFECTS[leg.terrain.value][TravelMode.FOOT] for leg in found.legs]
        expected = sum(
            leg.miles / 4 / float(share or 0) for leg, share in zip(found.legs, shares, strict=True)
        )
        assert abs(found.hours - expected) < 1e-6
    assert crossed
    assert {site.id for site in region_view(GENERATOR.for_players(made.model)).sites} == {
        site.id for site in made.model.sites if not site.hidden
    }
