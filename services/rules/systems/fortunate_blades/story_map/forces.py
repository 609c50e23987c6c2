"""The forces of a story: factions, powers, gods and plights, with what the game master keeps to themselves.

The book tells what a force has (a name, facts, a Magnitude, an Involvement, an Ethic; for the one behind the
peril a goal and agents) but holds no table of them: what stands here is our own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from services.rules.engine.chance import Chance, Weights, weighted
from services.rules.systems.fortunate_blades.story_map.model import StoryForce
from services.rules.systems.fortunate_blades.story_map.names import filled, person
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryEthic,
    StoryForceSort,
    StoryInvolvement,
    StoryMagnitude,
    StoryOrigin,
    StoryScale,
    StoryStanding,
    StoryTone,
)

LONGEST = 30
"""Most letters of a made name."""

_F = StoryForceSort
_E = StoryEthic
_T = StoryTone
_M = StoryMagnitude
_I = StoryInvolvement

_SORTS: Mapping[StoryScale, Weights[StoryForceSort]] = {
    StoryScale.VILLAGE: {
        _F.HOUSE: 6,
        _F.GUILD: 3,
        _F.PLIGHT: 5,
        _F.BEAST: 5,
        _F.FAITH: 3,
        _F.COMPANY: 2,
        _F.CULT: 2,
    },
    StoryScale.TOWN: {
        _F.GUILD: 7,
        _F.HOUSE: 6,
        _F.ORDER: 4,
        _F.CULT: 4,
        _F.COMPANY: 4,
        _F.FAITH: 4,
        _F.PLIGHT: 3,
    },
    StoryScale.REGION: {
        _F.HOUSE: 5,
        _F.HORDE: 4,
        _F.ORDER: 4,
        _F.GUILD: 3,
        _F.FAITH: 4,
        _F.BEAST: 4,
        _F.CULT: 3,
        _F.PLIGHT: 3,
        _F.COMPANY: 3,
        _F.REALM: 2,
        _F.ELEMENT: 2,
        _F.FIEND: 1,
    },
    StoryScale.NATION: {
        _F.REALM: 5,
        _F.HOUSE: 5,
        _F.ORDER: 4,
        _F.FAITH: 4,
        _F.GUILD: 3,
        _F.HORDE: 4,
        _F.CULT: 3,
        _F.PLIGHT: 3,
        _F.FIEND: 2,
        _F.ELEMENT: 2,
        _F.BEAST: 2,
    },
    StoryScale.CONTINENT: {
        _F.REALM: 8,
        _F.FAITH: 5,
        _F.HORDE: 4,
        _F.ORDER: 4,
        _F.FIEND: 3,
        _F.ELEMENT: 3,
        _F.PLIGHT: 3,
        _F.GUILD: 2,
        _F.HOUSE: 2,
        _F.BEAST: 2,
    },
    StoryScale.WORLD: {
        _F.REALM: 8,
        _F.FAITH: 6,
        _F.FIEND: 4,
        _F.ELEMENT: 4,
        _F.HORDE: 3,
        _F.ORDER: 3,
        _F.PLIGHT: 3,
        _F.BEAST: 2,
    },
}
_LIKED: Mapping[StoryTone, tuple[StoryForceSort, ...]] = {
    _T.MONSTERS: (_F.BEAST, _F.HORDE),
    _T.GREAT_EVIL: (_F.FIEND, _F.CULT),
    _T.RIGHT_WRONGS: (_F.HOUSE, _F.PLIGHT),
    _T.JUSTICE: (_F.ORDER, _F.HOUSE),
    _T.HELP_NEEDY: (_F.PLIGHT,),
    _T.TREASURE: (_F.GUILD, _F.BEAST),
    _T.POWER: (_F.REALM, _F.ELEMENT),
    _T.LEADERS: (_F.REALM, _F.HOUSE),
    _T.DARK_SECRETS: (_F.CULT, _F.ORDER),
    _T.TENSE_SCARY: (_F.BEAST, _F.CULT, _F.FIEND),
    _T.CRIMINALS: (_F.GUILD, _F.COMPANY),
    _T.POLITICS: (_F.REALM, _F.HOUSE, _F.GUILD),
    _T.PERFORMING: (_F.COMPANY,),
    _T.BLEAK: (_F.PLIGHT, _F.HORDE),
    _T.WONDER: (_F.ELEMENT, _F.FAITH),
}


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What forces of one sort are like: names, facts, ethics, and goals of those behind a peril."""

    names: tuple[str, ...]
    facts: tuple[str, ...]
    ethics: tuple[StoryEthic, ...]
    goals: tuple[str, ...]
    agents: tuple[str, ...]


