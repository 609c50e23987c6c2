"""How a scene begins: the GM names the game and the characters, and the rules lay out the opening."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.checks import MAX_NAME, gm_only
from services.campaign.events import scene_board, scene_moved
from services.campaign.models import IDEMPOTENCY, OUTBOX, Scene
from services.campaign.repository import Campaigns
from services.campaign.scenes.boards import board, leading, leads
from services.campaign.scenes.forms import Form
from services.campaign.scenes.games import play_of
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.places import openings, place
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.timing import wind
from services.rules.engine.campaign import SUFFIX, CampaignPlay, SceneOrder
from services.rules.engine.codec import CodecError
from services.rules.engine.driver import state_hash
from services.rules.engine.play import AnyPlay, CastMember
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.engine.site import PlayedOnSites
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.outbox import publish
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Unavailable,
)
from services.shared.wording import clipped, line_issues, strange_signs, unwritable

MAX_CAST = 50

Refusal = InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable


class Source(Protocol):
    """Another service, as far as scenes need it; see ``services.shared.peers``."""

    async def get(self, viewer: Viewer, *segments: str) -> Any | None:
        """Read a path between services; None when there is no such thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewScene:
    """A scene to be started.

    Attributes:
        campaign: at whose table.
        system: slug of the game.
        setup: what the game wants to know beforehand; or the name of one of its own setups.
        map: id of the stored map that it is set on, if any.
        characters: ids of the players' characters that take part.
        title: up to 120 characters; the game's own when None.
        idempotency_key: the same key is the same scene.
    """

    campaign: str
    system: str
    setup: Form | str
    map: str | None = None
    characters: Sequence[str] = ()
    title: str | None = None
    idempotency_key: str | None = None


