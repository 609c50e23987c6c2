"""What is asked about packs of a table's own content, with the bounds of each member."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, NewType

from services.shared.bounds import Line, Prose

MAX_NAME = 120
MAX_DESCRIPTION = 2000
MAX_PACKS = 8

PackId = NewType("PackId", str)
"""The id of a content pack."""


@dataclass(frozen=True, slots=True)
class Keep:
    """What is left out stays as it is, where null says something else."""


KEEP: Final[Any] = Keep()


@dataclass(frozen=True, slots=True)
class PackContent:
    """What a pack holds.

    Attributes:
        system: Slug of the game system.
        pack: The system's own pack.
    """

    system: str
    pack: Any


@dataclass(frozen=True, slots=True)
class CreateContentPack:
    """A content pack to be kept: for yourself, or for a table that you run.

    Attributes:
        pack: Its game, and what it holds.
        name: What people call it, on one line.
        description: What it is about.
        campaign_id: Id of a campaign that you run: its members see the pack and can build characters under
            it. Left out, it is your own.
    """

    pack: PackContent
    name: Annotated[str, Line(MAX_NAME)]
    description: Annotated[str, Prose(MAX_DESCRIPTION)] = ""
    campaign_id: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateContentPack:
    """What to change about a content pack; what is left out stays as it is.

    Attributes:
        id: Of the pack.
        version: The version you saw.
        pack: Its game, which stays the same, and what it holds, as a whole.
        name: What people call it, on one line.
        description: What it is about.
        campaign_id: Id of a campaign that you run: its members see the pack and can build characters under
            it. Null takes it away from its table.
    """

    id: str
    version: int
    pack: PackContent | None = None
    name: Annotated[str, Line(MAX_NAME)] | None = None
    description: Annotated[str, Prose(MAX_DESCRIPTION)] | None = None
    campaign_id: str | None = KEEP


@dataclass(frozen=True, slots=True)
class DeleteContentPack:
    """A content pack to be deleted.

    Attributes:
        id: Of the pack.
        version: The version you saw.
    """

    id: str
    version: int
