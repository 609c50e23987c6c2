"""Set-ups by chance that have an exact answer, and whether the sampler's interval holds it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

from infra.benchmarks.harness.cases import BenchFailure
from infra.simulator.question import plan_of
from services.rules.engine.forms import spelled
from services.rules.engine.matches import chooser, moves_of, named_stream
from services.rules.engine.registry import systems
from services.rules.engine.simulation.estimates import estimate, mean_of
from services.rules.engine.simulation.exact import exact_answer
from services.rules.engine.simulation.figures import figures_of, is_share
from services.rules.engine.simulation.request import Member, Opening, SimulationRequest
from services.rules.engine.simulation.run import Runner
from services.rules.engine.simulation.tally import CaseTally
from services.rules.engine.spelling import PUBLISHED
from services.rules.systems.dwarf_dice.play.moves import Challenge

Z_99 = 2.5758293035489004
"""Standard deviations on either side that hold 99 % of a normal distribution."""

MONSTERS = ("goblin", "orc", "skeleton", "wolf")
HEROES = ("dwarf", "elf", "paladin", "rogue", "wizard")
LEAST_MOVES, MOST_MOVES = 6, 14
SURE = 0.95
"""A figure that has one value more often than this tests nothing in so few runs."""


def questions(seed: str, number: int) -> Iterator[SimulationRequest]:
    """Yield questions by chance that have exact answers: of four, three duels and a combat of Dwarf Dice.

    Args:
        seed: What chance is derived from.
        number: How many.
    """
    chance, combats, place = Random(seed), _combats(seed), 0
    while place < number:
        question = next(combats) if place % 4 == 3 else _duel(chance, f"{seed} {place}")
        if exact_answer(plan_of(question)) is not None:
            yield question
            place += 1


def _duel(chance: Random, seed: str) -> SimulationRequest:
    play = systems()["dungeonteller"].play
    assert play is not None
    form: Any = spelled(play.setup_codec.type, play.setups["orc-ambush"], PUBLISHED, properties=False)
    (foe, *_) = form["creatures"]
    monster = f"dungeonteller:monster/{chance.choice(MONSTERS)}"
    at = {"x": chance.randrange(2, 6), "y": chance.randrange(3)}
    setup = {
        **form,
        "title": "A duel",
        "place": {**form["place"], "width": 6, "height": 3},
        "creatures": [{**foe, "monster": monster, "count": 1, "at": [at]}],
    }
    return SimulationRequest(
        system="dungeonteller",
        scenes=(Opening(setup=setup),),
        cast=(Member(id="hero", example=chance.choice(HEROES)),),
        most_moves=chance.randrange(LEAST_MOVES, MOST_MOVES + 1),
        seed=seed,
    )


def _combats(seed: str) -> Iterator[SimulationRequest]:
    """Yield positions of games in which a combat is about to be fought, with a single move to be made."""
    game = systems()["dwarf_dice"]
    play, champions, chance = game.play, list(game.examples), Random(f"{seed} champions")
    assert play is not None
    for number in count():
        cast = tuple(Member(id=name, example=name) for name in chance.sample(champions, 2))
        opening = Opening(setup_name="feud")
        question = SimulationRequest(system="dwarf_dice", scenes=(opening,), cast=cast, most_moves=1)
        state = plan_of(question).cases[0].scenes[0].opening
        name = (seed, number)
        for place, (_, made) in enumerate(
            moves_of(
                play,
                state,
                lambda _state, _actor: None,
                faces=named_stream(*name, "dice"),
                choose=chooser(named_stream(*name, "choices")),
            )
        ):
            if isinstance(made.move, Challenge):
                position = Opening(state=play.state_codec.dump(made.happened[0].before))
                yield replace(question, scenes=(position,), cast=(), seed=f"{name} {place}")


def held(request: SimulationRequest, runs: int) -> bool | None:
    """Return whether the sampler's 99 % interval of a figure holds its exact value.

    The figure is picked by chance from those that differ from run to run; None where all but never do.

    Args:
        request: A question with an exact answer.
        runs: How many runs the sampler plays.

    Raises:
        BenchFailure: The question has no exact answer.
    """
    plan = plan_of(replace(request, runs=runs))
    exact = exact_answer(plan)
    if exact is None:
        raise BenchFailure(f"there is no exact answer to {request}")
    unsure = [name for name, chances in exact[0].items() if max(chances.values()) <= SURE]
    if not unsure:
        return None
    name = Random(request.seed).choice(unsure)
    tally, runner = CaseTally(), Runner(plan, plan.cases[0])
    for number in range(runs):
        tally.add(runner.run(number), None)
    found = estimate(tally.values[name], share=is_share(name, figures_of(plan.play)), z=Z_99)
    return found.low <= float(mean_of(exact[0][name])) <= found.high
