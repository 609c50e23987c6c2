"""Dice that come to nothing: rolls like any other, so that nobody hides a bad one by how it is written."""

from collections.abc import AsyncIterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.dice.chain.service import ChainService
from services.dice.rolls.repository import Narrowed
from services.dice.rolls.requests import NewRoll, NewRolls, RevealRoll
from services.dice.statistics.repository import Tallies
from services.rules.dice.casting import cast
from services.rules.dice.effort import effort
from services.rules.dice.failing import can_fail
from services.rules.dice.failure import RollError
from services.rules.dice.notation import parse
from services.rules.dice.roll import plan
from services.rules.dice.stream import ByteStream, ListStream
from services.rules.dice.text import text
from services.rules.dice.vr1 import Void, read_body
from services.shared.access import Role
from services.shared.database import Database
from services.shared.problems import InvalidInput
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.dice.outcomes import refused
from tests.dice.test_rolling import Tray

pytestmark = ON_BOTH


MISS = "20 / (1d1000000 >= 1000000)"


@pytest.fixture
async def tray(settings: Settings) -> AsyncIterator[Tray]:
    database = Database(settings.database_url("dice"))
    yield Tray(database)
    await database.close()


@pytest.mark.databases("dice")
async def test_a_miss_that_divides_by_zero_is_seen_by_the_whole_table(tray: Tray) -> None:
    ada, ben = tray.member("cmp_x"), tray.member("cmp_x")
    asked = NewRoll(MISS, campaign_id="cmp_x", label="Strike")
    outcome = await refused(tray.service.roll(ada, asked), InvalidInput)
    assert outcome.issues[0].code == "DIVISION_BY_ZERO"
    (seen,) = (await tray.service.page(ben, Narrowed(campaign="cmp_x"), first=5, after=None)).items
    assert (seen.row.account, seen.row.label, seen.row.seq) == (ada.account, "Strike", 1)
    assert (seen.row.outcome, seen.row.void, seen.row.total) == ("void", "DIVISION_BY_ZERO", 0)
    (face,) = seen.result.faces
    assert [die.face for term in seen.told.terms for die in term.dice] == [face]
    assert [roll.row.id for roll in await tray.service.behind(ben, "cmp_x", 0)] == [seen.row.id]
    ((kind, told),) = await tray.events()
    assert (kind, told["account"], told["id"]) == ("roll.recorded", ada.account, seen.row.id)
    assert told["text"] == f"Strike: {seen.told.text}"
    assert seen.told.text.startswith(seen.row.expression)
    assert seen.told.text.endswith(f"({face})] = void (division by zero)")


