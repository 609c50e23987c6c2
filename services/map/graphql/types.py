"""The types of the map service."""

import asyncio
from datetime import datetime
from typing import Annotated, Any

import orjson
import strawberry
from strawberry.federation import type as federated_type
from strawberry.scalars import JSON
from strawberry.types.nodes import SelectedField

from services.map import models, weighing
from services.map.formats import FORMATS, file_name
from services.map.graphql import loaders
from services.map.graphql.content import GRID, UNION, GridType, content_type
from services.map.graphql.context import MapInfo
from services.map.graphql.file_types import MapFigure, MapFile, MapGate, MapOutput
from services.map.graphql.ground_types import MapGround
from services.map.graphql.kind import CONTENT_INSTEAD, fields_of_maps, graphs
from services.map.graphql.play_types import MapPlay
from services.map.graphql.wishes import MapFormat, MapKind
from services.map.grid_view import GridView, grid_view
from services.map.looking import Look
from services.map.play.state import FogMode, MapState
from services.map.registry import GENERATORS, KINDS
from services.map.wishes import described_parameters
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.graphql.schema import REFERENCE
from services.shared.jobs import Job as JobRecord
from services.shared.jobs import JobState
from services.shared.metadata.graphql import METADATA, MetadataType, Namespace, metadata_beside
from services.shared.metadata.requests import Metadata
from services.shared.mirror import mirror
from services.shared.pagination import (
    DEFAULT_PAGE,
    cursor_of_number,
    decode_cursor,
    encode_cursor,
    number_of_cursor,
    page_size,
)

mirror(JobState)


@federated_type(keys=[REFERENCE], description="Somebody who plays.")
class Account:
    """Somebody who plays; the account service knows the rest."""

    id: strawberry.ID = strawberry.field(description="The account's.")


@federated_type(keys=[REFERENCE], description="One run of a game's rules at a table.")
class Scene:
    """One run of a game's rules at a table; the campaign service knows the rest."""

    id: strawberry.ID = strawberry.field(description="The scene's.")


@strawberry.type(description="What apps keep beside a token.")
class TokenMetadata:
    """The bags of one token."""

    token: strawberry.ID = strawberry.field(description="The token's key on its map.")
    metadata: list[Metadata] = strawberry.field(
        graphql_type=list[MetadataType],
        description="By namespace, those that everybody reads and those that your own app alone reads.",
    )


