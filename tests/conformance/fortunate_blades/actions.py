"""Answers cases of rolls and what they do: difficulty, roll, Effect, the game master's roll, conflicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.play import GM
from services.rules.systems.fortunate_blades.impact import LEVELS
from services.rules.systems.fortunate_blades.play.facts import (
    ClockMoved,
    ConflictDecided,
    ConflictWon,
    EffectHad,
    NumbersSet,
    Resolved,
    Rolled,
    StoryRolled,
)
from services.rules.systems.fortunate_blades.play.moves import (
    Act,
    Agree,
    Aid,
    Benefit,
    Call,
    Challenge,
    Commit,
    Enable,
    Impossible,
    Luck,
    RaiseEffect,
    Reposition,
    RollForStory,
)
from services.rules.systems.fortunate_blades.play.setup import SIEGE_WEAPONS
from services.rules.systems.fortunate_blades.play.state import Tool
from services.rules.systems.fortunate_blades.rolls import Difficulty
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    EffectLevel,
    Group,
    HarmLevel,
    Quality,
    Range,
)
from tests.conformance.fortunate_blades.reading import Answer, Given, only
from tests.conformance.fortunate_blades.stage import (
    CONTENT,
    clock,
    hero,
    opened,
    played,
    refused,
    stage,
    with_harms,
    with_talent,
)

PLENTY = 60
"""Fortune for a case that says nothing of it."""
ACT = Act(actor="A", attribute=Attribute.FIGHT, clock="clock-1")
SETS = tuple(Difficulty)


def difficulty(given: Given) -> Answer:
    """The numbers of a roll that is called for, after positioning and a Devil's Bargain."""
    only(given, "set", "positioning_to", "custom", "devils_bargain")
    state = stage(hero(fortune=PLENTY))
    bargain = bool(given.get("devils_bargain"))
    if "custom" in given:
        close, clear = given["custom"]
        call = Call(actor=GM, close=close, spread=clear - close, bargain="More." if bargain else "")
    else:
        found = Difficulty(given["set"])
        call = Call(actor=GM, difficulty=found, bargain="More." if bargain else "")
        if "positioning_to" in given:
            steps = SETS.index(Difficulty(given["positioning_to"])) - SETS.index(found)
            state = played(state, Reposition(actor=GM, steps=steps)).state if steps else state
    made = played(state, ACT, replies={"call": call, "commit": Commit(actor="A", bargain=bargain)})
    numbers = made.last(NumbersSet)
    if made.problems is not None or numbers is None:
        return {"valid": False, **refused(made.error)}
    return {"close": numbers.close, "clear": numbers.clear, "valid": True}


def roll(given: Given) -> Answer:
    """A roll from its call to its result."""
    only(given, "d20", "mode", "attribute", "talents", "fortune", "close", "clear", "possible")
    sources = str(given.get("mode", "normal")).split("+")
    if not set(sources) <= {"normal", "lucky", "unlucky"}:
        raise UnsupportedCaseError(f"nothing is known of {given['mode']!r}")
    lucky, unlucky = sources.count("lucky"), sources.count("unlucky")
    one = hero(fortune=PLENTY, attributes={**hero().attributes, Attribute.FIGHT: given.get("attribute", 0)})
    one, catalog = with_talent(one, {"roll": given.get("talents", 0)})
    state = stage(one)
    if unlucky > 1 or (unlucky and lucky > 1):
        state = with_harms(state, "A", [(HarmLevel.SERIOUS, Group.PHYSICAL)])
    deemed = Luck.UNLUCKY if unlucky else Luck.LUCKY if lucky else Luck.NORMAL
    bought = bool(lucky) and (deemed is not Luck.LUCKY or lucky > 1)
    close, clear = given["close"], given["clear"]
    call: Any = Call(actor=GM, close=close, spread=clear - close, luck=deemed)
    if not given.get("possible", True):
        call = Impossible(actor=GM)
    made = played(
        state,
        ACT,
        {"roll": given["d20"]},
        {"call": call, "commit": Commit(actor="A", fortune=given.get("fortune", 0), lucky=bought)},
        catalog,
    )
    if made.problems is not None:
        return refused(made.error)
    rolled, resolved = made.last(Rolled), made.last(Resolved)
    if rolled is None:
        return refused("impossible")
    bonus = made.asks("natural_20")
    return {
        "legal": True,
        "total": rolled.total,
        "kept": rolled.natural,
        "natural": rolled.natural,
        "result": resolved.result.value,
        "consequence": made.asks("consequence") is not None,
        "missed_close_by": resolved.missed_by or 0,
        "double_effect": bonus is not None,
        "bonus_choice": [] if bonus is None else sorted(_bonus(offer.id) for offer in bonus.offers)[::-1],
    }


def _bonus(offer: str) -> str:
    return f"1d{CONTENT.rules.gains.natural_20_die} fortune" if offer == "fortune" else offer


