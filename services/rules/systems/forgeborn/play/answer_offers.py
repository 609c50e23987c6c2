"""Answers as buttons: to what a turn waits for, and what the game master may do."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.play import GM, Chance, FieldKind, LegalMove, MoveField
from services.rules.systems.forgeborn.catalog import SETTING_BOUNDS, Catalog
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.conflict import all_dice
from services.rules.systems.forgeborn.play.creation import joined, prompt_id, waiting_helpers
from services.rules.systems.forgeborn.play.master import droppers
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    Bestow,
    CallOff,
    ChooseReward,
    Claim,
    Decline,
    Describe,
    DropDice,
    DropRuin,
    FindTrouble,
    Imbue,
    Join,
    LoseDie,
    Move,
    SetTimeLimit,
    Throw,
    Vote,
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
from services.rules.systems.forgeborn.play.rolling import conflict_odds, creation_odds
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.play.waiting import (
    Attempt,
    Creation,
    Foe,
    Losing,
    Purchase,
    Refused,
    Rewarding,
    RuinDrop,
    Trouble,
    Voting,
)
from services.rules.systems.forgeborn.pools import notation, promotable, promoted, sides_of
from services.rules.systems.forgeborn.smith import LONGEST_TEXT
from services.rules.systems.forgeborn.workshop import maximal, most_power, of_power

CREATE = "Create an Artifact of Wondrous Power"
MAP = "Creating The Map of the Realm"
MOST_LISTED = 64
"""Points up to which every maximal purchase is offered, about a hundred; beyond, one of each Power."""


def map_offers(game: Game, actor: str) -> Iterator[LegalMove]:
    """The dice of the realm are to fall."""
    if actor in droppers(game):
        text = "Fifteen dice fall on the sheet, and make the realm."
        yield button(DropDice(actor=actor), "drop", "Drop the dice", text, MAP)


def answers(game: Game, catalog: Catalog, actor: str) -> Iterator[LegalMove]:
    """What somebody may answer to the question that waits."""
    question = game.question
    match question:
        case Voting():
            yield from _votes(game, question, actor)
            return
        case Creation() if waiting_helpers(question):
            yield from _joins(game, question, actor)
            return
    if question is None or question.smith != actor:
        return
    match question:
        case Attempt(judged=True):
            yield _throw(game, question)
        case Creation():
            yield from _imbue(game, question)
        case Purchase():
            yield from _purchases(question)
        case Refused():
            yield from _claims(game, catalog, question)
        case Rewarding():
            yield from _rewards(game, question)
        case Losing():
            sizes = game.smith(actor).dice.owned()
            field = choice_field("die", "Which die?", ((size.value, size.value) for size in sizes))
            text = "The Forest takes it."
            rule = "Commune with the Spirits of the Forest"
            move = LoseDie(actor=actor, die=sizes[0])
            yield button(move, "lose", "Lose a die", text, rule, field)
        case RuinDrop():
            text = "A d8 falls on the sheet: the next Ruins."
            yield button(DropRuin(actor=actor), "drop-ruin", "Drop the die", text, "Explore Ruins")
        case Trouble():
            text = "A d4 says how bad it is."
            yield button(
                FindTrouble(actor=actor), "trouble", "Roll the next problem", text, "Assist A Village"
            )
        case _:
            return


def _votes(game: Game, question: Voting, actor: str) -> Iterator[LegalMove]:
    if not any(ballot.smith == actor and not ballot.cast for ballot in question.ballots):
        return
    rule = "Take an Artifact from the Vault"
    artifact, asker = game.artifact(question.artifact), game.smith(question.smith)
    best = asker.dice.best(game.settings.normal_dice)
    likely: tuple[Chance, ...] = ()
    if best:
        chance = chances.win(sides_of(best), artifact.power)
        likely = (Chance("anyway", f"{asker.name} wins it by a roll though refused", chance),)
    for agree, label in ((True, "Agree"), (False, "Refuse")):
        vote = Vote(actor=actor, prompt=prompt_id(question.id, actor), agree=agree)
        text = f"Whether {asker.name} may take {artifact.name}; nobody hears it before all have voted."
        yield button(vote, f"vote:{'yes' if agree else 'no'}", label, text, rule, likely=likely)


def _joins(game: Game, question: Creation, actor: str) -> Iterator[LegalMove]:
    if not any(helper.smith == actor for helper in waiting_helpers(question)):
        return
    prompt = prompt_id(question.id, actor)
    bare = Join(actor=actor, prompt=prompt)
    yield button(bare, "stay-out", "Stay out", "You roll nothing and gain nothing.", CREATE)

    def make(pool: Pool) -> Move:
        return Join(actor=actor, prompt=prompt, dice=pool.fixed(), sacrificed=pool.sacrificed)

    yield from creation_buttons(
        game,
        actor,
        (),
        make,
        name="join",
        label="Join in",
        text="A point for you, if it succeeds.",
        rule=CREATE,
    )


def _throw(game: Game, question: Attempt) -> LegalMove:
    every = all_dice(game, question)
    sides = sides_of(every)
    if question.foe is Foe.RECRUIT:
        odds = creation_odds(every)
        chance = chances.junk(sides, game.settings.junk_below)
        likely = Chance("junk", f"nothing comes of {notation(every)}", chance)
    else:
        odds = conflict_odds(every, question.power)
        likely = Chance("win", f"win with {notation(every)}", chances.win(sides, question.power))
    move = Throw(actor=question.smith)
    text = "It is settled which Artifacts help."
    return button(move, "throw", "Let the dice fall", text, "Conflict Rolls", odds=odds, likely=(likely,))


def _imbue(game: Game, question: Creation) -> Iterator[LegalMove]:
    others = tuple(die for one in joined(question) for die in (*one.dice, *one.sacrificed))

    def make(pool: Pool) -> Move:
        return Imbue(actor=question.smith, dice=pool.fixed(), sacrificed=pool.sacrificed)

    yield from creation_buttons(
        game,
        question.smith,
        (),
        make,
        name="imbue",
        label=f"Imbue {question.name}",
        text="The total buys its dice; less than 5 makes junk.",
        rule=CREATE,
        others=others,
    )


def _purchases(question: Purchase) -> Iterator[LegalMove]:
    total = question.total
    if total <= MOST_LISTED:
        found = maximal(total)
    else:
        found = tuple(one for power in range(1, most_power(total) + 1) for one in of_power(total, power))
    for dice in found:
        words = notation(dice)
        text = f"Power {len(dice)}, for {question.name}; what is left over is lost."
        move = Bestow(actor=question.smith, dice=dice)
        yield button(move, f"buy:{words}", f"Buy {words}", text, CREATE)


def _claims(game: Game, catalog: Catalog, question: Refused) -> Iterator[LegalMove]:
    artifact = game.artifact(question.artifact)

    def make(pool: Pool) -> Move:
        return Claim(
            actor=question.smith,
            dice=pool.fixed(),
            sacrificed=pool.sacrificed,
            artifacts=uses_of(catalog, pool.lent),
        )

    rule = "Take an Artifact from the Vault"
    yield from conflict_buttons(
        game,
        question.smith,
        game.held_by(question.smith),
        make,
        name="claim",
        label=f"Roll for {artifact.name}",
        text=f"Against its Power, {artifact.power}.",
        rule=rule,
        power=artifact.power,
    )
    leave = Decline(actor=question.smith)
    yield button(leave, "decline", "Leave it", "Your action is used all the same.", "P19")


def _rewards(game: Game, question: Rewarding) -> Iterator[LegalMove]:
    rule, text = "Conflict Rolls", "For the loss."
    yield button(ChooseReward(actor=question.smith), "reward:d4", "Gain a d4", text, rule)
    for size in promotable(game.actor(question.who).dice):
        larger = promoted(size)
        if larger is not None:
            label = f"Promote a {size.value} to a {larger.value}"
            move = ChooseReward(actor=question.smith, promote=size)
            yield button(move, f"reward:promote:{size.value}", label, text, rule)


def gm_offers(game: Game) -> Iterator[LegalMove]:
    """What the game master may do now."""
    if game.phase is Phase.MAP:
        yield from map_offers(game, GM)
    question = game.question
    if isinstance(question, Attempt) and not question.judged:
        things = ((use.artifact, game.artifact(use.artifact).name) for use in question.uses)
        field = choices_field("artifacts", "Which may help?", things, 0, len(question.uses))
        text = "Those you do not name stay out of this roll."
        move = Approve(actor=GM, prompt=question.id)
        yield button(move, "approve", "Judge the Artifacts", text, "P13", field)
    words = text_field("text", "What is to be seen?", LONGEST_TEXT)
    places = (("", "the scene"), *((spot.id, spot.name) for spot in game.ground.spots))
    where = choice_field("place", "Where?", places)
    describe = Describe(actor=GM, text="")
    yield button(describe, "describe", "Describe", "Put it in your own words.", "table", where, words)
    least, most = SETTING_BOUNDS["answer_seconds"]
    seconds = MoveField(
        name="seconds", label="How many seconds?", kind=FieldKind.NUMBER, least=least, most=most
    )
    limit = SetTimeLimit(actor=GM, seconds=0)
    text = "For votes and for joining a creation; 0 for no limit."
    yield button(limit, "limit", "Set a time limit", text, "table", seconds)
    reason = text_field("reason", "Why?", LONGEST_TEXT, required=False)
    off = CallOff(actor=GM)
    yield button(off, "call-off", "Call the game off", "The points stand as they are.", "table", reason)
