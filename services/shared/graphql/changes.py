"""Mutations, and queries that may end in a problem: what is asked in, a union of an answer and problems out.

A mutation is one function::

    @change(VersionConflict)
    async def update_campaign(call: Call[CampaignUseCases], asked: UpdateCampaign) -> CampaignSaved:
        \"""Change a campaign's name or description (GM).\"""
        return CampaignSaved.of(await call.service.campaigns.update(call.viewer, asked, call.key))

From it come the field ``updateCampaign(input: UpdateCampaignInput!): UpdateCampaignResult!``, its input (the
dataclass ``UpdateCampaign`` reflected, with an ``idempotencyKey`` beside its members), the union of
``CampaignSaved`` with the problems that every mutation may end in and those named, and the description. A
problem that is raised is the answer; what was begun in the database before is undone.
"""

import dataclasses
import functools
import inspect
import typing
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

import strawberry
from strawberry.types import Info

from services.shared import problems
from services.shared.auth import KeyScope, Viewer
from services.shared.context import Context
from services.shared.graphql.inputs import mirror_request, to_domain
from services.shared.graphql.lists import refuse_too_long
from services.shared.graphql.problems import problem_type, shown
from services.shared.idempotency import checked_key
from services.shared.problems import NotFound, Problem
from services.shared.wording import camel

S = TypeVar("S")

OF_EVERY_CHANGE = (
    problems.InvalidInput,
    problems.NotFound,
    problems.Forbidden,
    problems.IdempotencyConflict,
    problems.Unavailable,
)


@dataclasses.dataclass(frozen=True, slots=True)
class Call(Generic[S]):
    """One request for a change.

    Attributes:
        info: of the field.
        viewer: who asks, signed in with the scope that it takes.
        key: the idempotency key, if one came along.
    """

    info: Info[Context[S], None]
    viewer: Viewer
    key: str | None

    @property
    def service(self) -> S:
        """The use cases."""
        return self.info.context.service


def change(
    *problems: type[Problem], scope: KeyScope = KeyScope.WRITE, description: str | None = None
) -> Callable[[Callable[[Call[Any], Any], Awaitable[Any]]], Any]:
    """Make a mutation of a function that takes a ``Call`` and what is asked, and returns the answer's type.

    Args:
        problems: that it may end in beside ``OF_EVERY_CHANGE``.
        scope: that the API key needs.
        description: for the schema; the function's docstring when omitted.
    """

    def decorate(carry_out: Callable[[Call[Any], Any], Awaitable[Any]]) -> Any:
        name = _pascal(carry_out.__name__)
        hints = typing.get_type_hints(carry_out, include_extras=True)
        given = mirror_request(hints["asked"], f"{name}Input")
        expected: tuple[type[Problem], ...] = (*OF_EVERY_CHANGE, *problems)

        async def resolve(self: Any, info: Any, input: Any) -> Any:
            asked = None
            try:
                call = Call(info, info.context.signed_in(scope), checked_key(input.idempotency_key))
                refuse_too_long()
                asked = to_domain(input)
                return await carry_out(call, asked)
            except expected as refused:
                if isinstance(refused, NotFound):
                    refused.explain(_at(asked, refused.path))
                return shown(refused)

        resolve.__annotations__ = {
            "info": Info,
            "input": Annotated[given, strawberry.argument(description=_summary(given))],
            "return": result(f"{name}Result", hints["return"], expected),
        }
        resolve.__name__ = carry_out.__name__
        return strawberry.mutation(resolve, description=description or _document(carry_out))

    return decorate


def question(
    *problems: type[Problem], description: str | None = None
) -> Callable[[Callable[..., Awaitable[Any]]], Any]:
    """Make a query's field of a resolver that may raise these problems: it answers with a union.

    Args:
        problems: that it may end in.
        description: for the schema; the resolver's docstring when omitted.
    """

    def decorate(resolver: Callable[..., Awaitable[Any]]) -> Any:
        hints = typing.get_type_hints(resolver, include_extras=True)
        union = result(f"{_pascal(resolver.__name__)}Result", hints.pop("return"), problems)
        signature = inspect.signature(resolver)
        parameters = [
            one.replace(annotation=hints.get(one.name, one.annotation))
            for one in signature.parameters.values()
        ]

        @functools.wraps(resolver)
        async def resolve(*arguments: Any, **named: Any) -> Any:
            try:
                refuse_too_long()
                return await resolver(*arguments, **named)
            except problems as refused:
                return shown(refused)

        resolve.__signature__ = signature.replace(parameters=parameters, return_annotation=union)  # type: ignore[attr-defined]
        resolve.__annotations__ = {**hints, "return": union}
        return strawberry.field(resolve, description=description or _document(resolver))

    return decorate


def result(name: str, answer: Any, problems: Sequence[type[Problem]]) -> Any:
    """Make the union of an answer and the problems that may stand in its place.

    Args:
        name: of the union: ``<Field>Result``.
        answer: the GraphQL type of the good answer.
        problems: the problems' classes.
    """
    members: Any = typing.Union.__getitem__((answer, *(problem_type(kind) for kind in problems)))
    words = f"What `{_field(name)}` answers with."
    return Annotated[members, strawberry.union(name, description=words)]


def _at(asked: Any, path: Sequence[str]) -> Any:
    """Return what stands at a path of a request, as the path is told to clients; None for nothing."""
    for step in path:
        if isinstance(asked, list | tuple) and step.isdecimal() and int(step) < len(asked):
            asked = asked[int(step)]
        elif dataclasses.is_dataclass(asked):
            name = next((one.name for one in dataclasses.fields(asked) if camel(one.name) == step), None)
            asked = None if name is None else getattr(asked, name)
        else:
            return None
    return asked


def _summary(given: Any) -> str:
    """Return what an input says of itself."""
    return str(given.__strawberry_definition__.description or "")


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.strip("_").split("_"))


def _field(name: str) -> str:
    bare = name.removesuffix("Result")
    return bare[:1].lower() + bare[1:]


def _document(function: Any) -> str:
    document = inspect.getdoc(function) or ""
    return " ".join(document.split())
