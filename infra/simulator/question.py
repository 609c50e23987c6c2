"""From the words of a command line, or a file, to a question that can be played."""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from services.campaign.simulations.tasks import laid_out
from services.rules.engine.campaign import with_campaigns
from services.rules.engine.codec import CodecError
from services.rules.engine.problem import Problems, path_text
from services.rules.engine.registry import systems
from services.rules.engine.simulation.cases import Plan
from services.rules.engine.simulation.request import (
    REQUEST_CODEC,
    Axis,
    Member,
    Opening,
    PlayedPack,
    Precision,
    Replacement,
    SimulationRequest,
    Variant,
)
from services.rules.engine.spelling import PUBLISHED
from services.rules.engine.system import AnySystem


class Unsound(Exception):
    """A question that cannot be played; its text says why, a line for each reason."""


def question(options: argparse.Namespace) -> SimulationRequest:
    """Return the question of a command line: that of its file, or one put together from its words.

    Raises:
        Unsound: a file cannot be read, or a word not understood.
    """
    if options.file is not None:
        return _of_file(options.file)
    if options.system is None or not options.setup:
        raise Unsound("name a file, or --system and --setup")
    return SimulationRequest(
        system=options.system,
        scenes=tuple(
            Opening(setup_name=name, rest=options.rest if place else None)
            for place, name in enumerate(options.setup)
        ),
        cast=tuple(Member(id=name, example=name) for name in _listed(options.cast)),
        packs=tuple(PlayedPack(document=_json(file), name=file.stem) for file in options.pack),
        policies=dict(_pair(text, "--policy SUBJECT=BOT@VERSION") for text in options.policy),
        runs=options.runs,
        precision=_precision(options.precision),
        variants=tuple(_variant(text) for text in options.variant),
        sweep=tuple(_axis(text) for text in options.sweep),
        worth=tuple(options.worth),
        seed=options.seed,
        most_moves=options.most_moves,
    )


def plan_of(request: SimulationRequest) -> Plan:
    """Return a question laid out; setups, sheets and pointers are spelled as the API spells them.

    Raises:
        Unsound: with every reason and its path.
    """
    games = with_campaigns(systems())
    game = games.get(request.system)
    if game is None:
        raise Unsound(f"no game is called {request.system!r}; there are {', '.join(games)}")
    packs = tuple(_kept(pack, game, f"packs.{place}") for place, pack in enumerate(request.packs))
    cast = tuple(_with_packs_kept(member, game, place) for place, member in enumerate(request.cast))
    plan = laid_out(games, replace(request, packs=packs, cast=cast))
    if isinstance(plan, Problems):
        raise Unsound("\n".join(_line(problem) for problem in plan))
    return plan


def _line(problem: Any) -> str:
    allowed = f"; allowed: {problem.allowed}" if problem.allowed is not None else ""
    return f"{path_text(problem.path) or 'question'}: {problem.message} Found: {problem.found}{allowed}"


def _of_file(file: Path) -> SimulationRequest:
    try:
        return REQUEST_CODEC.read(_json(file))
    except CodecError as error:
        raise Unsound(f"{file}: {error}") from None


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text())
    except OSError as error:
        raise Unsound(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise Unsound(f"{file} is not JSON: {error}") from None


def _with_packs_kept(member: Member, game: AnySystem, place: int) -> Member:
    if member.packs is None:
        return member
    packs = (_kept(pack, game, f"cast.{place}.packs.{at}") for at, pack in enumerate(member.packs))
    return replace(member, packs=tuple(packs))


def _kept(pack: PlayedPack, game: AnySystem, path: str) -> PlayedPack:
    """Return a pack with its document as the product keeps it; one of a file may be as its schema has it."""
    document = pack.document
    if (
        document is None
        or game.packs is None
        or (isinstance(document, dict) and document.keys() == {"type", "version", "data"})
    ):
        return pack
    codec = game.packs.codec
    try:
        return replace(pack, document=codec.dump(codec.read(document, PUBLISHED)))
    except CodecError as error:
        raise Unsound(f"{path}: {error}") from None


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _pair(text: str, form: str) -> tuple[str, str]:
    before, equals, after = text.partition("=")
    if not equals or not before:
        raise Unsound(f"{text!r} is not of the form {form}")
    return before, after


def _value(text: str) -> Any:
    """Return a value as JSON; what is not JSON is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _precision(text: str | None) -> Precision | None:
    if text is None:
        return None
    figure, width = _pair(text, "--precision FIGURE=HALF_WIDTH")
    try:
        return Precision(figure=figure, half_width=float(width))
    except ValueError:
        raise Unsound(f"{width!r} is not half the width of an interval") from None


def _variant(text: str) -> Variant:
    form = "--variant NAME:POINTER=VALUE[;POINTER=VALUE]"
    name, colon, changes = text.partition(":")
    if not colon:
        raise Unsound(f"{text!r} is not of the form {form}")
    replaced = (_pair(change, form) for change in changes.split(";"))
    return Variant(
        name=name,
        changes=tuple(Replacement(pointer=pointer, value=_value(value)) for pointer, value in replaced),
    )


def _axis(text: str) -> Axis:
    pointer, values = _pair(text, "--sweep POINTER=VALUE,VALUE")
    return Axis(pointer=pointer, values=tuple(_value(value) for value in values.split(",")))
