"""The public door: accounts and API keys (the ``account`` subgraph), the REST face, the pages for browsers.

Read ``accounts`` first, then ``rest``. The federation gateway in front of all of it is the Node program in
``federation``.
"""
