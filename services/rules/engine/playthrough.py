"""Golden runs as text people can read, replayed by the suite.

    title: A warrior with the greatsword of the kit

    build                                     choices, one field a line, values in JSON
      name: "Brawnley"
      role: "dungeonteller:role/warrior"
    sheet                                     what the sheet must then say, found by path
      armor.value: 4
      actions[battle].rating.value: 5         [..] picks a list's item by number, or by its id or name

    build
      role: "dungeonteller:role/bard"
    rejected                                  exactly these codes, each where the rule was broken
      name_missing at name
      role_unknown at role

A line whose first sign is `#` is a remark. Every `build` is followed by `sheet` or `rejected`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

from services.rules.engine.codec import CodecError, Json
from services.rules.engine.problem import Problems, RulesError, path_text
from services.rules.engine.system import AnySystem

_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]+)\]")


class PlaythroughError(RulesError):
    """A playthrough cannot be read."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True, slots=True)
class Expectation:
    """One line of a `sheet` block: at this path stands this value."""

    line: int
    path: str
    value: Json


@dataclass(frozen=True, slots=True)
class Rejection:
    """One line of a `rejected` block."""

    line: int
    code: str
    path: str


@dataclass(frozen=True, slots=True)
class BuildStep:
    """Choices and what comes of them: expectations or rejections, never both."""

    line: int
    choices: Mapping[str, Json]
    sheet: tuple[Expectation, ...]
    rejected: tuple[Rejection, ...]


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A title and the steps in order."""

    title: str
    steps: tuple[BuildStep, ...]


def load_playthroughs(package: str) -> Mapping[str, str]:
    """The texts in a system package's `playthroughs` folder, by file name."""
    folder = files(package) / "playthroughs"
    if not folder.is_dir():
        return MappingProxyType({})
    return MappingProxyType(
        {
            item.name: item.read_text(encoding="utf-8")
            for item in sorted(folder.iterdir(), key=lambda item: item.name)
            if item.name.endswith(".txt")
        }
    )


def parse_playthrough(text: str) -> Playthrough:
    """Reads a playthrough.

    Raises:
        PlaythroughError: A line is out of place or a value is no JSON; a step expects nothing.
    """
    title = ""
    block = ""
    steps: list[BuildStep] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if not raw[0].isspace():
            if line.startswith("title:"):
                title = line.removeprefix("title:").strip()
            elif line == "build":
                _finish(steps)
                steps.append(BuildStep(number, {}, (), ()))
                block = line
            elif line in ("sheet", "rejected") and block == "build":
                block = line
            else:
                raise PlaythroughError(number, f"{line!r} is out of place here")
            continue
        if not steps:
            raise PlaythroughError(number, "a playthrough begins with a build")
        steps[-1] = _read_line(steps[-1], block, number, line)
    _finish(steps)
    if not title or not steps:
        raise PlaythroughError(1, "a playthrough has a title and at least one build")
    return Playthrough(title, tuple(steps))


def _finish(steps: list[BuildStep]) -> None:
    if steps and not steps[-1].sheet and not steps[-1].rejected:
        raise PlaythroughError(steps[-1].line, "this build expects nothing of its outcome")


def _read_line(step: BuildStep, block: str, number: int, line: str) -> BuildStep:
    if block == "rejected":
        code, _, path = line.partition(" at ")
        rejection = Rejection(number, code.strip(), path.strip())
        return BuildStep(step.line, step.choices, step.sheet, (*step.rejected, rejection))
    key, colon, value_text = line.partition(": ")
    if not colon:
        raise PlaythroughError(number, "expected `name: value`")
    try:
        value: Json = json.loads(value_text)
    except ValueError as error:
        raise PlaythroughError(number, f"{value_text!r} is not JSON: {error}") from error
    if block == "build":
        return BuildStep(step.line, {**step.choices, key: value}, step.sheet, step.rejected)
    return BuildStep(step.line, step.choices, (*step.sheet, Expectation(number, key, value)), step.rejected)


def replay(system: AnySystem, playthrough: Playthrough) -> tuple[str, ...]:
    """Builds every step anew and tells what came out otherwise; empty when all of it holds."""
    return tuple(failure for step in playthrough.steps for failure in _replay_step(system, step))


def _replay_step(system: AnySystem, step: BuildStep) -> tuple[str, ...]:
    try:
        choices = system.choices_codec.read(dict(step.choices))
    except CodecError as error:
        return (f"line {step.line}: {error}",)
    outcome = system.build(choices, system.content)
    if isinstance(outcome, Problems):
        found = sorted(f"{item.code} at {path_text(item.path)}" for item in outcome)
        wanted = sorted(f"{item.code} at {item.path}" for item in step.rejected)
        return () if found == wanted else (f"line {step.line}: rejected for {found}, expected {wanted}",)
    if step.rejected:
        codes = [item.code for item in step.rejected]
        return (f"line {step.line}: built, expected to be rejected for {codes}",)
    sheet = system.sheet_codec.dump(outcome)["data"]
    failures = []
    for expected in step.sheet:
        try:
            value = find(sheet, expected.path)
        except LookupError as error:
            failures.append(f"line {expected.line}: {expected.path}: {error}")
            continue
        if value != expected.value:
            told = f"{expected.path} is {value!r}"
            failures.append(f"line {expected.line}: {told}, expected {expected.value!r}")
    return tuple(failures)


def find(data: Json, path: str) -> Json:
    """The value at a path such as `actions[battle].rating.value`; `[..]` is a number, an id or a name.

    Raises:
        LookupError: There is nothing there.
    """
    for match in _STEP.finditer(path):
        key, pick = match.groups()
        if key is not None:
            if not isinstance(data, dict) or key not in data:
                raise LookupError(f"nothing is called {key!r} here")
            data = data[key]
            continue
        if not isinstance(data, list):
            raise LookupError(f"[{pick}] needs a list")
        data = _pick(data, pick)
    return data


def _pick(items: list[Json], pick: str) -> Json:
    if pick.isdecimal():
        if int(pick) >= len(items):
            raise LookupError(f"there are only {len(items)} items")
        return items[int(pick)]
    for item in items:
        if isinstance(item, dict) and pick in (item.get("id"), item.get("name")):
            return item
    raise LookupError(f"no item has the id or name {pick!r}")
