"""The game master uncovers and covers squares of a place under fog while a scene is played there."""

from typing import Any

import pytest

from services.rules.engine.ground import fog
from services.rules.engine.ground.explored import Explored
from services.rules.engine.ground.fog_by_hand import MOST_OFFERED, changing, offered
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import map_now
from services.rules.engine.offers import filled
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.registry import systems
from services.rules.systems.dungeonteller.play.setup.document import Setup
from services.rules.systems.forge_engine.play.scene import PLAY as FORGE
from tests.rules.test_scene_fog import BEYOND, FAR, ONE, cellar, high, site

GAME = systems()["dungeonteller"]
TELLER: Any = GAME.play
HERO = "chr-wizard"
ROOM = Ground.drawn("....", "....", "....")


def told_in_dungeonteller(*, shared: bool = True) -> tuple[Any, Position, str]:
    """A scene of one hero in the cellar."""
    laid = TELLER.laid_out(Setup(title="The cellar"), site(shared=shared))
    hero = CastMember(id=HERO, sheet=GAME.build(GAME.examples["wizard"], GAME.content))
    return TELLER, Position(TELLER, TELLER.begin(laid, (hero,))), HERO


def told_in_forge_engine(*, shared: bool = True) -> tuple[Any, Position, str]:
    """A fight of two there."""
    fight = cellar("gunslinger", at={ONE: FAR}, fog=True, shared=shared)
    return FORGE, Position(FORGE, fight), ONE


GAMES = pytest.mark.parametrize("begun", [told_in_dungeonteller, told_in_forge_engine])


def explored(play: Any, at: Position) -> Explored:
    """What the map is told to be known."""
    told = map_now(play, at.state)
    assert told is not None and told.explored is not None
    return told.explored


def change(play: Any, at: Position, *squares: Square, known: bool) -> Taken | Problems:
    """The change of the fog, as a client sends it."""
    form = {"kind": "ChangeFog", "actor": GM, "known": known}
    form["squares"] = [{"x": square.x, "y": square.y} for square in squares]
    return at.take(play.move_codec.read(form), 1, high)


def bit(square: Square) -> int:
    return 1 << (square.y * 10 + square.x)


@GAMES
def test_what_is_uncovered_is_known_to_all_and_can_be_covered_again(begun: Any) -> None:
    play, at, hero = begun()
    before = explored(play, at)
    assert not before.known([hero]) & bit(BEYOND)
    shown = change(play, at, BEYOND, Square(7, 3), known=True)
    assert isinstance(shown, Taken)
    after = explored(play, shown.position)
    assert after.known([]) == before.known([]) | bit(BEYOND) | bit(Square(7, 3))
    (changed,) = [each.event for each in shown.happened]
    seen = play.sees(changed, Viewer(actors=frozenset({hero})))
    assert seen.squares == (Square(7, 3), BEYOND) and play.tell(at.state, seen)
    hidden = change(play, shown.position, BEYOND, known=False)
    assert isinstance(hidden, Taken)
    assert explored(play, hidden.position).known([hero]) == after.known([hero]) & ~bit(BEYOND)


@GAMES
def test_what_the_heroes_see_stays_known(begun: Any) -> None:
    play, at, hero = begun()
    standing = Square(1, 1)
    assert explored(play, at).known([hero]) & bit(standing)
    covered = change(play, at, standing, known=False)
    assert isinstance(covered, Taken) and explored(play, covered.position) == explored(play, at)


@GAMES
def test_what_one_player_alone_knew_is_covered_without_a_word_to_others(begun: Any) -> None:
    play, at, hero = begun(shared=False)
    shown = change(play, at, BEYOND, known=True)
    assert isinstance(shown, Taken) and explored(play, shown.position).known([]) & bit(BEYOND)
    hidden = change(play, shown.position, BEYOND, known=False)
    assert isinstance(hidden, Taken) and not explored(play, hidden.position).known([hero]) & bit(BEYOND)
    assert [play.sees(each.event, Viewer()) for each in hidden.happened] == [None]


@GAMES
@pytest.mark.parametrize(
    ("squares", "known", "code"),
    [
        ((Square(1, 1),), True, "fog_stands_so"),
        ((BEYOND,), False, "fog_stands_so"),
        ((), True, "fog_stands_so"),
        ((Square(10, 0),), True, "square_unknown"),
    ],
)
def test_what_changes_nothing_is_refused(
    begun: Any, squares: tuple[Square, ...], known: bool, code: str
) -> None:
    play, at, _ = begun()
    refused = change(play, at, *squares, known=known)
    assert isinstance(refused, Problems) and refused.codes == (code,)


@GAMES
def test_players_neither_change_the_fog_nor_are_offered_it(begun: Any) -> None:
    play, at, hero = begun()
    form = {"kind": "ChangeFog", "actor": hero, "known": True, "squares": [{"x": 8, "y": 3}]}
    refused = at.take(play.move_codec.read(form), 1, high)
    assert isinstance(refused, Problems) and refused.codes == ("not_yours",)
    offers = at.legal(hero, Viewer(actors=frozenset({hero})))
    assert not [offer for offer in offers if offer.id.startswith("fog:")]


@GAMES
@pytest.mark.parametrize("name", ["fog:uncover", "fog:cover"])
def test_the_game_master_is_offered_both(begun: Any, name: str) -> None:
    play, at, _ = begun()
    (offer,) = [each for each in at.legal(GM, Viewer(gm=True)) if each.id == name]
    (field,) = offer.fields
    for square in (field.squares[0], field.squares[-1]):
        form = filled(offer, {"squares": [{"x": square.x, "y": square.y}]})
        assert isinstance(at.take(play.move_codec.read(form), 1, high), Taken)


def test_without_fog_nothing_is_offered_and_a_change_is_refused() -> None:
    assert list(offered(None, ROOM)) == []
    found = changing(None, ROOM, (Square(0, 0),), known=True)
    assert isinstance(found, RuleProblem) and found.code == "no_fog"


def test_squares_are_offered_along_the_rim_of_what_is_known() -> None:
    # Of 4 by 3 cells, the left column is known.
    left = sum(1 << 4 * y for y in range(3))
    told = dict(offered(Explored(cells=fog.written(left)), ROOM))
    assert told[True] == tuple(Square(1, y) for y in range(3))
    assert told[False] == tuple(Square(0, y) for y in range(3))
    everything = dict(offered(Explored(cells=fog.written((1 << 12) - 1)), ROOM))
    assert set(everything) == {False} and len(everything[False]) == 12
    wide = Ground.drawn(*("." * 200 for _ in range(200)))
    assert len(dict(offered(Explored(), wide))[True]) == MOST_OFFERED
