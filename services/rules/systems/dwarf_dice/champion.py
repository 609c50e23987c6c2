"""A champion as a character: what a player chooses, the sheet that comes of it, and broken choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from services.rules.dice.stream import FaceStream
from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog, Power, PowerEffect, PowerKind

NAME_LENGTH = 80
CHAMPION_RULE = "Champions and Powers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chronicle:
    """What became of a champion's games; scenes write it.

    Attributes:
        won: Games won.
        lost: Games lost.
        felled: Champions defeated in combats that this one began or stood.
    """

    won: int = 0
    lost: int = 0
    felled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionChoices:
    """Everything a player decides about a champion.

    Attributes:
        name: What the player calls her or him.
        champion: Content id of the champion sheet.
        chronicle: What became of earlier games.
    """

    name: str
    champion: str
    chronicle: Chronicle = Chronicle()


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLine:
    """A power on a sheet.

    Attributes:
        id: Content id.
        uses: How often in a game; None for any number of times.
    """

    id: str
    name: str
    kind: PowerKind
    uses: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionSheet:
    """A champion sheet (Champion Card Anatomy).

    Attributes:
        champion: Content id of the champion.
        champion_name: As it is printed on the sheet.
        endurance: What the champion can bear, and why.
        gems: Power Gems: one on the Active Power, one on the Endurance Tracker.
    """

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    champion: str
    champion_name: str
    clan: str
    text: str
    powers: tuple[PowerLine, ...]
    endurance: Explained
    gems: int
    chronicle: Chronicle

    def named_numbers(self) -> Mapping[str, int]:
        """What dice notation can name."""
        return {"won": self.chronicle.won, "lost": self.chronicle.lost, "felled": self.chronicle.felled}


def build(choices: ChampionChoices, catalog: Catalog) -> ChampionSheet | Problems:
    """The sheet of these choices, or every rule they break."""
    problems = tuple(_problems(choices, catalog))
    champion = catalog.champions.get(choices.champion)
    if problems or champion is None:
        return Problems(problems)
    powers = (catalog.powers[champion.passive], catalog.powers[champion.active])
    endurance = Explained.of(Part(catalog.rules.endurance, "every champion", "Setup"))
    return ChampionSheet(
        system=SLUG,
        name=choices.name.strip(),
        tracks=(Track("endurance", "Endurance", endurance.value, endurance.value),),
        checks=tuple(_checks(catalog, powers)),
        champion=champion.id,
        champion_name=champion.name,
        clan=champion.clan,
        text=champion.text,
        powers=tuple(_power_line(power) for power in powers),
        endurance=endurance,
        gems=2,
        chronicle=choices.chronicle,
    )


def _problems(choices: ChampionChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    if not choices.name.strip():
        text = "A champion needs a name."
        yield RuleProblem("name_missing", text, "Champion Sheet", ("name",), choices.name)
    if len(choices.name) > NAME_LENGTH:
        text, found = f"At most {NAME_LENGTH} signs fit.", len(choices.name)
        yield RuleProblem("name_too_long", text, "Champion Sheet", ("name",), found, NAME_LENGTH)
    if choices.champion not in catalog.champions:
        allowed = catalog.champions.ids
        text = "No clan has such a champion."
        yield RuleProblem("champion_unknown", text, CHAMPION_RULE, ("champion",), choices.champion, allowed)
    chronicle = choices.chronicle
    for field, count in (("won", chronicle.won), ("lost", chronicle.lost), ("felled", chronicle.felled)):
        if count < 0:
            text = "Nobody has fewer than none."
            yield RuleProblem("chronicle_negative", text, "Chronicle", ("chronicle", field), count, 0)


def _power_line(power: Power) -> PowerLine:
    uses = 1 if power.kind is PowerKind.ACTIVE else None
    return PowerLine(id=power.id, name=power.name, kind=power.kind, uses=uses, text=power.text)


def _checks(catalog: Catalog, powers: tuple[Power, ...]) -> Iterator[RollableCheck]:
    """What a champion can roll, as plain dice: what each face shows stands in the reading."""
    rules = catalog.rules
    order = rules.faces.order()
    shows = ", ".join(f"{face} {it.name.capitalize()}" for face, it in enumerate(order, start=1))

    def check(name: str, title: str, reading: str, dice: Explained) -> RollableCheck:
        return RollableCheck(name, title, f"{dice.value}d{len(order)}", f"{reading} Faces: {shows}.", dice)

    hoard = Explained.of(Part(rules.hoard, "every Hoarding", "Hoarding"))
    yield check("hoard", "Hoard", "Each face is a resource for the Forge.", hoard)
    most = Explained.of(
        Part(rules.most_value, "as many as the cards of one side may come to", "Choosing Equipment")
    )
    yield check("attack", "Attack", "Metal and Alchemy hit, and each Alchemy deals 1 at once.", most)
    blocks = "Wood and Alchemy block one die each, and an Alchemy that blocks deals 1 back."
    yield check("defence", "Defend", blocks, most)
    for power in powers:
        if power.effect is PowerEffect.FIERY_REBUKE:
            one = Explained.of(Part(1, power.name, power.name))
            yield check("rebuke", power.name, "Metal or Alchemy deals 1 to the attacker.", one)


def drawn_champion(
    stream: FaceStream, catalog: Catalog, name: str | None, concept: str | None
) -> ChampionChoices | Problems:
    """A champion drawn by chance, as the book deals its sheets; the concept is a champion's id.

    Raises:
        StreamError: The stream has no face to give.
    """
    champions = catalog.champions.ids
    if concept is not None and concept not in champions:
        text = "No clan has such a champion."
        return Problems(
            (RuleProblem("champion_unknown", text, CHAMPION_RULE, ("concept",), concept, champions),)
        )
    words = catalog.names
    drawn = concept or champions[stream.draw(len(champions)) - 1]
    if name is None:
        first = words.first[stream.draw(len(words.first)) - 1]
        name = f"{first} {words.nicknames[stream.draw(len(words.nicknames)) - 1]}"
    return ChampionChoices(name=name, champion=drawn)


def examples(catalog: Catalog) -> Mapping[str, ChampionChoices]:
    """One of each champion, under the name that is printed on the sheet."""
    return {
        champion.id.rpartition("/")[2]: ChampionChoices(name=champion.name, champion=champion.id)
        for champion in catalog.champions
    }
