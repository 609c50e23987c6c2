"""Whatever a socket is sent, it is closed with the code that says why; the protocols' own clients are served."""

import pytest

from infra.gates.protocols import WAYS, clients, closed_with
from tests.e2e.table import World


@pytest.mark.parametrize("name", WAYS)
def test_misbehaving_socket_is_closed_with_the_right_code(door_world: World, name: str) -> None:
    assert closed_with(door_world.player, WAYS[name], door_world.campaign) in WAYS[name].codes


def test_clients_of_both_protocols_are_served(door_world: World) -> None:
    *missed, sum_of_them = clients(door_world)
    assert missed == []
    assert sum_of_them == "9/9 ok"
