"""The public door: accounts and API keys (the ``account`` subgraph), the REST face, the pages for browsers.

Read ``credentials`` for what a key is, ``models`` for what is kept, ``service`` for what can be done, then
``graphql`` and ``rest``. The federation gateway in front of all of it is the Node program in ``federation``.
"""
