"""The character service's subgraph."""

from services.character.building import graphql as building
from services.character.history import graphql as history
from services.character.metadata import graphql as metadata
from services.character.packs import graphql as packs
from services.character.portraits import graphql as portraits
from services.character.rewards import graphql as rewards
from services.character.tracks import graphql as tracks
from services.shared.graphql.features import compose

SCHEMA = compose(
    packs.FEATURE,
    building.FEATURE,
    rewards.FEATURE,
    history.FEATURE,
    metadata.FEATURE,
    tracks.FEATURE,
    portraits.FEATURE,
)
