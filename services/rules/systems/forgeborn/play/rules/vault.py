"""Take an Artifact from the Vault: the others vote, and who is refused may roll (F13, F14, P18, P19).

Who may react: every other player votes (`ballot`). What the Prince has granted is collected here too (F23).
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button
from services.rules.engine.effects import Triggered
from services.rules.engine.frozen import replace
from services.rules.engine.play import Chance, LegalMove
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask, Refused, Step, Steps, refuse
from services.rules.systems.forgeborn.build import text_problems
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.choices import LONGEST_TEXT
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.effects import against
from services.rules.systems.forgeborn.play.facts import (
    ArtifactMoved,
    Declined,
    Foe,
    Passing,
    VaultAsked,
    VotesCounted,
)
from services.rules.systems.forgeborn.play.moves import AskVault, Claim, CollectGrant, Decline, Move, Vote
from services.rules.systems.forgeborn.play.offers import Pool, Wording, conflict_buttons, uses_of
from services.rules.systems.forgeborn.play.rules.conflict import Attempt, attempt_problems, conflict
from services.rules.systems.forgeborn.play.rules.turns import (
    GameTurn,
    act,
    acting,
    acting_smith,
    catalog_of,
    end_effects,
    end_turn,
    place_of,
)
from services.rules.systems.forgeborn.play.state import VAULT, Artifact, Game, Smith
from services.rules.systems.forgeborn.pools import sides_of
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Take an Artifact from the Vault"
PRINCE = "Beseech the Prince"


def ask(turn: GameTurn, move: AskVault) -> Steps:
    """The others vote; where they refuse, the asker may roll against the Artifact's Power, or leave it."""
    asker_of(turn.state, move.actor)
    artifact = in_vault(turn.state, move.artifact, BOOK)
    about = ("description",)
    wrong = tuple(
        text_problems(move.description, about, longest=LONGEST_TEXT, needed=False, what="A description")
    )
    if wrong:
        raise Refused(Problems(wrong))
    act(turn, move.actor)
    turn.happen(VaultAsked(smith=move.actor, artifact=artifact.id, description=move.description))
    if (yield from ballot(turn, move.actor, artifact)):
        take_out(turn, artifact.id, move.actor, Passing.VOTE)
    else:
        yield from refused(turn, move.actor, artifact)
    end_turn(turn)


def asker_of(game: Game, who: str) -> Smith:
    """Returns the Smith who can ask for what lies in the Vault.

    Raises:
        Refused: It is not hers to act, or she is not at the Citadel.
    """
    smith = acting_smith(game, who)
    place_of(game, smith, BOOK, PlaceKind.CITADEL)
    return smith


def in_vault(game: Game, artifact: str, rule: str) -> Artifact:
    """Returns an Artifact that lies in the Vault.

    Raises:
        Refused: It does not.
    """
    found = game.find_artifact(artifact)
    if found is None or found.holder != VAULT:
        there = tuple(one.id for one in game.held_by(VAULT))
        text = "That does not lie in the Vault."
        refuse("artifact_not_in_vault", text, rule, ("artifact",), artifact, there)
    return found


def take_out(turn: GameTurn, artifact: str, holder: str, how: Passing) -> None:
    """An Artifact leaves the Vault, and every grant on it ends (P20)."""
    turn.happen(ArtifactMoved(artifact=artifact, holder=holder, how=how))
    end_effects(turn, Triggered("", "left_vault", artifact))


# The votes


def ballot(turn: GameTurn, asker: str, artifact: Artifact) -> Step[bool]:
    """Every other player votes, all at once: nobody hears how before all votes are in (P18).

    Returns:
        Whether a strict majority of the others agrees (F13).
    """
    game = turn.state
    others = game.others(asker)
    likely = _anyway(game.smith(asker), game, artifact, catalog_of(turn))
    votes = yield from turn.ask(
        *(_vote(game, other.id, game.smith(asker), artifact, likely) for other in others)
    )
    in_favour = tuple(vote.actor for vote in votes if vote.agree)
    yes, no = len(in_favour), len(others) - len(in_favour)
    granted = yes > no
    turn.happen(
        VotesCounted(
            smith=asker,
            artifact=artifact.id,
            yes=yes,
            no=no,
            granted=granted,
            in_favour=() if game.settings.secret_ballot else in_favour,
        )
    )
    return granted


