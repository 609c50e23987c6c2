"""Fortune, Harm and Marks outside encounters, and the rest that restores them (Fortune; Harm; Taking a Rest).

A rest of one hero is played like that of an encounter, by the same rules and alone: at a safe place. Where it
is risky, the game master calls for rolls and something may happen: that is played as an encounter.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from services.rules.engine.offers import filled
from services.rules.engine.play import CastMember, Choice, Faces, FieldKind, LegalMove, Roll
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Run, refuse
from services.rules.engine.tracks import (
    CharacterRest,
    ChosenAction,
    Moved,
    RestAction,
    TrackKind,
    Tracks,
    TrackState,
    check_actions,
)
from services.rules.systems.fortunate_blades.build import with_condition
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME, Condition, Harm, HeroChoices
from services.rules.systems.fortunate_blades.condition import MOST_FORTUNE
from services.rules.systems.fortunate_blades.harm import BORNE
from services.rules.systems.fortunate_blades.play.moves import Reward
from services.rules.systems.fortunate_blades.play.rests import RESTS, SOURCE
from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay
from services.rules.systems.fortunate_blades.play.state import REST_ACTIONS, Safety
from services.rules.systems.fortunate_blades.sheet import HeroSheet
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel

HERO = "hero"
"""The id of the hero at a rest of their own."""

FORTUNE = TrackKind(
    key="fortune",
    label="Fortune",
    unit="Fortune",
    at_least="No Fortune is left to spend.",
    at_most="More than a hero ever keeps; a quest begins with less.",
    source="Fortune",
)
HARMS: dict[str, HarmLevel] = {f"harm_{level.value}": level for level in BORNE}
MARKS = TrackKind(
    key="marks",
    label="Marks",
    unit="Mark",
    at_least="Nothing has marked the hero.",
    at_most="The hero is Defeated.",
    source="Harm",
)


def _harm_kind(key: str, level: HarmLevel) -> TrackKind:
    name = level.value.capitalize()
    return TrackKind(
        key=key,
        label=f"{name} Harm",
        unit="Harm",
        at_least=f"The hero bears no {level.value} Harm.",
        at_most="The row is full: the next such Harm is one level graver.",
        source="Harm",
        entries=tuple(Choice(group.value, group.value.capitalize()) for group in Group),
    )


def _states(sheet: HeroSheet) -> tuple[TrackState, ...]:
    known = {track.id: track for track in sheet.tracks}
    fortune = TrackState(FORTUNE.key, sheet.fortune_left, 0, MOST_FORTUNE, sheet.fortune.value)
    rows = (known[key] for key in (*HARMS, MARKS.key))
    return (fortune, *(TrackState(row.id, row.current, 0, row.maximum, 0) for row in rows))


def _put(choices: HeroChoices, sheet: HeroSheet, moved: Moved) -> HeroChoices:
    return replace(choices, condition=_moved(choices.condition, sheet, moved))


def _moved(condition: Condition, sheet: HeroSheet, moved: Moved) -> Condition:
    rise = moved.after - moved.before
    if moved.kind is FORTUNE:
        full = moved.after == sheet.fortune.value
        return replace(condition, fortune=None if full else moved.after)
    if moved.kind is MARKS:
        more = (moved.words or "A Mark",) * max(0, rise)
        return replace(condition, marks=(*condition.marks, *more)[: moved.after])
    level = HARMS[moved.kind.key]
    if rise >= 0:
        group = Group(moved.entry) if moved.entry else Group.PHYSICAL
        new = Harm(group=group, level=level, words=moved.words)
        return replace(condition, harms=(*condition.harms, *(new,) * rise))
    return replace(condition, harms=_without(condition.harms, level, moved, -rise))


def _without(harms: tuple[Harm, ...], level: HarmLevel, moved: Moved, fewer: int) -> tuple[Harm, ...]:
    """Harms without the latest of a level, and of a type where one is named.

    Raises:
        Refused: there are fewer of that type.
    """
    there = [
        place
        for place, harm in enumerate(harms)
        if harm.level is level and moved.entry in (None, harm.group.value)
    ]
    if len(there) < fewer:
        text = "The hero bears less Harm of this type."
        refuse("entry_missing", text, "Harm", ("entry",), moved.entry, len(there))
    gone = set(there[len(there) - fewer :])
    return tuple(harm for place, harm in enumerate(harms) if place not in gone)


# Resting

SAFE = next(rest for rest in RESTS if rest.key == Safety.SAFE.value)


def _opening(sheet: HeroSheet, catalog: Catalog) -> tuple[FortunateBladesPlay, Any]:
    """The rest of one hero, as it begins.

    Raises:
        Refused: the hero cannot rest.
    """
    play = FortunateBladesPlay(catalog)
    state = play.begin(SAFE.scene, (CastMember(id=HERO, sheet=sheet),))
    if isinstance(state, Problems):
        raise Refused(state)
    return play, state


def _offers(play: FortunateBladesPlay, state: Any) -> dict[str, LegalMove]:
    return {offer.id: offer for offer in play.legal(state, HERO)}


def _action(offer: LegalMove) -> RestAction:
    choices = next((field.choices for field in offer.fields if field.kind is FieldKind.CHOICE), ())
    words = next((field for field in offer.fields if field.kind is FieldKind.TEXT), None)
    return RestAction(
        key=offer.id,
        label=offer.label,
        text=offer.text,
        choices=choices,
        words="" if words is None else words.label,
        words_needed=words is not None and words.required,
    )


def _actions(sheet: HeroSheet, catalog: Catalog) -> tuple[RestAction, ...]:
    try:
        play, state = _opening(sheet, catalog)
    except Refused:
        return ()
    return tuple(_action(offer) for offer in _offers(play, state).values())


def _rest(
    choices: HeroChoices, sheet: HeroSheet, chosen: Sequence[ChosenAction], catalog: Catalog
) -> Generator[tuple[Roll, ...], Faces, HeroChoices]:
    """The hero after the actions, one after another; what a story is worth beyond its die, the table says."""
    check_actions(chosen, _actions(sheet, catalog), REST_ACTIONS, SOURCE)
    play, state = _opening(sheet, catalog)
    for place, each in enumerate(chosen):
        offer = _offers(play, state).get(each.key)
        if offer is None:
            # Only the first action may do it away, before whose dice nothing is refused any more.
            text, path = "There is no such action any more.", ("actions", place, "key")
            refuse("rest_action_unknown", text, SOURCE, path)
        run = Run(play, state, play.move_codec.read(_form(offer, each)))
        while run.rolls or run.asks:
            if run.rolls:
                faces = yield run.rolls
                run.go_on(faces)
            else:
                run.go_on(tuple(Reward(actor=ask.actor) for ask in run.asks))
        state = run.state
    (change,) = play.changes(state)
    return play.absorb(choices, change.data)


def _form(offer: LegalMove, chosen: ChosenAction) -> dict[str, Any]:
    return filled(offer, dict(_values(offer, chosen)))


def _values(offer: LegalMove, chosen: ChosenAction) -> Iterator[tuple[str, str]]:
    told = False
    for field in offer.fields:
        if field.kind is FieldKind.CHOICE and chosen.choice is not None:
            yield field.name, chosen.choice
        elif field.kind is FieldKind.TEXT and not told:
            told = True
            yield field.name, chosen.words[: field.most or LONGEST_NAME]


TRACKS: Tracks[HeroChoices, HeroSheet, Catalog] = Tracks(
    kinds=(FORTUNE, *(_harm_kind(key, level) for key, level in HARMS.items()), MARKS),
    states=_states,
    put=_put,
    sheet=with_condition,
    rests=(CharacterRest(rest=SAFE, take=_rest, most_actions=REST_ACTIONS, actions=_actions),),
)
