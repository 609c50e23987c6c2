"""The operations that the REST face sends, checked against the services' own schemas."""

import re
from pathlib import Path

import pytest
from graphql import GraphQLInterfaceType, parse, validate
from strawberry.federation import Schema

from services.campaign.graphql.schema import SCHEMA as CAMPAIGN
from services.character.graphql.schema import SCHEMA as CHARACTER
from services.dice.schema import SCHEMA as DICE
from services.gateway.rest import map_pictures
from services.gateway.rest.subgraphs import OPERATIONS, PROBLEMS
from services.map.graphql.schema import SCHEMA as MAP
from tests.house import ROOT

SCHEMAS: dict[str, Schema] = {"campaign": CAMPAIGN, "character": CHARACTER, "dice": DICE, "map": MAP}
FILES = sorted(OPERATIONS.glob("*.graphql"))
REST = ROOT / "services" / "gateway" / "rest"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_operation_fits_the_schema_of_its_service(file: Path) -> None:
    schema = SCHEMAS[file.name.partition(".")[0]]._schema
    assert validate(schema, parse(file.read_text("utf-8"))) == []


# What came of several rolls, or of an edit, is the answer itself: it has no single thing in it.
WHOLE = {"dice.createRolls", "map.editMap", "map.undoMapEdit"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_mutation_asks_for_whatever_can_go_wrong(file: Path) -> None:
    text = file.read_text("utf-8")
    if text.startswith("mutation"):
        assert "__typename" in text and (("value:" in text) is not (file.stem in WHOLE))
        assert "... on Problem {" in text
    assert text.count("result:") == 1


def test_every_operation_named_in_the_code_has_its_file_and_none_is_left_over() -> None:
    code = "".join(path.read_text("utf-8") for path in REST.glob("*.py"))
    named = set(re.findall(r'"((?:dice|character|campaign|map)\.[a-z][A-Za-z]+)"', code))
    given_out = {export.path for export in (*map_pictures.PICTURES, *map_pictures.EXPORTS)}
    assert named - given_out == {file.stem for file in FILES}


def test_every_problem_of_the_services_has_a_status() -> None:
    for name, schema in SCHEMAS.items():
        problem = schema._schema.type_map["Problem"]
        assert isinstance(problem, GraphQLInterfaceType)
        implementing = schema._schema.get_implementations(problem).objects
        assert {kind.name for kind in implementing} <= PROBLEMS, name
