"""The README and the guide, run as they are written: each command, and what is said to come of it.

The first shell asks the product. The others run every command too, but ``curl`` and ``python3`` are played to
them by ``recorded_calls.sh``: they must call both with the same words and the same input, as often as the
first, and then say the same. What a program answers is not the shell's, and so it is asked only once.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.e2e.product import Product

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "services" / "gateway" / "pages" / "guide"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BETWEEN = "\x1e"
FIRST = "bash"
RECORDED = ("curl", "python3")
# What each shell is called with, the script coming from standard input as if it were pasted: an interactive zsh reads
# a comment as a command, and takes a "!" between double quotes for its history, as an interactive bash does.
SHELLS = {
    "bash": ("bash", "-eu", "-s"),
    "dash": ("dash", "-eu", "-s"),
    "zsh": ("zsh", "-f", "-i", "-eu", "-s"),
}


@dataclass(frozen=True)
class Step:
    """One block of commands.

    Attributes:
        place: file and heading, for people.
        commands: of the shell.
        answer: what is said to be answered, with ``…`` for what differs; None where nothing is said.
    """

    place: str
    commands: str
    answer: str | None

    def fits(self, answered: str) -> bool:
        """Tell whether an answer is as it was said."""
        if self.answer is None:
            return True
        said = ".*?".join(re.escape(part) for part in self.answer.strip().split("…"))
        return re.fullmatch(said, answered.strip(), re.DOTALL) is not None


def steps(text: str, name: str) -> Iterator[Step]:
    """Find the blocks of commands in a page, each with the block of another kind that follows at once."""
    blocks = list(FENCE.finditer(text))
    for block, following in pairwise([*blocks, None]):
        if block is not None and block[1] == "sh":
            told = following is not None and following[1] != "sh"
            told = told and not text[block.end() : following.start()].strip()  # type: ignore[union-attr]
            heading = re.findall(r"^#+ (.*)$", text[: block.start()], re.MULTILINE)[-1]
            yield Step(f"{name}: {heading}", block[2], following[2] if told else None)  # type: ignore[index]


@dataclass(frozen=True)
class Calls:
    """The calls of programs that a shell makes, recorded for the shells that come after it.

    Attributes:
        found: the blocks of commands, run one after another.
        folder: where they run; what ``curl`` saves stays there.
        home: where the programs that record and play, and their answers, lie.
        url: of the product.
    """

    found: list[Step]
    folder: Path
    home: Path
    url: str

    def run(self, shell: str, mode: str) -> list[str]:
        """Run all blocks in one shell, and return what each answered.

        Args:
            shell: its name.
            mode: ``record`` or ``play``.
        """
        script = "".join(f"{step.commands}printf '%s' '{BETWEEN}'\n" for step in self.found)
        pasted = self.home / f"{mode}.{shell}"
        pasted.write_text(script.replace("http://127.0.0.1:4000", self.url), "utf-8")
        with pasted.open() as source:
            done = subprocess.run(
                _command(shell),
                stdin=source,
                cwd=self.folder,
                start_new_session=True,  # an interactive shell would take the terminal of the tests
                env=self._environment(pasted, mode),
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
        answers = done.stdout.split(BETWEEN)
        place = self.found[min(len(answers) - 1, len(self.found) - 1)].place
        assert done.returncode == 0, f"{place}\n{answers[-1]}\n{done.stderr}"
        return answers[:-1]

    def made(self, pasted: str) -> set[str]:
        """Return the calls that a shell made: program, words and input as one hash, and the how manieth."""
        return {path.name.removeprefix(f"{pasted}.") for path in self.home.glob(f"{pasted}.*.*")}

    def _environment(self, pasted: Path, mode: str) -> dict[str, str]:
        programs = self.home / "programs"
        if not programs.exists():
            programs.mkdir()
            for name in RECORDED:
                (programs / name).symlink_to(Path(__file__).parent / "recorded_calls.sh")
        # A newcomer's python3 has no packages, as that which the tests' own was made of; where the name leads to
        # some manager of versions instead, each of the hundred calls would take a while.
        real = f"{Path(sys.base_prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {
            "PATH": f"{programs}{os.pathsep}{real}",
            "CALLS_PATH": real,
            "CALLS_MODE": mode,
            "CALLS_SCRIPT": str(pasted),
        }


def _command(shell: str) -> tuple[str, ...]:
    """Return how a shell is started; continuous integration must have each, another machine may lack one."""
    command = SHELLS[shell]
    if shutil.which(command[0]) is None:
        missing = (
            f"{command[0]} is not installed, so the guide is not run in it (apt-get install {command[0]})"
        )
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return command


def asked(found: list[Step], product: Product, home: Path) -> tuple[Calls, list[str]]:
    """Run steps in the first shell against the product; returns the calls and what each step answered."""
    product.fill_buckets()  # a newcomer's are full: nobody has signed up before
    assert found
    folder = home / "folder"
    folder.mkdir()
    calls = Calls(found, folder, home, product.url)
    return calls, calls.run(FIRST, "record")


@pytest.fixture(scope="module")
def guide(product: Product, tmp_path_factory: pytest.TempPathFactory) -> tuple[Calls, list[str]]:
    """Walk through the guide in the first shell."""
    chapters = sorted(CHAPTERS.glob("*.md"))
    found = [step for path in chapters for step in steps(path.read_text("utf-8"), path.stem)]
    return asked(found, product, tmp_path_factory.mktemp("guide"))


@pytest.fixture(scope="module")
def ten_lines(product: Product, tmp_path_factory: pytest.TempPathFactory) -> tuple[Calls, list[str]]:
    """Paste the README's ten lines into the first shell."""
    readme = (ROOT / "README.md").read_text("utf-8")
    found = [step for step in steps(readme, "README") if "infra/up" not in step.commands]
    return asked(found, product, tmp_path_factory.mktemp("readme"))


