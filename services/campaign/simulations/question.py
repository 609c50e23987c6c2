"""A question with all that it names: sheets, maps and positions, in the form in which it is played."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

import orjson

from services.campaign.scenes.forms import Form
from services.campaign.scenes.games import Games
from services.campaign.scenes.models import Scene
from services.campaign.scenes.pinned_packs import PACKS, Pinned, pinned
from services.campaign.scenes.repository import Scenes
from services.campaign.simulations.packs import (
    demand_small_packs,
    own_packs,
    packs_of_request,
    pinned_to_scenes,
)
from services.campaign.simulations.requests import SimulatedCharacter, SimulatedScene, StartSimulation
from services.campaign.simulations.versions import rules_hash
from services.rules.engine.codec import CodecError
from services.rules.engine.forms import spelled
from services.rules.engine.simulation.request import (
    REQUEST_CODEC,
    Axis,
    Member,
    Opening,
    Precision,
    Replacement,
    SimulationRequest,
    Variant,
)
from services.rules.engine.spelling import PUBLISHED
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.bounds import broken
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.problems import InvalidInput, Issue, NotFound
from services.shared.wording import clipped

MAX_BYTES = 256 * 1024
"""Bytes of a question as it is asked."""

MOST_HALF_WIDTH = 1_000_000

NOT_EXACTLY_ONE = "EXACTLY_ONE"


class Source(Protocol):
    """Another service, as far as questions need it; see ``services.shared.peers``."""

    async def get(self, viewer: Viewer, *segments: str) -> Any | None:
        """Read a path between services; None when there is no such thing."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with all that it names.

    Attributes:
        request: In its stored form.
        hash: Of that without how many runs and how exact.
        rules: Hash of the rules that it is played by.
    """

    request: dict[str, Any]
    hash: str
    rules: str

    @property
    def system(self) -> str:
        """Return the slug of its game."""
        return str(self.request["data"]["system"])


class Questions:
    """Gathers what questions name.

    Args:
        database: where scenes are kept.
        characters: the character service.
        maps: the map service.
        games: the games that can be played, by slug.
    """

    def __init__(self, database: Database, characters: Source, maps: Source, games: Games) -> None:
        self._database = database
        self._characters = characters
        self._maps = maps
        self._games = games

    async def gather(self, viewer: Viewer, asked: StartSimulation) -> Question:
        """Return a question with all that it names. Who asks is a GM of the campaign, where it names one.

        Raises:
            InvalidInput: there is no such game, a character does not play here or is of another game, a
                scene is of another one, a pack is not the campaign's or cannot be played with, or those that
                the characters are built under are too large.
            NotFound: no such map, or no such scene of the campaign.
            Unavailable: the character or the map service does not answer.
        """
        game = self._game(asked)
        await self._demand_seats(asked)
        begun = {
            place: await self._begun(viewer, asked, scene.from_scene, place)
            for place, scene in enumerate(asked.scenes)
            if scene.from_scene is not None
        }
        table = await self._table(viewer, asked, game, begun)
        scenes = [
            await self._opening(viewer, scene, place, begun.get(place))
            for place, scene in enumerate(asked.scenes)
        ]
        found = await asyncio.gather(
            *(self._member(viewer, table, each, place, begun) for place, each in enumerate(asked.cast))
        )
        InvalidInput.check(*(each for each in found if isinstance(each, Issue)))
        cast = tuple(each for each in found if isinstance(each, Member))
        demand_small_packs(cast)
        request = SimulationRequest(
            system=asked.system,
            scenes=tuple(scenes),
            cast=cast,
            packs=packs_of_request(table),
            policies={policy.subject: policy.bot for policy in asked.policies},
            runs=asked.runs,
            precision=None
            if asked.precision is None
            else Precision(figure=asked.precision.figure, half_width=asked.precision.half_width),
            variants=tuple(
                Variant(
                    name=variant.name,
                    changes=tuple(
                        Replacement(pointer=each.pointer, value=each.value) for each in variant.changes
                    ),
                )
                for variant in asked.variants
            ),
            sweep=tuple(Axis(pointer=axis.pointer, values=axis.values) for axis in asked.sweep),
            worth=asked.worth,
            seed=asked.seed,
            most_moves=asked.most_moves,
        )
        form = REQUEST_CODEC.dump(request)
        return Question(form, _hash(form), rules_hash())

    def _game(self, asked: StartSimulation) -> AnySystem:
        game = self._games.get(asked.system)
        if game is None or game.play is None:
            raise InvalidInput.single(
                "SYSTEM_UNKNOWN",
                "There is no such game, or none that is played in scenes.",
                "system",
                found=clipped(asked.system),
                allowed=", ".join(slug for slug, each in self._games.items() if each.play is not None),
            )
        return game

    async def _demand_seats(self, asked: StartSimulation) -> None:
        """Raise unless the characters that are named by id sit at the table."""
        named = [each.character_id for each in asked.cast if each.character_id is not None]
        if not named:
            return
        async with self._database.read() as session:
            seats = await Scenes(session).seats(asked.campaign_id or "", named)
        message = "This character does not play in this campaign."
        InvalidInput.check(
            *(
                Issue(
                    "NOT_AT_THIS_TABLE",
                    message,
                    ["cast", str(place), "characterId"],
                    found=clipped(each.character_id),
                )
                for place, each in enumerate(asked.cast)
                if each.character_id is not None and each.character_id not in seats
            )
        )

    async def _table(
        self, viewer: Viewer, asked: StartSimulation, game: AnySystem, begun: Mapping[int, Scene]
    ) -> Pinned:
        """Return the game with the packs that the question's scenes are played with."""
        if begun:
            return await pinned_to_scenes(game, begun)
        if asked.campaign_id is None:
            return Pinned(game)
        return await pinned(self._characters, viewer, asked.campaign_id, game, asked.packs)

    async def _opening(
        self, viewer: Viewer, scene: SimulatedScene, place: int, begun: Scene | None
    ) -> Opening:
        site = None
        if scene.map_id is not None:
            known = is_id(scene.map_id, "map")
            site = await self._maps.get(viewer, "maps", scene.map_id, "site") if known else None
            if site is None:
                raise NotFound.of("map that scenes can be set on", "scenes", str(place), "mapId")
        state = None if begun is None else begun.state
        return Opening(
            setup_name=scene.setup_name, setup=scene.setup, state=state, site=site, rest=scene.rest
        )

    async def _begun(self, viewer: Viewer, asked: StartSimulation, scene_id: str, place: int) -> Scene:
        """Return a scene of the campaign that is played on."""
        async with self._database.read() as session:
            found = (await Scenes(session).seen(viewer.account, [scene_id])).get(scene_id)
        if found is None or found[0].campaign != asked.campaign_id:
            raise NotFound.of("scene", "scenes", str(place), "fromScene")
        scene = found[0]
        if scene.system != asked.system:
            message = "This scene is of another game."
            path = ("scenes", str(place), "fromScene")
            raise InvalidInput.single(
                "NOT_OF_THIS_GAME", message, *path, found=scene.system, allowed=asked.system
            )
        return scene

    async def _member(
        self,
        viewer: Viewer,
        table: Pinned,
        asked: SimulatedCharacter,
        place: int,
        begun: Mapping[int, Scene],
    ) -> Member | Issue:
        """Return a character with its sheet as it is now, and what that is built from; without what the
        scenes have changed that are played on, since these change it again.
        """
        if asked.character_id is None:
            return Member(id=asked.id or "", example=asked.example, choices=asked.choices)
        game = table.system
        without = ("without", ",".join(scene.id for scene in begun.values())) if begun else ()
        found = await self._characters.get(viewer, "characters", asked.character_id, "build", *without)
        built = found or {"sheet": None, "choices": None, "packs": []}
        try:
            sheet = game.sheet_codec.load(built["sheet"])
            choices = None if built["choices"] is None else game.choices_codec.load(built["choices"])
        except CodecError:
            message, path = "This character has no sheet of this game.", ["cast", str(place), "characterId"]
            return Issue(
                "NOT_OF_THIS_GAME", message, path, found=clipped(asked.character_id), allowed=game.slug
            )
        return Member(
            id=asked.character_id,
            choices=None if choices is None else _form(game.choices_codec.type, choices),
            sheet=_form(game.sheet_codec.type, sheet),
            packs=None if choices is None else own_packs(table, built["packs"]),
        )


