"""How likely what a player hopes for is, exactly, for every choice that is offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from services.rules.engine.content import slug_of
from services.rules.engine.play import Chance
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.combat import Threat, best_blocks, blow, combat_dice, threat
from services.rules.systems.dwarf_dice.craft_odds import Nulls, craft_chance, from_hoard
from services.rules.systems.dwarf_dice.crafting import Hoard
from services.rules.systems.dwarf_dice.items import ArmoryItem, Side
from services.rules.systems.dwarf_dice.play.dice import engaged
from services.rules.systems.dwarf_dice.play.effects import has
from services.rules.systems.dwarf_dice.play.hands import hand_is_seen, strength, threat_of_totals
from services.rules.systems.dwarf_dice.play.state import Fighter, Table
from services.rules.systems.dwarf_dice.powers import rebukes


def before_hoarding(state: Table, hoard: int, catalog: Catalog) -> tuple[Chance, ...]:
    """For each item in stock, how likely the Hoarding to come, of so many dice, lets it be forged."""
    crafter, rules = state.fighter(state.turn), state.rules
    aside = int(has(crafter, PowerEffect.MARK_OF_QUALITY))
    return tuple(
        _forging(
            item,
            how,
            craft_chance(
                item.pattern,
                how,
                faces=rules.faces,
                dice=hoard,
                aside=aside,
                shifting=rules.shifting,
            ),
        )
        for item in _in_stock(state, catalog)
        for how in (Nulls.RANDOM, Nulls.AIMED)
    )


def from_hoarded(state: Table, hoard: Hoard, catalog: Catalog) -> tuple[Chance, ...]:
    """For each item in stock, how likely it can be forged from this Hoard while Nulls wait."""
    shifting = state.rules.shifting
    return tuple(
        _forging(item, how, from_hoard(item.pattern, hoard.resources(), hoard.nulls, how, shifting=shifting))
        for item in _in_stock(state, catalog)
        for how in (Nulls.RANDOM, Nulls.AIMED)
    )


def of_hindering(state: Table, catalog: Catalog) -> tuple[Chance, ...]:
    """For each item that the crafter could forge, whether all Nulls together keep them from it."""
    hoard, shifting = state.at_work().hoard, state.rules.shifting
    return tuple(
        Chance(
            f"hinder:{slug_of(item.id)}",
            f"keep them from forging {item.name}, every Null against it",
            1 - from_hoard(item.pattern, hoard.resources(), hoard.nulls, Nulls.AIMED, shifting=shifting),
        )
        for item in _in_stock(state, catalog)
        if from_hoard(item.pattern, hoard.resources(), 0, Nulls.NONE, shifting=shifting)
    )


def _in_stock(state: Table, catalog: Catalog) -> Iterator[ArmoryItem]:
    return (item for item in catalog.armory if state.stock[item.id] > 0)


def _forging(item: ArmoryItem, how: Nulls, chance: Fraction) -> Chance:
    assumed = "Nulls at random" if how is Nulls.RANDOM else "every Null against it"
    name = "forge" if how is Nulls.RANDOM else "forge-aimed"
    return Chance(f"{name}:{slug_of(item.id)}", f"forge {item.name}, {assumed}", chance)


def of_attack(
    state: Table, attacker: Fighter, defender: Fighter, total: int, catalog: Catalog
) -> tuple[Chance, ...]:
    """What an attack of so many dice may do: against no cards, and against the most that may be put up."""
    return tuple(
        chance
        for name, words, defence in _defences(state, defender, catalog)
        for chance in _striking(
            threat_of_totals(state, attacker, defender, total, defence, catalog),
            attacker,
            defender,
            name,
            words,
        )
    )


def _defences(state: Table, defender: Fighter, catalog: Catalog) -> Iterator[tuple[str, str, int]]:
    yield "bare", " against no cards", 0
    if not hand_is_seen(defender, state):
        most = state.rules.most_value
        yield "most", f" against {most} dice, the most there can be", most
    elif most := strength(defender, Side.DEFENCE, state, catalog):
        yield "most", f" against {most} dice, the most their hand puts up", most


def of_defence(
    state: Table, attacker: Fighter, defender: Fighter, total: int, catalog: Catalog
) -> tuple[Chance, ...]:
    """What a defence of so many dice holds off, of the most that the attacker may bring."""
    seen = hand_is_seen(attacker, state)
    attack = strength(attacker, Side.OFFENCE, state, catalog) if seen else state.rules.most_value
    found = threat_of_totals(state, attacker, defender, attack, total, catalog)
    words = f" against {attack} dice, the most {'their hand brings' if seen else 'there can be'}"
    return _standing(found, attacker, defender, words)


def of_rolling(state: Table, catalog: Catalog, *, assault: bool) -> tuple[Chance, ...]:
    """What the dice about to be rolled may do, with Furious Assault or without it."""
    combat = state.engaged()
    attacker, defender = state.fighter(combat.attacker), state.fighter(combat.defender)
    attack, defence = combat_dice(engaged(state, catalog, assault=assault))
    found = threat(attack.value, defence.value, state.rules.faces)
    return _striking(found, attacker, defender, "now", "")


def of_fury(state: Table, who: str, *, used: bool) -> tuple[Chance, ...]:
    """What the dice that lie there do, with Forge's Fury or without it: that is certain by now."""
    combat = state.engaged()
    after = replace(combat, fury=(*combat.fury, who)) if used else combat
    attacker, defender = state.fighter(combat.attacker), state.fighter(combat.defender)
    blocks = best_blocks(combat.attack_roll, combat.defence_roll, crits=after.crits, counters=after.counters)
    struck = blow(combat.attack_roll, combat.defence_roll, blocks, crits=after.crits, counters=after.counters)
    if who == attacker.id:
        return (
            Chance("hurt", f"hurt {defender.name}", Fraction(struck.to_defender > 0)),
            Chance("fell", f"fell {defender.name}", Fraction(struck.to_defender >= defender.endurance)),
        )
    return (
        Chance("unhurt", "take no damage", Fraction(struck.to_defender == 0)),
        Chance("stand", "stay standing", Fraction(struck.to_defender < defender.endurance)),
    )


