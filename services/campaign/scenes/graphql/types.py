"""The types of scenes."""

import enum
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import strawberry
from strawberry.federation import type as federated_type
from strawberry.scalars import JSON

from services.campaign.context import CampaignInfo
from services.campaign.references import Account, Character, Map, Roll
from services.campaign.scenes.graphql import loaders
from services.campaign.scenes.graphql.systems import (
    Disposition,
    MoveField,
    Reasons,
    SceneCard,
    SceneEvent,
    SceneOutcome,
    SceneState,
)
from services.campaign.scenes.history import Thrown
from services.campaign.scenes.looks import START, Cursor, Look, Moment, SeenMove
from services.campaign.scenes.problem import MoveRejected
from services.rules.engine import play
from services.rules.engine.bots import Bot
from services.shared.graphql.pages import (
    After,
    Connection,
    Edge,
    First,
    connection,
)
from services.shared.graphql.problems import problem_type
from services.shared.graphql.scalars import ExactFraction
from services.shared.metadata.graphql import METADATA, MetadataType, Namespace, metadata_beside
from services.shared.metadata.requests import Metadata
from services.shared.pagination import DEFAULT_PAGE, page_size

if TYPE_CHECKING:
    from services.campaign.membership.graphql.types import Campaign


@strawberry.enum(description="What a row of a scene's log is.")
class SceneMoveKind(enum.Enum):
    """Rows are written once and never go away."""

    MOVE = strawberry.enum_value("move", description="A move.")
    UNDO = strawberry.enum_value("undo", description="A GM took back the last move that still stood.")
    VOID = strawberry.enum_value(
        "void", description="A move that came to nothing after its dice had fallen; only GMs see it."
    )


def _rounded(root: Any) -> float:
    return float(root.chance)


def _form(root: Any) -> JSON:
    return JSON(dict(root.move))


def _odds(root: Any) -> str | None:
    return root.odds or None


@strawberry.type(description="How likely something is that a player hopes for, or fears.")
class MoveChance:
    """Exact, as far as the actor can know."""

    id: strawberry.ID = strawberry.field(name="key", description="Stable within the move: `win`.")
    label: str = strawberry.field(description="What, in plain words, with what is assumed.")
    chance: ExactFraction = strawberry.field(description="Exactly, from 0 to 1.")
    value: float = strawberry.field(description="The same, rounded.", resolver=_rounded)


@strawberry.type(description="A move that may be made now, ready for a button.")
class LegalMove:
    """Send it back with ``performMove``, its fields filled in; shown as it comes from the rules."""

    id: strawberry.ID = strawberry.field(name="key", description="Stable within the list.")
    actor: str = strawberry.field(description="Who makes it.")
    label: str = strawberry.field(description="What the button says.")
    text: str = strawberry.field(description="What it does, in plain words.")
    rule: str = strawberry.field(description="Where the rule stands.")
    fields: list[MoveField] = strawberry.field(description="What is still to be decided.")
    group: str = strawberry.field(
        description="Key of the group that it is shown under: one of the `moveGroups` of `sceneRules`."
    )
    weight: int = strawberry.field(
        description="How far ahead of others it is shown, from 0 to 100, higher first; legal moves come in "
        "another order."
    )
    disposition: Disposition | None = strawberry.field(
        description="How those whom it names stand to its actor, where no field asks for them; null where it "
        "names nobody, or friends and foes."
    )
    cost: str = strawberry.field(description="What it costs, in the game's words; empty when it is free.")
    dice: Reasons | None = strawberry.field(description="Dice of its own roll, and why so many.")
    chances: list[MoveChance] = strawberry.field(description="How likely its results are.")
    move: JSON = strawberry.field(
        description="The move in the game's JSON form, whole but for the fields.", resolver=_form
    )
    odds: str | None = strawberry.field(description="That roll in the notation of `odds`.", resolver=_odds)


problem_type(MoveRejected, overrides={"legal": list[LegalMove]})


