"""Small scenes for tests: people by role or creature, and moves with the faces that fall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.driver import scripted
from services.rules.engine.grid import Grid, Square
from services.rules.engine.offers import unlike
from services.rules.engine.play import Roll, Viewer
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask, Refused, Run, Turn, refusal, run_through
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.play.arrivals import hero_being, monster_being
from services.rules.systems.dungeonteller.play.conditions import takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import Event
from services.rules.systems.dungeonteller.play.moves import Answer, Move
from services.rules.systems.dungeonteller.play.state import Being, Field, Reflex, Scene
from services.rules.systems.dungeonteller.play.state import Turn as SceneTurn

CATALOG = SYSTEM.content
assert SYSTEM.play is not None
PLAY = SYSTEM.play
LUCKY = min(CATALOG.settings.lucky_faces)
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
        title="A test", field=field or Field(grid=Grid(20, 12)), beings=beings, turn=SceneTurn(order=order)
    )
    return replace(made, **changes)


class Playing:
    """A move as far as it has come: to its end, or to where it waits for answers.

    Attributes:
        rolls: The dice that have fallen, since the last answers.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.rolls: list[Roll] = []
        self._successes: dict[str, int] = {}

    @property
    def scene(self) -> Scene:
        """The scene after everything that has happened so far."""
        found: Scene = self._run.state
        return found

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened so far."""
        return tuple(each.event for each in self._run.happened)

    def told(self, viewer: Viewer | None = None) -> list[str]:
        """The sentences of everything that has happened, as a viewer hears them (the game master)."""
        eyes = viewer or Viewer(gm=True)
        found = []
        for before, event in self._run.happened:
            seen = PLAY.sees(event, eyes)
            found.append("" if seen is None else PLAY.tell(before, seen))
        return [text for text in found if text]

    @property
    def first_rolls(self) -> tuple[Roll, ...]:
        """The dice that it waits for."""
        return self._run.rolls

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that are open."""
        return self._run.asks

    def successes(self, roll: str) -> int:
        """Successes of a roll; none of one that was not made."""
        return self._successes.get(roll, 0)

    def being(self, being_id: str) -> Being:
        """Somebody as they are now."""
        found = self.scene.being(being_id)
        assert found is not None
        return found

    def throw(self, faces: Mapping[str, int | tuple[int, ...]]) -> None:
        """Lets dice fall until there are none left to fall."""
        names = set()
        while self._run.rolls:
            fell = []
            for roll in self._run.rolls:
                names.add(roll.id)
                given = faces.get(roll.id, 0)
                if isinstance(given, int):
                    assert given <= roll.dice.value, f"{roll.id} has only {roll.dice.value} dice"
                    given = (WIN,) * given + (LOSE,) * (roll.dice.value - given)
                assert len(given) == roll.dice.value, f"{roll.id} has {roll.dice.text()}"
                self.rolls.append(roll)
                self._successes[roll.id] = sum(face >= LUCKY for face in given)
                fell.append(given)
            self._run.go_on(tuple(fell))
        assert set(faces) <= names, f"no such rolls: {set(faces) - names} among {names}"

    @property
    def dice(self) -> dict[str, int]:
        """How many dice each roll had."""
        return {roll.id: roll.dice.value for roll in self.rolls}

    @property
    def asked(self) -> list[tuple[str, str]]:
        """Who is asked what, by the question's id."""
        return [(ask.actor, ask.id) for ask in self.asks]

    def answer(self, *answers: Answer, **faces: int | tuple[int, ...]) -> Playing:
        """The move as it goes on with answers, in the order of the questions, each as it is offered."""
        assert len(answers) == len(self.asks)
        for ask, answer in zip(self.asks, answers, strict=True):
            wrong = unlike(PLAY, ask.offers, answer)
            assert ask.actor == answer.actor and wrong is None, str(wrong)
        run = self._run
        further = Playing(run_through(PLAY, run.base, run.move, (*run.results, answers)))
        further.throw(faces)
        return further


def make(now: Scene, move: Move, **faces: int | tuple[int, ...]) -> Playing:
    """Make a legal move.

    Args:
        now: The scene.
        move: The move.
        **faces: By the name of the roll: the faces that fall, or how many of the dice succeed. Rolls that are
            not named succeed with none; those whose name is no word of Python are given to `rolled`.
    """
    return rolled(now, move, faces)


def rolled(now: Scene, move: Move, faces: Mapping[str, int | tuple[int, ...]]) -> Playing:
    """Make a legal move whose rolls have names that are no words of Python."""
    playing = begun(now, move)
    playing.throw(faces)
    return playing


def begun(now: Scene, move: Move) -> Playing:
    """A legal move before its first dice."""
    try:
        return Playing(Run(PLAY, now, move))
    except Refused as refused:
        raise AssertionError(str(refused)) from refused


def waiting(now: Scene, move: Move) -> Position:
    """Where a scene stands with a move that waits for answers before any dice."""
    taken = Position(PLAY, now).take(move, 1, scripted(()))
    assert not isinstance(taken, Problems), str(taken)
    assert taken.position.waiting is not None
    return taken.position


def first_rolls(now: Scene, move: Move) -> tuple[Roll, ...]:
    """The dice that a legal move takes first."""
    return begun(now, move).first_rolls


def dice(now: Scene, move: Move) -> dict[str, int]:
    """How many dice each roll has that a legal move takes first."""
    return {roll.id: roll.dice.value for roll in first_rolls(now, move)}


def problems(now: Scene, move: Move) -> Problems:
    """Every rule that a move breaks."""
    found = refusal(PLAY, now, move)
    assert found is not None, "the move is legal"
    return found


def desk_of(now: Scene) -> Desk:
    """A desk at which anything may be done to a scene."""
    return Desk(Turn(PLAY, now), CATALOG)


def refused(now: Scene, move: Move) -> tuple[str, ...]:
    """The codes of the rules a move breaks."""
    found = refusal(PLAY, now, move)
    assert found is not None, "the move is legal"
    return found.codes


def legal(now: Scene, move: Move) -> bool:
    """Whether a move may be made."""
    return refusal(PLAY, now, move) is None
