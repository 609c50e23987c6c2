"""Scenes: runs of a game's rules at the table of a campaign. No game is named here; each is played by its
system's ``play`` (``services.rules.engine.play``).

Read in this order: ``standing`` (who a member is in a scene), ``forms`` (what clients send), ``games``
(what is played here), ``starting``, ``places`` (where a scene stands, a move that waits for answers
included), ``playing`` (a move, from the request to the commit, and taking it back; ``rulings`` and ``bots``
say what is to be done, ``drawing`` asks for its dice, step by step, ``ledger`` writes it down in ``rows``,
``telling`` puts it into words), ``history`` (what is kept of a move, and any moment built anew), ``timing``,
``lapsing`` and ``timekeeping`` (questions that wait for a while only), ``handing`` (what a scene tells the
campaign that it was begun from) and ``seating`` (what the table tells it), ``boards`` (stored maps that
follow a scene), ``changes`` (what it has changed about characters), ``reading`` (what a viewer is shown),
``watching`` (subscriptions). All SQL is in ``repository``.
"""
