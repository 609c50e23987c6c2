"""The character service: heroes of any game system, built by its rules, kept with their sheets.

Read ``models`` for what is kept, ``building`` for how choices become a sheet or named problems, ``editions``
for games with packs of a table's own content in them, ``keeping`` for how an edit is kept with a line of
``history``; ``service``, ``advancing``, ``packing`` and ``undoing`` for what can be done, ``seats`` and
``repository`` for who sees what, then ``graphql``. It knows no game: systems come from the registry of
``services.rules``, and one that is dropped in there is served here as it is.
"""
