"""Makes a service's schema: federated, limited, cached, and silent about what is nobody's business.

Each override of Strawberry's schema answers a trap that was met:

- ``_prepare_operation_async``: documents come from ``Documents``, in place of four extensions that are made
  anew for each request.
- ``execute`` / ``stream``: errors are guarded behind everything else; Strawberry's MaskErrors leaves out what
  is raised before the execution, and a stream that breaks says nothing at all.
- ``process_errors``: what a client did wrong is no news; the rest is logged once, with its trace.
- ``entities_resolver``: one bad representation costs its own place in the answer, not the whole answer.
- ``HouseExecutor``: no "Did you mean" in the errors of variables either, and long lists a few at a time.
"""

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from inspect import signature
from operator import attrgetter
from typing import Any, Final, cast

import structlog
from graphql import GraphQLError, GraphQLObjectType
from strawberry import Info
from strawberry.exceptions import MissingQueryError
from strawberry.federation import Schema
from strawberry.federation.schema import FederationAny
from strawberry.federation.schema_directives import Key
from strawberry.federation.types import FieldSet
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.types.base import StrawberryContainer, StrawberryObjectDefinition, get_object_definition
from strawberry.types.execution import ExecutionContext, ExecutionResult, PreExecutionError
from strawberry.types.field import StrawberryField
from strawberry.types.graphql import OperationType
from strawberry.types.lazy_type import LazyType
from strawberry.types.union import StrawberryUnion
from strawberry.utils.aio import aclosing

from services.shared.graphql.body import holds_nul
from services.shared.graphql.documents import REMEMBERED_CHARACTERS, Document, Documents
from services.shared.graphql.errors import NUL_REFUSED, as_graphql, coded, presented, unexpected
from services.shared.graphql.limits import Limits
from services.shared.graphql.lists import TOO_LONG, Excess, declare_maxima, find_excesses
from services.shared.graphql.pacing import Pace
from services.shared.graphql.scalars import FRACTION
from services.shared.problems import PublicError

# For entities that another subgraph owns: named here, looked up there.
REFERENCE = Key(fields=FieldSet("id"), resolvable=False)
FEDERATION: Final = "2.9"

UNNAMED_OPERATION = "Say by `operationName` which operation to run."

log = structlog.get_logger(__name__)


def build_schema(
    query: type,
    mutation: type | None = None,
    subscription: type | None = None,
    *,
    types: Iterable[type] = (),
    introspection: bool = True,
    limits: Limits | None = None,
    caches: bool = True,
) -> "HouseSchema":
    """Make the schema of a subgraph.

    Args:
        query: root of the queries.
        mutation: root of the mutations, if any.
        subscription: root of the subscriptions, if any.
        types: types that no root reaches: entities that other subgraphs ask for, members of interfaces.
        introspection: whether the schema may be asked for.
        limits: how large a document may be.
        caches: keep parsed and validated documents; off only to measure what they save.
    """
    given = list(types)
    roots = [root for root in (query, mutation, subscription) if root is not None]
    schema = HouseSchema(
        query=query,
        mutation=mutation,
        subscription=subscription,
        types=[*given, *(entity for entity in _entities([*roots, *given]) if entity not in given)],
        execution_context_class=HouseExecutor,
        federation_version=FEDERATION,
        config=StrawberryConfig(disable_field_suggestions=True, scalar_map={Fraction: FRACTION}),
    )
    declare_maxima(schema._schema)
    schema.documents = Documents(
        schema._schema,
        limits or Limits(),
        introspection=introspection,
        characters=REMEMBERED_CHARACTERS if caches else 0,
    )
    _read_attributes_directly(schema)
    return schema


def export_sdl(schema: Schema) -> str:
    """Write the schema as the SDL that the gateway composes from."""
    return schema.as_str()


