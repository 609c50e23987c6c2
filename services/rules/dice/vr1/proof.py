"""Whether one roll was drawn as it was committed to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.rules.dice.vr1.checks import (
    Check,
    Step,
    VerifySignature,
    Wrong,
    check_faces,
    check_hash,
    check_link,
    check_seed,
    check_signature,
    check_tables,
)
from services.rules.dice.vr1.reading import StatementError, read_body
from services.rules.dice.vr1.statements import Commitment, Receipt, RollContent, Statement, Void


@dataclass(frozen=True, slots=True)
class RollProof:
    """What proves one roll.

    Attributes:
        commitment: Of its epoch.
        before: Hash of the statement before its receipt, in hexadecimal.
        receipt: The receipt.
    """

    commitment: Statement
    before: str
    receipt: Statement


def verify_roll(
    proof: RollProof, kept: RollContent, verify_signature: VerifySignature | None
) -> tuple[Step, ...]:
    """Verifies one roll, step by step; a step that fails keeps no other from being taken.

    Args:
        proof: What is published about it.
        kept: The roll as it is kept, evaluated anew from its expression and its faces.
        verify_signature: Checks signatures; without it there is no such step.
    """
    try:
        commitment, receipt = read_body(proof.commitment.body), read_body(proof.receipt.body)
    except StatementError as error:
        return (Step(Check.FORM, False, f"{error}."),)
    if not isinstance(commitment, Commitment) or not isinstance(receipt, Receipt | Void):
        return (Step(Check.FORM, False, "These are not a commitment and a receipt."),)
    both = (proof.commitment, proof.receipt)

    def signed() -> str:
        for statement in both:
            check_signature(statement, verify_signature)
        return f"Key {proof.receipt.key} signed the receipt, and {proof.commitment.key} the commitment."

    def hashed() -> str:
        for statement in both:
            check_hash(statement)
        return f"The receipt's hash is {proof.receipt.hash}."

    def committed() -> str:
        if receipt.epoch != commitment.epoch or receipt.number > commitment.length:
            raise Wrong(Check.COMMITMENT, "the receipt is of another epoch than the commitment")
        return f"It is number {receipt.number} of {commitment.length} in epoch {receipt.epoch.hex()}."

    def linked() -> str:
        check_link(receipt.previous, proof.before)
        return f"It follows statement {proof.before}."

    def seeded() -> str:
        check_seed(receipt.seed, receipt.epoch, receipt.number, commitment.anchor)
        return f"Its seed, hashed {receipt.number} times, is the anchor that was published before play."

    def drawn() -> str:
        check_faces(receipt)
        return f"Seed and {receipt.entropy.value} entropy give the same {len(receipt.faces)} faces."

    def tabled() -> str:
        check_tables(receipt.tables.items())
        return f"{len(receipt.tables)} custom dice have the faces that were hashed."

    def agreed() -> str:
        if receipt.content != kept:
            raise Wrong(Check.ROLL, "the receipt tells of another roll than the one that is kept")
        came_to = kept.total if kept.void is None else f"nothing: {kept.void}"
        return f"The roll is kept as the receipt tells it, and its expression comes to {came_to}."

    steps: list[tuple[Check, Callable[[], str]]] = [
        (Check.HASH, hashed),
        (Check.SIGNATURE, signed),
        (Check.COMMITMENT, committed),
        (Check.LINK, linked),
        (Check.SEED, seeded),
        (Check.FACES, drawn),
        (Check.TABLE, tabled),
        (Check.ROLL, agreed),
    ]
    return tuple(
        _taken(check, step)
        for check, step in steps
        if check is not Check.SIGNATURE or verify_signature is not None
    )


def _taken(check: Check, step: Callable[[], str]) -> Step:
    try:
        return Step(check, True, step())
    except Wrong as wrong:
        return Step(check, False, f"{wrong.detail[0].upper()}{wrong.detail[1:]}.")
