"""What is asked about histories."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UndoCharacterEdit:
    """A character to be taken back to what it was.

    Attributes:
        character_id: Id of the character.
        version: The version you saw.
        to: The version of its history to go back to; the one before when left out.
    """

    character_id: str
    version: int
    to: int | None = None
