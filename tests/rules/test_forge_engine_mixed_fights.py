"""Random fights of mixed parties of Forge Engine: every species and era, casters, hidden namesakes.

Half of all moves and answers are any that is offered, the other half the strong bot's. The seeds are few, so
that they take seconds; any other seed must do as well.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from hashlib import shake_256
from typing import Any

import pytest

from services.rules.dice.stream import ByteStream
from services.rules.engine.bots import RANDOM, bots_of
from services.rules.engine.driver import Made, make, state_hash, thrower
from services.rules.engine.ground.squares import Square
from services.rules.engine.matches import chooser, named_stream
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.choices import SkillRating
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Field, Foes, Setup
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.profile import Profile
from services.rules.systems.forge_engine.random import drawn_character

CATALOG = own_catalog()
SPECIES = tuple(each.id for each in CATALOG.traits if each.species is not None)
POWERS = (*CATALOG.martial.ids, *CATALOG.spells.ids)
BLOCKS = CATALOG.adversaries.ids
MOVES = 60
MOST_ANSWERS = 120
"""Answers within one move; reactions to reactions end long before."""
SEEDS = (0, 1, 2, 3, 5, 17)


def drawn(seed: int, number: int) -> CastMember:
    """A character drawn by chance."""
    block = iter(range(2**16))
    stream = ByteStream(lambda count: shake_256(f"{seed}:{number}:{next(block)}".encode()).digest(count))
    concept = CATALOG.concepts.ids[(5 * seed + number) % len(CATALOG.concepts.ids)]
    choices = drawn_character(stream, CATALOG, None, concept)
    return CastMember(id=f"chr-{number}", sheet=SYSTEM.build(choices, SYSTEM.content))


@cache
def opening(seed: int) -> Fight:
    """Three characters against four adversaries, two of them hidden namesakes of one in the open."""
    blocks = [BLOCKS[(7 * seed + 11 * number) % len(BLOCKS)] for number in range(3)]
    foes = (
        Foes(adversary=blocks[0], name="Stranger"),
        Foes(adversary=blocks[1], name="Stranger", hidden=True, count=2),
        Foes(adversary=blocks[2], name="Guard"),
    )
    field = Field(
        width=9, height=7, difficult=tuple(Square(4, y) for y in range(2, 5)), solid=(Square(5, 0),)
    )
    setup = Setup(title="A mixed fight", foes=foes, spread=15, field=field if seed % 2 else None)
    state = PLAY.begin(setup, tuple(drawn(seed, number) for number in range(3)))
    assert isinstance(state, Fight), str(state)
    people = (gifted(one, seed, number) for number, one in enumerate(state.combatants))
    return replace(state, combatants=tuple(people))


def gifted(one: Combatant, seed: int, number: int) -> Combatant:
    """A combatant with a species and some powers beside its own, so that all of them meet in time."""
    first = 17 * (7 * seed + number)
    powers = tuple(POWERS[(first + 5 * step) % len(POWERS)] for step in range(5))
    species = SPECIES[(3 * seed + number) % len(SPECIES)]
    body = CATALOG.traits[species].species
    assert body is not None
    profile: Profile = replace(
        one.profile,
        traits=(*one.profile.traits, *body.includes),
        skills=(*one.profile.skills, *(SkillRating(skill=power, rating=2) for power in powers)),
    )
    return replace(one, profile=profile)


class Played:
    """A fight as it goes on, and how often each combatant answered within a move."""

    def __init__(self, seed: int) -> None:
        self.state: Any = opening(seed)
        self._choose = chooser(named_stream("mixed-choices", seed))
        self._throw = thrower(named_stream("mixed-dice", seed))
        self._bots = {bot.id: bot for bot in bots_of(PLAY)}
        self.made: list[tuple[Fight, Made]] = []
        self.answers: list[int] = []

    def play(self) -> None:
        """Plays until the fight ends, or some moves long."""
        for number in range(MOVES):
            if PLAY.outcome(self.state).ended:
                return
            self._move(self._bots[RANDOM if number % 2 else "strong"])

    def _move(self, bot: Any) -> None:
        waiting = PLAY.card(self.state).waiting_for
        moves = (bot.move(self.state, who, self._choose) for who in waiting if who != GM)
        move = PLAY.bot(self.state, GM) or next((each for each in moves if each is not None), None)
        assert move is not None
        asked = 0

        def answer(now: Any, ask: Ask) -> Any:
            nonlocal asked
            asked += 1
            return bot.reply(PLAY, now, ask, self._choose)

        made = make(PLAY, self.state, move, self._throw, answer)
        assert isinstance(made, Made), f"{move}: {made}"
        self.answers.append(asked)
        self.made.append((self.state, made))
        self.state = made.state


@cache
def played(seed: int) -> Played:
    found = Played(seed)
    found.play()
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_crashes_and_reactions_come_to_an_end(seed: int) -> None:
    found = played(seed)
    assert len(found.made) > 5
    assert max(found.answers) <= MOST_ANSWERS


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_and_health_stay_within_bounds(seed: int) -> None:
    for _, made in played(seed).made:
        for one in made.state.combatants:
            most = one.profile
            assert -most.health <= one.health <= most.health
            assert 0 <= one.expended <= most.energy
            assert 0 <= one.energy <= most.energy - one.expended
            assert all(bonus.amount > 0 for bonus in one.bonus)
            assert one.life is not Life.DEAD or one.health == -most.health
            assert one.altitude >= 0
        ids = Counter(effect.id for effect in made.state.effects)
        assert not ids or max(ids.values()) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_facts_fold_again_to_the_same_hash(seed: int) -> None:
    state: Any = opening(seed)
    for _, made in played(seed).made:
        for event in made.events:
            state = PLAY.evolve(state, PLAY.event_codec.load(PLAY.event_codec.dump(event)))
    assert state_hash(PLAY, state) == state_hash(PLAY, played(seed).state)


@pytest.mark.parametrize("seed", SEEDS)
def test_hidden_namesakes_stay_hidden_from_players(seed: int) -> None:
    """Neither views nor facts nor offers that a player sees name who hides, by id."""
    hero = next(one.id for one in opening(seed).combatants if one.character)
    viewer = Viewer(actors=frozenset({hero}))
    for before, made in played(seed).made:
        hidden = {one.id for one in made.state.combatants if one.secret}
        hidden &= {one.id for one in before.combatants if one.secret}
        if not hidden:
            continue
        seen = [repr(PLAY.view(made.state, viewer)), repr(PLAY.card(PLAY.view(made.state, viewer)))]
        seen += [
            repr(each) for each in (PLAY.sees(event, viewer) for event in made.events) if each is not None
        ]
        seen += [repr(offer) for offer in PLAY.legal(made.state, hero)]
        named = [who for who in hidden if any(f"'{who}'" in text for text in seen)]
        assert named == []
        open_ones = {one.name for one in PLAY.view(made.state, viewer).combatants}
        assert "Stranger" in open_ones or made.state.find("foe-1").gone is not None
