"""What a viewer may know of a game, and what any client can draw of it (P16).

A choice of cards is secret by construction: it is in no state before both sides have chosen.
"""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.play import ActorCard, SceneCard, Viewer
from services.rules.engine.sheet import Track
from services.rules.engine.wording import counted
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play.state import Fighter, Table


def view(state: Table, viewer: Viewer) -> Table:
    """The game as a viewer may know it: a closed hand of others shows its number of cards."""
    if viewer.gm or state.rules.open_hands:
        return state
    fighters = tuple(one if one.id in viewer.actors else _closed(one) for one in state.fighters)
    return replace(state, fighters=fighters)


def _closed(fighter: Fighter) -> Fighter:
    return replace(fighter, hand=(), face_down=fighter.cards)


def card(state: Table, catalog: Catalog) -> SceneCard:
    """A game in brief."""
    over = state.ending is not None
    return SceneCard(
        title=state.title,
        round=state.round,
        turn=None if over else state.turn,
        actors=tuple(_actor(one, state, catalog) for one in state.fighters),
        waiting_for=() if over else (state.turn,),
    )


def _actor(one: Fighter, state: Table, catalog: Catalog) -> ActorCard:
    champion = catalog.champions.get(one.champion)
    conditions = []
    if champion is not None and champion.name != one.name:
        conditions.append(champion.name)
    if one.out:
        conditions.append("out")
    elif not one.power_left:
        conditions.append("power spent")
    laid = (effect.kind for effect in one.effects if effect.cause != one.champion)
    conditions += [catalog.powers[kind].name for kind in laid]
    if one.cards:
        conditions.append(counted(one.cards, "card"))
    full = state.rules.endurance
    return ActorCard(
        id=one.id,
        name=one.name,
        side="players" if one.character else "rivals",
        tracks=(Track("endurance", "Endurance", max(0, one.endurance), full),),
        conditions=tuple(conditions),
        character=one.character,
    )
