"""What simulations measure of DungeonTeller's scenes: who stands, whose Luck is left, what it was spent
on."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.figures import Amount, Figure, FigureKind
from services.rules.systems.dungeonteller.play.facts import Event, KnockedOut, Left, LuckChanged, ThingSpent
from services.rules.systems.dungeonteller.play.state import Scene

LUCK, STANDING, FELLED, FLED = "luck", "standing", "felled", "fled"
LOST, DEALT, GOLD, USED_UP = "lost", "dealt", "gold", "used_up"

FIGURES = (
    Figure(
        key=LUCK,
        name="Luck left",
        unit="Luck",
        text="Luck at the end; 0 for who was knocked out or has none.",
        by_round=True,
    ),
    Figure(
        key=STANDING,
        name="Standing",
        unit="runs",
        text="Whether the being is there and not knocked out; of a side, how many of its beings.",
        kind=FigureKind.SHARE,
        by_round=True,
    ),
    Figure(
        key=FELLED,
        name="Knocked out",
        unit="times",
        text="How often the being was knocked out.",
    ),
    Figure(key=FLED, name="Left the scene", unit="times", text="How often the being left the scene."),
    Figure(
        key=LOST,
        name="Luck lost",
        unit="Luck",
        text="Luck that blows, powers and hazards cost the being, what it paid itself with it.",
    ),
    Figure(
        key=DEALT,
        name="Luck taken from others",
        unit="Luck",
        text="Luck that others lost by the being's doing.",
    ),
    Figure(key=GOLD, name="Gold gained", unit="gold", text="Gold beyond what the being came with."),
    Figure(
        key=USED_UP,
        name="Things used up",
        unit="things",
        text="Things of the being's that are gone once they have served: potions, scrolls, what powers take.",
    ),
)
"""DungeonTeller's own figures."""


def measure(scene: Scene) -> Iterator[Amount]:
    """Yield how every being stands."""
    for being in scene.beings:
        if not being.out:
            yield Amount(STANDING, being.id, 1)
            if being.luck is not None:
                yield Amount(LUCK, being.id, max(0, being.luck))
        if being.gold != being.gold_before:
            yield Amount(GOLD, being.id, being.gold - being.gold_before)


def count(scene: Scene, event: Event) -> Iterator[Amount]:
    """Yield what an event adds."""
    match event:
        case LuckChanged(change=change) if change < 0:
            yield Amount(LOST, event.being, -change)
            if event.by and event.by != event.being:
                yield Amount(DEALT, event.by, -change)
        case Left():
            yield Amount(FLED, event.being, 1)
        case KnockedOut():
            yield Amount(FELLED, event.being, 1)
        case ThingSpent(destroyed=False):
            thing = scene.thing(event.thing)
            if thing is not None and thing.holder:
                yield Amount(USED_UP, thing.holder, 1)
