"""A player who plans: Artifacts at the Citadel while they cost little, then the Dragon.

What it rests on. A creation costs two small dice (or tokens) and its roll costs nothing, so the best
three dice make an Artifact of about a fifth of their total. Before the Dragon every die can be spent,
since the slayer has no further turn, and a loss there costs nothing and brings a d4: whoever stands in
the Lair slays it in a few turns. While that would not win the game she stays at the Citadel. Asking for
an Artifact costs nothing: refused, she rolls for it, and has its dice for the Dragon or a d4 for the next
creation.
"""

from __future__ import annotations

from services.rules.engine.steps import Ask
from services.rules.systems.forgeborn.catalog import FORM_OF_DIE, FUNCTION_OF_DIE, Catalog, Form, Function
from services.rules.systems.forgeborn.choices import LONGEST_NAME
from services.rules.systems.forgeborn.play.bots.answers import answered, rest
from services.rules.systems.forgeborn.play.bots.outlook import (
    attempts_needed,
    distance,
    everything,
    last_turn,
    mean,
    towards,
    win_chance,
)
from services.rules.systems.forgeborn.play.moves import (
    AskVault,
    Commune,
    CreateArtifact,
    DropDice,
    ExploreRuins,
    FaceDragon,
    Move,
    Pass,
    Payment,
)
from services.rules.systems.forgeborn.play.offers import uses_of
from services.rules.systems.forgeborn.play.state import VAULT, Game, Phase, Smith
from services.rules.systems.forgeborn.pools import ASCENDING, DieSize
from services.rules.systems.forgeborn.realm import CITADEL_ID, FOREST_ID, LAIR_ID, PlaceKind

OTHERS_PACE = 0.8
"""Points that another player makes in a turn, about."""

CHEAP = (DieSize.D4,)
"""Dice that go into Artifacts before anything else."""

SHORT = 6.0
"""Points she may lack when she goes for the Dragon: few spend a last turn as well as they could."""

LATE = 30
"""The round from which she goes for the Dragon, whoever leads."""

FEWEST_BEFORE_FOREST = 3
"""With fewer dice than this she looks for some in the Forest."""

SAFE_WISH = (DieSize.D4, DieSize.D4)


def strong_move(game: Game, catalog: Catalog, actor: str) -> Move | None:
    """The planning player's move; None where there is nothing to do for this actor."""
    if game.phase is Phase.OVER:
        return None
    smith = game.find_smith(actor)
    if smith is None:
        return None
    if game.phase is Phase.MAP:
        return DropDice(actor=actor) if actor == game.first else None
    if game.turn.smith != actor:
        return None
    if game.turn.actor not in ("", actor):
        return Pass(actor=actor)
    if _last_chance(game, smith):
        return _finale(game, catalog, smith)
    return _turn(game, catalog, smith)


def strong_answer(game: Game, catalog: Catalog, ask: Ask) -> Move:
    """The planning player's answer to a question."""
    smith = game.find_smith(ask.actor)
    all_in = smith is not None and _last_chance(game, smith)
    return answered(game, catalog, ask, all_in=all_in)


def _last_chance(game: Game, smith: Smith) -> bool:
    """Whether she has no turn after this one."""
    limit = game.settings.round_limit
    return game.phase is Phase.LAST_TURNS or (0 < limit <= game.turn.round)


def _turn(game: Game, catalog: Catalog, smith: Smith) -> Move:
    if smith.place == CITADEL_ID:
        creation = cheap_creation(smith, game.settings.normal_dice, CHEAP)
        if creation is not None:
            return creation
    if _goes_for_dragon(game, smith):
        if smith.place == LAIR_ID:
            return _face(game, catalog, smith)
        return towards(game, smith.id, LAIR_ID) or Pass(actor=smith.id)
    if smith.dice.total() < FEWEST_BEFORE_FOREST:
        return _gather(game, smith)
    if smith.place != CITADEL_ID:
        return _on_the_way(game, smith) or towards(game, smith.id, CITADEL_ID) or Pass(actor=smith.id)
    return _at_citadel(game, smith)


def _face(game: Game, catalog: Catalog, smith: Smith) -> Move:
    """Everything against the Dragon."""
    normal = game.settings.normal_dice
    return FaceDragon(
        actor=smith.id,
        dice=smith.dice.best(normal),
        sacrificed=rest(smith.dice, normal),
        artifacts=uses_of(catalog, game.held_by(smith.id)),
    )


def _goes_for_dragon(game: Game, smith: Smith) -> bool:
    if smith.dice.total() == 0:
        return False
    return game.turn.round >= LATE or _wins_by_slaying(game, smith)


