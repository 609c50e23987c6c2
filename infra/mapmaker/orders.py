"""From the words of the command line to an order that is found sound, before any work is done."""

import json
import types
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from infra.mapmaker.refusals import OrderRefused
from services.map.batches import seed_of_entry
from services.map.formats import FLAT, Audience, OutputRequest, check
from services.map.registry import GENERATORS, making_of
from services.map.requests import MAX_BATCH
from services.map.wishes import Wish, checked, issue, seed_issues
from services.rules.engine.codec import CodecError, decode, encode
from services.shared.problems import Issue
from services.shared.wording import camel, clipped

JSON = "json"
FLAT_FORMATS = frozenset({"png", "webp"})
"""Pictures of cells are flat unless a style is named, as in the product's batches."""


@dataclass(frozen=True, slots=True)
class Words:
    """An order as it was typed.

    Attributes:
        kind: slug of the kind; `-` may stand for `_`.
        given: parameters, each `name=value`.
        count: how many; as many as there are seeds when None.
        seed: what the maps' seeds are drawn from.
        seeds: file with a seed a line, one for each map; `#` begins a remark.
        formats: names of formats, besides each map's own file.
        view: `gm` or `players`.
        pixels: to a cell.
        style: how pictures are drawn.
    """

    kind: str
    given: Sequence[str] = ()
    count: int | None = None
    seed: str | None = None
    seeds: Path | None = None
    formats: Sequence[str] = ()
    view: str = Audience.GM.value
    pixels: int | None = None
    style: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """An order that is sound.

    Attributes:
        kind: slug of the kind.
        parameters: the kind's own.
        spelled: the parameters that were given, as the API spells them.
        seed: what the maps' seeds are drawn from.
        seeds: one for each map instead.
        count: how many maps.
        formats: the files of each, its own (`json`) first.
        audience: for whom.
        pixels: to a cell; by format when None.
        style: how pictures are drawn; by format when None.
    """

    kind: str
    parameters: Any
    spelled: dict[str, Any]
    seed: int
    seeds: tuple[int, ...]
    count: int
    formats: tuple[str, ...]
    audience: Audience
    pixels: int | None
    style: str | None

    def seed_of(self, number: int) -> int:
        """Give a map's seed: the same as in a batch of the product with the same seed."""
        return self.seeds[number] if self.seeds else batch_seed(self.seed, number)

    def request(self, wanted: str) -> OutputRequest:
        """Say what is wanted of one format."""
        style = self.style or (FLAT if wanted in FLAT_FORMATS else None)
        return OutputRequest(wanted, self.audience, self.pixels, style)

    def identity(self) -> dict[str, Any]:
        """Give what two orders must share to leave their maps in one folder; count and formats may grow."""
        return {
            "kind": self.kind,
            "generator_version": GENERATORS[self.kind].generator_version,
            "parameters": GENERATORS[self.kind].codec.dump(self.parameters)["data"],
            "seed": None if self.seeds else str(self.seed),
            "view": self.audience.value,
            "px": self.pixels,
            "style": self.style,
        }


def batch_seed(seed: int, number: int) -> int:
    """Give the seed of one map of those whose seeds are drawn."""
    return seed_of_entry({"seeds": (), "seed": seed}, number)


def sound(words: Words, drawn_seed: int) -> Order:
    """Read an order.

    Args:
        words: as typed.
        drawn_seed: the seed to use when none is named.

    Raises:
        OrderRefused: with everything that is wrong with it.
    """
    slug = words.kind.replace("-", "_")
    if slug not in GENERATORS:
        message = "There is no such kind of map."
        raise OrderRefused([_issue("KIND_UNKNOWN", message, ("kind",), words.kind, ", ".join(GENERATORS))])
    issues: list[Issue] = []
    formats = tuple(
        dict.fromkeys((JSON, *(name.strip().lower().replace("_", "-") for name in words.formats)))
    )
    seeds = _seeds(words.seeds, issues)
    count = _count(words, len(seeds), issues)
    given, spelled = _given(slug, words.given, issues)
    wished = (
        seed_issues(words.seed, ("seed",))
        if given is None
        else checked(Wish(slug, given, words.seed), drawn_seed)
    )
    if isinstance(wished, list):
        issues += wished
    issues += _output_issues(slug, words, formats)
    if issues or isinstance(wished, list):
        raise OrderRefused(_once(issues))
    return Order(
        kind=slug,
        parameters=wished.parameters,
        spelled=spelled,
        seed=wished.seed,
        seeds=seeds,
        count=count,
        formats=formats,
        audience=Audience(words.view),
        pixels=words.pixels,
        style=words.style,
    )


def parameters_type(slug: str) -> type:
    """Returns the dataclass that a kind's parameters are typed as: what the API takes."""
    return making_of(slug).asked


def parameter_hints(slug: str) -> dict[str, Any]:
    """Give the types of a kind's parameters by name; the seed is no parameter here."""
    cls = parameters_type(slug)
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls) if field.name != "seed"}


