"""The keys that statements are signed with (Ed25519), and the check of their signatures."""

from collections.abc import Iterable
from datetime import datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.dice.chain.models import SigningKeyRow
from services.dice.chain.seal import Seal
from services.rules.dice.vr1 import Body, PublishedKey, Statement, VerifySignature, key_id, make_statement


class SigningKeys:
    """Makes keys and signs with them; a key that was opened stays open for as long as the process lives.

    Args:
        seal: keeps the private parts.
    """

    def __init__(self, seal: Seal) -> None:
        self._seal = seal
        self._open: dict[str, Ed25519PrivateKey] = {}

    def fresh(self, moment: datetime) -> SigningKeyRow:
        """Make a key."""
        private = Ed25519PrivateKey.generate()
        public = private.public_key().public_bytes_raw()
        name = key_id(public)
        return SigningKeyRow(
            id=name,
            public=public.hex(),
            sealed=self._seal.close(private.private_bytes_raw(), f"key {name}"),
            created_at=moment,
        )

    def sign(self, row: SigningKeyRow, body: Body) -> Statement:
        """State something under a key.

        Raises:
            SealBroken: the key's private part does not open.
        """
        private = self._open.get(row.id)
        if private is None:
            opened = self._seal.open(row.sealed, f"key {row.id}")
            private = self._open[row.id] = Ed25519PrivateKey.from_private_bytes(opened)
        return make_statement(body, row.id, private.sign)


def published(row: SigningKeyRow) -> PublishedKey:
    """Return what everybody may know of a key."""
    return PublishedKey(row.id, row.public, row.created_at, row.retired_at)


def verifier(rows: Iterable[SigningKeyRow]) -> VerifySignature:
    """Make the check of signatures by any of these keys."""
    known = {row.id: Ed25519PublicKey.from_public_bytes(bytes.fromhex(row.public)) for row in rows}

    def verify(key: str, message: bytes, signature: bytes) -> bool:
        public = known.get(key)
        if public is None:
            return False
        try:
            public.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    return verify
