"""What can be done with dice: roll them, and read what was rolled."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import orjson

from services.dice.events import recorded
from services.dice.models import IDEMPOTENCY, OUTBOX, RollRow
from services.dice.repository import Rolls
from services.rules.dice.notation import NotationError, NotationLimitError, parse, render
from services.rules.dice.pool import Pool
from services.rules.dice.roll import RollResult, roll
from services.rules.dice.stream import FaceStream, ListStream
from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.outbox import publish
from services.shared.pagination import Page
from services.shared.peers import Peer, PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Unavailable,
)
from services.shared.sequence import next_value

MAX_LABEL = 120
BATCH = 100


@dataclass(frozen=True, slots=True)
class NewRoll:
    """Dice to be rolled.

    Attributes:
        expression: dice notation, for instance ``2d6+3`` or ``4d6kh3``.
        campaign: id of the campaign at whose table it is rolled, if any.
        character: id of the character it is rolled for, if any; one that sits at a table rolls there.
        label: what it is for, up to 120 characters.
        idempotency_key: the same key gives the same roll.
    """

    expression: str
    campaign: str | None = None
    character: str | None = None
    label: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A roll that is kept.

    Attributes:
        row: as it is stored.
        result: every die of it.
    """

    row: RollRow
    result: RollResult

    @classmethod
    def of(cls, row: RollRow) -> "Recorded":
        """Read a stored roll out of its expression and its faces."""
        return cls(row, roll(parse(row.expression), ListStream(orjson.loads(row.faces))))


class DiceService:
    """The use cases of the dice service.

    Args:
        database: where rolls are kept.
        clock: the present moment.
        stream: opens a stream of faces for one roll.
        access: who sees which campaigns.
        characters: the character service, asked whose a character is.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        stream: Callable[[], FaceStream],
        access: AccessSource,
        characters: Peer,
    ) -> None:
        self._database = database
        self._clock = clock
        self._stream = stream
        self._access = access
        self._characters = characters

    async def roll(
        self, viewer: Viewer, new: NewRoll
    ) -> Recorded | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable:
        """Roll dice and keep the roll."""
        pool = _checked(new)
        if isinstance(pool, InvalidInput):
            return pool
        try:
            campaign = await self._place(viewer, new)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if isinstance(campaign, (NotFound, Forbidden, InvalidInput)):
            return campaign
        moment = self._clock()
        place = campaign or viewer.account
        async with self._database.write() as session:
            rolls = Rolls(session, Access(viewer.account, {}))
            claimed = await claim(
                session, IDEMPOTENCY, viewer.account, new.idempotency_key, {"roll": asdict(new)}, moment
            )
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                return Recorded.of(await rolls.own(claimed.answer))
            result = roll(pool, self._stream())
            row = RollRow(
                id=new_id("rol"),
                place=place,
                seq=await next_value(session, f"rolls:{place}"),
                account=viewer.account,
                campaign=campaign,
                character=new.character,
                label=new.label,
                expression=render(pool),
                faces=orjson.dumps(result.faces).decode(),
                total=result.total,
                created_at=moment,
            )
            rolls.add(row)
            await publish(session, OUTBOX, recorded(row, result.text()), moment)
            await remember(session, IDEMPOTENCY, viewer.account, new.idempotency_key, row.id)
        return Recorded(row, result)

    async def rolls(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Recorded]:
        """Read those of the rolls that the viewer may see."""
        access = await self._access.of(viewer)
        async with self._database.read() as session:
            found = await Rolls(session, access).by_id(ids)
        return {key: Recorded.of(row) for key, row in found.items()}

    async def page(
        self,
        viewer: Viewer,
        *,
        campaign: str | None = None,
        character: str | None = None,
        account: str | None = None,
        first: int,
        after: str | None,
    ) -> Page[Recorded]:
        """Read a page of the rolls that the viewer may see, newest first, narrowed by what is given."""
        access = await self._access.of(viewer, campaign=campaign, character=character)
        async with self._database.read() as session:
            page = await Rolls(session, access).page(
                campaign=campaign, character=character, account=account, first=first, after=after
            )
        return Page([Recorded.of(row) for row in page.items], page.has_next, page.has_previous)

    async def behind(self, viewer: Viewer, campaign: str | None, seq: int) -> list[Recorded] | None:
        """Read rolls behind number ``seq``, in order, of a campaign or of the viewer's own outside of any.

        Gives None when the viewer is no member of the campaign (any more).
        """
        access = await self._access.of(viewer, campaign=campaign)
        if campaign is not None and campaign not in access.roles:
            return None
        async with self._database.read() as session:
            rows = await Rolls(session, access).behind(campaign or viewer.account, seq, limit=BATCH)
        return [Recorded.of(row) for row in rows]

    async def _place(self, viewer: Viewer, new: NewRoll) -> str | NotFound | Forbidden | InvalidInput | None:
        """Find the campaign a roll belongs to, after checking that the viewer may roll there and so."""
        access = await self._access.of(viewer, campaign=new.campaign, character=new.character)
        campaign = new.campaign
        if campaign is not None and campaign not in access.roles:
            return NotFound.of("campaign", "campaignId")
        if new.character is not None:
            found = (
                await self._characters.get(viewer, "characters", new.character)
                if is_id(new.character, "chr")
                else None
            )
            seated = access.characters.get(new.character)
            if found is None or (found["owner"] != viewer.account and seated is None):
                return NotFound.of("character", "characterId")
            if campaign is not None and seated != campaign:
                return InvalidInput.single(
                    "NOT_AT_THIS_TABLE", "This character does not play in this campaign.", "characterId"
                )
            campaign = seated
            if found["owner"] != viewer.account and not access.runs(campaign or ""):
                return Forbidden.because(
                    "Only its player or a GM may roll for this character.", "characterId"
                )
        if campaign is not None and not access.plays(campaign):
            return Forbidden.because("Spectators watch; ask the GM to make you a player.", "campaignId")
        return campaign


def _checked(new: NewRoll) -> Pool | InvalidInput:
    issues = []
    pool = None
    try:
        pool = parse(new.expression)
    except NotationError as error:
        limit = isinstance(error, NotationLimitError)
        issues.append(
            Issue(
                code="NOTATION_LIMIT" if limit else "NOTATION",
                message=f"This is no dice notation: {error}.\n{error.caret}"
                if not limit
                else f"This asks for too much: {error}.",
                path=["expression"],
                rule="dice notation",
                found=error.found,
                allowed=" or ".join(error.expected),
            )
        )
    if new.label is not None and not 1 <= len(new.label) <= MAX_LABEL:
        issues.append(
            Issue(
                code="LENGTH",
                message=f"`label` must have 1 to {MAX_LABEL} characters.",
                path=["label"],
                found=str(len(new.label)),
                allowed=f"1..{MAX_LABEL}",
            )
        )
    return pool if pool is not None and not issues else InvalidInput.of(issues)
