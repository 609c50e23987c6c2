"""The key beside a map: its rooms by number with their notes, and the signs that are used on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.map.generation.grid.model import DoorKind, DoorState, GridKind, GridMap
from services.map.generation.grid.terrain import TRAITS, Terrain
from services.map.render.grid.ground import swatch
from services.map.render.grid.lettering import note_letter
from services.map.render.grid.palette import Palette
from services.map.render.grid.signs import DOOR_WORDS, door_sign, secret_letter, stairs_sign, trap_sign
from services.map.render.grid.writing import wrapped, written
from services.map.render.svg import number

COLUMN = 300.0
GAP = 26.0
_NAME, _NOTE, _SIGN = 13.5, 12.0, 12.5
_NAME_ROW, _NOTE_ROW, _SIGN_ROW = 17.0, 14.6, 27.0
_INDENT = 26.0
_SPACE = 7.0

_HEADINGS = {GridKind.BATTLE: "Places", GridKind.CAVE: "Chambers"}

_SHOWN = (
    Terrain.WATER,
    Terrain.SHALLOWS,
    Terrain.CHASM,
    Terrain.LAVA,
    Terrain.ICE,
    Terrain.FUNGUS,
    Terrain.MUD,
)


@dataclass(frozen=True, slots=True)
class Block:
    """What stays together in a column.

    Attributes:
        heading: A heading of the key, or the name of a room.
        number: The room's number; empty for headings and signs.
        lines: Its notes, broken into lines.
        sign: The sign it explains, as (what, which); its words are the heading.
        height: Pixels it takes up.
    """

    heading: tuple[str, ...]
    number: str
    lines: tuple[str, ...]
    sign: tuple[str, str] | None
    height: float


def blocks(model: GridMap) -> tuple[Block, ...]:
    """Everything the key of a map says, in order."""
    found: list[Block] = []
    rooms = [room for room in model.rooms if room.name or room.notes]
    if rooms:
        found.append(_title(_HEADINGS.get(model.kind, "Rooms")))
    for room in rooms:
        name = tuple(wrapped(room.name or "Unnamed", _NAME, COLUMN - _INDENT, bold=True))
        lines = tuple(line for note in room.notes for line in wrapped(note, _NOTE, COLUMN - _INDENT))
        height = len(name) * _NAME_ROW + len(lines) * _NOTE_ROW + _SPACE
        found.append(Block(name, str(room.number), lines, None, height))
    notes = [note.text for note in model.notes if note.text]
    if notes:
        found.append(_title("Notes"))
    for index, text in enumerate(notes):
        lines = tuple(wrapped(text, _NOTE, COLUMN - _INDENT))
        found.append(Block((), note_letter(index), lines, None, len(lines) * _NOTE_ROW + _SPACE))
    signs = _signs(model)
    if signs:
        found.append(_title("Signs"))
    found += [Block((words,), "", (), sign, _SIGN_ROW) for words, sign in signs]
    return tuple(found)


def _title(words: str) -> Block:
    return Block((words,), "", (), None, 32.0)


def _signs(model: GridMap) -> list[tuple[str, tuple[str, str]]]:
    doors = sorted({door.kind for door in model.doors}, key=list(DOOR_WORDS).index)
    found = [(DOOR_WORDS[kind].capitalize(), ("door", kind.value)) for kind in doors]
    if any(door.state is DoorState.LOCKED for door in model.doors):
        found.append(("Locked", ("lock", "")))
    for up, words in ((True, "Stairs up"), (False, "Stairs down")):
        if any(one.up is up for one in model.stairs):
            found.append((words, ("stairs", words)))
    found += [(f"Trap: {kind}", ("trap", kind)) for kind in sorted({trap.kind for trap in model.traps})]
    present = set(model.cells)
    found += [
        (TRAITS[terrain].name.capitalize(), ("ground", terrain.name))
        for terrain in _SHOWN
        if terrain in present
    ]
    return found


def columns(entries: Sequence[Block], count: int) -> tuple[tuple[Block, ...], ...]:
    """Deals blocks out to at most `count` columns, as even and as short as they come.

    A heading never ends a column.
    """
    total = sum(entry.height for entry in entries)
    limit = max(total / count, max((entry.height for entry in entries), default=0.0))
    while True:
        dealt = _dealt(entries, limit)
        if len(dealt) <= count:
            return tuple(tuple(column) for column in dealt)
        limit += 16.0


def _dealt(entries: Sequence[Block], limit: float) -> list[list[Block]]:
    dealt: list[list[Block]] = [[]]
    used = 0.0
    for index, entry in enumerate(entries):
        needed = entry.height
        if _is_title(entry) and index + 1 < len(entries):
            needed += entries[index + 1].height
        if dealt[-1] and used + needed > limit:
            dealt.append([])
            used = 0.0
        dealt[-1].append(entry)
        used += entry.height
    return dealt


def _is_title(entry: Block) -> bool:
    return not entry.number and entry.sign is None


def column_height(column: Sequence[Block]) -> float:
    """Pixels a column takes up."""
    return sum(entry.height for entry in column)


def draw_column(column: Sequence[Block], left: float, top: float, paint: Palette) -> str:
    """One column of the key."""
    drawn: list[str] = []
    y = top
    for entry in column:
        if entry.sign is not None:
            drawn.append(_sign(entry.sign, left + 18, y + 12, paint))
            drawn.append(written(entry.heading[0], left + 44, y + 16.5, _SIGN))
        elif _is_title(entry):
            drawn.append(written(entry.heading[0], left, y + 20, 17.0, bold=True))
            drawn.append(
                f'<path d="M{number(left)} {number(y + 25.5)}h{number(COLUMN)}" stroke="{paint.text}"'
                ' stroke-width="0.8" fill="none"/>'
            )
        else:
            drawn.append(_entry(entry, left, y, paint))
        y += entry.height
    return "".join(drawn)


def _entry(entry: Block, left: float, y: float, paint: Palette) -> str:
    drawn = [written(entry.number, left + 16, y + 12.5, _NAME, bold=True, anchor="end")]
    row = y
    for name in entry.heading:
        drawn.append(written(name, left + _INDENT, row + 12.5, _NAME, bold=True))
        row += _NAME_ROW
    for line in entry.lines:
        drawn.append(written(line, left + _INDENT, row + 11, _NOTE, fill=paint.text_soft))
        row += _NOTE_ROW
    return "".join(drawn)


def _sign(sign: tuple[str, str], x: float, y: float, paint: Palette) -> str:
    what, which = sign
    scale, colour = 0.22, paint.line
    match what:
        case "door":
            kind = DoorKind(which)
            drawn = (
                secret_letter(paint, 0, 0)
                if kind is DoorKind.SECRET
                else door_sign(paint, kind, DoorState.CLOSED, 1, False)
            )
        case "lock":
            drawn = door_sign(paint, DoorKind.WOODEN, DoorState.LOCKED, 1, False)
        case "stairs":
            drawn = stairs_sign(paint, which == "Stairs up")
        case "trap":
            drawn, colour = trap_sign(paint, which, 1, 1), paint.master
        case _:
            drawn = swatch(Terrain[which], paint)
    return (
        f'<g transform="translate({number(x)} {number(y)}) scale({scale})" fill="none" stroke="{colour}"'
        f' stroke-width="4.6" stroke-linejoin="round" stroke-linecap="round">{drawn}</g>'
    )
