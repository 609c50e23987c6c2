"""The dice service's subgraph."""

from services.dice.chain import graphql as chain
from services.dice.library import graphql as library
from services.dice.metadata import graphql as metadata
from services.dice.odds import graphql as odds
from services.dice.rolls import graphql as rolls
from services.dice.statistics import graphql as statistics
from services.shared.graphql.features import Feature, compose

FEATURES: tuple[Feature, ...] = (
    rolls.FEATURE,
    odds.FEATURE,
    chain.FEATURE,
    library.FEATURE,
    statistics.FEATURE,
    metadata.FEATURE,
)
SCHEMA = compose(*FEATURES)
