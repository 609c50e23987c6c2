"""JSON forms in the spelling in which they are published, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from services.rules.engine.codec import CodecError, decode, encode
from services.rules.engine.forms import field_hint, published, spelled
from services.rules.engine.registry import systems
from services.rules.engine.spelling import PUBLISHED

SYSTEMS = systems()


class Mood(Enum):
    """How a song is sung."""

    LOW_AND_SLOW = "low-and-slow"
    LOUD = "loud"


@dataclass(frozen=True, slots=True)
class Verse:
    """A part of a song."""

    first_line: str
    mood: Mood = Mood.LOUD


@dataclass(frozen=True, slots=True)
class Sing:
    """To sing."""

    song_name: str
    verses: tuple[Verse, ...] = ()
    moods: tuple[Mood, ...] = ()
    by_mood: Mapping[Mood, int] | None = None
    pair: tuple[int, Mood] = (1, Mood.LOUD)


@dataclass(frozen=True, slots=True)
class Hum:
    """To hum."""

    mood: Mood | None = None


Act = Sing | Hum
SONG = Sing(
    "the_last_road",
    (Verse("it_was_night", Mood.LOW_AND_SLOW),),
    (Mood.LOUD, Mood.LOW_AND_SLOW),
    {Mood.LOW_AND_SLOW: 2},
)
SHOWN = {
    "kind": "Sing",
    "songName": "the_last_road",
    "verses": [{"firstLine": "it_was_night", "mood": "LOW_AND_SLOW"}],
    "moods": ["LOUD", "LOW_AND_SLOW"],
    "byMood": {"LOW_AND_SLOW": 2},
    "pair": [1, "LOUD"],
}


def test_a_stored_form_is_published_as_its_value_is() -> None:
    assert published(Act, encode(Act, SONG)) == SHOWN
    assert spelled(Act, SONG, PUBLISHED, properties=False) == SHOWN
    assert decode(Act, SHOWN, (), PUBLISHED) == SONG


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ({"kind": "Hum"}, {"kind": "Hum"}),
        ({"kind": "Hum", "mood": None}, {"kind": "Hum", "mood": None}),
        ({"kind": "Hum", "mood": "screamed"}, {"kind": "Hum", "mood": "screamed"}),
        ({"kind": "Shout", "song_name": "x"}, {"kind": "Shout", "song_name": "x"}),
        (
            {"kind": "Sing", "song_name": "x", "old_field": 1},
            {"kind": "Sing", "songName": "x", "oldField": 1},
        ),
    ],
    ids=["left out", "nothing", "no word of it", "no member of it", "a field that is gone"],
)
def test_what_is_not_whole_or_does_not_fit_is_published_as_far_as_it_goes(form: Any, shown: Any) -> None:
    assert published(Act, form) == shown


@pytest.mark.parametrize(
    ("form", "path", "expected"),
    [
        (
            {"kind": "Sing", "song_name": "x"},
            ("song_name",),
            "a key out of songName, verses, moods, byMood, pair",
        ),
        ({"kind": "Sing"}, ("songName",), "a value: this key is required"),
        ({"kind": "Hum", "mood": "loud"}, ("mood",), "one of LOW_AND_SLOW, LOUD"),
        (
            {"kind": "Sing", "songName": "x", "verses": [{"firstLine": 1}]},
            ("verses", 0, "firstLine"),
            "a text",
        ),
    ],
)
def test_what_was_sent_wrong_is_told_in_the_spelling_it_is_sent_in(
    form: Any, path: tuple[str | int, ...], expected: str
) -> None:
    with pytest.raises(CodecError) as refused:
        decode(Act, form, (), PUBLISHED)
    assert refused.value.path == path
    assert expected in refused.value.expected


@pytest.mark.parametrize(
    ("names", "hint"),
    [
        (["moods"], Mood),
        (["song_name"], str),
        (["verses"], Verse),
        (["nowhere"], Any),
        (["nowhere", "mood"], Any),
    ],
)
def test_the_type_of_a_field_is_found_in_a_form_that_lacks_it(names: list[str], hint: Any) -> None:
    assert field_hint(Act, {"kind": "Sing"}, names) == hint
    assert field_hint(Act, {"kind": "Hum"}, ["mood"]) == (Mood | None)


@pytest.mark.parametrize("slug", sorted(SYSTEMS))
def test_sheets_of_every_game_are_read_from_their_published_form(slug: str) -> None:
    system = SYSTEMS[slug]
    assert system.examples
    for choices in system.examples.values():
        sheet: Any = system.build(choices, system.content)
        stored = system.sheet_codec.dump(sheet)["data"]
        shown = published(system.sheet_codec.type, stored)
        assert system.sheet_codec.read(shown, PUBLISHED) == sheet
        assert spelled(system.sheet_codec.type, sheet, PUBLISHED, properties=False) == shown
