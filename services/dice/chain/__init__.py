"""Verifiable rolls at the tables of this installation: who keeps the seeds, who signs, who may see what.

A place, a campaign or an account by itself, has two chains: the open one of what everybody there sees, and
the secret one of the GM's rolls. Each has one live epoch.

Read in this order:

1. ``seal``        keeps seeds and private keys from whoever reads the database
2. ``keys``        signs statements, and tells whether a published key did
3. ``entropy``     reads what clients send
4. ``repository``  all SQL
5. ``ledger``      inside a unit of work: draw, record, void, reveal; begin, close and rotate epochs
6. ``sight``       what a viewer may see of a chain
7. ``service``     the use cases of viewers: commitments, receipts, keys, verification; ``graphql`` shows them
8. ``rotate``      a new signing key, from the command line
"""
