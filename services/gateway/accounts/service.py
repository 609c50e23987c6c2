"""What can be done with accounts and keys. Each use case is one unit of work, which a problem undoes.

A key with the scope ``ADMIN`` manages the keys of its account. The last such key may be revoked like any
other: whoever gives an account up, or has lost a device, must not be held back. From then on only the
operator can make keys for the account (``infra/key NAME --account acc_...``).

An account that is deleted loses its keys and its name in the same moment; what other services keep of it they
forget when they hear of ``account.deleted``. Its row stays, so that what others rely on names somebody.

A secret is shown once, to the caller who asked for it. A repeated sign-up is anonymous, so its answer is a
problem and never the key. A repeated ``create_key`` is answered with the key again for a day, but only to the
API key that made the first request; under any other key of the account it is a conflict.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.gateway.accounts.credentials import Credential, derived_secret, digest_of, new_secret
from services.gateway.accounts.events import account_changed, account_deleted, key_changed
from services.gateway.accounts.invitations import spend
from services.gateway.accounts.models import AccountRow, ApiKeyRow
from services.gateway.accounts.repository import Accounts
from services.gateway.accounts.requests import (
    SCOPES,
    DeleteAccount,
    NewKey,
    Rename,
    RevokeKey,
    SignUp,
    confirmation_issues,
    limit_issues,
    scope_issues,
    sign_up_key_issues,
)
from services.gateway.accounts.tickets import TicketDesk
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import is_id, new_id
from services.shared.merging import merge_field
from services.shared.pagination import Page
from services.shared.problems import InvalidInput, NotFound, Problem

MAX_KEYS = 100
FIRST_KEY_NAME = "First key"
NOBODY = Viewer()
"""Whose idempotency keys those of sign-ups are."""


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key that was just made.

    Attributes:
        row: what is kept of it.
        credential: the key itself, shown this once.
    """

    row: ApiKeyRow
    credential: Credential


@dataclass(frozen=True, slots=True)
class SignedUp:
    """A new account and the key that opens it."""

    account: AccountRow
    key: IssuedKey


class AlreadySignedUp(Problem):
    """A sign-up under this idempotency key was carried out before; its API key is not shown again."""

    def __init__(self) -> None:
        message = (
            "This sign-up was carried out before, and its API key was shown once. "
            "If it was lost, sign up again with a fresh idempotency key."
        )
        super().__init__("ALREADY_SIGNED_UP", message, ["idempotencyKey"])


class SignedUpAndDeleted(Problem):
    """A sign-up under this idempotency key was carried out before, and its account was deleted since."""

    def __init__(self) -> None:
        message = (
            "This sign-up was carried out before, and its account was deleted since. "
            "Sign up again with a fresh idempotency key."
        )
        super().__init__("ACCOUNT_DELETED", message, ["idempotencyKey"])


