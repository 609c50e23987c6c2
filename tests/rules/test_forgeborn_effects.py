"""What lasts in Forgeborn: the Prince's favour and grants, and what content and one function at most add."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from services.rules.engine.bots import random_bot
from services.rules.engine.driver import Made, make, thrower
from services.rules.engine.effects import Duration, Effect, Until
from services.rules.engine.explain import Explained, Part
from services.rules.engine.matches import chooser, named_stream
from services.rules.engine.play import CastMember, Roll
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Step
from services.rules.engine.windows import Windows
from services.rules.systems.forgeborn import SYSTEM
from services.rules.systems.forgeborn import catalog as own
from services.rules.systems.forgeborn.build import build
from services.rules.systems.forgeborn.catalog import EffectKind, TableSettings, load_catalog
from services.rules.systems.forgeborn.choices import SmithChoices
from services.rules.systems.forgeborn.play.evolve import change_actor
from services.rules.systems.forgeborn.play.facts import EffectBegan, EffectEnded, Fought
from services.rules.systems.forgeborn.play.moves import (
    AskVault,
    BeseechPrince,
    CollectGrant,
    FaceDragon,
    Favour,
    Move,
    Pass,
    TakeFavour,
    Vote,
)
from services.rules.systems.forgeborn.play.rules.conflict import (
    ConflictLost,
    ConflictRolled,
    own_windows,
)
from services.rules.systems.forgeborn.play.rules.turns import GameTurn
from services.rules.systems.forgeborn.play.scene import ForgebornPlay
from services.rules.systems.forgeborn.play.setup import SETUPS
from services.rules.systems.forgeborn.play.state import Artifact, Game
from services.rules.systems.forgeborn.pools import DiceCount, DieSize

PLAY = ForgebornPlay(SYSTEM.content)
NEW = "forgeborn:effect/new"
D12 = DieSize.D12
DICE = DiceCount(d4=3, d12=5)

Adding = Callable[..., ForgebornPlay]


@pytest.fixture
def added(tmp_path: Path) -> Adding:
    """Play with one more effect: an entry of content, and what a function does in a window."""

    def make_play(entry: str, windows: Windows | None = None) -> ForgebornPlay:
        folder = tmp_path / "content"
        shutil.copytree(Path(own.__file__).parent / "content", folder)
        effects = folder / "effects.toml"
        effects.write_text(f'{effects.read_text()}\n[new]\nname = "new"\nrule = "House rules"\n{entry}\n')
        return ForgebornPlay(load_catalog(folder), windows)

    return make_play


def begun(play: ForgebornPlay = PLAY, **anna: object) -> Game:
    """Anna's turn, Ben beside her; what else is otherwise with Anna."""
    cast = tuple(
        CastMember(id=name, sheet=build(SmithChoices(name=name.capitalize(), dice=DICE), SYSTEM.content))
        for name in ("anna", "ben")
    )
    setup = replace(SETUPS["realm"], players=2, settings=TableSettings(artifact_approval=False))
    game = play.begin(setup, cast)
    assert isinstance(game, Game), str(game)
    return change_actor(game, "anna", **anna)


def laid(lasts: Duration | None = None, bearer: str = "anna") -> Effect:
    return Effect(id=f"new:{bearer}", kind=NEW, bearer=bearer, lasts=lasts or Duration())


def taken(
    play: ForgebornPlay,
    at: Game | Position,
    move: Move,
    faces: Mapping[str, Sequence[int]] | None = None,
) -> Taken:
    """A move or an answer that is made; rolls that no faces are given for show ones."""

    def throw(roll: Roll) -> tuple[int, ...]:
        return tuple((faces or {}).get(roll.id, (1,) * roll.dice.value))

    made = (at if isinstance(at, Position) else Position(play, at)).take(move, 1, throw)
    assert isinstance(made, Taken), str(made)
    return made


def conditions(play: ForgebornPlay, game: Game, who: str) -> tuple[str, ...]:
    """What the card of the scene says of a Smith."""
    (found,) = (one for one in play.card(game).actors if one.id == who)
    return found.conditions


def told(play: ForgebornPlay, made: Taken) -> list[str]:
    return [play.tell(each.before, each.event) for each in made.happened]


def artifact(name: str) -> Artifact:
    form, function = next(iter(own.Form)), next(iter(own.Function))
    dice = DiceCount(d4=2)
    return Artifact(id=name, name=name, form=form, function=function, dice=dice, power=2, maker="anna")


