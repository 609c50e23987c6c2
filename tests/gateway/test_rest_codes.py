"""The registry of codes, compared with the source of all services."""

import json
import re
from html.parser import HTMLParser

import pytest

from infra.checks.codes import ROWS, SERVICES, UPPER, place_of, rows_of, rule_codes, sentences, told_codes
from services.gateway.pages.problems import problems_page
from services.gateway.rest import rule_codes as published
from services.gateway.rest.codes import CODES, Code
from tests.house import ROOT

SOURCES = [
    *(ROOT / "services").rglob("*.py"),
    *(file for file in (ROOT / "services/gateway/federation").glob("*.mjs")),
]
REGISTRY = ROOT / "services/gateway/rest/codes.py"


def test_every_code_that_is_told_is_known() -> None:
    known = CODES.keys() | published.rule_codes().keys()
    lost = [f"{one.code} ({one.place})" for one in told_codes() if one.code.upper() not in known]
    assert lost == []


def test_every_known_code_is_told_somewhere() -> None:
    text = "".join(file.read_text("utf-8") for file in SOURCES if file != REGISTRY)
    literals = set(re.findall(r"[\"']([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)[\"']", text))
    assert sorted(CODES.keys() - literals) == []


def test_the_codes_of_rules_are_those_of_the_source() -> None:
    found = rule_codes()
    assert json.loads((ROOT / "schema/rule-codes.json").read_bytes()) == found
    assert len(found) > 400


def test_every_code_of_a_rule_has_one_row_where_it_belongs() -> None:
    belongs = {code: place_of(services) for code, services in sentences().items() if code not in CODES}
    written = [(code, file.parent) for file in SERVICES.rglob(ROWS) for code in rows_of(file.parent)]
    assert sorted(belongs.items()) == sorted(written)


def test_a_code_that_several_games_tell_belongs_to_the_engine() -> None:
    assert place_of(["rules/forgeborn", "rules/dwarf_dice"]) == place_of(["rules"])
    assert place_of(["rules/forgeborn"]) == SERVICES / "rules/systems/forgeborn"
    assert place_of(["map"]) == SERVICES / "map"


def test_codes_are_of_one_grammar_and_say_what_to_do() -> None:
    for code, one in (*CODES.items(), *published.rule_codes().items()):
        assert UPPER.fullmatch(code), code
        assert one.meaning.endswith(".") and one.mend.endswith("."), code
        assert one.status is None or 400 <= one.status < 600, code


class Rows(HTMLParser):
    """Collects the rows of a page's tables by their ids."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note a row."""
        if tag == "tr" and (found := dict(attributes).get("id")):
            self.ids.append(found)


def test_the_page_lists_each_code_with_what_to_do() -> None:
    page = problems_page(CODES, published.rule_codes())
    rows = Rows()
    rows.feed(page)
    assert sorted(rows.ids) == sorted([*CODES, *published.rule_codes()])
    assert "<td>There is no such champion.</td><td>Take one of those that `allowed` names.</td>" in page
    assert "Take a fresh key for each new request." in page


@pytest.mark.parametrize("code", ["<script>", "A&B"])
def test_the_page_writes_whatever_it_is_given_as_text(code: str) -> None:
    page = problems_page({code: Code(422, "<b>", "&")}, {code: Code(422, "", "", {"rules/<i>": ["<u>"]})})
    assert "<script>" not in page and "<b>" not in page and "<i>" not in page and "<u>" not in page
