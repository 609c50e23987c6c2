"""Builds the sheet of a champion from choices, or names every rule they break."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import CheckOutcome, RollableCheck, Track
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog, Power, PowerEffect, PowerKind
from services.rules.systems.dwarf_dice.choices import ChampionChoices
from services.rules.systems.dwarf_dice.mechanics import DICE
from services.rules.systems.dwarf_dice.settings import USUAL, DieFaces
from services.rules.systems.dwarf_dice.sheet import ChampionSheet, PowerLine

NAME_LENGTH = 80
CHAMPION_RULE = "Champions and Powers"


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


def _die(faces: DieFaces) -> str:
    """The die in dice notation: by its name, or with the faces of the table's own die written out."""
    if faces == USUAL:
        return "resource"
    values = {face.label: face.value for face in DICE["resource"]}
    labels = (resource.name.lower() for resource in faces.order())
    return f"[{','.join(f'{label}:{values[label]}' for label in labels)}]"


def _checks(catalog: Catalog, powers: tuple[Power, ...]) -> Iterator[RollableCheck]:
    """What a champion can roll: Resource dice, of which the faces are the outcome."""
    rules = catalog.rules
    order = rules.faces.order()
    shows = ", ".join(f"{face} {it.name.capitalize()}" for face, it in enumerate(order, start=1))

    def check(name: str, title: str, reading: str, dice: Explained) -> RollableCheck:
        notation = f"{dice.value}d{_die(rules.faces)}"
        reading = f"{reading} Faces: {shows}."
        return RollableCheck(name, title, notation, reading, dice, CheckOutcome.FACES)

    hoard = Explained.of(Part(rules.hoard, "every Hoarding", "Hoarding"))
    yield check("hoard", "Hoard", "Each face is a resource for the Forge.", hoard)
    most = Explained.of(
        Part(rules.most_value, "as many as the cards of one side may come to", "Choosing Equipment")
    )
    yield check("attack", "Attack", "Metal and Alchemy hit, and each Alchemy deals 1 at once.", most)
    blocks = "Wood and Alchemy block one die each, and an Alchemy that blocks deals 1 back."
    yield check("defence", "Defend", blocks, most)
    for power in powers:
        if power.id == PowerEffect.FIERY_REBUKE:
            one = Explained.of(Part(1, power.name, power.name))
            yield check("rebuke", power.name, "Metal or Alchemy deals 1 to the attacker.", one)
