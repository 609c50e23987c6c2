"""Portraits of characters: pictures brought along, made anew in a few sizes, given out as files.

Read in this order: ``keys`` (where files are stored), ``pictures`` (what a worker process makes of a file),
``service``, ``files`` (the paths for other services), ``graphql`` and ``leftovers`` (files that
no character names any more).
"""
