"""Cases of Combat: choices, dice, damage, and the powers of a combat, fought in a game of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from services.rules.engine.conformance import Area
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.facts import Fell, Hurt, Revealed, Wound
from services.rules.systems.dwarf_dice.powers import Step
from tests.conformance.dwarf_dice.games import Case, Seat, card_id, sat_down
from tests.conformance.dwarf_dice.reasons import Answer, Given, broken, item, no

STEPS = {
    "before the reveal": Step.BEGUN,
    "after the reveal": Step.REVEALED,
    "before the roll": Step.REVEALED,
    "after the roll": Step.ROLLED,
    "before blocks": Step.ROLLED,
    "after blocks": Step.RESOLVED,
    "after the combat": Step.RESOLVED,
}
ATTACKER, DEFENDER = "attacker", "defender"
SPARE = {Side.OFFENCE: (("Spare Dagger", 1), ("Spare Hatchet", 2)), Side.DEFENCE: (("Spare Buckler", 1),)}
"""What a hand holds beside what a case names, so that there is something to choose."""


def _cards(side: Given) -> tuple[tuple[str, int], ...]:
    return tuple((str(name), int(value)) for name, value in side.get("cards", ()))


def _seat(given: Given, role: str) -> Seat:
    cards = _cards(given)
    return Seat(
        id=role,
        champion=str(given.get("champion", "")),
        endurance=int(given.get("endurance", 6)),
        offence=cards if role == ATTACKER else (),
        defence=cards if role == DEFENDER else (),
    )


def _combat(given: Given) -> Answer:
    """A whole combat whose cards, dice and blocks are known."""
    attacker, defender = given["attacker"], given["defender"]
    dice = {"attack": given.get("attack_roll", ()), "defence": given.get("defence_roll", ())}
    if "rebuke_die" in given:
        dice["rebuke"] = [given["rebuke_die"]]
    game = sat_down([_seat(attacker, ATTACKER), _seat(defender, DEFENDER)], dice=dice)
    refused = game.enter("Challenge", ATTACKER, target=DEFENDER) or _fought(game, given)
    if refused is not None:
        return broken(refused)
    hurts = dict.fromkeys(Wound, 0)
    for event in game.events:
        if isinstance(event, Hurt):
            hurts[event.wound] += event.damage
    named = [name for name, _ in (*_cards(attacker), *_cards(defender))]
    return {
        "legal": True,
        "attack_dice": game.rolled.get("attack", 0),
        "defence_dice": game.rolled.get("defence", 0),
        "crit_damage": hurts[Wound.CRIT],
        "unblocked": hurts[Wound.HIT],
        "counter_damage": hurts[Wound.COUNTER],
        "defender_endurance": game.state.fighter(DEFENDER).endurance,
        "attacker_endurance": game.state.fighter(ATTACKER).endurance,
        "defeated": [event.fighter for event in game.events if isinstance(event, Fell)],
        "to_armory": sorted(game.returned(), key=named.index),
    }


def _fought(game: Case, given: Given) -> Problems | None:
    """Answers every question of a combat as a case has it; what is wrong with an answer."""
    used = given.get("powers", ())
    blocks = [f"die-{die + 1}" for die, _ in given.get("blocks", ())]
    while game.at.asks:
        ask = game.at.asks[0]
        kind = {
            "attack": "ChooseCards",
            "defence": "ChooseCards",
            "assault": "FuriousAssault" if "Furious Assault" in used else "Decline",
            "fury": "ForgesFury" if "Forge's Fury" in used else "Decline",
            "block": "Block",
            "rebuke": "FieryRebuke" if "rebuke_die" in given else "Decline",
        }[ask.id]
        fields = {"ChooseCards": {"cards": _ids(given[ask.actor])}, "Block": {"dice": blocks}}
        refused = game.enter(kind, ask.actor, **fields.get(kind, {}))
        if refused is not None:
            return refused
        blocks = [] if kind == "Block" else blocks
    return game.enter("Block", DEFENDER, dice=blocks) if blocks else None


def _ids(side: Given) -> list[str]:
    return [card_id(name) for name, _ in _cards(side)]


def _reveal(given: Given) -> Answer:
    """One side's choice of cards; the other brings a spare card."""
    attacking = given.get("side", "attack") == "attack"
    values: Sequence[int] = given.get("values", ())
    names = list(given.get("names", (f"Card {place + 1}" for place in range(len(values)))))
    side = Side.OFFENCE if attacking else Side.DEFENCE
    kind = str(given.get("kind", side.value))
    held_side = Side.DEFENCE if kind.startswith("defen") else Side.OFFENCE
    chosen = list(zip(names, values, strict=True))
    held = chosen if given.get("in_hand", True) else []
    if "hand" in given:
        hand = [(name, found.value) for name in given["hand"] if (found := item(name)) and found.side is side]
        held = hand
    hands = {each: list(SPARE[each]) for each in Side}
    hands[held_side] += held
    who, other = (ATTACKER, DEFENDER) if attacking else (DEFENDER, ATTACKER)
    seats = {
        who: Seat(id=who, offence=hands[Side.OFFENCE], defence=hands[Side.DEFENCE]),
        other: Seat(id=other, offence=SPARE[Side.OFFENCE], defence=SPARE[Side.DEFENCE]),
    }
    stored = [(name, value, held_side) for name, value in chosen]
    game = sat_down([seats[ATTACKER], seats[DEFENDER]], stored=stored)
    game.enter("Challenge", ATTACKER, target=DEFENDER)
    refused = game.enter("ChooseCards", who, cards=[card_id(name) for name in names])
    if refused is not None:
        return broken(refused, side)
    spare = () if attacking else ("Spare Dagger",)
    game.enter("ChooseCards", other, cards=[card_id(name) for name in spare])
    (revealed,) = (event for event in game.events if isinstance(event, Revealed))
    cards = revealed.attack if attacking else revealed.defence
    return {"legal": True, "total": game.catalog.value(cards)}


