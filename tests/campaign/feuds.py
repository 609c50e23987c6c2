"""The toy's feud with what it has not: dice of its own, and heroes who come and go."""

import sys
from dataclasses import dataclass, replace
from typing import Any

from services.rules.engine.campaign import with_campaigns
from services.rules.engine.explain import Explained, Part
from services.rules.engine.plain import Fact, union_codec
from services.rules.engine.play import GM, CastMember, Roll
from services.rules.engine.steps import ActorId
from services.rules.engine.system import AnySystem
from tests.campaign.scene_desk import DUEL

FEUD = "duel_campaign"
FeudPlay: Any = type(DUEL.campaign)
FACTS: Any = vars(sys.modules[f"{FeudPlay.__module__.rpartition('.')[0]}.facts"])
FeudEvent, Settled = FACTS["FeudEvent"], FACTS["Settled"]


class RolledFeud(FeudPlay):  # type: ignore[misc]
    """A feud in which a die falls over a settlement, nobody is asked, and it never holds."""

    def rule(self, turn: Any, move: Any) -> Any:
        dice = Explained.of(Part(1, "Peace", "Feuds"))
        yield from turn.roll(Roll(id="peace", actor=GM, label="Peace", dice=dice))
        turn.happen(Settled(agreed=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(Fact):
    """A hero joins a feud."""

    hero: ActorId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Fact):
    """A hero leaves a feud."""

    hero: ActorId


class OpenFeud(FeudPlay):  # type: ignore[misc]
    """A feud of all heroes who sit at the table, but those whose name is Tam: they are of the other side."""

    event_codec = union_codec(FeudEvent | Joined | Left, "open/feud-event")

    def joined(self, state: Any, member: CastMember) -> tuple[Any, ...]:
        name = member.sheet.name
        return () if name == "Tam" else (Joined(hero=member.id, name=name),)

    def left(self, state: Any, character: str) -> tuple[Any, ...]:
        return (Left(hero=character),)

    def evolve(self, state: Any, fact: Any) -> Any:
        match fact:
            case Joined():
                return replace(state, heroes={**state.heroes, fact.hero: fact.name})
            case Left():
                staying = {hero: name for hero, name in state.heroes.items() if hero != fact.hero}
                return replace(state, heroes=staying)
        return FeudPlay.evolve(state, fact)

    def tell(self, state: Any, fact: Any) -> str:
        match fact:
            case Joined():
                return f"{fact.name} takes sides."
            case Left():
                return f"{state.heroes[fact.hero]} wants no more of it."
        told: str = FeudPlay.tell(state, fact)
        return told


def with_feud(play: Any) -> dict[str, AnySystem]:
    """The toy with a feud of another kind."""
    return with_campaigns({"duel": replace(DUEL, campaign=play)})  # type: ignore[type-var]
