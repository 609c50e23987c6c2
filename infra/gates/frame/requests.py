"""Expensive requests as data: read from ``infra/gates/costly``, with the ids of a table filled in.

A file ``costly/NAME.json`` is a list of objects, and a module ``costly/NAME.py`` may have a function
``requests(world) -> list[dict]`` that makes such a list (``world`` is a ``tests.e2e.table.World``; it may ask
for what it needs first). An object has these members, all but ``name`` and one of ``path`` and ``graphql``
optional::

    name        what it is called in the table
    as          who asks: gm, player (the default), spectator, outsider, anonymous
    method      of REST: GET (the default), POST, ...
    path        of REST
    query       of REST: object
    body        of REST: what is sent as JSON
    headers     object
    graphql     an operation
    variables   of it
    background  true: work goes on after the answer, for up to five minutes
    status      how the status of the answer begins that is wanted: "2" (the default), "404"
    setup       {"import": FILE}: a map for {map}; FILE lies in costly/, or is MODULE.FUNCTION that makes it

In texts these are filled in: {campaign} {character} {map} {dungeon} {scene} {roll} {pack} {batch} {smith},
the ids of a table; {n}, a number that each repetition has for itself, so that no cache answers it; and {two},
the same with two figures.
In the text of a GraphQL operation they stand alone in quotes: "{map}".
"""

import importlib
import itertools
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import infra.gates.costly
from infra.gates.frame.figures import GateFailure
from tests.e2e.product import Person
from tests.e2e.table import World

FOLDER = Path(infra.gates.costly.__file__).parent
MEMBERS = frozenset(
    (
        "name",
        "as",
        "method",
        "path",
        "query",
        "body",
        "headers",
        "graphql",
        "variables",
        "background",
        "status",
        "setup",
    )
)
PLACEHOLDER = re.compile(r"\{([a-z]+)\}")
QUOTED_PLACEHOLDER = re.compile(r'(?<=")\{([a-z]+)\}(?=")')

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Asked:
    """One expensive request.

    Attributes:
        name: in the table.
        who: name of the attribute of the world that holds the person.
        method, path: of the request; placeholders are not filled in yet.
        query, headers: of the request.
        body: sent as JSON.
        background: whether work goes on after the answer.
        status: how the status begins that is wanted.
        map_file: of the map that it is asked of, if it needs one of its own.
    """

    name: str
    who: str
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    background: bool = False
    status: str = "2"
    map_file: str | None = None

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> "Asked":
        """Reads one request.

        Raises:
            GateFailure: a member is unknown, or there is neither a path nor an operation.
        """
        if unknown := found.keys() - MEMBERS:
            raise GateFailure(f"{found.get('name')}: unknown members: {', '.join(sorted(unknown))}")
        operation = found.get("graphql")
        if (operation is None) == ("path" not in found):
            raise GateFailure(f"{found.get('name')}: either path or graphql, please")
        body = found.get("body")
        if operation is not None:
            body = {"query": operation, "variables": found.get("variables", {})}
        return cls(
            name=found["name"],
            who=found.get("as", "player"),
            method="POST" if operation is not None else found.get("method", "GET"),
            path="/graphql" if operation is not None else found["path"],
            query=found.get("query", {}),
            headers=found.get("headers", {}),
            body=body,
            background=found.get("background", False),
            status=found.get("status", "2"),
            map_file=found.get("setup", {}).get("import"),
        )

    def filled(self, ids: Mapping[str, str]) -> dict[str, Any]:
        """Returns the arguments of one request of ``httpx``, beside the address' host."""
        number = next(_numbers)
        own = {**ids, "n": str(number), "two": str(10 + number % 90)}
        options: dict[str, Any] = {"params": _filled(dict(self.query), own), "headers": dict(self.headers)}
        if self.body is not None:
            body = self.body
            if self.path == "/graphql":
                body = {
                    "query": QUOTED_PLACEHOLDER.sub(_known(own), body["query"]),
                    "variables": _filled(body["variables"], own),
                }
            else:
                body = _filled(body, own)
            options["content"] = json.dumps(body).encode()
            options["headers"]["content-type"] = "application/json"
        return {"method": self.method, "url": _filled(self.path, own), **options}