def test_the_guide_is_true_from_its_first_line_to_its_last(guide: tuple[Calls, list[str]]) -> None:
    calls, answers = guide
    for step, answered in zip(calls.found, answers, strict=True):
        assert step.fits(answered), f"{step.place}\n{step.commands}\nanswered\n{answered}\nnot\n{step.answer}"
    for picture in ("realm.svg", "forge.svg", "odds.svg", "rounds.svg"):
        assert ElementTree.parse(calls.folder / picture).getroot().tag.endswith("svg")
    assert Image.open(calls.folder / "explored.png").format == "PNG"
    assert json.loads((calls.folder / "dungeon.uvtt").read_bytes())["line_of_sight"]
    with zipfile.ZipFile(calls.folder / "caves.zip") as caves:
        assert caves.testzip() is None and len(caves.namelist()) == 24


def test_the_ten_lines_of_the_readme_work_by_copy_and_paste(ten_lines: tuple[Calls, list[str]]) -> None:
    roll, mean, check, role, *told = "".join(ten_lines[1]).splitlines()
    assert re.fullmatch(r"4d6kh3 \(.*\) = \d+", roll)
    assert 12.2 < float(mean) < 12.3
    assert "'name': 'Battle'" in check and role == "GM"
    assert [json.loads(line.removeprefix("data: "))["data"]["campaignLog"]["text"] for line in told] == [
        "The Hollow Crown begins.",
        "Brunna joins the party.",
    ]


@pytest.mark.parametrize("shell", [name for name in SHELLS if name != FIRST])
@pytest.mark.parametrize("page", ["guide", "ten_lines"])
def test_other_shells_call_the_same_and_say_the_same(
    guide: tuple[Calls, list[str]], ten_lines: tuple[Calls, list[str]], page: str, shell: str
) -> None:
    calls, answers = {"guide": guide, "ten_lines": ten_lines}[page]
    again = calls.run(shell, "play")
    recorded = calls.made(f"record.{FIRST}")
    assert len(recorded) > 10
    assert calls.made(f"play.{shell}") == recorded
    for step, first, answered in zip(calls.found, answers, again, strict=True):
        assert answered == first, f"{step.place}\n{step.commands}"


def test_a_step_is_compared_with_what_is_said() -> None:
    text = "# One\n```sh\necho\n```\n```json\n{…}\n```\nwords\n```sh\ntrue\n```\nmore\n```\nno answer\n```\n"
    first, second = steps(text, "page")
    assert (first.place, first.answer, second.answer) == ("page: One", "{…}\n", None)
    assert first.fits('{"a": 1}\n') and not first.fits("[]") and second.fits("anything")
