"""``infra/verify`` as a stranger uses it: honest exports hold, cheats are found, and nothing breaks it."""

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.rules.dice.vr1 import Check, Statement, verify_statements
from tests.dice.cheats import INSIDE, OUTSIDE, cut
from tests.dice.exports import (
    SERVER,
    STRANGER,
    VERIFY,
    Export,
    Key,
    evening,
    faces_of,
    load_verify,
    noise,
    secrets,
    verifier,
    write,
)

TOOL = load_verify()
LINES = evening().lines()


def run(tmp_path: Path, lines: list[str], capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """Verify lines in this process; gives the exit code and all that was printed."""
    code = TOOL.main([str(write(tmp_path / "export.ndjson", lines)), *more])
    printed = capsys.readouterr()
    assert (code == 2) == bool(printed.err)
    return code, printed.out + printed.err


def outside(
    *arguments: str, content: bytes = b"", python: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Verify as a program of its own."""
    done = subprocess.run(
        [sys.executable, *python, str(VERIFY), *arguments], input=content, capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_an_honest_evening_holds(tmp_path: Path) -> None:
    file = write(tmp_path / "export.ndjson", LINES)
    done = outside(str(file), "--key", SERVER.public)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "6 rolls verified, 1 void, 0 hidden, 2 epochs",
        "open chain of 'cmp_01jd8x6m3v5q7r9t0w2y4z6a8c', whole: up to epoch 2, number 2, "
        "as of 2026-05-01T20:00:00.000Z",
        "not checked: what the expressions come to with these faces",
    ]


def test_it_reads_standard_input_and_several_chains_with_windows_line_ends() -> None:
    lines = [*LINES, "", *secrets().lines()]
    done = outside("-", content="\r\n".join(lines).encode())
    assert done.returncode == 0
    assert done.stdout.startswith("8 rolls verified, 1 void, 2 hidden, 3 epochs\n")
    assert "hidden rolls" not in done.stdout and "revealed: up to epoch 1, number 4" in done.stdout
    assert "not checked: whose the keys are" in done.stdout


def test_without_the_package_for_signatures_it_says_so() -> None:
    content = "\n".join(LINES).encode()
    done = outside("-", content=content, python=("-I", "-S"))
    assert done.returncode == 0 and "not checked: signatures" in done.stdout
    assert outside("-", content=content).stdout.count("not checked: signatures") == 0


def test_it_needs_no_newer_python_than_it_says_and_nothing_but_the_standard_library() -> None:
    tree = ast.parse(VERIFY.read_text("utf-8"), feature_version=(3, 8))
    tried = {node for block in ast.walk(tree) if isinstance(block, ast.Try) for node in ast.walk(block)}
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import) and node not in tried
        for alias in node.names
    }
    assert names == {"argparse", "hashlib", "hmac", "itertools", "json", "sys"}
    assert os.access(VERIFY, os.X_OK)


@pytest.mark.parametrize("name", OUTSIDE)
def test_whoever_changes_an_export_is_caught(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, found = OUTSIDE[name]
    lines = evening().lines()
    change(lines)
    code, printed = run(tmp_path, lines, capsys)
    assert code == 1 or (code == 2 and found is Check.FORM), printed
    assert printed.startswith("line ")


@pytest.mark.parametrize("name", INSIDE)
def test_a_server_that_cheats_is_caught(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, found = INSIDE[name]
    code, printed = run(tmp_path, evening().changed(change), capsys)
    assert code == 1 or (code == 2 and found is Check.FORM), printed
    assert printed.startswith("line ")


def test_a_fault_is_told_with_its_line_and_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = evening().changed(lambda bodies: bodies[8].update(faces=[10] * 10))
    assert run(tmp_path, lines, capsys) == (1, "line 10: seed and entropy give other faces\n")
    lines = list(LINES)
    cut(11)(lines)
    assert run(tmp_path, lines, capsys) == (
        1,
        "line 11: the head of the chain is missing: something was cut off\n",
    )


def test_another_key_is_caught_by_naming_the_right_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = evening().lines(STRANGER)
    assert run(tmp_path, forged, capsys)[0] == 0
    code, printed = run(tmp_path, forged, capsys, "--key", SERVER.public)
    assert (code, printed) == (1, "line 2: it is signed with another key than you named\n")
    assert run(tmp_path, [STRANGER.line(), *LINES], capsys, "--key", SERVER.public.upper())[0] == 0
    both = ("--key", STRANGER.public, "--key", SERVER.public)
    assert run(tmp_path, LINES, capsys, *both)[0] == 0
    swapped = [STRANGER.line(), *LINES[1:]]
    assert (
        run(tmp_path, swapped, capsys)[1] == "line 2: it is signed with a key that this file does not show\n"
    )


def test_a_stranger_cannot_take_the_name_of_the_servers_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = evening().lines(Key(STRANGER.private, SERVER.name, STRANGER.public))
    assert run(tmp_path, lines, capsys) == (1, "line 1: this is not the key of that id\n")


def test_a_text_that_could_be_read_in_two_ways_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.loads(LINES[2])["body"].replace('"faces":[', '"faces":[1],"faces":[', 1)
    digest = hashlib.sha256(b"VR1-statement" + text.encode()).digest()
    signature = SERVER.private.sign(b"VR1-sign" + digest).hex()
    lines = [*LINES[:2], Statement(text, digest.hex(), SERVER.name, signature).line(), *LINES[3:]]
    code, printed = run(tmp_path, lines, capsys)
    assert code == 1 and printed == "line 3: the text is not in the one form that statements have\n"


def test_a_later_epoch_alone_holds_and_says_what_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = list(LINES)
    cut(1, 2, 3, 4, 5, 6, 7)(lines)
    code, printed = run(tmp_path, lines, capsys)
    assert code == 0 and "not checked: what was before epoch 2" in printed


def test_hidden_rolls_hold_their_place_and_lead_seeds_back_over_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = run(tmp_path, secrets().lines(), capsys)
    assert code == 0 and printed.startswith("2 rolls verified, 0 void, 2 hidden, 1 epochs\n")
    closed = Export("secret").begin().roll(6, hidden=True).roll(6).close(seed=False).head()
    assert run(tmp_path, closed.lines(), capsys)[0] == 0
    exchanged = secrets().lines()
    exchanged[2] = Export("secret").begin().roll(20, hidden=True, client=bytes(16)).lines()[2]
    assert run(tmp_path, exchanged, capsys)[0] == 1
    export = secrets()
    export.bodies[4]["seed"] = bytes(32).hex()
    export.bodies[4]["faces"] = faces_of(export.bodies[4])
    assert run(tmp_path, export.lines(), capsys)[0] == 1


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe",
        b"{",
        b"[]",
        b"3",
        b"null",
        b'"text"',
        b"{}",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"body": 5}',
        b'{"public": 7}',
        b'{"public": "zz", "key": "00"}',
        b'{"number": "1", "hash": "", "key": "", "signature": ""}',
        b"9" * 5000,
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(content: bytes) -> None:
    done = outside("-", content="\n".join(LINES[:3]).encode() + b"\n" + content)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("line 4 cannot be read: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("file", ["/nowhere/at/all", "/", "\0"])
def test_a_file_that_is_not_there_is_told_in_one_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert TOOL.main([file]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_a_file_it_tells_how_it_is_used() -> None:
    done = outside()
    assert done.returncode == 2 and "usage" in done.stderr


def test_a_place_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = Export().begin().head()
    export.bodies[0]["place"] = "\x1b[2J"
    code, printed = run(tmp_path, export.lines(), capsys)
    assert code == 0 and "\x1b" not in printed


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_character_of_a_statement_can_be_changed(
    data: st.DataObject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = data.draw(st.integers(1, len(LINES) - 1))
    place = data.draw(st.integers(0, len(LINES[line]) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126))
    old = LINES[line][place]
    changed = LINES[line][:place] + other + LINES[line][place + 1 :]
    code, _ = run(tmp_path, [*LINES[:line], changed, *LINES[line + 1 :]], capsys)
    # Hexadecimal is the same in capitals, also in a signature.
    assert (code == 0) if other == old else (code != 0 or other.lower() == old.lower())


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    member=st.sampled_from(
        sorted({name for line in LINES[1:] for name in json.loads(json.loads(line)["body"])})
    ),
    value=st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=4,
    ),
)
def test_whatever_a_server_signs_nothing_breaks_it(
    member: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in range(11):
        export = evening()
        if member in export.bodies[place] and member not in ("kind", "previous", "head"):
            export.bodies[place][member] = value
            code, _ = run(tmp_path, export.lines(), capsys)
            report = verify_statements(export.lines(), verifier(SERVER))
            # The library is strict about every form; what it lets pass, the program lets pass as well.
            assert code in (0, 1, 2) and (code == 0 or not report.ok)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rolls=st.lists(
        st.tuples(
            st.lists(st.integers(1, 300) | st.sampled_from([1000, 2**31 + 1, 2**32]), max_size=8),
            st.integers(16, 64),
            st.sampled_from(["roll", "void", "hidden"]),
        ),
        max_size=14,
    ),
    closed=st.booleans(),
)
def test_any_history_holds_for_the_program_and_the_library_alike(
    rolls: list[tuple[list[int], int, str]],
    closed: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    export = Export("secret").begin()
    for number, (dice, size, what) in enumerate(rolls):
        if what == "void":
            export.void()
        else:
            export.roll(*dice, client=noise(number, size=size), hidden=what == "hidden")
        if export.number == export.length:
            export.close().begin()
    if closed:
        export.close()
    lines = export.head().lines()
    report = verify_statements(lines, verifier(SERVER))
    assert report.ok, report.fault
    code, printed = run(tmp_path, lines, capsys)
    assert code == 0
    counts = (
        f"{report.rolls} rolls verified, {report.voids} void, {report.hidden} hidden, {report.epochs} epochs"
    )
    assert printed.startswith(counts)
