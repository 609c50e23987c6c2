"""What a day takes from scene to scene: what a scene has changed about its heroes, and the rests between."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.rules.engine.play import CastMember
from services.rules.engine.problem import KeyPath, Problems
from services.rules.engine.simulation.bounds import BrokenRequest
from services.rules.engine.simulation.cases import Case, Plan, Scene
from services.rules.engine.simulation.characters import Character
from services.rules.engine.simulation.rests import DayRest, RestsBetweenScenes, rests_of


class Day:
    """The cast of one run on its way through the scenes of a day.

    Args:
        plan: The request.
        case: The case.
    """

    def __init__(self, plan: Plan, case: Case) -> None:
        self._play = plan.play
        self._rests = {rest.key: rest for rest in rests_of(plan.play)}
        self._cast, self._characters = case.cast, dict(case.characters)

    @property
    def cast(self) -> tuple[CastMember, ...]:
        """The cast as it comes into the next scene."""
        return self._cast

    def rest_before(self, scene: Scene) -> DayRest | None:
        """Return the rest that is taken before a scene; None for none."""
        return None if scene.rest is None else self._rests[scene.rest]

    def rest_opening(self, rest: DayRest, before: Any) -> Any | None:
        """Return the opening of a rest that is played; None where nobody is left who could rest.

        Args:
            rest: The rest, which has a scene.
            before: How the scene before ended.

        Raises:
            BrokenRequest: What the scene before has left of the cast cannot begin it.
        """
        return self._begun(rest.scene, before, None, ("scenes",))

    def next_opening(self, scene: Scene, before: Any) -> Any | None:
        """Return the opening of the next scene; None where nobody is left who could go on.

        Args:
            scene: That scene.
            before: How the scene before ended, or the rest in between where that was played.

        Raises:
            BrokenRequest: What the scene before has left of the cast cannot begin it.
        """
        if scene.setup is None:
            return scene.opening
        return self._begun(scene.setup, before, scene.rest, scene.path)

    def _begun(self, setup: Any, before: Any, rest: str | None, path: KeyPath) -> Any | None:
        opening = self._play.begin(setup, self._cast)
        if isinstance(opening, Problems):
            raise BrokenRequest(*(replace(each, path=(*path, *each.path)) for each in opening))
        if isinstance(self._play, RestsBetweenScenes):
            return self._play.opening_after(opening, before, rest)
        return opening

    def take_home(self, before: Any) -> None:
        """Take in what a scene, or a rest that was played, has changed about each of the cast.

        Raises:
            BrokenRequest: What the case replaces in a sheet makes it unreadable by now.
        """
        changed = {change.character: change.data for change in self._play.changes(before)}
        self._cast = tuple(
            self._changed(member, self._characters[member.id], changed[member.id])
            if member.id in self._characters and member.id in changed
            else member
            for member in self._cast
        )

    def _changed(self, member: CastMember, character: Character, data: Any) -> CastMember:
        built = character.absorbing(character.play, data)
        if built is None:
            return member
        self._characters[member.id], sheet = built
        return CastMember(id=member.id, sheet=sheet)
