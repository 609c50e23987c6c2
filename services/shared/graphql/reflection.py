"""Names for the types that game systems declare, before they are mirrored.

A system's own types carry its name (``DungeonTellerActionLine``), so that two systems may use the same word;
those that all systems share do not. Several subgraphs may show the same types, so all of them are shareable.
"""

import enum
import inspect
import re
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field, is_dataclass
from typing import Any

from services.shared.graphql.hints import hints_of, members
from services.shared.mirror import mirror, mirror_input, mirror_union


def prefix_of(slug: str, name: str = "") -> str:
    """Return what the names of a system's types begin with: ``ForgeEngine`` for ``forge_engine``.

    Args:
        slug: of the system.
        name: of the system, whose spelling counts where it is the slug's: ``DungeonTeller``.
    """
    spelled = "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", name))
    return spelled if spelled.lower() == slug.replace("_", "") else _pascal(slug)


def _pascal(slug: str) -> str:
    return "".join(word.capitalize() for word in slug.split("_"))


@dataclass(frozen=True, slots=True)
class Naming:
    """Gives names to what classes are made of.

    Attributes:
        shared: beginnings of the modules whose types keep their own names.
        unions: the unions that were named already, by their members.
        called: names for unions that were not met yet, by their members.
        interfaces: those that classes implement which were not met yet.
        prefixes: what the names of a module's types begin with wherever they are met, by the beginning of the
            module's name; of several the longest counts.
    """

    shared: tuple[str, ...]
    unions: set[frozenset[Any]] = field(default_factory=set)
    called: dict[frozenset[Any], str] = field(default_factory=dict)
    interfaces: dict[type, tuple[type, ...]] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)

    def name_union(self, name: str, *classes: type) -> None:
        """Give a union of classes a name of its own, before it is met within another class."""
        self.unions.add(frozenset(classes))
        mirror_union(name, *classes)

    def name_parts(
        self, root: type, prefix: str, *, roots: tuple[type, ...] = (), inputs: bool = False
    ) -> None:
        """Mirror everything that a class is made of, innermost first, under the system's name.

        What a mirrored class is made of looks as it was mirrored first.

        Args:
            root: the class; it gets a name of its own elsewhere.
            prefix: what the names begin with.
            roots: other classes that get names elsewhere.
            inputs: whether its parts are inputs as well.
        """
        seen = {root, *roots}
        for hint in _hints_within(root):
            self._name(hint, prefix, seen, inputs=inputs)

    def name_whole(
        self, cls: type, prefix: str, *, roots: tuple[type, ...] = (), inputs: bool = False
    ) -> None:
        """Mirror a class and everything that it is made of, innermost first, under the system's name.

        Args:
            cls: the class; nothing is done where it was named before, as one of the ``roots`` was.
            prefix: what the names begin with.
            roots: classes that get names elsewhere.
            inputs: whether all of it is input as well.
        """
        self._name(cls, prefix, set(roots), inputs=inputs)

    def _name(self, hint: Any, prefix: str, seen: set[type], *, inputs: bool) -> None:
        for argument in typing.get_args(hint):
            self._name(argument, prefix, seen, inputs=inputs)
        kinds = members(hint)
        unnamed = len(kinds) > 1 and frozenset(kinds) not in self.unions
        if unnamed and all(is_dataclass(kind) for kind in kinds):
            spelled = prefix + "Or".join(kind.__name__ for kind in kinds)
            self.name_union(self.called.get(frozenset(kinds), spelled), *kinds)
        if not isinstance(hint, type) or not (is_dataclass(hint) or issubclass(hint, enum.Enum)):
            return
        if hint in seen:
            return
        seen.add(hint)
        for part in _hints_within(hint):
            self._name(part, prefix, seen, inputs=inputs)
        name = self._prefix(hint, prefix) + hint.__name__
        if issubclass(hint, enum.Enum):
            mirror(hint, name=name)
            return
        mirror(hint, name=name, shareable=True, interfaces=self.interfaces.get(hint, ()))
        if inputs:
            mirror_input(hint, name=f"{name}Input")

    def _prefix(self, cls: type, met_in: str) -> str:
        if cls.__module__.startswith(self.shared):
            return ""
        known = [module for module in self.prefixes if cls.__module__.startswith(module)]
        return self.prefixes[max(known, key=len)] if known else met_in


def _hints_within(cls: type) -> Iterator[Any]:
    hints = typing.get_type_hints(cls)
    yield from (hints[name] for name in hints_of(cls))
    for _, member in inspect.getmembers(cls, lambda member: isinstance(member, property)):
        yield typing.get_type_hints(member.fget).get("return")
