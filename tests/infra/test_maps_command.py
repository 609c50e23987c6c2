"""``infra/maps``: the same order gives the same files; whole files only; every slip told with its path."""

import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from infra.mapmaker import ordering
from infra.mapmaker.command import main
from infra.mapmaker.folder import Folder, held, write_whole
from infra.mapmaker.making import Task
from infra.mapmaker.ordering import Product, batch_body
from infra.mapmaker.orders import Order, Words, parameter_hints, sound
from infra.mapmaker.progress import Progress, duration
from infra.mapmaker.refusals import OrderRefused, WorkFailed
from infra.mapmaker.runs import make_all
from infra.mapmaker.workshop import made_here
from services.gateway.rest.app import contract
from services.gateway.rest.requests import Check
from services.map.batches import entry_name
from services.map.formats import FORMATS, OutputRequest
from services.map.generation.kind import MAX_SEED, Made, make
from services.map.generation.stream import Stream
from services.map.registry import GENERATORS
from services.map.wishes import Order as WorkersOrder
from services.shared.wording import camel
from workers.batches import part_steps

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--kind", "dungeon", "--set", "width=21", "--set", "height=21", "--jobs", "1", "--quiet")


@pytest.fixture(autouse=True)
def _signals_as_they_were() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def words(**more: Any) -> Words:
    given: dict[str, Any] = {"given": ("width=21", "height=21"), "count": 3, "seed": "5"}
    return Words("dungeon", **{**given, **more})


def sound_order(body: dict[str, Any]) -> dict[str, Any]:
    """Give what the REST face takes as an order of many maps."""
    shapes, asked = contract()
    described = next(one for one in asked if one.operation.name == "map.generateMaps").asked.body()
    assert described is not None and described.json is not None
    assert Check(described.json, shapes.named).issues(body) == []
    return body


def files(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in folder.iterdir()}


def index(folder: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in (folder / "maps.ndjson").read_bytes().splitlines()]


# Made here


