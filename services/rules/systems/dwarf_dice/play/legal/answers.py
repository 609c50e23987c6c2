"""What answers each question in the middle of a move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.rules.engine.content import slug_of
from services.rules.engine.play import Chance, Choice, FieldKind, LegalMove, MoveField
from services.rules.engine.wording import counted
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.combat import combat_dice
from services.rules.systems.dwarf_dice.crafting import OUTER_SQUARES, one_aside, pacted
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.champions import exchanges
from services.rules.systems.dwarf_dice.play.hands import Cards
from services.rules.systems.dwarf_dice.play.legal import chances
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.resources import Resource

GEM = "your Power Gem"


def of_pact(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    """Dark Pact for Metal or for Wood, or none."""
    hoard, rule = state.at_work().hoard, "Dark Pact"
    nulls = hoard.nulls + hoard.aside
    for resource in (Resource.METAL, Resource.WOOD):
        word = resource.name.capitalize()
        yield LegalMove(
            id=f"pact:{word.lower()}",
            actor=actor,
            label=f"Dark Pact: {word}",
            text=f"{nulls} Null{'s become' if nulls > 1 else ' becomes'} {word}.",
            rule=rule,
            move={"kind": "DarkPact", "actor": actor, "resource": resource.value},
            cost=GEM,
            chances=chances.from_hoarded(state, pacted(hoard, resource), catalog),
        )
    likely = chances.from_hoarded(state, hoard, catalog)
    yield _decline(actor, "No pact", "Keep the Nulls, and the gem.", rule, likely)


def of_mark(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    """Mark of Quality, or none."""
    hoard, rule = state.at_work().hoard, "Mark of Quality"
    yield LegalMove(
        id="mark",
        actor=actor,
        label="Set a Null aside",
        text="One Null is not placed on the Forge.",
        rule=rule,
        move={"kind": "MarkOfQuality", "actor": actor},
        chances=chances.from_hoarded(state, one_aside(hoard), catalog),
    )
    likely = chances.from_hoarded(state, hoard, catalog)
    yield _decline(actor, "Set none aside", "All Nulls are placed.", rule, likely)


def of_nulls(state: Table, actor: str, catalog: Catalog) -> LegalMove:
    """The squares of all Nulls; nothing is left open where they fill the Forge but for its centre."""
    nulls = state.at_work().hoard.nulls
    crafter = state.fighter(state.at_work().crafter)
    squares = [{"x": square.x, "y": square.y} for square in OUTER_SQUARES]
    where = MoveField(
        name="squares",
        label="Which squares?",
        kind=FieldKind.SQUARES,
        squares=OUTER_SQUARES,
        least=nulls,
        most=nulls,
    )
    chosen = nulls == len(OUTER_SQUARES)
    return LegalMove(
        id="nulls",
        actor=actor,
        label=f"Place {nulls} Null{'s' * (nulls > 1)}",
        text=f"Block the Forge for {crafter.name}: one Null a square, never the centre.",
        rule="Null Rune",
        move={"kind": "PlaceNulls", "actor": actor, **({"squares": squares} if chosen else {})},
        fields=() if chosen else (where,),
        chances=chances.of_hindering(state, catalog),
    )


def of_upgrade(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    """Upgrade! for each card just forged, or none."""
    me, forger = state.fighter(actor), state.fighter(state.at_work().crafter)
    pairs = exchanges(state, me, catalog)
    for take in dict.fromkeys(it[1] for it in pairs):
        gifts = tuple(Choice(give, catalog.armory[give].name) for give, wanted in pairs if wanted == take)
        yield LegalMove(
            id=f"upgrade:{slug_of(take)}",
            actor=actor,
            label=f"Upgrade! Take {catalog.armory[take].name}",
            text=f"{forger.name} gets a card of yours for it.",
            rule="Upgrade!",
            move={"kind": "Upgrade", "actor": actor, "take": take},
            fields=(MoveField(name="give", label="Give what?", kind=FieldKind.CHOICE, choices=gifts),),
            cost=GEM,
        )
    yield _decline(actor, "No upgrade", "Keep your cards, and the gem.", "Upgrade!")


def of_attack(state: Table, choices: Iterable[Cards], catalog: Catalog) -> Iterator[LegalMove]:
    """Each choice of offensive cards."""
    combat = state.engaged()
    me, foe = state.fighter(combat.attacker), state.fighter(combat.defender)
    for cards in choices:
        likely = chances.of_attack(state, me, foe, catalog.value(cards), catalog)
        yield _choose(me.id, "Attack", cards, likely, catalog)


def of_defence(state: Table, choices: Iterable[Cards], catalog: Catalog) -> Iterator[LegalMove]:
    """Each choice of defensive cards."""
    combat = state.engaged()
    me, foe = state.fighter(combat.defender), state.fighter(combat.attacker)
    for cards in choices:
        likely = chances.of_defence(state, foe, me, catalog.value(cards), catalog)
        yield _choose(me.id, "Defend", cards, likely, catalog)


def _choose(actor: str, verb: str, cards: Cards, likely: tuple[Chance, ...], catalog: Catalog) -> LegalMove:
    total = catalog.value(cards)
    return LegalMove(
        id=f"choose:{'+'.join(slug_of(card) for card in cards) or 'nothing'}",
        actor=actor,
        label=f"{verb} with {catalog.names_of(cards)}",
        text=f"{counted(total, 'die', 'dice')}, in secret until both have chosen.",
        rule="Choosing Equipment",
        move={"kind": "ChooseCards", "actor": actor, "cards": list(cards)},
        chances=likely,
    )


def of_assault(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    """Furious Assault before the dice fall, or none."""
    rule = "Furious Assault"
    attack, defence = dice.combat_rolls(state, catalog)
    battering, fewer = combat_dice(dice.engaged(state, catalog, assault=True))
    yield LegalMove(
        id="assault",
        actor=actor,
        label=rule,
        text=f"They roll {fewer.value} dice instead of {defence.dice.value}.",
        rule=rule,
        move={"kind": "FuriousAssault", "actor": actor},
        cost=GEM,
        dice=battering,
        chances=chances.of_rolling(state, catalog, assault=True),
    )
    likely = chances.of_rolling(state, catalog, assault=False)
    text = f"{attack.dice.value} dice against {defence.dice.value}, and keep the gem."
    roll = _decline(actor, "No assault", text, rule, likely)
    yield replace(roll, dice=attack.dice, odds=attack.odds)


def of_fury(state: Table, actor: str) -> Iterator[LegalMove]:
    """Forge's Fury, or none."""
    rule = "Forge's Fury"
    aside = dice.theirs(state.engaged(), actor).count(Resource.ALCHEMY)
    yield LegalMove(
        id="fury",
        actor=actor,
        label=rule,
        text=f"{aside} Alchemy of theirs {'are' if aside > 1 else 'is'} set aside.",
        rule=rule,
        move={"kind": "ForgesFury", "actor": actor},
        cost=GEM,
        chances=chances.of_fury(state, actor, used=True),
    )
    likely = chances.of_fury(state, actor, used=False)
    yield _decline(actor, "Hold the fury back", "Let the dice lie, and keep the gem.", rule, likely)


