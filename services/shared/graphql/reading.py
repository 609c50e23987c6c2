"""Reads a JSON value as an input of the graph, for fields that take one of many inputs as plain JSON."""

from contextlib import suppress
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLError,
    GraphQLInputObjectType,
    GraphQLNonNull,
    get_named_type,
    get_nullable_type,
)
from graphql.utilities import coerce_input_value, validate_input_value
from strawberry.types.arguments import convert_argument

from services.shared.graphql.lists import MAX_ISSUES, find_excess_in
from services.shared.graphql.misfits import REQUIRED, UNKNOWN, misfit
from services.shared.graphql.schema import HouseSchema
from services.shared.mirror import to_domain
from services.shared.problems import InvalidInput, Issue, PublicError
from services.shared.wording import clipped, finding, nearest, with_nearest


class _Enough(Exception):
    """As many problems were found as are told."""


def read_input(schema: HouseSchema, kind: Any, value: object, path: list[str]) -> Any:
    """Read a value as the graph would read it as an argument, and return the domain object it stands for.

    Args:
        schema: the schema that the input belongs to.
        kind: a mirrored input.
        value: what `json.loads` returns.
        path: where it stands in the request.

    Raises:
        InvalidInput: everything that does not fit is named, each with its path.
    """
    expected: Any = GraphQLNonNull(schema._schema.type_map[kind.__strawberry_definition__.name])
    issues: list[Issue] = find_excess_in(value, expected, path)
    InvalidInput.check(*issues)

    def misfit(error: GraphQLError, steps: list[str | int]) -> None:
        issues.append(_issue(error.message, path, steps, _at(value, steps), _allowed(expected, steps)))
        if len(issues) == MAX_ISSUES:
            raise _Enough

    with suppress(_Enough):
        validate_input_value(value, expected, misfit, hide_suggestions=True)
    InvalidInput.check(*issues)
    read = coerce_input_value(value, expected)
    sent = convert_argument(read, kind, schema.schema_converter.scalar_registry, schema.config)
    try:
        return to_domain(sent)
    except PublicError as error:
        raise InvalidInput([_issue(error.message, path, [], None, None)]) from error


def _issue(
    message: str, path: list[str], steps: list[str | int], found: str | None, allowed: str | None
) -> Issue:
    here = [*path, *(clipped(str(step)) for step in steps)]
    text, where = misfit(message, here)
    # What holds a field that is missing takes others, which help nobody to fill that one.
    if allowed is None or text == REQUIRED:
        return Issue(code="BAD_USER_INPUT", message=text, path=where, found=found)
    known, written = allowed.split(", "), where[-1] if text == UNKNOWN else str(found)
    text, fitting = with_nearest(text, written, known), nearest(written, known) or allowed
    return Issue(code="BAD_USER_INPUT", message=text, path=where, found=found, allowed=fitting)


def _at(value: Any, steps: list[str | int]) -> str | None:
    """Give the plain value that a path leads to, as text; None for what is not plain."""
    for step in steps:
        # A single value stands for a list of one, where the path does not name its place.
        value = value[step]
    return finding(value) if isinstance(value, str | int | float | bool) else None


def _allowed(kind: Any, steps: list[str | int]) -> str | None:
    """Give what would fit where a path leads: the words of an enum, the fields of an object; else None."""
    for step in steps:
        kind = get_nullable_type(kind)
        kind = kind.of_type if isinstance(step, int) else get_named_type(kind).fields[step].type
    kind = get_named_type(kind)
    if isinstance(kind, GraphQLEnumType):
        return ", ".join(kind.values)
    return ", ".join(kind.fields) if isinstance(kind, GraphQLInputObjectType) else None
