"""The steps of a verification, and what each single statement must fulfil."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from services.rules.dice.stream import StreamError
from services.rules.dice.vr1.seeds import Vr1Bytes, redraw, rewind
from services.rules.dice.vr1.statements import (
    Link,
    Receipt,
    Statement,
    Table,
    Void,
    signed_message,
    statement_hash,
)

VerifySignature = Callable[[str, bytes, bytes], bool]
"""Tells whether the key of this id signed this message so; false for a key that nobody published."""


class Check(Enum):
    """One step of the verification.

    Attributes:
        FORM: Each line is a statement, a link or a key, written in the one form it can have.
        HASH: Each text has the hash that it is published with.
        SIGNATURE: Each hash is signed by a published key.
        COMMITMENT: Each epoch is committed to before its rolls, and follows from the epoch before.
        NUMBER: The numbers of an epoch have no gap, no roll has two.
        LINK: Each statement names the hash of the one before.
        SEED: Each seed leads back to the anchor of its epoch.
        FACES: Seed and client entropy, drawn anew, give the same faces.
        TABLE: The faces of custom dice have the hash that they are published with.
        ROLL: The receipt tells of the roll as it is kept, and the expression leads to its total.
        CLOSING: Each closing counts the numbers that were used, and shows the last seed.
        HEAD: Each chain ends where its signed head says.
        RECEIPT: There is a receipt of the roll.
    """

    FORM = "form"
    HASH = "hash"
    SIGNATURE = "signature"
    COMMITMENT = "commitment"
    NUMBER = "number"
    LINK = "link"
    SEED = "seed"
    FACES = "faces"
    TABLE = "table"
    ROLL = "roll"
    CLOSING = "closing"
    HEAD = "head"
    RECEIPT = "receipt"


@dataclass(frozen=True, slots=True)
class Step:
    """How one step ended.

    Attributes:
        name: Which.
        ok: Whether it holds.
        detail: What was compared, or what is wrong, in plain words.
    """

    name: Check
    ok: bool
    detail: str


class Wrong(Exception):
    """Something does not hold.

    Attributes:
        check: Which step found it.
        detail: What is wrong, as the rest of a sentence.
    """

    def __init__(self, check: Check, detail: str) -> None:
        super().__init__(detail)
        self.check = check
        self.detail = detail


def check_hash(statement: Statement) -> None:
    """A statement's text has the hash that it is published with.

    Raises:
        Wrong: It is not so.
    """
    if statement_hash(statement.body).hex() != statement.hash:
        raise Wrong(Check.HASH, "the text has another hash: it was changed")


def check_signature(signed: Statement | Link, verify_signature: VerifySignature | None) -> None:
    """A statement or a link is signed by its key; nothing is checked without the means to.

    Raises:
        Wrong: It is not so.
    """
    message = signed_message(bytes.fromhex(signed.hash))
    if verify_signature is not None and not verify_signature(
        signed.key, message, bytes.fromhex(signed.signature)
    ):
        raise Wrong(Check.SIGNATURE, f"this is not signed by the published key {signed.key}")


def check_link(previous: bytes, last: str) -> None:
    """A statement names the hash of the one before it.

    Raises:
        Wrong: It is not so.
    """
    if previous.hex() != last:
        raise Wrong(Check.LINK, "it does not follow from the statement before it")


def check_seed(seed: bytes, epoch: bytes, steps: int, known: bytes) -> None:
    """A seed, hashed so many times, is a seed that is known.

    Raises:
        Wrong: It is not so.
    """
    if rewind(seed, epoch, steps) != known:
        raise Wrong(Check.SEED, "its seed does not lead back to the anchor of the epoch")


def check_faces(receipt: Receipt | Void) -> None:
    """The dice of a receipt or a void, drawn anew, fall on its faces.

    Raises:
        Wrong: It is not so.
    """
    stream = Vr1Bytes(receipt.seed, receipt.epoch, receipt.number, receipt.client)
    try:
        faces = redraw(receipt.dice, stream.read)
    except StreamError as error:
        raise Wrong(Check.FACES, str(error)) from error
    if faces != receipt.faces:
        raise Wrong(Check.FACES, "seed and entropy give other faces")


def check_tables(tables: Iterable[tuple[str, Table]]) -> None:
    """The faces of custom dice have their hashes.

    Raises:
        Wrong: It is not so.
    """
    for name, table in tables:
        if Table.of(table.faces) != table:
            raise Wrong(Check.TABLE, f"the faces of the die {name!r} have another hash")
