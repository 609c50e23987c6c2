"""What a scene changes about a hero that outlives it: things found and lost, gold, companions.

Luck does not: a rest between scenes brings back what they took, up to what minions and familiars leave of its
maximum (Basics / Luck; More Wizard Powers); what is kept of it outside scenes (`tracks`) stays as it is. In a
day without a rest, `rests` takes it along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.codec import Json, decode, encode
from services.rules.engine.play import Change
from services.rules.systems.dungeonteller.belongings import take_in
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.choices import HeroChoices, Purchase
from services.rules.systems.dungeonteller.companions import Companion, after_a_scene
from services.rules.systems.dungeonteller.play.arrivals import companions_of
from services.rules.systems.dungeonteller.play.equipment import carried_items
from services.rules.systems.dungeonteller.play.state import Load, Scene

FOUND, LOST, GOLD, JOINED, LEFT = "found", "lost", "gold", "joined", "left"
_THINGS = tuple[Purchase, ...]
_COMPANIONS = tuple[Companion, ...]


def changes(scene: Scene) -> tuple[Change, ...]:
    """What and whom each hero brings home and leaves behind; nothing for a hero with neither.

    Who has gone home before the end brings what was carried then, and the companions that went too or stay.
    """
    found = []
    everybody = (*scene.beings, *(departure.being for departure in scene.departed))
    carrying = [(being, carried_items(being, scene.things)) for being in scene.beings]
    carrying += [(departure.being, _counted(departure.carried)) for departure in scene.departed]
    for being, now in carrying:
        if not being.hero:
            continue
        before = _counted(being.brought)
        gained, lost = now - before, before - now
        gold = being.gold - being.gold_before
        with_them, came = Counter(companions_of(being.id, everybody)), Counter(being.came_with)
        joined, left = tuple((with_them - came).elements()), tuple((came - with_them).elements())
        if gained or lost or gold or joined or left:
            data: dict[str, Json] = {
                FOUND: encode(_THINGS, _lines(gained)),
                LOST: encode(_THINGS, _lines(lost)),
                GOLD: gold,
            }
            if joined or left:
                data |= {JOINED: encode(_COMPANIONS, joined), LEFT: encode(_COMPANIONS, left)}
            words = (*_thing_words(gained, lost, gold), *_companion_words(joined, left))
            found.append(Change(character=being.id, data=data, text=f"{being.name} {' and '.join(words)}."))
    return tuple(found)


def absorb(choices: HeroChoices, catalog: Catalog, data: Mapping[str, Any]) -> HeroChoices:
    """A hero's choices with what and whom a scene brought; of earlier days, without companions."""
    gold = data.get(GOLD, 0)
    companions = after_a_scene(
        choices.companions,
        decode(_COMPANIONS, data.get(JOINED, [])),
        decode(_COMPANIONS, data.get(LEFT, [])),
        catalog,
    )
    return take_in(
        replace(choices, companions=companions),
        catalog,
        found=decode(_THINGS, data.get(FOUND, [])),
        lost=decode(_THINGS, data.get(LOST, [])),
        gold=gold if isinstance(gold, int) else 0,
    )


def _counted(loads: tuple[Load, ...]) -> Counter[str]:
    return Counter({load.item: load.count for load in loads})


def _lines(counted: Mapping[str, int]) -> tuple[Purchase, ...]:
    return tuple(Purchase(item=item, count=count) for item, count in sorted(counted.items()) if count > 0)


def _thing_words(gained: Counter[str], lost: Counter[str], gold: int) -> list[str]:
    parts = []
    if gained.total():
        parts.append(f"brings home {gained.total()} new {'thing' if gained.total() == 1 else 'things'}")
    if lost.total():
        parts.append(f"has {lost.total()} {'thing' if lost.total() == 1 else 'things'} less")
    if gold:
        parts.append(f"has {abs(gold)} gold {'more' if gold > 0 else 'less'}")
    return parts


def _companion_words(joined: tuple[Companion, ...], left: tuple[Companion, ...]) -> list[str]:
    parts = [f"comes home with {companion.name}" for companion in joined]
    return [*parts, *(f"comes home without {companion.name}" for companion in left)]
