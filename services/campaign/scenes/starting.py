"""How a scene begins: the GM names the game and the characters, and the rules lay out the opening."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from services.campaign.checks import MAX_NAME, gm_only
from services.campaign.events import scene_board, scene_moved
from services.campaign.models import IDEMPOTENCY, OUTBOX, Scene
from services.campaign.repository import Campaigns
from services.campaign.scenes.boards import board, leading, leads
from services.campaign.scenes.forms import Form
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.timing import wind
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
        setup = _setup(play, new.setup)
        if isinstance(setup, InvalidInput):
            return setup
        if new.map is not None:
            try:
                setup = await self._on_site(viewer, play, setup, new.map)
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
        return await self._write(viewer, play, new, opening)

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

    async def _write(self, viewer: Viewer, play: AnyPlay, new: NewScene, opening: Any) -> Scene | Refusal:
        moment = self._clock()
        sent = new.setup.data if isinstance(new.setup, Form) else {"named": new.setup}
        asked = [new.campaign, new.system, sent, list(new.characters), new.title]
        request = {"startScene": asked if new.map is None else [*asked, new.map]}
        async with self._database.write() as session:
            campaigns, scenes = Campaigns(session), Scenes(session)
            refused = await gm_only(campaigns, viewer, new.campaign)
            if refused is not None:
                return refused
            claimed = await claim(session, IDEMPOTENCY, viewer.account, new.idempotency_key, request, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                known = await scenes.visible(viewer.account, [claimed.answer])
                return known.get(claimed.answer) or NotFound.of("scene", "idempotencyKey")
            if new.map is not None and await self._map_in_play(scenes, new.map):
                message = "A scene that is played there leads this map; end it first."
                return InvalidInput.single("MAP_IN_PLAY", message, "mapId", found=new.map)
            document = play.state_codec.dump(opening)
            scene = Scene(
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
                created_at=moment,
            )
            wind(session, scene, Position(play, opening), moment)
            scenes.add(scene)
            await campaigns.write_log(
                new.campaign,
                "scene.started",
                f"{scene.title} begins.",
                moment,
                account=viewer.account,
                subject=scene.id,
            )
            await publish(session, OUTBOX, scene_moved(scene), moment)
            site = board(play, opening) if leading(play, scene) else None
            if site is not None:
                await publish(session, OUTBOX, scene_board(scene, site, True), moment)
            await remember(session, IDEMPOTENCY, viewer.account, new.idempotency_key, scene.id)
            return scene

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
        for place, (character, document) in enumerate(zip(new.characters, documents, strict=True)):
            try:
                cast.append(CastMember(id=character, sheet=system.sheet_codec.load(document)))
            except CodecError:
                issues.append(
                    Issue(
                        code="NOT_OF_THIS_GAME",
                        message="This character has no sheet of this game.",
                        path=["characters", str(place)],
                        found=character,
                        allowed=system.slug,
                    )
                )
        return InvalidInput.of(issues) if issues else tuple(cast)


def _setup(play: AnyPlay, sent: Form | str) -> Any | InvalidInput:
    if isinstance(sent, Form):
        return sent.read(play.setup_codec)
    if sent not in play.setups:
        return InvalidInput.single(
            "SETUP_UNKNOWN",
            "The game has no setup of this name.",
            "setup",
            "named",
            found=clipped(sent),
            allowed=", ".join(play.setups),
        )
    return play.setups[sent]


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
