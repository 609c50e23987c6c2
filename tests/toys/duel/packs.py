"""A table's own oaths: packs of Duel. The game itself knows none.

An oath adds Nerve and costs twice as many tears, or whatever the pack says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from services.rules.engine.codec import Codec
from services.rules.engine.content import content_id
from services.rules.engine.packs import FindingKind, PackFinding, PackKind, PackReport
from services.rules.engine.problem import Problems, RuleProblem

from .catalog import DuelContent, DuelOath


@dataclass(frozen=True, slots=True, kw_only=True)
class OathEntry:
    """An oath of a pack; `against` is the id of another, of the content or of the same pack."""

    key: str
    name: str
    nerve: int
    tears: int | None = None
    against: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OathPack:
    """Oaths to swear."""

    oaths: tuple[OathEntry, ...] = ()


def check(pack: OathPack, content: DuelContent) -> PackReport | Problems:
    """Every rule that a pack breaks, or what there is to say about it."""
    wrong = tuple(_wrong(pack, content))
    if wrong:
        return Problems(wrong)
    return PackReport(adds=tuple(_id(oath) for oath in pack.oaths), findings=tuple(_findings(pack)))


def extend(content: DuelContent, pack: OathPack) -> DuelContent:
    """The content with a pack's oaths in it."""
    new = {
        _id(oath): DuelOath(id=_id(oath), name=oath.name, nerve=oath.nerve, tears=_tears(oath))
        for oath in pack.oaths
    }
    entries = MappingProxyType({**content.oaths.entries, **new})
    return replace(content, oaths=replace(content.oaths, entries=entries))


def _wrong(pack: OathPack, content: DuelContent) -> Iterator[RuleProblem]:
    known = set(content.oaths.ids) | {_id(oath) for oath in pack.oaths}
    for place, oath in enumerate(pack.oaths):
        path = ("oaths", place)
        earlier = {_id(other) for other in pack.oaths[:place]}
        if _id(oath) in content.oaths or _id(oath) in earlier:
            yield RuleProblem(
                "oath_taken", "There is an oath of this key.", "Oaths", (*path, "key"), oath.key
            )
        if oath.nerve < 1:
            yield RuleProblem("oath_empty", "An oath gives Nerve.", "Oaths", (*path, "nerve"), oath.nerve, 1)
        if oath.against and oath.against not in known:
            yield RuleProblem(
                "oath_unknown", "There is no such oath.", "Oaths", (*path, "against"), oath.against
            )


def _findings(pack: OathPack) -> Iterator[PackFinding]:
    for place, oath in enumerate(pack.oaths):
        if _tears(oath) != 2 * oath.nerve:
            yield PackFinding(
                kind=FindingKind.DIFFERENCE,
                code="tears_differ",
                message="An oath costs two tears for each Nerve.",
                rule="Oaths",
                path=("oaths", place, "tears"),
                stated=oath.tears,
                computed=2 * oath.nerve,
                working=f"2 x {oath.nerve} Nerve",
            )


def _id(oath: OathEntry) -> str:
    return content_id("duel", "oath", oath.key)


def _tears(oath: OathEntry) -> int:
    return 2 * oath.nerve if oath.tears is None else oath.tears


PACKS = PackKind(codec=Codec(OathPack, "duel/pack"), check=check, extend=extend)
