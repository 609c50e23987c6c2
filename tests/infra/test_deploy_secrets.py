"""The secrets of a deployment: made once, each process given its own, in the forms that engines read."""

import json
import stat
from pathlib import Path

import pytest

from infra.deploy.secrets import (
    BUCKET_KEYS,
    DEPLOYED,
    VariableMissing,
    kubernetes_secrets,
    main,
    set_outside,
    write_compose,
)
from infra.launch.data_folder import DataFolder, keep_keys, keep_secrets, open_folder
from services.shared.process_keys import public_key_of
from services.shared.settings import PROCESSES, SERVICES, secret_variables
from tests.infra.deployments import PRODUCT


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return open_folder(tmp_path / "secrets")


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "rediss://table:a%40b@valkey.example.org:6380/0")
    for service in SERVICES:
        monkeypatch.setenv(f"DATABASE_URL_{service.upper()}", f"postgresql://u:p@db.example.org/{service}")


def read(file: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


def test_every_process_of_the_product_gets_its_own_secrets_and_no_others(folder: DataFolder) -> None:
    env = write_compose(folder)
    assert set(DEPLOYED) == PRODUCT
    for process in PRODUCT:
        assert set(read(env / f"{process}.env")) == secret_variables(process) - set(BUCKET_KEYS)


def test_what_is_secret_is_what_is_not_shown_in_printed_settings() -> None:
    assert secret_variables("worker") == {
        *("REDIS_URL", "DATABASE_URL_MAP", "DATABASE_URL_CAMPAIGN"),
        *("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
    }
    assert secret_variables("gateway") == {"REDIS_URL", "HEARTHFORGE_PRIVATE_KEY"}
    assert "HEARTHFORGE_KEY_PEPPER" in secret_variables("account")
    for process in PROCESSES:
        assert not {"HEARTHFORGE_DATA_DIR", "HEARTHFORGE_PUBLIC_URL"} & secret_variables(process)


def test_they_are_made_once_and_are_their_owners_alone(folder: DataFolder) -> None:
    env = write_compose(folder)
    first = {file.name: file.read_text() for file in env.iterdir()}
    assert {stat.S_IMODE(file.stat().st_mode) for file in env.iterdir()} == {0o600}
    assert {file.name: file.read_text() for file in write_compose(folder).iterdir()} == first


def test_they_are_those_of_the_folder(folder: DataFolder) -> None:
    env = write_compose(folder)
    assert read(env / "account.env")["HEARTHFORGE_KEY_PEPPER"] == keep_secrets(folder).key_pepper
    assert read(env / "dice.env")["HEARTHFORGE_DICE_SECRET"] == keep_secrets(folder).dice_secret
    keys = keep_keys(folder)
    for process, key in keys.items():
        assert read(env / f"{process}.env")["HEARTHFORGE_PRIVATE_KEY"] == key
    public = json.loads(read(env / "map.env")["HEARTHFORGE_PUBLIC_KEYS"])
    assert public == {process: [public_key_of(key)] for process, key in keys.items()}


def test_processes_know_the_servers_of_the_compose_file_by_their_passwords(folder: DataFolder) -> None:
    env = write_compose(folder)
    password = read(env / "postgres.env")["POSTGRES_PASSWORD"]
    assert (
        read(env / "map.env")["DATABASE_URL_MAP"] == f"postgresql://hearthforge:{password}@postgres:5432/map"
    )
    assert (
        read(env / "map.env")["REDIS_URL"]
        == f"redis://:{read(env / 'valkey.env')['VALKEY_PASSWORD']}@valkey:6379/0"
    )


@pytest.mark.usefixtures("servers")
def test_what_is_set_outside_goes_first(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTHFORGE_KEY_PEPPER", "outside-" * 5)
    monkeypatch.setenv("HEARTHFORGE_PRIVATE_KEY", "of some process")  # not of each
    env = write_compose(folder)
    assert read(env / "account.env")["HEARTHFORGE_KEY_PEPPER"] == "outside-" * 5
    assert read(env / "map.env")["DATABASE_URL_MAP"] == "postgresql://u:p@db.example.org/map"
    assert read(env / "map.env")["HEARTHFORGE_PRIVATE_KEY"] == keep_keys(folder)["map"]
    assert "HEARTHFORGE_PRIVATE_KEY" not in set_outside()


@pytest.mark.usefixtures("servers")
def test_kubernetes_gets_a_secret_for_each_process_and_one_for_the_autoscaler(folder: DataFolder) -> None:
    items = kubernetes_secrets(folder)["items"]
    found = {each["metadata"]["name"]: each["stringData"] for each in items}
    assert set(found) == {*(f"hearthforge-{process}" for process in PRODUCT), "hearthforge-queue"}
    assert found["hearthforge-queue"] == {
        "address": "valkey.example.org:6380",
        "username": "table",
        "password": "a@b",
    }
    assert found["hearthforge-dice"]["DATABASE_URL_DICE"] == "postgresql://u:p@db.example.org/dice"


@pytest.mark.usefixtures("servers")
def test_the_keys_of_a_bucket_become_a_secret_where_they_are_set(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {"AWS_ACCESS_KEY_ID": "one", "AWS_SECRET_ACCESS_KEY": "two"}
    for name, value in keys.items():
        monkeypatch.setenv(name, value)
    items = kubernetes_secrets(folder)["items"]
    assert [each["stringData"] for each in items if each["metadata"]["name"] == "hearthforge-bucket"] == [
        keys
    ]


def test_a_server_that_is_not_named_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    with pytest.raises(VariableMissing, match=r"DATABASE_URL_ACCOUNT, REDIS_URL"):
        kubernetes_secrets(open_folder(tmp_path))
    assert main([str(tmp_path), "kubernetes"]) == 1
    assert "set it and start again" in capsys.readouterr().err


@pytest.mark.usefixtures("servers")
def test_the_command_prints_what_kubectl_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "kubernetes"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "List"