@strawberry.type(description="Dice of a move.")
class MoveRoll:
    """How they fell, and why there were so many."""

    label: str = strawberry.field(description="What for.")
    actor: str = strawberry.field(description="Who rolled.")
    notation: str = strawberry.field(description="The dice: `5d6`.")
    dice: Reasons = strawberry.field(description="How many, and why.")
    faces: list[int] = strawberry.field(description="In the order in which they fell.")
    secret: bool = strawberry.field(description="Whether others at the table know nothing of it.")
    odds: str | None = strawberry.field(description="The roll in the notation of `odds`.")
    roll: Roll | None = strawberry.field(
        description="The roll itself, with its receipt; null when you may not see it there."
    )

    @classmethod
    def of(cls, thrown: Thrown) -> "MoveRoll":
        """Show dice."""
        roll = thrown.roll
        return cls(
            label=roll.label,
            actor=roll.actor,
            notation=roll.notation,
            dice=roll.dice,
            faces=list(thrown.faces),
            secret=roll.audience != play.EVERYONE,
            odds=roll.odds or None,
            roll=None if thrown.id is None else Roll(id=strawberry.ID(thrown.id)),
        )


@strawberry.type(description="Something that was done in a scene, as you may know it.")
class SceneMove:
    """``seq`` counts 1, 2, 3, ... without gaps; what is hidden from others has no number."""

    cursor: str = strawberry.field(description="Names its place: ask for what comes after it with `after`.")
    seq: int | None = strawberry.field(description="Its number; null for a move that others know nothing of.")
    kind: SceneMoveKind = strawberry.field(description="What it is.")
    actor: str | None = strawberry.field(
        description="Who moved: an actor's id, or `gm`; null when you may not know."
    )
    account: Account | None = strawberry.field(description="Who sent it.")
    by_gm: bool = strawberry.field(description="Whether a GM did.")
    lapsed: bool = strawberry.field(
        description="Whether the table's clock made it, for one who did not answer in time."
    )
    undone: bool = strawberry.field(description="Whether it was taken back.")
    text: str = strawberry.field(description="What happened, in plain words.")
    sentences: list[str] = strawberry.field(description="The same, a sentence for each event.")
    rolls: list[MoveRoll] = strawberry.field(description="The dice that you may know of.")
    events: list[SceneEvent] = strawberry.field(description="What happened, as far as you may know.")
    move: JSON | None = strawberry.field(
        description="The move in the game's JSON form, for GMs and who sent it; of a secret answer, for GMs "
        "once all who were asked beside it have answered, and never in a secret ballot, or where it was "
        "taken back before."
    )
    created_at: datetime = strawberry.field(description="When it was made.")
    scene_id: strawberry.Private[str]

    @strawberry.field(description="The scene as it is now.")
    async def scene(self, info: CampaignInfo) -> Annotated["Scene", strawberry.lazy(__name__)] | None:
        """Return the scene."""
        look = await loaders.scenes(info).load(self.scene_id)
        return None if look is None else Scene.of(look)

    @classmethod
    def of(cls, move: SeenMove) -> "SceneMove":
        """Show a move."""
        return cls(
            cursor=move.cursor.text(),
            seq=move.seq,
            kind=SceneMoveKind(move.kind),
            actor=move.actor,
            account=Account(id=strawberry.ID(move.account)),
            by_gm=move.by_gm,
            lapsed=move.lapsed,
            undone=move.undone,
            text=" ".join(move.sentences),
            sentences=list(move.sentences),
            rolls=[MoveRoll.of(thrown) for thrown in move.rolls],
            events=list(move.events),
            move=None if move.form is None else JSON(move.form),
            created_at=move.created_at,
            scene_id=move.scene,
        )


@strawberry.type(description="A scene as it was at a moment of before.")
class SceneMoment:
    """Built anew from where the scene began and all that happened."""

    seq: int = strawberry.field(description="The number that had been reached.")
    state: SceneState | None = strawberry.field(
        description="Where it stood, as you may know it; null when this installation no longer has the game."
    )
    card: SceneCard | None = strawberry.field(description="What any client can draw of that.")
    faithful: bool = strawberry.field(
        description="Whether this is the very state that was kept then: its hash was compared."
    )
    state_hash: str | None = strawberry.field(
        description="SHA-256 of the whole state's JSON with sorted keys; for GMs, who may know all of it."
    )

    @classmethod
    def of(cls, moment: Moment) -> "SceneMoment":
        """Show a moment."""
        return cls(
            seq=moment.seq,
            state=moment.look.state,
            card=moment.look.card,
            faithful=moment.faithful,
            state_hash=moment.hash,
        )


@strawberry.type(description="A way of playing a game that may be asked for a move.")
class SceneBot:
    """What was measured of one version stays true of it."""

    id: strawberry.ID = strawberry.field(
        name="key", description="Stable within the game: `random`, `steady`, `strong`."
    )
    version: int = strawberry.field(description="Raised whenever it would play otherwise.")
    text: str = strawberry.field(description="How it plays, in plain words.")

    @classmethod
    def of(cls, bot: Bot) -> "SceneBot":
        """Show a bot."""
        return cls(id=strawberry.ID(bot.id), version=bot.version, text=bot.text)


