"""API keys from the command line, straight on the database, for whoever runs the installation.

create  makes a key, for a new account of the same name or for an existing one, and prints it this once
list    shows every key, without its secret
revoke  ends a key, at once
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable

from services.gateway.checks import SCOPES
from services.gateway.models import ApiKeyRow
from services.gateway.service import AccountService, NewKey, SignedUp
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.problems import InvalidInput, NotFound
from services.shared.settings import Settings


async def create(accounts: AccountService, options: argparse.Namespace) -> int:
    """Make a key; the key goes to standard output alone, the words about it to standard error."""
    new = NewKey(options.name, options.scope or SCOPES, options.days)
    made = await accounts.issue(new, options.account)
    if not isinstance(made, SignedUp):
        return _complain(made)
    row = made.key.row
    print(made.key.credential.text, flush=True)
    until = f"until {row.expires_at:%Y-%m-%d}" if row.expires_at else "until it is revoked"
    print(
        f"{row.id} of account {made.account.id} may {row.scopes.replace(' ', ', ')}, {until}; "
        "shown only now, so keep it: Authorization: Bearer <key>",
        file=sys.stderr,
    )
    return 0


async def show(accounts: AccountService, options: argparse.Namespace) -> int:
    """Print one line a key: id, account, scopes, state, last day of use, name."""
    moment = system_clock()
    for row in await accounts.every_key():
        if options.account in (None, row.account):
            used = row.last_used_on.isoformat() if row.last_used_on else "never used"
            state = "usable" if row.usable(moment) else "revoked" if row.revoked_at else "expired"
            print(row.id, row.account, row.scopes.replace(" ", ","), state, used, row.name, sep="\t")
    return 0


async def revoke(accounts: AccountService, options: argparse.Namespace) -> int:
    """End a key."""
    ended = await accounts.revoke_any_key(options.key)
    if not isinstance(ended, ApiKeyRow):
        return _complain(ended)
    print(f"{ended.id} of account {ended.account} is revoked", file=sys.stderr)
    return 0


def _complain(problem: InvalidInput | NotFound) -> int:
    print(problem.message, file=sys.stderr)
    return 2


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
    ending = commands.add_parser("revoke", help="end a key")
    ending.add_argument("key", metavar="KEY_ID", help="its id, key_...")
    ending.set_defaults(run=revoke)
    return described


def main(arguments: list[str] | None = None) -> int:
    """Run one command on the database that the environment names; gives the exit code."""
    options = parser().parse_args(arguments)
    run: Callable[[AccountService, argparse.Namespace], Awaitable[int]] = options.run
    settings = Settings()

    async def with_database() -> int:
        database = Database(settings.database_url("account"), pooled=False)
        try:
            return await run(AccountService(database, system_clock, settings.key_pepper), options)
        finally:
            await database.close()

    return asyncio.run(with_database())


if __name__ == "__main__":
    sys.exit(main())
