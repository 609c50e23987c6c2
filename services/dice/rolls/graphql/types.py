"""The types of rolls."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

import strawberry
from strawberry.federation import type as federated_type
from strawberry.types.nodes import SelectedField, Selection

from services.dice.chain.graphql import VerifiedRollType
from services.dice.context import DiceInfo
from services.dice.odds.graphql import RollOdds
from services.dice.rolls import pricing
from services.dice.rolls.graphql import loaders
from services.dice.rolls.replay import Recorded
from services.dice.rolls.repository import Narrowed
from services.dice.rolls.requests import ExternalMessage
from services.dice.rolls.transcript import TranscriptNode, TranscriptTerm
from services.rules.dice.die import Die
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.graphql.scalars import ExactFraction
from services.shared.graphql.schema import REFERENCE
from services.shared.limits.meter import points_beyond
from services.shared.metadata.graphql import METADATA, MetadataType, Namespace, metadata_beside
from services.shared.metadata.requests import Metadata
from services.shared.mirror import mirror
from services.shared.pagination import DEFAULT_PAGE, cursor_of_number, decode_cursor, page_size

MANY_DICE = 50
"""A roll of more dice takes milliseconds to be told: others have their turn after each."""

DieType = mirror(Die)
ExternalMessageType = mirror(ExternalMessage)


@federated_type(keys=[REFERENCE], description="A player's account.")
class Account:
    """The account service knows the rest."""

    id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.type(description="One term of a roll: its dice, and what it adds.")
class RollTerm:
    """A term of the sum at the top."""

    notation: str = strawberry.field(description="As it was asked for, without its sign: `4d6kh3`.")
    dice: list[DieType] = strawberry.field(description="As they lie; empty for a plain number.")  # type: ignore[valid-type]
    dice_left_out: int = strawberry.field(
        description="How many further dice there are: of one roll 1,000 are listed, and all faces are in its "
        "receipt."
    )
    subtotal: int = strawberry.field(
        description="What it adds to the total; negative where it is taken away. Rounded down where it is no "
        "whole number."
    )

    @classmethod
    def of(cls, term: TranscriptTerm) -> "RollTerm":
        """Show a term."""
        return cls(
            notation=term.notation,
            dice=list(term.dice),
            dice_left_out=term.left_out,
            subtotal=term.subtotal,
        )


@strawberry.type(description="One node of a roll's tree.")
class RollNode:
    """Trees of any depth, as a list: parts stand behind their whole."""

    index: int = strawberry.field(description="Its place in the list; the whole roll is 0.")
    parent: int | None = strawberry.field(description="Index of the node it is a part of.")
    notation: str = strawberry.field(description="As it was asked for.")
    value: ExactFraction = strawberry.field(description="What it came to, exactly.")
    kept: bool = strawberry.field(description="Whether it counts; members of a group may be dropped.")
    dice: list[DieType] = strawberry.field(description="Its own dice, without those of its parts.")  # type: ignore[valid-type]
    dice_left_out: int = strawberry.field(
        description="How many further dice there are: of one roll 1,000 are listed."
    )

    @classmethod
    def tree(cls, nodes: Sequence[TranscriptNode]) -> list["RollNode"]:
        """Show a whole tree."""
        return [
            cls(
                index=index,
                parent=node.parent,
                notation=node.notation,
                value=ExactFraction(node.value),
                kept=node.kept,
                dice=list(node.dice),
                dice_left_out=node.left_out,
            )
            for index, node in enumerate(nodes)
        ]


@federated_type(keys=["id"], description="A roll of dice; kept for ever, never changed.")
class Roll:
    """Seen by everyone at the table where it was made, by its GMs alone while it is secret; a roll outside of
    any campaign by its maker."""

    id: strawberry.ID = strawberry.field(description="Its id; ids sort by the moment of the roll.")
    seq: int = strawberry.field(
        description="Counts 1, 2, 3, ... at this table. Secret rolls have numbers of their own, and get one "
        "among the open rolls when they are revealed."
    )
    cursor: str = strawberry.field(
        description="Where it stands among the open rolls of its place, or the secret ones where it is told "
        "as one of them: `rollRecorded(after:)` goes on behind it."
    )
    expression: str = strawberry.field(
        description="What was rolled, in our own dice notation, with all variables filled in."
    )
    label: str | None = strawberry.field(description="What it was for.")
    total: int = strawberry.field(
        description="Rounded down where it is no whole number; see `exact`. 0 of a void."
    )
    exact: ExactFraction = strawberry.field(description="The total, exactly.")
    outcome: str | None = strawberry.field(
        description="What it means in the game, for a game's own roll: `critical_failure`; `void` of dice "
        "that came to nothing."
    )
    void: str | None = strawberry.field(
        description="Why the dice came to nothing as they fell: `DIVISION_BY_ZERO`, `NO_WHOLE_NUMBER`, "
        "`TOO_MANY_DICE`, `TOO_LARGE`, `OUT_OF_TIME`; null where they came to a total. A void is a roll: "
        "kept, told, counted and receipted like any other."
    )
    text: str = strawberry.field(description="The roll in one line; dice that do not count are struck out.")
    secret: bool = strawberry.field(description="Whether only GMs may see it.")
    revealed_at: datetime | None = strawberry.field(description="When a secret roll was shown to the table.")
    rolled_at: datetime = strawberry.field(description="When the dice fell.")
    by: Account | None = strawberry.field(description="Who rolled.")
    campaign: "Campaign | None" = strawberry.field(description="At whose table, if any.")
    character: "Character | None" = strawberry.field(description="For which character, if any.")
    scene_id: strawberry.ID | None = strawberry.field(description="In which scene, if any.")
    epoch_id: strawberry.ID | None = strawberry.field(
        description="The epoch of verifiable rolls that its dice were drawn in."
    )
    epoch_number: int | None = strawberry.field(description="Its number in that epoch.")
    recorded: strawberry.Private[Recorded]

    @strawberry.field(
        description="The message elsewhere for which a bot rolled, `by` being the bot's account; null of "
        "other rolls.",
        graphql_type=ExternalMessageType | None,
    )
    def external(self) -> ExternalMessage | None:
        """Return the message."""
        return self.recorded.external

    @strawberry.field(description=METADATA, graphql_type=list[MetadataType])
    async def metadata(self, info: DiceInfo, namespace: Namespace = None) -> list[Metadata]:
        """Return the bags."""
        return await metadata_beside(info, info.context.service.metadata.bags, self.id, namespace)

    @strawberry.field(description="Where the total comes from.")
    async def terms(self, info: DiceInfo) -> list[RollTerm]:
        """Show the terms; of many rolls one after the other, so that others are answered in between."""
        async with info.context.turn:
            await asyncio.sleep(0)
        return [RollTerm.of(term) for term in self.recorded.told.terms]

    @strawberry.field(description="The whole roll as a tree: every node, its dice, what was done to them.")
    async def nodes(self, info: DiceInfo) -> list[RollNode]:
        """Show the tree; see ``terms``."""
        async with info.context.turn:
            await asyncio.sleep(0)
        return RollNode.tree(self.recorded.nodes)

    @strawberry.field(
        description="How likely this total was; null where that is too much to reckon, or takes too long."
    )
    async def odds(self, info: DiceInfo) -> RollOdds | None:
        """Reckon where the total lies among all that could have been."""
        row = self.recorded.row
        if row.void is not None:
            return None
        found = await info.context.service.odds.percentile(
            info.context.signed_in(), row.expression, row.definitions, self.recorded.told.value
        )
        return None if found is None else RollOdds.of(found)

    @strawberry.field(
        description="Whether the dice were drawn as was committed to before, step by step, with the signed "
        "receipt; null while that cannot be told."
    )
    async def verification(self, info: DiceInfo) -> VerifiedRollType | None:
        """Verify the roll."""
        row = self.recorded.row
        return await info.context.service.chain.verify(info.context.signed_in(), row.id)

    @classmethod
    async def resolve_reference(cls, info: DiceInfo, id: strawberry.ID) -> "Roll | None":
        """Find the roll again for another subgraph, with the viewer's rights checked again."""
        found = await loaders.rolls(info).load(str(id))
        if found is None:
            return None
        await charge_telling(info, [found])
        return cls.of(found)

    @classmethod
    def of(cls, roll: Recorded, place: int | None = None) -> "Roll":
        """Show a roll.

        Args:
            roll: the roll.
            place: its number in the stream that tells of it, where that is another than its own.
        """
        row = roll.row
        return cls(
            id=strawberry.ID(row.id),
            seq=roll.seq,
            cursor=cursor_of_number(roll.seq if place is None else place),
            expression=row.expression,
            label=row.label,
            total=row.total,
            exact=ExactFraction(Fraction(row.exact or row.total)),
            outcome=row.outcome,
            void=row.void,
            text=roll.told.text,
            secret=roll.secret,
            revealed_at=row.revealed_at,
            rolled_at=row.created_at,
            by=Account(id=strawberry.ID(row.account)),
            campaign=Campaign(id=strawberry.ID(row.campaign)) if row.campaign else None,
            character=Character(id=strawberry.ID(row.character)) if row.character else None,
            scene_id=strawberry.ID(row.scene) if row.scene else None,
            epoch_id=strawberry.ID(row.epoch) if row.epoch else None,
            epoch_number=row.number,
            recorded=roll,
        )


