"""The rules of direction, read from the imports themselves: who may know whom in this house."""

import ast
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVICES = ("dice", "character", "campaign", "map")
BANNED_NAMES = {"utils", "helpers", "common", "misc"}
MAX_CODE_LINES = 400
TOP_LEVEL = {
    "pyproject.toml",
    "services",
    "schema",
    "workers",
    "infra",
    "tests",
    "README.md",
    "LICENSE",
    "NOTICE",
    "SECURITY.md",
}
TOP_LEVEL |= {"CHANGELOG.md"}


@dataclass(frozen=True)
class Import:
    """One import of one file.

    Attributes:
        file: path from the root.
        line: where.
        module: what is imported, absolute.
    """

    file: str
    line: int
    module: str


@cache
def tracked() -> list[str]:
    """List the files of the project, new ones included, ignored ones not."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    return sorted(name for name in listed if (ROOT / name).is_file())


def python_files(*folders: str) -> list[str]:
    """List the Python files below folders."""
    return [name for name in tracked() if name.endswith(".py") and name.startswith(folders)]


@cache
def imports_of(name: str) -> tuple[Import, ...]:
    """Read the imports of a file, those inside functions too."""
    found = []
    for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [Import(name, node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}:{node.lineno}: relative import"
            found.append(Import(name, node.lineno, node.module or ""))
    return tuple(found)


def offences(files: list[str], forbidden: Callable[[Import], bool]) -> list[str]:
    """List the imports that a rule forbids."""
    assert files
    return [
        f"{found.file}:{found.line} imports {found.module}"
        for name in files
        for found in imports_of(name)
        if forbidden(found)
    ]


def inside(module: str, package: str) -> bool:
    """Tell whether a module is a package or in it."""
    return module == package or module.startswith(f"{package}.")


def test_rules_import_the_standard_library_and_rules_only() -> None:
    def forbidden(found: Import) -> bool:
        root = found.module.split(".")[0]
        kernel = Path(found.file).name == "kernel.py" and root in {"numpy", "numba"}
        return not (inside(found.module, "services.rules") or root in sys.stdlib_module_names or kernel)

    assert offences(python_files("services/rules/"), forbidden) == []


def test_rules_touch_neither_chance_nor_time_nor_the_network() -> None:
    banned = {
        "random",
        "secrets",
        "socket",
        "asyncio",
        "subprocess",
        "urllib",
        "http",
        "threading",
        "time",
        "uuid",
    }
    assert offences(python_files("services/rules/"), lambda found: found.module.split(".")[0] in banned) == []
    calls = [
        f"{name}:{node.lineno}"
        for name in python_files("services/rules/")
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"now", "utcnow", "today", "urandom"}
    ]
    assert calls == []


def test_a_game_system_knows_no_other_system() -> None:
    def forbidden(found: Import) -> bool:
        own = ".".join(Path(found.file).parts[:4])
        return inside(found.module, "services.rules.systems") and not inside(found.module, own)

    systems = [name for name in python_files("services/rules/systems/") if len(Path(name).parts) > 4]
    assert offences(systems, forbidden) == []


def test_shared_knows_neither_rules_nor_services() -> None:
    assert (
        offences(
            python_files("services/shared/"),
            lambda found: inside(found.module, "services") and not inside(found.module, "services.shared"),
        )
        == []
    )


@pytest.mark.parametrize("service", [*SERVICES, "gateway"])
def test_a_service_knows_rules_and_shared_but_no_other_service(service: str) -> None:
    allowed = ("services.rules", "services.shared", f"services.{service}")
    assert (
        offences(
            python_files(f"services/{service}/"),
            lambda found: (
                inside(found.module, "services")
                and not any(inside(found.module, package) for package in allowed)
            ),
        )
        == []
    )


def test_services_never_import_workers() -> None:
    assert offences(python_files("services/"), lambda found: inside(found.module, "workers")) == []


def test_the_product_never_imports_its_tests() -> None:
    files = python_files("services/", "workers/")
    assert offences(files, lambda found: inside(found.module, "tests")) == []


def test_answers_to_case_files_stand_with_the_tests() -> None:
    systems = {Path(name).parts[3] for name in python_files("services/rules/systems/")} - {"__init__.py"}
    answered = {Path(name).parts[2] for name in python_files("tests/conformance/")} - {"__init__.py"}
    assert answered == systems | {"duel"}
    assert [name for name in python_files("services/rules/systems/") if "conformance" in name] == []


def test_workers_know_a_service_only_by_its_use_cases() -> None:
    def forbidden(found: Import) -> bool:
        if not inside(found.module, "services"):
            return False
        parts = found.module.split(".")
        if parts[1] in {"rules", "shared"}:
            return False
        allowed = {
            "service",
            "work",
            "batches",
            "quotas",
            "leftovers",
            "registry",
            "outputs",
            "formats",
            "compiling",
            "generation",
        }
        if parts[1] == "campaign":  # its use cases lie in folders, a feature each
            return parts[3:4] not in (["work"], ["tasks"], ["games"])
        if parts[1] == "character":
            return parts[3:4] != ["leftovers"]
        return len(parts) < 3 or parts[2] not in allowed

    assert offences(python_files("workers/"), forbidden) == []


def test_what_makes_draws_and_plays_maps_is_pure() -> None:
    pure = ("generation", "render", "exports", "ground", "play", "kinds")
    pure_files = ("kind", "curves", "grid_view")

    def forbidden(found: Import) -> bool:
        root = found.module.split(".")[0]
        # Tools for what is worked out late, kept at hand, or stopped in time.
        tools = ("lazy", "bounded")
        own = (
            *(f"services.map.{name}" for name in (*pure, *pure_files, *tools)),
            "services.shared.recent",
            "services.rules",
        )
        if inside(found.module, "services"):
            return not any(inside(found.module, package) for package in own)
        return root in {
            "random",
            "secrets",
            "sqlmodel",
            "sqlalchemy",
            "starlette",
            "strawberry",
            "redis",
            "time",
        }

    files = python_files(
        *(f"services/map/{name}/" for name in pure), *(f"services/map/{name}.py" for name in pure_files)
    )
    # What a kind of map is in the graph has a module of its own, which nothing else of the kind imports.
    shown = {name for name in files if Path(name).name == "graphql.py"}
    assert offences([name for name in files if name not in shown], forbidden) == []


def test_sql_is_written_in_repositories_only() -> None:
    def forbidden(found: Import) -> bool:
        place = Path(found.file)
        if place.name in {"repository.py", "models.py", "tables.py"} or "migrations" in place.parts:
            return False
        # A session may be handed on, and everybody may know what a database fails with; only how it is asked
        # is the repository's own.
        root = found.module.split(".")[0]
        shown = {"sqlalchemy.exc", "sqlmodel.ext.asyncio.session"}
        return root in {"sqlalchemy", "sqlmodel"} and found.module not in shown

    files = [name for service in (*SERVICES, "gateway") for name in python_files(f"services/{service}/")]
    assert offences(files, forbidden) == []


@pytest.mark.parametrize("service", [*SERVICES, "gateway"])
def test_composition_roots_are_short(service: str) -> None:
    lines = (ROOT / f"services/{service}/app.py").read_text("utf-8").splitlines()
    assert len(lines) <= 60


def test_files_are_short_and_have_telling_names() -> None:
    for name in python_files("services/", "workers/", "infra/"):
        place = Path(name)
        assert BANNED_NAMES.isdisjoint({place.stem, *place.parts}), name
        if "migrations" in place.parts:
            continue
        code = [
            line
            for line in (ROOT / name).read_text("utf-8").splitlines()
            if line.strip() and line.strip()[0] != "#"
        ]
        assert len(code) <= MAX_CODE_LINES, f"{name}: {len(code)} lines of code"


def test_every_package_says_what_it_is_for() -> None:
    silent = [
        name
        for name in python_files("services/", "workers/", "infra/")
        if Path(name).name == "__init__.py"
        and ast.get_docstring(ast.parse((ROOT / name).read_text("utf-8"))) is None
    ]
    assert silent == []


def test_the_top_level_holds_what_the_plan_names() -> None:
    entries = {name.split("/")[0] for name in tracked()}
    assert {entry for entry in entries if not entry.startswith(".")} <= TOP_LEVEL


def test_lock_files_name_no_registry() -> None:
    for name in ("infra/requirements.lock", "infra/requirements-dev.lock"):
        text = (ROOT / name).read_text("utf-8")
        assert "--index-url" not in text and "://" not in text, name
    assert '"resolved"' not in (ROOT / "services/gateway/federation/package-lock.json").read_text("utf-8")