def _wins_by_slaying(game: Game, smith: Smith) -> bool:
    """Whether she would be ahead when the Dragon has fallen to her and the others had their last turn."""
    power = game.ground.spot(LAIR_ID).power or 0
    turns = distance(game, smith.id, LAIR_ID, moved=game.turn.moved)
    turns_in_all = turns + attempts_needed(everything(game, smith.id), power) - 1
    others = [
        other.points + OTHERS_PACE * turns_in_all + last_turn(game, other) for other in game.others(smith.id)
    ]
    return smith.points + power > max(others) - SHORT


def _at_citadel(game: Game, smith: Smith) -> Move:
    creation = cheap_creation(smith, game.settings.normal_dice)
    if creation is not None:
        return creation
    there = game.held_by(VAULT)
    if there and smith.dice.total():
        best = smith.dice.best(game.settings.normal_dice)
        wanted = max(
            there,
            key=lambda one: (win_chance(best, one.power) * mean(one.dice.descending()), one.id),
        )
        return AskVault(actor=smith.id, artifact=wanted.id)
    return cheap_creation(smith, 1) or towards(game, smith.id, LAIR_ID) or Pass(actor=smith.id)


def cheap_creation(smith: Smith, kept: int, sizes: tuple[DieSize, ...] = ASCENDING) -> CreateArtifact | None:
    """An Artifact paid for with tokens and the smallest dice beyond those kept; None without them."""
    spare = smith.dice.minus(smith.dice.best(kept))
    small = [die for die in spare.descending() if die in sizes][::-1]
    form_die = None if smith.resource else (small.pop(0) if small else None)
    if form_die is None and not smith.resource:
        return None
    function_die = None if smith.secret else (small.pop(0) if small else None)
    if function_die is None and not smith.secret:
        return None
    if smith.dice.total() <= (form_die is not None) + (function_die is not None):
        return None
    return CreateArtifact(
        actor=smith.id,
        name=work_name(smith, form_die, function_die),
        form=Form.BLADED_WEAPON if form_die is None else FORM_OF_DIE[form_die],
        form_by=Payment.TOKEN if form_die is None else Payment.DIE,
        function=Function.COMBAT if function_die is None else FUNCTION_OF_DIE[function_die],
        function_by=Payment.TOKEN if function_die is None else Payment.DIE,
    )


THINGS = {
    Form.CLOTHING: "Cloak",
    Form.JEWELRY: "Ring",
    Form.BLUNT_WEAPON: "Hammer",
    Form.RANGED_WEAPON: "Bow",
    Form.BLADED_WEAPON: "Sword",
}
GIFTS = {
    Function.KNOWLEDGE: "Whispers",
    Function.PERSUASION: "Crowns",
    Function.FORTUNE: "Luck",
    Function.TRANSFORMATION: "Shapes",
    Function.COMBAT: "Lightning",
}


def work_name(smith: Smith, form_die: DieSize | None, function_die: DieSize | None) -> str:
    """A name for a work: whose it is, what it is, and what it does."""
    form = Form.BLADED_WEAPON if form_die is None else FORM_OF_DIE[form_die]
    function = Function.COMBAT if function_die is None else FUNCTION_OF_DIE[function_die]
    bare = f"{THINGS[form]} of {GIFTS[function]}"
    name = f"{smith.name}'s {bare}"
    return name if len(name) <= LONGEST_NAME else bare


def _on_the_way(game: Game, smith: Smith) -> Move | None:
    """Ruins she stands in are explored when she is likely to win."""
    spot = game.ground.spot(smith.place)
    if spot.kind is not PlaceKind.RUIN or spot.power is None:
        return None
    best = smith.dice.best(game.settings.normal_dice)
    if not best or win_chance(best, spot.power) < 0.5:  # better than even
        return None
    return ExploreRuins(actor=smith.id, dice=best)


def _gather(game: Game, smith: Smith) -> Move:
    """New dice from the Forest, where small wishes always come true."""
    if smith.place == FOREST_ID:
        return Commune(actor=smith.id, dice=SAFE_WISH)
    return towards(game, smith.id, FOREST_ID) or Pass(actor=smith.id)


def _finale(game: Game, catalog: Catalog, smith: Smith) -> Move:
    """The last turn: everything into one Artifact, the Dragon or a Ruin; else nothing is left to do."""
    if smith.place == CITADEL_ID:
        creation = cheap_creation(smith, 1)
        if creation is not None:
            return creation
    if smith.place == LAIR_ID and not game.slayer and smith.dice.total():
        return _face(game, catalog, smith)
    spot = game.ground.spot(smith.place)
    own, normal = smith.dice, game.settings.normal_dice
    if spot.kind is PlaceKind.RUIN and spot.power is not None and own.total():
        return ExploreRuins(actor=smith.id, dice=own.best(normal), sacrificed=rest(own, normal))
    if not game.turn.moved and distance(game, smith.id, CITADEL_ID) == 0 and smith.place != CITADEL_ID:
        return towards(game, smith.id, CITADEL_ID) or Pass(actor=smith.id)
    return Pass(actor=smith.id)
