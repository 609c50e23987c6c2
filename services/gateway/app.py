"""Puts the Python gateway app together: the account subgraph, the REST face, the pages for browsers."""

from functools import partial

import orjson
from starlette.types import ASGIApp

from services.gateway.accounts.identity import Identity
from services.gateway.accounts.service import AccountService
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.internal import key_routes
from services.gateway.pages import page_routes
from services.gateway.readiness import figures_beside, product_checks
from services.gateway.rest.app import EverythingElse, description, rest_app
from services.gateway.rest.own_graph import OwnGraph
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.gateway.schema import SCHEMA
from services.gateway.tables import OUTBOX
from services.shared.http_client import HttpClient
from services.shared.limits.bucket import Bucket
from services.shared.parts import assemble
from services.shared.peers import Peer
from services.shared.settings import AccountSettings, ServiceName
from services.shared.storage import open_storage

OTHERS: tuple[ServiceName, ...] = ("dice", "character", "campaign", "map")


def create_app(settings: AccountSettings) -> ASGIApp:
    """Build the Python gateway app's ASGI application."""
    parts = assemble("account", settings, OUTBOX)
    accounts = AccountService(parts.database, parts.clock, settings.key_pepper)
    identity = Identity(parts.database, parts.clock, settings.key_pepper)
    peers: dict[str, Peer] = {name: parts.peer(name) for name in OTHERS}
    admin = settings.gateway_admin_port
    doors = None if admin is None else HttpClient(f"http://127.0.0.1:{admin}")
    storage = open_storage(settings)
    bucket = Bucket(parts.redis)
    door, desk = Doorkeeper(identity, bucket), SignUpDesk(accounts, bucket, settings.sign_up)
    rest = rest_app(door, desk, Subgraphs(peers, OwnGraph(accounts)))

    return parts.app(
        [
            *parts.graphql_routes(SCHEMA, accounts),
            *key_routes(parts.signer, identity),
            *page_routes(orjson.dumps(description(rest)), settings.public_url.rstrip("/"), door),
            EverythingElse(rest, door),
        ],
        checks=product_checks(parts.redis, list(peers.values()), storage, doors),
        closing=[each.close for each in (*peers.values(), doors) if each is not None],
        figures={"workers": partial(figures_beside, parts.redis)},
    )
