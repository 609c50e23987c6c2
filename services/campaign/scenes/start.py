"""How a scene begins: the GM names the game and the characters, and the rules lay out the opening."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.boards import leads
from services.campaign.scenes.forms import MAX_ISSUES, Form
from services.campaign.scenes.games import Games, play_of
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.models import Scene
from services.campaign.scenes.new_scene import add_scene, announce, demand_no_state, new_scene
from services.campaign.scenes.pinned_packs import Pinned, pinned
from services.campaign.scenes.positions import openings, place
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.requests import StartScene
from services.rules.engine.campaign import SUFFIX, SceneOrder
from services.rules.engine.codec import CodecError
from services.rules.engine.play import AnyPlay, CastMember
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.setups import MOST_CAST
from services.rules.engine.site import PlayedOnSites, Site
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import is_id, mistaken_kind
from services.shared.policy import Right, demand
from services.shared.problems import InvalidInput, Issue, NotFound
from services.shared.wording import clipped, strange_signs, with_nearest

SETUP, NAME = "setup", "setupName"
CAST = "cast"
"""What the rules call the characters that take part."""


class Source(Protocol):
    """Another service, as far as scenes need it; see ``services.shared.peers``."""

    async def get(self, viewer: Viewer, *segments: str) -> Any | None:
        """Read a path between services; None when there is no such thing."""


@dataclass(frozen=True, slots=True)
class _Opening:
    """How a scene begins.

    Attributes:
        state: the state that it begins with.
        characters: ids of those who take part.
        begun_from: the campaign's own that it is begun from, as it was read; None for other scenes.
    """

    state: Any
    characters: tuple[str, ...]
    begun_from: Scene | None


class SceneStart:
    """The use case of starting a scene.

    Args:
        database: where scenes are kept.
        clock: the present moment.
        characters: the character service.
        maps: the map service.
        games: the games that can be played, by slug.
    """

    def __init__(
        self, database: Database, clock: Clock, characters: Source, maps: Source, games: Games
    ) -> None:
        self._database = database
        self._clock = clock
        self._characters = characters
        self._maps = maps
        self._games = games

    async def start(self, viewer: Viewer, asked: StartScene, key: str | None = None) -> Scene:
        """Start a scene, and return it.

        Raises:
            InvalidInput: a bound is broken, the setup is malformed or not lawful, a character does not play
                here or is of another game, a pack is not the campaign's or cannot be played with, or the
                campaign or the map is in play already.
            NotFound: no member, or no such map.
            Forbidden: no GM.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the character or the map service does not answer.
        """
        check(asked, *_faults(asked))
        async with self._database.read() as session:
            demand(await Campaigns(session).role(asked.campaign_id, viewer.account), Right.RUN)
            known = await answered(session, viewer, key, asked, self._clock())
            if known is not None:
                return await existing_scene(session, viewer, known)
        game = self._games.get(asked.system)
        if game is None or game.play is None:
            raise self._no_such_game(asked)
        table = await pinned(self._characters, viewer, asked.campaign_id, game, asked.packs)
        play = table.system.play
        assert play is not None
        own = await self._own(asked)
        setup = self._setup(play, asked, own)
        await self._demand_seats(asked)
        site = None if asked.map_id is None else await self._site(viewer, play, asked.map_id)
        characters = await self._characters_of(asked, site)
        if site is not None:
            setup = _on_site(play, setup, site, characters)
        opening = play.begin(setup, await self._cast(viewer, table.system, characters))
        if isinstance(opening, Problems):
            raise InvalidInput([_issue(problem, asked, characters) for problem in opening.items[:MAX_ISSUES]])
        strange = [] if asked.title is not None else strange_signs(play.card(opening).title.strip())
        if strange:
            message = "A title must not hold control characters, line breaks or marks of direction."
            raise InvalidInput.single("UNPRINTABLE", message, SETUP, "title", found=", ".join(strange[:5]))
        begun_from = own if own is not None and asked.setup_name in self._orders(own) else None
        return await self._write(viewer, asked, key, table, _Opening(opening, characters, begun_from))

    # What it begins with

    async def _own(self, asked: StartScene) -> Scene | None:
        """Read the state that the game keeps of the campaign, where scenes are begun from it by name."""
        if asked.setup_name is None or asked.system + SUFFIX not in self._games:
            return None
        async with self._database.read() as session:
            return await Scenes(session).newest(asked.campaign_id, asked.system + SUFFIX)

    def _orders(self, own: Scene) -> Mapping[str, SceneOrder]:
        """Return the scenes that may be begun from a campaign's own now; none while a move of it waits."""
        return {} if own.pending is not None else openings(place(play_of(self._games, own), own))

    def _setup(self, play: AnyPlay, asked: StartScene, own: Scene | None) -> Any:
        if asked.setup_name is None:
            return Form(asked.setup, (SETUP,)).read(play.setup_codec)
        setups = dict(play.setups)
        if own is not None:
            setups |= {name: order.setup for name, order in self._orders(own).items()}
        if asked.setup_name not in setups:
            raise InvalidInput.single(
                "SETUP_UNKNOWN",
                with_nearest(
                    "Neither the game nor the campaign has a setup of this name.", asked.setup_name, setups
                ),
                NAME,
                found=clipped(asked.setup_name),
                allowed=", ".join(setups),
            )
        return setups[asked.setup_name]

    async def _site(self, viewer: Viewer, play: AnyPlay, map_id: str) -> Any:
        """Return a stored map as the game is set on it."""
        if not isinstance(play, PlayedOnSites):
            raise InvalidInput.single("NO_MAPS", "Scenes of this game are not set on maps.", "mapId")
        found = await self._maps.get(viewer, "maps", map_id, "site") if is_id(map_id, "map") else None
        if found is None:
            raise NotFound.of("map that scenes can be set on", "mapId")
        try:
            return play.site_codec.load(found)
        except CodecError as error:
            message = "This game is not played on maps of this kind."
            kinds = ", ".join(play.map_kinds)
            raise InvalidInput.single("MAP_OF_ANOTHER_KIND", message, "mapId", allowed=kinds) from error

    async def _characters_of(self, asked: StartScene, site: Any) -> tuple[str, ...]:
        """Return who takes part: as asked for, else those at the table whose tokens stand on the map."""
        if asked.characters is not None:
            return tuple(asked.characters)
        found = tuple(getattr(site, "characters", ()))[:MOST_CAST]
        async with self._database.read() as session:
            seats = await Scenes(session).seats(asked.campaign_id, found)
        return tuple(character for character in found if character in seats)

    async def _demand_seats(self, asked: StartScene) -> None:
        """Raise unless all characters sit at the table."""
        async with self._database.read() as session:
            seats = await Scenes(session).seats(asked.campaign_id, asked.characters or ())
        message = "This character does not play in this campaign."
        InvalidInput.check(
            *(
                Issue("NOT_AT_THIS_TABLE", message, ["characters", str(place)], found=clipped(character))
                for place, character in enumerate(asked.characters or ())
                if character not in seats
            )
        )

    async def _cast(
        self, viewer: Viewer, game: AnySystem, characters: Sequence[str]
    ) -> tuple[CastMember, ...]:
        """Return the cast with its sheets, which must be of this game."""
        documents = await asyncio.gather(
            *(self._characters.get(viewer, "characters", each, "sheet") for each in characters)
        )
        cast, issues = [], []
        for index, (character, document) in enumerate(zip(characters, documents, strict=True)):
            try:
                cast.append(CastMember(id=character, sheet=game.sheet_codec.load(document)))
            except CodecError:
                message = "This character has no sheet of this game."
                path = ["characters", str(index)]
                issues.append(Issue("NOT_OF_THIS_GAME", message, path, found=character, allowed=game.slug))
        InvalidInput.check(*issues)
        return tuple(cast)

    def _no_such_game(self, asked: StartScene) -> InvalidInput:
        playable = [slug for slug, game in self._games.items() if game.play is not None]
        return InvalidInput.single(
            "SYSTEM_UNKNOWN",
            with_nearest("There is no such game, or none that is played in scenes.", asked.system, playable),
            "system",
            found=clipped(asked.system),
            allowed=", ".join(playable),
        )

    # Writing it down

    async def _write(
        self, viewer: Viewer, asked: StartScene, key: str | None, table: Pinned, opening: _Opening
    ) -> Scene:
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            demand(await Campaigns(session).held(asked.campaign_id, viewer.account), Right.RUN)
            if done.answer is not None:
                return await existing_scene(session, viewer, done.answer)
            scenes, play = Scenes(session), table.system.play
            assert play is not None
            await self._demand_room(scenes, play, asked)
            own = await self._still_offers(scenes, opening.begun_from, asked)
            scene = _laid_out(viewer, play, asked, opening, own, moment)
            scene.packs, scene.pack_documents = list(table.packs), table.documents
            add_scene(session, play, scene, opening.state)
            if own is not None:
                await Ledger(session, scene, self._games, moment).begin(own)
            await announce(session, play, scene, opening.state)
            done.answer = scene.id
            return scene

    async def _demand_room(self, scenes: Scenes, play: AnyPlay, asked: StartScene) -> None:
        """Raise where a running scene leaves no room: on its map, or of the same campaign, which is held.
        Until the commit no other begins there.
        """
        if asked.map_id is not None:
            await scenes.hold_map(asked.map_id)
            leaders = [slug for slug, game in self._games.items() if leads(game.play)]
            if await scenes.runs_on(asked.map_id, leaders):
                message = "A scene that is played there leads this map; end it first."
                raise InvalidInput.single("MAP_IN_PLAY", message, "mapId", found=asked.map_id)
        await demand_no_state(scenes, play, asked.campaign_id, asked.system)

    async def _still_offers(
        self, scenes: Scenes, begun_from: Scene | None, asked: StartScene
    ) -> Scene | None:
        """Return the campaign's own that a scene is begun from, held and as it is now; it must not have gone
        on.
        """
        if begun_from is None:
            return None
        await scenes.hold(begun_from.id)
        own = await scenes.one(begun_from.id)
        if (
            own is None
            or own.state_hash != begun_from.state_hash
            or asked.setup_name not in self._orders(own)
        ):
            message = "The campaign has gone on since: look at it again."
            raise InvalidInput.single("CAMPAIGN_CHANGED", message, NAME, found=clipped(str(asked.setup_name)))
        return own


