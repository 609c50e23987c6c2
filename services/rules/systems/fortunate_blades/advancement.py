"""What experience brings a hero: boxes of tracks, attributes, talents, trades (Advancement; part N).

An advance counts once it is approved. A track has the boxes that training filled and those that experience
checked, without those that were emptied when it was full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.engine.system import Advancement
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import (
    Advance,
    AdvanceKind,
    HeroChoices,
    TrackBoxes,
    TradeChoice,
)
from services.rules.systems.fortunate_blades.settings import TrackLengths
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack

RULE = "Advancement"
MOST_ADVANCES = 1_000


def length_of(track: TrainingTrack, tracks: TrackLengths) -> int:
    """Boxes that a track has."""
    return tracks.talent if track is TrainingTrack.TALENT else tracks.group


def track_of(attribute: Attribute) -> TrainingTrack:
    """The track of an attribute's group."""
    return TrainingTrack(attribute.group.value)


def boxes_of(trained: TrackBoxes, advances: Iterable[Advance], tracks: TrackLengths) -> TrackBoxes:
    """The boxes that are filled now, by training and by approved advances; a full track takes no more."""
    found = {each: int(getattr(trained, each.value)) for each in TrainingTrack}
    for one in advances:
        if one.approved:
            found[one.track] += one.boxes if one.kind is AdvanceKind.BOXES else -one.boxes
    return TrackBoxes(
        **{each.value: min(max(filled, 0), length_of(each, tracks)) for each, filled in found.items()}
    )


def grown(choices: HeroChoices) -> HeroChoices:
    """The choices with the ranks and talents that approved advances brought."""
    ranks, trades = choices.ranks, choices.trades
    for one in choices.advances:
        if not one.approved:
            continue
        if one.kind is AdvanceKind.RAISE and one.attribute is not None:
            ranks = replace(ranks, **{one.attribute.value: ranks.of(one.attribute) + 1})
        elif one.kind is AdvanceKind.TALENT:
            trades = _with_talent(trades, one)
    return replace(choices, ranks=ranks, trades=trades)


def _with_talent(trades: tuple[TradeChoice, ...], one: Advance) -> tuple[TradeChoice, ...]:
    if one.trade not in (each.trade for each in trades):
        return (*trades, TradeChoice(trade=one.trade, talents=(one.talent,)))
    return tuple(
        replace(each, talents=(*each.talents, one.talent)) if each.trade == one.trade else each
        for each in trades
    )


def raise_problem(
    attribute: Attribute, rank: int, catalog: Catalog, path: KeyPath = ("attribute",)
) -> RuleProblem | None:
    """What keeps an attribute from being one higher (P19)."""
    highest = catalog.rules.creation.highest
    if rank < highest:
        return None
    text = f"{attribute.label} is at most {highest}."
    return RuleProblem("attribute_above_max", text, f"{RULE} [P19]", path, rank + 1, highest)


def talent_problem(
    trade: str,
    talent: str,
    had: tuple[TradeChoice, ...],
    catalog: Catalog,
    path: KeyPath = (),
) -> RuleProblem | None:
    """What keeps a talent of a trade from being learned: one begins a trade with its starting talent."""
    entry, trades = catalog.trades.get(trade), tuple(each.trade for each in had)
    most = catalog.rules.tracks.trades
    if entry is None:
        text = "There is no such trade."
        return RuleProblem("trade_unknown", text, RULE, (*path, "trade"), trade, catalog.trades.ids)
    if trade not in trades and len(trades) >= most:
        text = f"A hero has at most {most} trades."
        return RuleProblem("too_many_trades", text, RULE, (*path, "trade"), len(trades) + 1, most)
    offered = learnable(trade, had, catalog)
    if talent not in offered:
        text = "This is not a talent to be learned there now."
        return RuleProblem("talent_not_offered", text, RULE, (*path, "talent"), talent, offered)
    return None


def learnable(trade: str, had: tuple[TradeChoice, ...], catalog: Catalog) -> tuple[str, ...]:
    """The talents of a trade that can be learned next: of a new one the starting talent."""
    entry = catalog.trades[trade]
    if trade not in (each.trade for each in had):
        return (entry.starting,)
    known = {talent for each in had for talent in each.talents}
    return tuple(one for one in entry.all_talents if one not in known)


