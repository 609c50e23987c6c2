"""How bots move: through the eyes of whom they move, whoever asked them to."""

from typing import Any

from services.rules.engine.bots import STEADY, Bot, bots_of
from services.rules.engine.play import GM, AnyPlay, Viewer
from services.rules.engine.position import Position
from services.rules.engine.sampling import Choose
from services.shared.problems import InvalidInput
from services.shared.wording import clipped, with_nearest


def bots(play: AnyPlay | None) -> tuple[Bot, ...]:
    """Return the bots of a game, the weakest first; none where this installation no longer has it."""
    return () if play is None else bots_of(play)


def named(play: AnyPlay, name: str | None) -> Bot:
    """Return the bot of this id; the game's own simple player for None.

    Raises:
        InvalidInput: the game has none of this id; it says which there are.
    """
    known = {bot.id: bot for bot in bots(play)}
    bot = known.get(STEADY if name is None else name)
    if bot is None:
        raise InvalidInput.single(
            "BOT_UNKNOWN",
            with_nearest("The game has no bot of this name.", str(name), known),
            "bot",
            found=clipped(str(name)),
            allowed=", ".join(known),
        )
    return bot


def think(bot: Bot, at: Position, actor: str, choose: Choose) -> Any | None:
    """Have a bot choose a move, or the answer to a question that waits; None where there is nothing to
    choose.

    Args:
        bot: who chooses.
        at: where the scene stands, all of it.
        actor: for whom.
        choose: chance.
    """
    eyes = sight(at, actor)
    if at.waiting is None:
        return bot.move(at.view(eyes), actor, choose)
    ask = next((ask for ask in at.asks if ask.actor == actor), None)
    return None if ask is None else bot.reply(at.play, at.view(eyes), ask, choose)


def sight(at: Position, actor: str) -> Viewer:
    """Return the eyes of a bot that moves this actor.

    A game master may have a bot play a rival, and knows what the rival may not: the bot sees what the actor
    sees, and whom it follows. Only those of the game master's whom the game shows no scene of their own
    are moved with the game master's eyes.
    """
    all_of_it = Viewer(gm=True)
    leader = at.play.led_by(at.state, actor)
    if actor == GM:
        return all_of_it
    eyes = Viewer(actors=frozenset({actor, leader} - {GM}))
    if leader == GM and actor not in {card.id for card in at.play.card(at.view(eyes)).actors}:
        return all_of_it
    return eyes
