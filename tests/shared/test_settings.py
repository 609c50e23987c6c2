"""Settings: what each process reads of its environment, and how it is written there."""

import json
import re
from pathlib import Path

import pytest

from infra.launch.bootstrap import ROOT
from services.shared.process_keys import new_private_key, public_key_of
from services.shared.settings import PROCESSES, SERVICES, DiceSettings, Settings, variables
from tests.house import PRIVATE_KEY, PUBLIC_KEYS, environment

SECRET = "s" * 40


def settings_with(**changes: object) -> Settings:
    url = "sqlite:///x"
    known = {
        "data_dir": Path(),
        "private_key": PRIVATE_KEY,
        "public_keys": PUBLIC_KEYS,
        "key_pepper": SECRET,
        "dice_secret": SECRET,
        "redis_url": "redis://r:6379/2",
        **{f"database_url_{name}": url for name in ("account", "dice", "character", "campaign", "map")},
        **{f"{name}_url": "http://h/" for name in ("account", "dice", "character", "campaign", "map")},
    }
    return Settings(**{**known, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_url", "used"),
    [
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("postgresql+asyncpg://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("sqlite:////a/b.db", "sqlite:////a/b.db"),
    ],
)
def test_database_addresses_are_taken_as_hosting_providers_write_them(given_url: str, used: str) -> None:
    assert settings_with(database_url_dice=given_url).database_url("dice") == used


def test_celery_gets_the_address_in_its_own_spelling() -> None:
    assert settings_with().broker_url == "redis://r:6379/2"
    found = settings_with(redis_url="unix:///tmp/v.sock?db=3").broker_url
    assert found == "redis+socket:///tmp/v.sock?virtual_host=3"


def test_short_secrets_are_refused() -> None:
    with pytest.raises(ValueError, match="32"):
        settings_with(dice_secret="short")


@pytest.mark.parametrize(
    ("given_keys", "says"),
    [
        ({"private_key": "short"}, "private key"),
        ({"private_key": PUBLIC_KEYS["dice"][0]}, "private key"),
        ({"public_keys": {"dice": "short"}}, "public key"),
        ({"public_keys": {"dice": []}}, "1 to 2 public keys"),
        ({"public_keys": {"dice": PUBLIC_KEYS["dice"] * 3}}, "1 to 2 public keys"),
    ],
    ids=["short", "public", "short-public", "none", "three"],
)
def test_keys_that_are_none_are_refused(given_keys: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        settings_with(**given_keys)


def test_one_public_key_is_written_as_it_is_and_two_as_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = PUBLIC_KEYS["dice"][0], public_key_of(new_private_key())
    for name, value in environment(settings_with()).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HEARTHFORGE_PUBLIC_KEYS", json.dumps({"dice": [new, old], "map": old}))
    assert DiceSettings().public_keys == {"dice": [new, old], "map": [old]}


def test_secrets_do_not_show_in_printed_settings() -> None:
    shown = repr(settings_with(key_pepper="p" * 40, dice_secret="d" * 40))
    assert not [secret for secret in (PRIVATE_KEY, "p" * 40, "d" * 40) if secret in shown]


def test_no_process_reads_all_settings() -> None:
    whole = set(Settings.model_fields)
    assert [name for name, settings in PROCESSES.items() if whole <= set(settings.model_fields)] == []


@pytest.mark.parametrize(
    ("variable", "readers"),
    [
        ("HEARTHFORGE_KEY_PEPPER", {"account", "key", "backup"}),
        ("HEARTHFORGE_DICE_SECRET", {"dice", "backup"}),
        ("HEARTHFORGE_PRIVATE_KEY", {*SERVICES, "gateway"}),
        ("DATABASE_URL_ACCOUNT", {"account", "key", "migrate", "sweeper", "backup"}),
        ("DATABASE_URL_CHARACTER", {"character", "migrate", "sweeper", "backup"}),
    ],
)
def test_a_secret_is_read_where_it_is_used_alone(variable: str, readers: set[str]) -> None:
    assert {process for process in PROCESSES if variable in variables(process)} == readers


def test_the_gateway_reads_what_is_said_of_it() -> None:
    source = (ROOT / "services/gateway/federation/config.mjs").read_text("utf-8")
    lent = {"HEARTHFORGE_LISTEN_FD", "HEARTHFORGE_LIFE_FD"}  # by the supervisor
    read = set(re.findall(r"\b(?:HEARTHFORGE_[A-Z_]+[A-Z]|REDIS_URL)\b", source)) - lent
    addresses = {f"HEARTHFORGE_{name.upper()}_URL" for name in SERVICES}
    assert read | addresses == variables("gateway")


def test_only_tests_read_all_settings_at_once() -> None:
    whole = re.compile(r"services\.shared\.settings import [^\n]*\bSettings\b")
    files = [file for folder in ("services", "workers", "infra") for file in (ROOT / folder).rglob("*.py")]
    assert [file for file in files if whole.search(file.read_text("utf-8"))] == []


def test_no_process_imports_the_settings_of_another() -> None:
    own = {"services/gateway/app.py": "AccountSettings"} | {
        f"services/{name}/app.py": f"{name.capitalize()}Settings" for name in SERVICES if name != "account"
    }
    for file, settings in own.items():
        source = (ROOT / file).read_text("utf-8")
        assert re.findall(r"\b[A-Z][a-z]*Settings\b", source) == [settings, settings], file
