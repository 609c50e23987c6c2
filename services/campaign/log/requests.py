"""What can be asked of the log."""

from dataclasses import dataclass
from typing import Annotated

from services.shared.bounds import Prose

MAX_NOTE = 4_000


@dataclass(frozen=True, slots=True)
class WriteNote:
    """A note for a campaign's log.

    Attributes:
        campaign_id: Whose log.
        text: What is to be remembered.
    """

    campaign_id: str
    text: Annotated[str, Prose(MAX_NOTE, least=1)]