def test_the_same_order_gives_the_same_files_however_many_processes(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main([*SMALL, "--count", "5", "--seed", "5", "--format", "uvtt-lines", "--out", str(one)]) == 0
    many = ["--kind", "dungeon", "--set", "width=21", "--set", "height=21", "--jobs", "2", "--quiet"]
    assert main([*many, "--count", "5", "--seed", "5", "--format", "UVTT_LINES", "--out", str(two)]) == 0
    assert files(one) == files(two)
    assert len(files(one)) == 5 * 2 + 2


def test_the_files_are_those_of_a_batch_of_the_product(tmp_path: Path) -> None:
    formats = ("json", "svg", "png")
    assert make_all(words(formats=("svg", "png")), tmp_path, jobs=1, quiet=True) == 0
    parameters = GENERATORS["dungeon"].codec.type(width=21, height=21)
    part = {**WorkersOrder("dungeon", parameters, 5).document(), "first": 0, "count": 3, "seeds": []}
    steps = part_steps({**part, "formats": list(formats)})
    while True:
        try:
            next(steps)
        except StopIteration as end:
            product = end.value
            break
    with zipfile.ZipFile(io.BytesIO(product.content)) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    made = files(tmp_path)
    entries = index(tmp_path)
    assert {name: made[name] for name in packed} == packed
    assert set(made) - set(packed) == {"maps.ndjson", "order.json"}
    assert [{**entry, "files": None} for entry in entries] == [
        {**summary, "files": None} for summary in product.summaries
    ]
    assert sorted(name for entry in entries for name in entry["files"]) == sorted(packed)
    assert entries[2]["seed"] == str(Stream(5, "batch", 2).word() & MAX_SEED)


def test_only_what_is_missing_is_made_again(tmp_path: Path) -> None:
    assert make_all(words(formats=("svg",)), tmp_path, jobs=1, quiet=True) == 0
    before = files(tmp_path)
    lost = next(name for name in before if name.startswith("00001-") and name.endswith(".svg"))
    (tmp_path / lost).unlink()
    for name in before:
        if name[0] == "0" and name != lost:
            (tmp_path / name).write_bytes(b"untouched")
    assert make_all(words(formats=("svg",)), tmp_path, jobs=1, quiet=True) == 0
    after = files(tmp_path)
    assert after[lost] == before[lost]
    assert {name for name in after if after[name] == b"untouched"} == {
        name for name in before if name[0] == "0" and name != lost
    }
    assert index(tmp_path) == [orjson.loads(line) for line in before["maps.ndjson"].splitlines()]


def test_an_order_may_grow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_all(words(count=2), tmp_path, jobs=1, quiet=True) == 0
    assert make_all(words(count=4, formats=("geojson",)), tmp_path, jobs=1, quiet=True) == 0
    assert [len(entry["files"]) for entry in index(tmp_path)] == [2] * 4
    assert make_all(words(count=4, formats=("geojson",)), tmp_path, jobs=1, quiet=True) == 0
    told = capsys.readouterr().out.splitlines()
    assert "nothing was left to be made; 4 were there before" in told[-1]


def test_a_run_without_a_seed_goes_on_with_that_of_the_folder(tmp_path: Path) -> None:
    assert make_all(words(seed=None, count=1), tmp_path, jobs=1, quiet=True) == 0
    first = index(tmp_path)[0]
    assert make_all(words(seed=None, count=2), tmp_path, jobs=1, quiet=True) == 0
    again = index(tmp_path)
    assert again[0] == first
    assert again[1]["seed"] == str(Stream(int(_order(tmp_path)["seed"]), "batch", 1).word() & MAX_SEED)


def _order(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads((folder / "order.json").read_bytes())
    return found


def test_each_map_may_have_a_seed_of_its_own(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("7  # the first\n\n9223372036854775807\n", "utf-8")
    out = tmp_path / "out"
    assert main([*SMALL, "--seeds", str(seeds), "--out", str(out)]) == 0
    assert [entry["seed"] for entry in index(out)] == ["7", str(MAX_SEED)]
    seeds.write_text("7\n8\n", "utf-8")
    assert main([*SMALL, "--seeds", str(seeds), "--out", str(out)]) == 2


def test_the_players_version_keeps_the_secrets(tmp_path: Path) -> None:
    given = ("width=41", "height=41", "secrets=1")
    assert make_all(words(given=given, count=1, view="players"), tmp_path, jobs=1, quiet=True) == 0
    entry = index(tmp_path)[0]
    kind = GENERATORS["dungeon"]
    made = make(kind, kind.codec.type(width=41, height=41, secrets=1.0), int(entry["seed"]))
    assert isinstance(made, Made)
    content = files(tmp_path)[entry["files"][0]]
    assert content == kind.to_bytes(kind.for_players(made.model)) != kind.to_bytes(made.model)


def test_a_picture_that_is_too_large_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    huge = words(given=("width=301", "height=301"), pixels=200, formats=("png",))
    assert make_all(huge, tmp_path, jobs=1, quiet=True) == 1
    assert "at maps[0].png.px:" in capsys.readouterr().err
    assert not [name for name in files(tmp_path) if name.endswith((".png", ".part"))]


# The folder


def test_maps_of_another_order_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_all(words(), tmp_path, jobs=1, quiet=True) == 0
    before = files(tmp_path)
    others = [
        (words(given=("width=31", "height=21")), "out.parameters.width"),
        (words(seed="6"), "out.seed"),
        (words(pixels=20), "out.px"),
        (words(view="players"), "out.view"),
        (Words("cave" if "cave" in GENERATORS else "battle", count=1, seed="5"), "out.kind"),
    ]
    for other, path in others:
        assert make_all(other, tmp_path, jobs=1, quiet=True) == 2
        assert f"FOLDER_OF_ANOTHER_ORDER at {path}:" in capsys.readouterr().err
    assert files(tmp_path) == before


def test_half_a_line_and_half_a_file_of_a_killed_run_are_no_maps(tmp_path: Path) -> None:
    assert make_all(words(), tmp_path, jobs=1, quiet=True) == 0
    whole = files(tmp_path)
    (tmp_path / "maps.ndjson").write_bytes(whole["maps.ndjson"][:-40])
    (tmp_path / ".00002-x.json.part").write_bytes(b"{")
    assert make_all(words(), tmp_path, jobs=1, quiet=True) == 0
    assert files(tmp_path) == whole


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with held(tmp_path):
        assert make_all(words(), tmp_path, jobs=1, quiet=True) == 2
    assert "FOLDER_IN_USE at out:" in capsys.readouterr().err
    assert files(tmp_path) == {}


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert make_all(words(), tmp_path / "file" / "out", jobs=1, quiet=True) == 2
    assert "FOLDER_UNUSABLE at out:" in capsys.readouterr().err
    (tmp_path / "order.json").write_text("[]")
    assert make_all(words(), tmp_path, jobs=1, quiet=True) == 2
    assert "FOLDER_UNUSABLE at out:" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(WorkFailed, match="FILE_UNWRITABLE at out"):
        write_whole(tmp_path / "taken", b"x")
    assert [entry.name for entry in tmp_path.iterdir()] == ["taken"]


def test_what_one_process_cannot_write_ends_all_of_them(tmp_path: Path) -> None:
    order = sound(words(count=4), 0)
    tasks = [Task(*each) for each in Folder(tmp_path, order).missing()]
    with closing(made_here(order, tmp_path / "missing", tasks, 2)) as outcomes:
        with pytest.raises(WorkFailed, match="FILE_UNWRITABLE at out"):
            next(outcomes)


PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from infra.mapmaker.command import main
sys.exit(main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "told to end"])
def test_an_interrupted_run_leaves_whole_files_and_no_process(tmp_path: Path, number: signal.Signals) -> None:
    arguments = [
        "--kind",
        "dungeon",
        "--count",
        "10000",
        "--seed",
        "5",
        "--jobs",
        "2",
        "--out",
        str(tmp_path),
    ]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments, "--set", "width=21", "--set", "height=21"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert "/10,000 maps" in process.stderr.readline()
        # To all of them, as a terminal does.
        os.killpg(process.pid, signal.SIGINT) if number is signal.SIGINT else process.send_signal(number)
        rest = process.stderr.read()
        assert process.wait() == 130
    assert "interrupted; the same command goes on" in rest and "Traceback" not in rest
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    made = files(tmp_path)
    entries = index(tmp_path)
    assert 0 < len(entries) < 10_000
    assert [name for name in made if name.endswith(".part")] == []
    for entry in entries:
        assert orjson.loads(made[entry["files"][0]])["seed"] == entry["seed"]
    assert [entry["number"] for entry in entries] == sorted(entry["number"] for entry in entries)


def test_an_order_that_left_no_map_binds_nobody(tmp_path: Path) -> None:
    Folder(tmp_path, sound(words(seed="6"), 0))
    assert _order(tmp_path)["seed"] == "6"
    assert make_all(words(seed="5"), tmp_path, jobs=1, quiet=True) == 0
    assert _order(tmp_path)["seed"] == "5"


# Slips

BAD = [
    (words(), {"kind": "dungen"}, "KIND_UNKNOWN at kind"),
    (words(), {"count": 0}, "OUT_OF_RANGE at count"),
    (words(), {"count": 10_001}, "OUT_OF_RANGE at count"),
    (words(), {"count": None}, "COUNT_MISSING at count"),
    (words(), {"seed": "-1"}, "MAP_SEED at seed"),
    (words(), {"seed": "x", "given": ("y=1",)}, "MAP_SEED at seed"),
    (words(), {"given": ("width=5",)}, "DUNGEON_PARAMETER_OUT_OF_RANGE at map.dungeon.width"),
    (words(), {"given": ("rooms=600",)}, "DUNGEON_TOO_MANY_ROOMS at map.dungeon.rooms"),
    (words(), {"given": ("width=wide",)}, "VALUE_MALFORMED at map.dungeon.width"),
    (words(), {"given": ("width=1e2",)}, "VALUE_MALFORMED at map.dungeon.width"),
    (words(), {"given": ("loops=NaN",)}, "DUNGEON_PARAMETER_OUT_OF_RANGE at map.dungeon.loops"),
    (words(), {"given": ("theme=CASTLE",)}, "VALUE_MALFORMED at map.dungeon.theme"),
    (words(), {"given": ("depth=3",)}, "PARAMETER_UNKNOWN at map.dungeon.depth"),
    (words(), {"given": ("stairs_up=1", "stairsUp=2")}, "PARAMETER_TWICE at map.dungeon.stairsUp"),
    (words(), {"given": ("width",)}, "PARAMETER_WITHOUT_VALUE at map.dungeon.width"),
    (words(), {"formats": ("pdf",)}, "MAP_FORMAT at format"),
    (words(), {"pixels": 7}, "MAP_PIXELS at px"),
    (words(), {"style": "oily"}, "MAP_STYLE at style"),
    (words(), {"view": "everybody"}, "VIEW_UNKNOWN at view"),
    (words(), {"seeds": Path("/nowhere/seeds")}, "SEEDS_UNREADABLE at seeds"),
    (Words("forgeborn_realm", count=1), {"given": ("width=7",)}, "at map.forgebornRealm.width"),
    (Words("forgeborn_realm", count=1), {"given": ("dice=[1]",)}, "at map.forgebornRealm.dice[0]"),
    (
        Words("forgeborn_realm", count=1),
        {"given": ("seed=7",)},
        "PARAMETER_UNKNOWN at map.forgebornRealm.seed",
    ),
]


@pytest.mark.parametrize(("base", "slip", "told"), BAD, ids=[told for _, _, told in BAD])
def test_a_slip_is_told_with_its_path_before_any_work(
    base: Words, slip: dict[str, Any], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert make_all(replace(base, **slip), out, jobs=1, quiet=True) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert all(line.startswith("maps: ") for line in said.err.splitlines())
    assert (said.out, out.exists()) == ("", False)


def test_every_slip_is_told_at_once() -> None:
    wrong = words(given=("width=x", "theme=x", "y"), count=0, formats=("pdf",), pixels=1, view="x")
    with pytest.raises(OrderRefused) as refused:
        sound(wrong, 0)
    assert [issue.path[-1] for issue in refused.value.issues] == [
        *("count", "width", "theme", "y", "view", "px", "format")
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "SEEDS_MISSING at seeds:"),
        ("7\n-8\n", "MAP_SEED at seeds[1]:"),
        ("1\n2\n", "SEEDS_MISCOUNTED at seeds:"),
    ],
    ids=["empty", "no seed", "miscounted"],
)
def test_seeds_that_do_not_fit_are_told(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "seeds"
    file.write_text(text, "utf-8")
    with pytest.raises(OrderRefused, match=told.replace("[", r"\[").replace("]", r"\]")):
        sound(words(seed=None, seeds=file), 0)


def test_arguments_that_are_missing_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, missing in (
        ([], "--kind, --out"),
        (["--kind", "dungeon", "--out", "x", "--url", "http://a"], "--key"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        assert missing in capsys.readouterr().err


def test_values_are_read_by_their_types() -> None:
    given = ("site=dungeon_room", "start-distance=50", "width=20", "title=7 stones = one")
    order = sound(Words("battle", given, count=1), 0)
    assert order.parameters == GENERATORS["battle"].codec.read(
        {"site": "dungeon-room", "start_distance": 50, "width": 20, "title": "7 stones = one"}
    )
    assert order.spelled == {
        "site": "DUNGEON_ROOM",
        "startDistance": 50,
        "width": 20,
        "title": "7 stones = one",
    }


def test_every_kind_is_listed_with_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    told = capsys.readouterr().out
    for slug in GENERATORS:
        assert f"\n{slug}  (generator version" in f"\n{told}"
        assert all(f"--set {camel(name)}=" in told for name in parameter_hints(slug))
    assert main(["--list", "--kind", "forgeborn-realm"]) == 0
    one = capsys.readouterr().out
    assert "--set dragonMinimum=8    whole number" in one and "dungeon" not in one
    assert main(["--list", "--kind", "city"]) == 2


# Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_tells_rate_and_time_left_of_what_this_run_does() -> None:
    now = [100.0]
    progress = Progress(io.StringIO(), 50, clock=lambda: now[0], done=10)
    now[0] = 102.0
    progress.move_to(20)
    assert progress.line() == "20/50 maps   40%  5.0 maps/s  ETA 0:06"
    now[0] = 200.0
    progress.move_to(21)
    now[0] = 202.0
    progress.move_to(41)
    assert progress.line() == "41/50 maps   82%  10.0 maps/s  ETA 0:01"


def test_progress_is_a_bar_on_a_terminal_and_some_lines_elsewhere() -> None:
    now = [0.0]
    terminal, file = Terminal(), io.StringIO()
    bars = [Progress(stream, 100, clock=lambda: now[0]) for stream in (terminal, file)]
    for _ in range(100):
        now[0] += 0.25
        for bar in bars:
            bar.advance()
    for bar in bars:
        bar.end()
    lines = file.getvalue().splitlines()
    assert [line.split()[0] for line in lines] == ["1/100", "21/100", "41/100", "61/100", "81/100", "100/100"]
    drawn = terminal.getvalue()
    assert drawn.count("\r") == 101 and drawn.endswith("\n") and drawn.count("\n") == 1
    assert drawn.rsplit("\r", 1)[1].startswith("[############################] 100/100 maps")
    quiet = Progress(silent := io.StringIO(), 1, shown=False)
    quiet.advance()
    quiet.end()
    assert silent.getvalue() == ""


def test_times_are_written_for_people() -> None:
    assert [duration(each) for each in (0.4, 61, 3723, None, 1e9)] == [
        "0:00",
        "1:01",
        "1:02:03",
        "--:--",
        "--:--",
    ]


# Made by a product, with a made-up one in its place


class MadeUp:
    """Answers as the product does: makes what is ordered at once, tells of it little by little.

    Attributes:
        asked: method and path of every request.
        bodies: of every order, with its idempotency key.
        state: that the batch comes to.
    """

    def __init__(
        self, *, state: str = "SUCCEEDED", interrupt: bool = False, name: str | None = None, lost: int = 0
    ) -> None:
        self.asked: list[str] = []
        self.bodies: list[tuple[dict[str, Any], str]] = []
        self.state, self._interrupt, self._name, self._lost = state, interrupt, name, lost
        self._looks = 0
        self._zip, self._lines = b"", b""

    def product(self) -> Product:
        return Product("http://made.up/", "hf_live_x", httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.asked.append(f"{request.method} {path}")
        assert request.headers["authorization"] == "Bearer hf_live_x"
        if self._lost:
            self._lost -= 1
            raise httpx.ConnectError("refused")
        if request.method == "POST":
            body = sound_order(json.loads(request.content))
            self.bodies.append((orjson.loads(request.content), request.headers["idempotency-key"]))
            self._make(body)
            return httpx.Response(202, json={"id": "job_1"})
        if path.endswith(".zip"):
            return httpx.Response(200, content=self._zip)
        if path.endswith(".ndjson"):
            return httpx.Response(200, content=self._lines)
        self._looks += 1
        if self._interrupt and self._looks == 2:
            raise KeyboardInterrupt
        state = "RUNNING" if self._looks == 1 else self.state
        error = {"code": "GATES", "message": "No attempt passed."} if state == "FAILED" else None
        job = {"id": "job_1", "state": state, "error": error}
        done = len(self._lines.splitlines())
        batch = {"id": "job_1", "job": job, "count": 3, "done": done, "bytes": len(self._zip)}
        return httpx.Response(200, json=batch)

    def _make(self, body: dict[str, Any]) -> None:
        kind = GENERATORS["dungeon"]
        packed, lines = io.BytesIO(), b""
        with zipfile.ZipFile(packed, "w") as archive:
            for number in range(body["count"]):
                seed = Stream(int(body["seed"]), "batch", number).word() & MAX_SEED
                made = make(kind, kind.codec.type(**body["parameters"]), seed)
                assert isinstance(made, Made)
                file, title = kind.to_bytes(made.model), kind.title(made.model)
                archive.writestr(self._name or entry_name(number, title, ".json"), file)
                head = {"number": number, "seed": str(seed), "name": title, "attempts": made.attempts}
                head["figures"] = dict(made.report.figures)
                lines += orjson.dumps(head)[:-1] + b',"map":' + file + b"}\n"
        self._zip, self._lines = packed.getvalue(), lines


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "POLL", 0.0)


def test_a_batch_of_a_product_leaves_what_is_made_here(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    assert make_all(words(), here, jobs=1, quiet=True) == 0
    product = MadeUp(lost=2)
    assert make_all(words(), there, jobs=1, quiet=True, open_product=product.product) == 0
    ours, theirs = files(here), files(there)
    assert {**theirs, "order.json": b""} == {**ours, "order.json": b""}
    assert product.bodies[0][0] == {
        "kind": "DUNGEON",
        "parameters": {"width": 21, "height": 21},
        "seed": "5",
        "count": 3,
        "formats": ["JSON"],
    }
    assert product.asked[-2:] == ["GET /v1/batches/job_1/maps.zip", "GET /v1/batches/job_1/maps.ndjson"]
    asked = len(product.asked)
    assert make_all(words(), there, jobs=1, quiet=True, open_product=product.product) == 0
    assert len(product.asked) == asked


def test_an_interrupted_run_cancels_its_batch(tmp_path: Path) -> None:
    product = MadeUp(interrupt=True)
    with pytest.raises(KeyboardInterrupt):
        make_all(words(), tmp_path, jobs=1, quiet=True, open_product=product.product)
    assert product.asked[-1] == "DELETE /v1/jobs/job_1"


def test_a_run_that_was_killed_finds_its_batch_again(tmp_path: Path) -> None:
    product = MadeUp()
    assert make_all(words(), tmp_path, jobs=1, quiet=True, open_product=product.product) == 0
    lost = next(tmp_path.glob("00001-*"))
    content = lost.read_bytes()
    lost.unlink()
    assert make_all(words(), tmp_path, jobs=1, quiet=True, open_product=product.product) == 0
    assert lost.read_bytes() == content
    assert len(product.bodies) == 1
    noted = _order(tmp_path)["job"]
    assert (noted["id"], noted["key"]) == ("job_1", product.bodies[0][1])

    product.state = "CANCELLED"
    lost.unlink()
    assert make_all(words(), tmp_path, jobs=1, quiet=True, open_product=product.product) == 1
    (_, first), (_, second) = product.bodies
    assert first != second and lost.read_bytes() == content


def test_what_a_failed_batch_made_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    product = MadeUp(state="FAILED")
    assert make_all(words(), tmp_path, jobs=1, quiet=True, open_product=product.product) == 1
    assert "GATES at job: No attempt passed." in capsys.readouterr().err
    assert len(index(tmp_path)) == 3


@pytest.mark.parametrize(
    "name", ["../00000-x.json", "/00000-x.json", "00000-x", "order.json", "00000-x/a.json"]
)
def test_a_product_cannot_write_elsewhere(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    product = MadeUp(name=name)
    assert make_all(words(count=1), out, jobs=1, quiet=True, open_product=product.product) == 1
    assert (
        "ARCHIVE_MALFORMED at maps.zip: The product sent a file whose name is not one of a map's. "
        f"(found {name})" in capsys.readouterr().err
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
    assert list(files(out)) == ["order.json"]


REFUSALS = [
    (
        httpx.Response(
            422,
            json={
                "code": "INVALID_INPUT",
                "detail": "no",
                "issues": [{"code": "X", "message": "Too wide.", "path": ["map", "width"], "found": "7"}],
            },
        ),
        2,
        "maps: X at map.width: Too wide. (found 7)",
    ),
    (
        httpx.Response(401, json={"code": "UNAUTHENTICATED", "detail": "Who are you?"}),
        1,
        "maps: UNAUTHENTICATED: Who are you?",
    ),
    (httpx.Response(418, text="<html>"), 1, "maps: ANSWER_UNKNOWN at url:"),
]


@pytest.mark.parametrize(("answer", "code", "told"), REFUSALS, ids=["unsound", "no key", "no product"])
def test_what_a_product_refuses_is_told(
    answer: httpx.Response, code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def opened() -> Product:
        return Product("http://made.up", "x", httpx.MockTransport(lambda _request: answer))

    assert make_all(words(), tmp_path, jobs=1, quiet=True, open_product=opened) == code
    assert told in capsys.readouterr().err


def test_a_product_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ordering, "PATIENCE", -1.0)
    product = MadeUp(lost=1)
    assert make_all(words(), tmp_path, jobs=1, quiet=True, open_product=product.product) == 1
    assert "PRODUCT_UNREACHABLE at url:" in capsys.readouterr().err


def test_a_batch_cannot_be_of_another_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    remote = ["--count", "1", "--out", out, "--url", "http://made.up", "--key", "x"]
    assert main([*SMALL, *remote, "--view", "players", "--px", "20", "--style", "ink"]) == 2
    said = capsys.readouterr().err
    assert [f"NOT_OF_A_BATCH at {name}:" in said for name in ("view", "px", "style")] == [True] * 3
    assert main([*SMALL, "--count", "1", "--out", out, "--url", "made.up", "--key", "x"]) == 2
    assert "ADDRESS_MALFORMED at url:" in capsys.readouterr().err


@pytest.mark.parametrize("slug", GENERATORS)
def test_the_api_understands_an_order_of_every_kind(slug: str) -> None:
    formats = [name for name, form in FORMATS.items() if slug in form.kinds]
    order = sound(Words(slug, ("width=100", "title=Far"), count=2, formats=formats), 7)
    body = sound_order(json.loads(json.dumps(batch_body(order))))
    assert (body["count"], body["seed"]) == (2, "7")
    assert set(body["formats"]) == {name.upper().replace("-", "_") for name in formats}
    assert body["kind"] == slug.upper()


def test_an_orders_requests_are_flat_where_nothing_else_is_asked_for() -> None:
    order: Order = sound(words(formats=("png", "svg")), 0)
    assert order.request("png") == OutputRequest("png", style="flat")
    assert order.request("svg") == OutputRequest("svg")
    drawn = sound(words(formats=("png",), style="ink", pixels=20), 0)
    assert drawn.request("png") == OutputRequest("png", pixels=20, style="ink")