def of_block(state: Table) -> LegalMove:
    """Which dice block; nothing is left open where all that can must (P9)."""
    combat = state.engaged()
    able, struck = dice.blockers(combat), len(dice.laid_out(combat))
    most = min(len(able), struck)
    least = 0 if state.rules.free_blocks else most
    names = [dice.die_name(place) for place in able]
    which = MoveField(
        name="dice",
        label="Which dice?",
        kind=FieldKind.CHOICES,
        choices=tuple(
            Choice(name, combat.defence_roll[place].name.capitalize())
            for name, place in zip(names, able, strict=True)
        ),
        least=least,
        most=most,
    )
    chosen = least == len(able)
    return LegalMove(
        id="block",
        actor=combat.defender,
        label="Block",
        text=f"Block up to {most} of {struck} attacking dice; Alchemy strikes back.",
        rule="ATTACK!",
        move={"kind": "Block", "actor": combat.defender, **({"dice": names} if chosen else {})},
        fields=() if chosen else (which,),
        chances=chances.of_blocking(state),
    )


def of_rebuke(state: Table, actor: str) -> Iterator[LegalMove]:
    """Fiery Rebuke, or none."""
    roll, rule = dice.rebuke_roll(state, actor), "Fiery Rebuke"
    yield LegalMove(
        id="rebuke",
        actor=actor,
        label=rule,
        text="Metal or Alchemy deals 1 damage to the attacker.",
        rule=rule,
        move={"kind": "FieryRebuke", "actor": actor},
        dice=roll.dice,
        odds=roll.odds,
        chances=chances.of_rebuke(state, used=True),
    )
    likely = chances.of_rebuke(state, used=False)
    yield _decline(actor, "Do not rebuke", "Let the attacker go.", rule, likely)


def _decline(actor: str, label: str, text: str, rule: str, likely: tuple[Chance, ...] = ()) -> LegalMove:
    form = {"kind": "Decline", "actor": actor}
    return LegalMove(id="decline", actor=actor, label=label, text=text, rule=rule, move=form, chances=likely)
