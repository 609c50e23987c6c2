"""The socket that the lives of a process accept from."""

import socket
import sys

import pytest

from infra.launch.handover import UNSENT_SECONDS, listen


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels have no such option")
def test_accepted_connections_end_when_what_is_sent_stays_unacknowledged() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            patience = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert patience == UNSENT_SECONDS * 1000 == 30_000