# The Prince


def test_the_prince_s_favour_lasts_and_a_grant_lasts_until_its_artifact_leaves_the_vault() -> None:
    game = replace(begun(place="city"), artifacts=(artifact("Bell"), artifact("Crown")))
    won = taken(PLAY, game, BeseechPrince(actor="anna", dice=(D12, D12, D12)), {"anna:d12": (12, 12, 12)})
    game = taken(PLAY, won.position.state, Pass(actor="ben")).position.state
    (favour,) = game.smith("anna").effects
    assert (favour.kind, favour.since, game.smith("anna").swayed_on) == (EffectKind.SWAYED, 1, 1)
    for name in ("Bell", "Crown"):
        grant = TakeFavour(actor="anna", favour=Favour.GRANT, artifact=name)
        game = taken(PLAY, game, grant).position.state
        game = taken(PLAY, game, Pass(actor="ben")).position.state
    assert conditions(PLAY, game, "anna")[-2:] == ("the Prince is on her side", "granted Bell and Crown")
    assert PLAY.state_codec.load(PLAY.state_codec.dump(game)) == game
    there = change_actor(game, "anna", place="citadel")
    collected = taken(PLAY, there, CollectGrant(actor="anna", artifact="Bell"))
    assert collected.position.state.smith("anna").grants == ("Crown",)
    assert conditions(PLAY, collected.position.state, "anna")[-1] == "granted Crown"
    game = change_actor(taken(PLAY, game, Pass(actor="anna")).position.state, "ben", place="citadel")
    asked = taken(PLAY, game, AskVault(actor="ben", artifact="Crown"))
    given = taken(PLAY, asked.position, Vote(actor="anna", agree=True))
    assert given.position.state.smith("anna").grants == ("Bell",)
    assert given.position.state.smith("anna").swayed_on == 1


# An effect that is data alone


def test_an_effect_changes_what_stands_against_her_by_its_content_alone(added: Adding) -> None:
    play = added("adds = { opposition = -3 }")
    plain, blessed = begun(play, place="lair"), begun(play, place="lair", effects=(laid(),))
    power = plain.ground.spot("lair").power
    assert power == 9
    for game, dice in ((plain, 9), (blessed, 6)):
        offer = next(one for one in play.legal(game, "anna") if one.id == "dragon")
        assert offer.odds == f"forgeborn:conflict(3d12, {dice})"
        made = taken(play, game, FaceDragon(actor="anna", dice=(D12, D12, D12)))
        (against,) = (roll for roll in made.rolls if roll.id == "opposition")
        assert against.dice.value == dice
    assert against.dice.text() == "6 = 9 (Power) - 3 (New)"
    assert conditions(play, blessed, "anna")[-1] == "new"


def test_an_effect_forbids_for_its_turns_by_its_content_alone(added: Adding) -> None:
    play = added('forbids = ["face_dragon", "journey"]')
    lasts = Duration(Until.TURNS, "anna", 2)
    game = begun(play, place="lair", effects=(laid(lasts),))
    for left in (2, 1):
        assert game.smith("anna").effects[0].lasts.left == left
        kinds = {offer.move["kind"] for offer in play.legal(game, "anna")}
        assert not kinds & {"FaceDragon", "Journey"} and "Pass" in kinds
        wrong = Position(play, game).enter(FaceDragon(actor="anna", dice=(D12,)), 1)
        assert isinstance(wrong, Problems) and wrong.codes == ("new",)
        for bot in (*play.bots, random_bot(play)):
            assert bot.move(game, "anna", lambda count: 0) == Pass(actor="anna")
        passed = taken(play, game, Pass(actor="anna"))
        game = taken(play, passed.position.state, Pass(actor="ben")).position.state
    assert EffectEnded(who="anna", effect="new:anna") in passed.events
    assert "Anna is no longer new." in told(play, passed)
    assert "FaceDragon" in {offer.move["kind"] for offer in play.legal(game, "anna")}
    theirs = begun(play, effects=(laid(lasts),))
    wrong = Position(play, theirs).enter(FaceDragon(actor="ben", dice=(D12,)), 1)
    assert isinstance(wrong, Problems) and wrong.codes == ("not_your_turn",)


