"""What loot is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Something that the party found.

    Attributes:
        id: Unique in the campaign.
        name: What it is called.
        text: What a glance tells of it.
        gear: Content id of the piece of gear that it is; empty for what is only worth something.
        secret: What identifying it tells; the game master's alone until then.
        identified: Whether all know what it is.
        holder: Id of the hero who has it; empty while it is not divided.
    """

    id: str
    name: str
    text: str = ""
    gear: str = ""
    secret: str = ""
    identified: bool = False
    holder: str = ""