def _on_site(play: AnyPlay, setup: Any, site: Any, characters: Sequence[str]) -> Any:
    """Return a setup laid out on a stored map, on which the tokens of others than the cast do not count."""
    laid_out = play.laid_out(setup, site.with_cast(characters) if isinstance(site, Site) else site)  # type: ignore[attr-defined]
    if isinstance(laid_out, Problems):
        raise InvalidInput(Form(None, ("mapId",)).issues(laid_out))
    return laid_out


def _issue(problem: RuleProblem, asked: StartScene, characters: Sequence[str]) -> Issue:
    """Return a broken rule, at the member of the request that it concerns: the cast or the setup."""
    if problem.path[:1] != (CAST,):
        return Form(None, (_named_by(asked),)).issue(problem)
    issue = Form(None, ("characters",)).issue(replace(problem, path=problem.path[1:]))
    places: dict[str, str] = {character: str(index) for index, character in enumerate(characters)}
    return replace(issue, path=[places.get(step, step) for step in issue.path])


def _named_by(asked: StartScene) -> str:
    """Return the member of the request that says what the scene begins with."""
    return SETUP if asked.setup_name is None else NAME


async def existing_scene(session: AsyncSession, viewer: Viewer, scene: str) -> Scene:
    """Return the scene that was started under the same key before."""
    found = (await Scenes(session).seen(viewer.account, [scene])).get(scene)
    if found is None:
        raise NotFound.of("scene", "idempotencyKey")
    return found[0]


