"""Chains of verifiable rolls as they are kept: drawn from, closed, rotated, hidden, revealed."""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import text

from services.dice.chain import ledger as ledgers
from services.dice.chain.entropy import read_entropy
from services.dice.chain.graphql import ChainMutation, ChainQuery
from services.dice.chain.keys import SigningKeys
from services.dice.chain.ledger import Draw, EpochMoved, Ledger, kept
from services.dice.chain.repository import Chains, DrawForgotten
from services.dice.chain.requests import RotateRollEpoch
from services.dice.chain.rotate import rotate
from services.dice.chain.seal import Seal, SealBroken
from services.dice.chain.service import ChainService
from services.dice.chain.sight import ShownReceipt
from services.rules.dice.vr1 import (
    Chain,
    Check,
    Closing,
    Commitment,
    Entropy,
    Head,
    Link,
    PublishedKey,
    Receipt,
    Report,
    RollContent,
    Statement,
    Table,
    View,
    Void,
    canonical,
    read_body,
    verify_statements,
)
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.context import Context
from services.shared.database import Database
from services.shared.graphql.schema import build_schema
from services.shared.ids import new_id
from services.shared.pagination import Page
from services.shared.policy import Policy
from services.shared.problems import Forbidden, IdempotencyConflict, InvalidInput, NotFound, Unavailable
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.dice.exports import load_verify, noise, write
from tests.dice.outcomes import refused
from tests.inside import Campaigns

pytestmark = [pytest.mark.databases("dice"), ON_BOTH]


def lost(draw: Draw) -> RollContent:
    """A roll that came to nothing."""
    face = draw.stream().draw(20)
    roll = f"rol_lost{draw.number}"
    return RollContent(roll, "1 / (1d20 >= 15)", (20,), (face,), {}, 0, "DIVISION_BY_ZERO")


SECRET = "dice-" * 10
LENGTH = 5
TOOL = load_verify()


