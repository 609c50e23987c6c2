"""Enums as GraphQL enums of their members' names. Use it by way of ``services.shared.mirror``."""

import enum
from typing import Any

import strawberry

from services.shared.graphql.hints import attribute_descriptions, summary


def mirror_enum(cls: type[enum.Enum], name: str | None = None) -> Any:
    """Make an enum known to Strawberry: its docstring describes it, the ``Attributes:`` its members.

    Args:
        cls: the enum; it has one GraphQL form, the same each time.
        name: of the GraphQL enum, where it is mirrored first; its own otherwise.
    """
    if "__strawberry_definition__" not in vars(cls):
        strawberry.enum(cls, name=name, description=summary(cls))
        descriptions = attribute_descriptions(cls)
        definition: Any = vars(cls)["__strawberry_definition__"]
        for value in definition.values:
            value.description = value.description or descriptions.get(value.name)
    return cls
