"""Answers cases of content packs, and of the tables that a group rolls on."""

from __future__ import annotations

from typing import Any

from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.catalog import (
    SLUG,
    Background,
    Blade,
    Fact,
    FinalAct,
    PersonalQuest,
    Talent,
    Trade,
)
from services.rules.systems.fortunate_blades.packs import PACKS, ContentPack, ListName
from services.rules.systems.fortunate_blades.tables import TableName
from services.rules.systems.fortunate_blades.tools import (
    StartAnswer,
    StartQuestion,
    TableAnswer,
    TableQuestion,
    run_start,
    run_table,
)
from tests.conformance.fortunate_blades.reading import Answer, Given, only

LISTS = ("backgrounds", "trades", "blades", "personal_quests", "final_acts", "facts")


def talent(slug: str, **more: Any) -> Talent:
    """A talent of a made-up pack; it adds something, so that it may stand there."""
    return Talent(id=f"{SLUG}:talent/{slug}", name=slug, text=slug, **{"adds": {"roll": 1}, **more})


def _entry(kind: str, place: int) -> dict[str, Any]:
    slug = f"made-{place}"
    return {"id": f"{SLUG}:{kind}/{slug}", "name": slug, "text": slug}


def _pack(given: Given) -> ContentPack:
    """A pack with so many entries of each list, which take the place of those there are."""
    counts = {name: given[name] for name in LISTS if name in given}
    talents_of = given.get("talents_per_trade", [5] * counts.get("trades", 0))
    counts.setdefault("trades", len(talents_of))
    one = talent("made")
    trades = []
    for place in range(max(counts["trades"], len(talents_of))):
        many = talents_of[place] if place < len(talents_of) else 5
        ids = tuple(f"{SLUG}:talent/made-{number}" for number in range(many))
        trades.append(Trade(**_entry("trade", place), starting=ids[0] if ids else one.id, talents=ids[1:]))
    most = max((*talents_of, 1))
    return ContentPack(
        replaces=tuple(ListName(name) for name in counts),
        talents=(one, *(talent(f"made-{number}") for number in range(most))),
        backgrounds=tuple(
            Background(**_entry("background", place), complication="made", talents=(one.id,))
            for place in range(counts.get("backgrounds", 0))
        ),
        trades=tuple(trades[: counts["trades"]]),
        blades=tuple(
            Blade(**_entry("blade", place), talents=(one.id,)) for place in range(counts.get("blades", 0))
        ),
        personal_quests=tuple(
            PersonalQuest(**_entry("personal_quest", place), question="made")
            for place in range(counts.get("personal_quests", 0))
        ),
        final_acts=tuple(
            FinalAct(**_entry("final_act", place), ticks=1) for place in range(counts.get("final_acts", 0))
        ),
        facts=tuple(Fact(**_entry("fact", place), lucky=True) for place in range(counts.get("facts", 0))),
    )


def content_pack(given: Given) -> Answer:
    """Whether a pack has enough of everything, and a map enough places."""
    only(given, *LISTS, "talents_per_trade", "map_players", "places")
    short: list[str] = []
    if given.keys() & {*LISTS, "talents_per_trade"}:
        found = PACKS.check(_pack(given), SYSTEM.content)
        if isinstance(found, Problems):
            short += [_short(problem.code, problem.path) for problem in found]
    if "map_players" in given:
        start = run_start(StartQuestion(players=given["map_players"], places=given["places"]), SYSTEM.content)
        short += start.short if isinstance(start, StartAnswer) else [problem.code for problem in start]
    order = ("backgrounds", "trades", "talents_per_trade", *LISTS[2:], "places")
    return {
        "valid": not short,
        "short": sorted(set(short), key=lambda name: order.index(name) if name in order else -1),
    }


def _short(code: str, path: tuple[str | int, ...]) -> str:
    """The list that a problem is about; the code of one that is not about too few."""
    if code != "too_few_entries":
        return code
    return "talents_per_trade" if path[-1] == "talents" else str(path[0])


def table(given: Given) -> Answer:
    """What a table says."""
    only(given, "table", "roll", "count")
    question = TableQuestion(table=TableName(given["table"]), roll=given.get("roll"))
    found = run_table(question, SYSTEM.content)
    if not isinstance(found, TableAnswer):
        return {"legal": False, "error": found.codes[0]}
    line = found.lines[0]
    return {
        "entries": found.entries,
        "label": line.label,
        "creates": None if line.creates is None else line.creates.value,
        "can_be_lost": line.can_be_lost,
    }
