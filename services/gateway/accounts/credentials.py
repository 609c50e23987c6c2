"""What an API key looks like, and how one is told from a forgery.

A key reads ``hf_live_<id>_<secret>``: the 26 characters of its id and 40 characters of secret (200 random
bits), all Crockford base32, so that a double click selects it whole. The code of an invitation reads
``hf_invite_<secret>``, with a secret of 26 such characters. What is stored is the id and
HMAC-SHA256(pepper, secret): whoever reads the database without the pepper can neither use a key nor test a
guess. A secret of 200 bits needs no slow hash.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

PREFIX = "hf_live_"
SECRET_LENGTH = 40
INVITATION_PREFIX = "hf_invite_"
INVITATION_LENGTH = 26
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_CLASS = "0-9a-hjkmnp-tv-z"
_KEY = re.compile(rf"{PREFIX}([{_CLASS}]{{26}})_([{_CLASS}]{{{SECRET_LENGTH}}})", re.ASCII)
_INVITATION = re.compile(rf"{INVITATION_PREFIX}([{_CLASS}]{{{INVITATION_LENGTH}}})", re.ASCII)
_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Credential:
    """A key as its holder has it.

    Attributes:
        key: id of the key, ``key_...``.
        secret: what proves that the holder may use it; kept out of ``repr`` and so out of logs.
    """

    key: str
    secret: str = field(repr=False)

    @property
    def text(self) -> str:
        """Give the key as it is shown to its holder, once."""
        return f"{PREFIX}{self.key.removeprefix('key_')}_{self.secret}"


def new_secret(length: int = SECRET_LENGTH) -> str:
    """Make a fresh secret."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def invitation_secret(code: str) -> str | None:
    """Returns the secret in the code of an invitation; None when the code has another shape."""
    found = _INVITATION.fullmatch(code.strip())
    return found[1] if found else None


def derived_secret(pepper: str, key: str, seed: str) -> str:
    """Make the secret of ``key`` from a seed, so that an authenticated request can be answered alike.

    A key that is made under an idempotency key is shown again for a day to the API key that asked for it.
    Its secret is stored nowhere: it is computed again from the pepper, the key's random id and the
    idempotency key. The key of a sign-up, which anyone may send, has a secret that cannot be computed again.
    """
    message = f"secret of {key}\0{seed}".encode("utf-8", "surrogatepass")
    number = int.from_bytes(hmac.digest(pepper.encode(), message, "sha256"), "big")
    return "".join(_ALPHABET[number >> 5 * place & 31] for place in range(SECRET_LENGTH))


def digest_of(pepper: str, secret: str) -> str:
    """Give what is stored of a secret: HMAC-SHA256 under the pepper, in hexadecimal."""
    return hmac.new(pepper.encode(), secret.encode(), hashlib.sha256).hexdigest()


def same_digest(left: str, right: str) -> bool:
    """Compare digests in a time that does not depend on where they differ."""
    return hmac.compare_digest(left, right)


def read_authorization(header: str) -> Credential | None:
    """Read ``Authorization: Bearer hf_live_...``; None when the header or the key has another shape."""
    bearer = _BEARER.fullmatch(header)
    found = _KEY.fullmatch(bearer[1]) if bearer else None
    return Credential(f"key_{found[1]}", found[2]) if found else None
