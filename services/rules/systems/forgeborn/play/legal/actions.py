"""What a turn offers, wherever its Smith and Heroines are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from services.rules.engine.buttons import button, choice_field, choices_field, text_field
from services.rules.engine.play import Chance, LegalMove, MoveField
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.choices import LONGEST_NAME
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.effects import against
from services.rules.systems.forgeborn.play.legal.citadel import citadel_offers
from services.rules.systems.forgeborn.play.moves import (
    AssistVillage,
    BeseechPrince,
    Commune,
    ExploreRuins,
    FaceDragon,
    Favour,
    Give,
    Journey,
    Move,
    Pass,
    Recruit,
    Take,
    TakeFavour,
)
from services.rules.systems.forgeborn.play.offers import (
    Pool,
    Wording,
    conflict_buttons,
    creation_buttons,
    uses_of,
)
from services.rules.systems.forgeborn.play.rolls import forest_odds
from services.rules.systems.forgeborn.play.rules import (
    dragon,
    forest,
    heroines,
    journey,
    prince,
    recruit,
    ruins,
    village,
)
from services.rules.systems.forgeborn.play.rules.turns import unless_refused
from services.rules.systems.forgeborn.play.state import VAULT, Game, Smith, Spot
from services.rules.systems.forgeborn.pools import (
    ASCENDING,
    MOST_ROLLED,
    DieSize,
    notation,
    promotable,
    sides_of,
)

WISHES: tuple[tuple[DieSize, ...], ...] = (
    (DieSize.D8,),
    (DieSize.D4, DieSize.D4),
    (DieSize.D10,),
    (DieSize.D6, DieSize.D4),
    (DieSize.D6, DieSize.D6),
    (DieSize.D4, DieSize.D4, DieSize.D4),
    (DieSize.D12,),
    (DieSize.D8, DieSize.D6),
    (DieSize.D6, DieSize.D6, DieSize.D4),
    (DieSize.D10, DieSize.D10),
    (DieSize.D12, DieSize.D12),
)
"""Dice that are suggested in the Forest, the safest first, with their chances."""


@dataclass(frozen=True, slots=True)
class ConflictOffer:
    """A Conflict as an offer.

    Attributes:
        move: The kind of move.
        place: The place where the one who acts can have it; refuses where she cannot.
        wording: What the offer says; the Power is added.
    """

    move: type
    place: Callable[[Game, str], Spot]
    wording: Wording


CONFLICTS = (
    ConflictOffer(
        FaceDragon,
        dragon.lair_of,
        Wording(
            "dragon", "Face the Dragon", "A win brings points as its Power, and ends the age.", dragon.BOOK
        ),
    ),
    ConflictOffer(
        ExploreRuins,
        ruins.ruins_of,
        Wording("ruins", "Explore the Ruins", "A win brings a Secret token and a point.", ruins.BOOK),
    ),
    ConflictOffer(
        AssistVillage,
        village.village_of,
        Wording("village", "Assist the Village", "A win brings a Resource token.", village.BOOK),
    ),
    ConflictOffer(
        BeseechPrince,
        prince.city_to_beseech,
        Wording("prince", "Beseech the Prince", "A win opens his favours for the game.", prince.BOOK),
    ),
)


def turn_offers(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    """What a Smith or Heroine may do in a turn of her player's."""
    if game.turn.actor in ("", actor):
        yield from _journeys(game, actor)
        yield from _conflicts(game, catalog, actor)
        yield from _recruiting(game, catalog, actor)
        yield from citadel_offers(game, catalog, actor)
        yield from _wishes(game, actor)
        yield from _favours(game, actor)
    if isinstance(game.find(actor), Smith):
        yield from _hands(game, actor)
    if game.turn.actor in ("", actor) or isinstance(game.find(actor), Smith):
        yield button(Pass(actor=actor), "pass", "Pass", "Let the turn go.", "P24")


def _journeys(game: Game, actor: str) -> Iterator[LegalMove]:
    place = game.actor(actor).place
    for to in dict.fromkeys(way.other(place) for way in game.ground.ways_from(place)):
        way = unless_refused(journey.way_to, game, actor, to)
        if way is None:
            continue
        road = way.kind is LinkKind.ROAD
        by = "by Road" if road else "along the Trail"
        ends = not road or game.turn.moved
        text = "Your turn ends there." if ends else "You may still act there."
        label = f"Go {by} to {game.ground.spot(to).name}"
        yield button(Journey(actor=actor, to=to), f"journey:{to}", label, text, journey.BOOK)


