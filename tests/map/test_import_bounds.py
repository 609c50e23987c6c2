"""Files that would be too much work to read: refused before they are parsed, and read apart from drawing."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import orjson
import pytest

from services.map import app, pools
from services.map.exports.own import MAX_DEPTH, from_own
from services.map.exports.refusals import MAX_MARKS
from services.map.exports.uvtt_import import from_uvtt
from services.rules.engine.problem import Problems
from services.shared.workers import Workers
from tests.character.desk import somebody
from tests.map.service_desk import MapDesk

PREFIXES = (b'{"a":', b'{"format":"hearthforge-map","a":')


def codes(content: bytes) -> set[str]:
    found = [from_uvtt(content), from_own(content, {})]
    return {problem.code for each in found if isinstance(each, Problems) for problem in each}


@pytest.mark.parametrize("item", [b"[],", b"{},", b"0,", b"[[]],", b'"",', b"null,", b'{"a":{}},'])
def test_more_values_than_a_map_has_are_never_parsed(item: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(_data: bytes) -> object:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(orjson, "loads", parse)
    for prefix in PREFIXES:
        content = prefix + b"[" + item * MAX_MARKS + b"0]}"
        assert codes(content) == {"import_too_many_values"}


def test_an_object_of_more_members_than_a_map_has_is_never_parsed() -> None:
    members = ",".join(f'"k{number}":0' for number in range(MAX_MARKS + 1))
    assert codes(b"{" + members.encode() + b"}") == {"import_too_many_values"}


def test_a_file_of_our_own_is_nested_no_deeper_than_maps_are() -> None:
    def nested(depth: int) -> set[str]:
        found = from_own(PREFIXES[1] + b"[" * depth + b"]" * depth + b"}", {})
        assert isinstance(found, Problems)
        return {problem.code for problem in found}

    assert nested(MAX_DEPTH - 1) == {"import_malformed"}
    assert nested(MAX_DEPTH) == nested(500) == {"import_too_deep"}


def test_such_a_file_is_refused_with_the_bound(lasting_desk: MapDesk) -> None:
    answer = lasting_desk.bring(somebody(), b'{"a":[' + b"[]," * MAX_MARKS + b"[]]}")
    assert answer.status_code == 422
    (issue,) = answer.json()["issues"]
    assert (issue["code"], issue["allowed"]) == ("IMPORT_TOO_MANY_VALUES", str(MAX_MARKS))


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> list[Workers]:
    """The pools of processes that read files, of the service that starts next."""
    made: list[Workers] = []
    original: Callable[[], Workers] = pools.reading_pool

    def make() -> Workers:
        made.append(original())
        return made[-1]

    monkeypatch.setattr(app, "reading_pool", make)
    return made


@contextmanager
def halted(workers: Workers) -> Iterator[None]:
    """Halt the process of a pool that has one."""
    assert workers._pool is not None
    asked = asyncio.run_coroutine_threadsafe(workers.run("", os.getpid), workers._pool.get_loop())
    pid = asked.result(30)
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_pictures_are_drawn_while_a_file_is_being_read(readers: list[Workers], map_desk: MapDesk) -> None:
    importer, other = somebody(), somebody()
    made = map_desk.made(other, map={"dungeon": {"width": 21, "height": 21}}, seed="4")
    file = map_desk.internal(other, f"maps/{made}/outputs/json").content
    assert map_desk.bring(importer, file).status_code == 200
    with ThreadPoolExecutor() as threads:
        with halted(readers[0]):
            waiting = threads.submit(map_desk.bring, importer, file)
            shown = map_desk.internal(other, f"maps/{made}/outputs/png?px=10")
            assert shown.status_code == 200
            assert not waiting.done()
        assert waiting.result(30).status_code == 200
