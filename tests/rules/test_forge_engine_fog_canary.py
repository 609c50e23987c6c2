"""Canaries of Forge Engine: what lies behind a secret door is in no answer to those who fight before it."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from services.rules.engine.driver import thrower
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.sampling import complete
from services.rules.systems.forge_engine.play.moves import Attack, BeginFight, Walk
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.setup import Foes, Setup, adversary
from services.rules.systems.forge_engine.play.state import Fight
from tests.at_length import part_or_whole
from tests.rules.test_play_conformance import stream
from tests.rules.test_scene_canaries import VAULT, WATCHER, answers, dungeon, marked, told

MOVES = 60
HEROES = ("chr-fire-caller", "chr-gunslinger")
MASTER = Viewer(gm=True)
LEAVING = ("flee", "yield")
"""Offers that end the fight."""


def before_the_vault() -> Fight:
    """Two heroes in the hall, and marked guards in the vault, one of whom hides."""
    forge = systems()["forge_engine"]
    guards = (
        Foes(adversary=adversary("f6-grunt"), name="Canary guard"),
        Foes(adversary=adversary("f6-striker"), name="Canary lurker", hidden=True),
    )
    laid = PLAY.laid_out(Setup(title="The delve", foes=guards), dungeon())
    assert isinstance(laid, Setup)
    cast = tuple(
        CastMember(id=hero, sheet=forge.build(forge.examples[hero.removeprefix("chr-")], forge.content))
        for hero in HEROES
    )
    fight = PLAY.begin(laid, cast)
    assert isinstance(fight, Fight), fight
    assert {one.at for one in fight.combatants if not one.character} <= VAULT
    return fight


def fought(seed: int) -> Iterator[tuple[Position, Taken | None]]:
    """A fight in which heroes do at random what they are offered, and guards pass."""
    chance, dice = Random(seed), thrower(stream("forge canary", seed))
    at = Position(PLAY, before_the_vault())
    begun = at.take(BeginFight(actor=GM), 1, dice)
    assert not isinstance(begun, Problems)
    at = begun.position
    yield at, begun
    for number in range(2, MOVES):
        if PLAY.outcome(at.state).ended:
            return
        whose = at.asks[0].actor if at.asks else PLAY.card(at.state).waiting_for[0]
        if whose in HEROES:
            offers = [
                one for one in at.legal(whose, Viewer(actors=frozenset({whose}))) if one.id not in LEAVING
            ]
            move = PLAY.move_codec.read(complete(chance.choice(offers), chance.randrange))
        elif at.asks:
            move = PLAY.reply(at.state, at.asks[0])
        else:
            (passing,) = (one for one in at.legal(whose, MASTER) if one.id == "pass")
            move = PLAY.move_codec.read(complete(passing, chance.randrange))
        made = at.take(move, number, dice)
        assert not isinstance(made, Problems), f"{move} was offered and refused: {made}"
        at = made.position
        yield at, made


def probes(chance: Random, hero: str) -> Iterator[Any]:
    """Moves that feel for what is in the vault."""
    yield Walk(actor=hero, to=chance.choice(sorted(VAULT)))
    weapon = next(iter(before_the_vault().find(hero).profile.weapons)).id
    yield Attack(actor=hero, weapon=weapon, target=chance.choice(("foe-1", "foe-2", "nobody")))


@pytest.mark.parametrize("seed", range(part_or_whole(1, 4)))
def test_nothing_of_a_vault_behind_a_secret_door_is_in_any_answer(seed: int) -> None:
    chance, looked_through = Random(seed), Counter[str]()
    for at, made in fought(seed):
        for viewer in (WATCHER, *(Viewer(actors=frozenset({hero})) for hero in HEROES)):
            found = list(answers(PLAY, at, viewer))
            if made is not None:
                found += told(PLAY, made, viewer)
            for hero in sorted(viewer.actors):
                for move in probes(chance, hero):
                    refused = at.refusal(move, viewer) or ()
                    found.append(("refusal", [(one.code, one.message) for one in refused]))
                    found.append(("allowed", [repr(one.allowed) for one in refused]))
            for kind, document in found:
                looked_through[kind] += 1
                assert not marked(document), f"{kind} for {sorted(viewer.actors)}: {marked(document)}"
    # Four such fights make ten thousand answers.
    assert sum(looked_through.values()) >= 2_500, looked_through
    assert set(looked_through) >= {"state", "card", "actor", "offers", "event", "sentence", "refusal"}


def test_the_game_master_is_told_all_of_it() -> None:
    document = PLAY.state_codec.dump(Position(PLAY, before_the_vault()).view(MASTER))
    assert marked(document)
