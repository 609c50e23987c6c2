"""The arguments of the games' own rolls: `forge_engine:opposed(6, 3)`, `forgeborn:conflict(d8 + 2d6, 9)`."""

from __future__ import annotations

from services.rules.dice.fault import ArgumentError
from services.rules.dice.mechanic import Argument, Mechanic, Parameter, ParameterKind
from services.rules.dice.pool import (
    Binary,
    Dice,
    Labelled,
    MechanicCall,
    Negative,
    Node,
    Number,
    Operator,
    Sides,
    Variable,
)
from services.rules.dice.render import render_node


class Misfit(Exception):
    """An argument that its parameter does not take.

    Attributes:
        index: Which argument, counted from 0; the number of arguments for one that is missing.
        found: What it is.
        parameter: Name of the parameter, or of the roll where it takes no such argument.
        allowed: What it takes.
    """

    def __init__(self, index: int, found: str, parameter: str, allowed: str) -> None:
        self.index = index
        self.found = found
        self.parameter = parameter
        self.allowed = allowed
        super().__init__(found, parameter, allowed)


def bound_arguments(call: MechanicCall, mechanic: Mechanic) -> dict[str, Argument]:
    """The arguments of a call by the name of their parameter, defaults filled in.

    Returns:
        Numbers; and for dice the sides of each die in the order written: d8 + 2d6 is (8, 6, 6).

    Raises:
        ArgumentError: There are too few or too many, one is of the wrong kind, out of bounds, does not go
            with the others, or is a variable that is not bound.
    """
    try:
        found = known_arguments(call, mechanic)
        for index, parameter in enumerate(mechanic.parameters):
            if parameter.name not in found:
                shown = render_node(call.arguments[index])
                raise Misfit(index, shown, parameter.name, allowed(parameter))
        return found
    except Misfit as misfit:
        text = render_node(call)
        before = sum(len(render_node(argument)) + 2 for argument in call.arguments[: misfit.index])
        position = min(len(call.name) + 1 + before, len(text) - 1)
        raise ArgumentError(text, position, misfit.found, misfit.parameter, misfit.allowed) from None


def known_arguments(call: MechanicCall, mechanic: Mechanic) -> dict[str, Argument]:
    """The arguments as far as they are known: those with a variable in them are left out.

    Raises:
        Misfit: There are too few or too many, one is of the wrong kind, out of bounds, or does not go with
            the others.
    """
    parameters = mechanic.parameters
    given = call.arguments
    if len(given) > len(parameters):
        most = f"at most {len(parameters)} argument{'' if len(parameters) == 1 else 's'}"
        raise Misfit(len(parameters), render_node(given[len(parameters)]), mechanic.name, most)
    found: dict[str, Argument] = {}
    for index, parameter in enumerate(parameters):
        if index >= len(given):
            if parameter.default is None:
                raise Misfit(index, "no argument", parameter.name, allowed(parameter))
            found[parameter.name] = parameter.default
            continue
        try:
            value = _value(given[index], parameter)
        except ValueError:
            raise Misfit(index, render_node(given[index]), parameter.name, allowed(parameter)) from None
        if value is None:
            continue
        size = len(value) if isinstance(value, tuple) else value
        if not parameter.minimum <= size <= parameter.maximum:
            raise Misfit(index, render_node(given[index]), parameter.name, allowed(parameter))
        if isinstance(value, tuple) and parameter.sizes and not set(value) <= set(parameter.sizes):
            raise Misfit(index, render_node(given[index]), parameter.name, allowed(parameter))
        found[parameter.name] = value
    unfit = mechanic.unfit(found) if len(found) == len(parameters) else None
    if unfit is not None:
        index = next(place for place, one in enumerate(parameters) if one.name == unfit.parameter)
        raise Misfit(index, unfit.found, unfit.parameter, unfit.allowed)
    return found


def allowed(parameter: Parameter) -> str:
    """What a parameter takes, in words."""
    bounds = f"from {parameter.minimum} to {parameter.maximum}"
    if parameter.kind is ParameterKind.NUMBER:
        return f"a whole number {bounds}"
    sizes = ", ".join(f"d{sides}" for sides in parameter.sizes)
    return f"plain dice, in number {bounds}" + (f", each one of {sizes}" if sizes else "")


def _value(node: Node, parameter: Parameter) -> Argument | None:
    """What an argument is; None where a variable leaves it open.

    Raises:
        ValueError: It is of the wrong kind.
    """
    if isinstance(node, Labelled):
        return _value(node.node, parameter)
    if parameter.kind is ParameterKind.DICE:
        return _sides(node, parameter.maximum)
    match node:
        case Number(int(value)):
            return value
        case Variable():
            return None
        case Negative(operand):
            value_below = _value(operand, parameter)
            assert not isinstance(value_below, tuple)
            return None if value_below is None else -value_below
        case _:
            raise ValueError("no whole number")


def _sides(node: Node, most: int) -> tuple[int, ...] | None:
    match node:
        # More dice than are taken are refused before they are counted out.
        case Dice(int(count), Sides(int(sides))) if node.plain and count <= most:
            return (sides,) * count
        case Dice(Variable(), Sides(int() | Variable())) | Dice(int(), Sides(Variable())) if node.plain:
            return None
        case Binary(Operator.ADD, left, right):
            first, second = _sides(left, most), _sides(right, most)
            return None if first is None or second is None else first + second
        case Labelled(inner):
            return _sides(inner, most)
        case _:
            raise ValueError("no sum of plain dice, or too many of them")
