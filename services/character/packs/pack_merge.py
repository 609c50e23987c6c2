"""An edit of a pack from a version that was replaced: fields that nobody else has changed merge."""

from typing import Any

from services.character.packs.models import PackRow
from services.character.packs.requests import KEEP, UpdateContentPack
from services.rules.engine.forms import published
from services.rules.engine.packs import PackKind
from services.shared.merging import Missing, merge_documents, merge_fields, note_fields
from services.shared.problems import MAX_DIFFERING, DifferingField, VersionConflict
from services.shared.wording import camel

PACK = "pack"
EDITED = ("name", "description", "campaignId", PACK)
"""The fields of a pack that an edit changes, as requests call them; what it holds is one."""


def merge_pack(
    row: PackRow,
    asked: UpdateContentPack,
    held: dict[str, Any],
    sent: dict[str, Any] | None,
    kind: PackKind[Any, Any] | None,
) -> bool:
    """Check what an edit changes against what was changed since, and write down which fields it changes.

    Args:
        row: the pack, held.
        asked: the edit.
        held: the document of what the pack holds.
        sent: that of what the edit asks it to hold; None where that stays.
        kind: of the game's packs; None where the game is not installed any more.

    Returns:
        Whether there is anything left to do: not where others have made the same edit since.

    Raises:
        VersionConflict: others have changed the same since; of what the pack holds, the members differ that
            are told.
    """
    theirs = {
        "name": row.name,
        "description": row.description,
        "campaignId": row.campaign,
        PACK: held["data"],
    }
    yours: dict[str, Any] = {
        name: value
        for name, value in (("name", asked.name), ("description", asked.description))
        if value is not None
    }
    if asked.campaign_id is not KEEP:
        yours["campaignId"] = asked.campaign_id
    if sent is not None:
        yours[PACK] = sent["data"]
    try:
        changed = merge_fields(row, asked.version, yours, theirs)
    except VersionConflict as conflict:
        conflict.differing = [part for one in conflict.differing for part in _members(one, row.system, kind)][
            :MAX_DIFFERING
        ]
        raise
    note_fields(row, EDITED, changed)
    return bool(changed) or asked.version == row.version


def _members(
    field: DifferingField, system: str, kind: PackKind[Any, Any] | None
) -> tuple[DifferingField, ...]:
    """Return what differs in what a pack holds, member by member; any other field as it is."""
    if field.path != [PACK] or kind is None:
        return (field,)
    yours, theirs = (published(kind.codec.type, value) for value in (field.yours, field.theirs))
    return merge_documents(Missing.NOT_KEPT, yours, theirs, (PACK, camel(system))).differing
