"""Accounts: who they are, the keys that open the API for them, and the operator's invitations to open one.

Read ``credentials`` for what a key is, ``models`` for what is kept, ``requests`` and ``service`` for what can
be done, ``identity`` for whose a key is, ``sign_up`` for who may open an account, ``graphql`` for the
subgraph.
"""
