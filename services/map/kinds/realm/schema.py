"""The JSON Schema of the map file of realms."""

from __future__ import annotations

from services.map.exports.schemas import list_of, number, record, seed_text, type_schema
from services.map.kinds.realm.canonical import FORMAT, FORMAT_VERSION
from services.map.kinds.realm.model import Corner
from services.rules.engine.json_schema import Schema, headed
from services.rules.systems.forgeborn import LinkKind, PlaceKind


def realm_schema() -> Schema:
    """The schema of the map file of realms."""
    pair = {"type": "array", "prefixItems": [number(), number()], "items": False, "minItems": 2}
    line = {"type": "array", "items": pair}
    whole, text, truth = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
    place: dict[str, Schema] = {
        "id": text,
        "kind": type_schema(PlaceKind),
        "name": text,
        "power": {"type": ["integer", "null"]},
        "spent": truth,
        "at": pair,
    }
    forest: dict[str, Schema] = {
        "largest": truth,
        "dice": list_of(whole),
        "points": line,
        "lines": list_of(line),
    }
    link: dict[str, Schema] = {
        "from": text,
        "to": text,
        "kind": type_schema(LinkKind),
        "forced": truth,
        "crosses_range": truth,
        "line": line | {"minItems": 2, "maxItems": 2},
    }
    settings = {
        "dragon_minimum": whole,
        "too_far_percent": whole,
        "die_width": number(),
        "margin": number(),
    }
    properties: dict[str, Schema] = {
        "format": {"const": FORMAT},
        "format_version": {"const": FORMAT_VERSION},
        "generator_version": whole | {"minimum": 1},
        "kind": {"const": "realm"},
        "seed": seed_text(),
        "attempt": whole | {"minimum": 0},
        "given_dice": truth,
        "title": text,
        "compass": type_schema(Corner),
        "sheet": record("In units.", {"width": number(), "height": number()}),
        "settings": record("What the table settled on.", settings),
        "dice": list_of(record("A die as it fell.", {"sides": whole, "face": whole, "at": pair})),
        "places": list_of(record("A place.", place)),
        "range": record("The mountain range.", {"name": text, "points": line}),
        "forests": list_of(record("A patch of forest.", forest)),
        "links": list_of(record("A road or trail.", link)),
    }
    return headed(FORMAT, record("A realm; positions are in units of the sheet.", properties))
