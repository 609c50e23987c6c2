"""The compose file: by the published schema, with every process and its variables, open at the door alone."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema

from infra.deploy.secrets import DATABASES, write_compose
from infra.launch.data_folder import open_folder
from infra.launch.servers import valkey_command
from services.shared.settings import SERVICES, required_variables, variables
from tests.infra.deployments import (
    COMMANDS,
    DEPLOY,
    FILES,
    PRODUCT,
    compose,
    compose_schema,
    image_command,
    ours,
)

SERVICE_PARTS: Mapping[str, Any] = compose()["services"]


def target_of(name: str) -> str:
    return str(re.sub(r"^hearthforge/(\w+):.*", r"\1", SERVICE_PARTS[name]["image"]))


def test_it_keeps_to_the_schema_of_compose_files() -> None:
    schema = compose_schema()
    jsonschema.validators.validator_for(schema)(schema).validate(compose())


def test_every_process_of_the_product_is_there() -> None:
    assert set(SERVICE_PARTS) == PRODUCT | {"postgres", "valkey"}


def test_a_process_runs_its_command_in_an_image_that_is_built() -> None:
    built = {name: part["build"]["target"] for name, part in SERVICE_PARTS.items() if "build" in part}
    assert all(target_of(name) == target for name, target in built.items())
    for name in PRODUCT:
        assert target_of(name) in built.values(), name
        assert tuple(SERVICE_PARTS[name].get("command", image_command(target_of(name)))) == COMMANDS[name], (
            name
        )


def test_a_process_is_given_what_it_reads_and_nothing_else(tmp_path: Path) -> None:
    files = write_compose(open_folder(tmp_path))
    for name in PRODUCT:
        (file,) = SERVICE_PARTS[name]["env_file"]
        assert file == {"path": f"${{HEARTHFORGE_SECRETS:-./secrets}}/env/{name}.env", "format": "raw"}
        lines = (files / f"{name}.env").read_text().splitlines()
        secret = {line.partition("=")[0] for line in lines}
        plain = set(SERVICE_PARTS[name].get("environment", {}))
        assert not secret & plain
        assert required_variables(name) <= secret | plain, name
        assert ours(secret | plain) <= variables(name), name


def test_addresses_lead_to_the_port_that_a_service_listens_on() -> None:
    for name in PRODUCT:
        for variable, value in SERVICE_PARTS[name].get("environment", {}).items():
            found = re.fullmatch(r"HEARTHFORGE_(ACCOUNT|DICE|CHARACTER|CAMPAIGN|MAP)_URL", variable)
            if found:
                assert value == f"http://{found[1].lower()}:8000"


def test_only_the_gateway_is_reached_from_outside() -> None:
    assert {name for name, part in SERVICE_PARTS.items() if part.get("ports")} == {"gateway"}
    assert {name for name, part in SERVICE_PARTS.items() if "outside" in part["networks"]} == {"gateway"}
    assert compose()["networks"]["inside"] == {"internal": True}
    assert all("inside" in part["networks"] for part in SERVICE_PARTS.values())
    assert "-127.0.0.1:4000}" in SERVICE_PARTS["gateway"]["ports"][0]


def test_processes_wait_for_migrations_and_servers() -> None:
    for name in PRODUCT - {"migrate", "gateway"}:
        waits = {other: how["condition"] for other, how in SERVICE_PARTS[name]["depends_on"].items()}
        assert waits == {"migrate": "service_completed_successfully", "valkey": "service_healthy"}
    assert SERVICE_PARTS["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert set(SERVICE_PARTS["gateway"]["depends_on"]) == set(SERVICES)


def test_processes_have_no_privileges_and_a_limit() -> None:
    for name in PRODUCT:
        part = SERVICE_PARTS[name]
        assert part["read_only"] is True
        assert part["cap_drop"] == ["ALL"]
        assert part["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}


def test_those_who_keep_files_share_them() -> None:
    sharing = {
        name for name in PRODUCT if "files:/var/lib/hearthforge" in SERVICE_PARTS[name].get("volumes", [])
    }
    assert sharing == FILES


def test_postgres_makes_a_database_for_each_service() -> None:
    made = re.findall(
        r"^CREATE DATABASE (\w+);$", (DEPLOY / "postgres/databases.sql").read_text("utf-8"), re.M
    )
    assert made == list(DATABASES)


def test_valkey_keeps_what_it_is_told_as_under_infra_up(tmp_path: Path) -> None:
    words = valkey_command(tmp_path / "valkey", tmp_path / "socket")
    command = json.dumps(SERVICE_PARTS["valkey"]["command"])
    for setting in ("--appendonly", "--appendfsync", "--maxmemory-policy"):
        value = words[words.index(setting) + 1]
        assert f"{setting} {value}" in command
