"""Endpoints out of operations of the graph: each file of ``schema/operations`` with ``@rest`` is one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from http import HTTPMethod
from typing import Any

from starlette.responses import Response

from services.gateway.rest.answers import A_WHILE, REVALIDATE, Shaper, made, shown
from services.gateway.rest.asked import Asked
from services.gateway.rest.codes import CODES
from services.gateway.rest.endpoint import Call, Endpoint
from services.gateway.rest.forms import snake
from services.gateway.rest.operation import Operation
from services.gateway.rest.problems import Refusal, not_found
from services.gateway.rest.shapes import Shapes
from services.gateway.rest.shown import Shown
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DRAWN, LIST, LOOK, ORDER, OWN, WRITE, Price, paged
from services.shared.auth import KeyScope
from services.shared.limits.values import values_of

PRICES: Mapping[str, Price] = {
    "OWN": OWN,
    "LOOK": LOOK,
    "LIST": LIST,
    "PAGE": paged,
    "DRAWN": DRAWN,
    "WRITE": WRITE,
    "ORDER": ORDER,
}


def status_of(problem: str) -> int:
    """Returns the status of a type of problem, which is called as its code is: ``NotFound``."""
    status = CODES[snake(problem).upper()].status
    assert status is not None
    return status


@dataclass(frozen=True)
class GraphEndpoint:
    """An operation as an endpoint.

    Attributes:
        operation: with ``@rest``.
        shapes: makes and keeps schemas.
    """

    operation: Operation
    shapes: Shapes

    @cached_property
    def asked(self) -> Asked:
        """What it asks for."""
        return Asked(self.operation, self.shapes, self.shown.numbered is not None)

    @cached_property
    def shown(self) -> Shown:
        """What it answers."""
        return Shown(self.operation, self.shapes)

    def problems(self) -> frozenset[int]:
        """Lists the statuses of what can go wrong, beyond those that every endpoint has."""
        told = {status_of(one) for one in self.operation.problems}
        asked = {404} if self.asked.parts or self.operation.said["absent"] else set()
        return frozenset(told | asked)

    def price(self) -> Price:
        """Returns what it costs."""
        looked = "PAGE" if self.shown.is_page else "LIST" if self.shown.is_list else "LOOK"
        return PRICES[self.operation.said.get("price") or ("WRITE" if self.operation.mutates else looked)]

    async def _found(self, graphs: Subgraphs, call: Call) -> Any:
        asked, told = self.asked.variables(call), self.asked.told(call)
        try:
            return await graphs.ask(call.viewer, self.operation, asked, told=told)
        except Refusal as refusal:
            codes = {issue["code"] for issue in refusal.more.get("issues", ())}
            if codes & set(self.operation.said["absent"]):
                raise not_found(self.operation.steps[0]) from refusal
            raise

    def endpoint(self, graphs: Subgraphs) -> Endpoint:
        """Makes the endpoint."""
        rest, asked = self.operation.said, self.asked
        shaper = Shaper(self.shown.thing[1], self.operation.fragments, self.shown.numbered)
        get, location = rest["method"] == HTTPMethod.GET, rest.get("location")

        async def handle(call: Call) -> Response:
            found = await self._found(graphs, call)
            await graphs.name(call.viewer, shaper.people(found))
            value = shaper.shape(found)
            if get:
                lasting = rest["lasting"] and not any(name in call.given for name in rest["unless"])
                return shown(call.request, value, cache=A_WHILE if lasting else REVALIDATE)
            return made(value, status=rest["status"], location=location and location.format(**value))

        return Endpoint(
            id=self.operation.word[:1].lower() + self.operation.word[1:],
            method=str(rest["method"]),
            path=asked.path,
            tag=str(rest["tag"]),
            summary=str(rest["summary"]),
            description=self.operation.description,
            price=self.price(),
            answer=self.shown.answer(),
            handle=handle,
            problems=self.problems(),
            scope=KeyScope[rest.get("scope") or ("WRITE" if self.operation.mutates else "READ")],
            parameters=asked.parameters(),
            body=asked.body(),
            open=bool(rest["open"]),
            values=values_of([self.operation.root_name]),
        )
