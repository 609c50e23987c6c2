"""The codes that services tell clients, found where they are told: in the source of each service.

What the codes of rules mean, and what a client does about each, stands in the ``problems.toml`` of the game
or service that alone tells it, or of the engine where several do. ``infra/schema`` writes them to
``schema/rule-codes.json``, with the sentences that they are told with; all others stand in the registry of
the gateway (``services.gateway.rest.codes``). A test compares both with the source.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from infra.launch.bootstrap import ROOT
from services.gateway.rest.codes import CODES

SERVICES = ROOT / "services"
UPPER, LOWER = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*"), re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TELLERS = re.compile(r"problem|issue|refus|unknown|^single$|^cls$", re.IGNORECASE)
"""What calls are named that tell a code, which is their first argument or named `code`."""

ERRORS = re.compile(r"(Public|Roll|Odds|Limit)\w*Error|PublicError|^Unavailable$|^MapChanged$|^RollVoid$")
RULES = "rules"
ENGINE = SERVICES / RULES / "engine"
ROWS = "problems.toml"
IMPORTS, IMPORTED = SERVICES / "map" / "exports", "import_"
"""Where files that are brought along are read, and what the codes of what is wrong with them begin with."""


@dataclass(frozen=True, slots=True)
class Told:
    """A code where it is told.

    Attributes:
        code: as it is written there.
        place: file and line.
        service: whose file it is; ``rules/<game>`` of a game.
        says: the sentence that goes with it, with ``...`` for what is filled in; empty where it is made
            elsewhere.
    """

    code: str
    place: str
    service: str
    says: str


@cache
def told_codes() -> tuple[Told, ...]:
    """Returns each code of the services' source, wherever it is told."""
    return tuple(_codes_of_source())


def _codes_of_source() -> Iterator[Told]:
    for file in sorted(SERVICES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield from _of_call(file, node)
            elif isinstance(node, ast.Dict):
                yield from _of_dict(file, node)


def rule_codes() -> Mapping[str, Mapping[str, Any]]:
    """Return each code of a rule: its meaning, its mend, its sentences by whose rule it is.

    Codes that the registry of the gateway explains are left out.

    Raises:
        KeyError: A code has no row, or not where it belongs.
    """
    return {
        code: {**rows_of(place_of(services))[code], "told": services}
        for code, services in sentences().items()
        if code not in CODES
    }


def sentences() -> Mapping[str, Mapping[str, list[str]]]:
    """Return the sentences of each code of a rule, by the code as clients see it and by whose rule it is."""
    found: dict[str, dict[str, set[str]]] = {}
    for one in told_codes():
        if one.code.islower():
            found.setdefault(one.code.upper(), {}).setdefault(one.service, set()).add(one.says)
    return {
        code: {service: sorted(filter(None, says)) for service, says in sorted(services.items())}
        for code, services in sorted(found.items())
    }


def place_of(services: Iterable[str]) -> Path:
    """Return the folder whose ``problems.toml`` explains a code that these services and games tell."""
    first, *others = services
    if others or first == RULES:
        return ENGINE
    owner, _, game = first.partition("/")
    return SERVICES / owner / "systems" / game if game else SERVICES / owner


@cache
def rows_of(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """Return what a folder's ``problems.toml`` says of codes, by the code as clients see it."""
    rows: Mapping[str, Mapping[str, str]] = tomllib.loads((folder / ROWS).read_text("utf-8"))
    return {code.upper(): row for code, row in rows.items()}


def _of_call(file: Path, call: ast.Call) -> Iterator[Told]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if not (TELLERS.search(name) or ERRORS.search(name)):
        return
    named = {one.arg: one.value for one in call.keywords}
    code = named.get("code", call.args[0] if call.args else None)
    message = named.get("message", call.args[1] if len(call.args) > 1 else None)
    for one in _either(code):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and _is_code(one.value, name):
            yield _told(file, call, one.value, message)


def _of_dict(file: Path, node: ast.Dict) -> Iterator[Told]:
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "code" and isinstance(value, ast.Constant):
            yield _told(file, node, str(value.value), None)


def _either(node: ast.expr | None) -> Iterator[ast.expr]:
    """What an expression may come to: both sides of a condition."""
    if isinstance(node, ast.IfExp):
        yield from _either(node.body)
        yield from _either(node.orelse)
    elif node is not None:
        yield node


def _is_code(text: str, teller: str) -> bool:
    if UPPER.fullmatch(text):
        return True
    return LOWER.fullmatch(text) is not None and ("_" in text or teller == "RuleProblem")


def _told(file: Path, node: ast.expr, code: str, message: ast.expr | None) -> Told:
    steps = file.relative_to(SERVICES).parts
    game = steps[0] == RULES and steps[1] == "systems" and len(steps) > 3
    service = f"{RULES}/{steps[2]}" if game else steps[0]
    if code.islower() and file.parent == IMPORTS and not code.startswith(IMPORTED):
        code = IMPORTED + code
    place = f"{file.relative_to(ROOT).as_posix()}:{node.lineno}"
    return Told(code, place, service, "" if message is None else _sentence(message))


def _sentence(node: ast.expr) -> str:
    """What a message says, with `...` for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr():
            return "".join(_sentence(one) if isinstance(one, ast.Constant) else "..." for one in node.values)
        case ast.BinOp(left=left, right=right):
            return _sentence(left) + _sentence(right)
    return ""
