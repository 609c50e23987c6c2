"""Content is found by its words and by what its fields say, and schemas say what its entries are made of."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.rules.engine import library
from services.rules.engine.content import Shelf
from services.rules.engine.forms import spelled
from services.rules.engine.json_schema import Writer
from services.rules.engine.library import Condition, Found, Relation, Wanted
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.shelf_index import LeafKind, folded
from services.rules.engine.spelling import Spelling


class Metal(Enum):
    """What it is made of."""

    SOFT_GOLD = "soft-gold"
    IRON = "iron"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """How heavy.

    Attributes:
        grams: On the scales.
    """

    grams: int
    felt: Fraction = Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A ring."""

    id: str
    name: str
    metal: Metal
    summary: str = ""
    weight: Weight | None = None
    worn_by: tuple[str, ...] = ()
    goes_with: tuple[str, ...] = ()
    within: "tuple[Ring, ...]" = ()
    charges: Mapping[str, int] | None = None

    @property
    def heavy(self) -> bool:
        """Whether it pulls a finger down."""
        return self.weight is not None and self.weight.grams > 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Song:
    """A song; it has no name but its id."""

    id: str
    verses: int


@dataclass(frozen=True, slots=True)
class Hoard:
    """What there is."""

    rings: Shelf[Ring]
    songs: Shelf[Song]

    def shelves(self) -> tuple[Shelf[Any], ...]:
        return (self.rings, self.songs)


ONE, DURIN, EMBER = "toy:ring/the-one", "toy:ring/durins-band", "toy:ring/ember"
RINGS = (
    Ring(
        id=ONE,
        name="The One",
        metal=Metal.SOFT_GOLD,
        summary="Plain, and élan itself.",
        weight=Weight(grams=12),
        worn_by=("Isildur", "a Gollum"),
        goes_with=(EMBER,),
    ),
    Ring(id=DURIN, name="Durin's Bänd", metal=Metal.IRON, weight=Weight(grams=4, felt=Fraction(1, 3))),
    Ring(id=EMBER, name="Ember", metal=Metal.IRON, summary="A one-off.", charges={"fire": 3}),
)
RINGS_SHELF = Shelf("toy", "ring", "rings.toml", {ring.id: ring for ring in RINGS})
SONG = Song(id="toy:song/long-road", verses=7)
HOARD = Hoard(RINGS_SHELF, Shelf("toy", "song", "songs.toml", {SONG.id: SONG}))
LOUD = Spelling(str.upper, lambda word: word.name)


def found(**wanted: Any) -> list[str]:
    """Give the slugs of what is found."""
    answer = library.search(HOARD, Wanted(**wanted))
    assert isinstance(answer, Found), answer
    return [hit.id.rpartition("/")[2] for hit in answer.hits]


def where(field: str, relation: Relation, *values: str) -> tuple[Condition, ...]:
    return (Condition(field, relation, values, ("where", 0)),)


@pytest.mark.parametrize(
    ("words", "slugs"),
    [
        ("one", ["the-one", "ember"]),  # a name weighs more than a summary
        ("ELAN", ["the-one"]),
        ("durins band", ["durins-band"]),
        ("dur ba", ["durins-band"]),
        ("soft", ["the-one"]),
        ("one plain nowhere", []),
        ("road", ["long-road"]),
        ("urin", []),  # the middle of a word is no beginning
        ("ember", ["ember", "the-one"]),  # a reference is called by what it refers to
        ("?!", ["the-one", "durins-band", "ember", "long-road"]),
    ],
)
def test_every_word_begins_a_word_of_what_is_found(words: str, slugs: list[str]) -> None:
    assert found(search=words) == slugs


