"""The scenes of Duel: what `engine.play` asks of a game, put together from the files beside this one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from services.rules.engine.codec import Codec, Json
from services.rules.engine.plain import PlainPlay, union_codec
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience, Change
from services.rules.engine.steps import Ask

from ..choices import DuelChoices
from .bots import FIERCE, steady
from .evolve import evolve
from .facts import DuelEvent
from .legal import legal
from .moves import Answer, DuelMove
from .picture import picture
from .rules import rule
from .setup import SETUPS, DuelSetup, begin
from .state import HEROES, DuelState
from .tell import tell
from .view import card, outcome, view


class DuelPlay(PlainPlay[DuelSetup, DuelState, DuelMove, DuelEvent]):
    """The scenes of Duel."""

    setup_codec = Codec(DuelSetup, "duel/setup")
    state_codec = Codec(DuelState, "duel/state")
    move_codec = union_codec(DuelMove, "duel/move")
    event_codec = union_codec(DuelEvent, "duel/event")
    setups: Mapping[str, DuelSetup] = SETUPS
    bots = (FIERCE,)
    begin = staticmethod(begin)
    legal = staticmethod(legal)
    rule = staticmethod(rule)
    evolve = staticmethod(evolve)
    outcome = staticmethod(outcome)
    view = staticmethod(view)
    tell = staticmethod(tell)
    card = staticmethod(card)
    bot = staticmethod(steady)
    picture = staticmethod(picture)

    def known_to(self, state: DuelState, actor: str) -> Audience:
        """The game master alone for the hidden rival, everyone for all others."""
        return GM_ONLY if any(one.id == actor and one.hidden for one in state.duellists) else EVERYONE

    def changes(self, state: DuelState) -> tuple[Change, ...]:
        """A scar for each Nerve a hero lost."""
        lost = ((one, one.most - one.nerve) for one in state.duellists if one.side == HEROES)
        return tuple(
            Change(character=one.id, data={"scars": scars}, text=f"Scars for {one.name}: {scars}.")
            for one, scars in lost
            if scars
        )

    def absorb(self, choices: DuelChoices, data: Mapping[str, Json]) -> DuelChoices:
        """Adds the scars."""
        return replace(choices, scars=choices.scars + cast(int, data["scars"]))

    def reply(self, state: DuelState, ask: Ask) -> DuelMove:
        """Flinches with one Nerve left."""
        return Answer(actor=ask.actor, flinch=state.find(ask.actor).nerve == 1)
