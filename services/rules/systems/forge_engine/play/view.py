"""What a viewer may know of a fight, what any client can draw of it, and how it ends."""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.play import ONGOING, ActorCard, Outcome, SceneCard, Viewer
from services.rules.engine.sheet import Track
from services.rules.engine.turns import Rounds
from services.rules.systems.forge_engine.play import secrecy
from services.rules.systems.forge_engine.play.effects import names_of
from services.rules.systems.forge_engine.play.mounts import carrier_of
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Gone, Life, Phase

LIFE = {
    Life.UNCONSCIOUS: "unconscious",
    Life.STABILIZED: "stabilized",
    Life.DYING: "dying",
    Life.DEAD: "dead",
}
GONE = {Gone.FLED: "fled", Gone.YIELDED: "surrendered", Gone.DISPELLED: "dispelled"}


def view(state: Fight, viewer: Viewer) -> Fight:
    """The fight without those who hide from the viewer, and without what lasts on them or comes of them."""
    if viewer.gm:
        return state
    unseen = {
        one.id
        for one in state.combatants
        if (known := secrecy.known_to(state, one.id)) is not None and not viewer.may_know(known)
    }
    # The map shows who stands on it; players have their own view of it.
    state = replace(secrecy.known_ground(state, viewer.actors), site=None)
    if not unseen:
        return state
    return replace(
        state,
        combatants=tuple(one for one in state.combatants if one.id not in unseen),
        effects=tuple(one for one in state.effects if unseen.isdisjoint((one.bearer, one.source, one.about))),
        apart=tuple(each for each in state.apart if not unseen & {each.one, each.other}),
        rounds=_without(state.rounds, unseen),
        # To who sees no enemy a fight that goes on is not over.
        open_end=state.open_end or not state.decided(),
    )


def _without(rounds: Rounds, unseen: set[str]) -> Rounds:
    """The order without some, whose turn it is unchanged."""
    order = tuple(who for who in rounds.order if who not in unseen)
    place = order.index(rounds.whose) if rounds.whose in order else 0
    return Rounds(order, place, rounds.round)


def card(state: Fight) -> SceneCard:
    """The combatants with energy and health."""
    first = state.priority()
    waiting = () if first is None else (first.id,)
    # Whom a mount or vehicle carries is drawn over it.
    shown = sorted(state.combatants, key=lambda one: one.seat > 0)
    return SceneCard(
        title=state.title,
        round=max(1, state.rounds.round),
        turn=first.id if first is not None else None,
        actors=tuple(_actor(state, one) for one in shown),
        waiting_for=waiting,
    )


def _actor(state: Fight, one: Combatant) -> ActorCard:
    words = [*names_of(state, one.id)]
    carrier = carrier_of(state, one.id)
    if carrier is not None:
        words.append(f"on {carrier.name}")
    if one.hidden:
        words.append("hidden")
    if one.gone is not None:
        words.append(GONE[one.gone])
    elif one.life is not Life.UP:
        words.append("wrecked" if one.vehicle else LIFE[one.life])
    elif one.bloodied:
        words.append("bloodied")
    if one.bonus_energy:
        words.append(f"{one.bonus_energy} bonus energy")
    if one.expended:
        words.append(f"{one.expended} energy expended")
    return ActorCard(
        id=one.id,
        name=one.name,
        side=one.side,
        tracks=(
            Track("energy", "Energy", min(one.energy, one.profile.energy), one.profile.energy),
            Track("health", "Health", max(0, one.health), one.profile.health),
        ),
        conditions=tuple(words),
        at=one.at if one.gone is None else None,
        character=one.character,
        size=one.size,
    )


def outcome(state: Fight) -> Outcome:
    """Over when one side alone is left in the open, or the game master ended the scene."""
    if state.phase is Phase.OVER:
        return Outcome(ended=True, winners=_left(state), text=state.ending or "The scene is over.")
    if not state.decided():
        return ONGOING
    sides = state.sides_up()
    text = f"Only the {sides[0]} are left." if sides else "Nobody is left standing."
    return Outcome(ended=True, winners=_left(state), text=text)


def _left(state: Fight) -> tuple[str, ...]:
    """Those in the open of the one side that is left; nobody where several are."""
    sides = state.sides_up()
    if len(sides) != 1:
        return ()
    left = (one for one in state.combatants if one.side == sides[0] and not one.vehicle)
    return tuple(one.id for one in left if not one.secret)
