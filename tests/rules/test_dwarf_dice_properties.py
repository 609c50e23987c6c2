"""Whole games of any lawful moves: they end, nothing is lost or invented, and no rule is bent on the way."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.bots import Bot, random_bot
from services.rules.engine.driver import Made, fold, make, thrower
from services.rules.engine.matches import chooser, named_stream
from services.rules.engine.play import Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import Choose, complete
from services.rules.engine.steps import Ask
from services.rules.systems.dwarf_dice.play.champions import targets
from services.rules.systems.dwarf_dice.play.layout import laid_at
from services.rules.systems.dwarf_dice.play.moves import DarkPact, ForgesFury, FuriousAssault, Upgrade
from services.rules.systems.dwarf_dice.play.setup import Setup, Sheets
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.settings import DieFaces, HouseRules, ShrinkRay
from tests.rules.dwarf_dice_games import ALL, PLAY, cast

MOST_MOVES = 3_000
CHAMPIONS = ("bron", "grim", "gor", "belinda")
ACTIVE = (DarkPact, ForgesFury, FuriousAssault, Upgrade)

houses = st.builds(
    HouseRules,
    endurance=st.integers(1, 4),
    shifting=st.booleans(),
    attack_needs_card=st.booleans(),
    shrink_ray=st.sampled_from(ShrinkRay),
    free_blocks=st.booleans(),
    rebuke_before_defeat=st.booleans(),
    fallen_hand_returns=st.just(True) | st.booleans(),
    upgrade_across_sides=st.booleans(),
    adaptability_items=st.integers(0, 2),
    attacker_counts_for_lowest=st.booleans(),
    open_hands=st.booleans(),
    faces=st.sampled_from([None, DieFaces(metal=3, wood=2, alchemy=1, null=2)]),
)


def cards(state: Table) -> Counter[str]:
    """Every card there is: in the Armory, in hands, and out of the game."""
    found = Counter({item: copies for item, copies in state.stock.items() if copies})
    for one in state.fighters:
        found.update(one.hand)
    found.update(state.lost)
    return found


def must_hold(before: Table, made: Taken, after: Table) -> None:
    assert min(after.stock.values()) >= 0
    for one, was in zip(after.fighters, before.fighters, strict=True):
        assert one.endurance <= was.endurance
        assert was.power_left or not one.power_left
        assert not was.out or (one.out and not one.hand)
        assert one.out == (one.endurance <= 0) or after.combat is not None
    if isinstance(made.move, ACTIVE):
        assert before.fighter(made.move.actor).power_left
        assert not after.fighter(made.move.actor).power_left
    assert sum(roll.dice.value for roll in made.rolls) <= 12
    crafting = after.crafting
    if crafting is not None:
        hoard = crafting.hoard
        used = sum(laid_at(work).squares.bit_count() for work in crafting.works)
        assert used + len(crafting.nulls) <= 9
        placed = len(crafting.nulls) + hoard.nulls + hoard.aside
        assert sum(hoard.resources()) + placed == len(crafting.rolled) == after.rules.hoard
        assert all((square.x, square.y) != (1, 1) for square in crafting.nulls)
    living = after.living()
    if after.ending is None:
        assert made.position.card(ALL).waiting_for
        assert len(living) >= 2
        assert after.combat is not None or all(targets(after, one.id) for one in living)


@given(
    players=st.integers(2, 4),
    dealt=st.booleans(),
    house=houses,
    seed=st.integers(0, 10**6),
)
@settings(max_examples=25)
def test_any_lawful_game_keeps_its_cards_and_its_rules(
    players: int, dealt: bool, house: HouseRules, seed: int
) -> None:
    sheets = Sheets.DEALT if dealt else Sheets.OWN
    setup = Setup(title="Any", players=players, champions=sheets, house=house)
    state = PLAY.begin(setup, cast(*CHAMPIONS[: 1 + seed % players]))
    assert not isinstance(state, Problems)
    whole = cards(state)
    throw, choose = thrower(named_stream(seed, "dice")), chooser(named_stream(seed, "choices"))
    at = Position(PLAY, state)
    for number in range(100):
        if PLAY.outcome(at.state).ended:
            break
        waiting = at.card(ALL).waiting_for
        offers = at.legal(waiting[choose(len(waiting))], ALL)
        form: Any = complete(offers[choose(len(offers))], choose)
        made = at.take(PLAY.move_codec.read(form), number, throw)
        assert isinstance(made, Taken), f"{form}: {made}"
        assert cards(made.position.state) == whole
        must_hold(at.state, made, made.position.state)
        at = made.position


def test_random_games_come_to_their_end_and_replay_to_the_same() -> None:
    ended = []
    for seed in range(6):
        names = CHAMPIONS[: 2 + seed % 3]
        opening = PLAY.begin(PLAY.setups["feud"], cast(*names))
        assert not isinstance(opening, Problems)
        state = opening
        bot = random_bot(PLAY)
        throw, choose = thrower(named_stream(seed)), chooser(named_stream(seed, "choices"))
        events: list[Any] = []

        def answer(state: Table, ask: Ask, choose: Choose = choose, bot: Bot = bot) -> Any:
            seen = PLAY.view(state, Viewer(actors=frozenset({ask.actor})))
            return bot.reply(PLAY, seen, ask, choose)

        for _ in range(MOST_MOVES):
            if PLAY.outcome(state).ended:
                break
            who = PLAY.card(state).waiting_for[0]
            seen = PLAY.view(state, Viewer(actors=frozenset({who})))
            made = make(PLAY, state, bot.move(seen, who, choose), throw, answer)
            assert isinstance(made, Made)
            events += made.events
            state = made.state
        outcome = PLAY.outcome(state)
        assert outcome.ended
        assert len(outcome.winners) == 1
        assert fold(PLAY, opening, events) == state
        ended.append(outcome.winners[0])
    assert len(set(ended)) > 1
