"""What can be asked of the log."""

from dataclasses import dataclass
from typing import Annotated

from services.shared.bounds import Between, Prose

MAX_NOTE = 4_000
LAST = 2**31 - 1
"""The greatest number that an entry may have."""


@dataclass(frozen=True, slots=True)
class WriteNote:
    """A note for a campaign's log.

    Attributes:
        campaign_id: Whose log.
        text: What is to be remembered.
    """

    campaign_id: str
    text: Annotated[str, Prose(MAX_NOTE, least=1)]


@dataclass(frozen=True, slots=True)
class DeleteNote:
    """A note that is to be deleted.

    Attributes:
        campaign_id: Whose log.
        seq: The number of its entry.
    """

    campaign_id: str
    seq: Annotated[int, Between(1, LAST)]
