"""The types of the dice service."""

from datetime import datetime

import strawberry
from strawberry.federation import type as federated_type

from services.dice.graphql import loaders
from services.dice.graphql.context import DiceInfo
from services.dice.service import Recorded
from services.rules.dice.notation import render_term
from services.rules.dice.roll import Die, TermResult
from services.shared.graphql.schema import REFERENCE
from services.shared.mirror import mirror
from services.shared.pagination import DEFAULT_PAGE, Connection, connect, decode_cursor, page_size

DieType = mirror(Die)


@federated_type(keys=[REFERENCE])
class Account:
    """Somebody who plays; the account service knows the rest."""

    id: strawberry.ID


@strawberry.type(description="One term of a roll: its dice, and what it adds.")
class RollTerm:
    """A term of the sum."""

    notation: str = strawberry.field(description="As it was asked for, without its sign: `4d6kh3`.")
    dice: list[DieType] = strawberry.field(description="In the order drawn; empty for a plain number.")  # type: ignore[valid-type]
    subtotal: int = strawberry.field(
        description="What it adds to the total; negative where it is taken away."
    )

    @classmethod
    def of(cls, result: TermResult) -> "RollTerm":
        """Show a term."""
        return cls(notation=render_term(result.term.term), dice=list(result.dice), subtotal=result.subtotal)


@federated_type(keys=["id"], description="A roll of dice; kept for ever, never changed.")
class Roll:
    """Seen by everyone at the table where it was made; a roll outside of any campaign by its maker."""

    id: strawberry.ID
    seq: int = strawberry.field(
        description="Counts 1, 2, 3, ... at this table: what subscriptions resume after."
    )
    expression: str = strawberry.field(description="What was rolled, in dice notation.")
    label: str | None = strawberry.field(description="What it was for.")
    total: int
    text: str = strawberry.field(description="The roll in one line; dice that do not count are struck out.")
    terms: list[RollTerm] = strawberry.field(description="Where the total comes from.")
    rolled_at: datetime
    by: Account | None = strawberry.field(description="Who rolled.")
    campaign: "Campaign | None" = strawberry.field(description="At whose table, if any.")
    character: "Character | None" = strawberry.field(description="For which character, if any.")

    @classmethod
    async def resolve_reference(cls, info: DiceInfo, id: strawberry.ID) -> "Roll | None":
        """Find the roll again for another subgraph, with the viewer's rights checked again."""
        found = await loaders.rolls(info).load(str(id))
        return None if found is None else cls.of(found)

    @classmethod
    def of(cls, roll: Recorded) -> "Roll":
        """Show a roll."""
        row = roll.row
        return cls(
            id=strawberry.ID(row.id),
            seq=row.seq,
            expression=row.expression,
            label=row.label,
            total=row.total,
            text=roll.result.text(),
            terms=[RollTerm.of(term) for term in roll.result.terms],
            rolled_at=row.created_at,
            by=Account(id=strawberry.ID(row.account)),
            campaign=Campaign(id=strawberry.ID(row.campaign)) if row.campaign else None,
            character=Character(id=strawberry.ID(row.character)) if row.character else None,
        )


@federated_type(keys=["id"])
class Campaign:
    """What the dice service adds to a campaign."""

    id: strawberry.ID

    @strawberry.field(description="The rolls at this table, newest first; null while they cannot be read.")
    async def rolls(
        self, info: DiceInfo, first: int = DEFAULT_PAGE, after: str | None = None
    ) -> Connection[Roll] | None:
        """Give a page of the campaign's rolls."""
        return await page_of_rolls(info, first, after, campaign=str(self.id))


@federated_type(keys=["id"])
class Character:
    """What the dice service adds to a character."""

    id: strawberry.ID

    @strawberry.field(
        description="The rolls for this character, newest first; null while they cannot be read."
    )
    async def rolls(
        self, info: DiceInfo, first: int = DEFAULT_PAGE, after: str | None = None
    ) -> Connection[Roll] | None:
        """Give a page of the character's rolls."""
        return await page_of_rolls(info, first, after, character=str(self.id))


async def page_of_rolls(
    info: DiceInfo,
    first: int,
    after: str | None,
    *,
    campaign: str | None = None,
    character: str | None = None,
    account: str | None = None,
) -> Connection[Roll]:
    """Read a page of rolls as a connection."""
    page = await info.context.service.dice.page(
        info.context.signed_in(),
        campaign=campaign,
        character=character,
        account=account,
        first=page_size(first),
        after=decode_cursor(after, "rol") if after is not None else None,
    )
    return connect(page, lambda roll: roll.row.id, Roll.of)
