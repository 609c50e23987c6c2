"""The moves that an actor may make now, as buttons; none of them is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.buttons import (
    button,
    choice_field,
    choices_field,
    flag_field,
    number_field,
    text_field,
)
from services.rules.engine.play import GM, LegalMove, MoveField
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.legal import rest
from services.rules.systems.fortunate_blades.play.legal.answers import attributes, own_numbers, sets, told
from services.rules.systems.fortunate_blades.play.means import price
from services.rules.systems.fortunate_blades.play.moves import (
    Act,
    CallGroup,
    Challenge,
    EndEncounter,
    EnemyTurn,
    Engage,
    Gain,
    LuckyBreak,
    MoveClock,
    Reposition,
    RollForStory,
    ShowClock,
    StartClock,
    Stir,
    Wait,
)
from services.rules.systems.fortunate_blades.play.setup import LONGEST
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.terms import Attribute, Group, Quantity, Range

MOST_STEPS = 3
"""How many sets a roll is made harder or easier at once."""


def legal(state: Encounter, actor: str, catalog: Catalog) -> tuple[LegalMove, ...]:
    """What an actor may do now."""
    if state.ended:
        return ()
    if actor == GM:
        return tuple(_master(state, catalog))
    hero = state.find(actor)
    return () if hero is None else tuple(_hero(state, hero, catalog))


def _hero(state: Encounter, hero: Hero, catalog: Catalog) -> Iterator[LegalMove]:
    best = sorted(Attribute, key=lambda each: -hero.attributes[each])
    if state.rest is not None:
        yield from rest.legal(state, hero)
    elif not state.engaged:
        text = "One of you opens the encounter for all."
        move = Engage(actor=hero.id, attribute=best[0])
        yield button(
            move, "engage", "Engagement Roll", text, "Playing The Game [P10]", attributes(best), told()
        )
    elif state.may_act(hero.id):
        yield from _turn(state, hero, best, catalog)
    others = [(each.id, each.name) for each in state.others(hero.id)]
    if others:
        yield button(
            Challenge(actor=hero.id, target=""),
            "challenge",
            "Go head to head",
            "Both say what they want, and roll if both agree to the outcomes.",
            "Player vs. Player",
            choice_field("target", "With whom?", others),
            told("What do you want, and how far do you go?", "goal"),
        )


def _turn(state: Encounter, hero: Hero, best: list[Attribute], catalog: Catalog) -> Iterator[LegalMove]:
    """What a hero may do with an action."""
    tools = [(each.id, each.name) for each in hero.tools if each.uses != 0]
    using = (choice_field("tool", "What do you use?", tools, required=False),) if tools else ()
    for clock in state.targets():
        yield button(
            Act(actor=hero.id, attribute=best[0], clock=clock.id),
            f"act:{clock.id}",
            f"Act on {clock.name}",
            "The game master calls for a roll where it is risky.",
            "The Roll",
            attributes(best),
            *using,
            told("What do you do?"),
        )
    yield button(
        Act(actor=hero.id, attribute=best[0]),
        "act",
        "Do something else",
        "It fills no clock.",
        "The Roll",
        attributes(best),
        *using,
        told("What do you do?"),
    )
    yield button(Wait(actor=hero.id), "wait", "Wait", "Let your turn go by.", "Combat")
    least = price(hero, Quantity.COST_BREAK, catalog.rules.costs.break_least, catalog)
    if hero.fortune >= least:
        gains = ((each.value, each.value.capitalize()) for each in Gain)
        offer = button(
            LuckyBreak(actor=hero.id, gain=Gain.POSITIONING),
            "lucky_break",
            "Lucky Break",
            "The game master names a price, or refuses.",
            "Lucky Break",
            choice_field("gain", "What is it to bring?", gains),
            told("What lucky thing happens?"),
        )
        yield replace(offer, cost=f"at least {least} Fortune")


def _master(state: Encounter, catalog: Catalog) -> Iterator[LegalMove]:
    if state.heroes_done():
        for clock in state.enemies():
            yield button(
                EnemyTurn(actor=GM, clock=clock.id),
                f"enemies:{clock.id}",
                f"Turn of {clock.name}",
                "A consequence for the heroes.",
                "Combat",
            )
    yield from _rolls(state)
    yield from _clocks(state, catalog)
    heroes = ((each.id, each.name) for each in state.present())
    whom = choice_field("target", "Whose rolls?", heroes, required=False)
    for name, least, most in (("harder", 1, MOST_STEPS), ("easier", -MOST_STEPS, -1)):
        yield button(
            Reposition(actor=GM, steps=least),
            name,
            f"Make it {name}",
            "By what the heroes have done so far.",
            "Positioning",
            number_field("steps", "By how many sets?", least, most),
            whom,
            told("Why?"),
        )
    yield button(Stir(actor=GM), "stir", "A consequence", "Because nothing happens.", "Consequences")
    yield button(
        EndEncounter(actor=GM),
        "end",
        "End the encounter",
        "Whatever the clocks say.",
        "Encounters",
        flag_field("won", "Have the heroes overcome it?"),
        told("How does it end?"),
    )


def _rolls(state: Encounter) -> Iterator[LegalMove]:
    targets = [(each.id, each.name) for each in state.clocks if not each.full]
    more = (
        told("Which risk is run?", "risk"),
        *((choice_field("clock", "At which clock?", targets, required=False),) if targets else ()),
        flag_field("shown", "Show the numbers?"),
    )
    text = "Everybody rolls; they may make it a Group Action."
    group = CallGroup(actor=GM)
    yield button(group, "group", "Call for a roll of everybody", text, "Group Actions", sets(), *more)
    yield button(
        group,
        "group:numbers",
        "The same, with your own numbers",
        text,
        "Group Actions",
        *own_numbers(),
        *more,
    )
    important = flag_field("important", "Is it important?")
    bonus = number_field("bonus", "What is added?", -5, 10, required=False)
    text = "If something important misses, the players pick a consequence."
    roll = RollForStory(actor=GM)
    yield button(roll, "roll", "Roll yourself", text, "DM Rolls", sets(), bonus, important, told("What for?"))


def _clocks(state: Encounter, catalog: Catalog) -> Iterator[LegalMove]:
    sizes = catalog.rules.clocks
    usual = {
        "simple": sizes.simple,
        "standard": sizes.standard,
        "large": sizes.large,
        "huge": sizes.huge,
    }
    for name, size in usual.items():
        move = StartClock(actor=GM, name="", size=size)
        text = f"{size} ticks."
        yield button(move, f"clock:{name}", f"Draw a {name} clock", text, "Clocks & Effect", *_clock_fields())
    own = number_field("size", "How many ticks?", 1, sizes.most)
    move = StartClock(actor=GM, name="", size=1)
    text = "As many ticks as you like."
    yield button(move, "clock", "Draw a clock", text, "Clocks & Effect", own, *_clock_fields())
    for clock in state.clocks:
        yield from _ticks(clock.id, clock.name, clock.filled, clock.size)
        if clock.hidden:
            show = ShowClock(actor=GM, clock=clock.id)
            text = "The players see it from now on."
            yield button(show, f"show:{clock.id}", f"Show {clock.name}", text, "Clocks & Effect")


def _clock_fields() -> tuple[MoveField, ...]:
    groups = [(each.value, each.value.capitalize()) for each in Group]
    ranges = ((each.value, each.value.replace("_", " ").capitalize()) for each in Range)
    return (
        text_field("name", "What is it?", LONGEST),
        choice_field("type", "Of which kind?", ((e.value, e.value.capitalize()) for e in ClockKind)),
        flag_field("hidden", "Keep it secret?"),
        choices_field("resistant", "Resistant to what?", groups, 0, len(groups)),
        choices_field("immune", "Immune to what?", groups, 0, len(groups)),
        choice_field("away", "How far off?", ranges, required=False),
    )


def _ticks(name: str, label: str, filled: int, size: int) -> Iterator[LegalMove]:
    for way, least, most in (("fill", 1, size - filled), ("clear", -filled, -1)):
        if least <= most:
            yield button(
                MoveClock(actor=GM, clock=name, ticks=least),
                f"{way}:{name}",
                f"{way.capitalize()} ticks of {label}",
                "By your decision.",
                "Clocks & Effect",
                number_field("ticks", "How many?", least, most),
            )