@federated_type(keys=["id"], description="A map, as you may know it.")
class Map:
    """Seen by the members of its campaign, unless its GM hides it, or by its owner alone when it belongs to
    none. GMs and its owner see all of it; players what is shared with them."""

    id: strawberry.ID = strawberry.field(description="Names it everywhere.")
    kind: MapKind = strawberry.field(description="What it is a map of.")
    name: str = strawberry.field(description="Its title, for people.")
    seed: str = strawberry.field(
        description="The same seed, parameters and generator version give the same map. Empty where it would "
        "tell you what is secret."
    )
    generator_version: int = strawberry.field(
        description="Of what made it; 0 for a map that was brought along."
    )
    attempts: int = strawberry.field(description="How many attempts it took to pass every gate.")
    whole: bool = strawberry.field(description="Whether you see what only game masters know as well.")
    sharing: FogMode = strawberry.field(
        description="What the players of its campaign see of it.", graphql_type=mirror(FogMode)
    )
    created_at: datetime = strawberry.field(description="When it was made or brought along.")
    owner: Account | None = strawberry.field(description="Who asked for it.")
    campaign: "Campaign | None" = strawberry.field(description="Whose table it belongs to, if any.")
    scene: Scene | None = strawberry.field(
        description="The scene that leads it: its game moves the pieces and lets the map grow. Null once it "
        "is over, and on other maps."
    )
    look: strawberry.Private[Look]

    @strawberry.field(
        description="When it was edited last, by people or by a scene that leads it; when it was made, "
        "before that. Null for who does not see all of it: it would tell them that something hidden was "
        "changed."
    )
    async def updated_at(self, info: MapInfo) -> datetime | None:
        """Return the moment of the last edit."""
        if not self.look.whole:
            return None
        return await loaders.edited_at(info).load((str(self.id), self.look.row.version)) or self.created_at

    @strawberry.field(description="The files that were stored when it was made, for who sees all of it.")
    async def files(self, info: MapInfo) -> list[MapFile]:
        """Give the files, by name."""
        if not self.look.unveiled:
            return []
        rows = await loaders.files(info).load(str(self.id))
        return [MapFile.of(row, info.context.service.public_url) for row in rows or ()]

    # What kinds of maps show of their own.
    locals().update(fields_of_maps())

    @strawberry.field(
        description="The map itself, as its kind has it; null only where an error tells why.",
        graphql_type=content_type() | None,
    )
    async def content(self, info: MapInfo) -> Any:
        """Show the map as the viewer may know it."""
        own = graphs()[self.look.row.kind].content
        return await self._cells(info) if own is None else await own.show(info, self.look)

    @strawberry.field(
        description="The map itself, when it is one on the five-foot grid.",
        graphql_type=GridType | None,
        deprecation_reason=CONTENT_INSTEAD,
    )
    async def grid(self, info: MapInfo) -> GridView | None:
        """Show a map on the grid alone."""
        return await self._cells(info) if KINDS[self.look.row.kind].cells else None

    async def _cells(self, info: MapInfo) -> GridView:
        """Show the grid map as the viewer may know it, with doors and lights as they are now."""
        model = await info.context.service.charging.model(info.context.viewer, self.look)
        milliseconds = weighing.grid(self.look.drawn, _asked_for(info))
        return await info.context.service.charging.run(
            info.context.viewer, milliseconds, lambda: grid_view(model, self.look.state.extent)
        )

    @strawberry.field(description="Its ground, to ask ways and sight of, when it is on the five-foot grid.")
    def ground(self) -> MapGround | None:
        """Give what answers questions."""
        return MapGround(look=self.look) if KINDS[self.look.row.kind].cells else None

    @strawberry.field(description="The pictures and exports there are of it, made when they are asked for.")
    def outputs(self, info: MapInfo) -> list[MapOutput]:
        """Give their addresses."""
        folder = f"{info.context.service.public_url}/v1/maps/{self.id}"
        return [
            MapOutput(
                format=MapFormat(name),
                name=file_name(name),
                url=f"{folder}/{file_name(name)}",
                content_type=form.content_type,
                look=self.look,
            )
            for name, form in FORMATS.items()
            if self.look.row.kind in form.kinds
        ]

    @strawberry.field(
        description="What lies on it at the table, as far as you may know.", graphql_type=MapPlay
    )
    async def play(self, info: MapInfo) -> MapState:
        """Show the state of play."""
        return await info.context.service.charging.state(info.context.viewer, self.look)

    @strawberry.field(
        description="The version of what you see of it: it changes exactly when that does. Edits may name it."
    )
    async def revision(self, info: MapInfo) -> str:
        """Give the viewer's own version."""
        return await info.context.service.charging.revision(info.context.viewer, self.look)

    @strawberry.field(
        description="Stands for what you see of it now: follow it with `mapChanges` after this."
    )
    async def cursor(self, info: MapInfo) -> str:
        """Return the revision as a cursor."""
        return encode_cursor(await info.context.service.charging.revision(info.context.viewer, self.look))

    @strawberry.field(
        description="The checks that it has passed, for who sees all of it. The gate `file` of a map that "
        "was brought along tells what of the file was left out or read as usual, by its path in the file."
    )
    def gates(self) -> list[MapGate]:
        """Give the gate report."""
        if not self.look.unveiled:
            return []
        return [
            MapGate(name=name, passed=not faults, faults=faults)
            for name, faults in orjson.loads(self.look.row.gates)
        ]

    @strawberry.field(description="What was done to it, newest first; null for who is not its game master.")
    async def edits(
        self, info: MapInfo, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Annotated["MapEditEntry", strawberry.lazy(__name__)]] | None:
        """Give a page of its log."""
        page = await info.context.service.table.edits(
            info.context.viewer,
            str(self.id),
            first=page_size(first),
            after=None if after is None else number_of_cursor(after),
        )
        return None if page is None else connect(page, lambda row: f"#{row.version}", MapEditEntry.of)

    @strawberry.field(description="What its gates measured, for who sees all of it.")
    def figures(self) -> list[MapFigure]:
        """Give the figures."""
        if not self.look.unveiled:
            return []
        return [MapFigure(name=name, value=value) for name, value in orjson.loads(self.look.row.figures)]

    @strawberry.field(description=METADATA, graphql_type=list[MetadataType])
    async def metadata(self, info: MapInfo, namespace: Namespace = None) -> list[Metadata]:
        """Return the bags."""
        return await metadata_beside(info, info.context.service.metadata.bags, self.id, namespace)

    @strawberry.field(description="What apps keep beside the tokens on it that you see, where there is any.")
    async def token_metadata(self, info: MapInfo, namespace: Namespace = None) -> list[TokenMetadata]:
        """Return the bags of each token."""
        state = await info.context.service.charging.state(info.context.viewer, self.look)
        bags, tokens = info.context.service.metadata.bags, [token.id for token in state.tokens]
        beside = (metadata_beside(info, bags, self.id, namespace, token) for token in tokens)
        found = zip(tokens, await asyncio.gather(*beside), strict=True)
        return [TokenMetadata(token=strawberry.ID(key), metadata=kept) for key, kept in found if kept]

    @classmethod
    async def resolve_reference(cls, info: MapInfo, id: strawberry.ID) -> "Map | None":
        """Find the map again for another subgraph, with the viewer's rights checked again."""
        look = await loaders.maps(info).load(str(id))
        return None if look is None else cls.of(look)

    @classmethod
    def of(cls, look: Look) -> "Map":
        """Show a map."""
        row = look.row
        return cls(
            id=strawberry.ID(row.id),
            kind=MapKind(row.kind),
            name=row.name,
            seed=look.seed,
            generator_version=row.generator_version,
            attempts=row.attempts,
            whole=look.whole,
            sharing=FogMode(row.sharing),
            created_at=row.created_at,
            owner=Account(id=strawberry.ID(row.owner)),
            campaign=Campaign(id=strawberry.ID(row.campaign)) if row.campaign else None,
            scene=Scene(id=strawberry.ID(row.scene)) if row.scene else None,
            look=look,
        )


