"""Every way to cheat with an export of verifiable rolls, and the check that finds it.

``OUTSIDE`` is what anybody can do with the lines of an honest export; ``INSIDE`` what the server itself could
state and sign, with all hashes and links as they should be.
"""

from collections.abc import Callable
from typing import Any

from services.rules.dice.vr1 import Check
from tests.dice.exports import SERVER, STRANGER, evening, faces_of, swap

Forge = Callable[[list[str]], None]
Change = Callable[[list[dict[str, Any]]], None]


def cut(*places: int) -> Forge:
    """Leave lines out."""

    def change(lines: list[str]) -> None:
        for place in sorted(places, reverse=True):
            del lines[place]

    return change


def put(place: int, copied: int) -> Forge:
    """Put a line somewhere else as well."""
    return lambda lines: lines.insert(place, lines[copied])


def edit(old: str, new: str) -> Forge:
    """Change the first line that holds some text."""

    def change(lines: list[str]) -> None:
        place = next(place for place, line in enumerate(lines) if old in line)
        lines[place] = lines[place].replace(old, new, 1)

    return change


def exchange(one: int, other: int) -> Forge:
    """Exchange two lines."""
    return lambda lines: swap(lines, one, other)


def forge(place: int) -> Forge:
    """Put a stranger's line in place of the server's."""

    def change(lines: list[str]) -> None:
        lines[place] = evening().lines(STRANGER)[place]

    return change


# Lines of `evening`: 0 key, 1 commitment, 2 1d20, 3 void, 4 custom dice, 5 large dice, 6 none, 7 closing,
# 8 commitment, 9 10d10, 10 4d6, 11 head.
OUTSIDE: dict[str, tuple[Forge, Check]] = {
    "face": (edit('\\"faces\\":[', '\\"faces\\":[2,'), Check.HASH),
    "total": (edit('\\"total\\":', '\\"total\\":1'), Check.HASH),
    "roll": (edit("rol_open_1_1", "rol_open_1_2"), Check.HASH),
    "expression": (edit("1d20", "1d12"), Check.HASH),
    "anchor": (edit('\\"anchor\\":\\"', '\\"anchor\\":\\"00'), Check.FORM),
    "length": (edit('\\"length\\":6', '\\"length\\":7'), Check.HASH),
    "hash": (edit('"hash":"', '"hash":"00'), Check.FORM),
    "dropped void": (cut(3), Check.NUMBER),
    "dropped roll": (cut(4), Check.NUMBER),
    "dropped closing": (cut(7), Check.COMMITMENT),
    "dropped commitment": (cut(1), Check.COMMITMENT),
    "dropped second commitment": (cut(8), Check.COMMITMENT),
    "cut head": (cut(11), Check.HEAD),
    "cut tail": (cut(10, 11), Check.HEAD),
    "cut tail before the head": (cut(10), Check.HEAD),
    "cut second epoch": (cut(8, 9, 10, 11), Check.HEAD),
    "cut second epoch before the head": (cut(8, 9, 10), Check.COMMITMENT),
    "only the key": (cut(*range(1, 12)), Check.HEAD),
    "nothing": (cut(*range(12)), Check.HEAD),
    "swapped rolls": (exchange(4, 5), Check.NUMBER),
    "swapped epochs": (exchange(1, 8), Check.COMMITMENT),
    "double roll": (put(3, 2), Check.NUMBER),
    "double commitment": (put(2, 1), Check.COMMITMENT),
    "double closing": (put(8, 7), Check.COMMITMENT),
    "double head": (put(12, 11), Check.HEAD),
    "roll behind the head": (put(12, 10), Check.COMMITMENT),
    "head in front": (put(1, 11), Check.HEAD),
    "another's receipt": (forge(4), Check.SIGNATURE),
    "another's head": (forge(11), Check.SIGNATURE),
    "a key of another name": (edit(SERVER.public, STRANGER.public), Check.SIGNATURE),
    "words in between": (lambda lines: lines.insert(5, "hello"), Check.FORM),
}


def setting(at: int, **members: Any) -> Change:
    """Set members of a body."""
    return lambda bodies: bodies[at].update(members)


def reseeded(bodies: list[dict[str, Any]]) -> None:
    """Draw a roll from another seed, faces and all: a server that would like to have another result."""
    bodies[1]["seed"] = bytes(32).hex()
    bodies[1]["faces"] = faces_of(bodies[1])


