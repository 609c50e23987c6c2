"""Finds what the packages in `services.rules.systems` define.

`SYSTEM` is the whole game, `MECHANICS` its own rolls by which the dice service knows it, `DICE` the faces of
its own dice by name. A package may define any of them.
"""

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
from services.rules.dice.lexicon import is_die_name
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import Face
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
    return _by_slug(_all_packages(search_paths))


def mechanics(*search_paths: Path) -> Mapping[str, Mechanic]:
    """Every game's own rolls by name.

    Args:
        *search_paths: Folders of further system packages, beside the house's own.

    Raises:
        RegistryError: Two rolls have one name, one does not bear the name of its package, or something else
            stands among them.
    """
    return _own_mechanics() if not search_paths else _mechanics_of(_all_packages(search_paths))


def named_dice(*search_paths: Path) -> Mapping[str, tuple[Face, ...]]:
    """Every game's own dice: their faces by name.

    Args:
        *search_paths: Folders of further system packages, beside the house's own.

    Raises:
        RegistryError: Two packages claim one name, the notation cannot say it, or it names no faces.
    """
    return _own_dice() if not search_paths else _dice_of(_all_packages(search_paths))


@cache
def _own_mechanics() -> Mapping[str, Mechanic]:
    return _mechanics_of(list(_own_packages()))


@cache
def _own_dice() -> Mapping[str, tuple[Face, ...]]:
    return _dice_of(list(_own_packages()))


def _mechanics_of(packages: list[tuple[str, ModuleType]]) -> Mapping[str, Mechanic]:
    found: dict[str, Mechanic] = {}
    for name, package in packages:
        for mechanic in getattr(package, "MECHANICS", ()):
            if not isinstance(mechanic, Mechanic):
                raise RegistryError(f"{name}: a {type(mechanic).__name__} stands among its MECHANICS")
            if not mechanic.name.startswith(f"{name}:"):
                raise RegistryError(f"{name}: the roll {mechanic.name!r} does not bear the package's name")
            if mechanic.name in found:
                raise RegistryError(f"two rolls are called {mechanic.name!r}")
            found[mechanic.name] = mechanic
    return MappingProxyType(dict(sorted(found.items())))


def _dice_of(packages: list[tuple[str, ModuleType]]) -> Mapping[str, tuple[Face, ...]]:
    found: dict[str, tuple[Face, ...]] = {}
    for name, package in packages:
        for die, faces in getattr(package, "DICE", {}).items():
            if die in found:
                raise RegistryError(f"{name}: another package has a die called {die!r}")
            if not is_die_name(die):
                raise RegistryError(f"{name}: no die can be called {die!r}")
            if not faces or not all(isinstance(face, Face) for face in faces):
                raise RegistryError(f"{name}: the die {die!r} is not a tuple of faces")
            found[die] = faces
    return MappingProxyType(dict(sorted(found.items())))


def _all_packages(search_paths: tuple[Path, ...]) -> list[tuple[str, ModuleType]]:
    return [*_own_packages(), *(found for folder in search_paths for found in _packages_in(folder))]


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
