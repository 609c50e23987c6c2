"""Exports of verifiable rolls as tests write them: honest ones, and those of whoever cheats.

An ``Export`` is a list of bodies, each a plain dictionary, that is linked, hashed and signed only when it is
written. So a test can change what it likes and have it signed anew, as a dishonest server could; or change
the written lines, as anybody else could.
"""

import hashlib
import hmac
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.rules.dice.vr1 import (
    Link,
    Seeds,
    Statement,
    Table,
    VerifySignature,
    Vr1Bytes,
    canonical,
    key_id,
    redraw,
)

VERIFY = Path(__file__).resolve().parents[2] / "infra" / "verify"
PLACE = "cmp_01jd8x6m3v5q7r9t0w2y4z6a8c"
AT = "2026-05-01T20:00:00.000Z"
LENGTH = 6
BOON = (("boon", 1), ("", 0), ("bane", -1))


def noise(*parts: object, size: int = 32) -> bytes:
    """Give bytes that look random and are the same in every run."""
    return hashlib.shake_256(repr(parts).encode()).digest(size)


@dataclass(frozen=True)
class Key:
    """A signing key.

    Attributes:
        private: the key.
        name: its id.
        public: its public part in hexadecimal.
    """

    private: Ed25519PrivateKey
    name: str
    public: str

    @classmethod
    def of(cls, seed: str) -> "Key":
        """Make the key of a seed."""
        private = Ed25519PrivateKey.from_private_bytes(noise("key", seed))
        public = private.public_key().public_bytes_raw()
        return cls(private, key_id(public), public.hex())

    def line(self) -> str:
        """Publish it."""
        return canonical(
            {"algorithm": "Ed25519", "key": self.name, "public": self.public, "made": AT, "retired": None}
        )

    def statement(self, body: dict[str, Any]) -> Statement:
        """Sign a body."""
        text = canonical(body)
        digest = hashlib.sha256(b"VR1-statement" + text.encode()).digest()
        return Statement(text, digest.hex(), self.name, self.private.sign(b"VR1-sign" + digest).hex())


SERVER = Key.of("server")
STRANGER = Key.of("stranger")


def verifier(*keys: Key) -> VerifySignature:
    """Make the check of signatures by these keys."""
    known = {key.name: key.private.public_key() for key in keys}

    def verify(name: str, message: bytes, signature: bytes) -> bool:
        try:
            known[name].verify(signature, message)
        except (KeyError, InvalidSignature):
            return False
        return True

    return verify