_PATTERNS: Mapping[StoryForceSort, _Pattern] = {
    _F.REALM: _Pattern(
        ("The Crown of {root}", "The {root} Empire", "The {fair} Throne", "The {root} League"),
        (
            "Its tax riders are never late.",
            "Its borders grow a mile each year.",
            "Its heir has not been seen lately.",
        ),
        (_E.ORDER, _E.POWER, _E.HONOR),
        (
            "To rule every hearth on this map under one seal.",
            "To wake the old oath that binds all its subjects.",
        ),
        ("Marshal {who}", "the royal assayers", "Chancellor {who}"),
    ),
    _F.HOUSE: _Pattern(
        ("House {last}", "The {last} Family", "House {root}"),
        (
            "It owns the debts of half the neighborhood.",
            "It has feuded for six generations.",
            "It marries well.",
        ),
        (_E.WEALTH, _E.POWER, _E.HONOR, _E.VENGEANCE),
        (
            "To own the ground that everybody stands on, by a deed older than the law.",
            "To bring back its first ancestor, whatever the body.",
        ),
        ("the steward {who}", "a masked cousin", "the lawyer {who}"),
    ),
    _F.GUILD: _Pattern(
        ("The {home} Guild", "The {sign} {beast} Guild", "The {fair} Exchange", "The Lamplighters of {root}"),
        (
            "It sets the price of bread.",
            "Its members know one another by a knock.",
            "It buys silence by the yard.",
        ),
        (_E.WEALTH, _E.KNOWLEDGE, _E.FREEDOM),
        (
            "To hold the only copy of everything worth knowing.",
            "To make all of them need what it alone sells.",
        ),
        ("the factor {who}", "porters who never talk", "the auditor {who}"),
    ),
    _F.ORDER: _Pattern(
        ("The {fair} Order", "The Wardens of {root}", "Knights of the {beast}", "The {old} Watch"),
        (
            "It guards a door and has forgotten why.",
            "It takes in foundlings.",
            "It keeps its vows to the letter.",
        ),
        (_E.HONOR, _E.ORDER, _E.KNOWLEDGE, _E.MERCY),
        ("To end all quarrels by ending all choice.", "To open what it swore to keep shut."),
        ("Knight-Captain {who}", "the oath-takers", "Prior {who}"),
    ),
    _F.COMPANY: _Pattern(
        ("The {grim} Company", "{last}’s Lances", "The {sign} {beast}s", "The {root} Venturers"),
        ("It has never broken a contract.", "It sings on the march.", "It pays widows double."),
        (_E.WEALTH, _E.FREEDOM, _E.HONOR),
        ("To be paid by both sides until there are no sides left.", "To take a country of its own."),
        ("Captain {who}", "deserters with fresh coin", "the paymaster {who}"),
    ),
    _F.FAITH: _Pattern(
        ("The Church of {root}", "The {fair} Mother", "{root} the Patient", "The Pilgrims of {root}"),
        (
            "Its bells are heard where it has no towers.",
            "It feeds whoever kneels.",
            "Its saints walk in the harvest.",
        ),
        (_E.MERCY, _E.ORDER, _E.NATURE),
        ("To bring its god down into the world in the flesh.", "To silence every other prayer."),
        ("Mother {who}", "the bell ringers", "a boy who hears voices"),
    ),
    _F.CULT: _Pattern(
        ("The {grim} Choir", "Children of {root}", "The {grim} Hand", "The Listeners Below"),
        (
            "Its sign is chalked on cellar doors.",
            "It meets where the dead are washed.",
            "It recruits the grieving.",
        ),
        (_E.HUNGER, _E.KNOWLEDGE, _E.VENGEANCE, _E.POWER),
        ("To put out the sun for a single night.", "To feed the thing under the well until it can stand."),
        ("the midwife {who}", "a kindly notary", "those who returned from the caves"),
    ),
    _F.FIEND: _Pattern(
        ("{root} the {grim}", "The {grim} Prince", "Lord {root}", "The Guest of {root}"),
        (
            "Bargains with it are kept, to the last word.",
            "It was bound once, and badly.",
            "It is always polite.",
        ),
        (_E.POWER, _E.HUNGER, _E.VENGEANCE),
        (
            "To collect, on one day, on every bargain ever made with it.",
            "To wear a crown by lawful election.",
        ),
        ("the advocate {who}", "mirrors", "three beggars"),
    ),
    _F.HORDE: _Pattern(
        ("The {grim} Horde", "The {root} Clans", "Raiders of {root}", "The {beast} Riders"),
        (
            "It moves because something drives it.",
            "It spares smiths and singers.",
            "Its drums are heard at night.",
        ),
        (_E.FREEDOM, _E.VENGEANCE, _E.HUNGER, _E.HONOR),
        ("To take the heartland before winter, and burn the way back.", "To carry its dead god to the sea."),
        ("the envoy {who}", "scouts in stolen coats", "the drummers"),
    ),
    _F.BEAST: _Pattern(
        ("{root}, the {grim} Wyrm", "The Beast of {root}", "The {grim} Queen", "Old {root}"),
        (
            "It takes one calf from each herd, and counts.",
            "It has a name and answers to it.",
            "It does not sleep.",
        ),
        (_E.HUNGER, _E.NATURE, _E.VENGEANCE),
        (
            "To hatch what it has hidden under the place where the story starts.",
            "To be worshiped as it once was.",
        ),
        ("those who dream of it", "the poacher {who}", "crows"),
    ),
    _F.ELEMENT: _Pattern(
        ("The {fair} Tide", "The Fire under {root}", "The {grim} Winter", "The Green of {root}"),
        (
            "It cannot be bargained with, only followed.",
            "Its weather keeps no season.",
            "Stones remember it.",
        ),
        (_E.NATURE, _E.HUNGER, _E.FREEDOM),
        ("To have the land back as it was before people.", "To break the seal that gives it a shape."),
        ("the hermit {who}", "birds out of season", "children who no longer feel cold"),
    ),
    _F.PLIGHT: _Pattern(
        ("The {grim} Fever", "Hunger", "Poverty", "The Long Drought", "Servitude", "The {grim} Debt"),
        ("It came with the last frost.", "Some grow fat on it.", "Nobody speaks of it at table."),
        (_E.HUNGER, _E.WEALTH, _E.POWER),
        ("Somebody feeds it: to make the desperate sign anything.", "To leave nobody who remembers freedom."),
        ("the grain factor {who}", "overseers", "Doctor {who}"),
    ),
}
FORCE_WORDS: Mapping[StoryForceSort, str] = {
    _F.REALM: "a realm",
    _F.HOUSE: "a great family",
    _F.GUILD: "a guild",
    _F.ORDER: "an order",
    _F.COMPANY: "a free company",
    _F.FAITH: "a faith",
    _F.CULT: "a cult",
    _F.FIEND: "a fiend",
    _F.HORDE: "a horde",
    _F.BEAST: "a monster",
    _F.ELEMENT: "an element",
    _F.PLIGHT: "a plight",
}
"""What a map says that a force is."""

