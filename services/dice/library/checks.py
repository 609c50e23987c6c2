"""Which words a table may have: checks of dice, of saved rolls, of the variables in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from services.dice.library.variables import NAME, path_of
from services.rules.dice.lexer import spaced
from services.rules.dice.lexicon import is_die_name
from services.rules.dice.notation import NotationError, NotationLimitError
from services.rules.dice.pool import Face
from services.shared.problems import Issue
from services.shared.wording import strange_signs

MAX_FACES = 1_000
MAX_FACE_LABEL = 20
MAX_VALUE = 1_000_000
"""The value of a face is from minus to plus so much."""
MAX_DICE = 50
MAX_DICE_FACES = 5_000
"""Faces of all dice of a place together."""

MAX_MACROS = 500
MAX_NAME = 80
MAX_LABEL = 120
MAX_ISSUES = 50

DIE_NAME = re.compile(r"[a-z][a-z_]{2,39}")


def die_name_issues(name: str, named: Mapping[str, tuple[Face, ...]]) -> list[Issue]:
    """Check a die's name: its form, and that it means nothing yet.

    Args:
        name: as the notation will have it behind the `d`.
        named: the dice of the games, whose names are taken everywhere.
    """
    if DIE_NAME.fullmatch(name) is None:
        return [
            Issue(
                code="NAME",
                message="A die's name has 3 to 40 characters: small letters, and `_` behind the first.",
                path=["name"],
                found=ascii(name[:MAX_NAME]),
                allowed=DIE_NAME.pattern,
            )
        ]
    if name in named or not is_die_name(name):
        return [
            Issue(
                code="NAME_RESERVED",
                message=f"`{name}` has a meaning in dice notation already; choose another name.",
                path=["name"],
                found=name,
            )
        ]
    return []


def face_issues(faces: Sequence[Face]) -> list[Issue]:
    """Check the labels and values of a die's faces; the first 50 broken rules are told."""
    issues = []
    for place, face in enumerate(faces[:MAX_FACES]):
        path = ["faces", str(place)]
        if not 1 <= len(face.label) <= MAX_FACE_LABEL or not _readable(face.label):
            issues.append(
                Issue(
                    code="LABEL",
                    message=f"A label has 1 to {MAX_FACE_LABEL} printable characters and no blank at an end.",
                    path=[*path, "label"],
                    found=ascii(face.label[: MAX_FACE_LABEL + 1]),
                    allowed=f"1..{MAX_FACE_LABEL} printable characters",
                )
            )
        if not -MAX_VALUE <= face.value <= MAX_VALUE:
            issues.append(_out_of_range([*path, "value"], face.value))
    return issues[:MAX_ISSUES]


def crowding_issues(found: int, others: int) -> list[Issue]:
    """Check that a die of so many faces fits beside others that have so many."""
    if found + others <= MAX_DICE_FACES:
        return []
    return [
        Issue(
            code="TOO_MANY",
            message=f"All dice together have at most {MAX_DICE_FACES:,} faces; the others have {others:,}.",
            path=["faces"],
            found=str(found),
            allowed=f"1..{MAX_DICE_FACES - others}",
        )
    ]


def expression_issues(text: str) -> list[Issue]:
    """Check that an expression can be kept; whether it means anything, its notation says."""
    if all(character.isprintable() or character in "\t\r\n" for character in spaced(text)):
        return []
    return [
        Issue(
            code="BAD_CHARACTER",
            message="`expression` has printable characters only.",
            path=["expression"],
        )
    ]


def notation_issue(error: NotationError, *path: str) -> Issue:
    """Say what is wrong with dice notation, with the place marked."""
    limit = isinstance(error, NotationLimitError)
    return Issue(
        code="NOTATION_LIMIT" if limit else "NOTATION",
        message=f"This asks for too much: {error}."
        if limit
        else f"This is no dice notation: {error}.\n{error.caret}",
        path=list(path),
        rule="dice notation",
        found=error.found,
        allowed=" or ".join(error.expected),
    )


def unknown_variable_issues(given: Sequence[str], wanted: Sequence[str]) -> list[Issue]:
    """Find defaults of variables that the expression does not have.

    Args:
        given: plain names of the defaults.
        wanted: the names of the variables in the expression.
    """
    return [
        Issue(
            code="NOT_IN_EXPRESSION",
            message=f"The expression has no `@{name}`.",
            path=path_of(name),
            found=name,
            allowed=", ".join(wanted) or None,
        )
        for name in given
        if name not in wanted and NAME.fullmatch(name) is not None
    ]


def taken(name: str) -> Issue:
    """Report a name that something else at this place has."""
    return Issue(code="NAME_TAKEN", message="This name is taken already.", path=["name"], found=name)


def full(most: int, what: str) -> Issue:
    """Report that a place is full."""
    return Issue(
        code="TOO_MANY", message=f"At most {most:,} {what} are kept here.", path=[], allowed=f"0..{most}"
    )


def _out_of_range(path: list[str], value: int) -> Issue:
    return Issue(
        code="OUT_OF_RANGE",
        message=f"A value is from -{MAX_VALUE:,} to {MAX_VALUE:,}.",
        path=path,
        found=str(value)[:40],
        allowed=f"-{MAX_VALUE}..{MAX_VALUE}",
    )


def _readable(text: str) -> bool:
    return not strange_signs(text) and text == text.strip()
