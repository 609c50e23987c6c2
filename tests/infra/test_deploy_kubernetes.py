"""The Kubernetes manifests as kustomize builds them: by the published schemas, and as the product needs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from infra.deploy.secrets import kubernetes_secrets
from infra.launch.data_folder import open_folder
from infra.launch.processes import WORKERS
from services.shared.callers import INTERNALLY, ON_BEHALF
from services.shared.settings import SERVICES, required_variables, variables
from tests.infra.deployments import (
    COMMANDS,
    DEPLOY,
    FILES,
    OVERLAYS,
    PRODUCT,
    built,
    container,
    image_command,
    inherited,
    named,
    ours,
    pod,
    schema_errors,
    workloads,
)

VERSIONS = ("1.32", "1.37")
"""The oldest and the newest Kubernetes whose schemas the manifests must keep to."""

OF_KEDA = {
    "TriggerAuthentication": {
        "type": "object",
        "required": ["secretTargetRef"],
        "additionalProperties": False,
        "properties": {
            "secretTargetRef": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["parameter", "name", "key"],
                    "additionalProperties": False,
                    "properties": {word: {"type": "string"} for word in ("parameter", "name", "key")},
                },
            }
        },
    },
    "ScaledObject": {
        "type": "object",
        "required": ["scaleTargetRef", "triggers"],
        "additionalProperties": False,
        "properties": {
            "scaleTargetRef": {"type": "object", "required": ["name"]},
            **{
                word: {"type": "integer"}
                for word in ("pollingInterval", "cooldownPeriod", "minReplicaCount", "maxReplicaCount")
            },
            "triggers": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["type", "metadata"],
                    "additionalProperties": False,
                    "properties": {
                        "type": {"const": "redis"},
                        "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
                        "authenticationRef": {"type": "object", "required": ["name"]},
                    },
                },
            },
        },
    },
}
"""What of KEDA's objects is used: its own schemas are in no package that Kubernetes' schemas are in."""


@pytest.fixture(params=OVERLAYS)
def overlay(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """The variables in each Secret that the command makes."""
    monkeypatch.setenv("REDIS_URL", "redis://:secret@valkey.example.org:6379/0")
    for service in SERVICES:
        monkeypatch.setenv(f"DATABASE_URL_{service.upper()}", f"postgresql://u:p@db.example.org/{service}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "x")
    items = kubernetes_secrets(open_folder(tmp_path))["items"]
    return {each["metadata"]["name"]: set(each["stringData"]) for each in items}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_keeps_to_its_schema(overlay: str, version: str) -> None:
    checked = 0
    for each in built(overlay):
        if each["apiVersion"].startswith("keda.sh/"):
            jsonschema.validate(each["spec"], OF_KEDA[each["kind"]])
        else:
            assert schema_errors(each, version) == []
        checked += 1
    assert checked > len(PRODUCT)


def test_the_schemas_find_a_word_that_is_not_theirs() -> None:
    spoiled = {**named("small", "Deployment")["dice"]}
    spoiled["spec"] = {**spoiled["spec"], "replica": 1}
    (error,) = schema_errors(spoiled, VERSIONS[-1])
    assert "'replica' was unexpected" in error


def test_every_component_is_used_by_an_overlay() -> None:
    folder = DEPLOY / "kubernetes"
    files = [folder / "overlays" / overlay / "kustomization.yaml" for overlay in OVERLAYS]
    used = {
        Path(path).name for file in files for path in yaml.safe_load(file.read_text("utf-8"))["components"]
    }
    assert used == {path.name for path in (folder / "components").iterdir()}


def test_every_process_of_the_product_is_there(overlay: str) -> None:
    assert set(workloads(overlay)) == PRODUCT
    assert set(named(overlay, "Job")) == {"migrate"}


def test_a_process_runs_its_command_in_its_image(overlay: str) -> None:
    for name, workload in workloads(overlay).items():
        found = container(workload)
        image = found["image"].removeprefix("registry.example.org/hearthforge/").partition(":")[0]
        assert image == ("worker" if name == "player" else name)
        assert "command" not in found  # the entry point of the image stays
        assert tuple(found.get("args", image_command(image))) == COMMANDS[name]


def test_a_process_is_given_what_it_reads_and_nothing_else(
    overlay: str, secrets: Mapping[str, set[str]]
) -> None:
    config = named(overlay, "ConfigMap")["hearthforge"]["data"]
    for name, workload in workloads(overlay).items():
        found = container(workload)
        assert [source["secretRef"]["name"] for source in found["envFrom"]] == [f"hearthforge-{name}"]
        secret = secrets[f"hearthforge-{name}"]
        plain = [each["name"] for each in found.get("env", [])]
        assert len(set(plain)) == len(plain)
        assert not secret & set(plain)
        assert required_variables(name) <= secret | set(plain), name
        assert ours(secret | set(plain)) <= variables(name), name
        for each in (*found.get("env", []), *(pod(workload).get("initContainers") or [{}])[0].get("env", [])):
            if "configMapKeyRef" in each.get("valueFrom", {}):
                assert each["valueFrom"]["configMapKeyRef"]["key"] in config
            if "secretKeyRef" in each.get("valueFrom", {}):
                key = each["valueFrom"]["secretKeyRef"]
                assert key["key"] in secrets[key["name"]]


def test_addresses_lead_to_services_and_services_to_ports(overlay: str) -> None:
    services = named(overlay, "Service")
    assert set(services) == {*SERVICES, "gateway"}
    for name, service in services.items():
        deployment = named(overlay, "Deployment")[name]
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        assert service["spec"]["selector"].items() <= labels.items()
        (port,) = service["spec"]["ports"]
        open_ports = {each["name"]: each["containerPort"] for each in container(deployment)["ports"]}
        assert open_ports[port["targetPort"]] == (4000 if name == "gateway" else 8000)
        assert set(inherited(name, "EXPOSE")[0].split()) == {str(each) for each in open_ports.values()}
        if name != "gateway":
            assert port["port"] == 8000
    for workload in workloads(overlay).values():
        for each in container(workload).get("env", []):
            service = each["name"].removeprefix("HEARTHFORGE_").removesuffix("_URL").lower()
            if service in SERVICES and each["name"].endswith("_URL"):
                assert each["value"] == f"http://{service}:8000"


def test_what_listens_is_asked_whether_it_lives(overlay: str) -> None:
    for name, workload in named(overlay, "Deployment").items():
        probes = {word: probe for word, probe in container(workload).items() if word.endswith("Probe")}
        if name not in {*SERVICES, "gateway"}:
            assert probes == {}
            continue
        assert set(probes) == {"startupProbe", "readinessProbe", "livenessProbe"}
        port = "admin" if name == "gateway" else "http"
        assert all(probe["httpGet"] == {"path": "/healthz", "port": port} for probe in probes.values())


def test_nobody_has_privileges_or_writes_where_others_do(overlay: str) -> None:
    for name, workload in workloads(overlay).items():
        found = pod(workload)
        assert found["securityContext"]["runAsNonRoot"] is True
        assert found["securityContext"]["runAsUser"] == 10001
        assert found["automountServiceAccountToken"] is False
        for each in (*found["containers"], *found.get("initContainers", [])):
            assert each["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert {"requests", "limits"} <= each["resources"].keys(), name


def test_whoever_reads_a_database_waits_for_its_migrations(overlay: str) -> None:
    for name, workload in named(overlay, "Deployment").items():
        databases = {word for word in required_variables(name) if word.startswith("DATABASE_URL_")}
        waiting = pod(workload).get("initContainers", [])
        if not databases:
            assert waiting == []
            continue
        (waits,) = waiting
        assert tuple(waits["args"][:4]) == (*COMMANDS["migrate"], "--wait")
        assert {f"DATABASE_URL_{service.upper()}" for service in waits["args"][4:]} == databases
        assert {each["name"] for each in waits["env"]} == databases


def test_those_who_keep_files_share_a_volume_or_a_bucket() -> None:
    mounting = {
        name
        for name, each in workloads("small").items()
        if {"name": "files", "mountPath": "/var/lib/hearthforge"} in container(each).get("volumeMounts", [])
    }
    with_bucket = {
        name
        for name, each in workloads("large").items()
        if "HEARTHFORGE_STORAGE_URL" in {variable["name"] for variable in container(each).get("env", [])}
    }
    assert mounting == with_bucket == FILES
    assert named("large", "PersistentVolumeClaim") == {}


def test_policies_let_in_who_may_call(overlay: str) -> None:
    policies = named(overlay, "NetworkPolicy")
    for service in SERVICES:
        policy = policies[service]["spec"]
        assert policy["podSelector"] == {"matchLabels": {"app.kubernetes.io/name": service}}
        (rule,) = policy["ingress"]
        (expression,) = rule["from"][0]["podSelector"]["matchExpressions"]
        may = {
            caller
            for table in (INTERNALLY, ON_BEHALF)
            for caller, called in table.items()
            if service in called
        }
        assert set(expression["values"]) == may
        assert rule["ports"] == [{"protocol": "TCP", "port": "http"}]
    assert policies["closed"]["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_a_drain_takes_one_pod_of_a_process_at_a_time(overlay: str) -> None:
    budgets = named(overlay, "PodDisruptionBudget")
    assert set(budgets) == PRODUCT - {"sweeper", "migrate"}
    for name, budget in budgets.items():
        assert budget["spec"] == {
            "maxUnavailable": 1,
            "selector": {"matchLabels": {"app.kubernetes.io/name": name}},
        }


def test_services_are_scaled_by_load_and_workers_by_their_queues(secrets: Mapping[str, set[str]]) -> None:
    by_load = named("large", "HorizontalPodAutoscaler")
    assert set(by_load) == {*SERVICES, "gateway"}
    by_queue = named("large", "ScaledObject")
    queues = {}
    for name, scaled in by_queue.items():
        assert scaled["spec"]["scaleTargetRef"] == {"name": name}
        assert scaled["spec"]["minReplicaCount"] == 1  # /readyz asks for a worker's sign of life
        (trigger,) = scaled["spec"]["triggers"]
        queues[name] = trigger["metadata"]["listName"]
    assert queues == {name: queue for name, queue, _ in WORKERS}
    (access,) = named("large", "TriggerAuthentication").values()
    assert {each["key"] for each in access["spec"]["secretTargetRef"]} == secrets["hearthforge-queue"]
    replicas = {name for name, each in workloads("large").items() if "replicas" in each["spec"]}
    assert not replicas & {*by_load, *by_queue}  # a replica count beside an autoscaler would undo what it did


def test_the_secrets_that_manifests_name_are_made(secrets: Mapping[str, set[str]], overlay: str) -> None:
    referenced: set[str] = set()

    def look(found: Any) -> None:
        if isinstance(found, Mapping):
            for word in ("secretRef", "secretKeyRef"):
                if word in found:
                    referenced.add(found[word]["name"])
            for each in found.values():
                look(each)
        elif isinstance(found, list):
            for each in found:
                look(each)

    look(list(built(overlay)))
    assert referenced <= set(secrets)
    assert set(secrets) - referenced <= {"hearthforge-queue", "hearthforge-bucket"}
