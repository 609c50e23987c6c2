"""Golden runs as text people can read, replayed by the suite.

    title: A warrior with the greatsword of the kit

    build                                     choices, one field a line, values in JSON
      name: "Brawnley"
      role: "dungeonteller:role/warrior"
    sheet                                     what the sheet must then say, found by path
      armor.value: 4
      actions[battle].rating.value: 5         [..] picks a list's item by number, or by its id or name

    build
      role: "dungeonteller:role/bard"
    rejected                                  exactly these codes, each where the rule was broken
      name_missing at name
      role_unknown at role

    scene                                     a setup, one field a line
      system-setup: "yard"                    may begin from one of the system's own setups
      title: "Behind the Mill"
      cast: {"anna": "Anna"}                  who takes part: an actor's id, and a hero built above by name
    now                                       what the state then says, found by path, or lets one reckon
      duellists[rival-1].nerve: 3
    move                                      a move in its JSON form, one field a line
      kind: "Strike"
      actor: "anna"
      target: "rival-1"
    rolls                                     exactly the rolls it takes until it waits for an answer or is
    done
      attack: [5, 6, 1]
      guard: [2, 3]
    asked                                     exactly these questions are open then, each to whom
      rival-1: flinch
    now
      duellists[rival-1].nerve: 2
    told                                      each line stands somewhere in what the log tells the game master
      hits Sour Tam
    outcome                                   `ended`, `winners`, `text`, and `changes` by character
      ended: false
    move
      kind: "Brace"
      actor: "rival-1"
    refused                                   exactly these codes; no dice fall and nothing has changed
      not_your_turn at actor

A `campaign` is a scene of the system's campaigns, and has the same blocks. A scene is begun from it by

    begins                                    moves are the scene's until it is over, and the campaign hears
      order: "encounter"                      of each when it is made
      cast: ["anna"]                          heroes of the campaign, as they were built; all without it

An answer to a question that a move waits for is a `move` like any other.

A line whose first sign is `#` is a remark. Every `build` is followed by `sheet` or `rejected`. What follows a
`scene` or `move` may be left out, but a scene must expect something somewhere; `rolls` come first, `refused`
comes alone. A `refused` scene is over before it began.

A scene is played twice at once, the second time from its stored form: setup, states, moves and events go
through JSON. Both must stand at the same hash after every move.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any, cast

from services.rules.engine.campaign import AnyCampaign, began, heard
from services.rules.engine.codec import Codec, CodecError, Json
from services.rules.engine.driver import Thrower, fold, scripted, state_hash
from services.rules.engine.forms import spelled
from services.rules.engine.play import AnyPlay, CastMember, Roll
from services.rules.engine.playthrough_text import (
    BuildStep,
    Expectation,
    MoveStep,
    Playthrough,
    PlaythroughError,
    Rejection,
    SceneStep,
    parse_playthrough,
)
from services.rules.engine.position import Position, Taken, position
from services.rules.engine.problem import Problems, path_text
from services.rules.engine.spelling import STORED
from services.rules.engine.steps import RuleFault, Turn
from services.rules.engine.system import AnySystem

__all__ = [
    "BuildStep",
    "Expectation",
    "MoveStep",
    "Playthrough",
    "PlaythroughError",
    "Rejection",
    "SceneStep",
    "find",
    "load_playthroughs",
    "parse_playthrough",
    "replay",
]

_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]+)\]")


class _SceneBroken(Exception):
    """A scene cannot go on; the text says why, with its line."""


def load_playthroughs(package: str) -> Mapping[str, str]:
    """The texts in a system package's `playthroughs` folder, by file name."""
    folder = files(package) / "playthroughs"
    if not folder.is_dir():
        return MappingProxyType({})
    return MappingProxyType(
        {
            item.name: item.read_text(encoding="utf-8")
            for item in sorted(folder.iterdir(), key=lambda item: item.name)
            if item.name.endswith(".txt")
        }
    )


def replay(system: AnySystem, playthrough: Playthrough) -> tuple[str, ...]:
    """Builds every hero anew, plays every scene, and tells what came out otherwise; empty when all holds."""
    failures = [failure for step in playthrough.steps for failure in _replay_build(system, step)]
    for scene in playthrough.scenes:
        above = (step for step in playthrough.steps if step.line < scene.line)
        try:
            failures += _replay_scene(system, scene, dict(_heroes(system, above)))
        except _SceneBroken as broken:
            failures.append(str(broken))
    return tuple(failures)


