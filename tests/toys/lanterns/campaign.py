"""The campaigns of Lanterns: a journey of several nights on one can of oil."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.rules.engine.buttons import button
from services.rules.engine.campaign import SceneOrder
from services.rules.engine.plain import Fact, Move, PlainCampaign, assembled
from services.rules.engine.play import GM, ONGOING, ActorCard, LegalMove, Outcome, SceneCard
from services.rules.engine.steps import Steps, Turn, refuse

from .play import Dimmed, Wood

OIL = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Where a journey stands: oil left, nights walked, whether one goes on; without oil it is over."""

    title: str
    heroes: Mapping[str, str]
    oil: int = OIL
    nights: int = 0
    walking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBack(Move):
    """The game master lets the party turn back, on the last of the oil."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill(Move):
    """The game master lets the party fill the can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked(Fact):
    """A night begins, or is over."""

    walking: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OilChanged(Fact):
    """There is more oil in the can, or less."""

    by: int


setups = {"road": Wood(title="The Road Home")}


def begin(setup: Wood, cast: Any) -> Journey:
    """A full can of oil."""
    return Journey(title=setup.title, heroes={one.id: one.sheet.name for one in cast})


def rule(turn: Turn[Journey, Any], move: TurnBack | Fill) -> Steps:
    """The game master's moves, by day."""
    if move.actor != GM or turn.state.walking or not turn.state.oil:
        refuse("not_yours", "There is nothing for them to do.", "Journeys", ("actor",), move.actor)
    turn.happen(OilChanged(by=OIL * isinstance(move, Fill) - turn.state.oil))
    yield from ()


def evolve(state: Journey, fact: Walked | OilChanged) -> Journey:
    """The state after a fact."""
    match fact:
        case Walked(walking=walking):
            return replace(state, walking=walking, nights=state.nights + (not walking))
        case OilChanged():
            return replace(state, oil=max(0, state.oil + fact.by))


def scenes(state: Journey) -> Mapping[str, SceneOrder]:
    """The next night, while there is oil."""
    order = SceneOrder(setup=Wood(title=f"Night {state.nights + 1}"), text="Walk on.")
    return {} if state.walking or not state.oil else {"night": order}


def began(state: Journey, name: str) -> tuple[Walked]:
    """The night begins."""
    return (Walked(walking=True),)


def hears(state: Journey, name: str, event: Any) -> tuple[OilChanged, ...]:
    """Light that is lost is oil that is gone, when it happens."""
    return (OilChanged(by=-event.light),) if isinstance(event, Dimmed) else ()


def parted(state: Journey, name: str) -> tuple[Walked]:
    """The night is over."""
    return (Walked(walking=False),)


def legal(state: Journey, actor: str) -> tuple[LegalMove, ...]:
    """The game master turns back or fills the can, by day."""
    back = button(TurnBack(actor=GM), "back", "Turn back", "The journey is over.", "Journeys")
    fill = button(Fill(actor=GM), "fill", "Fill the can", "As at the beginning.", "Journeys")
    return (back, fill) if actor == GM and state.oil and not state.walking else ()


def outcome(state: Journey) -> Outcome:
    """Over without oil."""
    return ONGOING if state.oil else Outcome(ended=True, text="The oil is gone.")


def card(state: Journey) -> SceneCard:
    """The party by day."""
    waiting, kind = (GM,) if state.oil and not state.walking else (), {"side": "party", "character": True}
    actors = tuple(ActorCard(id=who, name=name, tracks=(), **kind) for who, name in state.heroes.items())
    return SceneCard(title=state.title, round=state.nights + 1, turn=None, actors=actors, waiting_for=waiting)


def tell(state: Journey, fact: Walked | OilChanged) -> str:
    """The sentence for a fact."""
    match fact:
        case Walked():
            return "The night begins." if fact.walking else "Morning comes."
        case OilChanged():
            return f"Oil: {fact.by:+}."


def bot(state: Journey, actor: str) -> TurnBack | None:
    """Turns back."""
    return TurnBack(actor=GM) if actor == GM and state.oil and not state.walking else None


class JourneyPlay(PlainCampaign[Wood, Journey, TurnBack | Fill, Walked | OilChanged]):
    """The campaigns of Lanterns."""


PLAY = assembled(JourneyPlay, "lanterns/journey", sys.modules[__name__])
