"""The dice of the realm, and what the game master does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from services.rules.engine.play import GM, Roll
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import SETTING_BOUNDS, Catalog
from services.rules.systems.forgeborn.drop import DroppedDie
from services.rules.systems.forgeborn.play.conflict import not_asked, nothing_asked, one
from services.rules.systems.forgeborn.play.desk import Desk, Plan
from services.rules.systems.forgeborn.play.events import (
    Described,
    DiceLanded,
    LimitSet,
    RealmMade,
    RuinFound,
    RuinMissed,
    VillageTroubled,
)
from services.rules.systems.forgeborn.play.ground import (
    SPARE_FOR_RUIN,
    SPARE_POSITIONS,
    STRIPS,
    danger_text,
    grown,
    landed,
    settled,
    sizes_left,
)
from services.rules.systems.forgeborn.play.moves import (
    CallOff,
    Describe,
    DropDice,
    DropRuin,
    FindTrouble,
    SetTimeLimit,
)
from services.rules.systems.forgeborn.play.rolling import table_roll
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.play.waiting import (
    RuinDrop,
    Trouble,
)
from services.rules.systems.forgeborn.smith import LONGEST_TEXT, text_problems

MAP = "Creating The Map of the Realm"
POSITIONS = "positions"
RUIN_DIE = 8
PROBLEM_DIE = 4


# The realm


def droppers(game: Game) -> tuple[str, ...]:
    """Who may let the dice of the realm fall: whoever begins, or the game master."""
    return (game.first, GM)


def plan_drop(game: Game, catalog: Catalog, move: DropDice) -> Plan | Problems:
    """The dice of the realm that do not lie yet fall: a face each, and where they come to rest (B1, B2)."""
    if game.phase is not Phase.MAP:
        text = "The dice of the realm have fallen."
        return one(RuleProblem("realm_made", text, MAP, ("actor",), move.actor))
    if move.actor not in droppers(game):
        text = "Whoever begins lets the dice fall, or the game master."
        return one(RuleProblem("not_your_drop", text, MAP, ("actor",), move.actor, droppers(game)))
    left = sizes_left(game.ground.dice)
    rolls = [
        table_roll(f"d{sides}", move.actor, f"The d{sides} of the realm", sides, "B1", left.count(sides))
        for sides in dict.fromkeys(left)
    ]
    count = 2 * (len(left) + SPARE_POSITIONS)
    rolls.append(table_roll(POSITIONS, move.actor, "Where they come to rest", STRIPS, "B2", count))
    return Plan(partial(_dropped, left), tuple(rolls))


def _dropped(left: tuple[int, ...], desk: Desk) -> None:
    faces = {sides: iter(desk.faces[f"d{sides}"]) for sides in dict.fromkeys(left)}
    thrown = [(sides, next(faces[sides])) for sides in left]
    dice = landed(desk.game.ground, thrown, desk.faces[POSITIONS])
    desk.do(DiceLanded(dice=dice))
    if not sizes_left(desk.game.ground.dice):
        # The rules of the map count the dice of each size in the order of dropping, whatever fell between.
        ground = replace(desk.game.ground, dice=_by_size(desk.game.ground.dice))
        desk.do(RealmMade(ground=settled(ground, desk.catalog)))


def _by_size(dice: tuple[DroppedDie, ...]) -> tuple[DroppedDie, ...]:
    return tuple(sorted(dice, key=lambda die: die.sides))


def plan_ruin(game: Game, catalog: Catalog, move: DropRuin) -> Plan | Problems:
    """The d8 of the next Ruin falls (C11, P9)."""
    question = game.question
    if not isinstance(question, RuinDrop):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    rule = "Explore Ruins"
    rolls = (
        table_roll("ruin", move.actor, "The die of the new Ruins", RUIN_DIE, rule),
        table_roll("guardian", move.actor, "What guards them", len(catalog.guardians), rule),
        table_roll(POSITIONS, move.actor, "Where it comes to rest", STRIPS, "P9", 2 * (1 + SPARE_FOR_RUIN)),
    )
    return Plan(partial(_ruin_dropped, move.actor), rolls)


def _ruin_dropped(smith: str, desk: Desk) -> None:
    (face,), (guardian,) = desk.faces["ruin"], desk.faces["guardian"]
    dice = landed(desk.game.ground, [(RUIN_DIE, face)], desk.faces[POSITIONS])
    if not dice:
        desk.do(RuinMissed(smith=smith))
        return
    danger = danger_text(tuple(desk.catalog.guardians)[guardian - 1])
    spot, way = grown(desk.game.ground, dice[0], danger, desk.catalog)
    desk.settle()
    desk.do(RuinFound(die=dice[0], spot=spot, way=way))
    desk.end_turn()


def plan_trouble(game: Game, catalog: Catalog, move: FindTrouble) -> Plan | Problems:
    """A d4 says how bad the Village's next problem is, the table what it is (F18, J1)."""
    question = game.question
    if not isinstance(question, Trouble):
        return one(nothing_asked(game, move.actor))
    if question.smith != move.actor:
        return one(not_asked(game, move.actor, question.smith))
    rule = "Assist A Village"
    rolls: tuple[Roll, ...] = (
        table_roll("problem", move.actor, "The Village's next problem", PROBLEM_DIE, rule),
        table_roll("threat", move.actor, "What it is", len(catalog.threats), rule),
    )

    def find(desk: Desk) -> None:
        (power,), (threat,) = desk.faces["problem"], desk.faces["threat"]
        danger = danger_text(tuple(desk.catalog.threats)[threat - 1])
        desk.settle()
        desk.do(VillageTroubled(place=question.place, power=power, danger=danger))
        desk.end_turn()

    return Plan(find, rolls)


# The game master


def plan_describe(game: Game, _catalog: Catalog, move: Describe) -> Plan | Problems:
    """What guards or troubles a place, or what is to be seen (I1)."""
    problems = [*text_problems(move.text, ("text",), longest=LONGEST_TEXT, needed=True, what="A description")]
    if move.place and game.ground.find(move.place) is None:
        places = tuple(spot.id for spot in game.ground.spots)
        text = "There is no such place."
        problems.append(RuleProblem("place_unknown", text, "table", ("place",), move.place, places))
    if problems:
        return Problems(tuple(problems))
    described = Described(place=move.place, text=move.text.strip())
    return Plan(lambda desk: desk.do(described))


def plan_limit(_game: Game, _catalog: Catalog, move: SetTimeLimit) -> Plan | Problems:
    """How long the others have to vote or to join."""
    least, most = SETTING_BOUNDS["answer_seconds"]
    if not least <= move.seconds <= most:
        text = f"It is from {least} to {most} seconds."
        return one(
            RuleProblem("setting_out_of_range", text, "table", ("seconds",), move.seconds, (least, most))
        )
    return Plan(lambda desk: desk.do(LimitSet(seconds=move.seconds)))


def plan_call_off(_game: Game, _catalog: Catalog, move: CallOff) -> Plan | Problems:
    """The game ends as it stands."""
    wrong = tuple(
        text_problems(move.reason, ("reason",), longest=LONGEST_TEXT, needed=False, what="A reason")
    )
    if wrong:
        return Problems(wrong)
    why = " ".join(move.reason.split()) or "The game master called the game off"
    ending = why if why.endswith((".", "!", "?")) else f"{why}."
    return Plan(lambda desk: desk.finish(ending))
