"""What lasts on Smiths and Heroines (`content/effects.toml`): how it begins, and what it adds and forbids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.rules.engine.effects import Duration, Effect, Until, forbidden, parts
from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import RuleProblem
from services.rules.engine.wording import listed
from services.rules.systems.forgeborn.catalog import Catalog, EffectKind
from services.rules.systems.forgeborn.play.state import Artifact, Game, Heroine, Smith

VERBS = {
    "Journey": "journey",
    "FaceDragon": "face_dragon",
    "ExploreRuins": "explore_ruins",
    "AssistVillage": "assist_village",
    "BeseechPrince": "beseech_prince",
    "TakeFavour": "take_favour",
    "BeTested": "be_tested",
    "CreateArtifact": "create_artifact",
    "Recruit": "recruit",
    "AskVault": "ask_vault",
    "CollectGrant": "collect_grant",
    "Commune": "commune",
    "Give": "give",
    "Take": "take",
}
"""What effects forbid, by the kinds of move that do it; whoever is kept from everything may still pass."""


def swayed(smith: str, turn: int) -> Effect:
    """The Prince's side taken with a Smith, on the turn of this number (F21)."""
    return Effect(id=f"swayed:{smith}", kind=EffectKind.SWAYED, bearer=smith, since=turn)


def granted(smith: str, artifact: str) -> Effect:
    """The Prince's grant on an Artifact, until it leaves the Vault (F23, P20)."""
    lasts = Duration(Until.USED)
    name = f"granted:{smith}:{artifact}"
    return Effect(id=name, kind=EffectKind.GRANTED, bearer=smith, lasts=lasts, about=artifact)


def lasting(game: Game) -> tuple[Effect, ...]:
    """Everything that lasts, by its bearers in the order of their seats, Heroines behind the Smiths."""
    found: list[Effect] = []
    for smith in game.smiths:
        found += smith.effects
    for heroine in game.heroines:
        found += heroine.effects
    return tuple(found)


def kept_from(game: Game, who: str, kind: str, catalog: Catalog) -> RuleProblem | None:
    """Why what lasts on a Smith or Heroine keeps her from a kind of move; None where nothing does."""
    one, verb = game.find(who), VERBS.get(kind)
    if one is None or verb is None or not one.effects:
        return None
    return forbidden(one.effects, catalog.effects.entries, who, verb, one.name)


def against(one: Smith | Heroine, power: int, catalog: Catalog) -> Explained:
    """The dice that stand against a Smith or Heroine in a Conflict with so much Power (D6)."""
    more = parts(one.effects, catalog.effects.entries, one.id, "opposition")
    dice = Explained.of(Part(power, "Power", "Conflict Rolls"), *more)
    return dice.at_least(0, "no fewer than none", "Conflict Rolls") if more else dice


def conditions(artifacts: Iterable[Artifact], one: Smith | Heroine, catalog: Catalog) -> Iterator[str]:
    """What lasts on a Smith or Heroine in words, with the Artifacts that it concerns."""
    if not one.effects:
        return
    called = {artifact.id: artifact.name for artifact in artifacts}
    for kind in dict.fromkeys(effect.kind for effect in one.effects):
        names = listed(
            [called[each.about] for each in one.effects if each.kind == kind and each.about in called]
        )
        yield f"{catalog.effects[kind].name} {names}".strip()
