"""What a mover does not know never refuses a move: it is paid for, and then stopped (ruling P36)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.play import Viewer
from services.rules.engine.sampling import complete
from services.rules.engine.steps import Run, refusal
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.facts import ThingFound
from services.rules.systems.dungeonteller.play.moves import Attack, Go, Move, Steer, UsePower
from services.rules.systems.dungeonteller.play.scene import DungeonTellerPlay
from services.rules.systems.dungeonteller.play.state import Being, Scene, Thing
from tests.rules.dungeonteller_scenes import (
    CATALOG,
    PLAY,
    Playing,
    hero,
    make,
    monster,
    power,
    scene,
    with_powers,
)

LURKER = "orc-lurks"
"""Id of the orc that hides in these scenes."""

SLIPPING = DungeonTellerPlay(replace(CATALOG, settings=replace(CATALOG.settings, hidden_take_squares=False)))
"""The game of a table where hidden beings take no squares."""

APPEAR = ("phantom", "raise-skeleton", "raise-zombie", "summon-orc")
"""Powers that put a being on a square of their user's choice."""


def caster(*slugs: str, **changes: Any) -> Being:
    """A wizard with many dice and much Luck, at the left of a row."""
    made = with_powers(hero("wizard", (4, 4)), *slugs)
    return replace(made, luck=30, max_luck=30, tags=(*made.tags, "malicious"), **changes)


def lurking(at: tuple[int, int], **changes: Any) -> Being:
    """An orc that nobody has found."""
    return monster("orc", at, id=LURKER, hidden=3, **changes)


def wall(at: tuple[int, int], **changes: Any) -> Thing:
    """A solid thing that nobody has found: a secret door."""
    return Thing(id="secret-door", name="a secret door", at=Square(*at), solid=True, hidden=2, **changes)


def known_to(mover: Being, now: Scene) -> Scene:
    """The scene as the mover's player knows it."""
    seen: Scene = PLAY.view(now, Viewer(actors=frozenset({mover.id})))
    return seen


def codes(now: Scene, move: Move, play: Any = PLAY) -> tuple[str, ...]:
    """The rules that a move breaks, by their codes."""
    found = refusal(play, now, move)
    return () if found is None else found.codes


@pytest.mark.parametrize("slug", APPEAR)
@pytest.mark.parametrize("hidden", ["being", "thing"])
def test_what_appears_on_a_hidden_square_is_paid_for_like_on_a_free_one(slug: str, hidden: str) -> None:
    mage = caster(slug)
    use = UsePower(actor=mage.id, power=power(slug), squares=(Square(6, 4),), words="the old king's")
    now = scene(mage, lurking((6, 4))) if hidden == "being" else scene(mage, things=(wall((6, 4)),))
    assert codes(now, use) == codes(known_to(mage, now), use) == ()
    done = make(now, use)
    cost = CATALOG.powers[power(slug)].luck_cost
    assert done.being(mage.id).luck == 30 - cost or done.being(mage.id).max_luck < 30
    assert done.scene.turn.acted
    standing = [one.at for one in done.scene.beings]
    assert len(set(standing)) == len(standing)


def test_a_wall_that_is_known_refuses_as_before() -> None:
    mage = caster("summon-orc")
    use = UsePower(actor=mage.id, power=power("summon-orc"), squares=(Square(6, 4),))
    found = wall((6, 4), found_by=(mage.id,))
    assert codes(scene(mage, things=(found,)), use) == ("square_not_free",)


class TestGoing:
    def test_who_walks_into_a_secret_door_stops_before_it_and_finds_it(self) -> None:
        walker = hero("dwarf", (4, 4))
        now = scene(walker, things=tuple(wall((7, y), tags=()) for y in (4,)))
        to = Go(actor=walker.id, to=Square(7, 4))
        assert codes(now, to) == codes(known_to(walker, now), to) == ()
        done = make(now, to)
        assert done.being(walker.id).at == Square(6, 4)
        assert done.scene.turn.paces == 3, "the step against the door is a pace"
        found = [event for event in done.events if isinstance(event, ThingFound)]
        assert [event.audience.actors for event in found] == [(walker.id,)]
        assert done.scene.things[0].found_by == (walker.id,)

    def test_a_first_step_against_it_costs_a_pace_as_well(self) -> None:
        walker = hero("dwarf", (4, 4))
        done = make(scene(walker, things=(wall((5, 4)),)), Go(actor=walker.id, to=Square(5, 4)))
        assert (done.being(walker.id).at, done.scene.turn.paces) == (Square(4, 4), 1)

    def test_a_hidden_being_stops_who_walks_into_it_where_it_takes_its_square(self) -> None:
        walker = hero("dwarf", (4, 4))
        now = scene(walker, lurking((6, 4)))
        to = Go(actor=walker.id, to=Square(6, 4))
        done = make(now, to)
        assert done.being(walker.id).at == Square(5, 4)
        assert done.being(LURKER).found_by == (walker.id,)
        others = Viewer(actors=frozenset({"elsewhere"}))
        assert LURKER not in repr([PLAY.sees(event, others) for event in done.events])

    def test_where_it_takes_none_it_is_passed_by_all_alike(self) -> None:
        walker = caster("teleport")
        now = scene(walker, lurking((6, 4)))
        leap = UsePower(actor=walker.id, power=power("teleport"), squares=(Square(6, 4),))
        gone = through(SLIPPING, now, Go(actor=walker.id, to=Square(6, 4)))
        for done in (gone, through(SLIPPING, now, leap, power=4)):
            assert done.being(walker.id).at == Square(6, 4)

    def test_running_and_flying_are_stopped_too(self) -> None:
        runner = hero("dwarf", (1, 4))
        door = tuple(wall((5, y)) for y in range(12))
        things = tuple(replace(one, id=f"secret-door-{place}") for place, one in enumerate(door))
        ran = make(scene(runner, things=things), Go(actor=runner.id, to=Square(12, 4), run=True), run=4)
        assert ran.being(runner.id).at == Square(4, 4)
        flyer = hero("dwarf", (1, 4), fly=(1, 20))
        flown = make(scene(flyer, things=things), Go(actor=flyer.id, to=Square(12, 4), fly=True))
        assert flown.being(flyer.id).at == Square(4, 4)


