"""The games' own JSON forms, by their published schemas, ``schema/<kind>-<game>.schema.json``."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from services.gateway.rest.operation import SCHEMA
from services.shared.graphql.lists import MAX_ITEMS

DEFINITION = "#/$defs/"
_HEAD = frozenset(("$schema", "$id", "title", "$defs"))


@cache
def published(kind: str, reference: str, *, exact: bool) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Reads the schemas of a kind of thing, one for each game that has it.

    Args:
        kind: ``sheet``, ``move`` or ``setup``.
        reference: what a reference to a schema by its name begins with.
        exact: whether members that a game does not name are refused, as in what is sent; an answer may get
            new ones.

    Returns:
        the schema of such a thing of any game, and those that it refers to, by name.
    """
    named: dict[str, Any] = {}
    games = []
    for file in sorted(SCHEMA.glob(f"{kind}-*.schema.json")):
        name = _component(file, kind)
        document = orjson.loads(file.read_bytes())
        named[name] = {word: value for word, value in document.items() if word not in _HEAD}
        named |= {f"{name}.{word}": shape for word, shape in document.get("$defs", {}).items()}
        named = {known: _moved(shape, reference + name) for known, shape in named.items()}
        games.append(name)
    shapes = {name: (_bounded if exact else _open)(shape) for name, shape in named.items()}
    return {"anyOf": [{"$ref": reference + name} for name in games]}, shapes


def _component(file: Path, kind: str) -> str:
    """A schema's name: ``move-dwarf-dice`` is ``DwarfDiceMove``."""
    game = file.name.removesuffix(".schema.json").removeprefix(f"{kind}-")
    return "".join(word.capitalize() for word in (*game.split("-"), kind))


def _moved(shape: Any, place: str) -> Any:
    """Have the references of a schema lead to where its definitions stand now."""
    if isinstance(shape, list):
        return [_moved(one, place) for one in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        word: f"{place}.{value.removeprefix(DEFINITION)}"
        if word == "$ref" and str(value).startswith(DEFINITION)
        else _moved(value, place)
        for word, value in shape.items()
    }


def _bounded(shape: Any) -> Any:
    """Describe how long a list may be that says nothing of it, as the graph bounds it."""
    if isinstance(shape, list):
        return [_bounded(one) for one in shape]
    if not isinstance(shape, dict):
        return shape
    found = {word: _bounded(value) for word, value in shape.items()}
    if found.get("type") != "array":
        return found
    return {"maxItems": len(found["prefixItems"]) if "prefixItems" in found else MAX_ITEMS, **found}


def _open(shape: Any) -> Any:
    """Take members that are not named."""
    if isinstance(shape, list):
        return [_open(one) for one in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        word: _open(value)
        for word, value in shape.items()
        if not (word == "additionalProperties" and value is False)
    }
