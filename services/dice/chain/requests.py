"""What is asked of the chains of verifiable rolls."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RotateRollEpoch:
    """An epoch of verifiable rolls to be closed.

    Attributes:
        campaign_id: At whose table; without one it is your own.
        secret: Whether it is of the chain of the GM's rolls.
    """

    campaign_id: str | None = None
    secret: bool = False