def test_knockback_and_teleport_stop_where_walking_stops() -> None:
    fighter = with_powers(hero("warrior", (4, 4)), "knockback")
    foe = monster("orc", (5, 4))
    now = scene(fighter, foe, lurking((7, 4)))
    use = UsePower(actor=fighter.id, power=power("knockback"), targets=(foe.id,))
    assert make(now, use, power=4).being(foe.id).at == Square(6, 4)
    assert through(SLIPPING, now, use, power=4).being(foe.id).at == Square(9, 4)
    mage = caster("teleport")
    leap = UsePower(actor=mage.id, power=power("teleport"), squares=(Square(6, 4),))
    assert make(scene(mage, lurking((6, 4))), leap, power=4).being(mage.id).at == Square(4, 4)


def test_a_shot_past_a_secret_door_takes_the_action() -> None:
    archer = hero("elf", (4, 4))
    foe = monster("orc", (8, 4))
    shot = Attack(actor=archer.id, action=Action.SHOOT, target=foe.id, arm="dungeonteller:weapon/longbow")
    now = scene(archer, foe, things=(wall((6, 4)),))
    assert codes(now, shot) == codes(known_to(archer, now), shot) == ()
    done = make(now, shot)
    assert done.scene.turn.acted and done.being(foe.id).luck == foe.luck
    assert "something unseen" in " ".join(done.told())


def through(play: Any, now: Scene, move: Move, **faces: int) -> Playing:
    """A move through another table's game, its dice as in `make`."""
    playing = Playing(Run(play, now, move))
    playing.throw(faces)
    return playing


def strewn(seed: int) -> tuple[Scene, Being]:
    """A scene of a random hero with many powers, and of beings and doors that are hidden or not."""
    chance = Random(seed)
    example = chance.choice(("wizard", "warrior", "elf", "dwarf", "paladin", "rogue"))
    slugs = [key.partition("/")[2] for key in CATALOG.powers.ids]
    mover = with_powers(hero(example, (4, 4)), *chance.sample(slugs, 12))
    mover = replace(mover, luck=20, max_luck=20, fly=chance.choice((None, (1, 12))))
    squares = [(x, y) for x in range(12) for y in range(10) if (x, y) != (4, 4)]
    chance.shuffle(squares)
    kinds = ("orc", "wolf", "skeleton", "goblin")
    others = [
        monster(
            chance.choice(kinds),
            squares.pop(),
            id=f"other-{place}",
            hidden=chance.choice((None, 1, 2)),
            found_by=chance.choice(((), (mover.id,))),
        )
        for place in range(6)
    ]
    friend = hero("dwarf", squares.pop(), id="friend")
    things = tuple(
        Thing(
            id=f"door-{place}",
            name="a door",
            at=Square(*squares.pop()),
            solid=True,
            hidden=chance.choice((None, 2, 2)),
            tags=("bones", "stone"),
            luck=2,
        )
        for place in range(14)
    )
    return scene(mover, friend, *others, things=things), mover


@pytest.mark.parametrize("seed", range(24))
def test_a_move_is_refused_alike_in_the_true_scene_and_in_what_its_mover_knows(seed: int) -> None:
    now, mover = strewn(seed)
    seen = known_to(mover, now)
    chance = Random(-seed)
    offers = PLAY.legal(seen, mover.id)
    assert offers
    tried = 0
    for offer in offers:
        for _ in range(4):
            move = PLAY.move_codec.read(complete(offer, chance.randrange))
            assert codes(now, move) == (), f"{offer.id} was offered, and {move} refused"
            tried += 1
    for move in guesses(now, mover, chance):
        assert codes(now, move) == codes(seen, move), move
        tried += 1
    assert tried > 60


def guesses(now: Scene, mover: Being, chance: Random) -> list[Move]:
    """Moves that nobody offered, at random squares and beings, those that hide among them."""
    found: list[Move] = []
    ids = [*(being.id for being in now.beings), *(thing.id for thing in now.things)]
    for _ in range(15):
        at = Square(chance.randrange(12), chance.randrange(10))
        found.append(Go(actor=mover.id, to=at, fly=chance.random() < 0.3, run=chance.random() < 0.2))
        found.append(
            Attack(
                actor=mover.id, action=chance.choice((Action.BATTLE, Action.SHOOT)), target=chance.choice(ids)
            )
        )
        slug = chance.choice(mover.powers)
        found.append(
            UsePower(
                actor=mover.id,
                power=slug,
                squares=chance.choice(((), (at,))),
                targets=chance.choice(((), (chance.choice(ids),))),
                words="a word",
            )
        )
        found.append(Steer(actor=mover.id, what=chance.choice(ids), to=at))
    return found
