"""A realm as a game is set on it."""

from __future__ import annotations

from services.map.kinds.realm.model import RealmMap
from services.map.play.state import MapState
from services.rules.engine.codec import Json
from services.rules.systems.forgeborn.site import REALM_SITE_CODEC, RealmSite


def site(model: RealmMap, state: MapState) -> dict[str, Json]:
    """The realm as it is now, without pieces: those of one game are not those of the next."""
    characters = dict.fromkeys(token.character for token in state.tokens if token.character)
    return REALM_SITE_CODEC.dump(
        RealmSite(title=model.title, realm=model.realm, characters=tuple(characters))
    )
