"""How campaigns and their facts are stored, and how what was stored before is read."""

from __future__ import annotations

from typing import Any, cast

from services.rules.engine.codec import Json


def with_progress(data: dict[str, Json]) -> dict[str, Json]:
    """A state of the first version, which listed every step of a hero's advancement, in the second."""
    heroes = cast("list[dict[str, Json]]", data["heroes"])
    return {**data, "heroes": [_with_progress(hero) for hero in heroes]}


def fact_with_progress(data: dict[str, Json]) -> dict[str, Json]:
    """A fact of the first version in the second: a hero who comes has gained nothing yet."""
    if "member" not in data:
        return data
    return {**data, "member": _with_progress(cast("dict[str, Json]", data["member"]))}


def _with_progress(hero: dict[str, Json]) -> dict[str, Json]:
    kept: dict[str, Json] = {name: value for name, value in hero.items() if name != "growth"}
    ranks: dict[str, int] = {}
    boxes: dict[str, int] = {}
    talents: dict[str, int] = {}
    for step in cast("list[dict[str, Any]]", hero.get("growth", [])):
        checked = step["boxes"] if step["type"] == "boxes" else -step["boxes"]
        boxes[step["track"]] = boxes.get(step["track"], 0) + checked
        if step.get("attribute"):
            ranks[step["attribute"]] = ranks.get(step["attribute"], 0) + 1
        if step.get("talent"):
            talents[step["trade"]] = talents.get(step["trade"], 0) + 1
    return {**kept, "progress": cast(Json, {"ranks": ranks, "boxes": boxes, "talents": talents})}
