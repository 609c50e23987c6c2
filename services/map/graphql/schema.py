"""The map service's subgraph."""

from services.map.graphql.mutations import Mutation
from services.map.graphql.queries import Query
from services.map.graphql.subscriptions import Subscription
from services.shared.graphql.features import Feature, compose

SCHEMA = compose(Feature(query=Query, mutation=Mutation, subscription=Subscription))
