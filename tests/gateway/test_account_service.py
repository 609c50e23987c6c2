"""Accounts and keys, on the database."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import orjson
import pytest
from sqlalchemy import text

from services.gateway.accounts.identity import Identity, KeyRefusal, Principal
from services.gateway.accounts.models import AccountRow
from services.gateway.accounts.requests import (
    SCOPES,
    AccountId,
    DeleteAccount,
    KeyScope,
    NewKey,
    Rename,
    RevokeKey,
)
from services.gateway.accounts.service import (
    MAX_KEYS,
    AccountService,
    AlreadySignedUp,
    IssuedKey,
    SignedUp,
    SignedUpAndDeleted,
)
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.migrate import drift
from services.shared.problems import IdempotencyConflict, InvalidInput, NotFound, VersionConflict
from services.shared.settings import Settings
from tests.databases import ON_BOTH

pytestmark = ON_BOTH


PEPPER = "pepper-" * 10
START = datetime(2031, 5, 1, 12, 0, tzinfo=UTC)
READ = (KeyScope.READ,)


class Clock:
    """A clock that stands still until it is put forward."""

    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> datetime:
        return self.moment


class Desk:
    """The use cases on a database of their own."""

    def __init__(self, settings: Settings) -> None:
        self.database = Database(settings.database_url("account"))
        self.clock = Clock()
        self.service = AccountService(self.database, self.clock, PEPPER)
        self.identity = Identity(self.database, self.clock, PEPPER)

    async def mara(self) -> tuple[Viewer, SignedUp]:
        """Sign somebody up."""
        signed_up = await self.service.sign_up("Mara")
        key = signed_up.key.row
        return Viewer(signed_up.account.id, key.scope_set, key.id), signed_up

    async def count(self, table: str) -> int:
        """Count the rows of a table."""
        async with self.database.read() as session:
            return int((await session.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one())

    async def principal(self, key: IssuedKey) -> Principal | KeyRefusal:
        """Present a key."""
        return await self.identity.principal(f"Bearer {key.credential.text}")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """Give the use cases on a fresh database."""
    made = Desk(settings)
    yield made
    await made.database.close()


async def test_the_migrations_make_the_tables_of_the_code(settings: Settings) -> None:
    assert await drift("account", settings.database_url("account")) == []


async def test_signing_up_opens_an_account_with_a_key_of_every_scope(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    assert signed_up.account.name == "Mara"
    assert viewer.scopes == set(SCOPES)
    principal = await desk.principal(signed_up.key)
    assert isinstance(principal, Principal)
    assert principal.viewer == viewer


async def test_the_secret_is_kept_nowhere(desk: Desk) -> None:
    first = await desk.service.sign_up("Mara", "k" * 40)
    viewer = Viewer(first.account.id, frozenset(SCOPES))
    second = await desk.service.create_key(viewer, NewKey("Bot", SCOPES), "again")
    async with desk.database.read() as session:
        kept = ""
        for table in ("account", "api_key", "idempotency", "outbox"):
            kept += repr((await session.execute(text(f"SELECT * FROM {table}"))).all())
    assert first.key.row.digest in kept
    for never in (first.key.credential.secret, second.credential.secret, "k" * 40, "again"):
        assert never not in kept


@pytest.mark.parametrize("name", ["", "   ", "x" * 121, "a\0b", "a\nb", "a\ud800b", "a\u2028b"])
async def test_a_name_that_nobody_can_read_is_refused(desk: Desk, name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await desk.service.sign_up(name)
    assert refused.value.path == ["name"]
    assert await desk.count("account") == 0


@pytest.mark.parametrize("name", ["x" * 120, "  Mara  ", "Ælfgifu Þórsdóttir", "麻良", "👩‍🚀"])
async def test_a_name_in_any_script_is_kept(desk: Desk, name: str) -> None:
    signed_up = await desk.service.sign_up(name)
    found = await desk.service.accounts([signed_up.account.id])
    assert found[signed_up.account.id].name == name.strip()


async def test_fifty_parallel_sign_ups_under_one_idempotency_key_open_one_account(desk: Desk) -> None:
    key = "6f9f0f6e-6f5c-4a6c-9d6e-0a4f5f1c2b3d"
    answers = await asyncio.gather(
        *(desk.service.sign_up("Mara", key) for _ in range(50)), return_exceptions=True
    )
    opened = [answer for answer in answers if isinstance(answer, SignedUp)]
    assert len(opened) == 1
    assert sum(isinstance(answer, AlreadySignedUp) for answer in answers) == 49
    assert (await desk.count("account"), await desk.count("api_key")) == (1, 1)
    assert isinstance(await desk.principal(opened[0].key), Principal)


async def test_a_repeated_sign_up_tells_whether_its_account_is_still_there(desk: Desk) -> None:
    key = "6f9f0f6e-6f5c-4a6c-9d6e-0a4f5f1c2b3d"
    signed_up = await desk.service.sign_up("Mara", key)
    for again in (desk.service.sign_up, desk.service.check_fresh):
        with pytest.raises(AlreadySignedUp) as repeated:
            await again("Mara", key)
        assert signed_up.key.credential.secret not in repr(vars(repeated.value))
    viewer = Viewer(signed_up.account.id, signed_up.key.row.scope_set, signed_up.key.row.id)
    await desk.service.delete(viewer, DeleteAccount(AccountId(viewer.account)))
    for again in (desk.service.sign_up, desk.service.check_fresh):
        with pytest.raises(SignedUpAndDeleted):
            await again("Mara", key)
    assert await desk.count("account") == 1


async def test_only_the_api_key_that_asked_for_a_key_is_shown_it_again(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    new = NewKey("Phone", READ)
    made = await desk.service.create_key(viewer, new, "once")
    assert (await desk.service.create_key(viewer, new, "once")).credential == made.credential
    tablet = await desk.service.create_key(viewer, NewKey("Tablet", SCOPES))
    other = Viewer(viewer.account, frozenset(SCOPES), tablet.row.id)
    with pytest.raises(IdempotencyConflict):
        await desk.service.create_key(other, new, "once")
    assert await desk.count("api_key") == 3


async def test_a_key_hands_on_no_wider_limit_than_its_own(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    bot = await desk.service.create_key(viewer, NewKey("Bot", SCOPES, capacity=300, refill_per_second=7))
    assert bot.row.limit == (300, 7)
    principal = await desk.principal(bot)
    assert isinstance(principal, Principal) and principal.viewer.limit == (300, 7)
    inner = NewKey("Part", READ, capacity=300, refill_per_second=1)
    assert (await desk.service.create_key(principal.viewer, inner)).row.limit == (300, 1)
    for wider in (NewKey("Part", READ), NewKey("Part", READ, refill_per_second=7)):
        with pytest.raises(InvalidInput) as refused:
            await desk.service.create_key(principal.viewer, wider)
        assert {issue.code for issue in refused.value.issues} == {"LIMIT_BEYOND_OWN"}
        assert refused.value.issues[0].path == ["capacity"]
    for wrong in ({"capacity": 0}, {"capacity": 2001}, {"refill_per_second": 101}):
        with pytest.raises(InvalidInput):
            await desk.service.create_key(viewer, NewKey("Bot", READ, **wrong))


async def test_another_sign_up_under_the_same_idempotency_key_is_a_conflict(desk: Desk) -> None:
    key = "6f9f0f6e-6f5c-4a6c-9d6e-0a4f5f1c2b3d"
    await desk.service.sign_up("Mara", key)
    with pytest.raises(IdempotencyConflict):
        await desk.service.sign_up("Toren", key)
    assert await desk.count("account") == 1


async def test_an_idempotency_key_is_forgotten_after_a_day(desk: Desk) -> None:
    key = "6f9f0f6e-6f5c-4a6c-9d6e-0a4f5f1c2b3d"
    first = await desk.service.sign_up("Mara", key)
    desk.clock.moment += timedelta(hours=24, seconds=1)
    second = await desk.service.sign_up("Mara", key)
    assert first.account.id != second.account.id
    assert first.key.credential.secret != second.key.credential.secret


async def test_a_sign_up_takes_no_idempotency_key_that_could_be_guessed(desk: Desk) -> None:
    for guessable in ("1", "x" * 31, "x" * 256):
        with pytest.raises(InvalidInput) as refused:
            await desk.service.sign_up("Mara", guessable)
        assert refused.value.path == ["idempotencyKey"]
    assert await desk.count("account") == 0


async def test_a_key_hands_on_only_scopes_of_its_own(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    reader = Viewer(viewer.account, frozenset({"read", "admin"}))
    made = await desk.service.create_key(reader, NewKey("Phone", READ))
    assert made.row.scope_set == {"read"}
    with pytest.raises(InvalidInput) as refused:
        await desk.service.create_key(reader, NewKey("Phone", (KeyScope.READ, KeyScope.WRITE)))
    assert [(issue.code, issue.found) for issue in refused.value.issues] == [("SCOPE_BEYOND_OWN", "WRITE")]


async def test_every_broken_rule_of_a_new_key_is_named_at_once(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    reader = Viewer(viewer.account, frozenset({"read", "admin"}))
    with pytest.raises(InvalidInput) as refused:
        await desk.service.create_key(reader, NewKey("", SCOPES, expires_in_days=0))
    assert [issue.code for issue in refused.value.issues] == ["LENGTH", "OUT_OF_RANGE", "SCOPE_BEYOND_OWN"]
    with pytest.raises(InvalidInput) as none:
        await desk.service.create_key(viewer, NewKey("Phone", ()))
    assert none.value.issues[0].code == "NO_SCOPE"


async def test_fifty_parallel_requests_for_a_key_make_one(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    new = NewKey("Phone", READ)
    answers = await asyncio.gather(*(desk.service.create_key(viewer, new, "once") for _ in range(50)))
    assert len({answer.credential.text for answer in answers}) == 1
    assert await desk.count("api_key") == 2
    with pytest.raises(IdempotencyConflict):
        await desk.service.create_key(viewer, NewKey("Tablet", READ), "once")


async def test_two_accounts_can_use_the_same_idempotency_key(desk: Desk) -> None:
    (mara, _), (toren, _) = await desk.mara(), await desk.mara()
    new = NewKey("Phone", READ)
    one = await desk.service.create_key(mara, new, "once")
    other = await desk.service.create_key(toren, new, "once")
    assert one.row.account != other.row.account
    assert one.credential.secret != other.credential.secret


async def test_a_key_expires_at_its_moment(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    key = await desk.service.create_key(viewer, NewKey("Guest", READ, expires_in_days=1))
    desk.clock.moment = START + timedelta(days=1) - timedelta(microseconds=1)
    assert isinstance(await desk.principal(key), Principal)
    desk.clock.moment = START + timedelta(days=1)
    assert await desk.principal(key) is KeyRefusal.EXPIRED


async def test_a_revoked_key_opens_nothing_and_stays_revoked(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    ended = await desk.service.revoke_key(viewer, RevokeKey(signed_up.key.row.id))
    assert ended.revoked_at == START
    assert await desk.principal(signed_up.key) is KeyRefusal.REVOKED
    desk.clock.moment += timedelta(days=1)
    again = await desk.service.revoke_key(viewer, RevokeKey(signed_up.key.row.id))
    assert again.revoked_at == START


async def test_the_last_admin_key_may_be_revoked_and_the_operator_helps_out(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    await desk.service.revoke_key(viewer, RevokeKey(signed_up.key.row.id))
    helped = await desk.service.issue(NewKey("Rescue", SCOPES), viewer.account)
    principal = await desk.principal(helped.key)
    assert isinstance(principal, Principal) and principal.account == viewer.account


@pytest.mark.parametrize(
    "key", ["", "key_\0", "key_01jd8x6m3v5q7r9t0w2y4z6a8c", "acc_" + "0" * 26, "x" * 9999]
)
async def test_nobody_revokes_a_key_that_is_not_theirs(desk: Desk, key: str) -> None:
    (viewer, _), (_, other) = await desk.mara(), await desk.mara()
    with pytest.raises(NotFound):
        await desk.service.revoke_key(viewer, RevokeKey(key))
    with pytest.raises(NotFound):
        await desk.service.revoke_key(viewer, RevokeKey(other.key.row.id))
    assert isinstance(await desk.principal(other.key), Principal)


async def test_a_wrong_secret_is_as_unknown_as_a_wrong_id(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    right = signed_up.key.credential.text
    wrong_secret = right[:-1] + ("0" if right[-1] != "0" else "1")
    wrong_id = right.replace(signed_up.key.row.id[4:14], "0000000000")
    await desk.service.revoke_key(viewer, RevokeKey(signed_up.key.row.id))
    for forged in (wrong_secret, wrong_id):
        assert await desk.identity.principal(f"Bearer {forged}") is KeyRefusal.UNKNOWN
    for malformed in (None, "", "Bearer x", right):
        assert await desk.identity.principal(malformed) is KeyRefusal.MALFORMED


async def test_another_pepper_knows_no_key(desk: Desk) -> None:
    _, signed_up = await desk.mara()
    other = Identity(desk.database, desk.clock, "other-" * 10)
    assert await other.principal(f"Bearer {signed_up.key.credential.text}") is KeyRefusal.UNKNOWN


async def test_the_day_of_last_use_is_noted(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()

    async def used() -> object:
        return (await desk.service.keys(viewer, first=1, after=None)).items[0].last_used_on

    assert await used() is None
    await desk.principal(signed_up.key)
    assert await used() == START.date()
    desk.clock.moment += timedelta(days=3)
    await desk.principal(signed_up.key)
    assert await used() == (START + timedelta(days=3)).date()


async def test_keys_are_listed_by_page_and_only_to_their_account(desk: Desk) -> None:
    (viewer, _), (other, _) = await desk.mara(), await desk.mara()
    for number in range(4):
        await desk.service.create_key(viewer, NewKey(f"Key {number}", READ))
    seen: list[str] = []
    after = None
    while True:
        page = await desk.service.keys(viewer, first=2, after=after)
        seen += [row.id for row in page.items]
        if not page.has_next:
            break
        after = seen[-1]
    assert len(seen) == len(set(seen)) == 5
    assert seen == sorted(seen, reverse=True)
    assert len((await desk.service.keys(other, first=100, after=None)).items) == 1


async def test_an_account_has_a_hundred_usable_keys_at_most(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    for _ in range(MAX_KEYS - 1):
        await desk.service.create_key(viewer, NewKey("Many", READ))
    with pytest.raises(InvalidInput) as refused:
        await desk.service.create_key(viewer, NewKey("One more", READ))
    assert refused.value.issues[0].code == "TOO_MANY_KEYS"
    await desk.service.revoke_key(viewer, RevokeKey(signed_up.key.row.id))
    await desk.service.create_key(viewer, NewKey("One more", READ))


async def test_a_refused_request_does_not_use_up_its_idempotency_key(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer, signed_up = await desk.mara()
    monkeypatch.setattr("services.gateway.accounts.service.MAX_KEYS", 1)
    new = NewKey("Phone", READ)
    for _ in range(2):
        with pytest.raises(InvalidInput):
            await desk.service.create_key(viewer, new, "phone")
    await desk.service.revoke_key(viewer, RevokeKey(signed_up.key.row.id))
    made = await desk.service.create_key(viewer, new, "phone")
    again = await desk.service.create_key(viewer, new, "phone")
    assert again.credential == made.credential


async def test_renaming_needs_the_version_that_is_there(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    renamed = await desk.service.rename(viewer, Rename(1, " Mara of the Mill "))
    assert (renamed.name, renamed.version) == ("Mara of the Mill", 2)
    with pytest.raises(VersionConflict) as stale:
        await desk.service.rename(viewer, Rename(1, "Another"))
    assert (stale.value.expected_version, stale.value.current_version) == (1, 2)
    with pytest.raises(InvalidInput):
        await desk.service.rename(viewer, Rename(2, "\0"))
    nobody = Viewer("acc_01jd8x6m3v5q7r9t0w2y4z6a8c")
    with pytest.raises(NotFound):
        await desk.service.rename(nobody, Rename(1, "Nobody"))


async def test_a_repeated_rename_is_answered_again_and_not_made_again(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    for _ in range(2):
        renamed = await desk.service.rename(viewer, Rename(1, "Mara of the Mill"), "rename")
        assert (renamed.name, renamed.version) == ("Mara of the Mill", 2)
    assert await desk.count("outbox") == 3
    with pytest.raises(IdempotencyConflict):
        await desk.service.rename(viewer, Rename(1, "Another"), "rename")


async def test_of_ten_parallel_renames_one_wins(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    renames = (desk.service.rename(viewer, Rename(1, f"Name {n}")) for n in range(10))
    answers = await asyncio.gather(*renames, return_exceptions=True)
    assert sum(isinstance(answer, AccountRow) for answer in answers) == 1
    assert sum(isinstance(answer, VersionConflict) for answer in answers) == 9


def own(viewer: Viewer) -> DeleteAccount:
    """Ask for the deletion of the viewer's account."""
    return DeleteAccount(AccountId(viewer.account))


