"""DungeonTeller's sentences: each is told by some rule, each rule has one, and their places are filled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.facts import Happened
from services.rules.systems.dungeonteller.play.rules.dispatch import POWERS
from services.rules.systems.dungeonteller.play.rules.power import HANDLERS
from services.rules.systems.dungeonteller.play.sentences import causes, filled, sentence_of, sentences
from services.rules.systems.dungeonteller.play.state import AreaKind
from tests.architecture.test_directions import ROOT, python_files
from tests.rules.dungeonteller_scenes import CATALOG, desk_of, hero, power, scene

PLAY = "services/rules/systems/dungeonteller/play/"
PLACE = re.compile(r"\{(\w+)")
COMPUTED = {
    *(f"{kind}.gone" for kind in (AreaKind.FIRE, AreaKind.ICE, AreaKind.BRIAR)),
    *(f"turn_lost.{kind}" for kind in (AreaKind.ICE, AreaKind.SCARABS)),
    *("shield.stopped", "parry.stopped"),
}
"""Codes that rules put together."""
OF_AN_ACTION = {"attack.hit", "tried", "tried.failed"}
"""Codes whose rule is that of the action."""
OF_A_POWER = {"seen_through"}
"""Codes beside those of the powers themselves whose rule is that of the power."""


def trees() -> Iterator[ast.Module]:
    for name in python_files(PLAY):
        yield ast.parse((ROOT / name).read_text("utf-8"))


@cache
def constants() -> frozenset[str]:
    return frozenset(
        node.value
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def said() -> frozenset[str]:
    """The codes that rules say in so many words."""
    calls = (node for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "say"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    )


def test_everything_that_is_said_has_a_sentence() -> None:
    assert len(said()) > 40
    for code in (*said(), *COMPUTED):
        assert sentence_of(code).text


def test_every_sentence_is_told_by_some_rule() -> None:
    assert POWERS
    words = constants()
    for code in sentences().keys() - COMPUTED - {"power.failed"}:
        if not code.startswith("power."):
            assert code in words, code
            continue
        slug, _, outcome = code.removeprefix("power.").partition(".")
        assert slug in HANDLERS, code
        assert not outcome or outcome in words, code


def test_a_sentence_names_its_rule_unless_a_power_or_an_action_does() -> None:
    bare = {code for code, sentence in sentences().items() if not sentence.rule}
    assert {code for code in bare if not code.startswith("power.")} == OF_AN_ACTION | OF_A_POWER


def test_what_is_said_has_the_rule_of_its_sentence_else_of_its_power() -> None:
    desk = desk_of(scene(hero("rogue")))
    ambush = power("ambush")
    desk.say("rune.drawn", by="rogue", power=power("trap-rune"))
    desk.say("power.ambush", by="rogue", targets=("rogue",), power=ambush)
    drawn, struck = (event.rule for event in desk.events if isinstance(event, Happened))
    assert (drawn, struck) == (sentence_of("rune.drawn").rule, CATALOG.powers[ambush].source)


@pytest.mark.parametrize("code", sorted(sentences()))
def test_a_sentence_says_all_it_has_places_for(code: str) -> None:
    sentence = sentences()[code]
    told = {"by": "Pim", "power": "Zap", "words": "the lock"}
    text = filled(sentence, targets=("Ann", "Bo"), successes=3, number=1, **told)
    shown = {**told, "target": "Ann", "targets": "Ann and Bo", "successes": "3", "number": "1"}
    for place in PLACE.findall(sentence.text):
        assert shown[place].lower() in text.lower()
    assert text[0].isupper() or sentence.text.startswith("{words}")
    assert text[-1] in ".!" or sentence.text.endswith("{words}")


def test_numbers_are_counted_in_words() -> None:
    sentence = sentences()["power.counterspell"]
    assert filled(sentence, targets=("Orc",), successes=1) == "Orc's next magic has 1 die less."
    assert filled(sentence, targets=("Orc",), successes=2) == "Orc's next magic has 2 dice less."


def test_every_cause_of_luck_is_one_that_rules_name() -> None:
    actions = {action.value for action in Action}
    assert {name for name in causes() if name not in constants() | actions} == set()
    assert not causes().keys() & zone_rules().keys() - {"fire", "poison"}, "zones have names of their own"


def test_a_power_that_did_nothing_is_told_in_one_way_and_nothing_else_is() -> None:
    assert sentence_of("power.zap.failed") == sentences()["power.failed"]
    with pytest.raises(KeyError):
        sentence_of("power.zap.nonsense")
