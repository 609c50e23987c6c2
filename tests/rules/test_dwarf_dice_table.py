"""The table: setup, time limits, pictures, words and the game master's moves."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from services.rules.engine.bots import PlayedByBots, bots_of
from services.rules.engine.driver import thrower
from services.rules.engine.matches import named_stream, tournament
from services.rules.engine.play import GM, Pictured, Viewer
from services.rules.engine.position import Taken
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dwarf_dice.choices import ChampionChoices, Chronicle
from services.rules.systems.dwarf_dice.play.setup import Setup, Sheets
from services.rules.systems.dwarf_dice.settings import HouseRules
from tests.rules.dwarf_dice_games import CATALOG, PLAY, Game, cast, champion, item

SVG = "{http://www.w3.org/2000/svg}"


def begun(setup: Setup, *names: str) -> object:
    return PLAY.begin(setup, cast(*names))


@pytest.mark.parametrize(
    ("setup", "names", "code", "path"),
    [
        (Setup(title=" "), ("bron",), "title_missing", ("title",)),
        (Setup(title="x" * 201), ("bron",), "title_too_long", ("title",)),
        (Setup(title="x", players=1), ("bron",), "players_out_of_range", ("players",)),
        (Setup(title="x", players=2), ("bron", "gor", "grim"), "seats_too_few", ("players",)),
        (Setup(title="x"), (), "cast_missing", ("cast",)),
        (Setup(title="x", first="nobody"), ("bron",), "first_unknown", ("first",)),
        (Setup(title="x", rivals=("a", "b")), ("bron",), "rivals_too_many", ("rivals",)),
        (Setup(title="x", answer_seconds=1), ("bron",), "seconds_out_of_range", ("answer_seconds",)),
        (
            Setup(title="x", house=HouseRules(hoard=13)),
            ("bron",),
            "setting_out_of_range",
            ("house", "hoard"),
        ),
    ],
)
def test_a_setup_that_is_no_game_is_told_with_its_path(
    setup: Setup, names: tuple[str, ...], code: str, path: tuple[str, ...]
) -> None:
    found = begun(setup, *names)
    assert isinstance(found, Problems)
    assert [(it.code, it.path) for it in found] == [(code, path)]


def test_each_champion_is_played_once_unless_they_are_dealt() -> None:
    twice = (*cast("bron"), *(type(it)(id="again", sheet=it.sheet) for it in cast("bron")))
    found = PLAY.begin(Setup(title="x"), twice)
    assert isinstance(found, Problems)
    assert found.codes == ("champion_taken",)
    assert not isinstance(PLAY.begin(Setup(title="x", champions=Sheets.DEALT), twice), Problems)


def test_everybody_begins_with_six_endurance_a_gem_and_the_stock_of_the_chart() -> None:
    for players, copies in ((2, 2), (3, 3), (4, 4)):
        state = Game("grim", players=players).state
        assert [(one.endurance, one.power_left, one.hand) for one in state.fighters] == [
            (6, True, ())
        ] * players
        assert state.stock[item("dagger")] == copies
        assert len({one.champion for one in state.fighters}) == players


def test_who_begins_is_decided_at_the_table() -> None:
    assert Game("grim", "gor", first="gor").state.turn == "gor"
    assert Game("grim", first="rival-1").state.turn == "rival-1"


def test_rounds_are_counted_past_the_first_seat() -> None:
    game = Game("grim", "gor", first="gor")
    game.craft("gor", "MMMMMMMMM")
    assert game.state.round == 2
    game.craft("grim", "MMMMMMMMM")
    assert game.state.round == 2


def test_the_game_master_speaks_and_sets_limits_within_bounds() -> None:
    game = Game("gor", "bron")
    assert game.refused("SetTimeLimit", GM, seconds=2) == ("seconds_out_of_range",)
    assert game.refused("Say", GM, text=" ") == ("text_length",)
    assert game.refused("Say", "gor", text="Hey") == ("not_yours",)
    before = game.state
    made = game.move("Say", GM, text="The ale is finished")
    assert PLAY.tell(before, made.events[0]) == "The ale is finished."


def test_what_a_game_brought_stands_in_the_chronicle() -> None:
    before = ChampionChoices(name="Nori", champion=champion("gor"), chronicle=Chronicle(won=1))
    after = PLAY.absorb(before, {"won": True, "felled": 2})
    assert after.chronicle == Chronicle(won=2, lost=0, felled=2)
    assert PLAY.absorb(after, {"won": False, "felled": 0}).chronicle == Chronicle(won=2, lost=1, felled=2)


# Pictures


def drawn(game: Game) -> ElementTree.Element:
    return ElementTree.fromstring(PLAY.picture(game.state))


def words(root: ElementTree.Element) -> list[str]:
    return [it.text or "" for it in root.iter(f"{SVG}text")]


def test_a_picture_shows_the_forge_the_armory_and_everybody() -> None:
    game = Game("gor", "bron", "grim", "belinda")
    game.armed(bron="greataxe helm")
    game.move("Craft", "gor", dice={"hoard": "MMMMMWWAN"})
    game.move("PlaceNulls", "bron", squares=[{"x": 2, "y": 2}])
    game.move("Lay", "gor", item=item("longsword"), at="MMW......")
    assert isinstance(PLAY, Pictured)
    root = drawn(game)
    said = words(root)
    assert root.find(f"{SVG}title").text == "A Game"  # type: ignore[union-attr]
    assert "Bron Steelshaper has 6 Endurance and Greataxe, Helm." in root.find(f"{SVG}desc").text  # type: ignore[union-attr,operator]
    for one in game.state.fighters:
        assert any(one.name in it for it in said)
    assert said.count("Greataxe") == 2
    assert "0 left" in said
    # Nine dice of the Hoard, and on the Forge one Null and the three signs of the Longsword.
    assert sum(it in "MWAN" and len(it) == 1 for it in said) == 9 + 1 + 3


def test_a_picture_shows_a_combat_with_its_dice() -> None:
    game = Game("gor", "bron")
    game.armed(gor="longsword dagger", bron="helm")
    game.move("Challenge", "gor", target="bron")
    assert words(drawn(game)).count("is choosing") == 2
    game.move("ChooseCards", "gor", cards=[item("longsword")])
    assert words(drawn(game)).count("is choosing") == 2
    game.move("ChooseCards", "bron", cards=[item("helm")])
    assert {"Longsword", "Helm"} <= set(words(drawn(game)))
    game.move("Decline", "gor", dice={"attack": "AMN", "defence": "WN"})
    game.move("Decline", "bron")
    said = words(drawn(game))
    assert {"Attack: Gor Skymaul", "Defence: Bron Steelshaper"} <= set(said)
    assert sum(it in "MWAN" and len(it) == 1 for it in said) == 5


def test_a_picture_is_well_formed_and_by_itself_wherever_the_game_stands() -> None:
    game = Game("grim", "bron")
    throw, asked, rested = thrower(named_stream("pictures")), set(), set()
    while not PLAY.outcome(game.state).ended:
        text = PLAY.picture(game.state)
        asked |= {ask.id for ask in game.at.asks}
        rested.add(game.at.waiting is None and (game.state.crafting is None, game.state.combat is None))
        ElementTree.fromstring(text)
        assert "href" not in text and "<script" not in text and "url(" not in text
        ask = next(iter(game.at.asks), None)
        if ask is None:
            move = PLAY.bot(game.state, game.state.turn)
        else:
            move = PLAY.reply(game.at.view(Viewer(actors=frozenset({ask.actor}))), ask)
        taken = game.at.take(move, 1, throw)
        assert isinstance(taken, Taken), str(taken)
        game.at = taken.position
    assert PLAY.outcome(game.state).text in words(drawn(game))
    assert {"mark", "nulls", "attack", "defence", "block"} <= asked
    assert {(True, True), (False, True)} <= rested


def test_names_with_signs_that_pictures_cannot_hold_are_drawn_without_them() -> None:
    state = PLAY.begin(Setup(title="<Feud> & \x00\x0b?", rivals=("\x1b[31m" + "long " * 30,)), cast("gor"))
    assert not isinstance(state, Problems)
    root = ElementTree.fromstring(PLAY.picture(state))
    assert root.find(f"{SVG}title").text == "<Feud> & ?"  # type: ignore[union-attr]


# Bots


def test_there_are_three_bots_the_weakest_first() -> None:
    assert isinstance(PLAY, PlayedByBots)
    assert [bot.id for bot in bots_of(PLAY)] == ["random", "steady", "strong"]


@pytest.mark.parametrize(("other", "games", "least"), [("random", 24, 0.8), ("steady", 48, 0.5)])
def test_the_strong_bot_beats_the_others(other: str, games: int, least: float) -> None:
    """On fixed streams of chance, from both seats."""
    bots = {bot.id: bot for bot in bots_of(PLAY)}
    pairs = (("grim", "gor"), ("bron", "belinda"), ("belinda", "grim"), ("gor", "bron"))
    openings = []
    for pair in pairs:
        members = zip(("one", "other"), cast(*pair), strict=True)
        openings.append(PLAY.begin(PLAY.setups["feud"], tuple(replace(it, id=seat) for seat, it in members)))
    tally = tournament(
        PLAY, openings, ["one", "other"], [bots["strong"], bots[other]], games, name=f"strong-{other}"
    )
    assert tally.unfinished == 0
    assert sum(tally.wins) == games
    assert tally.share(0) >= least


def test_bots_play_with_closed_hands_and_at_full_tables() -> None:
    bots = {bot.id: bot for bot in bots_of(PLAY)}
    opening = PLAY.begin(PLAY.setups["closed-hands"], cast("bron", "grim", "gor", "belinda"))
    seats = ["bron", "grim", "gor", "belinda"]
    contestants = [bots["strong"], bots["steady"], bots["strong"], bots["steady"]]
    tally = tournament(PLAY, [opening], seats, contestants, 4, name="closed")
    assert tally.unfinished == 0
    assert sum(tally.wins) == 4


def test_the_catalog_has_no_dangling_names() -> None:
    for one in CATALOG.champions:
        assert {CATALOG.powers[one.passive].kind.value, CATALOG.powers[one.active].kind.value} == {
            "passive",
            "active",
        }


def test_a_refusal_says_what_was_found_where_and_what_would_be_allowed() -> None:
    game = Game("grim", "bron")
    game.armed(grim="hatchet helm", bron="longsword")
    tried: list[tuple[str, str, dict[str, object]]] = [
        ("Pass", "grim", {}),
        ("Craft", "bron", {}),
        ("Forge", "grim", {"items": []}),
        ("Block", "grim", {"dice": []}),
        ("DarkPact", "grim", {"resource": "M"}),
        ("ForgesFury", "bron", {}),
        ("Challenge", "grim", {"target": "grim"}),
    ]
    found = [problem for kind, who, form in tried for problem in refusals(game, kind, who, form)]
    game.move("Craft", "grim", dice={"hoard": "MMMWWWWWN"})
    game.move("Decline", "grim")
    found += refusals(game, "PlaceNulls", "bron", {"squares": [{"x": 1, "y": 1}]})
    found += refusals(game, "MarkOfQuality", "bron", {})
    game.move("PlaceNulls", "bron", squares=[{"x": 0, "y": 0}])
    for at, name in (("MM.......", "shortsword"), ("....M...M", "shortsword"), ("x", "dagger")):
        found += refusals(game, "Lay", "grim", {"item": item(name), "at": at})
    found += refusals(game, "Forge", "grim", {"items": [item("greataxe")]})
    assert len(found) >= 13
    for problem in found:
        assert problem.rule and problem.path, problem
        assert problem.found is not None and problem.allowed is not None, problem


def refusals(game: Game, kind: str, who: str, form: dict[str, object]) -> list[RuleProblem]:
    return list(game.problems(kind, who, form))
