"""The account subgraph."""

from services.gateway.accounts.graphql import FEATURE
from services.shared.graphql.features import compose

SCHEMA = compose(FEATURE)
