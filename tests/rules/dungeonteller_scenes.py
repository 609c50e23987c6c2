"""Small scenes for tests: people by role or creature, and moves with the faces that fall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.rules.engine.grid import Grid, Square
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.play.arriving import hero_being, monster_being
from services.rules.systems.dungeonteller.play.conditions import takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.moves import Move
from services.rules.systems.dungeonteller.play.rules import plan
from services.rules.systems.dungeonteller.play.state import Being, Field, Reflex, Scene, Turn

CATALOG = SYSTEM.content
WIN = 6
"""A face that succeeds."""

LOSE = 1
"""A face that does not."""


def power(slug: str) -> str:
    """The content id of a power."""
    return f"dungeonteller:power/{slug}"


def hero(example: str, at: tuple[int, int] = (0, 0), *, id: str = "", **changes: Any) -> Being:
    """A hero built from one of the system's examples: `wizard`, `elf`. It never dodges unless told so."""
    sheet = SYSTEM.build(SYSTEM.examples[example], CATALOG)
    assert not isinstance(sheet, Problems), str(sheet)
    being = hero_being(id or example, sheet, CATALOG, Square(*at), Reflex.NEVER)
    return replace(being, **changes)


def monster(slug: str, at: tuple[int, int] = (1, 0), *, id: str = "", **changes: Any) -> Being:
    """A creature of the bestiary: `orc`. It never dodges unless told so."""
    found = CATALOG.monsters[f"dungeonteller:monster/{slug}"]
    being = monster_being(id or f"{slug}-1", found, CATALOG, Square(*at), reflex=Reflex.NEVER)
    return replace(being, **changes)


def with_powers(being: Being, *slugs: str) -> Being:
    """Somebody with more powers."""
    return replace(being, powers=(*being.powers, *(power(slug) for slug in slugs)))


def scene(*beings: Being, field: Field | None = None, **changes: Any) -> Scene:
    """A scene of these people, the first of whom has the turn, on a plain of 20 by 12 stone squares."""
    order = tuple(being.id for being in beings if takes_turns(being))
    made = Scene(
        title="A test", field=field or Field(grid=Grid(20, 12)), beings=beings, turn=Turn(order=order)
    )
    return replace(made, **changes)


def make(now: Scene, move: Move, **faces: int | tuple[int, ...]) -> Desk:
    """Make a legal move.

    Args:
        now: The scene.
        move: The move.
        **faces: By the name of the roll: the faces that fall, or how many of the dice succeed. Rolls that are
            not named succeed with none; those whose name is no word of Python are given to `rolled`.
    """
    return rolled(now, move, faces)


def rolled(now: Scene, move: Move, faces: dict[str, int | tuple[int, ...]]) -> Desk:
    """Make a legal move whose rolls have names that are no words of Python."""
    found = plan(now, CATALOG, move)
    assert not isinstance(found, Problems), str(found)
    unknown = set(faces) - {roll.id for roll in found.rolls}
    assert not unknown, f"no such rolls: {unknown} among {[roll.id for roll in found.rolls]}"
    fell = {}
    for roll in found.rolls:
        given = faces.get(roll.id, 0)
        if isinstance(given, int):
            assert given <= roll.dice.value, f"{roll.id} has only {roll.dice.value} dice"
            given = (WIN,) * given + (LOSE,) * (roll.dice.value - given)
        assert len(given) == roll.dice.value, f"{roll.id} has {roll.dice.text()}"
        fell[roll.id] = given
    desk = Desk(now, CATALOG, found.rolls, fell)
    found.resolve(desk)
    desk.close()
    return desk


def refused(now: Scene, move: Move) -> tuple[str, ...]:
    """The codes of the rules a move breaks."""
    found = plan(now, CATALOG, move)
    assert isinstance(found, Problems), "the move is legal"
    return found.codes
