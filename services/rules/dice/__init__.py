"""Dice: what to roll, how it is written, where faces come from, what came of it, how likely it was.

`README.md` tells what can be typed. Read the code in this order:

    pool              what is to be rolled, as data
    mechanic          a game's own roll, described once
    notation          text to data and back: the door to lexicon, dialect, selectors, everyday, lexer, reader,
                      kinds, following, slips, remark, rules, arguments, grammar, render, bind, constants,
                      walk
    limits            what is refused beforehand: measure, units, impossible, bounds, faces; fault
    stream            named sources of faces
    roll              an expression and a stream to a result: die, drawing, counting, gathering, arithmetic,
                      failure
    result, text      the result as a tree, and in one line
    distribution      exact chances: polynomial
    odds              odds of any expression, and what it takes to find them; the usual rolls in closed form
    vr1               rolls that anybody can verify

Nothing here knows a game, and every face comes from the stream the caller gave.
"""