def effect(given: Given) -> Answer:
    """What an action does to a clock."""
    only(
        given,
        "base",
        "gear_quality",
        "natural20",
        "fortune_levels",
        "resistant",
        "resistant_levels",
        "minor_harm",
        "weapon_range",
        "target_range",
        "advantage",
        "source",
        "clock_only",
        "aid",
        "immune",
    )
    tool = Tool(
        id="tool",
        name="Tool",
        quality=Quality(given.get("gear_quality", "simple")),
        reach=Range(given["weapon_range"]) if "weapon_range" in given else None,
        sources=(given["source"],) if "source" in given else (),
    )
    siege = given.get("advantage") == "siege_weapons"
    target = clock(
        resistant=(Group.PHYSICAL,) if given.get("resistant") else (),
        immune=(Group.PHYSICAL,) if given.get("immune") else (),
        away=Range(given["target_range"]) if "target_range" in given else None,
        only=tuple(given.get("clock_only", ())),
    )
    state = stage(
        hero(fortune=PLENTY, tools=(tool, SIEGE_WEAPONS)),
        hero("B"),
        clocks=(target, clock(2)),
        resistant_levels=given.get("resistant_levels", CONTENT.rules.effect.resistant_levels),
        advantages=advantages_of([given["advantage"]] if "advantage" in given else ()),
    )
    if given.get("minor_harm"):
        state = with_harms(state, "A", [(HarmLevel.MINOR, Group.PHYSICAL)])
    level = EffectLevel(given["base"]) if "base" in given else None
    levels = given.get("fortune_levels", 0)
    replies: dict[str, Any] = {"call": Call(actor=GM, close=5, spread=5, level=level)}
    if given.get("aid"):
        replies["aid"] = Aid(actor="B", benefit=Benefit.EFFECT, pay=True)
    if levels:
        replies["effect"] = RaiseEffect(actor="A", levels=levels)
    face = 20 if given.get("natural20") else 15
    move = replace(ACT, tool="siege" if siege else "tool")
    made = played(state, move, {"roll": [face]}, replies)
    had = made.last(EffectHad)
    return {"level": had.level.value, "ticks": sum(each.ticks for each in made.of(ClockMoved))}


def advantages_of(words: Iterable[str]) -> tuple[str, ...]:
    """The party's advantages, by the words of the cases."""
    found = tuple(f"fortunate_blades:advantage/{word.replace('_', '-')}" for word in words)
    if not set(found) <= set(CONTENT.advantages.ids):
        raise UnsupportedCaseError(f"nothing is known of {words!r}")
    return found


def harm_effect(given: Given) -> Answer:
    """What Harm does to a roll with an attribute."""
    only(given, "harms", "attribute")
    state = with_harms(
        stage(hero(fortune=PLENTY)),
        "A",
        [(HarmLevel(level), Group(group)) for group, level in given["harms"]],
    )
    attribute = attribute_of(given["attribute"])
    replies: dict[str, Any] = {"call": Call(actor=GM, close=5, spread=5), "pay": opened}
    waits = played(state, replace(ACT, attribute=attribute), {"roll": [15, 15]}, replies)
    paid = played(
        state,
        replace(ACT, attribute=attribute),
        {"roll": [15, 15]},
        {
            "call": Call(actor=GM, close=5, spread=5),
            "pay": Enable(actor="A"),
        },
    )
    dice = paid.roll("roll:A")
    standard = LEVELS.index(EffectLevel.STANDARD)
    return {
        "effect_levels": LEVELS.index(paid.last(EffectHad).level) - standard,
        "unlucky": dice is not None and dice.dice.parts[-1].source == "Unlucky",
        "needs_fortune_or_aid": waits.asks("pay") is not None,
    }


def attribute_of(word: str) -> Attribute:
    """An attribute by its name; the book has two spellings of Wreck (P22)."""
    return Attribute("wreck" if word.lower() == "wreak" else word.lower())


def gm_roll(given: Given) -> Answer:
    """A roll of the game master's."""
    only(given, "d20", "bonus", "close", "clear", "important")
    close, clear = given["close"], given["clear"]
    move = RollForStory(
        actor=GM,
        bonus=given.get("bonus", 0),
        close=close,
        spread=clear - close,
        important=bool(given.get("important")),
    )
    made = played(stage(hero(), hero("B")), move, {"roll": [given["d20"]]})
    if made.problems is not None:
        return refused(made.error)
    rolled = made.last(StoryRolled)
    return {
        "total": rolled.total,
        "result": rolled.result.value,
        "players_pick_consequence": made.asks("pick") is not None,
    }


def pvp(given: Given) -> Answer:
    """A conflict of two heroes, the one who does not defend attacking."""
    only(given, "agree", "totals", "defender")
    ids = ("A", "B")
    defender = given["defender"]
    attacker = 1 - defender
    totals = given.get("totals", (10, 10))
    natural = [min(max(total, 1), 20) for total in totals]
    replies: dict[str, Any] = {
        f"consent:{who}": Agree(actor=who, yes=yes) for who, yes in zip(ids, given["agree"], strict=True)
    }
    for who in ids:
        replies[f"stand:{who}"] = Commit(actor=who, attribute=Attribute.FIGHT)
    heroes = (
        hero(who, attributes={**hero().attributes, Attribute.FIGHT: total - face})
        for who, total, face in zip(ids, totals, natural, strict=True)
    )
    made = played(
        stage(*heroes),
        Challenge(actor=ids[attacker], target=ids[defender]),
        {f"roll:{who}": [face] for who, face in zip(ids, natural, strict=True)},
        replies,
    )
    won, decided = made.last(ConflictWon), made.last(ConflictDecided)
    if won is None:
        return {"rolled": False, "decides": ids.index(decided.hero)}
    return {
        "rolled": True,
        "winner": ids.index(won.winner),
        "consequence_for": ids.index(won.loser),
    }
