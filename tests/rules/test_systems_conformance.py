"""What every game system must hold to, run over all there are."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from services.rules.dice.notation import Dialect, Lexicon, measure, parse
from services.rules.dice.pool import Binary
from services.rules.dice.roll import plan
from services.rules.engine.content import CONTENT_ID, unresolved_references
from services.rules.engine.explain import Explained
from services.rules.engine.playthrough import parse_playthrough, replay
from services.rules.engine.problem import Problems
from services.rules.engine.registry import mechanics, named_dice, systems
from services.rules.engine.sheet import CheckOutcome
from services.rules.engine.system import AnySystem

SYSTEMS = systems()
WORDS = Lexicon(dice=named_dice(), mechanics=mechanics())
EXAMPLES = [
    pytest.param(system, choices, id=f"{slug}-{name}")
    for slug, system in SYSTEMS.items()
    for name, choices in system.examples.items()
]


@pytest.fixture(params=SYSTEMS.values(), ids=list(SYSTEMS))
def system(request: pytest.FixtureRequest) -> AnySystem:
    found: AnySystem = request.param
    return found


def test_there_are_systems() -> None:
    assert "dungeonteller" in SYSTEMS


def test_every_system_says_who_it_is(system: AnySystem) -> None:
    for words in (system.slug, system.name, system.edition, system.licence):
        assert words.strip()
    assert "\n" not in system.licence


def test_every_reference_in_the_content_resolves(system: AnySystem) -> None:
    assert [str(error) for error in unresolved_references(system.content.shelves())] == []


def test_every_content_id_is_well_formed_and_used_once(system: AnySystem) -> None:
    ids = [entry_id for shelf in system.content.shelves() for entry_id in shelf.entries]
    assert len(ids) == len(set(ids))
    for shelf in system.content.shelves():
        assert shelf.system == system.slug
        for entry_id, entry in shelf.entries.items():
            assert CONTENT_ID.fullmatch(entry_id)
            assert entry.id == entry_id


def test_every_system_has_an_example(system: AnySystem) -> None:
    assert system.examples


@pytest.mark.parametrize(("system", "choices"), EXAMPLES)
def test_every_example_builds_the_same_sheet_every_time(system: AnySystem, choices: Any) -> None:
    sheet = system.build(choices, system.content)
    assert not isinstance(sheet, Problems), str(sheet)
    assert isinstance(sheet, system.sheet)
    assert isinstance(choices, system.choices)
    assert system.build(choices, system.content) == sheet
    assert sheet.system == system.slug
    assert sheet.name


@pytest.mark.parametrize(("system", "choices"), EXAMPLES)
def test_choices_and_sheets_survive_json_exactly(system: AnySystem, choices: Any) -> None:
    sheet = system.build(choices, system.content)
    for codec, value in ((system.choices_codec, choices), (system.sheet_codec, sheet)):
        assert codec.load(json.loads(json.dumps(codec.dump(value)))) == value


@pytest.mark.parametrize(("system", "choices"), EXAMPLES)
def test_tracks_and_checks_can_be_drawn_by_any_client(system: AnySystem, choices: Any) -> None:
    sheet = system.build(choices, system.content)
    for track in sheet.tracks:
        assert 0 <= track.current <= track.maximum
    ids = [check.id for check in sheet.checks]
    assert len(ids) == len(set(ids))
    for check in sheet.checks:
        assert measure(parse(check.notation, WORDS).node, WORDS.mechanics).dice >= 1
        assert check.name
        assert check.reading
        assert check.dice.parts


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(("system", "choices"), EXAMPLES)
def test_a_check_rolls_the_outcome_that_it_names(system: AnySystem, choices: Any, dialect: Dialect) -> None:
    """Whatever notation a table writes: a button's text means the same."""
    words = replace(WORDS, dialect=dialect)
    for check in system.build(choices, system.content).checks:
        expression = parse(check.notation, words)
        assert expression == parse(check.notation, WORDS)
        rolling = plan(expression, words.mechanics)
        added = set()
        for first in range(12):
            result = rolling.roll(_Faces(first))
            dice = list(result.dice())
            assert len(dice) == check.dice.value or isinstance(expression.node, Binary)
            match check.outcome:
                case CheckOutcome.TOTAL:
                    added.add(result.value - sum(die.value for die in dice if die.kept))
                case CheckOutcome.SUCCESSES:
                    assert result.value == sum(face >= LEAST_SUCCESS[system.slug] for face in result.faces)
                case CheckOutcome.FACES:
                    assert all(die.kept for die in dice)
                    assert len(result.faces) == check.dice.value
        # A total is that of the dice, and of a plain number where the notation adds one.
        assert len(added) == 1 if isinstance(expression.node, Binary) else added <= {0}


class _Faces:
    """Faces that go up by one with each draw, from a first one on."""

    def __init__(self, first: int) -> None:
        self._next = first

    def draw(self, n: int) -> int:
        self._next += 1
        return self._next % n + 1

    def draw_many(self, n: int, count: int) -> list[int]:
        return [self.draw(n) for _ in range(count)]


LEAST_SUCCESS = {"dungeonteller": 5, "forge_engine": 8}
"""The lowest face that succeeds, in Forge Engine against the usual difficulty."""

OUTCOMES = {
    "dungeonteller": {CheckOutcome.SUCCESSES},
    "dwarf_dice": {CheckOutcome.FACES},
    "forgeborn": {CheckOutcome.TOTAL},
    "forge_engine": {CheckOutcome.SUCCESSES, CheckOutcome.TOTAL, CheckOutcome.FACES},
}


@pytest.mark.parametrize("slug", OUTCOMES)
def test_a_games_checks_are_read_as_its_book_reads_them(slug: str) -> None:
    system = SYSTEMS[slug]
    sheets = [system.build(choices, system.content) for choices in system.examples.values()]
    assert {check.outcome for sheet in sheets for check in sheet.checks} == OUTCOMES[slug]


@pytest.mark.parametrize(("system", "choices"), EXAMPLES)
def test_every_part_of_a_number_names_source_and_rule(system: AnySystem, choices: Any) -> None:
    sheet = system.build(choices, system.content)
    for number in explained_numbers(sheet):
        for part in number.parts:
            assert part.source
            assert part.rule


def explained_numbers(value: object) -> list[Explained]:
    """Every explained number anywhere in a sheet."""
    match value:
        case Explained():
            return [value]
        case tuple():
            return [number for item in value for number in explained_numbers(item)]
        case _ if is_dataclass(value):
            return [
                number for item in fields(value) for number in explained_numbers(getattr(value, item.name))
            ]
        case _:
            return []


def test_every_system_has_a_playthrough_that_holds(system: AnySystem) -> None:
    assert system.playthroughs, f"{system.slug} has no golden playthrough"
    for name, text in system.playthroughs.items():
        assert replay(system, parse_playthrough(text)) == (), name


def test_every_system_turns_something_down_with_rule_and_path(system: AnySystem) -> None:
    rejected = [
        step
        for text in system.playthroughs.values()
        for step in parse_playthrough(text).steps
        if step.rejected
    ]
    assert rejected, f"no playthrough of {system.slug} shows choices that are turned down"
    for step in rejected:
        outcome = system.build(system.choices_codec.read(dict(step.choices)), system.content)
        assert isinstance(outcome, Problems)
        for problem in outcome:
            assert problem.code.replace("_", "").isalnum()
            assert problem.code == problem.code.lower()
            assert problem.message.endswith((".", "!", "?"))
            assert problem.rule
            assert problem.path
