"""A map that a scene leads: what the game makes of it, and what people may not do to it meanwhile. Pure.

The map is the one of the scene, whole, so that a move taken back takes along what the map grew by it. Each
piece of the game is a token: the one that people put for it, or a new one, whose id is made of the scene's
and the piece's. Other tokens stay as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from types import MappingProxyType
from typing import Any

from services.map.board import Board
from services.map.kind import Leading, Operation, Piece
from services.map.play.edits import (
    Conceal,
    Edit,
    FindDoor,
    MoveToken,
    PutLight,
    PutToken,
    RemoveLight,
    RemoveToken,
    Reveal,
    RevealAll,
    SetDoor,
)
from services.map.play.limits import MAX_CONDITIONS, MAX_NAME, MAX_SIZE, MAX_WORD, problem
from services.map.play.rights import Editor, own
from services.map.play.state import (
    FogMode,
    Layer,
    LightSource,
    MapState,
    Sight,
    Token,
    find,
    scene_thing_id,
)
from services.map.registry import OPERATIONS
from services.map.render.figures import LETTERS
from services.rules.engine.problem import Finding, KeyPath, RuleProblem
from services.shared.ids import is_id

LED = "map_led_by_scene"
"""The problem of who would do themselves what the game on the map does."""

_COLOR = re.compile("#[0-9a-f]{6}", re.IGNORECASE)


def led(
    board: Board,
    scene: str,
    leading: Leading[Any, Any],
    site: Any,
    owners: Mapping[str, str] = MappingProxyType({}),
) -> Board:
    """The board with what a scene tells of it.

    A token that people put is the scene's while it stands for one of its characters, or where a creature of
    it began. Characters without a token get one, which their players own and see through.

    Args:
        board: the map as it was.
        scene: id of the scene that leads it.
        leading: how scenes lead maps of its kind.
        site: the map and the pieces as the scene has them.
        owners: ids of the accounts of characters, by the character's id.

    Raises:
        ValueError: the scene's map is another one than this.
    """
    before = board.model
    followed = leading.follow(before, site)
    model = before if followed == before else followed
    # What an earlier game has left standing goes when another one begins.
    kept = [
        token if token.scene == scene else _left(token)
        for token in board.state.tokens
        if token.scene in (None, scene) or not _put_by(token, token.scene)
    ]
    tokens = _tokens(scene, leading.pieces(model, site), kept, owners)
    ours = {token.id for token in tokens}
    others = [_left(token) for token in kept if token.id not in ours and not _put_by(token, scene)]
    ordered = tuple(sorted((*others, *tokens), key=lambda token: token.id))
    state = board.state if ordered == board.state.tokens else replace(board.state, tokens=ordered)
    if leading.state is not None:
        state = leading.state(state, model, site, scene)
    return Board(model, board.state if state == board.state else state)


def released(state: MapState) -> MapState:
    """The state of a map that no scene leads any more: tokens that people put are theirs again."""
    tokens = tuple(token if _put_by(token, token.scene) else _left(token) for token in state.tokens)
    still = tuple(replace(token, on_turn=False) if token.on_turn else token for token in tokens)
    return state if still == state.tokens else replace(state, tokens=still)


def refused(state: MapState, scene: str | None, edit: Edit | Operation, editor: Editor) -> RuleProblem | None:
    """Tell why an edit of a map cannot be made, if a scene leads it and does this itself.

    Players hear it of their own tokens and of doors; whatever else they may not do is refused elsewhere.
    """
    if scene is None:
        return None
    match edit:
        case MoveToken(id=id) | PutToken(id=id) | RemoveToken(id=id):
            token = find(state, "tokens", id)
            if not isinstance(token, Token) or token.scene is None:
                return None
            if not editor.gm and not own(token, editor.account):
                return None
            return led_problem("The game on this map moves this token.", ("id",), id)
        case SetDoor(id=id) | FindDoor(id=id) if state.extent.cells:
            return led_problem("The game on this map opens, shuts and finds its doors.", ("id",), id)
        case PutLight(id=id) | RemoveLight(id=id) if editor.gm:
            light = find(state, "lights", id)
            if not isinstance(light, LightSource) or light.scene is None:
                return None
            return led_problem("The game on this map made this light.", ("id",), id)
        case Reveal() | Conceal() | RevealAll() if editor.gm and state.fog.mode is FogMode.FOGGED:
            return led_problem("The game on this map says what is known of it.", (), scene)
        case _ if isinstance(edit, OPERATIONS):
            return led_problem("The game on this map changes the map itself.", (), scene)
        case _:
            return None


def as_known(after: Board, before: Board) -> Board:
    """A map after an edit with what was known of it before: under fog, the scene that leads it tells that."""
    fogged = before.state.fog.mode is FogMode.FOGGED
    if not fogged or after.state.fog != before.state.fog or after.state.explored == before.state.explored:
        return after
    return Board(after.model, replace(after.state, explored=before.state.explored))


def changes_led(before: MapState, after: MapState) -> bool:
    """Tell whether one state of a map that a scene leads differs from another in what the scene leads."""
    return _led_things(before) != _led_things(after)


def _led_things(state: MapState) -> tuple[object, ...]:
    explored = state.explored if state.fog.mode is FogMode.FOGGED else ()
    tokens = tuple(token for token in state.tokens if token.scene is not None)
    lights = tuple(light for light in state.lights if light.scene is not None)
    return tokens, lights, state.doors, explored


def led_problem(message: str, path: KeyPath, found: Finding) -> RuleProblem:
    """Make the problem of a map, or a part of its past, that is a scene's."""
    return problem(LED, message, path, found, "a move in the scene")