def _replay_build(system: AnySystem, step: BuildStep) -> Iterator[str]:
    try:
        choices = system.choices_codec.read(dict(step.choices))
    except CodecError as error:
        yield f"line {step.line}: {error}"
        return
    outcome = system.build(choices, system.content)
    if isinstance(outcome, Problems):
        yield from _other_problems(step.line, outcome, step.rejected)
    elif step.rejected:
        codes = [item.code for item in step.rejected]
        yield f"line {step.line}: built, expected to be rejected for {codes}"
    else:
        yield from _unmet(system.sheet_codec.dump(outcome)["data"], step.sheet)


def _heroes(system: AnySystem, steps: Iterable[BuildStep]) -> Iterator[tuple[str, Any]]:
    """The sheets of what was built so far, by name; what could not be read or built has been told already."""
    for step in steps:
        try:
            outcome = system.build(system.choices_codec.read(dict(step.choices)), system.content)
        except CodecError:
            continue
        if not isinstance(outcome, Problems):
            yield outcome.name, outcome


def _replay_scene(system: AnySystem, scene: SceneStep, heroes: Mapping[str, Any]) -> list[str]:
    play = system.campaign if scene.of_campaign else system.play
    if play is None:
        what = "campaigns" if scene.of_campaign else "scenes"
        raise _SceneBroken(f"line {scene.line}: {system.name} has no {what}")
    unknown = sorted(set(scene.cast.values()) - heroes.keys())
    if unknown:
        raise _SceneBroken(f"line {scene.line}: no hero above is called {', '.join(unknown)}")
    cast = tuple(CastMember(id=actor, sheet=heroes[name]) for actor, name in scene.cast.items())
    setup = _setup(play, scene)
    state = play.begin(setup, cast)
    if isinstance(state, Problems):
        _must_be_refused(scene.line, state, scene.refused)
        return []
    if scene.refused:
        raise _SceneBroken(_allowed(scene.line, scene.refused))
    stored = play.begin(_through_json(play.setup_codec, setup), cast)
    if state_hash(play, stored) != state_hash(play, state):
        raise _SceneBroken(f"line {scene.line}: begun twice, the scene opened in two states")
    failures = [
        *_unmet(_shown(play, state), scene.state),
        *_unmet(_standing(play, state), scene.outcome),
    ]
    replayed = _Replayed(
        system, {each.id: each for each in cast}, Position(play, state), Position(play, stored)
    )
    for step in scene.moves:
        try:
            failures += replayed.begin(step) if step.begins else replayed.move(step)
        except RuleFault as fault:
            raise _SceneBroken(f"line {step.line}: {fault}") from fault
    return failures


