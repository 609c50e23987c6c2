"""The README's first evening, run as it is written."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.e2e.product import Product

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WHAT_A_NEWCOMER_SEES = (
    '"key":"hf_live_',
    '"name":"The Hollow Crown"',
    '"myRole":"PLAYER"',
    '"checks":[{"name":"Battle","notation":"3d6"',
    'etag: "chr_',
    "304",
    '"text":"6d6kh3 (',
    '"code":"INVALID_INPUT"',
    '"epochNumber":2',
    '"verification":{"ok":true}',
    '"state":"SUCCEEDED","progress":1',
    '"account":{"name":"Finn"},"characters":[{"name":"Brunna"',
    "FOGGED\nBrunna\n12\n",
    '"kind":"CITADEL"',
    "Brunna goes 4 paces.",
    "1 ['Go', 'Stoneform', ",
    '"kind":"scene.move","text":"Brunna goes 4 paces."',
    '"seq":8,"kind":"map.made"',
    "forge Dagger, Nulls at random 511/512",
    "Bron hoards",
    "['Fiery Bolt', 'Flame Armor', 'Flaming Touch']",
    "= 2½, so 2\n8 CP left; affordable: Muscular for 1\nAthletics cannot be higher",
    "3 Reward approved: 2 CP for 1 session.",
    "\nHARD\n",
)


def evening() -> str:
    """Give the commands of the first evening, in order."""
    text = (ROOT / "README.md").read_text("utf-8")
    section = text.partition("## A first evening")[2].partition("\n## ")[0]
    return "\n".join(BLOCK.findall(section))


@pytest.mark.e2e
def test_the_first_evening_works_by_copy_and_paste(product: Product, tmp_path: Path) -> None:
    product.fill_buckets()  # a newcomer's are full: nobody has signed up before
    # A newcomer's python3 has no packages, as that which the tests' own was made of; where the name leads to some
    # manager of versions instead, each of the hundred calls would take a while.
    script = evening().replace("http://127.0.0.1:4000", product.url)
    done = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=tmp_path,
        env={"PATH": f"{Path(sys.base_prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for sight in WHAT_A_NEWCOMER_SEES:
        assert sight in done.stdout, f"{sight} is missing in\n{done.stdout}"
    for picture in ("realm.svg", "forge.svg"):
        assert ElementTree.parse(tmp_path / picture).getroot().tag.endswith("svg")
    assert Image.open(tmp_path / "explored.png").format == "PNG"
    assert json.loads((tmp_path / "dungeon.uvtt").read_bytes())["line_of_sight"]
    with zipfile.ZipFile(tmp_path / "caves.zip") as caves:
        assert caves.testzip() is None and len(caves.namelist()) == 24
