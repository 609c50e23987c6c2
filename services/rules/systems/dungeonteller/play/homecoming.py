"""What a scene changes about a hero that outlives it: things found and lost, gold (Stuff).

Luck does not: a rest between scenes brings all of it back (Basics / Luck).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from services.rules.engine.codec import Json, decode, encode
from services.rules.engine.play import Change
from services.rules.systems.dungeonteller.belongings import take_in
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.choices import HeroChoices, Purchase
from services.rules.systems.dungeonteller.play.begin import carried
from services.rules.systems.dungeonteller.play.state import Scene

FOUND, LOST, GOLD = "found", "lost", "gold"
_THINGS = tuple[Purchase, ...]


def changes(scene: Scene) -> tuple[Change, ...]:
    """What each hero brings home and leaves behind; nothing for a hero with neither."""
    found = []
    for being in scene.beings:
        if not being.hero:
            continue
        before = Counter({load.item: load.count for load in being.brought})
        now = carried(being, scene.things)
        gained, lost = now - before, before - now
        gold = being.gold - being.gold_before
        if gained or lost or gold:
            data: dict[str, Json] = {
                FOUND: encode(_THINGS, _lines(gained)),
                LOST: encode(_THINGS, _lines(lost)),
                GOLD: gold,
            }
            found.append(Change(character=being.id, data=data, text=_words(being.name, gained, lost, gold)))
    return tuple(found)


def absorb(choices: HeroChoices, catalog: Catalog, data: Mapping[str, Any]) -> HeroChoices:
    """A hero's choices with what a scene brought."""
    gold = data.get(GOLD, 0)
    return take_in(
        choices,
        catalog,
        found=decode(_THINGS, data.get(FOUND, [])),
        lost=decode(_THINGS, data.get(LOST, [])),
        gold=gold if isinstance(gold, int) else 0,
    )


def _lines(counted: Mapping[str, int]) -> tuple[Purchase, ...]:
    return tuple(Purchase(item=item, count=count) for item, count in sorted(counted.items()) if count > 0)


def _words(name: str, gained: Counter[str], lost: Counter[str], gold: int) -> str:
    parts = []
    if gained.total():
        parts.append(f"brings home {gained.total()} new {'thing' if gained.total() == 1 else 'things'}")
    if lost.total():
        parts.append(f"has {lost.total()} {'thing' if lost.total() == 1 else 'things'} less")
    if gold:
        parts.append(f"has {abs(gold)} gold {'more' if gold > 0 else 'less'}")
    return f"{name} {' and '.join(parts)}."