async def test_a_deleted_account_loses_its_name_and_every_key_and_no_other_does(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    phone = await desk.service.create_key(viewer, NewKey("Mara's telephone", READ))
    lost = await desk.service.create_key(viewer, NewKey("Mara's tablet", READ))
    await desk.service.revoke_key(viewer, RevokeKey(lost.row.id))
    toren, other = await desk.mara()
    assert isinstance(await desk.principal(phone), Principal)
    desk.clock.moment += timedelta(days=1)
    assert await desk.service.delete(viewer, own(viewer)) == viewer.account

    row = (await desk.service.accounts([viewer.account]))[viewer.account]
    assert (row.name, row.version, row.deleted_at) == ("Deleted account", 2, desk.clock.moment)
    for key in (signed_up.key, phone, lost):
        assert await desk.principal(key) is KeyRefusal.REVOKED
    ended = await desk.identity.ended([signed_up.key.row.id, phone.row.id, other.key.row.id])
    assert ended == {signed_up.key.row.id: KeyRefusal.REVOKED, phone.row.id: KeyRefusal.REVOKED}
    kept = {row.id: row for row in await desk.service.every_key() if row.account == viewer.account}
    assert {(row.name, row.last_used_on) for row in kept.values()} == {("Deleted account", None)}
    assert kept[lost.row.id].revoked_at == START
    assert kept[phone.row.id].revoked_at == desk.clock.moment
    assert (await desk.principal(other.key)) == Principal(toren.account, other.key.row.id, toren.scopes, None)
    async with desk.database.read() as session:
        everything = ""
        for table in ("account", "api_key", "idempotency", "outbox"):
            everything += repr((await session.execute(text(f"SELECT * FROM {table}"))).all())
    assert everything.count("Mara") == 1, "the other Mara's account"


async def test_an_account_is_deleted_only_by_its_own_id(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    other, _ = await desk.mara()
    for slip in (other.account, "", viewer.account.upper(), f"{viewer.account} ", "acc_\0"):
        with pytest.raises(InvalidInput) as refused:
            await desk.service.delete(viewer, DeleteAccount(AccountId(slip)))
        assert [(issue.code, issue.path) for issue in refused.value.issues] == [
            ("NOT_CONFIRMED", ["confirm"])
        ]
    assert isinstance(await desk.principal(signed_up.key), Principal)


async def test_of_parallel_deletions_one_is_done_and_its_doubles_have_its_answer(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    asked = (desk.service.delete(viewer, own(viewer), "the same") for _ in range(10))
    assert await asyncio.gather(*asked) == [viewer.account] * 10
    async with desk.database.read() as session:
        rows = await session.execute(text("SELECT kind, topic, payload FROM outbox ORDER BY id"))
        (*_, revoked, deleted) = told = rows.all()
    assert [row.kind for row in told] == ["account.created", "key.created", "key.revoked", "account.deleted"]
    assert revoked.topic == deleted.topic == f"account:{viewer.account}"
    assert orjson.loads(deleted.payload) == {"account": viewer.account}
    for key in (None, "another"):
        with pytest.raises(NotFound):
            await desk.service.delete(viewer, own(viewer), key)


async def test_nothing_is_done_with_a_deleted_account(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    await desk.service.delete(viewer, own(viewer))
    with pytest.raises(NotFound):
        await desk.service.rename(viewer, Rename(2, "Mara once more"))
    with pytest.raises(NotFound):
        await desk.service.create_key(viewer, NewKey("Late", READ))
    with pytest.raises(NotFound):
        await desk.service.issue(NewKey("By the operator", READ), viewer.account)
    with pytest.raises(NotFound):
        await desk.service.delete_any(viewer.account)
    assert await desk.count("api_key") == 1


async def test_no_key_is_made_beside_a_deletion_that_outlives_it(desk: Desk) -> None:
    viewer, _ = await desk.mara()
    asked = [desk.service.create_key(viewer, NewKey(f"Key {n}", READ)) for n in range(10)]
    await asyncio.gather(
        *asked[:5], desk.service.delete(viewer, own(viewer)), *asked[5:], return_exceptions=True
    )
    assert {row.revoked_at for row in await desk.service.every_key()} == {START}


async def test_what_happens_to_accounts_and_keys_is_published(desk: Desk) -> None:
    viewer, signed_up = await desk.mara()
    await desk.service.rename(viewer, Rename(1, "Mara of the Mill"))
    await desk.service.revoke_key(viewer, RevokeKey(signed_up.key.row.id))
    async with desk.database.read() as session:
        kinds = (await session.execute(text("SELECT kind FROM outbox ORDER BY id"))).scalars().all()
    assert kinds == ["account.created", "key.created", "account.renamed", "key.revoked"]
