"""The README and the guide, run as they are written: each command, and what is said to come of it."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.e2e.product import Product

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "services" / "gateway" / "pages" / "guide"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BETWEEN = "\x1e"
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
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block[1] == "sh":
            told = following is not None and following[1] != "sh"
            told = told and not text[block.end() : following.start()].strip()  # type: ignore[union-attr]
            heading = re.findall(r"^#+ (.*)$", text[: block.start()], re.MULTILINE)[-1]
            yield Step(f"{name}: {heading}", block[2], following[2] if told else None)  # type: ignore[index]


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Return how a shell is started; continuous integration must have each, another machine may lack one."""
    command = SHELLS[request.param]
    if shutil.which(command[0]) is None:
        missing = (
            f"{command[0]} is not installed, so the guide is not run in it (apt-get install {command[0]})"
        )
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return command


def run(found: list[Step], product: Product, folder: Path, shell: tuple[str, ...]) -> list[str]:
    """Run steps one after another in one shell, and return what each answered."""
    script = "".join(f"{step.commands}printf '%s' '{BETWEEN}'\n" for step in found)
    # A newcomer's python3 has no packages, as that which the tests' own was made of; where the name leads to some
    # manager of versions instead, each of the hundred calls would take a while.
    done = subprocess.run(
        shell,
        input=script.replace("http://127.0.0.1:4000", product.url),
        cwd=folder,
        start_new_session=True,  # an interactive shell would take the terminal of the tests
        env={"PATH": f"{Path(sys.base_prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    answers = done.stdout.split(BETWEEN)
    place = found[min(len(answers) - 1, len(found) - 1)].place
    assert done.returncode == 0, f"{place}\n{answers[-1]}\n{done.stderr}"
    return answers[:-1]


def walk(found: list[Step], product: Product, folder: Path, shell: tuple[str, ...]) -> None:
    """Run steps, and compare what they answer with what is said."""
    product.fill_buckets()  # a newcomer's are full: nobody has signed up before
    assert found
    for step, answered in zip(found, run(found, product, folder, shell), strict=True):
        assert step.fits(answered), f"{step.place}\n{step.commands}\nanswered\n{answered}\nnot\n{step.answer}"


@pytest.mark.e2e
def test_the_guide_is_true_from_its_first_line_to_its_last(
    product: Product, tmp_path: Path, shell: tuple[str, ...]
) -> None:
    chapters = sorted(CHAPTERS.glob("*.md"))
    walk(
        [step for path in chapters for step in steps(path.read_text("utf-8"), path.stem)],
        product,
        tmp_path,
        shell,
    )
    for picture in ("realm.svg", "forge.svg", "odds.svg", "rounds.svg"):
        assert ElementTree.parse(tmp_path / picture).getroot().tag.endswith("svg")
    assert Image.open(tmp_path / "explored.png").format == "PNG"
    assert json.loads((tmp_path / "dungeon.uvtt").read_bytes())["line_of_sight"]
    with zipfile.ZipFile(tmp_path / "caves.zip") as caves:
        assert caves.testzip() is None and len(caves.namelist()) == 24


@pytest.mark.e2e
def test_the_ten_lines_of_the_readme_work_by_copy_and_paste(
    product: Product, tmp_path: Path, shell: tuple[str, ...]
) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    ten = [step for step in steps(readme, "README") if "infra/up" not in step.commands]
    product.fill_buckets()
    roll, mean, check, role, *told = "".join(run(ten, product, tmp_path, shell)).splitlines()
    assert re.fullmatch(r"4d6kh3 \(.*\) = \d+", roll)
    assert 12.2 < float(mean) < 12.3
    assert "'name': 'Battle'" in check and role == "GM"
    assert [json.loads(line.removeprefix("data: "))["data"]["campaignLog"]["text"] for line in told] == [
        "The Hollow Crown begins.",
        "Brunna joins the party.",
    ]


def test_a_step_is_compared_with_what_is_said() -> None:
    text = "# One\n```sh\necho\n```\n```json\n{…}\n```\nwords\n```sh\ntrue\n```\nmore\n```\nno answer\n```\n"
    first, second = steps(text, "page")
    assert (first.place, first.answer, second.answer) == ("page: One", "{…}\n", None)
    assert first.fits('{"a": 1}\n') and not first.fits("[]") and second.fits("anything")
