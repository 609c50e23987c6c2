"""What the table counts: points, the last turns, and the book's lists."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.play.evolve import evolve
from services.rules.systems.forgeborn.play.facts import GameOver, Scored
from services.rules.systems.forgeborn.play.moves import CallOff, FaceDragon, Pass
from services.rules.systems.forgeborn.play.state import Game, Phase, Why
from tests.conformance.forgeborn.fights import SURE, THREE
from tests.conformance.forgeborn.stage import (
    CATALOG,
    PLAY,
    Answer,
    Given,
    illegal,
    made,
    make,
    stage,
    with_smith,
)


def content(given: Given) -> Answer:
    """J1 to J5: the lists of the book."""
    if "form" in given:
        found = next(entry for entry in CATALOG.forms if entry.name == given["form"])
        return {"example_items": len(found.items), "die": found.die.value}
    if "function" in given:
        does = next(entry for entry in CATALOG.functions if entry.name == given["function"])
        count = len(does.keywords)
        return {"example_keywords": count, "keywords": count, "examples": count, "die": does.die.value}
    table = given["table"].lower()
    if "name" in table:
        entries: tuple[str, ...] = CATALOG.words.names
    elif "threat" in table:
        entries = tuple(danger.name for danger in CATALOG.threats)
    elif "guardian" in table:
        entries = tuple(danger.name for danger in CATALOG.guardians)
    else:
        raise UnsupportedCaseError(f"no list is called {table}")
    return {
        "entries": len(entries),
        "distinct": len(set(entries)),
        "non_ascii": sum(not entry.isascii() for entry in entries),
        "hyphenated": sum("-" in entry for entry in entries),
    }


def scoring(given: Given) -> Answer:
    """H1, H4: who gets points for what, and who has won."""
    events = given.get("events", ())
    names = sorted({*given.get("vp", {}), *(who for event in events for who in event)})
    game = _named(names)
    for name, points in given.get("vp", {}).items():
        game = with_smith(game, name, points=points)
    for event in events:
        for who, what in event.items():
            points, why = _points(what)
            game = evolve(game, Scored(smith=who, points=points, why=why))
    ended = made(game, CallOff(actor=GM))
    won = PLAY.outcome(ended.whole).winners
    return {
        "vp": {smith.id: smith.points for smith in ended.whole.smiths},
        "winners": sorted(won),
        "shared": len(won) > 1,
        "ranks": {rank.smith: rank.rank for rank in ended.event(GameOver).ranking},
    }


def _points(what: str) -> tuple[int, Why]:
    word, _, number = what.rpartition(" ")
    if "artifact" in what:
        return int(number), Why.ARTIFACT
    if "dragon" in what:
        return int(number), Why.DRAGON
    if "help" in what:
        return 1, Why.HELP
    if "ruin" in what:
        return 1, Why.RUIN
    return (CATALOG.settings.favour_points if "favo" in (word or what) else 0), Why.FAVOUR


def _named(names: list[str]) -> Game:
    """A game of Smiths with these ids."""
    game = stage(at="lair")
    base = game.smiths[0]
    smiths = tuple(replace(base, id=name, name=name) for name in names)
    return replace(game, smiths=smiths, heroines=(), first=names[0], turn=replace(game.turn, smith=names[0]))


def final_turns(given: Given) -> Answer:
    """H2, H3, P26: the turns after the Dragon's fall."""
    order, slayer = list(given["order"]), given["slayer"]
    game = _named(order)
    game = with_smith(replace(game, turn=replace(game.turn, smith=slayer)), slayer, dice=SURE)
    power = game.ground.spot("lair").power or 0
    fell = made(game, FaceDragon(actor=slayer, dice=THREE), {"*": (), "opposition": (1,) * power}).whole
    if given.get("action"):
        again = make(fell, FaceDragon(actor=fell.turn.smith, dice=THREE))
        return illegal("the Dragon is dead") if isinstance(again, Problems) else {"legal": True}
    if "turns_taken_after" in given:
        for who in given["turns_taken_after"]:
            taken = make(fell, Pass(actor=who))
            if isinstance(taken, Problems):
                return illegal("not in this order") | {"game_over": fell.phase is Phase.OVER}
            fell = taken.whole
        return {"game_over": fell.phase is Phase.OVER, "remaining_turns": _left(fell)}
    remaining = _left(fell)
    for who in remaining:
        fell = made(fell, Pass(actor=who)).whole
    return {"remaining_turns": remaining, "then": "game over" if fell.phase is Phase.OVER else "play"}


def _left(game: Game) -> list[str]:
    return [] if game.phase is Phase.OVER else [game.turn.smith, *game.last_turns]


AREAS: dict[str, Area] = {"content": content, "scoring": scoring, "final_turns": final_turns}
