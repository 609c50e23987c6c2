"""How the dice fell, and whether that is anything to wonder at.

Read ``fairness`` (are the faces even) and ``luck`` (are the totals high), which are pure; then
``repository``, which counts each open roll as it is made and reads the counts; ``expectation``, what totals
are compared with; and ``service``, which puts all of it together for a viewer. ``picture`` draws the counts,
``graphql`` shows all of it.
"""