class AccountService:
    """The use cases of the account service.

    Args:
        database: where accounts and keys are kept.
        clock: the present moment.
        pepper: the key under which secrets are hashed.

    Attributes:
        tickets: makes tickets for addresses.
    """

    def __init__(self, database: Database, clock: Clock, pepper: str) -> None:
        self.tickets = TicketDesk(database, clock, pepper)
        self._database = database
        self._clock = clock
        self._pepper = pepper

    # Accounts

    async def accounts(self, ids: Sequence[str]) -> dict[str, AccountRow]:
        """Read accounts by id, for anyone who is signed in: what is shown of them is the name."""
        async with self._database.read() as session:
            return await Accounts(session).by_id([account for account in ids if is_id(account, "acc")])

    async def sign_up(
        self, name: str, idempotency_key: str | None = None, invitation: str | None = None
    ) -> SignedUp:
        """Open an account; its first key has every scope.

        Args:
            name: 1 to 120 characters, shown to those one plays with; need not be unique.
            idempotency_key: 32 to 255 characters that no other visitor chooses; it opens one account.
            invitation: code of the invitation that the account counts against; None for none.

        Raises:
            InvalidInput: the name or the key cannot be used.
            IdempotencyConflict: the key was used for another name.
            AlreadySignedUp: the account was opened under the key before.
            SignedUpAndDeleted: it was, and is deleted by now.
            SignUpRefused: the invitation opens nothing.
        """
        asked = SignUp(name)
        check(asked, *sign_up_key_issues(idempotency_key))
        moment, hidden = self._clock(), self._hidden(idempotency_key)
        async with self._database.write() as session, once(session, NOBODY, hidden, asked, moment) as done:
            accounts = Accounts(session)
            if done.before and done.answer is not None:
                raise await _signed_up_before(accounts, done.answer)
            if invitation is not None:
                await spend(session, self._pepper, invitation, moment)
            account = await _open(accounts, name, moment)
            first = NewKey(FIRST_KEY_NAME, SCOPES)
            key = await self._issue(accounts, account.id, first, moment)
            done.answer = account.id
            return SignedUp(account, key)

    async def check_fresh(self, name: str, idempotency_key: str | None) -> None:
        """Refuse what ``sign_up`` would refuse as unsound or repeated, before anything is charged for it.

        Raises:
            InvalidInput: the name or the key cannot be used.
            IdempotencyConflict: the key was used for another name.
            AlreadySignedUp: the account was opened under the key before.
            SignedUpAndDeleted: it was, and is deleted by now.
        """
        asked = SignUp(name)
        check(asked, *sign_up_key_issues(idempotency_key))
        hidden = self._hidden(idempotency_key)
        async with self._database.read() as session:
            answer = await answered(session, NOBODY, hidden, asked, self._clock())
            if answer is not None:
                raise await _signed_up_before(Accounts(session), answer)

    async def rename(self, viewer: Viewer, asked: Rename, key: str | None = None) -> AccountRow:
        """Rename the viewer's account, from the version the viewer saw.

        Raises:
            InvalidInput: the name cannot be used.
            NotFound: there is no such account any more.
            VersionConflict: it was renamed otherwise since.
        """
        check(asked)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            accounts = Accounts(session)
            renamed = done.before or await accounts.rename(viewer.account, asked.version, asked.name.strip())
            account = await accounts.living(viewer.account)
            if account is None:
                raise NotFound.of("account")
            if not renamed:
                merge_field(asked.version, account.version, "name", asked.name.strip(), account.name)
            elif not done.before:
                await accounts.publish(
                    account_changed("account.renamed", account.id, account.version), moment
                )
            done.answer = account.id
            return account

    async def delete(self, viewer: Viewer, asked: DeleteAccount, key: str | None = None) -> str:
        """Delete the viewer's account for good; returns its id.

        All of its keys end with it, so that only a request which was let in before is answered once more.

        Raises:
            InvalidInput: ``NOT_CONFIRMED``: another id was named than that of the account.
            NotFound: it was deleted meanwhile.
        """
        check(asked, *confirmation_issues(asked, viewer.account))
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if not done.before:
                await _delete(Accounts(session), viewer.account, moment)
                done.answer = viewer.account
        return viewer.account

    # Keys

    async def keys(self, viewer: Viewer, *, first: int, after: str | None) -> Page[ApiKeyRow]:
        """Read a page of the keys of the viewer's account, newest first."""
        async with self._database.read() as session:
            return await Accounts(session).keys_of(viewer.account, first=first, after=after)

    async def own_key(self, viewer: Viewer) -> ApiKeyRow | None:
        """Read the key that the viewer came with; None for who came without one."""
        if viewer.key is None:
            return None
        async with self._database.read() as session:
            return await Accounts(session).key_of(viewer.account, viewer.key)

    async def create_key(self, viewer: Viewer, asked: NewKey, key: str | None = None) -> IssuedKey:
        """Make a key for the viewer's account, with some of the scopes of the viewer's own key.

        Raises:
            InvalidInput: naming every broken rule; ``TOO_MANY_KEYS`` when the account has all it may have.
            NotFound: the account was deleted meanwhile.
            IdempotencyConflict: the idempotency key was used for another request, or by another API key.
        """
        check(asked, *scope_issues(asked.scopes, viewer.scopes), *limit_issues(asked, viewer.limit))
        moment, hidden = self._clock(), self._hidden(key)
        request = [type(asked).__name__, asked, viewer.key]  # only the API key that asked is answered again
        async with self._database.write() as session, once(session, viewer, hidden, request, moment) as done:
            accounts = Accounts(session)
            if done.before and done.answer is not None:
                return await self._issued_before(accounts, done.answer, key)
            await accounts.hold(viewer.account)
            if await accounts.living(viewer.account) is None:
                raise NotFound.of("account")
            if await accounts.usable_keys(viewer.account, moment) >= MAX_KEYS:
                raise _too_many_keys()
            issued = await self._issue(accounts, viewer.account, asked, moment, seed=key)
            done.answer = issued.row.id
            return issued

    async def revoke_key(self, viewer: Viewer, asked: RevokeKey, key: str | None = None) -> ApiKeyRow:
        """Revoke a key of the viewer's account, the viewer's own included; once revoked, it stays so.

        Raises:
            NotFound: the account has no such key.
        """
        async with (
            self._database.write() as session,
            once(session, viewer, key, asked, self._clock()) as done,
        ):
            accounts = Accounts(session)
            row = await accounts.key_of(viewer.account, asked.id) if is_id(asked.id, "key") else None
            if row is None:
                raise NotFound.of("key", "id")
            done.answer = row.id
            return await self._revoke(accounts, row)

    # For the operator, who needs no key

    async def issue(self, new: NewKey, account: str | None) -> SignedUp:
        """Make a key for an account, or for a new account that gets the key's name.

        Args:
            new: the key.
            account: id of the account; None opens one.

        Raises:
            InvalidInput: naming every broken rule.
            NotFound: there is no such account.
        """
        check(new, *scope_issues(new.scopes, SCOPES))
        moment = self._clock()
        async with self._database.write() as session:
            accounts = Accounts(session)
            if account is None:
                owner = await _open(accounts, new.name, moment)
            else:
                await accounts.hold(account)
                found = await accounts.living(account)
                if found is None:
                    raise NotFound.of("account", "account")
                owner = found
            return SignedUp(owner, await self._issue(accounts, owner.id, new, moment))

    async def delete_any(self, account: str) -> None:
        """Delete whatever account for good.

        Raises:
            NotFound: there is no such account, or not any more.
        """
        async with self._database.write() as session:
            await _delete(Accounts(session), account, self._clock())

    async def every_key(self) -> list[ApiKeyRow]:
        """Read every key of the installation, oldest first."""
        async with self._database.read() as session:
            return await Accounts(session).all_keys()

    async def revoke_any_key(self, key: str) -> ApiKeyRow:
        """Revoke a key of whatever account.

        Raises:
            NotFound: there is no such key.
        """
        async with self._database.write() as session:
            accounts = Accounts(session)
            row = await accounts.any_key(key)
            if row is None:
                raise NotFound.of("key", "id")
            return await self._revoke(accounts, row)

    async def _issue(
        self, accounts: Accounts, account: str, new: NewKey, moment: datetime, *, seed: str | None = None
    ) -> IssuedKey:
        key = new_id("key")
        secret = new_secret() if seed is None else derived_secret(self._pepper, key, seed)
        days = new.expires_in_days
        capacity, refill_per_second = new.limit or (None, None)
        row = ApiKeyRow(
            id=key,
            account=account,
            name=new.name.strip(),
            digest=digest_of(self._pepper, secret),
            scopes=" ".join(sorted(set(new.scopes))),
            created_at=moment,
            expires_at=None if days is None else moment + timedelta(days=days),
            capacity=capacity,
            refill_per_second=refill_per_second,
        )
        await accounts.add(row)
        await accounts.publish(key_changed("key.created", account, key), moment)
        return IssuedKey(row, Credential(key, secret))

    async def _issued_before(self, accounts: Accounts, key: str, seed: str | None) -> IssuedKey:
        row = await accounts.any_key(key)
        assert row is not None and seed is not None
        return IssuedKey(row, Credential(key, derived_secret(self._pepper, key, seed)))

    async def _revoke(self, accounts: Accounts, row: ApiKeyRow) -> ApiKeyRow:
        moment = self._clock()
        if await accounts.revoke(row.id, moment):
            row.revoked_at = moment
            await accounts.publish(key_changed("key.revoked", row.account, row.id), moment)
        return row

    def _hidden(self, idempotency_key: str | None) -> str | None:
        # With its idempotency key a request gets an API key back once more, so only a hash of it is kept.
        if idempotency_key is None:
            return None
        message = idempotency_key.encode("utf-8", "surrogatepass")
        return hmac.new(self._pepper.encode(), message, hashlib.sha256).hexdigest()


