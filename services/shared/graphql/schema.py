"""Makes a service's schema: federated, limited, cached, and silent about what is nobody's business."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import structlog
from graphql import GraphQLError
from strawberry.extensions import (
    AddValidationRules,
    DisableIntrospection,
    MaxTokensLimiter,
    ParserCache,
    SchemaExtension,
    ValidationCache,
)
from strawberry.federation import Schema
from strawberry.federation.schema_directives import Key
from strawberry.federation.types import FieldSet
from strawberry.schema.config import StrawberryConfig
from strawberry.types.execution import ExecutionResult

from services.shared.graphql.errors import PublicError
from services.shared.graphql.limits import Limits, limits_rule

# For entities that another subgraph owns: named here, looked up there.
REFERENCE = Key(fields=FieldSet("id"), resolvable=False)
FEDERATION: Final = "2.9"
CACHED_DOCUMENTS = 1_000
MAX_ERRORS = 5

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
) -> Schema:
    """Make the schema of a subgraph.

    Args:
        query: root of the queries.
        mutation: root of the mutations, if any.
        subscription: root of the subscriptions, if any.
        types: types that no root reaches: entities that other subgraphs ask for.
        introspection: whether the schema may be asked for.
        limits: how large a document may be.
        caches: keep parsed and validated documents; off only to measure what they save.
    """
    allowed = limits or Limits()
    rule = limits_rule(allowed)
    extensions: list[Any] = [
        lambda: MaxTokensLimiter(allowed.tokens),
        lambda: AddValidationRules([rule]),
        GuardedErrors,
    ]
    if caches:
        extensions += [lambda: ParserCache(CACHED_DOCUMENTS), lambda: ValidationCache(CACHED_DOCUMENTS)]
    if not introspection:
        extensions.append(DisableIntrospection)
    return _QuietSchema(
        query=query,
        mutation=mutation,
        subscription=subscription,
        types=list(types),
        extensions=extensions,
        federation_version=FEDERATION,
        config=StrawberryConfig(disable_field_suggestions=True),
    )


def export_sdl(schema: Schema) -> str:
    """Write the schema as the SDL that the gateway composes from."""
    return schema.as_str()


def guarded(error: GraphQLError) -> GraphQLError:
    """Give the error as the client may see it: public ones with a code, all others masked."""
    cause = error.original_error
    while isinstance(cause, GraphQLError) and cause.original_error is not None:
        cause = cause.original_error
    if cause is None or isinstance(cause, GraphQLError):
        public = error if error.extensions else (cause or error)
        extensions = dict(public.extensions or {})
        extensions.setdefault("code", "BAD_USER_INPUT" if error.path else "GRAPHQL_VALIDATION_FAILED")
    else:
        extensions = {"code": "INTERNAL"}
    return GraphQLError(
        "Something went wrong on our side." if extensions["code"] == "INTERNAL" else error.message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions,
    )


class GuardedErrors(SchemaExtension):
    """Masks unexpected errors, gives every error a code, and keeps the list of them short."""

    def on_operation(self) -> Iterator[None]:
        """Guard the result once the operation is through."""
        yield
        result = self.execution_context.result
        if isinstance(result, ExecutionResult) and result.errors:
            result.errors = [guarded(error) for error in result.errors[:MAX_ERRORS]]


class _QuietSchema(Schema):
    """Logs what is unexpected, once, with its trace; what a client did wrong is no news."""

    def process_errors(self, errors: list[GraphQLError], execution_context: Any = None) -> None:
        for error in errors:
            cause = error.original_error
            if cause is not None and not isinstance(cause, (GraphQLError, PublicError)):
                log.error("resolver_failed", path=error.path, exc_info=cause)
