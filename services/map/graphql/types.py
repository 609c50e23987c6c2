"""The types of the map service."""

from datetime import datetime
from enum import Enum

import orjson
import strawberry
from strawberry.federation import type as federated_type

from services.map import models
from services.map.generation.realm_model import Corner
from services.map.graphql import loaders
from services.map.graphql.context import MapInfo
from services.map.realm_view import ForgebornRealm, realm_view
from services.map.wishes import Die, PlaceName, RealmWish
from services.rules.systems.forgeborn import LinkKind, PlaceKind
from services.shared.graphql.schema import REFERENCE
from services.shared.jobs import Job as JobRecord
from services.shared.jobs import JobState
from services.shared.mirror import mirror, mirror_input
from services.shared.pagination import DEFAULT_PAGE, Connection, connect, decode_cursor, page_size

# Named after their game where they are mirrored first: other games have places and dice of their own.
mirror(PlaceKind, name="ForgebornPlaceKind")
mirror(LinkKind, name="ForgebornLinkKind")
mirror(Corner, name="SheetCorner")
mirror_input(Die, name="ForgebornDieInput")
mirror_input(PlaceName, name="ForgebornPlaceNameInput")
ForgebornRealmInput = mirror_input(RealmWish, name="ForgebornRealmInput")
ForgebornRealmType = mirror(ForgebornRealm)

mirror(JobState)


@strawberry.enum(description="What a map is a map of.")
class MapKind(Enum):
    """The kinds of maps that can be made."""

    FORGEBORN_REALM = "forgeborn_realm"


@federated_type(keys=[REFERENCE])
class Account:
    """Somebody who plays; the account service knows the rest."""

    id: strawberry.ID


@strawberry.type(description="A file of a map; its address never changes, nor does its content.")
class MapFile:
    """Get it with your API key, like everything else under ``/v1``."""

    name: str = strawberry.field(description="For instance `map.svg`.")
    url: str
    content_type: str
    bytes: int
    sha256: str = strawberry.field(description="Of the content, in hexadecimal digits.")

    @classmethod
    def of(cls, row: models.MapFile, public_url: str) -> "MapFile":
        """Show a row."""
        return cls(
            name=row.name,
            url=f"{public_url}/v1/maps/{row.map}/{row.name}",
            content_type=row.content_type,
            bytes=row.bytes,
            sha256=row.sha256,
        )


@strawberry.type(description="A check that every map must pass, made without the code that made the map.")
class MapGate:
    """One gate."""

    name: str
    passed: bool
    faults: list[str]


@federated_type(keys=["id"], description="A finished map; it never changes.")
class Map:
    """Seen by the members of its campaign, or by its owner alone when it belongs to none."""

    id: strawberry.ID
    kind: MapKind
    name: str
    seed: str = strawberry.field(
        description="The same seed, parameters and generator version give the same map."
    )
    generator_version: int
    attempts: int = strawberry.field(description="How many drops it took to pass every gate.")
    created_at: datetime
    owner: Account | None = strawberry.field(description="Who asked for it.")
    campaign: "Campaign | None" = strawberry.field(description="Whose table it belongs to, if any.")
    row: strawberry.Private[models.MapRow]

    @strawberry.field(description="Its files.")
    async def files(self, info: MapInfo) -> list[MapFile]:
        """Give the files, by name."""
        rows = await loaders.files(info).load(str(self.id))
        return [MapFile.of(row, info.context.service.public_url) for row in rows or ()]

    @strawberry.field(
        description="The realm itself, when it is a map of one.", graphql_type=ForgebornRealmType | None
    )
    def realm(self) -> ForgebornRealm | None:
        """Read the realm out of the stored model."""
        return realm_view(orjson.loads(self.row.model)) if self.kind is MapKind.FORGEBORN_REALM else None

    @strawberry.field(description="The checks that it has passed.")
    def gates(self) -> list[MapGate]:
        """Give the gate report."""
        return [
            MapGate(name=name, passed=not faults, faults=faults)
            for name, faults in orjson.loads(self.row.gates)
        ]

    @classmethod
    async def resolve_reference(cls, info: MapInfo, id: strawberry.ID) -> "Map | None":
        """Find the map again for another subgraph, with the viewer's rights checked again."""
        row = await loaders.maps(info).load(str(id))
        return None if row is None else cls.of(row)

    @classmethod
    def of(cls, row: models.MapRow) -> "Map":
        """Show a row."""
        return cls(
            id=strawberry.ID(row.id),
            kind=MapKind(row.kind),
            name=row.name,
            seed=row.seed,
            generator_version=row.generator_version,
            attempts=row.attempts,
            created_at=row.created_at,
            owner=Account(id=strawberry.ID(row.owner)),
            campaign=Campaign(id=strawberry.ID(row.campaign)) if row.campaign else None,
            row=row,
        )


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
    return None if page is None else connect(page, lambda row: row.id, Map.of)


@federated_type(keys=["id"])
class Campaign:
    """A campaign; the campaign service knows the rest."""

    id: strawberry.ID

    @strawberry.field(description="The maps of the campaign, newest first; null for who is no member.")
    async def maps(
        self, info: MapInfo, first: int = DEFAULT_PAGE, after: str | None = None
    ) -> Connection[Map] | None:
        """Give a page of the campaign's maps."""
        return await page_of_maps(info, str(self.id), first, after)

    @classmethod
    def resolve_reference(cls, id: strawberry.ID) -> "Campaign":
        """Stand for the campaign; what it shows here is checked where it is read."""
        return cls(id=id)


@strawberry.type(description="Why a job did not succeed, or what stopped its latest attempt.")
class JobError:
    """A stable code for programs, a sentence for people."""

    code: str
    message: str


@strawberry.type(description="Long work that was asked for.")
class Job:
    """``version`` grows by one with each change: resume a subscription after the last one you have."""

    id: strawberry.ID
    kind: str = strawberry.field(description="For instance `maps.generate`.")
    state: JobState
    progress: float = strawberry.field(description="0 to 1.")
    version: int
    attempt: int = strawberry.field(description="How often it was begun.")
    error: JobError | None
    created_at: datetime
    ended_at: datetime | None
    made: strawberry.Private[str | None]

    @strawberry.field(description="The map that came of it.")
    async def map(self, info: MapInfo) -> Map | None:
        """Give the result."""
        row = await loaders.maps(info).load(self.made) if self.made else None
        return None if row is None else Map.of(row)

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
            error=JobError(code=job.error["code"], message=job.error["message"]) if job.error else None,
            created_at=job.created_at,
            ended_at=job.ended_at,
            made=job.result["map"] if job.result else None,
        )