class HouseExecutor(StrawberryGraphQLCoreExecutionContext):
    """Executes without suggesting names, and makes room for others within long answers."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._pace = Pace()

    @classmethod
    def build(cls, *arguments: Any, **named: Any) -> Any:
        """Prepare an execution; this is where variables are read, up to the first 50 that do not fit."""
        return super().build(*arguments, **{**named, "hide_suggestions": True})

    def complete_list_value(
        self, return_type: Any, fields: Any, info: Any, path: Any, result: Any, position: Any
    ) -> Any:
        """Complete a list, of which others wait for a few objects at most."""
        if isinstance(result, list | tuple):
            result = self._pace.slowed(result)
        return super().complete_list_value(return_type, fields, info, path, result, position)


class HouseSchema(Schema):
    """A subgraph's schema.

    Attributes:
        documents: prepares what is sent to it.
    """

    documents: Documents

    def kind(self, text: str | None, name: str | None) -> OperationType | None:
        """Tell the kind of an operation; None when it cannot be told."""
        return self.documents.peek(text).kind(name) if text else None

    def root_fields(self, text: str | None, name: str | None) -> tuple[str, ...]:
        """Tell the fields that an operation begins with; none when it cannot be told."""
        return self.documents.peek(text).root_fields(name) if text else ()

    async def _prepare_operation_async(
        self, context: ExecutionContext, extensions_runner: Any
    ) -> PreExecutionError | None:
        if not context.query:
            raise MissingQueryError
        document = self.documents.prepare(context.query)
        name = context._provided_operation_name
        errors = list(document.errors)
        if document.node is not None:
            context.graphql_document = document.node
            kind = document.kind(name)
            if kind is None:
                raise CannotGetOperationTypeError(name)
            if kind not in context.allowed_operations:
                raise InvalidOperationTypeError(kind)
            if name is None and len(document.operations) > 1:
                # Strawberry would run the first one.
                errors.append(as_graphql(PublicError("BAD_USER_INPUT", UNNAMED_OPERATION)))
        if holds_nul(context.variables):
            errors.append(as_graphql(PublicError("BAD_USER_INPUT", NUL_REFUSED)))
        if not errors:
            errors = self._too_long(document, name, context)
        if not errors:
            return None
        context.pre_execution_errors = errors
        return PreExecutionError(data=None, errors=errors)

    def _too_long(
        self, document: Document, name: str | None, context: ExecutionContext
    ) -> list[GraphQLError]:
        """Find lists that are too long: those that no field can answer for are errors of the operation."""
        operation = document.operations[0][0] if name is None else name
        found = find_excesses(document.lists, operation, context.variables or {})
        TOO_LONG.set(tuple(one.issue for one in found if one.answered))
        return [_too_long(one) for one in found if not one.answered]

    async def execute(self, *arguments: Any, **named: Any) -> ExecutionResult:
        """Execute a query or mutation; its errors are as a client may see them."""
        result = await super().execute(*arguments, **named)
        if result.errors:
            result.errors = presented(result.errors)
        return result

    async def stream(self, *arguments: Any, **named: Any) -> Any:
        """Execute an operation and give its results one by one, guarded like those of ``execute``."""
        return _guarded_stream(await super().stream(*arguments, **named))

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Log what is unexpected."""
        logged: set[int] = set()
        for error in errors:
            cause = unexpected(error)
            # A loader that breaks raises one and the same exception at each of its places.
            if cause is None or id(cause) in logged:
                continue
            logged.add(id(cause))
            if not isinstance(
                cause, MissingQueryError | CannotGetOperationTypeError | InvalidOperationTypeError
            ):
                log.error("resolver_failed", path=error.path, exc_info=cause)

    def entities_resolver(self, info: Info, representations: list[FederationAny]) -> list[FederationAny]:
        """Resolve each representation for itself; what fails is an error at its own place."""
        return [self._entity(info, representation) for representation in cast("list[Any]", representations)]

    def _entity(self, info: Info, representation: Any) -> Any:
        name = representation.get("__typename") if isinstance(representation, Mapping) else None
        found = self.schema_converter.type_map.get(name) if isinstance(name, str) else None
        definition = found.definition if found else None
        if not isinstance(definition, StrawberryObjectDefinition) or not _is_entity(definition):
            return PublicError("BAD_REPRESENTATION", "This is no entity of this subgraph.")
        members = {key: value for key, value in representation.items() if key != "__typename"}
        resolve = getattr(definition.origin, "resolve_reference", None)
        if resolve is not None:
            known, required = _arguments(resolve)
            members = {key: value for key, value in members.items() if key in known}
            if not required <= members.keys():
                return PublicError("BAD_REPRESENTATION", f"{name} needs {', '.join(sorted(required))}.")
        if not all(isinstance(members.get(key, ""), str) for key in _keys(definition)):
            return PublicError("BAD_REPRESENTATION", f"What {name} is known by must be text.")
        return super().entities_resolver(info, [cast("Any", {"__typename": name, **members})])[0]


