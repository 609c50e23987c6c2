"""Scenes: runs of a game's rules at the table of a campaign. No game is named here; each is played by its
system's ``play`` (``services.rules.engine.play``).

Read in this order: ``requests`` (what can be asked), ``games`` (what is played here), ``participant`` (who a
member is in a scene), ``forms`` (what clients send in a game's own JSON form; ``schemas`` describes it),
``start``, ``positions`` (where a scene stands, a move that waits for answers included), ``moves`` (a move,
from the request to the commit, and taking it back; ``rulings`` and ``bots`` say what is to be done,
``preparation`` does what takes long, ``dice`` asks for its dice, step by step, ``ledger`` writes it down in
``rows``, ``narration`` puts it into words), ``history`` (what is kept of a move), ``deadlines``, ``lapses``
and ``clock`` (questions that wait for a while only), ``handover`` (what a scene tells the campaign that it
was begun from) and ``roster`` (what the table tells it), ``boards`` (stored maps that follow a scene),
``changes`` (what it has changed about characters), ``looks`` and ``reader`` (what a viewer is shown),
``feed`` (subscriptions), ``chronicle`` and ``chronicle_markdown`` (what a campaign tells of its story),
``deletion``. ``workload`` and ``tasks`` hold what the rules take long for. All SQL
is in ``repository``.
"""
