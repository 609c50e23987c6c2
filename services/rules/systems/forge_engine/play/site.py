"""Fights on stored maps: ground and fog as they are, in feet; who stands there stands there in the fight."""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.ground.measure import FEET
from services.rules.engine.map_now import GroundNow
from services.rules.engine.problem import Problems
from services.rules.engine.site import Site, SiteToken
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.play.setup import Field, Foes, HeroStart, Setup
from services.rules.systems.forge_engine.play.state import Fight


def laid_out(setup: Setup, site: Site, catalog: Catalog) -> Setup | Problems:
    """The setup with a map as its place; squares of the setup's own place mean nothing on it.

    A character starts where its token stands. Adversaries of the setup stand where tokens of their block do,
    and each further token that names a block is one more.
    """
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
        setup, field=field, foes=_foes(setup, site, catalog), heroes=_heroes(setup, site), site=site
    )


def _heroes(setup: Setup, site: Site) -> tuple[HeroStart, ...]:
    stands = {token.character: token.at.at for token in site.standing if token.character}
    named = tuple(replace(start, at=stands.pop(start.character, None)) for start in setup.heroes)
    return (*named, *(HeroStart(character=hero, at=at) for hero, at in stands.items()))


def _foes(setup: Setup, site: Site, catalog: Catalog) -> tuple[Foes, ...]:
    tokens = [token for token in site.standing if token.creature in catalog.adversaries]
    placed: list[Foes] = []
    for group in setup.foes:
        own = [token for token in tokens if token.creature == group.adversary][: max(group.count, 0)]
        tokens = [token for token in tokens if token not in own]
        placed.append(replace(group, at=tuple(token.at.at for token in own)))
    return (*placed, *(_foe(token) for token in tokens))


def _foe(token: SiteToken) -> Foes:
    return Foes(adversary=token.creature, name=token.name, at=(token.at.at,), hidden=token.hidden)


def ground_now(fight: Fight) -> GroundNow | None:
    """The grid as it is now; None where distances are stated."""
    return None if fight.ground is None else GroundNow(ground=fight.ground, explored=fight.explored)