@federated_type(keys=["id"], description="A campaign, and what was rolled at its table.")
class Campaign:
    """What the dice service adds to a campaign."""

    id: strawberry.ID = strawberry.field(description="Its id.")

    @strawberry.field(description="The rolls at this table, newest first; null while they cannot be read.")
    async def rolls(
        self, info: DiceInfo, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Roll] | None:
        """Return a page of the campaign's rolls."""
        return await page_of_rolls(info, Narrowed(campaign=str(self.id)), first, after)


@federated_type(keys=["id"], description="A character, and what was rolled for it.")
class Character:
    """What the dice service adds to a character."""

    id: strawberry.ID = strawberry.field(description="Its id.")

    @strawberry.field(
        description="The rolls for this character, newest first; null while they cannot be read."
    )
    async def rolls(
        self, info: DiceInfo, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Roll] | None:
        """Return a page of the character's rolls."""
        return await page_of_rolls(info, Narrowed(character=str(self.id)), first, after)


async def page_of_rolls(info: DiceInfo, wanted: Narrowed, first: int, after: str | None) -> Connection[Roll]:
    """Read a page of rolls as a connection."""
    page = await info.context.service.rolls.page(
        info.context.signed_in(),
        wanted,
        first=page_size(first),
        after=decode_cursor(after, "rol") if after is not None else None,
    )
    await charge_telling(info, page.items)
    await read_out(page.items)
    return connect(page, lambda roll: roll.row.id, Roll.of)


