"""Every module of the use cases can be imported where neither Strawberry nor GraphQL is installed."""

import subprocess
import sys
from pathlib import Path

from tests.architecture.test_directions import ROOT, python_files

FOLDERS = ("campaign", "character", "dice", "map", "shared", "gateway/accounts")
GRAPH = {"graphql", "migrations"}
"""Folders of what shows use cases in the graph, and of what is run by Alembic alone."""

SHOWING = {"context.py", "graphql.py", "mirror.py", "references.py", "schema.py", "types.py"}
"""Files of the same."""

COMPOSING = {"app.py", "assembly.py", "internal.py", "parts.py"}
"""Files of composition roots and of routes, which put use cases and graph together."""

IMPORTING = """
import importlib, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("strawberry", "graphql"):
            raise ModuleNotFoundError(f"there is no {name}", name=name)

sys.meta_path.insert(0, Absent())
for name in sys.stdin.read().split():
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        print(name, error)
"""


def failures(modules: list[str], root: Path = ROOT) -> list[str]:
    """Import modules in a process that has neither Strawberry nor graphql-core, and list those that fail."""
    found = subprocess.run(
        [sys.executable, "-c", IMPORTING],
        input="\n".join(modules),
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return found.stdout.splitlines()


def use_cases() -> list[str]:
    """Name the modules of services that neither show anything in the graph nor put a service together."""
    files = [Path(name) for name in python_files(*(f"services/{folder}/" for folder in FOLDERS))]
    kept = [one for one in files if not GRAPH.intersection(one.parts) and one.name not in SHOWING | COMPOSING]
    return [".".join(one.with_suffix("").parts).removesuffix(".__init__") for one in kept]


def test_use_cases_are_imported_without_graphql() -> None:
    modules = use_cases()
    assert {"services.campaign.scenes.moves", "services.dice.rolls.service"} <= set(modules)
    assert failures(modules) == []


def test_an_import_of_graphql_is_found_through_other_modules(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("import json\n")
    (tmp_path / "shown.py").write_text("from strawberry import field\n")
    (tmp_path / "service.py").write_text("import shown\n")
    assert failures(["rules", "service"], tmp_path) == ["service there is no strawberry"]
