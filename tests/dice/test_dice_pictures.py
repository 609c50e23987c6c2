"""Pictures of odds and counts: well-formed, told in words, and nobody's text gets out of its place."""

from __future__ import annotations

import re
from math import isfinite
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.dice.odds import tasks
from services.dice.odds.picture import compared_chart, odds_chart
from services.dice.odds.tasks import Priced, Question
from services.dice.statistics.picture import fairness_chart, luck_chart
from services.rules.dice.notation import Lexicon, parse
from services.rules.dice.odds.summary import Odds
from services.rules.engine.registry import mechanics
from services.shared.plots.spreads import Spread, comparison_chart, distribution_chart

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</text><script>alert(1)</script>&amp;\"'\0\x1b\u202e]]>"


def odds(text: str, samples: int | None = None) -> Odds:
    expression = parse(text, Lexicon(mechanics=mechanics()))
    priced = tasks.price(Question(expression, text, samples=samples), mechanics())
    assert isinstance(priced, Priced)
    found = tasks.odds(mechanics(), priced)
    assert isinstance(found, Odds)
    return found


def drawn(svg: str) -> ElementTree.Element:
    """A picture, after what holds for all of them was looked at."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    named = {element.get("id") for element in root if element.tag in (f"{SVG}title", f"{SVG}desc")}
    assert set((root.get("aria-labelledby") or "").split()) == named
    assert len(named) == 2
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "path",
        "text",
    }
    for name in ("href", "url(", "<script", "onload"):
        assert not any(name in f"{element.tag}{element.attrib}" for element in root.iter())
    coordinates = [
        float(number) for path in root.iter(f"{SVG}path") for number in _numbers(path.get("d") or "")
    ]
    assert all(isfinite(number) for number in coordinates)
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    for bar in root.iter(f"{SVG}rect"):
        left, top = float(bar.get("x") or 0), float(bar.get("y") or 0)
        assert left >= -0.02 and left + float(bar.get("width") or 0) <= width + 0.02
        assert top >= -0.02 and top + float(bar.get("height") or 0) <= height + 0.02
    return root


def _numbers(path: str) -> list[str]:
    """Every number of path data; anything that is none is among them as it is."""
    return [number for number in re.split(r"[MLZ ]", path) if number]


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def bars(root: ElementTree.Element, *colours: str) -> list[ElementTree.Element]:
    """The bars of some colours that tell a figure."""
    names = {f"hf-{colour}" for colour in colours}
    return [
        bar
        for bar in root.iter(f"{SVG}rect")
        if bar.get("class") in names and bar.find(f"{SVG}title") is not None
    ]


@pytest.mark.parametrize("width", [240, 360, 720, 1600])
@pytest.mark.parametrize(
    "text",
    [
        "1d20",
        "4d6kh3",
        "10d6!",
        "1d6/2",
        "1d1",
        "1000d6",
        "1d100 - 1d100",
        "forge_engine:opposed(10, 5)",
        "1d2 * 100000",
    ],
)
def test_every_distribution_can_be_drawn_at_every_width(text: str, width: int) -> None:
    root = drawn(odds_chart(odds(text), width))
    assert root.get("width") == str(width)
    assert any(word.startswith("mean ") for word in words(root))


def test_a_bar_tells_the_chance_of_its_value_and_is_as_high() -> None:
    root = drawn(odds_chart(odds("2d6"), 720))
    told = [bar.findtext(f"{SVG}title") or "" for bar in bars(root, "bar", "tail")]
    assert told[5] == "7: 17%; at least 7: 58%"
    heights = [float(bar.get("height") or 0) for bar in bars(root, "bar", "tail")]
    assert heights[5] / heights[0] == pytest.approx(6, rel=0.01)
    # Half of all rolls come to 5 to 9, and these bars are stronger.
    strong = [(bar.findtext(f"{SVG}title") or "").split(":")[0] for bar in bars(root, "bar")]
    assert strong == ["5", "6", "7", "8", "9"]


def test_the_figures_are_told_in_words_too() -> None:
    root = drawn(odds_chart(odds("4d6kh3"), 720))
    assert root.findtext(f"{SVG}title") == "Odds of 4d6kh3"
    said = root.findtext(f"{SVG}desc") or ""
    assert "mean 12.24" in said and "18: 1.6%" in said
    long = drawn(odds_chart(odds("100d6"), 720)).findtext(f"{SVG}desc") or ""
    assert "half of all rolls come to 338 to 362" in long


def test_words_of_a_games_own_roll_are_drawn_and_told() -> None:
    root = drawn(odds_chart(odds("forge_engine:opposed(1, 1)"), 720))
    assert {"success 55%", "failure 36%", "critical failure 9.0%"} <= set(words(root))


@pytest.mark.parametrize(
    ("found", "note"),
    [
        (odds("1d20", 2_000), "estimated from 2,000 sampled rolls"),
        (odds("1000d6"), "only the likeliest 1,000 of 5,001 values are drawn"),
        (odds("6 / (1d6 - 1)"), "16.7% of these rolls come to nothing"),
    ],
)
def test_what_must_be_known_about_the_figures_is_told(found: Odds, note: str) -> None:
    assert note in words(drawn(odds_chart(found, 720)))


def test_a_comparison_has_every_expression_on_one_axis() -> None:
    several = [odds(text) for text in ("1d20", "3d6", "10d6!", "1d6/2")]
    root = drawn(compared_chart(several, 720))
    assert {each.expression for each in several} <= set(words(root))
    assert "mean 10.5 ± 5.77" in words(root)
    firsts = [
        bar for bar in bars(root, "bar", "tail") if (bar.findtext(f"{SVG}title") or "").startswith("10:")
    ]
    middles = {round(float(bar.get("x") or 0) + float(bar.get("width") or 0) / 2, 1) for bar in firsts}
    assert len(firsts) >= 2 and max(middles) - min(middles) < 0.1


def test_counts_outside_of_the_band_are_marked_by_more_than_colour() -> None:
    counts = [("1", 100), ("2", 99), ("3", 140), ("4", 60), ("5", 101), ("6", 100)]
    root = drawn(fairness_chart("d6", 100, counts))
    # 600 dice: 100 of each face, deviation 9.13, so that 19 of 20 counts lie within 17.9.
    assert [bar.findtext(f"{SVG}title") for bar in bars(root, "odd")] == ["3: 140", "4: 60"]
    assert {"▲ 140", "▼ 60"} <= set(words(root))
    assert "17.89" in (root.findtext(f"{SVG}desc") or "")


@pytest.mark.parametrize("faces", [1, 2, 6, 20, 100])
def test_every_number_of_faces_can_be_drawn(faces: int) -> None:
    for count in (0, 1, 12_345_678):
        for width in (240, 720):
            drawn(
                fairness_chart(f"d{faces}", count, [(str(face), count) for face in range(faces)], width=width)
            )


def test_luck_is_drawn_in_tenths() -> None:
    root = drawn(luck_chart("Luck", [10, 9.5, 12, 8, 11, 10, 10, 9.5, 3, 17]))
    assert {"0–10%", "90–100%"} <= set(words(root))
    assert [bar.findtext(f"{SVG}title") for bar in bars(root, "odd")] == ["80–90%: 3", "90–100%: 17"]
    drawn(luck_chart("Luck", [0] * 10))


def test_nobodys_text_gets_out_of_its_place() -> None:
    spread = Spread(EVIL, [(1, 1.0, 1.0)], 1, 0, (1, 1, 1), [(EVIL, 1.0)], EVIL)
    for svg in (
        distribution_chart(spread),
        comparison_chart([spread]),
        fairness_chart(EVIL, 1, [(EVIL, 1)]),
        luck_chart(EVIL, [1]),
    ):
        root = drawn(svg)
        assert "<script" not in svg
        assert any(
            "<script>" in word or "</text>" in word
            for word in (root.findtext(f"{SVG}title"), *words(root))
            if word
        )


@settings(max_examples=60)
@given(st.text(max_size=600), st.integers(-(10**9), 10**9), st.integers(-10, 5_000))
def test_any_name_and_any_width_give_a_picture(name: str, value: int, width: int) -> None:
    root = drawn(distribution_chart(Spread(name, [(value, 1.0, 1.0)], value, 0, (value,) * 3), width=width))
    assert 240 <= int(root.get("width") or 0) <= 1600


def test_pictures_of_one_page_do_not_share_ids() -> None:
    ids = [re.findall(r' id="(\w+)"', odds_chart(odds(text), 360)) for text in ("1d6", "1d8")]
    assert not set(ids[0]) & set(ids[1])
