"""Verifiable rolls, scheme VR1: the server commits to its part of chance before play, players add theirs.

Read in this order:

1. ``seeds``         the chain of seeds, and the bytes that one seed and the player's entropy give
2. ``statements``    what is published: commitments, receipts, voids, closings, heads; their exact text
3. ``reading``       reads that text back, strictly
4. ``checks``        what each single statement must fulfil
5. ``proof``         whether one roll was drawn as it was committed to
6. ``verification``  whether a whole export holds together
"""

from services.rules.dice.vr1.checks import Check, Step, VerifySignature
from services.rules.dice.vr1.proof import RollProof, verify_roll
from services.rules.dice.vr1.reading import StatementError, read_body, read_line
from services.rules.dice.vr1.seeds import (
    CLIENT_BYTES,
    EPOCH_BYTES,
    MAX_LENGTH,
    SEED_BYTES,
    Seeds,
    Vr1Bytes,
    redraw,
    rewind,
)
from services.rules.dice.vr1.statements import (
    Body,
    Chain,
    Closing,
    Commitment,
    Entropy,
    Head,
    Link,
    PublishedKey,
    Receipt,
    RollContent,
    Statement,
    Table,
    View,
    Void,
    canonical,
    key_id,
    make_statement,
    signed_message,
    statement_hash,
)
from services.rules.dice.vr1.verification import Fault, Replay, Report, verify_statements

__all__ = [
    "CLIENT_BYTES",
    "EPOCH_BYTES",
    "MAX_LENGTH",
    "SEED_BYTES",
    "Body",
    "Chain",
    "Check",
    "Closing",
    "Commitment",
    "Entropy",
    "Fault",
    "Head",
    "Link",
    "PublishedKey",
    "Receipt",
    "Replay",
    "Report",
    "RollContent",
    "RollProof",
    "Seeds",
    "Statement",
    "StatementError",
    "Step",
    "Table",
    "VerifySignature",
    "View",
    "Void",
    "Vr1Bytes",
    "canonical",
    "key_id",
    "make_statement",
    "read_body",
    "read_line",
    "redraw",
    "rewind",
    "signed_message",
    "statement_hash",
    "verify_roll",
    "verify_statements",
]