@pytest.mark.parametrize(
    ("conditions", "slugs"),
    [
        (where("metal", Relation.EQUALS, "IRON"), ["durins-band", "ember"]),
        (where("metal", Relation.ONE_OF, "softGold", "soft-gold"), ["the-one"]),
        (where("weight.grams", Relation.AT_LEAST, "4.5"), ["the-one"]),
        (where("weight.felt", Relation.EQUALS, "1/3"), ["durins-band"]),
        (where("wornBy", Relation.HAS, "gollum"), ["the-one"]),
        (where("worn_by", Relation.EQUALS, "a GOLLUM"), ["the-one"]),
        (where("worn_by", Relation.EQUALS, "gollum"), []),
        (where("goes_with", Relation.HAS, "Ember"), ["the-one"]),
        (where("charges.value", Relation.AT_MOST, "3"), ["ember"]),
        (where("heavy", Relation.EQUALS, "true"), ["the-one"]),
        (where("id", Relation.ONE_OF, ONE, "long road"), ["the-one", "long-road"]),
        (where("verses", Relation.AT_LEAST, "1"), ["long-road"]),
        (
            where("metal", Relation.EQUALS, "iron") + where("weight.grams", Relation.AT_MOST, "9"),
            ["durins-band"],
        ),
    ],
)
def test_conditions_hold_all_together(conditions: tuple[Condition, ...], slugs: list[str]) -> None:
    assert found(where=conditions) == slugs


@pytest.mark.parametrize(
    ("order", "slugs"),
    [
        ("", ["the-one", "durins-band", "ember", "long-road"]),
        ("-book", ["long-road", "ember", "durins-band", "the-one"]),
        ("name", ["durins-band", "ember", "long-road", "the-one"]),
        ("-weight.grams", ["the-one", "durins-band", "ember", "long-road"]),
        ("weight.grams", ["durins-band", "the-one", "ember", "long-road"]),
        ("metal", ["the-one", "durins-band", "ember", "long-road"]),
    ],
)
def test_what_says_nothing_of_a_field_comes_last(order: str, slugs: list[str]) -> None:
    assert found(order=order) == slugs


def test_pages_go_on_behind_an_entry_that_does_not_fit_any_more() -> None:
    first = library.search(HOARD, Wanted(order="name", first=2))
    assert isinstance(first, Found) and (first.total, first.more) == (4, True)
    assert found(order="name", after=first.hits[-1].id) == ["long-road", "the-one"]
    assert found(order="name", after=EMBER, search="one") == ["the-one"]
    assert library.search(HOARD, Wanted(order="name", after=ONE)) == Found(hits=(), total=4, more=False)


def test_all_that_is_wrong_is_named_with_what_is_known() -> None:
    conditions = (
        Condition("colour", Relation.EQUALS, ("red",), ("where", 0)),
        Condition("metal", Relation.ONE_OF, ("iron", "tin"), ("where", 1)),
        Condition("metal", Relation.AT_LEAST, ("3",), ("where", 2)),
        Condition("weight.grams", Relation.AT_MOST, ("much",), ("where", 3)),
        Condition("goes_with", Relation.HAS, ("nothing",), ("where", 4)),
    )
    wanted = Wanted(kind="ring", where=conditions, order="size", after=SONG.id)
    answer = library.search(HOARD, wanted, LOUD)
    assert isinstance(answer, Problems)
    told = {(item.code, item.path): item.allowed for item in answer}
    fields = told["field_unknown", ("where", 0, "field")]
    assert isinstance(fields, tuple) and {"METAL", "WEIGHT.GRAMS", "CHARGES.KEY"} <= set(fields)
    assert told["value_unknown", ("where", 1, "one_of")] == ("SOFT_GOLD", "IRON")
    assert told["field_no_number", ("where", 2, "at_least")] == (
        "WEIGHT.GRAMS",
        "WEIGHT.FELT",
        "CHARGES.VALUE",
    )
    assert told["value_no_number", ("where", 3, "at_most")] == "a number"
    assert told["value_unknown", ("where", 4, "has")] == (EMBER,)
    assert ("order_unknown", ("order_by",)) in told and ("entry_unknown", ("after",)) in told
    unknown = library.search(HOARD, Wanted(kind="crown"))
    assert isinstance(unknown, Problems)
    assert unknown.items[0].allowed == ("ring", "song")


def test_kinds_say_what_they_can_be_filtered_by() -> None:
    ring, song = library.kinds(HOARD, LOUD)
    assert (ring.kind, ring.title, ring.count, song.count) == ("ring", "Ring", 3, 1)
    fields = {field.name: field for field in ring.fields}
    assert fields["METAL"].values == ("SOFT_GOLD", "IRON")
    assert (fields["WEIGHT.GRAMS"].least, fields["WEIGHT.GRAMS"].most) == (4, 12)
    assert fields["WEIGHT.GRAMS"].optional and not fields["WEIGHT.GRAMS"].many
    assert (fields["GOES_WITH"].kind, fields["GOES_WITH"].many) == (LeafKind.REFERENCE, True)
    assert (fields["NAME"].kind, fields["NAME"].values) == (LeafKind.TEXT, ())
    # A class within itself is not followed.
    assert "WITHIN.NAME" not in fields


