"""The shape of the services: each a folder a feature, the same files in each, and nothing beside."""

import importlib
from pathlib import Path

import pytest

from services.shared.graphql.features import Feature
from tests.architecture.test_directions import imports_of, tracked

MOVED = ("campaign", "character", "dice")
"""The services that have this shape."""

OF_A_SERVICE = {
    "__init__.py",
    "app.py",
    "tables.py",
    "context.py",
    "schema.py",
    "internal.py",
    "references.py",
    "erasure.py",
    "tasks.py",
    "workers.py",
}
OPTIONAL_IN_A_SERVICE = {"references.py", "erasure.py", "tasks.py", "workers.py"}
OF_EACH_FEATURE = {"__init__.py", "service.py"}
GRAPH = {"graphql.py", "graphql"}
SHOWN_BY_OTHERS = {"types.py"}
"""What other features show in the graph: apart, so that these need not know the whole of this one's graph."""

SQL = ("sqlalchemy", "sqlmodel")
PLACES_OF_SQL = {"models.py", "repository.py", "events.py"}


def files_of(service: str) -> list[Path]:
    """Return the tracked Python files of a service, by their paths in it, those of migrations left out."""
    root = f"services/{service}/"
    found = [Path(name.removeprefix(root)) for name in tracked() if name.startswith(root)]
    return [path for path in found if path.suffix == ".py" and path.parts[0] != "migrations"]


def features_of(service: str) -> dict[str, list[Path]]:
    """Return the files of each feature of a service, by their paths in it."""
    found: dict[str, list[Path]] = {}
    for path in files_of(service):
        if len(path.parts) > 1:
            found.setdefault(path.parts[0], []).append(Path(*path.parts[1:]))
    return found


@pytest.mark.parametrize("service", MOVED)
def test_a_service_holds_its_composition_and_features(service: str) -> None:
    own = {path.name for path in files_of(service) if len(path.parts) == 1}
    assert own <= OF_A_SERVICE
    assert own >= OF_A_SERVICE - OPTIONAL_IN_A_SERVICE
    assert features_of(service)


@pytest.mark.parametrize("service", MOVED)
def test_each_feature_has_use_cases_and_a_graph(service: str) -> None:
    for feature, files in features_of(service).items():
        top = {path.parts[0] for path in files}
        assert top >= OF_EACH_FEATURE, feature
        assert len(top & GRAPH) == 1, feature
        found = importlib.import_module(f"services.{service}.{feature}.graphql").FEATURE
        assert isinstance(found, Feature), feature


@pytest.mark.parametrize("service", MOVED)
def test_the_subgraph_is_composed_of_the_features_and_nothing_else(service: str) -> None:
    parts = {found.module for found in imports_of(f"services/{service}/schema.py")}
    features = {f"services.{service}.{feature}" for feature in features_of(service)}
    assert {part for part in parts if part.startswith(f"services.{service}")} == features


@pytest.mark.parametrize("service", MOVED)
def test_rows_stand_in_models_and_queries_in_repositories(service: str) -> None:
    """A session may be handed on by anyone; what is selected, inserted or joined is written in one place."""
    strays = []
    for feature, files in features_of(service).items():
        for path in files:
            if path.name in PLACES_OF_SQL:
                continue
            imported = imports_of(f"services/{service}/{feature}/{path}")
            strays += [
                f"{feature}/{path} imports {found.module}"
                for found in imported
                if found.module.startswith(SQL) and found.module != "sqlmodel.ext.asyncio.session"
            ]
    assert strays == []


@pytest.mark.parametrize("service", MOVED)
def test_use_cases_know_nothing_of_the_graph(service: str) -> None:
    graph = (f"services.{service}.schema", f"services.{service}.context", "strawberry")
    strays = [
        f"{feature}/{path} imports {found.module}"
        for feature, files in features_of(service).items()
        for path in files
        if path.parts[0] not in GRAPH | SHOWN_BY_OTHERS
        for found in imports_of(f"services/{service}/{feature}/{path}")
        if found.module.startswith(graph)
    ]
    assert strays == []


@pytest.mark.parametrize("service", MOVED)
def test_problems_are_raised_and_never_the_graphs_own(service: str) -> None:
    strays = [
        f"{path} imports {found.module}"
        for path in files_of(service)
        for found in imports_of(f"services/{service}/{path}")
        if found.module == "services.shared.graphql.problems" and not GRAPH.intersection(path.parts)
    ]
    assert strays == []