@dataclass(slots=True)
class _Replayed:
    """A scene, or a campaign with the scene that is begun from it, while it is played twice.

    Attributes:
        system: The game.
        cast: Who takes part, by id.
        at: Where it stands.
        again: Where it stands when everything goes through JSON.
        name: Name of the scene that is begun from the campaign; empty for none.
        within: Where that scene stands, twice.
    """

    system: AnySystem
    cast: Mapping[str, CastMember]
    at: Position
    again: Position
    name: str = ""
    within: tuple[Position, Position] | None = None

    def begin(self, step: MoveStep) -> list[str]:
        """Begin a scene from the campaign."""
        play, campaign = self.system.play, self.system.campaign
        if play is None or campaign is None or self.at.play is not campaign or self.within or self.at.asks:
            raise _SceneBroken(f"line {step.line}: no scene can be begun here")
        orders = campaign.scenes(self.at.state)
        if step.begins not in orders:
            known = ", ".join(orders)
            raise _SceneBroken(f"line {step.line}: the campaign has no {step.begins!r} now, but {known}")
        chosen = step.move.get("cast", list(self.cast))
        cast = tuple(each for each in self.cast.values() if isinstance(chosen, list) and each.id in chosen)
        setup = orders[step.begins].setup
        opening = play.begin(setup, cast)
        stored = play.begin(_through_json(play.setup_codec, setup), cast)
        if isinstance(opening, Problems) or isinstance(stored, Problems):
            raise _SceneBroken(f"line {step.line}: the scene cannot be begun: {opening}")
        self.name, self.within = step.begins, (Position(play, opening), Position(play, stored))
        self._hear(step, lambda state: began(campaign, state, self.name))
        return [*_unmet(_shown(play, opening), step.state), *_unmet(_standing(play, opening), step.outcome)]

    def move(self, step: MoveStep) -> list[str]:
        """Make a move, in the scene that is begun from a campaign while there is one."""
        if self.within is None:
            told, _, self.at, self.again = _replay_move(step, self.at, self.again)
            return told
        campaign = cast(AnyCampaign, self.at.play)
        told, events, *within = _replay_move(step, *self.within)
        self.within = (within[0], within[1])
        over = within[0].play.outcome(within[0].state).ended
        self._hear(step, lambda state: heard(campaign, state, self.name, events, over=over))
        if over:
            self.within = None
        return told

    def _hear(self, step: MoveStep, hear: Callable[[Any], Turn[Any, Any]]) -> None:
        """Take in what a scene does to the campaign, once more through JSON."""
        play = self.at.play
        turn = hear(self.at.state)
        events = (_through_json(play.event_codec, each.event) for each in turn.happened)
        again = fold(play, self.again.state, events)
        if state_hash(play, turn.state) != state_hash(play, again):
            raise _SceneBroken(f"line {step.line}: heard twice, the scene came to two campaigns")
        self.at, self.again = Position(play, turn.state), Position(play, again)


def _setup(play: AnyPlay, scene: SceneStep) -> Any:
    if scene.named and scene.named not in play.setups:
        raise _SceneBroken(f"line {scene.line}: no setup is called {scene.named!r}")
    named = _data(play.setup_codec, play.setups[scene.named]) if scene.named else {}
    return _read(play.setup_codec, {**named, **scene.setup}, scene.line)


def _replay_move(
    step: MoveStep, at: Position, stored: Position
) -> tuple[list[str], tuple[Any, ...], Position, Position]:
    """What came out otherwise, what happened, and where both runs of the scene stand after a move or an
    answer.
    """
    play = at.play
    move = _read(play.move_codec, step.move, step.line)
    before = state_hash(play, at.state)
    taken = at.take(move, step.line, _named(step))
    if state_hash(play, at.state) != before:
        raise _SceneBroken(f"line {step.line}: the move changed the state that it was made in")
    if isinstance(taken, Problems):
        _must_be_refused(step.line, taken, step.refused)
        return [], (), at, stored
    if step.refused:
        raise _SceneBroken(_allowed(step.line, step.refused))
    if unused := step.rolls.keys() - {roll.id for roll in taken.rolls}:
        raise _SceneBroken(f"line {step.line}: this move does not take {', '.join(sorted(unused))}")
    now = taken.position
    failures = [
        *_unasked(step, now),
        *_unmet(_shown(play, now.state), step.state),
        *_untold(play, step, taken),
        *_unmet(_standing(play, now.state), step.outcome),
    ]
    return failures, taken.events, now, _from_storage(step, stored, move, taken)


def _named(step: MoveStep) -> Thrower:
    """Lets dice fall as the text says, each roll by its name."""

    def throw(roll: Roll) -> tuple[int, ...]:
        faces = step.rolls.get(roll.id, ())
        if len(faces) != roll.dice.value:
            raise _SceneBroken(f"line {step.line}: this move takes {roll.id} {roll.notation}")
        return faces

    return throw


def _from_storage(step: MoveStep, stored: Position, move: Any, taken: Taken) -> Position:
    """Takes the move again with everything read from its JSON form; it must come to the same."""
    play = stored.play
    again = stored.take(_through_json(play.move_codec, move), step.line, scripted(taken.faces))
    if isinstance(again, Problems) or again.rolls != taken.rolls:
        raise _SceneBroken(f"line {step.line}: from its stored form the move is another")
    events = (_through_json(play.event_codec, event) for event in again.events)
    states = (fold(play, stored.state, events), again.position.state)
    if {state_hash(play, state) for state in states} != {state_hash(play, taken.position.state)}:
        raise _SceneBroken(f"line {step.line}: played twice, the move came to two states")
    return position(play, *json.loads(json.dumps(again.position.form())))


