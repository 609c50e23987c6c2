"""What is told of setups before one is chosen is what their beginning then asks for."""

from itertools import cycle, islice

import pytest

from services.rules.engine.campaign import with_campaigns
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.setups import MOST_CAST, NamedSetup, TellsSetups, named_setups
from services.rules.engine.system import AnySystem

GAMES = with_campaigns(systems())
SETUPS = [
    pytest.param(game, each, id=f"{slug}-{each.key}")
    for slug, game in GAMES.items()
    if game.play is not None
    for each in named_setups(game.play)
]


def begins(game: AnySystem, setup: NamedSetup, count: int, *, alike: bool = False) -> bool:
    """Whether so many of the game's examples begin a setup; one and the same each time where `alike`."""
    assert game.play is not None
    sheets = [game.build(choices, game.content) for choices in game.examples.values()]
    cast = [
        CastMember(id=f"chr-{number}", sheet=sheet)
        for number, sheet in enumerate(islice(cycle(sheets[:1] if alike else sheets), count))
    ]
    return not isinstance(game.play.begin(game.play.setups[setup.key], tuple(cast)), Problems)


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_people_are_told_what_a_setup_is_about(game: AnySystem, setup: NamedSetup) -> None:
    assert isinstance(game.play, TellsSetups)
    assert game.play.setup_texts.keys() == game.play.setups.keys()
    assert setup.title == game.play.setups[setup.key].title
    assert setup.text.endswith(".")


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_a_party_of_the_size_that_is_told_begins_and_no_other(game: AnySystem, setup: NamedSetup) -> None:
    party = setup.party
    assert begins(game, setup, party.fewest)
    assert begins(game, setup, party.most if party.most < MOST_CAST else len(game.examples))
    if party.fewest:
        assert not begins(game, setup, party.fewest - 1)
    if party.most < MOST_CAST:
        assert not begins(game, setup, party.most + 1)


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_whatever_must_differ_is_told(game: AnySystem, setup: NamedSetup) -> None:
    assert begins(game, setup, 2, alike=True) is not bool(setup.party.different)
    choices = next(iter(game.examples.values()))
    assert all(hasattr(choices, name) for name in setup.party.different)
