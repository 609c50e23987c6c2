"""Whole games of Forgeborn: what holds in every one of them, and how well its bots play."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from services.rules.engine.bots import bots_of
from services.rules.engine.driver import Made, fold, make, scripted, thrower
from services.rules.engine.matches import Match, chooser, named_stream, play_match, tournament
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.position import Position, Taken, position
from services.rules.engine.sampling import complete
from services.rules.systems.forgeborn import SYSTEM, PlaceKind
from services.rules.systems.forgeborn.catalog import TableSettings
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.facts import (
    ArtifactMade,
    DiceChanged,
    Fought,
    Journeyed,
    RuinSpent,
    TokenChanged,
    TurnBegan,
)
from services.rules.systems.forgeborn.play.ground import realm_of
from services.rules.systems.forgeborn.play.setup import SETUPS
from services.rules.systems.forgeborn.play.state import VAULT, Game, Phase, Token
from services.rules.systems.forgeborn.pools import DiceCount
from tests.rules.forgeborn_values import reachable

assert SYSTEM.play is not None
PLAY = SYSTEM.play
BOTS = {bot.id: bot for bot in bots_of(PLAY)}
MASTER_SELDOM = 25
SEEDS = range(10)
ALL = Viewer(gm=True)


def opening(setup: str, *names: str, **changes: object) -> Game:
    cast = tuple(
        CastMember(id=f"chr-{name}", sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content))
        for name in names
    )
    game = PLAY.begin(replace(SETUPS[setup], **changes), cast)
    assert isinstance(game, Game), str(game)
    return game


def at_random(seed: int) -> Iterator[tuple[Position, Taken]]:
    """A game of offers picked and filled in at random, by everybody, to its end or its round limit.

    Each move and answer with where the game stood before it.
    """
    names = list(SYSTEM.examples)[: 1 + seed % 4]
    settings = TableSettings(round_limit=8, artifact_approval=bool(seed % 2))
    at = Position(PLAY, opening("blank-sheet" if seed % 2 else "realm", *names, settings=settings))
    dice, choose = thrower(named_stream(seed, "dice")), chooser(named_stream(seed, "choices"))
    number = 0
    while not PLAY.outcome(at.state).ended:
        actors = [card.id for card in PLAY.card(at.state).actors]
        able = [actor for actor in actors if at.legal(actor, ALL)]
        if not able or (not at.asks and choose(MASTER_SELDOM) == 0):
            able = [GM]
        offers = [offer for offer in at.legal(able[choose(len(able))], ALL) if offer.id != "call-off"]
        offer = offers[choose(len(offers))]
        number += 1
        made = at.take(PLAY.move_codec.read(complete(offer, choose)), number, dice)
        assert isinstance(made, Taken), f"{offer.id}: {made}"
        yield at, made
        at = made.position


@pytest.fixture(scope="module", params=SEEDS)
def game_at_random(request: pytest.FixtureRequest) -> list[tuple[Position, Taken]]:
    return list(at_random(request.param))


def owned(game: Game) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in (*game.smiths, *game.heroines):
        found.update({(f"{one.id}:{size.value}"): one.dice.count(size) for size in one.dice.owned()})
    return found


def test_dice_and_tokens_come_and_go_only_as_it_is_told(game_at_random: list[tuple[Position, Taken]]) -> None:
    for at, made in game_at_random:
        game, after = at.state, made.position.state
        dice = owned(game)
        tokens = {(smith.id, token): getattr(smith, token.value) for smith in game.smiths for token in Token}
        for event in made.events:
            if isinstance(event, DiceChanged):
                dice.update(f"{event.who}:{size.value}" for size in event.gained)
                dice.subtract(f"{event.who}:{size.value}" for size in event.lost)
            if isinstance(event, TokenChanged):
                tokens[event.smith, event.token] += event.change
        fresh = after.heroines[len(game.heroines) :]
        for heroine in fresh:
            dice.update(
                {f"{heroine.id}:{size.value}": heroine.dice.count(size) for size in heroine.dice.owned()}
            )
        assert +dice == owned(after)
        assert min(dice.values(), default=0) >= 0
        assert all(
            getattr(smith, token.value) == tokens[smith.id, token] >= 0
            for smith in after.smiths
            for token in Token
        )


def test_a_conflict_leaves_three_dice_or_all_there_were(game_at_random: list[tuple[Position, Taken]]) -> None:
    for at, made in game_at_random:
        for event in made.events:
            if isinstance(event, Fought):
                before = at.state.actor(event.who).dice.total()
                assert made.position.state.actor(event.who).dice.total() >= min(3, before)


def test_an_artifact_is_in_one_place_and_keeps_its_power(
    game_at_random: list[tuple[Position, Taken]],
) -> None:
    powers: dict[str, int] = {}
    for _, made in game_at_random:
        state = made.position.state
        people = {VAULT, *(one.id for one in (*state.smiths, *state.heroines))}
        assert set(powers) <= {artifact.id for artifact in state.artifacts}
        assert len({artifact.id for artifact in state.artifacts}) == len(state.artifacts)
        for artifact in state.artifacts:
            assert artifact.holder in people
            assert artifact.power == artifact.dice.total() == powers.setdefault(artifact.id, artifact.power)
        for event in made.events:
            if isinstance(event, ArtifactMade):
                assert state.artifact(event.artifact).holder == VAULT


def test_two_ruins_are_to_be_explored_and_four_villages_have_problems(
    game_at_random: list[tuple[Position, Taken]],
) -> None:
    spent = 0
    for _, made in game_at_random:
        state = made.position.state
        spent += sum(isinstance(event, RuinSpent) for event in made.events)
        if state.phase is Phase.MAP:
            continue
        kinds = {kind: [spot for spot in state.ground.spots if spot.kind is kind] for kind in PlaceKind}
        ruins = kinds[PlaceKind.RUIN]
        assert sum(not ruin.spent for ruin in ruins) == 2
        assert sum(ruin.spent for ruin in ruins) == spent
        assert [1 <= (village.power or 0) <= 4 for village in kinds[PlaceKind.VILLAGE]] == [True] * 4
    realm = realm_of(game_at_random[-1][1].position.state.ground)
    assert reachable(realm) == {place.id for place in realm.places}


def test_points_never_fall_and_are_the_sum_of_what_was_scored(
    game_at_random: list[tuple[Position, Taken]],
) -> None:
    for at, made in game_at_random:
        for before, after in zip(at.state.smiths, made.position.state.smiths, strict=True):
            assert after.points >= before.points
            scored = [score.points for score in made.position.state.scores if score.smith == after.id]
            assert after.points == sum(scored)


def test_one_acts_in_a_turn_and_goes_a_second_way_only_by_road_after_a_road(
    game_at_random: list[tuple[Position, Taken]],
) -> None:
    ways: list[tuple[str, LinkKind]] = []
    for at, made in game_at_random:
        for event in made.events:
            if isinstance(event, Journeyed):
                assert at.state.player_of(event.who) == at.state.turn.smith
                ways.append((event.who, event.by))
                assert len({who for who, _ in ways}) == 1
                assert len(ways) == 1 or [by for _, by in ways] == [LinkKind.ROAD] * 2
            if isinstance(event, TurnBegan):
                ways = []


def test_a_game_replays_from_its_events_alone(game_at_random: list[tuple[Position, Taken]]) -> None:
    first, _ = game_at_random[0]
    events = [event for _, made in game_at_random for event in made.events]
    stored = [PLAY.event_codec.load(PLAY.event_codec.dump(event)) for event in events]
    assert fold(PLAY, first.state, stored) == game_at_random[-1][1].position.state


def test_a_game_goes_on_from_what_is_stored_at_every_step(
    game_at_random: list[tuple[Position, Taken]],
) -> None:
    """Whatever stops between two steps: the move that waits is run again from its beginning."""
    for number, (at, made) in enumerate(game_at_random, start=1):
        stored = position(PLAY, *json.loads(json.dumps(at.form())))
        again = stored.take(made.move, number, scripted(made.faces))
        assert isinstance(again, Taken)
        assert (again.rolls, again.happened) == (made.rolls, made.happened)
        assert again.position.form() == made.position.form()


def test_random_games_bring_up_most_of_what_there_is() -> None:
    steps = [step for seed in SEEDS for step in at_random(seed)]
    seen = {type(made.move).__name__ for _, made in steps}
    assert seen >= {"CreateArtifact", "Imbue", "Bestow", "Recruit", "AskVault", "Vote", "AssistVillage"}
    asked = {ask.id.partition(":")[0] for at, _ in steps for ask in at.asks}
    assert asked >= {"approve", "join", "imbue", "bestow", "vote", "claim", "reward"}


# Bots


def match(bots: tuple[str, ...], seed: int, setup: str = "realm") -> Match:
    names = list(SYSTEM.examples)[: len(bots)]
    seats = {f"chr-{name}": BOTS[bot] for name, bot in zip(names, bots, strict=True)}
    faces, choose = named_stream(seed, "bots"), chooser(named_stream(seed, "choose"))
    return play_match(PLAY, opening(setup, *names), seats, faces=faces, choose=choose)


@pytest.mark.parametrize(("players", "setup"), [(2, "blank-sheet"), (4, "realm")])
def test_strong_bots_slay_the_dragon_and_everybody_else_has_one_turn_more(players: int, setup: str) -> None:
    found = match(("strong",) * players, 7, setup)
    state = found.state
    assert found.outcome.ended
    assert state.slayer
    fell = next(score.turn for score in state.scores if score.why.value == "dragon")
    assert state.turn.number - fell == players - 1


def test_the_strong_bot_beats_a_random_one_nearly_always() -> None:
    tally = tournament(
        PLAY,
        [opening("realm", "brika", "gaugr")],
        ("chr-brika", "chr-gaugr"),
        (BOTS["strong"], BOTS["random"]),
        12,
        name="forgeborn",
    )
    assert tally.unfinished == 0
    assert tally.share(0) >= 0.8


def test_a_smith_without_dice_finds_some_in_the_forest() -> None:
    """The strategy notes of the book: then the Forest is the only option."""
    game = opening("realm", "brika")
    poor = tuple(replace(smith, dice=DiceCount()) for smith in game.smiths)
    game = replace(game, smiths=poor)
    dice = thrower(named_stream("poor"))
    for _ in range(12):
        actor = PLAY.card(game).waiting_for[0]
        move = BOTS["strong"].move(game, actor, lambda _: 0)
        made = make(PLAY, game, move, dice, PLAY.reply)
        assert isinstance(made, Made)
        game = made.state
    assert min(smith.dice.total() for smith in game.smiths) > 0
