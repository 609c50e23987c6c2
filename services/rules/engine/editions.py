"""Games with packs of a table's own content in them: characters are built and scenes are played by the same.

An edition is a game whose content was extended by packs, one after another, each checked beside what is
before it. Its scenes are played by that content where the game makes its play from it (`System.plays`).
"""

from __future__ import annotations

from typing import Any, cast

from services.rules.engine.packs import PackReport
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem


def with_pack(system: AnySystem, document: object) -> tuple[AnySystem, PackReport] | Problems:
    """Return a game with one more pack in it, and what there is to say about that; or every rule it breaks.

    Args:
        system: The game, other packs in it. It takes packs.
        document: Of the pack.

    Raises:
        CodecError: The game cannot read the pack.
    """
    kind = system.packs
    assert kind is not None
    pack = kind.codec.load(document)
    report = kind.check(pack, system.content)
    if isinstance(report, Problems):
        return report
    # Whatever takes packs is put together as `System`.
    made = cast(Any, system).with_content(kind.extend(system.content, pack))
    return cast(AnySystem, made), report


def plays_packs(system: AnySystem) -> bool:
    """Whether a game takes packs, and its scenes are played by their content."""
    return system.packs is not None and getattr(system, "plays", None) is not None
