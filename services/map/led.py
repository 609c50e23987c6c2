"""A map that a scene leads: what the game makes of it, and what people may not do to it meanwhile. Pure.

The map is the one of the scene, whole, so that a move taken back takes along what the map grew by it. Each
piece of the game is a token, whose id is made of the scene's and the piece's: nobody can tell from it how
many there are. Tokens that people put stay as they are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import Any

from services.map.board import Board
from services.map.kind import Leading, Operation, Piece
from services.map.play.edits import Edit, MoveToken, PutToken, RemoveToken
from services.map.play.limits import MAX_NAME, problem
from services.map.play.state import MapState, Token, find
from services.map.registry import OPERATIONS
from services.map.render.figures import LETTERS
from services.rules.engine.problem import Finding, KeyPath, RuleProblem
from services.shared.ids import is_id

LED = "map_led_by_scene"
"""The problem of who would do themselves what the game on the map does."""

_COLOR = re.compile("#[0-9a-f]{6}", re.IGNORECASE)
_ID_DIGITS = 26


def led(board: Board, scene: str, leading: Leading[Any, Any], site: Any) -> Board:
    """The board with what a scene tells of it.

    Args:
        board: the map as it was.
        scene: id of the scene that leads it.
        leading: how scenes lead maps of its kind.
        site: the map and the pieces as the scene has them.

    Raises:
        ValueError: the scene's map is another one than this.
    """
    before = board.model
    followed = leading.follow(before, site)
    model = before if followed == before else followed
    tokens = _tokens(scene, leading.pieces(model, site))
    ours = {token.id for token in tokens}
    # What an earlier game has left standing goes when another one begins.
    others = [token for token in board.state.tokens if token.scene is None and token.id not in ours]
    ordered = tuple(sorted((*others, *tokens), key=lambda token: token.id))
    state = board.state if ordered == board.state.tokens else replace(board.state, tokens=ordered)
    return Board(model, state)


def refused(state: MapState, scene: str | None, edit: Edit | Operation) -> RuleProblem | None:
    """Tell why a game master may not make an edit of a map, if a scene leads it and does this itself."""
    if scene is None:
        return None
    match edit:
        case MoveToken(id=id) | PutToken(id=id) | RemoveToken(id=id):
            token = find(state, "tokens", id)
            if not isinstance(token, Token) or token.scene is None:
                return None
            return led_problem("The game on this map moves this token.", ("id",), id)
        case _ if isinstance(edit, OPERATIONS):
            return led_problem("The game on this map changes the map itself.", (), scene)
        case _:
            return None


def led_problem(message: str, path: KeyPath, found: Finding) -> RuleProblem:
    """Make the problem of a map, or a part of its past, that is a scene's."""
    return problem(LED, message, path, found, "a move in the scene")


def token_id(scene: str, piece: str) -> str:
    """Name the token of a piece."""
    return f"thg_{sha256(f'{scene} {piece}'.encode()).hexdigest()[:_ID_DIGITS]}"


def _tokens(scene: str, pieces: Sequence[Piece]) -> list[Token]:
    labels: set[str] = set()
    tokens = []
    for piece in pieces:
        name = "".join(sign for sign in piece.name if sign.isprintable()).strip()[:MAX_NAME] or "?"
        label = next(label for label in _labels(name) if label not in labels)
        labels.add(label)
        token = Token(
            id=token_id(scene, piece.id),
            name=name,
            at=piece.at,
            label=label,
            character=piece.id if is_id(piece.id, "chr") else None,
            scene=scene,
        )
        tokens.append(replace(token, color=piece.color) if _COLOR.fullmatch(piece.color) else token)
    return tokens


def _labels(name: str) -> Iterator[str]:
    """Short words for a name, the best first: its initials, its beginning, its first letter and a number."""
    words = name.split()
    yield "".join(word[0] for word in words[:2])
    yield from (words[0][:letters] for letters in range(2, LETTERS + 1))
    yield from (f"{words[0][0]}{number}" for number in count(2))
