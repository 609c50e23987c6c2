"""A simple game master and simple players in session zero: whatever is open is named, chosen or drawn."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import (
    BeginStory,
    CallChoice,
    DrawForce,
    MarkPlace,
    Matter,
    NameParty,
    NameStart,
    WishTone,
    ZeroHeroMove,
    ZeroMasterMove,
)
from services.rules.systems.fortunate_blades.campaign.rules.session_zero import (
    behind_the_peril,
    open_matters,
    short_of_places,
)
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.catalog import Catalog

PARTY, START, GOAL = "The Companions", "The Crossing", "To rule what others built."
"""The words of a game master who has none of their own."""


def bot(state: Campaign, actor: str, catalog: Catalog) -> ZeroMasterMove | ZeroHeroMove | None:
    """A hero draws the places that are missing; the game master sees to the rest and begins the story."""
    if actor != GM:
        short = any(hero.id == actor for hero in short_of_places(state, catalog))
        return MarkPlace(actor=actor) if short else None
    matters = {each.code for each in open_matters(state, catalog)}
    goal = GOAL if any(behind_the_peril(state)) else ""
    for code, move in (
        ("tones_missing", WishTone(actor=GM)),
        ("party_unnamed", NameParty(actor=GM, name=PARTY)),
        ("origin_open", CallChoice(actor=GM, matter=Matter.ORIGIN)),
        ("party_quest_open", CallChoice(actor=GM, matter=Matter.PARTY_QUEST)),
        ("start_missing", NameStart(actor=GM, name=START)),
        ("forces_missing", DrawForce(actor=GM, goal=goal)),
    ):
        if code in matters:
            return move
    if matters:
        return None
    return DrawForce(actor=GM, secret=True, goal=goal) if goal else BeginStory(actor=GM)