def _asked_for(info: MapInfo) -> set[str]:
    """Names the fields of a grid map that are asked for beneath the one that is answered."""
    names: set[str] = set()
    waiting = [one for field in info.selected_fields for one in field.selections]
    while waiting:
        one = waiting.pop()
        if isinstance(one, SelectedField):
            names.add(one.name)
        elif one.type_condition in (None, GRID, UNION):
            waiting += one.selections
    return names


async def page_of_maps(
    info: MapInfo, campaign: str | None, first: int, after: str | None
) -> Connection[Map] | None:
    """Give a page of a campaign's maps, or of the viewer's own; None for who is no member."""
    page = await info.context.service.maps.page(
        info.context.viewer,
        campaign,
        first=page_size(first),
        after=decode_cursor(after, "map") if after is not None else None,
    )
    return None if page is None else connect(page, lambda look: look.row.id, Map.of)


@federated_type(keys=["id"], description="A group that plays together.")
class Campaign:
    """A campaign; the campaign service knows the rest."""

    id: strawberry.ID = strawberry.field(description="The campaign's.")

    @strawberry.field(description="The maps of the campaign, newest first; null for who is no member.")
    async def maps(
        self, info: MapInfo, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Map] | None:
        """Give a page of the campaign's maps."""
        return await page_of_maps(info, str(self.id), first, after)

    @classmethod
    def resolve_reference(cls, id: strawberry.ID) -> "Campaign":
        """Stand for the campaign; what it shows here is checked where it is read."""
        return cls(id=id)


