"""Creating The Map of the Realm: the dice fall on the sheet (B1, B2)."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forgeborn.play.facts import DiceLanded, RealmMade
from services.rules.systems.forgeborn.play.ground import (
    SPARE_POSITIONS,
    STRIPS,
    landed,
    settled,
    sizes_left,
)
from services.rules.systems.forgeborn.play.moves import DropDice
from services.rules.systems.forgeborn.play.rolls import table_roll
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, catalog_of
from services.rules.systems.forgeborn.play.state import Game, Phase

BOOK = "Creating The Map of the Realm"


def drop(turn: GameTurn, move: DropDice) -> Steps:
    """The dice that do not lie yet fall, each with a face and a place; when all lie, the realm is made."""
    game = turn.state
    if game.phase is not Phase.MAP:
        refuse("realm_made", "The dice of the realm have fallen.", BOOK, ("actor",), move.actor)
    if move.actor not in droppers(game):
        text = "Whoever begins lets the dice fall, or the game master."
        refuse("not_yours", text, BOOK, ("actor",), move.actor, droppers(game))
    left = sizes_left(game.ground.dice)
    sizes = tuple(dict.fromkeys(left))
    *fallen, positions = yield from turn.roll(
        *(
            table_roll(f"d{sides}", move.actor, f"The d{sides} of the realm", sides, "B1", left.count(sides))
            for sides in sizes
        ),
        table_roll(
            "positions",
            move.actor,
            "Where they come to rest",
            STRIPS,
            "B2",
            2 * (len(left) + SPARE_POSITIONS),
        ),
    )
    thrown = [(sides, face) for sides, faces in zip(sizes, fallen, strict=True) for face in faces]
    turn.happen(DiceLanded(dice=landed(game.ground, thrown, positions)))
    if not sizes_left(turn.state.ground.dice):
        ground = settled(turn.state.ground, catalog_of(turn))
        turn.happen(RealmMade(spots=ground.spots, ways=ground.ways))


def droppers(game: Game) -> tuple[str, ...]:
    """Who may let the dice of the realm fall: whoever begins, or the game master."""
    return (game.first, GM)
