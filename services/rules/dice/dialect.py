"""Whose words stand behind dice, and what each means in ours.

Only the rules behind dice and groups differ. Arithmetic, brackets, labels, comments, variables, a table's own
dice, `vs`, `net`, `lucky` and the games' rolls are the same in all of them. A dialect has the words of its
home and no others; those without a meaning here are refused by name.

What was found of the others (facts in our words; Foundry: foundryvtt.com/article/dice-modifiers and its API
pages of `Die`; Roll20: the community wiki's Dice Reference; d20: the README and the source of version 1.1.2):

             HEARTHFORGE       FOUNDRY           ROLL20            D20
reroll       r rr until,       r once,           r until,          rr until,
             ro once           rr until          ro once           ro once
explode      ! !! !p !!p !o    x, xo once        ! !! !p           e, ra at most one die
keep, drop   kh kl k dh dl     kh kl k dh dl d   kh kl k dh dl d   k p with a selector
             kw dw             (d is dl)         (d is dl)         (k3: those that equal 3)
count        >=5 cs cf f df    cs cf df sf ms    >5 <5 =5, f       none
             sf ms even odd    even odd          takes 1 away
`>` and `<`  strict            strict            inclusive         strict
`d%`         1 to 100          1 to 100          1 to 100          tens, 0 to 90
a total      total>=12         none              {3d6, 0}>12       3d6 >= 12
words behind refused           refused           the comment       the comment
order        does not matter   as written        does not matter   as written

Where a dialect applies rules in the order written, an order that means something else in ours is refused.
Roll20's `cs` and `cf` only colour what is shown: they are read and left out. In Foundry a pool of one member
looks at the member's total, in ours and in Roll20 at its dice: in Foundry's words rules there are refused.
Plain numbers beside those dice are added once in ours; Roll20 adds them to each die before it compares, so
that its compare points are read less those numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache

from services.rules.dice.lexicon import Dialect
from services.rules.dice.pool import Comparison, CountKind, ExplodeKind, RerollKind, SelectKind, Sort


class Use(Enum):
    """What a word behind dice does."""

    SELECT = "select"
    WHERE = "where"
    REROLL = "reroll"
    EXPLODE = "explode"
    COUNT = "count"
    LOWEST = "lowest"
    HIGHEST = "highest"
    UNIQUE = "unique"
    SORT = "sort"
    SHOWN_ONLY = "shown only"
    REFUSED = "refused"


Meaning = SelectKind | RerollKind | ExplodeKind | CountKind | Sort | str | None


@dataclass(frozen=True, slots=True)
class Word:
    """A word behind dice.

    Attributes:
        text: The word.
        use: What it does.
        meaning: Which of those; why it is refused.
    """

    text: str
    use: Use
    meaning: Meaning = None

    @property
    def argument(self) -> str:
        """What may follow: a compare `point`, a `number`, a `value` that must be there, or nothing."""
        match self.use:
            case Use.SELECT:
                return "number"
            case Use.LOWEST | Use.HIGHEST:
                return "value"
            case Use.UNIQUE | Use.SORT:
                return ""
            case Use.COUNT if self.meaning in (CountKind.EVEN, CountKind.ODD):
                return ""
            case _:
                return "point"


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a dialect.

    Attributes:
        title: What people call it; empty for our own.
        words: By their text.
        comparisons: By their sign.
        ordered: Whether rules apply in the order written.
        pooled: Whether the rules of a group of one member look at its dice, as ours do.
        pattern: Finds a rule, or what stands behind the last one; see `_pattern`.
        open_point: Finds a rule with a compare point that is a variable or in brackets, up to that: group 1
            its word, 2 the sign behind the word, 3 a sign without a word.
    """

    title: str
    words: Mapping[str, Word]
    comparisons: Mapping[str, Comparison]
    ordered: bool
    pooled: bool
    pattern: re.Pattern[str]
    open_point: re.Pattern[str]


BLANK = r"[ \t\r\n]*+"
_SIGNS = r"\*\*|//|[-+*/%),}\#]|vs|net|total|\Z"
AFTER = rf"{BLANK}(?:({_SIGNS})|(\[)"
"""What may stand behind an operand: group 1 an operator, a closing sign or the end; group 2 a label."""

AFTER_D20 = rf"{BLANK}(?:({_SIGNS}|[=!<>]=|[<>\u2264\u2265\u2260])|(\[)"
"""The same in d20's words, in which totals are compared without a word before the sign."""

_TYPESET = {
    "\u2264": Comparison.AT_MOST,
    "\u2265": Comparison.AT_LEAST,
    "\u2260": Comparison.NOT_EQUAL,
}
STRICT = {**{comparison.value: comparison for comparison in Comparison}, **_TYPESET}
_INCLUSIVE = {
    ">": Comparison.AT_LEAST,
    "<": Comparison.AT_MOST,
    ">=": Comparison.AT_LEAST,
    "<=": Comparison.AT_MOST,
    "=": Comparison.EQUAL,
    "\u2264": Comparison.AT_MOST,
    "\u2265": Comparison.AT_LEAST,
}
TOTALS_D20 = {**STRICT, "==": Comparison.EQUAL}
"""How d20 compares totals."""


