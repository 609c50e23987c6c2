"""The campaign service's subgraph."""

from services.campaign.log import graphql as log
from services.campaign.membership import graphql as membership
from services.campaign.metadata import graphql as metadata
from services.campaign.scenes import graphql as scenes
from services.campaign.simulations import graphql as simulations
from services.shared.graphql.features import compose

SCHEMA = compose(membership.FEATURE, log.FEATURE, scenes.FEATURE, simulations.FEATURE, metadata.FEATURE)
