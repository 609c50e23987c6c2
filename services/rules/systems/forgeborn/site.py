"""A stored realm as a scene is played on it: the map's own document, both ways.

The keeper of the map hands it over so when a game begins there, and takes it so while the game runs: the
realm as it is now, Ruins found and spent and Villages with new problems, and the pieces that stand on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from services.rules.engine.codec import Codec
from services.rules.systems.forgeborn.realm import Realm


class PieceKind(StrEnum):
    """Who a piece stands for."""

    SMITH = "smith"
    HEROINE = "heroine"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A pawn on the realm.

    Attributes:
        id: The actor's id in the scene.
        kind: A Master Smith or a Heroine.
        name: What she is called.
        place: Id of the place where she stands.
        player: Id of the Smith whose player moves her; the Smith's own for a Smith.
        color: Of her player, as "#rrggbb".
    """

    id: str
    kind: PieceKind
    name: str
    place: str
    player: str
    color: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmSite:
    """A realm with what stands on it.

    Attributes:
        title: Name of the realm.
        realm: Places, range, forests and links.
        pieces: Smiths and Heroines; none before a game begins.
        characters: Ids of the characters whose tokens stand on the map before a game begins, each once.
    """

    title: str
    realm: Realm
    pieces: tuple[Piece, ...] = ()
    characters: tuple[str, ...] = ()


REALM_SITE_CODEC: Codec[RealmSite] = Codec(RealmSite, "forgeborn/realm-site")
