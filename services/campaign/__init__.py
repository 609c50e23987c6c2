"""The campaign service: tables of people who play together, who they are there, and what has happened.

It has three features, each a folder of one shape: ``membership`` (campaigns, members, seats, invitations),
``log`` (what has happened), ``scenes`` (what is played, move by move, by the rules of its game). In each,
read ``models`` (what is kept), ``requests`` (what can be asked), ``service`` and the use cases beside it,
``repository`` (all SQL), ``graphql``. ``app`` puts them together, ``schema`` is their subgraph, ``internal``
what other services ask: the service owns the memberships, so all others ask it who may see what.
"""
