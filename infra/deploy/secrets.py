"""The secrets of a deployment: ``python -m infra.deploy.secrets FOLDER compose|kubernetes``.

FOLDER keeps what is made the first time (mode 0600, in the form of a data folder) and must be backed up:
every API key hangs on the pepper, every sealed seed on the dice secret. The variables that are set where the
command runs go before what the folder keeps. Each process is given those that it reads and no others.

``compose``     writes FOLDER/env: one file of variables a process, and one each for PostgreSQL and Valkey,
                whose passwords are made as well
``kubernetes``  prints a List of Secrets for ``kubectl apply -f -``: one a process, ``hearthforge-queue`` for
                the autoscaler and, where the keys of a bucket are set, ``hearthforge-bucket``. ``REDIS_URL``
                and ``DATABASE_URL_*`` must be set: those servers are not ours.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from infra.launch.data_folder import (
    DataFolder,
    held,
    keep_keys,
    keep_passwords,
    keep_secrets,
    open_folder,
    write_private,
)
from infra.launch.environment import outside, signing
from infra.launch.failure import Failure, FolderFailure
from services.shared.settings import PROCESSES, SERVICES, required_variables, secret_variables

DEPLOYED = (*SERVICES, "gateway", "worker", "player", "sweeper", "migrate")
"""The processes of a deployment, by their names in ``services.shared.settings.PROCESSES``."""

COMPOSE_SERVERS = ("postgres", "valkey")
POSTGRES_USER = "hearthforge"
DATABASES = {service: f"DATABASE_URL_{service.upper()}" for service in SERVICES}
BUCKET_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
"""What opens a bucket: the same for all that keep files, and so a Secret by itself."""


class VariableMissing(Failure):
    """A variable must be set where the command runs."""


def own_secrets(folder: DataFolder, known: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the secret variables of each process, by its name, but for the keys of a bucket.

    Args:
        folder: keeps the keys, the pepper and the dice secret; held.
        known: the addresses of databases and Valkey, and whatever else goes before what the folder keeps.

    Raises:
        FolderFailure: what the folder keeps cannot be used.
        VariableMissing: a process needs one that neither ``known`` nor the folder has.
    """
    kept, keys = keep_secrets(folder), keep_keys(folder)
    found = {"HEARTHFORGE_KEY_PEPPER": kept.key_pepper, "HEARTHFORGE_DICE_SECRET": kept.dice_secret, **known}
    environments = {}
    for process in DEPLOYED:
        values = {**found, **signing(process, keys)}
        reads = secret_variables(process) - set(BUCKET_KEYS)
        if missing := sorted((reads & required_variables(process)) - values.keys()):
            raise VariableMissing(f"{process} needs {', '.join(missing)}; set it and start again")
        environments[process] = {name: values[name] for name in sorted(reads & values.keys())}
    return environments


def set_outside() -> dict[str, str]:
    """Return the secret variables that are set where the command runs, but for the keys of processes."""
    names = frozenset().union(*map(secret_variables, PROCESSES))
    kept = names - {"HEARTHFORGE_PRIVATE_KEY", "HEARTHFORGE_PUBLIC_KEYS"}
    return {name: value for name in sorted(kept) if (value := outside(name)) is not None}


def write_compose(folder: DataFolder) -> Path:
    """Write the files of variables that ``compose.yaml`` names; returns their folder.

    Raises:
        FolderFailure: what the folder keeps cannot be used, or the files cannot be written.
    """
    passwords = keep_passwords(folder, COMPOSE_SERVERS)
    inside = {
        "REDIS_URL": f"redis://:{passwords['valkey']}@valkey:6379/0",
        **{
            variable: f"postgresql://{POSTGRES_USER}:{passwords['postgres']}@postgres:5432/{service}"
            for service, variable in DATABASES.items()
        },
    }
    files = {
        **own_secrets(folder, {**inside, **set_outside()}),
        "postgres": {"POSTGRES_PASSWORD": passwords["postgres"]},
        "valkey": {"VALKEY_PASSWORD": passwords["valkey"]},
    }
    target = folder.path / "env"
    try:
        target.mkdir(exist_ok=True, mode=0o700)
        for name, values in files.items():
            lines = [f"{variable}={value}\n" for variable, value in values.items()]
            write_private(target / f"{name}.env", "".join(lines))
    except OSError as error:
        raise FolderFailure(f"cannot write to {target} ({error.strerror})") from None
    return target


def kubernetes_secrets(folder: DataFolder) -> dict[str, Any]:
    """Return the List of Secrets that the manifests name.

    Raises:
        FolderFailure: what the folder keeps cannot be used.
        VariableMissing: the address of a database or of Valkey is not set.
    """
    environments = own_secrets(folder, set_outside())
    secrets = {f"hearthforge-{process}": values for process, values in environments.items()}
    secrets["hearthforge-queue"] = _queue_address(environments["worker"]["REDIS_URL"])
    bucket = {name: value for name in BUCKET_KEYS if (value := outside(name)) is not None}
    if bucket:
        secrets["hearthforge-bucket"] = bucket
    return {
        "apiVersion": "v1",
        "kind": "List",
        "items": [
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": values}
            for name, values in secrets.items()
        ],
    }


def _queue_address(redis_url: str) -> dict[str, str]:
    """Return Valkey's address in the words of KEDA's scaler: host:port, user, password; empty without one."""
    parts = urlsplit(redis_url)
    return {
        "address": f"{parts.hostname}:{parts.port or 6379}",
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
    }


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m infra.deploy.secrets",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="keeps the secrets")
    parser.add_argument("target", choices=("compose", "kubernetes"))
    options = parser.parse_args(None if arguments is None else list(arguments))
    try:
        folder = open_folder(options.folder)
        with held(folder):
            if options.target == "compose":
                print(f"wrote {write_compose(folder)}", file=sys.stderr)
            else:
                json.dump(kubernetes_secrets(folder), sys.stdout, indent=1)
                print()
    except Failure as failure:
        print(f"secrets: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
