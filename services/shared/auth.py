"""Who is asking: signed tokens between the parts of the house, and the viewer they name.

Each process signs with an Ed25519 key of its own, under its own name. The doors (the federation gateway, and
the account app behind the REST face) have found out whose an API key is, and ask subgraphs on a viewer's
behalf; services call one another's ``/internal`` paths. ``callers`` says which process may call which one
how. A token that is missing, forged, expired, meant for another audience or from one who
has no business here raises ``TokenRefused``, and nothing behind it is ever reached.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Protocol

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.shared.callers import INTERNALLY, ON_BEHALF
from services.shared.process_keys import read_private_key, read_public_key

TOKEN_HEADER = "x-hearthforge-token"
ANONYMOUS = "anonymous"
ALGORITHM = "EdDSA"
TOKEN_SECONDS = 60
REUSE_SECONDS = 20
"""How long a token is sent again for the same viewer to the same service."""
LEEWAY_SECONDS = 5
"""How far two clocks may differ."""
KEPT_TOKENS = 4_096
"""Tokens that a process remembers of those that it has signed, and of those that it has verified."""


class KeyScope(StrEnum):
    """What an API key allows.

    Attributes:
        READ: Looks at what its account may see.
        WRITE: Changes things.
        ADMIN: Manages the account's keys, and the account itself.
    """

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class TokenRefused(Exception):
    """The call carries no token that this service may trust."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The one on whose behalf a request is made.

    Attributes:
        account: account id, or ``anonymous``.
        scopes: what the API key allows; values of ``KeyScope``.
        key: id of the API key, if one was used.
        service: true only for calls from another service of this installation.
        network: where the request comes from, an address or an IPv6 /64, which pays for heavy work beside the
            account; None for work that no request asked for. Whoever asks is the same one at any place.
        limit: capacity and refill per second, in points, of the key's own bucket; None without one. It is as
            old as the key, and never changes.
    """

    account: str = ANONYMOUS
    scopes: frozenset[str] = field(default_factory=frozenset)
    key: str | None = None
    service: bool = False
    network: str | None = field(default=None, compare=False)
    limit: tuple[int, int] | None = field(default=None, compare=False)

    @property
    def anonymous(self) -> bool:
        """Tell whether nobody is signed in."""
        return self.account == ANONYMOUS

    def may(self, scope: KeyScope) -> bool:
        """Tell whether a signed-in viewer's key carries ``scope``."""
        return not self.anonymous and scope in self.scopes


class HasKeys(Protocol):
    """What of a process's settings is needed to sign and to read tokens."""

    private_key: str
    public_keys: dict[str, list[str]]