def _laid_out(
    viewer: Viewer, play: AnyPlay, asked: StartScene, opening: _Opening, own: Scene | None, moment: datetime
) -> Scene:
    """Return the row of a scene that begins as it was asked for."""
    scene = new_scene(
        viewer,
        play,
        opening.state,
        campaign=asked.campaign_id,
        system=asked.system,
        title=asked.title,
        cast=opening.characters,
        moment=moment,
    )
    scene.map = asked.map_id
    scene.begun_from = None if own is None else own.id
    scene.begun_as = None if own is None else asked.setup_name
    return scene


def _faults(asked: StartScene) -> list[Issue]:
    """Find what is wrong with a request beside its bounds, whatever the game and the table."""
    found: list[Issue] = []
    if (asked.setup is None) == (asked.setup_name is None):
        message = "Send either `setup` or `setupName`."
        found.append(Issue("EXACTLY_ONE", message, [SETUP]))
    characters = asked.characters or ()
    if len(set(characters)) < len(characters):
        found.append(Issue("BAD_CAST", "Each character takes part once.", ["characters"]))
    for index, character in enumerate(characters):
        if not is_id(character, "chr"):
            message = mistaken_kind(character, "character") or "This is not the id of a character."
            path = ["characters", str(index)]
            found.append(Issue("BAD_CAST", message, path, found=clipped(character)))
    return found + ([] if asked.setup is None else Form(asked.setup, (SETUP,)).faults())
