"""Scenes: runs of a game's rules at the table of a campaign. No game is named here; each is played by its
system's ``play`` (``services.rules.engine.play``).

Read in this order: ``standing`` (who somebody is in a scene), ``forms`` (what clients send), ``starting``,
``playing`` (a move, from the request to the commit; ``drawing`` asks for its dice, ``telling`` puts it into
words), ``undoing``, ``history`` (what is kept of a move, and any moment built anew), ``reading`` (what a
viewer is shown), ``watching`` (subscriptions). All SQL is in ``repository``.
"""
