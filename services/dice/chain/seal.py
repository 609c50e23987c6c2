"""Seals small secrets so that the database alone does not give them away."""

import base64
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE = 12
_PURPOSE = b"Hearthforge dice: seeds and signing keys"


class SealBroken(Exception):
    """Something sealed does not open: it was sealed under another secret, under another name, or changed."""


class Seal:
    """Seals under a key that is derived from the installation's secret for dice (AES-256-GCM, HKDF-SHA256).

    Args:
        secret: HEARTHFORGE_DICE_SECRET.
    """

    def __init__(self, secret: str) -> None:
        derived = HKDF(SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
        self._cipher = AESGCM(derived)

    def close(self, content: bytes, name: str) -> str:
        """Seal something; it opens under the same name only.

        Args:
            content: what is to be kept secret.
            name: what it belongs to, for instance the id of an epoch.
        """
        nonce = secrets.token_bytes(_NONCE)
        return base64.b64encode(nonce + self._cipher.encrypt(nonce, content, name.encode())).decode()

    def open(self, sealed: str, name: str) -> bytes:
        """Open what was sealed under that name.

        Raises:
            SealBroken: it was not, or not under this secret.
        """
        try:
            data = base64.b64decode(sealed, validate=True)
            return self._cipher.decrypt(data[:_NONCE], data[_NONCE:], name.encode())
        except (InvalidTag, ValueError) as error:
            raise SealBroken(
                f"what is sealed for {name} does not open; "
                "is HEARTHFORGE_DICE_SECRET the one that it was sealed under?"
            ) from error
