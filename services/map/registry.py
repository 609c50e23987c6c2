"""Finds the kinds of maps: every package in `services.map.kinds` has a module `kind` with its `KIND`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from services.map import kinds as kinds_package
from services.map.generation.kind import AnyGenerator
from services.map.grid_sync import GRID_LEADING
from services.map.kind import AnyMapKind, Leading, Making, MapKind


class KindError(TypeError):
    """A package defines no kind of map, or one that another package has defined already."""


def packages() -> list[str]:
    """Lists the packages of kinds by their full names."""
    found = pkgutil.iter_modules(kinds_package.__path__, f"{kinds_package.__name__}.")
    return [module.name for module in found if module.ispkg]


def by_slug(modules: Iterable[ModuleType]) -> Mapping[str, AnyMapKind]:
    """Returns the kinds that modules define, by slug, in the order of lists.

    Raises:
        KindError: a module defines none; two share a slug, a file format, or the name of an operation.
    """
    kinds: list[AnyMapKind] = []
    claimed: dict[tuple[str, str], str] = {}
    for module in modules:
        kind = getattr(module, "KIND", None)
        if not isinstance(kind, MapKind):
            raise KindError(f"{module.__name__}: KIND is a {type(kind).__name__}, not a MapKind")
        for claim in _claims(kind):
            if claim in claimed:
                raise KindError(f"{module.__name__} and {claimed[claim]}: {' '.join(claim)} is of both")
            claimed[claim] = module.__name__
        kinds.append(kind)
    kinds.sort(key=lambda kind: (kind.place, kind.slug))
    return MappingProxyType({kind.slug: kind for kind in kinds})


def _claims(kind: AnyMapKind) -> list[tuple[str, str]]:
    claims = [("slug", kind.slug)]
    if kind.sheet is not None:
        claims.append(("format", kind.sheet.format))
    if kind.growth is not None:
        claims += [("operation", operation.__name__) for operation in kind.growth.operations]
    return claims


KINDS: Mapping[str, AnyMapKind] = by_slug(importlib.import_module(f"{name}.kind") for name in packages())
"""Every kind of map, by its slug."""

GENERATORS: Mapping[str, AnyGenerator] = MappingProxyType(
    {slug: kind.making.generator for slug, kind in KINDS.items() if kind.making is not None}
)
"""What makes maps, by the slug of their kind."""

OPERATIONS: tuple[type[Any], ...] = tuple(
    operation for kind in KINDS.values() if kind.growth is not None for operation in kind.growth.operations
)
"""All that a table can ask of maps that grow."""


def leading_of(slug: str) -> Leading[Any, Any] | None:
    """Returns how scenes lead maps of a kind; None where no scene does."""
    kind = KINDS[slug]
    return kind.leading or (GRID_LEADING if kind.cells else None)


def making_of(slug: str) -> Making[Any, Any]:
    """Returns how maps of a kind are made.

    Raises:
        LookupError: there is no such kind, or its maps are not made here.
    """
    making = KINDS[slug].making
    if making is None:
        raise LookupError(f"no map of the kind {slug} is made here")
    return making
