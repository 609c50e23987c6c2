"""What is published about verifiable rolls, as exact text that is hashed and signed.

A statement is a line of JSON: {"body", "hash", "key", "signature"}. The body is itself JSON, as a text, in
the one form it can have: names sorted, no blanks, ASCII. Its hash is SHA-256("VR1-statement" | body), and the
signature is the Ed25519 one of "VR1-sign" | hash. Bytes are written in lower-case hexadecimal, moments in UTC
with milliseconds. A body names its kind:

commitment  opens an epoch, before its first roll
            scheme "VR1" · epoch 16 bytes · place campaign or account · chain "open", or "secret" for the
            GM's rolls · ordinal 1, 2, ... among the epochs of this chain here · anchor s_0 · length L ·
            previous hash of the closing of the epoch before, null for the first · at
receipt     one roll
            epoch · number i · client c · entropy "client", or "server" where the request came without any ·
            roll its id · expression · dice sizes in the order drawn · faces · tables by name of each custom
            die its faces [label, value] and their hash · total a number, or "7/2" · seed s_i · previous hash
            of the statement before · at
void        a number that was used up without a total
            epoch · number · client · entropy · reason · seed · previous · at, and, except in the oldest ones,
            what was rolled: roll · account of the roller · expression · dice · faces · tables as of a receipt
closing     ends an epoch
            epoch · used how many numbers · seed s_L, or null where receipts of a secret chain are still
            hidden, whose secrecy it would weaken · previous · at
head        where a chain ends at the moment of an export; no part of the chain itself
            epoch · used · head hash of the newest statement · view "whole", or "revealed" where hidden rolls
            may follow that the viewer must not know of · at

Receipts and voids follow from one another by `previous`, beginning at the commitment; the next epoch's
commitment follows from the closing. Of a hidden receipt a link is shown, {"number", "hash", "key",
"signature"}: it holds its place in the chain and tells nothing, because the body that is hashed has a seed
and entropy in it that nobody can guess. A published key is {"algorithm", "key", "public", "made", "retired"};
its id is the beginning of the hash of its public part, so that no other key can take its name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Final

SCHEME: Final = "VR1"
ALGORITHM: Final = "Ed25519"
HASH_BYTES = 32
KEY_BYTES = 16


class Chain(StrEnum):
    """Which of the two chains of a place.

    Attributes:
        OPEN: Rolls that everyone at the table sees.
        SECRET: The GM's rolls, hidden until they are revealed.
    """

    OPEN = "open"
    SECRET = "secret"


class Entropy(StrEnum):
    """Who drew a roll's client entropy.

    Attributes:
        CLIENT: The roller's own client: the server could not choose the faces.
        SERVER: The server, because the request came without any.
    """

    CLIENT = "client"
    SERVER = "server"


class View(StrEnum):
    """How much of a chain an export shows.

    Attributes:
        WHOLE: Every number that is used.
        REVEALED: No number behind the last one that was revealed.
    """

    WHOLE = "whole"
    REVEALED = "revealed"


@dataclass(frozen=True, slots=True)
class Table:
    """The faces of a custom die, and their hash.

    Attributes:
        faces: Label and value of each, in order; a die's face is an index into them, from 1.
        sha256: SHA-256 of the faces in canonical JSON, 32 bytes.
    """

    faces: tuple[tuple[str, int], ...]
    sha256: bytes

    @classmethod
    def of(cls, faces: Sequence[tuple[str, int]]) -> Table:
        """Hash faces."""
        return cls(tuple(faces), hashlib.sha256(canonical(list(faces)).encode()).digest())


@dataclass(frozen=True, slots=True)
class RollContent:
    """What was rolled and how it fell.

    Attributes:
        roll: Id of the roll.
        expression: What was rolled, in dice notation.
        dice: How many faces each die has, in the order drawn.
        faces: The face of each, from 1.
        tables: Faces of the custom dice that the expression names, by name.
        total: What it came to, exactly; 0 of a void.
        void: Why it came to nothing; None where it has a total.
    """

    roll: str
    expression: str
    dice: tuple[int, ...]
    faces: tuple[int, ...]
    tables: Mapping[str, Table]
    total: int | Fraction
    void: str | None = None


@dataclass(frozen=True, slots=True)
class Commitment:
    """Opens an epoch; see the module for its members."""

    KIND: ClassVar[str] = "commitment"
    epoch: bytes
    place: str
    chain: Chain
    ordinal: int
    anchor: bytes
    length: int
    previous: bytes | None
    at: datetime
    scheme: str = SCHEME


@dataclass(frozen=True, slots=True)
class Receipt:
    """Tells of one roll; see the module for its members."""

    KIND: ClassVar[str] = "receipt"
    epoch: bytes
    number: int
    client: bytes
    entropy: Entropy
    roll: str
    expression: str
    dice: tuple[int, ...]
    faces: tuple[int, ...]
    tables: Mapping[str, Table]
    total: int | Fraction
    seed: bytes
    previous: bytes
    at: datetime

    @property
    def content(self) -> RollContent:
        """The roll alone."""
        return RollContent(self.roll, self.expression, self.dice, self.faces, self.tables, self.total)


@dataclass(frozen=True, slots=True)
class Void:
    """Tells of a number that was used up without a total; see the module for its members.

    One whose `roll` is empty is of the oldest form, and tells of no roll.
    """

    KIND: ClassVar[str] = "void"
    epoch: bytes
    number: int
    client: bytes
    entropy: Entropy
    reason: str
    seed: bytes
    previous: bytes
    at: datetime
    roll: str = ""
    account: str = ""
    expression: str = ""
    dice: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)

    @property
    def content(self) -> RollContent:
        """The roll alone."""
        return RollContent(self.roll, self.expression, self.dice, self.faces, self.tables, 0, self.reason)


ROLL_OF_VOID = frozenset({"roll", "account", "expression", "dice", "faces", "tables"})
"""Members of a void that its oldest form does not have."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Ends an epoch; see the module for its members."""

    KIND: ClassVar[str] = "closing"
    epoch: bytes
    used: int
    seed: bytes | None
    previous: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class Head:
    """Tells where a chain ends; see the module for its members."""

    KIND: ClassVar[str] = "head"
    epoch: bytes
    used: int
    head: bytes
    view: View
    at: datetime


