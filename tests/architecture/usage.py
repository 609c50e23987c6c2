"""Which definitions of the game systems the product uses, read from its source.

A function or class is used where its name stands outside its own definition: in its own module, or in one
that imports it, by whatever name and through whatever package hands it on. A method or property is used where
an attribute of its name is. Neither an import alone nor a use inside an unused definition counts.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PLAIN_DECORATORS = frozenset(
    ("cache", "lru_cache", "dataclass", "property", "classmethod", "staticmethod", "runtime_checkable")
)
"""Decorators that use nothing; any other takes what it decorates and hands it on."""

Key = tuple[str, str]
"""A module, and a function, a class or "Class.method" in it; the name is empty for the module itself."""


Inside = tuple[Key, ...]
"""The definitions that a use stands in, the outermost first."""


@dataclass
class Source:
    """What a module of the product defines and uses; its syntax is not kept.

    Trees of all modules at once would be millions of objects, which the search for garbage goes through again
    and again.

    Attributes:
        name: "services.rules.systems.forgeborn.play.legal".
        imported: What each imported name stands for.
        own: Functions and classes that are defined here.
        definitions: The functions, classes and methods that nothing registers.
        names: Plain names that are used.
        attributes: Attributes that are used, of whatever.
        parts: Attributes of plain names: the name, the attribute.
    """

    name: str
    imported: dict[str, Key] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    definitions: tuple[Key, ...] = ()
    names: set[tuple[str, Inside]] = field(default_factory=set)
    attributes: set[tuple[str, Inside]] = field(default_factory=set)
    parts: set[tuple[str, str, Inside]] = field(default_factory=set)


@dataclass(frozen=True)
class Use:
    """A name that is used.

    Attributes:
        target: What is used; ("", name) for an attribute of that name, whatever it belongs to.
        inside: The definitions it stands in, the outermost first.
    """

    target: Key
    inside: Inside


def module_name(file: str) -> str:
    """The dotted name of a file, a package's for its `__init__`."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def read(file: str, root: Path) -> Source:
    """A module with its imports, definitions and the names it uses."""
    source, tree = Source(module_name(file)), ast.parse((root / file).read_text("utf-8"))
    source.own = {node.name for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
    source.definitions = tuple(definitions(source.name, tree))
    waiting: list[tuple[ast.AST, Inside]] = [(tree, ())]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and len(inside) < 2:
            outer = f"{inside[-1][1]}." if inside else ""
            inside = (*inside, (source.name, f"{outer}{node.name}"))
        else:
            note(source, node, inside)
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return source


def note(source: Source, node: ast.AST, inside: Inside) -> None:
    """Take down what a node uses or imports."""
    match node:
        case ast.Name():
            source.names.add((node.id, inside))
        case ast.Attribute():
            source.attributes.add((node.attr, inside))
            if isinstance(node.value, ast.Name):
                source.parts.add((node.value.id, node.attr, inside))
        case ast.MatchClass():
            source.attributes.update((name, inside) for name in node.kwd_attrs)
        case ast.ImportFrom():
            for alias in node.names:
                source.imported[alias.asname or alias.name] = (node.module or "", alias.name)
        case ast.Import():
            for alias in node.names:
                source.imported[alias.asname or alias.name] = (alias.name, "")


def resolved(module: str, name: str, known: dict[str, Source]) -> Key:
    """What a name of a module stands for, through the packages that hand it on."""
    seen: set[Key] = set()
    while (module, name) not in seen and (source := known.get(module)) is not None:
        seen.add((module, name))
        if name in source.imported and source.imported[name] != (module, name):
            module, name = source.imported[name]
        elif name not in source.own and f"{module}.{name}" in known:
            return (f"{module}.{name}", "")
    return (module, name)


def registered(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether a decorator takes a definition and hands it on."""
    called = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in called}
    return bool(names - PLAIN_DECORATORS)


def definitions(module: str, tree: ast.Module) -> Iterator[Key]:
    """The functions, classes and methods of a module that nothing registers."""
    for node in tree.body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and not registered(node):
            yield (module, node.name)
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, FUNCTIONS) and not inner.name.startswith("__"):
                    yield (module, f"{node.name}.{inner.name}")


def uses(source: Source, known: dict[str, Source]) -> Iterator[Use]:
    """Every use of a name in a module."""
    meant = {name: resolved(source.name, name, known) for name in {name for name, _ in source.names}}
    yield from (Use(meant[name], inside) for name, inside in source.names)
    yield from (Use(("", name), inside) for name, inside in source.attributes)
    for name, attribute, inside in source.parts:
        if name in source.imported:
            module, rest = resolved(source.name, name, known)
            if not rest:
                yield Use(resolved(module, attribute, known), inside)


def unused(systems: list[str], product: list[str], root: Path = ROOT) -> list[str]:
    """The public definitions in files of the systems that no file of the product uses: "module: name".

    Args:
        systems: Paths from the root of the files whose definitions are asked about.
        product: Paths of all files whose uses count, the former among them.
        root: Folder that the paths start from.
    """
    known = {source.name: source for source in (read(file, root) for file in product)}
    places: dict[Key, set[tuple[Key, ...]]] = {}
    for source in known.values():
        for use in uses(source, known):
            places.setdefault(use.target, set()).add(use.inside)
    candidates = [key for file in systems for key in known[module_name(file)].definitions]

    def wanted(key: Key, dead: set[Key]) -> bool:
        owner, _, method = key[1].rpartition(".")
        found = places.get(("", method) if owner else key, ())
        return any(key not in inside and dead.isdisjoint(inside) for inside in found)

    dead: set[Key] = set()
    while newly := {key for key in candidates if key not in dead and not wanted(key, dead)}:
        dead |= newly
    public = [key for key in candidates if not any(part.startswith("_") for part in key[1].split("."))]
    return sorted(f"{module}: {name}" for module, name in public if (module, name) in dead)