@dataclass
class Export:
    """An export of one chain, as bodies in order.

    Attributes:
        chain: "open" or "secret".
        bodies: without links; "hidden" in one has it written as a link.
    """

    chain: str = "open"
    length: int = LENGTH
    bodies: list[dict[str, Any]] = field(default_factory=list)
    seeds: Seeds | None = None
    ordinal: int = 0
    number: int = 0

    def begin(self) -> "Export":
        """Commit to the next epoch."""
        self.ordinal += 1
        self.number = 0
        self.epoch = noise("epoch", self.chain, self.ordinal, size=16)
        self.seeds = Seeds(noise("last", self.chain, self.ordinal), self.epoch, self.length)
        self._add(
            "commitment",
            scheme="VR1",
            place=PLACE,
            chain=self.chain,
            ordinal=self.ordinal,
            anchor=self.seeds[0].hex(),
            length=self.length,
        )
        return self

    def roll(
        self, *dice: int, client: bytes | None = None, hidden: bool = False, tables: bool = False
    ) -> "Export":
        """Roll dice."""
        drawn = self._drawn(client)
        faces = redraw(
            dice,
            Vr1Bytes(
                bytes.fromhex(drawn["seed"]), self.epoch, self.number, bytes.fromhex(drawn["client"])
            ).read,
        )
        table = Table.of(BOON)
        self._add(
            "receipt",
            **drawn,
            roll=f"rol_{self.chain}_{self.ordinal}_{self.number}",
            expression=" + ".join(f"1d{sides}" for sides in dice) or "0",
            dice=list(dice),
            faces=list(faces),
            tables={"boon": {"faces": BOON, "sha256": table.sha256.hex()}} if tables else {},
            total=sum(faces),
            hidden=hidden,
        )
        return self

    def void(self) -> "Export":
        """Use a number up without a roll."""
        self._add("void", **self._drawn(None), reason="TOO_MANY_DICE")
        return self

    def close(self, *, seed: bool = True) -> "Export":
        """Close the epoch."""
        assert self.seeds is not None
        self._add("closing", used=self.number, seed=self.seeds[self.length].hex() if seed else None)
        return self

    def head(self, view: str = "whole") -> "Export":
        """Say where the chain ends."""
        self._add("head", used=self.number, view=view)
        return self

    def lines(self, key: Key = SERVER) -> list[str]:
        """Link, hash and sign everything, and write it behind the key."""
        written = [key.line()]
        last: str | None = None
        for body in self.bodies:
            own = {name: value for name, value in body.items() if name != "hidden"}
            if body["kind"] == "head":
                statement = key.statement({"head": last, **own})
            else:
                statement = key.statement({"previous": last, **own})
                last = statement.hash
            line: Statement | Link = statement
            if body.get("hidden"):
                line = statement.link(body["number"])
            written.append(line.line())
        return written

    def changed(self, change: Callable[[list[dict[str, Any]]], None]) -> list[str]:
        """Change the bodies and have the server sign what came of it."""
        change(self.bodies)
        return self.lines()

    def _drawn(self, client: bytes | None) -> dict[str, Any]:
        assert self.seeds is not None
        self.number += 1
        sent = noise("client", self.ordinal, self.number, size=16) if client is None else client
        return {
            "number": self.number,
            "client": sent.hex(),
            "entropy": "client",
            "seed": self.seeds[self.number].hex(),
        }

    def _add(self, kind: str, **members: Any) -> None:
        self.bodies.append({"kind": kind, "epoch": self.epoch.hex(), "at": AT, **members})


def evening() -> Export:
    """Two epochs of an open chain: 1d20, a void, custom dice, large dice, none; closed; two rolls more."""
    export = Export().begin().roll(20).void().roll(3, 3, tables=True).roll(1000, 6, 100).roll().close()
    return export.begin().roll(*[10] * 10).roll(6, 6, 6, 6, client=noise("long", size=64)).head()


def secrets(view: str = "revealed") -> Export:
    """A secret chain of which numbers 2 and 4 are revealed."""
    export = Export("secret").begin().roll(20, hidden=True).roll(20).roll(6, hidden=True).roll(12)
    return export.head(view)


def faces_of(body: dict[str, Any]) -> list[int]:
    """Draw faces by the letter of the scheme, sharing nothing with the library."""
    client = bytes.fromhex(body["client"])
    prefix = b"VR1-roll" + bytes.fromhex(body["epoch"]) + body["number"].to_bytes(8, "big")
    prefix += len(client).to_bytes(2, "big") + client
    blocks = (len(body["dice"]) + 8) * 4 // 8
    data = b"".join(
        hmac.new(bytes.fromhex(body["seed"]), prefix + j.to_bytes(4, "big"), "sha256").digest()
        for j in range(blocks)
    )
    faces, place = [], 0
    for sides in body["dice"]:
        while True:
            width = 1 if sides <= 256 else 4
            value = int.from_bytes(data[place : place + width], "big")
            place += width
            if value < 256**width - 256**width % sides:
                faces.append(value % sides + 1)
                break
    return faces


def load_verify() -> ModuleType:
    """Load ``infra/verify`` as a module."""
    loader = SourceFileLoader("infra_verify", str(VERIFY))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def swap(items: list[Any], one: int, other: int) -> None:
    """Exchange two items of a list."""
    items[one], items[other] = items[other], items[one]


def write(path: Path, lines: Sequence[str]) -> Path:
    """Write an export to a file."""
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path
