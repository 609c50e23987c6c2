"""The campaign service: tables of people who play together, who they are there, and what has happened.

Read ``models`` for what is kept, ``service`` for what can be done, ``repository`` for who sees what, then
``graphql``. It owns the memberships: the other services ask it (``/internal/access``) who may see what. It
also runs scenes, move by move, by the rules of their games: see ``scenes``.
"""
