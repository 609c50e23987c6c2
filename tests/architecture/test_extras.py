"""Each process needs its extra and no more: what is imported, read from the source, and what is declared."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
TABLES = tuple(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for name in ("models.py", "tables.py")
    for path in sorted((ROOT / "services").rglob(name))
)
"""What is imported by its name, by those who look after the tables of all services."""

ROOTS = {
    "account": ("services.gateway.app", "services.gateway.keys", "services.shared.serve.__main__"),
    "dice": ("services.dice.app", "services.dice.chain.rotate", "services.shared.serve.__main__"),
    "character": ("services.character.app", "services.shared.serve.__main__"),
    "campaign": ("services.campaign.app", "services.shared.serve.__main__"),
    "map": ("services.map.app", "services.map.compiling", "services.shared.serve.__main__"),
    "worker": ("workers.app", "workers.maps", "workers.simulations"),
    "sweeper": ("workers.sweeper", *TABLES),
    "migrate": ("services.shared.migrate", *TABLES),
}
"""The modules that each Python process begins with."""

FOUND_BY_NAME = {
    "services.rules.engine.registry": "services/rules/systems",
    "services.map.registry": "services/map/kinds",
}
"""Modules that import all packages of a folder."""


@cache
def file_of(module: str) -> Path | None:
    """The file of a module of ours; None for a name in one, and for everybody else's."""
    path = ROOT.joinpath(*module.split("."))
    candidates = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in candidates if file.is_file()), None)


@cache
def imports_of(module: str) -> frozenset[str]:
    """What a module imports, its own packages included; names out of a module as if they were modules."""
    parts = module.split(".")
    found = {".".join(parts[:length]) for length in range(1, len(parts))}
    file = file_of(module)
    assert file is not None
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    folder = FOUND_BY_NAME.get(module)
    for path in (ROOT / folder).rglob("*.py") if folder else ():
        found.add(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    return frozenset(found)


def foreign(roots: Iterable[str]) -> set[str]:
    """The packages that are neither ours nor Python's and that some modules import, one by way of another."""
    waiting, seen, found = list(roots), set[str](), set[str]()
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        if file_of(module) is not None:
            waiting += imports_of(module)
        elif module.split(".")[0] not in {"services", "workers", "infra", *sys.stdlib_module_names}:
            found.add(module.split(".")[0])
    return found


def plain(name: str) -> str:
    """The name of a distribution as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named(requirement: str) -> tuple[str, frozenset[str]]:
    """The distribution that a requirement names, and the extras of it."""
    match = re.match(r"([A-Za-z0-9._-]+)(?:\[([^\]]*)\])?", requirement)
    assert match is not None
    extras = (match[2] or "").split(",")
    return plain(match[1]), frozenset(extra.strip() for extra in extras if extra.strip())


def declared(extra: str) -> set[str]:
    """The distributions that an extra names, by way of other extras of ours too."""
    found = set()
    for requirement in EXTRAS[extra]:
        name, extras = named(requirement)
        if name == PROJECT["name"]:
            found |= {further for each in extras for further in declared(each)}
        else:
            found.add(name)
    return found


def installed(wanted: Iterable[str]) -> set[str]:
    """Distributions, and all that they need themselves."""
    waiting, found = list(wanted), set[str]()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        try:
            needs = requires(name) or []
        except PackageNotFoundError:
            continue  # for another machine than this
        waiting += [named(need)[0] for need in needs if "extra ==" not in need]
    return found


SHARED = {named(requirement)[0] for requirement in PROJECT["dependencies"]}
PACKAGES = packages_distributions()


def test_every_python_process_has_its_roots() -> None:
    assert set(ROOTS) == set(EXTRAS) - {"gateway", "installation", "dev"}
    assert [root for roots in ROOTS.values() for root in roots if file_of(root) is None] == []


@pytest.mark.parametrize("process", ROOTS)
def test_an_extra_brings_what_its_process_imports(process: str) -> None:
    there = installed(SHARED | declared(process))
    missing = {
        package
        for package in foreign(ROOTS[process])
        if there.isdisjoint(map(plain, PACKAGES.get(package, [package])))
    }
    assert missing == set()


@pytest.mark.parametrize("process", ROOTS)
def test_an_extra_brings_nothing_that_its_process_does_not_import(process: str) -> None:
    imported = foreign(ROOTS[process])
    distributions = {plain(name) for package in imported for name in PACKAGES.get(package, [package])}
    assert declared(process) - distributions == set()


def test_the_whole_installation_brings_the_extra_of_every_process() -> None:
    assert {name for process in ROOTS for name in declared(process)} <= declared("installation")
    assert declared("installation") <= declared("dev")
