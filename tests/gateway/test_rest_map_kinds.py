"""Which kinds of maps can be asked for over REST is read out of the map service's published schema."""

import pytest
from pydantic import ValidationError

from services.gateway.rest.map_kinds import GRAPH, OWN_MEMBERS, kinds_of, listed, member
from services.gateway.rest.map_shapes import NewMap
from services.map.registry import GENERATORS


def test_every_kind_that_is_made_can_be_asked_for() -> None:
    named = kinds_of(GRAPH.read_text("utf-8"))
    assert len(named) == len(set(named)) and OWN_MEMBERS.isdisjoint(named)
    assert {*named, *map(listed, OWN_MEMBERS)} == {slug.upper() for slug in GENERATORS}


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
    assert kinds_of(graph) == ("LANTERNS", "CAVE_OF_ICE")
    assert [member(kind) for kind in kinds_of(graph)] == ["lanterns", "caveOfIce"]


@pytest.mark.parametrize("sent", ["CAVE", "cave"])
def test_a_kind_is_sent_as_it_is_listed_or_as_it_was(sent: str) -> None:
    assert NewMap.model_validate({"kind": sent}).kind == "CAVE"


@pytest.mark.parametrize("sent", ["", "caves", "DUNGEON ", 7])
def test_another_kind_is_refused(sent: object) -> None:
    with pytest.raises(ValidationError):
        NewMap.model_validate({"kind": sent})


def test_a_schema_without_the_wish_is_refused() -> None:
    with pytest.raises(ValueError, match="MapWishInput"):
        kinds_of("type Query {\n  map: Int\n}\n")
