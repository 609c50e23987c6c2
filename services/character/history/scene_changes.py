"""What scenes change about characters, taken into their choices by the rules of their game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from services.character.building.builds import Build, Built, build
from services.rules.engine.campaign import SUFFIX
from services.rules.engine.play import AnyPlay
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput

Document = Mapping[str, Any]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SceneChange:
    """What a scene has changed about a character, as a viewer may know it: not the character's own yet.

    Attributes:
        scene: its id.
        system: slug of the scene's game: the character's own, or that of its campaigns.
        data: in the game's own JSON form.
        text: the same in plain words.
    """

    scene: str
    system: str
    data: Document
    text: str


class Unbuildable(Exception):
    """A game cannot build a character with what a scene has changed; the message says why, for the log."""


def absorbed(system: AnySystem, slug: str, choices: Document, data: Document) -> Built:
    """Build a character, without its packs, with a change of a scene.

    Args:
        system: the character's game, with the packs that it is built under.
        slug: of the scene's game: the character's own, or that of its campaigns.
        choices: the document of its choices.
        data: the change, in the game's own JSON form.

    Raises:
        Unbuildable: it cannot be built.
    """
    play = _play(system, slug)
    if play is None:
        raise Unbuildable("its game has no scenes of this kind")
    try:
        wanted = play.absorb(system.choices_codec.load(choices), data)
        return build({system.slug: system}, Build(system.slug, wanted))
    except InvalidInput as refused:
        raise Unbuildable(refused.message) from refused
    except Exception as error:
        # One character that its game cannot read must not keep all others from what happened to them.
        log.exception("change_failed", system=slug)
        raise Unbuildable(f"{type(error).__name__}: {error}") from error


def with_changes(system: AnySystem, choices: Document, changes: Sequence[SceneChange]) -> Built | None:
    """Build a character with what scenes have changed.

    Args:
        system: the character's game, with the packs that it is built under.
        choices: the document of its choices.
        changes: what the scenes have changed, in their order. A change that the game cannot build is left
            out.

    Returns:
        The character, without its packs; None where no change could be built.
    """
    last: Built | None = None
    for change in changes:
        try:
            last = absorbed(system, change.system, choices, change.data)
            choices = last.choices
        except Unbuildable as error:
            log.warning("change_left_out", scene=change.scene, reason=str(error))
    return last


def changed_sheet(system: AnySystem, choices: Document, changes: Sequence[SceneChange]) -> Document | None:
    """Returns the document of a sheet with what scenes have changed; None as for ``with_changes``."""
    built = with_changes(system, choices, changes)
    return None if built is None else built.sheet


def builds_upon(
    system: AnySystem, choices: Document, change: SceneChange, older: Sequence[SceneChange]
) -> bool:
    """Tell whether a change comes to something else without the changes of older scenes before it: what was
    found there may be lost here.

    Args:
        system: the character's game, with the packs that it is built under.
        choices: the document of its choices, without any of the changes.
        change: of the scene that began last.
        older: those of the scenes before it, in the order in which they began.
    """
    behind, before = (with_changes(system, choices, each) for each in ((*older, change), (change, *older)))
    if behind is None or before is None:
        return behind is not before
    return behind.choices != before.choices


def _play(system: AnySystem, slug: str) -> AnyPlay | None:
    return system.campaign if slug == system.slug + SUFFIX else system.play
