"""Expressions of dice that would take a server's time: through the public port each is answered all the same.

What bounds it are the processes that compute odds and big rolls, which only the product has running: their limits
are processor seconds, so by the clock a busy machine may take longer.
"""

import json
from typing import Any

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person, Product, until
from tests.matrix.test_bad_input import CODES

HOSTILE = {
    "400 brackets": "(" * 400,
    "400 pairs of brackets": "(" * 200 + "1" + ")" * 200,
    "300 terms": "1d6" + "+1d6" * 100,
    "towers of powers": "9**9**9**9**9",
    "a power of half a million digits": "9**(2**20)",
    "explosions without end": "1000d2!>0",
    "rerolls without end": "1000d1r",
    "rerolls of every face": "10d6r>=1",
    "unique beyond the faces": "100d6u",
    "a million sides, all of them kept": "1000d1000000kh999sa",
    "dice of dice of dice": "(1000d1000)d(1000d1000)",
    "long chains": "1000d2!!>=2kh500",
    "groups of groups": "{" * 30 + "1d6" + "}kh1" * 30,
    "no sides": "1d0",
    "fewer than no dice": "(0-5)d6",
    "nothing to divide by": "1/0",
    "a rolled divisor": "1 / (d2 - 1)",
    "digits of another alphabet": "\u0663d\u0666",
    "writing turned round": "\u202e1d6",
    "a name of 400 letters": "@" + "x" * 400,
    "a comment of 400 letters": "1d6 # " + "x" * 400,
    "many labels": "1d6" + "[x]" * 100,
    "a face list": "d[" + ",".join(["1"] * 200) + "]",
    "opposed multitudes": "1000d1000000 vs 1000d1000000",
}


@pytest.fixture(scope="module")
def somebody(sqlite: Product) -> Person:
    """Give somebody, once the processes that evaluate big rolls and odds have answered."""
    person = sqlite.sign_up("Malice")
    big = {"input": {"expression": "1000d2!!>=2kh500"}}
    until(
        lambda: person.ask(MUTATIONS["roll"], **big)["roll"].get("code") != "UNAVAILABLE",
        "a big roll to be answered",
    )
    until(lambda: person.get("/v1/odds?expression=40d20kh20").status_code == 200, "odds to be answered")
    return person


def outcome_of(person: Person, query: str, **variables: Any) -> Any:
    """Ask something that is answered without an error; return the outcome."""
    (outcome,) = person.ask(query, **variables).values()
    return outcome


@pytest.mark.parametrize("expression", HOSTILE.values(), ids=HOSTILE)
def test_hostile_expression_is_rolled_or_refused(somebody: Person, expression: str) -> None:
    outcome = outcome_of(somebody, MUTATIONS["roll"], input={"expression": expression})
    assert outcome.get("code") in (None, "INVALID_INPUT"), outcome


@pytest.mark.parametrize("expression", HOSTILE.values(), ids=HOSTILE)
def test_odds_of_a_hostile_expression_are_told_or_refused(somebody: Person, expression: str) -> None:
    answers: tuple[str | None, ...] = (None, "INVALID_INPUT", "ODDS_TOO_LARGE")
    exact = outcome_of(somebody, QUERIES["odds"], expression=expression)
    assert exact.get("code") in answers, exact
    sampled = outcome_of(somebody, QUERIES["odds"], expression=expression, sample=1_000_000)
    assert sampled.get("code") in answers, sampled
    compared = outcome_of(somebody, QUERIES["compareOdds"], expressions=[expression] * 8)
    assert compared.get("code") in answers, compared
    for path in ("/v1/odds", "/v1/odds.svg"):
        rest = somebody.send("GET", path, params={"expression": expression})
        assert rest.status_code in (200, 422), rest.text
        assert rest.status_code == 200 or rest.json()["code"] == (exact.get("code") or "INVALID_INPUT")
    assert somebody.get("/v1/odds?expression=2d6").json()["mean"] == 7


ODDS: dict[str, tuple[dict[str, Any], str]] = {
    "quantiles below 0": ({"quantiles": [-0.1]}, "OUT_OF_RANGE"),
    "quantiles above 1": ({"quantiles": [0.5, 1.1]}, "OUT_OF_RANGE"),
    "21 quantiles": ({"quantiles": [0.5] * 21}, "COUNT"),
    "no samples": ({"sample": 0}, "OUT_OF_RANGE"),
    "a million samples and one": ({"sample": 1_000_001}, "OUT_OF_RANGE"),
    "51 variables": ({"variables": [{"name": f"v{n}", "value": 1} for n in range(51)]}, "COUNT"),
    "a large variable": ({"variables": [{"name": "a", "value": -1_000_001}]}, "OUT_OF_RANGE"),
    "an unknown variable": ({"expression": "@nobody d6"}, "UNKNOWN_VARIABLE"),
    "no dice notation": ({"expression": "what are my odds"}, "NOTATION"),
    "nothing": ({"expression": ""}, "NOTATION"),
    "nothing to divide by": ({"expression": "1/0"}, "NOTATION"),
    "dice that never come to anything": ({"expression": "1 / (d2 // 3)"}, "NEVER_COMES_TO_ANYTHING"),
}


@pytest.mark.parametrize(("asked", "code"), ODDS.values(), ids=ODDS)
def test_odds_that_cannot_be_are_refused(somebody: Person, asked: dict[str, Any], code: str) -> None:
    outcome = outcome_of(somebody, QUERIES["odds"], **{"expression": "1d6", **asked})
    assert (outcome["code"], {issue["code"] for issue in outcome["issues"]}) == ("INVALID_INPUT", {code})


@pytest.mark.parametrize("count", [0, 9])
def test_comparison_of_none_or_of_more_than_8_is_refused(somebody: Person, count: int) -> None:
    outcome = outcome_of(somebody, QUERIES["compareOdds"], expressions=["1d6"] * count)
    assert {issue["code"] for issue in outcome["issues"]} == {"COUNT"}
    rest = somebody.get("/v1/odds.svg?" + "&".join(["expression=1d6"] * count))
    assert (rest.status_code, rest.json()["code"]) == (422, "INVALID_INPUT")


@pytest.mark.parametrize("width", [-(2**31), -1, 0, 2**31 - 1])
def test_picture_of_any_width_is_drawn_or_refused(somebody: Person, width: int) -> None:
    document = """query ($width: Int!) {
      odds(expression: "2d6") { ... on Odds { svg(width: $width) } }
      compareOdds(expressions: ["2d6", "d12"]) { ... on OddsComparison { svg(width: $width) } }
      rollStatistics { luck { svg(width: $width) } }
    }"""
    answer = somebody.graph(document, {"width": width}).json()
    assert {error["extensions"]["code"] for error in answer.get("errors", ())} <= CODES, answer
    assert len(json.dumps(answer)) < 100_000