def _form(hint: Any, value: object) -> Any:
    return spelled(hint, value, PUBLISHED, properties=False)


def faults(asked: StartSimulation) -> list[Issue]:
    """Find what is wrong with a question before anything is looked up."""
    found = [*broken(asked), *_faults(asked)]
    if len(orjson.dumps(asked, default=str)) > MAX_BYTES:
        found.append(Issue("TOO_LARGE", f"A question fits into {MAX_BYTES:,} bytes.", []))
    return found


def _faults(asked: StartSimulation) -> Iterator[Issue]:
    at_home = asked.campaign_id is None
    for place, scene in enumerate(asked.scenes):
        yield from _faults_of_scene(scene, ("scenes", str(place)), at_home)
    yield from _faults_of_packs(asked)
    for place, member in enumerate(asked.cast):
        yield from _faults_of_member(member, ("cast", str(place)), at_home)
    subjects = [policy.subject for policy in asked.policies]
    for place, subject in enumerate(subjects):
        if subject in subjects[:place]:
            message = "Each subject has one policy."
            yield Issue("POLICY_TWICE", message, ["policies", str(place), "subject"], found=clipped(subject))
    wanted = asked.precision
    if wanted is not None and not 0 < wanted.half_width <= MOST_HALF_WIDTH:
        yield Issue(
            "OUT_OF_RANGE",
            f"Half a width is more than 0 and at most {MOST_HALF_WIDTH:,}.",
            ["precision", "halfWidth"],
            found=str(wanted.half_width),
        )
    for path, value in _values(asked):
        yield from Form(value, path).faults()


