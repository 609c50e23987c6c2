"""All SQL of the account service. A key is read by its owner, or by its id when it proves itself.

``Accounts`` holds accounts and their keys, ``Invitations`` the operator's invitations to sign up.
"""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.gateway.accounts.models import DELETED, AccountRow, ApiKeyRow, InvitationRow
from services.gateway.tables import OUTBOX
from services.shared.outbox import Event, publish
from services.shared.pagination import Page, read_page
from services.shared.sequence import take_turns


class Accounts:
    """The accounts and keys of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def by_id(self, ids: Sequence[str]) -> dict[str, AccountRow]:
        """Read accounts by id."""
        query = select(AccountRow).where(col(AccountRow.id).in_(ids))
        return {row.id: row for row in (await self._session.exec(query)).all()}

    async def rename(self, account: str, version: int, name: str) -> bool:
        """Give an account another name, from the version seen; false when it has another one by now."""
        changed = await self._session.execute(
            update(AccountRow)
            .where(
                col(AccountRow.id) == account,
                col(AccountRow.version) == version,
                col(AccountRow.deleted_at).is_(None),
            )
            .values(name=name, version=col(AccountRow.version) + 1)
            .returning(col(AccountRow.id))
        )
        return changed.first() is not None

    async def living(self, account: str) -> AccountRow | None:
        """Read an account that was not deleted."""
        row = (await self.by_id([account])).get(account)
        return row if row is not None and row.deleted_at is None else None

    async def bury(self, account: str, moment: datetime) -> bool:
        """Mark an account as deleted and forget its name; false when there is none, or not any more."""
        changed = await self._session.execute(
            update(AccountRow)
            .where(col(AccountRow.id) == account, col(AccountRow.deleted_at).is_(None))
            .values(name=DELETED, version=col(AccountRow.version) + 1, deleted_at=moment)
            .returning(col(AccountRow.id))
        )
        return changed.first() is not None

    async def any_key(self, key: str) -> ApiKeyRow | None:
        """Read a key by its id, whosoever it is: for checking a secret, and for the operator."""
        return await self._session.get(ApiKeyRow, key)

    async def keys_by_id(self, keys: Sequence[str]) -> dict[str, ApiKeyRow]:
        """Read keys by their ids, whosoever they are."""
        query = select(ApiKeyRow).where(col(ApiKeyRow.id).in_(keys))
        return {row.id: row for row in (await self._session.exec(query)).all()}

    async def key_of(self, account: str, key: str) -> ApiKeyRow | None:
        """Read a key of an account."""
        query = select(ApiKeyRow).where(ApiKeyRow.id == key, ApiKeyRow.account == account)
        return (await self._session.exec(query)).first()

    async def keys_of(self, account: str, *, first: int, after: str | None) -> Page[ApiKeyRow]:
        """Read a page of an account's keys, newest first."""
        query = select(ApiKeyRow).where(ApiKeyRow.account == account)
        return await read_page(self._session, query, ApiKeyRow.id, first=first, after=after)

    async def all_keys(self) -> list[ApiKeyRow]:
        """Read every key of the installation, oldest first, for the operator."""
        return list((await self._session.exec(select(ApiKeyRow).order_by(col(ApiKeyRow.id)))).all())

    async def usable_keys(self, account: str, moment: datetime) -> int:
        """Count an account's keys that are neither revoked nor expired."""
        query = select(func.count()).where(
            ApiKeyRow.account == account,
            col(ApiKeyRow.revoked_at).is_(None),
            col(ApiKeyRow.expires_at).is_(None) | (col(ApiKeyRow.expires_at) > moment),
        )
        return int((await self._session.exec(query)).one())

    async def revoke(self, key: str, moment: datetime) -> bool:
        """Mark a key as revoked; false when it already was."""
        changed = await self._session.execute(
            update(ApiKeyRow)
            .where(col(ApiKeyRow.id) == key, col(ApiKeyRow.revoked_at).is_(None))
            .values(revoked_at=moment)
            .returning(col(ApiKeyRow.id))
        )
        return changed.first() is not None

    async def revoke_all(self, account: str, moment: datetime) -> list[str]:
        """Revoke all keys of an account; forget what they were called and when they were used.

        Returns:
            the ids of those that had not been revoked before.
        """
        held = select(ApiKeyRow.id).where(ApiKeyRow.account == account, col(ApiKeyRow.revoked_at).is_(None))
        keys = list((await self._session.exec(held)).all())
        await self._session.execute(
            update(ApiKeyRow)
            .where(col(ApiKeyRow.account) == account)
            .values(
                name=DELETED,
                last_used_on=None,
                revoked_at=func.coalesce(col(ApiKeyRow.revoked_at), moment),
            )
        )
        return keys

    async def mark_used(self, key: str, day: date) -> None:
        """Note the day on which a key was last used."""
        await self._session.execute(
            update(ApiKeyRow).where(col(ApiKeyRow.id) == key).values(last_used_on=day)
        )

    async def add(self, row: AccountRow | ApiKeyRow) -> None:
        """Add a new row, at once, so that rows that point at it can follow."""
        self._session.add(row)
        await self._session.flush()

    async def hold(self, account: str) -> None:
        """Take turns with every other unit of work that concerns this account's keys."""
        await take_turns(self._session, f"turn:{account}")

    async def publish(self, event: Event, moment: datetime) -> None:
        """Publish a fact with this unit of work."""
        await publish(self._session, OUTBOX, event, moment)


class Invitations:
    """The invitations of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: InvitationRow) -> None:
        """Adds a new invitation."""
        self._session.add(row)
        await self._session.flush()

    async def every(self) -> list[InvitationRow]:
        """Reads every invitation of the installation, oldest first."""
        query = select(InvitationRow).order_by(col(InvitationRow.id))
        return list((await self._session.exec(query)).all())

    async def of_digest(self, digest: str) -> InvitationRow | None:
        """Reads the invitation whose code has a digest."""
        query = select(InvitationRow).where(InvitationRow.digest == digest)
        return (await self._session.exec(query)).first()

    async def spend(self, digest: str, moment: datetime) -> bool:
        """Counts one use of an invitation; false when it holds for none, and nothing was counted."""
        spent = await self._session.execute(
            update(InvitationRow)
            .where(
                col(InvitationRow.digest) == digest,
                col(InvitationRow.used) < col(InvitationRow.uses),
                col(InvitationRow.expires_at) > moment,
                col(InvitationRow.revoked_at).is_(None),
            )
            .values(used=col(InvitationRow.used) + 1)
            .returning(col(InvitationRow.id))
        )
        return spent.first() is not None

    async def revoke(self, invitation: str, moment: datetime) -> InvitationRow | None:
        """Marks an invitation as revoked, and returns it; None when there is no such one."""
        row = await self._session.get(InvitationRow, invitation)
        if row is not None and row.revoked_at is None:
            row.revoked_at = moment
            self._session.add(row)
            await self._session.flush()
        return row
