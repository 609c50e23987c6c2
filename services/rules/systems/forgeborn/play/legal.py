"""What somebody may do now, as buttons with their bounds; what is offered is never refused."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.play import GM, Chance, LegalMove
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.answer_offers import answers, gm_offers, map_offers
from services.rules.systems.forgeborn.play.citadel_offers import citadel_offers
from services.rules.systems.forgeborn.play.conflict import KINDS, conflict_problem, recruit_problem
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
    button,
    choice_field,
    choices_field,
    conflict_buttons,
    creation_buttons,
    text_field,
    uses_of,
)
from services.rules.systems.forgeborn.play.rolling import forest_odds
from services.rules.systems.forgeborn.play.state import (
    VAULT,
    Game,
    Phase,
    Smith,
)
from services.rules.systems.forgeborn.play.waiting import (
    Foe,
)
from services.rules.systems.forgeborn.play.wandering import favour_problem, forest_problem
from services.rules.systems.forgeborn.play.where import here, journey_problem, turn_problem
from services.rules.systems.forgeborn.pools import (
    ASCENDING,
    MOST_ROLLED,
    DieSize,
    notation,
    promotable,
    sides_of,
)
from services.rules.systems.forgeborn.smith import LONGEST_NAME

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

CONFLICTS: dict[Foe, tuple[type, str, str, str]] = {
    Foe.DRAGON: (
        FaceDragon,
        "dragon",
        "Face the Dragon",
        "A win gives points as its Power, and ends the age.",
    ),
    Foe.RUIN: (ExploreRuins, "ruins", "Explore the Ruins", "A win gives a Secret token and a point."),
    Foe.VILLAGE: (AssistVillage, "village", "Assist the Village", "A win gives a Resource token."),
    Foe.PRINCE: (BeseechPrince, "prince", "Beseech the Prince", "A win opens his favours for the game."),
}


def legal(game: Game, catalog: Catalog, actor: str) -> tuple[LegalMove, ...]:
    """What this actor may do now; empty when it is not theirs to move."""
    if game.phase is Phase.OVER:
        return ()
    if actor == GM:
        return tuple(gm_offers(game))
    if game.find(actor) is None:
        return ()
    if game.phase is Phase.MAP:
        return tuple(map_offers(game, actor))
    if game.question is not None:
        return tuple(answers(game, catalog, actor))
    if turn_problem(game, actor) is not None:
        return ()
    return tuple(_turn(game, catalog, actor))


def _turn(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    if game.turn.actor in ("", actor):
        yield from _journeys(game, actor)
        yield from _conflicts(game, catalog, actor)
        yield from _recruiting(game, catalog, actor)
        yield from citadel_offers(game, actor)
        yield from _wishes(game, actor)
        yield from _favours(game, actor)
    if isinstance(game.find(actor), Smith):
        yield from _hands(game, actor)
    if game.turn.actor in ("", actor) or isinstance(game.find(actor), Smith):
        yield button(Pass(actor=actor), "pass", "Pass", "Let the turn go.", "P24")


def _journeys(game: Game, actor: str) -> Iterator[LegalMove]:
    place = game.actor(actor).place
    for to in dict.fromkeys(way.other(place) for way in game.ground.ways_from(place)):
        if journey_problem(game, actor, to) is not None:
            continue
        kinds = {way.kind for way in game.ground.ways_from(place) if way.other(place) == to}
        road = LinkKind.ROAD in kinds
        by = "by Road" if road else "along the Trail"
        ends = not road or game.turn.moved
        text = "Your turn ends there." if ends else "You may still act there."
        label = f"Go {by} to {game.ground.spot(to).name}"
        rule = "Journey Through the Realm"
        yield button(Journey(actor=actor, to=to), f"journey:{to}", label, text, rule)


def _conflicts(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    spot = here(game, actor)
    for kind in KINDS.values():
        if conflict_problem(game, actor, kind) is not None:
            continue
        cls, name, label, text = CONFLICTS[kind.foe]

        def make(pool: Pool, cls: type = cls) -> Move:
            made: Move = cls(
                actor=actor,
                dice=pool.fixed(),
                sacrificed=pool.sacrificed,
                artifacts=uses_of(catalog, pool.lent),
            )
            return made

        yield from conflict_buttons(
            game,
            actor,
            game.held_by(actor),
            make,
            name=name,
            label=label,
            text=f"{text} Power {spot.power}.",
            rule=kind.rule,
            power=spot.power or 0,
        )


def _recruiting(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    if recruit_problem(game, actor) is not None:
        return

    def make(pool: Pool) -> Move:
        return Recruit(
            actor=actor,
            name="",
            dice=pool.fixed(),
            sacrificed=pool.sacrificed,
            artifacts=uses_of(catalog, pool.lent),
        )

    yield from creation_buttons(
        game,
        actor,
        game.held_by(actor),
        make,
        name="recruit",
        label="Recruit a Heroine",
        text="The total buys her dice; less than 5 wins nobody.",
        rule="Recruit a Heroine",
        fields=(text_field("name", "What is she called?", LONGEST_NAME),),
    )


def _wishes(game: Game, actor: str) -> Iterator[LegalMove]:
    if forest_problem(game, actor) is not None:
        return
    limit = game.settings.forest_limit
    for wish in WISHES:
        words = notation(wish)
        chance = Chance("gain", f"gain {words}", chances.gain(sides_of(wish), limit))
        yield button(
            Commune(actor=actor, dice=wish),
            f"commune:{words}",
            f"Wish for {words}",
            f"A total of {limit} or less gives them; more costs a die, and you leave.",
            "Commune with the Spirits of the Forest",
            cost="a die, when it fails",
            odds=forest_odds(wish, limit),
            likely=(chance,),
        )
    # Each die shows 1 at least, so that more dice than the limit never come to it.
    most = max(1, min(limit, MOST_ROLLED))
    sizes = ((size.value, size.value) for size in ASCENDING for _ in range(most))
    yield button(
        Commune(actor=actor, dice=()),
        "commune:own",
        "Wish for other dice",
        f"A total of {limit} or less gives the dice you choose; more costs a die, and you leave.",
        "Commune with the Spirits of the Forest",
        choices_field("dice", "Which dice do you wish for?", sizes, 1, most),
        cost="a die, when it fails",
    )


def _favours(game: Game, actor: str) -> Iterator[LegalMove]:
    if favour_problem(game, actor) is not None:
        return
    rule = "Beseech the Prince"

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
    grants = game.smith(game.player_of(actor)).grants
    open_to = [one for one in game.held_by(VAULT) if one.id not in grants]
    if open_to:
        field = choice_field("artifact", "Which Artifact?", ((one.id, one.name) for one in open_to))
        what = "Nobody can contest it when you fetch it, but somebody may take it first."
        yield button(favour(Favour.GRANT), "favour:grant", "Be granted an Artifact", what, rule, field)


def _hands(game: Game, actor: str) -> Iterator[LegalMove]:
    place, rule = game.actor(actor).place, "Heroines (and Heroes)"
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