async def read_out(rolls: Sequence[Recorded]) -> None:
    """Read what is told of large rolls, each with room for others behind it; it is kept in the rolls."""
    for roll in rolls:
        if roll.row.draws > MANY_DICE:
            _ = roll.told
            await asyncio.sleep(0)


async def charge_telling(info: DiceInfo, rolls: Sequence[Recorded]) -> None:
    """Charge for reading rolls, by the dice that are told of them.

    Raises:
        LimitReached: they cost more than may be spent.
    """
    milliseconds = pricing.telling((roll.row.draws for roll in rolls), dice_lists(info))
    milliseconds += pricing.page(len(rolls))
    again = [roll.row for roll in rolls if roll.row.told is None]
    milliseconds += sum(row.draws for row in again) * pricing.READ_MILLISECONDS
    milliseconds += pricing.trees((len(row.expression) for row in again), _trees(info))
    await info.context.service.meter.charge(info.context.viewer, points_beyond(milliseconds))


def dice_lists(info: DiceInfo) -> int:
    """Count the lists of dice that an operation asks for of each roll."""
    return sum(_dice_lists(field) for field in info.selected_fields)


def _trees(info: DiceInfo) -> int:
    """Count the trees that an operation asks for of each roll; connections have nodes of another kind."""
    return sum(_has_tree(field) for field in info.selected_fields)


def _has_tree(selection: Selection) -> int:
    own = isinstance(selection, SelectedField) and selection.name == "nodes"
    named = {part.name for part in selection.selections if isinstance(part, SelectedField)}
    if own and named & {"index", "parent", "notation", "value", "kept"}:
        return 1
    return sum(_has_tree(part) for part in selection.selections)


def _dice_lists(selection: Selection) -> int:
    if isinstance(selection, SelectedField) and selection.name == "dice":
        return 1
    return sum(_dice_lists(part) for part in selection.selections)