@pytest.mark.parametrize(
    ("lasts", "turns"),
    [
        (Duration(Until.NEXT_TURN, "ben"), 1),
        (Duration(Until.NEXT_TURN, "anna"), 2),
        (Duration(Until.ROUNDS, "", 2), 4),
        (Duration(Until.TURNS, "anna", 1, fresh=True), 3),
        (Duration(), 8),
    ],
)
def test_an_effect_ends_with_its_time(added: Adding, lasts: Duration, turns: int) -> None:
    play = added("")
    game, passed = begun(play, effects=(laid(lasts),)), 0
    while game.smith("anna").effects and passed < 8:
        game = taken(play, game, Pass(actor=game.turn.smith)).position.state
        passed += 1
    assert passed == turns


@pytest.mark.parametrize(("what", "left"), [("lost", 0), ("won", 1), ("left_vault", 1)])
def test_an_effect_ends_at_once_by_what_its_content_names(added: Adding, what: str, left: int) -> None:
    play = added(f'ends = ["{what}"]')
    game = begun(play, place="lair", effects=(laid(),))
    made = taken(play, game, FaceDragon(actor="anna", dice=(D12,)))
    assert len(made.position.state.smith("anna").effects) == left


# An effect that is one function


def lucky(_turn: GameTurn, effect: Effect, rolled: ConflictRolled) -> ConflictRolled | None:
    """Ten points more for its bearer."""
    if rolled.attempt.who != effect.bearer:
        return None
    return replace(rolled, total=rolled.total + 10)


def test_an_effect_changes_a_roll_by_one_function(added: Adding) -> None:
    windows = own_windows()
    windows.acts(NEW, ConflictRolled, lucky)
    play = added("", windows)
    for game, won in (
        (begun(play, place="lair"), False),
        (begun(play, place="lair", effects=(laid(),)), True),
    ):
        made = taken(play, game, FaceDragon(actor="anna", dice=(D12, D12, D12)))
        (fought,) = (event for event in made.events if isinstance(event, Fought))
        assert (fought.won, fought.total) == (won, 13 if won else 3)
        assert [ask.id for ask in made.position.asks] == ([] if won else ["reward"])


def gloom(turn: GameTurn, effect: Effect, lost: ConflictLost) -> Step[None]:
    """A die falls before the reward of a loss: on a 1 the gloom is over, else it lies on Ben too."""
    if effect.bearer != lost.who:
        return
    one = Explained.of(Part(1, "Gloom", "House rules"))
    ((face,),) = yield from turn.roll(Roll(id="gloom", actor=lost.who, label="Gloom", dice=one))
    if face == 1:
        turn.happen(EffectEnded(who=lost.who, effect=effect.id))
    else:
        turn.happen(EffectBegan(who="ben", effect=laid(Duration(Until.NEXT_TURN, "anna"), "ben")))


@pytest.mark.parametrize(("face", "bearers"), [(1, []), (4, ["anna", "ben"])])
def test_an_effect_lets_dice_fall_ends_and_spreads(added: Adding, face: int, bearers: list[str]) -> None:
    windows = own_windows()
    windows.acts(NEW, ConflictLost, gloom)
    play = added("", windows)
    game = begun(play, place="lair", effects=(laid(),))
    made = taken(play, game, FaceDragon(actor="anna", dice=(D12,)), {"gloom": (face,)})
    assert [roll.id for roll in made.rolls] == ["anna:d12", "opposition", "gloom"]
    assert [ask.id for ask in made.position.asks] == ["reward"]
    state = made.position.state
    assert [one.id for one in state.smiths if one.effects] == bearers
    assert told(play, made)[-1] == ("Anna is no longer new." if face == 1 else "Ben is new.")


def test_bots_play_a_game_with_new_effects_to_its_end(added: Adding) -> None:
    windows = own_windows()
    windows.acts(NEW, ConflictRolled, lucky)
    windows.acts(NEW, ConflictLost, gloom)
    play = added('adds = { opposition = 1 }\nforbids = ["commune"]', windows)
    game = begun(play, effects=(laid(Duration(Until.ROUNDS, "", 5)),))
    state = replace(game, settings=replace(game.settings, round_limit=12))
    throw, choose = thrower(named_stream("new effects")), chooser(named_stream("choices"))
    random, strong = random_bot(play), play.bots[-1]
    for number in range(400):
        bot = (random, strong)[number % 2]
        move = bot.move(state, state.turn.smith, choose)
        made = make(
            play,
            state,
            move,
            throw,
            lambda now, ask, by=bot: by.answer(now, ask, choose),  # type: ignore[misc]
        )
        assert isinstance(made, Made), str(made)
        state = made.state
        if play.outcome(state).ended:
            return
    raise AssertionError("the game does not end")
