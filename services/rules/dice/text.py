"""A result in one line: `4d6kh3 (6, 5, ~~2~~, 4) + 2 = 17`.

Dice that do not count are struck out, dice that exploded carry `!`, and successes are bold.
"""

from __future__ import annotations

from services.rules.dice.die import Die, Mark
from services.rules.dice.pool import (
    Binary,
    Call,
    Dice,
    Group,
    Labelled,
    MechanicCall,
    Negative,
    Net,
    Operator,
    TargetCheck,
    Value,
    Versus,
)
from services.rules.dice.render import ATOM, RANK, SIGN, rank, render_node, render_rules
from services.rules.dice.result import NodeResult, RollResult

LONGEST = 60
"""Dice of one term that are written out; of more, the number of the others is told."""


def text(result: RollResult) -> str:
    """The whole roll in one line."""
    if result.void is not None:
        fallen = ", ".join(node_text(term.result) for term in result.terms)
        told = f" [{fallen}]" if fallen else ""
        return f"{render_node(result.root.node)}{told} = void ({result.void.replace('_', ' ').lower()})"
    outcome = result.outcome
    told = "" if outcome is None else f" ({outcome.replace('_', ' ')})"
    return f"{node_text(result.root)} = {value_text(result.value)}{told}"


def value_text(value: Value) -> str:
    """A number as people write it: `7`, `7/2`."""
    return str(value)


def node_text(result: NodeResult) -> str:
    """One node in one line, without what it comes to."""
    shown = _shown(result)
    return shown if result.kept else f"~~{shown}~~"


def _shown(result: NodeResult) -> str:
    parts = result.parts
    match result.node:
        case Dice() as node:
            return f"{render_node(node)} ({_dice_text(result.dice)})"
        case Labelled(_, label):
            return f"{_inner(parts[0], ATOM)}[{label}]"
        case Negative():
            return f"-{_inner(parts[0], SIGN)}"
        case Binary(Operator.POWER):
            return f"{_inner(parts[0], ATOM)} ** {_inner(parts[1], SIGN)}"
        case Binary(operator):
            own = RANK[operator]
            # Chains are read from the left, so that an equal operator on the right side needs brackets.
            return f"{_inner(parts[0], own)} {operator.value} {_inner(parts[1], own + 1)}"
        case Call(function):
            return f"{function.value}({', '.join(node_text(part) for part in parts)})"
        case Group() as node:
            return f"{{{', '.join(node_text(part) for part in parts)}}}{render_rules(node)}"
        case Versus():
            return f"{node_text(parts[0])} vs {node_text(parts[1])}"
        case Net():
            return f"{node_text(parts[0])} net {node_text(parts[1])}"
        case TargetCheck(_, comparison):
            return f"{node_text(parts[0])} total{comparison.value}{node_text(parts[1])}"
        case MechanicCall() as node:
            pools = "; ".join(_dice_text(part.dice) for part in parts)
            return f"{render_node(node)} ({pools})"
        case node:
            return render_node(node)


def _inner(result: NodeResult, least: int) -> str:
    shown = node_text(result)
    return shown if rank(result.node) >= least else f"({shown})"


def _dice_text(dice: tuple[Die, ...]) -> str:
    shown = [_die_text(die) for die in dice[:LONGEST]]
    if len(dice) > LONGEST:
        shown.append(f"and {len(dice) - LONGEST} more")
    return ", ".join(shown)


def _die_text(die: Die) -> str:
    value = str(die.value) if die.label is None else die.label
    if Mark.EXPLODED in die.marks:
        value += "!"
    if not die.kept:
        return f"~~{value}~~"
    return f"**{value}**" if Mark.SUCCESS in die.marks else value
