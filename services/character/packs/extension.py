"""Putting a pack of a table's own content into a game."""

from services.character.building.builds import broken_rules
from services.rules.engine.codec import CodecError
from services.rules.engine.editions import with_pack
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput
from services.shared.wording import clipped


def extended(system: AnySystem, document: object, path: list[str]) -> tuple[AnySystem, int]:
    """Return a system with one more pack in its content, and how many entries that adds.

    Args:
        system: the game, other packs in it.
        document: of the pack; None where it is not there.
        path: where the request names the pack.

    Raises:
        InvalidInput: the game cannot read the pack, or it breaks rules beside what is in the game.
    """
    if system.packs is None or document is None:
        raise InvalidInput.single("PACK_UNUSABLE", "The game cannot read this pack any more.", *path)
    try:
        made = with_pack(system, document)
    except CodecError as error:
        message = "The game cannot read this pack any more; its owner can write it anew."
        found = clipped(str(error))
        raise InvalidInput.single("PACK_UNUSABLE", message, *path, found=found) from error
    if isinstance(made, Problems):
        raise broken_rules(made, path)
    extended_by, report = made
    return extended_by, len(report.adds)
