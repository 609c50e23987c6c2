"""Turns: journeys, who does what, and the Forest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from services.rules.engine.conformance import Area
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn.catalog import Form, Function
from services.rules.systems.forgeborn.geometry import Point
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.facts import Communed
from services.rules.systems.forgeborn.play.moves import (
    AskVault,
    AssistVillage,
    BeseechPrince,
    BeTested,
    Commune,
    CreateArtifact,
    ExploreRuins,
    FaceDragon,
    Favour,
    Give,
    Journey,
    LoseDie,
    Move,
    Pass,
    Payment,
    Recruit,
    TakeFavour,
)
from services.rules.systems.forgeborn.play.state import Game, Spot, Way
from services.rules.systems.forgeborn.pools import SIDES, SIZE_OF, DiceCount, DieSize
from services.rules.systems.forgeborn.realm import PlaceKind
from tests.conformance.forgeborn.stage import (
    PLENTY,
    WORDS,
    Answer,
    Given,
    dice_of,
    illegal,
    make,
    place_id,
    refused,
    sizes,
    stage,
    who_acts,
    with_artifact,
    with_smith,
    written,
)

ONE = (DieSize.D12,)
ACTIONS: dict[str, tuple[str, Callable[[str], Move]]] = {
    "journey": ("citadel", lambda who: Journey(actor=who, to="city")),
    "creat": (
        "citadel",
        lambda who: CreateArtifact(
            actor=who,
            name="X",
            form=Form.CLOTHING,
            form_by=Payment.DIE,
            function=Function.KNOWLEDGE,
            function_by=Payment.DIE,
        ),
    ),
    "recruit": ("village-1", lambda who: Recruit(actor=who, name="Her", dice=ONE)),
    "test": ("citadel", lambda who: BeTested(actor=who, artifact="X", dice=ONE)),
    "vault": ("citadel", lambda who: AskVault(actor=who, artifact="X")),
    "take": ("citadel", lambda who: AskVault(actor=who, artifact="X")),
    "dragon": ("lair", lambda who: FaceDragon(actor=who, dice=ONE)),
    "explore": ("ruin-1", lambda who: ExploreRuins(actor=who, dice=ONE)),
    "ruin": ("ruin-1", lambda who: ExploreRuins(actor=who, dice=ONE)),
    "assist": ("village-1", lambda who: AssistVillage(actor=who, dice=ONE)),
    "favour": ("city", lambda who: TakeFavour(actor=who, favour=Favour.SECRET)),
    "favor": ("city", lambda who: TakeFavour(actor=who, favour=Favour.SECRET)),
    "forest": ("forest", lambda who: Commune(actor=who, dice=(DieSize.D4,))),
    "commune": ("forest", lambda who: Commune(actor=who, dice=(DieSize.D4,))),
    "beseech": ("city", lambda who: BeseechPrince(actor=who, dice=ONE)),
    "prince": ("city", lambda who: BeseechPrince(actor=who, dice=ONE)),
    "give": ("village-1", lambda who: Give(actor=who, artifact="Y", to="b")),
    "pass": ("citadel", lambda who: Pass(actor=who)),
}
"""Actions by a word in their name: where they are done, and the move."""


def _action(word: str) -> tuple[str, Callable[[str], Move]]:
    lower = word.lower()
    if lower in ("village", "assist village", "assist_village"):
        return ACTIONS["assist"]
    return next(found for key, found in ACTIONS.items() if key in lower)


def action_actor(given: Given) -> Answer:
    """E8: who may do what."""
    place, move = _action(given["action"])

    def may(who: str) -> bool:
        game = with_artifact(stage(at=place), DiceCount(d6=1))
        game = with_artifact(game, DiceCount(d6=1), holder=who, name="Y")
        if "favo" in given["action"]:
            game = replace(with_smith(game, "A", swayed_on=0), turn=replace(game.turn, number=2))
        return not isinstance(make(game, move(who)), Problems)

    return {"smith": may("A"), "heroine": may("a")}


# Journeys


def journey(given: Given) -> Answer:
    """E3 to E7, F1, P24: the steps of one turn."""
    actor = "a" if str(given.get("actor", "smith")).startswith("heroine") else "A"
    game = _linked(given["links"])
    game = with_smith(game, actor, place=given["start"])
    done: list[str] = []
    over = False
    for kind, what in given["turn"]:
        if over:
            return illegal(_after(done, kind))
        step = Journey(actor=actor, to=what) if kind == "move" else _action(what)[1](actor)
        happened = make(game, step)
        if isinstance(happened, Problems):
            here = game.actor(actor).place
            wanted = _action(what)[0] if kind == "action" else ""
            reasons = {"wrong_place": f"the {_plain(here)} is not a {_place_word(wanted)}"}
            return refused(happened, reasons)
        done.append(kind if kind == "action" else _kind_of(given["links"], game.actor(actor).place, what))
        game = happened.whole
        over = game.turn.number > 1 or happened.at.waiting is not None
    return {"legal": True, "at": game.actor(actor).place, "turn_over": over}


def _after(done: Sequence[str], kind: str) -> str:
    """Why nothing more is done in a turn."""
    if done[-1] == "action":
        return "the move comes before the action" if kind == "move" else "one action per turn"
    if done[-1] == "trail":
        return "a Trail move takes the whole turn"
    return "the second Road move ends the turn"


def _kind_of(links: Sequence[Sequence[str]], here: str, there: str) -> str:
    return next(kind for start, end, kind in links if {start, end} == {here, there})


def _plain(place: str) -> str:
    return place.rstrip(" 0123456789")


def _place_word(place: str) -> str:
    return place.rpartition("-")[0].capitalize() or place.capitalize()


def _linked(links: Sequence[Sequence[str]]) -> Game:
    """A game on places and links as a case gives them."""
    names = list(dict.fromkeys(end for link in links for end in link[:2]))
    game = with_artifact(stage(), DiceCount(d6=1))
    known = {spot.id: spot for spot in game.ground.spots}
    spots = tuple(
        Spot(
            id=name,
            kind=known[place_id(name)].kind,
            name=name,
            at=Point(1_000 * order, 0),
            power=known[place_id(name)].power,
        )
        for order, name in enumerate(names)
    )
    ways = tuple(Way(start=start, end=end, kind=LinkKind(kind)) for start, end, kind in links)
    ground = replace(game.ground, spots=spots, ways=ways)
    return replace(
        game,
        ground=ground,
        smiths=tuple(replace(smith, place=names[0]) for smith in game.smiths),
        heroines=tuple(replace(heroine, place=names[0]) for heroine in game.heroines),
    )


def turn(given: Given) -> Answer:
    """A3, E2: whose turn it is, and who may be used."""
    if "heroine_of" in given:
        game = replace(stage(), turn=replace(stage().turn, smith=given["used_by"]))
        happened = make(game, Pass(actor=given["heroine_of"].lower()))
        return illegal("not your recruit") if isinstance(happened, Problems) else {"legal": True}
    if "order" in given:
        seats = given["order"]
        first = given.get("first", seats[0])
        count = len(seats)
        game = stage(players=count)
        named = tuple(replace(smith, id=name) for smith, name in zip(game.smiths, seats, strict=True))
        game = replace(game, smiths=named, heroines=(), first=first, turn=replace(game.turn, smith=first))
        for _ in range(given["turn_number"] - 1):
            happened = make(game, Pass(actor=game.turn.smith))
            if isinstance(happened, Problems):
                raise ValueError(str(happened))
            game = happened.whole
        return {"player": game.turn.smith, "round": game.turn.round}
    return _both(given)


def _both(given: Given) -> Answer:
    """Whether a Smith and a Heroine of hers may both act in one turn."""
    game = stage()
    for actor in given.get("actors", ("smith", "heroine")):
        found = make(game, Journey(actor=who_acts({"actor": actor}), to="city"))
        if isinstance(found, Problems):
            return refused(found, {})
        game = replace(found.whole, turn=replace(found.whole.turn, number=1))
    return {"legal": True}


# The Forest


def forest(given: Given) -> Answer:
    """F19, P25: a wish in the Forest."""
    actor = who_acts(given)
    own = dice_of(given["smith_dice"]) if "smith_dice" in given else PLENTY
    at = place_id(given.get("at", "Forest"))
    game = stage(at=at, dice=own, actor=actor)
    came = given.get("came_from", "Village")
    if at == "forest":
        trail = Way(start=came, end="forest", kind=LinkKind.TRAIL)
        spot = Spot(id=came, kind=PlaceKind.VILLAGE, name=came, at=Point(0, 0), power=1)
        ground = replace(game.ground, spots=(*game.ground.spots, spot), ways=(*game.ground.ways, trail))
        game = with_smith(replace(game, ground=ground), "A", came_from=came)
    dice = sizes(given.get("dice", (4,)))
    faces: dict[str, list[int]] = {}
    for size, face in zip(dice, given.get("rolled", ()), strict=False):
        faces.setdefault(f"{actor}:{size.value}", []).append(face)
    happened = make(game, Commune(actor=actor, dice=dice), faces)
    if isinstance(happened, Problems):
        reasons = {"wrong_place": "not in the Forest", "wish_out_of_range": "at least one die"}
        return refused(happened, reasons)
    after = happened.whole
    if happened.asks("lose"):
        lost = SIZE_OF[given.get("loses", SIDES[after.smith("A").dice.owned()[0]])]
        found = make(happened.at, LoseDie(actor="A", die=lost))
        if isinstance(found, Problems):
            return refused(found, {})
        after = found.whole
    wished: Communed = happened.event(Communed)
    place = after.smith("A").place
    return {
        "legal": True,
        "total": wished.total,
        "result": "gain" if wished.gained else "cast out",
        "smith_dice_after": written(after.smith("A").dice),
        "at": place.capitalize() if place in WORDS.values() else place,
        "conflict_reward": False,
        "vp": after.smith("A").points,
    }


AREAS: dict[str, Area] = {
    "action_actor": action_actor,
    "journey": journey,
    "turn": turn,
    "forest": forest,
}
