"""What is asked when metadata are written beside a character."""

from dataclasses import dataclass

from services.shared.metadata.requests import SetMetadata


@dataclass(frozen=True, slots=True)
class SetCharacterMetadata(SetMetadata):
    """Metadata of a character, to be written or taken away."""