def _too_long(excess: Excess) -> GraphQLError:
    """Tell of a list that is too long in the form of the graph's own errors of variables."""
    issue = excess.issue
    place = ".".join(issue.path)
    holder = f"Variable '${excess.variable}'" if excess.variable else "The operation"
    text = f"{holder} has invalid value at .{place}: {issue.message}"
    return as_graphql(PublicError("BAD_USER_INPUT", text, path=issue.path, allowed=issue.allowed))


async def _guarded_stream(source: Any) -> AsyncGenerator[Any, None]:
    try:
        async with aclosing(source):
            async for result in source:
                if getattr(result, "errors", None):
                    result.errors = presented([_named(error) for error in result.errors])
                yield result
    except Exception as error:
        log.error("stream_failed", exc_info=error)
        broken = GraphQLError(str(error), original_error=error)
        yield PreExecutionError(data=None, errors=presented([broken]))


def _named(error: GraphQLError) -> GraphQLError:
    """Make public what Strawberry's stream wraps like an accident: an operation that is not allowed here."""
    match error.original_error:
        case CannotGetOperationTypeError() | MissingQueryError() | InvalidOperationTypeError():
            return coded(GraphQLError(error.message or "There is no operation to run."), "BAD_REQUEST")
        case _:
            return error


# Entities


def _is_entity(definition: StrawberryObjectDefinition) -> bool:
    # Strawberry leaves `resolvable` unset, which is falsy, where keys are given as strings.
    return definition.is_object_type and any(
        isinstance(directive, Key) and directive.resolvable is not False
        for directive in definition.directives or ()
    )


def _keys(definition: StrawberryObjectDefinition) -> Iterator[str]:
    """Give the fields that an entity is known by."""
    for directive in definition.directives or ():
        if isinstance(directive, Key) and directive.resolvable is not False:
            yield from str(directive.fields).split()


@cache
def _arguments(resolve: Callable[..., Any]) -> tuple[frozenset[str], frozenset[str]]:
    """Give the names that a ``resolve_reference`` takes, and those among them that it must have."""
    given = [value for name, value in signature(resolve).parameters.items() if name != "info"]
    required = frozenset(value.name for value in given if value.default is value.empty)
    return frozenset(value.name for value in given), required


def _entities(roots: Iterable[Any]) -> Iterator[type]:
    """Find the entities within types; Strawberry's own search stops at unions."""
    waiting: list[Any] = list(roots)
    seen: set[int] = set()
    while waiting:
        kind = waiting.pop()
        while isinstance(kind, StrawberryContainer):
            kind = kind.of_type
        if isinstance(kind, LazyType):
            kind = kind.resolve_type()
        if isinstance(kind, StrawberryUnion):
            waiting.extend(kind.types)
            continue
        definition = get_object_definition(kind)
        if definition is None or id(definition) in seen:
            continue
        seen.add(id(definition))
        if _is_entity(definition):
            yield definition.origin
        waiting.extend(field.type for field in definition.fields)


# Speed


def _read_attributes_directly(schema: HouseSchema) -> None:
    """Spare plain attributes the four calls that Strawberry makes to read one."""
    for kind in schema._schema.type_map.values():
        if not isinstance(kind, GraphQLObjectType):
            continue
        for field in kind.fields.values():
            definition = field.extensions.get("strawberry-definition")
            if isinstance(definition, StrawberryField) and definition.is_basic_field:
                field.resolve = _attribute(definition.python_name)


def _attribute(name: str) -> Any:
    read = attrgetter(name)

    def resolve(source: Any, _info: Any) -> Any:
        return read(source)

    return resolve