def test_a_shelf_with_more_on_it_is_looked_through_anew() -> None:
    new = replace(RINGS[2], id="toy:ring/new", name="Ember the Younger")
    more = Hoard(replace(RINGS_SHELF, entries={**RINGS_SHELF.entries, new.id: new}), HOARD.songs)
    assert library.entry(more, new.id) is not None and library.entry(HOARD, new.id) is None
    answer = library.search(more, Wanted(search="ember"))
    assert isinstance(answer, Found)
    assert [hit.id for hit in answer.hits] == [EMBER, new.id, ONE]


def test_a_word_means_in_each_kind_what_it_means_there() -> None:
    song = Song(id="toy:song/ember", verses=1)
    more = Hoard(RINGS_SHELF, replace(HOARD.songs, entries={song.id: song}))
    for words, total in (("ember", 2), (EMBER, 1), (song.id, 1)):
        answer = library.search(more, Wanted(where=where("id", Relation.EQUALS, words)))
        assert isinstance(answer, Found) and answer.total == total


@given(text=st.text(max_size=40))
@example(text="\N{MATHEMATICAL BOLD CAPITAL ALPHA}")
def test_whatever_is_typed_is_looked_for(text: str) -> None:
    answer = library.search(HOARD, Wanted(search=text, where=where("worn_by", Relation.HAS, text)))
    assert isinstance(answer, Found)
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize("slug", list(systems()))
def test_every_entry_of_every_game_is_found_by_its_name_and_written_out(slug: str) -> None:
    content = systems()[slug].content
    for shelf in content.shelves():
        for entry_id, entry in shelf.entries.items():
            hit = library.entry(content, entry_id)
            assert hit is not None and hit.entry is entry
            assert spelled(type(entry), entry, LOUD)
    for kind in library.kinds(content):
        for field in kind.fields:
            answer = library.search(content, Wanted(kind=kind.kind, order=f"-{field.name}", first=1))
            assert isinstance(answer, Found) and answer.total == kind.count
            for value in field.values[:3]:
                asked = Condition(field.name, Relation.HAS, (value,))
                assert isinstance(library.search(content, Wanted(kind=kind.kind, where=(asked,))), Found)
    first = next(iter(content.shelves()[0]))
    named = library.search(content, Wanted(search=library.entry(content, first.id).name))  # type: ignore[union-attr]
    assert isinstance(named, Found) and first.id in {hit.id for hit in named.hits}


def test_a_search_takes_a_moment() -> None:
    content = max(
        (system.content for system in systems().values()), key=lambda it: sum(map(len, it.shelves()))
    )
    wanted = Wanted(search="a s", where=where("name", Relation.HAS, "s"), order="name", first=100)
    assert isinstance(library.search(content, wanted), Found)
    began = time.process_time()
    for _ in range(10):
        library.search(content, wanted)
    assert (time.process_time() - began) / 10 < 0.02


def test_what_is_written_fits_its_schema() -> None:
    writer = Writer(LOUD, shared=True, answers=True)
    schema = writer.document(Ring, "ring")
    form = spelled(Ring, RINGS[0], LOUD)
    assert isinstance(form, dict)
    assert list(schema["properties"]) == list(form) == schema["required"]
    assert form["METAL"] == "SOFT_GOLD" and form["HEAVY"] is True
    assert form["WEIGHT"] == {"GRAMS": 12, "FELT": "1/2"}
    assert schema["$defs"]["Metal"] == {"enum": ["SOFT_GOLD", "IRON"]}
    assert schema["properties"]["WITHIN"]["items"] == {"$ref": "#/$defs/Ring"}
    assert schema["$defs"]["Weight"]["properties"]["GRAMS"]["description"] == "On the scales."
    asked = Writer(shared=True).document(Ring, "ring")
    assert asked["required"] == ["id", "name", "metal"] and "heavy" not in asked["properties"]
