"""JSON Schemas (draft 2020-12) of dataclasses, read from their hints and from the `Attributes:` of their
docstrings by the rules of the codec that reads them; so code and schema cannot part.

`RANGES` on a dataclass, a mapping of field names to least and greatest values, becomes `minimum` and
`maximum`.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Union, get_args, get_origin

from services.rules.engine.codec import KIND
from services.rules.engine.forms import public_members, spelled
from services.rules.engine.spelling import STORED, Spelling

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ADDRESS = "https://hearthforge.example/schema/"
"""Where the ids of the schemas begin; they are names, nothing is fetched from there."""

_PLAIN: dict[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    Fraction: {"type": "string", "pattern": "^-?[0-9]+/[0-9]+$"},
    Any: {},
}
_ATTRIBUTE = re.compile(r"^( *)(\w+): (.*)$")
_ELLIPSIS_FORM = 2


class Writer:
    """Writes the schemas of types.

    Args:
        spelling: How names and words are written.
        shared: Whether each class is described once, in `definitions`, and referred to; needed where a class
            holds its own kind.
        answers: Whether public properties stand beside the fields, as what is answered shows them.
    """

    def __init__(self, spelling: Spelling = STORED, *, shared: bool = False, answers: bool = False) -> None:
        self._spelling = spelling
        self._shared = shared
        self._answers = answers
        self._names: dict[type, str] = {}
        self.definitions: dict[str, Schema] = {}

    def document(self, hint: Any, name: str, description: str | None = None) -> Schema:
        """The schema of a dataclass, or of a union of them, as a whole document.

        Args:
            hint: The dataclass or the union.
            name: For the schema's id and title: `content-pack-forge-engine`.
            description: In place of what the class says of itself.

        Raises:
            TypeError: It has no JSON form.
        """
        is_class = isinstance(hint, type) and is_dataclass(hint)
        shape = self.dataclass(hint) if is_class else self.of(hint)
        if description is not None:
            shape["description"] = description
        made = headed(name, shape)
        return {**made, "$defs": dict(sorted(self.definitions.items()))} if self.definitions else made

    def embedded(self, cls: type) -> Schema:
        """The schema of a dataclass without the head of a document, its definitions in it."""
        shape = self.dataclass(cls)
        return {**shape, "$defs": dict(sorted(self.definitions.items()))} if self.definitions else shape

    def dataclass(self, cls: type) -> Schema:
        """The schema of a dataclass itself.

        Raises:
            TypeError: It is not a dataclass, or a hint has no JSON form.
        """
        if not is_dataclass(cls):
            raise TypeError(f"{cls.__name__} is no dataclass")
        told = attributes(cls)
        properties: dict[str, Schema] = {}
        required: list[str] = []
        given = {item.name: item for item in fields(cls) if item.init}
        ranges: Mapping[str, tuple[int, int]] = getattr(cls, "RANGES", {})
        for name, hint in public_members(cls, properties=self._answers):
            item = given.get(name)
            if item is None and not self._answers:
                continue
            spelt = self._spelling.name(name)
            properties[spelt] = self._property(
                item, hint, told.get(name) or _said(cls, name), ranges.get(name)
            )
            if self._answers or (item is not None and _default(item) is MISSING):
                required.append(spelt)
        return {
            "type": "object",
            "description": summary(cls),
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def of(self, hint: Any) -> Schema:
        """The schema of the JSON form of a type.

        Raises:
            TypeError: It has none.
        """
        origin = get_origin(hint)
        if hint in _PLAIN:
            return dict(_PLAIN[hint])
        if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, Enum)):
            return self._named(hint)
        if origin in (Union, types.UnionType):
            return {"anyOf": self._members(get_args(hint))}
        if origin is tuple:
            members = get_args(hint)
            if len(members) == _ELLIPSIS_FORM and members[1] is Ellipsis:
                return {"type": "array", "items": self.of(members[0])}
            items = [self.of(member) for member in members]
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if origin is Mapping:
            return {"type": "object", "additionalProperties": self.of(get_args(hint)[1])}
        raise TypeError(f"no JSON form for {hint}")

    def _members(self, members: tuple[Any, ...]) -> list[Schema]:
        """The members of a union; of several dataclasses each says by its kind which it is."""
        several = sum(is_dataclass(member) for member in members) > 1
        made: list[Schema] = []
        for member in members:
            if not (several and is_dataclass(member)):
                made.append(self.of(member))
                continue
            shape = self.dataclass(typing.cast(type, member))
            kind = {KIND: {"const": typing.cast(type, member).__name__}}
            made.append(
                {
                    **shape,
                    "properties": {**kind, **shape["properties"]},
                    "required": [KIND, *shape["required"]],
                }
            )
        return made

    def _named(self, cls: type[Any]) -> Schema:
        if not self._shared:
            return self._shape(cls)
        if cls not in self._names:
            name = cls.__name__
            if name in self.definitions:
                name = f"{cls.__module__.rpartition('.')[2]}.{name}"
            self._names[cls] = name
            # The place is taken before the shape is made, which may come back here.
            self.definitions[name] = {}
            self.definitions[name] = self._shape(cls)
        return {"$ref": f"#/$defs/{self._names[cls]}"}

    def _shape(self, cls: type[Any]) -> Schema:
        if issubclass(cls, Enum):
            return {"enum": [self._spelling.word(member) for member in cls]}
        return self.dataclass(cls)

    def _property(
        self, item: Field[Any] | None, hint: Any, told: str, allowed: tuple[int, int] | None
    ) -> Schema:
        schema = self.of(hint)
        if told:
            schema["description"] = told
        if allowed is not None:
            schema["minimum"], schema["maximum"] = allowed
        default = MISSING if item is None or self._answers else _default(item)
        if default is not MISSING:
            schema["default"] = spelled(hint, default, self._spelling, properties=False)
        return schema


def headed(name: str, schema: Schema) -> Schema:
    """A schema with the head of a document."""
    return {"$schema": DIALECT, "$id": f"{ADDRESS}{name}.schema.json", "title": name, **schema}


def attributes(cls: type) -> dict[str, str]:
    """What the docstring of a class says of each attribute (Google style)."""
    lines = inspect.cleandoc(cls.__doc__ or "").splitlines()
    if "Attributes:" not in lines:
        return {}
    found: dict[str, str] = {}
    name, indent = "", -1
    for line in lines[lines.index("Attributes:") + 1 :]:
        if line and not line.startswith(" "):
            break
        match = _ATTRIBUTE.match(line)
        if match and (indent < 0 or len(match.group(1)) == indent):
            indent, name = len(match.group(1)), match.group(2)
            found[name] = match.group(3).strip()
        elif name and line.strip():
            found[name] += f" {line.strip()}"
    return {name: _for_clients(told) for name, told in found.items()}


def summary(cls: type) -> str:
    """The first paragraph of a docstring, on one line."""
    return _first_paragraph(cls.__doc__)


def _said(cls: type, name: str) -> str:
    """What a property says of itself."""
    member = inspect.getattr_static(cls, name, None)
    return _first_paragraph(member.__doc__) if isinstance(member, property) else ""


def _first_paragraph(document: str | None) -> str:
    first, _, _ = inspect.cleandoc(document or "").partition("\n\n")
    return _for_clients(" ".join(first.split()))


_NO_VALUE = re.compile(r"(\. |^)?\bNone\b(?! of (?:it|these)\b|,)")


def _for_clients(line: str) -> str:
    """Write ``null`` where a docstring names the value None, as the graph's descriptions do."""
    return _NO_VALUE.sub(lambda found: "null" if found[1] is None else f"{found[1]}Null", line)


def _default(item: Field[Any]) -> Any:
    return item.default_factory() if item.default_factory is not MISSING else item.default
