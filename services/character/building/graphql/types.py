"""The types of the character service."""

from datetime import datetime

import strawberry
from strawberry.federation import type as federated_type

from services.character.building.graphql import loaders
from services.character.building.models import CharacterRow
from services.character.building.sheets import Changes, version_of
from services.character.context import CharacterInfo
from services.character.history.scene_changes import SceneChange
from services.character.history.types import CharacterHistoryLine, lines
from services.character.packs.editions import refs_of
from services.character.packs.graphql.references import Account, Campaign, Scene
from services.character.packs.graphql.systems import Card, Choices, Sheet
from services.character.packs.graphql.types import CharacterPack
from services.character.portraits.graphql import CharacterPortrait
from services.character.rewards.types import CharacterReward, RewardOffer
from services.character.tracks.types import (
    CharacterTrack,
    RestActionOffer,
    RestOffer,
    character_tracks,
    game_rests,
)
from services.shared.graphql.pages import After, Connection, First
from services.shared.metadata.graphql import METADATA, MetadataType, Namespace, metadata_beside
from services.shared.metadata.requests import Metadata
from services.shared.pagination import DEFAULT_PAGE, number_of_cursor, page_size


@strawberry.type(description="What a scene has changed about a character that is not its own yet.")
class CharacterSceneChange:
    """It becomes the character's own when the scene is over, and older ones that it builds upon are."""

    scene: Scene | None = strawberry.field(
        description="Where it happens; null when it cannot be read, or is not yours to see."
    )
    text: str = strawberry.field(description="All of it so far, in plain words.")

    @classmethod
    def of(cls, change: SceneChange) -> "CharacterSceneChange":
        """Show a change."""
        return cls(scene=Scene.of(change.scene), text=change.text)


