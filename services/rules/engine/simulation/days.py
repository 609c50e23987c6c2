"""What a day takes from scene to scene: what a scene has changed about its heroes, and the rests between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.rules.engine.matches import MatchError
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.engine.simulation.cases import Case, Plan, Scene
from services.rules.engine.simulation.rests import RestsBetweenScenes, rests_of


class Day:
    """The cast of one run on its way through the scenes of a day.

    Args:
        plan: The request.
        case: The case.
    """

    def __init__(self, plan: Plan, case: Case) -> None:
        self._system = plan.system
        self._play = plan.play
        self._rests = {rest.key: rest for rest in rests_of(plan.play)}
        self._cast, self._choices = case.cast, dict(case.choices)

    def next_opening(self, scene: Scene, before: Any, play: Callable[[Any], Any]) -> Any | None:
        """Return the opening of the next scene; None where nobody is left who could go on.

        Args:
            scene: That scene.
            before: How the scene before it ended.
            play: Plays a rest from its opening to its end, and returns that.

        Raises:
            MatchError: What the scene before has left of the cast cannot begin it.
        """
        self._take_home(before)
        if scene.setup is None:
            return scene.opening
        rest = None if scene.rest is None else self._rests[scene.rest]
        if rest is not None and rest.scene is not None:
            opening = self._begun(rest.scene, before, None)
            if opening is None:
                return None
            before = play(opening)
            self._take_home(before)
        return self._begun(scene.setup, before, scene.rest)

    def _begun(self, setup: Any, before: Any, rest: str | None) -> Any | None:
        opening = self._play.begin(setup, self._cast)
        if isinstance(opening, Problems):
            raise MatchError(f"a later scene of the day cannot be begun: {opening}")
        if isinstance(self._play, RestsBetweenScenes):
            return self._play.opening_after(opening, before, rest)
        return opening

    def _take_home(self, before: Any) -> None:
        """Take in what a scene has changed about each of the cast."""
        changed = {change.character: change for change in self._play.changes(before)}
        self._cast = tuple(
            self._changed(member, changed[member.id].data)
            if member.id in self._choices and member.id in changed
            else member
            for member in self._cast
        )

    def _changed(self, member: CastMember, data: Any) -> CastMember:
        choices = self._choices[member.id] = self._play.absorb(self._choices[member.id], data)
        sheet = self._system.build(choices, self._system.content)
        return member if isinstance(sheet, Problems) else CastMember(id=member.id, sheet=sheet)
