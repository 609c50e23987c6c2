"""What players do with heroes in the making (The Players)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, refuse
from services.rules.systems.fortunate_blades.campaign.facts.session_zero import DraftDropped, HeroDrafted
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import DraftHero, DropDraft
from services.rules.systems.fortunate_blades.campaign.setup import MOST_HEROES
from services.rules.systems.fortunate_blades.campaign.state.drafts import HeroDraft
from services.rules.systems.fortunate_blades.campaign.turn import CampaignTurn, catalog_of
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME, Ranks
from services.rules.systems.fortunate_blades.creation import MOST_LISTED
from services.rules.systems.fortunate_blades.play.words import LONGEST

RULE = "The Players"
MOST_DRAFTS = 2 * MOST_HEROES
"""Heroes in the making at a table at most."""


def rule(turn: CampaignTurn, move: DraftHero | DropDraft) -> None:
    """A draft is what its player says it is now; it may break every rule of a finished hero, but one."""
    state, found = turn.state, turn.state.draft(move.actor)
    if isinstance(move, DropDraft):
        if found is None:
            refuse("nothing_to_do", "There is no draft.", RULE, ("kind",))
        turn.happen(DraftDropped(by=move.actor))
        return
    if found is None and len(state.drafts) >= MOST_DRAFTS:
        text = f"A table has at most {MOST_DRAFTS} drafts."
        refuse("list_too_long", text, RULE, (), len(state.drafts), MOST_DRAFTS)
    broken = tuple(_unreadable(move, catalog_of(turn)))
    if broken:
        raise Refused(Problems(broken))
    turn.happen(HeroDrafted(draft=draft_of(move)))


def draft_of(move: DraftHero) -> HeroDraft:
    """The draft of a move."""
    said = {each.name: getattr(move, each.name) for each in fields(HeroDraft) if each.name != "id"}
    return HeroDraft(id=move.actor, **said)


def _unreadable(move: DraftHero, catalog: Catalog) -> Iterator[RuleProblem]:
    """What nobody could read or draw: entries that there are not, lists without end, ranks off the scale."""
    texts = (("name", move.name, LONGEST_NAME), ("quest", move.quest.words, LONGEST))
    for field, words, longest in texts:
        if len(words) > longest:
            text = f"At most {longest} signs fit."
            yield RuleProblem("text_too_long", text, "table", (field,), len(words), longest)
    shelves = (
        ("backgrounds", move.backgrounds, catalog.backgrounds.ids),
        ("trades", move.trades, catalog.trades.ids),
        ("talents", move.talents, catalog.talents.ids),
        ("blade", (move.blade,) if move.blade else (), catalog.blades.ids),
        ("quest", (move.quest.quest,) if move.quest.quest else (), catalog.quests.ids),
    )
    for field, chosen, known in shelves:
        if len(chosen) > MOST_LISTED:
            text = f"At most {MOST_LISTED} can be written down."
            yield RuleProblem("list_too_long", text, "table", (field,), len(chosen), MOST_LISTED)
            return
        for each in chosen:
            if each not in known:
                yield RuleProblem("unknown_target", "There is no such entry.", RULE, (field,), each, known)
    rules = catalog.rules.creation
    for one in fields(Ranks):
        rank = getattr(move.ranks, one.name)
        if not rules.lowest <= rank <= rules.highest:
            text, bounds = "There is no such rank.", (rules.lowest, rules.highest)
            yield RuleProblem("rank_out_of_range", text, RULE, ("ranks", one.name), rank, bounds)