Body = Commitment | Receipt | Void | Closing | Head


@dataclass(frozen=True, slots=True)
class Statement:
    """A signed statement.

    Attributes:
        body: Its exact text, canonical JSON.
        hash: SHA-256("VR1-statement" | body), in hexadecimal.
        key: Id of the key that signed it.
        signature: Ed25519 signature of "VR1-sign" | hash, in hexadecimal.
    """

    body: str
    hash: str
    key: str
    signature: str

    def line(self) -> str:
        """The statement as a line of an export."""
        return canonical({"body": self.body, "hash": self.hash, "key": self.key, "signature": self.signature})

    def link(self, number: int) -> Link:
        """What may be shown while the statement is hidden."""
        return Link(number, self.hash, self.key, self.signature)


@dataclass(frozen=True, slots=True)
class Link:
    """A hidden receipt or void: its place in the chain without its text."""

    number: int
    hash: str
    key: str
    signature: str

    def line(self) -> str:
        """The link as a line of an export."""
        return canonical(
            {"number": self.number, "hash": self.hash, "key": self.key, "signature": self.signature}
        )


@dataclass(frozen=True, slots=True)
class PublishedKey:
    """The public part of a key that statements are signed with; it stays published for ever.

    Attributes:
        key: Its id: the first 16 bytes of the SHA-256 of the public part, in hexadecimal.
        public: The Ed25519 public key, 32 bytes in hexadecimal.
        made: When it was made.
        retired: Since when it signs no more; null for the one that signs.
    """

    key: str
    public: str
    made: datetime
    retired: datetime | None = None

    def line(self) -> str:
        """The key as a line of an export."""
        members = {"key": self.key, "public": self.public, "made": self.made, "retired": self.retired}
        return canonical({"algorithm": ALGORITHM, **members})


def canonical(value: object) -> str:
    """Writes a value in the one form of JSON that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain)


def statement_hash(body: str) -> bytes:
    """The hash of a body, 32 bytes; bodies are ASCII."""
    return hashlib.sha256(b"VR1-statement" + body.encode("ascii")).digest()


def signed_message(digest: bytes) -> bytes:
    """What is signed of a statement with this hash."""
    return b"VR1-sign" + digest


def key_id(public: bytes) -> str:
    """The id of a public key: the beginning of its hash."""
    return hashlib.sha256(public).digest()[:KEY_BYTES].hex()


def make_statement(body: Body, key: str, sign: Callable[[bytes], bytes]) -> Statement:
    """Writes, hashes and signs a body.

    Args:
        body: What is stated.
        key: Id of the key.
        sign: Makes the 64 bytes of its signature of a message.
    """
    text = write_body(body)
    digest = statement_hash(text)
    return Statement(text, digest.hex(), key, sign(signed_message(digest)).hex())


def write_body(body: Body) -> str:
    """Writes the exact text of a body."""
    members: dict[str, Any] = {name: getattr(body, name) for name in body.__slots__}
    if isinstance(body, Void) and not body.roll:
        members = {name: value for name, value in members.items() if name not in ROLL_OF_VOID}
    return canonical({"kind": body.KIND, **members})


def _plain(value: object) -> object:
    """What `json` does not know by itself."""
    match value:
        case bytes():
            return value.hex()
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        case Fraction():
            whole = value.denominator == 1
            return value.numerator if whole else f"{value.numerator}/{value.denominator}"
        case Table():
            return {"faces": value.faces, "sha256": value.sha256}
    raise TypeError(f"{type(value).__name__} has no place in a statement")