def _furious_assault(given: Given) -> Answer:
    """Gor in a combat with Bron, as far as the case has it."""
    step = STEPS.get(str(given.get("stage", "after the reveal")), Step.REVEALED)
    gor = str(given.get("gor", ATTACKER))
    power_left = bool(given.get("power_left", True))
    game = _duel({gor: Seat(id=gor, champion="Gor", power_left=power_left)}, "MM", "WW")
    if step > Step.BEGUN:
        _choose(game)
    if step > Step.REVEALED:
        game.decline()
    refused = game.use("FuriousAssault", gor, step)
    return {"legal": True} if refused is None else broken(refused)


def _forges_fury(given: Given) -> Answer:
    """Bron in a combat with Gor, or beside one, in which both roll Alchemy."""
    step = STEPS.get(str(given.get("stage", "after the roll")), Step.ROLLED)
    bron = str(given.get("bron", ATTACKER))
    power_left = bool(given.get("power_left", True))
    seats = {bron: Seat(id=bron, champion="Bron", power_left=power_left)}
    game = _duel(seats, "AM", "AW")
    if step > Step.BEGUN:
        _choose(game)
    if step > Step.REVEALED and game.asked("assault"):
        game.enter("Decline", ATTACKER)
    if step > Step.ROLLED:
        game.decline()
    refused = game.use("ForgesFury", bron, step)
    return {"legal": True} if refused is None else broken(refused)


def _duel(seats: Mapping[str, Seat], attack: str, defence: str) -> Case:
    """A challenge with dice that are to fall like this, all else left open."""
    roles = [ATTACKER, DEFENDER, *(role for role in seats if role not in (ATTACKER, DEFENDER))]
    blows = {ATTACKER: [("Blow", len(attack)), *SPARE[Side.OFFENCE]]}
    guards = {DEFENDER: [("Guard", len(defence)), *SPARE[Side.DEFENCE]]}
    named = [
        replace(seats.get(role, Seat(id=role)), offence=blows.get(role, ()), defence=guards.get(role, ()))
        for role in roles
    ]
    # Nobody else has a power that asks in a combat.
    plain = iter(("Belinda", "Grim") if len(roles) == 2 else ("Grim", "Gor"))
    sitting = [seat if seat.champion else replace(seat, champion=next(plain)) for seat in named]
    game = sat_down(sitting, dice={"attack": attack, "defence": defence})
    game.enter("Challenge", ATTACKER, target=DEFENDER)
    return game


def _choose(game: Case) -> None:
    """Both bring the cards that the dice are for."""
    game.enter("ChooseCards", ATTACKER, cards=[card_id("Blow")])
    game.enter("ChooseCards", DEFENDER, cards=[card_id("Guard")])


def _fiery_rebuke(given: Given) -> Answer:
    """Grim in a combat in which the defender loses so much."""
    grim, damage = str(given.get("grim", DEFENDER)), int(given.get("damage_taken", 1))
    champions = {grim: "Grim"}
    seats = [
        Seat(id=ATTACKER, champion=champions.get(ATTACKER, "Bron"), offence=[("Blow", max(1, damage))]),
        Seat(id=DEFENDER, champion=champions.get(DEFENDER, "Bron"), defence=[("Guard", 1)]),
    ]
    die = given.get("die", given.get("rebuke_die", "M"))
    dice = {"attack": "M" * damage, "defence": "W", "rebuke": [die]}
    game = sat_down(seats, dice=dice)
    game.enter("Challenge", ATTACKER, target=DEFENDER)
    game.enter("ChooseCards", DEFENDER, cards=[card_id("Guard")])
    if game.asked("block") and grim == DEFENDER:
        game.enter("Block", DEFENDER, dice=[])
    kind = "Decline" if given.get("declines") else "FieryRebuke"
    refused = game.use(kind, grim, Step.RESOLVED)
    if refused is not None:
        return broken(refused)
    if game.rolled.get("rebuke", 0) != given.get("dice", 1) and kind == "FieryRebuke":
        return no("a single die")
    dealt = [event.damage for event in game.events if isinstance(event, Hurt) and event.wound is Wound.REBUKE]
    return {"legal": True, "damage": sum(dealt)}


def _shrink_ray(given: Given) -> Answer:
    """Passive: Belinda reveals so many dice against so many, once more after having used it."""
    mine, theirs = given["revealed"]
    seats = [
        Seat(id=ATTACKER, champion="Belinda", offence=[("Own Card", mine)]),
        Seat(id=DEFENDER, champion="Gor", defence=[("Their Card", theirs)]),
    ]
    game = sat_down(seats)
    game.enter("Challenge", ATTACKER, target=DEFENDER)
    game.enter("ChooseCards", DEFENDER, cards=[card_id("Their Card")])
    left = game.rolled.get("defence", 0)
    answer: Answer = {"opponent_dice": left, "minus": theirs - left}
    return {"legal": left < theirs} | answer


AREAS: Mapping[str, Area] = {
    "combat": _combat,
    "fiery_rebuke": _fiery_rebuke,
    "forges_fury": _forges_fury,
    "furious_assault": _furious_assault,
    "reveal": _reveal,
    "shrink_ray": _shrink_ray,
}
