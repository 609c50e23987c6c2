"""The sentences that tell what happens, and the names of what changes Luck: `content/sentences.toml`.

A sentence has places for what it tells: `{by}`, `{target}` (the first), `{targets}` (all), `{power}`,
`{words}`; `{number}` and `{successes}`, which count what stands behind the colon: `{number:pace}`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from services.rules.engine.wording import counted, listed

SEVERAL = {"die": "dice", "success": "successes", "enemy": "enemies"}
"""Plurals that are not made with an s."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """How something is told.

    Attributes:
        text: The sentence, with places for what it tells.
        rule: Where the rule stands; empty where it is that of the power or of the action.
    """

    text: str
    rule: str = ""


class _Words(Formatter):
    """Fills the places of a sentence; a number with a noun behind it is counted in words."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        if isinstance(value, int) and format_spec:
            return counted(value, format_spec, SEVERAL.get(format_spec, ""))
        return str(value)


def filled(
    sentence: Sentence,
    *,
    by: str = "",
    targets: Sequence[str] = (),
    power: str = "",
    successes: int = 0,
    number: int = 0,
    words: str = "",
) -> str:
    """Returns a sentence with its places filled, its first letter a capital unless it is a player's.

    Args:
        sentence: The sentence.
        by: Name of whoever did it.
        targets: Names of all others whom it concerns.
        power: Name of the power.
        successes: Successes that count in the end.
        number: What else is counted.
        words: Words of players, or the name of what has no id.
    """
    text = _Words().format(
        sentence.text,
        by=by,
        target=targets[0] if targets else "",
        targets=listed(targets),
        power=power,
        successes=successes,
        number=number,
        words=words,
    )
    if sentence.text.endswith("{words}"):
        text = with_stop(text)
    return text if sentence.text.startswith("{words") else text[:1].upper() + text[1:]


def with_stop(words: str) -> str:
    """Returns what a player wrote, with a full stop where it ends in nothing."""
    text = words.strip()
    return text if text.endswith((".", "!", "?", '"')) else f"{text}."


@cache
def sentences() -> Mapping[str, Sentence]:
    """Returns each sentence by the code of what it tells."""
    return {code: Sentence(**entry) for code, entry in _document()["sentences"].items()}


def sentence_of(code: str) -> Sentence:
    """Returns the sentence of a code; a power that did nothing has that of all powers, if none of its own.

    Raises:
        KeyError: Nothing is told so.
    """
    found = sentences().get(code)
    if found is None and code.startswith("power.") and code.endswith(".failed"):
        return sentences()["power.failed"]
    return sentences()[code] if found is None else found


@cache
def causes() -> Mapping[str, str]:
    """Returns the names of what changes Luck and is not content: dangers, rests, blows."""
    found: Mapping[str, str] = _document()["causes"]
    return found


@cache
def _document() -> Mapping[str, Any]:
    folder = files("services.rules.systems.dungeonteller") / "content"
    return tomllib.loads((folder / "sentences.toml").read_text("utf-8"))
