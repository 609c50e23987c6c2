"""Luck from scene to scene of a day: what a hero has left, until they rest (Basics / Luck)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from services.rules.engine.simulation.rests import DayRest
from services.rules.systems.dungeonteller.play.state import Being, Scene

REST = DayRest(
    key="rest",
    name="Rest",
    text="Any chance to rest brings Luck back to its maximum; Luck that the cold has taken stays away.",
    source="Basics / Luck",
)
RESTS = (REST,)


def opening_after(opening: Scene, before: Scene, rest: str | None) -> Scene:
    """The opening at full Luck after a rest; without one, with the Luck that the scene before has left.

    Who was knocked out is up again, since that is for one scene, without Luck. Companions keep theirs too.

    Args:
        opening: The next scene.
        before: The scene before, at its end.
        rest: Key of the rest in between; None for none.
    """
    if rest is not None:
        return opening
    left = dict(_named((*before.beings, *(departure.being for departure in before.departed))))
    beings = tuple(_with_luck_of(being, left.get(name)) for name, being in _named(opening.beings))
    return replace(opening, beings=beings)


def _named(beings: Iterable[Being]) -> Iterable[tuple[tuple[str, ...], Being]]:
    """Yield heroes by their ids and companions by leader, kind, name and number: ids differ by scene."""
    met: Counter[tuple[str, ...]] = Counter()
    for being in beings:
        if being.hero:
            yield (being.id,), being
        elif being.leader:
            name = (being.leader, being.kind, being.name)
            met[name] += 1
            yield (*name, str(met[name])), being
        else:
            yield ("", being.id), being


def _with_luck_of(being: Being, left: Being | None) -> Being:
    ours = being.hero or being.leader
    if left is None or not ours or being.luck is None or left.luck is None:
        return being
    return replace(being, luck=min(being.luck, left.luck))
