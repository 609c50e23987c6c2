"""What processes say: prefixed on the console, whole in the files, and never in the way."""

import os
import time
from pathlib import Path

import pytest

from infra.launch import logs
from infra.launch.logs import Console, PartLog


class Pipe:
    """A console that a test can read."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()

    def text(self) -> str:
        os.close(self.writer)
        with os.fdopen(self.reader) as out:
            return out.read()


def test_lines_carry_the_name_of_who_said_them(tmp_path: Path) -> None:
    pipe = Pipe()
    console = Console(["dice", "character"], output=pipe.writer)
    dice, character = PartLog("dice", tmp_path, console), PartLog("character", tmp_path, console)
    dice.feed(b"rolled 3\nrolled")
    character.feed(b"saved\r\n")
    dice.feed(b" 4\n")
    console.say("ready")
    console.close()
    assert pipe.text() == "dice      | rolled 3\ncharacter | saved\ndice      | rolled 4\nready\n"
    dice.close()
    assert (tmp_path / "dice.log").read_text() == "rolled 3\nrolled 4\n"


def test_an_unfinished_last_line_is_not_lost(tmp_path: Path) -> None:
    pipe = Pipe()
    console = Console(["dice"], output=pipe.writer)
    log = PartLog("dice", tmp_path, console)
    log.feed(b"Killed")
    log.close()
    console.close()
    assert pipe.text() == "dice | Killed\n"
    assert [*log.tail] == ["Killed"]


def test_quiet_keeps_the_processes_off_the_console_but_not_out_of_the_files(tmp_path: Path) -> None:
    pipe = Pipe()
    console = Console(["dice"], output=pipe.writer, quiet=True)
    log = PartLog("dice", tmp_path, console)
    log.feed(b"rolled\n")
    console.say("ready")
    log.close()
    console.close()
    assert pipe.text() == "ready\n"
    assert (tmp_path / "dice.log").read_text() == "rolled\n"


def test_a_full_pipe_costs_console_lines_and_never_time(tmp_path: Path) -> None:
    pipe = Pipe()
    console = Console(["dice"], output=pipe.writer)
    log = PartLog("dice", tmp_path, console)
    wrote = 30_000
    for number in range(wrote):  # nobody reads the pipe: this would never end if a line were waited for
        log.feed(b"%05d\n" % number)
    log.close()
    text = ""
    while "were not shown here" not in text:
        text += os.read(pipe.reader, 65_536).decode()
        console.say("more")
    assert len((tmp_path / "dice.log").read_text().splitlines()) == wrote
    os.close(pipe.reader)
    console.close()
    os.close(pipe.writer)


def test_a_console_that_went_away_is_survived(tmp_path: Path) -> None:
    pipe = Pipe()
    os.close(pipe.reader)
    console = Console(["dice"], output=pipe.writer)
    log = PartLog("dice", tmp_path, console)
    log.feed(b"one\ntwo\n")
    log.close()
    console.close()
    os.close(pipe.writer)
    assert (tmp_path / "dice.log").read_text() == "one\ntwo\n"


def test_an_endless_line_is_cut_and_a_long_file_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "MAX_FILE", 100_000)
    pipe = Pipe()
    console = Console(["dice"], output=pipe.writer, quiet=True)
    log = PartLog("dice", tmp_path, console)
    log.feed(b"x" * 200_000)
    log.close()
    console.close()
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["dice.log", "dice.log.1"]
    assert all(file.stat().st_size <= 100_000 + logs.MAX_LINE + 1 for file in files)
    assert max(len(line) for line in log.tail) == logs.MAX_LINE
    pipe.text()


DAY = 86_400.0
NOW = time.time()


def aged(file: Path, age: float, content: str = "old\n") -> None:
    file.write_text(content)
    os.utime(file, (NOW - age, NOW - age))


def test_lines_of_long_ago_are_gone_at_the_next_start(tmp_path: Path) -> None:
    for name, age in (("dice", 16 * DAY), ("map", 14 * DAY)):
        aged(tmp_path / f"{name}.log", age)
        aged(tmp_path / f"{name}.log.1", age)
        log = PartLog(name, tmp_path, Console([], quiet=True), lambda: NOW)
        log.close()
    assert (tmp_path / "dice.log").read_text() == (tmp_path / "dice.log.1").read_text() == ""
    assert (tmp_path / "map.log").read_text() == (tmp_path / "map.log.1").read_text() == "old\n"


def test_a_file_is_written_to_for_half_a_month_across_restarts(tmp_path: Path) -> None:
    aged(tmp_path / "dice.log.1", 10 * DAY, "older\n")
    for days, said in ((0.0, b"first"), (4.0, b"second"), (6.0, b"third"), (7.0, b"fourth")):
        log = PartLog("dice", tmp_path, Console([], quiet=True), lambda days=days: NOW + days * DAY)
        log.feed(said + b"\n")
        log.close()
        moment = NOW + days * DAY
        os.utime(tmp_path / "dice.log", (moment, moment))
    assert (tmp_path / "dice.log").read_text() == "third\nfourth\n"
    assert (tmp_path / "dice.log.1").read_text() == "first\nsecond\n"