ORIGIN_SORTS: Mapping[StoryOrigin, tuple[StoryForceSort, ...]] = {
    StoryOrigin.SAME_INSTITUTION: (_F.ORDER, _F.FAITH, _F.GUILD),
    StoryOrigin.HIRED_BY_COMPANY: (_F.COMPANY, _F.GUILD, _F.REALM),
    StoryOrigin.WRONGED_BY_FORCE: (_F.HOUSE, _F.REALM, _F.HORDE),
    StoryOrigin.SWORE_AGAINST_FORCE: (_F.FIEND, _F.REALM, _F.BEAST),
}
"""The origins that bring a force into the story."""

_VILLAINS = frozenset((_F.FIEND, _F.CULT, _F.BEAST, _F.HORDE, _F.ELEMENT, _F.ORDER, _F.FAITH))


def draw_force(
    sort: StoryForceSort,
    taken: Collection[str],
    stream: Chance,
    *,
    id: str,
    standing: StoryStanding,
    brought: StoryBringer,
    peril: bool,
    seats: Sequence[str],
) -> StoryForce:
    """A force of a sort.

    Args:
        sort: What it is.
        taken: Names that other forces have.
        stream: Of this force.
        id: Its id.
        standing: Whether players know of it.
        brought: Who brings it.
        peril: Whether it is behind the peril of the story.
        seats: Ids of places it may work from.
    """
    pattern = _PATTERNS[sort]
    name = _name(pattern.names, taken, stream)
    first = stream.below(len(pattern.facts))
    facts = (pattern.facts[first], pattern.facts[(first + 1) % len(pattern.facts)])
    magnitude = weighted(stream, {_M.MINOR: 3, _M.SERIOUS: 4, _M.HEROIC: 2})
    involvement = weighted(stream, {_I.DISTANT: 2, _I.WATCHFUL: 3, _I.ACTIVE: 4, _I.EVERYWHERE: 1})
    ethic = stream.choice(pattern.ethics)
    seat = stream.choice(seats) if seats and sort is not _F.PLIGHT else ""
    goal = ""
    agents: tuple[str, ...] = ()
    if standing is StoryStanding.SECRET:
        goal, agents = secret_plan(sort, stream)
    if peril:
        magnitude = stream.choice((_M.SERIOUS, _M.HEROIC, _M.HEROIC))
        involvement = stream.choice((_I.WATCHFUL, _I.ACTIVE))
    return StoryForce(
        id, name, sort, magnitude, involvement, ethic, facts, standing, brought, seat, "", peril, goal, agents
    )