@dataclass(frozen=True, slots=True)
class Ready:
    """An expensive request that can be sent.

    Attributes:
        source: the file that it is from.
        asked: the request.
        ids: what is filled in for its placeholders.
        person: who asks.
    """

    source: str
    asked: Asked
    ids: Mapping[str, str]
    person: Person

    @property
    def title(self) -> str:
        """What it is called."""
        return title(self.source, self.asked)

    def signed(self) -> dict[str, Any]:
        """Return the arguments of one request of ``httpx`` with the headers of who asks; see ``filled``."""
        request = self.asked.filled(self.ids)
        return {**request, "headers": {**self.person.headers, **request["headers"]}}


def title(source: str, asked: Asked) -> str:
    """What a request of a file is called in findings and on the command line."""
    return f"{source}: {asked.name}"


def chosen_of(world: World, only: str) -> list[tuple[str, Asked]]:
    """Read the requests whose file and name contain a text, each with its file."""
    return [(source, one) for source, one in all_asked(world) if only in title(source, one)]


def made_ready(world: World, requests: Iterable[tuple[str, Asked]]) -> Iterator[Ready]:
    """Make requests ready one by one; each map that one of them needs is imported once.

    Raises:
        GateFailure: a map is refused.
    """
    maps: dict[str, str] = {}
    for source, one in requests:
        ids = ids_of(world)
        if one.map_file is not None:
            if one.map_file not in maps:
                maps[one.map_file] = import_map(world.gm, world.campaign, one.map_file)
            ids["map"] = maps[one.map_file]
        yield Ready(source, one, ids, getattr(world, one.who))


def all_asked(world: World) -> Iterator[tuple[str, Asked]]:
    """Reads every request there is; yields the file that it is from beside it."""
    for path in sorted(FOLDER.glob("*.json")):
        for found in json.loads(path.read_text("utf-8")):
            yield path.stem, Asked.read(found)
    for module in pkgutil.iter_modules(infra.gates.costly.__path__):
        make = getattr(importlib.import_module(f"infra.gates.costly.{module.name}"), "requests", None)
        if make is not None:
            # Who made them before the table came along as an argument takes none.
            for found in make(world) if make.__code__.co_argcount else make():
                yield module.name, Asked.read(found)


def ids_of(world: World) -> dict[str, str]:
    """Returns what is filled in for each placeholder."""
    return {
        "campaign": world.campaign,
        "character": world.hero,
        "map": world.dungeon,
        "dungeon": world.dungeon,
        "scene": world.scene,
        "roll": world.roll,
        "pack": world.pack,
        "batch": world.batch,
        "smith": world.smith,
    }


def import_map(person: Person, campaign: str, file: str) -> str:
    """Brings a map along for a campaign; returns its id.

    Raises:
        GateFailure: it is refused.
    """
    module, _, function = file.partition(".")
    if (FOLDER / file).is_file() and not file.endswith(".py"):
        content = (FOLDER / file).read_bytes()
    else:
        made = importlib.import_module(f"infra.gates.costly.{module}")
        content = getattr(made, "worst_map" if function == "py" else function)()
    answer = person.send(
        "POST",
        "/v1/maps/import",
        content=content,
        params={"campaign": campaign},
        headers={"content-type": "application/json"},
    )
    if answer.status_code != 201:
        raise GateFailure(f"{file} cannot be imported: {answer.status_code} {answer.text[:300]}")
    return str(answer.json()["id"])


def _filled(value: Any, ids: Mapping[str, str]) -> Any:
    match value:
        case str():
            return PLACEHOLDER.sub(_known(ids), value)
        case dict():
            return {name: _filled(one, ids) for name, one in value.items()}
        case list() | tuple():
            return [_filled(one, ids) for one in value]
        case _:
            return value


def _known(ids: Mapping[str, str]) -> Any:
    return lambda found: ids.get(found[1], found[0])
