"""Kinds of maps over REST: sent as they are listed, beside the rest or as members of their own."""

from typing import Any

import pytest
from graphql import GraphQLEnumType, GraphQLInputObjectType

from services.gateway.rest.forms import Kinds
from services.gateway.rest.problems import Refusal
from services.map.graphql.schema import SCHEMA
from services.map.registry import GENERATORS

WISH = SCHEMA._schema.type_map["MapWishInput"]
LISTED = SCHEMA._schema.type_map["MapKind"]
assert isinstance(WISH, GraphQLInputObjectType) and isinstance(LISTED, GraphQLEnumType)
NAMES = set(LISTED.values)
KINDS = Kinds.of("map", WISH)
SIZE = {"width": 21, "height": 21}


def test_every_kind_that_is_made_can_be_asked_for_as_it_is_listed() -> None:
    assert set(KINDS.kinds) == {slug.upper() for slug in GENERATORS} < NAMES


@pytest.mark.parametrize(
    ("body", "wish"),
    [
        ({"kind": "DUNGEON", "parameters": SIZE}, {"dungeon": SIZE}),
        ({"kind": "dungeon"}, {"dungeon": {}}),
        ({"kind": "FORGEBORN_REALM"}, {"forgebornRealm": {}}),
        ({"forgebornRealm": {"seed": "7"}}, {"forgebornRealm": {"seed": "7"}}),
    ],
)
def test_a_kind_is_a_member_of_the_wish(body: dict[str, Any], wish: dict[str, Any]) -> None:
    assert KINDS.read(body) == wish


@pytest.mark.parametrize("body", [{}, {"kind": "CAVE", "dungeon": {}}, {"cave": {}, "dungeon": {}}])
def test_one_kind_is_asked_for(body: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        KINDS.read(body)
    assert refused.value.more["issues"][0]["code"] == "KIND_MISSING"
