"""Who is asking: signed tokens between the parts of the house, and the viewer they name.

The gateway turns an API key into a short-lived HS256 token for one audience (one subgraph); services sign
tokens of their own for calls among themselves. A token that is missing, forged, expired or meant for another
audience raises ``TokenRefused``, and nothing behind it is ever reached.
"""

import time
from dataclasses import dataclass, field

import jwt

TOKEN_HEADER = "x-hearthforge-token"
ANONYMOUS = "anonymous"
TOKEN_SECONDS = 60


class TokenRefused(Exception):
    """The call carries no token that this service may trust."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The one on whose behalf a request is made.

    Attributes:
        account: account id, or ``anonymous``.
        scopes: what the API key allows: ``read``, ``write``, ``admin``.
        key: id of the API key, if one was used.
        service: true only for calls from another service of this installation.
        network: where the request comes from, an address or an IPv6 /64, which pays for heavy work beside the
            account; None for work that no request asked for. Whoever asks is the same one at any place.
    """

    account: str = ANONYMOUS
    scopes: frozenset[str] = field(default_factory=frozenset)
    key: str | None = None
    service: bool = False
    network: str | None = field(default=None, compare=False)

    @property
    def anonymous(self) -> bool:
        """Tell whether nobody is signed in."""
        return self.account == ANONYMOUS

    def may(self, scope: str) -> bool:
        """Tell whether a signed-in viewer's key carries ``scope``."""
        return not self.anonymous and scope in self.scopes


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs and reads the tokens of one process.

    Attributes:
        secret: the installation's internal secret.
        name: the process's own name: issuer of what it signs, audience of what it accepts.
    """

    secret: str
    name: str

    def sign(self, audience: str, viewer: Viewer, *, service: bool = False) -> str:
        """Sign a token that ``audience`` will accept for ``viewer``, valid for a minute.

        Args:
            audience: name of the service that is called.
            viewer: on whose behalf.
            service: mark the call as one between services, as ``/internal`` paths require.
        """
        now = int(time.time())
        claims = {
            "iss": self.name,
            "aud": audience,
            "sub": viewer.account,
            "scopes": sorted(viewer.scopes),
            "key": viewer.key,
            "svc": service,
            "net": viewer.network,
            "iat": now,
            "exp": now + TOKEN_SECONDS,
        }
        return jwt.encode(claims, self.secret, algorithm="HS256")

    def read(self, token: str | None) -> Viewer:
        """Verify a token meant for this process and give its viewer.

        Raises:
            TokenRefused: no token, a bad signature, another audience, expired, or claims of a wrong shape.
        """
        if not token:
            raise TokenRefused("the call is not signed")
        try:
            claims = jwt.decode(
                token,
                self.secret,
                algorithms=["HS256"],
                audience=self.name,
                leeway=5,
                options={"require": ["exp", "iat", "aud", "sub", "iss"]},
            )
        except jwt.InvalidTokenError as error:
            raise TokenRefused("the call's signature does not hold") from error
        if claims["exp"] - claims["iat"] > TOKEN_SECONDS:
            raise TokenRefused("the call's token lives too long")
        scopes = claims.get("scopes", [])
        if not isinstance(scopes, list) or not all(isinstance(scope, str) for scope in scopes):
            raise TokenRefused("the call's token has malformed scopes")
        network = claims.get("net")
        if not isinstance(network, str | None):
            raise TokenRefused("the call's token has a malformed network")
        return Viewer(
            account=claims["sub"],
            scopes=frozenset(scopes),
            key=claims.get("key"),
            service=claims.get("svc") is True,
            network=network,
        )