def _anyway(asker: Smith, game: Game, artifact: Artifact, catalog: Catalog) -> tuple[Chance, ...]:
    """How likely the asker has it by a roll where the others refuse."""
    best = asker.dice.best(game.settings.normal_dice)
    if not best:
        return ()
    chance = chances.win(sides_of(best), against(asker, artifact.power, catalog).value)
    return (Chance("anyway", f"{asker.name} wins it by a roll though refused", chance),)


def _vote(game: Game, voter: str, asker: Smith, artifact: Artifact, likely: tuple[Chance, ...]) -> Ask:
    """The question to one voter; silence is a no."""
    return Ask(
        id=f"vote:{voter}",
        actor=voter,
        question=f"May {asker.name} take {artifact.name} from the Vault?",
        offers=tuple(_votes(voter, asker, artifact, likely)),
        silence=Vote(actor=voter, agree=False),
        seconds=game.settings.answer_seconds or None,
        open_to_gm=game.settings.answers_open_to_gm,
        sealed=game.settings.secret_ballot and not game.settings.answers_open_to_gm,
    )


def _votes(voter: str, asker: Smith, artifact: Artifact, likely: tuple[Chance, ...]) -> Iterator[LegalMove]:
    text = f"Whether {asker.name} may take {artifact.name}; nobody hears it before all have voted."
    for agree, label in ((True, "Agree"), (False, "Refuse")):
        name = f"vote:{'yes' if agree else 'no'}"
        yield replace(button(Vote(actor=voter, agree=agree), name, label, text, BOOK), chances=likely)


# Refused


def refused(turn: GameTurn, asker: str, artifact: Artifact) -> Steps:
    """A Conflict against the Power of the Artifact (F14), or the action used for nothing (P19)."""
    (answer,) = yield from turn.ask(_roll_or_leave(turn.state, catalog_of(turn), asker, artifact))
    if isinstance(answer, Decline):
        turn.happen(Declined(smith=asker, artifact=artifact.id))
        return
    won = yield from conflict(turn, _claim(answer, artifact))
    if won:
        take_out(turn, artifact.id, asker, Passing.CONFLICT)


def _claim(move: Claim, artifact: Artifact) -> Attempt:
    return Attempt.by(move, Foe.VAULT, artifact.id, artifact.power)


def _roll_or_leave(game: Game, catalog: Catalog, asker: str, artifact: Artifact) -> Ask:
    def accepts(answer: Claim | Decline) -> Problems | None:
        wrong = () if isinstance(answer, Decline) else attempt_problems(game, _claim(answer, artifact))
        return Problems(wrong) if wrong else None

    return Ask(
        id="claim",
        actor=asker,
        question=f"The others refuse. Do you roll for {artifact.name}?",
        offers=tuple(_claims(game, catalog, asker, artifact)),
        accepts=accepts,
    )


def _claims(game: Game, catalog: Catalog, asker: str, artifact: Artifact) -> Iterator[LegalMove]:
    def make(pool: Pool) -> Move:
        return Claim(
            actor=asker,
            dice=pool.fixed(),
            sacrificed=pool.sacrificed,
            artifacts=uses_of(catalog, pool.lent),
        )

    text = f"Against its Power, {artifact.power}."
    wording = Wording("claim", f"Roll for {artifact.name}", text, BOOK)
    power = against(game.actor(asker), artifact.power, catalog).value
    yield from conflict_buttons(game, asker, make, wording, power)
    yield button(Decline(actor=asker), "decline", "Leave it", "Your action is used all the same.", "P19")


# What the Prince has granted


def collect(turn: GameTurn, move: CollectGrant) -> None:
    """What the Prince has granted is taken without vote and without a roll (F23)."""
    grants = grants_of(turn.state, move.actor)
    if move.artifact not in grants:
        text = "The Prince has not granted her that, or another took it first."
        refuse("grant_missing", text, PRINCE, ("artifact",), move.artifact, grants)
    act(turn, move.actor)
    take_out(turn, move.artifact, move.actor, Passing.GRANT)
    end_turn(turn)


def grants_of(game: Game, who: str) -> tuple[str, ...]:
    """Returns the Artifacts that the Prince has granted to the player of the one who acts.

    Raises:
        Refused: It is not hers to act, or she is not at the Citadel (P20).
    """
    place_of(game, acting(game, who), PRINCE, PlaceKind.CITADEL)
    return game.smith(game.player_of(who)).grants