class Tables:
    """Chains of one database, with epochs of five rolls, and the rolls that were drawn from them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.campaigns = Campaigns()
        self.now = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
        self.ledger = Ledger(Seal(SECRET), length=LENGTH)
        self.rolls: dict[str, RollContent] = {}
        self.service = ChainService(
            database, lambda: self.now, Policy(self.campaigns), self.ledger, self._content
        )

    async def _content(self, _viewer: Viewer, roll: str) -> RollContent | None:
        return self.rolls.get(roll)

    def member(self, campaign: str, role: Role = Role.PLAYER) -> Viewer:
        made = Viewer(new_id("acc"), frozenset({"read", "write"}))
        self.campaigns.roles[made.account] = {campaign: role}
        return made

    async def ensure(self, place: str) -> None:
        async with self.database.write() as session:
            await self.ledger.ensure(session, place, self.now)

    async def roll(
        self, place: str, chain: Chain = Chain.OPEN, client: bytes | None = None, dice: int = 3
    ) -> tuple[Draw, Statement]:
        """Roll some d6 in a unit of work of their own, as the service of rolls does."""
        async with self.database.write() as session:
            draw = await self.ledger.draw(session, place, chain, client, self.now)
            content = self.fall(draw, dice)
            return draw, await self.ledger.record(session, draw, content, self.now)

    def fall(self, draw: Draw, dice: int = 3) -> RollContent:
        faces = tuple(draw.stream().draw_many(6, dice))
        content = RollContent(new_id("rol"), f"{dice}d6", (6,) * dice, faces, {}, sum(faces))
        self.rolls[content.roll] = content
        return content

    async def export(
        self, viewer: Viewer, campaign: str | None = None, chain: Chain = Chain.OPEN, size: int = 2
    ) -> list[str]:
        """Read everything that a viewer may see, page by page."""
        live = await self.service.epoch(viewer, campaign, chain)
        assert live is not None
        lines = [key.line() for key in await self.service.keys()]
        epochs = await all_of(
            lambda after: self.service.epochs(viewer, campaign, chain, first=size, after=after),
            lambda epoch: epoch.ordinal,
        )
        for epoch in epochs:
            lines.append(epoch.statement.line())
            epoch_id = epoch.id
            receipts = await all_of(
                lambda after, epoch_id=epoch_id: self.service.receipts(  # type: ignore[misc]
                    viewer, campaign, chain, epoch_id, first=size, after=after
                ),
                lambda receipt: receipt.number,
            )
            lines += [line_of(receipt) for receipt in receipts]
            if epoch.closing is not None:
                lines.append(epoch.closing.line())
        return [*lines, epochs[-1].head.line()]

    async def checked(self, lines: list[str]) -> Report:
        report = verify_statements(lines, await self._verifier())
        assert report.ok, report.fault
        return report

    async def _verifier(self) -> Any:
        from services.dice.chain.keys import verifier

        async with self.database.read() as session:
            return verifier(await Chains(session).keys())


async def all_of(read: Callable[[int], Any], number: Callable[[Any], int]) -> list[Any]:
    """Read all pages of a list."""
    found: list[Any] = []
    while True:
        page: Page[Any] = await read(number(found[-1]) if found else 0)
        found += page.items
        if not page.has_next:
            return found


def line_of(receipt: ShownReceipt) -> str:
    if receipt.body is None:
        return Link(receipt.number, receipt.hash, receipt.key, receipt.signature).line()
    return Statement(receipt.body, receipt.hash, receipt.key, receipt.signature).line()


def told(statement: Statement | None) -> Any:
    assert statement is not None
    return read_body(statement.body)


@pytest.fixture
async def tables(settings: Settings) -> AsyncIterator[Tables]:
    database = Database(settings.database_url("dice"))
    yield Tables(database)
    await database.close()


@pytest.fixture
def place() -> str:
    return new_id("cmp")


# Before play


async def test_an_epoch_is_committed_to_before_anybody_rolls(tables: Tables, place: str) -> None:
    player = tables.member(place)
    shown = await tables.service.epoch(player, place, Chain.OPEN)
    assert shown is not None and (shown.ordinal, shown.length, shown.used) == (1, LENGTH, 0)
    body = told(shown.statement)
    assert isinstance(body, Commitment)
    assert (body.epoch.hex(), body.place, body.anchor.hex()) == (shown.id, place, shown.anchor)
    assert (body.previous, body.at) == (None, tables.now)
    assert told(shown.head) == Head(
        body.epoch, 0, bytes.fromhex(shown.statement.hash), View.WHOLE, tables.now
    )
    assert await tables.service.epoch(player, place, Chain.OPEN) == shown


async def test_both_chains_of_a_place_begin_together_so_that_neither_tells_of_the_other(
    tables: Tables, place: str
) -> None:
    await tables.service.epoch(tables.member(place), place, Chain.OPEN)
    tables.now += timedelta(hours=1)
    shown = await tables.service.epoch(tables.member(place), place, Chain.SECRET)
    assert shown is not None and shown.began_at == tables.now - timedelta(hours=1)


async def test_thirty_who_ask_at_once_see_one_commitment(tables: Tables, place: str) -> None:
    player = tables.member(place)
    shown = await asyncio.gather(*(tables.service.epoch(player, place, Chain.OPEN) for _ in range(30)))
    assert len({epoch.id for epoch in shown if epoch}) == 1
    assert len(await tables.service.keys()) == 1


async def test_strangers_see_no_chain_and_begin_none(tables: Tables, place: str) -> None:
    stranger = tables.member(new_id("cmp"))
    assert await tables.service.epoch(stranger, place, Chain.OPEN) is None
    assert (await tables.service.epochs(stranger, place, Chain.OPEN, first=9, after=0)).items == []
    async with tables.database.read() as session:
        assert await Chains(session).newest(place, Chain.OPEN) is None


async def test_an_epoch_is_found_by_its_id_at_its_own_place_and_chain_only(
    tables: Tables, place: str
) -> None:
    player, other = tables.member(place), tables.member(new_id("cmp"))
    live = await tables.service.epoch(player, place, Chain.OPEN)
    assert live is not None
    assert await tables.service.epoch(player, place, Chain.OPEN, live.id) == live
    assert await tables.service.epoch(player, place, Chain.SECRET, live.id) is None
    assert await tables.service.epoch(other, None, Chain.OPEN, live.id) is None
    assert await tables.service.epoch(player, place, Chain.OPEN, "no such id") is None
    page = await tables.service.receipts(other, None, Chain.OPEN, live.id, first=9, after=0)
    assert page.items == []


# Rolls


async def test_what_the_client_sends_counts_once_there_was_a_commitment(tables: Tables, place: str) -> None:
    client = noise("c", size=20)
    first, _ = await tables.roll(place, client=client)
    assert (first.entropy, first.number) == (Entropy.SERVER, 1)
    assert first.client != client and len(first.client) == 32
    second, statement = await tables.roll(place, client=client)
    body = told(statement)
    assert isinstance(body, Receipt)
    assert (body.client, body.entropy, body.number) == (client, Entropy.CLIENT, 2)
    third, statement = await tables.roll(place)
    assert (third.entropy, told(statement).entropy) == (Entropy.SERVER, Entropy.SERVER)
    assert second.epoch == third.epoch


async def test_a_receipt_tells_the_roll(tables: Tables, place: str) -> None:
    content = RollContent(
        "rol_x", "d6 / dboon", (6, 3), (4, 1), {"boon": Table.of([("a", 1), ("b", 2)])}, Fraction(7, 2)
    )
    async with tables.database.write() as session:
        draw = await tables.ledger.draw(session, place, Chain.OPEN, None, tables.now)
        statement = await tables.ledger.record(session, draw, content, tables.now)
    assert told(statement).content == content
    assert told(statement).at == tables.now
    async with tables.database.read() as session:
        row = await Chains(session).receipt_of("rol_x")
    assert row is not None and kept(row.statement) == statement
    assert (row.epoch, row.number, row.hidden) == (draw.epoch, 1, False)


async def test_a_stream_is_fresh_each_time_it_is_asked_for(tables: Tables, place: str) -> None:
    draw, _ = await tables.roll(place)
    assert draw.stream().draw_many(20, 50) == draw.stream().draw_many(20, 50)


async def test_a_printed_draw_gives_no_seed_away(tables: Tables, place: str) -> None:
    draw, _ = await tables.roll(place)
    assert draw.seed.hex() not in repr(draw) and repr(draw.seed) not in repr(draw)
    assert "sealed" not in repr(draw)


async def test_forty_parallel_rolls_use_each_number_once(tables: Tables, place: str) -> None:
    await tables.ensure(place)
    clients = [noise("parallel", number) for number in range(40)]
    made = await asyncio.gather(*(tables.roll(place, client=client) for client in clients))
    numbers = {(draw.epoch, draw.number): draw.client for draw, _ in made}
    assert len(numbers) == 40 and set(numbers.values()) == set(clients)
    report = await tables.checked(await tables.export(tables.member(place), place))
    assert (report.rolls, report.epochs) == (40, 9)


async def test_parallel_first_rolls_at_a_new_place_share_its_first_epoch(tables: Tables, place: str) -> None:
    made = await asyncio.gather(*(tables.roll(place, client=noise(number)) for number in range(4)))
    assert sorted(draw.number for draw, _ in made) == [1, 2, 3, 4]
    assert len({draw.epoch for draw, _ in made}) == 1
    by_number = sorted((draw.number, draw.entropy) for draw, _ in made)
    assert [entropy for _, entropy in by_number] == [Entropy.SERVER, *[Entropy.CLIENT] * 3]


async def test_several_rolls_in_one_unit_of_work_follow_one_another_into_the_next_epoch(
    tables: Tables, place: str
) -> None:
    async with tables.database.write() as session:
        for number in range(12):
            chain = Chain.OPEN if number % 2 else Chain.SECRET
            draw = await tables.ledger.draw(session, place, chain, None, tables.now)
            await tables.ledger.record(session, draw, tables.fall(draw), tables.now)
    gm = tables.member(place, Role.GM)
    for chain in Chain:
        report = await tables.checked(await tables.export(gm, place, chain))
        assert (report.rolls, report.epochs) == (6, 2)


async def test_what_the_client_sends_counts_in_no_epoch_that_the_same_unit_of_work_began(
    tables: Tables, place: str
) -> None:
    client = noise("c", size=20)

    async def entropies() -> list[tuple[int, bool]]:
        found = []
        async with tables.database.write() as session:
            for _ in range(LENGTH - 1):
                draw = await tables.ledger.draw(session, place, Chain.OPEN, client, tables.now)
                await tables.ledger.record(session, draw, tables.fall(draw), tables.now)
                assert (draw.entropy is Entropy.CLIENT) == (draw.client == client)
                found.append((draw.number, draw.entropy is Entropy.CLIENT))
        return found

    # The first unit of work begins the first epoch, the second one the next; the third one none.
    assert await entropies() == [(1, False), (2, False), (3, False), (4, False)]
    assert await entropies() == [(5, True), (1, False), (2, False), (3, False)]
    assert (await entropies())[:2] == [(4, True), (5, True)]


async def test_what_is_rolled_back_leaves_no_gap(tables: Tables, place: str) -> None:
    await tables.roll(place)
    with pytest.raises(LookupError):
        async with tables.database.write() as session:
            draw = await tables.ledger.draw(session, place, Chain.OPEN, None, tables.now)
            await tables.ledger.record(session, draw, tables.fall(draw), tables.now)
            raise LookupError
    again, _ = await tables.roll(place)
    assert again.number == 2
    assert (await tables.checked(await tables.export(tables.member(place), place))).rolls == 2


async def test_a_roll_that_failed_is_void_and_shows_its_seed(tables: Tables, place: str) -> None:
    await tables.ensure(place)
    async with tables.database.write() as session:
        draw = await tables.ledger.draw(session, place, Chain.OPEN, bytes(16), tables.now)
        statement = await tables.ledger.void(session, draw, "acc_x", lost(draw), tables.now)
    body = told(statement)
    assert isinstance(body, Void)
    assert (body.number, body.reason, body.seed, body.client) == (1, "DIVISION_BY_ZERO", draw.seed, bytes(16))
    assert (body.account, body.expression, body.content) == ("acc_x", "1 / (1d20 >= 15)", lost(draw))
    await tables.roll(place)
    report = await tables.checked(await tables.export(tables.member(place), place))
    assert (report.rolls, report.voids) == (1, 1)


async def test_a_client_can_insist_on_the_epoch_whose_commitment_it_saw(tables: Tables, place: str) -> None:
    async with tables.database.write() as session:
        with pytest.raises(EpochMoved) as caught:
            await tables.ledger.draw(session, place, Chain.OPEN, bytes(16), tables.now, epoch="00" * 16)
        assert caught.value.live is None
    shown = await tables.service.epoch(tables.member(place), place, Chain.OPEN)
    assert shown is not None
    for _ in range(LENGTH):
        async with tables.database.write() as session:
            draw = await tables.ledger.draw(session, place, Chain.OPEN, None, tables.now, epoch=shown.id)
            await tables.ledger.record(session, draw, tables.fall(draw), tables.now)
    async with tables.database.write() as session:
        with pytest.raises(EpochMoved) as caught:
            await tables.ledger.draw(session, place, Chain.OPEN, None, tables.now, epoch=shown.id)
    assert caught.value.live not in (None, shown.id)


async def test_no_unit_of_work_can_forget_what_it_drew(tables: Tables, place: str) -> None:
    with pytest.raises(DrawForgotten, match="before the unit of work"):
        async with tables.database.write() as session:
            await tables.ledger.draw(session, place, Chain.OPEN, None, tables.now)
    with pytest.raises(DrawForgotten, match="before drawing again"):
        async with tables.database.write() as session:
            for _ in range(2):
                await tables.ledger.draw(session, place, Chain.OPEN, None, tables.now)
    used, _ = await tables.roll(place)
    assert used.number == 1
    async with tables.database.write() as session:
        with pytest.raises(DrawForgotten, match="not the one"):
            await tables.ledger.record(session, used, tables.fall(used), tables.now)
    assert (await tables.roll(place))[0].number == 2


# Closing and rotating


async def test_the_last_number_closes_the_epoch_and_commits_to_the_next(tables: Tables, place: str) -> None:
    for _ in range(LENGTH):
        await tables.roll(place)
    player = tables.member(place)
    first, second = (await tables.service.epochs(player, place, Chain.OPEN, first=9, after=0)).items
    assert first.closing is not None
    closing = told(first.closing)
    assert isinstance(closing, Closing)
    assert (closing.used, first.used, first.closed_at) == (LENGTH, LENGTH, tables.now)
    assert closing.seed is not None
    assert (second.ordinal, second.used, second.closing) == (2, 0, None)
    assert told(second.statement).previous.hex() == first.closing.hash
    assert told(first.head).head.hex() == first.closing.hash
    assert (await tables.roll(place, client=bytes(16)))[0].entropy is Entropy.CLIENT


async def test_gms_rotate_at_a_table_and_everybody_their_own(tables: Tables, place: str) -> None:
    gm, player = tables.member(place, Role.GM), tables.member(place)
    await tables.roll(place)
    asked = RotateRollEpoch(place)
    rotated = await tables.service.rotate(gm, asked)
    assert (rotated.ordinal, rotated.used) == (2, 0)
    await refused(tables.service.rotate(player, asked), Forbidden)
    await refused(tables.service.rotate(tables.member("x"), asked), NotFound)
    for ordinal in (1, 2):
        assert (await tables.service.rotate(player, RotateRollEpoch())).ordinal == ordinal
    tables.campaigns.away = True
    await refused(tables.service.rotate(gm, asked), Unavailable)


async def test_a_key_closes_one_epoch(tables: Tables, place: str) -> None:
    gm, asked = tables.member(place, Role.GM), RotateRollEpoch(place)
    await tables.roll(place)
    begun = await asyncio.gather(*(tables.service.rotate(gm, asked, "k") for _ in range(20)))
    assert {(epoch.id, epoch.ordinal) for epoch in begun} == {(begun[0].id, 2)}
    await refused(tables.service.rotate(gm, RotateRollEpoch(place, secret=True), "k"), IdempotencyConflict)
    assert (await tables.service.rotate(gm, asked, "another")).ordinal == 3
    again = await tables.service.rotate(gm, asked, "k")
    assert (again.id, again.closed_at) == (begun[0].id, tables.now)


async def test_rotating_while_others_roll_loses_nothing(tables: Tables, place: str) -> None:
    gm = tables.member(place, Role.GM)
    await tables.ensure(place)
    await asyncio.gather(
        *(tables.roll(place, client=noise(number)) for number in range(12)),
        *(tables.service.rotate(gm, RotateRollEpoch(place)) for _ in range(4)),
    )
    report = await tables.checked(await tables.export(gm, place))
    assert report.rolls == 12 and report.epochs >= 5


# Keys and seals


async def test_a_rotated_key_signs_from_then_on_and_the_old_one_stays_published(
    tables: Tables, place: str, settings: Settings
) -> None:
    _, before = await tables.roll(place)
    public = await rotate(settings)
    _, after = await tables.roll(place)
    old, new = await tables.service.keys()
    assert tables.now == old.made
    assert (before.key, after.key) == (old.key, new.key)
    assert old.retired is not None and new.retired is None and new.public == public
    assert (await tables.checked(await tables.export(tables.member(place), place))).rolls == 2
    tables.now = datetime.now(UTC) + timedelta(days=1)
    assert (await tables.service.rotate_key()).key == (await tables.service.keys())[-1].key


async def test_the_database_holds_no_seed_that_is_to_come_and_no_private_key(
    tables: Tables, place: str
) -> None:
    draw, _ = await tables.roll(place)
    secrets = [tables.ledger._seeds[draw.epoch][number] for number in range(2, LENGTH + 1)]
    secrets += [key.private_bytes_raw() for key in tables.ledger.keys._open.values()]
    async with tables.database.read() as session:
        held = ""
        for name in ("epoch", "signing_key", "receipt"):
            for row in (await session.execute(text(f"SELECT * FROM {name}"))).all():
                held += " ".join(map(str, row))
    assert draw.seed.hex() in held and len(secrets) == LENGTH
    for secret in secrets:
        assert secret.hex() not in held
        assert base64.b64encode(secret).decode().rstrip("=")[4:-4] not in held


async def test_what_is_sealed_opens_with_the_same_secret_and_name_only(
    tables: Tables, place: str, settings: Settings
) -> None:
    seal = Seal(SECRET)
    closed = seal.close(b"seed", "epoch a")
    assert seal.open(closed, "epoch a") == b"seed" != closed.encode()
    assert seal.close(b"seed", "epoch a") != closed
    for other, name, content in (
        (seal, "epoch b", closed),
        (Seal(SECRET + "x"), "epoch a", closed),
        (seal, "epoch a", "AAAA" + closed[4:]),
        (seal, "epoch a", "?"),
        (seal, "epoch a", ""),
    ):
        with pytest.raises(SealBroken, match="HEARTHFORGE_DICE_SECRET"):
            other.open(content, name)
    await tables.ensure(place)
    wrong = Ledger(Seal("another" * 6), length=LENGTH)
    with pytest.raises(SealBroken):
        async with tables.database.write() as session:
            await wrong.draw(session, place, Chain.OPEN, None, tables.now)


async def test_chains_are_opened_again_when_too_many_are_in_use(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledgers, "KEPT_CHAINS", 2)
    places = [new_id("cmp") for _ in range(4)]
    for _ in range(2):
        for place in places:
            await tables.roll(place)
    assert len(tables.ledger._seeds) == 2
    for place in places:
        assert (await tables.checked(await tables.export(tables.member(place), place))).rolls == 2


async def test_another_process_goes_on_where_this_one_stopped(tables: Tables, place: str) -> None:
    await tables.roll(place)
    tables.ledger = Ledger(Seal(SECRET), length=LENGTH)
    draw, _ = await tables.roll(place)
    assert draw.number == 2
    assert (await tables.checked(await tables.export(tables.member(place), place))).rolls == 2


# Secret rolls


async def test_players_cannot_tell_whether_anything_was_rolled_in_secret(tables: Tables, place: str) -> None:
    player, gm = tables.member(place), tables.member(place, Role.GM)
    await tables.ensure(place)
    before = await tables.export(player, place, Chain.SECRET)
    for _ in range(3):
        await tables.roll(place, Chain.SECRET)
    assert await tables.export(player, place, Chain.SECRET) == before
    assert (await tables.checked(before)).unchecked[0].startswith("hidden rolls that may follow")
    whole = await tables.checked(await tables.export(gm, place, Chain.SECRET))
    assert (whole.rolls, whole.hidden) == (3, 0)
    assert not any(line.startswith("hidden") for line in whole.unchecked)


async def test_a_revealed_roll_shows_itself_and_the_places_of_those_before_it(
    tables: Tables, place: str, tmp_path: Any
) -> None:
    player = tables.member(place)
    made = [await tables.roll(place, Chain.SECRET) for _ in range(4)]
    async with tables.database.write() as session:
        await tables.ledger.reveal(session, told(made[2][1]).roll)
    page = await tables.service.receipts(player, place, Chain.SECRET, None, first=9, after=0)
    assert [(receipt.number, receipt.hidden) for receipt in page.items] == [(1, True), (2, True), (3, False)]
    for (_, statement), shown in zip(made, page.items, strict=False):
        assert (shown.hash, shown.key, shown.signature) == (
            statement.hash,
            statement.key,
            statement.signature,
        )
        assert shown.body == (None if shown.hidden else statement.body)
    epoch = await tables.service.epoch(player, place, Chain.SECRET)
    assert epoch is not None and epoch.used == 3
    assert told(epoch.head).head.hex() == made[2][1].hash and told(epoch.head).view is View.REVEALED
    lines = await tables.export(player, place, Chain.SECRET)
    report = await tables.checked(lines)
    assert (report.rolls, report.hidden) == (1, 2)
    assert TOOL.main([str(write(tmp_path / "secret", lines))]) == 0
    shown_text = "".join(lines)
    for place_of, (draw, _) in enumerate(made):
        assert (draw.client.hex() in shown_text) == (place_of == 2)
        assert (draw.seed.hex() in shown_text) == (place_of == 2)


async def test_a_closed_secret_epoch_shows_how_many_rolls_it_had_and_no_more(
    tables: Tables, place: str
) -> None:
    player, gm = tables.member(place), tables.member(place, Role.GM)
    for _ in range(2):
        await tables.roll(place, Chain.SECRET)
    await tables.service.rotate(gm, RotateRollEpoch(place, secret=True))
    report = await tables.checked(await tables.export(player, place, Chain.SECRET))
    assert (report.rolls, report.hidden, report.epochs) == (0, 2, 2)
    first = (await tables.service.epochs(player, place, Chain.SECRET, first=1, after=0)).items[0]
    assert (first.used, told(first.closing).used, told(first.closing).seed) == (2, 2, None)


async def test_a_secret_epoch_whose_rolls_are_all_revealed_shows_its_last_seed(
    tables: Tables, place: str
) -> None:
    gm = tables.member(place, Role.GM)
    _, statement = await tables.roll(place, Chain.SECRET)
    async with tables.database.write() as session:
        await tables.ledger.reveal(session, told(statement).roll)
    await tables.service.rotate(gm, RotateRollEpoch(place, secret=True))
    first = (await tables.service.epochs(gm, place, Chain.SECRET, first=1, after=0)).items[0]
    assert told(first.closing).seed is not None
    await tables.checked(await tables.export(tables.member(place), place, Chain.SECRET))


async def test_a_secret_void_stays_hidden(tables: Tables, place: str) -> None:
    async with tables.database.write() as session:
        draw = await tables.ledger.draw(session, place, Chain.SECRET, None, tables.now)
        await tables.ledger.void(session, draw, "acc_x", lost(draw), tables.now)
    page = await tables.service.receipts(tables.member(place), place, Chain.SECRET, None, first=9, after=0)
    assert page.items == []


async def test_the_secret_rolls_of_an_account_are_its_own(tables: Tables) -> None:
    own = tables.member("x")
    await tables.roll(own.account, Chain.SECRET)
    report = await tables.checked(await tables.export(own, None, Chain.SECRET))
    assert (report.rolls, report.hidden) == (1, 0)


# One roll


async def test_an_honest_roll_is_verified_step_by_step(tables: Tables, place: str) -> None:
    player = tables.member(place)
    numbers = []
    for _ in range(2):
        _, statement = await tables.roll(place)
        roll = told(statement).roll
        found = await tables.service.verify(player, roll)
        assert found is not None and found.ok and found.receipt == statement
        assert [step.name for step in found.steps][:3] == [Check.RECEIPT, Check.HASH, Check.SIGNATURE]
        assert found.commitment is not None and found.epoch_id is not None
        numbers.append(found.number)
    assert numbers == [1, 2]


@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        ('\\"total\\":', '\\"total\\":9', {Check.HASH, Check.ROLL}),
        ('"signature":"', '"signature":"00', None),
    ],
)
async def test_whoever_changes_the_database_is_found_out(
    tables: Tables, place: str, old: str, new: str, failing: set[Check] | None
) -> None:
    _, statement = await tables.roll(place)
    line = statement.line().replace(old, new, 1)
    if failing is None:
        line = statement.line().replace(statement.signature, statement.signature[::-1])
        failing = {Check.SIGNATURE}
    async with tables.database.write() as session:
        await session.execute(text("UPDATE receipt SET statement = :line"), {"line": line})
    found = await tables.service.verify(tables.member(place), told(statement).roll)
    assert found is not None and not found.ok
    assert {step.name for step in found.steps if not step.ok} == failing


async def test_a_roll_that_was_kept_otherwise_is_found_out(tables: Tables, place: str) -> None:
    _, statement = await tables.roll(place)
    content = told(statement).content
    tables.rolls[content.roll] = RollContent(
        content.roll, content.expression, content.dice, content.faces, {}, 99
    )
    found = await tables.service.verify(tables.member(place), content.roll)
    assert found is not None
    assert {step.name for step in found.steps if not step.ok} == {Check.ROLL}


async def test_rolls_from_before_and_rolls_of_others(tables: Tables, place: str) -> None:
    player, gm, stranger = tables.member(place), tables.member(place, Role.GM), tables.member("x")
    tables.rolls["rol_old"] = RollContent("rol_old", "d6", (6,), (1,), {}, 1)
    found = await tables.service.verify(player, "rol_old")
    assert found is not None and not found.ok and [step.name for step in found.steps] == [Check.RECEIPT]
    assert await tables.service.verify(player, "rol_none") is None
    _, statement = await tables.roll(place, Chain.SECRET)
    roll = told(statement).roll
    assert await tables.service.verify(player, roll) is None
    assert await tables.service.verify(stranger, roll) is None
    by_gm = await tables.service.verify(gm, roll)
    assert by_gm is not None and by_gm.ok
    async with tables.database.write() as session:
        await tables.ledger.reveal(session, roll)
    by_player = await tables.service.verify(player, roll)
    assert by_player is not None and by_player.ok


# Entropy


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("00112233445566778899aabbccddeeff", bytes.fromhex("00112233445566778899aabbccddeeff")),
        ("00112233445566778899AABBCCDDEEFF", bytes.fromhex("00112233445566778899aabbccddeeff")),
        ("ab" * 64, b"\xab" * 64),
        ("_-AAAAAAAAAAAAAAAAAAAA", b"\xff\xe0" + bytes(14)),
        ("_-AAAAAAAAAAAAAAAAAAAA==", b"\xff\xe0" + bytes(14)),
        ("_" * 84 + "_w", b"\xff" * 64),
        ("AAAAAAAAAAAAAAAAAAAAAA==", bytes(16)),
    ],
)
def test_entropy_is_read_in_hexadecimal_and_base64url(sent: str, read: bytes) -> None:
    assert read_entropy(sent, "entropy") == read


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "00" * 15,
        "00" * 65,
        "0" * 31,
        "A" * 22,
        "_" * 21,
        "_" * 25,
        "_" * 88,
        "/+AAAAAAAAAAAAAAAAAAAA",
        "zz" * 16 + "!",
        " " + "00" * 16,
        "=" * 24,
        "ü" * 32,
        "A" * 100_000,
        "AAAAAAAAAAAAAAAAAAAAAA==\n",
    ],
)
def test_what_is_no_entropy_is_refused_with_what_is_allowed(sent: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_entropy(sent, "input", "entropy")
    found = caught.value
    assert (found.issues[0].code, found.path) == ("ENTROPY", ["input", "entropy"])
    assert found.issues[0].allowed and len(found.issues[0].found or "") < 40


# The graph

SCHEMA = build_schema(ChainQuery, ChainMutation)

STATEMENT = "{ body hash key signature }"
EPOCH = f"{{ id secret ordinal anchor length used beganAt closedAt statement {STATEMENT} head {STATEMENT} }}"


class UseCases:
    """What the resolvers are handed."""

    def __init__(self, chain: ChainService) -> None:
        self.chain = chain


async def ask(tables: Tables, viewer: Viewer, query: str, **variables: Any) -> Any:
    context = Context(viewer, UseCases(tables.service), "")
    return await SCHEMA.execute(query, variable_values=variables, context_value=context)


async def test_the_graph_shows_epochs_receipts_keys_and_verification(tables: Tables, place: str) -> None:
    gm = tables.member(place, Role.GM)
    found = await ask(tables, gm, f"query ($c: ID) {{ rollEpoch(campaignId: $c) {EPOCH} }}", c=place)
    assert found.errors is None
    epoch = found.data["rollEpoch"]
    assert (epoch["secret"], epoch["ordinal"], epoch["used"], epoch["closedAt"]) == (False, 1, 0, None)
    _, statement = await tables.roll(place, client=bytes(16))
    await tables.roll(place)
    found = await ask(
        tables,
        gm,
        """query ($c: ID, $e: ID, $r: ID!) {
          rollEpochs(campaignId: $c, first: 5) { nodes { id used } pageInfo { hasNextPage } }
          rollReceipts(campaignId: $c, epoch: $e, first: 1) {
            edges { cursor } nodes { number hidden body hash } pageInfo { hasNextPage endCursor } }
          diceKeys { key public made retired }
          verifyRoll(id: $r) { id ok number epochId steps { name ok detail } receipt { hash } }
        }""",
        c=place,
        e=epoch["id"],
        r=told(statement).roll,
    )
    assert found.errors is None
    assert found.data["rollEpochs"]["nodes"] == [{"id": epoch["id"], "used": 2}]
    receipts = found.data["rollReceipts"]
    assert receipts["nodes"] == [
        {"number": 1, "hidden": False, "body": statement.body, "hash": statement.hash}
    ]
    assert receipts["pageInfo"]["hasNextPage"]
    assert found.data["diceKeys"][0]["key"] == statement.key
    verified = found.data["verifyRoll"]
    assert verified["ok"] and verified["receipt"] == {"hash": statement.hash}
    assert verified["steps"][0] == {
        "name": "RECEIPT",
        "ok": True,
        "detail": f"Receipt 1 of epoch {epoch['id']} is of this roll.",
    }
    behind = await ask(
        tables,
        gm,
        "query ($c: ID, $a: String) { rollReceipts(campaignId: $c, after: $a) { nodes { number } } }",
        c=place,
        a=receipts["pageInfo"]["endCursor"],
    )
    assert behind.data["rollReceipts"]["nodes"] == [{"number": 2}]


async def test_the_graph_rotates_for_gms(tables: Tables, place: str) -> None:
    rotating = """mutation ($asked: RotateRollEpochInput!) { rotateRollEpoch(input: $asked) {
      __typename ... on RollEpochRotated { epoch { ordinal secret } } ... on Problem { code path } } }"""
    gm, player = tables.member(place, Role.GM), tables.member(place)
    await tables.ensure(place)
    found = await ask(tables, gm, rotating, asked={"campaignId": place, "secret": True})
    assert found.data["rotateRollEpoch"]["epoch"] == {"ordinal": 2, "secret": True}
    found = await ask(tables, player, rotating, asked={"campaignId": place})
    assert found.data["rotateRollEpoch"] == {
        "__typename": "Forbidden",
        "code": "FORBIDDEN",
        "path": ["campaignId"],
    }
    reader = Viewer(player.account, frozenset({"read"}))
    found = await ask(tables, reader, rotating, asked={})
    assert found.data["rotateRollEpoch"]["__typename"] == "Forbidden"


async def test_the_graph_opens_keys_to_everybody_and_nothing_else(tables: Tables, place: str) -> None:
    nobody = Viewer()
    assert (await ask(tables, nobody, "{ diceKeys { key } }")).data == {"diceKeys": []}
    for query in (
        "{ rollEpoch { id } }",
        "{ rollEpochs { nodes { id } } }",
        "{ rollReceipts { nodes { hash } } }",
        '{ verifyRoll(id: "rol_x") { ok } }',
        "mutation { rotateRollEpoch(input: {}) { __typename } }",
    ):
        found = await ask(tables, nobody, query)
        assert found.errors[0].extensions["code"] == "UNAUTHENTICATED", query


async def test_the_graph_says_when_nobody_can_tell_who_may_see_what(tables: Tables, place: str) -> None:
    player = tables.member(place)
    _, statement = await tables.roll(place)
    tables.campaigns.away = True
    for query in (
        "query ($c: ID) { rollEpoch(campaignId: $c) { id } }",
        "query ($c: ID) { rollEpochs(campaignId: $c) { nodes { id } } }",
        "query ($c: ID) { rollReceipts(campaignId: $c) { nodes { hash } } }",
        f'{{ verifyRoll(id: "{told(statement).roll}") {{ ok }} }}',
    ):
        found = await ask(tables, player, query, c=place)
        assert found.errors[0].extensions["code"] == "UNAVAILABLE", query


@pytest.mark.parametrize(
    ("arguments", "code"),
    [('after: "x"', "BAD_CURSOR"), ("first: 0", "BAD_PAGE_SIZE"), ("first: 101", "BAD_PAGE_SIZE")],
)
async def test_the_graph_pages_within_bounds(tables: Tables, arguments: str, code: str) -> None:
    for field in ("rollEpochs", "rollReceipts"):
        found = await ask(
            tables, tables.member("x"), f"{{ {field}({arguments}) {{ nodes {{ hash: __typename }} }} }}"
        )
        assert found.errors[0].extensions["code"] == code


def test_keys_are_published_without_their_private_part() -> None:
    row = SigningKeys(Seal(SECRET)).fresh(datetime(2026, 5, 1, tzinfo=UTC))
    from services.dice.chain.keys import published

    line = published(row).line()
    assert row.sealed not in line and canonical(row.public) in line
    assert isinstance(published(row), PublishedKey)
