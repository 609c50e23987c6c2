"""The dice service's subgraph."""

from services.dice.graphql.mutations import Mutation
from services.dice.graphql.queries import Query
from services.dice.graphql.subscriptions import Subscription
from services.dice.graphql.types import Campaign, Character
from services.shared.graphql.schema import build_schema

SCHEMA = build_schema(Query, Mutation, Subscription, types=(Campaign, Character))