class Starting:
    """The use case of starting a scene.

    Args:
        database: where scenes are kept.
        clock: the present moment.
        characters: the character service.
        maps: the map service.
        systems: the games that can be played, by slug.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        characters: Source,
        maps: Source,
        systems: Mapping[str, AnySystem],
    ) -> None:
        self._database = database
        self._clock = clock
        self._characters = characters
        self._maps = maps
        self._systems = systems

    async def start(self, viewer: Viewer, new: NewScene) -> Scene | Refusal:
        """Start a scene; the same key gives the same one."""
        async with self._database.read() as session:
            refused = await gm_only(Campaigns(session), viewer, new.campaign)
        if refused is not None:
            return refused
        system = self._systems.get(new.system)
        if system is None or system.play is None:
            return self._no_such_game(new)
        fault = next(iter(_faults(new)), None)
        if fault is not None:
            return fault
        play = system.play
        own = await self._own(new)
        try:
            setup = await self._set(viewer, play, new, own)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if isinstance(setup, InvalidInput | NotFound):
            return setup
        unseated = await self._unseated(new)
        if unseated:
            return InvalidInput.of(unseated)
        try:
            cast = await self._cast(viewer, system, new)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if isinstance(cast, InvalidInput):
            return cast
        opening = play.begin(setup, cast)
        if isinstance(opening, Problems):
            form = new.setup if isinstance(new.setup, Form) else Form(None, ("setup",))
            return InvalidInput.of(form.issues(opening))
        strange = [] if new.title is not None else strange_signs(play.card(opening).title.strip())
        if strange:
            message = "A title must not hold control characters, line breaks or marks of direction."
            return InvalidInput.single("UNPRINTABLE", message, "setup", "title", found=", ".join(strange[:5]))
        begun_from = own if own is not None and new.setup in self._orders(own) else None
        return await self._write(viewer, play, new, opening, begun_from)

    async def _own(self, new: NewScene) -> Scene | None:
        """The state that the game keeps of the campaign, where scenes are begun from it by name."""
        if isinstance(new.setup, Form) or new.system + SUFFIX not in self._systems:
            return None
        async with self._database.read() as session:
            return await Scenes(session).running(new.campaign, new.system + SUFFIX)

    def _orders(self, own: Scene) -> Mapping[str, SceneOrder]:
        """The scenes that may be begun from a campaign's own now; none while a move of it waits."""
        return {} if own.pending is not None else openings(place(play_of(self._systems, own), own))

    async def _set(
        self, viewer: Viewer, play: AnyPlay, new: NewScene, own: Scene | None
    ) -> Any | InvalidInput | NotFound:
        """Read what a scene begins with, laid out on its map where it has one.

        Raises:
            PeerUnavailable: the map service does not answer.
        """
        setup = self._setup(play, new.setup, own)
        if new.map is None or isinstance(setup, InvalidInput):
            return setup
        return await self._on_site(viewer, play, setup, new.map)

    def _setup(self, play: AnyPlay, sent: Form | str, own: Scene | None) -> Any | InvalidInput:
        if isinstance(sent, Form):
            return sent.read(play.setup_codec)
        setups = dict(play.setups)
        if own is not None:
            setups |= {name: order.setup for name, order in self._orders(own).items()}
        if sent in setups:
            return setups[sent]
        return InvalidInput.single(
            "SETUP_UNKNOWN",
            "Neither the game nor the campaign has a setup of this name.",
            "setup",
            "named",
            found=clipped(sent),
            allowed=", ".join(setups),
        )

    async def _on_site(
        self, viewer: Viewer, play: AnyPlay, setup: Any, map_id: str
    ) -> Any | InvalidInput | NotFound:
        """Lay a setup out on a stored map.

        Raises:
            PeerUnavailable: the map service does not answer.
        """
        if not isinstance(play, PlayedOnSites):
            return InvalidInput.single("NO_MAPS", "Scenes of this game are not set on maps.", "mapId")
        found = await self._maps.get(viewer, "maps", map_id, "site") if is_id(map_id, "map") else None
        if found is None:
            return NotFound.of("map that scenes can be set on", "mapId")
        try:
            site = play.site_codec.load(found)
        except CodecError:
            message = "This game is not played on maps of this kind."
            return InvalidInput.single("MAP_OF_ANOTHER_KIND", message, "mapId")
        laid_out = play.laid_out(setup, site)
        if isinstance(laid_out, Problems):
            return InvalidInput.of(Form(None, ("mapId",)).issues(laid_out))
        return laid_out

    async def _write(
        self, viewer: Viewer, play: AnyPlay, new: NewScene, opening: Any, begun_from: Scene | None
    ) -> Scene | Refusal:
        moment = self._clock()
        async with self._database.write() as session:
            scenes = Scenes(session)
            refused = await self._claimed(session, viewer, new, moment)
            if refused is not None:
                return refused
            taken = await self._taken(scenes, play, new)
            if taken is not None:
                return taken
            own = await self._still_offers(scenes, begun_from, new)
            if isinstance(own, InvalidInput):
                return own
            scene = _laid_out(viewer, play, new, opening, own, moment)
            wind(session, scene, Position(play, opening), moment)
            scenes.add(scene)
            if own is not None:
                await Ledger(session, scene, self._systems, moment).begin(own)
            await self._announce(session, play, scene, opening)
            await remember(session, IDEMPOTENCY, viewer.account, new.idempotency_key, scene.id)
            return scene

    async def _claimed(
        self, session: AsyncSession, viewer: Viewer, new: NewScene, moment: datetime
    ) -> Scene | Refusal | None:
        """Find out whether the viewer may begin a scene: None where they may, and it is not begun yet."""
        refused = await gm_only(Campaigns(session), viewer, new.campaign)
        if refused is not None:
            return refused
        claimed = await claim(session, IDEMPOTENCY, viewer.account, new.idempotency_key, _asked(new), moment)
        if isinstance(claimed, Conflict):
            return IdempotencyConflict.of()
        if isinstance(claimed, Replay):
            known = await Scenes(session).visible(viewer.account, [claimed.answer])
            return known.get(claimed.answer) or NotFound.of("scene", "idempotencyKey")
        return None

    async def _taken(self, scenes: Scenes, play: AnyPlay, new: NewScene) -> InvalidInput | None:
        """Find a running scene beside which another cannot begin: on its map, or of the same campaign."""
        if new.map is not None and await self._map_in_play(scenes, new.map):
            message = "A scene that is played there leads this map; end it first."
            return InvalidInput.single("MAP_IN_PLAY", message, "mapId", found=new.map)
        if isinstance(play, CampaignPlay) and await self._runs(scenes, new):
            message = "The game keeps a state of this campaign already."
            return InvalidInput.single("CAMPAIGN_RUNS", message, "system", found=new.system)
        return None

    async def _announce(self, session: AsyncSession, play: AnyPlay, scene: Scene, opening: Any) -> None:
        """Write into the log that a scene begins, and publish it and the map that it leads."""
        text, moment = f"{scene.title} begins.", scene.created_at
        await Campaigns(session).write_log(
            scene.campaign, "scene.started", text, moment, account=scene.started_by, subject=scene.id
        )
        await publish(session, OUTBOX, scene_moved(scene), moment)
        site = board(play, opening) if leading(play, scene) else None
        if site is not None:
            await publish(session, OUTBOX, scene_board(scene, site, True), moment)

    async def _still_offers(
        self, scenes: Scenes, begun_from: Scene | None, new: NewScene
    ) -> Scene | InvalidInput | None:
        """The campaign's own that a scene is begun from, held and as it is now; an issue where it has gone
        on.
        """
        if begun_from is None:
            return None
        await scenes.hold(begun_from.id)
        own = await scenes.one(begun_from.id)
        if own is not None and own.state_hash == begun_from.state_hash and new.setup in self._orders(own):
            return own
        message = "The campaign has gone on since: look at it again."
        return InvalidInput.single(
            "CAMPAIGN_CHANGED", message, "setup", "named", found=clipped(str(new.setup))
        )

    async def _runs(self, scenes: Scenes, new: NewScene) -> bool:
        """Find out whether a game's state of the campaign runs; until the commit no other begins."""
        await scenes.hold_campaign(new.campaign, new.system)
        return await scenes.running(new.campaign, new.system) is not None

    async def _map_in_play(self, scenes: Scenes, map_id: str) -> bool:
        """Find out whether a running scene leads a map; until the commit no other scene begins on it."""
        await scenes.hold_map(map_id)
        leaders = [slug for slug, system in self._systems.items() if leads(system.play)]
        return await scenes.runs_on(map_id, leaders)

    def _no_such_game(self, new: NewScene) -> InvalidInput:
        playable = [slug for slug, system in self._systems.items() if system.play is not None]
        return InvalidInput.single(
            "SYSTEM_UNKNOWN",
            "There is no such game, or none that is played in scenes.",
            "system",
            found=clipped(new.system),
            allowed=", ".join(playable),
        )

    async def _unseated(self, new: NewScene) -> list[Issue]:
        async with self._database.read() as session:
            seats = await Scenes(session).seats(new.campaign, new.characters)
        return [
            Issue(
                code="NOT_AT_THIS_TABLE",
                message="This character does not play in this campaign.",
                path=["characters", str(place)],
                found=clipped(character),
            )
            for place, character in enumerate(new.characters)
            if character not in seats
        ]

    async def _cast(
        self, viewer: Viewer, system: AnySystem, new: NewScene
    ) -> tuple[CastMember, ...] | InvalidInput:
        """Read the sheets of the cast, or name those that are not of this game."""
        documents = await asyncio.gather(
            *(self._characters.get(viewer, "characters", each, "sheet") for each in new.characters)
        )
        cast, issues = [], []
        for index, (character, document) in enumerate(zip(new.characters, documents, strict=True)):
            try:
                cast.append(CastMember(id=character, sheet=system.sheet_codec.load(document)))
            except CodecError:
                issues.append(
                    Issue(
                        code="NOT_OF_THIS_GAME",
                        message="This character has no sheet of this game.",
                        path=["characters", str(index)],
                        found=character,
                        allowed=system.slug,
                    )
                )
        return InvalidInput.of(issues) if issues else tuple(cast)


