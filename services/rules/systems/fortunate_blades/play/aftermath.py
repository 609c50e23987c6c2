"""What an encounter leaves with its heroes: Fortune, Harm, Marks, prepared Fortune, talents used up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from services.rules.engine.codec import Codec, Json
from services.rules.engine.play import Change
from services.rules.engine.wording import counted
from services.rules.systems.fortunate_blades.advancement import boxes_of, length_of
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import (
    Condition,
    Harm,
    HeroChoices,
    PreparedFortune,
    TrackBoxes,
)
from services.rules.systems.fortunate_blades.play.effects import harms_of
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero, Standing
from services.rules.systems.fortunate_blades.terms import TalentUse, TrainingTrack

_CONDITIONS = Codec(Condition, "fortunate_blades/condition")

FATES: Mapping[Standing, str] = {
    Standing.OUT_OF_ENCOUNTER: "Back after the encounter, with all Fortune.",
    Standing.OUT_OF_QUEST: "Out of the Quest.",
    Standing.REVIVED: "Out of the Quest; may return in a later one, changed.",
    Standing.RETIRING: "Retires as a background figure.",
    Standing.RETIRED: "Retired as a background figure.",
    Standing.DEAD: "Dead.",
}


def condition_of(state: Encounter, hero: Hero) -> Condition:
    """How a hero fares now; who ran out of Fortune comes back with all of it (E12)."""
    whole = hero.standing is Standing.OUT_OF_ENCOUNTER or hero.fortune == hero.full_fortune
    lasting = {line.id for line in hero.talents if line.use is TalentUse.QUEST}
    return Condition(
        fortune=None if whole else hero.fortune,
        harms=tuple(
            Harm(group=group, level=level, words=one.words)
            for one, level, group in harms_of(state.effects, hero.id)
        ),
        marks=hero.marks,
        prepared=tuple(PreparedFortune(event=each.event, points=each.points) for each in hero.prepared),
        used=tuple(each for each in dict.fromkeys(hero.used) if each in lasting),
        boxes=_boxes(hero),
    )


def _boxes(hero: Hero) -> TrackBoxes:
    """The boxes that a hero has filled, track by track."""
    return TrackBoxes(**{each.value: hero.trained.count(each) for each in TrainingTrack})


def changes(state: Encounter) -> tuple[Change, ...]:
    """How each hero fares, all of it."""
    return tuple(_change(state, hero) for hero in state.heroes)


def _change(state: Encounter, hero: Hero) -> Change:
    condition = condition_of(state, hero)
    fate = FATES.get(hero.standing, "")
    harms, marks = counted(len(condition.harms), "Harm"), counted(len(condition.marks), "Mark")
    text = f"{hero.name}: Fortune {hero.fortune}, {harms}, {marks}. {fate}".strip()
    data = cast("dict[str, Json]", _CONDITIONS.dump(condition)["data"])
    return Change(character=hero.id, data=data, text=text)


def absorb(choices: HeroChoices, data: Mapping[str, Json], catalog: Catalog) -> HeroChoices:
    """A hero's choices with how they fare; the boxes are those that they have filled more."""
    found, tracks = _CONDITIONS.read(dict(data)), catalog.rules.tracks
    trained, now = choices.condition.boxes, boxes_of(choices.condition.boxes, choices.advances, tracks)
    boxes = {
        each.value: getattr(trained, each.value)
        + min(getattr(found.boxes, each.value), length_of(each, tracks) - getattr(now, each.value))
        for each in TrainingTrack
    }
    return replace(choices, condition=replace(found, boxes=TrackBoxes(**boxes)))
