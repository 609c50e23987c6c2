"""What a player may do with a hero in the making, as buttons: one for each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from services.rules.engine.buttons import button, choice_field, choices_field, number_field, text_field
from services.rules.engine.play import LegalMove, MoveField
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import DraftHero, DropDraft
from services.rules.systems.fortunate_blades.campaign.rules.drafts import MOST_DRAFTS, RULE
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.campaign.state.drafts import HeroDraft
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME
from services.rules.systems.fortunate_blades.play.words import LONGEST
from services.rules.systems.fortunate_blades.terms import Attribute

TEXT = "All of the table see it."


def of_player(state: Campaign, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    """The steps of a draft; each keeps what the others have brought."""
    found = state.draft(actor)
    if found is None and len(state.drafts) >= MOST_DRAFTS:
        return
    draft = found or HeroDraft(id=actor)
    said = {each.name: getattr(draft, each.name) for each in fields(HeroDraft) if each.name != "id"}
    move = DraftHero(actor=actor, **said)
    for name, label, asked in _steps(draft, catalog):
        yield button(move, f"draft:{name}", label, TEXT, RULE, *asked)
    if found is not None:
        yield button(DropDraft(actor=actor), "draft:drop", "Drop the draft", "It is gone.", RULE)


def _steps(draft: HeroDraft, catalog: Catalog) -> Iterator[tuple[str, str, tuple[MoveField, ...]]]:
    rules = catalog.rules.creation
    name = text_field("name", "What is the hero called?", LONGEST_NAME)
    look = text_field("look", "How does the hero look?", LONGEST, required=False)
    yield "person", "Name a hero", (name, look)
    backgrounds = [(each.id, each.name) for each in catalog.backgrounds]
    asked = choices_field("backgrounds", "Which backgrounds?", backgrounds, 0, rules.backgrounds)
    yield "backgrounds", "Choose backgrounds", (asked,)
    trades = [(each.id, each.name) for each in catalog.trades]
    yield "trades", "Choose trades", (choices_field("trades", "Which trades?", trades, 0, rules.trades),)
    blades = ((each.id, each.name) for each in catalog.blades)
    yield "blade", "Choose a Fortunate Blade", (choice_field("blade", "What is it?", blades),)
    talents = [(each, catalog.talents[each].name) for each in _talents(draft, catalog)]
    if talents:
        asked = choices_field("talents", "Which talents?", talents, 0, rules.talents)
        yield "talents", "Choose talents", (asked,)
    ranks = (
        number_field(f"ranks.{each.value}", each.label, rules.lowest, rules.highest, required=False)
        for each in Attribute
    )
    yield "ranks", "Say how good the hero is", tuple(ranks)
    quests = ((each.id, each.name) for each in catalog.quests)
    of_list = choice_field("quest.quest", "Which personal quest?", quests, required=False)
    words = text_field("quest.words", "What is it for this hero?", LONGEST, required=False)
    yield "quest", "Choose a personal quest", (of_list, words)


def _talents(draft: HeroDraft, catalog: Catalog) -> tuple[str, ...]:
    """The talents that what is chosen so far grants, each once."""
    blade = catalog.blades.get(draft.blade)
    found = (
        *(talent for each in draft.backgrounds for talent in catalog.backgrounds[each].talents),
        *(talent for each in draft.trades for talent in catalog.trades[each].all_talents),
        *(() if blade is None else blade.talents),
    )
    return tuple(dict.fromkeys(found))
