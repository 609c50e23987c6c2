"""The folder that maps are left in: whole files only, an index, what is left to be made, one run at a time.

::

    order.json                   what the maps were made from; a run with another order is refused
    maps.ndjson                  a line a map: number, seed, name, attempts, figures, files
    00042-the-crypt-of-ash.svg   a file for each map and format, named as in the product's batches

A file has another name until its last byte is written, and a line is added to the index only after its map's
files: whenever a run is ended, by Ctrl-C or worse, what is listed is whole, and the same command goes on.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from infra.mapmaker.orders import Order
from infra.mapmaker.refusals import OrderRefused, WorkFailed
from services.map.batches import entry_name
from services.map.formats import FORMATS
from services.map.wishes import seed_issues
from services.shared.problems import Issue

INDEX, ORDER = "maps.ndjson", "order.json"
_UNFINISHED = ".part"


class Folder:
    """A folder that this run alone writes maps to; see ``held``.

    Args:
        path: of the folder.
        order: what is to be in it.

    Raises:
        OrderRefused: maps of another order are in it.
    """

    def __init__(self, path: Path, order: Order) -> None:
        self.path = path
        self._order = order
        self._entries = _read_index(path / INDEX)
        kept = read_order(path) or {}
        # What left no map binds nobody.
        self._kept = kept if self._entries or not _differences(kept, order) else {}
        self._refuse_another_order()
        for leftover in path.glob(f".*{_UNFINISHED}"):
            leftover.unlink()
        self._write_order()

    @property
    def job(self) -> dict[str, Any]:
        """What was noted of a product's job; empty where none was ordered."""
        noted: dict[str, Any] = self._kept.get("job") or {}
        return noted

    def note_job(self, noted: Mapping[str, Any]) -> None:
        """Note what a later run needs to go on with a product's job."""
        self._kept["job"] = dict(noted)
        self._write_order()

    def missing(self) -> list[tuple[int, tuple[str, ...]]]:
        """List what is left to be made: maps by number, each with the formats whose files are not there."""
        there = {entry.name for entry in os.scandir(self.path)}
        left = []
        for number in range(self._order.count):
            entry = self._entries.get(number)
            wanted = self._order.formats
            if entry is not None:
                names = {each: entry_name(number, entry["name"], FORMATS[each].suffix) for each in wanted}
                wanted = tuple(each for each, name in names.items() if name not in there)
            if wanted:
                left.append((number, wanted))
        return left

    def add(self, entry: Mapping[str, Any]) -> None:
        """List a map whose files are written; those of an earlier run stay listed."""
        number = entry["number"]
        known = self._entries.get(number, {}).get("files", ())
        whole = {**entry, "files": sorted({*known, *entry["files"]})}
        with (self.path / INDEX).open("ab") as index:
            index.write(orjson.dumps(whole) + b"\n")
        self._entries[number] = whole

    def finish(self) -> None:
        """Write the index anew, in the order of the numbers and without what was listed twice."""
        lines = [orjson.dumps(self._entries[number]) for number in sorted(self._entries)]
        write_whole(self.path / INDEX, b"".join(line + b"\n" for line in lines))

    def _write_order(self) -> None:
        document = {**self._order.identity(), "job": self._kept.get("job")}
        write_whole(self.path / ORDER, orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")

    def _refuse_another_order(self) -> None:
        issues = _differences(self._kept, self._order)
        if self._order.seeds and not issues:
            issues = [
                _another(f"seeds.{number}", entry["seed"], str(self._order.seed_of(number)))
                for number, entry in self._entries.items()
                if number < self._order.count and entry["seed"] != str(self._order.seed_of(number))
            ][:10]
        if issues:
            raise OrderRefused(issues)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Make a folder, and keep other runs out of it.

    Raises:
        OrderRefused: it cannot be made or written, or another run writes to it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        message = f"The folder cannot be used: {error.strerror}."
        raise OrderRefused.of("FOLDER_UNUSABLE", message, "out", found=str(path)) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = "Another run writes to this folder."
            raise OrderRefused.of("FOLDER_IN_USE", message, "out", found=str(path)) from None
        yield
    finally:
        os.close(handle)


def read_order(path: Path) -> dict[str, Any] | None:
    """Read what the maps of a folder were made from; None where it holds none."""
    try:
        kept = orjson.loads((path / ORDER).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, orjson.JSONDecodeError):
        kept = None
    if not isinstance(kept, dict) or not isinstance(kept.get("job", {}), dict | None) or not _is_seed(kept):
        message = f"`{ORDER}` in this folder is not of this program; take another folder."
        raise OrderRefused.of("FOLDER_UNUSABLE", message, "out", found=str(path))
    return kept


def _is_seed(kept: Mapping[str, Any]) -> bool:
    seed = kept.get("seed")
    return seed is None or (isinstance(seed, str) and not seed_issues(seed, ()))


def write_whole(file: Path, content: bytes) -> None:
    """Write a file under another name, then give it its own: nobody ever sees half of it.

    Raises:
        WorkFailed: it cannot be written.
    """
    unfinished = file.with_name(f".{file.name}{_UNFINISHED}")
    try:
        try:
            unfinished.write_bytes(content)
            unfinished.replace(file)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise
    except OSError as error:
        message = f"The file cannot be written: {error.strerror}."
        raise WorkFailed.of("FILE_UNWRITABLE", message, "out", found=str(file)) from None


def _read_index(file: Path) -> dict[int, dict[str, Any]]:
    try:
        lines: Sequence[bytes] = file.read_bytes().splitlines()
    except FileNotFoundError:
        return {}
    entries: dict[int, dict[str, Any]] = {}
    for line in lines:
        # The last line of a run that was killed may be half of one: its map is made again.
        with contextlib.suppress(orjson.JSONDecodeError, KeyError, TypeError):
            entry = orjson.loads(line)
            if {"number", "seed", "name", "files"} <= entry.keys():
                entries[entry["number"]] = entry
    return entries


def _differences(kept: Mapping[str, Any], order: Order) -> list[Issue]:
    """Name what maps that are there were made from otherwise."""
    found, wanted = _flat(kept), _flat(order.identity())
    return [
        _another(name, found[name], value)
        for name, value in wanted.items()
        if name in found and found[name] != value
    ]


def _flat(identity: Mapping[str, Any]) -> dict[str, Any]:
    """Put each parameter by its own name, `parameters.width`."""
    parameters = identity.get("parameters", {})
    own = {f"parameters.{name}": value for name, value in parameters.items()}
    return {**own, **{name: value for name, value in identity.items() if name != "parameters"}}


def _another(name: str, found: object, wanted: object) -> Issue:
    return Issue(
        code="FOLDER_OF_ANOTHER_ORDER",
        message="The maps in this folder were made otherwise; take another folder, or ask for the same.",
        path=["out", *name.split(".")],
        found=orjson.dumps(wanted).decode()[:200],
        allowed=orjson.dumps(found).decode()[:200],
    )