@strawberry.type(description="Until when a question waits for its answer.")
class SceneDeadline:
    """After that the game's own answer for those who give none is made."""

    prompt: strawberry.ID = strawberry.field(description="Id of the question, one of the card's prompts.")
    at: datetime = strawberry.field(description="The last moment for it.")


@strawberry.type(description="A scene that may be begun from what a game keeps of the campaign.")
class SceneOpening:
    """Begin it with its name as the ``setupName`` of ``startScene``."""

    name: str = strawberry.field(description="Stable while it is on offer.")
    text: str = strawberry.field(description="What it is, in plain words.")


@strawberry.type(description="A content pack that a scene is played with.")
class ScenePack:
    """The scene keeps what the pack held when it began, whatever became of the pack."""

    id: strawberry.ID = strawberry.field(name="packId", description="Its id.")
    name: str = strawberry.field(description="What it was called then.")
    version: int = strawberry.field(description="Its version then, which the scene is played with.")


@federated_type(keys=["id"], description="One run of a game's rules at the table of a campaign.")
class Scene:
    """Seen by the campaign's members, each as far as they may know."""

    id: strawberry.ID = strawberry.field(description="Of the scene.")
    system: str = strawberry.field(description="Slug of the game system.")
    title: str = strawberry.field(description="What it is called.")
    seq: int = strawberry.field(
        description="How many moves there were that everybody may know of; name it when you move."
    )
    created_at: datetime = strawberry.field(description="When it began.")
    ended_at: datetime | None = strawberry.field(description="When it was over; null while it runs.")
    look: strawberry.Private[Look]

    @strawberry.field(description="At whose table.")
    async def campaign(
        self, info: CampaignInfo
    ) -> Annotated["Campaign", strawberry.lazy("services.campaign.membership.graphql.types")] | None:
        """Return the campaign."""
        from services.campaign.membership.graphql import loaders as membership
        from services.campaign.membership.graphql import types

        row = await membership.campaigns(info).load(self.look.row.campaign)
        return None if row is None else types.Campaign.of(row)

    @strawberry.field(
        description="The players' characters that take part; null in the place of one that cannot be read."
    )
    def characters(self) -> list[Character | None]:
        """Return the cast."""
        return [Character(id=strawberry.ID(each)) for each in self.look.row.cast]

    @strawberry.field(
        description="Where it stands, as you may know it; null when this installation no longer has the game."
    )
    async def state(self, info: CampaignInfo) -> SceneState | None:
        """Return the state in its system's own type."""
        await info.context.service.scenes.reader.afford(self.look, whole=True)
        found: SceneState | None = self.look.state
        return found

    @strawberry.field(description="What any client can draw of that.")
    async def card(self, info: CampaignInfo) -> SceneCard | None:
        """Return the card."""
        await info.context.service.scenes.reader.afford(self.look)
        return self.look.card

    @strawberry.field(description=METADATA, graphql_type=list[MetadataType])
    async def metadata(self, info: CampaignInfo, namespace: Namespace = None) -> list[Metadata]:
        """Return the bags."""
        return await metadata_beside(info, info.context.service.metadata.bags, self.id, namespace)

    @strawberry.field(description="Whether it is over, and how.")
    def outcome(self) -> SceneOutcome:
        """Return the outcome."""
        return self.look.outcome

    @strawberry.field(description="The actors that you may move.")
    def my_actors(self) -> list[str]:
        """Return the viewer's actors."""
        return self.look.actors

    @strawberry.field(
        graphql_type=list[LegalMove],
        description="What an actor of yours may do now; without `actor`, all of them.",
    )
    async def legal_moves(
        self,
        info: CampaignInfo,
        actor: Annotated[
            str | None, strawberry.argument(description="Id of an actor; all of yours when omitted.")
        ] = None,
    ) -> Sequence[play.LegalMove]:
        """Return the legal moves."""
        return await info.context.service.scenes.reader.legal(self.look, actor)

    @strawberry.field(description="Until when questions wait that have a limit, the first to end first.")
    def deadlines(self) -> list[SceneDeadline]:
        """Return the deadlines."""
        found = sorted(self.look.deadlines.items(), key=lambda each: (each[1], each[0]))
        return [SceneDeadline(prompt=strawberry.ID(prompt), at=at) for prompt, at in found]

    @strawberry.field(description="The bots that `playBot` can ask for a move, the weakest first.")
    def bots(self) -> list[SceneBot]:
        """Return the bots of the game."""
        return [SceneBot.of(bot) for bot in self.look.bots]

    @strawberry.field(
        description="The content packs that it is played with, in order, as they were when it began; none "
        "for the book alone."
    )
    def packs(self) -> list[ScenePack]:
        """Return the packs."""
        return [
            ScenePack(id=strawberry.ID(each["id"]), name=each["name"], version=each["version"])
            for each in self.look.row.packs
        ]

    @strawberry.field(
        description="Where its picture lies, as SVG and as you may know it; null where its game is "
        "not known here."
    )
    def board_url(self, info: CampaignInfo) -> str | None:
        """Return the address of the picture."""
        return info.context.service.scenes.board_url(self.id) if self.look.pictured else None

    @strawberry.field(
        description="The scenes that you may begin from here, as a GM, where this is what a game keeps of "
        "the campaign; none elsewhere."
    )
    def openings(self) -> list[SceneOpening]:
        """Return the openings."""
        return [SceneOpening(name=name, text=order.text) for name, order in self.look.openings.items()]

    @strawberry.field(
        description="What the game keeps of the campaign, where this scene was begun from that: it hears "
        "what happens here."
    )
    async def begun_from(self, info: CampaignInfo) -> Annotated["Scene", strawberry.lazy(__name__)] | None:
        """Return the campaign's own scene."""
        begun_from = self.look.row.begun_from
        look = None if begun_from is None else await loaders.scenes(info).load(begun_from)
        return None if look is None else Scene.of(look)

    @strawberry.field(
        description="The stored map that it was set on, if any; its parts are null when you may not see it."
    )
    def map(self) -> Map | None:
        """Return the map."""
        return None if self.look.row.map is None else Map(id=strawberry.ID(self.look.row.map))

    @strawberry.field(description="Names the place behind the last move that you may know of.")
    async def cursor(self, info: CampaignInfo) -> str:
        """Return the cursor to follow the scene from."""
        return (await info.context.service.scenes.reader.newest(self.look)).text()

    @strawberry.field(description="What was done, oldest first unless asked otherwise, as you may know it.")
    async def moves(
        self,
        info: CampaignInfo,
        first: First = DEFAULT_PAGE,
        after: After = None,
        newest_first: Annotated[
            bool, strawberry.argument(description="Whether what was done last comes first.")
        ] = False,
    ) -> Connection[SceneMove]:
        """Return a page of the moves."""
        size = page_size(first)
        viewer, reader = info.context.viewer, info.context.service.scenes.reader
        if newest_first:
            before = None if after is None else read_cursor(after)
            found = await reader.newest_moves(viewer, self.id, before=before, limit=size + 1)
        else:
            found = await reader.moves(viewer, self.id, after=read_cursor(after), limit=size + 1)
        nodes = [SceneMove.of(move) for move in found[:size]]
        edges = [Edge(cursor=node.cursor, node=node) for node in nodes]
        return connection(edges, has_next=len(found) > size, has_previous=after is not None)

    @strawberry.field(
        description="The scene as it was when number `seq` had been reached, 0 for its beginning; null for a "
        "number that was never reached."
    )
    async def at(
        self,
        info: CampaignInfo,
        seq: Annotated[int, strawberry.argument(description="A number of the scene's public moves.")],
    ) -> SceneMoment | None:
        """Return a moment of before."""
        moment = await info.context.service.scenes.reader.at(self.look, seq)
        return None if moment is None else SceneMoment.of(moment)

    @classmethod
    async def resolve_reference(cls, info: CampaignInfo, id: strawberry.ID) -> "Scene | None":
        """Find the scene again for another subgraph, with the viewer's rights checked again."""
        look = await loaders.scenes(info).load(str(id))
        return None if look is None else cls.of(look)

    @classmethod
    def of(cls, look: Look) -> "Scene":
        """Show a scene."""
        row = look.row
        return cls(
            id=strawberry.ID(row.id),
            system=row.system,
            title=row.title,
            seq=row.seq,
            created_at=row.created_at,
            ended_at=row.ended_at,
            look=look,
        )


def read_cursor(text: str | None) -> Cursor:
    """Read the cursor of a move.

    Raises:
        PublicError: ``BAD_CURSOR`` when it is none.
    """
    return START if text is None else Cursor.of(text)
