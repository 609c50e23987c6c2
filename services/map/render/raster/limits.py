"""How large a picture may be.

ValueError
└── PictureTooLargeError      a picture over the limits was asked for all the same (`problem`)
"""

from __future__ import annotations

from services.rules.engine.problem import KeyPath, RuleProblem

MAX_SIDE = 16_384
"""Pixels along the longer side; what WebP holds, and more than any tabletop takes."""

MAX_PIXELS = 64_000_000
"""Pixels in all."""

DEFAULT_PIXELS = 32
"""Pixels along a cell, where no number is asked for."""

VTT_PIXELS = 70
"""The same in a file for a virtual table."""


class PictureTooLargeError(ValueError):
    """A picture over the limits was asked for; callers ask `too_large` first.

    Attributes:
        problem: What is too large.
    """

    def __init__(self, problem: RuleProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def too_large(width: int, height: int, path: KeyPath = ()) -> RuleProblem | None:
    """Why a picture of this size is refused.

    Args:
        width: Pixels across.
        height: Pixels down.
        path: The part of the request that asks for it.

    Returns:
        The problem, or None when the picture may be made.
    """
    if min(width, height) < 1:
        return RuleProblem(
            "picture_empty",
            "The picture has no pixels.",
            "pictures",
            path,
            found=min(width, height),
            allowed=1,
        )
    if max(width, height) > MAX_SIDE:
        return RuleProblem(
            "picture_side_too_long",
            f"A side of the picture is longer than {MAX_SIDE} pixels.",
            "pictures",
            path,
            found=max(width, height),
            allowed=MAX_SIDE,
        )
    if width * height > MAX_PIXELS:
        return RuleProblem(
            "picture_too_large",
            f"The picture has more than {MAX_PIXELS} pixels.",
            "pictures",
            path,
            found=width * height,
            allowed=MAX_PIXELS,
        )
    return None


def require_size(width: int, height: int) -> None:
    """Stops a picture that is too large before any work.

    Raises:
        PictureTooLargeError: It is.
    """
    problem = too_large(width, height)
    if problem is not None:
        raise PictureTooLargeError(problem)
