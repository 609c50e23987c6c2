"""What is asked when metadata are written beside a campaign or a scene."""

from dataclasses import dataclass

from services.shared.metadata.requests import SetMetadata


@dataclass(frozen=True, slots=True)
class SetCampaignMetadata(SetMetadata):
    """Metadata of a campaign, to be written or taken away."""


@dataclass(frozen=True, slots=True)
class SetSceneMetadata(SetMetadata):
    """Metadata of a scene, to be written or taken away."""
