"""Finds the game systems: every package in `services.rules.systems` that defines `SYSTEM`."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType, ModuleType

from services.rules import systems as systems_package
from services.rules.engine.problem import RulesError
from services.rules.engine.system import AnySystem, GameSystem


class RegistryError(RulesError):
    """Two packages claim one slug, or a package's SYSTEM is not a game system."""


def systems(*search_paths: Path) -> Mapping[str, AnySystem]:
    """Every game system by slug, in the order of the slugs.

    Args:
        *search_paths: Folders of further system packages, beside the house's own.

    Raises:
        RegistryError: Two packages claim one slug, or a SYSTEM lacks part of the protocol.
    """
    if not search_paths:
        return _own_systems()
    found = [(name, package) for folder in search_paths for name, package in _packages_in(folder)]
    return _by_slug([*_own_packages(), *found])


@cache
def _own_systems() -> Mapping[str, AnySystem]:
    return _by_slug(list(_own_packages()))


def _own_packages() -> Iterator[tuple[str, ModuleType]]:
    for module in pkgutil.iter_modules(systems_package.__path__):
        if module.ispkg:
            yield module.name, importlib.import_module(f"{systems_package.__name__}.{module.name}")


def _packages_in(folder: Path) -> Iterator[tuple[str, ModuleType]]:
    # A name of its own per folder keeps a dropped-in package from hiding an installed one.
    prefix = f"_hearthforge_systems_{sha256(str(folder.resolve()).encode()).hexdigest()[:12]}"
    for module in pkgutil.iter_modules([str(folder)]):
        if not module.ispkg:
            continue
        name = f"{prefix}_{module.name}"
        if name in sys.modules:
            yield module.name, sys.modules[name]
            continue
        home = folder / module.name
        spec = importlib.util.spec_from_file_location(
            name, home / "__init__.py", submodule_search_locations=[str(home)]
        )
        if spec is None or spec.loader is None:
            raise RegistryError(f"{home} cannot be imported")
        package = importlib.util.module_from_spec(spec)
        sys.modules[name] = package
        try:
            spec.loader.exec_module(package)
        except BaseException:
            del sys.modules[name]
            raise
        yield module.name, package


def _by_slug(packages: list[tuple[str, ModuleType]]) -> Mapping[str, AnySystem]:
    found: dict[str, AnySystem] = {}
    for name, package in packages:
        system = getattr(package, "SYSTEM", None)
        if system is None:
            continue
        if not isinstance(system, GameSystem):
            raise RegistryError(f"{name}: SYSTEM is a {type(system).__name__}, not a whole GameSystem")
        if system.slug != name:
            raise RegistryError(f"{name}: the slug of its SYSTEM is {system.slug!r}, not the package's name")
        if system.slug in found:
            raise RegistryError(f"two packages claim the slug {system.slug!r}")
        found[system.slug] = system
    return MappingProxyType(dict(sorted(found.items())))
