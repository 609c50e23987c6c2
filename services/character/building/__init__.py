"""Characters: made by the rules of their game, or by chance, edited, read as sheets and cards.

Read ``requests`` for what is asked, ``builds`` for how choices become a sheet or named problems, ``drafts``
and ``random_characters`` for characters that are not kept yet, ``edits`` for how an edit is kept with a line
of history, ``service`` for what can be done, and ``sheets`` for what is read.
"""
