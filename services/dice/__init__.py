"""The dice service: rolls dice, keeps every roll for ever, and tells the table as it happens.

``app`` puts it together out of its features; ``context`` is what resolvers are handed, ``schema`` the
subgraph, ``internal`` what other services ask for, ``tables`` the registry of all tables. Read the features
in this order:

1. ``library``     a table's own words: dice, saved rolls, whose notation it writes
2. ``chain``       verifiable rolls: who keeps the seeds, who signs, who may see what
3. ``rolls``       what is asked, made, kept, hidden, revealed and told
4. ``statistics``  how the dice fell
5. ``odds``        how they might fall

What dice notation means, and the mathematics of odds, are in ``services.rules.dice``.
"""
