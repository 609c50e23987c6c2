"""Which kinds of maps can be asked for over REST is read out of the map service's published schema."""

import pytest

from services.gateway.rest.map_kinds import GRAPH, OWN_MEMBERS, kinds_of
from services.map.registry import GENERATORS
from services.shared.wording import camel


def test_every_kind_that_is_made_can_be_asked_for() -> None:
    named = kinds_of(GRAPH.read_text("utf-8"))
    assert len(named) == len(set(named)) and OWN_MEMBERS.isdisjoint(named)
    assert {*named, *OWN_MEMBERS} == {camel(slug) for slug in GENERATORS}


def test_kinds_are_the_fields_of_the_wish_alone() -> None:
    graph = """
input MapWishOther {
  no: Int
}

input MapWishInput @oneOf {
  forgebornRealm: ForgebornRealmInput

  \"\"\"Of lanterns.\"\"\"
  lanterns: ToyLanternsInput
  caveOfIce: CaveInput
}

input MapZoneInput {
  neither: Int
}
"""
    assert kinds_of(graph) == ("lanterns", "caveOfIce")


def test_a_schema_without_the_wish_is_refused() -> None:
    with pytest.raises(ValueError, match="MapWishInput"):
        kinds_of("type Query {\n  map: Int\n}\n")
