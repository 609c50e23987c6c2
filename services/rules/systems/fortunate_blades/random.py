"""A hero drawn by chance; the same stream of faces draws the same one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    taken: list[str] = []
    sources = _sources(stream, concept, taken, catalog)
    if sources is None:
        text = "The content has too few different talents for another hero."
        return Problems((RuleProblem("too_few_talents", text, CREATION_RULE, ("concept",), concept),))
    words = catalog.names
    choices = replace(
        sources,
        name=name or f"{_one_of(stream, words.first)} {_one_of(stream, words.by)}",
        look=_one_of(stream, words.looks),
        quest=QuestChoice(quest=_one_of(stream, catalog.quests.ids)),
    )
    return _equipped(stream, choices, catalog)


def _sources(
    stream: FaceStream, concept: str | None, taken: list[str], catalog: Catalog
) -> HeroChoices | None:
    """Two backgrounds, the trades and the Blade of a hero, no talent twice; None where no talent is left.

    Args:
        stream: Where chance comes from.
        concept: Content id of the first trade; drawn where it is None.
        taken: Talents that are had, to which those of the hero are added.
        catalog: The content.
    """
    backgrounds: list[BackgroundChoice] = []
    for _ in range(catalog.rules.creation.backgrounds):
        had = {one.background for one in backgrounds}
        free = [one for one in catalog.backgrounds if one.id not in had and _free(one.talents, taken)]
        if not free:
            return None
        drawn = _one_of(stream, free)
        backgrounds.append(
            BackgroundChoice(background=drawn.id, talents=(_talent(stream, drawn.talents, taken),))
        )
    trades = _trades(stream, concept, taken, catalog)
    blades = [one for one in catalog.blades if _free(one.talents, taken)]
    if trades is None or not blades:
        return None
    blade = _blade(stream, _one_of(stream, blades), taken, catalog)
    return HeroChoices(name="", backgrounds=tuple(backgrounds), trades=trades, blade=blade)


def _free(talents: Sequence[str], taken: Sequence[str]) -> list[str]:
    return [one for one in talents if one not in taken]


def _talent(stream: FaceStream, talents: Sequence[str], taken: list[str]) -> str:
    """One of some talents that is not taken; it is taken then."""
    drawn = _one_of(stream, _free(talents, taken))
    taken.append(drawn)
    return drawn


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


def _trades(
    stream: FaceStream, concept: str | None, taken: list[str], catalog: Catalog
) -> tuple[TradeChoice, ...] | None:
    """One trade with a second talent, or a second trade with its starting talent (J2)."""
    first = _trade(stream, [catalog.trades[concept]] if concept is not None else catalog.trades, taken)
    if first is None:
        return None
    entry = catalog.trades[first.trade]
    if stream.draw(2) == 1 and _free(entry.talents, taken):
        return (replace(first, talents=(*first.talents, _talent(stream, entry.talents, taken))),)
    second = _trade(stream, [one for one in catalog.trades if one.id != first.trade], taken)
    return None if second is None else (first, second)


def _trade(stream: FaceStream, trades: Iterable[Trade], taken: list[str]) -> TradeChoice | None:
    """One of some trades with its starting talent; None where none has one that is free."""
    free = [one for one in trades if one.starting not in taken]
    if not free:
        return None
    drawn = _one_of(stream, free)
    taken.append(drawn.starting)
    return TradeChoice(trade=drawn.id, talents=(drawn.starting,))


def _blade(stream: FaceStream, blade: Blade, taken: list[str], catalog: Catalog) -> BladeChoice:
    words = catalog.names
    return BladeChoice(
        blade=blade.id,
        talents=(_talent(stream, blade.talents, taken),),
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
    """Things that fit into the slots together, none of them twice."""
    carried: tuple[CarriedGear, ...] = ()
    for _ in range(MOST_TRIES):
        thing = CarriedGear(gear=_one_of(stream, catalog.gear.ids))
        more = (*carried, thing)
        if thing not in carried and slots_used(more, catalog).value <= slots:
            carried = more
    return carried
