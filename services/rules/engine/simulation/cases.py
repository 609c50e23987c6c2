"""A request laid out: the opening itself, and each change of it, ready to be played."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, cast

from services.rules.engine.bots import Bot, bots_by_policy
from services.rules.engine.campaign import CampaignPlay
from services.rules.engine.codec import CodecError, Json
from services.rules.engine.play import ActorCard, AnyPlay, CastMember
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.engine.simulation.bounds import (
    RULE,
    BrokenRequest,
    bounds_problems,
    id_problems,
    range_problems,
)
from services.rules.engine.simulation.changes import UnknownPointer, number_at, put_at
from services.rules.engine.simulation.characters import Character, Editions, Forms, sheet_replacements
from services.rules.engine.simulation.figures import NamesPowers, Power
from services.rules.engine.simulation.names import value_names
from services.rules.engine.simulation.precision import precision_problems
from services.rules.engine.simulation.request import (
    EVERYBODY,
    MOST_CAST,
    Axis,
    Member,
    Opening,
    PlayedPack,
    Replacement,
    SimulationRequest,
)
from services.rules.engine.simulation.rests import rest_problems
from services.rules.engine.site import PlayedOnSites
from services.rules.engine.spelling import STORED, Spelling
from services.rules.engine.system import AnySystem

_MEMBER = re.compile(r"/cast/[0-9]+")
BASE = ""
"""The name of the case that nothing is changed about."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene of a case: a position, or what it is begun from.

    Attributes:
        opening: The position with the cast as the request has it.
        setup: What later scenes of a day begin anew with; None for a position to go on from.
        rest: Key of the rest before it; None for none.
        path: Where it stands in the request, or the change that made it.
    """

    opening: Any
    setup: Any
    rest: str | None = None
    path: KeyPath = ()


@dataclass(frozen=True, slots=True)
class Case:
    """An opening with its players.

    Attributes:
        name: `""` for the opening itself; a variant's name; `/scenes/0/setup/x = 3` for a cell of a sweep; a
            pointer with ` + 1` for a worth.
        changes: What was replaced.
        scenes: Its scenes, in their order.
        cast: Its characters, as each day begins.
        characters: What those are built from, by id, where it is known.
        policies: Its bots, by actor's id, side or `*`.
    """

    name: str
    changes: tuple[Replacement, ...]
    scenes: tuple[Scene, ...]
    cast: tuple[CastMember, ...]
    characters: Mapping[str, Character]
    policies: Mapping[str, Bot]

    def actors(self, play: AnyPlay) -> tuple[ActorCard, ...]:
        """Return the actors that stand in the openings, each once, in their order."""
        found: dict[str, ActorCard] = {}
        for scene in self.scenes:
            for actor in play.card(scene.opening).actors:
                found.setdefault(actor.id, actor)
        return tuple(found.values())

    def powers(self, play: AnyPlay) -> tuple[Power, ...]:
        """Return the powers that actors have in the openings, each once; none in a game that names none."""
        if not isinstance(play, NamesPowers):
            return ()
        return tuple(dict.fromkeys(each for scene in self.scenes for each in play.powers(scene.opening)))


@dataclass(frozen=True, slots=True)
class Plan:
    """A request that can be played.

    Attributes:
        request: What was asked.
        system: The game.
        play: Its scenes.
        cases: The opening itself first.
    """

    request: SimulationRequest
    system: AnySystem
    play: AnyPlay
    cases: tuple[Case, ...]


def planned(
    request: SimulationRequest,
    system: AnySystem,
    spelling: Spelling = STORED,
    editions: Editions | None = None,
) -> Plan | Problems:
    """Lay a request out, or name everything that is wrong with it, each with its path.

    Args:
        request: What is asked.
        system: The game.
        spelling: How its setups, choices and sheets are spelled, and what pointers into them name. Positions
            and maps are stored documents in any case.
        editions: The game with the packs in it that a character is built under; None where all characters
            are built by the game as it is.
    """
    if system.play is None:
        text = "This game is not played in scenes."
        return Problems((RuleProblem("system_without_scenes", text, RULE, ("system",), request.system),))
    broken = list(bounds_problems(request))
    if broken:
        return Problems(tuple(broken))
    try:
        forms = Forms(system, spelling, editions)
        document = _document(request, forms, system.play)
        changes = list(_changes(request, document))
        cases = [
            _case(name, path, replaced, document, forms, system.play) for name, path, replaced in changes
        ]
    except BrokenRequest as error:
        return Problems(error.problems)
    broken = [
        *_subject_problems(request, cases[0], system.play),
        *precision_problems(
            request.precision, cases[0].actors(system.play), cases[0].powers(system.play), system.play
        ),
    ]
    return Problems(tuple(broken)) if broken else Plan(request, system, system.play, tuple(cases))


# The document that pointers lead into


def _document(request: SimulationRequest, forms: Forms, play: AnyPlay) -> dict[str, Json]:
    scenes: list[Json] = [
        _scene_form(opening, forms, play, ("scenes", place)) for place, opening in enumerate(request.scenes)
    ]
    cast_: list[Json] = [
        _member_form(member, forms, ("cast", place)) for place, member in enumerate(request.cast)
    ]
    return {"scenes": scenes, "cast": cast_, "policies": dict(request.policies)}


def _scene_form(opening: Opening, forms: Forms, play: AnyPlay, path: KeyPath) -> Json:
    named = [opening.setup_name is not None, opening.setup is not None, opening.state is not None]
    if sum(named) != 1:
        text = "A scene is made of one of these: setup_name, setup, state."
        raise BrokenRequest(RuleProblem("opening_unclear", text, RULE, path, sum(named), 1))
    more = {"site": opening.site, "rest": opening.rest}
    more = {name: value for name, value in more.items() if value is not None}
    if opening.state is not None:
        return {"state": opening.state, **more}
    if opening.setup_name is None:
        setup: Json = opening.setup
    elif opening.setup_name in play.setups:
        setup = forms.write(play.setup_codec.type, play.setups[opening.setup_name])
    else:
        text, allowed = "The game has no setup of this name.", tuple(play.setups)
        at = (*path, "setup_name")
        raise BrokenRequest(RuleProblem("setup_unknown", text, RULE, at, opening.setup_name, allowed))
    return {"setup": setup, **more}


def _member_form(member: Member, forms: Forms, path: KeyPath) -> Json:
    system = forms.system
    named = [member.example is not None, member.choices is not None, member.sheet is not None]
    if sum(named) == 0 or (named[0] and sum(named) > 1):
        text = "A character is made of one of these: example, choices, sheet."
        raise BrokenRequest(RuleProblem("member_unclear", text, RULE, path, sum(named), 1))
    if member.sheet is not None:
        sheet = (
            member.sheet.get("data")
            if isinstance(member.sheet, dict) and "data" in member.sheet
            else member.sheet
        )
        known: dict[str, Json] = {"id": member.id, "sheet": sheet}
        if member.choices is None:
            return known
        packs = None if member.packs is None else forms.write(tuple[PlayedPack, ...], member.packs)
        return {**known, "choices": member.choices, "packs": packs}
    if member.example is not None:
        if member.example not in system.examples:
            text, allowed = "The game has no example of this name.", tuple(system.examples)
            raise BrokenRequest(
                RuleProblem("example_unknown", text, RULE, (*path, "example"), member.example, allowed)
            )
        choices = forms.write(system.choices_codec.type, system.examples[member.example])
        return {"id": member.id, "choices": choices, "sheet": forms.build(choices, (*path, "choices"))}
    packs = None if member.packs is None else forms.write(tuple[PlayedPack, ...], member.packs)
    built = forms.under(packs, path).build(member.choices, (*path, "choices"))
    return {"id": member.id, "choices": member.choices, "packs": packs, "sheet": built}


# What is changed


def _changes(
    request: SimulationRequest, document: dict[str, Json]
) -> Iterator[tuple[str, KeyPath, tuple[Replacement, ...]]]:
    """Yield every case by its name, where it stands in the request, and what it replaces."""
    yield BASE, ("scenes",), ()
    for place, variant in enumerate(request.variants):
        yield variant.name, ("variants", place, "changes"), variant.changes
    axes = [_axis_values(axis) for axis in request.sweep]
    for cell in product(*axes) if axes else ():
        yield ", ".join(name for name, _ in cell), ("sweep",), tuple(replaced for _, replaced in cell)
    for place, pointer in enumerate(request.worth):
        try:
            number = number_at(document, pointer)
        except UnknownPointer as error:
            raise BrokenRequest(error.problem("worth", place)) from error
        yield f"{pointer} + 1", ("worth", place), (Replacement(pointer=pointer, value=number + 1),)


def _axis_values(axis: Axis) -> list[tuple[str, Replacement]]:
    """Return each value of an axis as what it replaces, with its name."""
    return [
        (f"{axis.pointer} = {name}", Replacement(pointer=axis.pointer, value=value))
        for name, value in zip(value_names(axis), axis.values, strict=True)
    ]


def _is_cast(replaced: Replacement) -> bool:
    return replaced.pointer == "/cast" and isinstance(replaced.value, Sequence)


def _with_members(replaced: Replacement, forms: Forms, path: KeyPath) -> Replacement:
    """Return a change with the characters that it brings built, as those are that pointers lead to."""
    if _is_cast(replaced):
        members = [forms.read(Member, each, path) for each in replaced.value]
        broken = [
            *range_problems("cast_out_of_range", path, len(members), 0, MOST_CAST),
            *id_problems(members, path),
        ]
        if broken:
            raise BrokenRequest(*broken)
        return replace(replaced, value=[_member_form(each, forms, path) for each in members])
    if _MEMBER.fullmatch(replaced.pointer):
        member = forms.read(Member, replaced.value, path)
        return replace(replaced, value=_member_form(member, forms, path))
    return replaced


def _case(
    name: str,
    path: KeyPath,
    replaced: Sequence[Replacement],
    document: dict[str, Json],
    forms: Forms,
    play: AnyPlay,
) -> Case:
    system = forms.system
    changed = cast("dict[str, Any]", _copied(document)) if replaced else cast("dict[str, Any]", document)
    built = [_with_members(each, forms, path) for each in replaced]
    chosen = [each for each in built if _of_choices(each.pointer)]
    for each in (*chosen, *(each for each in built if not _of_choices(each.pointer))):
        if chosen and each not in chosen:
            _build_anew(changed, chosen, forms)
            chosen = []
        try:
            put_at(changed, each.pointer, each.value)
        except UnknownPointer as error:
            raise BrokenRequest(error.problem(*path)) from error
    if chosen:
        _build_anew(changed, chosen, forms)
    if replaced and not _is_document(changed):
        text = (
            "With these changes it is no question any more: scenes, characters with ids, policies by subject."
        )
        raise BrokenRequest(RuleProblem("changes_malformed", text, RULE, path))
    at = (lambda *more: more) if not replaced else (lambda *_more: path)
    sheets = tuple(
        CastMember(
            id=form["id"],
            sheet=forms.read(system.sheet_codec.type, form["sheet"], at("cast", place, "sheet")),
        )
        for place, form in enumerate(changed["cast"])
    )
    characters = {
        form["id"]: character
        for place, form in enumerate(changed["cast"])
        if (character := _character(form, place, replaced, forms, at("cast", place))) is not None
    }
    if len(changed["scenes"]) > 1 or isinstance(play, CampaignPlay):
        for character in characters.values():
            character.sheet_of(character.choices)  # as a later scene builds it, if nothing is changed
    scenes = tuple(
        _scene(form, sheets, forms, play, at("scenes", place)) for place, form in enumerate(changed["scenes"])
    )
    rests = [form.get("rest") for form in changed["scenes"]]
    paths = [at("scenes", place, "rest") for place in range(len(rests))]
    broken = list(rest_problems(play, rests, paths))
    if broken:
        raise BrokenRequest(*broken)
    bots = {
        subject: _bot(play, policy, at("policies", subject))
        for subject, policy in changed["policies"].items()
    }
    return Case(name, tuple(replaced), scenes, sheets, characters, bots)


def _character(
    form: dict[str, Any], place: int, replaced: Sequence[Replacement], forms: Forms, path: KeyPath
) -> Character | None:
    """Return what a character is built from; None where nothing but its sheet is known."""
    changes = sheet_replacements(place, replaced)
    if "choices" not in form or changes is None:
        return None
    own = forms.under(form.get("packs"), path)
    choices = own.read(own.system.choices_codec.type, form["choices"], (*path, "choices"))
    return Character(choices, own, form["sheet"], changes, path)


def _is_document(changed: Mapping[str, Any]) -> bool:
    """Whether what a change has left still holds scenes, characters and policies, whatever is in them."""
    scenes, members, policies = (changed.get(name) for name in ("scenes", "cast", "policies"))
    return (
        isinstance(scenes, list)
        and all(isinstance(each, dict) and ("state" in each or "setup" in each) for each in scenes)
        and isinstance(members, list)
        and all(
            isinstance(each, dict) and isinstance(each.get("id"), str) and "sheet" in each for each in members
        )
        and isinstance(policies, dict)
    )


def _of_choices(pointer: str) -> bool:
    """Whether a pointer leads to something that a player has chosen, of which the sheet is built."""
    return pointer.startswith("/cast/") and pointer.split("/")[3:4] == ["choices"]


def _build_anew(changed: dict[str, Any], replaced: Iterable[Replacement], forms: Forms) -> None:
    for place in sorted({int(each.pointer.split("/")[2]) for each in replaced}):
        form = changed["cast"][place]
        own = forms.under(form.get("packs"), ("cast", place))
        form["sheet"] = own.build(form["choices"], ("cast", place, "choices"))


def _copied(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _scene(
    form: dict[str, Any], sheets: tuple[CastMember, ...], forms: Forms, play: AnyPlay, path: KeyPath
) -> Scene:
    if "state" in form:
        if form.get("rest") is not None:
            text = "A position to go on from has no rest before it."
            raise BrokenRequest(
                RuleProblem("rest_before_position", text, RULE, (*path, "rest"), str(form["rest"]))
            )
        try:
            return Scene(play.state_codec.load(form["state"]), None)
        except CodecError as error:
            raise BrokenRequest(replace(error.problem(), path=(*path, "state", *error.path))) from error
    setup = forms.read(play.setup_codec.type, form["setup"], (*path, "setup"))
    if "site" in form:
        setup = _on_site(setup, form["site"], play, (*path, "site"))
    opening = play.begin(setup, sheets)
    if isinstance(opening, Problems):
        raise BrokenRequest(*(replace(each, path=(*path, "setup", *each.path)) for each in opening))
    return Scene(opening, setup, form.get("rest"), path)


def _on_site(setup: Any, form: Json, play: AnyPlay, path: KeyPath) -> Any:
    if not isinstance(play, PlayedOnSites):
        text = "Scenes of this game are not set on maps."
        raise BrokenRequest(RuleProblem("no_maps", text, RULE, path))
    try:
        site = play.site_codec.load(form)
    except CodecError as error:
        raise BrokenRequest(replace(error.problem(), path=(*path, *error.path))) from error
    laid_out = play.laid_out(setup, site)
    if isinstance(laid_out, Problems):
        raise BrokenRequest(*(replace(each, path=(*path, *each.path)) for each in laid_out))
    return laid_out


# Who plays, and when it is enough


def _bot(play: AnyPlay, policy: Any, path: KeyPath) -> Bot:
    known = bots_by_policy(play)
    if not isinstance(policy, str) or policy not in known:
        text, found = "The game has no policy of this name and version.", str(policy)[:80]
        raise BrokenRequest(RuleProblem("policy_unknown", text, RULE, path, found, tuple(known)))
    return known[policy]


def _subject_problems(request: SimulationRequest, base: Case, play: AnyPlay) -> Iterator[RuleProblem]:
    actors = base.actors(play)
    allowed = (EVERYBODY, *dict.fromkeys(actor.side for actor in actors), *(actor.id for actor in actors))
    for subject in request.policies:
        if subject not in allowed:
            text = "Nobody in these scenes has this id, and no side this name."
            path = ("policies", subject)
            yield RuleProblem("policy_subject_unknown", text, RULE, path, subject, allowed)
