"""Makes a new signing key of rolls: ``python -m services.dice.chain.rotate``.

It reads ``DATABASE_URL_DICE`` and ``HEARTHFORGE_DICE_SECRET``. The dice service signs with the key from its
next statement on. Old public keys stay published.
"""

import asyncio
import sys

from services.dice.chain.ledger import Ledger
from services.dice.chain.seal import Seal
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.settings import SealSettings


async def rotate(settings: SealSettings) -> str:
    """Make the key; returns its public part in hexadecimal."""
    database = Database(settings.database_url("dice"), pooled=False)
    try:
        async with database.write() as session:
            key = await Ledger(Seal(settings.dice_secret)).rotate_key(session, system_clock())
        return key.public
    finally:
        await database.close()


def main() -> int:
    """Rotate and print the new public key; returns the exit code."""
    print(asyncio.run(rotate(SealSettings())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
