"""Real scenes for tests: begun from choices and played move by move through the game's play object."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.rules.engine.driver import fold
from services.rules.engine.grid import Square
from services.rules.engine.offers import unlike
from services.rules.engine.play import CastMember, LegalMove, Roll, Viewer
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.engine.steps import Happened, Run, refusal
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.choices import HeroChoices, Purchase
from services.rules.systems.dungeonteller.play.facts import Event
from services.rules.systems.dungeonteller.play.moves import Answer, Move
from services.rules.systems.dungeonteller.play.setup import Creatures, HeroStart, Setup
from services.rules.systems.dungeonteller.play.state import Being, Reflex, Scene, Turn

assert SYSTEM.play is not None
PLAY = SYSTEM.play
GM = Viewer(gm=True)
WATCHER = Viewer()
WIN, LOSE = 6, 1
MONSTER = "dungeonteller:monster/"


@dataclass(frozen=True)
class Played:
    """A move that was made.

    Attributes:
        before: The scene before it.
        scene: The scene after it.
        rolls: Its dice.
        events: What happened.
        run: The move, which may wait for answers.
    """

    before: Scene
    scene: Scene
    rolls: tuple[Roll, ...]
    events: tuple[Event, ...]
    run: Run

    def told(self, viewer: Viewer = GM) -> list[str]:
        """The sentences a viewer is told."""
        state, found = self.before, []
        for event in self.events:
            seen = PLAY.sees(event, viewer)
            if seen is not None:
                found.append(PLAY.tell(PLAY.view(state, viewer), seen))
            state = PLAY.evolve(state, event)
        return [text for text in found if text]

    def dice(self) -> dict[str, int]:
        """How many dice each roll had."""
        return {roll.id: roll.dice.value for roll in self.rolls}


def eyes(*actors: str) -> Viewer:
    """Whoever plays these."""
    return Viewer(actors=frozenset(actors))


def chosen(example: str, *found: str, **changes: Any) -> HeroChoices:
    """The choices of one of the system's examples, with things found besides."""
    things = tuple(Purchase(item=item) for item in found)
    choices: HeroChoices = SYSTEM.examples[example]
    return replace(choices, found=(*choices.found, *things), **changes)


def begun(
    cast: Mapping[str, HeroChoices | str],
    *creatures: Creatures,
    at: Mapping[str, tuple[int, int]] | None = None,
    **setup: Any,
) -> Scene:
    """The opening of a scene of these heroes, built from their choices; nobody dodges."""
    members = []
    for name, who in cast.items():
        sheet = SYSTEM.build(chosen(who) if isinstance(who, str) else who, SYSTEM.content)
        assert not isinstance(sheet, Problems), str(sheet)
        members.append(CastMember(id=name, sheet=sheet))
    starts = tuple(
        HeroStart(
            hero=name, at=Square(*at[name]) if at is not None and name in at else None, reflex=Reflex.NEVER
        )
        for name in cast
    )
    made = PLAY.begin(Setup(title="A test", heroes=starts, creatures=creatures, **setup), tuple(members))
    assert isinstance(made, Scene), str(made)
    return replace(
        made,
        beings=tuple(being if being.hero else replace(being, reflex=Reflex.NEVER) for being in made.beings),
    )


def creature(slug: str, *at: tuple[int, int], **changes: Any) -> Creatures:
    """Creatures of the bestiary for an opening: one for each square."""
    squares = tuple(Square(*one) for one in at)
    return Creatures(monster=MONSTER + slug, count=max(1, len(at)), at=squares, **changes)


def play(now: Scene, move: Move, **faces: int) -> Played:
    """Make a legal move; `play_rolls` takes rolls whose names are no words of Python."""
    return play_rolls(now, move, faces)


def play_rolls(now: Scene, move: Move, faces: Mapping[str, int]) -> Played:
    """Make a legal move: of each roll so many dice succeed, of one that is not named none.

    The move is taken from its stored form, and so are the events and the scene they lead to.
    """
    move = PLAY.move_codec.load(json.loads(json.dumps(PLAY.move_codec.dump(move))))
    run = Run(PLAY, now, move)
    return _thrown(now, run, faces, ())


def answered(asked: Played, answer: Answer, **faces: int) -> Played:
    """Answer the question that a move waits with; what happens from there on is told alone."""
    (ask,) = asked.run.asks
    assert unlike(PLAY, ask.offers, answer) is None and ask.actor == answer.actor
    told = asked.run.happened
    asked.run.go_on((answer,))
    return _thrown(asked.scene, asked.run, faces, told)


def _thrown(now: Scene, run: Run, faces: Mapping[str, int], told: tuple[Happened, ...]) -> Played:
    rolls: list[Roll] = []
    while run.rolls:
        fell = []
        for roll in run.rolls:
            wins = faces.get(roll.id, 0)
            assert wins <= roll.dice.value, f"{roll.id} has only {roll.dice.text()}"
            fell.append((WIN,) * wins + (LOSE,) * (roll.dice.value - wins))
        rolls += run.rolls
        run.go_on(tuple(fell))
    names = {roll.id for roll in rolls}
    assert set(faces) <= names, f"{names} has not {set(faces)}"
    events = tuple(each.event for each in run.happened[len(told) :])
    stored = [PLAY.event_codec.load(json.loads(json.dumps(PLAY.event_codec.dump(one)))) for one in events]
    after = fold(PLAY, now, stored)
    assert after == run.state
    assert PLAY.state_codec.load(json.loads(json.dumps(PLAY.state_codec.dump(after)))) == after
    return Played(now, after, tuple(rolls), events, run)


def refused(now: Scene, move: Move) -> tuple[str, ...]:
    """The codes of the rules a move breaks."""
    found = refusal(PLAY, now, move)
    assert found is not None, "the move is legal"
    return found.codes


def turn_of(now: Scene, actor: str) -> Scene:
    """The same scene at the beginning of somebody's turn."""
    order = now.turn.order
    return replace(now, turn=Turn(round=now.turn.round, order=order, place=order.index(actor)))


def being(now: Scene, being_id: str) -> Being:
    """Somebody who is in the scene."""
    found = now.being(being_id)
    assert found is not None
    return found


def changed(now: Scene, being_id: str, **changes: Any) -> Scene:
    """The same scene with something about somebody set otherwise."""
    beings = tuple(replace(one, **changes) if one.id == being_id else one for one in now.beings)
    return replace(now, beings=beings)


def offer(now: Scene, actor: str, offer_id: str) -> LegalMove | None:
    """One of the moves that are offered to somebody."""
    return next((one for one in PLAY.legal(now, actor) if one.id == offer_id), None)


def every_way(found: LegalMove) -> Iterable[Move]:
    """An offer filled in with the least, the most and something between of every field."""
    for choose in (lambda n: 0, lambda n: n - 1, lambda n: n // 2):
        yield PLAY.move_codec.read(complete(found, choose))
