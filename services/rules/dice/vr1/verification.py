"""Whether a whole export of what was published holds together.

An export is read line by line, in the order of the chain: a commitment, its receipts, voids and links by
number, its closing, the next commitment of the same chain; a head at the end of each chain, because without
one nobody could tell that the newest lines were cut off. Keys may stand anywhere. Exports of several chains
may follow one another. The first fault ends the reading: what follows a broken link proves nothing.

What no export shows by itself is that the server signed another history for somebody else. Two receipts of
one number, or two heads of one chain that do not fit together, do: whoever keeps theirs can point at them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
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
from services.rules.dice.vr1.reading import StatementError, read_body, read_line
from services.rules.dice.vr1.statements import (
    Body,
    Chain,
    Closing,
    Commitment,
    Head,
    Link,
    PublishedKey,
    Receipt,
    RollContent,
    Statement,
    View,
    Void,
    key_id,
)

Replay = Callable[[RollContent], str | None]
"""Evaluates an expression over the faces of a receipt; tells what does not agree, None for nothing."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that is wrong.

    Attributes:
        line: In which line, from 1; one behind the last where something is missing there.
        check: Which step found it.
        detail: What is wrong.
    """

    line: int
    check: Check
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an export.

    Attributes:
        steps: Each step that had something to do; the last one is the one that failed, if any did.
        fault: The first thing that is wrong; None when all is well.
        rolls: How many rolls were drawn anew.
        voids: How many numbers were used up without a roll.
        hidden: How many numbers are known by their place in the chain alone.
        epochs: How many epochs there are.
        unchecked: What was not checked, in plain words.
    """

    steps: tuple[Step, ...]
    fault: Fault | None
    rolls: int
    voids: int
    hidden: int
    epochs: int
    unchecked: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether everything that was checked holds."""
        return self.fault is None


def verify_statements(
    lines: Iterable[str], verify_signature: VerifySignature | None, replay: Replay | None = None
) -> Report:
    """Verifies an export.

    Args:
        lines: Of the export, in order; empty ones are left out.
        verify_signature: Checks signatures; without it they are not checked, and the report says so.
        replay: Checks how expressions lead to totals; without it that is not checked either.
    """
    reading = _Reading(verify_signature, replay)
    count = 0
    try:
        for line in lines:
            count += 1
            if line.strip():
                reading.read(line)
        count += 1
        reading.end()
    except Wrong as wrong:
        return reading.report(Fault(count, wrong.check, wrong.detail))
    return reading.report(None)


_WORDS = {
    Check.FORM: "lines that can be read",
    Check.HASH: "texts that have the hash they are published with",
    Check.SIGNATURE: "hashes that are signed by published keys",
    Check.COMMITMENT: "epochs that were committed to",
    Check.NUMBER: "numbers without a gap",
    Check.LINK: "receipts and voids that name the statement before",
    Check.SEED: "seeds that lead back to their anchor",
    Check.FACES: "rolls that fall the same when drawn anew",
    Check.TABLE: "custom dice whose faces are those that were hashed",
    Check.ROLL: "expressions that lead to their totals",
    Check.CLOSING: "epochs that are closed",
    Check.HEAD: "chains that end where their head says",
}


class _Epoch:
    """Where the reading stands in one epoch."""

    __slots__ = ("body", "closing", "headed", "last", "number", "seed", "seed_number")

    def __init__(self, body: Commitment, digest: str) -> None:
        self.body = body
        self.last = digest
        self.number = 0
        self.seed = body.anchor
        self.seed_number = 0
        self.closing: str | None = None
        self.headed = False

    @property
    def name(self) -> str:
        return f"epoch {self.body.ordinal} of the {self.body.chain.value} chain of {self.body.place}"


class _Reading:
    def __init__(self, verify_signature: VerifySignature | None, replay: Replay | None) -> None:
        self._verify_signature = verify_signature
        self._replay = replay
        self._done: Counter[Check] = Counter()
        self._kinds: Counter[type] = Counter()
        self._newest: dict[tuple[str, Chain], _Epoch] = {}
        self._seen: set[bytes | str] = set()
        self._now: _Epoch | None = None
        self._unchecked: list[str] = []

    def read(self, line: str) -> None:
        try:
            found = read_line(line)
            body = read_body(found.body) if isinstance(found, Statement) else None
        except StatementError as error:
            raise Wrong(Check.FORM, str(error)) from error
        self._done[Check.FORM] += 1
        if isinstance(found, PublishedKey):
            if key_id(bytes.fromhex(found.public)) != found.key:
                raise Wrong(Check.SIGNATURE, "the key's id is not the beginning of its hash")
            return
        if isinstance(found, Statement):
            check_hash(found)
            self._done[Check.HASH] += 1
        if self._verify_signature is not None:
            check_signature(found, self._verify_signature)
            self._done[Check.SIGNATURE] += 1
        match body:
            case None if isinstance(found, Link):
                self._link(found)
            case Commitment():
                self._commitment(body, found.hash)
            case Receipt() | Void():
                self._drawn(body, found.hash)
            case Closing():
                self._closing(body, found.hash)
            case Head():
                self._head(body)

    def end(self) -> None:
        self._check_headed()
        if not self._newest:
            raise Wrong(Check.HEAD, "there is no chain in it")

    def report(self, fault: Fault | None) -> Report:
        steps = [
            Step(check, True, f"{_WORDS[check]}: {count}")
            for check, count in self._done.items()
            if count and (fault is None or check is not fault.check)
        ]
        if fault is not None:
            steps.append(Step(fault.check, False, f"line {fault.line}: {fault.detail}"))
        unchecked = list(self._unchecked)
        if self._verify_signature is None:
            unchecked.append("signatures")
        if self._replay is None:
            unchecked.append("how expressions lead to their totals")
        if self._kinds[Link]:
            unchecked.append("hidden rolls, beyond their place in the chain")
        kinds = self._kinds
        return Report(
            tuple(steps), fault, kinds[Receipt], kinds[Void], kinds[Link], kinds[Commitment], tuple(unchecked)
        )

    def _commitment(self, body: Commitment, digest: str) -> None:
        place = (body.place, body.chain)
        before = self._newest.get(place)
        if before is None or before is not self._now:
            self._check_headed()
        if body.epoch in self._seen:
            raise Wrong(Check.COMMITMENT, "there is a commitment to this epoch already")
        if before is not None:
            if before.closing is None or body.ordinal != before.body.ordinal + 1:
                raise Wrong(Check.COMMITMENT, f"it is not the epoch that comes after {before.name}")
            if body.previous is None or body.previous.hex() != before.closing:
                raise Wrong(Check.COMMITMENT, "it does not follow from the closing of the epoch before")
        elif (body.ordinal == 1) != (body.previous is None):
            raise Wrong(Check.COMMITMENT, "the first epoch follows from none, any other from the one before")
        self._now = self._newest[place] = _Epoch(body, digest)
        self._seen.add(body.epoch)
        if before is None and body.ordinal > 1:
            self._unchecked.append(f"what came before {self._now.name}: it is not in the file")
        self._count(Check.COMMITMENT, Commitment)

    def _link(self, link: Link) -> None:
        epoch = self._open()
        if epoch.body.chain is Chain.OPEN:
            raise Wrong(Check.NUMBER, "nothing is hidden in an open chain")
        self._next(epoch, link.number)
        epoch.last = link.hash
        self._count(Check.NUMBER, Link)

    def _drawn(self, body: Receipt | Void, digest: str) -> None:
        epoch = self._open()
        self._check_epoch(epoch, body)
        self._next(epoch, body.number)
        tells = isinstance(body, Receipt) or body.roll != ""
        if tells:
            if body.roll in self._seen:
                raise Wrong(Check.NUMBER, f"roll {body.roll} has a receipt already")
            self._seen.add(body.roll)
        self._done[Check.NUMBER] += 1
        check_link(body.previous, epoch.last)
        self._done[Check.LINK] += 1
        check_seed(body.seed, body.epoch, body.number - epoch.seed_number, epoch.seed)
        epoch.seed, epoch.seed_number, epoch.last = body.seed, body.number, digest
        self._done[Check.SEED] += 1
        if tells:
            self._roll(body)
        self._kinds[type(body)] += 1

    def _roll(self, body: Receipt | Void) -> None:
        check_tables(body.tables.items())
        self._done[Check.TABLE] += len(body.tables)
        check_faces(body)
        wrong = self._replay(body.content) if self._replay is not None else None
        if wrong is not None:
            raise Wrong(Check.ROLL, wrong)
        self._done[Check.ROLL] += self._replay is not None
        self._done[Check.FACES] += 1

    def _closing(self, body: Closing, digest: str) -> None:
        epoch = self._open()
        self._check_epoch(epoch, body)
        check_link(body.previous, epoch.last)
        if body.used != epoch.number:
            raise Wrong(Check.CLOSING, f"it counts {body.used} numbers, and there are {epoch.number}")
        if body.seed is not None:
            check_seed(body.seed, body.epoch, epoch.body.length - epoch.seed_number, epoch.seed)
        elif epoch.body.chain is Chain.OPEN:
            raise Wrong(Check.CLOSING, "it does not show the last seed")
        else:
            self._unchecked.append(f"the last seed of {epoch.name}: rolls were hidden when it was closed")
        epoch.last = epoch.closing = digest
        self._count(Check.CLOSING, Closing)

    def _head(self, body: Head) -> None:
        epoch = self._now
        if epoch is None or epoch.headed:
            raise Wrong(Check.HEAD, "there is no chain before it that it could be the head of")
        self._check_epoch(epoch, body)
        if body.used != epoch.number or body.head.hex() != epoch.last:
            raise Wrong(
                Check.HEAD, f"the chain ends at number {epoch.number}, its head is number {body.used}"
            )
        if body.view is View.REVEALED:
            if epoch.body.chain is Chain.OPEN:
                raise Wrong(Check.HEAD, "nothing is hidden in an open chain")
            self._unchecked.append(f"hidden rolls that may follow behind number {body.used} of {epoch.name}")
        epoch.headed = True
        self._count(Check.HEAD, Head)

    def _open(self) -> _Epoch:
        """The epoch that is going on."""
        if self._now is None or self._now.closing is not None or self._now.headed:
            raise Wrong(Check.COMMITMENT, "no epoch was committed to that this could belong to")
        return self._now

    def _next(self, epoch: _Epoch, number: int) -> None:
        if number != epoch.number + 1 or number > epoch.body.length:
            raise Wrong(Check.NUMBER, f"number {number} comes after number {epoch.number}")
        epoch.number = number

    def _check_epoch(self, epoch: _Epoch, body: Body) -> None:
        if body.epoch != epoch.body.epoch:
            raise Wrong(Check.COMMITMENT, "it belongs to another epoch than the commitment before it")

    def _check_headed(self) -> None:
        if self._now is not None and not self._now.headed:
            raise Wrong(Check.HEAD, f"the head of {self._now.name} is missing: something was cut off")

    def _count(self, check: Check, kind: type) -> None:
        self._done[check] += 1
        self._kinds[kind] += 1
