"""The facts that the dice service publishes."""

from services.dice.models import RollRow
from services.shared.outbox import Event


def topic(place: str) -> str:
    """Name what subscriptions to the rolls of a campaign, or of an account's own, wait for."""
    return f"rolls:{place}"


def recorded(roll: RollRow, text: str) -> Event:
    """Tell that dice were rolled; ``text`` is the roll in one line."""
    return Event(
        "roll.recorded",
        topic(roll.place),
        {
            "id": roll.id,
            "campaign": roll.campaign,
            "account": roll.account,
            "seq": roll.seq,
            "total": roll.total,
            "text": f"{roll.label}: {text}" if roll.label else text,
        },
    )
