"""The manifests of infra/deploy as tests read them: compose file, built overlays, stages of images."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import check_jsonschema
import yaml
from jsonschema import Draft202012Validator
from kubernetes_validate.utils import schema_contents
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from infra.launch.bootstrap import ROOT
from infra.launch.processes import APPS, CELERY, WORKERS
from services.shared.settings import PROCESSES, FileSettings

DEPLOY = ROOT / "infra" / "deploy"
TOOLS = Path(sys.executable).parent
OVERLAYS = ("small", "large")

PRODUCT = {*APPS, "gateway", *(name for name, *_ in WORKERS), "sweeper", "migrate"}
"""The processes that ``infra/up`` starts, but for the servers."""

FILES = {
    name for name, settings in PROCESSES.items() if name in PRODUCT and issubclass(settings, FileSettings)
}
"""Who keeps files, and so mounts the volume of files or reads the bucket's address."""

COMMANDS: Mapping[str, tuple[str, ...]] = {
    **{
        name: ("python", "-m", "services.shared.serve", app, "--host", "0.0.0.0", "--port", "8000")
        for name, app in APPS.items()
    },
    **{
        name: ("python", "-m", *CELERY, "--concurrency", "1", "--queues", queue, "--hostname", f"{queue}@%h")
        for name, queue, _ in WORKERS
    },
    "gateway": ("node", "gateway.mjs"),
    "sweeper": ("python", "-m", "workers.sweeper"),
    "migrate": ("python", "-m", "services.shared.migrate"),
}
"""What each process runs in its container: what ``infra/up`` runs, on an address that others reach."""


def ours(names: set[str]) -> set[str]:
    """Of some variables those that our settings would know: no typing error may hide among the others."""
    return {name for name in names if re.match(r"HEARTHFORGE_|DATABASE_URL|REDIS_URL|OTEL_", name)}


# compose


@cache
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def compose_schema() -> dict[str, Any]:
    file = Path(str(check_jsonschema.__file__)).parent / "builtin_schemas/vendor/compose-spec.json"
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


# Kubernetes


@cache
def built(overlay: str) -> tuple[dict[str, Any], ...]:
    """All objects of an overlay, as ``kubectl apply -k`` would send them."""
    folder = DEPLOY / "kubernetes" / "overlays" / overlay
    done = subprocess.run(
        [TOOLS / "kubectl", "kustomize", folder], check=True, capture_output=True, text=True, timeout=60
    )
    return tuple(yaml.safe_load_all(done.stdout))


@cache
def definitions(version: str) -> Registry[Any]:
    """What the schemas of one version of Kubernetes refer to; read once, since it is a megabyte."""
    known = schema_contents(f"kubernetes-json-schema/v{version}.0-local-strict/_definitions.json", version)
    resource = Resource.from_contents(known, default_specification=DRAFT202012)
    return Registry().with_resource("_definitions.json", resource).crawl()


def schema_errors(each: Mapping[str, Any], version: str) -> list[str]:
    """What an object has that its published schema, which is closed, does not allow.

    Args:
        each: an object of Kubernetes' own kinds.
        version: of Kubernetes, such as 1.37.
    """
    group, _, kind_version = each["apiVersion"].rpartition("/")
    name = "-".join(filter(None, (each["kind"].lower(), group.partition(".")[0], kind_version)))
    schema = schema_contents(f"kubernetes-json-schema/v{version}.0-local-strict/{name}.json", version)
    found = Draft202012Validator(schema, registry=definitions(version)).iter_errors(each)
    return [f"{error.json_path}: {error.message}" for error in found]


def named(overlay: str, kind: str) -> dict[str, dict[str, Any]]:
    """The objects of one kind, by their names."""
    return {each["metadata"]["name"]: each for each in built(overlay) if each["kind"] == kind}


def workloads(overlay: str) -> dict[str, dict[str, Any]]:
    """The Deployments and the Job, by their names, which are those of their processes."""
    return {**named(overlay, "Deployment"), **named(overlay, "Job")}


def pod(workload: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = workload["spec"]["template"]["spec"]
    return found


def container(workload: Mapping[str, Any]) -> dict[str, Any]:
    (found,) = pod(workload)["containers"]
    return dict(found)


# The Containerfile


@cache
def stages() -> dict[str, tuple[tuple[str, str], ...]]:
    """The instructions of each stage of the Containerfile, by its name; the first is FROM with its parent."""
    text = re.sub(
        r"\\\n", " ", re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text("utf-8"), flags=re.M)
    )
    found: dict[str, list[tuple[str, str]]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            parent, _, name = rest.partition(" AS ")
            found[name] = [("FROM", parent)]
        elif found:
            found[list(found)[-1]].append((word, rest.strip()))
    return {name: tuple(instructions) for name, instructions in found.items()}


def inherited(stage: str, word: str) -> list[str]:
    """What an instruction says in a stage and in those that it is made from, the last first."""
    instructions = stages()[stage]
    own = [rest for name, rest in instructions if name == word]
    parent = instructions[0][1]
    return [*reversed(own), *(inherited(parent, word) if parent in stages() else [])]


def image_command(stage: str) -> tuple[str, ...]:
    return tuple(json.loads(inherited(stage, "CMD")[0]))