def _through_json(codec: Codec[Any], value: Any) -> Any:
    return codec.load(json.loads(json.dumps(codec.dump(value))))


def _read(codec: Codec[Any], data: Mapping[str, Json], line: int) -> Any:
    try:
        return codec.read(dict(data))
    except CodecError as error:
        raise _SceneBroken(f"line {line}: {error}") from error


def _data(codec: Codec[Any], value: Any) -> Any:
    return codec.dump(value)["data"]


def _shown(play: AnyPlay, state: Any) -> Json:
    """What `now` blocks look into: a state as it is stored, and what can be reckoned from it."""
    return spelled(play.state_codec.type, state, STORED)


def _standing(play: AnyPlay, state: Any) -> Json:
    """What `outcome` blocks look into."""
    outcome = play.outcome(state)
    changes: dict[str, Json] = {}
    if outcome.ended:
        changes = {change.character: dict(change.data) for change in play.changes(state)}
    return {
        "ended": outcome.ended,
        "winners": list(outcome.winners),
        "text": outcome.text,
        "changes": changes,
    }


def _unasked(step: MoveStep, at: Position) -> Iterator[str]:
    found = sorted(f"{ask.actor}: {ask.id}" for ask in at.asks)
    wanted = sorted(line.text for line in step.asked)
    if step.asked and found != wanted:
        yield f"line {step.line}: asked {found}, expected {wanted}"


def _untold(play: AnyPlay, step: MoveStep, taken: Taken) -> Iterator[str]:
    log = " ".join(filter(None, (play.tell(each.before, each.event) for each in taken.happened)))
    for wanted in step.told:
        if wanted.text not in log:
            yield f"line {wanted.line}: {wanted.text!r} was not told, but {log!r}"


def _must_be_refused(line: int, problems: Problems, expected: tuple[Rejection, ...]) -> None:
    for failure in _other_problems(line, problems, expected):
        raise _SceneBroken(failure)


def _allowed(line: int, refused: tuple[Rejection, ...]) -> str:
    return f"line {line}: allowed, expected to be refused for {[item.code for item in refused]}"


def _other_problems(line: int, problems: Problems, expected: tuple[Rejection, ...]) -> Iterator[str]:
    found = sorted(_where(item.code, path_text(item.path)) for item in problems)
    wanted = sorted(_where(item.code, item.path) for item in expected)
    if found != wanted:
        yield f"line {line}: rejected for {found}, expected {wanted}"


def _where(code: str, path: str) -> str:
    return f"{code} at {path}" if path else code


def _unmet(data: Json, expected: tuple[Expectation, ...]) -> Iterator[str]:
    for line in expected:
        try:
            value = find(data, line.path)
        except LookupError as error:
            yield f"line {line.line}: {line.path}: {error}"
            continue
        if value != line.value:
            yield f"line {line.line}: {line.path} is {value!r}, expected {line.value!r}"


def find(data: Json, path: str) -> Json:
    """The value at a path such as `actions[battle].rating.value`.

    `[..]` picks a list's item by number, id or name, or an object's value by its key.

    Raises:
        LookupError: There is nothing there.
    """
    for match in _STEP.finditer(path):
        key, pick = match.groups()
        if key is None:
            data = _pick(data, pick)
        elif isinstance(data, dict) and key in data:
            data = data[key]
        else:
            raise LookupError(f"nothing is called {key!r} here")
    return data


def _pick(data: Json, pick: str) -> Json:
    if isinstance(data, dict):
        if pick not in data:
            raise LookupError(f"nothing is called {pick!r} here")
        return data[pick]
    if not isinstance(data, list):
        raise LookupError(f"[{pick}] needs a list")
    if pick.isdecimal():
        if int(pick) >= len(data):
            raise LookupError(f"there are only {len(data)} items")
        return data[int(pick)]
    for item in data:
        if isinstance(item, dict) and pick in (item.get("id"), item.get("name")):
            return item
    raise LookupError(f"no item has the id or name {pick!r}")
