"""What the game master may do with loot, as buttons."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button, choice_field, text_field
from services.rules.engine.play import GM, LegalMove, MoveField
from services.rules.systems.fortunate_blades.campaign.moves.loot import (
    DivideLoot,
    FindLoot,
    FindNothing,
    IdentifyLoot,
    LoseLoot,
)
from services.rules.systems.fortunate_blades.campaign.rules.loot import RULE
from services.rules.systems.fortunate_blades.campaign.setup import MOST_KNOWN
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME
from services.rules.systems.fortunate_blades.play.words import LONGEST


def of_master(state: Campaign, catalog: Catalog) -> Iterator[LegalMove]:
    """Finds of the list, by dice or of one's own; then what becomes of them."""
    searching = [(each, state.names()[each]) for each in dict.fromkeys(state.searched)]
    if len(state.finds) < MOST_KNOWN:
        yield from _finding(catalog, searching)
    if searching:
        which = choice_field("hero", "Whose search?", searching)
        nothing = FindNothing(actor=GM, hero="")
        yield button(nothing, "loot:none", "A search turns up nothing", "It is over.", RULE, which)
    dark = [(each.id, each.name) for each in state.finds if not each.identified]
    if dark:
        which = choice_field("find", "Which find?", dark)
        text = "All know what it really is."
        yield button(IdentifyLoot(actor=GM, find=""), "loot:identify", "Identify a find", text, RULE, which)
    if state.quest is None and state.undivided() and state.present():
        text = "A vote for each find; you settle a tie."
        yield button(DivideLoot(actor=GM), "loot:divide", "Let them divide the loot", text, RULE)
    if state.finds:
        which = choice_field("find", "Which find?", [(each.id, each.name) for each in state.finds])
        words = text_field("words", "What happens to it?", LONGEST, required=False)
        lose = LoseLoot(actor=GM, find="")
        yield button(lose, "loot:lose", "A find is gone", "Sold, spent or stolen.", RULE, which, words)


def _finding(catalog: Catalog, searching: list[tuple[str, str]]) -> Iterator[LegalMove]:
    by: list[MoveField] = []
    if searching:
        by = [choice_field("hero", "Whose search turns it up?", searching, required=False)]
    text = "It is divided when the quest is over."
    kinds = ((each.id, each.name) for each in catalog.loot)
    which = choice_field("loot", "What do they find?", kinds)
    yield button(FindLoot(actor=GM), "loot", "They find something", text, RULE, which, *by)
    yield button(FindLoot(actor=GM), "loot:draw", "Roll for what they find", text, RULE, *by)
    yield button(
        FindLoot(actor=GM),
        "loot:own",
        "They find something of your own",
        text,
        RULE,
        text_field("name", "What is it called?", LONGEST_NAME),
        text_field("text", "What does a glance tell of it?", LONGEST, required=False),
        text_field("secret", "What is it really?", LONGEST, required=False),
        *by,
    )