@pytest.mark.databases("dice")
async def test_a_void_has_a_receipt_with_roller_expression_and_faces_that_verifies(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    await refused(tray.service.roll(ada, NewRoll(MISS, entropy="ab" * 16)), InvalidInput)
    (kept,) = (await tray.service.page(ada, Narrowed(), first=5, after=None)).items
    chains = ChainService(tray.database, tray.clock, tray.policy, tray.ledger, tray.service.content)
    found = await chains.verify(ada, kept.row.id)
    assert found is not None and found.ok and found.receipt is not None
    body = read_body(found.receipt.body)
    assert isinstance(body, Void)
    assert (body.roll, body.account, body.expression) == (kept.row.id, ada.account, kept.row.expression)
    assert body.faces == kept.result.faces != ()


@pytest.mark.databases("dice")
async def test_a_void_counts_by_its_faces_and_beside_the_totals(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    await refused(tray.service.roll(ada, NewRoll("1 / (1d20 >= 21)")), InvalidInput)
    async with tray.database.read() as session:
        tallies = Tallies(session, ada.account, None)
        (kind,), others = await tallies.kinds()
        (rolled,), _ = await tallies.rolled()
    assert (kind.die, sum(kind.counts), others) == ("d20", 1, 0)
    assert (dict(rolled.counts), rolled.voids) == ({}, 1)


@pytest.mark.databases("dice")
async def test_a_secret_void_is_as_secret_as_any_roll(tray: Tray) -> None:
    gm, player = tray.member("cmp_x", Role.GM), tray.member("cmp_x")
    await refused(tray.service.roll(gm, NewRoll(MISS, campaign_id="cmp_x", secret=True)), InvalidInput)
    assert (await tray.service.page(player, Narrowed(), first=5, after=None)).items == []
    (kept,) = (await tray.service.page(gm, Narrowed(), first=5, after=None)).items
    assert (await tray.service.reveal(gm, RevealRoll(kept.row.id))).row.seq == 1
    assert len((await tray.service.page(player, Narrowed(), first=5, after=None)).items) == 1


@pytest.mark.databases("dice")
async def test_the_same_key_gives_the_same_voids(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    asked = NewRolls((NewRoll("d6"), NewRoll(MISS)))
    first, again = [await tray.service.roll_many(ada, asked, "k") for _ in range(2)]
    assert first.voids == again.voids != []
    assert await tray.count("roll") == 2


@pytest.mark.databases("dice")
@pytest.mark.parametrize("label", ["a\nb", "a\0b", "a\u202eb", "a\u2066b", "a\x1b[31m", "\u2028"])
async def test_labels_take_nothing_that_turns_or_breaks_a_line(tray: Tray, label: str) -> None:
    outcome = await refused(tray.service.roll(tray.member("cmp_x"), NewRoll("d6", label=label)), InvalidInput)
    assert [issue.path for issue in outcome.issues] == [["label"]]


FAILING = ["20 / (1d20 >= 15)", "1 / (1d6 - 1)", "(1d6 - 1)d6 / (1d4 - 1)", "2 ** (1d6 - 3)", "(1d4 / 2)d6"]
LASTING = ["1d20 + 5", "1d6 / 2", "4d6kh3", "(1d4)d6", "2 ** 1d6", "20 // (1d6 + 1)", "1d6 % 4"]


@pytest.mark.parametrize("expression", FAILING)
def test_what_can_fail_says_so_before(expression: str) -> None:
    assert can_fail(parse(expression).node)


@pytest.mark.parametrize("expression", LASTING)
def test_what_cannot_fail_does_not_frighten_anybody(expression: str) -> None:
    assert not can_fail(parse(expression).node)


NUMBERS = st.integers(1, 6).map(str)
DICE = st.builds(
    "{}d{}{}".format,
    st.integers(1, 12),
    st.sampled_from([4, 6, 20, 100, 1000]),
    st.sampled_from(["", "!", "r<3", "r<=2!", ">=3", "ro<3"]),
)
EXPRESSIONS = st.recursive(
    NUMBERS | DICE,
    lambda inner: st.builds(
        "({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner
    ),
    max_leaves=6,
)


@settings(max_examples=150)
@given(EXPRESSIONS, st.randoms(use_true_random=False))
def test_what_is_said_not_to_fail_never_does_and_a_void_replays_from_its_faces(
    expression: str, random: Random
) -> None:
    try:
        read = parse(expression)
    except ValueError:
        return
    ready = plan(read)
    seed = random.randbytes(32)

    def fresh() -> ByteStream:
        return ByteStream(Random(seed).randbytes)

    found = cast(ready, fresh)
    try:
        ready.roll(fresh())
    except RollError as error:
        assert can_fail(read.node)
        assert found.void == error.code
    else:
        assert found.void is None
    again = cast(ready, lambda: ListStream(found.faces))
    assert (again.void, again.faces, text(again)) == (found.void, found.faces, text(found))


@settings(max_examples=60)
@given(DICE, st.integers(0, 2**32))
def test_draws_are_estimated_within_a_factor_of_three(dice: str, seed: int) -> None:
    try:
        read = parse(dice)
    except ValueError:
        return
    stream, ready, rolls = ByteStream(Random(seed).randbytes), plan(read), 60
    drawn = sum(len(cast(ready, lambda: stream).faces) for _ in range(rolls)) / rolls
    expected = effort(read.node).draws
    assert expected / 3 <= drawn <= 3 * expected
