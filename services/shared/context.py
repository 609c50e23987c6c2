"""What a GraphQL resolver is handed: the viewer, the service's use cases, and loaders for this request."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar, cast

from strawberry.dataloader import DataLoader

from services.shared.auth import KeyScope, Viewer
from services.shared.problems import Forbidden, Problem, PublicError

S = TypeVar("S")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

NEEDS_KEY = (
    "Send an API key: the header `Authorization: Bearer hf_live_...`; on a WebSocket"
    ' `connection_init` with the payload `{"authorization": "Bearer hf_live_..."}`.'
)
"""What who has no key is told by every transport: where that is found out, none knows which it was."""


class Context(Generic[S]):
    """One request's context.

    Attributes:
        viewer: on whose behalf.
        service: the use cases of this process.
        request_id: the id that every part logs for this request.
        turn: held for a moment by each part of a long answer, so that other requests are answered in between.
    """

    def __init__(self, viewer: Viewer, service: S, request_id: str) -> None:
        self.viewer = viewer
        self.service = service
        self.request_id = request_id
        self.turn = asyncio.Lock()
        self._loaders: dict[str, DataLoader[Any, Any]] = {}

    def loader(
        self, name: str, load: Callable[[list[K]], Awaitable[Sequence[V | Problem | None]]]
    ) -> DataLoader[K, V | None]:
        """Give this request's loader of that name, which gathers single look-ups into one.

        It remembers nothing: a context lives as long as its socket or stream, and what was seen or allowed a
        moment ago may no longer be. A problem in the place of what was looked up is raised there alone.
        """
        if name not in self._loaders:
            self._loaders[name] = DataLoader(load_fn=cast("Any", load), cache=False)
        return self._loaders[name]

    def signed_in(self, scope: KeyScope = KeyScope.READ) -> Viewer:
        """Give the viewer, who must be signed in with a key of that scope.

        Raises:
            PublicError: ``UNAUTHENTICATED`` without a key.
            Forbidden: the key lacks the scope.
        """
        if self.viewer.anonymous:
            raise PublicError("UNAUTHENTICATED", NEEDS_KEY)
        if not self.viewer.may(scope):
            raise Forbidden.because(f"This API key lacks the scope {scope.name}.")
        return self.viewer
