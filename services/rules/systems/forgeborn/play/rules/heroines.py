"""Heroines (and Heroes): Artifacts from hand to hand (G1 to G3, P28)."""

from __future__ import annotations

from services.rules.engine.steps import refuse
from services.rules.systems.forgeborn.play.facts import ArtifactMoved, Passing
from services.rules.systems.forgeborn.play.moves import Give, Take
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, owner_on_turn
from services.rules.systems.forgeborn.play.state import Game, Heroine, Smith

BOOK = "Heroines (and Heroes)"


def give(turn: GameTurn, move: Give) -> None:
    """A Smith passes an Artifact to any Heroine at her place (G2)."""
    game = turn.state
    smith = handing_smith(game, move.actor)
    held = tuple(one.id for one in game.held_by(smith.id))
    if move.artifact not in held:
        refuse("artifact_not_held", "She does not hold that.", BOOK, ("artifact",), move.artifact, held)
    present = tuple(heroine.id for heroine in game.heroines if heroine.place == smith.place)
    if game.find_smith(move.to) is not None:
        refuse("not_to_smiths", "Artifacts go from a Smith to a Heroine.", "P28", ("to",), move.to, present)
    if move.to not in present:
        refuse("heroine_not_here", "No such Heroine is here.", BOOK, ("to",), move.to, present)
    turn.happen(ArtifactMoved(artifact=move.artifact, holder=move.to, how=Passing.GIVEN))


def take(turn: GameTurn, move: Take) -> None:
    """A Smith takes an Artifact from a Heroine of her own at her place (G2)."""
    game = turn.state
    smith = handing_smith(game, move.actor)
    artifact, path = game.find_artifact(move.artifact), ("artifact",)
    holder = None if artifact is None else game.find(artifact.holder)
    if not isinstance(holder, Heroine):
        theirs = tuple(one.id for hers in game.of(smith.id) for one in game.held_by(hers.id))
        refuse("artifact_not_held", "No Heroine holds that.", BOOK, path, move.artifact, theirs)
    if holder.smith != smith.id:
        text = "She takes from her own Heroines only."
        refuse("not_your_heroine", text, BOOK, path, move.artifact, holder.smith)
    if holder.place != smith.place:
        refuse("heroine_not_here", "They are not at the same place.", BOOK, path, move.artifact, holder.place)
    turn.happen(ArtifactMoved(artifact=move.artifact, holder=smith.id, how=Passing.TAKEN))


def handing_smith(game: Game, who: str) -> Smith:
    """Returns the Smith through whom Artifacts change hands: free, and only in her own turn (P28).

    Raises:
        Refused: It is not her turn, or it is a Heroine.
    """
    smith = game.smith(owner_on_turn(game, who))
    if smith.id != who:
        refuse("smith_only", "Only a Smith gives and takes.", "P28", ("actor",), who, smith.id)
    return smith
