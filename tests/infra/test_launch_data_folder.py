"""The data folder: its secrets, its lock, what runs there, where sockets go."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from infra.launch.data_folder import (
    DataFolder,
    Running,
    default_path,
    held,
    keep_keys,
    keep_secrets,
    open_folder,
    read_running,
    socket_folder,
    write_running,
)
from infra.launch.failure import FolderFailure, FolderInUse
from services.shared.callers import SIGNING

REPOSITORY = Path("/somewhere/repository")


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return open_folder(tmp_path / "data")


def running(pid: int) -> Running:
    return Running(pid=pid, address="http://127.0.0.1:4321", environment={"A": "b"}, ports={"public": 4321})


def dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_secrets_are_made_once_and_for_their_owner_only(folder: DataFolder) -> None:
    first = keep_secrets(folder)
    assert mode(folder.path / "secrets.json") == 0o600
    assert len(bytes.fromhex(first.key_pepper)) == 32
    assert len(bytes.fromhex(first.dice_secret)) == 32
    assert first.key_pepper != first.dice_secret
    assert keep_secrets(folder) == first


def test_a_folder_from_before_verifiable_rolls_gets_a_secret_for_them_and_keeps_the_others(
    folder: DataFolder,
) -> None:
    file = folder.path / "secrets.json"
    file.write_text('{"internal_secret": "one", "key_pepper": "two"}')
    found = keep_secrets(folder)
    assert found.key_pepper == "two"
    assert len(bytes.fromhex(found.dice_secret)) == 32
    assert mode(file) == 0o600
    assert keep_secrets(folder) == found


def test_secrets_do_not_show_in_a_printed_object(folder: DataFolder) -> None:
    found = keep_secrets(folder)
    assert found.key_pepper not in repr(found)
    assert found.dice_secret not in repr(found)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"internal_secret": "x"}'])
def test_damaged_secrets_are_reported_and_never_replaced(folder: DataFolder, content: str) -> None:
    file = folder.path / "secrets.json"
    file.write_text(content)
    with pytest.raises(FolderFailure, match="backup"):
        keep_secrets(folder)
    assert file.read_text() == content


def test_keys_are_made_once_for_their_owner_only_and_anew_where_one_is_missing(
    folder: DataFolder,
) -> None:
    first = keep_keys(folder)
    assert set(first) == set(SIGNING)
    assert mode(folder.path / "keys") == 0o700
    assert {mode(file) for file in (folder.path / "keys").iterdir()} == {0o600}
    assert keep_keys(folder) == first
    (folder.path / "keys" / "dice.key").unlink()
    again = keep_keys(folder)
    assert {name for name in first if again[name] != first[name]} == {"dice"}


def test_a_damaged_key_is_reported_and_never_replaced(folder: DataFolder) -> None:
    keep_keys(folder)
    file = folder.path / "keys" / "map.key"
    file.write_text("nonsense")
    with pytest.raises(FolderFailure, match=r"map\.key"):
        keep_keys(folder)
    assert file.read_text() == "nonsense"


def test_a_new_folder_is_private(folder: DataFolder) -> None:
    assert mode(folder.path) == 0o700


def test_an_unwritable_folder_is_one_line_with_the_mend() -> None:
    with pytest.raises(FolderFailure) as caught:
        open_folder(Path("/dev/null/data"))
    assert str(caught.value) == (
        "cannot write to the data folder /dev/null/data (Not a directory); choose another with --data DIR"
    )


def test_a_second_holder_learns_where_the_product_answers(folder: DataFolder) -> None:
    with held(folder):
        write_running(folder, running(os.getpid()))
        assert mode(folder.run_file) == 0o600
        with (
            pytest.raises(FolderInUse, match=r"runs there at http://127\.0\.0\.1:4321 \(pid \d+\)"),
            held(folder),
        ):
            pass


def test_a_second_holder_waits_for_one_that_only_passes_through(folder: DataFolder) -> None:
    """As ``infra/key`` does: it holds the folder without running there."""
    code = "import sys; from pathlib import Path; from infra.launch.data_folder import *\n"
    code += "with held(DataFolder(Path(sys.argv[1]))): print('held', flush=True); sys.stdin.read()"
    passing = subprocess.Popen(
        [sys.executable, "-c", code, str(folder.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert passing.stdout is not None
    assert passing.stdin is not None
    assert passing.stdout.readline() == b"held\n"
    with pytest.raises(FolderInUse, match="another start"), held(folder, patience=0):
        pass
    passing.stdin.close()
    with held(folder, patience=10):
        assert passing.wait() == 0
    passing.stdout.close()


def test_what_a_killed_product_left_behind_is_not_taken_for_running(folder: DataFolder) -> None:
    write_running(folder, running(dead_pid()))
    assert read_running(folder) is None
    with held(folder):
        assert not folder.run_file.exists()


def test_run_json_comes_back_as_it_was_written(folder: DataFolder) -> None:
    wrote = running(os.getpid())
    write_running(folder, wrote)
    assert read_running(folder) == wrote
    assert json.loads(folder.run_file.read_text())["pid"] == os.getpid()


def test_sockets_live_in_the_folder_when_its_path_is_short() -> None:
    with tempfile.TemporaryDirectory(prefix="hf-", dir="/tmp") as short:
        folder = open_folder(Path(short))
        with socket_folder(folder) as sockets:
            assert sockets == folder.path / "run"
            assert mode(sockets) == 0o700


@pytest.mark.parametrize("name", ["x" * 120, "with a space", "Größe"])
def test_sockets_of_an_awkward_path_get_a_short_private_folder_for_the_while(
    tmp_path: Path, name: str
) -> None:
    with socket_folder(open_folder(tmp_path / name)) as sockets:
        assert len(str(sockets / ".s.PGSQL.5432.lock").encode()) < 104
        assert mode(sockets) == 0o700
        assert " " not in str(sockets)
    assert not sockets.exists()


def test_the_default_folder_follows_the_desktop_standard(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("HEARTHFORGE_DATA_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert default_path(REPOSITORY) == tmp_path / ".local" / "share" / "hearthforge"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert default_path(REPOSITORY) == tmp_path / "xdg" / "hearthforge"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_path(REPOSITORY) == tmp_path / "Library" / "Application Support" / "Hearthforge"
    monkeypatch.setenv("HEARTHFORGE_DATA_DIR", "/elsewhere")
    assert default_path(REPOSITORY) == Path("/elsewhere")


def test_without_a_writable_home_the_folder_is_in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEARTHFORGE_DATA_DIR", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    assert default_path(REPOSITORY) == REPOSITORY / ".hearthforge"