def reclaimed(bodies: list[dict[str, Any]]) -> None:
    """Claim other client entropy and keep the faces."""
    bodies[1]["client"] = bytes(16).hex()


def renumbered(bodies: list[dict[str, Any]]) -> None:
    """Leave a roll out, and number what follows anew."""
    del bodies[1]
    for number, body in enumerate(bodies[1:5], start=1):
        body["number"] = number


def skipped(bodies: list[dict[str, Any]]) -> None:
    """Leave a number out altogether."""
    del bodies[2]


def forgotten(bodies: list[dict[str, Any]]) -> None:
    """Leave out the newest roll of an epoch."""
    del bodies[5]


def reordered(bodies: list[dict[str, Any]]) -> None:
    """Exchange two rolls with everything but their numbers."""
    swap(bodies, 3, 4)
    bodies[3]["number"], bodies[4]["number"] = 3, 4


def shortened(bodies: list[dict[str, Any]]) -> None:
    """Claim entropy so short that the server could have tried all of it."""
    bodies[1]["client"] = bytes(15).hex()
    bodies[1]["faces"] = faces_of(bodies[1])


def behind_the_closing(bodies: list[dict[str, Any]]) -> None:
    """Roll once more in an epoch that is closed."""
    bodies.insert(7, {**bodies[5], "number": 6, "roll": "rol_more", "seed": bodies[6]["seed"]})


# Bodies of `evening`: 0 commitment, 1 1d20, 2 void, 3 custom dice, 4 large dice, 5 none, 6 closing,
# 7 commitment, 8 10d10, 9 4d6, 10 head.
INSIDE: dict[str, tuple[Change, Check]] = {
    "face": (setting(8, faces=[1] * 10), Check.FACES),
    "one face less": (setting(1, faces=[]), Check.FACES),
    "one die less": (setting(8, dice=[10] * 9), Check.FACES),
    "other dice": (setting(9, dice=[20] * 4), Check.FACES),
    "seed": (reseeded, Check.SEED),
    "seed of a void": (setting(2, seed=bytes(32).hex()), Check.SEED),
    "client": (reclaimed, Check.FACES),
    "number": (setting(1, number=2), Check.NUMBER),
    "left out": (renumbered, Check.SEED),
    "skipped": (skipped, Check.NUMBER),
    "forgotten": (forgotten, Check.CLOSING),
    "order": (reordered, Check.SEED),
    "anchor": (setting(0, anchor=bytes(32).hex()), Check.SEED),
    "longer chain": (setting(0, length=7), Check.SEED),
    "shorter chain": (setting(0, length=4), Check.NUMBER),
    "other epoch": (setting(3, epoch=bytes(16).hex()), Check.COMMITMENT),
    "other place": (setting(7, place="cmp_other"), Check.HEAD),
    "same epoch again": (lambda bodies: bodies[7].update(epoch=bodies[0]["epoch"]), Check.COMMITMENT),
    "ordinal": (setting(7, ordinal=3), Check.COMMITMENT),
    "first ordinal": (setting(0, ordinal=2), Check.COMMITMENT),
    "die": (lambda bodies: bodies[3]["tables"]["boon"].update(faces=[["boon", 2]]), Check.TABLE),
    "closing counts less": (setting(6, used=4), Check.CLOSING),
    "closing without a seed": (setting(6, seed=None), Check.CLOSING),
    "closing with another seed": (setting(6, seed=bytes(32).hex()), Check.SEED),
    "head counts more": (setting(10, used=3), Check.HEAD),
    "head of another epoch": (setting(10, epoch=bytes(16).hex()), Check.COMMITMENT),
    "head of a part": (setting(10, view="revealed"), Check.HEAD),
    "hidden in the open": (setting(9, hidden=True), Check.NUMBER),
    "short entropy": (shortened, Check.FORM),
    "die without faces": (setting(1, dice=[0]), Check.FORM),
    "other scheme": (setting(0, scheme="VR2"), Check.FORM),
    "endless chain": (setting(0, length=2**20 + 1), Check.FORM),
    "first epoch follows": (setting(0, previous=bytes(32).hex()), Check.COMMITMENT),
    "behind the closing": (behind_the_closing, Check.COMMITMENT),
    "a roll twice": (setting(9, roll="rol_open_1_1"), Check.NUMBER),
}
