"""A game of Forgeborn, rule by rule: what the golden playthroughs do not show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from services.rules.engine.bots import PlayedByBots
from services.rules.engine.driver import Made, make
from services.rules.engine.play import GM, CastMember, Check, FieldKind, Pictured, TimeLimited, Viewer
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.engine.site import LeadsMaps, PlayedOnSites
from services.rules.systems.forgeborn import SYSTEM, spend_ruin
from services.rules.systems.forgeborn.catalog import Form, Function, TableSettings
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.begin import Rival, Setup, SpotPower
from services.rules.systems.forgeborn.play.events import VoteCast
from services.rules.systems.forgeborn.play.ground import realm_of
from services.rules.systems.forgeborn.play.moves import (
    AskVault,
    CallOff,
    ChooseReward,
    CreateArtifact,
    DropDice,
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
from services.rules.systems.forgeborn.play.setups import DROP, SETUPS
from services.rules.systems.forgeborn.play.state import Artifact, Game, Phase
from services.rules.systems.forgeborn.play.waiting import Rewarding
from services.rules.systems.forgeborn.pools import DiceCount, DieSize
from services.rules.systems.forgeborn.site import RealmSite
from services.rules.systems.forgeborn.smith import SmithChoices, build
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
    setup = replace(SETUPS["realm"], players=max(2, len(names)), **changes)
    game = PLAY.begin(setup, cast(*names, dice=dice))
    assert isinstance(game, Game), str(game)
    return game


def played(game: Game, move: Move, faces: Mapping[str, Sequence[int]] | None = None) -> Made:
    """Makes a move; rolls that no faces are given for show ones."""
    given = faces or {}
    made = make(PLAY, game, move, lambda roll: tuple(given.get(roll.id, (1,) * roll.dice.value)))
    assert isinstance(made, Made), str(made)
    return made


def refused(game: Game, move: Move) -> tuple[str, ...]:
    problems = PLAY.check(game, move)
    assert isinstance(problems, Problems)
    return problems.codes


def with_smith(game: Game, who: str, **changes: Any) -> Game:
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
    for offered in (PlayedByBots, PlayedOnSites, LeadsMaps, Pictured, TimeLimited):
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
    game = played(game, DropDice(actor="anna")).state  # all on one spot: only the first stays there
    assert (game.phase, [die.sides for die in game.ground.dice]) == (Phase.MAP, [4])
    check = PLAY.check(game, DropDice(actor=GM))
    assert isinstance(check, Check)
    assert {roll.id: roll.dice.value for roll in check.rolls} == {
        "d4": 3,
        "d6": 6,
        "d8": 3,
        "d10": 1,
        "d12": 1,
        "positions": 48,
    }
    spread = [1 + 66 * number for number in range(15) for _ in range(2)]
    game = played(game, DropDice(actor=GM), {"positions": (*spread, *[1] * 18)}).state
    assert game.phase is Phase.PLAY
    assert len(game.ground.dice) == 15
    assert reachable(realm_of(game.ground)) == {spot.id for spot in game.ground.spots}


def test_a_game_that_is_called_off_before_the_dice_fell_can_still_be_drawn() -> None:
    game = PLAY.begin(SETUPS["blank-sheet"], cast("anna"))
    over = played(game, CallOff(actor=GM)).state
    assert PLAY.outcome(over).ended
    assert "have not fallen" in PLAY.picture(over)
    assert PLAY.card(over).waiting_for == ()


# Votes


def asked() -> Game:
    game = with_artifact(begun("anna", "ben", "cleo"), DiceCount(d6=2))
    return played(game, AskVault(actor="anna", artifact="artifact-1")).state


def test_nobody_learns_how_another_voted_before_all_votes_are_in() -> None:
    game = asked()
    after = {
        agree: played(game, Vote(actor="ben", prompt="question-1/ben", agree=agree))
        for agree in (True, False)
    }
    for viewer in (Viewer(), Viewer(actors=frozenset({"anna"})), Viewer(actors=frozenset({"cleo"}))):
        seen = [PLAY.view(made.state, viewer) for made in after.values()]
        assert seen[0] == seen[1] != PLAY.view(game, viewer)
        told = [[PLAY.sees(event, viewer) for event in made.events] for made in after.values()]
        assert told[0] == told[1]
        assert PLAY.tell(seen[0], told[0][0]) == "Ben has voted."
    for eyes in (Viewer(gm=True), Viewer(actors=frozenset({"ben"}))):
        event = after[True].events[0]
        assert isinstance(event, VoteCast)
        assert PLAY.sees(event, eyes) == event
    again = [
        refused(made.state, Vote(actor="ben", prompt="question-1/ben", agree=True)) for made in after.values()
    ]
    assert again == [("voted_already",), ("voted_already",)]


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
    game = played(game, AskVault(actor="a", artifact="artifact-1")).state
    for place, voter in enumerate(names[1:]):
        vote = Vote(actor=voter, prompt=f"question-1/{voter}", agree=place < yes)
        game = played(game, vote).state
    assert game.artifact("artifact-1").holder == ("a" if granted else "")
    assert (game.turn.smith == "b") is granted


def test_silence_is_a_no_where_there_is_a_time_limit_and_nothing_where_there_is_none() -> None:
    assert isinstance(PLAY, TimeLimited)
    game = asked()
    assert PLAY.lapse(game, "question-1/ben") is None
    timed = replace(game, settings=replace(game.settings, answer_seconds=20))
    assert [prompt.seconds for prompt in PLAY.card(timed).prompts] == [20, 20]
    no = PLAY.lapse(timed, "question-1/ben")
    assert no == Vote(actor="ben", prompt="question-1/ben", agree=False)
    assert PLAY.lapse(played(timed, no).state, "question-1/ben") is None
    invited = played(begun("anna", "ben"), creation("anna", "ben")).state
    invited = replace(invited, settings=replace(invited.settings, answer_seconds=20))
    assert PLAY.lapse(invited, "question-1/ben") == Join(actor="ben", prompt="question-1/ben")


def test_a_secret_ballot_stays_secret() -> None:
    game = replace(asked(), settings=TableSettings(secret_ballot=True))
    game = played(game, Vote(actor="ben", prompt="question-1/ben", agree=True)).state
    made = played(game, Vote(actor="cleo", prompt="question-1/cleo", agree=False))
    told = " ".join(PLAY.tell(game, PLAY.sees(event, Viewer())) for event in made.events[:2])
    assert told == "Cleo has voted. 1 for, 1 against: Work 1 is refused."


def test_an_artifact_that_leaves_the_vault_takes_every_grant_along() -> None:
    game = with_artifact(begun("anna", "ben"), DiceCount(d6=1))
    game = with_smith(game, "ben", grants=("artifact-1",), swayed_on=0)
    game = played(game, AskVault(actor="anna", artifact="artifact-1")).state
    game = played(game, Vote(actor="ben", prompt="question-1/ben", agree=True)).state
    assert game.smith("ben").grants == ()


# Creations and favours


@pytest.mark.parametrize(("takes", "left"), [(True, 2), (False, 3)])
def test_what_a_helper_sacrificed_for_junk_is_lost_by_ruling(takes: bool, left: int) -> None:
    settings = TableSettings(junk_takes_helpers_dice=takes, junk_below=20)
    game = begun("anna", "ben", settings=settings)
    game = with_smith(game, "ben", dice=DiceCount(d4=3, d6=1))
    game = played(game, creation("anna", "ben")).state
    join = Join(actor="ben", prompt="question-1/ben", dice=(D6, D4, D4), sacrificed=(D4,))
    game = played(game, join).state
    made = played(game, Imbue(actor="anna", dice=(D12, D12, D12)))
    assert made.state.smith("ben").dice.d4 == left
    assert [smith.points for smith in made.state.smiths] == [0, 0]
    assert made.state.artifacts == ()


def test_every_favour_is_an_action_of_its_own_turn() -> None:
    game = with_smith(begun("anna", "ben"), "anna", place="city", swayed_on=0)
    for favour, found in (
        (TakeFavour(actor="anna", favour=Favour.SECRET), {"secret": 1}),
        (TakeFavour(actor="anna", favour=Favour.RESOURCE), {"resource": 1}),
        (TakeFavour(actor="anna", favour=Favour.DIE), {"dice": DiceCount(d4=4, d12=5)}),
        (TakeFavour(actor="anna", favour=Favour.DIE, promote=D4), {"dice": DiceCount(d4=2, d6=1, d12=5)}),
    ):
        after = played(game, favour).state
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
    return played(game, FaceDragon(actor=first, dice=(D12, D12, D12)), faces).state


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
        game = played(game, Pass(actor=game.turn.smith)).state
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
        game = played(game, Pass(actor=game.turn.smith)).state
    assert seats == [(1, "ben"), (1, "anna"), (2, "ben"), (2, "anna")]
    assert PLAY.outcome(game).winners == ("anna", "ben")


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


@pytest.mark.parametrize("promote", [None, *DieSize])
def test_a_reward_is_one_die_more_or_one_size_more(promote: DieSize | None) -> None:
    own = DiceCount(d4=2, d6=1, d8=1, d10=1, d12=1)
    lost = replace(begun("anna", "ben", dice=own), question=Rewarding(id="q", smith="anna", who="anna"))
    move = ChooseReward(actor="anna", promote=promote)
    if promote is D12:
        assert refused(lost, move) == ("die_at_its_largest",)
        return
    better = played(lost, move).state.smith("anna").dice
    if promote is None:
        assert better == own.plus((D4,))
    else:
        assert (better.total(), better.faces()) == (own.total(), own.faces() + 2)
        assert better.count(promote) == own.count(promote) - 1


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
def test_any_dice_may_be_wished_for_by_an_offer_with_a_field(limit: int) -> None:
    settings = replace(SYSTEM.content.settings, forest_limit=limit)
    game = with_smith(begun("anna", "ben"), "anna", place="forest", came_from="village-2")
    game = replace(game, settings=settings)
    offer = next(one for one in PLAY.legal(game, "anna") if one.id == "commune:own")
    (field,) = offer.fields
    assert (field.kind, field.least, field.most) == (FieldKind.CHOICES, 1, limit)
    for size in DieSize:
        assert sum(choice.value == size.value for choice in field.choices) == limit
    stream = Random(limit)
    for _ in range(60):
        move = PLAY.move_codec.read(complete(offer, stream.randrange))
        assert isinstance(PLAY.check(game, move), Check), move


def test_a_wish_that_nobody_suggests_comes_true_by_its_offer() -> None:
    game = with_smith(begun("anna", "ben"), "anna", place="forest", came_from="village-2")
    offer = next(one for one in PLAY.legal(game, "anna") if one.id == "commune:own")
    move = PLAY.move_codec.read({**offer.move, "dice": ["d4"] * 5})
    check = PLAY.check(game, move)
    assert isinstance(check, Check)
    (roll,) = check.rolls
    after = played(game, move, {roll.id: (1, 2, 1, 2, 3)}).state
    assert after.smith("anna").dice == replace(DICE, d4=DICE.d4 + 5)
    elsewhere = with_smith(game, "anna", place="village-2")
    assert not [one for one in PLAY.legal(elsewhere, "anna") if one.id.startswith("commune")]


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
