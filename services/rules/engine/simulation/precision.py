"""Whether a figure that runs are to find out precisely is one that the game tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.rules.engine.play import ActorCard, AnyPlay
from services.rules.engine.problem import RuleProblem
from services.rules.engine.simulation.bounds import RULE
from services.rules.engine.simulation.figures import Power, figure_of, figures_of, is_share, power_of
from services.rules.engine.simulation.request import Precision


def precision_problems(
    wanted: Precision | None, actors: Sequence[ActorCard], powers: Sequence[Power], play: AnyPlay
) -> Iterator[RuleProblem]:
    """Yield what is wrong with a figure that is to be found out precisely.

    Args:
        wanted: The figure, and how precisely; None where none is.
        actors: The actors that figures are told of.
        powers: Their powers.
        play: The game's play.
    """
    if wanted is None:
        return
    figure = next((each for each in figures_of(play) if each.key == figure_of(wanted.figure)), None)
    subjects = {f"side:{actor.side}" for actor in actors} | {f"actor:{actor.id}" for actor in actors}
    subject = wanted.figure.partition("#")[0].partition("@")[2]
    told = {each.id for each in powers} if figure is not None and figure.by_power else {""}
    if (
        figure is None
        or (subject != "" if figure.of_scene else subject not in subjects)
        or power_of(wanted.figure) not in told
    ):
        text = "The game has no such figure of this subject: rounds, won@side:heroes."
        allowed = tuple(each.key for each in figures_of(play))
        path = ("precision", "figure")
        yield RuleProblem("figure_unknown", text, RULE, path, wanted.figure, allowed)
        return
    share = is_share(wanted.figure, figures_of(play))
    if not wanted.half_width > 0 or (share and wanted.half_width >= 1):
        text = "Half the width of an interval is more than 0; of a share, less than 1."
        path = ("precision", "half_width")
        yield RuleProblem("half_width_out_of_range", text, RULE, path, str(wanted.half_width))
