"""What can be done with accounts and keys. Each use case is one unit of work; it gives a result or a problem.

A key with the scope ``admin`` manages the keys of its account. The last such key may be revoked like any
other: whoever gives an account up, or has lost a device, must not be held back. From then on only the
operator can make keys for the account (``infra/key NAME --account acc_...``).
"""

import hashlib
import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.gateway.checks import SCOPES, days_issues, name_issues, scope_issues, sign_up_key_issues
from services.gateway.credentials import Credential, derived_secret, digest_of, new_secret
from services.gateway.events import account_changed, key_changed
from services.gateway.invitations import SignUpRefusal, spend
from services.gateway.models import IDEMPOTENCY, AccountRow, ApiKeyRow
from services.gateway.repository import Accounts
from services.shared.auth import ANONYMOUS, Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, look_up, remember
from services.shared.ids import is_id, new_id
from services.shared.pagination import Page
from services.shared.problems import IdempotencyConflict, InvalidInput, Issue, NotFound, VersionConflict

MAX_KEYS = 100
FIRST_KEY_NAME = "First key"


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key to be made.

    Attributes:
        name: what it is for: the device or program that will hold it; 1 to 120 characters.
        scopes: some of ``read``, ``write``, ``admin``; no more than the asking key has.
        expires_in_days: 1 to 3,650; None for a key that holds until it is revoked.
        idempotency_key: the same key gives the same answer, secret included, for a day.
    """

    name: str
    scopes: Sequence[str]
    expires_in_days: int | None = None
    idempotency_key: str | None = None


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


class _TooManyKeys(Exception):
    """Undoes a unit of work with its claim of the idempotency key, so that a later try is a fresh one."""


class _SignUpRefused(Exception):
    """Undoes a unit of work that the invitation does not cover.

    Attributes:
        refusal: why.
    """

    def __init__(self, refusal: SignUpRefusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


class AccountService:
    """The use cases of the account service.

    Args:
        database: where accounts and keys are kept.
        clock: the present moment.
        pepper: the key under which secrets are hashed.
    """

    def __init__(self, database: Database, clock: Clock, pepper: str) -> None:
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
    ) -> SignedUp | SignUpRefusal | InvalidInput | IdempotencyConflict:
        """Open an account; its first key has every scope.

        Args:
            name: 1 to 120 characters, shown to those one plays with; need not be unique.
            idempotency_key: 32 to 255 characters that nobody can guess; the same gives the same answer.
            invitation: code of the invitation that the account counts against; None for none.
        """
        issues = name_issues(name) + sign_up_key_issues(idempotency_key)
        if issues:
            return InvalidInput.of(issues)
        moment = self._clock()
        claimed_as = self._hidden(idempotency_key)
        try:
            async with self._database.write() as session:
                claimed = await claim(session, IDEMPOTENCY, ANONYMOUS, claimed_as, {"signUp": name}, moment)
                if isinstance(claimed, Conflict):
                    return IdempotencyConflict.of()
                accounts = Accounts(session)
                if isinstance(claimed, Replay):
                    return await self._signed_up_before(accounts, claimed.answer, idempotency_key)
                if invitation is not None:
                    refusal = await spend(session, self._pepper, invitation, moment)
                    if refusal is not None:
                        raise _SignUpRefused(refusal)
                account = await _open(accounts, name, moment)
                key = await self._issue(
                    accounts, account.id, NewKey(FIRST_KEY_NAME, SCOPES, None, idempotency_key), moment
                )
                await remember(session, IDEMPOTENCY, ANONYMOUS, claimed_as, key.row.id)
                return SignedUp(account, key)
        except _SignUpRefused as refused:
            return refused.refusal

    async def sign_up_again(
        self, name: str, idempotency_key: str | None
    ) -> SignedUp | InvalidInput | IdempotencyConflict | None:
        """Answer what ``sign_up`` can without opening an account: a repeated request, or a wrong one.

        Returns:
            None when an account is to be opened.
        """
        issues = name_issues(name) + sign_up_key_issues(idempotency_key)
        if issues:
            return InvalidInput.of(issues)
        if idempotency_key is None:
            return None
        moment, claimed_as = self._clock(), self._hidden(idempotency_key)
        async with self._database.read() as session:
            match await look_up(session, IDEMPOTENCY, ANONYMOUS, claimed_as, {"signUp": name}, moment):
                case Replay(answer):
                    return await self._signed_up_before(Accounts(session), answer, idempotency_key)
                case Conflict():
                    return IdempotencyConflict.of()
        return None

    async def rename(
        self, viewer: Viewer, version: int, name: str
    ) -> AccountRow | InvalidInput | NotFound | VersionConflict:
        """Give the viewer's account another name, from the version the viewer saw."""
        issues = name_issues(name)
        if issues:
            return InvalidInput.of(issues)
        moment = self._clock()
        async with self._database.write() as session:
            accounts = Accounts(session)
            renamed = await accounts.rename(viewer.account, version, name.strip())
            account = (await accounts.by_id([viewer.account])).get(viewer.account)
            if account is None:
                return NotFound.of("account")
            if not renamed:
                return VersionConflict.between(version, account.version, "version")
            await accounts.publish(account_changed("account.renamed", account.id, account.version), moment)
            return account

    # Keys

    async def keys(self, viewer: Viewer, *, first: int, after: str | None) -> Page[ApiKeyRow]:
        """Read a page of the keys of the viewer's account, newest first."""
        async with self._database.read() as session:
            return await Accounts(session).keys_of(viewer.account, first=first, after=after)

    async def create_key(self, viewer: Viewer, new: NewKey) -> IssuedKey | InvalidInput | IdempotencyConflict:
        """Make a key for the viewer's account, with some of the scopes of the viewer's own key."""
        issues = _new_key_issues(new, viewer.scopes)
        if issues:
            return InvalidInput.of(issues)
        moment = self._clock()
        request = {"createKey": [new.name, sorted(set(new.scopes)), new.expires_in_days]}
        claimed_as = self._hidden(new.idempotency_key)
        try:
            async with self._database.write() as session:
                claimed = await claim(session, IDEMPOTENCY, viewer.account, claimed_as, request, moment)
                if isinstance(claimed, Conflict):
                    return IdempotencyConflict.of()
                accounts = Accounts(session)
                if isinstance(claimed, Replay):
                    return await self._issued_before(accounts, claimed.answer, new.idempotency_key)
                await accounts.hold(viewer.account)
                if await accounts.usable_keys(viewer.account, moment) >= MAX_KEYS:
                    raise _TooManyKeys
                key = await self._issue(accounts, viewer.account, new, moment)
                await remember(session, IDEMPOTENCY, viewer.account, claimed_as, key.row.id)
                return key
        except _TooManyKeys:
            return _too_many_keys()

    async def revoke_key(self, viewer: Viewer, key: str) -> ApiKeyRow | NotFound:
        """Revoke a key of the viewer's account, the viewer's own included; once revoked, it stays so."""
        if not is_id(key, "key"):
            return NotFound.of("key", "id")
        async with self._database.write() as session:
            accounts = Accounts(session)
            row = await accounts.key_of(viewer.account, key)
            return NotFound.of("key", "id") if row is None else await self._revoke(accounts, row)

    # For the operator, who needs no key

    async def issue(self, new: NewKey, account: str | None) -> SignedUp | InvalidInput | NotFound:
        """Make a key for an account, or for a new account that gets the key's name.

        Args:
            new: the key.
            account: id of the account; None opens one.
        """
        issues = _new_key_issues(new, SCOPES)
        if issues:
            return InvalidInput.of(issues)
        moment = self._clock()
        async with self._database.write() as session:
            accounts = Accounts(session)
            if account is None:
                owner = await _open(accounts, new.name, moment)
            else:
                found = (await accounts.by_id([account])).get(account)
                if found is None:
                    return NotFound.of("account", "account")
                owner = found
            return SignedUp(owner, await self._issue(accounts, owner.id, new, moment))

    async def every_key(self) -> list[ApiKeyRow]:
        """Read every key of the installation, oldest first."""
        async with self._database.read() as session:
            return await Accounts(session).all_keys()

    async def revoke_any_key(self, key: str) -> ApiKeyRow | NotFound:
        """Revoke a key of whatever account."""
        async with self._database.write() as session:
            accounts = Accounts(session)
            row = await accounts.any_key(key)
            return NotFound.of("key", "id") if row is None else await self._revoke(accounts, row)

    async def _issue(self, accounts: Accounts, account: str, new: NewKey, moment: datetime) -> IssuedKey:
        key = new_id("key")
        seed = new.idempotency_key
        secret = new_secret() if seed is None else derived_secret(self._pepper, key, seed)
        days = new.expires_in_days
        row = ApiKeyRow(
            id=key,
            account=account,
            name=new.name.strip(),
            digest=digest_of(self._pepper, secret),
            scopes=" ".join(sorted(set(new.scopes))),
            created_at=moment,
            expires_at=None if days is None else moment + timedelta(days=days),
        )
        await accounts.add(row)
        await accounts.publish(key_changed("key.created", account, key), moment)
        return IssuedKey(row, Credential(key, secret))

    async def _signed_up_before(self, accounts: Accounts, key: str, seed: str | None) -> SignedUp:
        issued = await self._issued_before(accounts, key, seed)
        return SignedUp((await accounts.by_id([issued.row.account]))[issued.row.account], issued)

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


def _new_key_issues(new: NewKey, own: Collection[str]) -> list[Issue]:
    return name_issues(new.name) + scope_issues(new.scopes, own) + days_issues(new.expires_in_days)


def _too_many_keys() -> InvalidInput:
    return InvalidInput.single(
        "TOO_MANY_KEYS",
        f"An account can have {MAX_KEYS} keys at a time; revoke one that is no longer used.",
        found=str(MAX_KEYS),
        allowed=f"..{MAX_KEYS}",
    )
