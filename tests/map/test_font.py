"""The bundled font: its files, its widths, its style sheet."""

from __future__ import annotations

import re
from base64 import b64decode
from itertools import pairwise
from pathlib import Path

import pytest
import skia
from hypothesis import given
from hypothesis import strategies as st

from services.map.render.font import faces
from services.map.render.font.faces import FAMILY, Face, face_of, font_face, truetype, web_font
from services.map.render.font.letters import METRICS, UNITS_PER_EM, advances, spelled
from services.map.render.metrics import ASCENT, DESCENT, FONT_FAMILY, text_width

PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def loaded(face: Face) -> skia.Typeface:
    return skia.FontMgr.New_Custom_Empty().makeFromData(skia.Data.MakeWithCopy(truetype(face)))


def unhinted(face: Face) -> skia.Font:
    font = skia.Font(loaded(face), UNITS_PER_EM)
    font.setHinting(skia.FontHinting.kNone)
    font.setLinearMetrics(True)
    return font


@pytest.mark.parametrize("face", Face)
def test_the_table_holds_the_width_of_every_letter_in_the_file(face: Face) -> None:
    typeface, font = loaded(face), unhinted(face)
    widths = METRICS[face].widths
    in_file = {chr(code) for code in range(0x20, 0x3000) if typeface.unicharToGlyph(code)}
    assert set(widths) == in_file
    letters = sorted(widths)
    measured = font.getWidths(font.textToGlyphs("".join(letters)))
    assert len(measured) == len(letters)
    for letter, width in zip(letters, measured, strict=True):
        assert widths[letter] == pytest.approx(width, abs=0.02), letter


@pytest.mark.parametrize("face", Face)
def test_the_table_holds_the_kerning_of_the_file(face: Face) -> None:
    typeface, kerning = loaded(face), METRICS[face].kerning
    first_letters = sorted({pair[0] for pair in kerning})
    second_letters = sorted({pair[1] for pair in kerning})
    for first in first_letters:
        line = "".join(first + second for second in second_letters)
        glyphs = [typeface.unicharToGlyph(ord(letter)) for letter in line]
        adjustments = typeface.getKerningPairAdjustments(glyphs)[::2]
        assert list(adjustments) == [kerning.get(first + second, 0) for second in second_letters]


@pytest.mark.parametrize("face", Face)
def test_a_line_is_as_wide_as_its_glyphs_and_kerns(face: Face) -> None:
    line = "The Wyvern’s Vault of Avalon, Tyr & To 17"
    font, typeface = unhinted(face), loaded(face)
    kerns = sum(typeface.getKerningPairAdjustments(font.textToGlyphs(line)))
    wanted = font.measureText(line) + kerns
    found = text_width(line, UNITS_PER_EM, bold=face is Face.BOLD, italic=face is Face.ITALIC)
    assert found == pytest.approx(wanted, abs=0.5)


@pytest.mark.parametrize("face", Face)
def test_plain_letters_lie_between_ascent_and_descent(face: Face) -> None:
    font = unhinted(face)
    boxes = font.getBounds(font.textToGlyphs(PLAIN))
    assert max(-box.top() for box in boxes) <= ASCENT * UNITS_PER_EM
    assert max(box.bottom() for box in boxes) <= DESCENT * UNITS_PER_EM


@pytest.mark.parametrize("face", Face)
def test_figures_stand_on_the_line_about_as_tall_as_capitals(face: Face) -> None:
    font = unhinted(face)
    capital = font.getBounds(font.textToGlyphs("H"))[0].top()
    for box in font.getBounds(font.textToGlyphs("0123456789")):
        # Old-style figures would reach below the line, and half of them be as low as small letters.
        assert 0.88 < box.top() / capital < 1.05
        assert box.bottom() < 30


@pytest.mark.parametrize("face", Face)
def test_the_files_are_small_and_named(face: Face) -> None:
    assert len(truetype(face)) <= 60_000
    assert len(web_font(face)) <= 20_000
    assert web_font(face)[:4] == b"wOF2"
    assert loaded(face).getFamilyName() == FAMILY
    assert FONT_FAMILY.startswith(f"'{FAMILY}'")


def test_the_licence_lies_beside_the_files() -> None:
    licence = Path(faces.__file__).with_name("OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "The Alegreya Project Authors" in licence


def test_the_style_sheet_brings_the_faces_asked_for() -> None:
    sheet = font_face()
    data = re.findall(r"url\(data:font/woff2;base64,([A-Za-z0-9+/=]+)\)", sheet)
    assert sorted(map(b64decode, data)) == sorted(map(web_font, Face))
    assert sheet.count(FAMILY) == len(Face)
    assert font_face([Face.BOLD, Face.BOLD]).count("@font-face") == 1
    assert "font-weight:700" in font_face([Face.BOLD])
    assert font_face([]) == ""


def test_slant_goes_before_weight() -> None:
    assert face_of() is Face.REGULAR
    assert face_of(bold=True) is Face.BOLD
    assert face_of(italic=True) is Face.ITALIC
    assert face_of(bold=True, italic=True) is Face.ITALIC


def test_letters_that_the_font_lacks_lose_their_accent_or_count_as_wide() -> None:
    assert spelled("Ạ", Face.REGULAR) == "A"
    assert spelled("e\u0301", Face.REGULAR) == "é"
    assert text_width("Ạẹ", 10) == text_width("Ae", 10)
    assert spelled("龍", Face.REGULAR) == "龍"
    assert text_width("龍", 10) > text_width("м", 10) > text_width("n", 10)


def test_kerning_moves_letters_together() -> None:
    assert text_width("AV", 100) < text_width("A", 100) + text_width("V", 100)


@given(st.text(alphabet=PLAIN + " ,.’–", max_size=40), st.floats(1, 200), st.floats(0, 9), st.booleans())
def test_width_grows_with_size_and_tracking(text: str, size: float, tracking: float, bold: bool) -> None:
    plain = text_width(text, 1, bold=bold)
    wide = text_width(text, size, bold=bold, tracking=tracking)
    assert wide == pytest.approx(plain * size + tracking * len(text))
    moves = advances(text, face_of(bold=bold))
    assert len(moves) == len(text)
    assert all(move > 0 for move, _ in pairwise((*moves, 0)))
