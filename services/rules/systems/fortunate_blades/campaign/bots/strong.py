"""A player of campaigns who picks the quests that the party can see through."""

from __future__ import annotations

from services.rules.engine.bots import Bot
from services.rules.engine.play import AnyPlay
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.campaign.moves import CampaignMove, Vote
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Size


def strong_bot(play: AnyPlay) -> Bot:
    """The bot of a game's campaigns."""

    def move(state: Campaign, actor: str, _choose: Choose) -> CampaignMove | None:
        found: CampaignMove | None = play.bot(state, actor)
        return found

    def answer(state: Campaign, ask: Ask, _choose: Choose) -> CampaignMove:
        easy = _easiest(state, ask)
        found: CampaignMove = play.reply(state, ask) if easy is None else easy
        return found

    text = "Votes for the smallest quest, and spends what it earns at once, on what is nearest to a gain."
    return Bot(id="strong", version=1, text=text, move=move, answer=answer)


def _easiest(state: Campaign, ask: Ask) -> Vote | None:
    """A vote for the smallest of the quests to choose from; None for any other question."""
    if not ask.id.startswith("quest:") or not state.offered:
        return None
    quest = min(state.offered, key=lambda each: tuple(Size).index(each.size))
    return Vote(actor=ask.actor, choice=quest.id)
