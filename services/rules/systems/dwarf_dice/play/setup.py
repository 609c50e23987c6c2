"""What is decided before a game, and how it opens (Setup)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.setups import Party
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play.effects import powers_of
from services.rules.systems.dwarf_dice.play.state import Fighter, Table
from services.rules.systems.dwarf_dice.settings import HouseRules, rules_problems, with_house_rules

TITLE_LENGTH = 200
LEAST_SECONDS, MOST_SECONDS = 5, 7 * 24 * 60 * 60
SETUP_RULE = "Setup"
NO_HOUSE_RULES = HouseRules()


class Sheets(Enum):
    """Who plays which champion: the one of their own sheet, or one dealt by chance as the book does."""

    OWN = "own"
    DEALT = "dealt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a game master decides before a game.

    Attributes:
        title: What the game is called.
        players: How many sit at the table; seats that no character takes are filled with rivals, whom the
            game master leads. None for one a character, and a rival where there is only one.
        first: Id of who begins, a character's or `rival-1`; empty for the first of the cast (P15).
        champions: Whether everybody plays their own champion, or they are dealt.
        rivals: Names of the rivals, in their order; one without a name is called by the champion, or by a
            number where champions are dealt.
        answer_seconds: How long questions wait; None for as long as it takes.
        house: What this game is played by in place of the table's rules.
    """

    title: str
    players: int | None = None
    first: str = ""
    champions: Sheets = Sheets.OWN
    rivals: tuple[str, ...] = ()
    answer_seconds: int | None = None
    house: HouseRules = NO_HOUSE_RULES


SETUPS: Mapping[str, Setup] = MappingProxyType(
    {
        "feud": Setup(title="A Feud of the Clans"),
        "drawn-lots": Setup(title="The Lots Are Drawn", players=4, champions=Sheets.DEALT),
        "closed-hands": Setup(
            title="What Is Up Their Sleeves", answer_seconds=120, house=HouseRules(open_hands=False)
        ),
    }
)


SETUP_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "feud": "A whole game with open hands; seats that nobody takes are played by rivals.",
        "drawn-lots": "A whole game of four, who are dealt their champions.",
        "closed-hands": "A whole game in which nobody shows what they hold, with two minutes for an answer.",
    }
)
"""What each of them is."""


def party(setup: Setup, catalog: Catalog) -> Party:
    """Which champions a setup can be begun with: each once, unless they are dealt (Setup; checklist F2)."""
    most = catalog.box.most_players if setup.players is None else setup.players
    return Party(most=most, different=() if setup.champions is Sheets.DEALT else ("champion",))


def begin(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Table | Problems:
    """The opening position, or every rule the setup breaks."""
    rules = with_house_rules(catalog.rules, setup.house)
    broken = [
        *_title_problems(setup),
        *_player_problems(setup, cast, catalog),
        *_champion_problems(setup, cast, catalog),
        *seconds_problems(setup.answer_seconds, ("answer_seconds",)),
        *(replace(it, path=("house", *it.path)) for it in rules_problems(rules, catalog.box.dice)),
    ]
    if broken:
        return Problems(tuple(broken))
    fighters = _fighters(setup, cast, catalog, rules.endurance)
    seats = tuple(one.id for one in fighters)
    if setup.first and setup.first not in seats:
        text = "Nobody at this table has this id."
        unknown = RuleProblem("first_unknown", text, "P15", ("first",), setup.first, seats)
        return Problems((unknown,))
    return Table(
        title=setup.title.strip(),
        rules=rules,
        fighters=fighters,
        stock=catalog.copies(len(fighters)),
        turn=setup.first or seats[0],
        answer_seconds=setup.answer_seconds,
    )


def seats_taken(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> int:
    """How many sit at the table."""
    return max(len(cast), catalog.box.fewest_players) if setup.players is None else setup.players


def _title_problems(setup: Setup) -> Iterator[RuleProblem]:
    if not setup.title.strip():
        yield RuleProblem("title_missing", "A game needs a title.", SETUP_RULE, ("title",), setup.title)
    if len(setup.title) > TITLE_LENGTH:
        text, found = f"At most {TITLE_LENGTH} signs fit.", len(setup.title)
        yield RuleProblem("title_too_long", text, SETUP_RULE, ("title",), found, TITLE_LENGTH)


def _player_problems(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[RuleProblem]:
    fewest, most = catalog.box.fewest_players, catalog.box.most_players
    players = seats_taken(setup, cast, catalog)
    if not cast:
        yield RuleProblem("cast_missing", "Somebody has to play.", SETUP_RULE, ("cast",), 0, 1)
    if not fewest <= players <= most:
        text = f"From {fewest} to {most} can play."
        yield RuleProblem("players_out_of_range", text, SETUP_RULE, ("players",), players, (fewest, most))
    elif len(cast) > players:
        text = "There are more characters than seats."
        yield RuleProblem("seats_too_few", text, SETUP_RULE, ("players",), players, len(cast))
    elif len(setup.rivals) > players - len(cast):
        text = "There are more names of rivals than rivals."
        left = players - len(cast)
        yield RuleProblem("rivals_too_many", text, SETUP_RULE, ("rivals",), len(setup.rivals), left)
    for place, name in enumerate(setup.rivals):
        if len(name) > TITLE_LENGTH:
            text, path = f"At most {TITLE_LENGTH} signs fit.", ("rivals", place)
            yield RuleProblem("name_too_long", text, SETUP_RULE, path, len(name), TITLE_LENGTH)


def _champion_problems(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[RuleProblem]:
    """Each champion is there once (Setup; checklist F2)."""
    if setup.champions is Sheets.DEALT:
        return
    for champion, count in Counter(member.sheet.champion for member in cast).items():
        if champion not in catalog.champions:
            text = "No clan has such a champion."
            allowed = catalog.champions.ids
            yield RuleProblem("champion_unknown", text, SETUP_RULE, ("champions",), champion, allowed)
        elif count > 1:
            text = "Each champion is played by one player only; have them dealt, or choose others."
            yield RuleProblem("champion_taken", text, SETUP_RULE, ("champions",), champion, 1)


def seconds_problems(seconds: int | None, path: tuple[str, ...]) -> Iterator[RuleProblem]:
    """What is wrong with a time limit."""
    if seconds is not None and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        allowed = (LEAST_SECONDS, MOST_SECONDS)
        text = f"A time limit is from {LEAST_SECONDS} seconds to {MOST_SECONDS} (a week), or none."
        yield RuleProblem("seconds_out_of_range", text, "time limit", path, seconds, allowed)


def _fighters(
    setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog, endurance: int
) -> tuple[Fighter, ...]:
    dealt = setup.champions is Sheets.DEALT
    own = tuple(member.sheet.champion for member in cast)
    left = tuple(champion for champion in catalog.champions.ids if champion not in own)
    found = [
        Fighter(
            id=member.id,
            name=member.sheet.name,
            champion="" if dealt else member.sheet.champion,
            character=True,
            endurance=endurance,
        )
        for member in cast
    ]
    for place in range(seats_taken(setup, cast, catalog) - len(cast)):
        champion = "" if dealt else left[place]
        named = setup.rivals[place].strip() if place < len(setup.rivals) else ""
        usual = f"Rival {place + 1}" if dealt else catalog.champions[champion].name
        found.append(
            Fighter(
                id=f"rival-{place + 1}",
                name=named or usual,
                champion=champion,
                character=False,
                endurance=endurance,
            )
        )
    return tuple(replace(one, effects=powers_of(one.id, one.champion, catalog)) for one in found)