def open_trades(had: tuple[TradeChoice, ...], catalog: Catalog) -> tuple[str, ...]:
    """The trades of which something can be learned: one's own, and others while there is room for them."""
    own = tuple(each.trade for each in had)
    full = len(own) >= catalog.rules.tracks.trades
    found = own if full else (*own, *(one for one in catalog.trades.ids if one not in own))
    return tuple(one for one in found if learnable(one, had, catalog))


def advance_problems(choices: HeroChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    """Advances that no track can bring, waiting ones too."""
    if len(choices.advances) > MOST_ADVANCES:
        text, found = f"At most {MOST_ADVANCES} can be written down.", len(choices.advances)
        yield RuleProblem("list_too_long", text, "table", ("advances",), found, MOST_ADVANCES)
        return
    now = replace(choices, advances=())
    for place, one in enumerate(choices.advances):
        path: KeyPath = ("advances", place)
        wrong = _wrong(one, now, catalog, path)
        if wrong is not None:
            yield wrong
            continue
        now = grown(replace(now, advances=(replace(one, approved=True),)))


def _wrong(one: Advance, now: HeroChoices, catalog: Catalog, path: KeyPath) -> RuleProblem | None:
    if one.boxes < 0:
        text = "Boxes are counted from 0."
        return RuleProblem("boxes_out_of_range", text, RULE, (*path, "boxes"), one.boxes, 0)
    match one.kind:
        case AdvanceKind.RAISE:
            if one.attribute is None or track_of(one.attribute) is not one.track:
                text = "An attribute of the group of the track is raised."
                return RuleProblem("attribute_missing", text, RULE, (*path, "attribute"), one.track.value)
            return raise_problem(one.attribute, now.ranks.of(one.attribute), catalog, (*path, "attribute"))
        case AdvanceKind.TALENT:
            return talent_problem(one.trade, one.talent, now.trades, catalog, path)
    return None


def advance_options(choices: HeroChoices, catalog: Catalog) -> tuple[Advance, ...]:
    """What could come next: a box of any track that is not full, and what full tracks are emptied for."""
    now, tracks = grown(choices), catalog.rules.tracks
    boxes = boxes_of(choices.condition.boxes, choices.advances, tracks)
    found: list[Advance] = []
    for track in TrainingTrack:
        filled, length = getattr(boxes, track.value), length_of(track, tracks)
        if filled < length:
            found.append(Advance(kind=AdvanceKind.BOXES, track=track, boxes=1))
        elif track is TrainingTrack.TALENT:
            found += _talents(now, filled, catalog)
        else:
            found += (
                Advance(kind=AdvanceKind.RAISE, track=track, boxes=filled, attribute=each)
                for each in Attribute
                if track_of(each) is track and raise_problem(each, now.ranks.of(each), catalog) is None
            )
    return tuple(found)


def _talents(now: HeroChoices, filled: int, catalog: Catalog) -> Iterator[Advance]:
    blank: dict[str, Any] = {"kind": AdvanceKind.TALENT, "track": TrainingTrack.TALENT, "boxes": filled}
    for trade in open_trades(now.trades, catalog):
        for talent in learnable(trade, now.trades, catalog):
            yield Advance(trade=trade, talent=talent, **blank)


def advance_text(one: Advance, catalog: Catalog) -> str:
    """What an advance brings, in plain words."""
    match one.kind:
        case AdvanceKind.RAISE:
            name = "An attribute" if one.attribute is None else one.attribute.label
            return f"{name} is one higher"
        case AdvanceKind.TALENT:
            trade, talent = catalog.trades.get(one.trade), catalog.talents.get(one.talent)
            return f"{talent.name if talent else one.talent}, of {trade.name if trade else one.trade}"
    return f"{one.boxes} boxes of the {one.track.value} track"


ADVANCEMENT = Advancement(reward=Advance, field="advances", text=advance_text, options=advance_options)
