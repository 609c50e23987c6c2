"""What the cases call a refusal, by the code of the broken rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dwarf_dice.catalog import Champion, own_catalog
from services.rules.systems.dwarf_dice.items import ArmoryItem, Side

Given = Mapping[str, Any]
Answer = dict[str, Any]

REASONS: Mapping[str, str] = {
    "assault_too_early": "after the Defender revealed",
    "assault_too_late": "before the roll",
    "blocks_too_many": "nothing to block",
    "card_not_in_hand": "not in hand",
    "card_missing": "at least one Offensive card",
    "card_too_cheap": "more than 2 dice less",
    "cards_too_many": "over 6",
    "champion_taken": "each champion exists once",
    "die_blocks_twice": "one die per attacking die",
    "die_cannot_block": "only Wood or Alchemy blocks",
    "extra_of_other_kind": "the additional item is a Buckler or a Dagger",
    "extra_too_many": "one additional item",
    "fury_too_early": "after the roll",
    "fury_too_late": "before the damage",
    "no_null": "no Null rolled",
    "no_offence": "no Offensive card in hand",
    "no_passing": "Crafting or Combat",
    "not_attacked": "was not attacked",
    "not_attacking": "as Attacker only",
    "not_just_forged": "no opponent just forged",
    "not_own_combat": "own combat only",
    "not_own_hoarding": "own Hoarding only",
    "null_on_centre": "center",
    "null_on_null": "one per space",
    "nulls_left": "every Null must be placed",
    "nulls_too_many": "too many",
    "other_side": "other side",
    "own_forging": "own forging",
    "pact_resource": "Wood or Metal only",
    "pact_too_early": "after the roll",
    "pact_too_late": "before the placement",
    "players_out_of_range": "2 to 4 players",
    "power_spent": "once per game",
    "square_off_forge": "not on the Forge",
    "two_of_defence": "two Defensive items",
    "two_of_offence": "two Offensive items",
}


def ruled(problem: RuleProblem | None) -> Answer:
    """An answer that is yes, or no with its reason."""
    if problem is None:
        return {"legal": True}
    return no(REASONS.get(problem.code, problem.message))


def broken(problems: Problems, side: Side | None = None) -> Answer:
    """The answer no, for the first rule that a move of the game breaks.

    Args:
        problems: What the game refused it for.
        side: The side whose cards were chosen, where a card of the other one was.
    """
    (first, *_) = problems
    if first.code == "card_of_other_side":
        return no("Defensive card" if side is Side.OFFENCE else "Offensive card")
    return ruled(first)


def no(reason: str) -> Answer:
    """An answer that says no."""
    return {"legal": False, "reason": reason}


def champion(name: str) -> Champion | None:
    """A champion by the first name, as cases have it, or the whole one."""
    return next((it for it in own_catalog().champions if it.name == name or it.name.split()[0] == name), None)


def item(name: str) -> ArmoryItem | None:
    """A card by its name."""
    return next((it for it in own_catalog().armory if it.name == name), None)
