"""The directive ``@constraint``: the bounds of an input's member, from which other schemas are written."""

from collections.abc import Sequence

import strawberry
from strawberry.schema_directive import Location

from services.shared.bounds import Bound


@strawberry.schema_directive(
    locations=[Location.INPUT_FIELD_DEFINITION, Location.ARGUMENT_DEFINITION],
    name="constraint",
    description="What a value must keep to, in the words of JSON Schema; checked when it is carried out.",
)
class Constraint:
    """Bounds in the words of JSON Schema."""

    min_length: int | None = strawberry.UNSET
    max_length: int | None = strawberry.UNSET
    minimum: int | None = strawberry.UNSET
    maximum: int | None = strawberry.UNSET
    min_items: int | None = strawberry.UNSET
    max_items: int | None = strawberry.UNSET


_MEMBERS = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "minimum": "minimum",
    "maximum": "maximum",
    "minItems": "min_items",
    "maxItems": "max_items",
}


def constraint(bounds: Sequence[Bound]) -> Constraint:
    """Make the directive of one or several bounds."""
    return Constraint(
        **{_MEMBERS[word]: value for bound in bounds for word, value in bound.constraint.items()}
    )
