"""What a viewer may know of an encounter, what any client can draw of it, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.effects import on
from services.rules.engine.play import (
    EVERYONE,
    GM,
    GM_ONLY,
    ONGOING,
    ActorCard,
    Audience,
    Disposition,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.sheet import Track
from services.rules.systems.fortunate_blades.clocks import Clock, ClockKind
from services.rules.systems.fortunate_blades.harm import BORNE
from services.rules.systems.fortunate_blades.play.effects import EFFECTS, harms_of
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero

HEROES = "heroes"
AGAINST_HEROES = {ClockKind.ENEMY.value, ClockKind.LOOMING.value}
"""The sides of clocks that stand for who, or what, is against the heroes."""


def known_to(state: Encounter, actor: str) -> Audience | None:
    """The game master alone for a secret clock, everyone for heroes and all others."""
    clock = state.clock(actor)
    if clock is not None:
        return GM_ONLY if clock.hidden else EVERYONE
    return EVERYONE if any(each.id == actor for each in state.heroes) else None


def view(state: Encounter, viewer: Viewer) -> Encounter:
    """The encounter; to players without secret clocks, and without numbers that are not shown."""
    if viewer.gm:
        return state
    rolls = tuple(each if each.shown else replace(each, close=None, clear=None) for each in state.rolls)
    return replace(state, clocks=tuple(each for each in state.clocks if not each.hidden), rolls=rolls)


def card(state: Encounter) -> SceneCard:
    """Heroes with their Fortune and Harm, clocks with their ticks."""
    actors = (*(_hero(state, each) for each in state.heroes), *(_clock(each) for each in state.clocks))
    return SceneCard(
        title=state.title,
        round=state.round,
        turn=None,
        actors=actors,
        waiting_for=() if state.ended else tuple(_waiting(state)),
    )


def _waiting(state: Encounter) -> Iterator[str]:
    """Heroes who have an action left, in any order; else the game master, for the enemies."""
    able = [
        one.id
        for one in state.present()
        if not state.engaged or state.may_act(one.id) or state.may_rest(one.id)
    ]
    yield from able or (GM,)


def _hero(state: Encounter, hero: Hero) -> ActorCard:
    filled = state.slots(hero.id)
    most = max(hero.full_fortune, hero.fortune)
    tracks = [Track("fortune", "Fortune", hero.fortune, most)]
    tracks += [
        Track(level.value, f"{level.value.capitalize()} Harm", filled[level], hero.slots[level])
        for level in BORNE
        if hero.slots[level] >= filled[level]
    ]
    borne = harms_of(state.effects, hero.id)
    harms = [f"{level.value} {group.value} Harm{_named(one.words)}" for one, level, group in borne]
    harmed = {one.id for one, _, _ in borne}
    others = [EFFECTS[one.kind].name for one in on(state.effects, hero.id) if one.id not in harmed]
    standing = [] if hero.standing.value == "in" else [hero.standing.value.replace("_", " ")]
    marks = [f"Mark{_named(each)}" for each in hero.marks]
    return ActorCard(
        id=hero.id,
        name=hero.name,
        side=HEROES,
        tracks=tuple(tracks),
        conditions=(*standing, *harms, *marks, *others),
        character=True,
    )


def _named(words: str) -> str:
    return f": {words}" if words else ""


def _clock(clock: Clock) -> ActorCard:
    facts = [
        *(["secret"] if clock.hidden else []),
        *(["full"] if clock.full else []),
        *(f"resistant to {each.value}" for each in clock.resistant),
        *(f"immune to {each.value}" for each in clock.immune),
        *(f"only by {each}" for each in clock.only),
        *([f"at {clock.away.value.replace('_', ' ')} range"] if clock.away else []),
    ]
    ticks = Track("ticks", "Ticks", clock.filled, clock.size)
    return ActorCard(
        id=clock.id, name=clock.name, side=clock.kind.value, tracks=(ticks,), conditions=tuple(facts)
    )


def disposition(other: ActorCard) -> Disposition | None:
    """How the one whom a card is of stands to the heroes; None for work and trials, which take no side."""
    if other.side == HEROES:
        return Disposition.FRIEND
    return Disposition.FOE if other.side in AGAINST_HEROES else None


def outcome(state: Encounter) -> Outcome:
    """Over when a fact says so."""
    if not state.ended:
        return ONGOING
    return Outcome(ended=True, winners=(HEROES,) if state.won else (), text=state.ended)
