"""The facts that the dice service publishes; one about a secret roll carries no content."""

from services.dice.rolls.models import RollRow
from services.shared.outbox import Event


def topic(place: str, *, secret: bool = False) -> str:
    """Name what subscriptions to the open or the secret rolls of a place wait for."""
    return f"rolls:{place}:secret" if secret else f"rolls:{place}"


def recorded(roll: RollRow, text: str) -> Event:
    """Tell that dice were rolled in the open, or revealed; ``text`` is the roll in one line."""
    return Event(
        "roll.recorded",
        topic(roll.place),
        {
            "id": roll.id,
            "campaign": roll.campaign,
            "account": roll.account,
            "external_author": roll.external_author,
            "seq": roll.seq,
            "total": roll.total,
            "text": f"{roll.label}: {text}" if roll.label else text,
            # The scene tells of its moves itself, but not of what was revealed afterwards.
            "drawn_for_scene": roll.scene is not None and roll.revealed_at is None,
        },
    )


def hidden(roll: RollRow) -> Event:
    """Tell those who may see them that dice were rolled in secret."""
    return Event("roll.hidden", topic(roll.place, secret=True), {"id": roll.id})
