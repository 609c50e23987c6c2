"""What each process is given of the environment: what it reads, and nobody else's secrets."""

import json
from pathlib import Path

import pytest

from infra.launch.data_folder import DataFolder, keep_keys, keep_secrets, open_folder
from infra.launch.environment import Ports, choose_ports, compose, for_process
from infra.launch.processes import APPS, product
from services.shared.process_keys import public_keys_of
from services.shared.settings import EVERY_VARIABLE, PROCESSES, SERVICES, variables

PORTS = Ports(4000, 4001, {service: 5001 + place for place, service in enumerate(SERVICES)})


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return open_folder(tmp_path / "data")


def environments(folder: DataFolder) -> dict[str, dict[str, str]]:
    """The environment of each process, without what is none of ours."""
    own = compose(folder, keep_secrets(folder), PORTS, "127.0.0.1", folder.path, None)
    table = product(own, keep_keys(folder), folder, PORTS, "127.0.0.1", folder.path, None)
    return {
        process.name: {name: value for name, value in process.environment.items() if name in EVERY_VARIABLE}
        for process in table
    }


def test_a_process_is_given_what_it_reads_and_nothing_else(folder: DataFolder) -> None:
    found = environments(folder)
    assert {*APPS, "gateway", "worker", "sweeper", "migrate"} <= set(found)
    for name, given in found.items():
        settings = PROCESSES.get(name)
        fields = () if settings is None else settings.model_fields.values()
        required = {str(field.validation_alias) for field in fields if field.is_required()}
        assert required <= set(given) <= variables(name), name


def test_replicas_have_ports_of_their_own_and_all_else_of_their_service(folder: DataFolder) -> None:
    ports = choose_ports(4000, 3)
    own = compose(folder, keep_secrets(folder), ports, "127.0.0.1", folder.path, None)
    table = {
        process.name: process
        for process in product(own, keep_keys(folder), folder, ports, "127.0.0.1", folder.path, None)
    }
    for service in SERVICES:
        names = [service, f"{service}-2", f"{service}-3"]
        addresses = [f"http://127.0.0.1:{table[name].port}" for name in names]
        assert own[f"HEARTHFORGE_{service.upper()}_URL"].split(",") == addresses
        assert len({table[name].port for name in names}) == 3
        assert table[names[2]].environment == table[service].environment
        assert str(table[names[2]].port) in table[names[2]].command
        assert {*names} <= set(table["gateway"].ask_after)
        assert {*names} <= set(ports.table())
    for part, queue in (("worker", "maps"), ("player", "simulations")):
        hostnames = [table[name].command[-1] for name in (part, f"{part}-2", f"{part}-3")]
        assert hostnames == [f"{queue}@%h", f"{queue}-2@%h", f"{queue}-3@%h"]
    assert {"sweeper", "sweeper-2", "sweeper-3"} <= set(table)
    assert {name for name in table if name.startswith(("gateway", "migrate", "valkey"))} == {
        "gateway",
        "migrate",
        "valkey",
    }


def test_one_process_of_a_service_has_the_address_that_it_always_had(folder: DataFolder) -> None:
    own = compose(folder, keep_secrets(folder), PORTS, "127.0.0.1", folder.path, None)
    assert own["HEARTHFORGE_DICE_URL"] == f"http://127.0.0.1:{PORTS.services['dice']}"


def test_what_is_set_outside_reaches_only_those_who_read_it(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTHFORGE_KEY_PEPPER", "outside-" * 5)
    monkeypatch.setenv("HEARTHFORGE_TRUSTED_PROXY_HOPS", "2")
    monkeypatch.setenv("LANG", "C.UTF-8")
    found = environments(folder)
    assert {name for name, given in found.items() if "outside-" * 5 in given.values()} == {"account"}
    assert {name for name, given in found.items() if "HEARTHFORGE_TRUSTED_PROXY_HOPS" in given} == {"gateway"}
    assert for_process("valkey", {})["LANG"] == "C.UTF-8"


def test_each_process_signs_with_its_own_key_and_services_know_the_public_ones(folder: DataFolder) -> None:
    keys, found = keep_keys(folder), environments(folder)
    variable = "HEARTHFORGE_PRIVATE_KEY"
    signing = {name: given[variable] for name, given in found.items() if variable in given}
    assert signing == keys
    assert len(set(keys.values())) == len(keys) == len(SERVICES) + 1
    for service in SERVICES:
        assert json.loads(found[service]["HEARTHFORGE_PUBLIC_KEYS"]) == public_keys_of(keys)