def secret_plan(sort: StoryForceSort, stream: Chance) -> tuple[str, tuple[str, ...]]:
    """A goal for a secret force, and two through whom it acts."""
    pattern = _PATTERNS[sort]
    goal = stream.choice(pattern.goals)
    first = stream.below(len(pattern.agents))
    chosen = (pattern.agents[first], pattern.agents[(first + 1) % len(pattern.agents)])
    return goal, tuple(agent.format(who=person(stream)) for agent in chosen)


def _name(patterns: tuple[str, ...], taken: Collection[str], stream: Chance) -> str:
    for attempt in range(60):
        name = filled(stream.choice(patterns), stream)
        # Where all the plain words of a plight are taken, it is told apart by the place it comes from.
        if attempt > 40:
            name = filled(f"{name} of {{root}}", stream)
        if len(name) <= LONGEST and name not in taken:
            return name
    raise ValueError("no name is left for a force")


def choose_sort(
    scale: StoryScale,
    tones: Sequence[StoryTone],
    taken: Sequence[StoryForceSort],
    *,
    peril: bool,
    stream: Chance,
) -> StoryForceSort:
    """What a force is: by scale and tone, rather another than the same again.

    Args:
        scale: How much of the world the sheet shows.
        tones: Of the story.
        taken: What the others are.
        peril: Whether it is behind the peril.
        stream: Of the choice.
    """
    weights = {sort: 6 * weight for sort, weight in _SORTS[scale].items()}
    for tone in tones:
        for sort in _LIKED.get(tone, ()):
            weights[sort] = weights.get(sort, 3) * 2
    for sort in set(taken) & set(weights):
        weights[sort] = max(1, weights[sort] // (1 + 3 * taken.count(sort)))
    if peril:
        weights = {sort: weight * (3 if sort in _VILLAINS else 1) for sort, weight in weights.items()}
    return weighted(stream, weights)


def origin_force(origin: StoryOrigin, stream: Chance) -> StoryForceSort | None:
    """What the force is that the party's origin brings into the story; None when it brings none."""
    sorts = ORIGIN_SORTS.get(origin)
    return None if sorts is None else stream.choice(sorts)
