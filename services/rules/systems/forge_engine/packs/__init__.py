"""Packs of a table's own content: traits, species, skills, magic, equipment, adversaries and house rules.

    entries      what a pack is made of
    shelving     its entries as entries of the catalogue, and the catalogue with them
    checking     everything that is wrong with it; it asks bounds, references, design (and arms_design)
    findings     what only differs from the book's formulas, or is worth a thought (and arms_findings)

`PACKS` is what the system offers; `examples()` are packs that come with the house.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from services.rules.engine.codec import Codec
from services.rules.engine.packs import PackKind
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.packs.check import check
from services.rules.systems.forge_engine.packs.entries import ContentPack
from services.rules.systems.forge_engine.packs.shelves import extend

CODEC = Codec(ContentPack, f"{SLUG}/pack")

_FOLDER = "content/packs"


@cache
def examples() -> Mapping[str, ContentPack]:
    """The packs that come with the house, by the names of their files: the book's own custom content.

    Raises:
        CodecError: A file does not fit.
    """
    folder = files("services.rules.systems.forge_engine").joinpath(_FOLDER)
    found = sorted(
        (item for item in folder.iterdir() if item.name.endswith(".json")), key=lambda item: item.name
    )
    return MappingProxyType(
        {
            item.name.removesuffix(".json"): CODEC.load(json.loads(item.read_text(encoding="utf-8")))
            for item in found
        }
    )


PACKS: PackKind[ContentPack, Catalog] = PackKind(codec=CODEC, check=check, extend=extend, examples=examples())

__all__ = ["CODEC", "PACKS", "ContentPack", "check", "examples", "extend"]
