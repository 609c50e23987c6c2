"""Makes the databases that a PostgreSQL lacks: ``python -m infra.launch.databases SOCKETS USER NAME...``."""

import asyncio
import sys

import asyncpg


async def make(sockets: str, user: str, names: list[str]) -> None:
    """Create every database that is not there yet.

    Args:
        sockets: folder of the server's unix socket.
        user: who owns them.
        names: plain lower-case words.
    """
    connection = await asyncpg.connect(host=sockets, user=user, database="postgres")
    try:
        present = {row["datname"] for row in await connection.fetch("SELECT datname FROM pg_database")}
        for name in names:
            if name not in present:
                await connection.execute(f'CREATE DATABASE "{name}"')
    finally:
        await connection.close()


if __name__ == "__main__":
    asyncio.run(make(sys.argv[1], sys.argv[2], sys.argv[3:]))
