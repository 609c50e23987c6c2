"""Cases of the table: setup, champions, turns, targets, secrets, and who has won."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.play import CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice.build import build
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerKind, own_catalog
from services.rules.systems.dwarf_dice.choices import ChampionChoices
from services.rules.systems.dwarf_dice.play.facts import Fell
from services.rules.systems.dwarf_dice.play.setup import Setup, begin
from services.rules.systems.dwarf_dice.play.state import Table
from tests.conformance.dwarf_dice.games import Case, Seat, card_id, sat_down
from tests.conformance.dwarf_dice.reasons import REASONS, Answer, Given, broken, champion, no

DAGGERS = (("Dagger", 1), ("Hatchet", 2))
BUCKLERS = (("Buckler", 1),)
FULL = 6


def _begun(players: int, champions: list[str], catalog: Catalog) -> Table | Problems:
    """A game of so many, each with a champion sheet; a fifth has to take one that is taken."""
    cast = []
    for place in range(players):
        chosen = champions[place] if place < len(champions) else None
        found = champion(chosen) if chosen is not None else None
        ids = catalog.champions.ids
        sheet = build(
            ChampionChoices(
                name=f"Player {place + 1}", champion=ids[place % len(ids)] if found is None else found.id
            ),
            catalog,
        )
        cast.append(CastMember(id=f"seat-{place + 1}", sheet=sheet))
    return begin(Setup(title="A game", players=players), tuple(cast), catalog)


def _setup(given: Given) -> Answer:
    catalog = own_catalog()
    answer: Answer = {"dice_in_box": catalog.box.dice, "dice_rolled": catalog.rules.hoard}
    champions = list(given.get("champions", ()))
    if "players" not in given and not champions:
        return answer
    state = _begun(int(given.get("players", len(champions))), champions, catalog)
    if isinstance(state, Problems):
        # With too many players somebody lacks a champion too; the number is what is wrong.
        codes = sorted(state.codes, key=lambda code: code != "players_out_of_range")
        return answer | no(REASONS.get(codes[0], codes[0]))
    names = [one.champion for one in state.fighters]
    return answer | {
        "legal": True,
        "endurance": state.fighters[0].endurance,
        "gems_each": 2,
        "active_power_gem": all(one.power_left for one in state.fighters),
        "champions_distinct": len(set(names)) == len(names),
        "cards": sum(state.stock.values()),
    }


def _champion(given: Given) -> Answer:
    catalog = own_catalog()
    found = champion(given["champion"])
    if found is None:
        raise UnsupportedCaseError(f"a champion called {given['champion']!r}")
    passive, active = catalog.powers[found.passive], catalog.powers[found.active]
    uses = {PowerKind.PASSIVE: None, PowerKind.ACTIVE: 1}
    return {
        "name": found.name,
        "clan": found.clan,
        "passive": passive.name,
        "active": active.name,
        "passive_uses": uses[passive.kind],
        "active_uses": uses[active.kind],
    }


def _around(given: Given, turn: str, dice: Mapping[str, str]) -> Case:
    """A game of those who sit clockwise, some of them out."""
    out = given.get("out", ())
    seats = [
        Seat(id=who, out=who in out, endurance=0 if who in out else 6) for who in given["seats_clockwise"]
    ]
    return sat_down(seats, turn=turn, dice=dice)


def _left_neighbour(given: Given) -> Answer:
    game = _around(given, given["crafter"], {"hoard": "MMMWWWANN"})
    game.enter("Craft", given["crafter"])
    game.decline()
    (ask,) = game.at.asks
    return {"places_nulls": ask.actor}


def _turn(given: Given) -> Answer:
    """One action of a player's turn; who comes next."""
    if "seats_clockwise" in given and "current" in given:
        game = _around(given, given["current"], {"hoard": "MMMMWWWWA"})
        game.enter("Craft", given["current"])
        game.enter("FinishForging", given["current"])
        return {"next": game.state.turn}
    player, held = given["player"], int(given.get("offence_in_hand", 0))
    cards = DAGGERS if held else ()
    seats = [Seat(id=player, offence=cards), Seat(id="another", defence=BUCKLERS)]
    game = sat_down(seats, turn=player, dice={"hoard": "MMMMWWWWA"})
    moves: Mapping[str, tuple[str, Mapping[str, str]]] = {
        "crafting": ("Craft", {}),
        "combat": ("Challenge", {"target": "another"}),
        "pass": ("Pass", {}),
    }
    for place, action in enumerate(
        given.get("actions", [given["action"]] if "action" in given else ["pass"])
    ):
        kind, fields = moves[action]
        refused = game.enter(kind, player, **fields)
        if refused is not None:
            return no("one action per turn") if place else broken(refused)
    return {"legal": True}


