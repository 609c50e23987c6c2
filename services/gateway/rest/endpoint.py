"""One path with its verb: what is asked for there, what is answered, and who does it.

Whether an endpoint was made from an operation of the graph or is written by hand, its requests are read and
checked alike (``requests``), it is described alike (``openapi``) and found alike (``routes``).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.visitor import Price
from services.shared.auth import KeyScope, Viewer
from services.shared.limits.values import USUAL, Values

Schema = Mapping[str, Any]
Place = Literal["path", "query", "header"]
JSON = "application/json"

IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A part of the address, or a header.

    Attributes:
        name: as it is sent.
        place: where.
        schema: of its value.
        description: in plain words.
        required: whether it must be given.
        examples: if there are any.
    """

    name: str
    place: Place
    schema: Schema
    description: str = ""
    required: bool = False
    examples: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Body:
    """What a request holds.

    Attributes:
        content: schemas, by media type.
        description: in plain words.
        examples: of JSON.
    """

    content: Mapping[str, Schema]
    description: str = ""
    examples: tuple[Any, ...] = ()

    @property
    def json(self) -> Schema | None:
        """The schema of JSON that is checked here; None for a file."""
        return self.content[JSON] if len(self.content) == 1 and JSON in self.content else None


@dataclass(frozen=True, slots=True)
class Answer:
    """The good answer.

    Attributes:
        status: of HTTP.
        description: what it means.
        content: schemas, by media type.
        headers: beside those that every answer has.
        kept: whether a client that has it is told so, with 304.
        linked: whether a client that asks for it may be told where to read it, with 307.
    """

    status: int
    description: str
    content: Mapping[str, Schema]
    headers: tuple[str, ...] = ()
    kept: bool = False
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A sound request.

    Attributes:
        request: as it came.
        viewer: who asks.
        given: parameters, by name: those that were sent, and those that have a default.
        body: JSON; None where there is none.
    """

    request: Request
    viewer: Viewer
    given: Mapping[str, Any]
    body: Any = None


Handle = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One path with its verb.

    Attributes:
        id: of the operation, for programs that are generated.
        method: of HTTP.
        path: with its parameters in braces.
        tag: the heading that it stands under.
        summary: a few words.
        description: plain words.
        price: points that it costs.
        answer: the good one.
        problems: statuses beyond those that all endpoints have.
        handle: does it.
        scope: that the key must have.
        also: further scopes that it must have; only where they are ``checked``.
        checked: whether the scope is asked for here, and not by a service.
        parameters: of the address and the headers.
        body: if there is one.
        open: whether no key is needed.
        values: how many its body may hold.
    """

    id: str
    method: str
    path: str
    tag: str
    summary: str
    description: str
    price: Price
    answer: Answer
    handle: Handle
    problems: frozenset[int] = frozenset()
    scope: KeyScope = KeyScope.READ
    also: tuple[KeyScope, ...] = ()
    checked: bool = False
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    open: bool = False
    values: Values = USUAL
