"""What any client can draw of a game: everybody with their Endurance, and the questions that wait."""

from __future__ import annotations

from services.rules.engine.play import ActorCard, PromptCard, SceneCard
from services.rules.engine.sheet import Track
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play.asking import asked, may_assault
from services.rules.systems.dwarf_dice.play.state import Fighter, Stage, Table

QUESTIONS = {
    Stage.PACT: "Dark Pact: turn your Nulls into Metal or Wood?",
    Stage.MARK: "Mark of Quality: set a Null aside?",
    Stage.NULLS: "Where do the Nulls lie?",
    Stage.UPGRADE: "Upgrade!: trade a card for one just forged?",
    Stage.READY: "Roll the dice?",
    Stage.FURY: "Forge's Fury: set their Alchemy aside?",
    Stage.BLOCK: "Which dice block?",
    Stage.REBUKE: "Fiery Rebuke: roll a die against the attacker?",
}


def card(state: Table, catalog: Catalog) -> SceneCard:
    """A game in brief."""
    waiting = asked(state, catalog)
    return SceneCard(
        title=state.title,
        round=state.round,
        turn=None if state.ending is not None else state.turn,
        actors=tuple(_actor(one, state, catalog) for one in state.fighters),
        prompts=prompts(state, catalog, waiting),
        waiting_for=waiting,
    )


def prompts(state: Table, catalog: Catalog, waiting: tuple[str, ...] | None = None) -> tuple[PromptCard, ...]:
    """The questions that wait. One's own turn and one's own forging are no questions."""
    if state.stage is not Stage.CHOICE and state.stage not in QUESTIONS:
        return ()
    found = []
    for who in asked(state, catalog) if waiting is None else waiting:
        name, question = state.stage.value, QUESTIONS.get(state.stage, "")
        if state.stage is Stage.CHOICE:
            attacking = state.engaged().attacker == who
            name = "attack" if attacking else "defence"
            question = "What do you attack with?" if attacking else "What do you defend with?"
        elif state.stage is Stage.READY and may_assault(state, catalog):
            question = "Furious Assault first, or roll the dice?"
        seat = state.seats().index(who) + 1
        found.append(
            PromptCard(
                id=f"{name}-{state.turns}-{seat}",
                actor=who,
                question=question,
                seconds=state.answer_seconds,
            )
        )
    return tuple(found)


def _actor(one: Fighter, state: Table, catalog: Catalog) -> ActorCard:
    champion = catalog.champions.get(one.champion)
    conditions = []
    if champion is not None and champion.name != one.name:
        conditions.append(champion.name)
    if one.out:
        conditions.append("out")
    elif not one.power_left:
        conditions.append("power spent")
    cards = len(one.hand) + one.face_down
    if cards:
        conditions.append(f"{cards} {'card' if cards == 1 else 'cards'}")
    full = state.rules.endurance
    return ActorCard(
        id=one.id,
        name=one.name,
        side="players" if one.character else "rivals",
        tracks=(Track("endurance", "Endurance", max(0, one.endurance), full),),
        conditions=tuple(conditions),
        character=one.character,
    )