def _put_by(token: Token, scene: str | None) -> bool:
    """Whether a scene made a token, and did not find it on the map."""
    if scene is None or token.scene != scene:
        return False
    # Tokens of before scenes took over what they found name no actor.
    return not token.actor or token.id == scene_thing_id(scene, token.actor)


def _left(token: Token) -> Token:
    """A token that people put, as a scene leaves it to them."""
    return token if token.scene is None else replace(token, scene=None, actor="", side="", on_turn=False)


def _tokens(
    scene: str, pieces: Sequence[Piece], kept: Sequence[Token], owners: Mapping[str, str]
) -> list[Token]:
    found = _found(pieces, kept)
    labels = {token.label for token in found.values()}
    tokens = []
    for piece in pieces:
        name = "".join(sign for sign in piece.name if sign.isprintable()).strip()[:MAX_NAME] or "?"
        character = piece.id if is_id(piece.id, "chr") else None
        account = owners.get(piece.id)
        token = found.get(piece.id)
        if token is None:
            label = next(label for label in _labels(name) if label not in labels)
            labels.add(label)
            plain = Token(id=scene_thing_id(scene, piece.id), name=name, at=piece.at, label=label)
            token = replace(plain, color=piece.color) if _COLOR.fullmatch(piece.color) else plain
            sight = None if account is None else Sight()
            token = replace(token, character=character, sight=sight)
        mine = (account,) if account is not None and not token.owners else token.owners
        tokens.append(
            replace(
                token,
                name=name,
                at=piece.at,
                size=min(piece.size, MAX_SIZE),
                owners=mine,
                layer=Layer.GM if piece.hidden else Layer.PLAYERS,
                conditions=_words(piece.conditions),
                light=piece.light or (None if _put_by(token, scene) else token.light),
                scene=scene,
                actor=piece.id,
                side=piece.side,
                on_turn=piece.on_turn,
            )
        )
    return tokens


def _found(pieces: Sequence[Piece], kept: Sequence[Token]) -> dict[str, Token]:
    """The tokens that stand for pieces already, by the piece's id."""
    led = {token.actor: token for token in kept if token.scene is not None}
    free = [token for token in kept if token.scene is None]
    found: dict[str, Token] = {}
    for piece in pieces:
        token = led.get(piece.id)
        if token is None and not led:
            token = next((one for one in free if _stands_for(one, piece)), None)
        if token is not None:
            found[piece.id] = token
            free = [one for one in free if one.id != token.id]
    return found


def _stands_for(token: Token, piece: Piece) -> bool:
    """Whether a token that people put is that of a piece of a scene that begins."""
    if token.character is not None:
        return token.character == piece.id
    return token.creature != "" and token.at == piece.at


def _words(conditions: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word[:MAX_WORD] for word in conditions))[:MAX_CONDITIONS]


def _labels(name: str) -> Iterator[str]:
    """Short words for a name, the best first: its initials, its beginning, its first letter and a number."""
    words = name.split()
    yield "".join(word[0] for word in words[:2])
    yield from (words[0][:letters] for letters in range(2, LETTERS + 1))
    yield from (f"{words[0][0]}{number}" for number in count(2))
