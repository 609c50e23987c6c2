"""What lasts on somebody: its content entry says what it adds, forbids and is called, and what ends it."""

from __future__ import annotations

import pytest

from services.rules.engine.grid import Square
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.conditions import ACT, MOVE
from services.rules.systems.dungeonteller.play.desk import ACTED, CAST
from services.rules.systems.dungeonteller.play.effects import EffectKind, effect_rules
from services.rules.systems.dungeonteller.play.moves import Go, Move, Try, UsePower
from services.rules.systems.dungeonteller.play.scene_card import SEEN, card
from services.rules.systems.dungeonteller.play.state import Effect, Scene
from tests.rules.dungeonteller_scenes import dice, hero, legal, make, monster, power, problems, scene

RULES = effect_rules()
KINDS = [value for name, value in vars(EffectKind).items() if name.isupper()]


def under(kind: str, amount: int = 1, source: str = "") -> Scene:
    """A wizard, whose turn it is, under something that lasts; an orc far away."""
    effect = Effect(id="lasting-1", kind=kind, bearer="wizard", amount=amount, source=source)
    return scene(hero("wizard", (5, 5)), monster("orc", (15, 5)), effects=(effect,))


def forbidding(verb: str) -> list[str]:
    return [rule.id for rule in RULES.values() if verb in rule.forbids or "*" in rule.forbids]


GO = Go(actor="wizard", to=Square(6, 5))
SNEAK = Try(actor="wizard", action=Action.SNEAK)


def test_every_kind_that_a_rule_names_has_an_entry_and_every_entry_is_named() -> None:
    assert set(KINDS) == set(RULES)


def test_entries_say_nothing_that_no_rule_knows() -> None:
    for rule in RULES.values():
        assert set(rule.forbids) <= {"*", ACT, MOVE}
        assert set(rule.ends) <= {ACTED, CAST}
        assert set(rule.adds) <= {action.value for action in Action}


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize(("move", "verb"), [(GO, MOVE), (SNEAK, ACT)], ids=["move", "act"])
def test_what_an_entry_forbids_is_refused_and_nothing_else(kind: str, move: Move, verb: str) -> None:
    now = under(kind)
    if kind in forbidding(verb):
        (problem,) = problems(now, move)
        assert problem.code == kind.rpartition("/")[2].replace("-", "_")
        assert problem.message == f"Feeney is {RULES[kind].name}." and problem.rule == RULES[kind].rule
    elif not (kind == EffectKind.FLOATING and verb == MOVE):
        assert legal(now, move)


@pytest.mark.parametrize("kind", [rule.id for rule in RULES.values() if rule.adds])
def test_what_an_entry_adds_is_counted(kind: str) -> None:
    """Fear counts against whoever is feared alone."""
    adds = RULES[kind].adds
    for action in (Action.SNEAK, Action.NOTICE, Action.TALK):
        move = Try(actor="wizard", action=action)
        plain = dice(scene(hero("wizard", (5, 5)), monster("orc", (15, 5))), move)["try"]
        found = dice(under(kind, amount=2), move)["try"]
        assert found == max(1, min(10, plain + 2 * adds.get(action.value, 0)))


@pytest.mark.parametrize("kind", RULES)
def test_a_cloak_alone_ends_by_acting_and_a_counterspell_by_casting(kind: str) -> None:
    """What is worked up goes into the next spell cast, or is lost with it."""
    now = under(kind)
    shown = Try(actor="wizard", action=Action.TALK)
    if legal(now, shown):
        assert make(now, shown).scene.has("wizard", kind) == (ACTED not in RULES[kind].ends)
    cast = UsePower(actor="wizard", power=power("shield"))
    if legal(now, cast) and ACTED not in RULES[kind].ends:
        gone = CAST in RULES[kind].ends or kind == EffectKind.WORKING_UP
        assert make(now, cast).scene.has("wizard", kind) == (not gone)


@pytest.mark.parametrize("kind", RULES)
def test_what_is_seen_at_a_glance_stands_on_the_card(kind: str) -> None:
    (wizard, _orc) = card(under(kind)).actors
    shown = any(words.startswith(RULES[kind].name) for words in wizard.conditions)
    assert shown == (SEEN in RULES[kind].tags)