def _laid_out(
    viewer: Viewer, play: AnyPlay, new: NewScene, opening: Any, own: Scene | None, moment: datetime
) -> Scene:
    """The row of a scene that begins."""
    document = play.state_codec.dump(opening)
    return Scene(
        id=new_id("scn"),
        campaign=new.campaign,
        system=new.system,
        title=(new.title or play.card(opening).title).strip()[:MAX_NAME],
        started_by=viewer.account,
        cast=list(new.characters),
        opening=document,
        state=document,
        state_hash=state_hash(play, opening),
        map=new.map,
        begun_from=None if own is None else own.id,
        begun_as=None if own is None else str(new.setup),
        created_at=moment,
    )


def _asked(new: NewScene) -> dict[str, Any]:
    """What an idempotency key stands for."""
    sent = new.setup.data if isinstance(new.setup, Form) else {"named": new.setup}
    asked = [new.campaign, new.system, sent, list(new.characters), new.title]
    return {"startScene": asked if new.map is None else [*asked, new.map]}


def _faults(new: NewScene) -> list[InvalidInput]:
    """Find what is wrong with a request whatever the game and the table."""
    found = []
    if new.title is not None:
        issues = list(unwritable(new.title, ["title"])) or line_issues(new.title, "title", most=MAX_NAME)
        if issues:
            found.append(InvalidInput.of(issues))
    if len(new.characters) > MAX_CAST or len(set(new.characters)) < len(new.characters):
        found.append(
            InvalidInput.single(
                "BAD_CAST",
                f"At most {MAX_CAST} characters take part, each once.",
                "characters",
                found=str(len(new.characters)),
                allowed=f"0..{MAX_CAST}",
            )
        )
    elif not all(is_id(character, "chr") for character in new.characters):
        found.append(InvalidInput.single("BAD_CAST", "These are no ids of characters.", "characters"))
    fault = new.setup.fault() if isinstance(new.setup, Form) else None
    return [*found, fault] if fault is not None else found