def of_blocking(state: Table) -> tuple[Chance, ...]:
    """What the best blocks come to; nothing is left to chance any more."""
    combat = state.engaged()
    attacker, defender = state.fighter(combat.attacker), state.fighter(combat.defender)
    dice = (combat.attack_roll, combat.defence_roll)
    blocks = best_blocks(*dice, crits=combat.crits, counters=combat.counters)
    struck = blow(*dice, blocks, crits=combat.crits, counters=combat.counters)
    return (
        Chance(
            "stand", "stay standing with the best blocks", Fraction(struck.unblocked < defender.endurance)
        ),
        Chance("counter", f"hurt {attacker.name} with the best blocks", Fraction(struck.counters > 0)),
        Chance(
            "fell",
            f"fell {attacker.name} with the best blocks",
            Fraction(struck.counters >= attacker.endurance),
        ),
    )


def of_rebuke(state: Table, *, used: bool) -> tuple[Chance, ...]:
    """What one die may do to the attacker."""
    attacker = state.fighter(state.engaged().attacker)
    faces = state.rules.faces.order()
    hurting = sum(map(rebukes, faces))
    hit = Fraction(hurting, len(faces)) if used else Fraction(0)
    felled = hit if attacker.endurance <= 1 else Fraction(0)
    return (
        Chance("hurt", f"hurt {attacker.name}", hit),
        Chance("fell", f"fell {attacker.name}", felled),
    )


def of_dealing(catalog: Catalog) -> tuple[Chance, ...]:
    """Which champion falls to oneself."""
    share = Fraction(1, len(catalog.champions))
    return tuple(
        Chance(f"play:{slug_of(champion.id)}", f"play {champion.name}", share)
        for champion in catalog.champions
    )


def _striking(
    found: Threat, attacker: Fighter, defender: Fighter, name: str, words: str
) -> tuple[Chance, ...]:
    return (
        Chance(f"hurt:{name}", f"hurt {defender.name}{words}", found.hurts()),
        Chance(f"fell:{name}", f"fell {defender.name}{words}", found.hurts(defender.endurance)),
        Chance(f"fall:{name}", f"fall to counters{words}", found.counters(attacker.endurance)),
    )


def _standing(found: Threat, attacker: Fighter, defender: Fighter, words: str) -> tuple[Chance, ...]:
    return (
        Chance("unhurt", f"take no damage{words}", 1 - found.hurts()),
        Chance("stand", f"stay standing{words}", 1 - found.hurts(defender.endurance)),
        Chance("counter", f"hurt {attacker.name}{words}", found.counters()),
    )
