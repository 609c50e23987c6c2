"""Which replica of a service is asked: each in turn, and one that has just failed after all others."""

import time
from collections.abc import Callable

AVOIDED_SECONDS = 1.0
"""How long a replica that could not be reached, or broke off, is asked last. One that was killed refuses at
once, so that asking it again after this time costs nothing."""


class Replicas:
    """The addresses of one service's processes.

    Args:
        addresses: ``http://host:port``; several, separated by commas, where the service has replicas.
        clock: seconds of a clock that only runs forward.

    Attributes:
        addresses: each of them, without a trailing slash.
    """

    def __init__(self, addresses: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.addresses = tuple(one.strip().rstrip("/") for one in addresses.split(","))
        self._clock = clock
        self._turn = 0
        self._avoided_until = dict.fromkeys(self.addresses, 0.0)

    def order(self) -> list[str]:
        """Return in which order the addresses are tried for the next request, each once."""
        turn, self._turn = self._turn, (self._turn + 1) % len(self.addresses)
        moment = self._clock()
        return sorted(
            (*self.addresses[turn:], *self.addresses[:turn]),
            key=lambda one: self._avoided_until[one] > moment,
        )

    def failed(self, address: str) -> None:
        """Note that an address could not be reached, or broke off."""
        self._avoided_until[address] = self._clock() + AVOIDED_SECONDS

    def answered(self, address: str) -> None:
        """Note that an address has answered."""
        self._avoided_until[address] = 0.0
