"""What clients of the REST face would lose: a description compared with the one that was committed last.

A request that was sound must stay so, and an answer must hold what it held: neither paths, verbs and members
of answers may vanish, nor may requests be asked for more or be allowed less. What an answer has more, and
what a request may leave out from now on, breaks nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
Document = Mapping[str, Any]

EVERY_TYPE = frozenset(("null", "boolean", "object", "array", "number", "integer", "string"))
LOWER, UPPER = (
    ("minimum", "minLength", "minItems", "minProperties"),
    ("maximum", "maxLength", "maxItems", "maxProperties"),
)


def breaking_changes(old: Document, new: Document) -> list[str]:
    """Lists what breaks clients, one line each.

    Args:
        old: the description that clients know.
        new: the one that is to be published.
    """
    return sorted(set(_Comparison(old, new).changes()))


class _Comparison:
    def __init__(self, old: Document, new: Document) -> None:
        self._old, self._new = old, new

    def changes(self) -> Iterator[str]:
        for path, verbs in self._old["paths"].items():
            for verb, operation in verbs.items():
                place = f"{verb.upper()} {path}"
                now = self._found(path, verb)
                if now is None:
                    yield f"{place}: is gone"
                else:
                    yield from self._operation(place, operation, now)

    def _found(self, path: str, verb: str) -> Mapping[str, Any] | None:
        """The operation at an address; what its parts are called does not count."""
        named = {_shape(known): verbs for known, verbs in self._new["paths"].items()}
        found: Mapping[str, Any] | None = named.get(_shape(path), {}).get(verb)
        return found

    def _operation(self, place: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        yield from self._parameters(place, old.get("parameters", ()), new.get("parameters", ()))
        before, after = old.get("requestBody"), new.get("requestBody")
        if before is None and after is not None and after.get("required"):
            yield f"{place}: a body is asked for"
        for media, content in (before or {}).get("content", {}).items():
            kept = (after or {}).get("content", {}).get(media)
            if kept is None:
                yield f"{place}: {media} is taken no more"
            else:
                yield from self._narrowed(f"{place} body", content["schema"], kept["schema"], ())
        for status, answer in old["responses"].items():
            if status.startswith("2"):
                yield from self._answer(f"{place} {status}", answer, new["responses"].get(status))

    def _parameters(self, place: str, old: Any, new: Any) -> Iterator[str]:
        before = {(one["in"], one["name"]): one for one in old if one["in"] != "path"}
        after = {(one["in"], one["name"]): one for one in new if one["in"] != "path"}
        for key, one in before.items():
            if key not in after:
                yield f"{place}: parameter {key[1]} is gone"
            else:
                # An address has no null, whatever a schema says.
                before_it, now = (
                    {"anyOf": [one["schema"]]},
                    {"anyOf": [after[key]["schema"], {"type": "null"}]},
                )
                yield from self._narrowed(f"{place} {key[1]}", before_it, now, ())
        for key, one in after.items():
            if one.get("required") and not before.get(key, {}).get("required"):
                yield f"{place}: parameter {key[1]} is asked for"

    def _answer(self, place: str, old: Mapping[str, Any], new: Mapping[str, Any] | None) -> Iterator[str]:
        if new is None:
            yield f"{place}: is answered no more"
            return
        for name in old.get("headers", {}):
            if name not in new.get("headers", {}):
                yield f"{place}: header {name} is gone"
        for media, content in old.get("content", {}).items():
            if media not in new.get("content", {}):
                yield f"{place}: {media} is answered no more"
            else:
                yield from self._lost(place, content["schema"], new["content"][media]["schema"], ())

    def _narrowed(
        self, place: str, old: Schema, new: Schema, above: tuple[tuple[str, str], ...]
    ) -> Iterator[str]:
        """What was sound as `old` says and is not as `new` does."""
        here = (str(old.get("$ref")), str(new.get("$ref")))
        if "$ref" in old and here in above:
            return
        before, after = _whole(old, self._old), _whole(new, self._new)
        if not _types(before) <= _types(after):
            yield f"{place}: {_listed(_types(before) - _types(after))} is taken no more"
        if "enum" in after and not set(before.get("enum", (None,))) <= set(after["enum"]):
            yield f"{place}: values are taken no more"
        for word, worse in (*((one, 1) for one in LOWER), *((one, -1) for one in UPPER)):
            if word in after and (word not in before or (after[word] - before[word]) * worse > 0):
                yield f"{place}: {word} is {after[word]}"
        for name in after.get("required", ()):
            if name not in before.get("required", ()):
                yield f"{place}.{name}: is asked for"
        known = after.get("properties", {})
        for name, one in before.get("properties", {}).items():
            if name in known:
                yield from self._narrowed(f"{place}.{name}", one, known[name], (*above, here))
            elif after.get("additionalProperties") is False:
                yield f"{place}.{name}: is taken no more"
        if "items" in before and "items" in after:
            yield from self._narrowed(f"{place}[]", before["items"], after["items"], (*above, here))

    def _lost(
        self, place: str, old: Schema, new: Schema, above: tuple[tuple[str, str], ...]
    ) -> Iterator[str]:
        """What an answer held as `old` says and does not as `new` does."""
        here = (str(old.get("$ref")), str(new.get("$ref")))
        if "$ref" in old and here in above:
            return
        before, after = _whole(old, self._old), _whole(new, self._new)
        if not _types(after) <= _types(before):
            yield f"{place}: may be {_listed(_types(after) - _types(before))}"
        known = after.get("properties", {})
        for name, one in before.get("properties", {}).items():
            if name not in known:
                if not before.get("additionalProperties", False) or name in before.get("required", ()):
                    yield f"{place}.{name}: is gone"
                continue
            if name in before.get("required", ()) and name not in after.get("required", ()):
                yield f"{place}.{name}: may be missing"
            yield from self._lost(f"{place}.{name}", one, known[name], (*above, here))
        if "items" in before and "items" in after:
            yield from self._lost(f"{place}[]", before["items"], after["items"], (*above, here))


def _shape(path: str) -> tuple[str, ...]:
    return tuple("{}" if part.startswith("{") and part.endswith("}") else part for part in path.split("/"))


def _whole(schema: Schema, document: Document) -> dict[str, Any]:
    """A schema with what it refers to; of several, what they have in common with the types of all."""
    found = dict(schema)
    while "$ref" in found:
        place: Any = document
        for step in found.pop("$ref").removeprefix("#/").split("/"):
            place = place[step]
        found = {**place, **found}
    choices = [_whole(one, document) for one in found.pop("anyOf", found.pop("oneOf", ()))]
    solid = [one for one in choices if _types(one) != {"null"}]
    if len(solid) == 1:
        found = {
            **solid[0],
            **found,
            "type": sorted(_types(solid[0]) | {"null"} if len(choices) > 1 else _types(solid[0])),
        }
    elif solid:
        found["type"] = sorted(frozenset().union(*(_types(one) for one in choices)))
    return found


def _types(schema: Schema) -> frozenset[str]:
    """The types of JSON that a schema takes."""
    named = schema.get("type")
    if named is None:
        return frozenset(("string",)) if "enum" in schema or "const" in schema else EVERY_TYPE
    found = frozenset((named,) if isinstance(named, str) else named)
    return found | {"integer"} if "number" in found else found


def _listed(words: frozenset[str]) -> str:
    return " or ".join(sorted(words))