class Signer:
    """Signs and reads the tokens of one process.

    Args:
        name: the process's own name: issuer of what it signs, audience of what it accepts.
        private_key: its own.
        public_keys: of each process, one or two.

    Raises:
        KeyMalformed: a key is none.
    """

    def __init__(self, name: str, private_key: str, public_keys: Mapping[str, Sequence[str]]) -> None:
        self.name = name
        self._key = read_private_key(private_key)
        self._keys: dict[str, list[Ed25519PublicKey]] = {
            issuer: [read_public_key(key) for key in keys] for issuer, keys in public_keys.items()
        }
        remember: Callable[[Any], Any] = lru_cache(KEPT_TOKENS)
        self._signed = remember(self._sign)
        # A token that is refused raises, and is not remembered.
        self._verified = remember(self._verify)

    @classmethod
    def of(cls, name: str, settings: HasKeys) -> "Signer":
        """Make the signer of a process with these settings."""
        return cls(name, settings.private_key, settings.public_keys)

    def sign(self, audience: str, viewer: Viewer, *, service: bool = False) -> str:
        """Sign a token that ``audience`` will accept for ``viewer``, valid for 40 to 60 seconds.

        Args:
            audience: name of the service that is called.
            viewer: on whose behalf.
            service: mark the call as one between services, as ``/internal`` paths require.
        """
        # Network and limit do not tell two viewers apart, but they do tell two tokens apart.
        token: str = self._signed(
            audience, viewer, (viewer.network, viewer.limit), service, int(time.time() // REUSE_SECONDS)
        )
        return token

    def read(self, token: str | None, *, service: bool = False) -> Viewer:
        """Verify a token meant for this process and give its viewer.

        Args:
            token: as it was sent.
            service: whether a call between services is expected, or one on behalf of a viewer.

        Raises:
            TokenRefused: no token, a bad signature, another audience, expired, claims of a wrong shape, or a
                caller that may not call this process so.
        """
        if not token:
            raise TokenRefused("the call is not signed")
        found: _Verified = self._verified(token)
        if time.time() > found.expires + LEEWAY_SECONDS:
            raise TokenRefused("the call's token has expired")
        if found.viewer.service is not service:
            raise TokenRefused("only services call this" if service else "services do not call this")
        return found.viewer

    def _sign(self, audience: str, viewer: Viewer, payers: tuple[Any, Any], service: bool, _slot: int) -> str:
        now = int(time.time())
        network, limit = payers
        claims = {
            "iss": self.name,
            "aud": audience,
            "sub": viewer.account,
            "scopes": sorted(viewer.scopes),
            "key": viewer.key,
            "svc": service,
            "net": network,
            "lim": limit,
            "iat": now,
            "exp": now + TOKEN_SECONDS,
        }
        return jwt.encode(claims, self._key, algorithm=ALGORITHM)

    def _verify(self, token: str) -> "_Verified":
        claims = self._claims(token)
        if claims["exp"] - claims["iat"] > TOKEN_SECONDS:
            raise TokenRefused("the call's token lives too long")
        service = claims.get("svc") is True
        table = INTERNALLY if service else ON_BEHALF
        if self.name not in table.get(claims["iss"], ()):
            raise TokenRefused("the caller has no business here")
        scopes = claims.get("scopes", [])
        if not isinstance(scopes, list) or not all(isinstance(scope, str) for scope in scopes):
            raise TokenRefused("the call's token has malformed scopes")
        network = claims.get("net")
        if not isinstance(network, str | None):
            raise TokenRefused("the call's token has a malformed network")
        viewer = Viewer(
            account=claims["sub"],
            scopes=frozenset(scopes),
            key=claims.get("key"),
            service=service,
            network=network,
            limit=_limit(claims.get("lim")),
        )
        return _Verified(viewer, claims["exp"])

    def _claims(self, token: str) -> dict[str, Any]:
        """Verify a token by the keys of the process that it names as its issuer."""
        try:
            issuer = jwt.decode(token, options={"verify_signature": False}).get("iss")
            reason: jwt.InvalidTokenError = jwt.InvalidIssuerError("unknown issuer")
            for key in self._keys.get(issuer, ()) if isinstance(issuer, str) else ():
                try:
                    return jwt.decode(
                        token,
                        key,
                        algorithms=[ALGORITHM],
                        audience=self.name,
                        leeway=LEEWAY_SECONDS,
                        options={"require": ["exp", "iat", "aud", "sub", "iss"]},
                    )
                except jwt.InvalidSignatureError as error:
                    reason = error  # it may be signed with the other key that this process has
        except jwt.InvalidTokenError as error:
            reason = error
        raise TokenRefused("the call's signature does not hold") from reason


def _limit(found: object) -> tuple[int, int] | None:
    match found:
        case None:
            return None
        case [int(capacity), int(refill)] if capacity > 0 and refill > 0:
            return capacity, refill
        case _:
            raise TokenRefused("the call's token has a malformed limit")


@dataclass(frozen=True, slots=True)
class _Verified:
    """A token that holds until it expires.

    Attributes:
        viewer: whom it names.
        expires: when it expires, in seconds of Unix time.
    """

    viewer: Viewer
    expires: int
