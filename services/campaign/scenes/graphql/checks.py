"""The types of dry runs."""

import strawberry

from services.campaign.scenes.checks import CheckedMove
from services.campaign.scenes.graphql.systems import Reasons
from services.rules.engine import play


@strawberry.type(description="Dice that would fall.")
class ExpectedRoll:
    """How many, and why."""

    label: str = strawberry.field(description="What for.")
    actor: str = strawberry.field(description="Who rolls.")
    notation: str = strawberry.field(description="The dice: `5d6`.")
    dice: Reasons = strawberry.field(description="How many, and why.")
    secret: bool = strawberry.field(description="Whether others at the table know nothing of it.")
    odds: str | None = strawberry.field(description="The roll in the notation of `odds`.")

    @classmethod
    def of(cls, roll: play.Roll) -> "ExpectedRoll":
        """Show dice."""
        return cls(
            label=roll.label,
            actor=roll.actor,
            notation=roll.notation,
            dice=roll.dice,
            secret=roll.audience != play.EVERYONE,
            odds=roll.odds or None,
        )


@strawberry.type(description="A question that has to be answered before a move goes on.")
class ExpectedQuestion:
    """Asked as soon as the move is made."""

    actor: str = strawberry.field(description="Who is asked.")
    question: str = strawberry.field(description="In plain words.")


@strawberry.type(description="The rules allow the move, as far as you may know; nothing was done.")
class MoveChecked:
    """The answer of ``checkMove``."""

    seq: int = strawberry.field(description="The scene's `seq` when it was tried.")
    sentences: list[str] = strawberry.field(
        description="What happens before any die falls and before anybody is asked: what is paid."
    )
    rolls: list[ExpectedRoll] = strawberry.field(
        description="The dice that fall first, together; none where a question comes first. Of an answer "
        "none are told, since what follows may rest on what others answered in secret."
    )
    questions: list[ExpectedQuestion] = strawberry.field(
        description="What is asked first; for an answer, what is asked beside it and still open."
    )

    @classmethod
    def of(cls, seq: int, found: CheckedMove) -> "MoveChecked":
        """Show a dry run."""
        return cls(
            seq=seq,
            sentences=list(found.sentences),
            rolls=[ExpectedRoll.of(roll) for roll in found.rolls],
            questions=[ExpectedQuestion(actor=one.actor, question=one.question) for one in found.questions],
        )