def _target(given: Given) -> Answer:
    """Whom the attacker is offered to challenge."""
    attacker = given["attacker"]
    seats = [
        Seat(id=who, endurance=left, out=left <= 0, offence=DAGGERS if who == attacker else ())
        for who, left in given["endurance"].items()
    ]
    game = sat_down(seats, turn=attacker)
    offers = game.at.legal(attacker, Viewer(gm=True))
    found = [str(offer.move["target"]) for offer in offers if offer.move["kind"] == "Challenge"]
    answer: Answer = {"legal_targets": found}
    if "target" in given:
        answer["legal"] = game.enter("Challenge", attacker, target=given["target"]) is None
    return answer


def _secrecy(given: Given) -> Answer:
    """Two play, and both hold cards; what of the choices does a viewer see?"""
    seats = [
        Seat(id="attacker", champion="Bron", offence=DAGGERS),
        Seat(id="defender", champion="Grim", defence=(*BUCKLERS, ("Helm", 2))),
    ]
    game = sat_down(seats)
    game.enter("Challenge", "attacker", target="defender")
    if given["attack_choice"] == "in":
        game.enter("ChooseCards", "attacker", cards=[card_id("Dagger")])
    if given["defence_choice"] == "in":
        game.enter("ChooseCards", "defender", cards=[card_id("Buckler")])
    named = given.get("viewer", "anyone")
    actors = frozenset({named} & {"attacker", "defender"})
    viewer = Viewer(gm=named == "gm", actors=actors)
    told = [game.at.play.sees(event, viewer) for event in game.events]
    known = [game.at.view(viewer).combat, *told]
    return {
        "attack_visible": any(card_id("Dagger") in getattr(event, "attack", ()) for event in known),
        "defence_visible": any(card_id("Buckler") in getattr(event, "defence", ()) for event in known),
    }


def _victory(given: Given) -> Answer:
    """A combat that leaves everybody with such Endurance."""
    if "endurance_mid_combat" in given:
        left = int(given["endurance_mid_combat"])
        game = _struck({"attacker": 6, "defender": left + 1}, "attacker", "defender", "A", "W")
        return {"defeated_now": bool(game.state.out()), "may_still_block": game.asked("block")}
    after, attacker = given["endurance_after"], given["attacker"]
    defender = min((who for who in after if who != attacker), key=lambda who: after[who])
    # Who attacks falls by Alchemy that blocks, one die each; the other loses all but what is left to them.
    counters = max(0, 1 - after[attacker])
    damage = FULL - after[defender]
    before = {**after, attacker: after[attacker] + counters, defender: FULL}
    attack = "M" * counters + "A" * (damage // 2) + "M" * (damage % 2)
    game = _struck(before, attacker, defender, attack, "A" * counters)
    if game.asked("block"):
        game.enter("Block", defender, dice=[f"die-{place + 1}" for place in range(counters)])
    game.decline()
    outcome = game.at.play.outcome(game.state)
    winner = outcome.winners[0] if outcome.winners else None
    fell = [event.fighter for event in game.events if isinstance(event, Fell)]
    return {"out": fell, "game_over": outcome.ended, "winner": winner}


def _struck(before: Mapping[str, int], attacker: str, defender: str, attack: str, defence: str) -> Case:
    """A combat whose dice have fallen like this, and in which nobody has used a power."""
    blow, guard = [("Blow", len(attack))], [("Guard", len(defence))] if defence else []
    seats = [
        Seat(
            id=who,
            endurance=left,
            offence=blow if who == attacker else (),
            defence=guard if who == defender else (),
        )
        for who, left in before.items()
    ]
    game = sat_down(seats, turn=attacker, dice={"attack": attack, "defence": defence})
    game.enter("Challenge", attacker, target=defender)
    if game.asked("defence"):
        game.enter("ChooseCards", defender, cards=[card_id("Guard")])
    game.decline()
    return game


AREAS: Mapping[str, Area] = {
    "champion": _champion,
    "left_neighbour": _left_neighbour,
    "secrecy": _secrecy,
    "setup": _setup,
    "target": _target,
    "turn": _turn,
    "victory": _victory,
}
