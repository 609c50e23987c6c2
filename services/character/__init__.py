"""The character service: characters of any game system, built by its rules, kept with their sheets.

Read ``building`` for how choices become a character that is kept, ``packs`` for the games, their content and
a table's own, ``rewards`` and ``history`` for what becomes of characters; then ``app``, which puts it
together. It knows no game: systems come from the registry of ``services.rules``, and one that is dropped in
there is served here as it is.
"""
