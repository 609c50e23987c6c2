"""The toy's feud with what it has not: dice of its own."""

from dataclasses import replace
from typing import Any

from services.rules.engine.campaign import with_campaigns
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import GM, Roll
from services.rules.engine.system import AnySystem
from tests.campaign.scene_desk import DUEL

FEUD = "duel_campaign"
FeudPlay: Any = type(DUEL.campaign)


class RolledFeud(FeudPlay):  # type: ignore[misc]
    """A feud in which one die falls before a rival is provoked."""

    def rule(self, turn: Any, move: Any) -> Any:
        if type(move).__name__ == "Provoke":
            dice = Explained.of(Part(1, "A rival", "Feuds"))
            yield from turn.roll(Roll(id="rival", actor=GM, label="A rival", dice=dice))
        yield from FeudPlay.rule(turn, move)


def with_feud(play: Any) -> dict[str, AnySystem]:
    """The toy with a feud of another kind."""
    return with_campaigns({"duel": replace(DUEL, campaign=play)})  # type: ignore[type-var]
