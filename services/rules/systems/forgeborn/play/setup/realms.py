"""A game set on a stored realm: the map's document to a setup, and a state back to the map."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.play.ground import drawn, realm_of
from services.rules.systems.forgeborn.play.setup.document import Setup, SpotName, SpotPower
from services.rules.systems.forgeborn.play.state import Game, Ground
from services.rules.systems.forgeborn.realm import Realm
from services.rules.systems.forgeborn.site import Piece, PieceKind, RealmSite


def laid_out(setup: Setup, site: RealmSite) -> Setup | Problems:
    """The setup with a stored realm as its place: its dice, what was explored, its Powers and names.

    The realm must be one that its dice make; a map drawn otherwise cannot be played on.
    """
    realm = site.realm
    bare = Ground(
        title=site.title,
        width=realm.sheet.width,
        height=realm.sheet.height,
        rules=realm.settings,
        dice=realm.dice,
    )
    if not realm.dice or not _as_dropped(bare, realm):
        text = "This realm is not the one that its dice make."
        problem = RuleProblem("realm_not_of_its_dice", text, "C12", ("site", "realm"), len(realm.dice))
        return Problems((problem,))
    dropped = {place.id: place.power for place in drawn(bare).places}
    return replace(
        setup,
        realm_title=site.title.strip() or setup.realm_title,
        width=realm.sheet.width,
        height=realm.sheet.height,
        realm=realm.settings,
        drop=realm.dice,
        spent=tuple(place.id for place in realm.places if place.spent),
        powers=tuple(
            SpotPower(place=place.id, power=place.power)
            for place in realm.places
            if place.power is not None and place.power != dropped[place.id]
        ),
        names=tuple(SpotName(place=place.id, name=place.name) for place in realm.places if place.name),
        on_map=True,
    )


def _as_dropped(bare: Ground, realm: Realm) -> bool:
    """Whether the places and ways of a realm are those of its dice."""
    try:
        found = drawn(bare)
    except ValueError:
        return False
    same = tuple(place.id for place in found.places) == tuple(place.id for place in realm.places)
    return same and found.links == realm.links


def site_of(game: Game) -> RealmSite | None:
    """The realm as it is now, with the pieces on it; none where the game was not set on a stored map."""
    if not game.ground.on_map:
        return None
    return RealmSite(title=game.ground.title, realm=realm_of(game.ground), pieces=pieces(game))


def pieces(game: Game) -> tuple[Piece, ...]:
    """The pawns: Smiths in seat order, then Heroines."""
    colors = {smith.id: smith.color for smith in game.smiths}
    smiths = (
        Piece(
            id=smith.id,
            kind=PieceKind.SMITH,
            name=smith.name,
            place=smith.place,
            player=smith.id,
            color=smith.color,
        )
        for smith in game.smiths
    )
    heroines = (
        Piece(
            id=heroine.id,
            kind=PieceKind.HEROINE,
            name=heroine.name,
            place=heroine.place,
            player=heroine.smith,
            color=colors[heroine.smith],
        )
        for heroine in game.heroines
    )
    return (*smiths, *heroines)
