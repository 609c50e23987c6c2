"""Errors that leave a service, and with which code.

::

    Exception
    |-- PublicError                    said to the client as it is, with its code
    |   UNAUTHENTICATED                no key came with the request
    |   NOT_FOUND                      a subscription to what is not there
    |   BAD_CURSOR, BAD_PAGE_SIZE, BAD_IDEMPOTENCY_KEY
    |   BAD_REPRESENTATION             `_entities` was asked for what no entity is
    |   UNAVAILABLE                    another part of the house does not answer
    |   RATE_LIMITED                   the bucket is empty; ``retryAfter`` says for how many seconds
    |   QUERY_TOO_EXPENSIVE            more work than one operation may ask for; ``requested``, ``allowed``
    |-- Problem                        where no union can hold it: said as it is, with its code
    |-- Refused                        ends the request before GraphQL begins, with an HTTP status
    |   BAD_REQUEST (400)              not an operation: bad JSON, wrong members, nothing to run
    |   UNSIGNED (401)                 the call does not come from the gateway
    |   METHOD_NOT_ALLOWED (405)       neither GET nor POST, or a mutation by GET
    |   NOT_ACCEPTABLE (406)           a subscription, but no `Accept: text/event-stream`
    |   BODY_TOO_LARGE (413)
    |   TOO_MANY_VALUES (413)          more elements or keys than the operation takes; ``limit``, ``allowed``
    |   UNSUPPORTED_MEDIA_TYPE (415)   forms, files, text
    `-- anything else                  INTERNAL: logged with the request id, masked for the client

What GraphQL itself finds wrong with an operation is public too: ``GRAPHQL_PARSE_FAILED``,
``GRAPHQL_VALIDATION_FAILED``, ``QUERY_TOO_COMPLEX``, ``BAD_USER_INPUT``, ``TOO_MANY_SUBSCRIPTIONS``.
"""

from collections.abc import Sequence

from graphql import GraphQLError

from services.shared.problems import Problem, PublicError

MAX_ERRORS = 5
INTERNAL = "INTERNAL"
NUL_REFUSED = "A text cannot hold the character NUL."


class Refused(Exception):
    """A request that is turned away before its operation is looked at.

    Attributes:
        status: HTTP status.
        code: stable, for programs.
        details: further members of the error's ``extensions``.
    """

    def __init__(self, status: int, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details


def as_graphql(error: PublicError) -> GraphQLError:
    """Return a public error in the form of the graph's own, which takes over its message and extensions."""
    return GraphQLError(error.message, original_error=error)


def unexpected(error: GraphQLError) -> Exception | None:
    """Give the exception behind an error that was never meant for a client; None for public errors.

    graphql-core wraps what a resolver raises, sometimes more than once; only the innermost cause tells.
    """
    cause = _cause(error)
    return None if isinstance(cause, GraphQLError | Problem | PublicError) else cause


def _cause(error: GraphQLError) -> Exception | None:
    cause = error.original_error
    while isinstance(cause, GraphQLError) and cause.original_error is not None:
        cause = cause.original_error
    return cause


def coded(error: GraphQLError, code: str) -> GraphQLError:
    """Give an error its code, unless it has one."""
    error.extensions = {"code": code, **(error.extensions or {})}
    return error


def guarded(error: GraphQLError) -> GraphQLError:
    """Give the error as the client may see it: public ones with a code, all others masked."""
    cause = _cause(error)
    if isinstance(cause, Problem):
        return coded(GraphQLError(cause.message, error.nodes, path=error.path), cause.code)
    if unexpected(error) is None:
        cause = error.original_error
        if not error.extensions and isinstance(cause, GraphQLError) and cause.extensions:
            error.extensions = dict(cause.extensions)
        return coded(error, "BAD_USER_INPUT")
    return GraphQLError(
        "Something went wrong on our side.",
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions={"code": INTERNAL},
    )


def presented(errors: Sequence[GraphQLError]) -> list[GraphQLError]:
    """Guard a result's errors; of those without a place in the answer, the first few are enough.

    Each error with a path stays: without it, the null at its place would say that there is nothing.
    """
    placed = [error for error in errors if error.path is not None]
    placeless = [error for error in errors if error.path is None]
    return [guarded(error) for error in (*placeless[:MAX_ERRORS], *placed)]
