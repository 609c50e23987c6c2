"""How the dice fell, in the graph."""

from typing import Annotated

import strawberry
from strawberry import argument

from services.dice.context import CampaignId, DiceInfo
from services.dice.statistics.fairness import Fairness, Verdict
from services.dice.statistics.luck import Luck
from services.dice.statistics.picture import fairness_chart, luck_chart
from services.dice.statistics.service import DieStatistics, FaceCount, Scope
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.features import Feature
from services.shared.mirror import mirror
from services.shared.plots.frame import WIDTH

Width = Annotated[int, argument(description="In pixels, 240 to 1600.")]
DiceVerdict = mirror_enum(Verdict, "DiceVerdict")
FairnessType = mirror(Fairness, name="Fairness")
FaceCountType = mirror(FaceCount, name="FaceCount")


@strawberry.type(name="DieStatistics", description="How the dice of one kind fell.")
class DieStatisticsType:
    """Every draw counts, those of dice that were rolled again or dropped too."""

    die: str = strawberry.field(description="`d6`, `dF`, or the name of a die with faces of its own.")
    former: bool = strawberry.field(
        description="Whether the table has changed or forgotten this die since; its faces are then numbered."
    )
    faces: list[FaceCountType] = strawberry.field(description="In order, those that never came too.")  # type: ignore[valid-type]
    fairness: FairnessType = strawberry.field(description="Whether that is anything to wonder at.")  # type: ignore[valid-type]
    found: strawberry.Private[DieStatistics]

    @strawberry.field(description="The counts as an SVG picture, beside what honest dice come to.")
    def svg(self, width: Width = WIDTH) -> str:
        """Draw the counts."""
        counts = [(face.label, face.count) for face in self.found.faces]
        return fairness_chart(self.die, self.found.fairness.expected, counts, width=width)

    @classmethod
    def of(cls, found: DieStatistics) -> "DieStatisticsType":
        """Show the statistics of a kind of dice."""
        return cls(
            die=found.die,
            former=found.former,
            faces=list(found.faces),
            fairness=found.fairness,
            found=found,
        )


@strawberry.type(name="DiceStatistics", description="How the dice fell, kind by kind.")
class DiceStatisticsType:
    """Of the kinds that were rolled most."""

    kinds: list[DieStatisticsType] = strawberry.field(description="At most 50, those rolled most first.")
    other_dice: int = strawberry.field(description="How many dice of further kinds were rolled.")
    caution: str = strawberry.field(description="What to keep in mind when several kinds are tested.")


@strawberry.type(name="Luck", description="How high the totals were; high counts as lucky.")
class LuckType:
    """Compared with the exact odds of each expression."""

    rolls: int = strawberry.field(description="How many rolls were reckoned.")
    not_reckoned: int = strawberry.field(
        description="How many were not: their odds are too much to reckon, or nothing in them is chance."
    )
    mean_percentile: float | None = strawberry.field(
        description="Where the totals stood, on average, among all that could have come, from 0 to 1; honest "
        "dice come to 0.5."
    )
    percentiles: list[float] = strawberry.field(
        description="How many rolls stood in each tenth, lowest first; as many in each are expected. A total "
        "that covers several tenths counts in parts."
    )
    z_score: float | None = strawberry.field(
        description="All totals together, in standard deviations above (or below) what was expected."
    )
    p_value: float | None = strawberry.field(
        description="Chance that honest dice are at least as far off; null while there are too few rolls."
    )
    verdict: DiceVerdict = strawberry.field(description="What follows.")  # type: ignore[valid-type]
    words: str = strawberry.field(description="The verdict in a sentence.")
    voids: int = strawberry.field(
        description="How many further rolls came to nothing as they fell; their faces count among the dice."
    )

    @strawberry.field(description="The tenths as an SVG picture.")
    def svg(self, width: Width = WIDTH) -> str:
        """Draw the histogram."""
        return luck_chart("Luck", self.percentiles, width=width)

    @classmethod
    def of(cls, found: Luck) -> "LuckType":
        """Show a player's luck."""
        return cls(
            rolls=found.rolls,
            not_reckoned=found.not_reckoned,
            mean_percentile=found.mean_percentile,
            percentiles=list(found.percentiles),
            z_score=found.z_score,
            p_value=found.p_value,
            verdict=found.verdict,
            words=found.words,
            voids=found.voids,
        )


@strawberry.type(
    description="How the dice fell at a table, or yours outside of any; secret rolls count once revealed."
)
class RollStatistics:
    """Of all open rolls since the first."""

    scope: strawberry.Private[Scope]

    @strawberry.field(description="Whether the faces came evenly, kind by kind, or of one kind: `d6`.")
    async def dice(
        self,
        info: DiceInfo,
        die: Annotated[str | None, argument(description="Only of this kind; all without it.")] = None,
    ) -> DiceStatisticsType:
        """Return the statistics of dice."""
        found = await info.context.service.statistics.dice(self.scope, die)
        return DiceStatisticsType(
            kinds=[DieStatisticsType.of(kind) for kind in found.kinds],
            other_dice=found.other_dice,
            caution=found.caution,
        )

    @strawberry.field(description="Whether the totals were high.")
    async def luck(self, info: DiceInfo) -> LuckType:
        """Return the statistics of totals."""
        return LuckType.of(await info.context.service.statistics.luck(self.scope))


@strawberry.type
class StatisticsQuery:
    """What can be asked about how the dice fell."""

    @strawberry.field(
        description="How the dice fell at a table, of all or of one player; without a campaign, your own "
        "rolls outside of any. Null where you may not look."
    )
    async def roll_statistics(
        self,
        info: DiceInfo,
        campaign_id: CampaignId = None,
        account_id: Annotated[
            strawberry.ID | None, argument(description="Of this player; of everybody without it.")
        ] = None,
    ) -> RollStatistics | None:
        """Return statistics."""
        viewer = info.context.signed_in()
        scope = await info.context.service.statistics.scope(viewer, campaign_id, account_id)
        return None if scope is None else RollStatistics(scope=scope)


FEATURE = Feature(query=StatisticsQuery)
