"""Membership: campaigns, who is at their tables in which role, and which characters sit there.

Read ``models``, ``requests`` (what can be asked), then the use cases: ``service`` (founding, reading and
editing campaigns), ``invitations``, ``members``, ``seats``. All SQL is in ``repository``.
"""
