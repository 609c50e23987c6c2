"""Whatever the published contracts allow, and what they forbid, is answered as they say: schemathesis.

REST is held to its OpenAPI description: no 5xx, no status, header or body that is not described, what is
described as wrong is refused. The graph is held to its schema: no 5xx, and no error but those of the client's
own mistakes. Ids of a table are filled in nine times out of ten, so that what lies behind them is reached.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.gates.frame.command import Options, say
from infra.gates.frame.figures import Figure, GateFailure, Wanted
from infra.gates.frame.house import House
from infra.launch.bootstrap import ROOT
from tests.e2e.product import House as AnyHouse
from tests.e2e.table import World

SYSTEMS = ("dungeonteller", "forgeborn", "dwarf_dice", "forge_engine", "fortunate_blades")
KNOWN = 0.9
BETWEEN_FILLINGS = 0.05
MOST_SECONDS = 1_500
# What schemathesis sends to cover each rule of REST's description, beside the examples that are drawn.
REST_COVERED = 4_500
REST_OPERATIONS, GRAPH_OPERATIONS = 118, 87
# They take the table apart that all others are asked about; the role matrix asks for them.
TAKING_APART = ("removeMember", "unseatCharacter", "changeRole")
MOST_SHOWN = 6_000
# What is sound by its form may still break a rule of a game, name a cursor of another list or what is gone.
SOUND = ["2xx", "304", "400", "401", "403", "404", "406", "409", "413", "422", "429"]
REST_CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance", "negative_data_rejection"),
    *("positive_data_acceptance", "missing_required_header", "unsupported_method", "ignored_auth"),
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one run of schemathesis found.

    Attributes:
        cases: that were sent.
        findings: what was wrong, one text for each kind of failure and for each error.
    """

    cases: int
    findings: tuple[str, ...]


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields, of REST and of the graph, how many cases were sent and what was wrong."""
    world = house.world
    rest = max(1, math.ceil((options.cases - REST_COVERED) / REST_OPERATIONS))
    graph = math.ceil(options.cases / GRAPH_OPERATIONS * 1.1)
    for name, found in (
        ("rest", draw_rest(world, examples=rest, seed=options.seed)),
        ("graph", draw_graph(world, examples=graph, seed=options.seed)),
    ):
        yield Figure(f"contract.{name}.cases", found.cases, "requests", options.cases, Wanted.AT_LEAST)
        yield Figure(f"contract.{name}", len(found.findings), "findings", 0, findings=found.findings)


def draw_rest(
    world: World,
    *,
    examples: int,
    seed: int,
    phases: str = "coverage,fuzzing",
    operations: Iterable[str] = (),
) -> Drawn:
    """Sends what the description of REST allows, and what it forbids.

    Args:
        world: the table that is asked about.
        examples: how many requests are drawn for each operation.
        seed: what they are drawn from.
        phases: of schemathesis; ``coverage`` holds each rule of the description by itself.
        operations: those that are asked, by id; all without it.
    """
    ids = {f"path.{name}": values for name, values in ids_of_rest(world).items()}
    ids |= {f"query.{name}": ids[f"path.{name}"] for name in ("campaign", "character", "scene")}
    lines = [f"positive_data_acceptance.expected-statuses = {json.dumps(SOUND)}"]
    checks = ",".join(REST_CHECKS)
    words = ["--phases", phases, "--checks", checks, "--max-examples", str(examples), "--seed", str(seed)]
    words += [word for name in operations for word in ("--include-operation-id", name)]
    words += [word for name in TAKING_APART for word in ("--exclude-operation-id", name)]
    return _draw(world, "/openapi.json", ids, lines, words)


def draw_graph(world: World, *, examples: int, seed: int) -> Drawn:
    """Sends operations that the schema of the graph allows, and some that it does not: see ``draw_rest``."""
    words = ["--phases", "fuzzing", "--checks", "coded", "--max-examples", str(examples), "--seed", str(seed)]
    return _draw(world, "/graphql", ids_of_graph(world), [], words)


def ids_of_rest(world: World) -> dict[str, list[str]]:
    """Returns what may stand for each part of a path."""
    return {
        "campaign": [world.campaign],
        "account": [world.player.id, world.spectator.id],
        "invitation": [world.invitation],
        "character": [world.hero, world.smith],
        "map_id": [world.map, world.dungeon, world.story],
        "scene": [world.scene],
        "roll": [world.roll, world.secret_roll],
        "batch": [world.batch],
        "job": [world.job],
        "macro": [world.macro],
        "die": [world.die],
        "pack": [world.pack],
        "system": list(SYSTEMS),
        "slug": list(SYSTEMS),
        "kind": ["spell", "trait", "damage", "weapon"],
        "tool": ["reload", "encounter", "attack"],
    }


def ids_of_graph(world: World) -> dict[str, list[str]]:
    """Returns what may stand for arguments, by type, field and argument."""
    rest = ids_of_rest(world)
    anywhere = {
        "campaignId": rest["campaign"],
        "characterId": rest["character"],
        "sceneId": rest["scene"],
        "mapId": rest["map_id"],
        "batchId": rest["batch"],
        "system": list(SYSTEMS),
        "expression": ["4d6kh3", "2d20", "d%", "1d20 + 5"],
    }
    fields = {"map": "map_id", "mapBatch": "batch", "contentPack": "pack", "verifyRoll": "roll"}
    fields |= {name: name for name in ("campaign", "character", "scene", "roll", "job", "macro")}
    found = {f"*.*.{name}": values for name, values in anywhere.items()}
    found |= {f"*.*.input.{name}": values for name, values in anywhere.items()}
    found |= {f"Query.{name}.id": rest[kind] for name, kind in fields.items()}
    return found | {"Query.system.slug": list(SYSTEMS)}


def _draw(
    world: World, path: str, ids: Mapping[str, list[str]], checks: list[str], words: list[str]
) -> Drawn:
    with tempfile.TemporaryDirectory(prefix="hf-contract-") as name, never_empty(world.product):
        folder = Path(name)
        (folder / "schemathesis.toml").write_text(_settings(ids, checks), "utf-8")
        command = [
            *(str(Path(sys.executable).parent / "schemathesis"), "--config-file", "schemathesis.toml"),
            *("run", f"{world.product.url}{path}", "--header", f"Authorization: Bearer {world.gm.key}"),
            # One at a time: schemathesis has failed on itself with two, where the machine was loaded.
            *(*words, "--continue-on-failure", "--no-shrink", "--no-color", "--workers", "1"),
            *("--report", "json", "--report-json-path", "found.json", "--suppress-health-check", "all"),
        ]
        hooks = {"SCHEMATHESIS_HOOKS": "infra.gates.frame.graph_checks", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **hooks},
            capture_output=True,
            text=True,
            check=False,
            timeout=MOST_SECONDS,
        )
        report = folder / "found.json"
        if not report.is_file():
            raise GateFailure(f"schemathesis did not run: {(done.stdout + done.stderr)[-1_000:]}")
        found = json.loads(report.read_text("utf-8"))
    findings = _findings(found)
    if findings:
        # With a request that shows each: errors of the run come first, then what the product did wrong.
        told = done.stdout.partition("= WARNINGS =")[0]
        for heading in (" ERRORS ", " FAILURES "):
            say(told.partition(heading)[2][:MOST_SHOWN])
    return Drawn(found["test_cases"]["generated"], findings)


def _findings(found: Mapping[str, Any]) -> tuple[str, ...]:
    failures = [
        f"{one['title']}: {operation}" for one in found["failures"] for operation in one["operations"]
    ]
    errors = [str(error)[:500] for error in found["errors"]]
    if not found["complete"]:
        errors.append(f"it did not come to its end: {found['stop_reason']}")
    return (*failures, *errors)


def _settings(ids: Mapping[str, list[str]], checks: list[str]) -> str:
    """Writes the configuration: JSON texts and lists are TOML too."""
    lines = []
    for number, values in enumerate(ids.values()):
        lines += [f"[dictionaries.d{number}]", f"values = {json.dumps(values)}"]
    lines += ["[parameters]"]
    for number, name in enumerate(ids):
        lines += [f'"{name}" = {{ dictionary = "d{number}", probability = {KNOWN} }}']
    lines += ["[generation]", 'database = "none"', "[checks]", *checks]
    return "\n".join(lines)


@contextmanager
def never_empty(product: AnyHouse) -> Iterator[None]:
    """Keeps everybody's bucket full: the contracts are tried here, not the limits."""
    stop = threading.Event()

    def fill() -> None:
        while not stop.wait(BETWEEN_FILLINGS):
            product.fill_buckets()

    filling = threading.Thread(target=fill)
    filling.start()
    try:
        yield
    finally:
        stop.set()
        filling.join()
