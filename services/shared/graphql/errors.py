"""Errors that leave a service, and with which code.

::

    Exception
    |-- PublicError (a GraphQLError)   said to the client as it is, with its code
    |   UNAUTHENTICATED                no key came with the request
    |   FORBIDDEN                      the key lacks the scope
    |   NOT_FOUND                      a subscription to what is not there
    |   BAD_CURSOR, BAD_PAGE_SIZE, BAD_IDEMPOTENCY_KEY
    |   UNAVAILABLE                    another part of the house does not answer
    |-- Refused                        ends the request before GraphQL begins, with an HTTP status
    |   UNSIGNED (401)                 the call does not come from the gateway
    `-- anything else                  INTERNAL: logged with the request id, masked for the client

What GraphQL itself finds wrong with a document is public too: ``GRAPHQL_PARSE_FAILED``,
``GRAPHQL_VALIDATION_FAILED``, ``QUERY_TOO_COMPLEX``, ``BAD_USER_INPUT``.
"""

from graphql import GraphQLError


class PublicError(GraphQLError):
    """An error whose message is meant for the client.

    Args:
        code: stable, for programs.
        message: for people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, extensions={"code": code})


class Refused(Exception):
    """A request that is turned away before its operation is looked at.

    Attributes:
        status: HTTP status.
        code: stable, for programs.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
