"""What each move of loot does."""

from __future__ import annotations

from services.rules.engine.play import GM_ONLY
from services.rules.engine.steps import Step, Steps, refuse
from services.rules.systems.fortunate_blades.campaign.facts.loot import (
    LootFound,
    LootGiven,
    LootIdentified,
    LootLost,
    LootSecretNoted,
)
from services.rules.systems.fortunate_blades.campaign.moves.loot import (
    DivideLoot,
    FindLoot,
    FindNothing,
    IdentifyLoot,
    LootMove,
)
from services.rules.systems.fortunate_blades.campaign.setup import next_id
from services.rules.systems.fortunate_blades.campaign.state.loot import Find
from services.rules.systems.fortunate_blades.campaign.turn import (
    CampaignTurn,
    catalog_of,
    check_room,
    chosen_by_all,
    die,
    named,
)

RULE = "Divy up the Loot"


def rule(turn: CampaignTurn, move: LootMove) -> Steps:
    """A move of the game master's about loot."""
    match move:
        case FindLoot():
            yield from _found(turn, move)
        case FindNothing():
            _sought(turn, move.hero)
            turn.happen(LootFound(find=None, hero=move.hero))
        case DivideLoot():
            yield from _divided(turn)
        case IdentifyLoot():
            find = _known(turn, move.find)
            if find.identified:
                refuse("identified_already", "All know what it is.", RULE, ("find",), find.id)
            turn.happen(LootIdentified(find=find.id, secret=find.secret))
        case _:
            turn.happen(LootLost(find=_known(turn, move.find).id, words=move.words))


def _known(turn: CampaignTurn, name: str) -> Find:
    find = turn.state.find(name)
    if find is None:
        known = tuple(each.id for each in turn.state.finds)
        refuse("unknown_target", "Nothing of the kind was found.", RULE, ("find",), name, known)
    return find


def _sought(turn: CampaignTurn, hero: str) -> None:
    if hero not in turn.state.searched:
        text = "No search of this hero waits for an answer."
        refuse("unknown_target", text, "Taking a Rest", ("hero",), hero, turn.state.searched)


def _found(turn: CampaignTurn, move: FindLoot) -> Steps:
    check_room(len(turn.state.finds))
    if move.hero is not None:
        _sought(turn, move.hero)
    find = yield from _what(turn, move)
    turn.happen(LootFound(find=find, hero=move.hero or ""))
    secret = move.secret.strip() or ("" if move.name else _secret(turn, find))
    if secret:
        turn.happen(LootSecretNoted(find=find.id, secret=secret, audience=GM_ONLY))


def _what(turn: CampaignTurn, move: FindLoot) -> Step[Find]:
    """What is found: in words of the game master's, of the list, or by dice."""
    name = next_id(turn.state, "loot")
    if move.name.strip():
        named(move.name, "name")
        return Find(id=name, name=move.name.strip(), text=move.text.strip())
    shelf = catalog_of(turn).loot
    chosen = move.loot
    if not chosen:
        ((face,),) = yield from turn.roll(die("loot", "What turns up?", len(shelf.ids)))
        chosen = shelf.ids[face - 1]
    if chosen not in shelf:
        refuse("unknown_target", "There is no such loot.", RULE, ("loot",), chosen)
    entry = shelf[chosen]
    return Find(id=name, name=entry.name, text=entry.text, gear=entry.gear)


def _secret(turn: CampaignTurn, find: Find) -> str:
    """What the list tells of what was found, once it is identified."""
    return next(each.secret for each in catalog_of(turn).loot if each.name == find.name)


def _divided(turn: CampaignTurn) -> Steps:
    """For each thing that nobody has, a vote for who is to have it."""
    state = turn.state
    if state.quest is not None:
        refuse("quest_under_way", "Loot is divided when the quest is over.", RULE)
    takers = {each.id: each.name for each in state.present()}
    if not state.undivided() or not takers:
        refuse("nothing_to_choose", "There is nothing to divide.", RULE)
    for find in state.undivided():
        hero = yield from chosen_by_all(turn, find.id, f"Who is to have {find.name}?", takers)
        turn.happen(LootGiven(find=find.id, hero=hero))