@strawberry.type(description="A kind of map that can be made.")
class MapKindInfo:
    """What it is made from, and as what it can be given out."""

    kind: MapKind = strawberry.field(description="The kind.")
    generator_version: int = strawberry.field(
        description="Raised whenever the same seed and parameters would give another map."
    )
    secretive: bool = strawberry.field(
        description="Whether its maps hold what players must not know; then their seed is secret too."
    )
    formats: list[MapFormat] = strawberry.field(description="What its maps can be given out as.")
    parameters: JSON = strawberry.field(
        description="JSON Schema of its field of `MapWishInput`, with ranges and defaults."
    )

    @classmethod
    def of(cls, slug: str) -> "MapKindInfo":
        """Show a kind."""
        kind = GENERATORS[slug]
        return cls(
            kind=MapKind(slug),
            generator_version=kind.generator_version,
            secretive=kind.secretive,
            formats=[MapFormat(name) for name, form in FORMATS.items() if slug in form.kinds],
            parameters=JSON(described_parameters(slug)),
        )


@strawberry.type(description="Something that was done to a map.")
class MapEditEntry:
    """Shown to its game masters."""

    number: int = strawberry.field(description="Name it to take it back.")
    sort: str = strawberry.field(description="What it was: `put_token`, `undo`, `scene`, ...")
    account: Account | None = strawberry.field(description="Who did it; null for what a game did.")
    scene: Scene | None = strawberry.field(
        description="The scene whose game did it, if one did. It is taken back there, never here."
    )
    undoes: int | None = strawberry.field(description="The number of the edit that it took back, if any.")
    undone: bool = strawberry.field(description="Whether it was taken back.")
    changes: JSON = strawberry.field(
        description="What it changed, in order: `section`, `id`, and the thing `before` and `after`."
    )
    made_at: datetime = strawberry.field(description="When it was done.")

    @classmethod
    def of(cls, row: models.MapEdit) -> "MapEditEntry":
        """Show an edit."""
        return cls(
            number=row.version,
            sort=row.sort,
            account=Account(id=strawberry.ID(row.account)) if row.account else None,
            scene=Scene(id=strawberry.ID(row.scene)) if row.scene else None,
            undoes=row.undoes,
            undone=row.undone,
            changes=JSON(orjson.loads(row.changes)),
            made_at=row.made_at,
        )


@strawberry.type(description="Why a job did not succeed, or what stopped its latest attempt.")
class JobError:
    """A stable code for programs, a sentence for people."""

    code: str = strawberry.field(description="Stable, for programs.")
    message: str = strawberry.field(description="A sentence for people.")


@strawberry.type(description="Long work that was asked for.")
class Job:
    """Seen by the members of its campaign, or by its owner alone."""

    id: strawberry.ID = strawberry.field(description="Names it everywhere; a batch goes by that of its job.")
    kind: str = strawberry.field(description="For instance `maps.generate`.")
    state: JobState = strawberry.field(description="Where it stands.")
    progress: float = strawberry.field(description="0 to 1.")
    version: int = strawberry.field(description="Grows by one with each change.")
    attempt: int = strawberry.field(description="How often it was begun.")
    points: int = strawberry.field(
        description="What it was charged when it was ordered: a map from the points of requests, a batch "
        "from those of background work."
    )
    error: JobError | None = strawberry.field(
        description="Why it did not succeed, or what stopped its latest attempt; null for neither."
    )
    created_at: datetime = strawberry.field(description="When it was asked for.")
    ended_at: datetime | None = strawberry.field(description="When it ended, in whatever way.")
    cursor: str = strawberry.field(
        description="Stands for this change: follow the job with `jobProgress` after it."
    )
    made: strawberry.Private[str | None]

    @strawberry.field(description="The map that came of it.")
    async def map(self, info: MapInfo) -> Map | None:
        """Give the result."""
        look = await loaders.maps(info).load(self.made) if self.made else None
        return None if look is None else Map.of(look)

    @classmethod
    def of(cls, job: JobRecord) -> "Job":
        """Show a job."""
        return cls(
            id=strawberry.ID(job.id),
            kind=job.kind,
            state=job.state,
            progress=job.progress,
            version=job.version,
            attempt=job.attempt,
            points=job.points,
            error=JobError(code=job.error["code"], message=job.error["message"]) if job.error else None,
            created_at=job.created_at,
            ended_at=job.ended_at,
            cursor=cursor_of_number(job.version),
            made=job.result.get("map") if job.result else None,
        )
