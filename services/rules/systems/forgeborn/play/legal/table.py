"""The dice of the realm, and what the game master does, as buttons."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button, choice_field, text_field
from services.rules.engine.play import GM, FieldKind, LegalMove, MoveField
from services.rules.systems.forgeborn.catalog import SETTING_BOUNDS
from services.rules.systems.forgeborn.choices import LONGEST_TEXT
from services.rules.systems.forgeborn.play.moves import CallOff, Describe, DropDice, SetTimeLimit
from services.rules.systems.forgeborn.play.rules.realm import BOOK, droppers
from services.rules.systems.forgeborn.play.state import Game, Phase


def map_offers(game: Game, actor: str) -> Iterator[LegalMove]:
    """The dice of the realm are to fall."""
    if actor in droppers(game):
        text = "Fifteen dice fall on the sheet, and make the realm."
        yield button(DropDice(actor=actor), "drop", "Drop the dice", text, BOOK)


def gm_offers(game: Game) -> Iterator[LegalMove]:
    """What the game master may do now."""
    if game.phase is Phase.MAP:
        yield from map_offers(game, GM)
    words = text_field("text", "What is to be seen?", LONGEST_TEXT)
    places = (("", "the scene"), *((spot.id, spot.name) for spot in game.ground.spots))
    where = choice_field("place", "Where?", places)
    describe = Describe(actor=GM, text="")
    yield button(describe, "describe", "Describe", "Put it in your own words.", "table", where, words)
    least, most = SETTING_BOUNDS["answer_seconds"]
    seconds = MoveField(
        name="seconds", label="How many seconds?", kind=FieldKind.NUMBER, least=least, most=most
    )
    limit = SetTimeLimit(actor=GM, seconds=0)
    text = "For votes and for joining a creation; 0 for no limit."
    yield button(limit, "limit", "Set a time limit", text, "table", seconds)
    reason = text_field("reason", "Why?", LONGEST_TEXT, required=False)
    off = CallOff(actor=GM)
    yield button(off, "call-off", "Call the game off", "The points stand as they are.", "table", reason)
