"""Heroes in the making: the choices of a draft, what is wrong with them so far, and how the table sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.rules.engine.play import ActorCard
from services.rules.engine.problem import RuleProblem
from services.rules.systems.fortunate_blades.campaign.state.drafts import HeroDraft
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import (
    BackgroundChoice,
    BladeChoice,
    HeroChoices,
    TradeChoice,
)
from services.rules.systems.fortunate_blades.creation import step_problems
from services.rules.systems.fortunate_blades.terms import Attribute

DRAFTS = "drafts"
"""The side of heroes in the making on a card."""


def choices_of(draft: HeroDraft, catalog: Catalog) -> HeroChoices:
    """The choices that a draft comes to; a talent is taken from the first that grants it."""
    left = list(draft.talents)

    def taken(offered: Iterable[str]) -> tuple[str, ...]:
        found = tuple(each for each in offered if each in left)
        for each in found:
            left.remove(each)
        return found

    backgrounds = tuple(
        BackgroundChoice(background=each, talents=taken(catalog.backgrounds[each].talents))
        for each in draft.backgrounds
        if each in catalog.backgrounds
    )
    trades = tuple(
        TradeChoice(trade=each, talents=taken(catalog.trades[each].all_talents))
        for each in draft.trades
        if each in catalog.trades
    )
    blade = catalog.blades.get(draft.blade)
    return HeroChoices(
        name=draft.name,
        look=draft.look,
        backgrounds=backgrounds,
        trades=trades,
        blade=None if blade is None else BladeChoice(blade=blade.id, talents=taken(blade.talents)),
        ranks=draft.ranks,
        quest=draft.quest,
    )


def draft_problems(draft: HeroDraft, catalog: Catalog) -> Iterator[RuleProblem]:
    """Every rule that a draft breaks so far, in the order of the steps."""
    for found in step_problems(choices_of(draft, catalog), catalog).values():
        yield from found


def draft_card(draft: HeroDraft, catalog: Catalog) -> ActorCard:
    """The sheet of a hero in the making: what is chosen, then what is still open or wrong."""
    open_now = dict.fromkeys(f"open: {each.message}" for each in draft_problems(draft, catalog))
    return ActorCard(
        id=draft.id,
        name=draft.name.strip() or "A hero in the making",
        side=DRAFTS,
        tracks=(),
        conditions=(*_chosen(draft, catalog), *open_now),
    )


def _chosen(draft: HeroDraft, catalog: Catalog) -> Iterator[str]:
    if draft.look:
        yield f"look: {draft.look}"
    shelves = (
        ("background", catalog.backgrounds.entries, draft.backgrounds),
        ("trade", catalog.trades.entries, draft.trades),
        ("Fortunate Blade", catalog.blades.entries, (draft.blade,)),
        ("talent", catalog.talents.entries, draft.talents),
        ("personal quest", catalog.quests.entries, (draft.quest.quest,)),
    )
    for word, entries, chosen in shelves:
        yield from (f"{word}: {entries[each].name}" for each in chosen if each in entries)
    if draft.quest.words:
        yield f"personal quest: {draft.quest.words}"
    ranks = ((each.label, draft.ranks.of(each)) for each in Attribute)
    yield from (f"{label} {rank:+d}" for label, rank in ranks if rank)
