"""Published contracts speak to clients: of null, and of nothing that only Python has."""

import re
from pathlib import Path

import pytest

SCHEMA = Path(__file__).resolve().parents[2] / "schema"
PUBLISHED = [SCHEMA / "api.graphql", SCHEMA / "openapi.json", *sorted(SCHEMA.glob("*.schema.json"))]
WORDS_OF_PYTHON = re.compile(
    r"\bNone\b|\b(?:; |=)(?:True|False)\b|dataclass|\bdocstring|\bservices\.\w|`?__\w+__`?"
)
# As English: none of several, no river.
ENGLISH = ("None of it", "None of these", "None, a pond", "`If-None-Match`")


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda path: path.name)
def test_descriptions_speak_to_clients(published: Path) -> None:
    text = published.read_text()
    for words in ENGLISH:
        text = text.replace(words, "")
    found = [text[max(0, match.start() - 60) : match.end() + 20] for match in WORDS_OF_PYTHON.finditer(text)]
    assert found == []
