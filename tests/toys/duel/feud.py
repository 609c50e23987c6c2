"""Campaigns of Duel: a feud between the heroes of a table and the rivals that they provoke, duel by duel.

A rival who was provoked can be met in a duel begun from the feud. Each hit on a rival is remembered when it
happens; who was hit as often as they have Nerve has had enough, and the feud is over when all have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, assert_never, cast

from services.rules.engine.buttons import button, flag_field, text_field
from services.rules.engine.campaign import SceneOrder
from services.rules.engine.codec import Codec, Json
from services.rules.engine.play import (
    EVERYONE,
    GM,
    ONGOING,
    ActorCard,
    Audience,
    CastMember,
    Change,
    LegalMove,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import Track
from services.rules.engine.steps import ActorId, Ask, Steps, Turn, refuse

from .duellists import CONTENT, DuelChoices
from .scene import HEROES, RIVALS, DuelSetup, Struck

RULE = "Feuds"
LONGEST_NAME = 40
MOST_FOES = 5
ENOUGH = CONTENT.settings.nerve
"""Hits after which a rival has had enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeudSetup:
    """What the game master decides: what the feud is called."""

    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Foe:
    """A rival who was provoked: how often hit, and whether they are met in a duel just now."""

    id: str
    name: str
    hits: int = 0
    met: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Feud:
    """Where a feud stands; `heroes` are names by id."""

    title: str
    heroes: Mapping[str, str]
    foes: tuple[Foe, ...] = ()
    settled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Provoke:
    """The game master brings up a rival."""

    actor: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """The game master ends the feud; each hero's player is asked first."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """Whether a hero agrees: the answer to a settlement."""

    actor: str
    agrees: bool


FeudMove = Provoke | Settle | Consent


@dataclass(frozen=True, slots=True, kw_only=True)
class Provoked:
    """A rival was provoked."""

    foe: ActorId
    name: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """A duel with a rival begins."""

    foe: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A rival was hit in a duel."""

    foe: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """A duel with a rival is over."""

    foe: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The feud is over, or a hero would not have it."""

    agreed: bool
    audience: Audience = EVERYONE


FeudEvent = Provoked | Met | Hit | Parted | Settled


class FeudPlay:
    """The campaigns of Duel."""

    setup_codec = Codec(FeudSetup, "duel/feud-setup")
    state_codec = Codec(Feud, "duel/feud")
    move_codec: Codec[FeudMove] = Codec(cast(Any, FeudMove), "duel/feud-move")
    event_codec: Codec[FeudEvent] = Codec(cast(Any, FeudEvent), "duel/feud-event")
    setups: Mapping[str, FeudSetup] = {"mill": FeudSetup(title="The Feud at the Mill")}

    def begin(self, setup: FeudSetup, cast: tuple[CastMember, ...]) -> Feud | Problems:
        """The heroes, and nobody provoked yet."""
        if not cast:
            return Problems((RuleProblem("cast_missing", "A feud takes heroes.", "Feuds"),))
        return Feud(title=setup.title, heroes={member.id: member.sheet.name for member in cast})

    def scenes(self, state: Feud) -> Mapping[str, SceneOrder]:
        """A duel with each rival who has not had enough and is not met already."""
        ready = (foe for foe in state.foes if not foe.met and not _enough(foe) and not state.settled)
        return {
            foe.id: SceneOrder(
                setup=DuelSetup(title=f"{state.title}: {foe.name}", rivals=(foe.name,)),
                text=f"Meet {foe.name}.",
            )
            for foe in ready
        }

    def began(self, state: Feud, name: str) -> tuple[FeudEvent, ...]:
        """The rival is met."""
        return (Met(foe=name),)

    def hears(self, state: Feud, name: str, event: Any) -> tuple[FeudEvent, ...]:
        """A hit on the rival counts at once."""
        hit = isinstance(event, Struck) and event.hit and event.target.startswith("rival-")
        return (Hit(foe=name),) if hit else ()

    def parted(self, state: Feud, name: str) -> tuple[FeudEvent, ...]:
        """The rival can be met again."""
        return (Parted(foe=name),)

    def legal(self, state: Feud, actor: str) -> tuple[LegalMove, ...]:
        """The game master provokes and settles."""
        if actor != GM or self.outcome(state).ended:
            return ()
        name = text_field("name", "Whom?", LONGEST_NAME)
        new, over = Provoke(actor=GM, name=""), Settle(actor=GM)
        provoke = button(new, "provoke", "Provoke", "A rival to be met in a duel.", RULE, name)
        settle = button(over, "settle", "Settle", "Over, if every hero agrees.", RULE)
        return (provoke, settle) if len(state.foes) < MOST_FOES else (settle,)

    def rule(self, turn: Turn[Feud, FeudEvent], move: FeudMove) -> Steps:
        """The rules of every move."""
        if self.outcome(turn.state).ended:
            refuse("feud_over", "The feud is over.", "Feuds")
        if move.actor != GM:
            refuse("not_yours", "That is the game master's to do.", "Feuds", ("actor",), move.actor)
        match move:
            case Provoke():
                taken = tuple(foe.name for foe in turn.state.foes)
                if len(taken) == MOST_FOES or move.name in taken or not move.name.strip():
                    refuse("no_such_foe", "Nobody new to provoke.", "Feuds", ("name",), move.name)
                turn.happen(Provoked(foe=f"foe-{len(taken) + 1}", name=move.name))
            case Settle():
                answers = yield from turn.ask(*(_consent(hero) for hero in turn.state.heroes))
                turn.happen(Settled(agreed=all(answer.agrees for answer in answers)))
            case Consent():
                refuse("nothing_asked", "Nobody asked for that.", "Feuds")
            case _:
                assert_never(move)

    def evolve(self, state: Feud, event: FeudEvent) -> Feud:
        """The state after an event."""
        match event:
            case Provoked():
                return replace(state, foes=(*state.foes, Foe(id=event.foe, name=event.name)))
            case Met():
                return _change(state, event.foe, met=True)
            case Parted():
                return _change(state, event.foe, met=False)
            case Hit():
                hits = next(foe.hits for foe in state.foes if foe.id == event.foe)
                return _change(state, event.foe, hits=hits + 1)
            case Settled():
                return replace(state, settled=event.agreed)
            case _:
                assert_never(event)

    def outcome(self, state: Feud) -> Outcome:
        """Over when it is settled, or when every rival has had enough."""
        if state.settled:
            return Outcome(ended=True, text="The feud is settled.")
        if state.foes and all(map(_enough, state.foes)):
            return Outcome(ended=True, winners=(HEROES,), text="The rivals have had enough.")
        return ONGOING

    def view(self, state: Feud, viewer: Viewer) -> Feud:
        """A feud has no secrets."""
        return state

    def sees(self, event: FeudEvent, viewer: Viewer) -> FeudEvent | None:
        """Neither have its events."""
        return event if viewer.may_know(event.audience) else None

    def known_to(self, state: Feud, actor: str) -> Audience:
        """Everybody."""
        return EVERYONE

    def tell(self, state: Feud, event: FeudEvent) -> str:
        """One sentence."""
        names = {foe.id: foe.name for foe in state.foes}
        match event:
            case Provoked():
                return f"{event.name} is provoked."
            case Met():
                return f"{names[event.foe]} comes to a duel."
            case Parted():
                return f"{names[event.foe]} walks off."
            case Hit():
                return f"{names[event.foe]} will remember that."
            case Settled():
                return "The feud is settled." if event.agreed else "Not everybody would settle."
            case _:
                assert_never(event)

    def card(self, state: Feud) -> SceneCard:
        """Heroes and rivals."""
        heroes = (
            ActorCard(id=hero, name=name, side=HEROES, tracks=(), character=True)
            for hero, name in state.heroes.items()
        )
        foes = (
            ActorCard(
                id=foe.id,
                name=foe.name,
                side=RIVALS,
                tracks=(Track("hits", "Hits", min(foe.hits, ENOUGH), ENOUGH),),
            )
            for foe in state.foes
        )
        waiting = () if self.outcome(state).ended else (GM,)
        return SceneCard(title=state.title, round=1, turn=None, actors=(*heroes, *foes), waiting_for=waiting)

    def changes(self, state: Feud) -> tuple[Change, ...]:
        """None: what heroes suffer, they suffer in duels."""
        return ()

    def absorb(self, choices: DuelChoices, data: Mapping[str, Json]) -> DuelChoices:
        """Nothing to take in."""
        return choices

    def led_by(self, state: Feud, actor: str) -> str:
        """Heroes are led by their players."""
        return actor if actor in state.heroes else GM

    def bot(self, state: Feud, actor: str) -> FeudMove | None:
        """Provokes two rivals, and settles."""
        if actor != GM or self.outcome(state).ended:
            return None
        few = len(state.foes) < 2
        return Provoke(actor=GM, name=f"Cousin {len(state.foes) + 1}") if few else Settle(actor=GM)

    def reply(self, state: Feud, ask: Ask) -> FeudMove:
        """Agrees."""
        return Consent(actor=ask.actor, agrees=True)


def _enough(foe: Foe) -> bool:
    return foe.hits >= ENOUGH


def _change(state: Feud, foe: str, **changes: Any) -> Feud:
    return replace(state, foes=tuple(replace(one, **changes) if one.id == foe else one for one in state.foes))


def _consent(hero: str) -> Ask:
    text, agrees = "The feud is over if all agree.", flag_field("agrees", "Agree?")
    offer = button(Consent(actor=hero, agrees=False), "consent", "Answer", text, RULE, agrees)
    return Ask(id=f"settle:{hero}", actor=hero, question="Let the feud rest?", offers=(offer,))
