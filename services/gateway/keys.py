"""Accounts, API keys and invitations from the command line, on the database itself, for the operator.

create       makes a key, for a new account of the same name or for an existing one, and prints it this once
list         shows every key, without its secret
invite       makes an invitation to sign up, and prints its code this once
invitations  shows every invitation, without its code
revoke       ends a key or an invitation, at once
delete       deletes an account for good, with its keys and all that is its own
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from services.gateway.accounts.invitations import InvitationDesk
from services.gateway.accounts.models import ApiKeyRow, InvitationRow
from services.gateway.accounts.requests import SCOPES, NewInvitation, NewKey
from services.gateway.accounts.service import AccountService
from services.shared.auth import KeyScope
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.problems import Problem
from services.shared.settings import KeyDeskSettings


@dataclass(frozen=True, slots=True)
class Desk:
    """What the commands work with."""

    accounts: AccountService
    invitations: InvitationDesk


async def create(desk: Desk, options: argparse.Namespace) -> int:
    """Make a key; the key goes to standard output alone, the words about it to standard error."""
    scopes = tuple(KeyScope(scope) for scope in options.scope or SCOPES)
    made = await desk.accounts.issue(NewKey(options.name, scopes, options.days), options.account)
    row = made.key.row
    print(made.key.credential.text, flush=True)
    until = f"until {row.expires_at:%Y-%m-%d}" if row.expires_at else "until it is revoked"
    print(
        f"{row.id} of account {made.account.id} may {row.scopes.replace(' ', ', ')}, {until}; "
        "shown only now, so keep it: Authorization: Bearer <key>",
        file=sys.stderr,
    )
    return 0


async def show(desk: Desk, options: argparse.Namespace) -> int:
    """Print one line a key: id, account, scopes, state, last day of use, name."""
    moment = system_clock()
    for row in await desk.accounts.every_key():
        if options.account in (None, row.account):
            used = row.last_used_on.isoformat() if row.last_used_on else "never used"
            state = "usable" if row.usable(moment) else "revoked" if row.revoked_at else "expired"
            print(row.id, row.account, row.scopes.replace(" ", ","), state, used, row.name, sep="\t")
    return 0


async def invite(desk: Desk, options: argparse.Namespace) -> int:
    """Make an invitation; its code goes to standard output alone, the words about it to standard error."""
    made = await desk.invitations.invite(NewInvitation(options.note, options.uses, options.days))
    row = made.row
    print(made.code, flush=True)
    accounts = "one account" if row.uses == 1 else f"{row.uses} accounts"
    print(
        f"{row.id} opens {accounts}, until {row.expires_at:%Y-%m-%d}; shown only now: "
        'POST /v1/accounts {"name": "...", "invitation": "<code>"}',
        file=sys.stderr,
    )
    return 0


async def show_invitations(desk: Desk, _options: argparse.Namespace) -> int:
    """Print one line an invitation: id, accounts opened of how many, state, last day, note."""
    moment = system_clock()
    for row in await desk.invitations.every():
        spent = row.expires_at <= moment or row.used >= row.uses
        state = "revoked" if row.revoked_at else "spent" if spent else "usable"
        print(row.id, f"{row.used}/{row.uses}", state, f"{row.expires_at:%Y-%m-%d}", row.note, sep="\t")
    return 0


async def revoke(desk: Desk, options: argparse.Namespace) -> int:
    """End a key or an invitation."""
    ends = desk.invitations.revoke if is_id(options.id, "inv") else desk.accounts.revoke_any_key
    match ended := await ends(options.id):
        case ApiKeyRow():
            print(f"{ended.id} of account {ended.account} is revoked", file=sys.stderr)
        case InvitationRow():
            print(f"{ended.id} is revoked", file=sys.stderr)
    return 0


async def delete(desk: Desk, options: argparse.Namespace) -> int:
    """Delete an account."""
    await desk.accounts.delete_any(options.id)
    print(f"{options.id} is deleted", file=sys.stderr)
    return 0


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    described = argparse.ArgumentParser(
        prog="keys", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = described.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("create", help="make a key")
    one.add_argument("name", help="what the key is for; a new account gets the same name")
    one.add_argument(
        "--scope", action="append", choices=SCOPES, help="may be given several times; all when omitted"
    )
    one.add_argument("--account", metavar="ACC_ID", help="an existing account; a new one when omitted")
    one.add_argument("--days", type=int, help="how long the key holds; until revoked when omitted")
    one.set_defaults(run=create)
    several = commands.add_parser("list", help="show keys")
    several.add_argument("--account", metavar="ACC_ID", help="only those of one account")
    several.set_defaults(run=show)
    inviting = commands.add_parser("invite", help="make an invitation to sign up")
    inviting.add_argument("note", nargs="?", default="Invitation", help="whom or what it is for")
    inviting.add_argument("--uses", type=int, default=1, help="how many accounts (default %(default)s)")
    inviting.add_argument("--days", type=int, default=7, help="how long it holds (default %(default)s)")
    inviting.set_defaults(run=invite)
    commands.add_parser("invitations", help="show invitations").set_defaults(run=show_invitations)
    ending = commands.add_parser("revoke", help="end a key or an invitation")
    ending.add_argument("id", metavar="ID", help="its id, key_... or inv_...")
    ending.set_defaults(run=revoke)
    leaving = commands.add_parser("delete", help="delete an account for good")
    leaving.add_argument("id", metavar="ACC_ID", help="its id")
    leaving.set_defaults(run=delete)
    return described


def main(arguments: list[str] | None = None) -> int:
    """Run one command on the database that the environment names; gives the exit code."""
    options = parser().parse_args(arguments)
    run: Callable[[Desk, argparse.Namespace], Awaitable[int]] = options.run
    settings = KeyDeskSettings()

    async def with_database() -> int:
        database = Database(settings.database_url("account"), pooled=False)
        try:
            known = database, system_clock, settings.key_pepper
            return await run(Desk(AccountService(*known), InvitationDesk(*known)), options)
        except Problem as problem:
            print(problem.message, file=sys.stderr)
            return 2
        finally:
            await database.close()

    return asyncio.run(with_database())


if __name__ == "__main__":
    sys.exit(main())
