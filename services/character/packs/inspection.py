"""What may be wrong with a pack of a table's own content, and with the packs chosen for a character."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from services.character.building.builds import MAX_ISSUES, broken_rules, document_issues
from services.character.packs.models import PackRow
from services.character.packs.requests import MAX_PACKS, PackContent
from services.rules.engine.packs import PackKind, PackReport
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import camel, clipped

MAX_BYTES = 256 * 1024

TOO_LARGE = f"What a pack holds fits into {MAX_BYTES:,} bytes, everything left out written out."


@dataclass(frozen=True, slots=True)
class SoundPack:
    """A pack that breaks no rule.

    Attributes:
        document: what is kept of it.
        report: what there is to say about it.
    """

    document: dict[str, Any]
    report: PackReport


def document_of(content: PackContent, kind: PackKind[Any, Any]) -> dict[str, Any]:
    """Write the document of a pack that is sent.

    Args:
        content: what it is to hold.
        kind: of its game's packs.

    Raises:
        InvalidInput: it is too large, or holds what cannot be written.
    """
    document: dict[str, Any] = kind.codec.dump(content.pack)
    base = ["pack", camel(content.system)]
    InvalidInput.check(*islice(document_issues(document["data"], MAX_BYTES, TOO_LARGE, base), MAX_ISSUES))
    return document


def inspected(system: AnySystem, document: Mapping[str, Any]) -> PackReport:
    """Look at a pack beside the book.

    Args:
        system: a game that takes packs.
        document: of the pack.

    Raises:
        CodecError: the game cannot read it.
        InvalidInput: it breaks rules; each is named.
    """
    kind = system.packs
    assert kind is not None
    found = kind.check(kind.codec.load(document), system.content)
    if isinstance(found, Problems):
        raise broken_rules(found, ["pack", camel(system.slug)])
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