def value_name(value: Enum) -> str:
    """Spell a choice as the API does: `DUNGEON_ROOM`."""
    return str(value.value).upper().replace("-", "_")


def _given(slug: str, words: Sequence[str], issues: list[Issue]) -> tuple[Any, dict[str, Any]]:
    """Read the parameters: as the kind takes them (None: they cannot be read), and as the API spells them."""
    hints = parameter_hints(slug)
    names = {spelling: name for name in hints for spelling in (name, camel(name), name.replace("_", "-"))}
    values: dict[str, Any] = {}
    before = len(issues)
    for word in words:
        typed, sign, text = word.partition("=")
        name = names.get(typed.strip())
        path = ("map", camel(slug), camel(name) if name else clipped(typed.strip()))
        if not sign:
            issues.append(_issue("PARAMETER_WITHOUT_VALUE", "Write it as name=value.", path, word))
        elif name is None:
            message = "Maps of this kind have no such parameter."
            known = ", ".join(camel(each) for each in hints)
            issues.append(_issue("PARAMETER_UNKNOWN", message, path, typed.strip(), known))
        elif name in values:
            issues.append(_issue("PARAMETER_TWICE", "It is given more than once.", path, text))
        else:
            try:
                values[name] = decode(hints[name], _read(hints[name], text.strip()), path)
            except CodecError as error:
                issues.append(_malformed(error, hints[name]))
                values[name] = None
    if len(issues) > before:
        return None, {}
    spelled = {camel(name): _spelled(hints[name], value) for name, value in values.items()}
    return parameters_type(slug)(**values), spelled


def _malformed(error: CodecError, hint: Any) -> Issue:
    told = issue(error.problem(), ())
    choices = [each for each in _members(hint) if isinstance(each, type) and issubclass(each, Enum)]
    if choices:
        allowed = ", ".join(value_name(value) for each in choices for value in each)
        return replace(told, allowed=allowed)
    return told


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _read(hint: Any, text: str) -> Any:
    """Read a value as JSON where it is one: a text and a choice are written without quotes."""
    members = _members(hint)
    for member in members:
        if isinstance(member, type) and issubclass(member, Enum):
            plain = text.lower().replace("_", "-")
            return next((each.value for each in member if str(each.value).replace("_", "-") == plain), text)
    if str in members:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _spelled(hint: Any, value: Any) -> Any:
    return value_name(value) if isinstance(value, Enum) else encode(hint, value)


def _seeds(file: Path | None, issues: list[Issue]) -> tuple[int, ...]:
    if file is None:
        return ()
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        issues.append(
            _issue("SEEDS_UNREADABLE", f"The file cannot be read: {reason}.", ("seeds",), str(file))
        )
        return ()
    words = [word for line in lines if (word := line.partition("#")[0].strip())]
    if not words:
        issues.append(_issue("SEEDS_MISSING", "The file names no seed.", ("seeds",), str(file)))
    if len(words) > MAX_BATCH:
        found = str(len(words))
        issues.append(
            _issue("OUT_OF_RANGE", "There are too many seeds.", ("seeds",), found, f"1..{MAX_BATCH}")
        )
        return ()
    wrong = [each for place, word in enumerate(words) for each in seed_issues(word, ("seeds", str(place)))]
    issues += wrong
    return () if wrong else tuple(int(word) for word in words)


def _count(words: Words, seeds: int, issues: list[Issue]) -> int:
    count = words.count
    if count is None:
        if words.seeds is None:
            issues.append(_issue("COUNT_MISSING", "Say how many, or name their seeds.", ("count",)))
        return seeds
    if not 1 <= count <= MAX_BATCH:
        message = f"There are 1 to {MAX_BATCH:,} maps."
        issues.append(_issue("OUT_OF_RANGE", message, ("count",), str(count), f"1..{MAX_BATCH}"))
    elif seeds and count != seeds:
        issues.append(
            _issue("SEEDS_MISCOUNTED", "Name one seed for each map.", ("seeds",), str(seeds), str(count))
        )
    return count


def _output_issues(slug: str, words: Words, formats: Sequence[str]) -> list[Issue]:
    issues: list[Issue] = []
    if words.view not in {audience.value for audience in Audience}:
        allowed = ", ".join(audience.value for audience in Audience)
        issues.append(_issue("VIEW_UNKNOWN", "There is no such view.", ("view",), words.view, allowed))
    requests = [OutputRequest(name, pixels=words.pixels, style=words.style) for name in formats]
    issues += [issue(problem, ()) for request in requests for problem in check(slug, request)]
    return issues


def _once(issues: Sequence[Issue]) -> list[Issue]:
    """Leave out what is said already: each format finds the same fault with the pixels."""
    seen: dict[Any, Issue] = {}
    for each in issues:
        seen.setdefault((each.code, tuple(each.path), each.found), each)
    return list(seen.values())


def _issue(
    code: str, message: str, path: Sequence[str], found: str | None = None, allowed: str | None = None
) -> Issue:
    told = None if found is None else clipped(found)
    return Issue(code=code, message=message, path=list(path), found=told, allowed=allowed)
