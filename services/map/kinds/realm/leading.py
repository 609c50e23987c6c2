"""How a game leads its realm: the map is the realm of the scene, with Smiths and Heroines on it."""

from __future__ import annotations

from dataclasses import replace

from services.map.kind import Leading, Piece
from services.map.kinds.realm.model import RealmMap
from services.map.kinds.realm.render.layout import beside
from services.map.play.state import Spot
from services.rules.systems.forgeborn.site import REALM_SITE_CODEC, RealmSite


def follow(model: RealmMap, site: RealmSite) -> RealmMap:
    """The map with the realm of a scene.

    Raises:
        ValueError: The scene's realm is on another sheet.
    """
    if model.realm.sheet != site.realm.sheet:
        raise ValueError("this is no realm on the sheet of this map")
    return replace(model, realm=site.realm)


def pieces(model: RealmMap, site: RealmSite) -> tuple[Piece, ...]:
    """The pieces of a scene beside their places; one at a place that the realm has not is left out."""
    known = {place.id for place in model.realm.places}
    standing = [piece for piece in site.pieces if piece.place in known]
    if not standing:
        return ()
    spots = beside(model, [piece.place for piece in standing])
    return tuple(
        Piece(id=piece.id, name=piece.name, color=piece.color, at=Spot(*spot))
        for piece, spot in zip(standing, spots, strict=True)
    )


LEADING: Leading[RealmMap, RealmSite] = Leading(codec=REALM_SITE_CODEC, follow=follow, pieces=pieces)
