"""Metadata: what apps keep beside the things of a service, as JSON in bags that each have a namespace.

Read ``requests`` (what a bag is, and what is asked), ``bags`` (the table and all SQL), ``service`` (the use
cases); ``graphql`` shows them. A service adds the table to its own, says in its feature ``metadata`` who may
write beside which thing, and has the field ``metadata`` on each of these.
"""
