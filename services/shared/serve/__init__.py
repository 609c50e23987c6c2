"""``python -m services.shared.serve``: one HTTP process.

A package, since worker processes import the main module of their service anew unless it is a ``__main__``.
"""
