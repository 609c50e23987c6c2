"""The description of the REST face: ``python -m services.gateway.openapi`` prints it, always the same."""

import sys

import orjson
from redis.asyncio import Redis

from services.gateway.accounts.identity import Identity
from services.gateway.accounts.service import AccountService
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.rest.app import description, rest_app
from services.gateway.rest.own_graph import OwnGraph
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.limits.bucket import Bucket
from services.shared.settings import SignUp


def document() -> bytes:
    """Write the description as JSON, indented, with its members in order; no connection is opened."""
    database = Database("sqlite://")
    accounts, bucket = AccountService(database, system_clock, ""), Bucket(Redis())
    door = Doorkeeper(Identity(database, system_clock, ""), bucket)
    desk = SignUpDesk(accounts, bucket, SignUp.OPEN)
    app = rest_app(door, desk, Subgraphs({}, OwnGraph(accounts)))
    return orjson.dumps(description(app), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(document())