def _conflicts(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    for offer in CONFLICTS:
        spot = unless_refused(offer.place, game, actor)
        if spot is None:
            continue

        def make(pool: Pool, cls: type = offer.move) -> Move:
            made: Move = cls(
                actor=actor,
                dice=pool.fixed(),
                sacrificed=pool.sacrificed,
                artifacts=uses_of(catalog, pool.lent),
            )
            return made

        wording = replace(offer.wording, text=f"{offer.wording.text} Power {spot.power}.")
        power = against(game.actor(actor), spot.power or 0, catalog).value
        yield from conflict_buttons(game, actor, make, wording, power)


def _recruiting(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    if unless_refused(recruit.recruiting_place, game, actor) is None:
        return

    def make(pool: Pool) -> Move:
        return Recruit(
            actor=actor,
            name="",
            dice=pool.fixed(),
            sacrificed=pool.sacrificed,
            artifacts=uses_of(catalog, pool.lent),
        )

    text = f"The total buys her dice; less than {game.settings.junk_below} wins nobody."
    wording = Wording("recruit", "Recruit a Heroine", text, recruit.BOOK)
    named = (text_field("name", "What is she called?", LONGEST_NAME),)
    yield from creation_buttons(game, actor, make, wording, held=game.held_by(actor), fields=named)


def _wishes(game: Game, actor: str) -> Iterator[LegalMove]:
    if unless_refused(forest.communing, game, actor) is None:
        return
    limit, cost = game.settings.forest_limit, "a die, when it fails"
    for wish in WISHES:
        words = notation(wish)
        text = f"A total of {limit} or less brings them; more costs a die, and you leave."
        offer = button(
            Commune(actor=actor, dice=wish), f"commune:{words}", f"Wish for {words}", text, forest.BOOK
        )
        chance = Chance("gain", f"gain {words}", chances.gain(sides_of(wish), limit))
        yield replace(offer, cost=cost, odds=forest_odds(wish, limit), chances=(chance,))
    # Each die shows 1 at least, so that more dice than the limit never come to it.
    most = max(1, min(limit, MOST_ROLLED))
    text = f"A total of {limit} or less brings the dice you choose; more costs a die, and you leave."
    field = _dice_to_wish_for(most)
    own = Commune(actor=actor, dice=())
    yield replace(button(own, "commune:own", "Wish for other dice", text, forest.BOOK, field), cost=cost)


@cache
def _dice_to_wish_for(most: int) -> MoveField:
    """The dice of a wish; there are few such numbers, and many choices each."""
    sizes = ((size.value, size.value) for size in ASCENDING for _ in range(most))
    return choices_field("dice", "Which dice do you wish for?", sizes, 1, most)


def _favours(game: Game, actor: str) -> Iterator[LegalMove]:
    smith = unless_refused(prince.favoured, game, actor)
    if smith is None:
        return
    rule = prince.BOOK

    def favour(kind: Favour) -> TakeFavour:
        return TakeFavour(actor=actor, favour=kind)

    yield button(favour(Favour.SECRET), "favour:secret", "Take a Secret token", "The Prince's favour.", rule)
    text = "The Prince's favour."
    yield button(favour(Favour.RESOURCE), "favour:resource", "Take a Resource token", text, rule)
    yield button(favour(Favour.DIE), "favour:d4", "Gain a d4", text, rule)
    sizes = promotable(game.actor(actor).dice)
    if sizes:
        field = choice_field("promote", "Which die?", ((size.value, size.value) for size in sizes))
        yield button(favour(Favour.DIE), "favour:promote", "Promote a die", text, rule, field)
    open_to = [one for one in game.held_by(VAULT) if one.id not in smith.grants]
    if open_to:
        field = choice_field("artifact", "Which Artifact?", ((one.id, one.name) for one in open_to))
        what = "Nobody can contest it when you fetch it, but another may take it first."
        yield button(favour(Favour.GRANT), "favour:grant", "Be granted an Artifact", what, rule, field)


def _hands(game: Game, actor: str) -> Iterator[LegalMove]:
    place, rule = game.actor(actor).place, heroines.BOOK
    present = [one for one in game.heroines if one.place == place]
    held = game.held_by(actor)
    if held and present:
        what = choice_field("artifact", "What?", ((one.id, one.name) for one in held))
        whom = choice_field("to", "To whom?", ((one.id, one.name) for one in present))
        move = Give(actor=actor, artifact="", to="")
        yield button(move, "give", "Give an Artifact", "Free, to a Heroine who is here.", rule, what, whom)
    hers = [thing for one in present if one.smith == actor for thing in game.held_by(one.id)]
    if hers:
        what = choice_field("artifact", "What?", ((one.id, one.name) for one in hers))
        move_back = Take(actor=actor, artifact="")
        text = "Free, from a Heroine of yours who is here."
        yield button(move_back, "take", "Take an Artifact back", text, rule, what)
