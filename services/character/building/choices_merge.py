"""An edit of a character from a version that was replaced: choices that nobody else has changed merge.

The history keeps what a character was in each version, so that three sets of choices are compared: what the
edit was made from, what it asks for, and what stands there now.
"""

from dataclasses import dataclass
from typing import Any

from services.character.building.builds import Built
from services.character.building.models import CharacterRow
from services.character.building.requests import UpdateCharacter
from services.character.history.models import CharacterVersionRow
from services.character.packs.editions import Edition
from services.rules.engine.codec import Codec, CodecError
from services.rules.engine.forms import published
from services.shared.merging import Merged, Missing, merge_documents
from services.shared.problems import DifferingField, InvalidInput, VersionConflict
from services.shared.wording import camel


@dataclass(frozen=True, slots=True)
class ChoicesMerge:
    """An edit from an older version beside what stands there now.

    Attributes:
        asked: the edit.
        row: the character, held.
        base: what it was in the version that the edit names; None where that is not kept any more.
        edition: the game that it is to be built by.
    """

    asked: UpdateCharacter
    row: CharacterRow
    base: CharacterVersionRow | None
    edition: Edition

    def choices(self) -> Any:
        """Return the choices with what both have changed.

        Raises:
            VersionConflict: both have changed the same.
        """
        codec = self._codec
        try:
            theirs = _data(codec, self.row.choices)
            merged = merge_documents(self._base(), codec.dump(self.asked.build.choices)["data"], theirs)
            if not merged.differing:
                return codec.load({"type": codec.name, "version": codec.version, "data": merged.document})
        except CodecError as error:
            raise self._conflict(()) from error
        raise self._conflict(self._compared().differing)

    def is_made(self, choices: Any) -> bool:
        """Tell whether merged choices are what stands there: others have made the same edit since."""
        packs = [pack.id for pack in self.edition.packs]
        codec = self._codec
        return packs == pack_ids(self.row) and codec.load(self.row.choices) == choices

    def build(self, choices: Any) -> Built:
        """Build the character by merged choices.

        Raises:
            InvalidInput: the edit breaks rules even without the others' changes.
            VersionConflict: only both together break rules.
        """
        try:
            return self.edition.build(choices)
        except InvalidInput as refused:
            self.edition.build(self.asked.build.choices)
            raise self._conflict(self._compared(independent=False).differing) from refused

    @property
    def _codec(self) -> Codec[Any]:
        return self.edition.system.choices_codec

    def _base(self) -> Any:
        if self.base is None:
            return Missing.NOT_KEPT
        try:
            return _data(self._codec, self.base.choices)
        except CodecError:
            return Missing.NOT_KEPT

    def _compared(self, *, independent: bool = True) -> Merged:
        """Compare the three in the spelling of the API."""
        codec = self._codec
        base, theirs = self._base(), _data(codec, self.row.choices)
        yours = codec.dump(self.asked.build.choices)["data"]
        return merge_documents(
            base if base is Missing.NOT_KEPT else published(codec.type, base),
            published(codec.type, yours),
            published(codec.type, theirs),
            ("build", camel(self.edition.system.slug)),
            independent=independent,
        )

    def _conflict(self, differing: tuple[DifferingField, ...]) -> VersionConflict:
        return VersionConflict(self.asked.version, self.row.version, ("version",), differing)


def merged_packs(asked: UpdateCharacter, row: CharacterRow, base: CharacterVersionRow | None) -> list[str]:
    """Return the ids of the packs that a character is to be built under by an edit that names some.

    Args:
        asked: the edit, from the version of the row or an older one.
        row: the character.
        base: what it was in the version that the edit names; None where that is not kept any more.

    Raises:
        VersionConflict: others have changed the packs since.
    """
    yours, theirs = list(asked.packs or ()), pack_ids(row)
    merged = merge_documents(Missing.NOT_KEPT if base is None else pack_ids(base), yours, theirs, ("packs",))
    if merged.differing:
        raise VersionConflict(asked.version, row.version, ("version",), merged.differing)
    packs: list[str] = merged.document
    return packs


def pack_ids(row: CharacterRow | CharacterVersionRow) -> list[str]:
    """Return the ids of the packs that a character is or was built under, in order."""
    return [pack["id"] for pack in row.packs]


def _data(codec: Codec[Any], document: dict[str, Any]) -> Any:
    """Return choices as they would be written today.

    Raises:
        CodecError: the game cannot read them any more.
    """
    return codec.dump(codec.load(document))["data"]
