"""The opening position of a game."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.ground import settled
from services.rules.systems.forgeborn.play.setup.document import MOST, Rival, Setup, seats
from services.rules.systems.forgeborn.play.setup.problems import setup_problems
from services.rules.systems.forgeborn.play.state import Game, Ground, Phase, Smith, Turn
from services.rules.systems.forgeborn.pools import DiceCount
from services.rules.systems.forgeborn.realm import CITADEL_ID

COLORS = ("#b3412b", "#2f6690", "#3f7d3a", "#7a4c93")
"""Of the players' pieces, in seat order."""

RIVAL_DICE = (
    DiceCount(d4=3, d12=5),
    DiceCount(d4=6, d8=3, d12=2),
    DiceCount(d8=2, d10=2, d12=3),
)
"""Dice of rivals that the game master does not spell out."""


def begin(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Game | Problems:
    """The opening position, or every rule the setup breaks (A1 to A3, A7)."""
    problems = tuple(setup_problems(setup, cast))
    if problems:
        return Problems(problems)
    ground = Ground(
        title=setup.realm_title,
        width=setup.width,
        height=setup.height,
        rules=setup.realm,
        dice=setup.drop,
        on_map=setup.on_map,
    )
    smiths = _seated(setup, cast, catalog)
    if setup.drop:
        ground = settled(
            ground,
            catalog,
            spent=setup.spent,
            powers={one.place: one.power for one in setup.powers},
            names={one.place: one.name for one in setup.names},
        )
        smiths = tuple(replace(smith, place=CITADEL_ID) for smith in smiths)
    first = setup.first or smiths[0].id
    return Game(
        title=setup.title.strip(),
        phase=Phase.PLAY if setup.drop else Phase.MAP,
        settings=setup.settings,
        ground=ground,
        smiths=smiths,
        first=first,
        turn=Turn(number=1, round=1, smith=first),
    )


def _seated(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> tuple[Smith, ...]:
    rivals = list(setup.rivals[: MOST - len(cast)])
    taken = {member.sheet.name for member in cast} | {rival.name for rival in rivals}
    free = (name for name in catalog.words.names if name not in taken)
    for place in range(seats(setup, len(cast)) - len(cast) - len(rivals)):
        dice = RIVAL_DICE[place % len(RIVAL_DICE)]
        if dice.faces() > setup.settings.budget:
            dice = DiceCount(d4=setup.settings.budget // 4)
        rivals.append(Rival(name=next(free), dice=dice, description="A rival of the house"))
    smiths = [
        Smith(
            id=member.id,
            name=member.sheet.name,
            description=member.sheet.description,
            character=True,
            color=COLORS[place],
            dice=member.sheet.dice,
        )
        for place, member in enumerate(cast)
    ]
    smiths += [
        Smith(
            id=f"rival-{number}",
            name=rival.name,
            description=rival.description,
            character=False,
            color=COLORS[len(cast) + number - 1],
            dice=rival.dice,
        )
        for number, rival in enumerate(rivals, 1)
    ]
    return tuple(smiths)
