"""How a move becomes a button: its JSON form, what is still to be decided, and its chances.

Where values depend on each other there are several buttons: own dice without a sacrifice; the best dice fixed
and a choice of sacrifices; and both again with every Artifact she holds. Whatever else the rules allow may be
made all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from services.rules.engine.buttons import button, choices_field
from services.rules.engine.codec import Codec
from services.rules.engine.explain import Explained, Part
from services.rules.engine.frozen import replace
from services.rules.engine.play import Chance, LegalMove, MoveField
from services.rules.systems.forgeborn.catalog import SLUG, Catalog
from services.rules.systems.forgeborn.play import chances
from services.rules.systems.forgeborn.play.moves import ArtifactUse, Move
from services.rules.systems.forgeborn.play.rolls import conflict_odds, creation_odds
from services.rules.systems.forgeborn.play.state import Artifact, Game
from services.rules.systems.forgeborn.pools import (
    ASCENDING,
    MOST_ROLLED,
    DiceCount,
    DieSize,
    notation,
    sides_of,
)

MOVE_CODEC: Codec[Move] = Codec(cast(Any, Move), f"{SLUG}/move", version=2)


@dataclass(frozen=True, slots=True)
class Wording:
    """What an offer says.

    Attributes:
        name: What its id begins with.
        label: What its button begins with.
        text: What it does.
        rule: Where the rule stands.
    """

    name: str
    label: str
    text: str
    rule: str


def dice_field(own: DiceCount, normal: int) -> MoveField:
    """Dice of one's own within the limit: as many of each size as could be chosen."""
    choices = [(size.value, size.value) for size in ASCENDING for _ in range(min(normal, own.count(size)))]
    return choices_field("dice", "Which of your dice?", choices, 1, normal)


def sacrifice_field(left: DiceCount, most: int) -> MoveField:
    """Dice to sacrifice on top."""
    choices = [(size.value, size.value) for size in ASCENDING for _ in range(left.count(size))]
    return choices_field("sacrificed", "Which dice do you sacrifice?", choices, 1, most)


@dataclass(frozen=True, slots=True)
class Pool:
    """A way of choosing dice for a roll.

    Attributes:
        suffix: What the offer's id ends with.
        words: What the label ends with.
        dice: Those fixed, or the best ones where they are still to be chosen.
        sacrificed: The most that can be sacrificed.
        lent: Artifacts whose dice are rolled too.
        field: What is to be decided.
    """

    suffix: str
    words: str
    dice: tuple[DieSize, ...]
    sacrificed: tuple[DieSize, ...]
    lent: tuple[Artifact, ...]
    field: MoveField

    def all_dice(self) -> tuple[DieSize, ...]:
        """Every die at its best: what the chances are reckoned with."""
        lent = (die for artifact in self.lent for die in artifact.dice.descending())
        return (*self.dice, *self.sacrificed, *lent)

    def fixed(self) -> tuple[DieSize, ...]:
        """The dice of the move as it stands; a single die where they are chosen."""
        return self.dice if self.sacrificed else self.dice[:1]

    def explained(self) -> Explained:
        """How many dice are rolled at most, and whose."""
        parts = [Part(len(self.dice), "her own dice", "Conflict Rolls")]
        if self.sacrificed:
            parts.append(Part(len(self.sacrificed), "sacrificed", "Conflict Rolls"))
        parts += [Part(one.power, one.name, "Conflict Rolls") for one in self.lent]
        return Explained.of(*parts)


def pools(own: DiceCount, normal: int, held: Sequence[Artifact]) -> Iterator[Pool]:
    """The ways of choosing dice; none where there is no die of one's own (P11)."""
    best = own.best(normal)
    if not best:
        return
    left = own.minus(best)
    most = MOST_ROLLED - normal
    sacrificed = left.best(most)
    for lent, end, words in (((), "", ""), (tuple(held), ":artifacts", " with every Artifact")):
        if end and not held:
            continue
        yield Pool(end, words, best, (), lent, dice_field(own, normal))
        if own.total() > normal:
            both = f"{words} and sacrifices" if words else " with sacrifices"
            field = sacrifice_field(left, most)
            yield Pool(f"{end}:sacrifice", both, best, sacrificed, lent, field)


def uses_of(catalog: Catalog, lent: Sequence[Artifact]) -> tuple[ArtifactUse, ...]:
    """Artifacts put to use in words of ours, which a player may put better."""
    return tuple(
        ArtifactUse(artifact=one.id, how=f"{one.name} {catalog.function(one.function).help}.") for one in lent
    )


def conflict_buttons(
    game: Game, who: str, make: Callable[[Pool], Move], wording: Wording, power: int
) -> Iterator[LegalMove]:
    """A Conflict as offers, each with the chance to win it with the most dice it allows.

    Args:
        game: Where the game stands.
        who: Who rolls.
        make: The move with a choice of dice.
        wording: What the offers say.
        power: Of what stands against her.
    """
    for pool in pools(game.actor(who).dice, game.settings.normal_dice, game.held_by(who)):
        every = pool.all_dice()
        chance = Chance("win", f"win with {notation(every)}", chances.win(sides_of(every), power))
        yield replace(
            pool_button(make(pool), pool, wording),
            cost="the sacrificed dice, on a win" if pool.sacrificed else "",
            odds=conflict_odds(every, power),
            chances=(chance,),
        )


def creation_buttons(
    game: Game,
    who: str,
    make: Callable[[Pool], Move],
    wording: Wording,
    *,
    held: Sequence[Artifact] = (),
    fields: tuple[MoveField, ...] = (),
    others: tuple[DieSize, ...] = (),
) -> Iterator[LegalMove]:
    """A roll without a target as offers, with the chances of what it buys.

    Args:
        game: Where the game stands.
        who: Who rolls.
        make: The move with a choice of dice.
        wording: What the offers say.
        held: Artifacts that may help.
        fields: What is to be decided beside the dice.
        others: Dice that others roll along.
    """
    below = game.settings.junk_below
    for pool in pools(game.actor(who).dice, game.settings.normal_dice, held):
        every = (*pool.all_dice(), *others)
        sides, words = sides_of(every), notation(every)
        likely = chances.likely_power(sides)
        bought = "die" if likely == 1 else "dice"
        yield replace(
            pool_button(make(pool), pool, wording, *fields),
            cost="the sacrificed dice" if pool.sacrificed else "",
            odds=creation_odds(every),
            chances=(
                Chance("junk", f"nothing comes of {words}", chances.junk(sides, below)),
                Chance(
                    f"power-{likely}",
                    f"{words} buys {likely} {bought} or more",
                    chances.power_at_least(sides, likely),
                ),
            ),
        )


def pool_button(move: Move, pool: Pool, wording: Wording, *fields: MoveField) -> LegalMove:
    """A move with a choice of dice as an offer."""
    name, label = f"{wording.name}{pool.suffix}", f"{wording.label}{pool.words}"
    offer = button(move, name, label, wording.text, wording.rule, *fields, pool.field)
    return replace(offer, dice=pool.explained())
