"""A game of Forgeborn, rule by rule: what the golden playthroughs do not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from services.rules.engine.bots import PlayedByBots
from services.rules.engine.codec import CodecError
from services.rules.engine.offers import fits
from services.rules.engine.play import GM, CastMember, FieldKind, Pictured, Roll, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.engine.site import LeadsMaps, PlayedOnSites
from services.rules.engine.steps import Run, refusal
from services.rules.systems.forgeborn import SYSTEM, spend_ruin
from services.rules.systems.forgeborn.build import build
from services.rules.systems.forgeborn.catalog import Form, Function, TableSettings
from services.rules.systems.forgeborn.choices import SmithChoices
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.effects import granted, swayed
from services.rules.systems.forgeborn.play.facts import HelpAnswered, RuinMissed, VotesCounted
from services.rules.systems.forgeborn.play.ground import realm_of
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    ArtifactUse,
    AskVault,
    AssistVillage,
    CallOff,
    CollectGrant,
    Commune,
    CreateArtifact,
    DropDice,
    ExploreRuins,
    FaceDragon,
    Favour,
    Imbue,
    Join,
    Move,
    Pass,
    Payment,
    TakeFavour,
    Vote,
)
from services.rules.systems.forgeborn.play.rules.ruins import MOST_DROPS
from services.rules.systems.forgeborn.play.setup import DROP, SETUPS, Rival, Setup, SpotPower
from services.rules.systems.forgeborn.play.state import Artifact, Game, Phase
from services.rules.systems.forgeborn.pools import DiceCount, DieSize
from services.rules.systems.forgeborn.site import RealmSite
from tests.rules.forgeborn_values import reachable

assert SYSTEM.play is not None
PLAY = SYSTEM.play
D4, D6, D8, D10, D12 = DieSize
DICE = DiceCount(d4=3, d12=5)


def cast(*names: str, dice: DiceCount = DICE) -> tuple[CastMember, ...]:
    return tuple(
        CastMember(id=name, sheet=build(SmithChoices(name=name.capitalize(), dice=dice), SYSTEM.content))
        for name in names
    )


def begun(*names: str, dice: DiceCount = DICE, **changes: Any) -> Game:
    setup = replace(SETUPS["realm"], **{"players": max(2, len(names)), **changes})
    game = PLAY.begin(setup, cast(*names, dice=dice))
    assert isinstance(game, Game), str(game)
    return game


def taken(at: Game | Position, *moves: Move, faces: Mapping[str, Sequence[int]] | None = None) -> Position:
    """Makes moves and answers; rolls that no faces are given for show ones."""
    given = faces or {}
    position = at if isinstance(at, Position) else Position(PLAY, at)
    for move in moves:
        made = position.take(move, 1, lambda roll: tuple(given.get(roll.id, (1,) * roll.dice.value)))
        assert isinstance(made, Taken), str(made)
        position = made.position
    return position


def played(at: Game | Position, *moves: Move, faces: Mapping[str, Sequence[int]] | None = None) -> Game:
    """The game after moves and answers, nothing asked any more."""
    position = taken(at, *moves, faces=faces)
    assert position.asks == ()
    game: Game = position.state
    return game


def asked(at: Position) -> list[tuple[str, str]]:
    return [(ask.actor, ask.id) for ask in at.asks]


def refused(at: Game | Position, move: Move) -> tuple[str, ...]:
    problems = at.enter(move, 1) if isinstance(at, Position) else refusal(PLAY, at, move)
    assert isinstance(problems, Problems)
    return problems.codes


def with_smith(game: Game, who: str, **changes: Any) -> Game:
    turn, grants = changes.pop("swayed_on", None), changes.pop("grants", ())
    favour = () if turn is None else (swayed(who, turn),)
    laid = (*favour, *(granted(who, artifact) for artifact in grants))
    effects = {effect.id: effect for effect in (*game.smith(who).effects, *laid)}
    changes["effects"] = tuple(effects.values())
    smiths = tuple(replace(one, **changes) if one.id == who else one for one in game.smiths)
    return replace(game, smiths=smiths)


def with_artifact(game: Game, dice: DiceCount, holder: str = "") -> Game:
    number = len(game.artifacts) + 1
    made = Artifact(
        id=f"artifact-{number}",
        name=f"Work {number}",
        form=Form.CLOTHING,
        function=Function.KNOWLEDGE,
        dice=dice,
        power=dice.total(),
        maker=game.smiths[0].id,
        holder=holder,
    )
    return replace(game, artifacts=(*game.artifacts, made))


def creation(actor: str, *invite: str) -> CreateArtifact:
    return CreateArtifact(
        actor=actor,
        name="A work",
        form=Form.CLOTHING,
        form_by=Payment.DIE,
        function=Function.KNOWLEDGE,
        function_by=Payment.DIE,
        invite=invite,
    )


# How a game begins


def test_play_offers_everything_a_table_may_ask_for() -> None:
    for offered in (PlayedByBots, PlayedOnSites, LeadsMaps, Pictured):
        assert isinstance(PLAY, offered)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_cast_of_one_to_four_sits_down_with_rivals_where_seats_are_free(players: int) -> None:
    names = ("anna", "ben", "cleo", "dora")[:players]
    game = begun(*names)
    assert [smith.id for smith in game.smiths][:players] == list(names)
    assert len(game.smiths) == max(2, players)
    for smith in game.smiths[players:]:
        assert PLAY.led_by(game, smith.id) == GM
        assert smith.dice.faces() <= 72
    assert {smith.place for smith in game.smiths} == {"citadel"}


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"title": " "}, "text_missing", ("title",)),
        ({"players": 5}, "players_out_of_range", ("players",)),
        ({"first": "nobody"}, "first_unknown", ("first",)),
        ({"spent": ("citadel",)}, "ruin_unknown", ("spent", 0)),
        ({"powers": (SpotPower(place="forest", power=1),)}, "place_unknown", ("powers", 0, "place")),
        ({"powers": (SpotPower(place="lair", power=31),)}, "power_out_of_range", ("powers", 0, "power")),
        ({"settings": TableSettings(budget=0)}, "setting_out_of_range", ("settings", "budget")),
        ({"settings": TableSettings(budget=60)}, "budget_exceeded", ("cast", "anna")),
        ({"width": 1}, "setting_out_of_range", ("width",)),
        ({"drop": DROP[:14]}, "realm_dice_count", ("drop",)),
        ({"drop": (*DROP, DROP[0])}, "realm_dice_count", ("drop",)),
        ({"drop": (), "spent": ("ruin-1",)}, "drop_missing", ("spent",)),
        ({"rivals": (Rival(name="Ogg", dice=DiceCount(d12=7)),)}, "budget_exceeded", ("rivals", 0, "dice")),
    ],
)
def test_a_setup_that_breaks_a_rule_is_refused_with_its_path(
    changes: dict[str, Any], code: str, path: tuple[str | int, ...]
) -> None:
    problems = PLAY.begin(replace(SETUPS["realm"], **changes), cast("anna"))
    assert isinstance(problems, Problems)
    assert (code, path) in [(problem.code, problem.path) for problem in problems]


def test_dice_that_find_no_place_are_dropped_again_by_a_further_move() -> None:
    game = PLAY.begin(SETUPS["blank-sheet"], cast("anna"))
    assert isinstance(game, Game)
    game = played(game, DropDice(actor="anna"))  # all on one spot: only the first stays there
    assert (game.phase, [die.sides for die in game.ground.dice]) == (Phase.MAP, [4])
    assert {roll.id: roll.dice.value for roll in Run(PLAY, game, DropDice(actor=GM)).rolls} == {
        "d4": 3,
        "d6": 6,
        "d8": 3,
        "d10": 1,
        "d12": 1,
        "positions": 48,
    }
    spread = [1 + 66 * number for number in range(15) for _ in range(2)]
    game = played(game, DropDice(actor=GM), faces={"positions": (*spread, *[1] * 18)})
    assert game.phase is Phase.PLAY
    assert len(game.ground.dice) == 15
    assert reachable(realm_of(game.ground)) == {spot.id for spot in game.ground.spots}


def test_a_game_that_is_called_off_before_the_dice_fell_can_still_be_drawn() -> None:
    game = PLAY.begin(SETUPS["blank-sheet"], cast("anna"))
    over = played(game, CallOff(actor=GM))
    assert PLAY.outcome(over).ended
    assert "have not fallen" in PLAY.picture(over)
    assert PLAY.card(over).waiting_for == ()


# Votes


def never(roll: Roll) -> tuple[int, ...]:
    raise AssertionError(f"{roll.id} was rolled")


def vault_asked(**changes: Any) -> Position:
    """Anna asks for an Artifact, and Ben and Cleo are to vote."""
    game = with_artifact(begun("anna", "ben", "cleo", **changes), DiceCount(d6=2))
    return taken(game, AskVault(actor="anna", artifact="artifact-1"))


def known(at: Position, viewer: Viewer) -> list[Any]:
    """Everything that a viewer gets to see of where a game stands."""
    actors = (*(card.id for card in at.card(viewer).actors), GM)
    return [at.view(viewer), at.card(viewer), [at.legal(actor, viewer) for actor in actors]]


EYES = [Viewer(gm=True), Viewer(), *(Viewer(actors=frozenset({name})) for name in ("anna", "ben", "cleo"))]


@pytest.mark.parametrize("viewer", EYES)
def test_nobody_learns_how_another_voted_before_all_votes_are_in(viewer: Viewer) -> None:
    """Not even the game master, who may lead the one that has not voted."""
    at = vault_asked()
    voted = [at.take(Vote(actor="ben", agree=agree), 1, never) for agree in (True, False)]
    assert all(isinstance(made, Taken) and made.happened == () for made in voted)
    yes, no = (made.position for made in voted if isinstance(made, Taken))
    assert known(yes, viewer) == known(no, viewer) != known(at, viewer)
    assert asked(yes) == asked(no) == [("cleo", "vote:cleo")]
    again = Vote(actor="ben", agree=True)
    assert refused(yes, again) == refused(no, again) == ("move_waits",)


def test_a_game_master_who_leads_a_rival_votes_for_it_without_having_read_the_others() -> None:
    game = with_artifact(begun("anna", "ben", players=3), DiceCount(d6=2))
    at = taken(game, AskVault(actor="anna", artifact="artifact-1"))
    assert asked(at) == [("ben", "vote:ben"), ("rival-1", "vote:rival-1")]
    assert PLAY.led_by(game, "rival-1") == GM
    gm = Viewer(gm=True)
    learned = []
    for agree in (True, False):
        made = at.take(Vote(actor="ben", agree=agree), 1, never)
        assert isinstance(made, Taken)
        assert made.events == ()
        assert made.position.state == at.state
        assert made.position.legal("rival-1", gm) == at.legal("rival-1", gm) != ()
        learned.append(known(made.position, gm))
        last = made.position.take(Vote(actor="rival-1", agree=True), 1, never)
        assert isinstance(last, Taken)
        counted = last.events[0]
        assert isinstance(counted, VotesCounted)
        assert counted.in_favour == (("ben", "rival-1") if agree else ("rival-1",))
    assert learned[0] == learned[1]


@pytest.mark.parametrize("viewer", EYES)
def test_nobody_learns_who_joins_a_creation_before_all_have_answered(viewer: Viewer) -> None:
    at = taken(begun("anna", "ben", "cleo"), creation("anna", "ben", "cleo"))
    joins = (Join(actor="ben"), Join(actor="ben", dice=(D12, D4)))
    answered = [at.take(join, 1, never) for join in joins]
    assert all(isinstance(made, Taken) and made.happened == () for made in answered)
    out, joined = (made.position for made in answered if isinstance(made, Taken))
    assert known(out, viewer) == known(joined, viewer)
    last = joined.take(Join(actor="cleo"), 1, never)
    assert isinstance(last, Taken)
    assert [event for event in last.events if isinstance(event, HelpAnswered)] == [
        HelpAnswered(smith="ben", dice=(D12, D4), sacrificed=()),
        HelpAnswered(smith="cleo", dice=(), sacrificed=()),
    ]


@pytest.mark.parametrize("is_open", [True, False])
def test_a_table_may_let_the_game_master_read_answers_as_they_come(is_open: bool) -> None:
    settings = TableSettings(answers_open_to_gm=is_open)
    votes = vault_asked(settings=settings)
    joins = taken(begun("anna", "ben", settings=settings), creation("anna", "ben"))
    assert [ask.open_to_gm for at in (votes, joins) for ask in at.asks] == [is_open] * 3
    vote = Vote(actor="ben", agree=True)
    voted, read = taken(votes, vote), {"1.0.vote:ben": vote}
    assert voted.answers(Viewer(gm=True)) == (read if is_open else {})
    assert voted.answers(Viewer(actors=frozenset({"ben"}))) == read
    for others in (Viewer(), Viewer(actors=frozenset({"anna", "cleo"}))):
        assert voted.answers(others) == {}
    assert TableSettings().answers_open_to_gm is False


@pytest.mark.parametrize(
    ("secret", "is_open", "sealed"),
    [(True, False, True), (True, True, False), (False, False, False)],
)
def test_votes_of_a_secret_ballot_are_sealed_unless_the_game_master_reads_along(
    secret: bool, is_open: bool, sealed: bool
) -> None:
    settings = TableSettings(secret_ballot=secret, answers_open_to_gm=is_open)
    at = vault_asked(settings=settings)
    assert [ask.sealed for ask in at.asks] == [sealed] * 2
    assert at.seals(Vote(actor="cleo", agree=True)) is sealed
    assert not at.seals(Vote(actor="anna", agree=True)), "she is not asked"


@pytest.mark.parametrize(
    ("names", "yes", "granted"),
    [
        ("ab", 1, True),
        ("ab", 0, False),
        ("abc", 1, False),
        ("abc", 2, True),
        ("abcd", 1, False),
        ("abcd", 2, True),
    ],
)
def test_a_strict_majority_of_the_others_gives_an_artifact(names: str, yes: int, granted: bool) -> None:
    game = with_artifact(begun(*names), DiceCount(d6=2))
    votes = [Vote(actor=voter, agree=place < yes) for place, voter in enumerate(names[1:])]
    at = taken(game, AskVault(actor="a", artifact="artifact-1"), *votes)
    assert at.state.artifact("artifact-1").holder == ("a" if granted else "")
    assert (at.state.turn.smith == "b") is granted
    assert asked(at) == ([] if granted else [("a", "claim")])


@pytest.mark.parametrize(("limit", "seconds"), [(0, None), (20, 20)])
def test_silence_is_a_no_or_stays_out_and_has_the_tables_time(limit: int, seconds: int | None) -> None:
    settings = TableSettings(answer_seconds=limit)
    votes = vault_asked(settings=settings)
    joins = taken(begun("anna", "ben", settings=settings), creation("anna", "ben"))
    silences = {ask.id: ask.silence for at in (votes, joins) for ask in at.asks}
    assert silences == {
        "vote:ben": Vote(actor="ben", agree=False),
        "vote:cleo": Vote(actor="cleo", agree=False),
        "join:ben": Join(actor="ben"),
    }
    for at in (votes, joins):
        assert {prompt.seconds for prompt in at.card(Viewer()).prompts} == {seconds}


def test_silent_voters_refuse() -> None:
    at = vault_asked(settings=TableSettings(answer_seconds=20))
    after = taken(at, *(ask.silence for ask in at.asks))
    assert after.state.artifact("artifact-1").holder == ""
    assert asked(after) == [("anna", "claim")]


def test_a_silent_smith_rolls_and_loses_nothing() -> None:
    at = taken(begun("anna", "ben", settings=TableSettings(answer_seconds=20)), creation("anna", "ben"))
    after = taken(at, *(ask.silence for ask in at.asks))
    assert asked(after) == [("anna", "imbue")]
    run = after.enter(Imbue(actor="anna", dice=(D12,)), 1)
    assert isinstance(run, Run)
    assert [roll.actor for roll in run.rolls] == ["anna"]


def test_questions_of_ones_own_wait_as_long_as_it_takes() -> None:
    """What the one who moves decides about it, and what the game master judges, has no limit."""
    limited = TableSettings(answer_seconds=20)
    claim = taken(
        vault_asked(settings=limited), Vote(actor="ben", agree=False), Vote(actor="cleo", agree=False)
    )
    imbue = taken(begun("anna", settings=limited), creation("anna"))
    bestow = taken(imbue, Imbue(actor="anna", dice=(D12, D12)), faces={"anna:d12": (12, 12)})
    reward = taken(imbue, Imbue(actor="anna", dice=(D12, D12)))
    game = with_artifact(begun("anna", settings=limited), DiceCount(d4=1), holder="anna")
    use = (ArtifactUse(artifact="artifact-1", how="It glows."),)
    village = with_smith(game, "anna", place="village-1")
    approve = taken(village, AssistVillage(actor="anna", dice=(D12,), artifacts=use))
    forest = with_smith(game, "anna", place="forest")
    lose = taken(forest, Commune(actor="anna", dice=(D12,)), faces={"anna:d12": (10,)})
    positions = (claim, imbue, bestow, reward, approve, lose)
    assert [asked(at) for at in positions] == [
        [("anna", "claim")],
        [("anna", "imbue")],
        [("anna", "bestow")],
        [("anna", "reward")],
        [(GM, "approve")],
        [("anna", "lose")],
    ]
    for at in positions:
        assert [(ask.silence, ask.seconds) for ask in at.asks] == [(None, None)]


def test_a_secret_ballot_stays_secret() -> None:
    at = taken(vault_asked(settings=TableSettings(secret_ballot=True)), Vote(actor="ben", agree=True))
    made = at.take(Vote(actor="cleo", agree=False), 1, never)
    assert isinstance(made, Taken)
    told = " ".join(PLAY.tell(state, PLAY.sees(event, Viewer())) for state, event in made.happened)
    assert told == "1 for, 1 against: Work 1 is refused."
    assert "ben" not in str(PLAY.event_codec.dump(made.events[0]))


def test_an_artifact_that_leaves_the_vault_takes_every_grant_along() -> None:
    game = with_artifact(begun("anna", "ben"), DiceCount(d6=1))
    game = with_smith(game, "ben", grants=("artifact-1",), swayed_on=0)
    at = taken(game, AskVault(actor="anna", artifact="artifact-1"))
    made = at.take(Vote(actor="ben", agree=True), 1, never)
    assert isinstance(made, Taken)
    assert made.position.state.smith("ben").grants == ()
    told = " ".join(PLAY.tell(state, event) for state, event in made.happened)
    assert "The Prince's word to Ben on Work 1 is worth nothing any more." in told


def test_a_grant_that_is_collected_ends_without_a_word() -> None:
    game = with_artifact(begun("anna", "ben"), DiceCount(d6=1))
    game = with_smith(game, "anna", grants=("artifact-1",), swayed_on=0)
    made = Position(PLAY, game).take(CollectGrant(actor="anna", artifact="artifact-1"), 1, never)
    assert isinstance(made, Taken)
    assert made.position.state.smith("anna").grants == ()
    told = " ".join(PLAY.tell(state, event) for state, event in made.happened)
    assert "worth nothing" not in told


# Creations and favours


@pytest.mark.parametrize(("takes", "left"), [(True, 2), (False, 3)])
def test_what_a_helper_sacrificed_for_junk_is_lost_by_ruling(takes: bool, left: int) -> None:
    settings = TableSettings(junk_takes_helpers_dice=takes, junk_below=20)
    game = begun("anna", "ben", settings=settings)
    game = with_smith(game, "ben", dice=DiceCount(d4=3, d6=1))
    join = Join(actor="ben", dice=(D6, D4, D4), sacrificed=(D4,))
    after = taken(game, creation("anna", "ben"), join, Imbue(actor="anna", dice=(D12, D12, D12))).state
    assert after.smith("ben").dice.d4 == left
    assert [smith.points for smith in after.smiths] == [0, 0]
    assert after.artifacts == ()


def test_every_favour_is_an_action_of_its_own_turn() -> None:
    game = with_smith(begun("anna", "ben"), "anna", place="city", swayed_on=0)
    for favour, found in (
        (TakeFavour(actor="anna", favour=Favour.SECRET), {"secret": 1}),
        (TakeFavour(actor="anna", favour=Favour.RESOURCE), {"resource": 1}),
        (TakeFavour(actor="anna", favour=Favour.DIE), {"dice": DiceCount(d4=4, d12=5)}),
        (TakeFavour(actor="anna", favour=Favour.DIE, promote=D4), {"dice": DiceCount(d4=2, d6=1, d12=5)}),
    ):
        after = played(game, favour)
        assert {name: getattr(after.smith("anna"), name) for name in found} == found
        assert after.turn.smith == "ben"
        assert after.smith("anna").points == 0
    assert refused(game, TakeFavour(actor="anna", favour=Favour.DIE, promote=D12)) == ("die_at_its_largest",)
    assert refused(game, TakeFavour(actor="anna", favour=Favour.SECRET, promote=D4)) == ("favour_mixed",)
    grant = TakeFavour(actor="anna", favour=Favour.GRANT, artifact="artifact-1")
    assert refused(game, grant) == ("artifact_not_in_vault",)
    fresh = with_smith(game, "anna", swayed_on=game.turn.number)
    assert refused(fresh, TakeFavour(actor="anna", favour=Favour.SECRET)) == ("favour_too_soon",)


# The end


def slain(*names: str, first: str) -> Game:
    game = begun(*names, first=first)
    game = with_smith(game, first, place="lair")
    faces = {f"{first}:d12": (12, 12, 12)}
    return played(game, FaceDragon(actor=first, dice=(D12, D12, D12)), faces=faces)


@pytest.mark.parametrize(
    ("names", "slayer", "order"), [("ab", "a", "b"), ("abc", "b", "ca"), ("abcd", "c", "dab")]
)
def test_everybody_but_the_slayer_has_exactly_one_last_turn_from_her_left(
    names: str, slayer: str, order: str
) -> None:
    game = slain(*names, first=slayer)
    assert (game.phase, game.slayer, game.smith(slayer).points) == (Phase.LAST_TURNS, slayer, 9)
    taken = ""
    while not PLAY.outcome(game).ended:
        taken += game.turn.smith
        game = played(game, Pass(actor=game.turn.smith))
    assert taken == order
    assert PLAY.outcome(game).winners == (slayer,)


def test_the_dragon_is_not_faced_twice() -> None:
    game = with_smith(slain("a", "b", first="a"), "b", place="lair")
    assert refused(game, FaceDragon(actor="b", dice=(D12,))) == ("dragon_dead",)
    assert [offer for offer in PLAY.legal(game, "b") if offer.id.startswith("dragon")] == []


def test_a_round_limit_ends_the_game_after_its_last_seat() -> None:
    game = begun("anna", "ben", first="ben", settings=TableSettings(round_limit=2))
    seats = []
    while not PLAY.outcome(game).ended:
        seats.append((game.turn.round, game.turn.smith))
        game = played(game, Pass(actor=game.turn.smith))
    assert seats == [(1, "ben"), (1, "anna"), (2, "ben"), (2, "anna")]
    assert PLAY.outcome(game).winners == ("anna", "ben")


# Rolls that follow from others


def test_a_roll_is_judged_before_a_die_falls_and_then_thrown_at_once() -> None:
    game = with_artifact(begun("anna", "ben"), DiceCount(d4=1), holder="anna")
    game = with_smith(with_artifact(game, DiceCount(d6=1), holder="anna"), "anna", place="village-1")
    uses = tuple(ArtifactUse(artifact=f"artifact-{one}", how="It glows.") for one in (1, 2))
    at = Position(PLAY, game).take(AssistVillage(actor="anna", dice=(D12,), artifacts=uses), 1, never)
    assert isinstance(at, Taken)
    approve = Approve(actor=GM, artifacts=("artifact-2",))
    made = at.position.take(approve, 1, lambda roll: (1,) * roll.dice.value)
    assert isinstance(made, Taken)
    assert {roll.id for roll in made.rolls} >= {"anna:d12", "artifact-2:d6", "opposition"}
    assert not any(roll.id.startswith("artifact-1") for roll in made.rolls)


def test_an_answer_of_another_kind_is_none() -> None:
    at = taken(begun("anna", "ben"), creation("anna"))
    assert refused(at, Pass(actor="anna")) == ("not_offered",)
    assert refused(at, Pass(actor="ben")) == ("move_waits",)
    assert refused(at, Imbue(actor="anna", dice=())) == ("own_die_missing",)


def test_ruins_that_find_no_place_on_a_full_sheet_stay_unfound() -> None:
    game = with_smith(begun("anna", "ben"), "anna", place="ruin-2", dice=DiceCount(d12=3))
    blocked = next(die.at for die in game.ground.dice)
    face = [
        round((at - 5_000) * 1000 / (length - 10_000) + 0.5)
        for at, length in zip((blocked.x, blocked.y), (game.ground.width, game.ground.height), strict=True)
    ]

    def on_another(roll: Roll) -> tuple[int, ...]:
        if roll.id.startswith("positions"):
            return tuple(face * (roll.dice.value // 2))
        return (1 if roll.id == "opposition" else roll.sides,) * roll.dice.value

    made = Position(PLAY, game).take(ExploreRuins(actor="anna", dice=(D12, D12, D12)), 1, on_another)
    assert isinstance(made, Taken)
    assert sum(isinstance(event, RuinMissed) for event in made.events) == MOST_DROPS
    assert made.position.state.ground.spot("ruin-2").spent
    assert len(made.position.state.ground.spots) == len(game.ground.spots)
    assert made.position.state.turn.smith == "ben"


def test_games_of_before_are_refused_and_named() -> None:
    document = {**PLAY.state_codec.dump(begun("anna")), "version": 1}
    with pytest.raises(CodecError, match="there is no way up"):
        PLAY.state_codec.load(document)


# Chances


def by_counting(dice: tuple[int, ...], power: int) -> Fraction:
    own = [sum(fall) for fall in product(*(range(1, sides + 1) for sides in dice))]
    against = [sum(fall) for fall in product(range(1, 13), repeat=power)]
    return Fraction(sum(a >= b for a in own for b in against), len(own) * len(against))


@pytest.mark.parametrize(("dice", "power"), [((4,), 1), ((12,), 1), ((8, 6), 1), ((12, 6, 4), 2)])
def test_chances_of_a_conflict_are_those_of_its_faces(dice: tuple[int, ...], power: int) -> None:
    assert chances.win(dice, power) == by_counting(dice, power)


def test_an_offer_says_how_likely_it_is_with_the_most_it_allows() -> None:
    game = with_artifact(begun("anna", "ben"), DiceCount(d6=1), holder="anna")
    game = with_smith(game, "anna", place="village-3", dice=DiceCount(d4=1, d6=3))
    found = {offer.id: offer for offer in PLAY.legal(game, "anna") if offer.id.startswith("village")}
    assert {name: offer.chances[0].chance for name, offer in found.items()} == {
        "village": by_counting((6, 6, 6), 1),
        "village:sacrifice": by_counting((6, 6, 6, 4), 1),
        "village:artifacts": by_counting((6, 6, 6, 6), 1),
        "village:artifacts:sacrifice": by_counting((6, 6, 6, 6, 4), 1),
    }
    assert found["village:sacrifice"].odds == "forgeborn:conflict(d4+3d6, 1)"


def test_a_creation_says_what_the_dice_left_after_paying_may_come_to() -> None:
    """A d4 pays for the form, the other for the function; 2d8 and a d10 are left, as in the book."""
    game = begun("anna", "ben", dice=DiceCount(d4=2, d8=2, d10=1))
    offer = next(one for one in PLAY.legal(game, "anna") if one.id == "create:die:die:d4")
    sums = [sum(fall) for fall in product(range(1, 9), range(1, 9), range(1, 11))]
    found = {chance.id: chance.chance for chance in offer.chances}
    assert found == {
        "junk": Fraction(sum(total < 5 for total in sums), len(sums)),
        "power-2": Fraction(sum(total >= 10 for total in sums), len(sums)),
    }


def test_wishes_of_the_forest_have_the_books_chances() -> None:
    game = with_smith(begun("anna", "ben"), "anna", place="forest", came_from="village-2")
    found = {offer.id: offer.chances[0].chance for offer in PLAY.legal(game, "anna") if offer.chances}
    assert found["commune:2d6"] == Fraction(5, 6)
    assert found["commune:d6+d8"] == Fraction(11, 16)
    assert found["commune:d4+2d6"] == Fraction(1, 2)
    assert found["commune:2d10"] == Fraction(9, 25)
    assert found["commune:2d12"] == Fraction(1, 4)
    assert found["commune:2d4"] == 1


@pytest.mark.parametrize("limit", [1, 9, 60])
def test_no_wish_within_the_bounds_of_the_offer_is_refused(limit: int) -> None:
    settings = replace(SYSTEM.content.settings, forest_limit=limit)
    game = with_smith(begun("anna", "ben"), "anna", place="forest", came_from="village-2")
    game = replace(game, settings=settings)
    (offer,) = (one for one in PLAY.legal(game, "anna") if one.id == "commune:own")
    (field,) = offer.fields
    assert (field.kind, field.least, field.most) == (FieldKind.CHOICES, 1, limit)
    stream = Random(limit)
    for _ in range(60):
        move = PLAY.move_codec.read(complete(offer, stream.randrange))
        assert refusal(PLAY, game, move) is None, move


def test_any_wish_can_be_made_from_what_is_offered() -> None:
    game = with_smith(begun("anna", "ben"), "anna", place="forest", came_from="village-2")
    (offer,) = (one for one in PLAY.legal(game, "anna") if one.id == "commune:own")
    (field,) = offer.fields
    assert Counter(choice.value for choice in field.choices) == {size.value: 9 for size in DieSize}
    assert (field.least, field.most) == (1, 9)
    for wish in ((D4,) * 9, (D10, D4, D4), (D12,)):
        values = [size.value for size in wish]
        assert fits(field, values)
        move = PLAY.move_codec.read({**offer.move, "dice": values})
        assert move == Commune(actor="anna", dice=wish)
        assert played(game, move).smith("anna").dice.total() == DICE.total() + len(wish)


# Maps and pictures


def test_a_stored_realm_is_played_on_as_it_is_and_given_back_as_it_has_become() -> None:
    assert isinstance(PLAY, PlayedOnSites)
    assert isinstance(PLAY, LeadsMaps)
    realm = spend_ruin(realm_of(begun("anna").ground), "ruin-2")
    places = tuple(replace(one, power=3) if one.id == "village-3" else one for one in realm.places)
    site = RealmSite(title="The Known World", realm=replace(realm, places=places))
    setup = PLAY.laid_out(Setup(title="On the map"), PLAY.site_codec.load(PLAY.site_codec.dump(site)))
    assert isinstance(setup, Setup)
    assert PLAY.setup_codec.load(PLAY.setup_codec.dump(setup)) == setup
    game = PLAY.begin(setup, cast("anna", "ben"))
    assert isinstance(game, Game)
    on_map = PLAY.on_map(game)
    assert isinstance(on_map, RealmSite)
    assert (on_map.title, on_map.realm) == (site.title, site.realm)
    assert [(piece.id, piece.place) for piece in on_map.pieces] == [("anna", "citadel"), ("ben", "citadel")]
    assert reachable(on_map.realm) == {place.id for place in realm.places}
    assert PLAY.on_map(begun("anna")) is None


def test_a_realm_that_its_dice_do_not_make_is_not_played_on() -> None:
    assert isinstance(PLAY, PlayedOnSites)
    realm = realm_of(begun("anna").ground)
    for broken in (replace(realm, links=realm.links[:-1]), replace(realm, dice=realm.dice[:-1])):
        problems = PLAY.laid_out(Setup(title="x"), RealmSite(title="x", realm=broken))
        assert isinstance(problems, Problems)
        assert problems.codes == ("realm_not_of_its_dice",)


def test_a_picture_is_svg_with_words_and_without_anything_from_elsewhere() -> None:
    assert isinstance(PLAY, Pictured)
    for setup in ("realm", "blank-sheet"):
        game = PLAY.begin(SETUPS[setup], cast("anna", "ben", "cleo"))
        text = PLAY.picture(game)
        root = ElementTree.fromstring(text)
        names = [element.tag.rpartition("}")[2] for element in root.iter()]
        assert names[:3] == ["svg", "title", "desc"]
        assert not {"script", "image", "use", "a", "style", "foreignObject"} & set(names)
        assert "href" not in text
    drawn = PLAY.picture(begun("anna", "ben"))
    for words in ("Anna", "Ben", "Kermunelhar", "The Vault", "Dragon 9"):
        assert words in drawn
