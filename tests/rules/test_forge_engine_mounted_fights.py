"""Random fights of Forge Engine with mounts and vehicles: those who share a place do, and nothing crashes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from services.rules.engine.bots import RANDOM, bots_of
from services.rules.engine.driver import Made, make, state_hash, thrower
from services.rules.engine.ground.squares import Square
from services.rules.engine.matches import chooser, named_stream
from services.rules.engine.play import GM, Viewer
from services.rules.engine.sampling import complete
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.choices import SkillRating
from services.rules.systems.forge_engine.play.effects import ABOARD, CARRIED, DRIVING, MOUNTED
from services.rules.systems.forge_engine.play.facts import EffectBegan, EffectEnded
from services.rules.systems.forge_engine.play.moves import BeginFight
from services.rules.systems.forge_engine.play.rules.bonuses import martial
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Field, Foes, HeroStart, Setup, Vehicle
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight, Gone
from services.rules.systems.forge_engine.pools.attack_given import Cover
from tests.rules.test_forge_engine_mixed_fights import drawn

BLOCKS = own_catalog().adversaries.ids
MOVES = 70
SEEDS = (0, 1, 2, 3, 4, 7)


def block(seed: int, number: int) -> str:
    return BLOCKS[(7 * seed + 11 * number) % len(BLOCKS)]


def at(*places: tuple[int, int]) -> tuple[Square, ...]:
    return tuple(Square(x, y) for x, y in places)


@cache
def opening(seed: int) -> Fight:
    """Two characters with horses and a wagon against riders, one of whom hides with its horse."""
    foes = (
        Foes(adversary=block(seed, 0), name="Horse", side=HEROES, mount=True, count=2, at=at((2, 1), (2, 7))),
        Foes(adversary=block(seed, 1), name="Rider", count=2, at=at((9, 2), (9, 6))),
        Foes(adversary=block(seed, 2), name="Steed", mount=True, count=2, at=at((8, 2), (8, 6))),
        Foes(adversary=block(seed, 3), name="Lurker", hidden=True, at=at((7, 4))),
        Foes(adversary=block(seed, 4), name="Lurker", hidden=True, mount=True, at=at((7, 3))),
    )
    wagons = (
        Vehicle(name="Wagon", health=4, pd=1, speed=30, cover=Cover.PARTIAL, at=Square(1, 4)),
        Vehicle(name="Cart", health=4, pd=1, speed=40, size=1, side=FOES, at=Square(9, 4)),
    )
    field = Field(width=11, height=9, difficult=tuple(Square(5, y) for y in range(3, 6)))
    heroes = tuple(HeroStart(character=f"chr-{n}", at=Square(1, 2 + 4 * n)) for n in range(2))
    setup = Setup(
        title="Riders",
        foes=foes,
        heroes=heroes,
        vehicles=wagons,
        spread=15,
        field=field if seed % 2 else None,
    )
    state = PLAY.begin(setup, tuple(drawn(seed, number) for number in range(2)))
    assert isinstance(state, Fight), str(state)
    skill = SkillRating(skill=martial("mounted-combat"), rating=2)
    riders = tuple(
        replace(one, profile=replace(one.profile, skills=(*one.profile.skills, skill)))
        for one in state.combatants
    )
    return replace(state, combatants=riders)


class Played:
    """A fight as it goes on: any move that is offered, the strong bot's, or one of riding."""

    def __init__(self, seed: int) -> None:
        self.state: Any = opening(seed)
        self._choose = chooser(named_stream("mounted-choices", seed))
        self._throw = thrower(named_stream("mounted-dice", seed))
        self._bots = {bot.id: bot for bot in bots_of(PLAY)}
        self.made: list[tuple[Fight, Made]] = []

    def play(self) -> None:
        for one in self.state.combatants:
            self._ride(one.id)
        self._make(BeginFight(actor=GM), self._bots["strong"])
        for number in range(MOVES):
            if PLAY.outcome(self.state).ended:
                return
            waiting = PLAY.card(self.state).waiting_for
            if number % 3 == 0 and any(self._ride(who) for who in waiting):
                continue
            bot = self._bots[RANDOM if number % 2 else "strong"]
            moves = (bot.move(self.state, who, self._choose) for who in waiting if who != GM)
            move = next((each for each in moves if each is not None), None)
            if move is None:
                return
            self._make(move, bot)

    def _ride(self, who: str) -> bool:
        """The first offer to get on or off, or to move on."""
        for offer in PLAY.legal(self.state, who):
            if offer.id.startswith(("mount:", "dismount", "move")):
                filled = complete(offer, self._choose)
                self._make(PLAY.move_codec.read(filled), self._bots["strong"])
                return True
        return False

    def _make(self, move: Any, bot: Any) -> None:
        def answer(now: Any, ask: Ask) -> Any:
            return bot.reply(PLAY, now, ask, self._choose)

        made = make(PLAY, self.state, move, self._throw, answer)
        assert isinstance(made, Made), f"{move}: {made}"
        self.made.append((self.state, made))
        self.state = made.state