@federated_type(
    keys=["id"], description="A character: what its player chose, and what the rules make of that."
)
class Character:
    """Seen by its owner, and by everyone at the table where it sits."""

    id: strawberry.ID = strawberry.field(description="Its id: `chr_...`.")
    name: str = strawberry.field(description="What it is called.")
    system: str = strawberry.field(description="Slug of the game system.")
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")
    owner: Account | None = strawberry.field(description="Whose it is.")
    created_at: datetime = strawberry.field(description="When it was made.")
    updated_at: datetime = strawberry.field(description="When it was edited last.")
    row: strawberry.Private[CharacterRow]

    @strawberry.field(
        description="At whose table it sits; null where it sits at none, or that cannot be read just now."
    )
    async def campaign(self, info: CharacterInfo) -> Campaign | None:
        """Return the campaign."""
        found = await loaders.campaigns(info).load(self.row.id)
        return None if found is None else Campaign.of(found)

    @strawberry.field(description="Its picture; null where it has none.")
    def portrait(self) -> CharacterPortrait | None:
        """Return the portrait."""
        return CharacterPortrait.of(self.row)

    @strawberry.field(
        description="The sheet as it is just now: with what running scenes have changed so far, as you may "
        "know it. Null when this installation no longer has the game."
    )
    async def sheet(self, info: CharacterInfo) -> Sheet | None:
        """Give the sheet in its system's own type."""
        found: Sheet | None = await info.context.service.sheets.sheet(
            info.context.viewer, self.row, await self._changes(info)
        )
        return found

    @strawberry.field(
        description="Changes whenever the sheet does: with each edit, and with each move of a running scene "
        "that changes it."
    )
    async def sheet_version(self, info: CharacterInfo) -> str:
        """Tell this sheet from others of the same character."""
        return version_of(self.row, await self._changes(info))

    @strawberry.field(
        description="What running scenes have changed so far, in the order in which they began: sheet and "
        "card have it already, the choices when the scene is over."
    )
    async def scene_changes(self, info: CharacterInfo) -> list[CharacterSceneChange]:
        """List the changes."""
        return [CharacterSceneChange.of(change) for change in await self._changes(info)]

    async def _changes(self, info: CharacterInfo) -> Changes:
        return await loaders.scene_changes(info).load((self.row.id, self.row.owner)) or ()

    @strawberry.field(
        description="What its player chose; null when this installation no longer has the game."
    )
    def choices(self, info: CharacterInfo) -> Choices | None:
        """Give the choices in their system's own type."""
        found: Choices | None = info.context.service.characters.choices(self.row)
        return found

    @strawberry.field(
        description="The character on paper, as its sheet is just now; null when its game prints no cards or "
        "is not installed any more."
    )
    async def card(self, info: CharacterInfo) -> Card | None:
        """Give the card in its system's own type."""
        found: Card | None = await info.context.service.sheets.card(
            info.context.viewer, self.row, await self._changes(info)
        )
        return found

    @strawberry.field(
        description="Where those of its tracks stand just now that move outside scenes too; none where the "
        "game has none, or the sheet cannot be read."
    )
    async def tracks(self, info: CharacterInfo) -> list[CharacterTrack]:
        """List the tracks, in the order of the game."""
        service = info.context.service
        tracks = service.tracks.of(self.row)
        if tracks is None or not tracks.kinds:
            return []
        sheet = await service.sheets.sheet(info.context.viewer, self.row, await self._changes(info))
        return [] if sheet is None else character_tracks(tracks, tracks.states(sheet))

    @strawberry.field(description="The rests that it can take outside scenes, the slightest first.")
    async def rests(self, info: CharacterInfo) -> list[RestOffer]:
        """List the rests, each with what the character can do at it."""
        service = info.context.service
        tracks = service.tracks.of(self.row)
        if tracks is None or not tracks.rests:
            return []
        actions = await service.tracks.rest_actions(info.context.viewer, self.row)
        return [
            RestOffer(rest=rest, actions=[RestActionOffer.of(each) for each in actions.get(rest.key, ())])
            for rest in game_rests(tracks)
        ]

    @strawberry.field(description="What it gained between sessions, in the order it was proposed.")
    async def rewards(self, info: CharacterInfo) -> list[CharacterReward]:
        """List the rewards, waiting ones too."""
        lines = await info.context.service.rewards.rewards(info.context.viewer, self.row)
        return [CharacterReward.of(line) for line in lines]

    @strawberry.field(description="What its player could propose next.")
    async def reward_offers(self, info: CharacterInfo) -> list[RewardOffer]:
        """List the rewards that the rules allow next."""
        found = await info.context.service.rewards.offers(info.context.viewer, self.row)
        return [RewardOffer.of(line) for line in found]

    @strawberry.field(description="The content packs that it is built under, in order.")
    def packs(self) -> list[CharacterPack]:
        """List the packs."""
        return [CharacterPack.of(ref) for ref in refs_of(self.row)]

    @strawberry.field(
        description="What became of it, newest first; seen by its owner and by a GM of the table where it "
        "sits, null for everybody else. The last 200 versions are kept."
    )
    async def history(
        self, info: CharacterInfo, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[CharacterHistoryLine] | None:
        """Give a page of the history."""
        page = await info.context.service.history.page(
            info.context.viewer,
            self.row,
            first=page_size(first),
            below=number_of_cursor(after) if after is not None else None,
        )
        return None if page is None else lines(page)

    @strawberry.field(description=METADATA, graphql_type=list[MetadataType])
    async def metadata(self, info: CharacterInfo, namespace: Namespace = None) -> list[Metadata]:
        """Return the bags."""
        return await metadata_beside(info, info.context.service.metadata.bags, self.id, namespace)

    @classmethod
    async def resolve_reference(cls, info: CharacterInfo, id: strawberry.ID) -> "Character | None":
        """Find the character again for another subgraph, with the viewer's rights checked again."""
        row = await loaders.characters(info).load(str(id))
        return None if row is None else cls.of(row)

    @classmethod
    def of(cls, row: CharacterRow) -> "Character":
        """Show a row."""
        return cls(
            id=strawberry.ID(row.id),
            name=row.name,
            system=row.system,
            version=row.version,
            owner=Account.of(row.owner),
            created_at=row.created_at,
            updated_at=row.updated_at,
            row=row,
        )


@strawberry.type(description="Here is the character as it is now.")
class CharacterSaved:
    """The answer of what makes or changes a character."""

    character: Character = strawberry.field(description="The character.")

    @classmethod
    def of(cls, row: CharacterRow) -> "CharacterSaved":
        """Show a character that was kept."""
        return cls(character=Character.of(row))
