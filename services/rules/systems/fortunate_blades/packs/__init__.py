"""Packs of a table's own content.

    entries      what a pack is made of
    shelves      its entries on the shelves of the content, or in their place
    check        everything that is wrong with it, and what there is to know about it

A pack adds to the lists that come with the game, or takes their place (`replaces`). What a table plays with
must have the fewest entries of each list that a group can play with (J9); what is short is named.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.packs import PackKind
from services.rules.systems.fortunate_blades.catalog import SLUG, Catalog
from services.rules.systems.fortunate_blades.packs.check import check
from services.rules.systems.fortunate_blades.packs.entries import ContentPack, HouseRules, ListName
from services.rules.systems.fortunate_blades.packs.shelves import extend

CODEC = Codec(ContentPack, f"{SLUG}/pack")

PACKS: PackKind[ContentPack, Catalog] = PackKind(codec=CODEC, check=check, extend=extend)

__all__ = ["CODEC", "PACKS", "ContentPack", "HouseRules", "ListName"]