@cache
def played(seed: int) -> Played:
    found = Played(seed)
    found.play()
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_who_is_carried_is_where_its_mount_or_vehicle_is(seed: int) -> None:
    """After each move: places are shared, no other body stands in another's, and none is carried twice."""
    for _, made in played(seed).made:
        state = made.state
        carried = [each for each in state.effects if each.kind in CARRIED and each.source]
        assert len({each.bearer for each in carried}) == len(carried)
        for effect in carried:
            one, carrier = state.find(effect.bearer), state.find(effect.source)
            assert (one.at, one.altitude, one.size) == (carrier.at, carrier.altitude, carrier.size)
            assert one.gone is carrier.gone
            assert carrier.vehicle is (effect.kind != MOUNTED)
            assert one.up or carrier.vehicle or one.gone is Gone.FLED
        on_foot = {one.id for one in state.combatants} - {each.bearer for each in carried}
        assert all(state.find(who).seat == 0 for who in on_foot)
        for kind in (MOUNTED, DRIVING):
            guided = [each.source for each in carried if each.kind == kind]
            assert len(set(guided)) == len(guided)
        assert all(one.health >= 0 for one in state.combatants if one.vehicle)
        assert not {one.id for one in state.combatants if one.vehicle} & set(state.rounds.order)


@pytest.mark.parametrize("seed", SEEDS)
def test_facts_fold_again_to_the_same_hash(seed: int) -> None:
    state: Any = opening(seed)
    for _, made in played(seed).made:
        for event in made.events:
            state = PLAY.evolve(state, PLAY.event_codec.load(PLAY.event_codec.dump(event)))
    assert state_hash(PLAY, state) == state_hash(PLAY, played(seed).state)


@pytest.mark.parametrize("seed", SEEDS)
def test_players_learn_nothing_of_riders_who_hide(seed: int) -> None:
    viewer = Viewer(actors=frozenset({"chr-0"}))
    for before, made in played(seed).made:
        hidden = {one.id for one in made.state.combatants if one.secret}
        hidden &= {one.id for one in before.combatants if one.secret}
        seen = [repr(PLAY.view(made.state, viewer)), repr(PLAY.card(PLAY.view(made.state, viewer)))]
        seen += [repr(PLAY.sees(event, viewer)) for event in made.events]
        seen += [repr(offer) for offer in PLAY.legal(made.state, "chr-0")]
        assert [who for who in hidden if any(f"'{who}'" in text for text in seen)] == []


def test_the_fights_are_ridden_and_driven() -> None:
    """Every kind of riding begins and ends in some of these fights, and mounts and vehicles are moved."""
    facts = [event for seed in SEEDS for _, made in played(seed).made for event in made.events]
    effects = [event.effect for event in facts if isinstance(event, EffectBegan)]
    begun = {effect.kind for effect in effects if effect.source}
    assert begun >= {MOUNTED, DRIVING, ABOARD}
    assert {event.what for event in facts if isinstance(event, EffectEnded)} & {MOUNTED, DRIVING, ABOARD}
