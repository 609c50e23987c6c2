"""Canaries: what is marked as hidden appears in no answer to a player or spectator, in no game with scenes.

An answer is what a client is sent of a scene: its state, its card with the actors, an actor's offers, an
event or its sentence, a refusal, the map that the scene leads.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from services.rules.engine.board import picture
from services.rules.engine.codec import encode
from services.rules.engine.driver import thrower
from services.rules.engine.ground.kinds import WALL as WALL_ON_EDGE
from services.rules.engine.ground.kinds import Barrier, Door, DoorState, Lamp, Terrain
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import AnyPlay, CastMember, LegalMove, SceneCard, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.engine.site import PlayedOnSites, Site, SiteDoor
from services.rules.engine.steps import refusal
from services.rules.systems.dungeonteller import SYSTEM
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.moves import Attack, Go, UsePower
from services.rules.systems.dungeonteller.play.setup import Creatures, Place, Setup
from services.rules.systems.dungeonteller.play.state import Job, Scene, Thing
from tests.at_length import part_or_whole
from tests.rules.test_play_conformance import BOTS, RANDOM, label, stream
from tests.rules.test_play_conformance import Scene as PlayedScene

assert SYSTEM.play is not None
PLAY = SYSTEM.play
CANARY = "canary"
WATCHER = Viewer()
MONSTER = "dungeonteller:monster/"
MOVES = 120


def answers(play: AnyPlay, at: Position, viewer: Viewer) -> Iterator[tuple[str, Any]]:
    """What a viewer is sent of where a scene stands, by its kind."""
    view = at.view(viewer)
    yield "state", play.state_codec.dump(view)
    card = at.card(viewer)
    yield "card", encode(SceneCard, card)
    for each in card.actors:
        yield "actor", encode(type(each), each)
    for actor in sorted(viewer.actors):
        yield "offers", encode(tuple[LegalMove, ...], at.legal(actor, viewer))
    yield "answers", repr(at.answers(viewer))
    yield "board", picture(play, view)


def told(play: AnyPlay, made: Taken, viewer: Viewer) -> Iterator[tuple[str, Any]]:
    """What a viewer is sent of what happened."""
    for before, event in made.happened:
        seen = play.sees(event, viewer)
        if seen is not None:
            yield "event", play.event_codec.dump(seen)
            yield "sentence", play.tell(before, seen)


# A dungeon under fog: a hall with the heroes, a cell behind a locked door, a vault behind a secret one.

MARSH = Terrain("c", cost=2, cover=1)
"""A terrain that occurs in the vault alone."""

LATTICE = Barrier("L", walls=True, cover=1)
"""A barrier that occurs in the vault alone."""

ROWS = (
    "####################",
    "#......#...#.......#",
    "#......#...#..ccc..#",
    "#......D...S.......#",
    "#......#...#.......#",
    "####################",
)
VAULT = {Square(x, y) for y in range(1, 5) for x in range(12, 19)}


def dungeon() -> Site:
    """The map: everything in the vault is marked."""
    cells = tuple(row.replace("D", ".").replace("S", ".") for row in ROWS)
    ground = Ground(
        20,
        6,
        "".join(cells),
        (*Ground(1, 1, ".").terrains, MARSH),
        doors=(
            Door("door-1", (Square(7, 3),), state=DoorState.LOCKED),
            Door("canary-secret", (Square(11, 3),)),
            Door("canary-gate", edges=((Square(15, 3), Square(16, 3)),), state=DoorState.LOCKED),
        ),
        lamps=(Lamp("canary-lamp", Square(18, 1), 2, 4),),
    )
    ground = ground.with_barrier((Square(14, 1), Square(15, 1)), LATTICE)
    ground = ground.with_barrier((Square(14, 4), Square(15, 4)), WALL_ON_EDGE)
    return Site(
        title="The dungeon",
        ground=ground,
        doors=(
            SiteDoor(id="door-1", name="an oak door"),
            SiteDoor(id="canary-secret", name="a canary in the wall", secret=True),
            SiteDoor(id="canary-gate", name="a canary gate"),
        ),
        heroes=(Square(2, 2), Square(2, 3)),
        foes=(Square(16, 3),),
    )


def delve() -> Scene:
    """Two heroes in the hall, and marked foes, things and jobs in the vault."""
    setup = Setup(
        title="The delve",
        place=Place(notes="canary notes"),
        creatures=(
            Creatures(monster=f"{MONSTER}ogre", name="Canary ogre"),
            Creatures(monster=f"{MONSTER}wolf", name="Canary wolf", hidden=2),
        ),
        jobs=(Job(id="canary-job", name="a canary chest", action=Action.MAKE, needed=2, at=Square(13, 1)),),
        things=(Thing(id="canary-idol", name="a canary idol", at=Square(13, 2), luck=2),),
    )
    assert isinstance(PLAY, PlayedOnSites)
    laid = PLAY.laid_out(setup, dungeon())
    assert isinstance(laid, Setup), laid
    # Things of a setup are put where the heroes are to find them: on the squares of the foes.
    assert {thing.at for thing in laid.things if thing.id == "canary-idol"} <= VAULT
    laid = replace(laid, jobs=setup.jobs)
    cast = tuple(
        CastMember(id=f"chr-{name}", sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content))
        for name in ("wizard", "elf")
    )
    scene = PLAY.begin(laid, cast)
    assert isinstance(scene, Scene), scene
    return scene


def marked(document: Any) -> str:
    """The first mark in an answer: a name of the vault, a cell of it, what occurs there alone; or none."""
    text = json.dumps(document) if not isinstance(document, str) else document
    if CANARY in text.lower():
        place = text.lower().index(CANARY)
        return text[max(0, place - 60) : place + 60]
    return next((f"the square {at}" for at in squares_in(document) if at in VAULT), "")


def squares_in(document: Any) -> Iterator[Square]:
    """Every square that a document names."""
    match document:
        case {"x": int(x), "y": int(y)}:
            yield Square(x, y)
        case dict():
            for one in document.values():
                yield from squares_in(one)
        case list() | tuple():
            for one in document:
                yield from squares_in(one)


def probes(chance: Random, hero: str) -> Iterator[Any]:
    """Moves that feel for what is in the vault."""
    at = chance.choice(sorted(VAULT))
    yield Go(actor=hero, to=at)
    yield Attack(actor=hero, action=Action.SHOOT, target=chance.choice(("ogre-1", "hidden-1", "canary-idol")))
    yield UsePower(actor=hero, power="dungeonteller:power/teleport", squares=(at,))
    yield UsePower(actor=hero, power="dungeonteller:power/phantom", squares=(at,))


def delved(seed: int) -> Iterator[tuple[Position, Taken | None]]:
    """A scene of the dungeon played at random by what its players are offered, foes by the true scene."""
    chance, dice = Random(seed), thrower(stream("canary", seed))
    at = Position(PLAY, delve())
    yield at, None
    for number in range(1, MOVES + 1):
        if PLAY.outcome(at.state).ended:
            return
        whose = at.asks[0].actor if at.asks else at.state.turn.whose
        viewer = Viewer(actors=frozenset({whose})) if whose.startswith("chr-") else Viewer(gm=True)
        offers = [one for one in at.legal(whose, viewer) if not lured(one)]
        form = complete(chance.choice(offers), chance.randrange)
        made = at.take(PLAY.move_codec.read(form), number, dice)
        assert not isinstance(made, Problems), f"{form} was offered and refused: {made}"
        at = made.position
        yield at, made


def lured(offer: LegalMove) -> bool:
    """Whether a move could bring the vault into view: by its own light and eyes, or through the wall."""
    return offer.id in ("power:teleport", "power:eye", "power:create-hippogriff", "power:feysight")


@pytest.mark.parametrize("seed", range(part_or_whole(1, 3)))
def test_nothing_of_a_vault_behind_a_secret_door_is_in_any_answer(seed: int) -> None:
    chance, looked_through = Random(seed), Counter[str]()
    heroes = ("chr-wizard", "chr-elf")
    for at, made in delved(seed):
        assert not any(hero.at in VAULT for hero in at.state.beings if hero.hero)
        for viewer in (WATCHER, *(Viewer(actors=frozenset({hero})) for hero in heroes)):
            found = list(answers(PLAY, at, viewer))
            if made is not None:
                found += told(PLAY, made, viewer)
            for hero in sorted(viewer.actors):
                for move in probes(chance, hero):
                    refused = at.refusal(move, viewer) or ()
                    if at.waiting is None:
                        assert tuple(refusal(PLAY, at.state, move) or ()) == tuple(refused)
                    found.append(("refusal", [replace(one, found=None).message for one in refused]))
                    found.append(("allowed", [repr(one.allowed) for one in refused]))
            for kind, document in found:
                looked_through[kind] += 1
                assert not marked(document), f"{kind} for {sorted(viewer.actors)}: {marked(document)}"
    # Three such scenes make ten thousand answers.
    assert sum(looked_through.values()) >= 3_400, looked_through
    assert set(looked_through) >= {"state", "card", "actor", "offers", "event", "sentence", "refusal"}


def test_the_game_master_is_told_all_of_it_so_that_the_marks_can_be_found() -> None:
    at = Position(PLAY, delve())
    document = PLAY.state_codec.dump(at.view(Viewer(gm=True)))
    for mark in ("canary-gate", "canary-lamp", "Canary ogre", "canary-job", "canary-idol", "canary notes"):
        assert mark in json.dumps(document)


def test_a_ground_that_is_cut_names_no_kind_that_occurs_beyond_it() -> None:
    seen = PLAY.view(delve(), WATCHER).field.grid.base
    assert MARSH.sign not in {kind.sign for kind in seen.terrains}
    assert LATTICE.sign not in {kind.sign for kind in seen.barriers}
    assert {door.id for door in seen.doors} == set()
    assert all(seen.cells[at.y * 20 + at.x] == "#" for at in VAULT)
    assert seen.cells[3 * 20 + 11] == "#", "the secret door is part of the wall"


# All games


@pytest.mark.parametrize("case", [*RANDOM, *BOTS], ids=label)
def test_no_answer_names_an_actor_whom_its_viewer_may_not_know(case: tuple[Any, str, str, int]) -> None:
    played, *arguments = case
    scene: PlayedScene = played(*arguments)
    play = scene.play
    viewers = [WATCHER, *scene.players()]
    for at, made in [
        (Position(play, scene.opening), None),
        *((one.position, one) for one in scene.made[:12]),
    ]:
        for viewer in viewers:
            hidden = [
                actor.id
                for actor in play.card(at.state).actors
                if (known := play.known_to(at.state, actor.id)) is not None and not viewer.may_know(known)
            ]
            found = list(answers(play, at, viewer))
            if made is not None:
                found += told(play, made, viewer)
            for kind, document in found:
                text = json.dumps(document) if not isinstance(document, str) else document
                assert not any(f'"{one}"' in text for one in hidden), f"{kind} names one of {hidden}"
