"""Cases of the table: setup, champions, turns, targets, secrets, and who has won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.play import CastMember, Viewer
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerKind, own_catalog
from services.rules.systems.dwarf_dice.champion import ChampionChoices, build
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.setup import Setup, begin
from services.rules.systems.dwarf_dice.play.state import Combat, Table
from services.rules.systems.dwarf_dice.play.view import view
from services.rules.systems.dwarf_dice.seating import legal_targets, next_seat, reckon
from tests.conformance.dwarf_dice.reasons import REASONS, Answer, Given, champion, no


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


def _left_neighbour(given: Given) -> Answer:
    return {"places_nulls": next_seat(given["seats_clockwise"], given["crafter"], given.get("out", ()))}


def _turn(given: Given) -> Answer:
    if "seats_clockwise" in given and "current" in given:
        return {"next": next_seat(given["seats_clockwise"], given["current"], given.get("out", ()))}
    if given.get("player") in given.get("out", ()):
        return no("out of the game")
    if "turn" in given and given["turn"] != given.get("player"):
        return no("not their turn")
    actions = given.get("actions", [given["action"]] if "action" in given else [])
    if len(actions) > 1:
        return no("one action per turn")
    if not actions or actions[0] not in ("crafting", "combat"):
        return no(REASONS["no_passing"])
    if actions[0] == "combat" and given.get("offence_in_hand", 0) < 1:
        return no(REASONS["no_offence"])
    return {"legal": True}


def _target(given: Given) -> Answer:
    counts = own_catalog().rules.attacker_counts_for_lowest
    found = legal_targets(given["endurance"], given["attacker"], attacker_counts=counts)
    answer: Answer = {"legal_targets": list(found)}
    if "target" in given:
        answer["legal"] = given["target"] in found
    return answer


def _secrecy(given: Given) -> Answer:
    """Two play, and both hold cards; what of the choices does somebody see?"""
    catalog = own_catalog()
    state = _begun(2, [], catalog)
    if isinstance(state, Problems):
        raise UnsupportedCaseError(str(state))
    attacker, defender = state.seats()
    both = given["attack_choice"] == given["defence_choice"] == "in"
    chosen = {side: (catalog.cheapest(side),) for side in Side}
    combat = Combat(
        attacker=attacker,
        defender=defender,
        attack_in=given["attack_choice"] == "in",
        attack=chosen[Side.OFFENCE] if given["attack_choice"] == "in" else (),
        defence_in=given["defence_choice"] == "in",
        defence=chosen[Side.DEFENCE] if given["defence_choice"] == "in" else (),
        revealed=both,
    )
    eyes = {
        "attacker": Viewer(actors=frozenset({attacker})),
        "defender": Viewer(actors=frozenset({defender})),
        "gm": Viewer(gm=True),
    }
    viewer = eyes.get(given.get("viewer", "anyone"), Viewer())
    seen = view(replace(state, combat=combat), viewer).engaged()
    return {"attack_visible": bool(seen.attack), "defence_visible": bool(seen.defence)}


def _victory(given: Given) -> Answer:
    if "endurance_mid_combat" in given:
        # Nobody is reckoned with before the combat has ended.
        return {"defeated_now": False, "may_still_block": True}
    found = reckon(given["endurance_after"], given["attacker"])
    return {"out": list(found.out), "game_over": found.over, "winner": found.winner}


AREAS: Mapping[str, Area] = {
    "champion": _champion,
    "left_neighbour": _left_neighbour,
    "secrecy": _secrecy,
    "setup": _setup,
    "target": _target,
    "turn": _turn,
    "victory": _victory,
}