async def _open(accounts: Accounts, name: str, moment: datetime) -> AccountRow:
    account = AccountRow(id=new_id("acc"), name=name.strip(), created_at=moment, version=1)
    await accounts.add(account)
    await accounts.publish(account_changed("account.created", account.id, account.version), moment)
    return account


async def _signed_up_before(accounts: Accounts, account: str) -> Problem:
    """Return what a repeated sign-up is told: whether the account that it opened is still there."""
    row = (await accounts.by_id([account])).get(account)
    return AlreadySignedUp() if row is None or row.deleted_at is None else SignedUpAndDeleted()


async def _delete(accounts: Accounts, account: str, moment: datetime) -> None:
    # Whoever makes a key for it in this moment does so before, or finds it deleted.
    await accounts.hold(account)
    if not await accounts.bury(account, moment):
        raise NotFound.of("account", "id")
    for key in await accounts.revoke_all(account, moment):
        await accounts.publish(key_changed("key.revoked", account, key), moment)
    await accounts.publish(account_deleted(account), moment)


def _too_many_keys() -> InvalidInput:
    return InvalidInput.single(
        "TOO_MANY_KEYS",
        f"An account can have {MAX_KEYS} keys at a time; revoke one that is no longer used.",
        found=str(MAX_KEYS),
        allowed=f"..{MAX_KEYS}",
    )
