"""Packs of a table's own content: what is asked for, how much of it, and what may be wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from services.character.building.builds import MAX_ISSUES, document_issues, issue, line_issues
from services.character.packs.models import PackRow
from services.rules.engine.packs import PackKind, PackReport
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import camel, clipped, prose_issues, unwritable

MAX_NAME = 120
MAX_DESCRIPTION = 2000
MAX_BYTES = 256 * 1024
MAX_OWN = 100
MAX_PACKS = 8
KEPT_UNUSED = 20
"""So many of the newest versions are kept even if no character was built under them."""

KEEP: Literal["keep"] = "keep"

TOO_LARGE = f"What a pack holds fits into {MAX_BYTES:,} bytes, everything left out written out."


@dataclass(frozen=True, slots=True)
class PackContent:
    """What a pack holds.

    Attributes:
        system: slug of the game system.
        pack: the system's own pack.
    """

    system: str
    pack: Any


@dataclass(frozen=True, slots=True)
class PackVersion:
    """A version of a kept pack.

    Attributes:
        id: of the pack.
        version: which one.
        system: slug of its game system.
    """

    id: str
    version: int
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPack:
    """A pack to be kept.

    Attributes:
        content: what it holds.
        name: what people call it, 1 to 120 characters on one line.
        description: what it is about, up to 2,000 characters.
        campaign: id of the campaign that it is shared with; None keeps it to oneself.
        key: the caller's idempotency key.
    """

    content: PackContent
    name: str
    description: str = ""
    campaign: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackEdit:
    """What to change about a pack; None stays as it is.

    Attributes:
        content: what it holds, as a whole.
        name: what people call it.
        description: what it is about.
        campaign: the campaign to share it with; None takes it away from its table.
    """

    content: PackContent | None = None
    name: str | None = None
    description: str | None = None
    campaign: str | Literal["keep"] | None = KEEP


@dataclass(frozen=True, slots=True)
class SoundPack:
    """A pack that breaks no rule.

    Attributes:
        document: what is kept of it.
        report: what there is to say about it.
    """

    document: dict[str, Any]
    report: PackReport


def readable(content: PackContent, kind: PackKind[Any, Any]) -> dict[str, Any] | InvalidInput:
    """Write the document of a pack that is sent, or tell why it can go no further.

    Args:
        content: what it is to hold.
        kind: of its game's packs.
    """
    document: dict[str, Any] = kind.codec.dump(content.pack)
    base = ["pack", camel(content.system)]
    issues = list(document_issues(document["data"], MAX_BYTES, TOO_LARGE, base))
    return InvalidInput.of(issues[:MAX_ISSUES]) if issues else document


def inspected(system: AnySystem, document: Mapping[str, Any]) -> PackReport | InvalidInput:
    """Look at a pack; every rule that it breaks beside the book is named at once.

    Args:
        system: a game that takes packs.
        document: of the pack.

    Raises:
        CodecError: the game cannot read it.
    """
    kind = system.packs
    assert kind is not None
    found = kind.check(kind.codec.load(document), system.content)
    if isinstance(found, Problems):
        base = ["pack", camel(system.slug)]
        return InvalidInput.of([issue(problem, base) for problem in found.items[:MAX_ISSUES]])
    assert isinstance(found, PackReport)
    return found


def choice_issues(system: str, ids: Sequence[str], seen: Mapping[str, PackRow]) -> Iterator[Issue]:
    """Find what is wrong with the packs that a character is to be built under.

    Args:
        system: slug of its game system.
        ids: of the packs, in order.
        seen: those of them that the builder may see.
    """
    if len(ids) > MAX_PACKS:
        message = f"A character is built under {MAX_PACKS} packs at most."
        found, allowed = str(len(ids)), f"0..{MAX_PACKS}"
        yield Issue(code="TOO_MANY", message=message, path=["packs"], found=found, allowed=allowed)
        return
    for place, pack in enumerate(ids):
        path = ["packs", str(place)]
        if pack not in seen:
            message = "There is no such pack, or you may not see it."
            yield Issue(code="PACK_UNKNOWN", message=message, path=path, found=clipped(pack))
        elif seen[pack].system != system:
            message = "The pack is one of another game."
            found, allowed = seen[pack].system, clipped(system)
            yield Issue(code="SYSTEM_FIXED", message=message, path=path, found=found, allowed=allowed)
        elif pack in ids[:place]:
            message = "A pack is taken once."
            yield Issue(code="PACK_TWICE", message=message, path=path, found=pack)


def text_issues(name: str | None, description: str | None) -> Iterator[Issue]:
    """Find what is wrong with the texts about a pack."""
    bounds = (("name", name, 1, MAX_NAME), ("description", description, 0, MAX_DESCRIPTION))
    for field, text, least, most in bounds:
        if text is None:
            continue
        yield from prose_issues(text, field) if field == "description" else unwritable(text, [field])
        if not least <= len(text.strip()) or len(text) > most:
            message = f"It must have {least} to {most:,} characters."
            allowed = f"{least}..{most}"
            yield Issue(code="LENGTH", message=message, path=[field], found=str(len(text)), allowed=allowed)
    if name is not None:
        yield from line_issues(name, ["name"])


def too_many() -> InvalidInput:
    """Refuse one more pack of an account."""
    message = f"An account keeps {MAX_OWN} packs at most; delete one."
    return InvalidInput.single("TOO_MANY", message, "pack", found=str(MAX_OWN), allowed=f"0..{MAX_OWN - 1}")
