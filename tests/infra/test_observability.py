"""What an operator steers by: rules, dashboard and scrape example name what the product really tells."""

import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY
from prometheus_client.core import Metric

from services.gateway.readiness import figures_beside
from services.map.models import JOBS, OUTBOX
from services.shared.backlog import Backlog
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.metrics import WORKER_REGISTRY
from services.shared.pool_figures import pool_figures
from services.shared.valkey import connect
from tests.databases import Databases

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "infra" / "observability"
GUIDE = ROOT / "services" / "gateway" / "pages" / "guide" / "14-watching.md"
DOOR = ROOT / "services" / "gateway" / "federation" / "metrics.mjs"

OF_DOOR = re.compile(r"new (\w+)\(\{\s+name: '(\w+)',\s+help: '([^']+)',(?:\s+labelNames: \[([^]]*)])?")
NAME = re.compile(r"\b(?:hearthforge|process|nodejs|python)_\w+")
LABEL = re.compile(r"\bby \(([\w, ]+)\)|[{,]\s*(\w+)\s*(?:=~|!~|!=|=)\s*\"")
SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}
OF_PROMETHEUS = {"job", "instance", "le"}
"""Labels that Prometheus adds, and that of a histogram's buckets."""


@dataclass(frozen=True)
class Told:
    """What the product tells Prometheus.

    Attributes:
        names: of all series.
        labels: of all of them together.
        helps: the sentence on each metric.
    """

    names: frozenset[str]
    labels: frozenset[str]
    helps: tuple[str, ...]


@pytest.fixture
def address(databases: Databases) -> Iterator[str]:
    """Yield an empty database of the map service."""
    url = databases.take("map")
    yield url
    databases.give_back("map", url)


@pytest.fixture
async def told(address: str, valkey_url: str) -> AsyncIterator[Told]:
    """Return what is told: by registries, at a scrape, and by the gateway as its source says."""
    database, redis = Database(address), connect(valkey_url)
    backlog = Backlog("map", database, OUTBOX, JOBS, system_clock)
    asked = [*await backlog.figures(), *await pool_figures(), *await figures_beside(redis)]
    found: list[Metric] = [*REGISTRY.collect(), *WORKER_REGISTRY.collect(), *asked]
    counted = [*REGISTRY._collector_to_names, *WORKER_REGISTRY._collector_to_names, *asked]
    door = OF_DOOR.findall(DOOR.read_text("utf-8"))
    assert len(door) == DOOR.read_text("utf-8").count("name: '")
    labels = {label for one in counted for label in getattr(one, "_labelnames", ())}
    labels |= {label for *_, names in door for label in re.findall(r"\w+", names)}
    yield Told(
        frozenset({*series((one.name, one.type) for one in found), *series_of_door(door)}),
        frozenset(labels),
        (*(one.documentation for one in found), *(text for _, _, text, _ in door)),
    )
    await redis.aclose()
    await database.close()


def series(metrics: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the names of the series of metrics."""
    for name, kind in metrics:
        yield from (f"{name}{suffix}" for suffix in SUFFIXES.get(kind, ("",)))


def series_of_door(door: Iterable[tuple[str, str, str, str]]) -> Iterator[str]:
    """Yield those of the gateway, which names its counters with their suffix."""
    return series((name.removesuffix("_total"), kind.lower()) for kind, name, _, _ in door)


@cache
def rules() -> list[dict[str, Any]]:
    """Return the alert rules."""
    groups = yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


@cache
def dashboard() -> dict[str, Any]:
    """Return the dashboard."""
    found: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_bytes())
    return found


def graphs() -> list[dict[str, Any]]:
    """Return the dashboard's panels, its headings left out."""
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def expressions() -> list[str]:
    """Return all that is asked of Prometheus."""
    shown = [target["expr"] for panel in graphs() for target in panel["targets"]]
    return [*(rule["expr"] for rule in rules()), *shown]


def test_every_expression_names_only_what_the_product_tells(told: Told) -> None:
    for expression in expressions():
        names = set(NAME.findall(re.sub(r"\bby \([\w, ]+\)", "", expression)))
        assert names or re.match(r"up\b", expression), expression
        assert names <= told.names, expression
        groups = {label for by, one in LABEL.findall(expression) for label in re.findall(r"\w+", by or one)}
        assert groups <= told.labels | OF_PROMETHEUS, expression


def test_every_metric_of_the_product_is_shown_or_watched(told: Told) -> None:
    own = {re.sub(r"_(bucket|count|sum|total)$", "", name) for name in told.names if "hearthforge" in name}
    used = {re.sub(r"_(bucket|count|sum|total)$", "", name) for name in NAME.findall(" ".join(expressions()))}
    passed_over = {"hearthforge_gateway_subgraph_seconds", "hearthforge_http_request_seconds"}
    passed_over |= {"hearthforge_graphql_operations"}
    assert {name for name in own if "toy" not in name} - used == passed_over


def test_every_metric_has_a_sentence_that_explains_it(told: Told) -> None:
    assert all(len(text) > 10 for text in told.helps)


def test_every_alert_says_how_long_how_grave_and_what_to_do() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(set(names)) == len(names) > 10
    for rule in rules():
        assert re.fullmatch(r"\d+[smh]", rule["for"]), rule
        assert rule["labels"]["severity"] in {"page", "ticket", "notice"}
        assert all(rule["annotations"][text].endswith(".") for text in ("summary", "runbook"))


def test_the_guide_says_what_to_do_in_the_same_words() -> None:
    rows = re.findall(r"^\| `(Hearthforge\w+)` \| (\w+) \| (.*) \|$", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert rows == [
        (rule["alert"], rule["labels"]["severity"], rule["annotations"]["runbook"]) for rule in rules()
    ]


def test_the_dashboard_has_the_form_that_grafana_reads() -> None:
    assert {"uid", "title", "schemaVersion", "panels", "time", "templating"} <= dashboard().keys()
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(set(ids)) == len(ids)
    sources = {f"${{{each['name']}}}" for each in dashboard()["templating"]["list"]}
    taken: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert panel["title"] and not cells & taken and place["x"] + place["w"] <= 24
        taken |= cells
    for panel in graphs():
        references = [target["refId"] for target in panel["targets"]]
        assert references and len(set(references)) == len(references)
        assert panel["description"].endswith(".") and panel["datasource"]["uid"] in sources


def test_the_example_scrapes_every_process_that_has_a_port_and_loads_the_rules() -> None:
    example = yaml.safe_load((FOLDER / "prometheus.yaml").read_text("utf-8"))
    assert example["rule_files"] == ["alerts.yaml"]
    names = {
        name for job in example["scrape_configs"] for each in job["dns_sd_configs"] for name in each["names"]
    }
    assert names == {"account", "dice", "character", "campaign", "map", "gateway"}


@pytest.mark.parametrize(("what", "file"), [("rules", "alerts.yaml"), ("config", "prometheus.yaml")])
def test_promtool_takes_the_files(what: str, file: str) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed, so it has not checked the rules (apt-get install prometheus)")
    done = subprocess.run(
        [promtool, "check", what, str(FOLDER / file)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
