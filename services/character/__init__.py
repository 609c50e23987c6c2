"""The character service: heroes of any game system, built by its rules, kept with their sheets.

Read ``models`` for what is kept, ``building`` for how choices become a sheet or named problems, ``service``
for what can be done, ``repository`` for who sees what, then ``graphql``. It knows no game: systems come from
the registry of ``services.rules``, and one that is dropped in there is served here as it is.
"""
