"""What the rules of a campaign work with: their turn, its content, a vote of the group."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import GM, GM_ONLY, Roll
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Step, Turn, refuse
from services.rules.systems.fortunate_blades.campaign import asks
from services.rules.systems.fortunate_blades.campaign.facts import (
    CampaignFact,
    Chosen,
    Tally,
)
from services.rules.systems.fortunate_blades.campaign.setup import MOST_KNOWN, name_problems
from services.rules.systems.fortunate_blades.campaign.state import (
    Campaign,
)
from services.rules.systems.fortunate_blades.catalog import Catalog

if TYPE_CHECKING:
    from services.rules.systems.fortunate_blades.campaign.scene import FortunateBladesCampaign

CampaignTurn = Turn[Campaign, CampaignFact]


def catalog_of(turn: CampaignTurn) -> Catalog:
    """The content that a turn is played with."""
    return cast("FortunateBladesCampaign", turn.play).catalog


def named(name: str, field: str) -> None:
    """Refuses a name that is empty or too long."""
    broken = tuple(name_problems(name, (field,)))
    if broken:
        raise Refused(Problems(broken))


def check_room(found: int) -> None:
    """Refuses one more where a story has as many as it may have."""
    if found >= MOST_KNOWN:
        refuse("list_too_long", f"A story has at most {MOST_KNOWN}.", "table", (), found, MOST_KNOWN)


def die(name: str, label: str, sides: int, *, secret: bool = False) -> Roll:
    """One die of the game master's, in secret or before all."""
    dice = Explained.of(Part(1, label, "Quests"))
    if secret:
        return Roll(id=name, actor=GM, label=label, dice=dice, sides=sides, audience=GM_ONLY)
    return Roll(id=name, actor=GM, label=label, dice=dice, sides=sides)


def chosen_by_all(turn: CampaignTurn, name: str, question: str, offers: dict[str, str]) -> Step[str]:
    """What most heroes vote for; where it is tied, what the game master says of that."""
    votes = yield from turn.ask(
        *(asks.vote(f"{name}:{hero.id}", hero.id, question, offers) for hero in turn.state.present())
    )
    counted = {each: sum(vote.choice == each for vote in votes) for each in offers}
    most = max(counted.values())
    best = {each: offers[each] for each, found in counted.items() if found == most}
    (last,) = yield from turn.ask(asks.vote(f"tie:{name}", GM, f"It is tied: {question}", best))
    tallies = tuple(Tally(choice=each, votes=found) for each, found in counted.items())
    turn.happen(Chosen(choice=last.choice, votes=tallies, tied=len(best) > 1))
    choice: str = last.choice
    return choice
