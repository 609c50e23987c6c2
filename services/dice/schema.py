"""The dice service's subgraph."""

from services.dice.chain.graphql import FEATURE as CHAIN
from services.dice.library.graphql import FEATURE as LIBRARY
from services.dice.odds.graphql import FEATURE as ODDS
from services.dice.rolls.graphql import FEATURE as ROLLS
from services.dice.statistics.graphql import FEATURE as STATISTICS
from services.shared.graphql.features import compose

FEATURES = (ROLLS, ODDS, CHAIN, LIBRARY, STATISTICS)
SCHEMA = compose(*FEATURES)
