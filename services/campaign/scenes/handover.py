"""What is handed to a campaign's own: a scene that is begun from it tells it what happens, and the table who
comes to it and who leaves.

It is told in the unit of work in which that happens, which holds both; while a move of the campaign's own
waits for answers, what is handed over lies in its inbox. What a scene takes back, its campaign takes back.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.scenes.games import Games, play_of
from services.campaign.scenes.history import Author, Pending
from services.campaign.scenes.models import Scene, SceneMove
from services.campaign.scenes.positions import place
from services.campaign.scenes.repository import Scenes
from services.rules.engine.campaign import AnyCampaign, CampaignPlay, began, heard, joined, left
from services.rules.engine.driver import fold
from services.rules.engine.play import CastMember
from services.rules.engine.steps import Turn

TABLE = "table"
"""Where rows come from that tell who comes to the table and who leaves it; all others come from scenes."""
CHARACTER = "character"


class Book(Protocol):
    """What is written into one scene; see ``ledger``."""

    async def hear(self, author: Author, turn: Turn[Any, Any], source: str) -> None:
        """Write what was heard from a scene."""

    async def undo(self, number: int, author: Author, undone: Sequence[SceneMove], state: Any) -> SceneMove:
        """Write that rows are taken back."""


class Handover:
    """Hands over within one unit of work.

    Args:
        session: the unit of work, which holds the scene and what it was begun from.
        games: the games that are played here.
        book: opens what is written into a scene.
    """

    def __init__(self, session: AsyncSession, games: Games, book: Callable[[Scene], Book]) -> None:
        self._scenes = Scenes(session)
        self._games = games
        self._book = book

    async def begun(self, own: Scene, scene: Scene) -> None:
        """Tell the campaign's own that a scene of it is begun."""
        turn = began(self._campaign(own), self._state(own), scene.begun_as or "")
        await self._book(own).hear(Author(scene.started_by, True), turn, _source(scene.id, 0))

    async def over(self, scene: Scene, author: Author, events: Sequence[Any]) -> None:
        """Hand over what happened in a scene that was begun from a campaign's own."""
        own = await self._own(scene)
        if own is None:
            return
        codec = play_of(self._games, scene).event_codec
        entry = {
            "scene": scene.id,
            "system": scene.system,
            "name": scene.begun_as,
            "number": scene.number,
            "account": author.account,
            "by_gm": author.by_gm,
            "events": [codec.dump(event) for event in events],
            "over": scene.ended_at is not None,
        }
        await self._put_in(own, entry)

    async def came(self, own: Scene, author: Author, character: str, sheet: Mapping[str, Any]) -> None:
        """Hand over that a character has come to the table of a campaign's own.

        Args:
            own: the campaign's own.
            author: who brought it.
            character: its id.
            sheet: the document of its sheet.
        """
        await self._put_in(own, {**_at_table(author, character), "sheet": dict(sheet)})

    async def went(self, own: Scene, author: Author, character: str) -> None:
        """Hand over that a character has left the table of a campaign's own."""
        await self._put_in(own, _at_table(author, character))

    async def _put_in(self, own: Scene, entry: dict[str, Any]) -> None:
        own.inbox = [*own.inbox, entry]
        await self.take_in(own)

    async def take_in(self, own: Scene) -> None:
        """Let a campaign's own hear what lies in its inbox, unless a move of it waits, or its dice are
        falling.
        """
        while own.inbox and own.waiting is None and own.pending is None and own.ended_at is None:
            entry, *own.inbox = own.inbox
            author = Author(entry["account"], entry["by_gm"])
            if CHARACTER in entry:
                await self._seat(own, author, entry)
            else:
                await self._hear(own, author, entry)

    async def _hear(self, own: Scene, author: Author, entry: Mapping[str, Any]) -> None:
        codec = self._games[entry["system"]].play.event_codec  # type: ignore[union-attr]
        events = [codec.load(event) for event in entry["events"]]
        turn = heard(self._campaign(own), self._state(own), entry["name"], events, over=entry["over"])
        await self._book(own).hear(author, turn, _source(entry["scene"], entry["number"]))

    async def _seat(self, own: Scene, author: Author, entry: Mapping[str, Any]) -> None:
        """Let a campaign's own hear who comes to the table or leaves it: its characters from then on."""
        play, state, character = self._campaign(own), self._state(own), entry[CHARACTER]
        if "sheet" in entry:
            sheet = self._games[own.system].sheet_codec.load(entry["sheet"])
            turn = joined(play, state, CastMember(id=character, sheet=sheet))
            if turn.happened and character not in own.cast:
                own.cast = [*own.cast, character]
        elif character in own.cast:
            turn = left(play, state, character)
        else:
            return
        await self._book(own).hear(author, turn, f"{TABLE}:{character}")
        if turn.happened and "sheet" not in entry:
            own.cast = [each for each in own.cast if each != character]

    async def awaited(self, scene: Scene, numbers: Sequence[int]) -> tuple[str, int] | None:
        """Find the pending move of the campaign's own that comes before rows of a scene are taken back: its
        dice may have fallen already.

        Returns:
            The id of the campaign's own and the number of the move; None where they can be taken back.
        """
        own = await self._own(scene)
        pending = None if own is None else Pending.of(own)
        if own is None or pending is None or not await self._heard(own, scene, numbers):
            return None
        return own.id, pending.number

    async def back(self, scene: Scene, author: Author, numbers: Sequence[int]) -> None:
        """Take back what rows of a scene handed over, and a waiting move of the campaign's own behind it;
        none is pending there (``awaited``).
        """
        own = await self._own(scene)
        if own is not None:
            own.inbox = [
                entry
                for entry in own.inbox
                if entry.get("scene") != scene.id or entry["number"] not in numbers
            ]
            await self._take_back(own, author, await self._heard(own, scene, numbers))

    async def pending(self, scene: Scene) -> tuple[str, int] | None:
        """Find the pending move of the campaign's own, which comes before a scene begun from it is unmade."""
        own = await self._own(scene)
        pending = None if own is None else Pending.of(own)
        return None if own is None or pending is None else (own.id, pending.number)

    async def unmade(self, scene: Scene, author: Author) -> None:
        """Take back all that a scene handed over, its beginning too, as ``back`` does; none is pending there
        (``pending``).
        """
        own = await self._own(scene)
        if own is not None:
            own.inbox = [entry for entry in own.inbox if entry.get("scene") != scene.id]
            await self._take_back(own, author, await self._scenes.heard_of(own.id, scene.id))

    async def _take_back(self, own: Scene, author: Author, undone: list[SceneMove]) -> None:
        """Take rows of a campaign's own back, and its waiting move behind them; nothing for none."""
        if not undone:
            return
        if own.waiting is not None:
            undone += await self._scenes.moves(own.id, behind=own.waiting["number"] - 1)
        gone = {row.number for row in undone}
        standing = await self._scenes.standing_events(own.id, own.number)
        play = play_of(self._games, own)
        events = (
            play.event_codec.load(event)
            for row in standing
            if row.number not in gone
            for event in row.documents()
        )
        state = fold(play, play.state_codec.load(own.opening), events)
        await self._book(own).undo(own.number + 1, author, undone, state)

    async def _heard(self, own: Scene, scene: Scene, numbers: Sequence[int]) -> list[SceneMove]:
        """The standing rows of a campaign's own in which it heard rows of a scene."""
        return await self._scenes.heard(own.id, [_source(scene.id, number) for number in numbers])

    async def _own(self, scene: Scene) -> Scene | None:
        """The campaign's own that a scene was begun from; None for other scenes, and behind its end."""
        own = None if scene.begun_from is None else await self._scenes.one(scene.begun_from)
        return None if own is None or own.ended_at is not None or own.system not in self._games else own

    def _state(self, own: Scene) -> Any:
        return place(play_of(self._games, own), own).state

    def _campaign(self, own: Scene) -> AnyCampaign:
        play = play_of(self._games, own)
        assert isinstance(play, CampaignPlay)
        return play


def _at_table(author: Author, character: str) -> dict[str, Any]:
    return {CHARACTER: character, "account": author.account, "by_gm": author.by_gm}


def _source(scene: str, number: int) -> str:
    return f"{scene}:{number}"
