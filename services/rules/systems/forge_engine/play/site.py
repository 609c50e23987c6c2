"""Fights on stored maps: ground and fog as they are, in feet; who stands there moves the map's figures."""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.measure import FEET
from services.rules.engine.problem import Problems
from services.rules.engine.site import Site, SiteToken
from services.rules.systems.forge_engine.play.setup import Field, Setup
from services.rules.systems.forge_engine.play.state import Combatant, Fight


def laid_out(setup: Setup, site: Site) -> Setup | Problems:
    """The setup with a map as its place; squares of the setup's own place mean nothing on it."""
    ground = replace(site.walled_up(), measure=FEET)
    field = Field(
        width=ground.width,
        height=ground.height,
        ground=ground,
        heroes_at=site.heroes,
        foes_at=site.foes,
        explored=site.known if site.fog else None,
    )
    return replace(
        setup,
        field=field,
        foes=tuple(replace(foes, at=()) for foes in setup.foes),
        heroes=tuple(replace(start, at=None) for start in setup.heroes),
        site=site,
    )


def on_map(fight: Fight) -> Site | None:
    """The map with all who stand on it; None where the fight was not set on one."""
    if fight.site is None or fight.ground is None:
        return None
    own = {one.id for one in fight.combatants}
    others = tuple(token for token in fight.site.tokens if token.id not in own and token.character not in own)
    tokens = tuple(_token(one) for one in fight.combatants if one.at is not None and one.gone is None)
    return replace(fight.site, tokens=(*others, *tokens))


def _token(one: Combatant) -> SiteToken:
    assert one.at is not None
    return SiteToken(
        id=one.id,
        name=one.name,
        at=Footprint(one.at, one.size),
        character=one.id if one.character else "",
        hidden=one.secret,
    )
