"""The settings and the environment that processes of tests run with."""

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from services.shared.callers import SIGNING
from services.shared.process_keys import new_private_key, public_key_of
from services.shared.settings import SERVICES, ServiceName, Settings

ROOT = Path(__file__).resolve().parent.parent
FACTORIES: dict[ServiceName, str] = {
    "account": "services.gateway.app:create_app",
    "dice": "services.dice.app:create_app",
    "character": "services.character.app:create_app",
    "campaign": "services.campaign.app:create_app",
    "map": "services.map.app:create_app",
}
EVERYTHING = frozenset({"read", "write", "admin"})
PRIVATE_KEY = new_private_key()
"""Of every process here, since several run with the same settings; on the product each has its own."""
PUBLIC_KEYS = {name: [public_key_of(PRIVATE_KEY)] for name in SIGNING}


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def installation(
    data_dir: Path, valkey_url: str, databases: Mapping[ServiceName, str], ports: Mapping[ServiceName, int]
) -> Settings:
    """Make the settings of an installation; what is not given leads nowhere."""
    addresses: dict[str, Any] = {
        f"database_url_{name}": databases.get(name, "sqlite://") for name in SERVICES
    }
    addresses |= {f"{name}_url": f"http://127.0.0.1:{ports.get(name, 1)}" for name in SERVICES}
    return Settings(
        data_dir=data_dir,
        private_key=PRIVATE_KEY,
        public_keys=PUBLIC_KEYS,
        key_pepper="pepper-" * 10,
        dice_secret="dice-" * 10,
        redis_url=valkey_url,
        public_url="http://127.0.0.1:4000",
        **addresses,
    )


def environment(settings: Settings) -> dict[str, str]:
    """Write settings as the environment of a process."""
    own = {
        str(field.validation_alias): json.dumps(value) if isinstance(value, dict) else str(value)
        for name, field in Settings.model_fields.items()
        if (value := getattr(settings, name)) is not None
    }
    return {**os.environ, **own, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
