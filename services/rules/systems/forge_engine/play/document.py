"""Fights as documents: written without the content that they are played by, and read beside it."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.codec import Codec, CodecError
from services.rules.engine.problem import KeyPath
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.play.effects import rules
from services.rules.systems.forge_engine.play.state import Fight


class FightCodec(Codec[Fight]):
    """Reads and writes fights that are played by some content.

    Args:
        catalog: The content. A fight that names other content is not read: it was written beside a pack
            that this content lacks.
    """

    def __init__(self, catalog: Catalog) -> None:
        super().__init__(Fight, f"{SLUG}/fight", carries={"catalog": catalog})

    def load(self, document: object) -> Fight:
        """The fight of a document.

        Raises:
            CodecError: It does not fit, or names what the content lacks.
        """
        fight = super().load(document)
        for path, named in _lacking(fight):
            raise CodecError(("data", *path), named, "an id of the content that the fight is played by")
        return fight


def _lacking(fight: Fight) -> Iterator[tuple[KeyPath, str]]:
    """What a fight names that its content lacks, and where.

    Traits and damage types may be of a sheet's own pack: whoever bears them fights by the sheet's figures.
    """
    for place, one in enumerate(fight.combatants):
        for index, weapon in enumerate(one.profile.weapons):
            if weapon.item and weapon.item not in fight.catalog.equipment:
                yield ("combatants", place, "profile", "weapons", index, "item"), weapon.item
    for place, effect in enumerate(fight.effects):
        if effect.kind not in rules(fight.catalog):
            yield ("effects", place, "kind"), effect.kind