def _pattern(
    words: Mapping[str, Word], comparisons: Mapping[str, Comparison], *, bare: bool
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Finds one rule with what follows it; and one with an open compare point, see `Words.open_point`.

    Groups: 1 and 2 as in `AFTER`; 3 a word alone; 4 a word and 5 its number; 6 a word and 7, 8 its compare
    point or 9 its number; 10, 11 a compare point without a word; 12 a word and 13 its value.
    """

    def those(argument: str) -> str:
        found = [word for word in words.values() if word.argument == argument]
        return "|".join(spelt(word) for word in sorted(found, key=_longest_first)) or "(?!)"

    def spelt(word: Word) -> str:
        # `kw` is no `k`, though `k` is looked for first; and `xodd` is `x` and `odd`.
        others = [other for other in words.values() if other.argument != word.argument]
        longer = [other.text for other in others if other.text.startswith(word.text)]
        ends = [re.escape(text.removeprefix(word.text)) for text in longer]
        if word.text[-1] == "o":
            ends.append("dd")
        return re.escape(word.text) + (f"(?!{'|'.join(ends)})" if ends else "")

    signs = "|".join(sorted(comparisons, key=len, reverse=True))
    point = rf"({signs}){BLANK}(-?[0-9]++)"
    alone = f"({signs})" if bare else "(?!)()"
    opened = re.compile(
        rf"{BLANK}(?:({those('point')}){BLANK}({signs})?+|{alone}){BLANK}(?=[@(])",
    )
    found = re.compile(
        rf"{AFTER}"
        rf"|({those('')})"
        rf"|({those('number')})(?:{BLANK}([0-9]++))?+"
        rf"|({those('point')})(?:{BLANK}(?:{point}|([0-9]++)))?+"
        rf"|{point if bare else '(?!)()()'}"
        rf"|({those('value')})(?:{BLANK}(-?[0-9]++))?+"
        r")"
    )
    return found, opened


def _longest_first(word: Word) -> int:
    return -len(word.text)


def _selects(**more: SelectKind) -> list[Word]:
    plain = {
        "kh": SelectKind.KEEP_HIGHEST,
        "kl": SelectKind.KEEP_LOWEST,
        "dh": SelectKind.DROP_HIGHEST,
        "dl": SelectKind.DROP_LOWEST,
        "k": SelectKind.KEEP_HIGHEST,
    }
    return [Word(text, Use.SELECT, kind) for text, kind in {**plain, **more}.items()]


def _explosions(**more: ExplodeKind) -> list[Word]:
    return [Word(text, Use.EXPLODE, kind) for text, kind in more.items()]


def _counts(*texts: str) -> list[Word]:
    return [Word(text, Use.COUNT, CountKind(text)) for text in texts]


_CLAMPS = [Word("min", Use.LOWEST), Word("max", Use.HIGHEST)]
_ASCENDING = Word("sa", Use.SORT, Sort.ASCENDING)
_DESCENDING = Word("sd", Use.SORT, Sort.DESCENDING)
_SUCCESSES_TAKEN_AWAY = Word("f", Use.COUNT, CountKind.DEDUCT)

_WORDS: Mapping[Dialect, list[Word]] = {
    Dialect.HEARTHFORGE: [
        Word("r", Use.REROLL, RerollKind.UNTIL),
        Word("rr", Use.REROLL, RerollKind.UNTIL),
        Word("ro", Use.REROLL, RerollKind.ONCE),
        Word("u", Use.UNIQUE),
        *_CLAMPS,
        *[Word(kind.value, Use.EXPLODE, kind) for kind in ExplodeKind],
        *[Word(kind.value.replace("!", "x"), Use.EXPLODE, kind) for kind in ExplodeKind],
        *_selects(),
        Word("kw", Use.WHERE, SelectKind.KEEP_WHERE),
        Word("dw", Use.WHERE, SelectKind.DROP_WHERE),
        *_counts("cs", "cf", "df", "sf", "ms", "even", "odd"),
        _SUCCESSES_TAKEN_AWAY,
        _ASCENDING,
        _DESCENDING,
    ],
    Dialect.FOUNDRY: [
        Word("r", Use.REROLL, RerollKind.ONCE),
        Word("rr", Use.REROLL, RerollKind.UNTIL),
        *_CLAMPS,
        *_explosions(x=ExplodeKind.NORMAL, xo=ExplodeKind.ONCE),
        *_selects(d=SelectKind.DROP_LOWEST),
        *_counts("cs", "cf", "df", "sf", "ms", "even", "odd"),
    ],
    Dialect.ROLL20: [
        Word("r", Use.REROLL, RerollKind.UNTIL),
        Word("ro", Use.REROLL, RerollKind.ONCE),
        Word("!", Use.EXPLODE, ExplodeKind.NORMAL),
        Word("!!", Use.EXPLODE, ExplodeKind.COMPOUND),
        Word("!p", Use.EXPLODE, ExplodeKind.PENETRATE),
        *_selects(d=SelectKind.DROP_LOWEST),
        _SUCCESSES_TAKEN_AWAY,
        Word("cs", Use.SHOWN_ONLY),
        Word("cf", Use.SHOWN_ONLY),
        Word("m", Use.REFUSED, "Roll20's matches have no meaning here"),
        Word("mt", Use.REFUSED, "Roll20's matches have no meaning here"),
        Word("s", Use.SORT, Sort.ASCENDING),
        _ASCENDING,
        _DESCENDING,
    ],
}

_TITLES = {Dialect.HEARTHFORGE: "", Dialect.FOUNDRY: "Foundry", Dialect.ROLL20: "Roll20"}


@cache
def words_of(dialect: Dialect) -> Words:
    """The words of a dialect; not of D20, for whose see `services.rules.dice.selectors`."""
    words = {word.text: word for word in _WORDS[dialect]}
    comparisons = _INCLUSIVE if dialect is Dialect.ROLL20 else STRICT
    as_foundry = dialect is Dialect.FOUNDRY
    pattern, open_point = _pattern(words, comparisons, bare=not as_foundry)
    return Words(
        title=_TITLES[dialect],
        words=words,
        comparisons=comparisons,
        ordered=as_foundry,
        pooled=not as_foundry,
        pattern=pattern,
        open_point=open_point,
    )
