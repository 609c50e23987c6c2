"""How bots move: through the eyes of whom they move, whoever asked them to."""

import asyncio
from typing import Any

from services.campaign.scenes.asking import BotMove
from services.campaign.scenes.standing import Standing
from services.rules.engine.bots import STEADY, Bot, bots_of
from services.rules.engine.play import GM, AnyPlay, Viewer
from services.rules.engine.sampling import Choose
from services.shared.problems import InvalidInput
from services.shared.wording import clipped


def bots(play: AnyPlay | None) -> tuple[Bot, ...]:
    """Give the bots of a game, the weakest first; none where this installation no longer has it."""
    return () if play is None else bots_of(play)


async def chosen_by_bot(
    play: AnyPlay, state: Any, who: Standing, wanted: BotMove, choose: Choose
) -> Any | InvalidInput | None:
    """Have a bot choose a move; None where there is nothing to choose, or it is not theirs to ask.

    A strong one may think for a while: it does so off the event loop.

    Args:
        play: the game.
        state: the scene as it is, all of it.
        who: who asked.
        wanted: for whom, and which bot.
        choose: chance.
    """
    known = {bot.id: bot for bot in bots(play)}
    bot = known.get(STEADY if wanted.bot is None else wanted.bot)
    if bot is None:
        return InvalidInput.single(
            "BOT_UNKNOWN",
            "The game has no bot of this name.",
            "bot",
            found=clipped(str(wanted.bot)),
            allowed=", ".join(known),
        )
    if not who.may_move(play, state, wanted.actor):
        return None
    known_to_them = sight(play, state, wanted.actor)
    return await asyncio.to_thread(bot.move, known_to_them, wanted.actor, choose)


def sight(play: AnyPlay, state: Any, actor: str) -> Any:
    """Give a state as a bot may know it that moves this actor.

    A game master may have a bot play a rival, and knows what the rival may not: the bot sees what the actor
    sees, and whom it follows. Only those of the game master's whom the game shows no scene of their own
    are moved with the game master's eyes.
    """
    leader = play.led_by(state, actor)
    if actor == GM:
        return state
    view = play.view(state, Viewer(actors=frozenset({actor, leader} - {GM})))
    if leader == GM and actor not in {card.id for card in play.card(view).actors}:
        return state
    return view
