"""The way from a bare Python: what is refused, in which words, and what the stamps rest on."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "HEARTH"))
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=ROOT,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    """Give the one line that a refused start ends with, progress lines aside."""
    assert done.returncode == 1, done
    lines = [line for line in done.stderr.splitlines() if not line.endswith(" ...")]
    assert len(lines) == 1, done.stderr
    return lines[0]


ENTER = "from infra.launch.bootstrap import enter; enter()"


def test_an_older_python_is_told_which_one_to_use() -> None:
    line = refusal(run("import sys; sys.version_info = (3, 10, 4, 'final', 0); import infra.launch"))
    assert line.startswith("Hearthforge needs Python 3.11 or newer; this is ")
    assert "start it as: python3." in line


def test_windows_is_sent_to_wsl() -> None:
    assert "WSL" in refusal(run("import sys; sys.platform = 'win32'; import infra.launch"))


def test_a_python_without_ensurepip_is_told_the_package_to_install(tmp_path: Path) -> None:
    done = run(
        f"import sys; sys.modules['ensurepip'] = None; {ENTER}", HEARTHFORGE_VENV=str(tmp_path / "venv")
    )
    minor = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"apt install python{minor}-venv" in refusal(done)


def test_an_unwritable_place_for_the_environment_is_named_with_the_way_round_it() -> None:
    line = refusal(run(ENTER, HEARTHFORGE_VENV="/dev/null/venv"))
    assert "cannot write to /dev/null/venv (Not a directory)" in line
    assert "HEARTHFORGE_VENV" in line


def test_an_index_out_of_reach_is_one_line_and_leaves_no_stamp(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    closed = "http://127.0.0.1:9/simple"
    done = run(
        ENTER, HEARTHFORGE_VENV=str(venv), PIP_INDEX_URL=closed, PIP_RETRIES="0", PIP_CONFIG_FILE=os.devnull
    )
    assert "the package index cannot be reached; check the network" in refusal(done)
    assert not (venv / ".hearthforge.json").exists()


def test_a_second_start_waits_for_the_one_that_installs(tmp_path: Path) -> None:
    with (tmp_path / ".hearthforge.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(
            [sys.executable, "-c", ENTER],
            cwd=ROOT,
            env={**os.environ, "HEARTHFORGE_VENV": str(tmp_path)},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert second.stderr is not None
            assert second.stderr.readline() == "waiting for another start that is installing ...\n"
            assert second.poll() is None
            assert not (tmp_path / "bin").exists()
        finally:
            second.kill()
            second.communicate()


def test_the_tests_lock_holds_the_product_lock_unchanged() -> None:
    """``infra/test`` counts as an installation for ``infra/up``: both stamps are written."""

    def pins(file: str) -> dict[str, str]:
        return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "infra" / file).read_text(), re.MULTILINE))

    product, tests = pins("requirements.lock"), pins("requirements-dev.lock")
    assert product
    assert {name: tests.get(name) for name in product} == product


def test_node_and_the_scripts_come_first_on_path() -> None:
    found = run("from infra.launch.bootstrap import tool_path; print(tool_path('/last'))").stdout.strip()
    folders = found.split(os.pathsep)
    assert folders[-1] == "/last"
    binary = Path(str(shutil.which("node", path=found)))
    assert binary.stat().st_size > 10_000_000, "a wrapper script instead of the wheel's own binary"
