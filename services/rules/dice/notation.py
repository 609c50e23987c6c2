"""Text to expression and back: `4d6kh3 + 2`, `6d10 vs 3d10`, `forge_engine:opposed(6, 3)`.

Case and blanks do not matter, except in labels, faces and comments; names are kept in small letters.

    dice      3d6 d20 d% 4dF (d4)d6 d(d6) 2d[1,1,2] 2d[hit:2,miss] 3dboon @muscle d6
    rules     behind dice, in any order
      reroll    r r1 r<3 r1r2 (until none is left), ro1 (once)          without a point: the lowest face
      unique    u
      clamp     min2 max5
      explode   ! !>4 !! !p !!p !o, also spelt x xx xp xxp xo           without a point: the highest face
      select    kh3 kl2 dh1 dl1, k is kh; kw>=4 dw=1                    one after another
      count     >=5 <=2 =6 cs!=1, even odd; cf<=1; f<=1 or df<=1; sf<3; ms>=12
      show      sa sd
    groups    {2d6, d12}kh1; the dice of a single member are one pool: {3d6 + 2d8}kh2
    numbers   + - * / // % ** and brackets; floor ceil round abs (one argument), min max (one or more)
    words     lucky, unlucky d12; 6d10 vs 3d10; 5d6 net 3d6; forge_engine:opposed(6, 3)
    target    3d6 total<=12, 1d20 + @bonus total>=15: 1 where the total meets it, else 0
    beside    [label] behind anything, @variable, @{variable}, # comment at the end

`/` is exact and `//` rounds down; `**` binds tighter than a sign and is read from the right; then the signs,
then `* / // %`, then `+ -`, then `vs`, `net` and `total`, of which one stands at the top or within a bracket.
A point is `=5 !=5 <5 <=5 >5 >=5`, or `5` for `=5`; in place of its number stands `@variable`, or numbers and
variables in brackets: `>=(@skill / 2)`. Behind dice `!=6` is an explosion on 6: successes that are not 6
are `cs!=6`, explosions on all but 6 `x!=6`; and `r!=6` rolls again what is not 6. Each side of opposed dice
is dice, or a sum of them: those of `vs` do not count; those of `net` count in their own way, or are d6 of
which 5 and 6 count.

Read in this order: `lexicon` (what words mean), `dialect` and `selectors` (the words behind dice), `lexer`,
`grammar` with its parts `reader`, `kinds`, `following`, `rules`, `arguments`, `slips` and `remark`; `render`;
`bind` and `constants`; `limits` with `measure`, `impossible`, `bounds`; `fault` (every error).
"""

from __future__ import annotations

from services.rules.dice.arguments import bound_arguments
from services.rules.dice.bind import bind, variables
from services.rules.dice.everyday import read_everyday
from services.rules.dice.fault import (
    ArgumentError,
    NotationError,
    NotationLimitError,
    UnknownVariableError,
)
from services.rules.dice.grammar import parse_text
from services.rules.dice.lexicon import LIMITS, PLAIN, RESERVED, Dialect, Lexicon, Limits, is_die_name
from services.rules.dice.limits import check
from services.rules.dice.measure import Measure, measure
from services.rules.dice.pool import Expression
from services.rules.dice.render import render, render_node

__all__ = [
    "LIMITS",
    "PLAIN",
    "RESERVED",
    "ArgumentError",
    "Dialect",
    "Lexicon",
    "Limits",
    "Measure",
    "NotationError",
    "NotationLimitError",
    "UnknownVariableError",
    "bind",
    "bound_arguments",
    "check",
    "is_die_name",
    "measure",
    "parse",
    "render",
    "render_node",
    "variables",
]


def parse(text: str, lexicon: Lexicon = PLAIN) -> Expression:
    """Reads an expression.

    Args:
        text: What was typed.
        lexicon: What words mean: the dialect, the table's own dice, the games' rolls, the limits.

    Returns:
        What is to be rolled, within the limits; variables may be left in it.

    Raises:
        NotationLimitError: It asks for more than the limits.
        ArgumentError: A game's own roll does not take such arguments.
        NotationError: It is no dice notation, or means nothing however the dice fall.
    """
    if lexicon.dialect is Dialect.HEARTHFORGE:
        everyday = read_everyday(text, lexicon.limits)
        if everyday is not None:
            return everyday
    return parse_text(text, lexicon)
