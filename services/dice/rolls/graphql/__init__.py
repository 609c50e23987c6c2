"""Rolls in the graph."""

from services.dice.rolls.graphql.mutations import RollMutation
from services.dice.rolls.graphql.queries import RollQuery
from services.dice.rolls.graphql.subscriptions import RollSubscription
from services.dice.rolls.graphql.types import Campaign, Character
from services.shared.graphql.features import Feature

FEATURE = Feature(
    query=RollQuery, mutation=RollMutation, subscription=RollSubscription, types=(Campaign, Character)
)
