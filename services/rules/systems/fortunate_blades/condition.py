"""What play has brought upon a hero: Fortune spent, Harm, Marks; and what it may come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from services.rules.engine.problem import RuleProblem
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME, LONGEST_TEXT, Condition, TrackBoxes
from services.rules.systems.fortunate_blades.settings import TableRules, TrackLengths
from services.rules.systems.fortunate_blades.sheet import HarmSlots
from services.rules.systems.fortunate_blades.terms import HarmLevel

MOST_FORTUNE = 1_000
MOST_PREPARED = 50
MOST_TRAINED = 10_000
HARM_RULE = "Harm"
LETHAL_HARMS = 1


def harm_room(slots: HarmSlots) -> dict[HarmLevel, int]:
    """How many Harms of each level a hero can bear; a lethal one is borne by the Defeated (F2, F3)."""
    return {
        HarmLevel.MINOR: slots.minor.value,
        HarmLevel.SERIOUS: slots.serious.value,
        HarmLevel.HEROIC: slots.heroic.value,
        HarmLevel.LETHAL: LETHAL_HARMS,
    }


def track_boxes(boxes: TrackBoxes, tracks: TrackLengths) -> Iterator[tuple[str, int, int]]:
    """The advancement tracks: the name of each, its filled boxes, and how many it has."""
    for one in fields(boxes):
        length = tracks.talent if one.name == "talent" else tracks.group
        yield one.name, getattr(boxes, one.name), length


def condition_problems(
    condition: Condition, slots: HarmSlots, talents: tuple[str, ...], rules: TableRules
) -> Iterator[RuleProblem]:
    """What no play can bring upon a hero.

    Args:
        condition: How the hero fares.
        slots: How much Harm the hero can bear.
        talents: Content ids of the hero's talents.
        rules: The settings of the table.
    """
    fortune = condition.fortune
    if fortune is not None and not 0 <= fortune <= MOST_FORTUNE:
        text, bounds = f"Fortune is from 0 to {MOST_FORTUNE}.", (0, MOST_FORTUNE)
        yield RuleProblem("fortune_out_of_range", text, "Fortune", ("condition", "fortune"), fortune, bounds)
    yield from _harm_problems(condition, slots)
    marks = len(condition.marks)
    if marks > rules.harm.marks:
        text = f"With Mark {rules.harm.marks} a hero is Defeated."
        yield RuleProblem("too_many_marks", text, HARM_RULE, ("condition", "marks"), marks, rules.harm.marks)
    for name, filled, _ in track_boxes(condition.boxes, rules.tracks):
        if not 0 <= filled <= MOST_TRAINED:
            text, bounds = f"From 0 to {MOST_TRAINED} boxes are trained.", (0, MOST_TRAINED)
            path = ("condition", "boxes", name)
            yield RuleProblem("boxes_out_of_range", text, "Advancement", path, filled, bounds)
    for place, used in enumerate(condition.used):
        if used not in talents:
            text = "Only a talent of the hero can be used up."
            yield RuleProblem("used_unknown", text, "Talents", ("condition", "used", place), used, talents)
    yield from _prepared_problems(condition)


def _harm_problems(condition: Condition, slots: HarmSlots) -> Iterator[RuleProblem]:
    for level, room in harm_room(slots).items():
        borne = sum(harm.level is level for harm in condition.harms)
        if borne > room:
            text = f"A hero bears at most {room} of {level.value} Harm."
            yield RuleProblem("harm_row_full", text, HARM_RULE, ("condition", "harms"), borne, room)
    words = (
        *((("condition", "harms", place, "words"), one.words) for place, one in enumerate(condition.harms)),
        *((("condition", "marks", place), one) for place, one in enumerate(condition.marks)),
    )
    for path, text in words[:MOST_PREPARED]:
        if len(text) > LONGEST_TEXT:
            message = f"At most {LONGEST_TEXT} characters fit."
            yield RuleProblem("text_too_long", message, "table", path, len(text), LONGEST_TEXT)


def _prepared_problems(condition: Condition) -> Iterator[RuleProblem]:
    if len(condition.prepared) > MOST_PREPARED:
        text, found = f"At most {MOST_PREPARED} events can be prepared for.", len(condition.prepared)
        path = ("condition", "prepared")
        yield RuleProblem("list_too_long", text, "Preparation", path, found, MOST_PREPARED)
        return
    for place, one in enumerate(condition.prepared):
        if not 1 <= one.points <= MOST_FORTUNE:
            text, bounds = f"From 1 to {MOST_FORTUNE} points are kept.", (1, MOST_FORTUNE)
            at = ("condition", "prepared", place, "points")
            yield RuleProblem("prepared_out_of_range", text, "Preparation", at, one.points, bounds)
        if not 1 <= len(one.event.strip()) <= LONGEST_NAME:
            text = "Fortune is prepared for an event that has a name."
            where = ("condition", "prepared", place, "event")
            bounds = (1, LONGEST_NAME)
            yield RuleProblem("event_without_name", text, "Preparation", where, len(one.event), bounds)
