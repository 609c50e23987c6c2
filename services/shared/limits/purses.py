"""What requests and work are paid from, and how much of it there is.

An account's bucket bounds its owner; a key's, where it has one, the app that holds the key; a network's
bounds whoever opens many accounts at one place: it pays for all traffic that comes from there.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # whoever starts the product reads the limits before its packages are installed
    from services.shared.auth import Viewer

LIMITS: dict[str, Any] = json.loads((Path(__file__).parent / "limits.json").read_text("utf-8"))
"""Every limit that the gateway (Node) and the services (Python) share."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How much a bucket holds, and how fast it fills.

    Attributes:
        capacity: points in a full bucket.
        refill_per_second: points that it gains each second.
    """

    capacity: int
    refill_per_second: float

    @classmethod
    def of(cls, written: Mapping[str, int]) -> "Rate":
        """Reads a rate as ``limits.json`` has it."""
        return cls(written["capacity"], written["refillPerSecond"])


ACCOUNT = Rate.of(LIMITS["account"])
NETWORK = Rate.of(LIMITS["network"])
CAPACITY = ACCOUNT.capacity
REFILL_PER_SECOND: int = LIMITS["account"]["refillPerSecond"]


Limit = Literal["key", "account", "network"]
"""Which limit has refused a charge."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What one bucket is to pay.

    Attributes:
        owner: whose bucket: an account id, ``key:<id>``, a network, ``network:<network>``.
        cost: points.
        rate: of that bucket.
        limit: what it is to a client.
        shared: whether others pay from it too, so that clients are not told what is left in it.
    """

    owner: str
    cost: int
    rate: Rate = ACCOUNT
    limit: Limit = "account"
    shared: bool = False


def of_network(network: str, cost: int) -> Draw:
    """Writes what the bucket of all traffic of a network (an address, or an IPv6 /64) is to pay."""
    return Draw(f"network:{network}", cost, NETWORK, "network", shared=True)


def of_viewer(viewer: "Viewer", network: str, cost: int) -> tuple[Draw, ...]:
    """Writes what a viewer is to pay for a request: by account, by key where that has a limit, by network.

    Args:
        viewer: who asks; a network instead of an account where nobody is signed in.
        network: where the request comes from.
        cost: points.
    """
    if viewer.anonymous:
        return Draw(network, cost, limit="network"), of_network(network, cost)
    return Draw(viewer.account, cost), *of_key(viewer, cost), of_network(network, cost)


def of_key(viewer: "Viewer", cost: int) -> tuple[Draw, ...]:
    """Writes what the bucket of a viewer's key is to pay; nothing where the key has no limit of its own."""
    if viewer.key is None or viewer.limit is None:
        return ()
    return (Draw(f"key:{viewer.key}", cost, Rate(*viewer.limit), "key"),)


@dataclass(frozen=True, slots=True)
class Purse:
    """What one sort of work is paid from.

    Attributes:
        section: the first part of the names of its buckets, with a colon; empty for those of requests.
        account: of each account.
        network: of all accounts at one network together.
        most: points that one piece of work may cost.
    """

    section: str
    account: Rate
    network: Rate
    most: int

    def draws(self, account: str, network: str | None, cost: int) -> tuple[Draw, ...]:
        """Writes what an account, and the network that it asks from, are to pay."""
        own = Draw(f"{self.section}{account}", cost, self.account)
        if network is None:
            return (own,)
        return own, Draw(f"{self.section}network:{network}", cost, self.network, "network", shared=True)


REQUESTS = Purse("", ACCOUNT, NETWORK, LIMITS["operation"])
"""For requests, and for work that is done while the client waits for the answer."""


def background_purse(capacity: int, refill_per_second: float) -> Purse:
    """Makes the purse of work that is done while nobody waits.

    Args:
        capacity: points that an account can save up; one piece of work may cost them all.
        refill_per_second: points that an account gains each second.
    """
    accounts = LIMITS["work"]["accountsOfANetwork"]
    network = Rate(capacity * accounts, refill_per_second * accounts)
    return Purse("work:", Rate(capacity, refill_per_second), network, capacity)


@dataclass(frozen=True, slots=True)
class Charge:
    """What became of a request's cost.

    Attributes:
        allowed: whether every bucket held enough; else nothing was taken from any.
        remaining: points left in the one that holds the fewest, of those that are not shared with others.
        retry_after: whole seconds to wait when they did not.
        limit: which of them takes longest to hold enough then.
        capacity: points of the one that ``remaining`` is of, when it is full.
    """

    allowed: bool
    remaining: int
    retry_after: int
    limit: Limit = "account"
    capacity: int = CAPACITY