def _values(asked: StartSimulation) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield every value that is to be put into the question, and where it stands."""
    for at, axis in enumerate(asked.sweep):
        for place, value in enumerate(axis.values):
            yield ("sweep", str(at), "values", str(place)), value
    for at, variant in enumerate(asked.variants):
        for place, change in enumerate(variant.changes):
            yield ("variants", str(at), "changes", str(place), "value"), change.value


def _faults_of_scene(scene: SimulatedScene, path: tuple[str, ...], at_home: bool) -> Iterator[Issue]:
    if sum(each is not None for each in (scene.setup_name, scene.setup, scene.from_scene)) != 1:
        message = "Send exactly one of `setupName`, `setup` and `fromScene`."
        yield Issue(NOT_EXACTLY_ONE, message, [*path])
    if scene.setup is not None:
        yield from Form(scene.setup, (*path, "setup")).faults()
    if scene.from_scene is not None and scene.map_id is not None:
        yield Issue("MAP_UNFIT", "A scene that is played on is on its map already.", [*path, "mapId"])
    for name, value in (("fromScene", scene.from_scene), ("mapId", scene.map_id)):
        if value is not None and at_home:
            yield _needs_campaign([*path, name])


def _faults_of_packs(asked: StartSimulation) -> Iterator[Issue]:
    if asked.packs is None:
        return
    if asked.packs and asked.campaign_id is None:
        yield _needs_campaign([PACKS])
    if any(scene.from_scene is not None for scene in asked.scenes):
        message = "A scene that is played on keeps its packs: leave these out."
        yield Issue("PACKS_UNFIT", message, [PACKS])


def _faults_of_member(member: SimulatedCharacter, path: tuple[str, ...], at_home: bool) -> Iterator[Issue]:
    ways: tuple[object, ...] = (member.example, member.choices, member.character_id)
    if sum(each is not None for each in ways) != 1:
        message = "Send exactly one of `example`, `choices` and `characterId`."
        yield Issue(NOT_EXACTLY_ONE, message, [*path])
    if member.choices is not None:
        yield from Form(member.choices, (*path, "choices")).faults()
    if member.character_id is not None and at_home:
        yield _needs_campaign([*path, "characterId"])
    if (member.id is None) == (member.character_id is None):
        message = "Examples and choices need an `id`; characters have their own."
        yield Issue("BAD_CAST", message, [*path])


def _needs_campaign(path: list[str]) -> Issue:
    message = "Scenes, maps, packs and characters are those of a campaign: name it in `campaignId`."
    return Issue("CAMPAIGN_MISSING", message, path)


def _hash(form: dict[str, Any]) -> str:
    """Return the hash of a question without how many runs and how exact: what is known of it is its own. Of
    packs it is what they hold that counts.
    """
    data = {name: value for name, value in form["data"].items() if name not in ("runs", "precision")}
    held = {(pack["id"], pack["version"]): pack["document"] for pack in data["packs"]}
    data["packs"] = list(held.values())
    data["cast"] = [
        {
            **member,
            "packs": member["packs"]
            and [held.get((pack["id"], pack["version"]), pack["document"]) for pack in member["packs"]],
        }
        for member in data["cast"]
    ]
    return sha256(orjson.dumps(data, option=orjson.OPT_SORT_KEYS)).hexdigest()
