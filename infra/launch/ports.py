"""Ports: whether the public one can be had, and free private ones."""

import errno
import random
import socket
from contextlib import ExitStack

from infra.launch.failure import PortFailure

# Below the range that Linux (32768) and macOS (49152) take outgoing connections from, so that none of these
# slips into a port between our look and the service's start.
_PRIVATE = range(20_000, 32_768)


def check_public(host: str, port: int) -> None:
    """Make sure that the public address can be listened on.

    Raises:
        PortFailure: it cannot; names the mend.
    """
    try:
        with bound(host, port):
            pass
    except socket.gaierror:
        raise PortFailure(f"{host} is not an address of this machine; start with --host 127.0.0.1") from None
    except OSError as error:
        if error.errno == errno.EACCES:
            raise PortFailure(f"port {port} needs more rights; start with --port N, N above 1023") from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise PortFailure(
                f"{host} is not an address of this machine; start with --host 127.0.0.1"
            ) from None
        raise PortFailure(f"port {port} is in use; start with --port N") from None


def is_free(port: int) -> bool:
    """Whether a private port can be listened on now."""
    try:
        with bound("127.0.0.1", port):
            return True
    except OSError:
        return False


def free_ports(count: int) -> list[int]:
    """Choose different private ports that nobody listens on."""
    with ExitStack() as holding:
        chosen: list[int] = []
        for port in random.sample(_PRIVATE, 1_000):
            if len(chosen) == count:
                break
            try:
                holding.enter_context(bound("127.0.0.1", port))
            except OSError:
                continue
            chosen.append(port)
    return chosen


def bound(host: str, port: int, *, backlog: int = 1) -> socket.socket:
    """Open a socket that listens on an address.

    Raises:
        OSError: the address cannot be listened on.
    """
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # As servers do: a connection that is only fading away must not count as a listener.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        # macOS lets a second socket bind next to a wildcard listener; listening tells.
        listener.listen(backlog)
    except OSError:
        listener.close()
        raise
    return listener
