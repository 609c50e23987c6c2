"""How the dice fell: counted with each open roll, read by those at the table, judged without overclaiming."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from math import exp, factorial, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.dice.rolls.replay import definitions_of
from services.dice.statistics.fairness import Verdict, caution, chi_square_tail, fairness
from services.dice.statistics.luck import BINS, Expectation, Luck, Totals, luck
from services.dice.statistics.repository import MOST_EXPRESSIONS, OpenRoll, Tallies, tally, tally_all
from services.dice.statistics.service import StatisticsService
from services.rules.dice.mechanic import Mechanic, Parameter, Reading
from services.rules.dice.notation import Lexicon, parse, render
from services.rules.dice.pool import Face
from services.rules.dice.pool import dice as pool
from services.rules.dice.result import RollResult
from services.rules.dice.roll import plan
from services.rules.dice.stream import ListStream
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.peers import PeerUnavailable
from services.shared.policy import Policy
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.inside import Campaigns

COIN = (Face("Heads", 1), Face("Tails", 0))
GAMES_OWN = {"resource": (Face("Metal", 1), Face("Wood", 1))}

# Fairness


@pytest.mark.parametrize(
    ("freedom", "statistic", "p"),
    [
        # Percentage points of the chi-square distribution as statistical tables print them.
        (1, 3.841, 0.05),
        (1, 10.828, 0.001),
        (2, 4.605, 0.10),
        (5, 11.070, 0.05),
        (5, 20.515, 0.001),
        (9, 2.088, 0.99),
        (19, 30.144, 0.05),
        (19, 43.820, 0.001),
        (99, 148.230, 0.001),
    ],
)
def test_tails_are_those_of_the_tables(freedom: int, statistic: float, p: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(p, rel=2e-3)


@given(st.floats(0, 500), st.integers(1, 50))
def test_tails_with_an_even_number_of_degrees_have_a_closed_form(statistic: float, half: int) -> None:
    # Q(n, x) = exp(-x) * sum of x^k / k! for k < n: a Poisson tail (Abramowitz and Stegun 26.4.21).
    x = statistic / 2
    closed = exp(-x) * sum(x**power / factorial(power) for power in range(half))
    assert isclose(chi_square_tail(statistic, 2 * half), closed, rel_tol=1e-9, abs_tol=1e-12)


def test_a_tail_needs_a_statistic_and_a_degree_of_freedom() -> None:
    for statistic, freedom in ((-1.0, 3), (1.0, 0)):
        with pytest.raises(ValueError):
            chi_square_tail(statistic, freedom)


def test_a_known_sample_gives_the_known_statistic() -> None:
    # 60 throws of a die: 5, 8, 9, 8, 10, 20 of each face; expected 10, statistic 13.4, p 0.0199.
    found = fairness([5, 8, 9, 8, 10, 20])
    assert (found.dice, found.expected, found.degrees_of_freedom) == (60, 10, 5)
    assert found.statistic == pytest.approx(13.4)
    assert found.p_value == pytest.approx(0.01991, abs=1e-5)
    assert found.verdict is Verdict.ORDINARY


@pytest.mark.parametrize("counts", [[0] * 6, [4] * 6, [29, 0, 0, 0, 0, 0], [9], [9_000]])
def test_with_fewer_than_five_expected_of_each_face_nothing_is_said(counts: list[int]) -> None:
    found = fairness(counts)
    assert (found.verdict, found.p_value) == (Verdict.TOO_FEW, None)


def test_the_sixth_of_thirty_is_enough() -> None:
    assert fairness([30, 0, 0, 0, 0, 0]).verdict is Verdict.UNUSUAL


@pytest.mark.parametrize("counts", [[], [3, -1]])
def test_counts_that_no_die_can_have_are_refused(counts: list[int]) -> None:
    with pytest.raises(ValueError):
        fairness(counts)


@pytest.mark.parametrize("faces", [2, 6, 20])
def test_honest_dice_give_p_values_that_are_spread_evenly(faces: int) -> None:
    draws, samples = 60 * faces, 1_000
    chance = random.Random(f"honest {faces}")
    values = []
    for _ in range(samples):
        fell = Counter(chance.choices(range(faces), k=draws))
        p = fairness([fell[face] for face in range(faces)]).p_value
        assert p is not None
        values.append(p)
    # Kolmogorov-Smirnov: at 1,000 samples a distance above 0.0616 comes once in 1,000 honest tests. A coin's
    # p-values stand on few steps, each as wide as the chance of its most likely count.
    step = 0.08 if faces == 2 else 0.0
    ranked = sorted(values)
    distance = max(
        max((place + 1) / samples - value, value - place / samples) for place, value in enumerate(ranked)
    )
    assert distance < 0.0616 + step
    assert sum(value < 0.001 for value in values) <= 6


def test_a_loaded_die_is_found() -> None:
    chance = random.Random("loaded")
    fell = Counter(chance.choices(range(6), weights=[10, 10, 10, 10, 10, 15], k=3_000))
    found = fairness([fell[face] for face in range(6)])
    assert found.verdict is Verdict.UNUSUAL
    assert "does not make these dishonest" in found.words


def test_the_words_say_how_often_honest_dice_do_the_same() -> None:
    assert "2.0% of the time" in fairness([5, 8, 9, 8, 10, 20]).words
    assert "less than once in a million" in fairness([600, 0, 0, 0, 0, 0]).words
    assert "Too few to say: 12 so far, and 5 for each face would be 30" in fairness([2] * 6).words


def test_many_kinds_side_by_side_are_expected_to_look_odd() -> None:
    ordinary, odd = fairness([10] * 6), fairness([60, 0, 0, 0, 0, 0])
    assert "nothing" not in caution([]) and "often enough" in caution([fairness([1] * 6)])
    said = caution([ordinary, odd, fairness([1] * 6)])
    assert said.startswith("1 of 2 tested kinds of dice is unusual.") and "0.2%" in said
    assert "4.9%" in caution([ordinary] * 50)


# Luck


def expectation(chances: Mapping[int, float]) -> Expectation:
    """Give what is expected of totals with these chances."""
    mean = sum(total * chance for total, chance in chances.items())
    return Expectation(
        mean,
        sum((total - mean) ** 2 * chance for total, chance in chances.items()),
        lambda total: sum(chance for other, chance in chances.items() if other < total),
        lambda total: sum(chance for other, chance in chances.items() if other <= total),
    )


D6 = expectation(dict.fromkeys(range(1, 7), 1 / 6))
TWO_D6 = expectation({total: (6 - abs(7 - total)) / 36 for total in range(2, 13)})


def test_totals_that_come_as_expected_are_no_luck_at_all() -> None:
    found = luck([Totals(dict.fromkeys(range(1, 7), 10), D6)])
    assert (found.rolls, found.not_reckoned, found.verdict) == (60, 0, Verdict.ORDINARY)
    assert found.z_score == pytest.approx(0) and found.mean_percentile == pytest.approx(0.5)
    assert found.percentiles == pytest.approx([6.0] * BINS)


def test_the_z_score_is_the_surplus_over_the_spread_of_all_rolls() -> None:
    # 36 rolls of d6 with 30 points too many, 4 of 2d6 with 8 too few: 22 / sqrt(36 * 35/12 + 4 * 35/6).
    found = luck([Totals({6: 12, 3: 24, 5: 0}, D6), Totals({5: 4}, TWO_D6)])
    surplus = 12 * 2.5 - 24 * 0.5 - 4 * 2
    assert found.z_score == pytest.approx(surplus / (36 * 35 / 12 + 4 * 35 / 6) ** 0.5)
    assert found.rolls == 40


def test_what_cannot_be_reckoned_is_counted_and_left_out() -> None:
    certain = Expectation(5, 0, lambda total: float(total > 5), lambda total: float(total >= 5))
    found = luck([Totals({6: 2}, D6), Totals({9: 3}, None), Totals({5: 4}, certain)], left_out=7)
    assert (found.rolls, found.not_reckoned) == (2, 14)
    nothing = luck([Totals({9: 3}, None)])
    assert (nothing.rolls, nothing.not_reckoned, nothing.z_score) == (0, 3, None)
    assert (nothing.mean_percentile, nothing.verdict) == (None, Verdict.TOO_FEW)


def test_few_rolls_say_nothing() -> None:
    found = luck([Totals({6: 29}, D6)])
    assert (found.verdict, found.p_value) == (Verdict.TOO_FEW, None)
    assert luck([Totals({6: 30}, D6)]).verdict is Verdict.UNUSUAL


@pytest.mark.parametrize(("total", "word"), [(6, "high"), (1, "low")])
def test_luck_has_a_side(total: int, word: str) -> None:
    assert f"Unusually {word}" in luck([Totals({total: 40}, D6)]).words


@given(st.dictionaries(st.integers(2, 12), st.integers(1, 9), min_size=1))
def test_every_reckoned_roll_stands_somewhere_in_the_histogram(counts: dict[int, int]) -> None:
    found = luck([Totals(counts, TWO_D6)])
    assert sum(found.percentiles) == pytest.approx(sum(counts.values()))
    assert found.mean_percentile is not None and 0 <= found.mean_percentile <= 1


def test_a_total_that_the_odds_do_not_know_breaks_nothing() -> None:
    assert sum(luck([Totals({99: 1, -99: 1}, D6)]).percentiles) == pytest.approx(2)


def test_honest_totals_give_a_normal_z_score() -> None:
    chance = random.Random("z")
    scores = []
    for _ in range(400):
        made = Counter(chance.randint(1, 6) for _ in range(100))
        both = Counter(chance.randint(1, 6) + chance.randint(1, 6) for _ in range(50))
        score = luck([Totals(made, D6), Totals(both, TWO_D6)]).z_score
        assert score is not None
        scores.append(score)
    assert abs(sum(scores) / 400) < 0.165  # 3.3 standard errors
    assert 0.85 < sum(score**2 for score in scores) / 400 < 1.17


# Counting


WITH_DICE = pytest.mark.databases("dice")


REACH = Mechanic(
    name="toy:reach",
    title="Reach",
    meaning="Ten-sided dice against ten-sided dice.",
    source="none",
    parameters=(Parameter("action", "dice", 0, 20), Parameter("defence", "dice", 0, 20)),
    outcomes=("done",),
    pools=lambda given: tuple(pool(int(str(given[name])), 10) for name in ("action", "defence")),
    read=lambda _given, rolled: Reading(sum(map(sum, rolled)), "done"),
    odds=lambda _given: {},
)
TOYS = {REACH.name: REACH}


class Book:
    """Odds of the expressions that a test has laid down; whoever asks for `never` waits for ever."""

    def __init__(self) -> None:
        self.known: dict[str, Expectation] = {"1d6": D6, "2d6": TWO_D6}
        self.broken = False

    async def expectation(
        self, _viewer: Viewer, expression: str, definitions: str | None
    ) -> Expectation | None:
        if self.broken:
            raise ArithmeticError
        if expression.startswith("gone:"):
            parse(expression)
        if expression == "never":
            await asyncio.Event().wait()
        return self.known.get(expression)


class Ledger:
    """Statistics with somebody of each kind around a table."""

    def __init__(self, database: Database, *, seconds: float = 60) -> None:
        self.database = database
        self.everyone = Campaigns()
        self.book = Book()
        self.own: dict[str, dict[str, tuple[Face, ...]]] = {}
        self.service = StatisticsService(
            database, Policy(self.everyone), self.definitions, GAMES_OWN, self.book, seconds=seconds
        )
        self.campaign = new_id("cmp")
        self.gm, self.player, self.spectator = (self.member(self.campaign, role) for role in Role)
        self.outsider = self.member(new_id("cmp"), Role.GM)

    def member(self, campaign: str, role: Role) -> Viewer:
        made = Viewer(new_id("acc"), frozenset({"read", "write"}))
        self.everyone.roles[made.account] = {campaign: role}
        return made

    async def definitions(self, place: str) -> dict[str, tuple[Face, ...]]:
        return self.own.get(place, {})

    async def roll(
        self,
        viewer: Viewer,
        text: str,
        *faces: int,
        place: str | None = None,
        dice: Mapping[str, tuple[Face, ...]] | None = None,
    ) -> RollResult:
        """Count a roll of these faces."""
        expression = parse(text, Lexicon(dice=dice or {}, mechanics=TOYS))
        result = plan(expression, TOYS).roll(ListStream(list(faces)))
        async with self.database.write() as session:
            await tally(
                session,
                place or self.campaign,
                viewer.account,
                result,
                render(expression),
                definitions_of(expression),
            )
        return result

    async def kinds(self, viewer: Viewer, **narrowed: str | None) -> dict[str, list[int]]:
        """Read how often each face of each kind came."""
        scope = await self.service.scope(
            viewer, narrowed.get("campaign", self.campaign), narrowed.get("account")
        )
        assert scope is not None
        found = await self.service.dice(scope)
        return {kind.die: [face.count for face in kind.faces] for kind in found.kinds}

    async def luck(self, viewer: Viewer, **narrowed: str | None) -> Luck:
        scope = await self.service.scope(
            viewer, narrowed.get("campaign", self.campaign), narrowed.get("account")
        )
        assert scope is not None
        return await self.service.luck(scope)


@pytest.fixture
async def ledger(settings: Settings) -> AsyncIterator[Ledger]:
    database = Database(settings.database_url("dice"))
    yield Ledger(database)
    await database.close()


@WITH_DICE
async def test_every_draw_counts_those_that_were_rolled_again_or_dropped_too(ledger: Ledger) -> None:
    await ledger.roll(ledger.gm, "3d6r1kh1", 1, 4, 6, 1, 2)
    await ledger.roll(ledger.gm, "2d6! + 1d8", 6, 3, 6, 1, 8)
    assert await ledger.kinds(ledger.gm) == {
        "d6": [3, 1, 1, 1, 0, 3],
        "d8": [0, 0, 0, 0, 0, 0, 0, 1],
    }


@WITH_DICE
@pytest.mark.parametrize(
    ("text", "faces", "kinds"),
    [
        ("4dF", (1, 2, 3, 3), {"dF": [1, 1, 2]}),
        ("2d10 vs 1d10", (10, 3, 7), {"d10": [0, 0, 1, 0, 0, 0, 1, 0, 0, 1]}),
        ("2d6 net 1d6", (6, 3, 5), {"d6": [0, 0, 1, 0, 1, 1]}),
        ("{2d4, d4}kh1", (4, 4, 1), {"d4": [1, 0, 0, 2]}),
        ("(1d2)d3", (2, 3, 3), {"d2": [0, 1], "d3": [0, 0, 2]}),
        ("1d(1d2)", (2, 1), {"d2": [1, 1]}),
        ("2d6min3[fire] - -1d6", (1, 2, 6), {"d6": [1, 1, 0, 0, 0, 1]}),
        ("2d4!!", (4, 1, 2), {"d4": [1, 1, 0, 1]}),
        ("3d[1,1,2]", (1, 3, 3), {"d[1,1,2]": [1, 0, 2]}),
        ("2dcoin", (2, 2), {"dcoin": [0, 2]}),
        ("1d100", (100,), {"d100": [0] * 99 + [1]}),
        ("1d101", (7,), {}),
        ("5 + 2", (), {}),
    ],
)
async def test_natural_faces_are_counted_by_kind(
    ledger: Ledger, text: str, faces: tuple[int, ...], kinds: dict[str, list[int]]
) -> None:
    await ledger.roll(ledger.player, text, *faces, dice={"coin": COIN})
    assert await ledger.kinds(ledger.player) == kinds


@WITH_DICE
async def test_a_games_own_roll_is_counted_like_any_other(ledger: Ledger) -> None:
    result = await ledger.roll(ledger.gm, "toy:reach(3, 2)", 10, 9, 1, 2, 2)
    assert result.faces == (10, 9, 1, 2, 2)
    assert await ledger.kinds(ledger.gm) == {"d10": [1, 2, 0, 0, 0, 0, 0, 0, 1, 1]}


@WITH_DICE
async def test_a_die_that_was_changed_is_another_one(ledger: Ledger) -> None:
    for faces in (COIN, (*COIN, Face("Edge", 5)), COIN):
        await ledger.roll(ledger.gm, "1dcoin", 2, dice={"coin": faces})
    ledger.own[ledger.campaign] = {"coin": (*COIN, Face("Edge", 5))}
    scope = await ledger.service.scope(ledger.gm, ledger.campaign, None)
    assert scope is not None
    found = (await ledger.service.dice(scope, "dcoin")).kinds
    shown = [(kind.former, [(face.label, face.count) for face in kind.faces]) for kind in found]
    assert shown == [
        (True, [("1", 0), ("2", 2)]),
        (False, [("Heads", 0), ("Tails", 1), ("Edge", 0)]),
    ]
    assert (await ledger.service.dice(scope, "d6")).kinds == ()


@WITH_DICE
async def test_labels_are_told_where_they_are_known(ledger: Ledger) -> None:
    await ledger.roll(ledger.gm, "1dF + 1d[hit:1,miss:0] + 1dresource", 1, 2, 1, dice=GAMES_OWN)
    long = ",".join(f"face{number}" for number in range(30))
    await ledger.roll(ledger.gm, f"1d[{long}] + 1d2", 30, 2)
    scope = await ledger.service.scope(ledger.gm, ledger.campaign, None)
    assert scope is not None
    found = {kind.die: kind for kind in (await ledger.service.dice(scope)).kinds}
    labels = {die: [face.label for face in kind.faces] for die, kind in found.items()}
    assert labels["dF"] == ["-1", "0", "+1"] and labels["d2"] == ["1", "2"]
    assert labels["d[hit,miss]"] == ["hit", "miss"]
    assert labels["dresource"] == ["Metal", "Wood"]
    cut = next(die for die in found if die.startswith("d[face0"))
    assert len(cut) <= 80 and labels[cut] == [str(number) for number in range(1, 31)]
    assert not any(kind.former for kind in found.values())


@ON_BOTH
@WITH_DICE
async def test_no_roll_is_lost_when_many_are_counted_side_by_side(ledger: Ledger) -> None:
    texts = [("2d6 + 1d4", (6, 1, 4)), ("1d4 + 2d6", (4, 1, 6)), ("3d6", (1, 6, 6)), ("1d6", (6,))]
    rolls = [texts[number % 4] for number in range(40)]
    await asyncio.gather(*(ledger.roll(ledger.gm, text, *faces) for text, faces in rolls))
    assert await ledger.kinds(ledger.gm) == {"d6": [30, 0, 0, 0, 0, 50], "d4": [0, 0, 0, 20]}
    found = await ledger.luck(ledger.gm)
    assert (found.rolls, found.not_reckoned) == (10, 30)


@WITH_DICE
async def test_many_rolls_counted_in_one_go_are_each_counted(ledger: Ledger) -> None:
    def rolls(place: str) -> list[OpenRoll]:
        made = [plan(parse("2d6", Lexicon()), {}).roll(ListStream([face, 6])) for face in (1, 6, 1, 3)]
        return [OpenRoll(place, ledger.gm.account, result, "2d6", None) for result in made]

    async def count(batch: list[OpenRoll]) -> None:
        async with ledger.database.write() as session:
            await tally_all(session, batch)

    home = ledger.gm.account
    there, here = rolls(ledger.campaign), rolls(home)
    await asyncio.gather(*(count([*first, *last]) for first, last in ((there, here), (here, there)) * 5))
    await count([])
    for campaign in (ledger.campaign, None):
        assert await ledger.kinds(ledger.gm, campaign=campaign) == {"d6": [20, 0, 10, 0, 0, 50]}
        assert (await ledger.luck(ledger.gm, campaign=campaign)).rolls == 40


@ON_BOTH
@WITH_DICE
async def test_a_roll_that_is_not_kept_is_not_counted(ledger: Ledger) -> None:
    expression = parse("2d6", Lexicon())
    result = plan(expression, {}).roll(ListStream([3, 3]))
    with pytest.raises(LookupError):
        async with ledger.database.write() as session:
            await tally(session, ledger.campaign, ledger.gm.account, result, "2d6", None)
            raise LookupError
    assert await ledger.kinds(ledger.gm) == {}
    assert (await ledger.luck(ledger.gm)).not_reckoned == 0


@WITH_DICE
async def test_the_largest_roll_there_is_is_counted_whole(ledger: Ledger) -> None:
    kinds = range(39, 101)
    text = "+".join(f"16d{sides}" for sides in kinds)
    faces = [1 + number % sides for sides in kinds for number in range(16)]
    await ledger.roll(ledger.gm, text, *faces)
    scope = await ledger.service.scope(ledger.gm, ledger.campaign, None)
    assert scope is not None
    found = await ledger.service.dice(scope)
    assert len(found.kinds) == 50 and found.other_dice == 12 * 16
    assert all(kind.fairness.dice == 16 for kind in found.kinds)


# Reading


@ON_BOTH
@WITH_DICE
async def test_the_table_sees_its_statistics_and_nobody_else_does(ledger: Ledger) -> None:
    await ledger.roll(ledger.gm, "1d6", 6)
    await ledger.roll(ledger.player, "1d6", 1)
    for viewer in (ledger.gm, ledger.player, ledger.spectator):
        assert await ledger.kinds(viewer) == {"d6": [1, 0, 0, 0, 0, 1]}
        assert await ledger.kinds(viewer, account=ledger.player.account) == {"d6": [1, 0, 0, 0, 0, 0]}
        for nobody in (new_id("acc"), "", "\0", "\ud800", "x" * 5000, ledger.campaign):
            assert await ledger.kinds(viewer, account=nobody) == {}
    for stranger in (ledger.outsider, Viewer()):
        assert await ledger.service.scope(stranger, ledger.campaign, None) is None
        assert await ledger.service.scope(stranger, ledger.campaign, ledger.gm.account) is None
    for nowhere in ("", "cmp_", new_id("cmp"), ledger.gm.account, "x" * 5000):
        assert await ledger.service.scope(ledger.gm, nowhere, None) is None


@ON_BOTH
@WITH_DICE
async def test_rolls_outside_of_campaigns_are_ones_own(ledger: Ledger) -> None:
    await ledger.roll(ledger.player, "1d6", 3, place=ledger.player.account)
    assert await ledger.kinds(ledger.player, campaign=None) == {"d6": [0, 0, 1, 0, 0, 0]}
    own = await ledger.kinds(ledger.player, campaign=None, account=ledger.player.account)
    assert own == {"d6": [0, 0, 1, 0, 0, 0]}
    assert await ledger.service.scope(ledger.gm, None, ledger.player.account) is None
    assert await ledger.kinds(ledger.gm, campaign=None) == {}
    assert await ledger.kinds(ledger.gm) == {}


@WITH_DICE
async def test_who_was_sent_away_sees_nothing_any_more(ledger: Ledger) -> None:
    await ledger.roll(ledger.player, "1d6", 3)
    ledger.everyone.roles[ledger.player.account] = {}
    assert await ledger.service.scope(ledger.player, ledger.campaign, None) is None
    ledger.everyone.away = True
    with pytest.raises(PeerUnavailable):
        await ledger.service.scope(ledger.gm, ledger.campaign, None)


@ON_BOTH
@WITH_DICE
async def test_luck_is_reckoned_with_the_odds_of_each_expression(ledger: Ledger) -> None:
    for faces in ((6, 6), (6, 5)):
        await ledger.roll(ledger.gm, "2d6", *faces)
    await ledger.roll(ledger.player, "1d6 # for the door", 1)
    await ledger.roll(ledger.player, "1d6", 2)
    await ledger.roll(ledger.player, "1d20", 2)
    found = await ledger.luck(ledger.gm)
    assert (found.rolls, found.not_reckoned) == (4, 1)
    assert found.z_score == pytest.approx((5 + 4 - 2.5 - 1.5) / (2 * 35 / 6 + 2 * 35 / 12) ** 0.5)
    players = await ledger.luck(ledger.gm, account=ledger.player.account)
    assert (players.rolls, players.not_reckoned) == (2, 1)
    assert players.mean_percentile == pytest.approx((1 / 12 + 3 / 12) / 2)


@WITH_DICE
async def test_odds_that_take_too_long_are_not_waited_for(settings: Settings) -> None:
    database = Database(settings.database_url("dice"))
    ledger = Ledger(database, seconds=0.2)
    await ledger.roll(ledger.gm, "1d6", 4)
    result = plan(parse("1d6", Lexicon()), {}).roll(ListStream([1]))
    endless = [OpenRoll(ledger.campaign, ledger.gm.account, result, "never", None)] * 3
    async with database.write() as session:
        await tally_all(session, endless)
    found = await ledger.luck(ledger.gm)
    assert (found.rolls, found.not_reckoned) == (1, 3)
    await database.close()


@WITH_DICE
async def test_what_is_no_notation_any_more_is_not_reckoned(ledger: Ledger) -> None:
    await ledger.roll(ledger.gm, "1d6", 4)
    result = plan(parse("1d6", Lexicon()), {}).roll(ListStream([1]))
    async with ledger.database.write() as session:
        await tally(session, ledger.campaign, ledger.gm.account, result, "gone:roll(1)", None)
    found = await ledger.luck(ledger.gm)
    assert (found.rolls, found.not_reckoned) == (1, 1)


@WITH_DICE
async def test_odds_that_fail_are_no_luck(ledger: Ledger) -> None:
    await ledger.roll(ledger.gm, "1d6", 4)
    ledger.book.known.clear()
    ledger.book.broken = True
    with pytest.raises(ArithmeticError):
        await ledger.luck(ledger.gm)


@WITH_DICE
async def test_expressions_beyond_the_bounds_are_told_of_as_not_reckoned(ledger: Ledger) -> None:
    result = plan(parse("1d6", Lexicon()), {}).roll(ListStream([1]))
    async with ledger.database.write() as session:
        for number in range(MOST_EXPRESSIONS + 10):
            await tally(session, ledger.campaign, ledger.gm.account, result, f"1d6 + {number}", None)
        await tally(session, ledger.campaign, ledger.gm.account, result, "1d6", None)
        await tally(session, ledger.campaign, ledger.gm.account, result, "1d6", None)
    found = await ledger.luck(ledger.gm)
    assert (found.rolls, found.not_reckoned) == (2, MOST_EXPRESSIONS + 10)


@WITH_DICE
async def test_expressions_of_the_same_text_with_other_dice_are_apart(ledger: Ledger) -> None:
    for faces in (COIN, (*COIN, *COIN)):
        await ledger.roll(ledger.gm, "1dcoin", 2, dice={"coin": faces})
    async with ledger.database.read() as session:
        rolled, others = await Tallies(session, ledger.campaign, None).rolled()
    assert others == 0 and len(rolled) == 2
    assert {one.definitions for one in rolled} == {
        '{"coin":[["Heads",1],["Tails",0]]}',
        '{"coin":[["Heads",1],["Tails",0],["Heads",1],["Tails",0]]}',
    }
