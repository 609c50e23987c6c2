"""A hero drawn by chance; the same stream of faces draws the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from services.rules.dice.stream import FaceStream
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.fortunate_blades.catalog import Blade, Catalog, Trade
from services.rules.systems.fortunate_blades.choices import (
    BackgroundChoice,
    BladeChoice,
    CarriedGear,
    HeroChoices,
    QuestChoice,
    Ranks,
    StoryAddition,
    TradeChoice,
)
from services.rules.systems.fortunate_blades.creation import (
    CREATION_RULE,
    active_talents,
    asked_additions,
    slots_of,
)
from services.rules.systems.fortunate_blades.gear import slots_used
from services.rules.systems.fortunate_blades.terms import Attribute, Creation
from services.rules.systems.fortunate_blades.world import ForceSeed, PlaceSeed

MOST_TRIES = 8
"""Things that are tried for a hero's slots."""

T = TypeVar("T")


def drawn_hero(
    stream: FaceStream, catalog: Catalog, name: str | None, concept: str | None
) -> HeroChoices | Problems:
    """A hero drawn by chance, as the book rolls for one; the concept is the content id of a trade.

    Raises:
        StreamError: The stream has no face to give.
    """
    if concept is not None and concept not in catalog.trades:
        text, allowed = "There is no such trade.", catalog.trades.ids
        return Problems((RuleProblem("trade_unknown", text, CREATION_RULE, ("concept",), concept, allowed),))
    backgrounds = _two_of(stream, tuple(catalog.backgrounds))
    first = catalog.trades[concept] if concept is not None else _one_of(stream, tuple(catalog.trades))
    blade = _one_of(stream, tuple(catalog.blades))
    words = catalog.names
    choices = HeroChoices(
        name=name or f"{_one_of(stream, words.first)} {_one_of(stream, words.by)}",
        look=_one_of(stream, words.looks),
        backgrounds=tuple(
            BackgroundChoice(background=one.id, talents=(_one_of(stream, one.talents),))
            for one in backgrounds
        ),
        trades=_trades(stream, first, catalog),
        blade=_blade(stream, blade, catalog),
        quest=QuestChoice(quest=_one_of(stream, catalog.quests.ids)),
    )
    return _equipped(stream, choices, catalog)


def _equipped(stream: FaceStream, choices: HeroChoices, catalog: Catalog) -> HeroChoices:
    """The hero with ranks, things, and what the choices bring into the story."""
    asked = asked_additions(choices, catalog)
    return replace(
        choices,
        ranks=_ranks(stream, choices, catalog),
        additions=tuple(_addition(stream, source, kind, catalog) for source, kind in asked.items()),
        gear=_things(stream, slots_of(choices, catalog).value, catalog),
    )


def _one_of(stream: FaceStream, things: Sequence[T]) -> T:
    return things[stream.draw(len(things)) - 1]


def _two_of(stream: FaceStream, things: Sequence[T]) -> tuple[T, T]:
    first = stream.draw(len(things)) - 1
    second = stream.draw(len(things) - 1) - 1
    return things[first], things[second + (second >= first)]


def _trades(stream: FaceStream, first: Trade, catalog: Catalog) -> tuple[TradeChoice, ...]:
    """One trade with a second talent, or a second trade with its starting talent (J2)."""
    if stream.draw(2) == 1:
        return (TradeChoice(trade=first.id, talents=(first.starting, _one_of(stream, first.talents))),)
    others = [trade for trade in catalog.trades if trade.id != first.id]
    return tuple(
        TradeChoice(trade=one.id, talents=(one.starting,)) for one in (first, _one_of(stream, others))
    )


def _blade(stream: FaceStream, blade: Blade, catalog: Catalog) -> BladeChoice:
    words = catalog.names
    return BladeChoice(
        blade=blade.id,
        talents=(_one_of(stream, blade.talents),),
        name=_one_of(stream, words.blades),
        origin=_one_of(stream, words.origins),
    )


def _ranks(stream: FaceStream, choices: HeroChoices, catalog: Catalog) -> Ranks:
    """The ranks, one by one, rather where a talent fits; one hero in two has a weakness and one rank more."""
    rules = catalog.rules.creation
    ranks = dict.fromkeys(Attribute, 0)
    left = rules.ranks
    if stream.draw(2) == 1:
        ranks[_one_of(stream, tuple(Attribute))] -= 1
        left += 1
    fitting = [one for talent in active_talents(choices, catalog) for one in talent.on]
    while left:
        pool = [one for one in (*Attribute, *fitting) if 0 <= ranks[one] < rules.highest]
        ranks[_one_of(stream, pool)] += 1
        left -= 1
    return Ranks(**{attribute.value: rank for attribute, rank in ranks.items()})


def _addition(stream: FaceStream, source: str, kind: Creation, catalog: Catalog) -> StoryAddition:
    seeds: tuple[PlaceSeed | ForceSeed, ...] = tuple(catalog.places)
    if kind is Creation.FORCE:
        seeds = tuple(catalog.forces)
    seed = _one_of(stream, seeds)
    return StoryAddition(source=source, name=seed.name, facts=seed.text)


def _things(stream: FaceStream, slots: int, catalog: Catalog) -> tuple[CarriedGear, ...]:
    """Things that fit into the slots, none twice; of those that fill a clock of themselves none."""
    carried: tuple[CarriedGear, ...] = ()
    for _ in range(MOST_TRIES):
        thing = CarriedGear(gear=_one_of(stream, catalog.gear.ids))
        more = (*carried, thing)
        if thing not in carried and slots_used(more, catalog).value <= slots:
            carried = more
    return carried
