"""What stays among those who know of somebody hidden: rolls, events, questions (Actions / Notice, Sneak)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.play import EVERYONE, Audience, Roll
from services.rules.systems.dungeonteller.play.events import (
    AreaSet,
    Asked,
    ClimbSet,
    EffectSet,
    Event,
    Gone,
    Happened,
    LuckChanged,
    Rolled,
    ThingSet,
)
from services.rules.systems.dungeonteller.play.moves import Attack, Move, UsePower
from services.rules.systems.dungeonteller.play.state import Being, Scene


def audience_of(scene: Scene, being: Being) -> Audience:
    """Who may know of somebody: all, or for one who hides their own side and those who found them."""
    if being.hidden is None:
        return EVERYONE
    knowing = tuple(
        one.id
        for one in scene.beings
        if one.hero and (one.side is being.side or one.id in being.found_by or one.id == being.leader)
    )
    return Audience(everyone=False, actors=knowing)


def kept_close(scene: Scene, roll: Roll) -> Roll:
    """A roll that names somebody hidden is for those who know of them."""
    if not roll.audience.everyone:
        return roll
    for being in scene.beings:
        if being.hidden is not None and (roll.actor == being.id or being.name in roll.label):
            return replace(roll, audience=audience_of(scene, being))
    return roll


def concerns(event: Event, being: Being) -> bool:
    """Whether an event speaks of somebody."""
    match event:
        case Rolled():
            return event.being == being.id or being.name in event.label
        case LuckChanged():
            return event.being == being.id or being.name in event.why
        case Happened():
            return being.id in (event.by, *event.targets) or being.name in event.text
        case EffectSet():
            return being.id in (event.effect.on, event.effect.by)
        case AreaSet():
            return being.id in (event.area.by, event.area.bearer)
        case ThingSet():
            return event.thing.holder == being.id
        case ClimbSet():
            return event.climb.being == being.id
        case Gone():
            return event.id == being.id
        case Asked() if event.prompt is not None:
            return being.id in (event.prompt.actor, *_named_in(event.prompt.move))
        case _:
            return False


def _named_in(move: Move) -> tuple[str, ...]:
    """Ids of those a move that waits for an answer is made by and aimed at."""
    match move:
        case UsePower():
            return (move.actor, *move.targets)
        case Attack():
            return (move.actor, move.target)
        case _:
            return (move.actor,)


def sentence(words: str) -> str:
    """What somebody wrote, with a full stop where it ends in nothing."""
    text = words.strip()
    return text if text.endswith((".", "!", "?", '"')) else f"{text}."
