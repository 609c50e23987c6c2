"""Scenes as one viewer may know them: where they stand, what happened, any moment of them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import structlog

from services.campaign.scenes.bots import bots
from services.campaign.scenes.deadlines import deadline
from services.campaign.scenes.history import Thrown
from services.campaign.scenes.models import Scene
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.positions import Documents, openings, read
from services.campaign.scenes.rulings import offered
from services.rules.engine.bots import Bot
from services.rules.engine.campaign import SceneOrder
from services.rules.engine.codec import CodecError
from services.rules.engine.play import ONGOING, AnyPlay, LegalMove, Outcome, Pictured, SceneCard
from services.rules.engine.position import Position
from services.rules.engine.steps import RuleFault
from services.rules.engine.system import AnySystem
from services.shared.pagination import encode_cursor, text_of_cursor
from services.shared.problems import PublicError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """Where a move stands among those that one viewer may know of.

    It counts only what they may know of, so it tells nothing of what is hidden from them.

    Attributes:
        since: the newest public number at that time, its own included.
        place: 0 for the public move itself; hidden ones behind it are counted from 1.
    """

    since: int = 0
    place: int = 0

    def text(self) -> str:
        """Return it as the API writes cursors."""
        return encode_cursor(f"@{self.since}.{self.place}")

    @classmethod
    def of(cls, text: str) -> "Cursor":
        """Read it back.

        Raises:
            PublicError: ``BAD_CURSOR`` when it names no move.
        """
        found = re.fullmatch(r"@(\d{1,9})\.(\d{1,9})", text_of_cursor(text))
        if found is None:
            raise PublicError("BAD_CURSOR", "The cursor `after` does not belong to this list.")
        return cls(int(found[1]), int(found[2]))


START = Cursor()


@dataclass(frozen=True)
class Look:
    """A scene before one pair of eyes.

    Attributes:
        row: what is kept of it.
        who: whose eyes.
        system: its game; None where this installation no longer has it.
        documents: what is looked at: where it stands today, or a state of before.
        shown: how a deadline is told; see ``SteadyClock.shown``.
    """

    row: Scene
    who: Participant
    system: AnySystem | None
    documents: Documents
    shown: Callable[[datetime], datetime] | None = None

    @property
    def play(self) -> AnyPlay | None:
        """The game's scenes."""
        return None if self.system is None else self.system.play

    @cached_property
    def _at(self) -> Position | None:
        if self.play is None:
            return None
        try:
            at = read(self.play, self.documents)
            return at if at.asks is not None else None
        except (CodecError, RuleFault) as error:
            log.error("scene_unreadable", scene=self.row.id, reason=str(error))
        stands = self.documents._replace(waiting=None)
        try:
            # What its game no longer knows how to go on with can still be looked at, and taken back.
            return None if self.documents.waiting is None else read(self.play, stands)
        except CodecError:
            return None

    @cached_property
    def state(self) -> Any | None:
        """The state as far as these eyes may know it; None where its game is not known here."""
        return None if self._at is None else self._at.view(self.who.eyes)

    @cached_property
    def card(self) -> SceneCard | None:
        """What any client can draw of it."""
        return None if self._at is None else self._at.card(self.who.eyes)

    @property
    def outcome(self) -> Outcome:
        """Whether it is over; before that, only GMs are told more. Winners that nobody sees are left out."""
        if self._at is None or self.card is None:
            return ONGOING
        outcome = self._at.play.outcome(self._at.state)
        if self.who.gm:
            return outcome
        if not outcome.ended:
            return ONGOING
        everybody = self._at.play.card(self._at.state).actors
        hidden = {actor.id for actor in everybody}.difference(self._actors)
        winners = tuple(winner for winner in outcome.winners if winner not in hidden)
        return Outcome(ended=True, winners=winners, text=outcome.text)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The bots that may be asked to move, the weakest first."""
        return bots(self.play)

    @property
    def deadlines(self) -> dict[str, datetime]:
        """Until when each question waits that these eyes may know of and that has a limit, by its id."""
        prompts = () if self.card is None else self.card.prompts
        known = ((prompt.id, deadline(self.row, prompt.id)) for prompt in prompts)
        found = {prompt: at for prompt, at in known if at is not None}
        return found if self.shown is None else {prompt: self.shown(at) for prompt, at in found.items()}

    @property
    def openings(self) -> Mapping[str, SceneOrder]:
        """The scenes that a GM may begin from it, by name; a campaign's own alone has any."""
        if self._at is None or not self.who.gm or self.row.ended_at is not None:
            return {}
        return openings(self._at)

    @property
    def pictured(self) -> bool:
        """Whether it can be drawn: that of a game which is known here."""
        return self.play is not None

    @property
    def portrayed(self) -> list[str]:
        """The characters that its picture shows as tokens."""
        if self.card is None or isinstance(self.play, Pictured):
            return []
        return [actor.id for actor in self.card.actors if actor.character]

    @property
    def actors(self) -> list[str]:
        """Those that these eyes' owner may move."""
        if self._at is None:
            return sorted(self.who.eyes.actors)
        return self.who.actors(self._at.play, self._at.state, self._actors)

    @property
    def _actors(self) -> list[str]:
        return [] if self.card is None else [actor.id for actor in self.card.actors]

    def may_move(self, actor: str) -> bool:
        """Tell whether these eyes' owner may move an actor."""
        return self._at is not None and self.who.may_move(self._at.play, self._at.state, actor)

    def legal(self, actor: str | None = None) -> tuple[LegalMove, ...]:
        """Return what an actor may do now, or all that the viewer may move; nothing for actors of others."""
        if self._at is None or self.row.ended_at is not None:
            return ()
        return offered(self._at, self.who, self._actors, actor)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMove:
    """A move as one viewer may know it.

    Attributes:
        scene: id of the scene.
        cursor: where it stands among what they may know of.
        seq: its number among the public moves; None for a hidden one.
        kind: ``move``, ``undo`` or ``void``.
        actor: who moved; None where they may not know.
        account: who sent it.
        by_gm: whether that was a GM.
        lapsed: whether the table's clock made it, for one who did not answer in time.
        undone: whether it was taken back.
        sentences: what happened, in plain words.
        rolls: the dice they may know of.
        events: what happened, of the game's own types; none where this installation no longer has it.
        form: the move in its JSON form, for GMs and who sent it; an answer in secret for GMs only once all
            that were asked beside it have answered, and never where it is sealed, or was taken back before.
        created_at: when it was made.
        system: slug of the game.
    """

    scene: str
    cursor: Cursor
    seq: int | None
    kind: str
    actor: str | None
    account: str
    by_gm: bool
    lapsed: bool
    undone: bool
    sentences: tuple[str, ...]
    rolls: tuple[Thrown, ...]
    events: tuple[Any, ...]
    form: Any | None
    created_at: datetime
    system: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A scene as it was.

    Attributes:
        seq: the public number that had been reached.
        look: the scene at that time.
        faithful: whether playing it again gave the very state that was kept then.
        hash: of that state; for GMs alone, since it would tell of what is hidden.
    """

    seq: int
    look: Look
    faithful: bool
    hash: str | None
