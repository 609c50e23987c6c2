"""The Ed25519 keys by which the processes of an installation know one another.

A private key is written as PKCS #8, a public one as SubjectPublicKeyInfo, both in base64 on one line: what
``openssl`` writes between the first and the last line of a PEM file.

``python -m services.shared.process_keys`` prints a new private key for each process that signs, and the
public keys of all of them.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.shared.callers import SIGNING

MOST_PUBLIC = 2
"""Public keys that one process may have at a time: the new one and the old one, while they are exchanged."""


class KeyMalformed(ValueError):
    """A text is no Ed25519 key in the form that is asked for."""


def new_private_key() -> str:
    """Makes a private key."""
    return _text(
        Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


def public_key_of(private_key: str) -> str:
    """Computes the public key of a private one.

    Raises:
        KeyMalformed: It is none.
    """
    return _text(
        read_private_key(private_key)
        .public_key()
        .public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    )


@cache
def read_private_key(text: str) -> Ed25519PrivateKey:
    """Reads a private key.

    Raises:
        KeyMalformed: It is none.
    """
    try:
        key = serialization.load_der_private_key(_bytes(text), None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyMalformed("this is no private key: the base64 of PKCS #8 is expected") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyMalformed("this private key is not one of Ed25519")
    return key


@cache
def read_public_key(text: str) -> Ed25519PublicKey:
    """Reads a public key.

    Raises:
        KeyMalformed: It is none.
    """
    try:
        key = serialization.load_der_public_key(_bytes(text))
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyMalformed("this is no public key: the base64 of SubjectPublicKeyInfo is expected") from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyMalformed("this public key is not one of Ed25519")
    return key


def public_keys_of(private_keys: Mapping[str, str]) -> dict[str, list[str]]:
    """Computes the public keys of processes from their private ones, by the processes' names."""
    return {name: [public_key_of(key)] for name, key in private_keys.items()}


def checked_public_keys(written: Mapping[str, str | Sequence[str]]) -> dict[str, list[str]]:
    """Computes the public keys of each process from what is written: one key, or a list of at most two.

    Raises:
        KeyMalformed: A text is no key, or a process has none or too many.
    """
    found = {name: [keys] if isinstance(keys, str) else list(keys) for name, keys in written.items()}
    for name, keys in found.items():
        if not 1 <= len(keys) <= MOST_PUBLIC:
            raise KeyMalformed(f"{name} must have 1 to {MOST_PUBLIC} public keys, not {len(keys)}")
        for key in keys:
            read_public_key(key)
    return found


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def print_new(names: Iterable[str]) -> None:
    """Prints a new private key for each process, and the public keys of all."""
    private_keys = {name: new_private_key() for name in names}
    for name, key in private_keys.items():
        print(f"{name}: HEARTHFORGE_PRIVATE_KEY={key}")
    print(f"all: HEARTHFORGE_PUBLIC_KEYS={json.dumps(public_keys_of(private_keys), separators=(',', ':'))}")


if __name__ == "__main__":
    print_new(SIGNING)
