"""What heroes have gained since a campaign began, without the order in which it came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from services.rules.systems.fortunate_blades.advancement import track_of
from services.rules.systems.fortunate_blades.choices import Advance, AdvanceKind, TradeChoice
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """A step of a hero's advancement in this campaign.

    Attributes:
        type: What the step is.
        track: The track whose boxes are checked or emptied.
        boxes: Boxes that are checked; of a full track that is emptied, how many there were.
        attribute: The attribute that is raised; None for other steps.
        trade: Content id of the trade that the talent comes from; empty for none.
        talent: Content id of the talent; empty for none.
    """

    type: AdvanceKind
    track: TrainingTrack
    boxes: int
    attribute: Attribute | None = None
    trade: str = ""
    talent: str = ""

    def advance(self) -> Advance:
        """The same among the choices of the hero: a campaign's own are approved."""
        return Advance(
            kind=self.type,
            track=self.track,
            boxes=self.boxes,
            attribute=self.attribute,
            trade=self.trade,
            talent=self.talent,
            approved=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What a hero has gained since the campaign began; its chronicle tells step by step how.

    Attributes:
        ranks: By how many ranks each attribute has risen, of those that have.
        boxes: Boxes of each track that experience has checked, without those that were emptied; negative
            where training had filled some of these.
        talents: How many talents were learned of each trade, by its content id: the last that the hero has
            of it.
        gear: How often the hero has each piece of gear of loot that the campaign no longer lists, by content
            id.
    """

    ranks: Mapping[Attribute, int] = field(default_factory=dict)
    boxes: Mapping[TrainingTrack, int] = field(default_factory=dict)
    talents: Mapping[str, int] = field(default_factory=dict)
    gear: Mapping[str, int] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Equal ones have equal hashes, whatever the order of what is in them."""
        parts = (self.ranks, self.boxes, self.talents, self.gear)
        return hash(tuple(frozenset(each.items()) for each in parts))

    def with_step(self, step: Growth) -> Progress:
        """The same with one more step of advancement."""
        checked = step.boxes if step.type is AdvanceKind.BOXES else -step.boxes
        boxes = {**self.boxes, step.track: self.boxes.get(step.track, 0) + checked}
        ranks, talents = self.ranks, self.talents
        if step.attribute is not None:
            ranks = {**ranks, step.attribute: ranks.get(step.attribute, 0) + 1}
        if step.talent:
            talents = {**talents, step.trade: talents.get(step.trade, 0) + 1}
        return replace(self, ranks=ranks, boxes=boxes, talents=talents)

    def with_gear(self, gear: str) -> Progress:
        """The same with one more piece of gear."""
        return replace(self, gear={**self.gear, gear: self.gear.get(gear, 0) + 1})

    def advances(self, trades: tuple[TradeChoice, ...]) -> Iterator[Advance]:
        """Steps of advancement that come to the same: those of a track stand together, and the first rank or
        talent of it empties what training had filled.

        Args:
            trades: The hero's, with all talents.
        """
        for track in TrainingTrack:
            boxes = self.boxes.get(track, 0)
            emptied = max(-boxes, 0)
            for step in self._steps(track, trades):
                yield replace(step, boxes=emptied).advance()
                emptied = 0
            if boxes > 0:
                yield Growth(type=AdvanceKind.BOXES, track=track, boxes=boxes).advance()

    def _steps(self, track: TrainingTrack, trades: tuple[TradeChoice, ...]) -> Iterator[Growth]:
        """The ranks or talents that came of a track, without boxes."""
        for attribute, ranks in self.ranks.items():
            if track_of(attribute) is track:
                for _ in range(ranks):
                    yield Growth(type=AdvanceKind.RAISE, track=track, boxes=0, attribute=attribute)
        if track is TrainingTrack.TALENT:
            for one in trades:
                first = len(one.talents) - self.talents.get(one.trade, 0)
                for talent in one.talents[first:]:
                    yield Growth(
                        type=AdvanceKind.TALENT, track=track, boxes=0, trade=one.trade, talent=talent
                    )


def with_talent(trades: tuple[TradeChoice, ...], trade: str, talent: str) -> tuple[TradeChoice, ...]:
    """Trades with one more talent of one of them, which may be new."""
    if trade not in (each.trade for each in trades):
        return (*trades, TradeChoice(trade=trade, talents=(talent,)))
    return tuple(
        replace(each, talents=(*each.talents, talent)) if each.trade == trade else each for each in trades
    )
