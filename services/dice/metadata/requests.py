"""What is asked when metadata are written beside a roll."""

from dataclasses import dataclass

from services.shared.metadata.requests import SetMetadata


@dataclass(frozen=True, slots=True)
class SetRollMetadata(SetMetadata):
    """Metadata of a roll, to be written or taken away."""
